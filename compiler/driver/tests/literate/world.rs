//! A world whose source file is a block of a test, and which keeps what is reported.

use crate::expect::{Found, FURTHER_PLACE};
use crate::markdown::Case;
use std::cell::RefCell;
use std::io;
use std::path::Path;
use tenure_driver::{Disk, Preprocess, Settings, World};
use tenure_span::{render_human, Diagnostic, SourceMap};

/// What the block is called in messages.
pub const FILE: &str = "test.cyc";

pub struct TestWorld<'a> {
    disk: &'a Disk,
    case: &'a Case,
    /// Holds the files beside the block.
    dir: Option<&'a Path>,
    pub found: RefCell<Vec<Found>>,
    /// As the user would see them.
    pub rendered: RefCell<String>,
}

impl<'a> TestWorld<'a> {
    pub fn new(disk: &'a Disk, case: &'a Case, dir: Option<&'a Path>) -> TestWorld<'a> {
        TestWorld { disk, case, dir, found: RefCell::default(), rendered: RefCell::default() }
    }
}

impl World for TestWorld<'_> {
    fn read(&self, path: &str) -> io::Result<String> {
        if path == FILE {
            return Ok(self.case.text.clone());
        }
        let beside = self.case.files.iter().find(|(name, _)| name == path);
        match beside {
            Some((_, text)) => Ok(text.clone()),
            None => self.disk.read(path),
        }
    }

    fn preprocess(
        &self,
        request: &Preprocess<'_>,
        map: &mut SourceMap,
    ) -> Result<String, Vec<Diagnostic>> {
        let mut args = request.args.to_vec();
        args.extend(self.dir.map(|dir| format!("-I{}", dir.display())));
        let request = Preprocess { path: request.path, text: request.text, args: &args };
        self.disk.preprocess(&request, map)
    }

    fn is_arm64(&self) -> bool {
        self.disk.is_arm64()
    }

    fn report(&self, diagnostics: &[Diagnostic], map: &SourceMap, _settings: &Settings) {
        for diagnostic in diagnostics {
            let line = |span| {
                let place = map.line(span);
                place.map_or(0, |(file, line)| if &*file == FILE { line } else { 0 })
            };
            let mut found = self.found.borrow_mut();
            found.push(Found {
                line: line(diagnostic.primary.span),
                code: diagnostic.code.to_string(),
                message: message(diagnostic),
                is_error: diagnostic.is_error(),
            });
            found.extend(diagnostic.secondary.iter().map(|label| Found {
                line: line(label.span),
                code: FURTHER_PLACE.to_string(),
                message: label.text.clone(),
                is_error: false,
            }));
            self.rendered.borrow_mut().push_str(&render_human(diagnostic, map, false));
        }
    }
}

fn message(diagnostic: &Diagnostic) -> String {
    let mut lines = vec![diagnostic.headline.clone(), diagnostic.primary.text.clone()];
    lines.extend(diagnostic.secondary.iter().map(|label| label.text.clone()));
    lines.extend(diagnostic.notes.iter().cloned());
    lines.extend(diagnostic.helps.iter().map(|help| help.text.clone()));
    lines.join("\n")
}
