//! Where ways meet that disagree about who owns an object.

use super::path::{PathId, Step};
use super::problem::Problem;
use super::solve::Engine;
use super::state::{Mark, State, Way};
use crate::cfg::{BlockId, Item};
use tenure_core::{RecordKind, Ty};
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
        // Of another variant it is not known that it has such a part.
        let in_variant = is_in_variant(engine, path);
        let live = marks.iter().zip(ways).any(|(mark, way)| {
            matches!(mark, Mark::Live { .. }) && !(in_variant && way.get(path).is_none())
        });
        if let (Some(gone), true) = (gone, live) {
            found.push(Problem::Disagree { path, gone, test: parting(engine, block) });
        }
    }
    found
}

/// Whether the path leads through an argument of a datatype's constructor.
fn is_in_variant(engine: &Engine, path: PathId) -> bool {
    let mut at = path;
    while let Some(parent) = engine.paths.parent(at) {
        if let (Step::Field(_), Ty::Record(record)) =
            (engine.paths.step(at), engine.program.types.get(engine.paths.ty(parent)))
        {
            if engine.program.types.records[*record].kind == RecordKind::Variant {
                return true;
            }
        }
        at = parent;
    }
    false
}

/// The test where the ways to `block` part.
fn parting(engine: &Engine, block: BlockId) -> Option<Span> {
    let above = engine.order.idom[block];
    match engine.cfg.blocks[above].items.last() {
        Some(Item::Test(_, span)) if above != block => Some(*span),
        _ => None,
    }
}
