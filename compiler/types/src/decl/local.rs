//! Declarations in blocks.

use crate::checker::Checker;
use crate::convert::Elision;
use crate::hir::{Decl, GlobalId, Init, Linkage, LocalId, Stmt, StmtKind};
use crate::names::QualName;
use crate::scope::{Entry, ValueDef};
use crate::ty::{QualType, Type};
use tenure_span::Diagnostic;
use tenure_syntax::tree::{
    self, DeclKind, Declarator, Expr, Ident, InitDeclarator, Specifiers, Storage, VarDecl,
};

impl Checker<'_> {
    /// A declaration in a block, except `let` and `region`: what it leaves to be done is added to `out`.
    pub(crate) fn block_decl(&mut self, decl: &tree::Decl, out: &mut Vec<Stmt>) {
        match &decl.kind {
            DeclKind::Vars(vars) => self.block_vars(vars, decl, out),
            DeclKind::StaticAssert(e, text) => self.static_assert(e, text.as_ref(), decl.span),
            DeclKind::Using(scope) => match self.scopes.find_namespace(&scope.name) {
                Some(ns) => {
                    let mark = self.scopes.layer_mark();
                    self.scopes.push_using(ns);
                    for decl in &scope.decls {
                        self.block_decl(decl, out);
                    }
                    if scope.braced {
                        self.scopes.restore_layers(mark);
                    }
                }
                None => {
                    let text = format!("there is no namespace `{}`", scope.name);
                    self.error(Diagnostic::error("E0211", text, scope.name.span));
                }
            },
            // The parser has reported a function inside another one.
            DeclKind::Function(_) | DeclKind::Empty | DeclKind::Error => {}
            _ => {
                let text = "this declaration can stand only at file scope";
                self.error(Diagnostic::error("E0234", text, decl.span));
            }
        }
    }

    fn block_vars(&mut self, vars: &VarDecl, decl: &tree::Decl, out: &mut Vec<Stmt>) {
        let specs = &vars.specs;
        if vars.declarators.is_empty() {
            self.type_declaration(specs);
            return;
        }
        let base =
            super::file::defines_type(&specs.base).then(|| self.base_type(specs, Elision::Infer));
        for item in &vars.declarators {
            self.block_declarator(specs, base, item, decl, out);
        }
    }

    fn block_declarator(
        &mut self,
        specs: &Specifiers,
        base: Option<QualType>,
        item: &InitDeclarator,
        decl: &tree::Decl,
        out: &mut Vec<Stmt>,
    ) {
        let declarator = &item.declarator;
        let storage = specs.storage.map(|storage| storage.0);
        if storage == Some(Storage::Typedef) {
            return self.typedef(specs, base, declarator);
        }
        let Some(name) = &declarator.name else { return };
        let elision = match storage {
            Some(Storage::Static | Storage::Extern) => Elision::Heap,
            _ => Elision::Infer,
        };
        let ty = self.declared_type(specs, base, &declarator.parts, elision);
        if let Type::Function(_) = self.kind(ty.ty) {
            self.declare_function(name, ty.ty, specs, declarator);
            return;
        }
        match storage {
            Some(Storage::Extern) => self.block_extern(name, ty, specs, declarator),
            Some(Storage::Static) => {
                let global = self.block_static(name.name, ty, specs, item);
                let kind = StmtKind::Decl(Decl::Static(global));
                out.push(Stmt { kind, span: decl.span });
            }
            _ => {
                let span = declarator.span;
                let (local, init) = self.automatic(name.name, ty, specs, item);
                let kind = StmtKind::Decl(Decl::Local { local, init });
                let span = item.init.as_ref().map_or(span, |init| span.to(init.span));
                out.push(Stmt { kind, span });
            }
        }
    }

    fn automatic(
        &mut self,
        name: Ident,
        ty: QualType,
        specs: &Specifiers,
        item: &InitDeclarator,
    ) -> (LocalId, Option<Init>) {
        // The initialiser completes an array.
        let ty = self.object_type(ty, item.init.is_some(), name.span);
        let local = self.declare_local(name, ty);
        let attributes = self.attributes(&[&specs.attributes, &item.declarator.attributes]);
        self.fx.locals[local].align = self.alignas(&specs.alignas).max(attributes.align);
        let init = item.init.as_ref().map(|init| {
            let value = self.initializer(init, ty.ty, Some(name.name), name.span);
            self.fx.locals[local].ty.ty = value.ty;
            value
        });
        (local, init)
    }

    fn block_static(
        &mut self,
        name: Ident,
        ty: QualType,
        specs: &Specifiers,
        item: &InitDeclarator,
    ) -> GlobalId {
        let ty = self.object_type(ty, item.init.is_some(), name.span);
        let qualified = QualName { path: Vec::new(), name: name.name };
        let declarator = &item.declarator;
        let global = self.new_global(qualified, ty, Linkage::Internal, specs, declarator);
        self.check_redeclared(name);
        self.scopes.declare(name.name, Entry::Value(ValueDef::Global(global)), name.span);
        if let Some(init) = &item.init {
            self.static_init(global, name, init);
        }
        global
    }

    fn static_init(&mut self, global: GlobalId, name: Ident, init: &Expr) {
        let ty = self.globals[global].ty.ty;
        let mut value = self.initializer(init, ty, Some(name.name), name.span);
        self.require_constant_init(&mut value);
        self.globals[global].ty.ty = value.ty;
        self.globals[global].init = Some(value);
        self.infer.statics.push(global);
    }

    /// `extern int x;` in a block names the variable at file scope.
    fn block_extern(
        &mut self,
        name: &tree::QName,
        ty: QualType,
        specs: &Specifiers,
        declarator: &Declarator,
    ) {
        self.declare_global(name, ty, specs, declarator, None);
        let ns = self.scopes.namespace();
        if let Some((entry, _)) = self.scopes.declared_at(ns, name.name.name) {
            self.scopes.declare(name.name.name, entry, name.span);
        }
    }

    /// A local in the innermost block, visible from here.
    pub(crate) fn declare_local(&mut self, name: Ident, ty: QualType) -> LocalId {
        self.check_redeclared(name);
        let local = self.new_local(Some(name.name), ty, name.span);
        let entry = Entry::Value(ValueDef::Local(local));
        self.scopes.declare(name.name, entry, name.span);
        local
    }

    fn check_redeclared(&mut self, name: Ident) {
        if let Some((_, declared)) = self.scopes.declared_here(name.name) {
            // papers/001, figure 8, takes a state apart into the same names again and again.
            if self.fx.let_pattern.is_some_and(|pattern| declared.hi <= pattern.lo) {
                return;
            }
            let text = format!("`{}` is declared twice in this block", name.name);
            let error = Diagnostic::error("E0241", text, name.span);
            self.error(error.secondary(declared, "first declared here"));
        }
    }
}
