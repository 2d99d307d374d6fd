//! Sizes and alignments: what gcc gives the emitted C on LP64 targets.

mod assertions;
mod limits;
mod whole;

use crate::checker::Checker;
use crate::infer::Subst;
use crate::ty::{
    ArrayLen, Bounds, FieldDef, Flags, FloatTy, GenericArg, Kind, QualType, RecordId, RecordSort,
    Type, TypeId,
};

/// In bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub size: u64,
    pub align: u64,
}

/// Largest object: what a process of the targets has addresses for. Sums of a few sizes in bits fit a `u64`.
const LIMIT: u64 = 1 << 47;

/// Why a type has no size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unsized {
    /// It is incomplete, or has another size for each instance.
    Unknown,
    /// It is larger than any object.
    TooLarge,
}

impl Layout {
    fn of(size: u64) -> Layout {
        Layout { size, align: size }
    }
}

/// Where the next member of a record goes, in bits.
struct Cursor {
    bits: u64,
    align: u64,
    packed: bool,
}

impl Cursor {
    fn round(&mut self, bits: u64) {
        self.bits = self.bits.div_ceil(bits) * bits;
    }

    fn place(&mut self, layout: Layout, align: Option<u32>) -> Result<u64, Unsized> {
        let natural = if self.packed { 1 } else { layout.align };
        let align = natural.max(align.map_or(1, u64::from));
        self.align = self.align.max(align);
        self.round(align * 8);
        let offset = self.bits / 8;
        self.bits += layout.size * 8;
        within_limit(self.bits / 8)?;
        Ok(offset)
    }

    /// System V's rule: a bit-field does not cross a boundary of its type; width 0 goes to the next boundary.
    fn place_bits(&mut self, layout: Layout, width: u64, aligns: bool) {
        let unit = layout.size * 8;
        if width == 0 {
            self.round(unit);
            if aligns {
                self.align = self.align.max(layout.align);
            }
            return;
        }
        if !self.packed && self.bits / unit != (self.bits + width - 1) / unit {
            self.round(unit);
        }
        if aligns && !self.packed {
            self.align = self.align.max(layout.align);
        }
        self.bits += width;
    }
}

impl Checker<'_> {
    /// The size of a complete type whose size does not depend on a type variable.
    pub fn size_of(&mut self, ty: TypeId) -> Option<u64> {
        self.layout(ty).map(|layout| layout.size)
    }

    pub fn align_of(&mut self, ty: TypeId) -> Option<u64> {
        self.layout(ty).map(|layout| layout.align)
    }

    pub fn layout(&mut self, ty: TypeId) -> Option<Layout> {
        self.try_layout(ty).ok()
    }

    fn try_layout(&mut self, ty: TypeId) -> Result<Layout, Unsized> {
        let ty = self.shallow(ty);
        if let Some(&layout) = self.layouts.get(&ty) {
            return Ok(layout);
        }
        let layout = self.compute_layout(ty)?;
        within_limit(layout.size)?;
        let stable = !self.types.flags(ty).has(Flags::INFER)
            && matches!(self.types.get(ty), Type::Record(..) | Type::Tuple(_));
        if stable {
            self.layouts.insert(ty, layout);
        }
        Ok(layout)
    }

    fn compute_layout(&mut self, ty: TypeId) -> Result<Layout, Unsized> {
        let layout = match self.types.get(ty).clone() {
            Type::Int(int) => Layout::of(u64::from(int.bits() / 8)),
            Type::Float(float) => Layout::of(float_size(float)),
            Type::Complex(float) => {
                Layout { size: 2 * float_size(float), align: float_size(float) }
            }
            Type::Enum(id) => {
                let def = &self.types.enums[id];
                Layout::of(u64::from(def.underlying.bits() / 8))
            }
            Type::Pointer(pointer) => match pointer.bounds {
                Bounds::Fat => Layout { size: 16, align: 8 },
                Bounds::Thin(_) => Layout::of(8),
            },
            Type::Array { elem, len, .. } => {
                let elem = self.try_layout(elem.ty)?;
                let count = match len {
                    ArrayLen::Known(size) => self.size_value(size).ok_or(Unsized::Unknown)?,
                    ArrayLen::Incomplete => return Err(Unsized::Unknown),
                };
                let size = elem.size.checked_mul(count).ok_or(Unsized::TooLarge)?;
                Layout { size, align: elem.align }
            }
            Type::Record(id, args) => self.record_layout(id, &args)?,
            Type::Tuple(fields) => self.fields_layout(&fields)?,
            Type::Handle(_) => Layout::of(8),
            Type::Tag(_, int) => Layout::of(u64::from(int.bits() / 8)),
            Type::Var(var) if self.types.vars[var].kind == Kind::Boxed => Layout::of(8),
            Type::Variant(id, variant, args) => {
                let mut fields = vec![QualType::plain(self.basics.ulong)];
                fields.extend(self.variant_fields(id, variant, &args));
                self.fields_layout(&fields)?
            }
            Type::Error => Layout::of(4),
            // Each target has a va_list of its own.
            Type::VaList
            | Type::Void
            | Type::Function(_)
            | Type::Datatype(..)
            | Type::Var(_)
            | Type::Infer(_) => return Err(Unsized::Unknown),
        };
        Ok(layout)
    }

    fn fields_layout(&mut self, fields: &[QualType]) -> Result<Layout, Unsized> {
        let mut cursor = Cursor { bits: 0, align: 1, packed: false };
        for field in fields {
            let layout = self.try_layout(field.ty)?;
            cursor.place(layout, None)?;
        }
        Ok(finish(cursor))
    }

    fn record_layout(&mut self, id: RecordId, args: &[GenericArg]) -> Result<Layout, Unsized> {
        let (offsets, mut layout) = self.try_offsets(id, args)?;
        drop(offsets);
        if self.types.records[id].sort == RecordSort::TaggedUnion {
            // The tag stands before the members.
            let align = layout.align.max(4);
            layout = Layout { size: align + layout.size.div_ceil(align) * align, align };
        }
        Ok(layout)
    }

    /// The offset of each member, and the layout of the whole (of the members alone, for a tagged union).
    pub fn record_offsets(
        &mut self,
        id: RecordId,
        args: &[GenericArg],
    ) -> Option<(Vec<u64>, Layout)> {
        self.try_offsets(id, args).ok()
    }

    fn try_offsets(
        &mut self,
        id: RecordId,
        args: &[GenericArg],
    ) -> Result<(Vec<u64>, Layout), Unsized> {
        let def = &self.types.records[id];
        let (sort, packed, align, params) = (def.sort, def.packed, def.align, def.params.clone());
        let fields = def.fields.clone().ok_or(Unsized::Unknown)?;
        let subst = Subst::new(&params, args);
        let mut cursor = Cursor { bits: 0, align: align.map_or(1, u64::from), packed };
        let mut offsets = Vec::with_capacity(fields.len());
        let mut largest = 0;
        let last = fields.len().saturating_sub(1);
        for (index, field) in fields.iter().enumerate() {
            if sort != RecordSort::Struct {
                cursor.bits = 0;
            }
            let ty = self.subst(field.ty.ty, &subst);
            let flexible = index == last && self.is_flexible(ty);
            let offset = self.place_field(&mut cursor, field, ty, flexible)?;
            offsets.push(offset);
            largest = largest.max(cursor.bits);
        }
        if sort != RecordSort::Struct {
            cursor.bits = largest;
        }
        Ok((offsets, finish(cursor)))
    }

    pub(crate) fn is_flexible(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Array { len: ArrayLen::Incomplete, .. })
    }

    fn place_field(
        &mut self,
        cursor: &mut Cursor,
        field: &FieldDef,
        ty: TypeId,
        flexible: bool,
    ) -> Result<u64, Unsized> {
        if flexible {
            let Type::Array { elem, .. } = *self.kind(ty) else { return Err(Unsized::Unknown) };
            let align = self.try_layout(elem.ty)?.align;
            return cursor.place(Layout { size: 0, align }, field.align);
        }
        let layout = self.try_layout(ty)?;
        match field.bits {
            Some(width) => {
                let aligns = field.name.is_some() || self.options.unnamed_bits_align;
                cursor.place_bits(layout, u64::from(width), aligns);
                Ok(cursor.bits.saturating_sub(u64::from(width)) / 8)
            }
            None => cursor.place(layout, field.align),
        }
    }
}

fn within_limit(size: u64) -> Result<(), Unsized> {
    match size <= LIMIT {
        true => Ok(()),
        false => Err(Unsized::TooLarge),
    }
}

fn finish(mut cursor: Cursor) -> Layout {
    cursor.round(cursor.align * 8);
    Layout { size: cursor.bits / 8, align: cursor.align }
}

fn float_size(float: FloatTy) -> u64 {
    match float {
        FloatTy::F32 => 4,
        FloatTy::F64 => 8,
        FloatTy::Long => 16,
    }
}
