//! Core to C11.
//!
//! Emit prints core and decides nothing: no check is added or removed here, no layout is chosen that core
//! does not state. What it does decide is how C is told:
//!
//! - **Names.** A symbol with C linkage keeps its own name. A name that C, GNU C or the runtime gives another meaning
//!   to gets a second identifier and keeps its symbol by an `__asm__` label. What the emitter makes up contains `$` or
//!   begins with `tn_`, which no identifier of the language does.
//! - **Lines.** Each statement stands on a line of its own that a `#line` maps to the user's file, so that a debugger
//!   shows that file.
//! - **Headers.** `tenure/rt.h` alone is included. Every C function that is used is declared with the type that core
//!   gives it.
//! - **Warnings.** The text compiles without a warning at `-Wall -Wextra` with gcc and clang, without pragmas.

mod builtins;
mod checks;
mod constants;
mod control;
mod describe;
mod exprs;
mod functions;
mod initializers;
mod inlining;
mod loops;
mod names;
mod nesting;
mod operators;
mod places;
mod reach;
mod recursion;
mod signatures;
mod spots;
mod stmts;
mod types;
mod unit;
mod walk;
mod words;
mod writer;

use tenure_core::Program;
use tenure_span::SourceMap;

/// What the emitted text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmitOptions {
    /// `#line` directives; off for a text that people read.
    pub lines: bool,
    /// A comment where a proved check stood.
    pub show_proved: bool,
    /// Tell functions that ask for it where they are called. The library does not: its callers are the program's.
    pub callers: bool,
}

impl Default for EmitOptions {
    fn default() -> EmitOptions {
        EmitOptions { lines: true, show_proved: false, callers: true }
    }
}

/// The C11 text of a translation unit. The program has passed the verifier; of one that has not, the
/// text may be one that cc rejects.
pub fn emit(program: &Program, map: &SourceMap, options: &EmitOptions) -> String {
    let mut program = program.clone();
    nesting::nest_values(&mut program);
    unit::Unit::new(&program, map, *options).emit()
}
