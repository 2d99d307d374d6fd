//! Facts about types that decide which values may be made of zeros or of foreign bits.

use crate::checker::Checker;
use crate::infer::Subst;
use crate::ty::{ArrayLen, Bounds, GenericArg, RecordId, RecordSort, Type, TypeId};
use tenure_span::FastSet;

/// Types are nested at most so deep through records; a deeper one is recursive without a pointer, which is an error
/// elsewhere.
const DEPTH_LIMIT: u32 = 64;

impl Checker<'_> {
    /// Whether memory of zeros is a value of the type; if not, why.
    pub(crate) fn zero_is_value(&mut self, ty: TypeId) -> Result<(), String> {
        self.zero_at(ty, 0, &mut FastSet::default())
    }

    fn zero_at(
        &mut self,
        ty: TypeId,
        depth: u32,
        seen: &mut FastSet<TypeId>,
    ) -> Result<(), String> {
        if depth > DEPTH_LIMIT {
            return Ok(());
        }
        match self.kind(ty).clone() {
            Type::Pointer(pointer) if pointer.nullable || pointer.bounds == Bounds::Fat => {
                if self.allow_null(&pointer) {
                    return Ok(());
                }
                Err(format!("a `{}` is never NULL", self.show_type(ty)))
            }
            Type::Pointer(_) => Err(format!("a `{}` is never NULL", self.show_type(ty))),
            Type::Array { elem, len, .. } => match len {
                ArrayLen::Known(size) if self.size_value(size) == Some(0) => Ok(()),
                _ => self.zero_at(elem.ty, depth + 1, seen),
            },
            Type::Tuple(fields) => {
                fields.iter().try_for_each(|field| self.zero_at(field.ty, depth + 1, seen))
            }
            // Whoever failed has ended the search.
            Type::Record(..) if !seen.insert(ty) => Ok(()),
            Type::Record(record, args) => self.zero_of_record(record, &args, depth, seen),
            Type::Var(var) => {
                let name = self.show_var(var);
                Err(format!("`{name}` may stand for a type whose pointers are never NULL"))
            }
            Type::Datatype(..) | Type::Variant(..) => {
                Err("a datatype's value is made by a constructor".into())
            }
            Type::Tag(size, _) if self.size_value(size) != Some(0) => {
                Err(format!("`{}` is the type of one integer", self.show_type(ty)))
            }
            Type::Handle(_) => Err("zeros are no handle of a region".into()),
            Type::Function(_) => Err("a function is no object".into()),
            Type::Void => Err("`void` has no values".into()),
            Type::Infer(_) => Err("the type is not known".into()),
            _ => Ok(()),
        }
    }

    fn zero_of_record(
        &mut self,
        record: RecordId,
        args: &[GenericArg],
        depth: u32,
        seen: &mut FastSet<TypeId>,
    ) -> Result<(), String> {
        let def = self.types.records[record].clone();
        let Some(fields) = def.fields else {
            return Err(format!(
                "`{}` is not defined here",
                def.name.map_or("this struct".into(), |name| name.to_string())
            ));
        };
        let subst = Subst::new(&def.params, args);
        // A union of zeros is its first member's zero; the others of an untagged one are never read as pointers.
        let first_only = def.sort != RecordSort::Struct;
        for field in fields.iter().take(if first_only { 1 } else { usize::MAX }) {
            let ty = self.subst(field.ty.ty, &subst);
            if let Err(reason) = self.zero_at(ty, depth + 1, seen) {
                return Err(match field.name {
                    Some(name) if depth == 0 => format!("the member `{name}`: {reason}"),
                    _ => reason,
                });
            }
        }
        Ok(())
    }

    /// Whether an object has a const part, so that it cannot be assigned as a whole.
    pub(crate) fn has_const_member(&self, ty: TypeId) -> bool {
        self.has_const(ty, 0, &mut FastSet::default())
    }

    fn has_const(&self, ty: TypeId, depth: u32, seen: &mut FastSet<TypeId>) -> bool {
        if depth > DEPTH_LIMIT {
            return false;
        }
        match self.kind(ty) {
            Type::Record(..) if !seen.insert(ty) => false,
            Type::Record(record, _) => {
                let fields = self.types.records[*record].fields.as_deref().unwrap_or_default();
                fields.iter().any(|field| {
                    field.ty.quals.is_const || self.has_const(field.ty.ty, depth + 1, seen)
                })
            }
            Type::Tuple(fields) => fields
                .iter()
                .any(|field| field.quals.is_const || self.has_const(field.ty, depth + 1, seen)),
            Type::Array { elem, .. } => {
                elem.quals.is_const || self.has_const(elem.ty, depth + 1, seen)
            }
            // A datatype's object is what its constructor made of it, for ever.
            Type::Datatype(..) => true,
            _ => false,
        }
    }
}
