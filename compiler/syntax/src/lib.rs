//! The lexer, the parser and the tree: text in, tree and diagnostics out.
//!
//! Nothing here reads files, fails, or recurses deeper than a bound on the nesting of the input.

mod lexer;
mod literal;
mod names;
mod parser;
mod print;
mod token;
pub mod tree;
mod words;

pub use lexer::Lexer;
pub use parser::{parse, MAX_DEPTH, MAX_HEIGHT};
pub use print::print;
pub use token::{Token, TokenKind};
