//! Where ways meet that disagree about who owns an object.

use super::problem::Problem;
use super::solve::Engine;
use super::state::{Mark, State, Way};
use crate::cfg::{BlockId, Item};
use tenure_span::Span;

/// The paths that are live on one way to `block` and consumed on another.
pub fn disagreements(
    engine: &Engine,
    block: BlockId,
    joined: &State,
    ways: &[State],
) -> Vec<Problem> {
    let mut found = Vec::new();
    for (path, mark) in joined.marks() {
        let Mark::Maybe(_) = mark else { continue };
        let marks: Vec<Mark> = ways.iter().map(|way| way.at(&engine.paths, path)).collect();
        let gone = marks.iter().find_map(|mark| match mark {
            Mark::Gone(gone) if gone.way != Way::Lent => Some(*gone),
            _ => None,
        });
        let live = marks.iter().any(|mark| matches!(mark, Mark::Live { .. }));
        if let (Some(gone), true) = (gone, live) {
            found.push(Problem::Disagree { path, gone, test: parting(engine, block) });
        }
    }
    found
}

/// The test where the ways to `block` part.
fn parting(engine: &Engine, block: BlockId) -> Option<Span> {
    let above = engine.order.idom[block];
    match engine.cfg.blocks[above].items.last() {
        Some(Item::Test(_, span)) if above != block => Some(*span),
        _ => None,
    }
}
