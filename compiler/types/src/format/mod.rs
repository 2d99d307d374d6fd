//! Format strings of the printf and scanf families (C11 7.21.6.1, 7.21.6.2): their directives and the arguments that
//! these want. What an argument's type is, and where messages go, is decided by the caller.

mod parse;
mod place;
#[cfg(test)]
mod tests;

pub use parse::{parse_printf, parse_scanf};
pub use place::place;

use crate::ty::{FloatTy, IntTy};

/// One argument that a format wants, and the directive that wants it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Want {
    pub kind: WantKind,
    /// The directive as written: `%5.2f`.
    pub text: String,
    /// Where it stands in the string, in units.
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WantKind {
    /// The `*` of a width or precision.
    Star,
    /// An integer no wider than this many bits.
    Int {
        bits: u32,
    },
    /// `%c`.
    Char,
    Double,
    LongDouble,
    /// `%s`.
    Text,
    /// `%p`.
    Pointer,
    /// `%n`, and the integers of scanf: a pointer to an integer type of just this size.
    IntPointer {
        bits: u32,
        signed: bool,
    },
    /// scanf's `%f`.
    FloatPointer(FloatTy),
    /// scanf's `%s`, `%[`, `%c`: room for characters.
    Buffer,
}

/// Why a format is not one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadFormat {
    pub reason: String,
    pub start: usize,
    pub end: usize,
}

impl WantKind {
    /// Whether the directive stores through its argument.
    pub fn is_pointer(self) -> bool {
        matches!(self, WantKind::IntPointer { .. } | WantKind::FloatPointer(_) | WantKind::Buffer)
    }

    /// In words, for a message: "expected …".
    pub fn describe(self) -> String {
        match self {
            WantKind::Star => "an `int` for the `*`".into(),
            WantKind::Int { bits } => format!("an integer of at most {bits} bits"),
            WantKind::Char => "a character".into(),
            WantKind::Double => "a `double`".into(),
            WantKind::LongDouble => "a `long double`".into(),
            WantKind::Text => "a string".into(),
            WantKind::Pointer => "a pointer".into(),
            WantKind::IntPointer { bits, signed } => {
                let sign = if signed { "signed" } else { "unsigned" };
                format!("a pointer to a {sign} integer of {bits} bits")
            }
            WantKind::FloatPointer(FloatTy::F32) => "a pointer to `float`".into(),
            WantKind::FloatPointer(FloatTy::F64) => "a pointer to `double`".into(),
            WantKind::FloatPointer(FloatTy::Long) => "a pointer to `long double`".into(),
            WantKind::Buffer => "a pointer with bounds to `char`".into(),
        }
    }
}

/// Bits of an integer type, for [`WantKind::Int`].
pub fn int_bits(int: IntTy) -> u32 {
    if int == IntTy::Bool {
        1
    } else {
        int.bits()
    }
}
