//! Declarations that only blocks have: `let`, regions.

use super::jump::Barrier;
use crate::checker::{Checker, Why};
use crate::hir::{Decl, Init, InitElem, Stmt, StmtKind};
use crate::pattern::Matched;
use crate::scope::ValueDef;
use crate::ty::{Kind, QualType, Quals, TyVarOrigin, Type};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, DeclKind, PatternKind};

impl Checker<'_> {
    /// A declaration in a block.
    pub(super) fn declaration(&mut self, decl: &tree::Decl, out: &mut Vec<Stmt>) {
        match &decl.kind {
            DeclKind::Let(decl) => self.let_decl(decl, out),
            DeclKind::LetNames(names) => {
                for name in names {
                    let ty = QualType::plain(self.fresh_type(name.span, Kind::Any));
                    let local = self.declare_local(*name, ty);
                    let kind = StmtKind::Decl(Decl::Local { local, init: None });
                    out.push(Stmt { kind, span: name.span });
                }
            }
            DeclKind::Region(region) => self.region_decl(region, decl.span, out),
            _ => self.block_decl(decl, out),
        }
    }

    fn let_decl(&mut self, decl: &tree::LetDecl, out: &mut Vec<Stmt>) {
        let span = decl.pattern.span.to(decl.init.span);
        if let Some(name) = self.plain_variable(&decl.pattern) {
            let ty = self.fresh_type(name.span, Kind::Any);
            let why = Why::Init { name: Some(name.name), declared: name.span };
            let value = self.expr(&decl.init, None);
            let value = self.decay_for_let(value);
            let value = self.coerce(value, ty, why);
            let local = self.declare_local(name, QualType::plain(ty));
            let init = Init { ty, span: value.span, kind: InitElem::Expr(value) };
            let kind = StmtKind::Decl(Decl::Local { local, init: Some(init) });
            out.push(Stmt { kind, span });
            return;
        }
        if let PatternKind::Alias(var, ty, name) = &decl.pattern.kind {
            return self.alias_decl(var, ty, *name, &decl.init, span, out);
        }
        let binds_places = crate::pattern::binds_places(&decl.pattern);
        let value = self.expr(&decl.init, None);
        let value = if binds_places { value } else { self.decay(value) };
        let value = self.matchable(value);
        let matched = Matched::of(self, &value);
        self.fx.let_pattern = Some(decl.pattern.span);
        let pattern = self.pattern(&decl.pattern, matched);
        self.fx.let_pattern = None;
        self.check_let_exhaustive(&pattern);
        out.push(Stmt { kind: StmtKind::Decl(Decl::Let { pattern, value }), span });
    }

    /// An array is bound as the pointer with bounds to its elements.
    fn decay_for_let(&mut self, value: crate::hir::Expr) -> crate::hir::Expr {
        match self.kind(value.ty) {
            Type::Array { zeroterm: false, .. } => self.decay_fat(value),
            _ => self.decay(value),
        }
    }

    /// The variable, if the pattern is just a name that means no constructor.
    fn plain_variable(&self, pattern: &tree::Pattern) -> Option<tree::Ident> {
        let PatternKind::Name(name) = &pattern.kind else { return None };
        let ident = name.as_ident()?;
        match self.find_value(name) {
            Some(ValueDef::Variant(..)) => None,
            _ => Some(ident),
        }
    }

    /// `region<`r> h;`, `region h;`.
    fn region_decl(&mut self, decl: &tree::RegionDecl, span: Span, out: &mut Vec<Stmt>) {
        if let Some(key) = &decl.open {
            return self.open_decl(decl, key, span, out);
        }
        let name = decl.var.as_ref().map_or(decl.name.name, |var| var.name);
        if matches!(name.as_str(), "H" | "U" | "RC" | "D") {
            let text = format!("`` `{name} `` is the name of a region that always exists");
            self.error(Diagnostic::error("E0521", text, span));
            return;
        }
        let depth = self.scopes.regions.depth();
        let region = self.push_region(Some(name), TyVarOrigin::Lexical { depth }, span);
        self.fx.flow.enter(Barrier::Region, span);
        let id = self.block_region(region);
        let ty = QualType {
            ty: self.types.intern(Type::Handle(id)),
            quals: Quals { is_const: true, is_volatile: false },
        };
        let handle = self.declare_local(decl.name, ty);
        let kind = StmtKind::Decl(Decl::Region { region, handle });
        out.push(Stmt { kind, span });
    }
}
