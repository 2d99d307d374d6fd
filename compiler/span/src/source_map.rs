//! From a span of preprocessed text back to the file that the user wrote.

use crate::{FileId, Span};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The buffers that were lexed, and the original files that their line markers name.
#[derive(Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    /// Original texts by the name in the line marker; `None` for one that cannot be read.
    originals: RefCell<HashMap<String, Option<Original>>>,
    /// Supplies an original when a diagnostic shows a line of it.
    reader: Option<Box<Reader>>,
}

/// A file as the user wrote it.
#[derive(Clone)]
struct Original {
    text: Rc<str>,
    /// Where each line begins.
    line_starts: Rc<[u32]>,
}

/// From the name of a file to its text.
type Reader = dyn Fn(&str) -> Option<String>;

struct SourceFile {
    name: String,
    text: Rc<str>,
    /// Where each line of `text` begins.
    line_starts: Vec<u32>,
    /// In order of their place; lines before the first one belong to the buffer itself.
    markers: Vec<Marker>,
}

/// `# 12 "file.h" 1 3`
struct Marker {
    /// Index into `line_starts` of the line after the marker.
    buffer_line: u32,
    /// What that line is called.
    line: u32,
    file: Rc<str>,
    system: bool,
}

/// Where a span is, in the user's terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// In characters, within the line; at least 1.
    pub length: u32,
    /// The whole line as the user wrote it, or as preprocessed if that file cannot be read.
    pub line_text: String,
    /// The line comes from a system header.
    pub system: bool,
}

/// A place with what it takes to show it.
pub(crate) struct Source {
    pub place: Place,
    /// In `place.line_text`, in bytes.
    pub bytes: Range<usize>,
    /// The whole file that `place` names, if it can be read.
    pub text: Option<Rc<str>>,
    /// The line as preprocessed is not the line as written, and the span's text is not in it.
    pub expanded: bool,
}

impl SourceMap {
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a buffer, preprocessed or not. At most 4 GiB are addressed.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text: String = text.into();
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile::new(name.into(), text.into()));
        id
    }

    /// Gives the text of an original file that line markers name.
    pub fn add_original(&mut self, name: impl Into<String>, text: &str) {
        self.originals.borrow_mut().insert(name.into(), Some(Original::new(text.into())));
    }

    /// Gives the way to read original files; called at most once for each name, and only when a
    /// line of it is shown.
    pub fn set_reader(&mut self, reader: impl Fn(&str) -> Option<String> + 'static) {
        self.reader = Some(Box::new(reader));
    }

    /// The text of a buffer; empty for a file that was not added.
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |file| &file.text)
    }

    /// The text of a buffer for one who keeps it.
    pub fn shared_text(&self, file: FileId) -> Rc<str> {
        self.files.get(file.0 as usize).map_or_else(|| "".into(), |file| file.text.clone())
    }

    pub fn name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("", |file| &file.name)
    }

    /// The text under a span, as preprocessed.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.lo as usize..span.hi as usize).unwrap_or("")
    }

    /// File name and line alone, which is what `#line` and run-time messages need.
    pub fn line(&self, span: Span) -> Option<(Rc<str>, u32)> {
        let file = self.files.get(span.file.0 as usize)?;
        let buffer_line = file.buffer_line(span.lo);
        Some(match file.marker(buffer_line) {
            Some(marker) => (marker.file.clone(), marker.line + (buffer_line - marker.buffer_line)),
            None => (file.name.as_str().into(), buffer_line + 1),
        })
    }

    /// The place comes from a header that the preprocessor calls a system header.
    pub fn is_system(&self, span: Span) -> bool {
        self.files.get(span.file.0 as usize).is_some_and(|file| {
            file.marker(file.buffer_line(span.lo)).is_some_and(|marker| marker.system)
        })
    }

    /// The place of a span; none for [`Span::NONE`].
    pub fn locate(&self, span: Span) -> Option<Place> {
        Some(self.source(span)?.place)
    }

    /// The place of a span with its surroundings.
    pub(crate) fn source(&self, span: Span) -> Option<Source> {
        let file = self.files.get(span.file.0 as usize)?;
        let (name, line) = self.line(span)?;
        let buffer_line = file.buffer_line(span.lo);
        let text = file.line_text(buffer_line);
        let start = (span.lo - file.line_starts[buffer_line as usize]).min(text.len() as u32);
        let end = (start + (span.hi - span.lo)).min(text.len() as u32);
        let (start, end) = (start as usize, end as usize);
        let marker = file.marker(buffer_line);
        let written = match marker {
            Some(_) => self.original(&name),
            None => None,
        };
        let original = written.as_ref().and_then(|written| written.line_text(line));
        let (line_text, (start, end)) = match original {
            Some(original) => (original, find_in_original(text, start, end, original)),
            None => (text, (start, end)),
        };
        // Text that is no UTF-8 was replaced character by character, so that offsets may fall inside one.
        let (start, end) = (boundary_before(line_text, start), boundary_before(line_text, end));
        let word = |text: &str| text.get(start..end).map(str::to_string);
        let place = Place {
            file: name.to_string(),
            line,
            column: line_text.get(..start).map_or(start, |head| head.chars().count()) as u32 + 1,
            length: line_text.get(start..end).map_or(1, |part| part.chars().count()).max(1) as u32,
            line_text: line_text.to_string(),
            system: marker.is_some_and(|marker| marker.system),
        };
        let expanded = word(line_text).is_none_or(|word| !self.snippet(span).starts_with(&*word));
        let text = match (marker, original) {
            (None, _) => Some(file.text.clone()),
            (Some(_), Some(_)) => written.as_ref().map(|written| written.text.clone()),
            (Some(_), None) => None,
        };
        Some(Source { place, bytes: start..end, text, expanded })
    }

    fn original(&self, name: &str) -> Option<Original> {
        if let Some(known) = self.originals.borrow().get(name) {
            return known.clone();
        }
        let text = self.reader.as_ref().and_then(|read| read(name));
        let original = text.map(|text| Original::new(text.into()));
        self.originals.borrow_mut().insert(name.to_string(), original.clone());
        original
    }
}

impl Original {
    fn new(text: Rc<str>) -> Original {
        let line_starts = line_starts(&text).into();
        Original { text, line_starts }
    }

    /// A line, counted from 1, without its end.
    fn line_text(&self, line: u32) -> Option<&str> {
        let number = (line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(number)? as usize;
        let end = self.line_starts.get(number + 1).map_or(self.text.len(), |&next| next as usize);
        Some(self.text.get(start..end)?.trim_end_matches(['\n', '\r']))
    }
}

/// The offset, or the nearest one before it where a character of the text begins or the text ends.
fn boundary_before(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn line_starts(text: &str) -> Vec<u32> {
    let mut starts = vec![0];
    let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
    starts.extend(newlines.map(|(at, _)| at as u32 + 1));
    starts
}

impl SourceFile {
    fn new(name: String, text: Rc<str>) -> SourceFile {
        let line_starts = line_starts(&text);
        let mut file = SourceFile { name, text, line_starts, markers: Vec::new() };
        let mut names: HashMap<String, Rc<str>> = HashMap::new();
        for line in 0..file.line_starts.len() as u32 {
            if let Some((number, name, system)) = parse_marker(file.line_text(line)) {
                let name = match name {
                    Some(name) => {
                        names.entry(name).or_insert_with_key(|n| n.as_str().into()).clone()
                    }
                    // `#line 12` keeps the file.
                    None => match file.markers.last() {
                        Some(marker) => marker.file.clone(),
                        None => file.name.as_str().into(),
                    },
                };
                file.markers.push(Marker {
                    buffer_line: line + 1,
                    line: number,
                    file: name,
                    system,
                });
            }
        }
        file
    }

    /// Which line of the buffer holds the offset, from 0.
    fn buffer_line(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset) as u32 - 1
    }

    fn marker(&self, buffer_line: u32) -> Option<&Marker> {
        let after = self.markers.partition_point(|marker| marker.buffer_line <= buffer_line);
        self.markers.get(after.checked_sub(1)?)
    }

    fn line_text(&self, line: u32) -> &str {
        let start = self.line_starts[line as usize] as usize;
        let end = match self.line_starts.get(line as usize + 1) {
            Some(&next) => next as usize - 1,
            None => self.text.len(),
        };
        self.text[start..end].trim_end_matches('\r')
    }
}

/// Reads `# 12 "file" 1 3` or `#line 12 "file"`: line, file if written, system flag.
fn parse_marker(line: &str) -> Option<(u32, Option<String>, bool)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim();
    let Some(quoted) = rest.strip_prefix('"') else {
        return rest.is_empty().then_some((number, None, false));
    };
    let mut name = String::new();
    let mut chars = quoted.chars();
    loop {
        match chars.next()? {
            '"' => break,
            '\\' => name.push(chars.next()?),
            other => name.push(other),
        }
    }
    let system = chars.as_str().split_whitespace().any(|flag| flag == "3");
    Some((number, Some(name), system))
}

/// The preprocessor squeezes spaces and expands macros, so columns differ. The text under the span
/// is looked for in the original line: the same occurrence of it as in the preprocessed line. If
/// it is not there, a macro made it, and the macro's name stands where the texts begin to differ.
fn find_in_original(text: &str, start: usize, end: usize, original: &str) -> (usize, usize) {
    if text == original {
        return (start, end);
    }
    let word = text.get(start..end).unwrap_or("").trim_end();
    let head = text.get(..start).unwrap_or("");
    if word.is_empty() {
        // Behind the token before it.
        let before = head.trim_end();
        if before.is_empty() {
            return after_same_prefix(head, original);
        }
        let token = last_token_start(before);
        let (_, end) = find_in_original(text, token, before.len(), original);
        return (end, end);
    }
    let earlier = occurrences(head, word).count();
    let found: Vec<usize> = occurrences(original, word).take(earlier + 1).collect();
    if let Some(&at) = found.get(earlier) {
        return (at, at + word.len());
    }
    if let Some(&at) = found.last() {
        return (at, at + word.len());
    }
    // A long span: its first token is enough to begin.
    let first_end = token_end(word);
    if first_end < word.len() {
        let (at, to) = find_in_original(text, start, start + first_end, original);
        let last_start = last_token_start(word);
        let rest = original.get(to..).unwrap_or("");
        let last = &word[last_start..];
        let tail = occurrences(rest, last).next().map_or(to, |found| to + found + last.len());
        return (at, tail);
    }
    after_same_prefix(head, original)
}

/// The word of `original` at which it stops to agree with `head`, spaces aside.
fn after_same_prefix(head: &str, original: &str) -> (usize, usize) {
    let mut wanted = head.chars().filter(|c| !c.is_whitespace());
    let mut at = original.len();
    let mut token = 0;
    let mut in_word = false;
    for (index, c) in original.char_indices() {
        if c.is_whitespace() {
            in_word = false;
            continue;
        }
        let word = c.is_alphanumeric() || c == '_';
        if !(word && in_word) {
            token = index;
        }
        in_word = word;
        if wanted.next() != Some(c) {
            at = token;
            break;
        }
    }
    let length = token_end(&original[at..]);
    (at, at + length)
}

/// Byte offsets of `word` in `line`, as whole words where it begins or ends like one.
fn occurrences<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let (begins, ends) = (word.starts_with(part), word.ends_with(part));
    line.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let clear_before = !begins || !line[..at].ends_with(part);
        clear_before && (!ends || !line[at + word.len()..].starts_with(part))
    })
}

/// The length of the token that begins the text, roughly: a word, or one character.
fn token_end(text: &str) -> usize {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let length = text.find(|c| !word(c)).unwrap_or(text.len());
    if length > 0 {
        return length;
    }
    text.chars().next().map_or(0, char::len_utf8)
}

fn last_token_start(text: &str) -> usize {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let head = text.trim_end_matches(word).len();
    if head < text.len() {
        return head;
    }
    text.char_indices().next_back().map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREPROCESSED: &str =
        "# 0 \"a.cyc\"\n# 1 \"x.h\" 1 3\nint h;\n# 3 \"a.cyc\" 2\nint x = 1024 + y;\n\nf(x, x);\n";
    const ORIGINAL: &str =
        "#include <x.h>\n#define SIZE 1024\nint  x =  SIZE + y;\n\n  f(x,  x);\n";

    fn map(reader: bool) -> (SourceMap, FileId) {
        let mut map = SourceMap::new();
        let file = map.add("a.cyc", PREPROCESSED);
        if reader {
            map.set_reader(|name| (name == "a.cyc").then(|| ORIGINAL.to_string()));
        }
        (map, file)
    }

    fn place(word: &str, nth: usize, reader: bool) -> (String, u32, u32, u32) {
        let (map, file) = map(reader);
        let at = PREPROCESSED.match_indices(word).nth(nth).map_or(0, |(at, _)| at) as u32;
        let place = map.locate(Span::new(file, at, at + word.len() as u32));
        place.map_or_else(Default::default, |p| (p.file, p.line, p.column, p.length))
    }

    #[test]
    fn line_markers_name_file_and_line() {
        assert_eq!(place("h;", 0, true), ("x.h".into(), 1, 5, 2));
        assert_eq!(place("y;", 0, false), ("a.cyc".into(), 3, 16, 2));
        let (map, file) = map(false);
        assert!(map.is_system(Span::new(file, 35, 36)));
    }

    #[test]
    fn columns_are_those_of_the_original_line() {
        assert_eq!(place("y;", 0, true), ("a.cyc".into(), 3, 18, 2));
        assert_eq!(place("x, x", 0, true), ("a.cyc".into(), 5, 5, 5));
        assert_eq!(place("x)", 0, true), ("a.cyc".into(), 5, 9, 2));
    }

    #[test]
    fn text_made_by_a_macro_is_shown_at_its_name() {
        assert_eq!(place("1024", 0, true), ("a.cyc".into(), 3, 11, 4));
    }

    #[test]
    fn text_without_markers_is_its_own_original() {
        let mut map = SourceMap::new();
        let file = map.add("t.cyc", "int a;\n  é = bad;\n");
        let at = "int a;\n  é = ".len() as u32;
        let place = map.locate(Span::new(file, at, at + 3));
        let place = place.map(|p| (p.line, p.column, p.length, p.line_text));
        assert_eq!(place, Some((2, 7, 3, "  é = bad;".into())));
        assert_eq!(map.locate(Span::NONE), None);
    }
}
