//! Memory of type variables: whether a type leads to elements of a variable's type, which uniform code takes to be
//! words.

use super::{GenericArg, Kind, TyVarId, Type, TypeId, TypeTable};
use tenure_span::FastSet;

impl TypeTable {
    /// Whether memory that holds values of the word-sized variable can be reached through a value of the type: behind
    /// pointers, in arrays, in the hands of functions.
    pub fn has_memory_of(&self, ty: TypeId, var: TyVarId) -> bool {
        self.search(ty, var, &mut FastSet::default())
    }

    fn search(&self, ty: TypeId, var: TyVarId, seen: &mut FastSet<(TypeId, TyVarId)>) -> bool {
        match self.get(ty) {
            Type::Pointer(pointer) => {
                self.is_boxed_var(pointer.elem.ty, var) || self.search(pointer.elem.ty, var, seen)
            }
            Type::Array { elem, .. } => {
                self.is_boxed_var(elem.ty, var) || self.search(elem.ty, var, seen)
            }
            Type::Tuple(parts) => parts.iter().any(|part| self.search(part.ty, var, seen)),
            // What is called through a pointer has the memory of its parameters in hand.
            Type::Function(function) => {
                function.params.iter().any(|param| self.search(param.ty, var, seen))
                    || self.search(function.result.ty, var, seen)
            }
            Type::Record(id, args) => {
                let def = &self.records[*id];
                let fields = def.fields.iter().flatten().map(|field| field.ty.ty);
                seen.insert((ty, var)) && self.search_nominal(&def.params, args, fields, var, seen)
            }
            Type::Datatype(id, args) | Type::Variant(id, _, args) => {
                let def = &self.datatypes[*id];
                let variants = def.variants.iter().flatten();
                let fields = variants.flat_map(|variant| variant.args.iter().map(|arg| arg.ty));
                seen.insert((ty, var)) && self.search_nominal(&def.params, args, fields, var, seen)
            }
            _ => false,
        }
    }

    /// Of a record or datatype with these arguments: in the arguments, or in the parts for a parameter that the
    /// variable stands for.
    fn search_nominal(
        &self,
        params: &[TyVarId],
        args: &[GenericArg],
        parts: impl Iterator<Item = TypeId> + Clone,
        var: TyVarId,
        seen: &mut FastSet<(TypeId, TyVarId)>,
    ) -> bool {
        params.iter().zip(args).any(|(&param, arg)| {
            let GenericArg::Type(arg) = *arg else { return false };
            if self.is_boxed_var(arg, var) {
                parts.clone().any(|part| self.search(part, param, seen))
            } else {
                self.search(arg, var, seen)
            }
        })
    }

    fn is_boxed_var(&self, ty: TypeId, var: TyVarId) -> bool {
        matches!(self.get(ty), Type::Var(found) if *found == var && self.vars[var].kind == Kind::Boxed)
    }
}
