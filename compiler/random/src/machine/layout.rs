//! Sizes and offsets as the platform's C ABI has them (x86-64 and AArch64 System V agree on all that is
//! here).

use tenure_core::{FloatTy, Program, RecordKind, Ty, TyId};

/// Where a field stands in its record.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// In bytes; of a bit-field the byte in which it begins.
    pub offset: u64,
    /// Of a bit-field: its first bit in that byte, and how many.
    pub bits: Option<(u32, u32)>,
}

#[derive(Clone, Debug)]
pub struct Shape {
    pub size: u64,
    pub align: u64,
    pub slots: Vec<Slot>,
}

fn scalar(size: u64) -> Shape {
    Shape { size, align: size, slots: Vec::new() }
}

fn aligned(at: u64, align: u64) -> u64 {
    at.div_ceil(align.max(1)) * align.max(1)
}

/// The shape of a type; None if it has none (functions, incomplete types) or is not modelled.
pub fn shape(program: &Program, ty: TyId) -> Option<Shape> {
    Some(match program.types.get(ty) {
        Ty::Int(int) => scalar(u64::from(int.bits() / 8)),
        Ty::Enum(id) => scalar(u64::from(program.types.enums[*id].underlying.bits() / 8)),
        Ty::Float(FloatTy::F32) => scalar(4),
        Ty::Float(FloatTy::F64) => scalar(8),
        Ty::Float(FloatTy::Long) => scalar(16),
        Ty::Complex(_) | Ty::VaList | Ty::Func(_) => return None,
        // An object without a size of its own: a descriptor, which has an address alone.
        Ty::Void => Shape { size: 0, align: 1, slots: Vec::new() },
        Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Word | Ty::Handle => scalar(8),
        Ty::Fat { .. } => Shape { size: 16, align: 8, slots: Vec::new() },
        Ty::Arena | Ty::HandlerFrame | Ty::Pin => Shape { size: 64, align: 16, slots: Vec::new() },
        Ty::Array { of, len } => {
            let of = shape(program, *of)?;
            Shape { size: of.size.checked_mul(*len)?, align: of.align, slots: Vec::new() }
        }
        Ty::Record(id) => record(program, *id)?,
    })
}

fn record(program: &Program, id: tenure_core::RecordId) -> Option<Shape> {
    let record = &program.types.records[id];
    let union = record.kind == RecordKind::Union;
    let (mut align, mut slots) = (1, Vec::new());
    // In bits: where the next field may begin, and where the farthest ends.
    let (mut at, mut end) = (0u64, 0u64);
    for field in record.fields.as_ref()? {
        let of = shape(program, field.ty)?;
        let natural = if record.packed { 1 } else { of.align };
        let natural = natural.max(u64::from(field.align.unwrap_or(1)));
        if union {
            at = 0;
        }
        let Some(width) = field.bits else {
            at = aligned(at, natural * 8);
            slots.push(Slot { offset: at / 8, bits: None });
            at += of.size * 8;
            align = align.max(natural);
            end = end.max(at);
            continue;
        };
        let width = u64::from(width);
        let unit = of.size * 8;
        let straddles = at / unit != (at + width).saturating_sub(1) / unit;
        if width == 0 || (straddles && !record.packed) {
            at = aligned(at, unit);
        }
        slots.push(Slot { offset: at / 8, bits: Some(((at % 8) as u32, width as u32)) });
        at += width;
        // A bit-field without a name does not align its record.
        if field.name.is_some() {
            align = align.max(natural);
        }
        end = end.max(at);
    }
    align = align.max(u64::from(record.align.unwrap_or(1)));
    Some(Shape { size: aligned(end.div_ceil(8), align), align, slots })
}
