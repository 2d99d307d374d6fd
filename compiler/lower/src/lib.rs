//! From the typed tree to core.
//!
//! What this phase makes explicit: every run-time check before the access it guards, every way out of an arena scope or
//! a `try`, evaluation from left to right (by temporaries, only where the order shows), the representation of every
//! type (words for type variables, records for tuples and datatype variants), pattern matching as tests, and private
//! copies of polymorphic functions whose instances do not fit a word.
//!
//! It reports almost nothing: what could be wrong was found before. The exception is an instance that would need a
//! second copy of a function whose body is elsewhere (E0350), a function pointer that would need a wrapper (E0351), a
//! static initialiser whose check fails (E0352), a unique pointer that goes while the expression around still uses
//! it (E0355), and an immediate constructor where there is no word to hold it (E0616).

mod builder;
mod call;
mod caught;
mod checked;
mod clobber;
mod coerce;
mod cond;
mod counts;
mod data;
mod expr;
mod function;
mod immediate;
mod init;
mod instance;
mod loan;
mod looks;
mod matching;
mod multiple;
mod nominal;
mod ops;
mod owned;
mod place;
mod prescan;
mod printing;
mod repr;
mod signature;
mod sizeless;
mod stmt;
mod store;
mod switch;
mod symbol;
mod thunk;
mod touch;
mod unit;
mod zeroable;

pub use unit::lower;
