//! Sizes of types, and the bytes of objects that no store to a member writes.

use crate::{Field, FloatTy, IntTy, RecordId, RecordKind, Ty, TyId, TypeTable};

impl TypeTable {
    /// The integer type that values of the type are.
    fn as_int(&self, ty: TyId) -> Option<IntTy> {
        match self.get(ty) {
            Ty::Int(int) => Some(*int),
            Ty::Enum(id) => Some(self.enums[*id].underlying),
            _ => None,
        }
    }

    /// Size and alignment in bytes on the targets that Tenure supports; `None` where attributes or the ABI have a say.
    pub fn layout(&self, ty: TyId) -> Option<(i128, i128)> {
        if let Some(int) = self.as_int(ty) {
            let bytes = i128::from(int.bits() / 8);
            return Some((bytes, bytes));
        }
        match self.get(ty) {
            Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Word | Ty::Handle => Some((8, 8)),
            Ty::Fat { .. } => Some((16, 8)),
            Ty::Float(FloatTy::F32) => Some((4, 4)),
            Ty::Float(FloatTy::F64) => Some((8, 8)),
            Ty::Array { of, len } => {
                let (size, align) = self.layout(*of)?;
                Some((size.checked_mul(i128::from(*len))?, align))
            }
            Ty::Record(id) => {
                let record = &self.records[*id];
                if record.packed || record.align.is_some() {
                    return None;
                }
                let (mut end, mut most) = (0, 1);
                for field in record.fields.as_ref()? {
                    if field.bits.is_some() || field.align.is_some() {
                        return None;
                    }
                    let (size, align) = self.layout(field.ty)?;
                    most = most.max(align);
                    if record.kind == RecordKind::Union {
                        end = end.max(size);
                    } else {
                        end = (end + align - 1) / align * align + size;
                    }
                }
                (end > 0).then_some(((end + most - 1) / most * most, most))
            }
            _ => None,
        }
    }

    /// Whether all bytes of an object of the type may be looked at, by a view as characters or in a union: it is made
    /// of bits alone.
    pub fn is_bits(&self, mut ty: TyId) -> bool {
        while let Ty::Array { of, .. } = *self.get(ty) {
            ty = of;
        }
        match self.get(ty) {
            Ty::Int(int) => *int != IntTy::Bool,
            // Of a `long double` no store writes all bytes.
            Ty::Float(float) | Ty::Complex(float) => *float != FloatTy::Long,
            Ty::Enum(_) => true,
            Ty::Record(id) => {
                let fields = self.records[*id].fields.as_deref();
                fields.is_some_and(|fields| fields.iter().all(|field| self.is_bits(field.ty)))
            }
            _ => false,
        }
    }

    /// How many bytes of padding follow each field of a record, for a record of bits that is laid out without
    /// attributes and bit-fields.
    ///
    /// Not where a floating-point number is in it: padding beside one is passed in the register that the number is
    /// passed in, which a member there would change.
    pub fn padding(&self, id: RecordId) -> Option<Vec<i128>> {
        let record = &self.records[id];
        let fields = record.fields.as_deref()?;
        let plain = matches!(record.kind, RecordKind::Struct | RecordKind::Tuple);
        if !plain || !fields.iter().all(|field| self.is_bits(field.ty)) {
            return None;
        }
        if record.kind == RecordKind::Tuple {
            // Each scalar has a slot of its own.
            let after = |ty: TyId| self.layout(ty).map(|(size, _)| (8 - size % 8) % 8);
            return fields.iter().map(|field| after(field.ty)).collect();
        }
        if record.packed
            || record.align.is_some()
            || fields.iter().any(|field| !self.is_ordinary(field))
        {
            return None;
        }
        let layouts: Vec<(i128, i128)> =
            fields.iter().map(|field| self.layout(field.ty)).collect::<Option<_>>()?;
        let most = layouts.iter().map(|(_, align)| *align).max()?;
        let (mut end, mut padding) = (0, Vec::new());
        for (n, (size, _)) in layouts.iter().enumerate() {
            end += size;
            let align = layouts.get(n + 1).map_or(most, |(_, align)| *align);
            let gap = (align - end % align) % align;
            padding.push(gap);
            end += gap;
        }
        Some(padding)
    }

    fn is_ordinary(&self, field: &Field) -> bool {
        let empty = matches!(self.get(field.ty), Ty::Array { len: 0, .. });
        field.name.is_some()
            && field.bits.is_none()
            && field.align.is_none()
            && !empty
            && !self.has_floats(field.ty)
    }

    fn has_floats(&self, mut ty: TyId) -> bool {
        while let Ty::Array { of, .. } = *self.get(ty) {
            ty = of;
        }
        match self.get(ty) {
            Ty::Float(_) | Ty::Complex(_) => true,
            Ty::Record(id) => {
                self.records[*id].fields.iter().flatten().any(|field| self.has_floats(field.ty))
            }
            _ => false,
        }
    }

    /// Whether bytes of an object of the type may be looked at that a store to each of its members leaves as they were:
    /// in an object of bits padding and the rest of a bit-field's unit, and in any untagged union what another member
    /// is longer by.
    pub fn has_unwritten_bytes(&self, mut ty: TyId) -> bool {
        while let Ty::Array { of, .. } = *self.get(ty) {
            ty = of;
        }
        let Ty::Record(id) = self.get(ty) else { return false };
        let record = &self.records[*id];
        if record.kind == RecordKind::Union || self.is_bits(ty) {
            return self.leaves_bytes(ty);
        }
        record.fields.iter().flatten().any(|field| self.has_unwritten_bytes(field.ty))
    }

    /// Whether an untagged union is in objects of the type.
    pub fn has_union(&self, mut ty: TyId) -> bool {
        while let Ty::Array { of, .. } = *self.get(ty) {
            ty = of;
        }
        let Ty::Record(id) = self.get(ty) else { return false };
        let record = &self.records[*id];
        record.kind == RecordKind::Union
            || record.fields.iter().flatten().any(|field| self.has_union(field.ty))
    }

    fn leaves_bytes(&self, mut ty: TyId) -> bool {
        while let Ty::Array { of, .. } = *self.get(ty) {
            ty = of;
        }
        let Ty::Record(id) = self.get(ty) else { return false };
        let record = &self.records[*id];
        let fields = record.fields.as_deref().unwrap_or_default();
        if fields.iter().any(|field| field.bits.is_some() || self.leaves_bytes(field.ty)) {
            return true;
        }
        let sizes = || fields.iter().map(|field| self.layout(field.ty).map(|(size, _)| size));
        match (self.layout(ty), record.kind) {
            (Some((all, _)), RecordKind::Union) => sizes().any(|size| size != Some(all)),
            (Some((all, _)), _) => sizes().sum::<Option<i128>>() != Some(all),
            (None, _) => !record.packed,
        }
    }
}
