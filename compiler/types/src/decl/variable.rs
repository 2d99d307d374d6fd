//! Variables with static storage.

use super::GlobalInfo;
use crate::checker::Checker;
use crate::hir::{Global, GlobalId, Linkage};
use crate::infer::InferState;
use crate::names::QualName;
use crate::scope::{Entry, NsId, ValueDef};
use crate::ty::{ArrayLen, QualType, Type};
use tenure_span::Diagnostic;
use tenure_syntax::tree::{Declarator, Expr, QName, Specifiers, Storage};

impl Checker<'_> {
    /// A variable at file scope.
    pub(super) fn declare_global(
        &mut self,
        name: &QName,
        ty: QualType,
        specs: &Specifiers,
        declarator: &Declarator,
        init: Option<&Expr>,
    ) {
        let Some(ns) = self.scopes.qualifier_of(name) else {
            self.unknown_namespace(name);
            return;
        };
        let is_extern = matches!(specs.storage, Some((Storage::Extern, _)));
        let declares = is_extern && init.is_none();
        let ty = match declares {
            true => ty,
            false => self.object_type(ty, true, name.span),
        };
        let Some(global) = self.global_entry(ns, name, ty, specs, declarator, declares) else {
            return;
        };
        if let Some(init) = init {
            self.initialise_global(global, name, init);
        }
    }

    fn global_entry(
        &mut self,
        ns: NsId,
        name: &QName,
        ty: QualType,
        specs: &Specifiers,
        declarator: &Declarator,
        declares: bool,
    ) -> Option<GlobalId> {
        let symbol = name.name.name;
        match self.scopes.declared_at(ns, symbol) {
            Some((Entry::Value(ValueDef::Global(global)), declared)) => {
                if self.convert.c_header {
                    return None;
                }
                if !self.complete_global(global, ty) {
                    self.conflicting(name.span, symbol, declared, "E0208");
                    return None;
                }
                if !declares && self.globals[global].linkage == Linkage::Import {
                    self.globals[global].linkage = Linkage::External;
                    self.globals[global].span = name.span;
                }
                return Some(global);
            }
            None | Some((Entry::Unsafe(_) | Entry::Error, _)) => {}
            Some((_, declared)) => {
                if !self.convert.c_header {
                    self.conflicting(name.span, symbol, declared, "E0208");
                }
                return None;
            }
        }
        let linkage = match specs.storage {
            Some((Storage::Static, _)) => Linkage::Internal,
            _ if declares => Linkage::Import,
            _ => Linkage::External,
        };
        let qualified = QualName { path: self.scopes.path_of(ns).to_vec(), name: symbol };
        let global = self.new_global(qualified, ty, linkage, specs, declarator);
        let entry = Entry::Value(ValueDef::Global(global));
        self.scopes.declare_at(ns, symbol, entry, name.span);
        if declares && self.decls.extern_c && !self.convert.c_header {
            let qualified = self.globals[global].name.clone();
            self.trust(qualified, ty.ty, name.span);
        }
        Some(global)
    }

    pub(super) fn new_global(
        &mut self,
        name: QualName,
        ty: QualType,
        linkage: Linkage,
        specs: &Specifiers,
        declarator: &Declarator,
    ) -> GlobalId {
        let attributes = self.attributes(&[&specs.attributes, &declarator.attributes]);
        let align = self.alignas(&specs.alignas).max(attributes.align);
        let span = declarator.name.as_ref().map_or(declarator.span, |name| name.span);
        let link_name = self.asm_label(declarator).or(attributes.link_name);
        if link_name.is_some() && !self.decls.extern_c && !self.convert.c_header {
            let text = "under another name this may be an object of another type";
            let error = Diagnostic::error("E0231", text, span)
                .help("declare it in `extern \"C\"`, where its type is believed");
            self.error(error);
        }
        self.decls.globals.push(GlobalInfo { initialised: false });
        self.globals.push(Global {
            name,
            owner: self.fx.func,
            link_name,
            extern_c: self.decls.extern_c || self.convert.c_header,
            ty,
            linkage,
            thread_local: specs.thread_local.is_some(),
            align,
            attributes: attributes.passed,
            init: None,
            span,
        })
    }

    /// The composite type of two declarations (C11 6.2.7p3); false if they differ.
    fn complete_global(&mut self, global: GlobalId, ty: QualType) -> bool {
        let old = self.globals[global].ty;
        if self.unify_quals(old, ty).is_err() {
            return false;
        }
        let incomplete = matches!(self.kind(old.ty), Type::Array { len: ArrayLen::Incomplete, .. });
        if incomplete {
            self.globals[global].ty = ty;
        }
        true
    }

    fn initialise_global(&mut self, global: GlobalId, name: &QName, init: &Expr) {
        if std::mem::replace(&mut self.decls.globals[global].initialised, true) {
            let declared = self.globals[global].span;
            let text = format!("`{name}` has an initialiser already");
            let error = Diagnostic::error("E0236", text, init.span);
            self.error(error.secondary(declared, "declared here"));
            return;
        }
        self.infer = InferState::default();
        let (ty, span) = (self.globals[global].ty.ty, self.globals[global].span);
        let mut value = self.initializer(init, ty, Some(name.name.name), span);
        self.require_constant_init(&mut value);
        self.finish_init(&mut value);
        self.hoist_literals(&mut value);
        self.globals[global].ty.ty = value.ty;
        self.globals[global].init = Some(value);
    }

    /// Variables without an initialiser are zero: that must be a value of their type.
    pub(super) fn finish_globals(&mut self) {
        for (global, span) in std::mem::take(&mut self.decls.of_open_length) {
            let ty = self.globals[global].ty.ty;
            let tentative = self.globals[global].linkage != Linkage::Import;
            let open = matches!(self.kind(ty), Type::Array { len: ArrayLen::Incomplete, .. });
            if open && !tentative {
                self.report_no_length(ty, span);
            }
        }
        for index in 0..self.globals.len() {
            let id = GlobalId::from_usize_unchecked(index);
            let global = &self.globals[id];
            if global.linkage == Linkage::Import || global.init.is_some() {
                continue;
            }
            let (ty, span, name) = (global.ty, global.span, global.name.clone());
            // C11 6.9.2p5: a tentative array without a length has one element.
            if let Type::Array { elem, len: ArrayLen::Incomplete, zeroterm } = *self.kind(ty.ty) {
                let len = ArrayLen::Known(self.basics.one);
                self.globals[id].ty.ty = self.types.intern(Type::Array { elem, len, zeroterm });
            }
            if self.is_error(ty.ty) {
                continue;
            }
            if let Err(reason) = self.zero_is_value(ty.ty) {
                let text = format!("`{name}` must be initialised");
                let error = Diagnostic::error("E0226", text, span).label(reason);
                self.error(error);
            }
        }
    }
}
