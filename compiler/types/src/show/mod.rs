//! Types and regions in messages, as the user would write them. Regions that nobody wrote are left out.

use crate::checker::Checker;
use crate::names::QualName;
use crate::ty::{
    ArrayLen, Bounds, EffectItem, FunctionType, GenericArg, IntTy, Pointer, QualType, Quals,
    RecordSort, Region, RegionId, Size, SizeId, TyVarId, TyVarOrigin, Type, TypeId, Variadic,
};

impl Checker<'_> {
    /// A type as the user would write it.
    pub fn show_type(&self, ty: TypeId) -> String {
        self.show_qual(QualType::plain(ty))
    }

    pub fn show_qual(&self, ty: QualType) -> String {
        self.show_with(ty, String::new(), 0)
    }

    /// The type of a declarator that already has the text `inner`, as in C: built from the inside out.
    fn show_with(&self, ty: QualType, inner: String, depth: u32) -> String {
        if depth > 40 {
            return format!("…{inner}");
        }
        match self.kind(ty.ty) {
            Type::Pointer(pointer) => self.show_pointer(pointer, ty.quals, inner, depth),
            Type::Array { elem, len, zeroterm } => {
                let len = match len {
                    ArrayLen::Known(size) => self.show_size(*size),
                    ArrayLen::Incomplete => String::new(),
                };
                let elem = QualType { ty: elem.ty, quals: join(elem.quals, ty.quals) };
                let inner = wrap_pointer(inner);
                let flag = if *zeroterm { "@zeroterm" } else { "" };
                self.show_with(elem, format!("{inner}[{len}]{flag}"), depth + 1)
            }
            Type::Function(function) => {
                let params = self.show_params(function, depth);
                let inner = wrap_pointer(inner);
                let kept = show_noconsume(&function.noconsume);
                self.show_with(function.result, format!("{inner}({params}){kept}"), depth + 1)
            }
            _ => {
                let base = self.show_base(ty.ty, depth);
                let quals = show_quals(ty.quals);
                let gap = if inner.is_empty() { "" } else { " " };
                format!("{quals}{base}{gap}{inner}")
            }
        }
    }

    fn show_pointer(&self, pointer: &Pointer, quals: Quals, inner: String, depth: u32) -> String {
        let mut text = match (pointer.bounds, self.seems_nullable(pointer)) {
            (Bounds::Fat, true) => "?".to_string(),
            (Bounds::Fat, false) => "?@notnull".to_string(),
            (Bounds::Thin(_), true) => "*".to_string(),
            (Bounds::Thin(_), false) => "@".to_string(),
        };
        if pointer.least > 0 {
            text.push_str(&format!("{{{}}}", pointer.least));
        }
        if let Bounds::Thin(size) = pointer.bounds {
            let open = matches!(self.types.get_size(self.shallow_size(size)), Size::Infer(_));
            if self.size_value(size) != Some(1) && !open {
                text.push_str(&format!("{{{}}}", self.show_size(size)));
            }
        }
        let is_char = matches!(self.kind(pointer.elem.ty), Type::Int(IntTy::Char));
        let by_default = is_char && self.is_default_zeroterm(pointer.bounds);
        match (by_default, pointer.zeroterm) {
            (false, true) => text.push_str("@zeroterm"),
            (true, false) => text.push_str("@nozeroterm"),
            _ => {}
        }
        text.push_str(&self.show_pointer_region(pointer.region));
        if quals != Quals::default() {
            text.push_str(&show_quals(quals));
        }
        text.push_str(&inner);
        self.show_with(pointer.elem, text, depth + 1)
    }

    fn is_default_zeroterm(&self, bounds: Bounds) -> bool {
        match bounds {
            Bounds::Fat => false,
            Bounds::Thin(size) => self.size_value(size) == Some(1),
        }
    }

    /// The region behind a pointer's sigil; nothing if nobody wrote it.
    fn show_pointer_region(&self, region: RegionId) -> String {
        match self.types.get_region(self.shallow_region(region)) {
            Region::Unique => "`U".to_string(),
            Region::Counted => "`RC".to_string(),
            Region::Checked => "`D".to_string(),
            Region::Var(var) => match (self.types.vars[*var].origin, self.types.vars[*var].name) {
                // A block's region has a name only if the block has a label, and is rarely written.
                (TyVarOrigin::Block { .. }, _) | (_, None) => String::new(),
                (_, Some(name)) => format!("`{name}"),
            },
            Region::Apply(function, inner) => {
                let name = &self.types.type_fns[*function].name;
                format!("@region({}<{}>)", short(name), self.show_region_arg(*inner))
            }
            Region::Heap | Region::Infer(_) | Region::Error => String::new(),
        }
    }

    /// A region as an argument; none if it has no name that could be written.
    fn named_region(&self, region: RegionId) -> Option<String> {
        match *self.types.get_region(self.shallow_region(region)) {
            Region::Heap => Some("`H".to_string()),
            Region::Infer(vid) => {
                self.infer.regions[vid].stands_for.and_then(|var| self.var_name(var))
            }
            Region::Error => None,
            _ => Some(self.show_pointer_region(region)).filter(|text| !text.is_empty()),
        }
    }

    fn show_region_arg(&self, region: RegionId) -> String {
        self.named_region(region).unwrap_or_else(|| "_".to_string())
    }

    fn show_params(&self, function: &FunctionType, depth: u32) -> String {
        let mut params: Vec<String> = (function.params.iter())
            .map(|&param| self.show_with(param, String::new(), depth + 1))
            .collect();
        match function.variadic {
            Variadic::No => {}
            Variadic::C => params.push("...".to_string()),
            Variadic::Fat(ty) => params.push(format!("... {}", self.show_type(ty))),
            Variadic::Inject(ty) => params.push(format!("... inject {}", self.show_type(ty))),
        }
        if params.is_empty() {
            "void".to_string()
        } else {
            params.join(", ")
        }
    }

    fn show_base(&self, ty: TypeId, depth: u32) -> String {
        match self.kind(ty) {
            Type::Void => "void".to_string(),
            Type::Int(int) => int.c_name().to_string(),
            Type::Float(float) => float.c_name().to_string(),
            Type::Complex(float) => format!("{} _Complex", float.c_name()),
            Type::Enum(id) => match &self.types.enums[*id].name {
                Some(name) => format!("enum {}", short(name)),
                None => "an enum without a name".to_string(),
            },
            Type::Record(id, args) => {
                let def = &self.types.records[*id];
                let word = match def.sort {
                    RecordSort::Struct => "struct",
                    RecordSort::Union => "union",
                    RecordSort::TaggedUnion => "@tagged union",
                };
                match &def.name {
                    Some(name) => format!("{word} {}{}", short(name), self.show_args(args, depth)),
                    None => format!("{word} without a name"),
                }
            }
            Type::Tuple(fields) => {
                let fields: Vec<String> = (fields.iter())
                    .map(|&field| self.show_with(field, String::new(), depth + 1))
                    .collect();
                format!("$({})", fields.join(", "))
            }
            Type::Datatype(id, args) => {
                let name = short(&self.types.datatypes[*id].name);
                format!("datatype {name}{}", self.show_args(args, depth))
            }
            Type::Variant(id, variant, args) => {
                let def = &self.types.datatypes[*id];
                let variant = (def.variants.iter().flatten().nth(*variant as usize))
                    .map_or(String::new(), |variant| format!(".{}", variant.name.name));
                format!("datatype {}{variant}{}", short(&def.name), self.show_args(args, depth))
            }
            Type::Handle(region) => match self.named_region(*region) {
                Some(region) => format!("region_t<{region}>"),
                None => "region_t".to_string(),
            },
            Type::Tag(size, int) => {
                let wide = match int {
                    IntTy::Int => String::new(),
                    int => format!(", {}", int.c_name()),
                };
                let shown = self.show_size(*size);
                let name = shown.strip_prefix("valueof(").and_then(|rest| rest.strip_suffix(')'));
                match self.types.get_size(self.shallow_size(*size)) {
                    Size::Var(_) | Size::Infer(_) => match name {
                        Some(name) => format!("tag_t<{name}{wide}>"),
                        None if wide.is_empty() => "tag_t".to_string(),
                        None => format!("tag_t<_{wide}>"),
                    },
                    _ => format!("tag_t<{shown}{wide}>"),
                }
            }
            Type::Var(var) => self.show_var(*var),
            Type::VaList => "va_list".to_string(),
            Type::Infer(vid) => (self.infer.types[*vid].stands_for)
                .and_then(|var| self.var_name(var))
                .unwrap_or_else(|| "_".to_string()),
            Type::Error => "_".to_string(),
            Type::Pointer(_) | Type::Array { .. } | Type::Function(_) => self.show_type(ty),
        }
    }

    pub fn show_var(&self, var: TyVarId) -> String {
        self.var_name(var).unwrap_or_else(|| "_".to_string())
    }

    /// The variable as it was written.
    fn var_name(&self, var: TyVarId) -> Option<String> {
        self.types.vars[var].name.map(|name| format!("`{name}"))
    }

    fn show_args(&self, args: &[GenericArg], depth: u32) -> String {
        let mut shown: Vec<Option<String>> = (args.iter())
            .map(|arg| match *arg {
                GenericArg::Type(ty) => {
                    Some(self.show_with(QualType::plain(ty), String::new(), depth + 1))
                }
                GenericArg::Region(region) => self.named_region(region),
                GenericArg::Size(size) => Some(self.show_size(size)),
                GenericArg::Effect(effect) => {
                    let items = &self.types.get_effect(effect).items;
                    let items: Vec<String> =
                        items.iter().map(|item| self.show_effect_item(*item)).collect();
                    Some(format!("{{{}}}", items.join(",")))
                }
            })
            .collect();
        // What was left out when the type was written has no name.
        while let Some(None) = shown.last() {
            shown.pop();
        }
        if shown.is_empty() {
            return String::new();
        }
        let shown: Vec<String> =
            shown.into_iter().map(|arg| arg.unwrap_or_else(|| "_".to_string())).collect();
        format!("<{}>", shown.join(","))
    }

    pub fn show_effect_item(&self, item: EffectItem) -> String {
        match item {
            EffectItem::Region(region) => self.show_region_arg(region),
            EffectItem::RegionsOf(ty) => format!("regions({})", self.show_type(ty)),
            EffectItem::Var(var) => self.show_var(var),
            EffectItem::Infer(_) => "_".to_string(),
        }
    }

    pub fn show_size(&self, size: SizeId) -> String {
        match *self.types.get_size(self.shallow_size(size)) {
            Size::Const(value) => value.to_string(),
            Size::Var(var) => format!("valueof({})", self.show_var(var)),
            Size::Add(a, b) => format!("{} + {}", self.show_size(a), self.show_size(b)),
            Size::Mul(a, b) => format!("{} * {}", self.show_size(a), self.show_size(b)),
            Size::Infer(vid) => {
                match self.infer.sizes[vid].stands_for.and_then(|var| self.var_name(var)) {
                    Some(name) => format!("valueof({name})"),
                    None => "an unknown number of".to_string(),
                }
            }
            Size::Error => "_".to_string(),
        }
    }

    /// A region in prose: "the heap", "region `` `r ``", "the stack region of this block".
    pub fn describe_region(&self, region: RegionId) -> String {
        match self.types.get_region(self.shallow_region(region)) {
            Region::Heap => "the heap".to_string(),
            Region::Unique => "the unique region `U".to_string(),
            Region::Counted => "the counted region `RC".to_string(),
            Region::Checked => "the checked heap `D".to_string(),
            Region::Var(var) => self.describe_region_var(*var),
            Region::Apply(..) => format!("region {}", self.show_region_arg(region)),
            Region::Infer(_) | Region::Error => "a region that is not known".to_string(),
        }
    }

    fn describe_region_var(&self, var: TyVarId) -> String {
        let def = &self.types.vars[var];
        match (def.origin, def.name) {
            (TyVarOrigin::Block { depth: 0 }, Some(name)) => {
                format!("the stack region of `{name}`")
            }
            (TyVarOrigin::Block { depth: 0 }, None) => "the function's stack region".to_string(),
            (TyVarOrigin::Block { .. }, None) => "the stack region of a block".to_string(),
            (TyVarOrigin::Block { .. }, Some(name)) => {
                format!("the stack region of block `{name}`")
            }
            (TyVarOrigin::Elided { param }, _) => match self.param_name(var, param) {
                Some(name) => format!("the region of parameter `{name}`"),
                None => format!("the region of parameter {}", param + 1),
            },
            (TyVarOrigin::Lexical { .. }, Some(name)) => format!("region `{name}"),
            (TyVarOrigin::Lexical { .. }, None) => "a lexical region".to_string(),
            (TyVarOrigin::Call, _) => "the duration of this call".to_string(),
            (_, Some(name)) => format!("region `{name}"),
            (_, None) => "a region without a name".to_string(),
        }
    }

    fn param_name(&self, var: TyVarId, param: u32) -> Option<tenure_span::Symbol> {
        let func = self.fx.func?;
        let Type::Function(function) = self.types.get(self.funcs[func].ty) else { return None };
        if !function.vars.contains(&var) {
            return None;
        }
        self.funcs[func].param_names.get(param as usize).copied().flatten()
    }
}

/// The arguments that a call does not consume, as written after the parameters.
fn show_noconsume(numbers: &[u32]) -> String {
    if numbers.is_empty() {
        return String::new();
    }
    let numbers: Vec<String> = numbers.iter().map(|number| (number + 1).to_string()).collect();
    format!(" __attribute__((noconsume({})))", numbers.join(","))
}

/// A pointer to an array or function needs parentheses.
fn wrap_pointer(inner: String) -> String {
    if inner.starts_with(['*', '@', '?']) {
        format!("({inner})")
    } else {
        inner
    }
}

fn join(a: Quals, b: Quals) -> Quals {
    Quals { is_const: a.is_const || b.is_const, is_volatile: a.is_volatile || b.is_volatile }
}

fn show_quals(quals: Quals) -> String {
    let mut text = String::new();
    if quals.is_const {
        text.push_str("const ");
    }
    if quals.is_volatile {
        text.push_str("volatile ");
    }
    text
}

/// A name in a message: with its namespaces.
pub(crate) fn short(name: &QualName) -> String {
    name.to_string()
}
