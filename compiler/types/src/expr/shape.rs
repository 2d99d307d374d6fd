//! Types compared up to what inference is still to find.

use crate::checker::Checker;
use crate::ty::{ArrayLen, Bounds, GenericArg, QualType, SizeId, Type, TypeId};

/// How much must agree.
#[derive(Clone, Copy)]
struct Strictness {
    /// Qualifiers and nullness behind pointers.
    quals: bool,
    /// What C does not know: nullness, the number of elements and whether a zero ends them.
    beyond_c: bool,
}

impl Checker<'_> {
    /// Whether two types are the same but for regions, and for qualifiers and nullness behind pointers.
    pub(crate) fn same_shape(&self, a: TypeId, b: TypeId) -> bool {
        self.alike(a, b, Strictness { quals: false, beyond_c: true })
    }

    /// Whether two types are the same but for regions.
    pub(crate) fn same_but_regions(&self, a: TypeId, b: TypeId) -> bool {
        self.alike(a, b, Strictness { quals: true, beyond_c: true })
    }

    /// Whether two types are one type of C.
    pub(crate) fn same_in_c(&self, a: TypeId, b: TypeId) -> bool {
        self.alike(a, b, Strictness { quals: true, beyond_c: false })
    }

    fn alike(&self, a: TypeId, b: TypeId, how: Strictness) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b {
            return true;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Infer(_) | Type::Error, _) | (_, Type::Infer(_) | Type::Error) => true,
            (Type::Pointer(x), Type::Pointer(y)) => {
                let bounds = match (x.bounds, y.bounds) {
                    (Bounds::Fat, Bounds::Fat) => true,
                    (Bounds::Thin(x), Bounds::Thin(y)) => !how.beyond_c || self.sizes_alike(x, y),
                    _ => false,
                };
                bounds
                    && (!how.beyond_c || x.zeroterm == y.zeroterm)
                    && (!how.quals || !how.beyond_c || self.nulls_alike(x, y))
                    && self.quals_alike(x.elem, y.elem, how)
            }
            (
                Type::Array { elem: x, len: m, zeroterm: p },
                Type::Array { elem: y, len: n, zeroterm: q },
            ) => {
                let len = match (m, n) {
                    (ArrayLen::Known(m), ArrayLen::Known(n)) => self.sizes_alike(*m, *n),
                    _ => true,
                };
                len && (!how.beyond_c || p == q) && self.quals_alike(*x, *y, how)
            }
            (Type::Tuple(x), Type::Tuple(y)) => {
                x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.quals_alike(x, y, how))
            }
            (Type::Record(r, x), Type::Record(s, y)) => r == s && self.args_alike(x, y, how),
            (Type::Datatype(r, x), Type::Datatype(s, y)) => r == s && self.args_alike(x, y, how),
            (Type::Variant(r, i, x), Type::Variant(s, j, y)) => {
                r == s && i == j && self.args_alike(x, y, how)
            }
            (Type::Handle(_), Type::Handle(_)) => true,
            (Type::Tag(x, a), Type::Tag(y, b)) => a == b && self.sizes_alike(*x, *y),
            (Type::Function(x), Type::Function(y)) => {
                x.params.len() == y.params.len()
                    && self.quals_alike(x.result, y.result, how)
                    && x.params.iter().zip(&y.params).all(|(&x, &y)| self.alike(x.ty, y.ty, how))
            }
            _ => false,
        }
    }

    fn sizes_alike(&self, a: SizeId, b: SizeId) -> bool {
        match (self.size_value(a), self.size_value(b)) {
            (Some(a), Some(b)) => a == b,
            _ => self.shallow_size(a) == self.shallow_size(b),
        }
    }

    fn quals_alike(&self, a: QualType, b: QualType, how: Strictness) -> bool {
        (!how.quals || a.quals == b.quals) && self.alike(a.ty, b.ty, how)
    }

    fn args_alike(&self, a: &[GenericArg], b: &[GenericArg], how: Strictness) -> bool {
        a.iter().zip(b).all(|pair| match pair {
            (GenericArg::Type(a), GenericArg::Type(b)) => self.alike(*a, *b, how),
            (GenericArg::Size(a), GenericArg::Size(b)) => self.sizes_alike(*a, *b),
            _ => true,
        })
    }
}
