//! Declarations (C11 6.7) and the translation unit (C11 6.9).

use super::tight::PushTight;
use super::Parser;
use crate::names::NameClass;
use crate::token::TokenKind;
use crate::tree::{
    Decl, DeclKind, Declarator, FunctionDef, Ident, InitDeclarator, LetDecl, Param, ParamStyle,
    Part, QName, RegionDecl, Scope, Specifiers, Storage, VarDecl,
};
use tenure_span::{Diagnostic, Span, Symbol};
use TokenKind as K;

impl Parser<'_> {
    /// C11 6.9p1
    pub(super) fn translation_unit(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        loop {
            self.external_declarations(&mut decls);
            if !self.at(K::RBrace) {
                return decls;
            }
            let stray = self.here();
            self.bump();
            self.report(
                Diagnostic::error("E0110", "a `}` that closes nothing", stray)
                    .label("no `{` is open here"),
            );
        }
    }

    /// Declarations up to a `}` or the end of the file.
    pub(super) fn external_declarations(&mut self, decls: &mut Vec<Decl>) {
        while !matches!(self.kind(), K::RBrace | K::Eof) {
            let before = self.pos;
            decls.push(self.external_declaration());
            if self.panicking {
                self.recover_at_file_scope(before);
            }
            if self.pos == before && !self.at(K::RBrace) {
                self.bump();
            }
        }
    }

    /// A braced list of declarations, at the `{`.
    pub(super) fn braced_declarations(&mut self) -> Vec<Decl> {
        let open = self.here();
        let mut decls = Vec::new();
        if !self.expect(K::LBrace) {
            return decls;
        }
        if self.enter() {
            self.external_declarations(&mut decls);
            self.leave();
        }
        self.close(K::RBrace, open);
        decls
    }

    /// C11 6.9p1
    fn external_declaration(&mut self) -> Decl {
        let start = self.here();
        let kind = match self.kind() {
            K::Namespace => self.namespace(),
            K::Extern if self.kind_at(1) == K::Str => self.extern_c(),
            K::Asm => self.file_asm(),
            _ => return self.declaration(true),
        };
        Decl { span: self.since(start), kind }
    }

    /// C11 6.7p1; with function definitions if at file scope.
    pub(super) fn declaration(&mut self, file_scope: bool) -> Decl {
        let start = self.here();
        let kind = match self.kind() {
            K::Semi => {
                self.bump();
                DeclKind::Empty
            }
            K::StaticAssert => return self.static_assert(),
            K::Using => self.using(file_scope),
            K::Let => self.let_declaration(),
            K::Region => self.region_declaration(),
            _ => return self.plain_declaration(file_scope),
        };
        Decl { span: self.since(start), kind }
    }

    /// C11 6.7.10
    pub(super) fn static_assert(&mut self) -> Decl {
        let start = self.here();
        self.bump();
        let open = self.here();
        self.expect(K::LParen);
        let condition = self.conditional_expression();
        let message = if self.eat(K::Comma) { self.string_literal() } else { None };
        self.close(K::RParen, open);
        self.expect_semi("the assertion");
        let kind = DeclKind::StaticAssert(Box::new(condition), message);
        Decl { span: self.since(start), kind }
    }

    fn file_asm(&mut self) -> DeclKind {
        self.bump();
        let open = self.here();
        self.expect(K::LParen);
        let text = self.string_literal();
        self.close(K::RParen, open);
        self.expect_semi("`asm`");
        text.map_or(DeclKind::Error, DeclKind::Asm)
    }

    /// `namespace N { … }`, `namespace N;`
    fn namespace(&mut self) -> DeclKind {
        self.bump();
        let Some(name) = self.expect_qname("the name of a namespace") else {
            return DeclKind::Error;
        };
        let entered = self.names.enter_namespace(&path_of(&name));
        let (decls, braced) = self.scope_body("the namespace's name");
        self.names.leave(entered);
        DeclKind::Namespace(Scope { name, decls, braced })
    }

    /// `using N { … }`, `using N;`. In a block it has no declarations of its own: the names stay
    /// open until the block ends, which also leaves the scope. Braces there are the caller's.
    fn using(&mut self, file_scope: bool) -> DeclKind {
        self.bump();
        let Some(name) = self.expect_qname("the name of a namespace") else {
            return DeclKind::Error;
        };
        let entered = self.names.enter_using(name.absolute, &path_of(&name));
        if !file_scope {
            if !self.at(K::LBrace) {
                self.expect_semi("the namespace's name");
            }
            return DeclKind::Using(Scope { name, decls: Vec::new(), braced: false });
        }
        let (decls, braced) = self.scope_body("the namespace's name");
        self.names.leave(entered);
        DeclKind::Using(Scope { name, decls, braced })
    }

    fn scope_body(&mut self, what: &str) -> (Vec<Decl>, bool) {
        if self.at(K::LBrace) {
            return (self.braced_declarations(), true);
        }
        self.expect_semi(what);
        let mut decls = Vec::new();
        if self.enter() {
            self.external_declarations(&mut decls);
            self.leave();
        }
        (decls, false)
    }

    /// `let P = e;`, `let x, y;`, `let region …`
    fn let_declaration(&mut self) -> DeclKind {
        self.bump();
        if self.at(K::Region) {
            return self.region_declaration();
        }
        if self.at(K::Ident) && matches!(self.kind_at(1), K::Comma | K::Semi) {
            return self.let_names();
        }
        let pattern = self.pattern();
        if !self.expect(K::Eq) {
            return DeclKind::Error;
        }
        let init = self.initializer();
        self.expect_semi("the declaration");
        DeclKind::Let(Box::new(LetDecl { pattern, init }))
    }

    fn let_names(&mut self) -> DeclKind {
        let mut names = Vec::new();
        while let Some(name) = self.declared_name("the name of a variable") {
            self.names.declare(name.name, NameClass::Ordinary);
            names.push(name);
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.expect_semi("the declaration");
        DeclKind::LetNames(names)
    }

    /// `` region<`r> h; ``, `region h;`, `region h = open(e);`
    fn region_declaration(&mut self) -> DeclKind {
        self.bump();
        let mut attributes = Vec::new();
        let mut var = None;
        if self.at(K::Lt) {
            let open = self.here();
            self.bump();
            if self.at(K::TypeVar) {
                var = Some(self.type_var());
            } else {
                self.unexpected_code("E0119", "the name of a region, such as `` `r ``");
            }
            self.close_type_args(open);
        }
        let Some(name) = self.declared_name("the name of a region handle") else {
            return DeclKind::Error;
        };
        self.names.declare(name.name, NameClass::Ordinary);
        self.attributes(&mut attributes);
        let mut open = None;
        if self.eat(K::Eq) {
            if !self.eat_word(self.words.open) {
                self.unexpected("`open`");
            }
            let paren = self.here();
            self.expect(K::LParen);
            open = Some(self.expression());
            self.close(K::RParen, paren);
        }
        self.expect_semi("the region");
        DeclKind::Region(Box::new(RegionDecl { var, name, open, attributes }))
    }

    /// Specifiers with declarators, or a function's definition.
    fn plain_declaration(&mut self, file_scope: bool) -> Decl {
        let start = self.here();
        let before = self.pos;
        let specs = self.declaration_specifiers();
        if self.pos == before && !self.begins_declarator() {
            self.unexpected_code("E0107", "a declaration");
            return Decl { span: start, kind: DeclKind::Error };
        }
        let mut declarators = Vec::new();
        let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
        while !self.at(K::Semi) && !self.panicking {
            let declarator = self.declarator();
            self.declare(&declarator, is_typedef);
            if declarators.is_empty() && self.body_follows(&declarator, is_typedef) {
                return self.function_definition(start, specs, declarator, file_scope);
            }
            let init = self.eat(K::Eq).then(|| self.initializer());
            declarators.push_tight(InitDeclarator { declarator, init });
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.expect_semi("the declaration");
        let kind = DeclKind::Vars(VarDecl { specs, declarators });
        Decl { span: self.since(start), kind }
    }

    /// Without any specifier: `main() {}` and `x = 1;`, or `*f();`.
    fn begins_declarator(&self) -> bool {
        matches!(self.kind(), K::Ident | K::ColonColon | K::Star)
    }

    fn declare(&mut self, declarator: &Declarator, is_typedef: bool) {
        let Some(name) = &declarator.name else { return };
        let class = if is_typedef { NameClass::Type } else { NameClass::Ordinary };
        match name.as_ident() {
            Some(ident) => self.names.declare(ident.name, class),
            None => {
                let scope: Vec<Symbol> = name.scope.iter().map(|part| part.name).collect();
                self.names.declare_in(name.absolute, &scope, name.name.name, class);
            }
        }
    }

    /// After a first declarator, whether it is that of a function's definition.
    fn body_follows(&self, declarator: &Declarator, is_typedef: bool) -> bool {
        let Some(Part::Function(part)) = declarator.outer() else { return false };
        if is_typedef {
            return false;
        }
        match self.kind() {
            K::LBrace => true,
            _ if part.style == ParamStyle::Identifiers => self.starts_type(0),
            _ => false,
        }
    }

    /// C11 6.9.1
    fn function_definition(
        &mut self,
        start: Span,
        specs: Specifiers,
        declarator: Declarator,
        file_scope: bool,
    ) -> Decl {
        self.names.push_scope();
        if let Some(Part::Function(part)) = declarator.outer() {
            let rest = part.variadic.iter().filter_map(|variadic| variadic.param.as_deref());
            for param in part.params.iter().chain(rest) {
                if let Some(name) = param_name(param) {
                    self.names.declare(name.name, NameClass::Ordinary);
                }
            }
        }
        let mut old_style = Vec::new();
        while !matches!(self.kind(), K::LBrace | K::Eof) && !self.panicking {
            old_style.push(self.declaration(false));
        }
        let body = self.compound_statement();
        self.names.pop_scope();
        let span = self.since(start);
        if !file_scope {
            let at = declarator.span;
            self.report(
                Diagnostic::error("E0116", "a function is defined within a function", at)
                    .help("define it at file scope, before this function"),
            );
            return Decl { span, kind: DeclKind::Error };
        }
        let function = FunctionDef { specs, declarator, old_style, body };
        Decl { span, kind: DeclKind::Function(Box::new(function)) }
    }

    /// After a type's name of so many tokens: `T = 1;`, `T{…}` and `T(1, 2)` are expressions, if
    /// odd ones, but `T (x);` is a declaration.
    fn type_begins_declaration(&self, length: usize) -> bool {
        match self.kind_at(length) {
            K::Eq | K::Dot | K::Arrow | K::LBracket | K::LBrace | K::PlusPlus => false,
            K::LParen => match self.kind_at(length + 1) {
                K::Ident => self.kind_at(length + 2) == K::RParen,
                K::Star | K::At | K::Question | K::LParen => true,
                _ => false,
            },
            _ => true,
        }
    }

    /// Whether a declaration begins here, in a block, and no statement.
    pub(super) fn begins_declaration(&self) -> bool {
        match self.kind() {
            K::Let | K::Using | K::StaticAssert => true,
            K::Region => matches!(self.kind_at(1), K::Lt | K::Ident),
            K::Ident | K::ColonColon => {
                let length = self.qname_length(0);
                match self.class_at(0) {
                    NameClass::Ordinary => false,
                    NameClass::Unknown => self.unknown_type_here(),
                    NameClass::Type => self.type_begins_declaration(length),
                }
            }
            // `__attribute__((fallthrough));` is a statement, `__extension__ e;` another.
            K::Attribute => true,
            K::Extension => self.starts_type(1),
            _ => self.starts_type(0),
        }
    }
}

fn path_of(name: &QName) -> Vec<Symbol> {
    name.scope.iter().chain([&name.name]).map(|part| part.name).collect()
}

fn param_name(param: &Param) -> Option<Ident> {
    param.declarator.name.as_ref().and_then(QName::as_ident)
}
