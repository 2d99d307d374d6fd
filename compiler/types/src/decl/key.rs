//! The library's keys of dynamic regions: abstract records that are a right to their region.

use crate::checker::Checker;
use crate::ty::{GenericArg, RecordId, Region, TyVarId, Type, TypeId};
use tenure_span::Diagnostic;

impl Checker<'_> {
    /// The name of a record of the library that is a right to a region; empty for any other.
    pub(crate) fn key_record(&self, record: RecordId) -> &'static str {
        let Some(name) = &self.types.records[record].name else { return "" };
        let ours = matches!(&name.path[..], [only] if *only == *"Core");
        match name.name.as_str() {
            "DynamicRegion" if ours => "DynamicRegion",
            "DynamicRegionGen" if ours => "DynamicRegionGen",
            _ => "",
        }
    }

    /// Nobody makes a key but the library: an object of the program's own would open any region.
    pub(super) fn reserve_keys(&self, record: RecordId) {
        if !self.key_record(record).is_empty() {
            let def = &self.types.records[record];
            let text = "the keys of regions are made by the library only";
            let error = Diagnostic::error("E0533", text, def.span);
            self.error(error.help("give the struct another name"));
        }
    }

    /// Whether a record's region parameter names regions only in keys. A key is a right, and holds no pointer into its
    /// region, which need not be live while it is closed.
    pub(crate) fn only_in_keys(&self, record: RecordId, param: TyVarId) -> bool {
        !self.key_record(record).is_empty() || self.fields_only_in_keys(record, param, 0)
    }

    fn fields_only_in_keys(&self, record: RecordId, param: TyVarId, depth: u32) -> bool {
        let def = &self.types.records[record];
        let Some(fields) = &def.fields else { return false };
        depth < 8
            && def.bounds.is_empty()
            && fields.iter().all(|field| self.is_only_key(field.ty.ty, param, depth))
    }

    fn is_only_key(&self, ty: TypeId, param: TyVarId, depth: u32) -> bool {
        match self.types.get(ty) {
            Type::Int(_) | Type::Float(_) | Type::Enum(_) => true,
            Type::Pointer(pointer) => match self.types.get_region(pointer.region) {
                Region::Unique | Region::Counted => self.is_only_key(pointer.elem.ty, param, depth),
                _ => false,
            },
            Type::Record(record, args) => {
                let params = &self.types.records[*record].params;
                params.iter().zip(args).all(|(&inner, arg)| match *arg {
                    GenericArg::Region(region) => {
                        !self.mentions(region, param)
                            || !self.key_record(*record).is_empty()
                            || self.fields_only_in_keys(*record, inner, depth + 1)
                    }
                    _ => false,
                })
            }
            _ => false,
        }
    }

    fn mentions(&self, region: crate::ty::RegionId, param: TyVarId) -> bool {
        match *self.types.get_region(region) {
            Region::Var(var) => var == param,
            Region::Apply(_, inner) => self.mentions(inner, param),
            _ => false,
        }
    }
}
