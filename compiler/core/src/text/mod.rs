//! The text form of core: for people (`--emit=core`), for tests, and to be parsed back.
//!
//! Grammar by example:
//!
//! ```text
//! struct Point { x: int, y: int }
//! global origin: struct Point internal = record { 0: 1 };
//! string #0 = "hello";
//! fn puts(s: *char) -> int import extern_c;
//! fn f(p: ?int, n: int) -> int external {
//!   var i: int;
//!   temp %t1: *int addr zero;
//!   i = 0;
//!   while L1 i < n {
//!     check fat_index(p, i) @ "p[i]" proved(less_than);
//!     p[i] = p[i] + 1;
//!   } step {
//!     i = i + 1;
//!   }
//!   return i;
//! }
//! ```
//!
//! `consume p`, `consume p free(p->a)`, `consume p borrow`, `consume p swap` and `consume p bind x` say how ownership
//! leaves a place, `restore p`, `restore p unborrow` and `restore p unbind x` how it comes to one, `restore u empty`
//! that there is nothing to own, `restore u clear` that something else was stored there.
//!
//! A constant is an `int` unless `:type` follows; any expression whose type is not the one that its operands give
//! carries it the same way. `p[i]` is an element of an array place, a thin or a fat pointer according to the type of
//! `p`. The quoted text after a check's `@` and before a string's `#` is for the reader only. Spans are not printed;
//! parsing gives each statement its place in the parsed text.

mod lex;
mod names;
mod parse;
mod parse_body;
mod parse_expr;
mod print;
mod print_body;
mod print_expr;

pub use parse::{parse, ParseError};
pub use print::{print, print_function, print_with};

/// Words that begin a statement, an item or an expression; a name spelled like one is printed in backquotes.
pub(crate) const KEYWORDS: &[&str] = &[
    "var",
    "temp",
    "init",
    "zero",
    "eval",
    "call",
    "alloc",
    "check",
    "if",
    "else",
    "while",
    "do",
    "forever",
    "switch",
    "case",
    "default",
    "block",
    "scope",
    "break",
    "continue",
    "label",
    "goto",
    "return",
    "step",
    "region_enter",
    "region_exit",
    "try",
    "catch",
    "try_exit",
    "throw",
    "rethrow",
    "no_match",
    "consume",
    "restore",
    "pin",
    "unpin",
    "open",
    "close",
    "unreachable",
    "head",
    "fn",
    "str",
    "tag",
    "NULL",
    "agg",
    "proved",
    "nothrow",
    "as",
    "params",
];
