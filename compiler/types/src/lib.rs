//! Names, kinds, types, regions, effects and patterns: from the tree to the typed tree.

mod checker;
mod coerce;
mod constant;
mod convert;
mod decl;
mod exhaust;
mod expr;
pub mod format;
pub mod hir;
mod infer;
mod init;
mod layout;
pub mod names;
mod own;
mod pattern;
mod scope;
mod show;
mod stmt;
pub mod ty;

pub use checker::{check, layouts, Options};
pub use exhaust::Ranges;
