//! Pointers as written, and parameters that are arrays.

use super::Elision;
use crate::checker::Checker;
use crate::ty::{
    ArrayLen, Bounds, Effect, EffectItem, IntTy, Pointer, QualType, Quals, Region, RegionId,
    SizeId, Type, TypeId,
};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{ArrayPart, ArraySize, PointerPart, PointerQualKind, Sigil};

/// What the qualifiers of a pointer say.
#[derive(Default)]
struct Qualifiers {
    fat: Option<bool>,
    nullable: Option<bool>,
    zeroterm: Option<bool>,
    numelts: Option<SizeId>,
    region: Option<RegionId>,
    /// What `@aqual` says.
    owner: Option<(RegionId, Span)>,
}

impl Checker<'_> {
    pub(super) fn pointer_part(
        &mut self,
        part: &PointerPart,
        elem: QualType,
        elision: Elision,
    ) -> QualType {
        let mut said = Qualifiers::default();
        for qual in &part.pointer_quals {
            self.pointer_qualifier(&qual.kind, qual.span, &mut said, elision);
        }
        if let Some((owner, span)) = said.owner {
            if said.region.is_some_and(|region| region != owner) {
                let text = "an owned pointer is in no other region than the one its qualifier says";
                self.type_error(Diagnostic::error("E0217", text, span));
            }
            said.region = Some(owner);
        }
        let quals = self.convert_quals(&part.quals, Quals::default());
        if self.is_error(elem.ty) {
            return QualType { ty: self.basics.error, quals };
        }
        if let Some(error) = self.variable_array(elem.ty, part.span) {
            return QualType { ty: error, quals };
        }
        let fat = said.fat.unwrap_or(part.sigil == Sigil::Question);
        let least = match said.numelts {
            Some(size) if fat => self.size_value(size).unwrap_or(0),
            _ => 0,
        };
        if fat && matches!(self.kind(elem.ty), Type::Void | Type::Function(_)) {
            let text = format!("`{}` has no size to step by", self.show_type(elem.ty));
            let error = Diagnostic::error("E0408", text, part.span);
            return QualType { ty: self.type_error(error), quals };
        }
        let nullable = said.nullable.unwrap_or(part.sigil != Sigil::At);
        let is_char = matches!(self.kind(elem.ty), Type::Int(IntTy::Char));
        let by_default = is_char && !fat && said.numelts.is_none();
        let zeroterm = said.zeroterm.unwrap_or(by_default);
        if zeroterm && !self.may_be_zeroterm(elem.ty) {
            let text = format!(
                "only numbers and nullable pointers can be zero-terminated, found `{}`",
                self.show_type(elem.ty)
            );
            let error = Diagnostic::error("E0409", text, part.span);
            return QualType { ty: self.type_error(error), quals };
        }
        let bounds = match (fat, said.numelts) {
            (true, _) => Bounds::Fat,
            (false, Some(size)) => Bounds::Thin(size),
            (false, None) => Bounds::Thin(self.basics.one),
        };
        let region = match said.region {
            Some(region) => region,
            None => self.pointer_default_region(elem.ty, elision, part.span),
        };
        if self.types.is_checked(region) && matches!(self.kind(elem.ty), Type::Function(_)) {
            let text =
                "functions are in no region: a pointer to one is no reference of the checked heap";
            let error = Diagnostic::error("E0542", text, part.span);
            return QualType { ty: self.type_error(error), quals };
        }
        let ty = self.pointer_to(Pointer {
            least,
            elem,
            nullable,
            open: None,
            bounds,
            zeroterm,
            region,
        });
        QualType { ty, quals }
    }

    /// Functions are in no region: pointers to them are as if into the heap.
    fn pointer_default_region(&mut self, elem: TypeId, elision: Elision, span: Span) -> RegionId {
        match self.kind(elem) {
            Type::Function(_) => self.basics.heap,
            _ => {
                let region = self.elided_region(elision, span);
                if let Elision::Param(_) = elision {
                    self.imply_outlives(elem, region);
                }
                region
            }
        }
    }

    /// Notes that the regions in a parameter's element type outlive the region of the pointer, which nobody wrote.
    fn imply_outlives(&mut self, elem: TypeId, region: RegionId) {
        let mut items = Vec::new();
        self.regions_of(elem, &mut items);
        items.retain(|item| match *item {
            EffectItem::Region(inner) => matches!(self.types.get_region(inner), Region::Var(_)),
            _ => false,
        });
        if items.is_empty() {
            return;
        }
        let set = self.types.effect(Effect { items });
        if let Some(binder) = self.convert.binders.last_mut() {
            binder.implied.push((set, region));
        }
    }

    fn may_be_zeroterm(&mut self, elem: TypeId) -> bool {
        match self.kind(elem).clone() {
            Type::Int(_) | Type::Float(_) | Type::Enum(_) | Type::Error => true,
            Type::Pointer(pointer) => pointer.bounds != Bounds::Fat && self.allow_null(&pointer),
            _ => false,
        }
    }

    fn pointer_qualifier(
        &mut self,
        kind: &PointerQualKind,
        span: Span,
        said: &mut Qualifiers,
        elision: Elision,
    ) {
        match kind {
            PointerQualKind::Fat => said.fat = Some(true),
            PointerQualKind::Thin => said.fat = Some(false),
            PointerQualKind::NotNull => said.nullable = Some(false),
            PointerQualKind::Nullable => said.nullable = Some(true),
            PointerQualKind::ZeroTerm => said.zeroterm = Some(true),
            PointerQualKind::NoZeroTerm => said.zeroterm = Some(false),
            PointerQualKind::Numelts(e) => {
                said.numelts = Some(match self.array_size(e) {
                    Ok(size) => size,
                    Err(_) => self.types.size(crate::ty::Size::Error),
                });
            }
            PointerQualKind::Region(arg) => said.region = Some(self.region_arg(arg, elision)),
            PointerQualKind::Aqual(qual) => {
                said.owner = self.alias_region(qual, elision, span).map(|region| (region, span));
            }
            PointerQualKind::Effect(_) | PointerQualKind::AutoReleased => {
                let text = "this pointer qualifier is not supported";
                self.type_error(Diagnostic::error("E0217", text, span));
            }
        }
    }

    /// A parameter that is written as an array is a pointer (C11 6.7.6.3p7): with bounds if the length is left out or
    /// is not known to the type, else to that many elements and never NULL.
    pub(super) fn array_param(
        &mut self,
        part: &ArrayPart,
        elem: QualType,
        elision: Elision,
    ) -> QualType {
        let quals = self.convert_quals(&part.quals, Quals::default());
        if self.is_error(elem.ty) || self.bad_element(elem.ty, part.span).is_some() {
            return QualType { ty: self.basics.error, quals };
        }
        let region = match &part.region {
            Some(arg) => self.region_arg(arg, elision),
            None => self.pointer_default_region(elem.ty, elision, part.span),
        };
        let bounds = match &part.size {
            ArraySize::None | ArraySize::Star => Bounds::Fat,
            ArraySize::Expr(size) => match self.param_array_size(size) {
                Ok(Some(size)) => Bounds::Thin(size),
                Ok(None) => Bounds::Fat,
                Err(_) => return QualType { ty: self.basics.error, quals },
            },
        };
        let zeroterm = matches!(part.zeroterm, Some((true, _)));
        let nullable = bounds == Bounds::Fat;
        let ty = self.pointer_to(Pointer {
            least: 0,
            elem,
            nullable,
            open: None,
            bounds,
            zeroterm,
            region,
        });
        QualType { ty, quals }
    }

    /// Likewise for a parameter whose typedef is an array or a function.
    pub(super) fn adjust_param(&mut self, ty: QualType, elision: Elision, span: Span) -> QualType {
        match *self.kind(ty.ty) {
            Type::Array { elem, len, zeroterm } => {
                let bounds = match len {
                    ArrayLen::Known(size) => Bounds::Thin(size),
                    ArrayLen::Incomplete => Bounds::Fat,
                };
                let region = self.elided_region(elision, span);
                let nullable = bounds == Bounds::Fat;
                let pointer =
                    Pointer { least: 0, elem, nullable, open: None, bounds, zeroterm, region };
                QualType::plain(self.pointer_to(pointer))
            }
            Type::Function(_) => {
                let elem = QualType::plain(self.shallow(ty.ty));
                QualType::plain(self.thin_pointer(elem, self.basics.heap, false))
            }
            _ => ty,
        }
    }
}
