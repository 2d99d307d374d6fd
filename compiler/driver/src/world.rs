//! The one trait through which the phases see the world, and the world that is the disk.

use crate::cc::Cc;
use crate::home::Home;
use crate::preprocess::{self, Preprocess};
use crate::settings::{ErrorFormat, Settings, When};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use tenure_span::{render_human, render_json, render_sarif, Diagnostic, SourceMap};

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
        read_text(Path::new(path))
    }

    fn preprocess(
        &self,
        request: &Preprocess<'_>,
        map: &mut SourceMap,
    ) -> Result<String, Vec<Diagnostic>> {
        preprocess::run(&self.cc, &self.home, request, map)
    }

    fn report(&self, diagnostics: &[Diagnostic], map: &SourceMap, settings: &Settings) {
        let text = render(diagnostics, map, settings);
        // Standard error that is closed is no reason to fail.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// A file's text; bytes that are not UTF-8 are replaced.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let bytes = std::fs::read(path)?;
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
        ErrorFormat::Human => {
            diagnostics.iter().map(|d| with_newline(render_human(d, map, colour))).collect()
        }
        ErrorFormat::Json => {
            diagnostics.iter().map(|d| with_newline(render_json(d, map))).collect()
        }
        ErrorFormat::Sarif => with_newline(render_sarif(diagnostics, map)),
    }
}

fn with_newline(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
