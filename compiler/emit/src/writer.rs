//! Lines of text with indentation and `#line` directives.

use std::rc::Rc;

/// File and line as the user knows them.
pub(crate) type Location = (Rc<str>, u32);

/// Text under construction. Each call of [`Writer::line`] gives one line.
pub(crate) struct Writer {
    text: String,
    indent: usize,
    /// Whether `#line` directives are wanted at all.
    directives: bool,
    /// What cc believes the next line to be; `None` when it is a line of the emitted file.
    next: Option<Location>,
    /// Where the statement being printed comes from.
    wanted: Option<Location>,
}

impl Writer {
    pub(crate) fn new(directives: bool) -> Writer {
        Writer { text: String::new(), indent: 0, directives, next: None, wanted: None }
    }

    /// The next line belongs to this place; without one, to the same place as the line before.
    pub(crate) fn at(&mut self, location: Option<Location>) {
        if location.is_some() {
            self.wanted = location;
        }
    }

    pub(crate) fn indent(&mut self) {
        self.indent += 1;
    }

    pub(crate) fn dedent(&mut self) {
        self.indent = self.indent.saturating_sub(1);
    }

    /// A line of code, which the debugger attributes to the wanted place.
    pub(crate) fn line(&mut self, code: &str) {
        if self.directives && self.wanted != self.next {
            if let Some((file, line)) = self.wanted.clone() {
                self.directive(&file, line);
            }
        }
        self.plain(code);
    }

    /// A line without code of its own (a brace, a label).
    pub(crate) fn plain(&mut self, code: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(code);
        self.text.push('\n');
        if let Some((_, line)) = &mut self.next {
            *line += 1;
        }
    }

    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
        if let Some((_, line)) = &mut self.next {
            *line += 1;
        }
    }

    fn directive(&mut self, file: &Rc<str>, line: u32) {
        let same_file = matches!(&self.next, Some((current, _)) if current == file);
        if same_file {
            self.text.push_str(&format!("#line {line}\n"));
        } else {
            let quoted = crate::constants::quote(file);
            self.text.push_str(&format!("#line {line} {quoted}\n"));
        }
        self.next = Some((file.clone(), line));
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
