//! `extern "C"` in its forms.

use super::Parser;
use crate::token::TokenKind;
use crate::tree::{DeclKind, Export, ExternC, ExternInclude, QName};
use tenure_span::Diagnostic;
use TokenKind as K;

impl Parser<'_> {
    /// `extern "C" { … }`, `extern "C" int f();`, `extern "C" include { … } …`, at `extern`.
    pub(super) fn extern_c(&mut self) -> DeclKind {
        self.bump();
        let language = self.here();
        let text = self.text_of(self.token()).to_string();
        self.bump();
        let include = match text.as_str() {
            "\"C\"" => self.eat_word(self.words.include),
            "\"C include\"" => true,
            _ => {
                self.report(
                    Diagnostic::error("E0107", "an unknown language after `extern`", language)
                        .suggest("`\"C\"` is the one that is known", language, "\"C\""),
                );
                false
            }
        };
        self.c_depth += 1;
        let kind = if include {
            self.extern_include()
        } else if self.at(K::LBrace) {
            DeclKind::ExternC(ExternC { decls: self.braced_declarations(), braced: true })
        } else {
            let decls = vec![self.declaration(true)];
            DeclKind::ExternC(ExternC { decls, braced: false })
        };
        self.c_depth -= 1;
        kind
    }

    fn extern_include(&mut self) -> DeclKind {
        let decls = self.braced_declarations();
        let mut include =
            ExternInclude { decls, export: None, overrides: Vec::new(), hide: Vec::new() };
        while !self.panicking {
            match self.kind() {
                K::Export => {
                    self.bump();
                    include.export = Some(self.export_list());
                }
                K::CycloneHide => {
                    self.bump();
                    include.hide.extend(self.name_list());
                }
                K::CycloneOverride => {
                    self.bump();
                    include.overrides.extend(self.braced_declarations());
                }
                _ => break,
            }
        }
        DeclKind::ExternInclude(Box::new(include))
    }

    fn export_list(&mut self) -> Export {
        let open = self.here();
        if self.at(K::LBrace) && self.kind_at(1) == K::Star {
            self.bump();
            let star = self.here();
            self.bump();
            self.close(K::RBrace, open);
            return Export::All(star);
        }
        Export::Names(self.name_list())
    }

    /// `{ a, b; c }`
    fn name_list(&mut self) -> Vec<QName> {
        let open = self.here();
        let mut names = Vec::new();
        if !self.expect(K::LBrace) {
            return names;
        }
        while !matches!(self.kind(), K::RBrace | K::Eof) && !self.panicking {
            if let Some(name) = self.expect_qname("a name") {
                names.push(name);
            }
            if !self.eat(K::Comma) && !self.eat(K::Semi) {
                break;
            }
        }
        self.close(K::RBrace, open);
        names
    }
}
