//! Structs, unions and enumerations.

use crate::checker::Checker;
use crate::constant::int_range;
use crate::convert::Elision;
use crate::names::QualName;
use crate::scope::{Entry, Tag, ValueDef};
use crate::ty::{
    ArrayLen, DatatypeId, Effect, EffectItem, EnumDef, EnumId, FieldDef, IntTy, Kind, QualType,
    RecordDef, RecordId, RecordSort, TyVar, TyVarId, TyVarOrigin, Type, TypeId,
};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{
    DeclKind, EnumSpec, Enumerator, Field, FieldDecl, Member, QName, RecordBody, RecordKind,
    RecordSpec, TypeArg,
};

impl Checker<'_> {
    /// `struct S<…>`, with or without its definition.
    pub(crate) fn record_spec_type(&mut self, spec: &RecordSpec, elision: Elision) -> TypeId {
        if let Some(body) = &spec.body {
            let id = self.define_record(spec, body);
            let params = self.types.records[id].params.clone();
            let args = params.iter().map(|&var| self.var_arg(var)).collect();
            return self.types.intern(Type::Record(id, args));
        }
        let Some(name) = &spec.name else { return self.basics.error };
        let id = match self.scopes.find_tag_qualified(name) {
            Some((Tag::Record(id), declared)) => {
                if self.types.records[id].sort != sort_of(spec) && !self.matches_tag(id, spec) {
                    return self.wrong_tag(name, declared);
                }
                id
            }
            Some((_, declared)) => return self.wrong_tag(name, declared),
            None => self.declare_record(spec),
        };
        let params = self.types.records[id].params.clone();
        let args =
            self.generic_args(&params, &spec.args, elision, name.name.name.as_str(), spec.span);
        self.types.intern(Type::Record(id, args))
    }

    /// `union U` may name a tagged union: the word is left out at mentions.
    fn matches_tag(&self, id: RecordId, spec: &RecordSpec) -> bool {
        self.types.records[id].sort == RecordSort::TaggedUnion && spec.kind == RecordKind::Union
    }

    fn wrong_tag(&mut self, name: &QName, declared: Span) -> TypeId {
        let text = format!("`{name}` is declared as another kind of type");
        let error = Diagnostic::error("E0209", text, name.span);
        self.type_error(error.secondary(declared, "declared here"))
    }

    /// `struct S;`, or the first mention of it.
    pub(super) fn declare_record(&mut self, spec: &RecordSpec) -> RecordId {
        self.scopes.push_types();
        let params = self.tag_params_of(&spec.args, true);
        for var in &params {
            self.convert.unfixed.remove(var);
        }
        self.scopes.pop();
        self.new_record(spec, params)
    }

    /// The variables that stand between `<` and `>` of a declaration. A mention that declares has its arguments' kinds,
    /// and may have arguments that are no variables.
    pub(super) fn tag_params_of(&mut self, args: &[TypeArg], is_mention: bool) -> Vec<TyVarId> {
        let mut params = Vec::with_capacity(args.len());
        for arg in args {
            let Some(var) = arg.as_param() else {
                if is_mention {
                    params.push(self.nameless_param(arg.span));
                } else if self.sink.has_errors().is_none() {
                    let text = "the parameters of a declaration are type variables";
                    self.type_error(Diagnostic::error("E0205", text, arg.span));
                }
                continue;
            };
            let outer = match var.name.as_str() {
                "H" | "D" => Some((Kind::Region, false)),
                "U" | "RC" => Some((Kind::UniqueRegion, false)),
                _ => (self.scopes.find_type_var(var.name))
                    .map(|var| (self.types.vars[var].kind, self.types.vars[var].unique)),
            };
            let id = self.bind_var(var, TyVarOrigin::TypeParam);
            if let (Some((kind, unique)), true) = (outer, self.convert.unfixed.contains(&id)) {
                self.fix_kind(id, kind, arg.span);
                self.types.vars[id].unique = unique;
            }
            params.push(id);
        }
        params
    }

    fn nameless_param(&mut self, span: Span) -> TyVarId {
        let (kind, origin) = (Kind::Boxed, TyVarOrigin::TypeParam);
        self.types.vars.push(TyVar { name: None, kind, unique: false, origin, span })
    }

    fn new_record(&mut self, spec: &RecordSpec, params: Vec<TyVarId>) -> RecordId {
        let name = spec.name.as_ref().map(|name| self.tag_name(name));
        let not_c = match spec.body {
            None => self.attributes(&[&spec.attributes]).not_c,
            Some(_) => None,
        };
        let id = self.types.records.push(RecordDef {
            name,
            sort: sort_of(spec),
            params,
            extern_c: self.decls.extern_c || self.convert.c_header,
            fields: None,
            is_abstract: spec.is_abstract,
            existentials: Vec::new(),
            bounds: Vec::new(),
            packed: false,
            align: None,
            not_c,
            span: spec.name.as_ref().map_or(spec.span, |name| name.span),
        });
        if let Some(name) = &spec.name {
            self.declare_tag_name(name, Tag::Record(id));
        }
        id
    }

    /// The full name of a declared tag. In a block it is its own.
    pub(super) fn tag_name(&self, name: &QName) -> QualName {
        match self.scopes.qualifier_of(name) {
            Some(ns) => QualName { path: self.scopes.path_of(ns).to_vec(), name: name.name.name },
            None => self.scopes.qualify(name.name.name),
        }
    }

    pub(super) fn declare_tag_name(&mut self, name: &QName, tag: Tag) {
        if name.as_ident().is_some() {
            self.scopes.declare_tag(name.name.name, tag, name.span);
        } else if let Some(ns) = self.scopes.qualifier_of(name) {
            self.scopes.declare_tag_at(ns, name.name.name, tag, name.span);
        } else {
            self.unknown_namespace(name);
        }
    }

    pub(super) fn unknown_namespace(&mut self, name: &QName) {
        let text = format!("there is no namespace for `{name}`");
        self.type_error(Diagnostic::error("E0211", text, name.span));
    }

    /// The tag that the innermost scope itself declares under a name.
    pub(super) fn own_tag(&self, name: &QName) -> Option<(Tag, Span)> {
        if name.as_ident().is_some() {
            self.scopes.tag_declared_here(name.name.name)
        } else {
            self.scopes.find_tag_qualified(name)
        }
    }

    fn define_record(&mut self, spec: &RecordSpec, body: &RecordBody) -> RecordId {
        let binders = std::mem::take(&mut self.convert.binders);
        let known = spec.name.as_ref().and_then(|name| self.own_tag(name));
        self.scopes.push_types();
        let params = self.tag_params_of(&spec.args, false);
        let id = match known {
            Some((Tag::Record(id), declared)) if self.can_complete(id, spec, params.len()) => {
                if let Some(name) = &spec.name {
                    self.require_completed_where_declared(name, declared);
                }
                let old = self.types.records[id].params.clone();
                self.keep_kinds(&old, &params);
                self.types.records[id].params = params.clone();
                id
            }
            Some((_, declared)) => {
                if let (Some(name), false) = (&spec.name, self.convert.c_header) {
                    self.conflicting(name.span, name.name.name, declared, "E0209");
                }
                self.new_record(spec, params.clone())
            }
            None => self.new_record(spec, params.clone()),
        };
        self.kinds_in_record(&params, body);
        let existentials = self.bind_vars(&body.exists, TyVarOrigin::Existential);
        self.kinds_in_record(&existentials, body);
        self.convert.defining.push(Tag::Record(id));
        let mut fields = self.record_fields(id, body);
        self.convert.defining.pop();
        let bounds = self.existential_bounds(&existentials, &body.exists_bounds);
        for var in params.iter().chain(&existentials) {
            self.convert.unfixed.remove(var);
        }
        let bound: Vec<TyVarId> = params.iter().chain(&existentials).copied().collect();
        for field in &fields {
            self.require_closed(field.ty.ty, &bound, field.span);
        }
        self.scopes.pop();
        let attributes = self.record_attributes(&spec.attributes);
        let packed = self.packed_by_pragma(&mut fields, spec.span);
        let def = &mut self.types.records[id];
        def.sort = sort_of(spec);
        def.fields = Some(fields);
        def.existentials = existentials;
        def.bounds = bounds;
        def.packed = attributes.packed || packed;
        def.align = attributes.align;
        def.not_c = attributes.not_c.or(def.not_c);
        def.span = spec.name.as_ref().map_or(spec.span, |name| name.span);
        let args = params.iter().map(|&var| self.var_arg(var)).collect();
        let ty = self.types.intern(Type::Record(id, args));
        self.bound_record(id, ty, self.types.records[id].span);
        self.require_aligned_pointers(id);
        self.reserve_keys(id);
        self.convert.binders = binders;
        id
    }

    /// A definition mentions only its own variables: those of a function around it would be other types each time.
    pub(super) fn require_closed(&mut self, ty: TypeId, bound: &[TyVarId], span: Span) {
        if let Some(var) = self.types.free_var(ty, bound) {
            let name = self.show_var(var);
            let text = format!("the definition uses {name}, which is not its own variable");
            let error = Diagnostic::error("E0205", text, span)
                .secondary(self.types.vars[var].span, "bound here")
                .help("make it a parameter of the type, between `<` and `>`");
            self.type_error(error);
        }
    }

    /// The bounds on existential variables. As a field's region is the heap unless it says otherwise, so are the
    /// regions of a hidden type of which no bound speaks: without one, its value could not be handed to anybody.
    pub(super) fn existential_bounds(
        &mut self,
        vars: &[TyVarId],
        bounds: &[tenure_syntax::tree::Bound],
    ) -> Vec<(crate::ty::EffectId, crate::ty::RegionId)> {
        let mut out = self.convert_bounds_list(bounds);
        for &var in vars {
            if !matches!(self.types.vars[var].kind, Kind::Boxed | Kind::Any) {
                continue;
            }
            let item = EffectItem::RegionsOf(self.types.intern(Type::Var(var)));
            let bounded =
                out.iter().any(|bound| self.types.get_effect(bound.0).items.contains(&item));
            if !bounded {
                let set = self.types.effect(Effect { items: vec![item] });
                out.push((set, self.basics.heap));
            }
        }
        out
    }

    fn can_complete(&self, id: RecordId, spec: &RecordSpec, params: usize) -> bool {
        let def = &self.types.records[id];
        let same_sort = def.sort == sort_of(spec)
            || def.sort == RecordSort::Union && spec.kind == RecordKind::Union;
        let is_open = self.convert.defining.contains(&Tag::Record(id));
        def.fields.is_none() && !is_open && same_sort && def.params.len() == params
    }

    /// Kinds that an earlier declaration gave hold for the definition.
    pub(super) fn keep_kinds(&mut self, old: &[TyVarId], params: &[TyVarId]) {
        for (&old, &new) in old.iter().zip(params) {
            let kind = self.types.vars[old].kind;
            if !matches!(kind, Kind::Boxed) || !self.convert.unfixed.contains(&new) {
                let span = self.types.vars[new].span;
                self.fix_kind(new, kind, span);
            }
        }
    }

    fn record_fields(&mut self, id: RecordId, body: &RecordBody) -> Vec<FieldDef> {
        let mut fields: Vec<FieldDef> = Vec::with_capacity(body.members.len());
        let mut names = tenure_span::FastMap::default();
        let last = body.members.len().saturating_sub(1);
        for (index, member) in body.members.iter().enumerate() {
            match member {
                Member::Field(decl) => {
                    let in_struct = self.types.records[id].sort == RecordSort::Struct;
                    self.field_decl(decl, index == last, in_struct, &mut fields, &mut names);
                }
                Member::Assert(decl) => {
                    if let DeclKind::StaticAssert(e, text) = &decl.kind {
                        self.static_assert(e, text.as_ref(), decl.span);
                    }
                }
            }
        }
        fields
    }

    fn field_decl(
        &mut self,
        decl: &FieldDecl,
        is_last: bool,
        in_struct: bool,
        fields: &mut Vec<FieldDef>,
        names: &mut tenure_span::FastMap<Symbol, Span>,
    ) {
        let base = super::file::defines_type(&decl.specs.base)
            .then(|| self.base_type(&decl.specs, Elision::Heap));
        if decl.fields.is_empty() {
            let ty = base.unwrap_or_else(|| self.base_type(&decl.specs, Elision::Heap));
            if !matches!(self.kind(ty.ty), Type::Record(..) | Type::Error | Type::Enum(_)) {
                let text = "this member has no name";
                self.type_error(Diagnostic::error("E0227", text, decl.span));
            }
            let ty = self.object_type(ty, false, decl.span);
            if matches!(self.kind(ty.ty), Type::Record(..)) {
                let field = FieldDef { name: None, ty, bits: None, align: None, span: decl.span };
                fields.push(field);
            }
            return;
        }
        let align = self.alignas(&decl.specs.alignas);
        let flexible = is_last && in_struct;
        for field in &decl.fields {
            let field = self.field(decl, field, base, flexible, (align, in_struct));
            if let Some(name) = field.name {
                if let Some(first) = names.insert(name, field.span) {
                    self.conflicting(field.span, name, first, "E0228");
                }
            }
            fields.push(field);
        }
    }

    fn field(
        &mut self,
        decl: &FieldDecl,
        field: &Field,
        base: Option<QualType>,
        flexible: bool,
        (align, in_struct): (Option<u32>, bool),
    ) -> FieldDef {
        let declarator = &field.declarator;
        let span = declarator.name.as_ref().map_or(declarator.span, |name| name.span);
        let ty = self.declared_type(&decl.specs, base, &declarator.parts, Elision::Heap);
        let ty = match self.kind(ty.ty) {
            Type::Var(var) if self.types.vars[*var].kind == Kind::Any => {
                let text = format!("a `{}` lives only behind a pointer", self.show_type(ty.ty));
                QualType::plain(self.type_error(Diagnostic::error("E0210", text, span)))
            }
            Type::Datatype(id, _) if in_struct => {
                let id = *id;
                self.embedded_datatype(ty, id, span)
            }
            _ => self.object_type(ty, flexible, span),
        };
        let bits = field.width.as_ref().and_then(|width| self.bit_field_width(ty.ty, width, span));
        let attributes = self.attributes(&[&declarator.attributes, &decl.specs.attributes]);
        let ty = match attributes.packed && bits.is_none() {
            true => QualType { ty: self.packed_member(ty.ty, span), ..ty },
            false => ty,
        };
        let name = declarator.name.as_ref().map(|name| name.name.name);
        FieldDef { name, ty, bits, align: align.max(attributes.align), span }
    }

    /// A datatype's object as a member (papers/001, figure 4). It takes the room of the largest constructor. It never
    /// changes, because pointers to what a constructor holds may be there; so the whole lives only behind a pointer.
    fn embedded_datatype(&mut self, ty: QualType, id: DatatypeId, span: Span) -> QualType {
        let def = &self.types.datatypes[id];
        let shown = self.show_type(ty.ty);
        let problem = match &def.variants {
            _ if def.extensible => {
                Some(format!("a `{shown}` lives only behind a pointer: it has no last constructor"))
            }
            None => Some(format!("`{shown}` is not defined yet, so its size is not known")),
            _ if def.has_immediates() => Some(format!(
                "a `{shown}` lives only behind a pointer: it has immediate constructors"
            )),
            Some(variants) => variants
                .iter()
                .flat_map(|variant| &variant.args)
                .any(|arg| self.types.owned(arg.ty).is_some())
                .then(|| format!("a `{shown}` lives only behind a pointer: it owns something")),
        };
        match problem {
            Some(text) => QualType::plain(self.type_error(Diagnostic::error("E0210", text, span))),
            None => ty,
        }
    }

    /// An object's type is complete and of known size. What is not is reported, and becomes an error.
    pub(super) fn object_type(&mut self, ty: QualType, flexible: bool, span: Span) -> QualType {
        let problem = match self.kind(ty.ty) {
            Type::Void => Some("`void` is not the type of an object".to_string()),
            Type::Function(_) => Some("a function is no object: a pointer to it is".to_string()),
            Type::Array { len: ArrayLen::Incomplete, .. } if !flexible => {
                Some("the array's length is missing".to_string())
            }
            Type::Array { elem, .. } => {
                let elem = *elem;
                if let Some(error) = self.variable_array(ty.ty, span) {
                    return QualType { ty: error, quals: ty.quals };
                }
                let checked = self.object_type(elem, false, span);
                return if self.is_error(checked.ty) {
                    checked
                } else {
                    self.bounded_object(ty, span)
                };
            }
            Type::Record(id, _) if self.types.records[*id].fields.is_none() => Some(format!(
                "`{}` is not defined yet, so its size is not known",
                self.show_type(ty.ty)
            )),
            Type::Record(id, _) if self.types.embeds_datatype(*id) => {
                Some(format!("a `{}` lives only behind a pointer", self.show_type(ty.ty)))
            }
            Type::Datatype(..) => {
                Some(format!("a `{}` lives only behind a pointer", self.show_type(ty.ty)))
            }
            // In a body, `a is a type of its own size: a copy of the function is made for it.
            Type::Var(var) if self.types.vars[*var].kind == Kind::Any && self.fx.func.is_none() => {
                Some(format!("a `{}` lives only behind a pointer", self.show_type(ty.ty)))
            }
            Type::VaList if !self.decls.extern_c && !self.convert.c_header => {
                Some("a `va_list` says nothing of the types of its arguments".to_string())
            }
            _ => None,
        };
        match problem {
            Some(text) => {
                let error = Diagnostic::error("E0210", text, span);
                QualType { ty: self.type_error(error), quals: ty.quals }
            }
            None => self.bounded_object(ty, span),
        }
    }

    pub(super) fn bit_field_width(
        &mut self,
        ty: TypeId,
        width: &tenure_syntax::tree::Expr,
        span: Span,
    ) -> Option<u32> {
        let value = self.eval_int_constant(width).ok()?;
        // Cut to some bits it would be another integer than the one that its type says.
        if let Type::Tag(..) = self.kind(ty) {
            let text =
                format!("a `{}` is no bit-field: it is one integer, whole", self.show_type(ty));
            self.type_error(Diagnostic::error("E0229", text, span));
            return None;
        }
        let Some(int) = self.integer_of(ty) else {
            if !self.is_error(ty) {
                let text = format!("a bit-field is an integer, found `{}`", self.show_type(ty));
                self.type_error(Diagnostic::error("E0229", text, span));
            }
            return None;
        };
        let limit = if int == IntTy::Bool { 1 } else { int.bits() };
        match u32::try_from(value) {
            Ok(width) if width <= limit => Some(width),
            _ => {
                let text = format!("a bit-field of this type has at most {limit} bits");
                self.type_error(Diagnostic::error("E0229", text, width.span));
                None
            }
        }
    }

    /// `enum E`, with or without its definition.
    pub(crate) fn enum_spec_type(&mut self, spec: &EnumSpec) -> TypeId {
        let id = match (&spec.name, &spec.body) {
            (_, Some(body)) => {
                self.enum_attributes(&spec.attributes);
                self.define_enum(spec, body)
            }
            (Some(name), None) => match self.scopes.find_tag_qualified(name) {
                Some((Tag::Enum(id), _)) => id,
                Some((_, declared)) => return self.wrong_tag(name, declared),
                None => self.new_enum(spec),
            },
            (None, None) => return self.basics.error,
        };
        self.types.intern(Type::Enum(id))
    }

    fn new_enum(&mut self, spec: &EnumSpec) -> EnumId {
        let name = spec.name.as_ref().map(|name| self.tag_name(name));
        let span = spec.name.as_ref().map_or(spec.span, |name| name.span);
        let def = EnumDef { name, underlying: IntTy::UInt, constants: None, span };
        let id = self.types.enums.push(def);
        if let Some(name) = &spec.name {
            self.declare_tag_name(name, Tag::Enum(id));
        }
        id
    }

    fn define_enum(&mut self, spec: &EnumSpec, body: &[Enumerator]) -> EnumId {
        let known = spec.name.as_ref().and_then(|name| self.own_tag(name));
        let id = match (known, &spec.name) {
            (Some((Tag::Enum(id), _)), _) if self.types.enums[id].constants.is_none() => id,
            (Some((_, declared)), Some(name)) => {
                if !self.convert.c_header {
                    self.conflicting(name.span, name.name.name, declared, "E0209");
                }
                self.new_enum(spec)
            }
            _ => self.new_enum(spec),
        };
        let mut constants = Vec::with_capacity(body.len());
        let mut next = 0i128;
        for enumerator in body {
            if let Some(value) = &enumerator.value {
                next = self.eval_int_constant(value).unwrap_or(next);
            }
            let name = enumerator.name;
            self.declare_enumerator(name.name, next, name.span);
            constants.push((self.scopes.qualify(name.name), next, name.span));
            next += 1;
        }
        let underlying = underlying_type(constants.iter().map(|constant| constant.1));
        if underlying.is_none() {
            let text = "no integer type holds all values of this enumeration";
            self.type_error(Diagnostic::error("E0233", text, spec.span));
        }
        let def = &mut self.types.enums[id];
        def.underlying = underlying.unwrap_or(IntTy::Long);
        def.constants = Some(constants);
        id
    }

    fn declare_enumerator(&mut self, name: Symbol, value: i128, span: Span) {
        if let Some((old, declared)) = self.scopes.declared_here(name) {
            if old != Entry::Error && !self.convert.c_header {
                self.conflicting(span, name, declared, "E0208");
            }
        }
        // C11 6.7.2.2p3: an enumerator is an int; a larger one has a larger type (GNU).
        let (min, max) = int_range(IntTy::Int);
        let ty = match value {
            value if (min..=max).contains(&value) => self.basics.int,
            value if value > 0 && value <= int_range(IntTy::UInt).1 => self.basics.uint,
            value if value > int_range(IntTy::Long).1 => self.basics.ulong,
            _ => self.basics.long,
        };
        let entry = Entry::Value(ValueDef::EnumConst(value, ty));
        self.scopes.declare(name, entry, span);
    }
}

fn sort_of(spec: &RecordSpec) -> RecordSort {
    match (spec.kind, spec.tagged) {
        (RecordKind::Struct, _) => RecordSort::Struct,
        (RecordKind::Union, false) => RecordSort::Union,
        (RecordKind::Union, true) => RecordSort::TaggedUnion,
    }
}

/// gcc's choice: unsigned unless a value is negative, int's size unless a value is larger.
fn underlying_type(values: impl Iterator<Item = i128>) -> Option<IntTy> {
    let (min, max) = values.fold((0, 0), |(min, max), value| (value.min(min), value.max(max)));
    let fits = |int| {
        let (low, high) = int_range(int);
        low <= min && max <= high
    };
    [IntTy::UInt, IntTy::Int, IntTy::ULong, IntTy::Long].into_iter().find(|&int| fits(int))
}
