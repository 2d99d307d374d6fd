//! The lexer, the parser and the tree: text in, tree and diagnostics out.
//!
//! Nothing here reads files, fails, or recurses deeper than a bound on the nesting of the input.

pub mod tree;
