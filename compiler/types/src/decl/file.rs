//! Declarations at file scope, in order.

use crate::checker::Checker;
use crate::convert::Elision;
use crate::scope::{Entry, Tag, ValueDef};
use crate::ty::{QualType, Type, TypeId};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{
    BaseType, Decl, DeclKind, Declarator, ExternInclude, InitDeclarator, ParamStyle, Part, Scope,
    Specifiers, Storage, Tree, VarDecl,
};

/// Whether specifiers define a type, so that they must be converted just once.
pub(super) fn defines_type(base: &BaseType) -> bool {
    match base {
        BaseType::Record(spec) => spec.body.is_some(),
        BaseType::Enum(spec) => spec.body.is_some(),
        BaseType::Datatype(spec) => spec.body.is_some(),
        _ => false,
    }
}

/// What is to be used in the place of a function that is declared `unavailable`, as GNU C has it.
fn unavailable(specs: &Specifiers, declarator: &Declarator) -> Option<Symbol> {
    let Some(Part::Function(part)) = declarator.parts.first() else { return None };
    let lists = [&specs.attributes, &declarator.attributes, &part.attributes];
    let found = lists.into_iter().flatten().find(|found| found.name.name == *"unavailable")?;
    found.args.first().and_then(super::attribute::attribute_text)
}

/// Whether a function so declared exists for this unit alone.
pub(super) fn is_private(specs: &Specifiers) -> bool {
    specs.inline.is_some() || matches!(specs.storage, Some((Storage::Static, _)))
}

impl Checker<'_> {
    /// Checks a whole translation unit.
    pub(crate) fn check_tree(&mut self, tree: &Tree) {
        self.refuse_pragmas(&tree.pragmas);
        self.refuse_attributes(tree);
        self.decls.packings = super::packing::packings(&tree.pragmas);
        self.file_decls(&tree.decls);
        self.finish_globals();
        self.bound_globals();
    }

    fn file_decls(&mut self, decls: &[Decl]) {
        for decl in decls {
            self.file_decl(decl);
        }
    }

    fn file_decl(&mut self, decl: &Decl) {
        let c_header = self.convert.c_header;
        self.convert.c_header = c_header || self.in_c_header(decl.span);
        match &decl.kind {
            DeclKind::Vars(vars) => self.file_vars(vars),
            DeclKind::Function(def) => self.function_def(def, decl.span),
            DeclKind::Namespace(scope) => self.namespace(scope),
            DeclKind::Using(scope) => self.using(scope),
            DeclKind::ExternC(block) => {
                let outer = std::mem::replace(&mut self.decls.extern_c, true);
                self.file_decls(&block.decls);
                self.decls.extern_c = outer;
            }
            DeclKind::ExternInclude(include) => self.extern_include(include),
            DeclKind::StaticAssert(e, text) => self.static_assert(e, text.as_ref(), decl.span),
            DeclKind::Let(_) | DeclKind::LetNames(_) | DeclKind::Region(_) => {
                let text = "this declaration can stand only in a function";
                self.error(Diagnostic::error("E0234", text, decl.span));
            }
            DeclKind::Asm(text) => {
                if !self.convert.c_header {
                    let message = "`asm` can do anything to memory";
                    let error = Diagnostic::error("E0803", message, text.span)
                        .help("put it into a C file and declare the function in `extern \"C\"`");
                    self.error(error);
                }
            }
            DeclKind::Empty | DeclKind::Error => {}
        }
        self.convert.c_header = c_header;
    }

    fn namespace(&mut self, scope: &Scope) {
        let mark = self.scopes.layer_mark();
        self.scopes.enter_namespace(&scope.name);
        self.file_decls(&scope.decls);
        self.scopes.restore_layers(mark);
    }

    /// `using N { … }`; `using N;` lasts to the end of the block or file, which ends the list of its declarations.
    fn using(&mut self, scope: &Scope) {
        let Some(ns) = self.scopes.find_namespace(&scope.name) else {
            let text = format!("there is no namespace `{}`", scope.name);
            self.error(Diagnostic::error("E0211", text, scope.name.span));
            self.file_decls(&scope.decls);
            return;
        };
        let mark = self.scopes.layer_mark();
        self.scopes.push_using(ns);
        self.file_decls(&scope.decls);
        if scope.braced {
            self.scopes.restore_layers(mark);
        }
    }

    /// `extern "C" include { … }`: what stands in it is C's.
    fn extern_include(&mut self, include: &ExternInclude) {
        let c_header = std::mem::replace(&mut self.convert.c_header, true);
        self.file_decls(&include.decls);
        self.convert.c_header = c_header;
        let outer = std::mem::replace(&mut self.decls.extern_c, true);
        let overriding = std::mem::replace(&mut self.decls.overriding, true);
        self.file_decls(&include.overrides);
        self.decls.overriding = overriding;
        self.decls.extern_c = outer;
    }

    fn file_vars(&mut self, decl: &VarDecl) {
        let specs = &decl.specs;
        if decl.declarators.is_empty() {
            self.type_declaration(specs);
            return;
        }
        let base = defines_type(&specs.base).then(|| self.base_type(specs, Elision::Heap));
        for declarator in &decl.declarators {
            self.file_declarator(specs, base, declarator);
        }
    }

    /// `struct S;`, `enum E {…};`, `datatype T {…};`
    pub(super) fn type_declaration(&mut self, specs: &Specifiers) {
        match &specs.base {
            // C11 6.7.2.3p7: hides a tag of an outer scope.
            BaseType::Record(spec) if spec.body.is_none() => {
                if let Some(name) = &spec.name {
                    if self.own_tag(name).is_none() {
                        self.declare_record(spec);
                    } else if let Some((Tag::Record(id), _)) = self.own_tag(name) {
                        self.types.records[id].is_abstract |= spec.is_abstract;
                    }
                }
            }
            BaseType::Datatype(spec) if spec.body.is_none() && spec.variant.is_none() => {
                if self.scopes.find_tag_qualified(&spec.name).is_none() {
                    self.declare_datatype(spec);
                }
            }
            BaseType::Record(_) | BaseType::Enum(_) | BaseType::Datatype(_) => {
                self.base_type(specs, Elision::Heap);
            }
            BaseType::Error => {}
            _ => {
                if !self.convert.c_header && !specs.extension {
                    let text = "this declares nothing";
                    self.warn(Diagnostic::warning("W0201", text, specs.span));
                }
            }
        }
    }

    /// The `...` of a function that is declared with C's, outside of C code.
    fn untyped_rest(&self, declarator: &Declarator) -> Option<Span> {
        let Some(Part::Function(part)) = declarator.parts.first() else { return None };
        let variadic = part.variadic.as_ref().filter(|variadic| variadic.param.is_none())?;
        (!self.decls.extern_c && !self.convert.c_header).then_some(variadic.span)
    }

    /// `T f();` behind a declaration with parameters says nothing of them, in C before C23, and has the same result.
    fn says_no_more(&self, name: Symbol, ty: TypeId, declarator: &Declarator) -> bool {
        let Some(Part::Function(part)) = declarator.parts.first() else { return false };
        let adds = !declarator.attributes.is_empty() || declarator.asm_label.is_some();
        if part.style != ParamStyle::Empty || adds {
            return false;
        }
        let Some((Entry::Value(ValueDef::Func(func)), _)) = self.scopes.declared_here(name) else {
            return false;
        };
        let kinds = (self.kind(self.funcs[func].ty), self.kind(ty));
        let (Type::Function(first), Type::Function(second)) = kinds else { return false };
        !first.params.is_empty() && first.result == second.result
    }

    fn file_declarator(
        &mut self,
        specs: &Specifiers,
        base: Option<QualType>,
        item: &InitDeclarator,
    ) {
        let declarator = &item.declarator;
        if matches!(specs.storage, Some((Storage::Typedef, _))) {
            self.typedef(specs, base, declarator);
            return;
        }
        let Some(name) = &declarator.name else { return };
        if let Some(instead) = unavailable(specs, declarator) {
            return self.keep_unavailable(name.name.name, instead, name.span);
        }
        self.convert.unsafe_reason = None;
        self.convert.is_main = name.as_ident().is_some_and(|name| name.name == *"main");
        self.convert.is_private = is_private(specs);
        self.convert.open_rest = self.untyped_rest(declarator);
        let ty = self.declared_type(specs, base, &declarator.parts, Elision::Heap);
        self.convert.is_private = false;
        self.convert.is_main = false;
        if self.convert.open_rest.take().is_some() {
            return self.keep_untyped(name.name.name, name.span);
        }
        if name.as_ident().is_some_and(|name| self.says_no_more(name.name, ty.ty, declarator)) {
            return;
        }
        if self.convert.c_header {
            let reason = self.convert.unsafe_reason.take().or_else(|| self.unsafe_c_type(ty.ty));
            if let Some(reason) = reason {
                self.keep_unsafe(name.name.name, reason, name.span);
                return;
            }
        }
        if let Type::Function(_) = self.kind(ty.ty) {
            self.declare_function(name, ty.ty, specs, declarator);
            if let Some(init) = &item.init {
                let text = "a function is defined by a body, not by an initialiser";
                self.error(Diagnostic::error("E0235", text, init.span));
            }
        } else {
            self.declare_global(name, ty, specs, declarator, item.init.as_ref());
        }
    }
}
