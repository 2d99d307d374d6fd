//! Types as numbers that are the same in each unit that declares the same.
//!
//! Object files have no types. So a unit that defines a function says beside it which type that has, and a unit that
//! uses it which type it believes in, both as the hash of a spelling: nominal types by name, type-level variables by
//! their number in the order in which they occur, sets in the order of their members' spellings. What is in a nominal
//! type has a hash of its own (`nominal`), since one unit may know it and another not.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use tenure_span::Span;
use tenure_types::names::QualName;
use tenure_types::ty::{
    ArrayLen, Bounds, DatatypeDef, DatatypeId, EffectId, EffectItem, EnumId, FieldDef,
    FunctionType, GenericArg, Pointer, QualType, Quals, RecordDef, RecordId, Region, RegionId,
    Size, SizeId, TyVarId, Type, TypeId, TypeTable, Variadic, VariantDef,
};

/// A spelling's hash, and the named types in it in the order of their first occurrence.
pub(crate) struct Spelling {
    pub(crate) hash: u64,
    pub(crate) names: Vec<NamedType>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum NamedType {
    Record(RecordId),
    Enum(EnumId),
    Datatype(DatatypeId),
}

/// Of a function's type.
pub(crate) fn of(types: &TypeTable, ty: TypeId) -> Spelling {
    let mut speller = Speller::new(types);
    speller.ty(ty);
    speller.finish()
}

/// Of an object with qualifiers of its own.
pub(crate) fn of_object(types: &TypeTable, ty: QualType, thread_local: bool) -> Spelling {
    let mut speller = Speller::new(types);
    speller.put(if thread_local { "thread " } else { "" });
    speller.qual(ty);
    speller.finish()
}

/// Of what a variant carries; none if that is nothing.
pub(crate) fn of_variant(types: &TypeTable, variant: &VariantDef) -> Option<Spelling> {
    if variant.args.is_empty() {
        return None;
    }
    let mut speller = Speller::new(types);
    speller.carried(variant);
    Some(speller.finish())
}

/// Of what is in a named type; none where the unit does not know it, or others may add to it.
pub(crate) fn of_contents(types: &TypeTable, named: NamedType) -> Option<Spelling> {
    let mut speller = Speller::new(types);
    match named {
        NamedType::Record(id) => speller.members(&types.records[id])?,
        NamedType::Enum(id) => speller.constants(types.enums[id].constants.as_ref()?),
        NamedType::Datatype(id) => speller.variants(&types.datatypes[id])?,
    }
    Some(speller.finish())
}

/// FNV-1a in 64 bits: the same on each machine and in each version.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

struct Speller<'t> {
    types: &'t TypeTable,
    numbers: HashMap<TyVarId, usize>,
    met: HashSet<NamedType>,
    names: Vec<NamedType>,
    out: String,
}

impl Speller<'_> {
    fn new(types: &TypeTable) -> Speller<'_> {
        Speller {
            types,
            numbers: HashMap::new(),
            met: HashSet::new(),
            names: Vec::new(),
            out: String::new(),
        }
    }

    fn finish(self) -> Spelling {
        Spelling { hash: fingerprint(&self.out), names: self.names }
    }

    fn meet(&mut self, named: NamedType) {
        if self.met.insert(named) {
            self.names.push(named);
        }
    }

    fn put(&mut self, text: impl std::fmt::Display) {
        // Writing to a string does not fail.
        let _ = write!(self.out, "{text}");
    }

    fn name(&mut self, name: &QualName) {
        self.put(format_args!("{name};"));
    }

    fn quals(&mut self, quals: Quals) {
        self.put(if quals.is_const { "c" } else { "" });
        self.put(if quals.is_volatile { "v" } else { "" });
    }

    fn qual(&mut self, ty: QualType) {
        self.quals(ty.quals);
        self.ty(ty.ty);
    }

    fn ty(&mut self, ty: TypeId) {
        let types = self.types;
        match types.get(ty) {
            Type::Void => self.put("V"),
            Type::Int(int) => self.put(format_args!("{int:?};")),
            Type::Float(float) => self.put(format_args!("{float:?};")),
            Type::Complex(float) => self.put(format_args!("C{float:?};")),
            Type::Enum(id) => {
                let def = &types.enums[*id];
                self.put(format_args!("E{:?};", def.underlying));
                match (&def.name, &def.constants) {
                    (Some(name), _) => {
                        self.meet(NamedType::Enum(*id));
                        self.name(name);
                    }
                    (None, Some(constants)) => self.constants(constants),
                    (None, None) => {}
                }
            }
            Type::Pointer(pointer) => self.pointer(pointer),
            Type::Array { elem, len, zeroterm } => {
                self.put(if *zeroterm { "Z[" } else { "[" });
                if let ArrayLen::Known(size) = len {
                    self.size(*size);
                }
                self.put("]");
                self.qual(*elem);
            }
            Type::Function(function) => self.function(function),
            Type::Record(id, args) => {
                self.record(*id);
                self.args(args);
            }
            Type::Tuple(parts) => {
                self.put("$(");
                parts.iter().for_each(|&part| self.qual(part));
                self.put(")");
            }
            Type::Datatype(id, args) => {
                self.meet(NamedType::Datatype(*id));
                self.put("D");
                self.name(&types.datatypes[*id].name);
                self.args(args);
            }
            Type::Variant(id, number, args) => {
                self.meet(NamedType::Datatype(*id));
                self.put(format_args!("D{number}"));
                self.name(&types.datatypes[*id].name);
                self.args(args);
            }
            Type::Handle(region) => {
                self.put("H");
                self.region(*region);
            }
            Type::Tag(size, int) => {
                self.put(format_args!("T{};", int.c_name()));
                self.size(*size);
            }
            Type::Var(var) => self.var(*var),
            Type::VaList => self.put("L"),
            Type::Infer(_) | Type::Error => self.put("?"),
        }
    }

    fn pointer(&mut self, pointer: &Pointer) {
        self.put(if pointer.nullable { "*" } else { "@" });
        self.put(if pointer.zeroterm { "Z" } else { "" });
        match pointer.bounds {
            Bounds::Fat => self.put("?"),
            Bounds::Thin(size) => self.size(size),
        }
        self.region(pointer.region);
        self.qual(pointer.elem);
    }

    /// By its name, since one unit may know the members and another not; without a name by its members.
    fn record(&mut self, id: RecordId) {
        let types = self.types;
        let def = &types.records[id];
        self.put(format_args!("R{:?}", def.sort));
        match (&def.name, &def.fields) {
            (Some(name), _) => {
                self.meet(NamedType::Record(id));
                self.name(name);
            }
            (None, Some(fields)) => {
                self.put("{");
                fields.iter().for_each(|field| self.field(field));
                self.put("}");
            }
            (None, None) => {}
        }
    }

    fn field(&mut self, field: &FieldDef) {
        if let Some(name) = field.name {
            self.put(name.as_str());
        }
        if let Some(bits) = field.bits {
            self.put(format_args!(":{bits}"));
        }
        if let Some(align) = field.align {
            self.put(format_args!("a{align}"));
        }
        self.put(" ");
        self.qual(field.ty);
    }

    fn members(&mut self, def: &RecordDef) -> Option<()> {
        let fields = def.fields.as_ref()?;
        // Parameters by their place, not by where the members speak of them.
        def.params.iter().chain(&def.existentials).for_each(|&var| self.var(var));
        self.bounds(&def.bounds);
        self.put(format_args!("{:?}", def.sort));
        self.put(if def.packed { "p" } else { "" });
        if let Some(align) = def.align {
            self.put(format_args!("a{align}"));
        }
        fields.iter().for_each(|field| self.field(field));
        Some(())
    }

    fn constants(&mut self, constants: &[(QualName, i128, Span)]) {
        for (name, value, _) in constants {
            self.put(format_args!("{name}={value},"));
        }
    }

    fn variants(&mut self, def: &DatatypeDef) -> Option<()> {
        let variants = def.variants.as_ref().filter(|_| !def.extensible)?;
        def.params.iter().for_each(|&var| self.var(var));
        for variant in variants {
            self.name(&variant.name);
            variant.existentials.iter().for_each(|&var| self.var(var));
            if let Some(immediate) = &variant.immediate {
                self.put(format_args!("I{}{:?}", immediate.word, immediate.widths));
            }
            self.carried(variant);
        }
        Some(())
    }

    fn carried(&mut self, variant: &VariantDef) {
        for &arg in &variant.args {
            self.qual(arg);
        }
        self.bounds(&variant.bounds);
    }

    fn function(&mut self, function: &FunctionType) {
        self.put("F(");
        for param in &function.params {
            // Qualifiers of parameters are the callee's own affair (C11 6.7.6.3p15).
            self.ty(param.ty);
        }
        match function.variadic {
            Variadic::No => {}
            Variadic::C => self.put("..."),
            Variadic::Fat(ty) => {
                self.put("...?");
                self.ty(ty);
            }
            Variadic::Inject(ty) => {
                self.put("...!");
                self.ty(ty);
            }
        }
        self.put(")");
        self.ty(function.result.ty);
        self.effect(function.effect);
        self.bounds(&function.bounds);
        for param in &function.noconsume {
            self.put(format_args!("n{param}"));
        }
        // Nothing is compiled behind a call that does not return.
        self.put(if function.noreturn { "never" } else { "" });
    }

    fn bounds(&mut self, bounds: &[(EffectId, RegionId)]) {
        for &(effect, region) in bounds {
            self.effect(effect);
            self.put(">");
            self.region(region);
        }
    }

    fn args(&mut self, args: &[GenericArg]) {
        self.put("<");
        for &arg in args {
            match arg {
                GenericArg::Type(ty) => self.ty(ty),
                GenericArg::Region(region) => self.region(region),
                GenericArg::Effect(effect) => self.effect(effect),
                GenericArg::Size(size) => self.size(size),
            }
        }
        self.put(">");
    }

    fn region(&mut self, region: RegionId) {
        let types = self.types;
        match types.get_region(region) {
            Region::Heap => self.put("`H"),
            Region::Unique => self.put("`U"),
            Region::Counted => self.put("`RC"),
            Region::Checked => self.put("`D"),
            Region::Var(var) => self.var(*var),
            Region::Apply(function, inner) => {
                self.put("`(");
                self.name(&types.type_fns[*function].name);
                self.region(*inner);
                self.put(")");
            }
            Region::Infer(_) | Region::Error => self.put("?"),
        }
    }

    /// Members in the order of their spellings: that of their numbers in this unit says nothing.
    fn effect(&mut self, effect: EffectId) {
        let types = self.types;
        let mut members = Vec::new();
        for item in &types.get_effect(effect).items {
            let outer = std::mem::take(&mut self.out);
            match *item {
                EffectItem::Region(region) => self.region(region),
                EffectItem::RegionsOf(ty) => {
                    self.put("r");
                    self.ty(ty);
                }
                EffectItem::Var(var) => self.var(var),
                EffectItem::Infer(_) => self.put("?"),
            }
            members.push(std::mem::replace(&mut self.out, outer));
        }
        members.sort();
        self.put(format_args!("{{{}}}", members.join("+")));
    }

    fn size(&mut self, size: SizeId) {
        let types = self.types;
        match *types.get_size(size) {
            Size::Const(n) => self.put(format_args!("{n};")),
            Size::Var(var) => self.var(var),
            Size::Add(a, b) => self.sizes("+", a, b),
            Size::Mul(a, b) => self.sizes("*", a, b),
            Size::Infer(_) | Size::Error => self.put("?"),
        }
    }

    fn sizes(&mut self, op: &str, a: SizeId, b: SizeId) {
        self.put(op);
        self.size(a);
        self.size(b);
    }

    fn var(&mut self, var: TyVarId) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(var).or_insert(next);
        let var = &self.types.vars[var];
        let owned = if var.unique { "U" } else { "" };
        self.put(format_args!("`{number}{owned}{:?};", var.kind));
    }
}
