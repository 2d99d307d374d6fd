//! Declarations that C headers give: used as they are if their types are safe, else kept until an override gives a safe
//! type.

use super::UnsafeDecl;
use crate::checker::Checker;
use crate::hir::Trusted;
use crate::names::QualName;
use crate::scope::Entry;
use crate::ty::{RecordId, Type, TypeId, Variadic};
use tenure_span::{Diagnostic, ErrorGuaranteed, Span, Symbol};
use tenure_syntax::tree::QName;

impl Checker<'_> {
    /// Reports the use of a declaration that is not safe.
    pub(crate) fn unsafe_declaration(&mut self, index: u32, span: Span) -> ErrorGuaranteed {
        let decl = self.decls.unsafe_decls[index as usize].clone();
        if decl.reported {
            return self.already_reported(span);
        }
        self.decls.unsafe_decls[index as usize].reported = true;
        if decl.untyped {
            let text =
                format!("the types of the further arguments of `{}` are not said", decl.name);
            let error =
                Diagnostic::error("E0222", text, span).secondary(decl.span, "declared here");
            return self.error(error.help(
                "declare it with `... T args`, or `... inject datatype D args`, or in `extern \"C\"`",
            ));
        }
        if let Some(instead) = decl.instead {
            let text = format!("`{}` cannot be used", decl.name);
            let error =
                Diagnostic::error("E0801", text, span).secondary(decl.span, "declared here");
            return self.error(error.help(instead.as_str()));
        }
        let text = format!("`{}` has no safe type", decl.name);
        let error = Diagnostic::error("E0801", text, span)
            .label(format!("the C header that declares it says {}", decl.reason))
            .secondary(decl.span, "declared here")
            .help("declare it in `extern \"C\" { … }` with a type that says what it takes and returns; the compiler believes it");
        self.error(error)
    }

    /// Keeps a C declaration under its name as unsafe, unless the name has a safe one.
    pub(super) fn keep_unsafe(&mut self, name: Symbol, reason: String, span: Span) {
        self.keep_unusable(UnsafeDecl {
            name,
            reason,
            span,
            reported: false,
            untyped: false,
            instead: None,
        });
    }

    /// Likewise a function with C's `...`, which nothing can be passed to.
    pub(super) fn keep_untyped(&mut self, name: Symbol, span: Span) {
        let reason = String::new();
        self.keep_unusable(UnsafeDecl {
            name,
            reason,
            span,
            reported: false,
            untyped: true,
            instead: None,
        });
    }

    /// Likewise one that its declaration says is not to be used.
    pub(super) fn keep_unavailable(&mut self, name: Symbol, instead: Symbol, span: Span) {
        let (reason, instead) = (String::new(), Some(instead));
        self.keep_unusable(UnsafeDecl {
            name,
            reason,
            span,
            reported: false,
            untyped: false,
            instead,
        });
    }

    fn keep_unusable(&mut self, decl: UnsafeDecl) {
        let (name, span) = (decl.name, decl.span);
        match self.scopes.declared_here(name) {
            None | Some((Entry::Unsafe(_), _)) => {}
            Some(_) => return,
        }
        let index = self.decls.unsafe_decls.len() as u32;
        self.decls.unsafe_decls.push(decl);
        self.scopes.declare(name, Entry::Unsafe(index), span);
    }

    /// Why a C declaration of a type cannot be believed to say enough; none if it does.
    pub(super) fn unsafe_c_type(&self, ty: TypeId) -> Option<String> {
        match self.kind(ty) {
            Type::Function(function) => {
                if function.variadic == Variadic::C {
                    return Some("nothing of the types of its further arguments".to_string());
                }
                (function.params.iter().map(|param| param.ty))
                    .chain([function.result.ty])
                    .find_map(|ty| self.unsafe_c_value(ty))
            }
            _ => self.unsafe_c_value(ty),
        }
    }

    fn unsafe_c_value(&self, ty: TypeId) -> Option<String> {
        match self.kind(ty) {
            Type::Pointer(_) => Some(format!(
                "`{}`, and not how many elements there are, whether it may be NULL and how long it lives",
                self.show_type(ty)
            )),
            Type::VaList => Some("`va_list`".to_string()),
            Type::Array { elem, .. } => self.unsafe_c_value(elem.ty),
            Type::Record(id, _) => {
                let fields = self.types.records[*id].fields.as_ref();
                fields.iter().flat_map(|fields| fields.iter()).find_map(|field| {
                    self.unsafe_c_value(field.ty.ty)
                })
            }
            Type::Error => Some("a type that is not supported".to_string()),
            _ => None,
        }
    }

    /// Notes an interface that is believed.
    pub(super) fn trust(&mut self, name: QualName, ty: TypeId, span: Span) {
        let is_ours = self.options.library || self.in_library_header(span);
        if let Some(record) = self.types.not_c(ty).filter(|_| !is_ours) {
            self.refuse_crossing(&name, record, span);
        }
        if self.types.mentions_reference(ty) && !is_ours {
            let text = format!("`{name}` takes a reference of the checked heap to C or from there");
            let error = Diagnostic::error("E0544", text, span)
                .note("to C it is no pointer: it says of which object it is, and where that was")
                .help("let C have `T *`r`: the object is lent for the call; `pin_forever(p)` lends it for good");
            self.error(error);
        }
        let ty = self.show_type(ty);
        self.trusted.push(Trusted { name, ty, span });
    }

    /// Reports that C would see another type than the one that stands here.
    fn refuse_crossing(&mut self, name: &QualName, record: RecordId, span: Span) {
        let def = &self.types.records[record];
        let way = def.not_c.map_or(String::new(), |way| way.to_string());
        let declared = def.span;
        let ty = self.types.intern(Type::Record(record, Vec::new()));
        let shown = self.show_type(ty);
        let text =
            format!("`{name}` takes a `{shown}` to C or from there, and C's is another type");
        let error =
            Diagnostic::error("E0804", text, span).secondary(declared, "declared here").help(way);
        self.error(error);
    }

    /// Whether the place is in a C header that has no interface of ours.
    pub(super) fn in_c_header(&self, span: Span) -> bool {
        is_within(&self.options.c_headers, span)
    }

    /// Whether the place is in a header of the library's own.
    pub(crate) fn in_library_header(&self, span: Span) -> bool {
        is_within(&self.options.library_headers, span)
    }

    /// A type that a header of the library's declares without its members is the library's to look into: the runtime's
    /// C knows what is there.
    pub(super) fn require_completed_where_declared(&mut self, name: &QName, declared: Span) {
        let outside = self.in_library_header(declared) && !self.in_library_header(name.span);
        if outside && !self.options.library {
            let text =
                format!("`{name}` is a type of the library's, which does not say what is in it");
            let error = Diagnostic::error("E0209", text, name.span)
                .secondary(declared, "declared here")
                .help("a type of the program's own has another name");
            self.error(error);
        }
    }

    /// Whether the place has Cyclone 1.0's rules.
    pub(crate) fn in_cyclone1(&self, span: Span) -> bool {
        is_within(&self.options.cyclone1, span)
    }
}

/// Whether a place is in one of the sorted parts.
fn is_within(parts: &[Span], span: Span) -> bool {
    if parts.is_empty() {
        return false;
    }
    let index = parts.partition_point(|part| (part.file, part.lo) <= (span.file, span.lo));
    index.checked_sub(1).is_some_and(|index| {
        let part = parts[index];
        part.file == span.file && span.lo < part.hi
    })
}
