//! What may stand for a bound variable: nothing owned for one whose values, or pointers, are copied freely.

use super::zonk::Solutions;
use super::Checker;
use crate::ty::{GenericArg, Kind, Owned, Region, TyVarId, Type, TypeId};
use tenure_span::{Diagnostic, Span};

impl Checker<'_> {
    /// Notes that the argument stands for the variable: at the end of the body it must not be owned, unless the
    /// variable's kind says that it may.
    pub fn note_instance(&mut self, var: TyVarId, arg: GenericArg, span: Span) {
        let def = &self.types.vars[var];
        match (def.kind, arg) {
            (Kind::Region, GenericArg::Region(region)) => {
                if let Region::Infer(vid) = *self.types.get_region(self.shallow_region(region)) {
                    self.infer.aliasable.insert(vid);
                }
            }
            (Kind::Boxed | Kind::Any, GenericArg::Type(ty)) if !def.unique => {
                if let Type::Infer(vid) = *self.kind(ty) {
                    self.infer.aliasable_types.insert(vid);
                }
            }
            // Whatever may own: not what is checked at each access.
            (Kind::UniqueRegion, GenericArg::Region(_)) => {}
            _ => return,
        }
        self.infer.instances.push((var, arg, span));
    }

    /// An argument that stands in a type as written: checked at once if it is known, else like an instance.
    pub fn written_instance(&mut self, var: TyVarId, arg: GenericArg, span: Span) {
        let known = match arg {
            GenericArg::Type(ty) => !self.types.flags(ty).has(crate::ty::Flags::INFER),
            GenericArg::Region(region) => {
                !self.types.region_flags(region).has(crate::ty::Flags::INFER)
            }
            _ => return,
        };
        // Bodies convert types too, but only there can anything be left to infer.
        match known {
            true if !self.convert.binders.is_empty() => {
                self.convert.instances.push((var, arg, span))
            }
            true => self.check_instance(var, arg, span),
            false => self.note_instance(var, arg, span),
        }
    }

    /// Checks what was written in a function type, whose variables' kinds are known now.
    pub fn check_written_instances(&mut self) {
        for (var, arg, span) in std::mem::take(&mut self.convert.instances) {
            self.check_instance(var, arg, span);
        }
    }

    /// Checks what was noted in the body.
    pub fn check_instances(&mut self) {
        let instances = std::mem::take(&mut self.infer.instances);
        for (var, arg, span) in instances {
            self.check_instance(var, arg, span);
        }
    }

    fn check_instance(&mut self, var: TyVarId, arg: GenericArg, span: Span) {
        if let GenericArg::Region(region) = arg {
            let region = self.zonk_region(region);
            if self.types.is_checked(region) {
                return self.report_checked_instance(var, span);
            }
        }
        let def = &self.types.vars[var];
        let may_own = match arg {
            GenericArg::Region(_) => def.kind != Kind::Region,
            GenericArg::Type(_) => def.unique || !matches!(def.kind, Kind::Boxed | Kind::Any),
            _ => true,
        };
        if may_own {
            return;
        }
        let owned = match arg {
            GenericArg::Region(region) => {
                let region = self.zonk_region(region);
                self.types.owned_region(region)
            }
            GenericArg::Type(ty) => self.owned_now(ty),
            _ => None,
        };
        if owned.is_none() {
            return;
        }
        let found = match arg {
            GenericArg::Region(region) => {
                let region = self.zonk_region(region);
                self.describe_region(region)
            }
            GenericArg::Type(ty) => {
                let ty = self.map_type(ty, &mut Solutions::default());
                format!("`{}`", self.show_type(ty))
            }
            _ => String::new(),
        };
        let def = &self.types.vars[var];
        let (what, kinds) = match def.kind {
            Kind::Region => ("pointers into it are", "`::UR`"),
            _ => ("its values are", "`::UB`"),
        };
        let name = match def.name {
            Some(name) => format!("`` `{name} ``"),
            None => "this variable".to_string(),
        };
        let text = format!("{found} cannot stand for {name}: {what} copied freely");
        let error = Diagnostic::error("E0524", text, span)
            .secondary(def.span, "bound here")
            .help(format!("bind the variable with a kind that may be owned, {kinds}"));
        self.type_error(error);
    }

    /// Code that is polymorphic in a region follows pointers into it without a look at what they refer to.
    fn report_checked_instance(&mut self, var: TyVarId, span: Span) {
        let def = &self.types.vars[var];
        let name = match def.name {
            Some(name) => format!("`` `{name} ``"),
            None => "this variable".to_string(),
        };
        let text = format!("the checked heap cannot stand for {name}");
        let error = Diagnostic::error("E0540", text, span)
            .secondary(def.span, "bound here")
            .note("what is polymorphic in a region follows its pointers without looking whether the object is there")
            .help("write the type with `` `D `` itself, or lend the pointer: as an argument of its own, or by `let alias`");
        self.type_error(error);
    }

    /// Whether values of the type are owned, as far as inference has come.
    pub fn owned_now(&mut self, ty: TypeId) -> Option<Owned> {
        match self.kind(ty) {
            Type::Pointer(pointer) => self.types.owned_region(self.shallow_region(pointer.region)),
            Type::Record(..) | Type::Tuple(_) | Type::Array { .. } | Type::Variant(..) => {
                let ty = self.map_type(ty, &mut Solutions::default());
                self.types.owned(ty)
            }
            Type::Var(_) => self.types.owned(self.shallow(ty)),
            _ => None,
        }
    }
}
