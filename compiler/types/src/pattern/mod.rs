//! Patterns: names resolved against the type that is matched, variables bound, existentials opened.

mod constant;
mod cover;
mod record;

use crate::checker::{Checker, Why};
use crate::expr::place_name;
use crate::hir::{Expr, ExprKind, LocalId, Pattern, PatternKind};
use crate::scope::ValueDef;
use crate::ty::{Bounds, Pointer, QualType, Quals, RegionId, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, Ident, PatternKind as K};

/// What a pattern is matched against.
#[derive(Clone, Debug)]
pub(crate) struct Matched {
    pub ty: TypeId,
    pub quals: Quals,
    /// The region that it is in, if it is a place; what a value is in cannot be pointed to.
    pub region: Option<RegionId>,
    /// Why its parts cannot be pointed to although they are in memory.
    pub moving: Option<Moving>,
    /// It is an element of a zero-terminated sequence, and may be the zero that ends it.
    pub zeroterm: bool,
    /// Where the type comes from.
    pub source: Span,
}

/// What makes a pointer to a part of a matched object unsafe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moving {
    /// The whole may be replaced by one with another witness type.
    Existential,
    /// Another member may be written.
    TaggedUnion,
    /// It has no address.
    BitField,
}

impl Matched {
    pub fn of(checker: &mut Checker, e: &Expr) -> Matched {
        // Which cases there are depends on what may be NULL.
        checker.decide_nulls(e.ty);
        let is_place = e.is_place();
        let region = is_place.then(|| checker.region_of_place(e));
        let source = place_name(checker, e).map_or(e.span, |(_, span)| span);
        let moving = if checker.is_bit_field(e) || checker.is_packed(e) {
            Some(Moving::BitField)
        } else {
            checker.tagged_member(e).map(|_| Moving::TaggedUnion)
        };
        let zeroterm = checker.is_zeroterm_element(e);
        Matched { ty: e.ty, quals: e.quals, region, moving, zeroterm, source }
    }

    pub fn value(ty: TypeId, source: Span) -> Matched {
        let quals = Quals::default();
        Matched { ty, quals, region: None, moving: None, zeroterm: false, source }
    }

    /// A part of it.
    fn part(&self, ty: QualType) -> Matched {
        let quals = Quals {
            is_const: self.quals.is_const || ty.quals.is_const,
            is_volatile: self.quals.is_volatile || ty.quals.is_volatile,
        };
        Matched { ty: ty.ty, quals, zeroterm: false, ..self.clone() }
    }
}

/// A part of what is matched.
#[derive(Clone, Copy, Debug)]
struct Part {
    ty: QualType,
    is_bits: bool,
}

impl Part {
    fn of(ty: QualType) -> Part {
        Part { ty, is_bits: false }
    }

    fn of_whole(self, matched: &Matched) -> Matched {
        let part = matched.part(self.ty);
        let moving = if self.is_bits { Some(Moving::BitField) } else { part.moving };
        Matched { moving, ..part }
    }
}

/// Whether a pattern binds a location, so that a place must be matched and not its value.
pub(crate) fn binds_places(pattern: &tree::Pattern) -> bool {
    match &pattern.kind {
        K::Location(..) => true,
        K::As(_, inner) => binds_places(inner),
        K::Tuple(list) => list.items.iter().any(binds_places),
        K::Construct(construct) => construct.args.items.iter().any(binds_places),
        K::Struct(pattern) => pattern.fields.iter().any(|field| binds_places(&field.pattern)),
        // What is behind a pointer is a place whatever the pointer is.
        _ => false,
    }
}

/// Whether it introduces type variables.
pub(crate) fn opens_existentials(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Fields { fields, opened } => {
            !opened.is_empty() || fields.iter().any(|(_, field)| opens_existentials(field))
        }
        PatternKind::Variant { args, opened, .. } => {
            !opened.is_empty() || args.iter().any(|(_, arg)| opens_existentials(arg))
        }
        PatternKind::Bind(_, Some(inner)) | PatternKind::BindRef(_, Some(inner)) => {
            opens_existentials(inner)
        }
        PatternKind::Pointer(inner) => opens_existentials(inner),
        PatternKind::UnionMember { pattern, .. } => opens_existentials(pattern),
        _ => false,
    }
}

impl Checker<'_> {
    pub(crate) fn pattern(&mut self, pattern: &tree::Pattern, matched: Matched) -> Pattern {
        let span = pattern.span;
        let ty = self.shallow(matched.ty);
        let matched = Matched { ty, ..matched };
        let kind = self.pattern_kind(pattern, &matched);
        Pattern { kind, ty, span }
    }

    /// Stands for a pattern whose error was reported; its variables are declared so that their uses are silent.
    fn bad_pattern(&mut self, diagnostic: Diagnostic) -> PatternKind {
        self.error(diagnostic);
        PatternKind::Error
    }

    fn pattern_kind(&mut self, pattern: &tree::Pattern, matched: &Matched) -> PatternKind {
        let span = pattern.span;
        match &pattern.kind {
            K::Wildcard => PatternKind::Wild,
            K::Name(name) => self.name_pattern(name, matched, span),
            K::Typed(ty, name) => self.typed_pattern(ty, *name, matched),
            K::As(name, inner) => {
                let local = self.bind_value(*name, matched);
                let inner = self.pattern(inner, matched.clone());
                PatternKind::Bind(local, Some(Box::new(inner)))
            }
            K::Location(name, inner) => self.location_pattern(*name, inner.as_deref(), matched),
            K::Alias(..) => {
                self.not_yet("`alias` patterns", span);
                PatternKind::Error
            }
            K::Tag(name, var) => self.tag_pattern(*name, var, matched),
            K::Const(_) | K::Range(..) => self.constant_pattern(pattern, matched),
            K::Str(lit) => self.string_pattern(lit, matched, span),
            K::Null => self.null_pattern(matched, span),
            K::Pointer(inner) => self.pointer_pattern(inner, matched, span),
            K::Tuple(list) => self.tuple_pattern(list, matched, span),
            K::Construct(construct) => self.construct_pattern(construct, matched, span),
            K::Struct(fields) => self.struct_pattern(fields, matched, span),
            K::Error => PatternKind::Error,
        }
    }

    fn name_pattern(&mut self, name: &tree::QName, matched: &Matched, span: Span) -> PatternKind {
        match (self.find_value(name), name.as_ident()) {
            (Some(ValueDef::Variant(datatype, variant)), _) => {
                self.variant_pattern(datatype, variant, &[], None, matched, span)
            }
            (Some(ValueDef::EnumConst(value, _)), _) if self.is_number(matched.ty, true) => {
                self.int_pattern(value, value, matched, span)
            }
            (_, Some(ident)) => PatternKind::Bind(self.bind_value(ident, matched), None),
            _ => {
                let text = format!("`{name}` is no constructor and no constant");
                self.bad_pattern(Diagnostic::error("E0604", text, span))
            }
        }
    }

    /// A variable for the matched value.
    fn bind_value(&mut self, name: Ident, matched: &Matched) -> LocalId {
        let ty = match self.kind(matched.ty) {
            Type::Array { .. } | Type::Function(_) | Type::Void => {
                let text = format!("a `{}` cannot be copied", self.show_type(matched.ty));
                let error = Diagnostic::error("E0606", text, name.span)
                    .help(format!("bind its location: `*{}`", name.name));
                self.error(error);
                self.basics.error
            }
            Type::Datatype(..) => {
                let text = format!("a `{}` cannot be copied", self.show_type(matched.ty));
                let error = Diagnostic::error("E0606", text, name.span)
                    .note("only a known variant has a size")
                    .help("bind the pointer to it");
                self.error(error);
                self.basics.error
            }
            _ => matched.ty,
        };
        self.declare_local(name, QualType::plain(ty))
    }

    fn typed_pattern(
        &mut self,
        ty: &tree::TypeName,
        name: Ident,
        matched: &Matched,
    ) -> PatternKind {
        let declared = self.local_type(ty);
        let place =
            Expr::place(ExprKind::Null, QualType { ty: matched.ty, quals: matched.quals }, ty.span);
        if self.unify(declared.ty, matched.ty).is_err() {
            // The outermost region may be a shorter one; `coerce` says what else is wrong.
            let value = Expr { kind: ExprKind::Int(1), ..place };
            let value = self.coerce(value, declared.ty, Why::Pattern { scrutinee: matched.source });
            if !matches!(value.kind, ExprKind::Coerce(crate::hir::Coercion::Same, _))
                && !value.is_error()
            {
                let text = format!(
                    "the matched value is `{}`, not `{}`",
                    self.show_type(matched.ty),
                    self.show_type(declared.ty)
                );
                let error = Diagnostic::error("E0608", text, ty.span);
                self.error(error.secondary(matched.source, "matched here"));
            }
        }
        PatternKind::Bind(self.declare_local(name, declared), None)
    }

    /// `*x`, `*x as P`: a pointer to the matched place.
    fn location_pattern(
        &mut self,
        name: Ident,
        inner: Option<&tree::Pattern>,
        matched: &Matched,
    ) -> PatternKind {
        let region = match (matched.region, matched.moving) {
            (_, Some(moving)) => {
                let (text, note) = match moving {
                    Moving::Existential => (
                        "a part of a value with hidden types cannot be pointed to",
                        "the whole may be overwritten by a value with other hidden types",
                    ),
                    Moving::BitField => (
                        "a bit-field, or a member of a packed struct, cannot be pointed to",
                        "it does not start where an object of its type must",
                    ),
                    Moving::TaggedUnion => (
                        "a member of a tagged union cannot be pointed to",
                        "another member may be written while the pointer is there",
                    ),
                };
                let code = if moving == Moving::BitField { "E0433" } else { "E0438" };
                let error = Diagnostic::error(code, text, name.span).note(note);
                self.error(error.help(format!("bind a copy: `{}`", name.name)));
                None
            }
            (Some(region), None) => Some(region),
            (None, None) => {
                let text = format!("`*{}` needs an object, a value is matched here", name.name);
                self.error(Diagnostic::error("E0437", text, name.span));
                None
            }
        };
        let ty = match region {
            Some(region) => {
                let elem = QualType { ty: matched.ty, quals: matched.quals };
                self.pointer_to_place(elem, region, matched.zeroterm)
            }
            None => self.basics.error,
        };
        let local = self.declare_local(name, QualType::plain(ty));
        let inner = inner.map(|inner| Box::new(self.pattern(inner, matched.clone())));
        PatternKind::BindRef(local, inner)
    }

    fn null_pattern(&mut self, matched: &Matched, span: Span) -> PatternKind {
        match self.kind(matched.ty) {
            Type::Pointer(pointer)
                if self.seems_nullable(pointer) || pointer.bounds == Bounds::Fat =>
            {
                PatternKind::Null
            }
            Type::Pointer(_) => {
                let shown = self.show_type(matched.ty);
                let text = format!("a `{shown}` is never NULL");
                self.warn(Diagnostic::warning("W0601", text, span));
                PatternKind::Null
            }
            Type::Error => PatternKind::Error,
            _ => {
                let shown = self.show_type(matched.ty);
                let text = format!("`NULL` is no `{shown}`");
                let error = Diagnostic::error("E0608", text, span);
                self.bad_pattern(error.secondary(matched.source, "matched here"))
            }
        }
    }

    fn pointer_pattern(
        &mut self,
        inner: &tree::Pattern,
        matched: &Matched,
        span: Span,
    ) -> PatternKind {
        let pointer = match self.kind(matched.ty).clone() {
            Type::Pointer(pointer) => pointer,
            Type::Infer(_) => {
                let elem = QualType::plain(self.fresh_type(span, crate::ty::Kind::Any));
                let region = self.fresh_region(span);
                let bounds = Bounds::Thin(self.basics.one);
                let open = Some(self.fresh_null());
                let pointer = Pointer {
                    least: 0,
                    elem,
                    nullable: true,
                    open,
                    bounds,
                    zeroterm: false,
                    region,
                };
                let ty = self.pointer_to(pointer.clone());
                if self.unify(ty, matched.ty).is_err() {
                    return PatternKind::Error;
                }
                pointer
            }
            Type::Error => {
                let matched = Matched { ty: self.basics.error, ..matched.clone() };
                self.pattern(inner, matched);
                return PatternKind::Error;
            }
            _ => {
                let shown = self.show_type(matched.ty);
                let text = format!("`&…` matches pointers, this is `{shown}`");
                let error = Diagnostic::error("E0608", text, span);
                let kind = self.bad_pattern(error.secondary(matched.source, "matched here"));
                let matched = Matched { ty: self.basics.error, ..matched.clone() };
                self.pattern(inner, matched);
                return kind;
            }
        };
        self.require_live(pointer.region, span, "it is looked behind here");
        let behind = Matched {
            ty: pointer.elem.ty,
            quals: pointer.elem.quals,
            region: Some(pointer.region),
            moving: None,
            zeroterm: pointer.zeroterm,
            source: matched.source,
        };
        PatternKind::Pointer(Box::new(self.pattern(inner, behind)))
    }

    /// Sub-patterns by position: one for each field, or fewer with `...`.
    fn positional(
        &mut self,
        list: &[tree::Pattern],
        rest: Option<Span>,
        fields: &[Option<Part>],
        what: &str,
        matched: &Matched,
        span: Span,
    ) -> Vec<(u32, Pattern)> {
        let named: Vec<(u32, Part)> = fields
            .iter()
            .enumerate()
            .filter_map(|(index, field)| field.map(|field| (index as u32, field)))
            .collect();
        let (wanted, found) = (named.len(), list.len());
        if found > wanted || (found < wanted && rest.is_none()) {
            let plural = if wanted == 1 { "" } else { "s" };
            let text = format!("{what} has {wanted} part{plural}, the pattern has {found}");
            let mut error = Diagnostic::error("E0609", text, span);
            if found < wanted {
                error = error.help("end it with `...` if the other parts do not matter");
            }
            self.error(error);
        }
        let error = Part::of(QualType::plain(self.basics.error));
        list.iter()
            .enumerate()
            .map(|(position, pattern)| {
                let (index, ty) = named.get(position).copied().unwrap_or((0, error));
                (index, self.pattern(pattern, ty.of_whole(matched)))
            })
            .take(wanted.max(1))
            .collect()
    }

    fn tuple_pattern(
        &mut self,
        list: &tree::PatternList,
        matched: &Matched,
        span: Span,
    ) -> PatternKind {
        let fields: Vec<Option<Part>> = match self.kind(matched.ty) {
            Type::Tuple(fields) => fields.iter().map(|&field| Some(Part::of(field))).collect(),
            Type::Error => {
                let error = QualType::plain(self.basics.error);
                for item in &list.items {
                    self.pattern(item, matched.part(error));
                }
                return PatternKind::Error;
            }
            _ => {
                let shown = self.show_type(matched.ty);
                let text = format!("`$(…)` matches tuples, this is `{shown}`");
                let error = Diagnostic::error("E0608", text, span);
                return self.bad_pattern(error.secondary(matched.source, "matched here"));
            }
        };
        let fields = self.positional(&list.items, list.rest, &fields, "the tuple", matched, span);
        PatternKind::Fields { fields, opened: Vec::new() }
    }
}
