//! Conversions that are checked when more is known, so that the order of arguments does not matter: counts of elements
//! at the end of the body, functions given for parameters of function type once the other arguments and the context
//! have been seen.

use super::{Checker, Origin};
use crate::checker::Why;
use crate::hir::{Expr, ExprKind};
use crate::ty::{Bounds, Quals, Size, SizeId, SizeVid, Type, TypeId};
use tenure_span::{FastMap, Span};

/// A conversion, for a message that comes later.
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    pub from: TypeId,
    pub to: TypeId,
    pub span: Span,
    pub why: Why,
}

/// A pointer to so many elements is used where so many are needed, one of the numbers being open.
#[derive(Clone, Debug)]
pub(crate) struct LaterCount {
    have: SizeId,
    need: SizeId,
    conversion: Option<Conversion>,
}

/// One type must be below the other, one of them being open.
#[derive(Clone, Debug)]
pub(crate) struct LaterSub {
    from: TypeId,
    to: TypeId,
    origin: Origin,
    conversion: Option<Conversion>,
}

impl Checker<'_> {
    /// Whether one of the numbers is open, so that their order is left for the end of the body.
    pub fn count_later(&mut self, have: SizeId, need: SizeId) -> bool {
        let (have, need) = (self.shallow_size(have), self.shallow_size(need));
        let open = |size| matches!(self.types.get_size(size), Size::Infer(_));
        if have == need || !open(have) && !open(need) {
            return false;
        }
        let conversion = self.infer.conversion.clone();
        self.infer.later_counts.push(LaterCount { have, need, conversion });
        true
    }

    /// Bounds that these flow into, and others may.
    pub fn open_bounds(&mut self, bounds: Bounds, span: Span) -> Bounds {
        match bounds {
            Bounds::Thin(have) if self.size_value(have) != Some(1) => {
                let need = self.fresh_size(span);
                self.count_later(have, need);
                Bounds::Thin(need)
            }
            _ => bounds,
        }
    }

    /// Leaves a sub-type for later if what it is below, or above, is not known yet.
    pub fn sub_later(&mut self, from: TypeId, to: TypeId, origin: Origin) -> bool {
        let pointer = match (self.kind(from), self.kind(to)) {
            (Type::Infer(_), Type::Pointer(pointer)) | (Type::Pointer(pointer), Type::Infer(_)) => {
                pointer
            }
            _ => return false,
        };
        // What is owned, or checked, is of one type alone.
        let region = self.shallow_region(pointer.region);
        let open = !self.types.stands_alone(region);
        if open {
            let conversion = self.infer.conversion.clone();
            self.infer.later_subs.push(LaterSub { from, to, origin, conversion });
        }
        open
    }

    /// Checks what was left since there were so many; what is still open becomes what is known.
    pub fn settle_subs(&mut self, since: usize) {
        while self.infer.later_subs.len() > since {
            for sub in self.infer.later_subs.split_off(since) {
                self.settle_sub(sub);
            }
        }
    }

    fn settle_sub(&mut self, sub: LaterSub) {
        let outer = std::mem::replace(&mut self.infer.conversion, sub.conversion.clone());
        let result = match (self.kind(sub.from).clone(), self.kind(sub.to)) {
            (Type::Pointer(pointer), Type::Infer(_)) => {
                let open = Some(self.fresh_null());
                let region = self.fresh_region(sub.origin.span);
                let wide = crate::ty::Pointer { nullable: true, open, region, ..pointer };
                let wide = self.pointer_to(wide);
                match self.unify(wide, sub.to) {
                    Ok(()) => self.sub_type(sub.from, sub.to, sub.origin),
                    failed => failed,
                }
            }
            (Type::Infer(_), _) => self.unify(sub.from, sub.to),
            _ => self.sub_type(sub.from, sub.to, sub.origin),
        };
        self.infer.conversion = outer;
        if let Err(mismatch) = result {
            self.explain_later(sub.conversion, mismatch);
        }
    }

    fn explain_later(&mut self, conversion: Option<Conversion>, mismatch: super::Mismatch) {
        let Some(Conversion { from, to, span, why }) = conversion else { return };
        if self.is_error(from) || self.is_error(to) {
            return;
        }
        let stub = Expr { kind: ExprKind::Error, ty: from, quals: Quals::default(), span };
        self.explain(stub, to, mismatch, &why);
    }

    /// Solves the numbers of elements that are still open by the least that flows into each, then checks all that was
    /// left.
    pub(super) fn solve_counts(&mut self) {
        let counts = std::mem::take(&mut self.infer.later_counts);
        let least = self.least_counts(&counts);
        for count in &counts {
            let need = self.shallow_size(count.need);
            if let Size::Infer(vid) = *self.types.get_size(need) {
                if let Some(&low) = least.get(&vid) {
                    if let Err(mismatch) = self.unify_sizes(need, low) {
                        self.explain_later(count.conversion.clone(), mismatch);
                    }
                }
            }
        }
        for count in counts {
            if let Err(mismatch) = self.enough_now(count.have, count.need) {
                self.explain_later(count.conversion, mismatch);
            }
        }
    }

    fn least_counts(&mut self, counts: &[LaterCount]) -> FastMap<SizeVid, SizeId> {
        let mut least: FastMap<SizeVid, SizeId> = FastMap::default();
        let mut changed = !counts.is_empty();
        let mut edges: Vec<&LaterCount> = counts.iter().collect();
        while changed {
            changed = false;
            // Forwards and backwards in turn: chains of either direction are done in two rounds.
            edges.reverse();
            for count in &edges {
                let need = self.shallow_size(count.need);
                let Size::Infer(vid) = *self.types.get_size(need) else { continue };
                let have = self.shallow_size(count.have);
                let have = match *self.types.get_size(have) {
                    Size::Infer(from) => match least.get(&from) {
                        Some(&known) => known,
                        None => continue,
                    },
                    _ => have,
                };
                let low = match least.get(&vid) {
                    Some(&known) => self.lesser(known, have),
                    None => have,
                };
                if least.insert(vid, low) != Some(low) {
                    changed = true;
                }
            }
        }
        least
    }

    /// A number that both are at least.
    fn lesser(&mut self, a: SizeId, b: SizeId) -> SizeId {
        if a == b {
            return a;
        }
        let least = self.least(a).min(self.least(b));
        self.size_const(least)
    }
}
