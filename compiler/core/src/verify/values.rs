//! Numbers of values: two expressions that are evaluated at different points have one number only if they have one
//! value.
//!
//! A value is numbered by what computes it from other numbers. What is loaded from memory is numbered with the version
//! of that memory, and gets another number after any store that may have changed it.

use crate::{BinaryOp, CastKind, Const, FieldIndex, GlobalId, LocalId, TyId, UnaryOp};
use tenure_span::FastMap;

pub(super) type Number = u32;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    Const(Const),
    SizeOf(TyId),
    AlignOf(TyId),
    OffsetOf(TyId, FieldIndex),
    Unary(UnaryOp),
    Binary(BinaryOp),
    Cast(CastKind, TyId),
    Cond,
    PtrAdd,
    PtrDiff,
    MakeFat,
    FatBase,
    FatIdx,
    FatLen,
    FatCur,
    FatAdd,
    FatCount,
    ZeroTermSize,
    LocalAddress(LocalId),
    GlobalAddress(GlobalId),
    FieldAddress(FieldIndex),
    ElementAddress,
    /// What lies behind the pointer at the address.
    Behind,
    /// A version made of two others.
    Versions,
    /// Operands: the address and the version of its memory.
    Load(TyId),
    /// Part of a record's value.
    Part(FieldIndex),
    Unknown(u32),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Def {
    pub(super) op: Op,
    pub(super) of: [Number; 3],
}

#[derive(Default)]
pub(super) struct Numbers {
    defs: Vec<Def>,
    known: FastMap<Def, Number>,
    unknown: u32,
}

impl Numbers {
    pub(super) fn number(&mut self, op: Op, of: &[Number]) -> Number {
        let mut operands = [Number::MAX; 3];
        for (slot, &number) in operands.iter_mut().zip(of) {
            *slot = number;
        }
        let def = Def { op, of: operands };
        if let Some(&number) = self.known.get(&def) {
            return number;
        }
        let number = self.defs.len() as Number;
        self.defs.push(def.clone());
        self.known.insert(def, number);
        number
    }

    /// A value that equals no other.
    pub(super) fn unknown(&mut self) -> Number {
        self.unknown += 1;
        self.number(Op::Unknown(self.unknown), &[])
    }

    pub(super) fn def(&self, number: Number) -> Option<&Def> {
        self.defs.get(number as usize)
    }

    pub(super) fn int(&self, number: Number) -> Option<i128> {
        match self.def(number)?.op {
            Op::Const(Const::Int(n)) => Some(n),
            _ => None,
        }
    }
}
