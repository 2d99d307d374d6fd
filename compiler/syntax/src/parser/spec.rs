//! Declaration specifiers (C11 6.7p1) and whether one begins here.

use super::tight::PushTight;
use super::{Parser, MAX_DEPTH};
use crate::names::NameClass;
use crate::token::TokenKind;
use crate::tree::{
    AlignAs, Arith, BaseType, FloatN, Kind, Quals, Specifiers, Storage, TypeName, TypeVar,
};
use tenure_span::{Diagnostic, Span};
use TokenKind as K;

/// The words of arithmetic types that were seen, in any order (C11 6.7.2p2).
#[derive(Default)]
struct Words {
    signed: u8,
    unsigned: u8,
    short: u8,
    long: u8,
    complex: u8,
    /// `int`, `char`, `float`, …
    core: Option<TokenKind>,
    /// Two of the latter.
    clash: bool,
    any: bool,
}

impl Words {
    fn add(&mut self, kind: TokenKind) {
        self.any = true;
        match kind {
            K::Signed => self.signed += 1,
            K::Unsigned => self.unsigned += 1,
            K::Short => self.short += 1,
            K::Long => self.long += 1,
            K::Complex => self.complex += 1,
            _ => {
                self.clash |= self.core.is_some();
                self.core = Some(kind);
            }
        }
    }

    fn resolve(&self) -> Option<Arith> {
        if self.clash || self.signed + self.unsigned > 1 || self.short > 1 || self.complex > 1 {
            return None;
        }
        let sign = self.signed + self.unsigned;
        let unsigned = self.unsigned > 0;
        let pick = |plain, other| if unsigned { other } else { plain };
        if self.complex > 0 {
            return match (self.core, self.long, self.short + sign) {
                (Some(K::Float), 0, 0) => Some(Arith::ComplexFloat),
                (Some(K::Double) | None, 0, 0) => Some(Arith::ComplexDouble),
                (Some(K::Double), 1, 0) => Some(Arith::ComplexLongDouble),
                (Some(core), 0, 0) => float_n(core).map(Arith::ComplexFloatN),
                _ => None,
            };
        }
        Some(match (self.core, self.short, self.long) {
            (Some(K::Char_), 0, 0) if self.signed > 0 => Arith::SChar,
            (Some(K::Char_), 0, 0) => pick(Arith::Char, Arith::UChar),
            (Some(K::Int) | None, 1, 0) => pick(Arith::Short, Arith::UShort),
            (Some(K::Int) | None, 0, 0) => pick(Arith::Int, Arith::UInt),
            (Some(K::Int) | None, 0, 1) => pick(Arith::Long, Arith::ULong),
            (Some(K::Int) | None, 0, 2) => pick(Arith::LongLong, Arith::ULongLong),
            (Some(K::Int128), 0, 0) => pick(Arith::Int128, Arith::UInt128),
            (Some(K::Bool), 0, 0) if sign == 0 => Arith::Bool,
            (Some(K::Float), 0, 0) if sign == 0 => Arith::Float,
            (Some(K::Double), 0, 0) if sign == 0 => Arith::Double,
            (Some(K::Double), 0, 1) if sign == 0 => Arith::LongDouble,
            (Some(core), 0, 0) if sign == 0 => Arith::FloatN(float_n(core)?),
            _ => return None,
        })
    }
}

fn float_n(kind: TokenKind) -> Option<FloatN> {
    Some(match kind {
        K::Float16 => FloatN::F16,
        K::Float32 => FloatN::F32,
        K::Float32x => FloatN::F32x,
        K::Float64 => FloatN::F64,
        K::Float64x => FloatN::F64x,
        K::Float128 => FloatN::F128,
        _ => return None,
    })
}

fn is_arith_word(kind: TokenKind) -> bool {
    matches!(
        kind,
        K::Signed
            | K::Unsigned
            | K::Short
            | K::Long
            | K::Complex
            | K::Int
            | K::Char_
            | K::Float
            | K::Double
            | K::Bool
            | K::Int128
            | K::Float16
            | K::Float32
            | K::Float32x
            | K::Float64
            | K::Float64x
            | K::Float128
    )
}

impl Parser<'_> {
    /// Whether declaration specifiers begin at this token, as far as the names are known.
    pub(super) fn starts_type(&self, ahead: usize) -> bool {
        let (first, mut ahead) = (ahead, ahead);
        // What the innermost of `$($(…` begins with decides; deeper nesting is an error anyway.
        for _ in 0..MAX_DEPTH {
            match self.kind_at(ahead) {
                K::DollarParen | K::Extension => ahead += 1,
                _ => break,
            }
        }
        let kind = self.kind_at(ahead);
        match kind {
            K::Ident | K::ColonColon => self.class_at(ahead) == NameClass::Type,
            K::TypeVar | K::Void | K::Struct | K::Union | K::Enum | K::Datatype | K::XDatatype => {
                true
            }
            K::Typedef | K::Extern | K::Static | K::Auto | K::Register | K::ThreadLocal => true,
            K::Const | K::Volatile | K::Restrict | K::Atomic => true,
            K::Inline | K::Noreturn | K::Alignas | K::Typeof | K::AutoType => true,
            K::BuiltinVaList | K::Attribute => true,
            K::RegionT | K::TagT | K::AqualT | K::ValueofT => true,
            K::Abstract => true,
            K::At => {
                self.word_at(ahead + 1, self.words.tagged)
                    || self.word_at(ahead + 1, self.words.extensible)
            }
            // `$(_, T)`: there is no such expression.
            K::Wildcard if ahead > first => true,
            K::Wildcard => matches!(
                self.kind_at(ahead + 1),
                K::Ident | K::Star | K::At | K::Question | K::ColonColon | K::RParen
            ),
            _ => is_arith_word(kind),
        }
    }

    /// An identifier that is not known, but stands like the name of a type. It is parsed as one,
    /// and that it is unknown is said by the checker.
    pub(super) fn unknown_type_here(&self) -> bool {
        let length = self.qname_length(0);
        if length == 0 || self.class_at(0) != NameClass::Unknown {
            return false;
        }
        match self.kind_at(length) {
            K::Ident => !self.token_at(length).line_start,
            K::Lt => self.kind_at(length + 1) == K::TypeVar,
            K::Star | K::At => {
                self.kind_at(length + 1) == K::Ident
                    && matches!(self.kind_at(length + 2), K::Eq | K::Semi)
            }
            K::TypeVar => true,
            _ => false,
        }
    }

    /// Declaration specifiers (C11 6.7p1).
    pub(super) fn declaration_specifiers(&mut self) -> Specifiers {
        let start = self.here();
        let mut specs = Specifiers::plain(start, BaseType::Missing);
        let mut words = Words::default();
        let mut base_span: Option<Span> = None;
        loop {
            let before = self.pos;
            let here = self.here();
            if self.specifier_word(&mut specs) {
                continue;
            }
            if is_arith_word(self.kind()) {
                let kind = self.bump().kind;
                if matches!(specs.base, BaseType::Missing) {
                    words.add(kind);
                    base_span = Some(base_span.map_or(here, |span| span.to(here)));
                } else if !matches!(specs.base, BaseType::Error) {
                    self.two_types(here, base_span);
                    specs.base = BaseType::Error;
                }
                continue;
            }
            let first = matches!(specs.base, BaseType::Missing) && !words.any;
            if first || self.begins_tagged_type() {
                if let Some(base) = self.type_specifier(&mut specs) {
                    if first {
                        specs.base = base;
                        base_span = Some(self.since(here));
                    } else {
                        self.two_types(here, base_span);
                    }
                    if self.pos > before {
                        continue;
                    }
                }
            }
            break;
        }
        if words.any {
            let span = base_span.unwrap_or(start);
            specs.base = match words.resolve() {
                Some(arith) => BaseType::Arith(arith),
                None => {
                    self.report(Diagnostic::error(
                        "E0113",
                        "these words do not make a type together",
                        span,
                    ));
                    BaseType::Error
                }
            };
        }
        specs.span = if self.prev_end() > start.lo { self.since(start) } else { start.start() };
        specs.base_span = base_span.unwrap_or(specs.span);
        specs
    }

    /// Specifiers where a type has to be: a name there is one, known or not.
    pub(super) fn specifiers_with_type(&mut self) -> Specifiers {
        let start = self.here();
        let mut specs = self.declaration_specifiers();
        if specs.is_missing() && self.qname_length(0) > 0 {
            let here = self.here();
            let name = self.qname();
            let args = if self.at(K::Lt) { self.type_args() } else { Vec::new() };
            specs.base = BaseType::Named(name, args);
            specs.base_span = self.since(here);
            specs.span = self.since(start);
        }
        specs
    }

    /// `struct` and its like, which after a complete type can only be a mistake.
    fn begins_tagged_type(&self) -> bool {
        matches!(self.kind(), K::Struct | K::Union | K::Enum | K::Void)
    }

    fn two_types(&mut self, second: Span, first: Option<Span>) {
        let mut problem = Diagnostic::error("E0113", "two types in one declaration", second)
            .label("this type follows another one");
        if let Some(first) = first {
            problem = problem.secondary(first, "the first type");
        }
        self.report(problem.note("a `;` may be missing between them"));
    }

    /// Storage classes, function specifiers, qualifiers, alignment, attributes. False if the
    /// token is none of them.
    fn specifier_word(&mut self, specs: &mut Specifiers) -> bool {
        let here = self.here();
        let storage = match self.kind() {
            K::Typedef => Storage::Typedef,
            K::Extern => Storage::Extern,
            K::Static => Storage::Static,
            K::Auto => Storage::Auto,
            K::Register => Storage::Register,
            K::ThreadLocal => {
                self.bump();
                specs.thread_local = Some(here);
                return true;
            }
            K::Inline => {
                self.bump();
                specs.inline = Some(here);
                return true;
            }
            K::Noreturn => {
                self.bump();
                specs.noreturn = Some(here);
                return true;
            }
            K::Extension => {
                self.bump();
                specs.extension = true;
                return true;
            }
            K::Attribute => {
                self.attributes(&mut specs.attributes);
                return true;
            }
            K::Alignas => {
                self.alignas(specs);
                return true;
            }
            _ => return self.type_qualifier(&mut specs.quals),
        };
        self.bump();
        if let Some((other, span)) = specs.storage {
            let headline = if other == storage {
                "the storage class is given twice"
            } else {
                "two storage classes in one declaration"
            };
            self.report(
                Diagnostic::error("E0113", headline, here).secondary(span, "the first is here"),
            );
        }
        specs.storage = specs.storage.or(Some((storage, here)));
        true
    }

    /// C11 6.7.3. `_Atomic(` is a type specifier.
    pub(super) fn type_qualifier(&mut self, quals: &mut Quals) -> bool {
        let here = Some(self.here());
        match self.kind() {
            K::Const => quals.constant = here,
            K::Volatile => quals.volatile = here,
            K::Restrict => quals.restrict = here,
            K::Atomic if self.kind_at(1) != K::LParen => quals.atomic = here,
            _ => return false,
        }
        self.bump();
        true
    }

    /// C11 6.7.5
    fn alignas(&mut self, specs: &mut Specifiers) {
        self.bump();
        let open = self.here();
        if !self.expect(K::LParen) {
            return;
        }
        let align = if self.starts_type(0) {
            AlignAs::Type(Box::new(self.type_name()))
        } else {
            AlignAs::Expr(Box::new(self.conditional_expression()))
        };
        specs.alignas.push(align);
        self.close(K::RParen, open);
    }

    /// C11 6.7.2: one that is not a word of an arithmetic type.
    fn type_specifier(&mut self, specs: &mut Specifiers) -> Option<BaseType> {
        let here = self.here();
        Some(match self.kind() {
            K::Void => {
                self.bump();
                BaseType::Void
            }
            K::Ident | K::ColonColon => return self.named_type(),
            K::Struct | K::Union => self.record_specifier(here, false, false),
            K::Enum => self.enum_specifier(),
            K::Datatype | K::XDatatype => self.datatype_specifier(here, false),
            K::Abstract => {
                self.bump();
                match self.kind() {
                    K::Struct | K::Union | K::At => self.record_specifier(here, true, false),
                    K::Datatype | K::XDatatype => self.datatype_specifier(here, false),
                    _ => {
                        self.unexpected("`struct` or `datatype`");
                        BaseType::Error
                    }
                }
            }
            K::At if self.word_at(1, self.words.tagged) => {
                self.record_specifier(here, false, false)
            }
            K::At if self.word_at(1, self.words.extensible) => {
                self.bump();
                self.bump();
                self.datatype_specifier(here, true)
            }
            K::Typeof => self.typeof_specifier(),
            K::TypeVar => BaseType::Var(self.type_var()),
            K::Wildcard if !self.wildcard_is_name() => {
                self.bump();
                BaseType::Wildcard(self.kind_annotation())
            }
            K::DollarParen => self.tuple_type(),
            K::RegionT | K::AqualT | K::TagT => self.singleton_type(),
            K::ValueofT => {
                self.bump();
                let open = self.here();
                self.expect(K::LParen);
                let value = self.expression();
                self.close(K::RParen, open);
                BaseType::ValueOf(Box::new(value))
            }
            K::Atomic => {
                self.bump();
                let open = self.here();
                self.expect(K::LParen);
                let inner = self.type_name();
                self.close(K::RParen, open);
                BaseType::Atomic(Box::new(inner))
            }
            K::BuiltinVaList => {
                self.bump();
                BaseType::VaList
            }
            K::AutoType => {
                self.bump();
                BaseType::Auto
            }
            _ => {
                let _ = specs;
                return None;
            }
        })
    }

    /// In C, `_` may be the name of a function: `extern char *_(const char *);`.
    fn wildcard_is_name(&self) -> bool {
        self.in_c(self.token()) && matches!(self.kind_at(1), K::LParen | K::Semi | K::Comma)
    }

    /// A typedef's name, or an unknown name that stands like one; none if it is what is declared.
    fn named_type(&mut self) -> Option<BaseType> {
        if self.at_word(self.words.uint128) {
            self.bump();
            return Some(BaseType::Arith(Arith::UInt128));
        }
        if self.class_at(0) != NameClass::Type {
            let length = self.qname_length(0);
            let next = self.kind_at(length);
            let like_a_type = match next {
                K::Ident | K::TypeVar | K::Star | K::At | K::Question | K::Const | K::Volatile => {
                    length > 0
                }
                K::Lt => self.kind_at(length + 1) == K::TypeVar || self.type_args_close(length),
                K::LParen => {
                    matches!(self.kind_at(length + 1), K::Star | K::At | K::Question)
                }
                _ => false,
            };
            // `x` in `int f(x)`, `= 1` and so on: no type was written.
            if !like_a_type {
                return None;
            }
        }
        let name = self.qname();
        let args = if self.at(K::Lt) { self.type_args() } else { Vec::new() };
        Some(BaseType::Named(name, args))
    }

    /// Whether a `>` follows in the same statement: `unknown<int> x;`.
    fn type_args_close(&self, from: usize) -> bool {
        const FAR: usize = 32;
        for ahead in from..from + FAR {
            match self.kind_at(ahead) {
                K::Gt | K::Shr => {
                    return matches!(
                        self.kind_at(ahead + 1),
                        K::Ident | K::Star | K::At | K::Question | K::TypeVar
                    );
                }
                K::Semi | K::Eof | K::LBrace | K::RBrace => return false,
                _ => {}
            }
        }
        false
    }

    /// GNU `typeof (e)`, `typeof (T)`.
    fn typeof_specifier(&mut self) -> BaseType {
        self.bump();
        let open = self.here();
        if !self.expect(K::LParen) {
            return BaseType::Error;
        }
        let base = if self.starts_type(0) {
            BaseType::TypeofType(Box::new(self.type_name()))
        } else {
            BaseType::TypeofExpr(Box::new(self.expression()))
        };
        self.close(K::RParen, open);
        base
    }

    /// `` `a ``, `'r`, `` `a::B ``
    pub(super) fn type_var(&mut self) -> TypeVar {
        let start = self.here();
        let name = self.bump().name;
        let kind = self.kind_annotation();
        TypeVar { span: self.since(start), name, kind }
    }

    /// `::K`, with an alias qualifier after it.
    pub(super) fn kind_annotation(&mut self) -> Option<Kind> {
        if !self.at(K::ColonColon) {
            return None;
        }
        self.bump();
        let token = self.token();
        if token.kind != K::Ident {
            self.unexpected_code("E0119", "a kind, such as `B`, `A`, `R`, `E` or `I`");
            return None;
        }
        self.bump();
        let alias = if self.at(K::Backslash) { self.alias_abbreviation() } else { None };
        Some(Kind { span: token.span(self.file), name: token.name, alias })
    }

    /// `$(T1, T2)`
    fn tuple_type(&mut self) -> BaseType {
        let open = self.here();
        self.bump();
        let mut fields = Vec::new();
        while !self.at(K::RParen) && !self.panicking {
            fields.push_tight(self.parameter_declaration());
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.close(K::RParen, open);
        BaseType::Tuple(fields)
    }

    /// `region_t<`r>`, `tag_t<`n>`, `tag_t<`n, size_t>`, `tag_t`, `aqual_t<…>`
    fn singleton_type(&mut self) -> BaseType {
        let word = self.bump().kind;
        let open = self.here();
        if !self.eat(K::Lt) {
            if word != K::TagT {
                self.unexpected_code("E0119", "`<` and a region");
                return BaseType::Error;
            }
            return BaseType::Tag(None, None);
        }
        let arg = Box::new(self.type_arg());
        let int = (word == K::TagT && self.eat(K::Comma)).then(|| Box::new(self.type_name()));
        self.close_type_args(open);
        match word {
            K::RegionT => BaseType::RegionHandle(arg),
            K::TagT => BaseType::Tag(Some(arg), int),
            _ => BaseType::AliasQualType(arg),
        }
    }

    /// C11 6.7.7
    pub(super) fn type_name(&mut self) -> TypeName {
        let start = self.here();
        if !self.enter() {
            return self.error_type(start);
        }
        let specs = self.specifiers_with_type();
        if specs.is_missing() {
            self.unexpected_code("E0107", "a type");
        }
        let declarator = self.abstract_declarator();
        self.leave();
        TypeName { span: self.since(start), specs: Box::new(specs), parts: declarator.parts }
    }

    pub(super) fn error_type(&self, span: Span) -> TypeName {
        let specs = Specifiers::plain(span, BaseType::Error);
        TypeName { span, specs: Box::new(specs), parts: Vec::new() }
    }
}
