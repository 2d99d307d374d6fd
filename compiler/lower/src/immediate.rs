//! Values of `@immediate` constructors, which lie in a pointer's word (`tenure_types::ty::Immediate` has the layout).
//!
//! Such a word is made by [`Builder::immediate_word`] alone, with low bits that are not zero; every pointer to an
//! object of such a datatype has low bits that are zero, because its constructors' records are aligned to 8 bytes. What
//! reads an object's tag or arguments stands behind a test of these bits: so no word is followed as an address.

use crate::builder::{load, Builder};
use tenure_core::{BinaryOp, CastKind, Const, Expr, ExprKind, FloatTy, IntTy, Place, Ty, TyId};
use tenure_span::Diagnostic;
use tenure_types::hir;
use tenure_types::ty::{DatatypeId, Immediate, KIND_BITS};

impl Builder<'_, '_> {
    pub(crate) fn has_immediates(&self, datatype: DatatypeId) -> bool {
        self.lowerer.unit.types.datatypes[datatype].has_immediates()
    }

    pub(crate) fn immediate_of(&self, datatype: DatatypeId, variant: u32) -> Option<Immediate> {
        self.lowerer.unit.types.datatypes[datatype].immediate(variant).cloned()
    }

    /// The word of a constructor with these arguments, each of its field's type, as a thin pointer to `to`.
    pub(crate) fn immediate_word(
        &mut self,
        immediate: &Immediate,
        values: Vec<Expr>,
        to: TyId,
    ) -> Expr {
        let mut word = self.int(i128::from(immediate.word), IntTy::ULong);
        for (number, value) in values.into_iter().enumerate() {
            let bits = self.bits_of(value);
            let mask = (1i128 << immediate.widths[number]) - 1;
            let kept = self.with_constant(BinaryOp::BitAnd, bits, mask);
            let shift = i128::from(immediate.shift(number));
            let moved = self.with_constant(BinaryOp::Shl, kept, shift);
            let ty = word.ty;
            let kind = ExprKind::Binary(BinaryOp::BitOr, Box::new(word), Box::new(moved));
            word = Expr { kind, ty };
        }
        let pointer = self.intern(Ty::Ptr { to, quals: tenure_core::Quals::default() });
        let word = self.cast_to(CastKind::ToWord, word, Ty::Word);
        Expr { kind: ExprKind::Cast(CastKind::FromWord, Box::new(word)), ty: pointer }
    }

    /// An argument out of a word, of type `ty`: what does not fit its width is cut and, of a signed type, extended by
    /// its sign.
    pub(crate) fn immediate_part(
        &mut self,
        pointer: Expr,
        immediate: &Immediate,
        arg: usize,
        ty: TyId,
    ) -> Expr {
        let width = immediate.widths[arg];
        let word = self.cast_to(CastKind::PtrToInt, pointer, Ty::Int(IntTy::ULong));
        let above = 64 - immediate.shift(arg) - width;
        let top = self.with_constant(BinaryOp::Shl, word, i128::from(above));
        let signed = match *self.ty(ty) {
            Ty::Int(int) => int.is_signed(),
            Ty::Enum(id) => self.lowerer.program.types.enums[id].underlying.is_signed(),
            _ => false,
        };
        let int = if signed { IntTy::Long } else { IntTy::ULong };
        let top = self.cast_to(CastKind::Int, top, Ty::Int(int));
        let value = self.with_constant(BinaryOp::Shr, top, i128::from(64 - width));
        match self.ty(ty) {
            Ty::Float(_) => {
                let word = self.cast_to(CastKind::ToWord, value, Ty::Word);
                Expr { kind: ExprKind::Cast(CastKind::FromWord, Box::new(word)), ty }
            }
            Ty::Int(IntTy::Bool) => {
                Expr { kind: ExprKind::Cast(CastKind::ToBool, Box::new(value)), ty }
            }
            _ => Expr { kind: ExprKind::Cast(CastKind::Int, Box::new(value)), ty },
        }
    }

    /// The number that says which constructor a value has ([`tenure_types::ty::DatatypeDef::tag`]).
    pub(crate) fn kind_of(&mut self, pointer: Expr, datatype: DatatypeId) -> Expr {
        let def = &self.lowerer.unit.types.datatypes[datatype];
        let boxed = def.boxed_constructors();
        let constants = def.variants.iter().flatten().any(|variant| {
            variant.immediate.as_ref().is_some_and(|immediate| immediate.widths.is_empty())
        });
        let low = self.low_bits(pointer.clone());
        let uint = low.ty;
        let mut kind = low.clone();
        if constants {
            let word = self.low_half(pointer.clone());
            let is_constant = self.equals(low.clone(), 7);
            kind = Expr {
                kind: ExprKind::Cond(Box::new(is_constant), Box::new(word), Box::new(kind)),
                ty: uint,
            };
        }
        // A single constructor of objects has the tag 0, which low bits of zero say as well.
        if boxed > 1 {
            let tag = load(self.pointed(pointer, uint));
            let is_object = self.equals(low, 0);
            kind = Expr {
                kind: ExprKind::Cond(Box::new(is_object), Box::new(tag), Box::new(kind)),
                ty: uint,
            };
        }
        kind
    }

    /// Leaves the pattern unless the value behind `pointer` has this constructor.
    pub(crate) fn test_kind(
        &mut self,
        pointer: &Expr,
        (datatype, variant): (DatatypeId, u32),
        fails: tenure_core::LabelId,
    ) {
        let def = &self.lowerer.unit.types.datatypes[datatype];
        let (tag, boxed) = (i128::from(def.tag(variant)), def.boxed_constructors());
        let found = match def.immediate(variant) {
            Some(immediate) if immediate.widths.is_empty() => {
                self.cast_to(CastKind::PtrToInt, pointer.clone(), Ty::Int(IntTy::ULong))
            }
            Some(_) => self.low_bits(pointer.clone()),
            None => {
                let low = self.low_bits(pointer.clone());
                let is_object = self.equals(low, 0);
                self.break_unless(is_object, fails);
                if boxed == 1 {
                    return;
                }
                let uint = self.int_ty(IntTy::UInt);
                load(self.pointed(pointer.clone(), uint))
            }
        };
        let is_this = self.equals(found, tag);
        self.break_unless(is_this, fails);
    }

    /// A place that holds an argument's value, to match it against a pattern.
    pub(crate) fn immediate_place(
        &mut self,
        pointer: &Expr,
        immediate: &Immediate,
        arg: usize,
        ty: TyId,
    ) -> Place {
        let value = self.immediate_part(pointer.clone(), immediate, arg, ty);
        let temp = self.temp(ty);
        let place = self.local_place(temp);
        self.emit(tenure_core::StmtKind::Assign(place.clone(), value));
        place
    }

    /// An immediate constructor stands where no word can hold it.
    pub(crate) fn not_a_word(&mut self, value: &hir::Expr) {
        let text =
            "an immediate constructor's value lies in a pointer: it stands after `new` alone";
        self.lowerer.report(Diagnostic::error("E0616", text, value.span));
    }

    /// An immediate constructor stands where the pointer owns what it points to.
    pub(crate) fn not_owned(&mut self, value: &hir::Expr) {
        let text = "an immediate constructor makes no object that a pointer could own";
        let error = Diagnostic::error("E0616", text, value.span)
            .help("such values live in the heap, in arenas and dynamic regions");
        self.lowerer.report(error);
    }

    fn low_bits(&mut self, pointer: Expr) -> Expr {
        let word = self.low_half(pointer);
        self.with_constant(BinaryOp::BitAnd, word, (1 << KIND_BITS) - 1)
    }

    fn low_half(&mut self, pointer: Expr) -> Expr {
        let word = self.cast_to(CastKind::PtrToInt, pointer, Ty::Int(IntTy::ULong));
        self.cast_to(CastKind::Int, word, Ty::Int(IntTy::UInt))
    }

    /// A value's bits as an `unsigned long`.
    fn bits_of(&mut self, value: Expr) -> Expr {
        if let Ty::Float(FloatTy::F32) = *self.ty(value.ty) {
            let word = self.cast_to(CastKind::ToWord, value, Ty::Word);
            return self.cast_to(CastKind::FromWord, word, Ty::Int(IntTy::ULong));
        }
        self.cast_to(CastKind::Int, value, Ty::Int(IntTy::ULong))
    }

    fn cast_to(&mut self, cast: CastKind, value: Expr, to: Ty) -> Expr {
        let ty = self.intern(to);
        Expr { kind: ExprKind::Cast(cast, Box::new(value)), ty }
    }

    fn with_constant(&mut self, op: BinaryOp, value: Expr, constant: i128) -> Expr {
        if constant == 0 && op != BinaryOp::BitAnd {
            return value;
        }
        let ty = value.ty;
        let constant = Expr { kind: ExprKind::Const(Const::Int(constant)), ty };
        Expr { kind: ExprKind::Binary(op, Box::new(value), Box::new(constant)), ty }
    }

    fn equals(&mut self, value: Expr, constant: i128) -> Expr {
        let int = self.int_ty(IntTy::Int);
        let constant = Expr { kind: ExprKind::Const(Const::Int(constant)), ty: value.ty };
        let kind = ExprKind::Binary(BinaryOp::Eq, Box::new(value), Box::new(constant));
        Expr { kind, ty: int }
    }
}
