//! Tests out of Markdown: headings name them, fenced blocks are them.

use std::path::{Path, PathBuf};

/// What a block of code must do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Be rejected with exactly the errors that are marked.
    Reject,
    /// Be accepted.
    Accept,
    /// Be accepted, run, print this and exit with this status.
    Run { output: Option<String>, status: i32 },
    /// Be accepted, run, and end with an uncaught exception that prints this.
    Raise { stderr: Option<String>, status: i32 },
}

/// A test, with the files beside it.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    /// Where the block begins, for messages.
    pub place: String,
    pub kind: Kind,
    pub text: String,
    pub input: String,
    pub args: Vec<String>,
    /// cc's optimisation of the plain build.
    pub optimize: Option<String>,
    /// Further flags of `tenure`: `-DX=1`, `--cyclone1`.
    pub flags: Vec<String>,
    /// It catches what a check raises, so that it is not built without checks.
    pub checked: bool,
    /// Headers and further units, by name.
    pub files: Vec<(String, String)>,
}

impl Case {
    /// The name that all blocks below a heading share.
    pub fn section(&self) -> &str {
        let numbered = self.name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
        match numbered {
            Some((section, number)) if number.parse::<u32>().is_ok() => section,
            _ => &self.name,
        }
    }
}

/// A fenced block.
struct Fence {
    info: Vec<String>,
    text: String,
    line: usize,
}

/// All tests of the Markdown files below a directory.
pub fn cases_below(root: &Path, dir: &Path) -> Vec<Case> {
    let mut paths = Vec::new();
    collect(dir, &mut paths);
    paths.sort();
    paths.iter().flat_map(|path| cases_of(root, path)).collect()
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|ext| ext == "md") {
            out.push(path);
        }
    }
}

fn cases_of(root: &Path, path: &Path) -> Vec<Case> {
    let Ok(text) = std::fs::read_to_string(path) else {
        return Vec::new();
    };
    let file = path.strip_prefix(root).unwrap_or(path).display().to_string();
    cases(&file, &text)
}

/// The tests of one text.
pub fn cases(file: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut heading = String::new();
    let mut number = 0;
    let mut files: Vec<(String, String)> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(title) = line.strip_prefix('#') {
            heading = title.trim_start_matches('#').trim().to_string();
            number = 0;
            files.clear();
        }
        let Some(fence) = line.trim_start().strip_prefix("```") else {
            continue;
        };
        let info = fence.trim_start_matches('`').split_whitespace().map(str::to_string).collect();
        let ticks = line.trim_start().chars().take_while(|&c| c == '`').count();
        let mut body = String::new();
        for (_, line) in lines.by_ref() {
            let end = line.trim();
            if end.len() >= ticks && end.chars().all(|c| c == '`') && !end.is_empty() {
                break;
            }
            body.push_str(line);
            body.push('\n');
        }
        let fence = Fence { info, text: body, line: at + 1 };
        if let Some(name) = value(&fence, "file") {
            files.push((name, fence.text));
        } else if !attach(&fence, &mut cases) {
            if let Some(mut case) = case(file, &heading, &fence, &files) {
                number += 1;
                if number > 1 {
                    case.name.push_str(&format!(" ({number})"));
                }
                cases.push(case);
            }
        }
    }
    cases
}

/// `key=value` in a block's info string.
fn value(fence: &Fence, key: &str) -> Option<String> {
    fence.info.iter().find_map(|word| {
        word.strip_prefix(key).and_then(|rest| rest.strip_prefix('=')).map(str::to_string)
    })
}

fn case(file: &str, heading: &str, fence: &Fence, files: &[(String, String)]) -> Option<Case> {
    let mut words = fence.info.iter().map(String::as_str);
    if words.next()? != "cyc" {
        return None;
    }
    let status = |default| value(fence, "exit").and_then(|n| n.parse().ok()).unwrap_or(default);
    let kind = match words.next()? {
        "reject" => Kind::Reject,
        "accept" => Kind::Accept,
        "run" => Kind::Run { output: None, status: status(0) },
        "raise" => Kind::Raise { stderr: None, status: status(1) },
        _ => return None,
    };
    let list = |key| -> Vec<String> {
        value(fence, key).map_or(Vec::new(), |all| all.split(',').map(str::to_string).collect())
    };
    Some(Case {
        name: format!("{}: {heading}", file.trim_end_matches(".md")),
        place: format!("{file}:{}", fence.line),
        kind,
        text: fence.text.clone(),
        input: String::new(),
        args: list("args"),
        flags: list("flags"),
        optimize: value(fence, "opt"),
        checked: fence.info.iter().any(|word| word == "checked"),
        files: files.to_vec(),
    })
}

/// A block that says what the test before it reads or prints.
fn attach(fence: &Fence, cases: &mut [Case]) -> bool {
    let (Some(word), Some(case)) = (fence.info.first(), cases.last_mut()) else {
        return false;
    };
    match (word.as_str(), &mut case.kind) {
        ("output", Kind::Run { output, .. }) => *output = Some(fence.text.clone()),
        ("stderr", Kind::Raise { stderr, .. }) => *stderr = Some(fence.text.clone()),
        ("input", _) => case.input = fence.text.clone(),
        _ => return false,
    }
    true
}
