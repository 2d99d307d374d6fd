//! Second copies of polymorphic functions.
//!
//! The uniform version of a function treats values of type-variable type as words and memory behind pointers to them as
//! words too. An instance whose memory would hold something else (ints, structs) gets a copy of its own, compiled with
//! the type in place of the variable. That needs the body, so it works for functions defined in this unit.

use crate::unit::Lowerer;
use tenure_core as core;
use tenure_core::{Linkage, TyId};
use tenure_span::{Diagnostic, FastMap, Span, Symbol};
use tenure_types::hir::{self, FuncId};
use tenure_types::ty::{GenericArg, Kind, TyVarId, Type, TypeId};

/// Concrete representations for some type variables.
#[derive(Clone, Default, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Subst {
    /// In the order of the function's variables; those that stay words are absent.
    types: Vec<(TyVarId, TyId)>,
}

/// Which copy: a function and the representations of its replaced variables.
pub(crate) type InstanceKey = (FuncId, Vec<(TyVarId, TyId)>);

/// Copies of one function that lie within each other's bodies, at most: more are those of a recursion whose types grow
/// with each call, which would never end.
const NESTED_COPIES: usize = 16;

/// Copies of one function, at most.
const COPIES: usize = 1000;

/// Which body asked for which copy.
#[derive(Default)]
pub(crate) struct Copies {
    /// The function whose body is being lowered.
    pub(crate) lowering: Option<core::FunctionId>,
    /// What each copy is a copy of, and the function whose body asked for it first.
    asked: FastMap<core::FunctionId, (FuncId, Option<core::FunctionId>)>,
    count: FastMap<FuncId, usize>,
}

impl Copies {
    /// Whether a further copy of the function, for the body being lowered, is one too many.
    fn are_enough(&self, func: FuncId) -> bool {
        let mut nested = 0;
        let mut at = self.lowering;
        while let Some(&(copied, asked_by)) = at.and_then(|copy| self.asked.get(&copy)) {
            nested += usize::from(copied == func);
            at = asked_by;
        }
        nested >= NESTED_COPIES || self.count.get(&func).is_some_and(|&count| count >= COPIES)
    }

    fn note(&mut self, copy: core::FunctionId, func: FuncId) {
        self.asked.insert(copy, (func, self.lowering));
        *self.count.entry(func).or_default() += 1;
    }
}

impl Subst {
    pub(crate) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    pub(crate) fn get(&self, var: TyVarId) -> Option<TyId> {
        self.types.iter().find(|(known, _)| *known == var).map(|(_, ty)| *ty)
    }
}

impl Lowerer<'_> {
    /// The function to call for an instance: the uniform version if it serves, else a second copy.
    pub(crate) fn instance(
        &mut self,
        func: FuncId,
        args: &[GenericArg],
        outer: &Subst,
        span: Span,
    ) -> core::FunctionId {
        let unit = self.unit;
        let uniform = self.funcs[func];
        let Type::Function(function) = unit.types.get(unit.funcs[func].ty) else { return uniform };
        let is_template = self.is_template(func);
        let mut subst = Subst::default();
        for (&var, arg) in function.vars.iter().zip(args) {
            let GenericArg::Type(ty) = *arg else { continue };
            // Nobody copies what a constructor made: its size is no one's business, as in uniform code.
            let repr = match unit.types.is_fixed_in_place(ty) {
                true => self.program.types.intern(core::Ty::Void),
                false => self.repr(ty, outer),
            };
            let is_any = unit.types.vars[var].kind == Kind::Any;
            let needs_copy = if is_any {
                is_template
            } else {
                !self.is_word_sized(repr) && self.memory_of(func, var)
            };
            if needs_copy {
                subst.types.push((var, repr));
            }
        }
        if subst.is_empty() {
            return uniform;
        }
        if unit.funcs[func].body.is_none() {
            self.report_no_body(func, span);
            return uniform;
        }
        self.copy(func, subst, span)
    }

    /// Whether the function exists only as copies: a private one over a variable of any size, whose values have no
    /// uniform representation.
    pub(crate) fn is_template(&self, func: FuncId) -> bool {
        let func = &self.unit.funcs[func];
        let is_private = matches!(func.linkage, hir::Linkage::Inline | hir::Linkage::Internal);
        let types = &self.unit.types;
        is_private
            && matches!(types.get(func.ty), Type::Function(function)
                if function.vars.iter().any(|&var| types.vars[var].kind == Kind::Any))
    }

    fn copy(&mut self, func: FuncId, subst: Subst, span: Span) -> core::FunctionId {
        let key = subst.types.clone();
        if let Some(&known) = self.instances.get(&(func, key.clone())) {
            return known;
        }
        if self.copies.are_enough(func) {
            self.report_endless(func, span);
            return self.funcs[func];
        }
        let uniform = self.program.decls[self.funcs[func]].clone();
        let number = self.instances.len() + 1;
        let ty = self.repr(self.unit.funcs[func].ty, &subst);
        let decl = core::FunctionDecl {
            c_name: Symbol::new(&format!("{}${number}", uniform.c_name.as_str())),
            ty,
            linkage: Linkage::Internal,
            ..uniform
        };
        let id = self.program.decls.push(decl);
        self.instances.insert((func, key), id);
        self.copies.note(id, func);
        self.work.push_back((func, id, subst));
        id
    }

    fn report_endless(&mut self, func: FuncId, span: Span) {
        let func = &self.unit.funcs[func];
        self.report(
            Diagnostic::error("E0356", format!("`{}` needs a copy for each of too many types", func.name), span)
                .label("calls lead here with a new type each time")
                .secondary(func.span, "each type needs a copy of this function")
                .help("put what grows behind a pointer: a `` `a @ `` is one word, whatever it points to, and needs no copy"),
        );
    }

    fn report_no_body(&mut self, func: FuncId, span: Span) {
        let func = &self.unit.funcs[func];
        self.report(
            Diagnostic::error("E0350", format!("`{}` cannot work on elements of this type from here", func.name), span)
                .label("this instance's elements are not one word long")
                .secondary(func.span, "only declared here: its body is in another file")
                .note("polymorphic code is compiled once, for elements of 8 bytes; other sizes need a copy made from the body")
                .help("use elements behind pointers, `long` or `double`, or define the function in this file or as `static inline` in its header"),
        );
    }

    /// Whether the function's types mention memory that holds values of the variable.
    fn memory_of(&self, func: FuncId, var: TyVarId) -> bool {
        let unit = self.unit;
        let Type::Function(function) = unit.types.get(unit.funcs[func].ty) else { return false };
        let mut types: Vec<TypeId> = function.params.iter().map(|param| param.ty).collect();
        types.push(function.result.ty);
        // The caller builds the array of a variadic rest, of words where the declaration has a variable.
        types.into_iter().any(|ty| unit.types.has_memory_of(ty, var))
    }
}
