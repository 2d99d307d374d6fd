//! Which cases a switch misses and which of its clauses match nothing.

use crate::checker::Checker;
use crate::exhaust::{
    is_useful, missing, Con, Effort, Pat, Ranges, Space, Spaces, TooComplex, Witness,
};
use crate::hir::{Clause, Expr, Pattern, PatternKind};
use crate::stmt::is_entered_otherwise;
use crate::ty::{Bounds, RecordSort, Type, TypeId};
use tenure_span::{Diagnostic, Span};

impl Spaces<TypeId> for Checker<'_> {
    fn space(&self, ty: TypeId) -> Space {
        match self.kind(ty) {
            Type::Enum(id) => match &self.types.enums[*id].constants {
                Some(constants) => Space::Enum(constants.iter().map(|c| c.1).collect()),
                None => Space::Open,
            },
            Type::Int(_) | Type::Tag(..) => match self.int_range(ty) {
                Some((min, max)) => Space::Int { min, max },
                None => Space::Open,
            },
            Type::Pointer(pointer) => Space::Pointer {
                nullable: self.seems_nullable(pointer) || pointer.bounds == Bounds::Fat,
            },
            Type::Record(record, _) => {
                let def = &self.types.records[*record];
                match def.sort {
                    RecordSort::TaggedUnion => {
                        Space::Members(def.fields.as_ref().map_or(0, Vec::len) as u32)
                    }
                    _ => Space::Product,
                }
            }
            Type::Tuple(_) | Type::Variant(..) => Space::Product,
            Type::Datatype(id, _) => {
                let def = &self.types.datatypes[*id];
                Space::Variants {
                    count: def.variants.as_ref().map_or(0, Vec::len) as u32,
                    open: def.extensible || def.variants.is_none(),
                }
            }
            _ => Space::Open,
        }
    }
}

/// An enumeration's object may hold a number that has no name: a clause for those is useful.
struct AnyNumber<'c, 'a>(&'c Checker<'a>);

impl Spaces<TypeId> for AnyNumber<'_, '_> {
    fn space(&self, ty: TypeId) -> Space {
        match self.0.space(ty) {
            Space::Enum(_) => Space::Open,
            other => other,
        }
    }
}

/// The patterns so far that have no guard.
#[derive(Default)]
struct Rows {
    all: Vec<Pat<TypeId>>,
    /// The integers that they match, as long as they are nothing but ranges of these.
    numbers: Ranges,
    mixed: bool,
    /// For all cases of the switch together. What cannot be told any more is taken to match something.
    effort: Effort,
}

impl Rows {
    /// Whether the row matches a value that none of those before matches.
    fn leave(&mut self, checker: &Checker, row: &Pat<TypeId>) -> bool {
        match row {
            Pat::Con { con: Con::Range(low, high), .. } if !self.mixed => {
                !self.numbers.has_all((*low, *high))
            }
            _ => {
                let earlier: Vec<&Pat<TypeId>> = self.all.iter().collect();
                !matches!(
                    is_useful(&AnyNumber(checker), &earlier, row, &mut self.effort),
                    Ok(false)
                )
            }
        }
    }

    fn push(&mut self, row: Pat<TypeId>) {
        match &row {
            Pat::Con { con: Con::Range(low, high), .. } => {
                self.numbers.add((*low, *high));
            }
            _ => self.mixed = true,
        }
        self.all.push(row);
    }
}

impl Checker<'_> {
    /// Whether the clauses match every value; reports a case that they miss, and clauses that match nothing.
    pub(crate) fn check_switch(
        &mut self,
        clauses: &mut Vec<Clause>,
        scrutinee: &Expr,
        span: Span,
    ) -> bool {
        if scrutinee.is_error() || self.is_error_type(scrutinee.ty) {
            return false;
        }
        if clauses.iter().flat_map(|clause| &clause.patterns).any(has_error) {
            return false;
        }
        self.check_useful(clauses);
        let rows: Vec<Pat<TypeId>> = clauses
            .iter()
            .filter(|clause| clause.guard.is_none())
            .flat_map(|clause| &clause.patterns)
            .map(|pattern| self.normal(pattern))
            .collect();
        let rows: Vec<&Pat<TypeId>> = rows.iter().collect();
        match missing(self, &rows) {
            // A value that is none of the enumeration's constants may still come.
            Ok(None) => !self.has_enum(clauses),
            Ok(Some(witness)) => {
                self.missed(&witness, span);
                false
            }
            Err(TooComplex) => {
                let text = "the cases of this switch are too many to be checked";
                self.error(Diagnostic::error("E0612", text, span).help("add a `default`"));
                false
            }
        }
    }

    fn missed(&mut self, witness: &Witness<TypeId>, span: Span) {
        let error = match witness {
            Witness::Any | Witness::Other(_) => {
                Diagnostic::error("E0601", "this switch has no `default`", span)
                    .note("there are values that no case names")
            }
            _ => {
                let shown = self.show_witness(witness);
                let text = format!("this switch misses a case: `{shown}`");
                Diagnostic::error("E0601", text, span)
            }
        };
        self.error(error.help("add the case, or `default: break;`"));
    }

    /// Whether what is matched holds an enumeration, whose objects may have a value without a name.
    fn has_enum(&self, clauses: &[Clause]) -> bool {
        fn walk(checker: &Checker, pattern: &Pattern) -> bool {
            match &pattern.kind {
                PatternKind::Range(..) => matches!(checker.kind(pattern.ty), Type::Enum(_)),
                PatternKind::Bind(_, inner) | PatternKind::BindRef(_, inner) => {
                    inner.as_ref().is_some_and(|inner| walk(checker, inner))
                }
                PatternKind::Pointer(inner) => walk(checker, inner),
                PatternKind::UnionMember { pattern, .. } => walk(checker, pattern),
                PatternKind::Fields { fields, .. } => fields.iter().any(|(_, p)| walk(checker, p)),
                PatternKind::Variant { args, .. } => args.iter().any(|(_, p)| walk(checker, p)),
                _ => false,
            }
        }
        clauses.iter().flat_map(|clause| &clause.patterns).any(|pattern| walk(self, pattern))
            && !clauses
                .iter()
                .any(|clause| clause.guard.is_none() && clause.patterns.iter().any(is_irrefutable))
    }

    /// Warns about clauses that match nothing, and drops them: later phases need not say it again.
    pub(crate) fn check_useful(&mut self, clauses: &mut Vec<Clause>) {
        let mut rows = Rows::default();
        let mut dropped = vec![false; clauses.len()];
        for (at, clause) in clauses.iter().enumerate() {
            let mut useful = false;
            for pattern in &clause.patterns {
                if has_error(pattern) {
                    useful = true;
                    continue;
                }
                let row = self.normal(pattern);
                if !rows.leave(self, &row) {
                    let text = "earlier cases match all that this one does";
                    self.warn(Diagnostic::warning("W0602", text, pattern.span));
                } else {
                    useful = true;
                }
                if clause.guard.is_none() {
                    rows.push(row);
                }
            }
            let above = at.checked_sub(1).map(|above| &clauses[above].body);
            dropped[at] = !useful && !is_entered_otherwise(above, &clause.body);
        }
        let mut dropped = dropped.into_iter();
        clauses.retain(|_| !dropped.next().unwrap_or_default());
    }

    /// A `let` whose pattern may not match raises `Match_Exception`, which is said; that it follows a pointer which may
    /// be NULL is no more worth saying than of `p->x`.
    pub(crate) fn check_let_exhaustive(&mut self, pattern: &Pattern) {
        if has_error(pattern) {
            return;
        }
        let row = self.normal(pattern);
        let mut rows = vec![&row];
        let null = match &row {
            Pat::Con { con: Con::NonNull, ty, .. } => {
                Some(Pat::Con { con: Con::Null, ty: *ty, args: Vec::new() })
            }
            _ => None,
        };
        rows.extend(&null);
        if let Ok(Some(witness)) = missing(self, &rows) {
            let shown = self.show_witness(&witness);
            let text = format!("this pattern does not match `{shown}`");
            let warning = Diagnostic::warning("W0603", text, pattern.span)
                .note("Match_Exception is raised then");
            self.warn(warning);
        }
    }

    /// The pattern with all arguments of its constructors, in order.
    fn normal(&self, pattern: &Pattern) -> Pat<TypeId> {
        let ty = self.shallow(pattern.ty);
        let con = |con, args| Pat::Con { con, ty, args };
        match &pattern.kind {
            PatternKind::Wild | PatternKind::Error => Pat::Wild,
            PatternKind::Bind(_, inner) | PatternKind::BindRef(_, inner) => match inner {
                Some(inner) => self.normal(inner),
                None => Pat::Wild,
            },
            PatternKind::Range(low, high) => con(Con::Range(*low, *high), Vec::new()),
            PatternKind::Float(bits) => con(Con::Float(*bits), Vec::new()),
            PatternKind::Null => con(Con::Null, Vec::new()),
            PatternKind::Pointer(inner) => con(Con::NonNull, vec![self.normal(inner)]),
            PatternKind::Str(units) => con(Con::Str(units.clone()), Vec::new()),
            PatternKind::Fields { fields, .. } => {
                con(Con::Product, self.normal_parts(fields, self.arity(ty, None)))
            }
            PatternKind::Variant { variant, args, .. } => {
                let arity = self.arity(ty, Some(*variant));
                con(Con::Variant(*variant), self.normal_parts(args, arity))
            }
            PatternKind::UnionMember { field, pattern } => {
                con(Con::Member(*field), vec![self.normal(pattern)])
            }
        }
    }

    fn normal_parts(&self, parts: &[(u32, Pattern)], arity: usize) -> Vec<Pat<TypeId>> {
        let mut all = vec![Pat::Wild; arity];
        for (index, part) in parts {
            if let Some(slot) = all.get_mut(*index as usize) {
                *slot = self.normal(part);
            }
        }
        all
    }

    fn arity(&self, ty: TypeId, variant: Option<u32>) -> usize {
        match self.kind(ty) {
            Type::Tuple(fields) => fields.len(),
            Type::Record(record, _) => {
                self.types.records[*record].fields.as_ref().map_or(0, Vec::len)
            }
            Type::Variant(id, known, _) => self.variant_arity(*id, variant.unwrap_or(*known)),
            Type::Datatype(id, _) => self.variant_arity(*id, variant.unwrap_or(0)),
            _ => 0,
        }
    }

    fn variant_arity(&self, id: crate::ty::DatatypeId, variant: u32) -> usize {
        let variants = self.types.datatypes[id].variants.as_deref().unwrap_or_default();
        variants.get(variant as usize).map_or(0, |variant| variant.args.len())
    }

    /// A missing value as the user would write its pattern.
    fn show_witness(&self, witness: &Witness<TypeId>) -> String {
        let Witness::Con { con, ty, args } = witness else { return "_".into() };
        let list = |arity: usize| {
            let parts: Vec<String> = (0..arity)
                .map(|i| args.get(i).map_or("_".into(), |arg| self.show_witness(arg)))
                .collect();
            parts.join(", ")
        };
        match con {
            Con::Range(value, _) => self.show_constant(*value, *ty),
            Con::Null => "NULL".into(),
            Con::NonNull => format!("&{}", list(1)),
            Con::Product => match self.kind(*ty) {
                Type::Tuple(fields) => format!("$({})", list(fields.len())),
                Type::Record(record, _) => {
                    let name = self.types.records[*record].name.as_ref();
                    let name = name.map_or(String::new(), |name| name.name.to_string());
                    format!("{name}{{{}}}", list(self.arity(*ty, None)))
                }
                Type::Variant(id, variant, _) => self.show_variant(*id, *variant, &list),
                _ => "_".into(),
            },
            Con::Variant(variant) => match self.kind(*ty) {
                Type::Datatype(id, _) => self.show_variant(*id, *variant, &list),
                _ => "_".into(),
            },
            Con::Member(member) => match self.kind(*ty) {
                Type::Record(record, _) => {
                    let fields = self.types.records[*record].fields.as_deref().unwrap_or_default();
                    let name = fields.get(*member as usize).and_then(|field| field.name);
                    format!("{{.{} = {}}}", name.map_or("_", |name| name.as_str()), list(1))
                }
                _ => "_".into(),
            },
            Con::Str(_) | Con::Float(_) => "_".into(),
        }
    }

    fn show_variant(
        &self,
        id: crate::ty::DatatypeId,
        variant: u32,
        list: &dyn Fn(usize) -> String,
    ) -> String {
        let variants = self.types.datatypes[id].variants.as_deref().unwrap_or_default();
        let Some(def) = variants.get(variant as usize) else { return "_".into() };
        match def.args.len() {
            0 => def.name.name.to_string(),
            arity => format!("{}({})", def.name.name, list(arity)),
        }
    }

    fn show_constant(&self, value: i128, ty: TypeId) -> String {
        if let Type::Enum(id) = self.kind(ty) {
            let constants = self.types.enums[*id].constants.as_deref().unwrap_or_default();
            if let Some((name, ..)) = constants.iter().find(|constant| constant.1 == value) {
                return name.name.to_string();
            }
        }
        value.to_string()
    }
}

fn has_error(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Error => true,
        PatternKind::Bind(_, Some(inner)) | PatternKind::BindRef(_, Some(inner)) => {
            has_error(inner)
        }
        PatternKind::Pointer(inner) => has_error(inner),
        PatternKind::UnionMember { pattern, .. } => has_error(pattern),
        PatternKind::Fields { fields, .. } => fields.iter().any(|(_, part)| has_error(part)),
        PatternKind::Variant { args, .. } => args.iter().any(|(_, part)| has_error(part)),
        _ => false,
    }
}

/// Matches whatever comes.
fn is_irrefutable(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Wild => true,
        PatternKind::Bind(_, inner) | PatternKind::BindRef(_, inner) => {
            inner.as_ref().is_none_or(|inner| is_irrefutable(inner))
        }
        _ => false,
    }
}
