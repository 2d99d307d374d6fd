//! `let alias` and `open`: what is owned is held to the end of the block under a name that may be copied (papers/000,
//! §3.1, §3.3).

use super::jump::Barrier;
use crate::checker::{Checker, Why};
use crate::coerce::coercion;
use crate::hir::{Coercion, Decl, Expr, ExprKind, Stmt, StmtKind};
use crate::ty::{GenericArg, Pointer, QualType, Quals, Region, RegionId, TyVarOrigin, Type};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, Ident, TypeName, TypeParam};

impl Checker<'_> {
    /// `let alias<`r> T *`r a = x;`.
    pub(super) fn alias_decl(
        &mut self,
        var: &TypeParam,
        ty: &TypeName,
        name: Ident,
        init: &tree::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let value = self.value(init, None);
        let owner = self.aliased(&value);
        let depth = self.scopes.regions.depth();
        let origin = TyVarOrigin::Borrowed { depth };
        let region = self.push_region(Some(var.name), origin, var.span);
        self.fx.flow.enter(Barrier::Region, span);
        let declared = self.local_type(ty);
        let local = self.declare_local(name, declared);
        let Some(pointer) = owner else { return };
        let id = self.region_var(region);
        let lent = self.pointer_to(Pointer { region: id, ..pointer });
        let lent = match self.is_reference(value.ty) {
            true => {
                let span = value.span;
                Expr::value(ExprKind::Borrow(Box::new(value)), lent, span)
            }
            false => coercion(Coercion::Same, value, lent),
        };
        let why = Why::Init { name: Some(name.name), declared: name.span };
        let value = self.coerce(lent, declared.ty, why);
        let kind = StmtKind::Decl(Decl::Alias { region, local, value });
        out.push(Stmt { kind, span });
    }

    /// The pointer that an alias is made of.
    fn aliased(&mut self, value: &Expr) -> Option<Pointer> {
        if value.is_error() || self.is_error(value.ty) {
            return None;
        }
        if let Type::Pointer(pointer) = self.kind(value.ty).clone() {
            let region = self.shallow_region(pointer.region);
            if self.types.stands_alone(region) {
                return Some(pointer);
            }
        }
        let found = self.show_type(value.ty);
        let text = format!("`alias` needs an owned or checked pointer, found `{found}`");
        let error = Diagnostic::error("E0532", text, value.span)
            .help("a pointer into any other region can be copied as it is");
        self.error(error);
        None
    }

    /// `region h = open(key);`.
    pub(super) fn open_decl(
        &mut self,
        decl: &tree::RegionDecl,
        key: &tree::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let key = self.value(key, None);
        let opened = self.opened_region(&key);
        let depth = self.scopes.regions.depth();
        let scope = self.push_region(None, TyVarOrigin::Borrowed { depth }, span);
        self.fx.flow.enter(Barrier::Region, span);
        let id = opened.unwrap_or(self.basics.region_error);
        self.infer.opens.push((id, scope));
        if let Some(var) = &decl.var {
            self.name_opened(var.name, id, var.span);
        }
        let ty = QualType {
            ty: self.types.intern(Type::Handle(id)),
            quals: Quals { is_const: true, is_volatile: false },
        };
        let handle = self.declare_local(decl.name, ty);
        if opened.is_some() {
            let kind = StmtKind::Decl(Decl::Open { region: scope, handle, key });
            out.push(Stmt { kind, span });
        }
    }

    /// `region<`r> h = open(key);` gives another name to a region that has one.
    fn name_opened(&mut self, name: tenure_span::Symbol, region: RegionId, span: Span) {
        match *self.types.get_region(region) {
            Region::Var(var) => self.scopes.declare_type_var(name, var),
            Region::Error => {}
            _ => {
                let shown = self.describe_region(region);
                let text = format!("{shown} cannot have the name `` `{name} `` too");
                let error = Diagnostic::error("E0533", text, span);
                self.error(error.help("leave the name out"));
            }
        }
    }

    /// The region whose key a value is.
    fn opened_region(&mut self, key: &Expr) -> Option<RegionId> {
        if key.is_error() || self.is_error(key.ty) {
            return None;
        }
        if let Type::Pointer(pointer) = self.kind(key.ty).clone() {
            let owner = self.shallow_region(pointer.region);
            let owned = owner == self.basics.unique || owner == self.basics.counted;
            if let (true, Type::Record(record, args)) = (owned, self.kind(pointer.elem.ty).clone())
            {
                if let ("DynamicRegion", [GenericArg::Region(region)]) =
                    (self.key_record(record), &args[..])
                {
                    let region = self.zonk_region(*region);
                    if !matches!(self.types.get_region(region), Region::Infer(_)) {
                        return Some(region);
                    }
                }
            }
        }
        let found = self.show_type(key.ty);
        let text = format!("`open` needs the key of a dynamic region, found `{found}`");
        let error = Diagnostic::error("E0533", text, key.span)
            .help("a key is made by `new_ukey()` or `new_rckey()`, and has a type like `uregion_key_t<`r>`");
        self.error(error);
        None
    }
}
