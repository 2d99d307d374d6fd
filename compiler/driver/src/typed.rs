//! `--emit=types`: each function and variable with its type, and with all that was inferred: the types of `let` and
//! `_`, the regions that nobody wrote.

use std::fmt::Write;
use tenure_span::SourceMap;
use tenure_types::hir::{Func, Unit};
use tenure_types::names::QualName;
use tenure_types::ty::{
    ArrayLen, Bounds, EffectItem, FunctionType, GenericArg, Pointer, QualType, RecordSort, Region,
    RegionId, Size, SizeId, TyVarId, TyVarOrigin, Type, TypeId, TypeTable, Variadic,
};

/// The functions, globals and locals of a checked unit.
pub(crate) fn print(unit: &Unit, map: &SourceMap) -> String {
    let mut out = String::new();
    let types = Printer { types: &unit.types };
    for global in &unit.globals {
        if map.is_system(global.span) {
            continue;
        }
        let declared = types.declared(global.ty, &global.name.to_string());
        let _ = writeln!(out, "{}: {declared}", place(map, global.span));
    }
    for func in unit.funcs.iter().filter(|func| !map.is_system(func.span)) {
        function(&mut out, &types, func, map);
    }
    out
}

fn place(map: &SourceMap, span: tenure_span::Span) -> String {
    map.line(span).map_or("?".to_string(), |(file, line)| format!("{file}:{line}"))
}

fn function(out: &mut String, types: &Printer<'_>, func: &Func, map: &SourceMap) {
    let declared = types.declared(QualType::plain(func.ty), &func.name.to_string());
    let _ = writeln!(out, "{}: {declared}", place(map, func.span));
    let Some(body) = &func.body else {
        return;
    };
    for local in &body.locals {
        let name = local.name.map_or("(temporary)", |name| name.as_str());
        let line = map.line(local.span).map_or(0, |(_, line)| line);
        let _ = writeln!(out, "  line {line}: {}", types.declared(local.ty, name));
    }
}

/// Types as the user could write them, with every region.
struct Printer<'a> {
    types: &'a TypeTable,
}

impl Printer<'_> {
    /// `T name`, built from the inside out as in C.
    fn declared(&self, ty: QualType, inner: &str) -> String {
        match self.types.get(ty.ty) {
            Type::Pointer(pointer) => self.pointer(pointer, ty, inner),
            Type::Array { elem, len, zeroterm } => {
                let len = match len {
                    ArrayLen::Known(size) => self.size(*size),
                    ArrayLen::Incomplete => String::new(),
                };
                let zeroterm = if *zeroterm { "@zeroterm" } else { "" };
                self.declared(*elem, &format!("{}[{len}]{zeroterm}", grouped(inner)))
            }
            Type::Function(function) => {
                let params = self.params(function);
                self.declared(function.result, &format!("{}({params})", grouped(inner)))
            }
            _ => {
                let gap = if inner.is_empty() { "" } else { " " };
                format!("{}{}{gap}{inner}", quals(ty), self.base(ty.ty))
            }
        }
    }

    fn pointer(&self, pointer: &Pointer, ty: QualType, inner: &str) -> String {
        let mut text = match (pointer.bounds, pointer.nullable) {
            (Bounds::Fat, true) => "?".to_string(),
            (Bounds::Fat, false) => "?@notnull".to_string(),
            (Bounds::Thin(_), true) => "*".to_string(),
            (Bounds::Thin(_), false) => "@".to_string(),
        };
        if let Bounds::Thin(size) = pointer.bounds {
            if !matches!(self.types.get_size(size), Size::Const(1)) {
                let _ = write!(text, "{{{}}}", self.size(size));
            }
        }
        if pointer.zeroterm {
            text.push_str("@zeroterm");
        }
        text.push_str(&self.region(pointer.region));
        let quals = quals(ty);
        let gap = if inner.is_empty() { "" } else { " " };
        self.declared(pointer.elem, format!("{text}{gap}{quals}{inner}").trim_end())
    }

    fn params(&self, function: &FunctionType) -> String {
        let mut params: Vec<String> =
            function.params.iter().map(|&param| self.declared(param, "")).collect();
        match function.variadic {
            Variadic::No => {}
            Variadic::C => params.push("...".to_string()),
            Variadic::Fat(elem) => {
                params.push(format!("... {}", self.declared(QualType::plain(elem), "")));
            }
            Variadic::Inject(elem) => {
                params.push(format!("... inject {}", self.declared(QualType::plain(elem), "")));
            }
        }
        let mut text = if params.is_empty() { "void".to_string() } else { params.join(", ") };
        let bounds = function.bounds.iter().map(|(effect, region)| {
            let effect = self.types.get_effect(*effect);
            let items: Vec<String> = effect.items.iter().map(|item| self.effect(*item)).collect();
            format!("{{{}}} > {}", items.join(","), self.region(*region))
        });
        let bounds: Vec<String> = bounds.collect();
        if !bounds.is_empty() {
            let _ = write!(text, " : {}", bounds.join(", "));
        }
        text
    }

    fn effect(&self, item: EffectItem) -> String {
        match item {
            EffectItem::Region(region) => self.region(region),
            EffectItem::RegionsOf(ty) => format!("regions({})", self.plain(ty)),
            EffectItem::Var(var) => self.var(var),
            EffectItem::Infer(_) => "_".to_string(),
        }
    }

    fn plain(&self, ty: TypeId) -> String {
        self.declared(QualType::plain(ty), "")
    }

    fn base(&self, ty: TypeId) -> String {
        match self.types.get(ty) {
            Type::Void => "void".to_string(),
            Type::Int(int) => int.c_name().to_string(),
            Type::Float(float) => float.c_name().to_string(),
            Type::Complex(float) => format!("{} _Complex", float.c_name()),
            Type::Enum(id) => format!("enum {}", tag(self.types.enums[*id].name.as_ref())),
            Type::Record(id, args) => {
                let def = &self.types.records[*id];
                let word = if def.sort == RecordSort::Struct { "struct" } else { "union" };
                format!("{word} {}{}", tag(def.name.as_ref()), self.args(args))
            }
            Type::Tuple(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.declared(*part, "")).collect();
                format!("$({})", parts.join(", "))
            }
            Type::Datatype(id, args) => {
                format!("datatype {}{}", self.types.datatypes[*id].name, self.args(args))
            }
            Type::Variant(id, variant, args) => {
                let def = &self.types.datatypes[*id];
                let variants = def.variants.as_ref();
                let name =
                    variants.and_then(|v| v.get(*variant as usize)).map(|v| v.name.to_string());
                let name = name.unwrap_or_default();
                format!("datatype {}.{name}{}", def.name, self.args(args))
            }
            Type::Handle(region) => format!("region_t<{}>", self.region(*region)),
            Type::Tag(size, int) => format!("tag_t<{}, {}>", self.size(*size), int.c_name()),
            Type::Var(var) => self.var(*var),
            Type::VaList => "va_list".to_string(),
            _ => "_".to_string(),
        }
    }

    fn args(&self, args: &[GenericArg]) -> String {
        if args.is_empty() {
            return String::new();
        }
        let arg = |arg: &GenericArg| match arg {
            GenericArg::Type(ty) => self.plain(*ty),
            GenericArg::Region(region) => self.region(*region),
            GenericArg::Effect(effect) => {
                let items = &self.types.get_effect(*effect).items;
                let items: Vec<String> = items.iter().map(|item| self.effect(*item)).collect();
                format!("{{{}}}", items.join(","))
            }
            GenericArg::Size(size) => self.size(*size),
        };
        format!("<{}>", args.iter().map(arg).collect::<Vec<_>>().join(","))
    }

    fn region(&self, region: RegionId) -> String {
        match self.types.get_region(region) {
            Region::Heap => "`H".to_string(),
            Region::Unique => "`U".to_string(),
            Region::Counted => "`RC".to_string(),
            Region::Checked => "`D".to_string(),
            Region::Var(var) => self.var(*var),
            Region::Apply(_, inner) => format!("next_rgn<{}>", self.region(*inner)),
            _ => "`_".to_string(),
        }
    }

    /// A variable by its name; one that nobody named by where it comes from.
    fn var(&self, var: TyVarId) -> String {
        let def = &self.types.vars[var];
        match (def.name, def.origin) {
            (Some(name), _) => format!("`{}", name.as_str().trim_start_matches('`')),
            (None, TyVarOrigin::Elided { param }) => format!("`parameter{}", param + 1),
            (None, TyVarOrigin::Block { .. }) => "`block".to_string(),
            (None, _) => format!("`v{}", var.index()),
        }
    }

    fn size(&self, size: SizeId) -> String {
        match self.types.get_size(size) {
            Size::Const(n) => n.to_string(),
            Size::Var(var) => format!("valueof({})", self.var(*var)),
            Size::Add(a, b) => format!("{} + {}", self.size(*a), self.size(*b)),
            Size::Mul(a, b) => format!("{} * {}", self.size(*a), self.size(*b)),
            _ => "_".to_string(),
        }
    }
}

/// A tag, or that there is none.
fn tag(name: Option<&QualName>) -> String {
    name.map_or("(unnamed)".to_string(), QualName::to_string)
}

/// A pointer declarator before `[…]` or `(…)`.
fn grouped(inner: &str) -> String {
    if inner.starts_with(['*', '@', '?']) {
        format!("({inner})")
    } else {
        inner.to_string()
    }
}

fn quals(ty: QualType) -> &'static str {
    match (ty.quals.is_const, ty.quals.is_volatile) {
        (true, true) => "const volatile ",
        (true, false) => "const ",
        (false, true) => "volatile ",
        (false, false) => "",
    }
}
