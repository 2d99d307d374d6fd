//! Datatypes and their constructors.

use crate::checker::Checker;
use crate::convert::Elision;
use crate::scope::{Entry, Tag, ValueDef};
use crate::ty::{
    number_immediates, DatatypeDef, DatatypeId, FloatTy, Immediate, IntTy, QualType, TyVarId,
    TyVarOrigin, Type, TypeId, VariantDef, IMMEDIATE_BITS, MOST_WITH_ARGUMENTS,
};
use tenure_span::Diagnostic;
use tenure_syntax::tree::{self, DatatypeSpec, QName, Storage};

impl Checker<'_> {
    /// `datatype T<…>`, `datatype T.A`, with or without the declaration of constructors.
    pub(crate) fn datatype_spec_type(&mut self, spec: &DatatypeSpec, elision: Elision) -> TypeId {
        let id = match &spec.body {
            Some(body) => match self.define_datatype(spec, body) {
                Some(id) => id,
                None => return self.basics.error,
            },
            None => match self.scopes.find_tag_qualified(&spec.name) {
                Some((Tag::Datatype(id), _)) => id,
                Some((_, declared)) => {
                    let text = format!("`{}` is not a datatype", spec.name);
                    let error = Diagnostic::error("E0209", text, spec.name.span);
                    return self.type_error(error.secondary(declared, "declared here"));
                }
                None => self.declare_datatype(spec),
            },
        };
        let params = self.types.datatypes[id].params.clone();
        let args = if spec.body.is_some() {
            params.iter().map(|&var| self.var_arg(var)).collect()
        } else {
            let name = spec.name.name.name.as_str();
            self.generic_args(&params, &spec.args, elision, name, spec.span)
        };
        match &spec.variant {
            None => self.types.intern(Type::Datatype(id, args)),
            Some(name) => match self.variant_named(id, name) {
                Some(variant) if self.types.datatypes[id].immediate(variant).is_some() => {
                    let text = format!("`{name}` is immediate: there are no objects of it");
                    self.type_error(Diagnostic::error("E0616", text, name.span))
                }
                Some(variant) => self.types.intern(Type::Variant(id, variant, args)),
                None => {
                    let text = format!("`{}` has no constructor `{name}`", spec.name);
                    self.type_error(Diagnostic::error("E0601", text, name.span))
                }
            },
        }
    }

    fn variant_named(&self, id: DatatypeId, name: &QName) -> Option<u32> {
        if let Some(ValueDef::Variant(found, variant)) = self.find_value(name) {
            if found == id {
                return Some(variant);
            }
        }
        let variants = self.types.datatypes[id].variants.as_ref()?;
        let index = variants.iter().position(|variant| variant.name.name == name.name.name)?;
        Some(index as u32)
    }

    pub(super) fn declare_datatype(&mut self, spec: &DatatypeSpec) -> DatatypeId {
        self.scopes.push_types();
        let params = self.tag_params_of(&spec.args, true);
        for var in &params {
            self.convert.unfixed.remove(var);
        }
        self.scopes.pop();
        self.new_datatype(spec, params)
    }

    fn new_datatype(&mut self, spec: &DatatypeSpec, params: Vec<TyVarId>) -> DatatypeId {
        let id = self.types.datatypes.push(DatatypeDef {
            name: self.tag_name(&spec.name),
            params,
            extensible: spec.extensible,
            variants: spec.extensible.then(Vec::new),
            span: spec.name.span,
        });
        self.declare_tag_name(&spec.name, Tag::Datatype(id));
        id
    }

    fn define_datatype(
        &mut self,
        spec: &DatatypeSpec,
        body: &[tree::Variant],
    ) -> Option<DatatypeId> {
        let binders = std::mem::take(&mut self.convert.binders);
        // New constructors of an extensible datatype may come from any namespace that sees it, and need not say again
        // what it is.
        let seen = self.scopes.find_tag_qualified(&spec.name);
        let extensible = spec.extensible
            || matches!(seen, Some((Tag::Datatype(id), _)) if self.types.datatypes[id].extensible);
        let known = match extensible {
            true => seen,
            false => self.own_tag(&spec.name),
        };
        self.scopes.push_types();
        let params = self.tag_params_of(&spec.args, false);
        let id = match known {
            Some((Tag::Datatype(id), declared)) => {
                let def = &self.types.datatypes[id];
                let extends = extensible && def.extensible;
                let is_open = self.convert.defining.contains(&Tag::Datatype(id));
                let is_defined = !extends && def.variants.is_some();
                if is_open || is_defined || def.params.len() != params.len() {
                    self.conflicting(spec.name.span, spec.name.name.name, declared, "E0209");
                    self.scopes.pop();
                    self.convert.binders = binders;
                    return None;
                }
                let old = self.types.datatypes[id].params.clone();
                self.keep_kinds(&old, &params);
                self.types.datatypes[id].params = params.clone();
                id
            }
            Some((_, declared)) if !extensible => {
                self.conflicting(spec.name.span, spec.name.name.name, declared, "E0209");
                self.new_datatype(spec, params.clone())
            }
            _ => self.new_datatype(spec, params.clone()),
        };
        self.kinds_in_datatype(&params, spec);
        let first = match extensible {
            true => self.types.datatypes[id].variants.as_ref().map_or(0, Vec::len),
            false => 0,
        };
        self.convert.defining.push(Tag::Datatype(id));
        let mut variants: Vec<VariantDef> =
            body.iter().map(|variant| self.variant(variant, &params)).collect();
        if extensible {
            self.no_immediates(&mut variants);
        }
        self.convert.defining.pop();
        for var in &params {
            self.convert.unfixed.remove(var);
        }
        self.scopes.pop();
        self.add_variants(id, first, variants);
        self.convert.binders = binders;
        Some(id)
    }

    fn variant(&mut self, variant: &tree::Variant, params: &[TyVarId]) -> VariantDef {
        self.scopes.push_types();
        let existentials = self.bind_vars(&variant.exists, TyVarOrigin::Existential);
        let mut args: Vec<QualType> = Vec::new();
        for field in variant.fields.iter().flatten() {
            let ty = self.constructor_param(&field.param, Elision::Heap);
            args.push(self.object_type(ty, false, field.param.span));
        }
        let immediate = self.immediate(variant, &args);
        let mut bound = params.to_vec();
        bound.extend(&existentials);
        for arg in &args {
            self.require_closed(arg.ty, &bound, variant.span);
        }
        let bounds = self.existential_bounds(&existentials, &variant.exists_bounds);
        for var in &existentials {
            self.convert.unfixed.remove(var);
        }
        self.scopes.pop();
        VariantDef {
            name: self.tag_name(&variant.name),
            existentials,
            bounds,
            args,
            immediate,
            is_extern: matches!(variant.storage, Some((Storage::Extern, _))),
            span: variant.name.span,
        }
    }

    /// How the arguments of an `@immediate` constructor lie in a word; the low bits are given when all constructors are
    /// known.
    fn immediate(&mut self, variant: &tree::Variant, args: &[QualType]) -> Option<Immediate> {
        let fields = variant.fields.as_deref().unwrap_or_default();
        let Some(span) = variant.immediate else {
            if let Some(width) = fields.iter().find_map(|field| field.width.as_ref()) {
                let text = "only the arguments of an `@immediate` constructor have widths";
                self.error(Diagnostic::error("E0615", text, width.span));
            }
            return None;
        };
        if !variant.exists.is_empty() || variant.storage.is_some() {
            let text = "an `@immediate` constructor is neither `extern` nor hides a type";
            self.error(Diagnostic::error("E0615", text, span));
            return None;
        }
        let mut widths = Vec::with_capacity(args.len());
        for (field, arg) in fields.iter().zip(args) {
            widths.push(self.immediate_width(arg.ty, field)?);
        }
        let bits: u32 = widths.iter().sum();
        if bits > IMMEDIATE_BITS {
            let text = format!(
                "an `@immediate` constructor holds {IMMEDIATE_BITS} bits, these are {bits}"
            );
            let error = Diagnostic::error("E0615", text, variant.span)
                .help("say how many bits are kept, as of a bit-field: `long : 61`");
            self.error(error);
            return None;
        }
        Some(Immediate { word: 0, widths })
    }

    /// The tag of an extensible datatype's constructor is an address, and nobody knows how many there are.
    fn no_immediates(&mut self, variants: &mut [VariantDef]) {
        for variant in variants.iter_mut().filter(|variant| variant.immediate.is_some()) {
            variant.immediate = None;
            let text = "a constructor of an extensible datatype is not immediate";
            self.error(Diagnostic::error("E0615", text, variant.span));
        }
    }

    fn immediate_width(&mut self, ty: TypeId, field: &tree::VariantField) -> Option<u32> {
        if let Some(width) = &field.width {
            let bits = self.bit_field_width(ty, width, field.param.span)?;
            if bits == 0 {
                let text = "an argument of no bits holds nothing";
                self.error(Diagnostic::error("E0615", text, width.span));
                return None;
            }
            return Some(bits);
        }
        match self.kind(ty) {
            Type::Error => None,
            Type::Int(IntTy::Bool) => Some(1),
            Type::Int(int) => Some(int.bits()),
            Type::Enum(id) => Some(self.types.enums[*id].underlying.bits()),
            Type::Float(FloatTy::F32) => Some(32),
            _ => {
                let shown = self.show_type(ty);
                let text =
                    format!("a `{shown}` does not fit the word of an `@immediate` constructor");
                let error = Diagnostic::error("E0615", text, field.param.span)
                    .help("it holds integers, enumerations and `float`");
                self.error(error);
                None
            }
        }
    }

    /// Adds constructors to a datatype and to the scope. One that was `extern` so far may be defined.
    fn add_variants(&mut self, id: DatatypeId, first: usize, variants: Vec<VariantDef>) {
        let mut all = self.types.datatypes[id].variants.take().unwrap_or_default();
        if first == 0 && !self.types.datatypes[id].extensible {
            all.clear();
        }
        for variant in variants {
            let old = all.iter().position(|old| old.name == variant.name);
            let (name, span) = (variant.name.name, variant.span);
            let index = match old {
                Some(index) => {
                    let both = !all[index].is_extern && !variant.is_extern;
                    if both {
                        self.conflicting(span, name, all[index].span, "E0602");
                    } else if !variant.is_extern {
                        all[index] = variant;
                    }
                    index
                }
                None => {
                    all.push(variant);
                    all.len() - 1
                }
            };
            let entry = Entry::Value(ValueDef::Variant(id, index as u32));
            self.scopes.declare(name, entry, span);
        }
        if let Err(index) = number_immediates(&mut all) {
            let text = format!(
                "a datatype has at most {MOST_WITH_ARGUMENTS} immediate constructors with arguments"
            );
            self.error(Diagnostic::error("E0615", text, all[index].span));
            all.iter_mut().for_each(|variant| variant.immediate = None);
        }
        self.types.datatypes[id].variants = Some(all);
    }
}
