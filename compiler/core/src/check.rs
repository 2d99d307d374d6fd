//! Run-time checks, the only statements that decide whether an access is safe.

use crate::{Expr, LocalId};
use tenure_span::Span;

/// A check that stands before the access it guards. If it fails, the runtime raises the kind's exception.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    pub kind: CheckKind,
    pub status: CheckStatus,
    /// The user's expression that is being checked, for the message of an uncaught exception.
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum CheckKind {
    /// Thin pointer is not NULL: `Null_Exception`.
    NonNull(Expr),
    /// `0 <= index < size`; index of any integer type, size `unsigned long`: `Array_bounds`.
    Index { index: Expr, size: Expr },
    /// `0 <= index <= size`: for making a pointer one past, or a sub-range; `Array_bounds`.
    IndexOrEnd { index: Expr, size: Expr },
    /// Element `index` counted from the fat pointer's current one exists: `Null_Exception` if it is NULL, else
    /// `Array_bounds`. The element is number `idx + index` modulo 2^32 (so that `(p - 1)[1]` is `p[0]`), compared
    /// unsigned with `len`; with an index of a 64-bit type, modulo 2^64, so that no bits of it are lost.
    FatIndex { ptr: Expr, index: Expr },
    /// At least `count` elements stand from the current one on: fat to `T *{count}`. NULL passes if `nullable`.
    FatCount { ptr: Expr, count: Expr, nullable: bool },
    /// A fat pointer moved by a count of a 64-bit type stands where one may stand: at one of the 2^32 positions from
    /// 2^31 below its first element on (for an object of 2^31 or more elements, those up to its end). A count that 32
    /// bits hold passes, for such steps go round: `Array_bounds`.
    FatStep { ptr: Expr, count: Expr },
    /// Integer divisor is not zero: `Arithmetic_Exception`.
    NonZero(Expr),
    /// Not `MIN / -1` (or `MIN % -1`): `Arithmetic_Exception`.
    NoDivOverflow { dividend: Expr, divisor: Expr },
    /// The tag of a tagged union equals: `Match_Exception`.
    Tag { tag: Expr, expected: i128 },
    /// The first `index` elements of a zero-terminated sequence are not zero, so element `index` exists:
    /// `Array_bounds`.
    ZeroTermIndex { ptr: Expr, index: Expr },
    /// Storing `value` into element `index` of a zero-terminated sequence keeps the terminator: the old element is not
    /// zero, or the new one is: `Array_bounds`.
    ZeroTermStore { ptr: Expr, index: Expr, value: Expr },
    /// A fat pointer to characters contains a zero from the current element on, so it may become zero-terminated:
    /// `Array_bounds`.
    HasZero { ptr: Expr },
    /// A count of elements of so many bytes each fits the 32 bits of a fat pointer: `Bad_alloc`, which tells the bytes.
    Fits32 { count: Expr, size: Expr },
    /// The object that a reference of the checked heap leads to is there; the local that holds it then knows where:
    /// `Dangling_Exception`.
    Touch(Expr),
    /// `@assert`, `@requires`: the condition holds: `Assert_Exception`.
    Assert(Expr),
}

#[derive(Clone, PartialEq, Debug)]
pub enum CheckStatus {
    /// Emitted.
    Needed,
    /// Not emitted, because of the fact.
    Proved(Fact),
    /// Proved, and emitted all the same to see whether the proof is right: where it fails, the program ends.
    Verified(Fact),
}

impl CheckStatus {
    pub fn is_emitted(&self) -> bool {
        !matches!(self, CheckStatus::Proved(_))
    }
}

/// Why a check cannot fail; printed by `--checks`.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// The operands are constants.
    Constant,
    /// The pointer comes from an address, an allocation or a non-null type.
    Origin(Span),
    /// A branch condition that dominates the check.
    Branch(Span),
    /// An earlier check of the same or a stronger condition.
    EarlierCheck(Span),
    /// The value range of a variable: `low <= local <= high`.
    Range { local: Option<LocalId>, low: i128, high: i128 },
    /// `local < size` by a loop's or branch's condition.
    LessThan(Span),
    /// Checks were turned off by the user (`--no-checks`): this is no proof.
    SwitchedOff,
}
