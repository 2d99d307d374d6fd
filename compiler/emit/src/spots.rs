//! Where a statement mentions a temporary, and what else it reads.

use crate::walk;
use index_vec::IndexVec;
use tenure_core::{
    BinaryOp, CastKind, Const, Expr, ExprKind, Local, LocalId, Place, PlaceKind, Program, Ty,
};

/// Where an expression has the temporary.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    Absent,
    /// Evaluated once and always.
    Always,
    /// Evaluated once, not at all, or for a value without effects perhaps more than once.
    Maybe,
    /// Where the temporary's own name is needed.
    Unfit,
}

impl Spot {
    fn and(self, other: Spot) -> Spot {
        match (self, other) {
            (Spot::Absent, spot) | (spot, Spot::Absent) => spot,
            _ => Spot::Unfit,
        }
    }

    /// Of a part that is not always evaluated once.
    fn perhaps(self) -> Spot {
        if self == Spot::Always {
            Spot::Maybe
        } else {
            self
        }
    }

    fn unfit(self) -> Spot {
        if self == Spot::Absent {
            self
        } else {
            Spot::Unfit
        }
    }
}

/// The function around.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) program: &'a Program,
    pub(crate) locals: &'a IndexVec<LocalId, Local>,
}

impl Scope<'_> {
    /// The value of the temporary may stand in its place among these operands of a statement.
    pub(crate) fn fits(
        &self,
        exprs: &[&Expr],
        places: &[&Place],
        local: LocalId,
        calls: bool,
    ) -> bool {
        let mut spot = Spot::Absent;
        for expr in exprs {
            spot = spot.and(self.root(expr, local));
        }
        for place in places {
            spot = spot.and(self.place(place, local));
        }
        match spot {
            Spot::Absent | Spot::Unfit => false,
            _ if !calls => true,
            Spot::Maybe => false,
            Spot::Always => {
                exprs.iter().all(|expr| self.is_steady(expr, local))
                    && places.iter().all(|place| self.is_steady_place(place, local, true))
            }
        }
    }

    /// In a value that is printed once and whole.
    fn root(&self, e: &Expr, local: LocalId) -> Spot {
        match &e.kind {
            ExprKind::Load(Place { kind: PlaceKind::Local(id), .. }) if *id == local => {
                Spot::Always
            }
            ExprKind::MakeFat { base, idx, len } => {
                let parts = self.expr(base, local).and(self.expr(idx, local));
                parts.and(self.expr(len, local))
            }
            ExprKind::Aggregate(parts) => {
                parts.iter().fold(Spot::Absent, |spot, (_, part)| spot.and(self.root(part, local)))
            }
            _ => self.expr(e, local),
        }
    }

    fn expr(&self, e: &Expr, local: LocalId) -> Spot {
        let scalar = !matches!(self.program.types.get(e.ty), Ty::Fat { .. } | Ty::Record(_));
        match &e.kind {
            ExprKind::Const(_)
            | ExprKind::SizeOf(_)
            | ExprKind::AlignOf(_)
            | ExprKind::OffsetOf(..) => Spot::Absent,
            ExprKind::Load(place) => match place.kind {
                PlaceKind::Local(id) if id == local && scalar => Spot::Always,
                _ => self.place(place, local),
            },
            ExprKind::AddrOf(place) => self.place(place, local).perhaps(),
            ExprKind::Unary(_, a) | ExprKind::ZeroTermSize(a) => self.expr(a, local),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.expr(a, local).and(self.expr(b, local).perhaps())
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
                let by_zero = matches!(b.kind, ExprKind::Const(Const::Int(0)));
                let a = self.expr(a, local);
                (if by_zero { a.unfit() } else { a }).and(self.expr(b, local))
            }
            ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b) | ExprKind::PtrDiff(a, b) => {
                self.expr(a, local).and(self.expr(b, local))
            }
            ExprKind::Cast(
                CastKind::Int
                | CastKind::IntToFloat
                | CastKind::FloatToFloat
                | CastKind::FloatToInt
                | CastKind::ToBool
                | CastKind::PtrView
                | CastKind::PtrToInt,
                a,
            ) => self.expr(a, local),
            ExprKind::Cond(c, a, b) if scalar => {
                let sides = self.expr(a, local).and(self.expr(b, local)).perhaps();
                self.expr(c, local).and(sides)
            }
            _ => self.mentioned(e, local),
        }
    }

    fn place(&self, place: &Place, local: LocalId) -> Spot {
        match &place.kind {
            PlaceKind::Local(id) if *id == local => Spot::Unfit,
            PlaceKind::Local(_) | PlaceKind::Global(_) => Spot::Absent,
            PlaceKind::Deref(p) => self.expr(p, local),
            PlaceKind::Field(base, _) => self.place(base, local),
            PlaceKind::Index(base, index) => self.place(base, local).and(self.expr(index, local)),
            PlaceKind::PtrIndex(p, index) => self.expr(p, local).and(self.expr(index, local)),
            PlaceKind::FatIndex(p, index) => self.mentioned(p, local).and(self.expr(index, local)),
        }
    }

    /// Unfit if it is mentioned at all.
    fn mentioned(&self, e: &Expr, local: LocalId) -> Spot {
        struct Mentioned(LocalId, bool);
        impl walk::Visitor for Mentioned {
            fn local(&mut self, local: LocalId) {
                self.1 |= self.0 == local;
            }
        }
        let mut mentioned = Mentioned(local, false);
        walk::expr(&mut mentioned, e);
        if mentioned.1 {
            Spot::Unfit
        } else {
            Spot::Absent
        }
    }

    /// No call can change what the expression reads, apart from the temporary.
    fn is_steady(&self, e: &Expr, local: LocalId) -> bool {
        match &e.kind {
            ExprKind::Const(_)
            | ExprKind::SizeOf(_)
            | ExprKind::AlignOf(_)
            | ExprKind::OffsetOf(..) => true,
            ExprKind::Load(place) => self.is_steady_place(place, local, false),
            ExprKind::AddrOf(place) => self.is_steady_place(place, local, true),
            ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::FatBase(a)
            | ExprKind::FatIdx(a)
            | ExprKind::FatLen(a)
            | ExprKind::FatCur(a)
            | ExprKind::FatCount(a) => self.is_steady(a, local),
            // The right side is evaluated after the left one.
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.is_steady(a, local)
                    && (self.expr(a, local) == Spot::Always || self.is_steady(b, local))
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::PtrAdd(a, b)
            | ExprKind::PtrDiff(a, b)
            | ExprKind::FatAdd(a, b) => self.is_steady(a, local) && self.is_steady(b, local),
            ExprKind::Cond(a, b, c) | ExprKind::MakeFat { base: a, idx: b, len: c } => {
                [a, b, c].into_iter().all(|part| self.is_steady(part, local))
            }
            ExprKind::Aggregate(parts) => parts.iter().all(|(_, part)| self.is_steady(part, local)),
            ExprKind::ZeroTermSize(_) => false,
        }
    }

    /// No call can change where the place is or, unless only that is asked, what it holds.
    fn is_steady_place(&self, place: &Place, local: LocalId, only_where: bool) -> bool {
        match &place.kind {
            PlaceKind::Local(id) => {
                let object = &self.locals[*id];
                *id == local || only_where || !(object.address_taken || object.is_volatile)
            }
            PlaceKind::Global(_) => only_where,
            PlaceKind::Field(base, _) => self.is_steady_place(base, local, only_where),
            PlaceKind::Index(base, index) => {
                self.is_steady_place(base, local, only_where) && self.is_steady(index, local)
            }
            PlaceKind::Deref(p) => only_where && self.is_steady(p, local),
            PlaceKind::PtrIndex(p, index) | PlaceKind::FatIndex(p, index) => {
                only_where && self.is_steady(p, local) && self.is_steady(index, local)
            }
        }
    }
}
