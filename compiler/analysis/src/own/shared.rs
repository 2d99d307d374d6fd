//! Places that nobody follows, as the program writes them: two exchanges with `s->slots[i]` are with one place, though
//! each reads `s->slots` into a temporary of its own. Only leak warnings depend on it.

use crate::cfg::{Cfg, Item};
use std::collections::{HashMap, HashSet};
use tenure_core::{Expr, ExprKind, Function, LocalId, LocalKind, Place, PlaceKind, Stmt, StmtKind};
use tenure_core::{Visitor, VisitorMut};

/// What each temporary that is assigned once stands for.
pub struct Definitions(HashMap<LocalId, Expr>);

impl Definitions {
    pub fn new(function: &Function, cfg: &Cfg) -> Definitions {
        let mut values = HashMap::new();
        let mut others = HashSet::new();
        for item in cfg.blocks.iter().flat_map(|block| &block.items) {
            let Item::Stmt(Stmt {
                kind: StmtKind::Assign(to, value) | StmtKind::Init(to, value),
                ..
            }) = item
            else {
                continue;
            };
            let PlaceKind::Local(local) = to.kind else { continue };
            if function.locals[local].kind != LocalKind::Temp
                || values.insert(local, value.clone()).is_some()
            {
                others.insert(local);
            }
        }
        values.retain(|local, _| !others.contains(local));
        Definitions(values)
    }

    /// The place with its temporaries replaced by what they stand for.
    pub fn written(&self, place: &Place) -> Place {
        let mut place = place.clone();
        Replace { definitions: &self.0, depth: 0 }.place(&mut place);
        place
    }
}

/// How far definitions are followed: one that depends on itself would go round.
const DEPTH_MOST: u32 = 16;

struct Replace<'d> {
    definitions: &'d HashMap<LocalId, Expr>,
    depth: u32,
}

impl VisitorMut for Replace<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Load(Place { kind: PlaceKind::Local(local), .. }) = &expr.kind {
            if let Some(value) = self.definitions.get(local).filter(|_| self.depth < DEPTH_MOST) {
                *expr = value.clone();
                self.depth += 1;
                self.expr(expr);
                self.depth -= 1;
                return;
            }
        }
        tenure_core::walk_expr_mut(self, expr);
    }
}

/// Whether the place is found by way of this local.
pub fn mentions(place: &Place, local: LocalId) -> bool {
    struct Mentions(LocalId, bool);
    impl Visitor for Mentions {
        fn local(&mut self, local: &LocalId) {
            self.1 |= *local == self.0;
        }
    }
    let mut mentions = Mentions(local, false);
    mentions.place(place);
    mentions.1
}
