//! The C preprocessor, which runs before the lexer unless the text has nothing for it.

use crate::cc::Cc;
use crate::home::Home;
use crate::origin::{self, Kind, Origins, Tampering};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tenure_span::{Diagnostic, SourceMap, Span};

/// A text to be preprocessed.
pub struct Preprocess<'a> {
    /// As the user wrote it.
    pub path: &'a str,
    pub text: &'a str,
    /// `-I`, `-D` and the like, in order.
    pub args: &'a [String],
}

/// Whether the preprocessor could change anything: a directive, or a name that it predefines.
pub(crate) fn is_needed(text: &str, args: &[String]) -> bool {
    let defines = |arg: &String| !(arg.starts_with("-I") || arg.starts_with("-i"));
    if args.iter().any(|arg| defines(arg) || arg.starts_with("-include")) {
        return true;
    }
    let directive = text.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with('#') || line.starts_with("%:") || line.ends_with('\\')
    });
    // gcc's own names without underscores, and all those with.
    directive
        || text.contains("__")
        || text.contains("linux")
        || text.contains("unix")
        || text.contains("i386")
}

/// What precedes the user's `-I`s on cc's command line, and what follows them.
pub(crate) fn include_args(home: &Home, path: &str) -> Vec<String> {
    let dir = Path::new(path).parent().filter(|dir| !dir.as_os_str().is_empty());
    let dir = dir.unwrap_or(Path::new("."));
    let mut args = vec!["-D__TENURE__=1".to_string()];
    // C's headers then declare only what C's do.
    if Path::new(path).extension().is_some_and(|extension| extension == "c") {
        args.push("-D__TENURE_C__=1".to_string());
    }
    args.extend([
        "-iquote".to_string(),
        dir.display().to_string(),
        "-isystem".to_string(),
        home.library_include().display().to_string(),
        "-include".to_string(),
        "tn/builtins.h".to_string(),
    ]);
    args
}

/// Runs `cc -E` over the text. Problems that it finds become diagnostics.
pub(crate) fn run(
    cc: &Cc,
    home: &Home,
    request: &Preprocess<'_>,
    map: &mut SourceMap,
) -> Result<String, Vec<Diagnostic>> {
    let failed = |what: String| vec![Diagnostic::error("E0901", what, Span::NONE)];
    let mut command = Command::new(cc.program());
    command.args(["-E", "-dD", "-x", "c", "-fno-diagnostics-color", "-fsigned-char"]);
    command.args(request.args);
    command.args(include_args(home, request.path)).arg("-");
    command.env("LC_ALL", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child =
        command.spawn().map_err(|error| failed(format!("cannot run `{}`: {error}", cc.name())))?;
    let input = format!(
        "# 1 \"{}\"\n{}",
        request.path.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\012"),
        backquoted(request.text)
    );
    // Written by a thread of its own: the preprocessor writes while it reads.
    let writer = child.stdin.take().map(|mut stdin| {
        std::thread::spawn(move || {
            // A preprocessor that stopped early says why itself.
            let _ = stdin.write_all(input.as_bytes());
        })
    });
    let output = child
        .wait_with_output()
        .map_err(|error| failed(format!("cannot read from `{}`: {error}", cc.name())))?;
    if let Some(writer) = writer {
        let _ = writer.join();
    }
    if output.status.success() {
        let text = String::from_utf8_lossy(&output.stdout);
        return believed(cc, home, request, map, &text);
    }
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(diagnostics(&messages, request, map))
}

/// The text, if nothing in it only pretends to be the library's or the system's.
fn believed(
    cc: &Cc,
    home: &Home,
    request: &Preprocess<'_>,
    map: &mut SourceMap,
    text: &str,
) -> Result<String, Vec<Diagnostic>> {
    let mut system = cc.include_directories().to_vec();
    system.extend(flagged(request.args, "-isystem"));
    let origins = Origins {
        library: &home.library_include().display().to_string(),
        system: &system,
        main: (request.path, request.text),
        is_preprocessed: Path::new(request.path).extension().is_some_and(|ext| ext == "i"),
    };
    let rejected = |found: Vec<Tampering>, map: &mut SourceMap| {
        found.iter().map(|tampering| tampered(tampering, request, map)).collect()
    };
    let read = origin::read(text, &origins).map_err(|found| rejected(found, map))?;
    if read.disturbed.is_empty() {
        return Ok(read.text);
    }
    let clean = alone(cc, home, request, &origin::request(&read.disturbed)).unwrap_or_default();
    origin::restore(&read.text, &clean, &read.disturbed).map_err(|found| rejected(found, map))
}

/// What the library's headers say without the program and its macros.
fn alone(cc: &Cc, home: &Home, request: &Preprocess<'_>, input: &str) -> Option<String> {
    let mut command = Command::new(cc.program());
    command.args(["-E", "-x", "c", "-w", "-fsigned-char"]);
    command.args(without_macros(request.args));
    command.args(include_args(home, request.path)).arg("-");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    // Some lines at most, which the pipe holds.
    child.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The arguments that define, undefine and include nothing.
fn without_macros(args: &[String]) -> Vec<&String> {
    let mut kept = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let defines =
            ["-D", "-U", "-include", "-imacros"].into_iter().find(|flag| arg.starts_with(flag));
        match defines {
            None => kept.push(arg),
            Some(flag) if arg == flag => {
                args.next();
            }
            Some(_) => {}
        }
    }
    kept
}

/// The directories that a flag names, in either of its forms.
fn flagged(args: &[String], flag: &str) -> Vec<String> {
    let mut dirs = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == flag {
            dirs.extend(args.next().cloned());
        } else {
            dirs.extend(arg.strip_prefix(flag).map(str::to_string));
        }
    }
    dirs
}

fn tampered(found: &Tampering, request: &Preprocess<'_>, map: &mut SourceMap) -> Diagnostic {
    let content = match found.file == request.path {
        true => Some(request.text.to_string()),
        false => crate::world::read_text(Path::new(&found.file)).ok(),
    };
    let span = content.map_or(Span::NONE, |content| {
        let (lo, hi) = token_at(&content, found.line, 1);
        let id = map.add(&found.file, content);
        Span::new(id, lo, hi)
    });
    match &found.kind {
        Kind::Macro(name, header) => {
            let header = header.rsplit_once("/include/").map_or(&header[..], |(_, name)| name);
            let text = format!("the macro `{name}` would change what `<{header}>` declares");
            Diagnostic::error("E0909", text, span)
                .help("define it after the header is included; what the library's headers say is believed")
        }
        Kind::Marker => {
            let text = "a line marker says that what follows comes from the system";
            Diagnostic::error("E0910", text, span).help(
                "`#line 1 \"file\"` names a file; what C defines is declared in `extern \"C\"`",
            )
        }
    }
}

/// `file:line:column: error: text`, as the preprocessor prints it.
fn diagnostics(messages: &str, request: &Preprocess<'_>, map: &mut SourceMap) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    // The line of the user's own file that included what is being read.
    let mut included = None;
    for message in messages.lines() {
        if let Some(line) = includer(message, request.path) {
            included = Some(line);
        }
        let Some((place, text)) = split_error(message) else {
            continue;
        };
        let mut parts = place.splitn(3, ':');
        let file = parts.next().unwrap_or_default();
        let line: usize = parts.next().and_then(|n| n.parse().ok()).unwrap_or(1);
        let column: usize = parts.next().and_then(|n| n.parse().ok()).unwrap_or(1);
        let own = file == request.path;
        let content = if own {
            Some(request.text.to_string())
        } else {
            crate::world::read_text(Path::new(file)).ok()
        };
        let span = content.map_or(Span::NONE, |content| {
            let (lo, hi) = token_at(&content, line, column);
            let id = map.add(file, content);
            Span::new(id, lo, hi)
        });
        let (code, headline) = headline(text);
        found.push(match included.filter(|_| !own) {
            None => Diagnostic::error(code, headline, span),
            Some(line) => {
                let (lo, hi) = token_at(request.text, line, 1);
                let id = map.add(request.path, request.text);
                Diagnostic::error(code, headline, Span::new(id, lo, hi))
                    .label("included here")
                    .secondary(span, "the header says so")
            }
        });
    }
    if found.is_empty() {
        let text = messages.trim();
        let headline = format!("the preprocessor failed: {text}");
        found.push(Diagnostic::error("E0902", headline, Span::NONE));
    }
    found
}

/// The line of `path` in `In file included from path:3:` and its continuations.
fn includer(message: &str, path: &str) -> Option<usize> {
    let (_, place) = message.split_once("from ")?;
    let rest = place.strip_prefix(path)?.strip_prefix(':')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..digits)?.parse().ok()
}

fn split_error(message: &str) -> Option<(&str, &str)> {
    for mark in [": fatal error: ", ": error: "] {
        if let Some((place, text)) = message.split_once(mark) {
            return Some((place, text));
        }
    }
    None
}

fn headline(text: &str) -> (&'static str, String) {
    match text.strip_suffix(": No such file or directory") {
        Some(header) => ("E0903", format!("header `{header}` was not found")),
        None => match text.strip_suffix("file not found") {
            Some(header) => ("E0903", format!("header {} was not found", header.trim())),
            None => ("E0902", text.replace("#error ", "#error: ")),
        },
    }
}

/// The bytes of the token at a line and column, both from 1.
fn token_at(text: &str, line: usize, column: usize) -> (u32, u32) {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(start..).unwrap_or("").lines().next().unwrap_or("");
    let from = column.saturating_sub(1).min(rest.len());
    let tail = rest.get(from..).unwrap_or("");
    let length = tail.find([' ', '\t']).unwrap_or(tail.len());
    ((start + from) as u32, (start + from + length) as u32)
}

/// The text with type variables `'r` written `` `r ``: the preprocessor takes a lone quote for the start of a
/// character constant and leaves the rest of the line alone. Same length, same columns.
pub(crate) fn backquoted(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment_end(text, at),
            b'"' => at = literal_end(bytes, at),
            b'\'' if is_type_variable(bytes, at) => {
                out[at] = b'`';
                at += 1;
            }
            b'\'' => at = literal_end(bytes, at),
            _ => at += 1,
        }
    }
    // Only ASCII bytes were exchanged for ASCII bytes.
    String::from_utf8(out).unwrap_or_else(|_| text.to_string())
}

/// `'a` that does not go on to be `'a'`.
fn is_type_variable(bytes: &[u8], at: usize) -> bool {
    let name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let Some(first) = bytes.get(at + 1) else {
        return false;
    };
    if !(first.is_ascii_alphabetic() || *first == b'_') {
        return false;
    }
    // A number such as 1'000 does not exist in C; L'x' is a constant.
    let length = bytes[at + 1..].iter().take_while(|b| name(b)).count();
    bytes.get(at + 1 + length) != Some(&b'\'') || length > 4
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| from + n)
}

fn comment_end(text: &str, from: usize) -> usize {
    text[from + 2..].find("*/").map_or(text.len(), |n| from + 2 + n + 2)
}

/// After the closing quote, or at the end of the line.
fn literal_end(bytes: &[u8], from: usize) -> usize {
    let quote = bytes[from];
    let mut at = from + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' => return at,
            b if b == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_variables_are_told_from_character_constants() {
        let text =
            "int f('a x, char c = 'a', d = '\\'', list_t<'a,'b> y); // it's\n/* don't */ \"'r\"";
        let want =
            "int f(`a x, char c = 'a', d = '\\'', list_t<`a,`b> y); // it's\n/* don't */ \"'r\"";
        assert_eq!(backquoted(text), want);
    }

    #[test]
    fn a_text_without_directives_and_predefined_names_needs_no_preprocessor() {
        assert!(!is_needed("int x;\nint y = x # 2;\n", &["-Ifoo".to_string()]));
        assert!(is_needed("int x;\n  #include <stdio.h>\n", &[]));
        assert!(is_needed("int x = __LINE__;", &[]));
        assert!(is_needed("int x;", &["-DX=1".to_string()]));
    }

    #[test]
    fn a_place_of_the_preprocessor_becomes_a_span() {
        assert_eq!(token_at("a\n#include <x.h>\n", 2, 10), (11, 16));
    }
}
