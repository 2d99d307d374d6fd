//! The calls of the table, as one program.
//!
//! Each buffer ends where memory that cannot be touched begins, so that any access behind it, by libc's own code and the kernel
//! too, ends the program, which writes down what it calls before it does.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use tenure_core::{interfaces, Interface};
use tenure_driver::TempDir;

/// Buffers whose length is their last argument.
const BUFFERS: &[&str] = &["W(", "R(", "Z(", "E(", "A("];

const PRELUDE: &str = include_str!("prelude.cyc");
const FENCES: &str = include_str!("fences.c");

/// The arguments of a call, as written.
fn arguments(call: &str) -> Vec<&str> {
    let inner = call.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or("");
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(inner[start..].trim());
    found
}

/// The argument with one element less, if it is a buffer whose length the row's facts give.
fn shorter(row: &Interface, n: usize, argument: &str) -> Option<String> {
    let param = row.params.get(n)?;
    let has_length = row.facts.iter().any(|fact| {
        let of_it = fact.split_once(' ').and_then(|(_, rest)| rest.strip_prefix(param));
        of_it.is_some_and(|rest| rest.starts_with('[') && rest != "[text]")
    });
    if !has_length || !BUFFERS.iter().any(|buffer| argument.starts_with(buffer)) {
        return None;
    }
    let (head, length) = argument.strip_suffix(')')?.rsplit_once(['(', ' '])?;
    let length: usize = length.parse().ok()?;
    let between = &argument[head.len()..=head.len()];
    Some(format!("{head}{between}{})", length - 1))
}

/// The program's text, and the types whose objects it asks for.
#[derive(Default)]
struct Program {
    calls: String,
    table: String,
    types: Vec<String>,
    count: usize,
}

impl Program {
    fn add(&mut self, name: &str, call: &str, raises: bool) {
        let call = self.with_objects(call);
        let n = self.count;
        self.count += 1;
        let _ = writeln!(self.calls, "static void call_{n}(void) {{ {call}; }}");
        let shown = call.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(self.table, "  {{\"{name}: {shown}\", call_{n}, {}}},", u8::from(raises));
    }

    /// `O(T)`, `A(T, n)` and `P(T, n)` as calls of functions for the type.
    fn with_objects(&mut self, call: &str) -> String {
        let mut out = call.to_string();
        for (sign, end) in [("O(", ')'), ("A(", ','), ("P(", ',')] {
            while let Some(at) = place(&out, sign) {
                let rest = &out[at + 2..];
                let (ty, after) = rest.split_once(end).expect("a type");
                let id = self.type_id(ty);
                let kind = &sign[..1];
                let tail = if end == ',' { "," } else { ")" };
                let size = if end == ',' {
                    format!("sizeof({ty}){tail}")
                } else {
                    format!("sizeof({ty}))")
                };
                let call = if kind == "P" {
                    let (length, after) = after.split_once(')').expect("a length");
                    format!("thin_{id}_{}({size}{length}){after}", length.trim())
                } else {
                    format!("{}_{id}({size}{after}", if kind == "O" { "object" } else { "array" })
                };
                out = format!("{}{call}", &out[..at]);
            }
        }
        out
    }

    fn type_id(&mut self, ty: &str) -> usize {
        let known = self.types.iter().position(|known| known == ty);
        known.unwrap_or_else(|| {
            self.types.push(ty.to_string());
            self.types.len() - 1
        })
    }

    /// Declarations of what C gives for each type.
    fn declarations(&self) -> (String, String) {
        let (mut tenure, mut c) = (String::from("extern \"C\" {\n"), String::new());
        for (id, ty) in self.types.iter().enumerate() {
            let _ = writeln!(c, "void *object_{id}(size_t n) {{ return fence(n); }}");
            let _ = writeln!(c, "struct fat array_{id}(size_t size, size_t n) {{ return fat(fence(size * n), n); }}");
            let _ = writeln!(tenure, "  {ty} @`H object_{id}(size_t n);");
            if !ty.contains(['*', '?']) {
                let _ = writeln!(tenure, "  {ty} ?`H array_{id}(size_t size, size_t n);");
                for n in [2, 3] {
                    let _ =
                        writeln!(tenure, "  {ty} @{{{n}}}`H thin_{id}_{n}(size_t size, size_t n);");
                    let _ = writeln!(
                        c,
                        "void *thin_{id}_{n}(size_t size, size_t n) {{ return fence(size * n); }}"
                    );
                }
            }
        }
        tenure.push_str("}\n");
        (tenure, c)
    }
}

/// Where a sign stands that no letter precedes.
fn place(text: &str, sign: &str) -> Option<usize> {
    let is_alone = |at: &usize| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    text.match_indices(sign).map(|(at, _)| at).find(is_alone)
}

fn program() -> (String, String) {
    let mut program = Program::default();
    for row in interfaces() {
        let Some(call) = row.call else { continue };
        program.add(row.name, call, false);
        let arguments = arguments(call);
        for (n, argument) in arguments.iter().enumerate() {
            let Some(short) = shorter(row, n, argument) else { continue };
            let mut changed: Vec<&str> = arguments.clone();
            changed[n] = &short;
            let (function, _) = call.split_once('(').expect("a call");
            program.add(row.name, &format!("{function}({})", changed.join(", ")), true);
        }
    }
    let (declarations, c) = program.declarations();
    let text = PRELUDE
        .replace("/* declarations */", &declarations)
        .replace("/* calls */", &program.calls)
        .replace("/* table */", &program.table);
    (text, format!("{FENCES}\n{c}"))
}

pub fn run() -> Result<(), String> {
    let dir = TempDir::new().map_err(|error| error.to_string())?;
    let dir: &Path = dir.path();
    let (text, c) = program();
    let written = |name: &str, text: &str| {
        std::fs::write(dir.join(name), text).map_err(|error| error.to_string())
    };
    written("calls.cyc", &text)?;
    written("fences.c", &c)?;
    let done = |command: &mut Command| -> Result<String, String> {
        let output = command.current_dir(dir).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let called = std::fs::read_to_string(dir.join("called")).unwrap_or_default();
        match output.status.success() {
            true => Ok(text),
            false => {
                let errors = String::from_utf8_lossy(&output.stderr).into_owned();
                let tail: String =
                    errors.lines().take(40).map(|line| format!("{line}\n")).collect();
                Err(format!("{} in {called}\n{tail}{text}", output.status))
            }
        }
    };
    done(Command::new("cc").args(["-c", "-O1", "fences.c"]))?;
    done(Command::new(env!("CARGO_BIN_EXE_tenure")).args([
        "build",
        "-Wno-all",
        "calls.cyc",
        "fences.o",
        "-o",
        "calls",
    ]))?;
    done(Command::new("timeout").args(["60", "./calls"]))?;
    let problems = std::fs::read_to_string(dir.join("problems")).unwrap_or_default();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}
