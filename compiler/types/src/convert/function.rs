//! Function types: parameters, the variables they bind, effects, bounds, attributes.

use super::{Binder, Elision};
use crate::checker::Checker;
use crate::decl::TypedefId;
use crate::scope::Entry;
use crate::ty::{
    Bounds, Effect, EffectId, Format, FunctionType, GenericArg, IntTy, Kind, Owned, Pointer,
    QualType, Quals, TyVarId, Type, TypeId, Variadic,
};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{
    Attribute, BaseType, ExprKind, FunctionPart, Param, ParamStyle, Part, Specifiers,
};

/// A parameter of a function that is declared.
#[derive(Clone, Debug)]
pub(crate) struct ParamInfo {
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// Of the name, or of the whole parameter.
    pub span: Span,
}

impl Checker<'_> {
    /// A function type inside another one's, or in the result of one.
    pub(super) fn nested_function(&mut self, part: &FunctionPart, result: QualType) -> QualType {
        self.scopes.push_types();
        self.convert.binders.push(Binder::default());
        self.bind_type_params(&part.type_params);
        let ty = self.build_function(part, result);
        self.convert.binders.pop();
        self.scopes.pop();
        QualType::plain(ty)
    }

    /// The function type whose binder is innermost, with what the specifiers say of it.
    pub(super) fn function_part(
        &mut self,
        part: &FunctionPart,
        result: QualType,
        specs: &Specifiers,
    ) -> TypeId {
        let ty = self.build_function(part, result);
        if specs.noreturn.is_some() || specs.attributes.iter().any(is_noreturn) {
            return self.change_function(ty, |function| function.noreturn = true);
        }
        ty
    }

    /// The function type with one of its properties changed.
    pub(crate) fn change_function(
        &mut self,
        ty: TypeId,
        change: impl FnOnce(&mut FunctionType),
    ) -> TypeId {
        let Type::Function(function) = self.types.get(ty) else { return ty };
        let mut function = function.clone();
        change(&mut function);
        self.types.intern(Type::Function(function))
    }

    fn build_function(&mut self, part: &FunctionPart, result: QualType) -> TypeId {
        let outermost = self.convert.binders.len() == 1;
        if let Type::Array { .. } | Type::Function(_) = self.kind(result.ty) {
            let text = "a function cannot return an array or a function";
            let error = Diagnostic::error("E0221", text, part.span)
                .help("return a pointer, or a struct that holds the array");
            return self.type_error(error);
        }
        let infos = self.function_params(part);
        let variadic = self.variadic_part(part, infos.len() as u32);
        let written_effect = part.effect.as_ref().map(|effect| self.convert_effect(effect));
        let mut bounds = self.convert_bounds_list(&part.bounds);
        if let Some(binder) = self.convert.binders.last_mut() {
            bounds.append(&mut binder.implied);
        }
        let params: Vec<QualType> = infos.iter().map(|param| param.ty).collect();
        let effect = match written_effect {
            Some(effect) => effect,
            None => self.default_effect(&params, result, variadic),
        };
        let vars = self.bound_vars();
        self.settle_kinds(&vars, &params, result);
        if outermost {
            self.check_written_instances();
            self.convert.heap_typedefs = self.heap_typedefs(part);
            self.convert.params = infos;
        }
        let mut function = FunctionType {
            vars,
            params,
            result: QualType { ty: result.ty, quals: Quals::default() },
            effect,
            bounds,
            variadic,
            noreturn: false,
            noconsume: Vec::new(),
            format: None,
        };
        if self.in_cyclone1(part.span) {
            function.noconsume = self.owned_params(&function.params);
        }
        self.function_attributes(&mut function, &part.attributes);
        self.types.intern(Type::Function(Box::new(function)))
    }

    /// Numbers of the parameters that are owned pointers.
    fn owned_params(&mut self, params: &[QualType]) -> Vec<u32> {
        let mut owned = Vec::new();
        for (number, param) in (0..).zip(params) {
            if matches!(self.owned_now(param.ty), Some(Owned::Unique | Owned::Counted)) {
                owned.push(number);
            }
        }
        owned
    }

    /// The written variables, then those that were left out. A variable whose kind nothing has shown is a type.
    fn bound_vars(&mut self) -> Vec<TyVarId> {
        let Some(binder) = self.convert.binders.last() else { return Vec::new() };
        let vars: Vec<TyVarId> = (binder.written.iter().map(|written| written.1))
            .chain(binder.elided.iter().copied())
            .collect();
        for var in &vars {
            self.convert.unfixed.remove(var);
        }
        vars
    }

    /// The typedefs of pointers into the heap that are the types of parameters.
    fn heap_typedefs(&self, part: &FunctionPart) -> Vec<TypedefId> {
        let typedef = |param: &Param| match &param.specs.base {
            BaseType::Named(name, _) => match self.scopes.find_qualified(name) {
                Some((Entry::Typedef(id), _)) => Some(id),
                _ => None,
            },
            _ => None,
        };
        let found = part.params.iter().filter_map(typedef);
        found.filter(|&id| self.decls.typedefs[id].heap_pointer.is_some()).collect()
    }

    /// A type variable of which nobody wrote the kind stands for one word. In a private function it stands for any type
    /// if it is only pointed to: such a function can be copied for each type, others are compiled once, for words.
    fn settle_kinds(&mut self, vars: &[TyVarId], params: &[QualType], result: QualType) {
        for &var in vars {
            if !self.convert.guessed.remove(&var) {
                continue;
            }
            let by_value = !self.convert.is_private
                || params.iter().chain([&result]).any(|ty| self.needs_word(ty.ty, var));
            if !by_value {
                self.types.vars[var].kind = Kind::Any;
            }
        }
    }

    /// Whether a value of the variable's own type occurs in a type, and not just pointers to it.
    fn needs_word(&self, ty: TypeId, var: TyVarId) -> bool {
        match self.kind(ty) {
            Type::Var(other) => *other == var,
            Type::Pointer(pointer) => self.needs_word_behind(pointer.elem.ty, var),
            Type::Array { elem, .. } => self.needs_word_behind(elem.ty, var),
            Type::Tuple(fields) => fields.iter().any(|field| self.needs_word(field.ty, var)),
            Type::Function(function) => (function.params.iter())
                .chain([&function.result])
                .any(|ty| self.needs_word(ty.ty, var)),
            Type::Record(_, args) | Type::Datatype(_, args) | Type::Variant(_, _, args) => {
                args.iter().any(|arg| match *arg {
                    GenericArg::Type(ty) => self.needs_word(ty, var),
                    _ => false,
                })
            }
            _ => false,
        }
    }

    fn needs_word_behind(&self, elem: TypeId, var: TyVarId) -> bool {
        !matches!(self.kind(elem), Type::Var(_)) && self.needs_word(elem, var)
    }

    fn function_params(&mut self, part: &FunctionPart) -> Vec<ParamInfo> {
        if part.style == ParamStyle::Identifiers {
            return self.old_style_params(part);
        }
        if let [only] = &part.params[..] {
            if is_void(only) {
                return Vec::new();
            }
        }
        let mut infos = Vec::with_capacity(part.params.len());
        for (index, param) in part.params.iter().enumerate() {
            let info = self.function_param(param, index as u32);
            if let (Some(name), Some(binder)) = (info.name, self.convert.binders.last_mut()) {
                binder.params.push((name, info.ty.ty));
            }
            infos.push(info);
        }
        infos
    }

    /// `f(a, b)`: the types follow later, or are `int`.
    fn old_style_params(&mut self, part: &FunctionPart) -> Vec<ParamInfo> {
        let int = QualType::plain(self.basics.int);
        let info = |param: &Param| ParamInfo {
            name: param.declarator.name.as_ref().map(|name| name.name.name),
            ty: int,
            span: param.span,
        };
        part.params.iter().map(info).collect()
    }

    fn function_param(&mut self, param: &Param, index: u32) -> ParamInfo {
        let elision = Elision::Param(index);
        let parts = &param.declarator.parts[..];
        let name = param.declarator.name.as_ref();
        let span = name.map_or(param.span, |name| name.span);
        let ty = match parts {
            [Part::Array(array), rest @ ..] => {
                let elem = self.declared_type(&param.specs, None, rest, elision);
                self.array_param(array, elem, elision)
            }
            _ => {
                let ty = self.declared_type(&param.specs, None, parts, elision);
                self.adjust_param(ty, elision, param.span)
            }
        };
        let ty = self.main_param(ty, index);
        let ty = match self.kind(ty.ty) {
            Type::Var(var) if self.types.vars[*var].kind == Kind::Any => {
                let text = format!(
                    "{} may be of any size, so it is passed only behind a pointer",
                    self.show_var(*var)
                );
                let error = Diagnostic::error("E0210", text, param.span);
                QualType::plain(self.type_error(error))
            }
            Type::Void => {
                let text = "a parameter cannot be `void`";
                let error = Diagnostic::error("E0306", text, param.span);
                QualType::plain(self.type_error(error))
            }
            _ => ty,
        };
        ParamInfo { name: name.map(|name| name.name.name), ty, span }
    }

    /// C's `char **argv` of `main` is an array of zero-terminated strings, of which the bounds are known.
    fn main_param(&mut self, ty: QualType, index: u32) -> QualType {
        if !self.convert.is_main || self.convert.binders.len() != 1 || index != 1 {
            return ty;
        }
        let Type::Pointer(outer) = self.kind(ty.ty).clone() else { return ty };
        let Type::Pointer(inner) = self.kind(outer.elem.ty) else { return ty };
        let is_char = matches!(self.kind(inner.elem.ty), Type::Int(IntTy::Char));
        if !is_char || outer.bounds == Bounds::Fat {
            return ty;
        }
        let ty_id =
            self.pointer_to(Pointer { bounds: Bounds::Fat, nullable: true, open: None, ..outer });
        QualType { ty: ty_id, quals: ty.quals }
    }

    fn variadic_part(&mut self, part: &FunctionPart, index: u32) -> Variadic {
        let Some(variadic) = &part.variadic else { return Variadic::No };
        match &variadic.param {
            None => {
                let deferred = self.convert.open_rest == Some(variadic.span);
                if !self.decls.extern_c && !self.convert.c_header && !deferred {
                    let text = "the types of further arguments are not said";
                    let error = Diagnostic::error("E0222", text, variadic.span).help(
                        "write `... T args`, or `... inject datatype D args`, and use them as an array",
                    );
                    self.type_error(error);
                }
                Variadic::C
            }
            Some(param) => {
                let parts = &param.declarator.parts;
                let ty = self.declared_type(&param.specs, None, parts, Elision::Param(index));
                if variadic.inject {
                    Variadic::Inject(self.inject_type(ty.ty, param.span))
                } else {
                    Variadic::Fat(ty.ty)
                }
            }
        }
    }

    /// `inject datatype D`: the arguments arrive as pointers to it.
    fn inject_type(&mut self, ty: TypeId, span: Span) -> TypeId {
        match self.kind(ty) {
            Type::Pointer(pointer) if matches!(self.kind(pointer.elem.ty), Type::Datatype(..)) => {
                ty
            }
            Type::Error => ty,
            _ => {
                let text = format!(
                    "`inject` needs a pointer to a datatype, found `{}`",
                    self.show_type(ty)
                );
                self.type_error(Diagnostic::error("E0223", text, span))
            }
        }
    }

    /// All regions of the parameters and the result, and those of the type variables in them.
    fn default_effect(
        &mut self,
        params: &[QualType],
        result: QualType,
        variadic: Variadic,
    ) -> EffectId {
        let mut items = Vec::new();
        for param in params {
            self.regions_of(param.ty, &mut items);
            self.effects_of_functions(param.ty, &mut items);
        }
        self.regions_of(result.ty, &mut items);
        if let Variadic::Fat(ty) | Variadic::Inject(ty) = variadic {
            self.regions_of(ty, &mut items);
        }
        self.types.effect(Effect { items })
    }

    /// Attributes that are part of the type.
    pub(crate) fn function_attributes(
        &mut self,
        function: &mut FunctionType,
        attributes: &[Attribute],
    ) {
        for attribute in attributes {
            match attribute.name.name.as_str() {
                "noreturn" => function.noreturn = true,
                "noconsume" => {
                    let numbers = self.parameter_numbers(function, attribute);
                    function.noconsume.extend(numbers);
                    function.noconsume.sort_unstable();
                    function.noconsume.dedup();
                }
                // Cyclone 1.0's, where a call consumes nothing by default.
                "consume" | "noliveunique" => {
                    let numbers = self.parameter_numbers(function, attribute);
                    function.noconsume.retain(|number| !numbers.contains(number));
                }
                "format" => function.format = format_attribute(attribute).or(function.format),
                _ => {}
            }
        }
    }
}

impl Checker<'_> {
    /// The parameters that an attribute names, from 0; none if one of them is not there.
    fn parameter_numbers(&mut self, function: &FunctionType, attribute: &Attribute) -> Vec<u32> {
        let numbers: Vec<u32> = (attribute.args.iter())
            .filter_map(|arg| small_int(arg).and_then(|n| n.checked_sub(1)))
            .filter(|&number| {
                let param = function.params.get(number as usize);
                param.is_some_and(|param| self.is_lendable(param.ty))
            })
            .collect();
        if numbers.len() == attribute.args.len() {
            return numbers;
        }
        let name = attribute.name.name;
        let text = format!("`{name}` names a parameter that is not there, or is no pointer");
        let error = Diagnostic::error("E0535", text, attribute.name.span);
        self.type_error(error.help("parameters are numbered from 1"));
        Vec::new()
    }

    /// Whether arguments for a parameter of the type can be lent to a call.
    fn is_lendable(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Pointer(_) | Type::Var(_) | Type::Error)
    }
}

pub(crate) fn is_noreturn(attribute: &Attribute) -> bool {
    attribute.name.name == *"noreturn"
}

fn is_void(param: &Param) -> bool {
    matches!(param.specs.base, BaseType::Void)
        && param.declarator.parts.is_empty()
        && param.declarator.name.is_none()
}

fn small_int(e: &tenure_syntax::tree::Expr) -> Option<u32> {
    match &e.peel().kind {
        ExprKind::Int(literal) => u32::try_from(literal.value).ok(),
        _ => None,
    }
}

/// `format(printf, 1, 2)`: numbers from 1; the second is 0 for functions that take a `va_list`.
fn format_attribute(attribute: &Attribute) -> Option<Format> {
    let [kind, string, first] = &attribute.args[..] else { return None };
    let ExprKind::Name(name) = &kind.peel().kind else { return None };
    let scanf = match name.name.name.as_str() {
        "printf" | "__printf__" | "gnu_printf" => false,
        "scanf" | "__scanf__" | "gnu_scanf" => true,
        _ => return None,
    };
    let string_param = small_int(string)?.checked_sub(1)?;
    let first_arg = small_int(first)?.checked_sub(1)?;
    Some(Format { scanf, string_param, first_arg })
}
