//! C and this compiler agree on the layout of every type that both have, on each platform whose C compiler is here.
//!
//! `tenure check --emit=layouts` prints what the checker believes as static assertions. Of the library's headers a C compiler
//! answers them with the system's headers of the same names, macros that are numbers included; of random records with the same
//! text. `TENURE_LAYOUTS` says how many files of random records, `TENURE_LAYOUT_SEED` where the random numbers begin.

mod generate;
#[path = "../../../random/src/random.rs"]
mod random;
#[path = "../../../random/src/seeds.rs"]
mod seeds;

use seeds::{for_each, from_environment};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use tenure_driver::{Cc, Home, TempDir};

/// The C compilers of the platforms. Plain `char` is signed here, which is a C compiler's option.
const PLATFORMS: &[&str] = &["gcc", "clang", "aarch64-linux-gnu-gcc"];

fn platforms() -> impl Iterator<Item = &'static str> {
    PLATFORMS.iter().copied().filter(|name| Cc::at(name).is_some())
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn root() -> PathBuf {
    let home = Home::find().unwrap_or_else(|text| panic!("{text}"));
    home.root().to_path_buf()
}

/// The assertions of a file, as Tenure sees it on a platform.
fn assertions(cc: &str, source: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenure"));
    let output = run(command.env("TENURE_CC", cc).args(["check", "--emit=layouts"]).arg(source));
    assert!(output.status.success(), "{cc}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// What the C compiler does not agree with.
fn refused(cc: &str, dir: &Path, program: &str) -> String {
    let source = dir.join("c.c");
    std::fs::write(&source, program).unwrap_or_else(|error| panic!("{error}"));
    let mut command = Command::new(cc);
    command.args([
        "-std=gnu11",
        "-fsigned-char",
        "-fsyntax-only",
        "-w",
        "-Wno-packed-bitfield-compat",
    ]);
    let output = run(command.arg(&source));
    text(&output.stderr)
}

/// The library's headers that C has too, on a platform.
fn shared_headers(cc: &str, dir: &Path) -> Vec<String> {
    let root = root().join("lib/include");
    let mut names = Vec::new();
    headers(&root, &root, &mut names);
    names.sort();
    names.retain(|name| refused(cc, dir, &including(std::slice::from_ref(name))).is_empty());
    names
}

fn headers(root: &Path, dir: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).expect("the library's headers").flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).map(|name| name.display().to_string());
        if path.is_dir() {
            headers(root, &path, found);
        } else if let Ok(name) = name {
            let is_refused =
                std::fs::read_to_string(&path).is_ok_and(|text| text.contains("#error"));
            if !is_refused && !name.starts_with("tn/") {
                found.push(name);
            }
        }
    }
}

fn including(names: &[String]) -> String {
    let lines: String = names.iter().map(|name| format!("#include <{name}>\n")).collect();
    format!("#define _GNU_SOURCE\n{lines}")
}

/// What a file's macros without parameters stand for, by name.
fn macros(cc: &str, flags: &[String], source: &Path) -> BTreeMap<String, String> {
    let listed = run(Command::new(cc).args(["-E", "-dM", "-fsigned-char"]).args(flags).arg(source));
    let names: Vec<String> = text(&listed.stdout)
        .lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split_once(' ').map(|(name, _)| name))
        .filter(|name| !name.contains('(') && !name.starts_with('_') && !name.starts_with("TN_"))
        .map(str::to_string)
        .collect();
    let asked: String = names.iter().map(|name| format!("tn$macro \"{name}\" {name}\n")).collect();
    let whole = source.with_file_name("expanded.c");
    let original = std::fs::read_to_string(source).expect("the file of headers");
    std::fs::write(&whole, original + &asked).expect("a temporary file");
    let expanded =
        run(Command::new(cc).args(["-E", "-P", "-fsigned-char"]).args(flags).arg(&whole));
    let expanded = text(&expanded.stdout);
    let answers = expanded.split("tn$macro").skip(1).filter_map(|answer| {
        let (name, value) = answer.trim().strip_prefix('"')?.split_once('"')?;
        Some((name.to_string(), value.trim().to_string()))
    });
    answers.collect()
}

/// Whether the text is an integer, or made of numbers by operators.
fn is_number(value: &str) -> bool {
    value.contains(|c: char| c.is_ascii_digit())
        && value.chars().all(|c| c.is_ascii_alphanumeric() || " ()~+-*<>|&".contains(c))
        && value
            .split(|c: char| !c.is_ascii_alphanumeric())
            .all(|word| word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()))
        && (!value.ends_with(['F', 'L', 'i']) || value.starts_with("0x"))
}

/// One assertion for each macro that is a number here: its value and its type are C's.
fn macro_assertions(cc: &str, source: &Path) -> String {
    let root = root();
    let flags = [
        format!("-I{}", root.join("lib/include").display()),
        "-D__TENURE__=1".to_string(),
        "-D__TENURE_C__=1".to_string(),
    ];
    let numbers = macros(cc, &flags, source).into_iter().filter(|(_, value)| is_number(value));
    let numbers: Vec<(String, String)> = numbers.collect();
    assert!(numbers.len() > 600, "{cc}: {} macros", numbers.len());
    let assertions = numbers.iter().filter(|(name, _)| !OWN_MACROS.contains(&name.as_str()));
    assertions
        .map(|(name, value)| {
            format!(
                "_Static_assert(({name}) == ({value}) && sizeof({name}) == sizeof({value}) \
                 && ((__typeof__({name}))-1 < 0) == ((__typeof__({value}))-1 < 0), \"\");\n"
            )
        })
        .collect()
}

/// What C asks of the locale and of the processor when the program runs: the most that any locale needs, the usual rounding.
const OWN_MACROS: &[&str] = &["MB_CUR_MAX", "FLT_ROUNDS"];

#[test]
fn the_librarys_types_and_constants_are_those_of_c() {
    let temp = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
    for cc in platforms() {
        let names = shared_headers(cc, temp.path());
        assert!(names.len() > 50, "{cc}: {} headers", names.len());
        let source = temp.path().join("all.c");
        std::fs::write(&source, including(&names)).expect("a temporary file");
        let types = assertions(cc, &source);
        assert!(types.lines().count() > 800, "{cc}: {} assertions", types.lines().count());
        let program = including(&names) + &types + &macro_assertions(cc, &source);
        let said = refused(cc, temp.path(), &program);
        assert!(said.is_empty(), "{cc}:\n{said}");
    }
}

fn seeds(share: u64) -> std::ops::Range<u64> {
    let first = from_environment("TENURE_LAYOUT_SEED", 1);
    first..first + from_environment("TENURE_LAYOUTS", 8).div_ceil(share)
}

#[test]
fn random_records_are_laid_out_as_by_c() {
    for_each(seeds(1), None, |_, seed, _: &Mutex<()>| {
        let temp = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
        let program = generate::records(seed);
        let source = temp.path().join("records.c");
        std::fs::write(&source, &program).expect("a temporary file");
        for cc in platforms() {
            let types = assertions(cc, &source);
            assert!(types.lines().count() > 100, "seed {seed}, {cc}:\n{types}");
            let said = refused(cc, temp.path(), &(program.clone() + &types));
            assert!(said.is_empty(), "seed {seed}, {cc}:\n{program}\n{said}");
        }
    });
}

/// What a program prints, built by this command.
fn printed(command: &mut Command, program: &Path) -> String {
    let built = run(command.arg("-o").arg(program));
    assert!(built.status.success(), "{}", text(&built.stderr));
    text(&run(&mut Command::new(program)).stdout)
}

#[test]
fn members_of_random_records_lie_where_c_has_them() {
    for_each(seeds(2), None, |disk, seed, _: &Mutex<()>| {
        let temp = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
        let program = generate::program(seed);
        let source = temp.path().join("bits.c");
        std::fs::write(&source, &program).expect("a temporary file");
        let mut tenure = Command::new(env!("CARGO_BIN_EXE_tenure"));
        let ours = printed(tenure.arg("build").arg(&source), &temp.path().join("ours"));
        let mut c = Command::new(disk.cc.program());
        let theirs = printed(c.args(["-w", "-std=gnu11"]).arg(&source), &temp.path().join("c"));
        assert_eq!(ours, theirs, "seed {seed}:\n{program}");
    });
}
