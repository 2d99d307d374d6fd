//! What every program sees without a header: exceptions that checks raise.

use crate::checker::Checker;
use crate::names::QualName;
use crate::scope::{Entry, Tag, ValueDef};
use crate::ty::{DatatypeDef, VariantDef};
use tenure_span::{Span, Symbol};

/// The runtime defines these; its names for them are `tn_tag_…` and `tn_exn_…`.
const EXCEPTIONS: &[&str] = &[
    "Null_Exception",
    "Array_bounds",
    "Match_Exception",
    "Bad_alloc",
    "Arithmetic_Exception",
    "Region_Exhausted",
    "Dangling_Exception",
];

impl Checker<'_> {
    pub(crate) fn declare_builtins(&mut self) {
        let plain = |name: &str| QualName { path: Vec::new(), name: Symbol::new(name) };
        let variant = |name: &&str| VariantDef {
            name: plain(name),
            existentials: Vec::new(),
            bounds: Vec::new(),
            args: Vec::new(),
            immediate: None,
            is_extern: true,
            span: Span::NONE,
        };
        let exn = self.types.datatypes.push(DatatypeDef {
            name: plain("exn"),
            params: Vec::new(),
            extensible: true,
            variants: Some(EXCEPTIONS.iter().map(variant).collect()),
            span: Span::NONE,
        });
        self.decls.exn = Some(exn);
        self.scopes.declare_tag(Symbol::new("exn"), Tag::Datatype(exn), Span::NONE);
        for (index, name) in EXCEPTIONS.iter().enumerate() {
            let entry = Entry::Value(ValueDef::Variant(exn, index as u32));
            self.scopes.declare(Symbol::new(name), entry, Span::NONE);
        }
    }
}
