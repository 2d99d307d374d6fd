//! Constructors that need no object: a datatype's value is a pointer, and what an `@immediate` constructor holds lies
//! in the pointer's word itself.
//!
//! The word's low three bits say which kind of value it is:
//!
//! ```text
//!   000             a pointer to an object (or NULL); objects of such datatypes are aligned to 8 bytes
//!   001 … 110       a constructor with arguments, which lie above these bits, the first one lowest
//!   111             a constructor without arguments; its number lies above these bits
//! ```
//!
//! Only a constructor's expression under `new` makes such a word, and only a pattern takes it apart: it is never the
//! address of anything, so nothing is read or written through it. The rest of the program copies it and compares it,
//! like any pointer.

use super::{DatatypeDef, VariantDef};

/// Bits of a word that an `@immediate` constructor's arguments may take.
pub const IMMEDIATE_BITS: u32 = 61;
/// Low bits of a word that say which kind of value it is.
pub const KIND_BITS: u32 = 3;
/// Immediate constructors with arguments that one datatype may have.
pub const MOST_WITH_ARGUMENTS: usize = 6;
/// The low bits of all constructors without arguments.
const CONSTANTS: u64 = 7;

/// Where an `@immediate` constructor's value lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Immediate {
    /// Of a constructor without arguments the whole word; else its low bits.
    pub word: u64,
    /// Bits of each argument, from bit [`KIND_BITS`] on.
    pub widths: Vec<u32>,
}

impl Immediate {
    /// The lowest bit of an argument.
    pub fn shift(&self, arg: usize) -> u32 {
        KIND_BITS + self.widths[..arg].iter().sum::<u32>()
    }
}

impl DatatypeDef {
    /// Whether a pointer to it may be a word that is no address.
    pub fn has_immediates(&self) -> bool {
        self.variants.iter().flatten().any(|variant| variant.immediate.is_some())
    }

    pub fn immediate(&self, variant: u32) -> Option<&Immediate> {
        self.variants.as_ref()?.get(variant as usize)?.immediate.as_ref()
    }

    /// The number that a `switch` on the kind of value goes by. An object's tag in memory is this number; where the
    /// datatype has immediate constructors it is a multiple of 8, an immediate constant's is its word, and any other
    /// one's its low bits.
    pub fn tag(&self, variant: u32) -> u64 {
        if !self.has_immediates() {
            return u64::from(variant);
        }
        match self.immediate(variant) {
            Some(immediate) => immediate.word,
            None => {
                let all = self.variants.as_deref().unwrap_or_default();
                let before = &all[..(variant as usize).min(all.len())];
                (before.iter().filter(|other| other.immediate.is_none()).count() as u64)
                    << KIND_BITS
            }
        }
    }

    /// How many constructors make objects; the tag of an object is read only where there are several.
    pub fn boxed_constructors(&self) -> usize {
        self.variants.iter().flatten().filter(|variant| variant.immediate.is_none()).count()
    }
}

/// Gives each immediate constructor its word. The error is the first constructor with arguments for which no low bits
/// are left.
pub fn number_immediates(variants: &mut [VariantDef]) -> Result<(), usize> {
    let (mut constants, mut with_arguments) = (0, 0);
    for (index, variant) in variants.iter_mut().enumerate() {
        let Some(immediate) = &mut variant.immediate else { continue };
        if immediate.widths.is_empty() {
            immediate.word = constants << KIND_BITS | CONSTANTS;
            constants += 1;
        } else {
            with_arguments += 1;
            if with_arguments > MOST_WITH_ARGUMENTS {
                return Err(index);
            }
            immediate.word = with_arguments as u64;
        }
    }
    Ok(())
}
