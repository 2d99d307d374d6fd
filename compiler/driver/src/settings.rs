//! What the command line asks for, whichever command it is.

use std::path::PathBuf;

/// A representation that `--emit` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Emit {
    Tree,
    Types,
    /// Sizes, offsets and constants as static assertions, for a C compiler to answer
    Layouts,
    Core,
    C,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum ErrorFormat {
    #[default]
    Human,
    Json,
    Sarif,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// Everything that the phases and cc are told.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub emit: Option<Emit>,
    /// The one source file is all of the program, but for libraries.
    pub whole_program: bool,
    /// The file is a part of the library.
    pub library: bool,
    pub list_trusted: bool,
    /// List, per function, the checks that remain and those that were proved.
    pub list_checks: bool,
    /// Stop before C is made.
    pub check_only: bool,
    /// Nothing comes after this file: what its phases hold goes with the process.
    pub is_last: bool,
    /// Leave all run-time checks out.
    pub no_checks: bool,
    /// Keep the checks that were proved, and end the program where one fails.
    pub verify_proofs: bool,
    pub error_format: ErrorFormat,
    pub color: When,
    /// Cyclone 1.0's rules where they differ.
    pub cyclone1: bool,
    pub warnings: Warnings,
    /// For the preprocessor, in order: `-I`, `-D`, `-U`, `-include` and the like.
    pub cpp_args: Vec<String>,
    /// For cc when it compiles: `-O2`, `-g`, `-fPIC`, `-m…`, `-pthread`.
    pub cc_args: Vec<String>,
    /// For cc when it links.
    pub link_args: Vec<String>,
    pub debug: bool,
    /// Run-time library to link and how to compile it.
    pub sanitize: bool,
    /// Link the collector.
    pub collector: bool,
}

/// `-W…` for diagnostics of ours.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    /// `-w`: none at all.
    pub none: bool,
    /// Codes that are switched off.
    pub silent: Vec<String>,
    /// `-Werror`.
    pub all_are_errors: bool,
    /// `-Werror=…`.
    pub errors: Vec<String>,
    /// `-Wno-error=…`.
    pub not_errors: Vec<String>,
}

/// Names that stand for codes in `-W…`, beside the codes themselves.
const NAMES: &[(&str, &str)] = &[("leak", "W0701")];

impl Warnings {
    /// Takes what follows `-W`; true if it concerns diagnostics of ours.
    pub fn option(&mut self, text: &str) -> bool {
        let known = |name: &str| {
            let code = NAMES.iter().find(|(n, _)| *n == name).map_or(name, |(_, code)| code);
            tenure_span::explain(code).map(|_| code.to_string())
        };
        if text == "error" {
            self.all_are_errors = true;
        } else if text == "no-error" {
            self.all_are_errors = false;
        } else if let Some(code) = text.strip_prefix("error=").and_then(known) {
            self.errors.push(code);
        } else if let Some(code) = text.strip_prefix("no-error=").and_then(known) {
            self.not_errors.push(code);
        } else if let Some(code) = text.strip_prefix("no-").and_then(known) {
            self.silent.push(code);
        } else if let Some(code) = known(text) {
            self.silent.retain(|other| *other != code);
        } else {
            return false;
        }
        true
    }

    /// The code is reported as an error although it is a warning.
    pub fn is_error(&self, code: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|other| other == code);
        named(&self.errors) || (self.all_are_errors && !named(&self.not_errors))
    }

    pub fn is_silent(&self, code: &str) -> bool {
        self.none || self.silent.iter().any(|other| other == code)
    }
}

/// What becomes of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Tenure source: preprocessed first.
    Source,
    /// core in its text form.
    Core,
    /// Anything else is cc's: objects, archives, plain C.
    Other,
}

/// What the name of a file says about its contents.
pub fn kind_of(path: &str) -> Kind {
    // Standard input is a program's text.
    if path == "-" {
        return Kind::Source;
    }
    match PathBuf::from(path).extension().and_then(|ext| ext.to_str()) {
        Some("cyc" | "c") => Kind::Source,
        Some("core") => Kind::Core,
        _ => Kind::Other,
    }
}
