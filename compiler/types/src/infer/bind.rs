//! Solving one inference variable, and what that demands of what it is solved by.

use super::unify::Mismatch;
use super::Checker;
use crate::infer::{Origin, Requirement};
use crate::ty::{
    ArrayLen, Bounds, EffectItem, Flags, FloatTy, GenericArg, IntTy, Kind, Region, RegionId,
    RegionVid, Size, SizeId, SizeVid, TyVarId, Type, TypeId, TypeVid, Variadic,
};

impl Checker<'_> {
    /// `vid := ty`, if the kind allows it, `ty` does not contain `vid`, and what it names is in scope where `vid` was
    /// made.
    pub(super) fn bind_type(&mut self, vid: TypeVid, ty: TypeId) -> Result<(), Mismatch> {
        if let Type::Infer(other) = *self.types.get(ty) {
            if other == vid {
                return Ok(());
            }
            let scope =
                self.common_scope(self.infer.types[vid].scope, self.infer.types[other].scope);
            self.infer.types[other].scope = scope;
            let stands_for = self.infer.types[vid].stands_for;
            self.infer.types[other].stands_for = self.infer.types[other].stands_for.or(stands_for);
            if self.infer.type_kinds[vid] == Kind::Boxed {
                self.infer.type_kinds[other] = Kind::Boxed;
            }
            if self.infer.full_words.contains(&vid) {
                self.infer.full_words.insert(other);
            }
            if self.infer.aliasable_types.contains(&vid) {
                self.infer.aliasable_types.insert(other);
            }
        } else {
            if self.infer.type_kinds[vid] == Kind::Boxed && !self.is_word(ty) {
                return Err(Mismatch::NotWord(ty));
            }
            if self.infer.full_words.contains(&vid) && !self.is_full_word(ty) {
                return Err(Mismatch::NotFullWord(ty));
            }
            if matches!(self.types.get(ty), Type::Void | Type::Function(_)) {
                return Err(Mismatch::NotValue(ty));
            }
            let scope = self.infer.types[vid].scope;
            self.confine(ty, Some(vid), scope)?;
        }
        self.infer.types[vid].value = Some(ty);
        Ok(())
    }

    /// Whether a value of the type is one machine word, so that a `::B` variable may stand for it.
    pub fn is_word(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            Type::Int(int) => !matches!(int, IntTy::I128 | IntTy::U128),
            Type::Float(float) => *float != FloatTy::Long,
            Type::Enum(_) | Type::Handle(_) | Type::Tag(..) | Type::Error | Type::Infer(_) => true,
            Type::Pointer(pointer) => pointer.bounds != Bounds::Fat,
            Type::Var(var) => self.types.vars[*var].kind == Kind::Boxed,
            _ => false,
        }
    }

    /// Whether an object of the type is what uniform code takes memory of a type variable to be: a word, and no less.
    /// Another variable is not known to be.
    fn is_full_word(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            Type::Int(int) => int.bits() == 64,
            Type::Float(float) => *float == FloatTy::F64,
            Type::Enum(_) | Type::Var(_) => false,
            _ => self.is_word(ty),
        }
    }

    /// What stands for an existential where a struct or variant with these parts is made.
    pub(crate) fn fresh_witness(
        &mut self,
        var: TyVarId,
        parts: &[crate::ty::QualType],
        span: tenure_span::Span,
    ) -> GenericArg {
        let arg = self.fresh_instance(var, span);
        let memory = parts.iter().any(|part| self.types.has_memory_of(part.ty, var));
        if let (true, GenericArg::Type(ty)) = (memory, arg) {
            if let Type::Infer(vid) = *self.types.get(ty) {
                self.infer.full_words.insert(vid);
            }
        }
        arg
    }

    fn common_scope(&self, a: Option<TyVarId>, b: Option<TyVarId>) -> Option<TyVarId> {
        self.scopes.regions.common(a?, b?)
    }

    /// Walks a type that is to stand for a variable made in `scope`: inference variables inside must not outreach that
    /// scope, block regions and opened variables must be in scope there, and `vid` must not occur.
    fn confine(
        &mut self,
        ty: TypeId,
        vid: Option<TypeVid>,
        scope: Option<TyVarId>,
    ) -> Result<(), Mismatch> {
        let ty = self.shallow(ty);
        if !self.types.flags(ty).has(Flags::INFER) && !self.types.flags(ty).has(Flags::VAR) {
            return Ok(());
        }
        match self.types.get(ty).clone() {
            Type::Infer(inner) => {
                if Some(inner) == vid {
                    return Err(Mismatch::Infinite);
                }
                let common = self.common_scope(self.infer.types[inner].scope, scope);
                self.infer.types[inner].scope = common;
                Ok(())
            }
            Type::Var(var) => match self.infer.opened.get(&var) {
                Some(&home) if !self.in_scope(home, scope) => Err(Mismatch::Escapes(var)),
                _ => Ok(()),
            },
            Type::Pointer(pointer) => {
                self.confine_region(pointer.region, scope);
                if let Bounds::Thin(size) = pointer.bounds {
                    self.confine_size(size, None, scope)?;
                }
                self.confine(pointer.elem.ty, vid, scope)
            }
            Type::Array { elem, len, .. } => {
                if let ArrayLen::Known(size) = len {
                    self.confine_size(size, None, scope)?;
                }
                self.confine(elem.ty, vid, scope)
            }
            Type::Tag(size, _) => self.confine_size(size, None, scope),
            Type::Function(function) => {
                for param in &function.params {
                    self.confine(param.ty, vid, scope)?;
                }
                if let Variadic::Fat(rest) | Variadic::Inject(rest) = function.variadic {
                    self.confine(rest, vid, scope)?;
                }
                self.confine(function.result.ty, vid, scope)
            }
            Type::Record(_, args) | Type::Datatype(_, args) | Type::Variant(_, _, args) => {
                args.into_iter().try_for_each(|arg| self.confine_arg(arg, vid, scope))
            }
            Type::Tuple(fields) => {
                fields.into_iter().try_for_each(|field| self.confine(field.ty, vid, scope))
            }
            Type::Handle(region) => {
                self.confine_region(region, scope);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// `vid := size`, likewise.
    pub(super) fn bind_size(&mut self, vid: SizeVid, size: SizeId) -> Result<(), Mismatch> {
        let scope = self.infer.sizes[vid].scope;
        self.confine_size(size, Some(vid), scope)?;
        self.infer.sizes[vid].value = Some(size);
        Ok(())
    }

    /// An opened number is another one each time that the pattern is reached: no type outside may mention it.
    fn confine_size(
        &mut self,
        size: SizeId,
        vid: Option<SizeVid>,
        scope: Option<TyVarId>,
    ) -> Result<(), Mismatch> {
        match *self.types.get_size(self.shallow_size(size)) {
            Size::Infer(inner) if Some(inner) == vid => Err(Mismatch::Infinite),
            Size::Infer(inner) => {
                let common = self.common_scope(self.infer.sizes[inner].scope, scope);
                self.infer.sizes[inner].scope = common;
                Ok(())
            }
            Size::Var(var) => match self.infer.opened.get(&var) {
                Some(&home) if !self.in_scope(home, scope) => Err(Mismatch::Escapes(var)),
                _ => Ok(()),
            },
            Size::Add(a, b) | Size::Mul(a, b) => {
                self.confine_size(a, vid, scope)?;
                self.confine_size(b, vid, scope)
            }
            Size::Const(_) | Size::Error => Ok(()),
        }
    }

    fn confine_arg(
        &mut self,
        arg: GenericArg,
        vid: Option<TypeVid>,
        scope: Option<TyVarId>,
    ) -> Result<(), Mismatch> {
        match arg {
            GenericArg::Type(ty) => self.confine(ty, vid, scope),
            GenericArg::Region(region) => {
                self.confine_region(region, scope);
                Ok(())
            }
            GenericArg::Size(size) => self.confine_size(size, None, scope),
            GenericArg::Effect(_) => Ok(()),
        }
    }

    fn confine_region(&mut self, region: RegionId, scope: Option<TyVarId>) {
        let region = self.shallow_region(region);
        match *self.types.get_region(region) {
            Region::Infer(inner) => {
                let common = self.common_scope(self.infer.regions[inner].scope, scope);
                self.infer.regions[inner].scope = common;
            }
            Region::Var(_) if !self.region_in_scope(region, scope) => {
                self.infer.requirements.push(Requirement::InScope {
                    region,
                    scope,
                    origin: Origin::at(self.infer.at),
                });
            }
            _ => {}
        }
    }

    /// Whether what belongs to the scope `home` may be named in `scope`; none is file scope.
    fn in_scope(&self, home: TyVarId, scope: Option<TyVarId>) -> bool {
        scope.is_some_and(|scope| self.scopes.regions.encloses(home, scope))
    }

    /// Whether a region may be named in `scope`.
    pub(super) fn region_in_scope(&self, region: RegionId, scope: Option<TyVarId>) -> bool {
        match *self.types.get_region(region) {
            Region::Var(var) if self.scopes.regions.get(var).is_some() => self.in_scope(var, scope),
            Region::Var(var) => match self.infer.opened.get(&var) {
                Some(&home) => self.in_scope(home, scope),
                None => true,
            },
            Region::Apply(_, inner) => self.region_in_scope(self.shallow_region(inner), scope),
            _ => true,
        }
    }

    /// `vid := region`, where both are at the end of their chains.
    pub(super) fn bind_region(&mut self, vid: RegionVid, region: RegionId) {
        let scope = self.infer.regions[vid].scope;
        match *self.types.get_region(region) {
            Region::Infer(other) if other == vid => return,
            Region::Infer(other) => {
                let common = self.common_scope(self.infer.regions[other].scope, scope);
                self.infer.regions[other].scope = common;
                if self.infer.aliasable.contains(&vid) {
                    self.infer.aliasable.insert(other);
                }
            }
            _ => self.confine_region(region, scope),
        }
        self.infer.regions[vid].value = Some(region);
    }

    /// Adds the regions that occur in a type: what `regions(T)` stands for. The heap is always live and left out.
    pub fn regions_of(&mut self, ty: TypeId, out: &mut Vec<EffectItem>) {
        let ty = self.shallow(ty);
        match self.types.get(ty).clone() {
            Type::Pointer(pointer) => {
                self.region_item(pointer.region, out);
                self.regions_of(pointer.elem.ty, out);
            }
            Type::Array { elem, .. } => self.regions_of(elem.ty, out),
            // Code lives in no region: what it needs is said by its effect, and matters where it is called.
            Type::Function(_) => {}
            Type::Record(record, args) => {
                for (index, arg) in args.into_iter().enumerate() {
                    let param = self.types.records[record].params.get(index);
                    let key = matches!(arg, GenericArg::Region(_))
                        && param.is_some_and(|&param| self.only_in_keys(record, param));
                    if !key {
                        self.regions_of_arg(arg, out);
                    }
                }
            }
            Type::Datatype(_, args) | Type::Variant(_, _, args) => {
                args.into_iter().for_each(|arg| self.regions_of_arg(arg, out));
            }
            Type::Tuple(fields) => {
                for field in fields {
                    self.regions_of(field.ty, out);
                }
            }
            Type::Handle(region) => self.region_item(region, out),
            Type::Var(_) | Type::Infer(_) => out.push(EffectItem::RegionsOf(ty)),
            _ => {}
        }
    }

    fn regions_of_arg(&mut self, arg: GenericArg, out: &mut Vec<EffectItem>) {
        match arg {
            GenericArg::Type(ty) => self.regions_of(ty, out),
            GenericArg::Region(region) => self.region_item(region, out),
            GenericArg::Effect(effect) => out.extend(&self.types.get_effect(effect).items),
            GenericArg::Size(_) => {}
        }
    }

    /// Adds the effects of the functions that a value of the type may directly be asked to call.
    pub fn effects_of_functions(&mut self, ty: TypeId, out: &mut Vec<EffectItem>) {
        match self.kind(ty).clone() {
            Type::Pointer(pointer) => self.effects_of_functions(pointer.elem.ty, out),
            Type::Array { elem, .. } => self.effects_of_functions(elem.ty, out),
            Type::Tuple(fields) => {
                for field in fields {
                    self.effects_of_functions(field.ty, out);
                }
            }
            Type::Function(function) => {
                let items = self.types.get_effect(function.effect).items.clone();
                out.extend(items.into_iter().filter(|&item| !self.binds(&function.vars, item)));
            }
            _ => {}
        }
    }

    fn region_item(&mut self, region: RegionId, out: &mut Vec<EffectItem>) {
        let region = self.shallow_region(region);
        match self.types.get_region(region) {
            // What is owned is live as long as it is held.
            Region::Heap | Region::Unique | Region::Counted | Region::Error => {}
            // What is dead there is found out at each access.
            Region::Checked => {}
            _ => out.push(EffectItem::Region(region)),
        }
    }

    /// Whether an effect's item is one of the variables.
    fn binds(&self, vars: &[TyVarId], item: EffectItem) -> bool {
        match item {
            EffectItem::Region(region) => match *self.types.get_region(region) {
                Region::Var(var) => vars.contains(&var),
                _ => false,
            },
            EffectItem::RegionsOf(ty) => match *self.types.get(ty) {
                Type::Var(var) => vars.contains(&var),
                _ => false,
            },
            EffectItem::Var(var) => vars.contains(&var),
            EffectItem::Infer(_) => false,
        }
    }
}
