//! What occurs inside a type, computed once when it is interned, so that most walks end at the first node.

use super::{
    ArrayLen, Bounds, Effect, EffectItem, FunctionType, GenericArg, Pointer, QualType, Region,
    Size, Type, TypeTable, Variadic,
};

/// A set of facts about what occurs in a type, region, effect or size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags(u8);

impl Flags {
    pub const NONE: Flags = Flags(0);
    /// An inference variable, of any kind.
    pub const INFER: Flags = Flags(1);
    /// A bound variable, of any kind.
    pub const VAR: Flags = Flags(2);
    /// An error.
    pub const ERROR: Flags = Flags(4);

    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl TypeTable {
    pub(super) fn flags_of_region(&self, region: &Region) -> Flags {
        match region {
            Region::Heap | Region::Unique | Region::Counted | Region::Checked => Flags::NONE,
            Region::Var(_) => Flags::VAR,
            Region::Infer(_) => Flags::INFER,
            Region::Apply(_, inner) => self.region_flags(*inner),
            Region::Error => Flags::ERROR,
        }
    }

    pub(super) fn flags_of_size(&self, size: &Size) -> Flags {
        match size {
            Size::Const(_) => Flags::NONE,
            Size::Var(_) => Flags::VAR,
            Size::Infer(_) => Flags::INFER,
            Size::Add(a, b) | Size::Mul(a, b) => self.size_flags(*a).with(self.size_flags(*b)),
            Size::Error => Flags::ERROR,
        }
    }

    pub(super) fn flags_of_effect(&self, effect: &Effect) -> Flags {
        effect.items.iter().fold(Flags::NONE, |flags, item| flags.with(self.flags_of_item(*item)))
    }

    fn flags_of_item(&self, item: EffectItem) -> Flags {
        match item {
            EffectItem::Region(region) => self.region_flags(region),
            EffectItem::RegionsOf(ty) => self.flags(ty),
            EffectItem::Var(_) => Flags::VAR,
            EffectItem::Infer(_) => Flags::INFER,
        }
    }

    fn flags_of_args(&self, args: &[GenericArg]) -> Flags {
        args.iter().fold(Flags::NONE, |flags, arg| {
            flags.with(match *arg {
                GenericArg::Type(ty) => self.flags(ty),
                GenericArg::Region(region) => self.region_flags(region),
                GenericArg::Effect(effect) => self.effect_flags(effect),
                GenericArg::Size(size) => self.size_flags(size),
            })
        })
    }

    fn flags_of_quals(&self, types: &[QualType]) -> Flags {
        types.iter().fold(Flags::NONE, |flags, ty| flags.with(self.flags(ty.ty)))
    }

    fn flags_of_pointer(&self, pointer: &Pointer) -> Flags {
        let mut flags = self.flags(pointer.elem.ty).with(self.region_flags(pointer.region));
        if pointer.open.is_some() {
            flags = flags.with(Flags::INFER);
        }
        match pointer.bounds {
            Bounds::Fat => flags,
            Bounds::Thin(size) => flags.with(self.size_flags(size)),
        }
    }

    fn flags_of_function(&self, function: &FunctionType) -> Flags {
        let mut flags = self.flags_of_quals(&function.params);
        flags = flags.with(self.flags(function.result.ty));
        flags = flags.with(self.effect_flags(function.effect));
        for &(effect, region) in &function.bounds {
            flags = flags.with(self.effect_flags(effect)).with(self.region_flags(region));
        }
        match function.variadic {
            Variadic::Fat(ty) | Variadic::Inject(ty) => flags.with(self.flags(ty)),
            Variadic::No | Variadic::C => flags,
        }
    }

    pub(super) fn flags_of(&self, ty: &Type) -> Flags {
        match ty {
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::Enum(_)
            | Type::VaList => Flags::NONE,
            Type::Pointer(pointer) => self.flags_of_pointer(pointer),
            Type::Array { elem, len, .. } => match len {
                ArrayLen::Known(size) => self.flags(elem.ty).with(self.size_flags(*size)),
                ArrayLen::Incomplete => self.flags(elem.ty),
            },
            Type::Function(function) => self.flags_of_function(function),
            Type::Record(_, args) | Type::Datatype(_, args) | Type::Variant(_, _, args) => {
                self.flags_of_args(args)
            }
            Type::Tuple(fields) => self.flags_of_quals(fields),
            Type::Handle(region) => self.region_flags(*region),
            Type::Tag(size, _) => self.size_flags(*size),
            Type::Var(_) => Flags::VAR,
            Type::Infer(_) => Flags::INFER,
            Type::Error => Flags::ERROR,
        }
    }
}
