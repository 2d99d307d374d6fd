//! The command line of our own commands.

use crate::cc::Cc;
use crate::home::Home;
use crate::library::Variant;
use crate::run;
use crate::settings::{Emit, ErrorFormat, Settings, When};
use crate::world::Disk;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// A safe C: compiles programs in which no access leaves its object.
#[derive(Parser)]
#[command(name = "tenure", version = env!("TENURE_VERSION"), disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Cmd,
}

#[derive(Subcommand)]
enum Cmd {
    /// Compile files and run the program
    Run {
        #[command(flatten)]
        options: Options,
        /// Record live and reserved bytes of each kind of region over time; `tenure plot` draws them
        #[arg(long, value_name = "CSV")]
        memory_trace: Option<PathBuf>,
        /// Source files (.cyc, .c), objects, archives
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
        /// Arguments of the program
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Compile files to a program
    Build {
        #[command(flatten)]
        options: Options,
        /// The program's file; the first source file's name without extension if left out
        #[arg(short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Source files (.cyc, .c), objects, archives
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
    },
    /// Report what is wrong in files, and compile nothing
    Check {
        #[command(flatten)]
        options: Options,
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
    },
    /// Run any program under a malloc that tolerates leaks, or show its leak report
    #[command(disable_help_flag = true)]
    Tolerate {
        /// As `tenure tolerate --help` says
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Draw a memory trace as SVG
    Plot {
        /// What `tenure run --memory-trace` recorded
        #[arg(value_name = "CSV")]
        trace: PathBuf,
        /// The picture's file; the trace's name with .svg if left out
        #[arg(short, value_name = "SVG")]
        output: Option<PathBuf>,
    },
    /// Print the page of a diagnostic's code
    Explain { code: String },
    /// Behave as gcc does: `tenure cc` takes gcc's flags
    #[command(disable_help_flag = true)]
    Cc {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Build the runtime and the library, and print where they are
    #[command(hide = true)]
    Library {
        #[arg(long)]
        sanitize: bool,
    },
}

#[derive(Args)]
struct Options {
    /// Print an inner representation instead of compiling
    #[arg(long, value_name = "WHAT")]
    emit: Option<Emit>,
    /// Name each interface of extern "C" code that is believed
    #[arg(long)]
    list_trusted: bool,
    /// List the run-time checks of each function, and why each is needed or not
    #[arg(long)]
    checks: bool,
    /// Leave the run-time checks out: the program is no longer safe, and signed overflow is undefined as in C
    #[arg(long)]
    no_checks: bool,
    /// How diagnostics are written
    #[arg(long, value_name = "HOW", default_value = "human")]
    error_format: ErrorFormat,
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: When,
    /// Rules of Cyclone 1.0 where they differ
    #[arg(long)]
    cyclone1: bool,
    /// Optimisation, as cc's -O
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2")]
    optimize: String,
    /// Debug information
    #[arg(short)]
    g: bool,
    /// Directory of headers
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=TEXT]")]
    define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,
    /// Warnings: error, error=NAME, no-NAME
    #[arg(short = 'W', value_name = "WARNING")]
    warning: Vec<String>,
    /// Link with a library
    #[arg(short = 'l', value_name = "LIB")]
    library: Vec<String>,
    /// Directory of libraries
    #[arg(short = 'L', value_name = "DIR")]
    library_dir: Vec<String>,
    /// Link the Boehm-Demers-Weiser collector: it frees heap objects, and what else the program leaks
    #[arg(long = "gc")]
    collector: bool,
    /// Keep the checks that were proved, and end the program where one fails: a fault of the compiler
    #[arg(long, hide = true)]
    verify_proofs: bool,
    /// Build with AddressSanitizer and UBSan
    #[arg(long, hide = true)]
    sanitize: bool,
}

impl Options {
    fn settings(self) -> Settings {
        let mut settings = Settings {
            emit: self.emit,
            list_trusted: self.list_trusted,
            list_checks: self.checks,
            no_checks: self.no_checks,
            verify_proofs: self.verify_proofs,
            error_format: self.error_format,
            color: self.color,
            cyclone1: self.cyclone1,
            debug: self.g,
            sanitize: self.sanitize,
            collector: self.collector,
            ..Settings::default()
        };
        for (flag, values) in [("-I", self.include), ("-D", self.define), ("-U", self.undefine)] {
            settings.cpp_args.extend(values.iter().map(|value| format!("{flag}{value}")));
        }
        for warning in &self.warning {
            // A warning of cc's own concerns emitted C, which is ours.
            let _ = settings.warnings.option(warning);
        }
        if !self.sanitize {
            settings.cc_args.push(format!("-O{}", self.optimize));
        }
        if self.g {
            settings.cc_args.push("-g".to_string());
        }
        for (flag, values) in [("-L", self.library_dir), ("-l", self.library)] {
            settings.link_args.extend(values.iter().map(|value| format!("{flag}{value}")));
        }
        settings
    }
}

/// Runs the command that the process was given; the exit status.
pub fn main() -> i32 {
    run::with_output(command())
}

fn command() -> i32 {
    let args: Vec<String> =
        std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    // gcc's flags are no business of the parser of our own.
    if args.get(1).is_some_and(|command| command == "cc") {
        return with_world(|world| crate::wrapper::main(world, &args[2..]));
    }
    // The options of this one are the allocator's.
    if args.get(1).is_some_and(|command| command == "tolerate") {
        return crate::tolerate::main(&args[2..]);
    }
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { run::WRONG_COMMAND } else { 0 };
        }
    };
    match cli.command {
        Cmd::Explain { code } => run::explain(&code),
        Cmd::Run { ref files, .. }
        | Cmd::Build { ref files, .. }
        | Cmd::Check { ref files, .. }
            if run::unreadable(files) =>
        {
            run::WRONG_COMMAND
        }
        Cmd::Run { options, memory_trace, files, args } => {
            let settings = options.settings();
            with_world(|world| run::run(world, &files, &settings, &args, memory_trace.as_deref()))
        }
        Cmd::Plot { trace, output } => run::plot(&trace, output.as_deref()),
        Cmd::Build { options, output, files } => {
            let settings = options.settings();
            with_world(|world| run::build(world, &files, &settings, output.as_deref()))
        }
        Cmd::Check { options, files } => {
            let settings = options.settings();
            with_world(|world| run::check(world, &files, &settings))
        }
        Cmd::Library { sanitize } => with_world(|world| library(world, sanitize)),
        Cmd::Tolerate { args } => crate::tolerate::main(&args),
        Cmd::Cc { args } => with_world(|world| crate::wrapper::main(world, &args)),
    }
}

fn with_world(command: impl FnOnce(&Disk) -> i32) -> i32 {
    let home = match Home::find() {
        Ok(home) => home,
        Err(text) => {
            run::complain(&text);
            return run::WRONG_COMMAND;
        }
    };
    match Cc::find() {
        Ok(cc) => command(&Disk { cc, home }),
        Err(error) => {
            run::complain(&error.0);
            run::WRONG_COMMAND
        }
    }
}

fn library(world: &Disk, sanitize: bool) -> i32 {
    let settings = Settings { sanitize, ..Settings::default() };
    // The collector is for those who have it.
    if let Ok(path) = crate::library::collector(&world.home, &world.cc, Variant::of(&settings)) {
        run::print(&format!("{}\n", path.display()));
    }
    run::status(crate::link::library_args(world, &settings).map(|args| {
        for arg in args.iter().filter(|arg| arg.ends_with(".a")) {
            run::print(&format!("{arg}\n"));
        }
    }))
}
