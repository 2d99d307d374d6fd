//! The one trait through which the phases see the world, and the world that is the disk.

use crate::cc::Cc;
use crate::home::Home;
use crate::preprocess::{self, Preprocess};
use crate::settings::{ErrorFormat, Settings, When};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Mutex;
use tenure_span::{render_human, render_json, Diagnostic, SarifLog, SourceMap};

/// What compiling needs of the world outside.
pub trait World {
    /// The text of a file.
    fn read(&self, path: &str) -> io::Result<String>;

    /// The text after the preprocessor, with its line markers.
    fn preprocess(
        &self,
        request: &Preprocess<'_>,
        map: &mut SourceMap,
    ) -> Result<String, Vec<Diagnostic>>;

    /// Whether the program is for aarch64, as far as that decides anything before cc does.
    fn is_arm64(&self) -> bool {
        cfg!(target_arch = "aarch64")
    }

    /// Shows diagnostics to whoever asked.
    fn report(&self, diagnostics: &[Diagnostic], map: &SourceMap, settings: &Settings);
}

/// Files on disk, cc as a process, diagnostics on standard error.
pub struct Disk {
    pub cc: Cc,
    pub home: Home,
}

/// One text, whatever the file is called; directives are left out and nothing is included. For tests of the phases.
pub struct Text(pub String);

impl World for Text {
    fn read(&self, _: &str) -> io::Result<String> {
        Ok(self.0.clone())
    }

    fn preprocess(
        &self,
        request: &Preprocess<'_>,
        _: &mut SourceMap,
    ) -> Result<String, Vec<Diagnostic>> {
        let is_directive = |line: &str| line.trim_start().starts_with('#');
        // Lines keep their numbers.
        let kept = |line| if is_directive(line) { "\n" } else { line };
        Ok(request.text.split_inclusive('\n').map(kept).collect())
    }

    fn report(&self, _: &[Diagnostic], _: &SourceMap, _: &Settings) {}
}

impl World for Disk {
    fn read(&self, path: &str) -> io::Result<String> {
        // What a terminal's or a pipe's name is to the system.
        read_text(Path::new(if path == "-" { "/dev/stdin" } else { path }))
    }

    fn preprocess(
        &self,
        request: &Preprocess<'_>,
        map: &mut SourceMap,
    ) -> Result<String, Vec<Diagnostic>> {
        preprocess::run(&self.cc, &self.home, request, map)
    }

    fn is_arm64(&self) -> bool {
        self.cc.is_arm64()
    }

    fn report(&self, diagnostics: &[Diagnostic], map: &SourceMap, settings: &Settings) {
        if settings.error_format == ErrorFormat::Sarif {
            if let Ok(mut log) = SARIF.lock() {
                log.get_or_insert_default().add(diagnostics, map);
            }
            return;
        }
        crate::run::say(&render(diagnostics, map, settings));
    }
}

/// What is known of all files so far: one command writes one log.
static SARIF: Mutex<Option<SarifLog>> = Mutex::new(None);

/// Writes the log, once.
pub(crate) fn finish_sarif() {
    let log = SARIF.lock().ok().and_then(|mut log| log.take());
    if let Some(log) = log {
        crate::run::say(&with_newline(log.render()));
    }
}

/// A file's text; bytes that are not UTF-8 are replaced.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = std::fs::read(path)?;
    // A mark of the encoding stands before the text, and would hide a directive from the preprocessor.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

fn render(diagnostics: &[Diagnostic], map: &SourceMap, settings: &Settings) -> String {
    let colour = match settings.color {
        When::Always => true,
        When::Never => false,
        When::Auto => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    match settings.error_format {
        ErrorFormat::Human | ErrorFormat::Sarif => {
            diagnostics.iter().map(|d| with_newline(render_human(d, map, colour))).collect()
        }
        ErrorFormat::Json => {
            diagnostics.iter().map(|d| with_newline(render_json(d, map))).collect()
        }
    }
}

fn with_newline(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
