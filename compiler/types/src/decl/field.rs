//! Members of records, found by name.

use crate::checker::Checker;
use crate::infer::Subst;
use crate::ty::{FieldDef, QualType, RecordDef, RecordSort, Type, TypeId};
use tenure_span::{Diagnostic, ErrorGuaranteed, Span, Symbol};
use tenure_syntax::tree::Ident;

/// A member that a name means.
#[derive(Clone, Debug)]
pub(crate) struct FoundField {
    pub path: crate::hir::FieldPath,
    /// At the record's arguments.
    pub ty: QualType,
    /// It shares its place with others, of which any may have been written.
    pub through_union: bool,
    pub bits: Option<u32>,
    pub declared: Span,
}

impl Checker<'_> {
    /// The member of a record with that name, also through anonymous members.
    pub fn lookup_field(&mut self, ty: TypeId, name: Ident) -> Result<FoundField, ErrorGuaranteed> {
        let (record, args) = match self.kind(ty) {
            Type::Record(record, args) => (*record, args.clone()),
            Type::Error => return Err(self.already_reported(name.span)),
            _ => {
                let text = format!(
                    "`.{}` needs a struct or union, found `{}`",
                    name.name,
                    self.show_type(ty)
                );
                let mut error = Diagnostic::error("E0330", text, name.span);
                if self.is_pointer(ty) {
                    error = error.help("this is a pointer: use `->`");
                }
                return Err(self.error(error));
            }
        };
        let def = &self.types.records[record];
        let declared = def.span;
        if def.fields.is_none() {
            let what = if def.is_abstract { "abstract" } else { "declared, but not defined here" };
            let text = format!("`{}` is {what}: it has no members to name", self.show_type(ty));
            let error = Diagnostic::error("E0434", text, name.span);
            return Err(self.error(error.secondary(declared, "declared here")));
        }
        if !def.existentials.is_empty() {
            let text = format!(
                "`{}` hides types: its members can be named only in a pattern that opens it",
                self.show_type(ty)
            );
            let error = Diagnostic::error("E0508", text, name.span)
                .secondary(declared, "declared here")
                .help("write `let S{<`a> .m = x} = s;`");
            return Err(self.error(error));
        }
        let mut path = Vec::new();
        let Some(mut found) = self.search_field(def, name.name, &mut path) else {
            return Err(self.no_member(ty, record, name));
        };
        found.path = path;
        let params = self.types.records[record].params.clone();
        found.ty = self.subst_qual(found.ty, &Subst::new(&params, &args));
        Ok(found)
    }

    fn no_member(
        &mut self,
        ty: TypeId,
        record: crate::ty::RecordId,
        name: Ident,
    ) -> ErrorGuaranteed {
        let def = &self.types.records[record];
        let text = format!("`{}` has no member `{}`", self.show_type(ty), name.name);
        let mut error =
            Diagnostic::error("E0309", text, name.span).secondary(def.span, "declared here");
        let names = def.fields.iter().flatten().filter_map(|field| field.name);
        if let Some(near) = crate::scope::nearest(name.name, names) {
            error = error.help(format!("there is a member `{near}`"));
        }
        self.error(error)
    }

    /// The path is from the record's own fields inwards; the found field's own path stays empty.
    fn search_field(
        &self,
        def: &RecordDef,
        name: Symbol,
        path: &mut Vec<u32>,
    ) -> Option<FoundField> {
        let union = def.sort == RecordSort::Union;
        for (index, field) in def.fields.iter().flatten().enumerate() {
            if field.name == Some(name) {
                path.push(index as u32);
                return Some(found(field, def));
            }
            if field.name.is_some() {
                continue;
            }
            let Type::Record(inner, _) = *self.kind(field.ty.ty) else { continue };
            path.push(index as u32);
            if let Some(mut inner) = self.search_field(&self.types.records[inner], name, path) {
                inner.through_union |= union;
                inner.ty.quals.is_const |= field.ty.quals.is_const;
                return Some(inner);
            }
            path.pop();
        }
        None
    }
}

fn found(field: &FieldDef, def: &RecordDef) -> FoundField {
    FoundField {
        path: Vec::new(),
        ty: field.ty,
        through_union: def.sort == RecordSort::Union,
        bits: field.bits,
        declared: field.span,
    }
}
