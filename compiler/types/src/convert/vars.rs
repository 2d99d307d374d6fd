//! Type-level variables: where they are bound, and their kinds.

use crate::checker::Checker;
use crate::ty::{Kind, TyVar, TyVarId, TyVarOrigin, Type, TypeId};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{self, TypeVar};

impl Checker<'_> {
    /// The kind that is written after `::`.
    pub(crate) fn written_kind(&mut self, kind: &tree::Kind) -> Kind {
        match kind.name.as_str() {
            "B" => Kind::Boxed,
            "A" | "M" | "MB" => Kind::Any,
            "R" => Kind::Region,
            "UR" | "TR" | "RU" | "Q" => Kind::UniqueRegion,
            "E" => Kind::Effect,
            "I" => Kind::Size,
            // Unique-or-not boxed kinds of Cyclone: a word.
            "UB" | "TB" => Kind::Boxed,
            "UA" | "TA" | "UM" | "TM" => Kind::Any,
            other => {
                let text = format!("`{other}` is not a kind");
                let error = Diagnostic::error("E0220", text, kind.span).help(
                    "the kinds are B, A, R, E and I, and UB, UA, UR and Q for what may be owned",
                );
                self.type_error(error);
                Kind::Boxed
            }
        }
    }

    /// Binds a list of parameters, in the innermost scope of names.
    pub(crate) fn bind_vars(&mut self, vars: &[TypeVar], origin: TyVarOrigin) -> Vec<TyVarId> {
        vars.iter().map(|var| self.bind_var(var, origin)).collect()
    }

    pub(crate) fn bind_var(&mut self, var: &TypeVar, origin: TyVarOrigin) -> TyVarId {
        let kind = var.kind.as_ref().map(|kind| self.written_kind(kind));
        let id = self.types.vars.push(TyVar {
            name: Some(var.name),
            kind: kind.unwrap_or(Kind::Boxed),
            unique: var.kind.as_ref().is_some_and(may_own),
            origin,
            span: var.span,
        });
        if kind.is_none() {
            self.convert.unfixed.insert(id);
        }
        self.scopes.declare_type_var(var.name, id);
        id
    }

    /// The explicit variables of the function type whose binder is innermost.
    pub(super) fn bind_type_params(&mut self, params: &[TypeVar]) {
        for var in params {
            let id = self.bind_var(var, TyVarOrigin::FunctionParam);
            if let Some(binder) = self.convert.binders.last_mut() {
                binder.written.push((var.name, id));
            }
        }
    }

    /// The variable that a use means, whose kind must be, or becomes, the one that is wanted there. A variable that
    /// nobody has bound is bound by the outermost function type around it.
    pub(crate) fn type_var_of(&mut self, var: &TypeVar, want: Kind) -> Option<TyVarId> {
        let written = var.kind.as_ref().map(|kind| self.written_kind(kind));
        if let Some(id) = self.find_var(var.name) {
            if let Some(kind) = written {
                if self.convert.guessed.remove(&id) {
                    self.fix_kind(id, kind, var.span);
                    self.types.vars[id].kind = kind;
                    self.types.vars[id].unique = var.kind.as_ref().is_some_and(may_own);
                }
            }
            self.fix_kind(id, written.unwrap_or(want), var.span);
            if written == Some(Kind::UniqueRegion) && self.is_being_bound(id) {
                self.types.vars[id].kind = Kind::UniqueRegion;
            }
            return Some(id);
        }
        if self.convert.binders.is_empty() {
            self.unbound_var(var);
            return None;
        }
        let id = self.types.vars.push(TyVar {
            name: Some(var.name),
            kind: written.unwrap_or(want),
            unique: var.kind.as_ref().is_some_and(may_own),
            origin: TyVarOrigin::FunctionParam,
            span: var.span,
        });
        if written.is_none() && want == Kind::Boxed {
            self.convert.guessed.insert(id);
        }
        self.convert.binders[0].written.push((var.name, id));
        Some(id)
    }

    /// Whether the variable belongs to a function type under construction.
    fn is_being_bound(&self, var: TyVarId) -> bool {
        let binders = &self.convert.binders;
        binders.iter().any(|binder| binder.written.iter().any(|written| written.1 == var))
    }

    fn find_var(&self, name: Symbol) -> Option<TyVarId> {
        // Implicit variables of a function type hide those around it only if it bound them itself.
        self.scopes.find_type_var(name).or_else(|| {
            let binder = self.convert.binders.first()?;
            binder.written.iter().find(|written| written.0 == name).map(|written| written.1)
        })
    }

    fn unbound_var(&mut self, var: &TypeVar) {
        let text = format!("the type variable `{} is not bound here", var.name);
        let error = Diagnostic::error("E0205", text, var.span).help(
            "a struct, datatype or typedef lists its variables between `<` and `>`; a function binds those in its type",
        );
        self.type_error(error);
    }

    /// The kind of a variable is what its first use wants, if nobody wrote it.
    pub(crate) fn fix_kind(&mut self, var: TyVarId, want: Kind, span: Span) {
        if self.convert.unfixed.remove(&var) {
            self.types.vars[var].kind = want;
            return;
        }
        let have = self.types.vars[var].kind;
        let fits = have == want
            || matches!((have, want), (Kind::Boxed | Kind::Any, Kind::Boxed | Kind::Any))
            || matches!(
                (have, want),
                (Kind::Region | Kind::UniqueRegion, Kind::Region | Kind::UniqueRegion)
            );
        if !fits {
            let name = self.show_var(var);
            let text =
                format!("{name} is {}, and {} is needed here", kind_name(have), kind_name(want));
            let error = Diagnostic::error("E0206", text, span)
                .secondary(self.types.vars[var].span, "bound here");
            self.type_error(error);
        }
    }

    /// A variable where a type stands.
    pub(super) fn type_var(&mut self, var: &TypeVar) -> TypeId {
        if let "H" | "U" | "RC" | "D" = var.name.as_str() {
            let text = format!("`{} is a region, and a type is needed here", var.name);
            return self.type_error(Diagnostic::error("E0206", text, var.span));
        }
        match self.type_var_of(var, Kind::Boxed) {
            Some(id) if matches!(self.types.vars[id].kind, Kind::Boxed | Kind::Any) => {
                self.types.intern(Type::Var(id))
            }
            _ => self.basics.error,
        }
    }
}

/// Whether a kind is of types that may be owned.
fn may_own(kind: &tree::Kind) -> bool {
    matches!(kind.name.as_str(), "UB" | "TB" | "UA" | "TA" | "UM" | "TM")
}

pub(crate) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Boxed | Kind::Any => "a type",
        Kind::Region | Kind::UniqueRegion => "a region",
        Kind::Effect => "an effect",
        Kind::Size => "a number",
    }
}
