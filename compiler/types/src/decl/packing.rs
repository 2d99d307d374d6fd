//! What packs records and enumerations: `#pragma pack`, and attributes where they change a layout that is not built here.

use crate::checker::Checker;
use crate::ty::{FieldDef, TypeId};
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

impl Checker<'_> {
    /// Whether `#pragma pack` makes a record at the place a packed one. Other limits are refused where they change something.
    pub(super) fn packed_by_pragma(&mut self, fields: &mut [FieldDef], span: Span) -> bool {
        let last = self.decls.packings.iter().rev().find(|packing| packing.from < span.lo);
        let Some(greatest) = last.and_then(|packing| packing.greatest) else { return false };
        if greatest == 1 {
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
