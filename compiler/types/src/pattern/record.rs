//! Patterns of structs, tagged unions and datatype variants.

use super::{Matched, Moving, Part};
use crate::checker::Checker;
use crate::hir::{Pattern, PatternKind};
use crate::infer::Subst;
use crate::scope::{Tag, ValueDef};
use crate::ty::{
    DatatypeId, EffectId, GenericArg, QualType, RecordId, RecordSort, RegionId, TyVarId, Type,
};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{self, Designator};

impl Checker<'_> {
    pub(super) fn construct_pattern(
        &mut self,
        pattern: &tree::ConstructPattern,
        matched: &Matched,
        span: Span,
    ) -> PatternKind {
        match self.find_value(&pattern.name) {
            Some(ValueDef::Variant(datatype, variant)) => self.variant_pattern(
                datatype,
                variant,
                &pattern.exists,
                Some(&pattern.args),
                matched,
                span,
            ),
            _ => match self.scopes.find_tag_qualified(&pattern.name) {
                Some((Tag::Record(record), _)) => {
                    let Some((fields, opened, inner)) =
                        self.open_record(record, &pattern.exists, matched, span)
                    else {
                        self.silence(&pattern.args.items, matched);
                        return PatternKind::Error;
                    };
                    let what = format!("`{}`", pattern.name);
                    let args = &pattern.args;
                    let fields =
                        self.positional(&args.items, args.rest, &fields, &what, &inner, span);
                    PatternKind::Fields { fields, opened }
                }
                _ => {
                    let text = format!("there is no constructor `{}`", pattern.name);
                    let kind = self.bad_pattern(Diagnostic::error("E0604", text, span));
                    self.silence(&pattern.args.items, matched);
                    kind
                }
            },
        }
    }

    /// Declares the variables of patterns that cannot be checked.
    fn silence(&mut self, patterns: &[tree::Pattern], matched: &Matched) {
        let error = QualType::plain(self.basics.error);
        for pattern in patterns {
            self.pattern(pattern, matched.part(error));
        }
    }

    pub(super) fn variant_pattern(
        &mut self,
        datatype: DatatypeId,
        variant: u32,
        exists: &[tree::TypeParam],
        args: Option<&tree::PatternList>,
        matched: &Matched,
        span: Span,
    ) -> PatternKind {
        let items = args.map(|args| &args.items[..]).unwrap_or_default();
        let def = &self.types.datatypes[datatype];
        let params = def.params.clone();
        let Some(def) = def.variants.as_ref().and_then(|all| all.get(variant as usize)).cloned()
        else {
            self.silence(items, matched);
            return PatternKind::Error;
        };
        let name = def.name.name;
        let (generics, known) = match self.kind(matched.ty).clone() {
            Type::Datatype(id, generics) if id == datatype => (generics, None),
            Type::Variant(id, known, generics) if id == datatype => (generics, Some(known)),
            Type::Infer(_) => {
                let generics = self.fresh_args(&params, span);
                let ty = self.types.intern(Type::Datatype(datatype, generics.clone()));
                if self.unify(ty, matched.ty).is_err() {
                    return PatternKind::Error;
                }
                (generics, None)
            }
            Type::Error => {
                self.silence(items, matched);
                return PatternKind::Error;
            }
            _ => {
                self.silence(items, matched);
                return self.not_this_datatype(datatype, &name.to_string(), matched, span);
            }
        };
        if known.is_some_and(|known| known != variant) {
            let shown = self.show_type(matched.ty);
            let text = format!("`{name}` never matches a `{shown}`");
            self.silence(items, matched);
            return self.bad_pattern(Diagnostic::error("E0608", text, span));
        }
        let outer = Subst::new(&params, &generics);
        let (opened, subst) = self.open(&def.existentials, &def.bounds, exists, &outer, span);
        let mut fields = Vec::with_capacity(def.args.len());
        for &field in &def.args {
            fields.push(Some(Part::of(self.subst_qual(field, &subst))));
        }
        let inner = moving_inside(matched, !def.existentials.is_empty(), Moving::Existential);
        let what = format!("`{name}`");
        let rest = args.and_then(|args| args.rest);
        let args = self.positional(items, rest, &fields, &what, &inner, span);
        if def.immediate.is_some() {
            self.no_address_in_word(&args, name);
        }
        match known {
            Some(_) => PatternKind::Fields { fields: args, opened },
            None => PatternKind::Variant { datatype, variant, args, opened },
        }
    }

    /// What lies in a pointer's word has no address.
    fn no_address_in_word(&mut self, args: &[(u32, Pattern)], name: Symbol) {
        for (_, arg) in args {
            let mut pattern = Some(arg);
            while let Some(Pattern { kind, span, .. }) = pattern {
                pattern = match kind {
                    PatternKind::BindRef(..) => {
                        let text = format!("`{name}` is immediate: what it holds has no address");
                        let error = Diagnostic::error("E0616", text, *span)
                            .help("bind its value, with no `*` before the name");
                        self.error(error);
                        None
                    }
                    PatternKind::Bind(_, inner) => inner.as_deref(),
                    _ => None,
                };
            }
        }
    }

    fn not_this_datatype(
        &mut self,
        datatype: DatatypeId,
        name: &str,
        matched: &Matched,
        span: Span,
    ) -> PatternKind {
        let shown = self.show_type(matched.ty);
        let text = format!("`{name}` is matched against `{shown}`");
        let mut error =
            Diagnostic::error("E0608", text, span).secondary(matched.source, "matched here");
        if let Type::Pointer(pointer) = self.kind(matched.ty) {
            if matches!(self.kind(pointer.elem.ty), Type::Datatype(id, _) if *id == datatype) {
                error = error.suggest("match through the pointer", span.start(), "&");
            }
        }
        self.bad_pattern(error)
    }

    /// Opens existentials; those that the pattern names are in scope under its names.
    fn open(
        &mut self,
        vars: &[TyVarId],
        bounds: &[(EffectId, RegionId)],
        exists: &[tree::TypeParam],
        outer: &Subst,
        span: Span,
    ) -> (Vec<TyVarId>, Subst) {
        if exists.len() > vars.len() {
            let text = format!(
                "the pattern names {} hidden types, there are {}",
                exists.len(),
                vars.len()
            );
            self.error(Diagnostic::error("E0522", text, span));
        }
        let names: Vec<_> = exists.iter().map(|var| Some(var.name)).collect();
        let (opened, subst) = self.open_existentials(vars, &names, bounds, outer, span);
        for (var, &opened) in exists.iter().zip(&opened) {
            self.scopes.declare_type_var(var.name, opened);
        }
        (opened, subst)
    }

    /// A struct's or union's fields where a value of it is taken apart; unnamed ones are none.
    fn open_record(
        &mut self,
        record: RecordId,
        exists: &[tree::TypeParam],
        matched: &Matched,
        span: Span,
    ) -> Option<(Vec<Option<Part>>, Vec<TyVarId>, Matched)> {
        let def = self.types.records[record].clone();
        let generics: Vec<GenericArg> = match self.kind(matched.ty).clone() {
            Type::Record(id, generics) if id == record => generics,
            Type::Infer(_) => {
                let generics = self.fresh_args(&def.params, span);
                let ty = self.types.intern(Type::Record(record, generics.clone()));
                self.unify(ty, matched.ty).ok()?;
                generics
            }
            Type::Error => return None,
            _ => {
                let shown = self.show_type(matched.ty);
                let name = def.name.map_or("this struct".to_string(), |name| name.to_string());
                let text = format!("`{name}` is matched against `{shown}`");
                let mut error = Diagnostic::error("E0608", text, span)
                    .secondary(matched.source, "matched here");
                if let Type::Pointer(_) = self.kind(matched.ty) {
                    error = error.suggest("match through the pointer", span.start(), "&");
                }
                self.error(error);
                return None;
            }
        };
        let Some(fields) = def.fields else {
            let shown = self.show_type(matched.ty);
            let text = format!("`{shown}` is not defined here, only declared");
            self.error(Diagnostic::error("E0434", text, span).secondary(def.span, "declared here"));
            return None;
        };
        let outer = Subst::new(&def.params, &generics);
        let (opened, subst) = self.open(&def.existentials, &def.bounds, exists, &outer, span);
        let mut types = Vec::with_capacity(fields.len());
        for field in &fields {
            let ty = self.subst_qual(field.ty, &subst);
            types
                .push(field.name.map(|_| Part { ty, is_bits: field.bits.is_some() || def.packed }));
        }
        let inner = moving_inside(matched, !def.existentials.is_empty(), Moving::Existential);
        let tagged = self.mixes_members(record);
        let inner = moving_inside(&inner, tagged, Moving::TaggedUnion);
        Some((types, opened, inner))
    }

    pub(super) fn struct_pattern(
        &mut self,
        pattern: &tree::StructPattern,
        matched: &Matched,
        span: Span,
    ) -> PatternKind {
        let record = match &pattern.name {
            Some(name) => match self.scopes.find_tag_qualified(name) {
                Some((Tag::Record(record), _)) => Some(record),
                _ => match self.kind(matched.ty) {
                    Type::Record(record, _) => {
                        let record = *record;
                        let text = format!("there is no struct or union `{name}`");
                        self.error(Diagnostic::error("E0203", text, name.span));
                        Some(record)
                    }
                    _ => None,
                },
            },
            None => match self.kind(matched.ty) {
                Type::Record(record, _) => Some(*record),
                _ => None,
            },
        };
        let opened =
            record.and_then(|record| self.open_record(record, &pattern.exists, matched, span));
        let (Some(record), Some((fields, opened, inner))) = (record, opened) else {
            if record.is_none() && !self.is_error_type(matched.ty) {
                let shown = self.show_type(matched.ty);
                let text = format!("`{{…}}` matches structs, this is `{shown}`");
                let error = Diagnostic::error("E0608", text, span);
                self.error(error.secondary(matched.source, "matched here"));
            }
            let error = QualType::plain(self.basics.error);
            for field in &pattern.fields {
                self.pattern(&field.pattern, matched.part(error));
            }
            return PatternKind::Error;
        };
        let parts = self.field_patterns(pattern, record, &fields, &inner, span);
        match self.types.records[record].sort {
            RecordSort::Struct => PatternKind::Fields { fields: parts, opened },
            RecordSort::TaggedUnion => self.member_pattern(parts, span),
            RecordSort::Union => self.union_pattern(parts, &fields),
        }
    }

    fn field_patterns(
        &mut self,
        pattern: &tree::StructPattern,
        record: RecordId,
        fields: &[Option<Part>],
        matched: &Matched,
        span: Span,
    ) -> Vec<(u32, Pattern)> {
        let by_position = pattern.fields.iter().all(|field| field.designators.is_empty());
        if by_position && !pattern.fields.is_empty() {
            let items: Vec<tree::Pattern> =
                pattern.fields.iter().map(|field| field.pattern.clone()).collect();
            return self.positional(&items, pattern.rest, fields, "the struct", matched, span);
        }
        let mut parts = Vec::new();
        for field in &pattern.fields {
            let [Designator::Field(name)] = &field.designators[..] else {
                let text = "a field is named by `.name`";
                self.error(Diagnostic::error("E0309", text, field.pattern.span));
                continue;
            };
            let defs = self.types.records[record].fields.as_deref().unwrap_or_default();
            let index = defs.iter().position(|def| def.name == Some(name.name));
            let ty = index.and_then(|index| fields.get(index).copied().flatten());
            let (Some(index), Some(ty)) = (index, ty) else {
                let shown = self.show_type(matched.ty);
                let text = format!("`{shown}` has no member `{}`", name.name);
                self.error(Diagnostic::error("E0309", text, name.span));
                let error = QualType::plain(self.basics.error);
                self.pattern(&field.pattern, matched.part(error));
                continue;
            };
            parts.push((index as u32, self.pattern(&field.pattern, ty.of_whole(matched))));
        }
        parts
    }

    fn member_pattern(&mut self, mut parts: Vec<(u32, Pattern)>, span: Span) -> PatternKind {
        if parts.len() != 1 {
            let text = "a tagged union has one member at a time: name just that one";
            return self.bad_pattern(Diagnostic::error("E0609", text, span));
        }
        let (field, pattern) = parts.remove(0);
        PatternKind::UnionMember { field, pattern: Box::new(pattern) }
    }

    fn union_pattern(
        &mut self,
        parts: Vec<(u32, Pattern)>,
        fields: &[Option<Part>],
    ) -> PatternKind {
        for (index, pattern) in &parts {
            let ty = fields.get(*index as usize).copied().flatten();
            let readable = ty.is_none_or(|part| self.is_bits(part.ty.ty));
            if !readable {
                let shown = self.show_type(pattern.ty);
                let text = format!(
                    "this member cannot be read: it is `{shown}`, and any member may have been written last"
                );
                let error = Diagnostic::error("E0436", text, pattern.span).help(
                    "declare the union `@tagged`: then the pattern checks which member is there",
                );
                return self.bad_pattern(error);
            }
        }
        PatternKind::Fields { fields: parts, opened: Vec::new() }
    }
}

/// Parts of it cannot be pointed to if something makes them move.
fn moving_inside(matched: &Matched, moves: bool, moving: Moving) -> Matched {
    let moving = if moves { Some(moving) } else { matched.moving };
    Matched { moving, ..matched.clone() }
}
