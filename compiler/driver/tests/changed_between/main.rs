//! Every check against every kind of store: what is stored to between a test and its use is checked again, and the check fails;
//! what provably is not has no check left.
//!
//! `table.rs` has both lists. Each check gives one program with a function for each store; it is compiled as a whole program and as one
//! unit of several, optimised, so that neither the analysis of checks nor the C compiler may take the object for unchanged.

#[path = "../support/programs.rs"]
mod programs;
mod special;
mod table;

use programs::ran_emitted;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use table::{Check, Needs, Store, CHECKS, HARMLESS, STORES};
use tenure_core::{CheckStatus, Program, StmtKind, Visitor};
use tenure_driver::{front, Cc, Disk, Home, Settings, TempDir, STACK_BYTES};
use tenure_span::{Sink, SourceMap};

const PRELUDE: &str = include_str!("prelude.cyc");

/// A program of functions that each test, store and use.
struct Generated {
    text: String,
    /// C beside it.
    c: String,
    /// The stores by name; the function of the n-th is `fn`.
    stores: Vec<&'static str>,
    /// How many of them are harmful; the others follow.
    harmful: usize,
}

fn applies(check: &Check, store: &Store) -> bool {
    match store.needs {
        Needs::Nothing => true,
        Needs::Bits => check.bad_byte.is_some(),
        Needs::Word => check.is_word,
    }
}

fn parameters(check: &Check) -> (String, String) {
    let mut params = String::from(
        "tag_t<`n> n, int @{valueof(`n)} counted, int ?any, int least, int one, T @p, T @q, struct S @s, struct S @t, T @pf, \
         struct B @b, struct B @c, T @{4} a, T @{4} d, int *@reference",
    );
    let mut args = String::from(
        "10, ten, ten, -2147483647 - 1, 1, &the_cell, &the_cell, &the_s, &the_s, &the_s.f, &the_b, &the_b, the_array, the_array, &the_reference",
    );
    if check.bad_byte.is_some() {
        params.push_str(", union U @u, union U @m, T @pm");
        args.push_str(", &the_u, &the_u, &the_u.m");
    }
    if check.is_word {
        params.push_str(", struct W<T> @w, struct W<T> @y, $(T,int) @e, $(T,int) @o");
        args.push_str(", &the_w, &the_w, &the_t, &the_t");
    }
    (params, args)
}

/// A function that calls the one of that number and says whether it raised: cc takes long for many handlers in one function.
fn run(runs: &mut String, main: &mut String, number: usize, objects: &str, args: &str) {
    let _ = writeln!(
        runs,
        "static void run{number}(void) {{\n  reset();\n  try {{ {objects} int r = f{number}({args}); \
         printf(\"{number} %d\\n\", r * 0); }} catch {{ default: printf(\"{number} raised\\n\"); }}\n}}"
    );
    let _ = writeln!(main, "  run{number}();");
}

fn generate(check: &Check) -> Generated {
    let harmless = HARMLESS.iter().filter(|_| check.goes);
    let all = STORES.iter().chain(harmless).filter(|store| applies(check, store));
    let harmful = STORES.iter().filter(|store| applies(check, store)).count();
    let (params, args) = parameters(check);
    let mut text = format!(
        "#include <core.h>\n#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n#include <assert.h>\n#include <array.h>\nenum Number {{ NONE, SOME }};\n\
         typedef {} T;\n#define GOOD ({})\n#define BAD ({})\n#define BYTE ({})\n#define ALL ({})\n",
        check.ty,
        check.good,
        check.bad,
        check.bad_byte.unwrap_or("0"),
        u8::from(check.bad_byte == Some("-1")),
    );
    for (wanted, name) in [(check.bad_byte.is_some(), "IS_BITS"), (check.is_word, "IS_WORD")] {
        if wanted {
            let _ = writeln!(text, "#define {name}");
        }
    }
    text.push_str(PRELUDE);
    let (mut runs, mut main) = (String::new(), String::from("int main() {\n"));
    let mut stores = Vec::new();
    for store in all {
        let number = stores.len();
        let [test, access] = [check.test, check.access]
            .map(|part| part.replace('V', &format!("({})", store.victim)));
        let changed = store.store.replace("ACCESS", &access);
        let _ = writeln!(
            text,
            "static int f{number}({params}) {{\n  {}\n  if ({test}) {{\n    {changed}\n    return {access};\n  }}\n  return -1;\n}}",
            store.before
        );
        run(&mut runs, &mut main, number, "", &args);
        stores.push(store.name);
    }
    text = text + &runs + &main + "  return 0;\n}\n";
    let c = match check.is_word {
        true => format!("void c_set({} *p) {{ *p = {}; }}\n", c_type(check.ty), c_value(check.bad)),
        false => String::new(),
    };
    Generated { text, c, stores, harmful }
}

fn c_type(ty: &str) -> &str {
    if ty.starts_with("enum") {
        "unsigned"
    } else {
        ty
    }
}

fn c_value(value: &str) -> &str {
    if value == "NULL" {
        "0"
    } else {
        value
    }
}

/// Checks that remain in a function.
struct Needed(usize);

impl Visitor for Needed {
    fn stmt(&mut self, stmt: &tenure_core::Stmt) {
        if let StmtKind::Check(check) = &stmt.kind {
            self.0 += usize::from(check.status == CheckStatus::Needed);
        }
        tenure_core::walk_stmt(self, stmt);
    }
}

fn needed(program: &Program, name: &str) -> usize {
    let mut needed = Needed(0);
    for function in &program.functions {
        if program.decls[function.id].c_name.as_str() == name {
            needed.block(&function.body);
        }
    }
    needed.0
}

fn compiled(disk: &Disk, path: &Path, whole_program: bool) -> (Program, String) {
    let mut map = SourceMap::new();
    let sink = Sink::new();
    let settings = Settings { whole_program, ..Settings::default() };
    let name = path.display().to_string();
    let result = front(disk, &disk.home, &name, &settings, &mut map, &sink, &mut String::new());
    let errors = sink.take().into_iter().filter(|d| d.is_error()).map(|error| {
        let line = map.line(error.primary.span).map_or(0, |(_, line)| line);
        format!("{line}: {} {}", error.code, error.headline)
    });
    let errors: Vec<String> = errors.collect();
    let Ok(program) = result else { panic!("{name}:\n{}", errors.join("\n")) };
    let text = tenure_emit::emit(&program, &map, &tenure_emit::EmitOptions::default());
    (program, text)
}

fn attempt(disk: &Disk, name: &str, generated: &Generated, whole_program: bool) -> Vec<String> {
    let temp = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
    let path = temp.path().join("table.cyc");
    for (file, text) in [(&path, &generated.text), (&temp.path().join("beside.c"), &generated.c)] {
        std::fs::write(file, text).unwrap_or_else(|error| panic!("{error}"));
    }
    if let Some(kept) = std::env::var_os("TENURE_TABLE_DIR") {
        let kept = Path::new(&kept).join(format!("{name}.cyc"));
        std::fs::copy(&path, kept).unwrap_or_else(|error| panic!("{error}"));
    }
    let (program, c) = compiled(disk, &path, whole_program);
    let said =
        ran_emitted(disk, temp.path(), &c, "-O2").unwrap_or_else(|text| panic!("{name}: {text}"));
    let lines: Vec<&str> = said.lines().collect();
    let mut wrong = Vec::new();
    let how = if whole_program { "a whole program" } else { "a unit" };
    for (number, store) in generated.stores.iter().enumerate() {
        let function = format!("f{number}");
        let is_harmful = number < generated.harmful;
        let raised = lines.get(number) == Some(&format!("{number} raised").as_str());
        if is_harmful && !raised {
            wrong.push(format!(
                "{name}, {store}, as {how}: {function} has no check left that fails"
            ));
        }
        if !is_harmful && (raised || needed(&program, &function) > 0) {
            wrong.push(format!("{name}, {store}, as {how}: {function} keeps its check"));
        }
    }
    wrong
}

/// Compiles and runs each program in both ways, two at a time; what went wrong.
fn all_wrong(programs: &[(&str, Generated)]) -> Vec<String> {
    let home = Home::find().unwrap_or_else(|text| panic!("{text}"));
    let cc = Cc::find().unwrap_or_else(|error| panic!("{}", error.0));
    let disk = Disk { cc, home };
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some((name, generated)) = programs.get(number / 2) else { return };
        let found = attempt(&disk, name, generated, number % 2 == 0);
        if let Ok(mut wrong) = wrong.lock() {
            wrong.extend(found);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work).unwrap_or_else(|error| panic!("{error}"));
        }
    });
    wrong.into_inner().unwrap_or_default()
}

#[test]
fn each_store_keeps_each_check_that_it_may_change() {
    let programs: Vec<(&str, Generated)> =
        CHECKS.iter().map(|check| (check.name, generate(check))).collect();
    let wrong = all_wrong(&programs);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn stores_keep_checks_of_tags_and_terminators() {
    let wrong = all_wrong(&special::programs());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
