//! The kinds of a definition's parameters, as far as its text shows them. A definition may mention itself before the
//! first use that shows the kind, so the text is searched beforehand.

use crate::checker::Checker;
use crate::scope::{Entry, Tag};
use crate::ty::{Kind, TyVarId};
use tenure_span::Symbol;
use tenure_syntax::tree::{
    ArraySize, BaseType, DatatypeSpec, Effect, EffectMemberKind, Member, Param, Part,
    PointerQualKind, QName, RecordBody, Specifiers, TypeArg, TypeArgKind, TypeName,
};

/// Parameters of which no kind is known yet.
struct Search<'c, 'a> {
    checker: &'c mut Checker<'a>,
    params: Vec<(Symbol, TyVarId)>,
}

impl Checker<'_> {
    /// Fixes kinds of parameters by their uses in a record's body.
    pub(crate) fn kinds_in_record(&mut self, params: &[TyVarId], body: &RecordBody) {
        let params = self.unknown_kinds(params);
        if params.is_empty() {
            return;
        }
        let mut search = Search { checker: self, params };
        for member in &body.members {
            if let Member::Field(field) = member {
                search.specs(&field.specs);
                for field in &field.fields {
                    search.parts(&field.declarator.parts);
                }
            }
        }
    }

    /// Likewise in a datatype's body.
    pub(crate) fn kinds_in_datatype(&mut self, params: &[TyVarId], spec: &DatatypeSpec) {
        let params = self.unknown_kinds(params);
        if params.is_empty() {
            return;
        }
        let mut search = Search { checker: self, params };
        for variant in spec.body.iter().flatten() {
            for param in variant.fields.iter().flatten() {
                search.param(&param.param);
            }
        }
    }

    fn unknown_kinds(&self, params: &[TyVarId]) -> Vec<(Symbol, TyVarId)> {
        (params.iter())
            .filter(|var| self.convert.unfixed.contains(var))
            .filter_map(|&var| Some((self.types.vars[var].name?, var)))
            .collect()
    }
}

impl Search<'_, '_> {
    fn found(&mut self, name: Symbol, kind: Kind) {
        let var = self.params.iter().find(|param| param.0 == name).map(|param| param.1);
        if let Some(var) = var {
            if self.checker.convert.unfixed.remove(&var) {
                self.checker.types.vars[var].kind = kind;
            }
        }
    }

    fn param(&mut self, param: &Param) {
        self.specs(&param.specs);
        self.parts(&param.declarator.parts);
    }

    fn type_name(&mut self, name: &TypeName) {
        self.specs(&name.specs);
        self.parts(&name.parts);
    }

    fn specs(&mut self, specs: &Specifiers) {
        match &specs.base {
            BaseType::Named(name, args) => {
                let params = match self.checker.scopes.find_qualified(name) {
                    Some((Entry::Typedef(id), _)) => self.checker.decls.typedefs[id].params.clone(),
                    _ => Vec::new(),
                };
                self.args(&params, args);
            }
            BaseType::Record(spec) => {
                let params = spec.name.as_ref().map_or(Vec::new(), |name| self.tag_params(name));
                self.args(&params, &spec.args);
            }
            BaseType::Datatype(spec) => {
                let params = self.tag_params(&spec.name);
                self.args(&params, &spec.args);
            }
            BaseType::Tuple(fields) => fields.iter().for_each(|field| self.param(field)),
            BaseType::RegionHandle(arg) => self.kind_of(arg, Kind::Region),
            BaseType::Tag(Some(arg), _) => self.kind_of(arg, Kind::Size),
            BaseType::TypeofType(name) => self.type_name(name),
            _ => {}
        }
    }

    fn tag_params(&self, name: &QName) -> Vec<TyVarId> {
        let types = &self.checker.types;
        match self.checker.scopes.find_tag_qualified(name) {
            Some((Tag::Record(id), _)) => types.records[id].params.clone(),
            Some((Tag::Datatype(id), _)) => types.datatypes[id].params.clone(),
            _ => Vec::new(),
        }
    }

    fn args(&mut self, params: &[TyVarId], args: &[TypeArg]) {
        for (index, arg) in args.iter().enumerate() {
            match params.get(index) {
                Some(var) if !self.checker.convert.unfixed.contains(var) => {
                    let kind = self.checker.types.vars[*var].kind;
                    self.kind_of(arg, kind);
                }
                _ => {
                    if let (TypeArgKind::Type(name), None) = (&arg.kind, arg.as_param()) {
                        self.type_name(name);
                    }
                }
            }
        }
    }

    fn kind_of(&mut self, arg: &TypeArg, kind: Kind) {
        match (arg.as_param(), &arg.kind) {
            (Some(var), _) if !matches!(kind, Kind::Boxed | Kind::Any) => {
                self.found(var.name, kind);
            }
            (None, TypeArgKind::Type(name)) => self.type_name(name),
            _ => {}
        }
    }

    fn effect(&mut self, effect: &Effect) {
        for member in &effect.members {
            match &member.kind {
                EffectMemberKind::Region(name) => {
                    if let BaseType::Var(var) = &name.specs.base {
                        self.found(var.name, Kind::Region);
                    }
                }
                EffectMemberKind::Var(var) => self.found(var.name, Kind::Effect),
                EffectMemberKind::Regions(name) => self.type_name(name),
            }
        }
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Pointer(pointer) => {
                    for qual in &pointer.pointer_quals {
                        match &qual.kind {
                            PointerQualKind::Region(arg) => self.kind_of(arg, Kind::Region),
                            PointerQualKind::Numelts(e) => self.size(e),
                            _ => {}
                        }
                    }
                }
                Part::Array(array) => {
                    if let ArraySize::Expr(e) = &array.size {
                        self.size(e);
                    }
                }
                Part::Function(function) => {
                    function.params.iter().for_each(|param| self.param(param));
                    if let Some(effect) = &function.effect {
                        self.effect(effect);
                    }
                }
            }
        }
    }

    fn size(&mut self, e: &tenure_syntax::tree::Expr) {
        if let tenure_syntax::tree::ExprKind::Valueof(arg) = &e.peel().kind {
            self.kind_of(arg, Kind::Size);
        }
    }
}
