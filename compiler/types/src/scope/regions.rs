//! The regions of a function body's blocks: a tree, in which an ancestor outlives its descendants.

use crate::checker::Checker;
use crate::infer::Lending;
use crate::ty::{Kind, Region, RegionId, TyVar, TyVarId, TyVarOrigin};
use tenure_span::{FastMap, Span, Symbol};
use tenure_syntax::tree::Ident;

#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionScope {
    pub var: TyVarId,
    pub parent: Option<TyVarId>,
    pub depth: u32,
    /// Something may point into it.
    pub used: bool,
    /// It ends with the enclosing block and not by itself: `region h;`, an opened existential.
    pub rides: bool,
}

#[derive(Default, Debug)]
pub(crate) struct RegionScopes {
    /// By variable, for the whole function: closed ones stay until the body is finished.
    scopes: FastMap<TyVarId, RegionScope>,
    /// The innermost open one.
    current: Option<TyVarId>,
    root: Option<TyVarId>,
}

impl RegionScopes {
    pub fn current(&self) -> Option<TyVarId> {
        self.current
    }

    pub fn get(&self, var: TyVarId) -> Option<&RegionScope> {
        self.scopes.get(&var)
    }

    pub fn depth(&self) -> u32 {
        self.current.and_then(|var| self.get(var)).map_or(0, |scope| scope.depth + 1)
    }

    /// Whether `outer` is `inner` or around it.
    pub fn encloses(&self, outer: TyVarId, inner: TyVarId) -> bool {
        let Some(depth) = self.get(outer).map(|scope| scope.depth) else { return false };
        let mut at = Some(inner);
        while let Some(scope) = at.and_then(|var| self.get(var)) {
            if scope.var == outer {
                return true;
            }
            if scope.depth <= depth {
                return false;
            }
            at = scope.parent;
        }
        false
    }

    /// The innermost scope around both.
    pub fn common(&self, a: TyVarId, b: TyVarId) -> Option<TyVarId> {
        let mut at = Some(a);
        while let Some(scope) = at.and_then(|var| self.get(var)) {
            if self.encloses(scope.var, b) {
                return Some(scope.var);
            }
            at = scope.parent;
        }
        None
    }

    /// The function's own block.
    pub fn root(&self) -> Option<TyVarId> {
        self.root
    }

    /// The innermost block, not counting what rides on it.
    pub fn storage(&self) -> Option<TyVarId> {
        let mut at = self.current;
        while let Some(scope) = at.and_then(|var| self.get(var)) {
            if !scope.rides {
                return Some(scope.var);
            }
            at = scope.parent;
        }
        None
    }

    pub fn clear(&mut self) {
        self.root = None;
        self.scopes.clear();
        self.current = None;
    }

    fn open(&mut self, var: TyVarId, rides: bool) {
        let (parent, depth) = (self.current, self.depth());
        self.scopes.insert(var, RegionScope { var, parent, depth, used: false, rides });
        self.current = Some(var);
        self.root = self.root.or(Some(var));
    }

    /// Ends the innermost scope, which rides on a block, before that block ends.
    fn leave(&mut self, var: TyVarId) {
        if self.current == Some(var) {
            self.current = self.get(var).and_then(|scope| scope.parent);
        }
    }

    fn mark_used(&mut self, var: TyVarId) {
        if let Some(scope) = self.scopes.get_mut(&var) {
            scope.used = true;
        }
    }
}

/// The scope of a call whose arguments are being checked, and what was there before.
pub(crate) struct CallScope {
    var: TyVarId,
    outer: Option<TyVarId>,
    outer_lending: Lending,
}

impl Checker<'_> {
    /// Opens a block: a scope of names and a stack region, which `label` names.
    pub fn push_block(&mut self, label: Option<Ident>, span: Span) -> TyVarId {
        let depth = self.scopes.regions.depth();
        let var = self.types.vars.push(TyVar {
            name: label.map(|label| label.name),
            kind: Kind::Region,
            unique: false,
            origin: TyVarOrigin::Block { depth },
            span,
        });
        self.scopes.push();
        self.scopes.regions.open(var, false);
        if let Some(label) = label {
            self.scopes.declare_type_var(label.name, var);
        }
        var
    }

    /// Closes the innermost block and what rides on it. Its region, if something may point into it.
    pub fn pop_block(&mut self) -> Option<TyVarId> {
        self.scopes.pop();
        loop {
            let var = self.scopes.regions.current?;
            let scope = *self.scopes.regions.get(var)?;
            self.scopes.regions.current = scope.parent;
            if !scope.rides {
                return scope.used.then_some(var);
            }
        }
    }

    /// Opens a lexical (or opened, or borrowed) region to the end of the enclosing block. `name` is in scope as a type
    /// variable.
    pub fn push_region(
        &mut self,
        name: Option<Symbol>,
        origin: TyVarOrigin,
        span: Span,
    ) -> TyVarId {
        let var =
            self.types.vars.push(TyVar { name, kind: Kind::Region, unique: false, origin, span });
        self.scopes.regions.open(var, true);
        if let Some(name) = name {
            self.scopes.declare_type_var(name, var);
        }
        var
    }

    /// Opens the scope of a call: what is made from here on for the call may mention the region of what is lent to it.
    /// The result is for [`Checker::end_call`]. `is_argument` says that the result goes to the call around and nowhere
    /// else.
    pub fn begin_call(&mut self, span: Span, is_argument: bool) -> CallScope {
        let around = self.infer.call.filter(|_| is_argument);
        // If that call keeps something, too, what it keeps may be this one's result.
        let around = match (around, self.infer.lending.around) {
            (Some(_), Some(further)) if self.result_may_keep_regions() => Some(further),
            _ => around,
        };
        let lending = Lending { around, ..Lending::default() };
        let var = self.push_region(None, TyVarOrigin::Call, span);
        let outer_lending = std::mem::replace(&mut self.infer.lending, lending);
        CallScope { var, outer: self.infer.call.replace(var), outer_lending }
    }

    /// Whether the result of the call whose arguments are being checked does, as far as is known by now.
    fn result_may_keep_regions(&mut self) -> bool {
        let Some(result) = self.infer.lending.result else { return true };
        let mut regions = Vec::new();
        self.regions_of(result, &mut regions);
        !regions.is_empty()
    }

    pub fn end_call(&mut self, scope: CallScope) {
        self.scopes.regions.leave(scope.var);
        self.infer.call = scope.outer;
        self.infer.lending = scope.outer_lending;
    }

    /// The stack region of a block, now used by a pointer.
    pub fn block_region(&mut self, var: TyVarId) -> RegionId {
        self.scopes.regions.mark_used(var);
        self.types.region(Region::Var(var))
    }

    /// The innermost block's stack region: where a declaration or a compound literal puts its object.
    pub fn storage_region(&self) -> Option<TyVarId> {
        self.scopes.regions.storage()
    }
}
