//! Replacing solved inference variables by their solutions, through whole types.

use super::subst::Leaves;
use super::{Checker, Nullness};
use crate::ty::{
    EffectId, EffectItem, Flags, NullVid, Region, RegionId, Size, SizeId, Type, TypeId,
};
use tenure_span::FastMap;

#[derive(Default)]
pub(super) struct Solutions {
    memo: FastMap<TypeId, TypeId>,
    /// Types that were left without a solution are errors.
    pub finish: bool,
    /// Pointers of which it is open whether they may be NULL are decided.
    pub nulls: bool,
    /// An unsolved type was met.
    pub unsolved: Vec<crate::ty::TypeVid>,
}

impl Solutions {
    /// For the end of a body: what is left open is decided.
    pub fn finishing() -> Solutions {
        Solutions { finish: true, nulls: true, ..Solutions::default() }
    }

    pub fn deciding_nulls() -> Solutions {
        Solutions { nulls: true, ..Solutions::default() }
    }
}

impl Leaves for Solutions {
    const FLAGS: Flags = Flags::INFER;

    fn ty(&mut self, checker: &mut Checker, ty: TypeId) -> Option<TypeId> {
        let Type::Infer(vid) = *checker.types.get(ty) else { return None };
        match checker.infer.types[vid].value {
            Some(value) => Some(checker.map_type(value, self)),
            None if self.finish => {
                self.unsolved.push(vid);
                Some(checker.basics.error)
            }
            None => Some(ty),
        }
    }

    fn region(&mut self, checker: &mut Checker, region: RegionId) -> Option<RegionId> {
        let end = checker.shallow_region(region);
        match *checker.types.get_region(end) {
            Region::Infer(_) if self.finish => Some(checker.basics.heap),
            Region::Apply(..) => (end != region).then(|| checker.map_region(end, self)),
            _ => Some(end),
        }
    }

    fn size(&mut self, checker: &mut Checker, size: SizeId) -> Option<SizeId> {
        let end = checker.shallow_size(size);
        match *checker.types.get_size(end) {
            Size::Infer(_) if self.finish => Some(checker.basics.one),
            Size::Add(..) | Size::Mul(..) => (end != size).then(|| checker.map_size(end, self)),
            _ => Some(end),
        }
    }

    fn effect(
        &mut self,
        checker: &mut Checker,
        item: EffectItem,
        out: &mut Vec<EffectItem>,
    ) -> bool {
        let EffectItem::Infer(vid) = item else { return false };
        match checker.infer.effects[vid].value {
            Some(value) => {
                let value = checker.map_effect(value, self);
                out.extend(&checker.types.get_effect(value).items);
            }
            None if self.finish => {}
            None => out.push(item),
        }
        true
    }

    fn null(&mut self, checker: &mut Checker, open: NullVid) -> Nullness {
        match self.nulls {
            true => Nullness::Known(checker.decide_null(open)),
            false => checker.null_var(open),
        }
    }

    fn memo(&mut self) -> Option<&mut FastMap<TypeId, TypeId>> {
        Some(&mut self.memo)
    }
}

impl Checker<'_> {
    /// The region with all its solved variables replaced.
    pub fn zonk_region(&mut self, region: RegionId) -> RegionId {
        self.map_region(region, &mut Solutions::default())
    }

    pub fn zonk_effect(&mut self, effect: EffectId) -> EffectId {
        self.map_effect(effect, &mut Solutions::default())
    }
}
