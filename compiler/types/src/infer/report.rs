//! What is said when a demand on regions does not hold.

use super::{Checker, Origin};
use crate::ty::{EffectItem, Region, RegionId, TyVarId, TyVarOrigin, TypeId};
use tenure_span::{Diagnostic, Span};

impl Checker<'_> {
    fn is_region_error(&self, region: RegionId) -> bool {
        matches!(self.types.get_region(region), Region::Error)
    }

    /// Where a region comes from, and where it dies, as a label.
    fn place_region_label(&self, error: Diagnostic, region: RegionId) -> Diagnostic {
        let Region::Var(var) = *self.types.get_region(region) else { return error };
        let def = &self.types.vars[var];
        if def.span.is_none() {
            return error;
        }
        let text = self.describe_region(region);
        match def.origin {
            TyVarOrigin::Block { .. } => {
                let end = Span { lo: def.span.hi.saturating_sub(1), ..def.span };
                error.secondary(end, format!("{text} ends here"))
            }
            TyVarOrigin::Lexical { .. } => error.secondary(def.span, format!("{text} begins here")),
            TyVarOrigin::Elided { .. } => {
                error.secondary(def.span, format!("{text}, written here"))
            }
            _ => error.secondary(def.span, format!("{text} is bound here")),
        }
    }

    pub(super) fn report_outlives(&mut self, longer: RegionId, shorter: RegionId, origin: Origin) {
        if self.is_region_error(longer) || self.is_region_error(shorter) {
            return;
        }
        if self.is_call(longer) {
            return self.report_kept(origin, origin.declared);
        }
        let from = self.describe_region(longer);
        let to = self.describe_region(shorter);
        let text = format!("a pointer into {from} is used where it must outlive {to}");
        let mut error =
            Diagnostic::error("E0501", text, origin.span).label(format!("this points into {from}"));
        if !origin.declared.is_none() {
            error =
                error.secondary(origin.declared, format!("here a pointer into {to} is expected"));
        }
        error = self.place_region_label(error, longer);
        error = self.place_region_label(error, shorter);
        if matches!(self.types.get_region(shorter), Region::Heap) {
            error = self.typedef_note(error, origin.declared);
        }
        error = self.outlives_help(error, longer, shorter);
        self.error(error);
    }

    /// A typedef of a pointer means another thing in a parameter than the pointer written out.
    fn typedef_note(&self, mut error: Diagnostic, declared: Span) -> Diagnostic {
        let Some(func) = self.funcs.position(|func| func.span == declared) else { return error };
        for &id in &self.decls.funcs[func].heap_typedefs {
            let def = &self.decls.typedefs[id];
            let Some(span) = def.heap_pointer else { continue };
            let text = format!("`{}` leaves its region out, so it points into the heap", def.name);
            error = error.secondary(span, text).note(format!(
                "written out in a parameter the pointer could point into any region; for that, write \
                 `typedef T *`r {}<`r>`",
                def.name
            ));
        }
        error
    }

    fn outlives_help(&self, error: Diagnostic, longer: RegionId, shorter: RegionId) -> Diagnostic {
        let origin = |region: RegionId| match *self.types.get_region(region) {
            Region::Var(var) => Some(self.types.vars[var].origin),
            _ => None,
        };
        match (origin(longer), self.types.get_region(shorter)) {
            (Some(TyVarOrigin::Block { .. }), _) => {
                error.help("allocate the object with `new`, or in a region that lives longer")
            }
            (Some(TyVarOrigin::Elided { .. }), Region::Heap) => error.help(
                "a result, field, typedef or global points into the heap unless it says otherwise: \
                 give the parameter and the other type the same region, as in `int *`r`",
            ),
            (Some(TyVarOrigin::Elided { .. } | TyVarOrigin::FunctionParam), Region::Var(_)) => error
                .help("name both regions and state the bound after the parameters, as in `: {`r} > `s`"),
            _ => error,
        }
    }

    pub(super) fn report_escape(
        &mut self,
        region: RegionId,
        _scope: Option<TyVarId>,
        declared: Span,
        origin: Origin,
    ) {
        if self.is_region_error(region) {
            return;
        }
        if self.is_call(region) {
            return self.report_kept(origin, declared);
        }
        let name = self.describe_region(region);
        let text = format!("a pointer into {name} would be reachable after that has ended");
        let mut error =
            Diagnostic::error("E0502", text, origin.span).label(format!("this points into {name}"));
        if !declared.is_none() && declared != origin.span {
            error = error.secondary(declared, "this lives longer");
        }
        error = self.place_region_label(error, region);
        let error =
            error.help("declare the pointer inside the block, or let the object live longer");
        self.error(error);
    }

    fn is_call(&self, region: RegionId) -> bool {
        match *self.types.get_region(region) {
            Region::Var(var) => self.types.vars[var].origin == TyVarOrigin::Call,
            _ => false,
        }
    }

    /// What was lent to a call would be there after it.
    fn report_kept(&mut self, origin: Origin, declared: Span) {
        let text = "what is lent to this call would be kept after it";
        let mut error = Diagnostic::error("E0525", text, origin.span)
            .label("an owned pointer is lent to this call for as long as it lasts");
        if !declared.is_none() && declared != origin.span {
            error = error.secondary(declared, "this would hold a copy of it");
        }
        let help = "lend it to a block: `let alias<`r> T *`r a = p;`, and pass `a`";
        self.error(error.help(help));
    }

    pub(super) fn report_dead(&mut self, region: RegionId, origin: Origin, what: &'static str) {
        if self.is_region_error(region) {
            return;
        }
        let name = self.describe_region(region);
        let text = format!("{name} may not be live here");
        let error = Diagnostic::error("E0503", text, origin.span).label(what);
        let error = self.place_region_label(error, region);
        let opened = match *self.types.get_region(region) {
            Region::Var(var) => self.types.vars[var].origin == TyVarOrigin::Opened,
            _ => false,
        };
        let help = if opened {
            "state in the type that the hidden region outlives one that is live, as in `<`r> : {`r} > `s`"
        } else {
            "the function's effect must contain the region"
        };
        self.error(error.help(help));
    }

    pub(super) fn report_dead_regions_of(
        &mut self,
        ty: TypeId,
        origin: Origin,
        what: &'static str,
    ) {
        let name = self.show_type(ty);
        let text = format!("the regions of {name} may not be live here");
        let error = Diagnostic::error("E0503", text, origin.span).label(what);
        let help = format!(
            "bound them where {name} is bound, as in `: regions({name}) > `r`, with a live region"
        );
        self.error(error.help(help));
    }

    pub(super) fn report_dead_effect(
        &mut self,
        item: EffectItem,
        origin: Origin,
        what: &'static str,
    ) {
        let name = self.show_effect_item(item);
        let text = format!("the effect {name} is not allowed here");
        let error = Diagnostic::error("E0503", text, origin.span).label(what);
        self.error(error.help("add it to the function's own effect"));
    }

    pub(super) fn report_bound(&mut self, longer: RegionId, shorter: RegionId, origin: Origin) {
        if self.is_region_error(longer) || self.is_region_error(shorter) {
            return;
        }
        let (from, to) = (self.describe_region(longer), self.describe_region(shorter));
        let text = format!("{from} is required to outlive {to}");
        let mut error = Diagnostic::error("E0504", text, origin.span);
        if !origin.declared.is_none() {
            error = error.secondary(origin.declared, "the bound is stated here");
        }
        error = self.place_region_label(error, longer);
        error = self.place_region_label(error, shorter);
        self.error(error);
    }

    pub(super) fn report_bound_regions_of(
        &mut self,
        ty: TypeId,
        shorter: RegionId,
        origin: Origin,
    ) {
        let (name, to) = (self.show_type(ty), self.describe_region(shorter));
        let text = format!("the regions of {name} are required to outlive {to}");
        let mut error = Diagnostic::error("E0504", text, origin.span);
        if !origin.declared.is_none() {
            error = error.secondary(origin.declared, "the bound is stated here");
        }
        self.error(error);
    }

    pub(super) fn report_effect(&mut self, item: EffectItem, origin: Origin) {
        let name = match item {
            EffectItem::Region(region) => self.describe_region(region),
            other => self.show_effect_item(other),
        };
        let text =
            format!("this function needs {name} to be live, and its type there does not say so");
        let mut error = Diagnostic::error("E0505", text, origin.span);
        if !origin.declared.is_none() {
            error = error.secondary(origin.declared, "the function type is stated here");
        }
        self.error(error);
    }
}
