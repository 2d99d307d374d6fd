//! The `tenure` command: reads files, runs the phases, finds and runs cc.
//!
//! Everything that touches the world outside is here, behind [`World`] as far as the phases can see.

mod args;
mod cc;
mod clash;
mod dialect;
mod dump;
mod gcc_args;
mod home;
mod implicit;
mod library;
mod link;
mod origin;
mod pipeline;
mod plot;
mod preprocess;
mod run;
mod settings;
mod signatures;
mod temp;
mod tolerate;
mod typed;
mod world;
mod wrapper;

/// Stack of a thread that runs the phases: nesting of the input is bounded, but the bound is generous.
pub const STACK_BYTES: usize = 256 << 20;

pub use args::main;
pub use cc::{Cc, CcError};
pub use home::Home;
pub use library::{archives, Variant};
pub use pipeline::{front, to_c, Stop};
pub use preprocess::Preprocess;
pub use settings::{Emit, ErrorFormat, Settings, When};
pub use temp::TempDir;
pub use world::{Disk, Text, World};
