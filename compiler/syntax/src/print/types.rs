use super::Printer;
use crate::tree::{
    AliasName, AliasQual, AlignAs, Arith, ArrayPart, ArraySize, Attribute, BaseType, Bound,
    BoundOp, Contract, ContractKind, DatatypeSpec, Declarator, Effect, EffectMemberKind, EnumSpec,
    FieldDecl, FloatN, FunctionPart, Kind, Member, Param, ParamStyle, Part, PointerPart,
    PointerQualKind, QName, Quals, RecordKind, RecordSpec, Sigil, Specifiers, Storage, TypeArg,
    TypeArgKind, TypeName, TypeParam, TypeVar, Variant, VariantField,
};

impl Printer {
    pub(super) fn qname(&mut self, name: &QName) {
        self.word(&name.to_string());
    }

    pub(super) fn specifiers(&mut self, specs: &Specifiers) {
        let flags = [
            (specs.extension, "__extension__ "),
            (specs.thread_local.is_some(), "_Thread_local "),
            (specs.inline.is_some(), "inline "),
            (specs.noreturn.is_some(), "_Noreturn "),
        ];
        if let Some((storage, _)) = specs.storage {
            self.storage(storage);
        }
        for (_, word) in flags.into_iter().filter(|(set, _)| *set) {
            self.word(word);
        }
        for align in &specs.alignas {
            self.word("_Alignas(");
            match align {
                AlignAs::Type(ty) => self.type_name(ty),
                AlignAs::Expr(expr) => self.expr(expr),
            }
            self.word(") ");
        }
        self.attributes(&specs.attributes);
        self.quals(&specs.quals);
        self.base_type(&specs.base);
    }

    fn storage(&mut self, storage: Storage) {
        self.word(match storage {
            Storage::Typedef => "typedef ",
            Storage::Extern => "extern ",
            Storage::Static => "static ",
            Storage::Auto => "auto ",
            Storage::Register => "register ",
        });
    }

    fn quals(&mut self, quals: &Quals) {
        let all = [
            (quals.constant, "const "),
            (quals.volatile, "volatile "),
            (quals.restrict, "restrict "),
            (quals.atomic, "_Atomic "),
        ];
        for (_, word) in all.into_iter().filter(|(span, _)| span.is_some()) {
            self.word(word);
        }
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.word("__attribute__((");
            self.word(attribute.name.name.as_str());
            if !attribute.args.is_empty() {
                self.word("(");
                self.list(&attribute.args, ", ", Printer::expr);
                self.word(")");
            }
            self.word(")) ");
        }
    }

    fn base_type(&mut self, base: &BaseType) {
        match base {
            BaseType::Void => self.word("void"),
            BaseType::Arith(arith) => self.word(arith_text(*arith)),
            BaseType::Named(name, args) => {
                self.qname(name);
                self.type_args(args);
            }
            BaseType::Record(record) => self.record(record),
            BaseType::Enum(spec) => self.enumeration(spec),
            BaseType::Datatype(datatype) => self.datatype(datatype),
            BaseType::TypeofExpr(expr) => self.wrapped("typeof(", |p| p.expr(expr)),
            BaseType::TypeofType(ty) => self.wrapped("typeof(", |p| p.type_name(ty)),
            BaseType::Var(var) => self.type_var(var),
            BaseType::Wildcard(kind) => {
                self.word("_");
                self.kind(kind.as_ref());
            }
            BaseType::Tuple(fields) => self.wrapped("$(", |p| p.list(fields, ", ", Printer::param)),
            BaseType::RegionHandle(arg) => self.singleton("region_t", Some(arg)),
            BaseType::Tag(Some(arg), Some(int)) => {
                self.word("tag_t<");
                self.type_arg(arg);
                self.word(", ");
                self.type_name(int);
                self.word(">");
            }
            BaseType::Tag(arg, _) => self.singleton("tag_t", arg.as_deref()),
            BaseType::AliasQualType(arg) => self.singleton("aqual_t", Some(arg)),
            BaseType::ValueOf(expr) => self.wrapped("valueof_t(", |p| p.expr(expr)),
            BaseType::Atomic(ty) => self.wrapped("_Atomic(", |p| p.type_name(ty)),
            BaseType::VaList => self.word("__builtin_va_list"),
            BaseType::Auto => self.word("__auto_type"),
            BaseType::Missing | BaseType::Error => {}
        }
    }

    fn wrapped(&mut self, open: &str, inner: impl FnOnce(&mut Self)) {
        self.word(open);
        inner(self);
        self.word(")");
    }

    fn singleton(&mut self, word: &str, arg: Option<&TypeArg>) {
        self.word(word);
        if let Some(arg) = arg {
            self.word("<");
            self.type_arg(arg);
            self.word(">");
        }
    }

    pub(super) fn type_var(&mut self, var: &TypeVar) {
        self.word("`");
        self.word(var.name.as_str());
        self.kind(var.kind.as_ref());
    }

    fn kind(&mut self, kind: Option<&Kind>) {
        if let Some(kind) = kind {
            self.word("::");
            self.word(kind.name.as_str());
            if let Some(alias) = kind.alias {
                self.word(short_alias(alias));
            }
        }
    }

    pub(super) fn type_params(&mut self, params: &[TypeParam]) {
        if !params.is_empty() {
            self.word("<");
            self.list(params, ",", Printer::type_var);
            self.word(">");
        }
    }

    pub(super) fn type_args(&mut self, args: &[TypeArg]) {
        if !args.is_empty() {
            self.word("<");
            self.list(args, ",", Printer::type_arg);
            self.word(">");
        }
    }

    pub(super) fn type_arg(&mut self, arg: &TypeArg) {
        match &arg.kind {
            TypeArgKind::Type(ty) => self.type_name(ty),
            TypeArgKind::Effect(effect) => self.effect(effect),
            TypeArgKind::Alias(alias) => self.alias(alias),
            TypeArgKind::Value(value) => self.expr(value),
        }
    }

    fn alias(&mut self, alias: &AliasQual) {
        match alias {
            AliasQual::Name(name) => self.word(match name {
                AliasName::Unique => "UNIQUE",
                AliasName::Refcnt => "REFCNT",
                AliasName::Aliasable => "ALIASABLE",
                AliasName::Restricted => "RESTRICTED",
            }),
            AliasQual::Var(var) => self.type_var(var),
            AliasQual::Of(arg) => self.wrapped("aquals(", |p| p.type_arg(arg)),
        }
    }

    fn effect(&mut self, effect: &Effect) {
        if effect.members.is_empty() {
            self.word("{}");
        }
        self.list(&effect.members, "+", |p, member| match &member.kind {
            EffectMemberKind::Region(ty) => {
                p.word("{");
                p.type_name(ty);
                p.word("}");
            }
            EffectMemberKind::Var(var) => p.type_var(var),
            EffectMemberKind::Regions(ty) => p.wrapped("regions(", |p| p.type_name(ty)),
        });
    }

    fn bounds(&mut self, bounds: &[Bound]) {
        if bounds.is_empty() {
            return;
        }
        self.word(" : ");
        self.list(bounds, ", ", |p, bound| {
            let op = match bound.op {
                BoundOp::Outlives => " > ",
                BoundOp::Subset => " <= ",
                BoundOp::Disjoint => " | ",
                BoundOp::Equal => " == ",
                BoundOp::Single => return p.wrapped("single(", |p| p.type_arg(&bound.left)),
            };
            p.type_arg(&bound.left);
            p.word(op);
            if let Some(right) = &bound.right {
                p.type_arg(right);
            }
        });
    }

    pub(super) fn type_name(&mut self, ty: &TypeName) {
        self.specifiers(&ty.specs);
        let declarator = self.apart(|p| p.parts(String::new(), &ty.parts));
        if !declarator.is_empty() {
            self.word(" ");
            self.word(&declarator);
        }
    }

    /// Prints `specs declarator`.
    pub(super) fn declared(&mut self, specs: &Specifiers, declarator: &Declarator) {
        self.specifiers(specs);
        self.word(" ");
        self.declarator(declarator);
    }

    pub(super) fn param(&mut self, param: &Param) {
        self.specifiers(&param.specs);
        let declarator = self.apart(|p| p.declarator(&param.declarator));
        let missing = matches!(param.specs.base, BaseType::Missing);
        if !declarator.is_empty() && !missing {
            self.word(" ");
        }
        self.word(&declarator);
    }

    pub(super) fn declarator(&mut self, declarator: &Declarator) {
        let name = self.apart(|p| {
            if let Some(name) = &declarator.name {
                p.qname(name);
            }
            p.type_params(&declarator.params);
        });
        self.parts(name, &declarator.parts);
        if let Some((label, _)) = declarator.asm_label {
            self.word(&format!(" asm({:?})", label.as_str()));
        }
        if !declarator.attributes.is_empty() {
            self.word(" ");
            self.attributes(&declarator.attributes);
            let end = self.out.trim_end().len();
            self.out.truncate(end);
        }
    }

    /// The parts of a type around a name.
    pub(super) fn parts_around(&mut self, name: &str, parts: &[Part]) {
        self.parts(name.to_string(), parts);
    }

    /// From the name outwards: pointers before it, arrays and functions behind it.
    fn parts(&mut self, name: String, parts: &[Part]) {
        let mut inner = name;
        let mut behind_pointer = false;
        for part in parts {
            if let Part::Pointer(pointer) = part {
                let pointer = self.apart(|p| p.pointer(pointer));
                inner = format!("{pointer}{inner}");
                behind_pointer = true;
                continue;
            }
            if behind_pointer {
                inner = format!("({inner})");
                behind_pointer = false;
            }
            inner += &self.apart(|p| match part {
                Part::Array(array) => p.array(array),
                Part::Function(function) => p.function(function),
                Part::Pointer(_) => {}
            });
        }
        self.word(&inner);
    }

    fn pointer(&mut self, pointer: &PointerPart) {
        self.word(match pointer.sigil {
            Sigil::Star => "*",
            Sigil::At => "@",
            Sigil::Question => "?",
        });
        for qual in &pointer.pointer_quals {
            match &qual.kind {
                PointerQualKind::Numelts(bound) => {
                    self.word("{");
                    self.expr(bound);
                    self.word("}");
                }
                PointerQualKind::Fat => self.word("@fat"),
                PointerQualKind::Thin => self.word("@thin"),
                PointerQualKind::NotNull => self.word("@notnull"),
                PointerQualKind::Nullable => self.word("@nullable"),
                PointerQualKind::ZeroTerm => self.word("@zeroterm"),
                PointerQualKind::NoZeroTerm => self.word("@nozeroterm"),
                PointerQualKind::Region(region) if is_short_region(region) => {
                    self.type_arg(region);
                }
                PointerQualKind::Region(region) => {
                    self.wrapped("@region(", |p| p.type_arg(region));
                }
                PointerQualKind::Effect(effect) => {
                    self.wrapped("@effect(", |p| p.type_arg(effect));
                }
                PointerQualKind::Aqual(alias) => self.wrapped("@aqual(", |p| p.alias(alias)),
                PointerQualKind::AutoReleased => self.word("@autoreleased"),
            }
            self.word(" ");
        }
        self.quals(&pointer.quals);
        self.attributes(&pointer.attributes);
    }

    fn array(&mut self, array: &ArrayPart) {
        self.word("[");
        if array.is_static {
            self.word("static ");
        }
        self.quals(&array.quals);
        match &array.size {
            ArraySize::None => {}
            ArraySize::Star => self.word("*"),
            ArraySize::Expr(size) => self.expr(size),
        }
        self.word("]");
        if let Some((yes, _)) = array.zeroterm {
            self.word(if yes { " @zeroterm" } else { " @nozeroterm" });
        }
        if let Some(region) = &array.region {
            self.word(" ");
            self.type_arg(region);
        }
    }

    fn function(&mut self, function: &FunctionPart) {
        self.type_params(&function.type_params);
        self.word("(");
        let variadic = function.variadic.as_ref();
        if function.params.is_empty() && variadic.is_none() {
            self.word(if function.style == ParamStyle::Empty { "" } else { "void" });
        }
        self.list(&function.params, ", ", Printer::param);
        if let Some(variadic) = variadic {
            self.word(if function.params.is_empty() { "..." } else { ", ..." });
            self.word(if variadic.inject { "inject " } else { "" });
            if let Some(param) = &variadic.param {
                self.word(" ");
                self.param(param);
            }
        }
        if let Some(effect) = &function.effect {
            self.word("; ");
            self.effect(effect);
        }
        self.bounds(&function.bounds);
        self.word(")");
        for contract in &function.contracts {
            self.word(" ");
            self.contract(contract);
        }
        if !function.attributes.is_empty() {
            self.word(" ");
            self.attributes(&function.attributes);
        }
    }

    fn contract(&mut self, contract: &Contract) {
        match &contract.kind {
            ContractKind::Requires(e) => self.wrapped("@requires(", |p| p.expr(e)),
            ContractKind::Ensures(e) => self.wrapped("@ensures(", |p| p.expr(e)),
            ContractKind::Assert(e) => self.wrapped("@assert(", |p| p.expr(e)),
            ContractKind::Throws(names) => {
                self.wrapped("@throws(", |p| p.list(names, ", ", Printer::qname));
            }
            ContractKind::NoThrow => self.word("@nothrow"),
        }
    }

    fn record(&mut self, record: &RecordSpec) {
        self.word(if record.is_abstract { "abstract " } else { "" });
        self.word(if record.tagged { "@tagged " } else { "" });
        self.word(match record.kind {
            RecordKind::Struct => "struct ",
            RecordKind::Union => "union ",
        });
        self.attributes(&record.attributes);
        if let Some(name) = &record.name {
            self.qname(name);
        }
        self.type_args(&record.args);
        let Some(body) = &record.body else { return };
        self.word(" ");
        // The binder stands on the line of the brace.
        let binder = self.apart(|p| {
            p.type_params(&body.exists);
            p.bounds(&body.exists_bounds);
        });
        let start = self.out.len() + 1;
        self.lines(&body.members, |p, member| match member {
            Member::Field(field) => p.field(field),
            Member::Assert(decl) => p.decl(decl),
        });
        if !binder.is_empty() {
            self.out.insert_str(start, &format!(" {binder}"));
        }
    }

    fn field(&mut self, decl: &FieldDecl) {
        self.specifiers(&decl.specs);
        self.word(" ");
        self.list(&decl.fields, ", ", |p, field| {
            p.declarator(&field.declarator);
            if let Some(width) = &field.width {
                p.word(" : ");
                p.expr(width);
            }
            if let Some(requires) = &field.requires {
                p.wrapped(" @requires(", |p| p.expr(requires));
            }
        });
        self.word(";");
    }

    fn enumeration(&mut self, spec: &EnumSpec) {
        self.word("enum ");
        self.attributes(&spec.attributes);
        if let Some(name) = &spec.name {
            self.qname(name);
            self.word(" ");
        }
        if let Some(body) = &spec.body {
            self.lines(body, |p, item| {
                p.word(item.name.name.as_str());
                if !item.attributes.is_empty() {
                    p.word(" ");
                    p.attributes(&item.attributes);
                }
                if let Some(value) = &item.value {
                    p.word(" = ");
                    p.expr(value);
                }
                p.word(",");
            });
        }
    }

    fn datatype(&mut self, spec: &DatatypeSpec) {
        self.word(if spec.extensible { "@extensible datatype " } else { "datatype " });
        self.qname(&spec.name);
        self.type_args(&spec.args);
        if let Some(variant) = &spec.variant {
            self.word(".");
            self.qname(variant);
        }
        if let Some(body) = &spec.body {
            self.word(" ");
            self.lines(body, Printer::variant);
        }
    }

    fn variant(&mut self, variant: &Variant) {
        if let Some((storage, _)) = variant.storage {
            self.storage(storage);
        }
        if variant.immediate.is_some() {
            self.word("@immediate ");
        }
        self.type_params(&variant.exists);
        self.bounds(&variant.exists_bounds);
        if !variant.exists.is_empty() {
            self.word(" ");
        }
        self.qname(&variant.name);
        if let Some(fields) = &variant.fields {
            self.wrapped("(", |p| p.list(fields, ", ", Printer::variant_field));
        }
        self.word(";");
    }

    fn variant_field(&mut self, field: &VariantField) {
        self.param(&field.param);
        if let Some(width) = &field.width {
            self.word(" : ");
            self.expr(width);
        }
    }
}

/// Whether a pointer's region may be written without `@region(…)`.
fn is_short_region(region: &TypeArg) -> bool {
    let TypeArgKind::Type(ty) = &region.kind else { return false };
    ty.parts.is_empty() && matches!(ty.specs.base, BaseType::Var(_) | BaseType::Wildcard(None))
}

fn short_alias(alias: AliasName) -> &'static str {
    match alias {
        AliasName::Unique => "\\U",
        AliasName::Refcnt => "\\RC",
        AliasName::Aliasable => "\\A",
        AliasName::Restricted => "\\T",
    }
}

fn arith_text(arith: Arith) -> &'static str {
    match arith {
        Arith::Bool => "_Bool",
        Arith::Char => "char",
        Arith::SChar => "signed char",
        Arith::UChar => "unsigned char",
        Arith::Short => "short",
        Arith::UShort => "unsigned short",
        Arith::Int => "int",
        Arith::UInt => "unsigned int",
        Arith::Long => "long",
        Arith::ULong => "unsigned long",
        Arith::LongLong => "long long",
        Arith::ULongLong => "unsigned long long",
        Arith::Int128 => "__int128",
        Arith::UInt128 => "unsigned __int128",
        Arith::Float => "float",
        Arith::Double => "double",
        Arith::LongDouble => "long double",
        Arith::FloatN(n) => float_n_text(n),
        Arith::ComplexFloat => "float _Complex",
        Arith::ComplexDouble => "double _Complex",
        Arith::ComplexLongDouble => "long double _Complex",
        Arith::ComplexFloatN(FloatN::F16) => "_Float16 _Complex",
        Arith::ComplexFloatN(FloatN::F32) => "_Float32 _Complex",
        Arith::ComplexFloatN(FloatN::F64) => "_Float64 _Complex",
        Arith::ComplexFloatN(FloatN::F128) => "_Float128 _Complex",
        Arith::ComplexFloatN(FloatN::F32x) => "_Float32x _Complex",
        Arith::ComplexFloatN(FloatN::F64x) => "_Float64x _Complex",
    }
}

fn float_n_text(n: FloatN) -> &'static str {
    match n {
        FloatN::F16 => "_Float16",
        FloatN::F32 => "_Float32",
        FloatN::F64 => "_Float64",
        FloatN::F128 => "_Float128",
        FloatN::F32x => "_Float32x",
        FloatN::F64x => "_Float64x",
    }
}
