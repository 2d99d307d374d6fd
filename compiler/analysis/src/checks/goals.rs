//! From what a check asks to claims, and from proofs to the facts that `--checks` prints.

use super::build::Site;
use super::claims::Goal;
use super::facts::Source;
use super::prove::{At, Prover, END};
use super::value::{Def, ValueId};
use crate::order::Order;
use tenure_core::{BinaryOp, CheckStatus, Fact, TyId};
use tenure_span::{FastMap, Span};

/// The checks that cannot fail, by ordinal, each with the reason.
pub fn decide(prover: &mut Prover, sites: &[Site], order: &Order) -> Vec<(u32, Fact)> {
    let mut earlier: FastMap<ValueId, Vec<(At, Span)>> = FastMap::default();
    let mut terminated: FastMap<Sequence, Vec<(At, ValueId, Span)>> = FastMap::default();
    let mut proved = Vec::new();
    for site in sites {
        if let Goal::Terminated { address, index, memory, ty } = site.goal {
            let sequence = Sequence { address, memory, ty };
            terminated.entry(sequence).or_default().push((site.passed, index, site.check.span));
        }
    }
    for site in sites {
        if site.check.status == CheckStatus::Needed {
            let same = earlier
                .get(&site.key)
                .and_then(|places| places.iter().rev().find(|(at, _)| before(order, *at, site.at)));
            let fact = match same {
                Some((_, span)) => Some(Fact::EarlierCheck(*span)),
                None => {
                    prover.used.clear();
                    let mut run = Run { prover: &mut *prover, order, terminated: &terminated };
                    run.goal(site).then(|| run.reason(site))
                }
            };
            proved.extend(fact.map(|fact| (site.ordinal, fact)));
        }
        earlier.entry(site.key).or_default().push((site.passed, site.check.span));
    }
    proved
}

/// Whether control that is at `b` passed `a` since it last was outside of what `a` dominates.
fn before(order: &Order, a: At, b: At) -> bool {
    if a.0 == b.0 {
        a.1 < b.1
    } else {
        order.dominates(a.0, b.0)
    }
}

/// A zero-terminated sequence at one time.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Sequence {
    address: ValueId,
    memory: ValueId,
    ty: TyId,
}

struct Run<'r, 'o> {
    prover: &'r mut Prover<'o>,
    order: &'r Order,
    terminated: &'r FastMap<Sequence, Vec<(At, ValueId, Span)>>,
}

impl Run<'_, '_> {
    fn goal(&mut self, site: &Site) -> bool {
        let at = site.at;
        let prover = &mut *self.prover;
        let zero = prover.zero();
        match site.goal {
            Goal::Index { index, size, most } => {
                (prover.at_least(index, 0, at) && prover.at_most(index, size, most, at))
                    || (most < 0
                        && prover.is_half_of(size, site.bits)
                        && prover.fits_product(index, size, site.bits, at))
            }
            Goal::Fat { element, idx, index, len, .. } => {
                let left = prover.values.count(idx, len);
                let of_left = |prover: &mut Prover| {
                    prover.at_least(index, 0, at) && prover.at_most(index, left, -1, at)
                };
                let of_all = |prover: &mut Prover| {
                    prover.at_least(element, 0, at) && prover.at_most(element, len, -1, at)
                };
                let from_start = prover.resolve(idx) == zero;
                let linear = (from_start && of_all(prover))
                    || of_left(prover)
                    || (!from_start && of_all(prover));
                linear || prover.fits_product(index, left, site.bits, at)
            }
            Goal::Count { base, idx, len, count, nullable } => {
                let left = prover.values.count(idx, len);
                prover.at_most(count, left, 0, at)
                    && (nullable || prover.at_least(count, 1, at) || prover.at_least(base, 1, at))
            }
            Goal::NonZero(value) => prover.differ(value, 0, at),
            Goal::NoDivOverflow { dividend, divisor, least } => {
                least == 0 || prover.differ(divisor, -1, at) || prover.differ(dividend, least, at)
            }
            Goal::Equal(value, k) => {
                prover.at_most(value, zero, k, at) && prover.at_least(value, k, at)
            }
            Goal::Fits32(value) => {
                prover.at_most(value, zero, i128::from(u32::MAX), at)
                    && prover.at_least(value, 0, at)
            }
            Goal::Step { idx, len, count } => {
                let (low, high) = (i128::from(i32::MIN), i128::from(i32::MAX));
                if prover.at_least(count, low, at) && prover.at_most(count, zero, high, at) {
                    return true;
                }
                let left = prover.values.count(idx, len);
                prover.at_least(count, 0, at) && prover.at_most(count, left, 0, at)
            }
            Goal::KeepsTerminator { old, new } => {
                prover.values.constant_of(new) == Some(0) || prover.differ(old, 0, at)
            }
            Goal::Holds(cond) => self.holds(cond, true, at, 8),
            Goal::Terminated { address, index, memory, ty } => {
                let sequence = Sequence { address, memory, ty };
                self.terminated(sequence, index, at, &mut Vec::new(), 16)
            }
            Goal::Never => false,
        }
    }

    fn holds(&mut self, cond: ValueId, truth: bool, at: At, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let prover = &mut *self.prover;
        match prover.values.get(cond).def {
            Def::Const(n) => (n != 0) == truth,
            Def::Not(x) => self.holds(x, !truth, at, depth - 1),
            Def::Both(x, y) if truth => {
                self.holds(x, true, at, depth - 1) && self.holds(y, true, at, depth - 1)
            }
            Def::Either(x, y) if truth => {
                self.holds(x, true, at, depth - 1) || self.holds(y, true, at, depth - 1)
            }
            Def::Truth(x) if truth => prover.differ(x, 0, at),
            Def::Compare(op, x, y) => match (op, truth) {
                (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => prover.at_most(x, y, -1, at),
                (BinaryOp::Le, true) | (BinaryOp::Gt, false) => prover.at_most(x, y, 0, at),
                (BinaryOp::Gt, true) | (BinaryOp::Le, false) => prover.at_most(y, x, -1, at),
                (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => prover.at_most(y, x, 0, at),
                (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                    prover.at_most(x, y, 0, at) && prover.at_most(y, x, 0, at)
                }
                (BinaryOp::Ne, true) | (BinaryOp::Eq, false) => {
                    prover.at_most(x, y, -1, at) || prover.at_most(y, x, -1, at)
                }
                _ => false,
            },
            _ => truth && prover.differ(cond, 0, at),
        }
    }

    /// The elements of the sequence below `index` are not zero: there are none, or an earlier check said so, or it is
    /// so one before and that element is not zero.
    fn terminated(
        &mut self,
        sequence: Sequence,
        index: ValueId,
        at: At,
        assumed: &mut Vec<ValueId>,
        depth: u32,
    ) -> bool {
        let prover = &mut *self.prover;
        if prover.values.constant_of(index) == Some(0) || assumed.contains(&index) {
            return true;
        }
        let places = self.terminated.get(&sequence);
        let earlier = places.and_then(|places| {
            places.iter().find(|(place, i, _)| *i == index && before(self.order, *place, at))
        });
        if let Some((.., span)) = earlier {
            prover.used.push(Source::Check(*span));
            return true;
        }
        if depth == 0 {
            return false;
        }
        let one_less = match prover.values.get(index).def {
            Def::Const(n) if n > 0 => Some(prover.values.constant(n - 1)),
            Def::Plus(x, 1, _) => Some(x),
            _ => None,
        };
        if let Some(last) = one_less {
            let address = prover.values.element(sequence.address, last);
            let Sequence { memory, ty, .. } = sequence;
            let ty = ty.index() as u32;
            let load = prover.values.find(Def::Load { address, memory, ty });
            // `last` is an index of the sequence, so one more does not wrap.
            return load.is_some_and(|load| prover.differ(load, 0, at))
                && self.terminated(sequence, last, at, assumed, depth - 1);
        }
        let Some((join, operands)) = prover.values.meeting(index) else { return false };
        let fixed = [sequence.address, sequence.memory].into_iter().all(|value| {
            let home = prover.values.get(value).home;
            home != join && self.order.dominates(home, join)
        });
        if !fixed {
            return false;
        }
        assumed.push(index);
        let proved = operands.into_iter().all(|(way, operand)| {
            self.terminated(sequence, operand, (way, END), assumed, depth - 1)
        });
        assumed.pop();
        proved
    }

    fn reason(&self, site: &Site) -> Fact {
        let branch = self.prover.used.iter().find_map(|source| match source {
            Source::Branch(span) => Some(*span),
            Source::Check(_) => None,
        });
        let earlier = self.prover.used.iter().find_map(|source| match source {
            Source::Check(span) => Some(*span),
            Source::Branch(_) => None,
        });
        let bounds =
            matches!(site.goal, Goal::Index { .. } | Goal::Fat { .. } | Goal::Count { .. });
        match (branch, earlier) {
            (Some(span), _) if bounds => Fact::LessThan(span),
            (Some(span), _) => Fact::Branch(span),
            (None, Some(span)) => Fact::EarlierCheck(span),
            (None, None) => self.without_facts(site),
        }
    }

    fn without_facts(&self, site: &Site) -> Fact {
        let value = match site.goal {
            Goal::Index { index, .. } | Goal::Fat { element: index, .. } => index,
            Goal::Count { count, .. } | Goal::Step { count, .. } => count,
            Goal::NonZero(value) | Goal::Equal(value, _) | Goal::Fits32(value) => value,
            Goal::NoDivOverflow { divisor, .. } => divisor,
            _ => return Fact::Constant,
        };
        let number = self.prover.values.get(value);
        match number.def {
            Def::Const(_) => Fact::Constant,
            _ if matches!(site.goal, Goal::NonZero(_)) => Fact::Origin(site.span),
            _ => Fact::Range { local: None, low: number.lo, high: number.hi },
        }
    }
}
