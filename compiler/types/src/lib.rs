//! Names, kinds, types, regions, effects and patterns: from the tree to the typed tree.

pub mod hir;
pub mod names;
pub mod ty;
