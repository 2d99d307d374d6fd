//! How large a type is when it is written out.
//!
//! Types share their parts, so that few lines can state one whose parts are too many to visit:
//! `` typedef $(`a,`a) *P<`a>; `` at itself, or `let b = $(a, a); let c = $(b, b);`. What walks a type takes as long as
//! it is large, so the extent is bounded wherever a type gets parts that are not written there: where a typedef names
//! or instantiates one, and at each expression. What a program writes out is as long as its text.

use super::{GenericArg, QualType, Type, TypeId, TypeTable, Variadic};
use crate::checker::Checker;
use crate::ty::Flags;
use tenure_span::{Diagnostic, Span};

/// Parts of the type that a typedef names, at most.
pub(crate) const LARGEST_TYPEDEF: u32 = 500;

/// Parts that a type gets from what its typedefs and inferred variables stand for, at most.
const LARGEST_TYPE: u32 = 1000;

impl TypeTable {
    /// How many parts a type that is being interned has. A named type is one, and so is each of its arguments' parts.
    pub(super) fn extent_of(&self, ty: &Type) -> u32 {
        let mut parts = Vec::new();
        push_parts(ty, &mut parts);
        parts.iter().fold(1, |sum: u32, part| sum.saturating_add(self.extent(*part)))
    }
}

fn push_parts(ty: &Type, out: &mut Vec<TypeId>) {
    let quals =
        |types: &[QualType], out: &mut Vec<TypeId>| out.extend(types.iter().map(|ty| ty.ty));
    match ty {
        Type::Pointer(pointer) => out.push(pointer.elem.ty),
        Type::Array { elem, .. } => out.push(elem.ty),
        Type::Function(function) => {
            quals(&function.params, out);
            out.push(function.result.ty);
            if let Variadic::Fat(ty) | Variadic::Inject(ty) = function.variadic {
                out.push(ty);
            }
        }
        Type::Tuple(fields) => quals(fields, out),
        Type::Record(_, args) | Type::Datatype(_, args) | Type::Variant(_, _, args) => {
            out.extend(args.iter().filter_map(|arg| match arg {
                GenericArg::Type(ty) => Some(*ty),
                _ => None,
            }));
        }
        _ => {}
    }
}

impl Checker<'_> {
    /// The type, or an error where it is larger than what a program writes out and not written there.
    pub(crate) fn bounded(&mut self, ty: TypeId, span: Span) -> TypeId {
        if !self.is_too_large(ty) {
            return match self.kind(ty) {
                Type::Tuple(_) | Type::Array { .. } => {
                    self.bounded_object(QualType::plain(ty), span).ty
                }
                _ => ty,
            };
        }
        let text = format!("the type has more than {LARGEST_TYPE} parts");
        let error = Diagnostic::error("E0244", text, span);
        self.type_error(error.help("give one of its parts a name of its own: put it into a struct"))
    }

    /// The type, or an error where objects of it are too large.
    pub(crate) fn bounded_object(&mut self, ty: QualType, span: Span) -> QualType {
        match self.excess(ty.ty) {
            None => ty,
            Some(text) => {
                let error = self.type_error(Diagnostic::error("E0246", text, span));
                QualType { ty: error, quals: ty.quals }
            }
        }
    }

    /// Counts what inference variables stand for by now; stops where there is enough.
    fn is_too_large(&self, ty: TypeId) -> bool {
        if !self.types.flags(ty).has(Flags::INFER) {
            return self.types.extent(ty) > LARGEST_TYPE;
        }
        let mut pending = vec![ty];
        let mut count: u32 = 0;
        while let Some(ty) = pending.pop() {
            let ty = self.shallow(ty);
            if self.types.flags(ty).has(Flags::INFER) {
                count += 1;
                push_parts(self.types.get(ty), &mut pending);
            } else {
                count = count.saturating_add(self.types.extent(ty));
            }
            if count > LARGEST_TYPE {
                return true;
            }
        }
        false
    }
}
