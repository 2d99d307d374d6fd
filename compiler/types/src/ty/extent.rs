//! How large a type is when it is written out.
//!
//! A typedef makes a type of types, so that few lines can state one whose parts are too many to visit. Its extent is bounded where it is
//! named; what a program writes without typedefs is as long as its text.

use super::{GenericArg, QualType, Type, TypeId, TypeTable, Variadic};

impl TypeTable {
    /// Whether a type has more than `most` parts. A named type is one, and so is each of its arguments' parts.
    pub fn exceeds(&self, ty: TypeId, most: usize) -> bool {
        let mut pending = vec![ty];
        let mut count = 0;
        while let Some(ty) = pending.pop() {
            count += 1;
            if count > most {
                return true;
            }
            self.push_parts(ty, &mut pending);
        }
        false
    }

    fn push_parts(&self, ty: TypeId, out: &mut Vec<TypeId>) {
        let quals =
            |types: &[QualType], out: &mut Vec<TypeId>| out.extend(types.iter().map(|ty| ty.ty));
        match self.get(ty) {
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
}
