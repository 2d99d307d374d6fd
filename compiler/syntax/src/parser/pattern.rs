//! Patterns of `case`, `catch` and `let`.

use super::tight::PushTight;
use super::Parser;
use crate::names::NameClass;
use crate::token::TokenKind;
use crate::tree::{
    ConstructPattern, ExprKind, FieldPattern, Ident, Pattern, PatternKind, PatternList, QName,
    StructPattern,
};
use tenure_span::Span;
use TokenKind as K;

impl Parser<'_> {
    pub(super) fn pattern(&mut self) -> Pattern {
        let start = self.here();
        if !self.enter() {
            return Pattern { span: start, kind: PatternKind::Error };
        }
        let kind = self.pattern_kind();
        self.leave();
        Pattern { span: self.since(start), kind }
    }

    fn pattern_kind(&mut self) -> PatternKind {
        match self.kind() {
            K::Wildcard if self.kind_at(1) != K::Ident => {
                self.bump();
                PatternKind::Wildcard
            }
            K::Null => {
                self.bump();
                PatternKind::Null
            }
            K::Amp => {
                self.bump();
                PatternKind::Pointer(Box::new(self.pattern()))
            }
            K::AndAnd => {
                // Two pointers; the lexer cannot know.
                let start = self.here();
                self.bump();
                let inner = self.pattern();
                let span = Span { lo: start.lo + 1, ..self.since(start) };
                let inner = Pattern { span, kind: PatternKind::Pointer(Box::new(inner)) };
                PatternKind::Pointer(Box::new(inner))
            }
            K::Star => self.location_pattern(),
            K::DollarParen => {
                let open = self.here();
                self.bump();
                PatternKind::Tuple(self.pattern_list(open))
            }
            K::LBrace => self.struct_pattern(None),
            K::Ident if self.at_word(self.words.alias) && self.kind_at(1) == K::Lt => {
                self.alias_pattern()
            }
            K::Ident | K::ColonColon if self.qname_length(0) > 0 => self.name_pattern(),
            _ if self.starts_type(0) => self.typed_pattern(),
            _ => self.constant_pattern(),
        }
    }

    /// `*x`, `*x as P`
    fn location_pattern(&mut self) -> PatternKind {
        self.bump();
        let Some(name) = self.declared_name("the name of a variable") else {
            return PatternKind::Error;
        };
        self.bind(name);
        let inner = self.eat_word(self.words.r#as).then(|| Box::new(self.pattern()));
        PatternKind::Location(name, inner)
    }

    /// `alias<`r> T x`
    fn alias_pattern(&mut self) -> PatternKind {
        self.bump();
        let open = self.here();
        self.bump();
        if !self.at(K::TypeVar) {
            self.unexpected_code("E0119", "the name of a region, such as `` `r ``");
            return PatternKind::Error;
        }
        let var = self.type_var();
        self.close_type_args(open);
        match self.typed_pattern() {
            PatternKind::Typed(ty, name) => PatternKind::Alias(var, ty, name),
            other => other,
        }
    }

    /// `T x`
    fn typed_pattern(&mut self) -> PatternKind {
        let start = self.here();
        let specs = Box::new(self.declaration_specifiers());
        let declarator = self.declarator();
        let name = declarator.name.as_ref().and_then(QName::as_ident);
        let Some(name) = name else {
            if !self.panicking {
                self.unexpected_code("E0115", "the name of a variable");
            }
            return PatternKind::Error;
        };
        self.bind(name);
        let span = self.since(start);
        let ty = crate::tree::TypeName { span, specs, parts: declarator.parts };
        PatternKind::Typed(Box::new(ty), name)
    }

    fn bind(&mut self, name: Ident) {
        self.names.declare(name.name, NameClass::Ordinary);
    }

    /// What begins with a name: a variable, a constant, a constructor, a struct.
    fn name_pattern(&mut self) -> PatternKind {
        let length = self.qname_length(0);
        let next = self.kind_at(length);
        let is_type = self.class_at(0) == NameClass::Type;
        if is_type && matches!(next, K::Ident | K::Star | K::At | K::Question) {
            return self.typed_pattern();
        }
        if is_type && next == K::Lt && !self.pattern_args_follow(length) {
            return self.typed_pattern();
        }
        if length == 1 && self.word_at(1, self.words.r#as) {
            return self.as_pattern();
        }
        match next {
            K::LParen => {
                let name = self.qname();
                self.construct_pattern(name)
            }
            K::Lt if self.kind_at(length + 1) == K::TypeVar => self.instantiated_pattern(),
            K::LBrace => {
                let name = self.qname();
                self.struct_pattern(Some(name))
            }
            K::Ellipsis
            | K::DotDot
            | K::Plus
            | K::Minus
            | K::Star
            | K::Slash
            | K::Percent
            | K::Shl
            | K::Shr
            | K::Pipe
            | K::Caret
            | K::Amp => self.constant_pattern(),
            _ => {
                let name = self.qname();
                // A type's name is no value, so it is a new variable of that name.
                if let (true, Some(ident)) = (is_type, name.as_ident()) {
                    self.bind(ident);
                }
                PatternKind::Name(name)
            }
        }
    }

    /// After a type's name, at `<`: whether its arguments are existential names of a pattern.
    fn pattern_args_follow(&self, from: usize) -> bool {
        let mut ahead = from + 1;
        while matches!(self.kind_at(ahead), K::TypeVar | K::Comma | K::ColonColon | K::Ident) {
            ahead += 1;
        }
        self.kind_at(ahead) == K::Gt
            && matches!(self.kind_at(ahead + 1), K::LParen | K::LBrace | K::Colon | K::Comma)
    }

    /// `x as P`
    fn as_pattern(&mut self) -> PatternKind {
        let token = self.bump();
        self.bump();
        let name = Ident { name: token.name, span: token.span(self.file) };
        self.bind(name);
        PatternKind::As(name, Box::new(self.pattern()))
    }

    /// `` C<`a>(…) ``, `` x<`n> ``
    fn instantiated_pattern(&mut self) -> PatternKind {
        let name = self.qname();
        let mut params = self.type_params();
        if self.at(K::LParen) {
            return match self.construct_pattern(name) {
                PatternKind::Construct(mut construct) => {
                    construct.exists.extend(params);
                    PatternKind::Construct(construct)
                }
                other => other,
            };
        }
        match (name.as_ident(), params.pop()) {
            (Some(ident), Some(var)) if params.is_empty() => {
                self.bind(ident);
                PatternKind::Tag(ident, var)
            }
            _ => {
                self.unexpected_code("E0115", "`(` and the constructor's arguments");
                PatternKind::Error
            }
        }
    }

    /// `C(P, …)`, at the `(`.
    fn construct_pattern(&mut self, name: QName) -> PatternKind {
        let open = self.here();
        self.bump();
        let exists = if self.at(K::Lt) { self.type_params() } else { Vec::new() };
        let args = self.pattern_list(open);
        PatternKind::Construct(Box::new(ConstructPattern { name, exists, args }))
    }

    /// Patterns up to the `)`, with `...` last.
    fn pattern_list(&mut self, open: Span) -> PatternList {
        let mut list = PatternList { items: Vec::new(), rest: None };
        while !self.at(K::RParen) && !self.panicking {
            if self.at(K::Ellipsis) {
                list.rest = Some(self.here());
                self.bump();
                break;
            }
            list.items.push_tight(self.pattern());
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.close(K::RParen, open);
        list
    }

    /// `S{…}`, `{.f = P}`, at the `{`.
    fn struct_pattern(&mut self, name: Option<QName>) -> PatternKind {
        let open = self.here();
        self.bump();
        let exists = if self.at(K::Lt) { self.type_params() } else { Vec::new() };
        let mut fields = Vec::new();
        let mut rest = None;
        while !matches!(self.kind(), K::RBrace | K::Eof) && !self.panicking {
            if self.at(K::Ellipsis) {
                rest = Some(self.here());
                self.bump();
                break;
            }
            let designators = self.designators();
            if !designators.is_empty() {
                self.expect(K::Eq);
            }
            fields.push_tight(FieldPattern { designators, pattern: self.pattern() });
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.close(K::RBrace, open);
        PatternKind::Struct(Box::new(StructPattern { name, exists, fields, rest }))
    }

    /// A constant expression, a range, or a string.
    fn constant_pattern(&mut self) -> PatternKind {
        if !self.begins_constant() {
            self.unexpected_code("E0115", "a pattern");
            return PatternKind::Error;
        }
        let first = self.bitwise_expression();
        if self.eat(K::Ellipsis) || self.eat(K::DotDot) {
            let last = self.bitwise_expression();
            return PatternKind::Range(Box::new(first), Box::new(last));
        }
        match first.kind {
            ExprKind::Str(literal) => PatternKind::Str(literal),
            ExprKind::Error => PatternKind::Error,
            _ => PatternKind::Const(Box::new(first)),
        }
    }

    fn begins_constant(&self) -> bool {
        matches!(
            self.kind(),
            K::Number
                | K::Char
                | K::Str
                | K::Ident
                | K::ColonColon
                | K::LParen
                | K::Minus
                | K::Plus
                | K::Tilde
                | K::Bang
                | K::Sizeof
                | K::Alignof
                | K::BuiltinOffsetof
                | K::Extension
        )
    }
}
