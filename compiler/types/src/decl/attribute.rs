//! Attributes of declarations (GNU), and alignment.

use crate::checker::Checker;
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{AlignAs, Attribute, Decl, DeclKind, Declarator, Expr, ExprKind, Tree};

/// What attributes say of a declared function or variable.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub link_name: Option<Symbol>,
    pub align: Option<u32>,
    pub packed: bool,
    pub bytes: bool,
    /// A record that C has otherwise, and what crosses in its place.
    pub not_c: Option<Symbol>,
    pub overloads: Vec<Symbol>,
    /// Those that cc is to see.
    pub passed: Vec<String>,
}

impl Attributes {
    pub(super) fn passes(&self, name: &str) -> bool {
        self.passed.iter().any(|passed| passed == name)
    }
}

/// Attributes without arguments that go to cc as they are. Promises about what a function does (`pure`, `const`,
/// `leaf`, `nothrow`) are not among them: cc would believe them. Nor is `weak`: what is called may then be nothing, or
/// another unit's function of another type.
const PASSED: &[&str] = &[
    "caller_site",
    "unused",
    "used",
    "noinline",
    "always_inline",
    "cold",
    "hot",
    "warn_unused_result",
    "constructor",
    "destructor",
    "flatten",
];

/// Attributes that change what an object is, where it lies, how a function is called or when it runs, so that units
/// would not agree or a check would not hold.
const CHANGING: &[&str] = &[
    "alias",
    "ifunc",
    "naked",
    "cleanup",
    "mode",
    "vector_size",
    "ext_vector_type",
    "neon_vector_type",
    "neon_polyvector_type",
    "matrix_type",
    "transparent_union",
    "scalar_storage_order",
    "hardbool",
    "ms_struct",
    "randomize_layout",
    "optimize",
    "section",
    "address_space",
    "ms_abi",
    "sysv_abi",
    "regparm",
    "stdcall",
    "fastcall",
    "thiscall",
    "cdecl",
    "pascal",
    "vectorcall",
    "regcall",
    "swiftcall",
    "swiftasynccall",
    "preserve_most",
    "preserve_all",
    "preserve_none",
    "pcs",
    "aarch64_vector_pcs",
    "aarch64_sve_pcs",
    "sseregparm",
    "intel_ocl_bicc",
    "interrupt",
    "interrupt_handler",
    "exception_handler",
    "signal",
    "no_caller_saved_registers",
    "no_callee_saved_registers",
    "strub",
    "simd",
    "target_clones",
    "target_version",
    "symver",
    "weakref",
    "returns_twice",
];

/// Attributes of records that leave them as they are, or that are known here. Others may change where members lie.
const OF_RECORDS: &[&str] = &[
    "packed",
    "aligned",
    "not_c",
    "bytes",
    "unused",
    "deprecated",
    "unavailable",
    "may_alias",
    "visibility",
    "type_visibility",
    "designated_init",
    "warn_if_not_aligned",
    "warn_unused",
    "warn_unused_result",
    "gcc_struct",
    "no_randomize_layout",
];

impl Checker<'_> {
    /// Reports what changes a meaning, wherever in a declaration or a type it stands. In C's own text it makes
    /// declarations unsafe.
    pub(super) fn refuse_attributes(&mut self, tree: &Tree) {
        let of_c = extern_includes(&tree.decls);
        for attribute in &tree.attributes {
            let (name, at) = (attribute.name.as_str(), attribute.span);
            let is_c =
                self.in_c_header(at) || of_c.iter().any(|span| (span.lo..span.hi).contains(&at.lo));
            if CHANGING.contains(&name) && !is_c {
                let text = format!("the attribute `{name}` would go around the checks");
                self.error(Diagnostic::error("E0231", text, at));
            }
        }
    }

    /// What a record's own attributes say; none of them changes its layout unknown.
    pub(super) fn record_attributes(&mut self, list: &[Attribute]) -> Attributes {
        for attribute in list {
            let name = attribute.name.name.as_str();
            if !OF_RECORDS.contains(&name) && !CHANGING.contains(&name) {
                let text = format!("the attribute `{name}` may change where members lie");
                self.type_error(Diagnostic::error("E0231", text, attribute.span));
            }
        }
        self.attributes(&[list])
    }

    /// Collects from several lists; what would touch safety is reported.
    pub(super) fn attributes(&mut self, lists: &[&[Attribute]]) -> Attributes {
        let mut out = Attributes::default();
        for attribute in lists.iter().copied().flatten() {
            self.attribute(attribute, &mut out);
        }
        out
    }

    fn attribute(&mut self, attribute: &Attribute, out: &mut Attributes) {
        let name = attribute.name.name.as_str();
        match name {
            "link_name" => match attribute.args.first().and_then(attribute_text) {
                Some(text) => out.link_name = Some(self.link_name(text, attribute.span)),
                None => {
                    let text = "`link_name` needs a string";
                    self.error(Diagnostic::error("E0230", text, attribute.span));
                }
            },
            "not_c" => out.not_c = attribute.args.first().and_then(attribute_text),
            "aligned" => match attribute.args.first() {
                Some(e) => out.align = self.alignment(e).or(out.align),
                None => out.align = Some(16),
            },
            "packed" => out.packed = true,
            "bytes" => out.bytes = true,
            "overload" => out.overloads.extend(attribute.args.iter().filter_map(named)),
            // Elsewhere it has been reported.
            _ if CHANGING.contains(&name) && self.convert.c_header => {
                let text = format!("the attribute `{name}`");
                self.convert.unsafe_reason.get_or_insert(text);
            }
            "visibility" | "tls_model" | "target" => {
                if let Some(text) = attribute.args.first().and_then(attribute_text) {
                    out.passed.push(format!("{name}(\"{}\")", text.as_str().escape_default()));
                }
            }
            _ if PASSED.contains(&name) && attribute.args.is_empty() => {
                out.passed.push(name.to_string());
            }
            // Known to the types, or without a meaning here.
            _ => {}
        }
    }

    /// What stands in an object file under this name is found by it, and the assembler reads it: letters, digits, `_`,
    /// `.` and `$`, and none that the compiler makes up itself.
    fn link_name(&mut self, text: Symbol, span: Span) -> Symbol {
        let name = text.as_str();
        let kept = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
        let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let derived = name.contains('$') || name.starts_with("tn.") || name.starts_with("own.");
        let may_be = self.options.library || !derived;
        if starts && may_be && name.chars().all(kept) {
            return text;
        }
        let headline = format!("`{}` cannot be a link name", name.escape_debug());
        let error = Diagnostic::error("E0230", headline, span)
            .help("it has letters, digits, `_` and `.`, and no `$`, which the compiler's own symbols have");
        self.error(error);
        Symbol::new("tn_unknown")
    }

    /// GNU C's spelling of a link name.
    pub(super) fn asm_label(&mut self, declarator: &Declarator) -> Option<Symbol> {
        let (text, span) = declarator.asm_label?;
        Some(self.link_name(text, span))
    }

    fn alignment(&mut self, e: &Expr) -> Option<u32> {
        let value = self.eval_int_constant(e).ok()?;
        let align = u32::try_from(value).ok().filter(|align| align.is_power_of_two());
        if align.is_none() {
            let text = format!("{value} is no alignment: it must be a power of two");
            self.error(Diagnostic::error("E0232", text, e.span));
        }
        align
    }

    /// `_Alignas`, the strictest of several.
    pub(super) fn alignas(&mut self, list: &[AlignAs]) -> Option<u32> {
        let mut strictest = None;
        for align in list {
            let align = match align {
                AlignAs::Expr(e) => self.alignment(e),
                AlignAs::Type(name) => {
                    let ty = self.convert_type_name(name, crate::convert::Elision::Heap).ty;
                    self.align_of(ty).and_then(|align| u32::try_from(align).ok())
                }
            };
            strictest = strictest.max(align);
        }
        strictest
    }
}

/// Where the text of `extern "C" include` stands.
fn extern_includes(decls: &[Decl]) -> Vec<Span> {
    let mut spans = Vec::new();
    for decl in decls {
        match &decl.kind {
            DeclKind::ExternInclude(_) => spans.push(decl.span),
            DeclKind::ExternC(scope) => spans.extend(extern_includes(&scope.decls)),
            DeclKind::Namespace(scope) | DeclKind::Using(scope) => {
                spans.extend(extern_includes(&scope.decls));
            }
            _ => {}
        }
    }
    spans
}

pub(super) fn attribute_text(e: &Expr) -> Option<Symbol> {
    match &e.peel().kind {
        ExprKind::Str(literal) => {
            let bytes = literal.as_bytes()?;
            Some(Symbol::new(std::str::from_utf8(bytes).ok()?))
        }
        _ => None,
    }
}

fn named(e: &Expr) -> Option<Symbol> {
    match &e.peel().kind {
        ExprKind::Name(name) => Some(name.name.name),
        _ => None,
    }
}
