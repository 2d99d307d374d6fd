//! What packs records and enumerations: `#pragma pack`, and attributes where they change a layout that is not built
//! here.

use crate::checker::Checker;
use crate::ty::{FieldDef, RecordId, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{Attribute, Pragma};

/// The greatest alignment of members from a place on; none if it is their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    from: u32,
    greatest: Option<u64>,
}

/// What the `#pragma pack` lines of a file say, in order.
pub(super) fn packings(pragmas: &[Pragma]) -> Vec<Packing> {
    let mut out = Vec::new();
    let mut saved = Vec::new();
    let mut greatest = None;
    for pragma in pragmas {
        let Some(args) = pragma.text.strip_prefix("pack") else { continue };
        let args = args.trim().trim_start_matches('(').trim_end_matches(')');
        let words: Vec<&str> = args.split(',').map(str::trim).collect();
        let number = words.iter().find_map(|word| word.parse().ok());
        match words[0] {
            "push" => saved.push(greatest),
            "pop" => greatest = saved.pop().flatten(),
            _ => greatest = None,
        }
        greatest = number.or(greatest).filter(|&number| number != 0);
        out.push(Packing { from: pragma.span.lo, greatest });
    }
    out
}

/// What a pragma that changes layouts, calls or names of everything after it begins with.
const CHANGING: &[&str] = &[
    "ms_struct",
    "scalar_storage_order",
    "options align",
    "align",
    "redefine_extname",
    "weak",
    "clang attribute",
    "GCC target",
    "GCC optimize",
    "STDC CX_LIMITED_RANGE",
];

/// Of pointers, and of words that may hold one.
const POINTER_ALIGN: u64 = 8;

impl Checker<'_> {
    /// Reports the pragmas that would change what this unit and C code of the same text agree on.
    pub(super) fn refuse_pragmas(&mut self, pragmas: &[Pragma]) {
        for pragma in pragmas {
            let text = pragma.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let Some(changing) = CHANGING.iter().find(|start| text.starts_with(**start)) else {
                continue;
            };
            if !self.in_c_header(pragma.span) {
                let text = format!("`#pragma {changing}` would change what is declared after it");
                self.error(Diagnostic::error("E0231", text, pragma.span));
            }
        }
    }

    /// Whether `#pragma pack` makes a record at the place a packed one. Other limits are refused where they change
    /// something.
    pub(super) fn packed_by_pragma(&mut self, fields: &mut [FieldDef], span: Span) -> bool {
        let last = self.decls.packings.iter().rev().find(|packing| packing.from < span.lo);
        let Some(greatest) = last.and_then(|packing| packing.greatest) else { return false };
        if greatest == 1 {
            // Unlike the attribute, the pragma also limits what a member asks for.
            fields.iter_mut().for_each(|field| field.align = None);
            return true;
        }
        for field in fields {
            if self.align_of(field.ty.ty).is_some_and(|align| align > greatest) {
                let text = format!("`#pragma pack({greatest})` changes where this member lies");
                let error = Diagnostic::error("E0231", text, field.span)
                    .help("only `#pragma pack(1)` is known");
                field.ty.ty = self.type_error(error);
            }
        }
        false
    }

    /// The collector of `--gc` looks for pointers at multiples of their size, on the stack, in static data and in the
    /// heap, and any unit may be linked with it. So in a packed record whatever may hold a pointer stands where it
    /// would in another one, and so does the record itself. (No other record can be aligned less than its members:
    /// `aligned` only raises.)
    pub(super) fn require_aligned_pointers(&mut self, id: RecordId) {
        let def = &self.types.records[id];
        if !def.packed {
            return;
        }
        let fields = def.fields.clone().unwrap_or_default();
        let holders: Vec<usize> =
            (0..fields.len()).filter(|&at| self.may_hold_pointers(fields[at].ty.ty)).collect();
        let Some(&first) = holders.first() else { return };
        let layout = self.record_offsets(id, &[]);
        let is_misplaced = |offsets: &[u64], at: usize| {
            offsets.get(at).is_none_or(|offset| offset % POINTER_ALIGN != 0)
        };
        let wrong = match &layout {
            Some((offsets, whole)) if whole.align % POINTER_ALIGN == 0 => {
                holders.into_iter().find(|&at| is_misplaced(offsets, at))
            }
            _ => Some(first),
        };
        let Some(wrong) = wrong.map(|at| &fields[at]) else { return };
        let text = "a pointer in a packed record would not be aligned";
        let error = Diagnostic::error("E0245", text, wrong.span)
            .note("the collector of `--gc` finds pointers only where they are aligned")
            .help(
                "put what holds pointers at a multiple of 8 bytes, and add `aligned(8)` beside `packed`; \
                 or leave `packed` away",
            );
        self.error(error);
    }

    /// Whether objects of the type may contain what refers to an object in the heap.
    fn may_hold_pointers(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::Enum(_)
            | Type::Tag(..)
            | Type::Void
            | Type::Function(_)
            | Type::Error => false,
            Type::Pointer(pointer) => !matches!(self.kind(pointer.elem.ty), Type::Function(_)),
            Type::Array { elem, .. } => self.may_hold_pointers(elem.ty),
            Type::Tuple(fields) => fields.iter().any(|field| self.may_hold_pointers(field.ty)),
            Type::Record(id, _) => {
                let fields = self.types.records[*id].fields.iter().flatten();
                fields.map(|field| field.ty.ty).any(|ty| self.may_hold_pointers(ty))
            }
            _ => true,
        }
    }

    /// `packed` of one member, which is known of whole records alone.
    pub(super) fn packed_member(&mut self, ty: TypeId, span: Span) -> TypeId {
        if self.align_of(ty) == Some(1) {
            return ty;
        }
        let text = "the attribute `packed` is for a whole struct, this is a member";
        self.type_error(Diagnostic::error("E0231", text, span))
    }

    /// An enumeration is as wide as C makes it without attributes.
    pub(super) fn enum_attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            if matches!(attribute.name.name.as_str(), "packed" | "__packed__") {
                let text = "the attribute `packed` is for structs, this is an enumeration";
                self.type_error(Diagnostic::error("E0231", text, attribute.span));
            }
        }
    }

    /// A typedef's type keeps its own alignment.
    pub(super) fn aligned_typedef(&mut self, ty: TypeId, align: Option<u32>, span: Span) {
        let natural = self.align_of(ty);
        if align.is_some_and(|align| natural.is_some_and(|natural| natural != u64::from(align))) {
            let text =
                "the attribute `aligned` is for structs, members and variables, this is a typedef";
            self.type_error(Diagnostic::error("E0231", text, span));
        }
    }
}
