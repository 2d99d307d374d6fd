//! Diagnostics as text: for people, one JSON object a line, and SARIF 2.1.0.

use crate::source_map::Source;
use crate::{Diagnostic, Help, Label, Place, Severity, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::ops::Range;

/// The diagnostic as a person reads it, ending with a newline. `colour` adds terminal escapes.
pub fn render_human(diagnostic: &Diagnostic, map: &SourceMap, colour: bool) -> String {
    let shown = Shown::new(diagnostic, map);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut main = level.primary_title(diagnostic.headline.as_str()).id(diagnostic.code).elements(
        shown.snippets.iter().map(|snippet| {
            let annotations = snippet.labels.iter().map(|(range, text, primary)| {
                let kind = if *primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                let annotation = kind.span(range.clone());
                if text.is_empty() {
                    annotation
                } else {
                    annotation.label(text.as_str())
                }
            });
            Snippet::source(snippet.text.as_str())
                .line_start(snippet.line)
                .path(snippet.file.as_str())
                .annotations(annotations)
        }),
    );
    for note in &diagnostic.notes {
        main = main.element(Level::NOTE.message(note.as_str()));
    }
    for help in diagnostic.helps.iter().filter(|help| help.replacement.is_none()) {
        main = main.element(Level::HELP.message(help.text.as_str()));
    }
    let mut groups = vec![main];
    groups.extend(shown.fixes.iter().map(|fix| {
        let title = Level::HELP.secondary_title(fix.title.as_str());
        let Some(snippet) = &fix.snippet else { return Group::with_title(title) };
        Group::with_title(title).element(
            Snippet::source(snippet.text.as_str())
                .line_start(snippet.line)
                .path(snippet.file.as_str())
                .patch(Patch::new(fix.range.clone(), fix.replacement.as_str())),
        )
    }));
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.render(&groups);
    text.push('\n');
    text
}

/// What a rendering borrows from.
struct Shown {
    snippets: Vec<ShownSnippet>,
    fixes: Vec<Fix>,
}

/// Consecutive lines of one file with the labels on them.
struct ShownSnippet {
    file: String,
    /// The number of the first line.
    line: usize,
    text: String,
    labels: Vec<(Range<usize>, String, bool)>,
}

struct Fix {
    title: String,
    snippet: Option<ShownSnippet>,
    range: Range<usize>,
    replacement: String,
}

/// Lines of one file that are further apart are shown as two snippets.
const FARTHEST_LINES: u32 = 200;

impl Shown {
    fn new(diagnostic: &Diagnostic, map: &SourceMap) -> Shown {
        let mut places: Vec<(Source, &Label, bool)> = Vec::new();
        let labels = std::iter::once((&diagnostic.primary, true))
            .chain(diagnostic.secondary.iter().map(|label| (label, false)));
        for (label, primary) in labels {
            if let Some(source) = map.source(label.span) {
                places.push((source, label, primary));
            }
        }
        let mut snippets: Vec<ShownSnippet> = Vec::new();
        while !places.is_empty() {
            let first = &places[0].0.place;
            let (file, line) = (first.file.clone(), first.line);
            let known = places[0].0.text.is_some();
            let (near, far): (Vec<_>, Vec<_>) = places.into_iter().partition(|(source, ..)| {
                let place = &source.place;
                place.file == file
                    && (place.line == line
                        || (known && place.line.abs_diff(line) <= FARTHEST_LINES))
            });
            snippets.push(ShownSnippet::new(near));
            places = far;
        }
        let fixes = diagnostic.helps.iter().filter_map(|help| Fix::new(help, map)).collect();
        Shown { snippets, fixes }
    }
}

impl ShownSnippet {
    /// All are of one file, and if they are of several lines, its text is known.
    fn new(places: Vec<(Source, &Label, bool)>) -> ShownSnippet {
        let lines = || places.iter().map(|(source, ..)| source.place.line);
        let first = lines().min().unwrap_or(1);
        let last = lines().max().unwrap_or(1);
        let file = places.first().map_or(String::new(), |(source, ..)| source.place.file.clone());
        let mut starts = Vec::new();
        let mut text = String::new();
        let whole = places.first().and_then(|(source, ..)| source.text.clone());
        match whole {
            Some(whole) if first < last => {
                let wanted = whole.lines().skip(first as usize - 1);
                for line in wanted.take((last - first + 1) as usize) {
                    starts.push(text.len());
                    text.push_str(line);
                    text.push('\n');
                }
            }
            _ => {
                starts.push(0);
                text = places.first().map_or(String::new(), |(s, ..)| s.place.line_text.clone());
            }
        }
        let labels = places
            .iter()
            .map(|(source, label, primary)| {
                let row = (source.place.line - first) as usize;
                let start = starts.get(row).copied().unwrap_or(0);
                let begin = (start + source.bytes.start).min(text.len());
                let end = (start + source.bytes.end.max(source.bytes.start)).min(text.len());
                (begin..end, label.text.clone(), *primary)
            })
            .collect();
        ShownSnippet { file, line: first as usize, text, labels }
    }
}

impl Fix {
    fn new(help: &Help, map: &SourceMap) -> Option<Fix> {
        let (span, replacement) = help.replacement.as_ref()?;
        let source = map.source(*span).filter(|source| !source.expanded);
        let Some(source) = source else {
            let title = format!("{}: `{replacement}`", help.text);
            return Some(Fix { title, snippet: None, range: 0..0, replacement: String::new() });
        };
        let snippet = ShownSnippet {
            file: source.place.file.clone(),
            line: source.place.line as usize,
            text: source.place.line_text.clone(),
            labels: Vec::new(),
        };
        Some(Fix {
            title: help.text.clone(),
            snippet: Some(snippet),
            range: source.bytes,
            replacement: replacement.clone(),
        })
    }
}

/// The diagnostic as one line of JSON, without the newline.
pub fn render_json(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    let related: Vec<Value> =
        diagnostic.secondary.iter().map(|label| json_label(label, map)).collect();
    let helps: Vec<Value> = diagnostic
        .helps
        .iter()
        .map(|help| {
            let replacement = help.replacement.as_ref().map(|(span, text)| {
                let mut value = json_place(*span, map);
                if span.lo == span.hi {
                    value["length"] = json!(0);
                }
                value["text"] = json!(text);
                value
            });
            json!({ "message": help.text, "replacement": replacement })
        })
        .collect();
    let mut value = json_label(&diagnostic.primary, map);
    value["label"] = value["message"].take();
    value["code"] = json!(diagnostic.code);
    value["severity"] = json!(diagnostic.severity.as_str());
    value["message"] = json!(diagnostic.headline);
    value["related"] = json!(related);
    value["notes"] = json!(diagnostic.notes);
    value["helps"] = json!(helps);
    value.to_string()
}

fn json_label(label: &Label, map: &SourceMap) -> Value {
    let mut value = json_place(label.span, map);
    value["message"] = json!(label.text);
    value
}

fn json_place(span: Span, map: &SourceMap) -> Value {
    match map.locate(span) {
        Some(Place { file, line, column, length, .. }) => {
            json!({ "file": file, "line": line, "column": column, "length": length })
        }
        None => json!({ "file": null, "line": 0, "column": 0, "length": 0 }),
    }
}

/// All diagnostics as one SARIF 2.1.0 log.
pub fn render_sarif(diagnostics: &[Diagnostic], map: &SourceMap) -> String {
    let mut log = SarifLog::default();
    log.add(diagnostics, map);
    log.render()
}

/// The results of several files, which are one log.
#[derive(Default, Debug)]
pub struct SarifLog {
    codes: BTreeSet<&'static str>,
    results: Vec<Value>,
}

impl SarifLog {
    pub fn add(&mut self, diagnostics: &[Diagnostic], map: &SourceMap) {
        self.codes.extend(diagnostics.iter().map(|diagnostic| diagnostic.code));
        self.results.extend(diagnostics.iter().map(|d| sarif_result(d, map)));
    }

    pub fn render(&self) -> String {
        sarif_log(&self.codes, &self.results)
    }
}

fn sarif_log(codes: &BTreeSet<&'static str>, results: &[Value]) -> String {
    let rules: Vec<Value> = codes.iter().map(|code| sarif_rule(code)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tenure",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn sarif_rule(code: &str) -> Value {
    let mut rule = json!({ "id": code });
    if let Some(page) = crate::explain(code) {
        let title = page.lines().next().unwrap_or("").trim_start_matches("# ");
        let title = title.split_once(": ").map_or(title, |(_, text)| text);
        rule["shortDescription"] = json!({ "text": title });
        rule["help"] = json!({ "text": page, "markdown": page });
    }
    rule
}

fn sarif_result(diagnostic: &Diagnostic, map: &SourceMap) -> Value {
    let mut text = diagnostic.headline.clone();
    if !diagnostic.primary.text.is_empty() {
        text = format!("{text}: {}", diagnostic.primary.text);
    }
    for note in diagnostic.notes.iter().chain(diagnostic.helps.iter().map(|help| &help.text)) {
        text = format!("{text}\n{note}");
    }
    let related: Vec<Value> = diagnostic
        .secondary
        .iter()
        .filter_map(|label| {
            let mut location = sarif_location(label.span, map)?;
            location["message"] = json!({ "text": label.text });
            Some(location)
        })
        .collect();
    let locations: Vec<Value> = sarif_location(diagnostic.primary.span, map).into_iter().collect();
    json!({
        "ruleId": diagnostic.code,
        "level": diagnostic.severity.as_str(),
        "message": { "text": text },
        "locations": locations,
        "relatedLocations": related,
    })
}

fn sarif_location(span: Span, map: &SourceMap) -> Option<Value> {
    let place = map.locate(span)?;
    Some(json!({ "physicalLocation": {
        "artifactLocation": { "uri": place.file },
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endColumn": place.column + place.length,
        },
    }}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    fn example() -> (SourceMap, Diagnostic) {
        let mut map = SourceMap::new();
        let text = "int f(int *p) {\n  int x = 1\n  return g(p);\n}\n";
        let file: FileId = map.add("t.cyc", text);
        let at = |word: &str| text.find(word).unwrap_or(0) as u32;
        let end = at("1\n") + 1;
        let call = at("g(p)");
        let diagnostic = Diagnostic::error("E0105", "expected `;`", Span::new(file, end, end))
            .label("here")
            .secondary(Span::new(file, call, call + 1), "before this")
            .note("statements end with a semicolon")
            .help("read on")
            .suggest("end it", Span::new(file, end, end), ";");
        (map, diagnostic)
    }

    #[test]
    fn a_person_sees_both_places_and_the_fix() {
        let (map, diagnostic) = example();
        let expected = "\
error[E0105]: expected `;`
 --> t.cyc:2:12
  |
2 |   int x = 1
  |            ^ here
3 |   return g(p);
  |          - before this
  |
  = note: statements end with a semicolon
  = help: read on
help: end it
  |
2 |   int x = 1;
  |            +
";
        assert_eq!(render_human(&diagnostic, &map, false), expected);
        assert!(render_human(&diagnostic, &map, true).contains("\u{1b}["));
    }

    #[test]
    fn json_is_one_line_with_all_facts() {
        let (map, diagnostic) = example();
        let line = render_json(&diagnostic, &map);
        assert!(!line.contains('\n'));
        let value: Value = serde_json::from_str(&line).unwrap_or_default();
        assert_eq!(value["code"], "E0105");
        assert_eq!(value["severity"], "error");
        assert_eq!((&value["line"], &value["column"]), (&json!(2), &json!(12)));
        assert_eq!(value["related"][0]["line"], 3);
        assert_eq!(value["helps"][1]["replacement"]["text"], ";");
    }

    #[test]
    fn sarif_names_rule_and_place() {
        let (map, diagnostic) = example();
        let value: Value =
            serde_json::from_str(&render_sarif(&[diagnostic], &map)).unwrap_or_default();
        assert_eq!(value["version"], "2.1.0");
        let result = &value["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "E0105");
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], 2);
    }

    /// Spans that no token has, in text that is not what the user wrote.
    #[test]
    fn any_span_can_be_shown() {
        let mut seed = 0x5eed_u64;
        let mut below = |bound: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed >> 33) as usize % bound.max(1)
        };
        let words =
            ["int", " ", "é", "x", "\t", "\n", "(", "\r\n", "# 2 \"o.c\"\n", "λ+", "\n\n", ""];
        for round in 0..300 {
            let mut text = || (0..30).map(|_| words[below(words.len())]).collect::<String>();
            let (buffer, original) = (text(), text());
            let mut map = SourceMap::new();
            if round % 3 > 0 {
                map.set_reader(move |_| Some(original.clone()));
            }
            let file = map.add("t.c", format!("# 1 \"o.c\"\n{buffer}"));
            let size = map.text(file).len();
            let mut span = || {
                let mut ends = [below(size + 1), below(size + 1)];
                ends.sort_unstable();
                let boundary =
                    |at: usize| (0..=at).rev().find(|&at| map.text(file).is_char_boundary(at));
                let [lo, hi] = ends.map(|at| boundary(at).unwrap_or(0) as u32);
                Span::new(file, lo, hi)
            };
            let diagnostic = Diagnostic::error("E0105", "headline", span())
                .label("label")
                .secondary(span(), "second")
                .secondary(span(), "")
                .suggest("fix", span(), "text");
            render_human(&diagnostic, &map, round % 2 == 0);
            render_json(&diagnostic, &map);
            render_sarif(&[diagnostic], &map);
        }
    }

    #[test]
    fn a_diagnostic_without_a_place_has_a_headline() {
        let map = SourceMap::new();
        let diagnostic = Diagnostic::error("E0901", "no input", Span::NONE);
        assert_eq!(render_human(&diagnostic, &map, false), "error[E0901]: no input\n");
    }
}
