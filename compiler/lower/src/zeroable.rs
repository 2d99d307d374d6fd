//! Types for which all-zero memory is a valid value.

use crate::unit::Lowerer;
use tenure_types::ty::{RecordSort, Type, TypeId};

/// Records nest by value only finitely deep; deeper than this is treated as not zeroable.
const DEEPEST: u32 = 64;

impl Lowerer<'_> {
    /// Whether zero bytes are a value of the type: it has no part that is never NULL, no type variable (which may stand
    /// for such a part), no type-level integer and no region handle.
    pub(crate) fn is_zeroable(&self, ty: TypeId) -> bool {
        self.zeroable_at(ty, 0)
    }

    fn zeroable_at(&self, ty: TypeId, depth: u32) -> bool {
        let types = &self.unit.types;
        if depth > DEEPEST {
            return false;
        }
        match types.get(ty) {
            Type::Int(_) | Type::Float(_) | Type::Complex(_) | Type::Enum(_) | Type::Void => true,
            Type::Pointer(pointer) => pointer.nullable,
            Type::Array { elem, .. } => self.zeroable_at(elem.ty, depth + 1),
            Type::Tuple(parts) => parts.iter().all(|part| self.zeroable_at(part.ty, depth + 1)),
            Type::Record(id, _) => {
                let def = &types.records[*id];
                let Some(fields) = &def.fields else { return false };
                let mut fields = fields.iter();
                match def.sort {
                    RecordSort::Struct | RecordSort::Union => {
                        fields.all(|field| self.zeroable_at(field.ty.ty, depth + 1))
                    }
                    RecordSort::TaggedUnion => {
                        fields.next().is_none_or(|first| self.zeroable_at(first.ty.ty, depth + 1))
                    }
                }
            }
            Type::Error | Type::Infer(_) => true,
            Type::Var(_)
            | Type::Datatype(..)
            | Type::Variant(..)
            | Type::Handle(_)
            | Type::Tag(..)
            | Type::Function(_)
            | Type::VaList => false,
        }
    }
}
