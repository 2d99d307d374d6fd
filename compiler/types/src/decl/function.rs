//! Functions: declarations, redeclarations, definitions.

use super::attribute::Attributes;
use super::FuncInfo;
use crate::checker::{Checker, FnCx};
use crate::convert::{Elision, ParamInfo};
use crate::hir::{self, Func, FuncId, Linkage};
use crate::infer::{InferState, Origin};
use crate::names::QualName;
use crate::scope::{Entry, NsId, ValueDef};
use crate::ty::{FunctionType, Pointer, QualType, Region, TyVarOrigin, Type, TypeId, Variadic};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{
    Arith, BaseType, Decl, DeclKind, Declarator, FunctionDef, FunctionPart, Ident, ParamStyle,
    Part, QName, Specifiers, Storage,
};

impl Checker<'_> {
    /// A declaration of a function without a body.
    pub(super) fn declare_function(
        &mut self,
        name: &QName,
        ty: TypeId,
        specs: &Specifiers,
        declarator: &Declarator,
    ) -> Option<FuncId> {
        let ty = self.attributed(ty, specs, declarator);
        let func = self.function_entry(name, ty, specs, declarator)?;
        let old = self.funcs[func].ty;
        // What is believed of C's functions is said in `extern "C"`.
        let said = self.decls.extern_c || self.convert.c_header || !self.funcs[func].extern_c;
        if old != ty && said {
            self.funcs[func].ty = self.merge_attributes(old, ty);
        }
        Some(func)
    }

    /// Attributes that are part of the type, from all places where they may stand.
    fn attributed(&mut self, ty: TypeId, specs: &Specifiers, declarator: &Declarator) -> TypeId {
        if specs.attributes.is_empty() && declarator.attributes.is_empty() {
            return ty;
        }
        let Type::Function(function) = self.types.get(ty) else { return ty };
        let mut function = function.clone();
        self.function_attributes(&mut function, &specs.attributes);
        self.function_attributes(&mut function, &declarator.attributes);
        self.types.intern(Type::Function(function))
    }

    fn merge_attributes(&mut self, old: TypeId, new: TypeId) -> TypeId {
        let Type::Function(added) = self.types.get(new) else { return old };
        let (noreturn, format) = (added.noreturn, added.format);
        let noconsume = added.noconsume.clone();
        self.change_function(old, |function| {
            function.noreturn |= noreturn;
            function.noconsume.extend(noconsume);
            function.noconsume.sort_unstable();
            function.noconsume.dedup();
            function.format = function.format.or(format);
        })
    }

    /// The function that a declaration declares: the one that has the name already, or a new one.
    fn function_entry(
        &mut self,
        name: &QName,
        ty: TypeId,
        specs: &Specifiers,
        declarator: &Declarator,
    ) -> Option<FuncId> {
        let symbol = name.name.name;
        let Some(ns) = self.scopes.qualifier_of(name) else {
            self.unknown_namespace(name);
            return None;
        };
        let of_type = match declarator.parts.first() {
            Some(Part::Function(part)) => &part.attributes[..],
            _ => &[],
        };
        let lists = [&specs.attributes[..], &declarator.attributes, of_type];
        let attributes = self.attributes(&lists);
        self.require_callable_by_system(&attributes, ty, name);
        let known = self.scopes.declared_at(ns, symbol);
        let func = match known {
            Some((Entry::Value(ValueDef::Func(func)), declared)) => {
                self.redeclared_function(func, ty, specs, name.span, declared);
                self.merge_declaration(func, attributes, declarator);
                func
            }
            Some((Entry::Unsafe(_) | Entry::Error, _)) | None => {
                self.new_function(ns, name, ty, specs, declarator, attributes)
            }
            Some((_, declared)) => {
                if !self.convert.c_header {
                    self.conflicting(name.span, symbol, declared, "E0208");
                }
                return None;
            }
        };
        if self.scopes.in_block() {
            self.scopes.declare(symbol, Entry::Value(ValueDef::Func(func)), name.span);
        }
        Some(func)
    }

    /// What runs before or after main gets no arguments that its type could speak of.
    fn require_callable_by_system(&mut self, attributes: &Attributes, ty: TypeId, name: &QName) {
        let Type::Function(function) = self.types.get(ty) else { return };
        let takes = !function.params.is_empty() || function.variadic != Variadic::No;
        let kind = ["constructor", "destructor"].into_iter().find(|&kind| attributes.passes(kind));
        if let (Some(kind), true) = (kind, takes) {
            let text = format!("the {kind} `{name}` has parameters, but nobody gives it arguments");
            let error = Diagnostic::error("E0231", text, name.span);
            self.error(error.help(format!("it is `void {name}(void)`")));
        }
    }

    fn new_function(
        &mut self,
        ns: NsId,
        name: &QName,
        ty: TypeId,
        specs: &Specifiers,
        declarator: &Declarator,
        attributes: Attributes,
    ) -> FuncId {
        let symbol = name.name.name;
        let qualified = QualName { path: self.scopes.path_of(ns).to_vec(), name: symbol };
        let extern_c = self.decls.extern_c || self.convert.c_header;
        if extern_c && !self.convert.c_header {
            self.trust(qualified.clone(), ty, name.span);
        }
        let param_names = self.convert.params.iter().map(|param| param.name).collect();
        let is_static = matches!(specs.storage, Some((Storage::Static, _)));
        let link_name = self.asm_label(declarator).or(attributes.link_name);
        let func = self.funcs.push(Func {
            name: qualified,
            link_name,
            extern_c,
            ty,
            linkage: if is_static { Linkage::Internal } else { Linkage::Import },
            is_inline: specs.inline.is_some(),
            param_names,
            attributes: attributes.passed,
            body: None,
            span: name.span,
        });
        self.decls.funcs.push(FuncInfo {
            bytes: attributes.bytes,
            overloads: attributes.overloads,
            ns: Some(ns),
            heap_typedefs: std::mem::take(&mut self.convert.heap_typedefs),
        });
        let entry = Entry::Value(ValueDef::Func(func));
        self.scopes.declare_at(ns, symbol, entry, name.span);
        func
    }

    fn merge_declaration(&mut self, func: FuncId, attributes: Attributes, declarator: &Declarator) {
        let link = self.asm_label(declarator).or(attributes.link_name);
        self.keep_apart_what_is_believed(func, link, declarator.span);
        let def = &mut self.funcs[func];
        def.link_name = def.link_name.or(link);
        def.attributes.extend(attributes.passed);
        def.extern_c |= self.decls.extern_c;
        let info = &mut self.decls.funcs[func];
        info.bytes |= attributes.bytes;
        if info.overloads.is_empty() {
            info.overloads = attributes.overloads;
        }
    }

    /// What is believed of a function of C's, its symbol and that it does not return, is what `extern "C"` says: no
    /// declaration outside adds to it, before or after.
    fn keep_apart_what_is_believed(&mut self, func: FuncId, link: Option<Symbol>, span: Span) {
        let def = &self.funcs[func];
        let (was, is) = (def.extern_c, self.decls.extern_c || self.convert.c_header);
        let renamed = match (was, is) {
            (true, false) => link.is_some() && link != def.link_name,
            (false, true) => def.link_name.is_some() && link != def.link_name,
            _ => false,
        };
        let (ty, first) = (def.ty, def.span);
        if was != is && renamed {
            let text = "under another name this may be a function of another type";
            let error = Diagnostic::error("E0231", text, span)
                .secondary(first, "first declared here")
                .help("declare it in `extern \"C\"`, where its type is believed");
            self.error(error);
        }
        if is && !was && self.funcs[func].body.is_none() {
            self.funcs[func].ty = self.change_function(ty, |function| function.noreturn = false);
        }
    }

    fn redeclared_function(
        &mut self,
        func: FuncId,
        ty: TypeId,
        specs: &Specifiers,
        span: Span,
        declared: Span,
    ) {
        let old = self.funcs[func].ty;
        if self.convert.c_header {
            return;
        }
        // Attributes may be added by a later declaration. Not what it consumes, which bodies rely on; that may be left
        // out later.
        let kept = match (self.types.get(old), self.types.get(ty)) {
            (Type::Function(old), Type::Function(new)) => {
                new.noconsume.iter().all(|n| old.noconsume.contains(n))
            }
            _ => true,
        };
        let plain = |function: &mut FunctionType| {
            function.noreturn = false;
            if kept {
                function.noconsume.clear();
            }
        };
        let (first, second) = (self.change_function(old, plain), self.change_function(ty, plain));
        if self.unify(first, second).is_err() {
            let name = self.funcs[func].name.clone();
            let text = format!("`{name}` is declared again, and differently");
            let error = Diagnostic::error("E0208", text, span)
                .label(format!("here it is `{}`", self.show_type(ty)))
                .secondary(declared, format!("first it was `{}`", self.show_type(old)));
            self.error(error);
        }
        let def = &self.funcs[func];
        let becomes_static =
            matches!(specs.storage, Some((Storage::Static, _))) && def.linkage != Linkage::Internal;
        if becomes_static {
            let text = format!("`{}` was not `static` where it was first declared", def.name);
            let error = Diagnostic::error("E0225", text, span);
            self.error(error.secondary(declared, "first declared here"));
        }
    }

    /// A function with its body.
    pub(super) fn function_def(&mut self, def: &FunctionDef, span: Span) {
        let declarator = &def.declarator;
        let Some(name) = &declarator.name else { return };
        let Some(Part::Function(part)) = declarator.parts.first() else {
            // The parser has reported a body behind what is no function.
            return;
        };
        if part.style == ParamStyle::Identifiers && !part.params.is_empty() {
            let def = self.with_prototype(def, part);
            return self.function_def(&def, span);
        }
        self.convert.unsafe_reason = None;
        let plain_main = name.as_ident().is_some_and(|name| name.name == *"main");
        self.convert.is_main =
            plain_main && self.scopes.path_of(self.scopes.namespace()).is_empty();
        let is_main = self.convert.is_main;
        self.convert.is_private = super::file::is_private(&def.specs);
        let ty = self.declared_type(&def.specs, None, &declarator.parts, Elision::Heap).ty;
        self.convert.is_private = false;
        self.convert.is_main = false;
        if self.convert.c_header {
            let reason = match self.in_c_header(span) {
                true => Some("its body, in C".to_string()),
                false => self.convert.unsafe_reason.take().or_else(|| self.unsafe_c_type(ty)),
            };
            if let Some(reason) = reason {
                return self.keep_unsafe(name.name.name, reason, name.span);
            }
        }
        let params = std::mem::take(&mut self.convert.params);
        if self.is_error(ty) {
            self.declare_in_error(name);
            return;
        }
        let ty = self.attributed(ty, &def.specs, declarator);
        self.convert.params = params;
        let func = self.function_entry(name, ty, &def.specs, declarator);
        let params = std::mem::take(&mut self.convert.params);
        let Some(func) = func else { return };
        if self.funcs[func].body.is_some() {
            let declared = self.funcs[func].span;
            let text = format!("`{name}` has a body already");
            let error = Diagnostic::error("E0236", text, name.span);
            self.error(error.secondary(declared, "defined here"));
            return;
        }
        let old = self.funcs[func].ty;
        let ty = self.merge_attributes(ty, old);
        self.begin_definition(func, ty, &def.specs, &params, name.span);
        if is_main {
            self.check_main(func, ty, name.span);
        }
        let body = self.function_body(func, ty, def, &params, span);
        self.funcs[func].body = Some(body);
    }

    fn declare_in_error(&mut self, name: &QName) {
        if self.scopes.declared_here(name.name.name).is_none() {
            self.scopes.declare(name.name.name, Entry::Error, name.span);
        }
    }

    fn begin_definition(
        &mut self,
        func: FuncId,
        ty: TypeId,
        specs: &Specifiers,
        params: &[ParamInfo],
        span: Span,
    ) {
        let def = &mut self.funcs[func];
        def.ty = ty;
        def.span = span;
        def.param_names = params.iter().map(|param| param.name).collect();
        def.is_inline |= specs.inline.is_some();
        def.linkage = match (def.linkage, def.is_inline) {
            (Linkage::Internal, _) => Linkage::Internal,
            (_, true) if !matches!(specs.storage, Some((Storage::Extern, _))) => Linkage::Inline,
            _ => Linkage::External,
        };
    }

    /// A K&R definition as the one with a prototype that it amounts to: its callers are checked against that. A `float`
    /// is passed as a `double` to such a function by C, which a prototype does not say.
    fn with_prototype(&mut self, def: &FunctionDef, part: &FunctionPart) -> FunctionDef {
        let mut part = part.clone();
        part.style = ParamStyle::Prototype;
        for param in &mut part.params {
            let name = param.declarator.name.as_ref().map(|name| name.name.name);
            match old_style_declarator(&def.old_style, name) {
                Some((specs, declarator)) => {
                    let is_float = matches!(specs.base, BaseType::Arith(Arith::Float));
                    if is_float && declarator.parts.is_empty() && !self.decls.extern_c {
                        let text = "a `float` is passed as `double` to a function of the old style";
                        let error = Diagnostic::error("E0238", text, param.span);
                        self.error(error.help("write the types inside: `int f(float a, char *b)`"));
                    }
                    param.specs = specs.clone();
                    param.declarator = declarator.clone();
                }
                // C11 removed this rule of 1989.
                None => param.specs.base = BaseType::Arith(Arith::Int),
            }
        }
        let mut def = def.clone();
        def.old_style.clear();
        def.declarator.parts[0] = Part::Function(Box::new(part));
        def
    }

    /// The signatures that the runtime can call (LANGUAGE, section 5).
    fn check_main(&mut self, func: FuncId, ty: TypeId, span: Span) {
        self.decls.main = Some(func);
        let Type::Function(function) = self.types.get(ty) else { return };
        let function = function.clone();
        let result = matches!(self.kind(function.result.ty), Type::Int(_) | Type::Void);
        let params = match &function.params[..] {
            [] => true,
            [argc, argv] => {
                matches!(self.kind(argc.ty), Type::Int(crate::ty::IntTy::Int))
                    && self.is_argv(argv.ty)
            }
            _ => false,
        };
        if !result || !params || function.variadic != Variadic::No {
            let text = format!("`main` cannot be `{}`", self.show_type(ty));
            let error = Diagnostic::error("E0239", text, span)
                .help("it is `int main(void)` or `int main(int argc, string_t ?argv)`");
            self.error(error);
        }
    }

    /// A pointer with bounds to strings.
    fn is_argv(&self, ty: TypeId) -> bool {
        let Type::Pointer(outer) = self.kind(ty) else { return false };
        let Type::Pointer(inner) = self.kind(outer.elem.ty) else { return false };
        outer.bounds == crate::ty::Bounds::Fat
            && matches!(self.kind(inner.elem.ty), Type::Int(crate::ty::IntTy::Char))
    }

    fn function_body(
        &mut self,
        func: FuncId,
        ty: TypeId,
        def: &FunctionDef,
        params: &[ParamInfo],
        span: Span,
    ) -> hir::Body {
        let function = match self.types.get(ty) {
            Type::Function(function) => (**function).clone(),
            _ => return empty_body(span),
        };
        self.infer = InferState::default();
        self.fx = FnCx {
            func: Some(func),
            result: Some(function.result),
            extern_c: self.decls.extern_c,
            ..FnCx::default()
        };
        let label = Ident { name: self.funcs[func].name.name, span: def.declarator.span };
        self.assume_function(&function);
        self.push_block(Some(label), def.body.span);
        self.declare_function_vars(&function);
        let mut locals = self.declare_params(params);
        locals.extend(self.declare_rest(&function, def));
        let stmts = self.block_contents(&def.body);
        let region = self.pop_block();
        let labels = self.finish_labels();
        let end = Span { lo: def.body.span.hi.saturating_sub(1), ..def.body.span };
        let fx = std::mem::take(&mut self.fx);
        let block = hir::Block { region, stmts, span: def.body.span };
        let mut body = hir::Body { params: locals, locals: fx.locals, labels, block, end };
        // Messages about regions name the function's parameters.
        self.fx.func = Some(func);
        self.finish_body(&mut body);
        self.fx.func = None;
        body
    }

    fn declare_function_vars(&mut self, function: &FunctionType) {
        for &var in &function.vars {
            if let Some(name) = self.types.vars[var].name {
                self.scopes.declare_type_var(name, var);
            }
        }
    }

    fn declare_params(&mut self, params: &[ParamInfo]) -> Vec<hir::LocalId> {
        let mut locals = Vec::with_capacity(params.len());
        for param in params {
            let ty = self.object_type(param.ty, false, param.span);
            let ty = self.loosen_param(ty, param.span);
            let local = match param.name {
                Some(name) => self.declare_local(Ident { name, span: param.span }, ty),
                None => self.new_local(None, ty, param.span),
            };
            locals.push(local);
        }
        locals
    }

    /// The region of a parameter's pointer was left out: inside, the variable may also hold pointers into other
    /// regions, so its own type takes what flows into it, first of all the argument.
    fn loosen_param(&mut self, ty: QualType, span: Span) -> QualType {
        let Type::Pointer(pointer) = self.kind(ty.ty).clone() else { return ty };
        let Region::Var(var) = *self.types.get_region(pointer.region) else { return ty };
        if !matches!(self.types.vars[var].origin, TyVarOrigin::Elided { .. }) || ty.quals.is_const {
            return ty;
        }
        let region = self.fresh_region(span);
        self.outlives(pointer.region, region, Origin { span, declared: Span::NONE });
        QualType { ty: self.pointer_to(Pointer { region, ..pointer }), quals: ty.quals }
    }

    /// `... T args`: a local that is a pointer with bounds to the rest, which lives in the caller's frame.
    fn declare_rest(&mut self, function: &FunctionType, def: &FunctionDef) -> Option<hir::LocalId> {
        let (Variadic::Fat(elem) | Variadic::Inject(elem)) = function.variadic else { return None };
        let Some(Part::Function(part)) = def.declarator.parts.first() else { return None };
        let written = part.variadic.as_ref()?;
        let name = written.param.as_ref().and_then(|param| param.declarator.name.as_ref());
        let region = self.scopes.regions.root().map(|root| self.region_var(root))?;
        let ty = QualType::plain(self.fat_pointer(QualType::plain(elem), region));
        let local = match name {
            Some(name) => {
                let ident = Ident { name: name.name.name, span: name.span };
                self.declare_local(ident, ty)
            }
            None => self.new_local(None, ty, written.span),
        };
        self.fx.rest = Some(local);
        Some(local)
    }

    /// A local without a place in the scope.
    pub(crate) fn new_local(
        &mut self,
        name: Option<Symbol>,
        ty: QualType,
        span: Span,
    ) -> hir::LocalId {
        let region = match self.scopes.regions.storage() {
            Some(var) => self.region_var(var),
            None => self.basics.heap,
        };
        self.fx.local_regions.push(region);
        self.fx.locals.push(hir::Local { name, ty, align: None, span })
    }
}

/// Where a K&R definition declares the parameter of a name.
fn old_style_declarator(
    decls: &[Decl],
    name: Option<Symbol>,
) -> Option<(&Specifiers, &Declarator)> {
    let vars = decls.iter().filter_map(|decl| match &decl.kind {
        DeclKind::Vars(vars) => Some(vars),
        _ => None,
    });
    let all = vars.flat_map(|vars| vars.declarators.iter().map(move |item| (vars, item)));
    let mut named = all.filter(|(_, item)| {
        let declared = item.declarator.name.as_ref().map(|name| name.name.name);
        declared.is_some() && declared == name
    });
    named.next().map(|(vars, item)| (&vars.specs, &item.declarator))
}

fn empty_body(span: Span) -> hir::Body {
    hir::Body {
        params: Vec::new(),
        locals: Default::default(),
        labels: Default::default(),
        block: hir::Block { region: None, stmts: Vec::new(), span },
        end: span,
    }
}
