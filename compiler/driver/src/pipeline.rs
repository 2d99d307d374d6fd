//! The phases in order.

use crate::preprocess::{self, Preprocess};
use crate::settings::{kind_of, Emit, Kind, Settings};
use crate::world::World;
use crate::{dump, home::Home};
use tenure_core::Program;
use tenure_emit::EmitOptions;
use tenure_span::{Diagnostic, FileId, Severity, Sink, SourceMap, Span};

/// The phases ended early: what was asked for is printed, or an error was reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// An earlier representation was what was asked for.
    Done,
    /// The program is wrong.
    Errors,
}

/// All phases up to C. The text is what cc gets.
pub fn to_c(
    world: &dyn World,
    home: &Home,
    path: &str,
    settings: &Settings,
    out: &mut String,
) -> Result<String, Stop> {
    let mut map = SourceMap::new();
    map.set_reader(|name| crate::world::read_text(name.as_ref()).ok());
    let sink = Sink::new();
    let result = front(world, home, path, settings, &mut map, &sink, out);
    let failed = report(world, &map, &sink, settings);
    let program = result?;
    if failed {
        return Err(Stop::Errors);
    }
    if settings.check_only {
        if settings.is_last {
            // To take core apart node by node takes longer than to leave it to the system.
            std::mem::forget(program);
        }
        return Err(Stop::Done);
    }
    let readable = settings.emit == Some(Emit::C) && !settings.debug;
    let options = EmitOptions {
        lines: !readable,
        show_proved: readable && settings.list_checks,
        callers: !settings.library,
    };
    let text = tenure_emit::emit(&program, &map, &options);
    if settings.emit == Some(Emit::C) {
        out.push_str(&text);
        return Err(Stop::Done);
    }
    Ok(text)
}

/// All phases up to core. Diagnostics are in the sink, what `--emit` and the lists show in `out`.
pub fn front(
    world: &dyn World,
    home: &Home,
    path: &str,
    settings: &Settings,
    map: &mut SourceMap,
    sink: &Sink,
    out: &mut String,
) -> Result<Program, Stop> {
    let text = read(world, path, sink)?;
    if kind_of(path) == Kind::Core {
        return core_text(path, text, map, sink);
    }
    let text = preprocessed(world, path, text, settings, map, sink)?;
    let file = map.add(path, text);
    let (tree, problems) = tenure_syntax::parse(file, map.text(file));
    sink.emit_all(problems);
    if settings.emit == Some(Emit::Tree) {
        out.push_str(&tenure_syntax::print(&tree));
        return Err(Stop::Done);
    }
    let (c_headers, library_headers) = headers(home, map.text(file), file);
    let options = tenure_types::Options {
        cyclone1: crate::dialect::cyclone1(home, map.text(file), file, settings.cyclone1),
        c_headers,
        library_headers,
        silent: settings.warnings.silent.clone(),
        source: map.shared_text(file),
        library: settings.library,
        unnamed_bits_align: world.is_arm64(),
        ..tenure_types::Options::default()
    };
    checked(home, tree, &options, settings, map, sink, out)
}

/// From the tree to core.
fn checked(
    home: &Home,
    tree: tenure_syntax::tree::Tree,
    options: &tenure_types::Options,
    settings: &Settings,
    map: &SourceMap,
    sink: &Sink,
    out: &mut String,
) -> Result<Program, Stop> {
    if settings.emit == Some(Emit::Layouts) {
        out.push_str(&tenure_types::layouts(&tree, options, sink).ok_or(Stop::Errors)?);
        return Err(Stop::Done);
    }
    let unit = tenure_types::check(&tree, options, sink);
    // Each phase's memory serves the next one.
    drop(tree);
    let mut unit = unit.ok_or(Stop::Errors)?;
    if settings.emit == Some(Emit::Types) {
        out.push_str(&crate::typed::print(&unit, map));
        return Err(Stop::Done);
    }
    if settings.list_trusted {
        out.push_str(&dump::trusted(&unit, map));
    }
    let mut program = tenure_lower::lower(&unit, sink);
    if sink.has_errors().is_some() {
        return Err(Stop::Errors);
    }
    let implicit_checks = std::mem::take(&mut unit.implicit_checks);
    drop(unit);
    verify("lower", &program, sink)?;
    analyse(&mut program, settings, map, sink, out)?;
    crate::implicit::warn(home, &implicit_checks, &program, map, sink);
    if settings.emit == Some(Emit::Core) {
        out.push_str(&tenure_core::print(&program));
        return Err(Stop::Done);
    }
    Ok(program)
}

/// Reports what the flow of control shows to be wrong, and marks the checks that cannot fail.
fn analyse(
    program: &mut Program,
    settings: &Settings,
    map: &SourceMap,
    sink: &Sink,
    out: &mut String,
) -> Result<(), Stop> {
    let options = tenure_analysis::Options {
        checks: !settings.no_checks,
        verify: settings.verify_proofs,
        // Without a main, somebody else calls what is here.
        whole_program: settings.whole_program && program.main.is_some(),
        ..Default::default()
    };
    tenure_analysis::run(program, &options, sink);
    verify("analysis", program, sink)?;
    if settings.list_checks {
        out.push_str(&tenure_analysis::report_checks(program, map));
    }
    Ok(())
}

fn read(world: &dyn World, path: &str, sink: &Sink) -> Result<String, Stop> {
    world.read(path).map_err(|error| {
        let headline = format!("cannot read `{path}`: {}", io_text(&error));
        sink.error(Diagnostic::error("E0904", headline, Span::NONE));
        Stop::Errors
    })
}

/// What the system says, without Rust's number of it.
pub(crate) fn io_text(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_lowercase().to_string() + chars.as_str())
}

fn preprocessed(
    world: &dyn World,
    path: &str,
    text: String,
    settings: &Settings,
    map: &mut SourceMap,
    sink: &Sink,
) -> Result<String, Stop> {
    if !preprocess::is_needed(&text, &settings.cpp_args) {
        return Ok(text);
    }
    let request = Preprocess { path, text: &text, args: &settings.cpp_args };
    world.preprocess(&request, map).map_err(|problems| {
        sink.emit_all(problems);
        Stop::Errors
    })
}

/// A file of core in its text form, for tests of the phases that follow it.
fn core_text(path: &str, text: String, map: &mut SourceMap, sink: &Sink) -> Result<Program, Stop> {
    let file = map.add(path, text);
    tenure_core::parse(map.text(file)).map_err(|error| {
        sink.error(Diagnostic::error("E0905", error.to_string(), Span::new(file, 0, 0)));
        Stop::Errors
    })
}

/// Passes must leave core well formed; a violation is a mistake of the compiler.
fn verify(pass: &str, program: &Program, sink: &Sink) -> Result<(), Stop> {
    if !cfg!(debug_assertions) && std::env::var_os("TENURE_VERIFY").is_none() {
        return Ok(());
    }
    let violations = tenure_core::verify(program);
    let Some(first) = violations.first() else {
        return Ok(());
    };
    let headline = format!("internal error: core after {pass}: {}: {}", first.name, first.message);
    sink.error(Diagnostic::error("E0901", headline, first.span));
    Err(Stop::Errors)
}

/// The parts of a preprocessed text that come from headers of C that have no interface of ours, and those that come
/// from ours.
fn headers(home: &Home, text: &str, file: FileId) -> (Vec<Span>, Vec<Span>) {
    let own = format!("{}/", home.library_include().display());
    let mut foreign = Parts { file, spans: Vec::new(), inside: None };
    let mut library = Parts { file, spans: Vec::new(), inside: None };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let marker =
            line.strip_prefix("# ").filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if let Some(rest) = marker {
            let flags = rest.rsplit_once('"').map_or("", |(_, flags)| flags);
            let name = rest.split('"').nth(1).unwrap_or("");
            let system = flags.split_whitespace().any(|flag| flag == "3");
            let is_ours = name.starts_with(&own);
            foreign.goes_on(at, system && !is_ours);
            library.goes_on(at, system && is_ours);
        }
        at += line.len() as u32;
    }
    foreign.goes_on(at, false);
    library.goes_on(at, false);
    (foreign.spans, library.spans)
}

/// The parts of a text that are of one kind.
struct Parts {
    file: FileId,
    spans: Vec<Span>,
    inside: Option<u32>,
}

impl Parts {
    /// From `at` on the text is of the kind, or not.
    fn goes_on(&mut self, at: u32, of_kind: bool) {
        match (self.inside, of_kind) {
            (None, true) => self.inside = Some(at),
            (Some(from), false) => {
                self.spans.push(Span::new(self.file, from, at));
                self.inside = None;
            }
            _ => {}
        }
    }
}

/// Shows what the sink collected; true if anything of it is an error.
pub(crate) fn report(world: &dyn World, map: &SourceMap, sink: &Sink, settings: &Settings) -> bool {
    let mut failed = sink.has_errors().is_some();
    let mut shown = Vec::new();
    for mut diagnostic in sink.take() {
        if diagnostic.severity == Severity::Warning {
            if settings.warnings.is_silent(diagnostic.code) {
                continue;
            }
            if settings.warnings.is_error(diagnostic.code) {
                diagnostic.severity = Severity::Error;
                failed = true;
            }
        }
        shown.push(diagnostic);
    }
    let dropped = sink.dropped_count();
    if dropped > 0 {
        let headline = format!("{dropped} more errors are not shown");
        shown.push(Diagnostic::new(Severity::Note, "E0906", headline, Span::NONE));
    }
    if !shown.is_empty() || settings.error_format == crate::settings::ErrorFormat::Sarif {
        world.report(&shown, map, settings);
    }
    failed
}
