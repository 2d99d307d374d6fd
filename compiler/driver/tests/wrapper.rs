//! `tenure cc` stands where gcc does: in make, CMake and Meson, beside objects of a plain C compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Dir(PathBuf);

impl Dir {
    fn new(name: &str, files: &[(&str, &str)]) -> Dir {
        let path = std::env::temp_dir().join(format!("tenure-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary directory");
        for (file, text) in files {
            std::fs::write(path.join(file), text).expect("a file of the test");
        }
        Dir(path)
    }

    fn run(&self, program: &str, args: &[&str]) -> Output {
        Command::new(program)
            .args(args)
            .current_dir(&self.0)
            .env("LC_ALL", "C")
            .env("CC", format!("{} cc", tenure()))
            .output()
            .unwrap_or_else(|error| panic!("{program}: {error}"))
    }

    /// Runs a command that must succeed; its standard output.
    fn ok(&self, program: &str, args: &[&str]) -> String {
        let output = self.run(program, args);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{program} {args:?}:\n{out}\n{err}");
        out
    }

    fn cc(&self, line: &str) -> Output {
        let mut args = vec!["cc"];
        args.extend(line.split_whitespace());
        self.run(tenure(), &args)
    }

    fn cc_ok(&self, line: &str) -> String {
        let mut args = vec!["cc"];
        args.extend(line.split_whitespace());
        self.ok(tenure(), &args)
    }

    fn has(&self, file: &str) -> bool {
        self.0.join(file).exists()
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap_or_default()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn tenure() -> &'static str {
    env!("CARGO_BIN_EXE_tenure")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

const MAIN: &str = "\
#include <stdio.h>
#include \"sum.h\"

int main(void) {
    int a[4] = {1, 2, 3, 4};
    printf(\"%d\\n\", sum(a, 4) + twice(16));
    return 0;
}
";
const HEADER: &str = "\
int sum(int ?numbers, int n);
extern \"C\" { int twice(int x); }
";
const SUM: &str = "\
#include \"sum.h\"
int sum(int ?numbers, int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += numbers[i];
    return total;
}
";
const TWICE: &str = "int twice(int x) { return 2 * x; }\n";

fn project(name: &str) -> Dir {
    Dir::new(name, &[("main.cyc", MAIN), ("sum.h", HEADER), ("sum.c", SUM), ("twice.c", TWICE)])
}

#[test]
fn units_are_compiled_apart_and_linked_with_plain_c() {
    let dir = project("apart");
    dir.cc_ok("-c main.cyc");
    dir.cc_ok("-O2 -g -c -o sum.o sum.c");
    dir.ok("gcc", &["-c", "twice.c"]);
    dir.cc_ok("-o program main.o sum.o twice.o -lm");
    assert_eq!(dir.ok("./program", &[]), "42\n");
    dir.cc_ok("main.cyc sum.c --plain-c=twice.c -o at_once");
    assert_eq!(dir.ok("./at_once", &[]), "42\n");
    dir.cc_ok("main.cyc sum.c -x plain-c twice.c");
    assert_eq!(dir.ok("./a.out", &[]), "42\n");
}

#[test]
fn a_plain_c_program_calls_into_an_object_of_ours() {
    let dir = Dir::new("into", &[
        ("ours.cyc", "int square(int x) { return x * x; }\n"),
        ("main.c", "#include <stdio.h>\nint square(int);\nint main(void) { printf(\"%d\\n\", square(7)); return 0; }\n"),
    ]);
    dir.cc_ok("-c ours.cyc");
    dir.ok("gcc", &["-c", "main.c"]);
    dir.cc_ok("main.o ours.o -o program");
    assert_eq!(dir.ok("./program", &[]), "49\n");
}

#[test]
fn dependencies_preprocessing_and_assembly_are_written() {
    let dir = project("deps");
    dir.cc_ok("-MMD -MP -c sum.c -o sum.o");
    assert!(dir.read("sum.d").starts_with("sum.o: sum.c sum.h"), "{}", dir.read("sum.d"));
    dir.cc_ok("-MD -MF other.d -MT target -c sum.c");
    assert!(dir.read("other.d").starts_with("target:"), "{}", dir.read("other.d"));
    assert!(dir.cc_ok("-MM sum.c").contains("sum.h"));
    assert!(dir.cc_ok("-E sum.c").contains("int sum(int ?numbers, int n);"));
    dir.cc_ok("-S sum.c");
    assert!(dir.read("sum.s").contains("sum:"));
    dir.cc_ok("-fsyntax-only sum.c");
    assert!(!dir.has("a.out"));
}

#[test]
fn it_answers_as_the_compiler_that_it_runs() {
    let dir = Dir::new("answers", &[]);
    let version = dir.cc_ok("--version");
    assert!(version.contains("gcc") || version.contains("clang"), "{version}");
    assert!(!dir.cc_ok("-dumpmachine").trim().is_empty());
    assert!(dir.cc_ok("-E -dM -x c /dev/null").contains("__GNUC__"));
    assert_eq!(dir.cc("-c").status.code(), Some(2));
    assert_eq!(dir.cc("-c absent.c").status.code(), Some(2));
}

#[test]
fn errors_of_the_program_fail_the_build() {
    let dir = Dir::new("errors", &[("bad.c", "int f(void) { return y; }\n")]);
    let output = dir.cc("-c bad.c");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("bad.c:1:22"), "{}", text(&output.stderr));
    assert!(!dir.has("bad.o"));
}

#[test]
fn a_program_may_ask_for_one_sanitizer_alone() {
    let hello = "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", 1); return 0; }\n";
    let dir = Dir::new("one-sanitizer", &[("hello.cyc", hello)]);
    for list in ["address", "undefined", "address,undefined"] {
        dir.cc_ok(&format!("-g -fsanitize={list} hello.cyc -o hello"));
        assert_eq!(dir.ok("./hello", &[]), "1\n", "{list}");
    }
}

#[test]
fn a_shared_library_can_be_built() {
    let dir = Dir::new(
        "shared",
        &[
            ("lib.c", "int answer(void) { return 42; }\n"),
            ("main.c", "int answer(void);\nint main(void) { return answer() == 42 ? 0 : 1; }\n"),
        ],
    );
    dir.cc_ok("-shared -fPIC -o libanswer.so lib.c");
    dir.cc_ok("main.c -L. -lanswer -Wl,-rpath,. -o program");
    dir.ok("./program", &[]);
}

#[test]
fn make_builds_with_it() {
    if !there("make") {
        return;
    }
    let makefile = "program: main.o sum.o\n\t$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@\n\
                    main.o: main.c sum.h\nCFLAGS = -O2 -Wall -Wextra -g\n";
    let main = MAIN.replace(" + twice(16)", "");
    let dir = Dir::new(
        "make",
        &[
            ("Makefile", makefile),
            ("main.c", &main),
            ("sum.c", SUM),
            ("sum.h", "int sum(int ?numbers, int n);\n"),
        ],
    );
    let cc = format!("CC={} cc", tenure());
    dir.ok("make", &[&cc]);
    assert_eq!(dir.ok("./program", &[]), "10\n");
}

const CMAKE: &str = "\
cmake_minimum_required(VERSION 3.13)
project(demo C)
enable_testing()
find_package(Threads REQUIRED)
add_library(sum STATIC sum.c)
add_executable(program main.c)
target_link_libraries(program sum Threads::Threads m)
";

#[test]
fn cmake_builds_with_it() {
    if !there("cmake") {
        return;
    }
    let main = MAIN.replace(" + twice(16)", "");
    let dir = Dir::new(
        "cmake",
        &[
            ("CMakeLists.txt", CMAKE),
            ("main.c", &main),
            ("sum.c", SUM),
            ("sum.h", "int sum(int ?numbers, int n);\n"),
        ],
    );
    dir.ok("cmake", &["-B", "build", "-S", ".", "-DCMAKE_BUILD_TYPE=Release"]);
    dir.ok("cmake", &["--build", "build"]);
    let program = Path::new("./build/program").display().to_string();
    assert_eq!(dir.ok(&program, &[]), "10\n");
}

const MESON: &str = "\
project('demo', 'c', default_options : ['buildtype=debugoptimized', 'warning_level=2'])
executable('program', 'main.c', 'sum.c')
";

#[test]
fn meson_builds_with_it() {
    if !there("meson") || !there("ninja") {
        return;
    }
    let main = MAIN.replace(" + twice(16)", "");
    let dir = Dir::new(
        "meson",
        &[
            ("meson.build", MESON),
            ("main.c", &main),
            ("sum.c", SUM),
            ("sum.h", "int sum(int ?numbers, int n);\n"),
        ],
    );
    dir.ok("meson", &["setup", "build"]);
    dir.ok("ninja", &["-C", "build"]);
    assert_eq!(dir.ok("./build/program", &[]), "10\n");
}

const SHARED_HEADER: &str =
    "int *@notnull`r later(int *@notnull`r p, int n);\nextern int counter;\n";

#[test]
fn units_that_agree_link_as_objects_archives_and_shared_libraries() {
    let dir = Dir::new(
        "agree",
        &[
            ("lib.h", SHARED_HEADER),
            ("lib.c", "#include \"lib.h\"\nint counter = 3;\nint *@notnull`r later(int *@notnull`r p, int n) { *p += n; return p; }\n"),
            ("main.c", "#include \"lib.h\"\nint main(void) { int x = counter; return *later(&x, 4) - 7; }\n"),
            // The same type, with another name for the region.
            ("own.c", "int *@notnull`q later(int *@notnull`q, int);\nextern int counter;\nint main(void) { int x = counter; return *later(&x, 4) - 7; }\n"),
        ],
    );
    dir.cc_ok("-fPIC -c lib.c main.c own.c");
    dir.ok("ar", &["rcs", "libx.a", "lib.o"]);
    dir.cc_ok("-shared lib.o -o libx.so");
    for (link, output) in [
        ("main.o lib.o", "objects"),
        ("own.o libx.a", "archive"),
        ("main.o -L. -l:libx.so -Wl,-rpath,.", "shared"),
    ] {
        dir.cc_ok(&format!("{link} -o {output}"));
        dir.ok(&format!("./{output}"), &[]);
    }
}

#[test]
fn units_that_do_not_agree_do_not_link() {
    let dir = Dir::new(
        "disagree",
        &[
            ("one.c", "int twice(int *p);\nint main(void) { return twice(NULL); }\n"),
            ("two.c", "int used;\n\nint twice(int *@notnull p) { return 2 * *p; }\n"),
            ("three.c", "extern char ?counter;\nint main(void) { return counter[0]; }\n"),
            ("four.c", "long counter[2];\n"),
        ],
    );
    dir.cc_ok("-c one.c two.c three.c four.c");
    dir.ok("ar", &["rcs", "libx.a", "two.o"]);
    for objects in ["one.o two.o", "one.o libx.a"] {
        let output = dir.cc(&format!("{objects} -o program"));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("error[E0907]: `twice` is declared at another type"), "{said}");
        assert!(
            said.contains("declared at one.c:1") && said.contains("defined at two.c:3"),
            "{said}"
        );
        assert!(!said.contains("undefined reference"), "{said}");
    }
    let said = text(&dir.cc("three.o four.o -o program").stderr);
    assert!(
        said.contains("`counter`") && said.contains("three.c:1") && said.contains("four.c:1"),
        "{said}"
    );
    assert!(!dir.has("program"));
}

/// Two units, what their shared type is called, and where each defines it.
const DIFFERENT: [(&str, &str, &str, &str); 7] = [
    (
        "struct point { int x, y; };\nint f(struct point *p);\nint main(void) { return f(NULL); }\n",
        "struct point { int x; int *y; };\nint f(struct point *p) { return p == NULL; }\n",
        "struct point",
        "one.c:1 two.c:1",
    ),
    // Behind two others, one of which refers to itself.
    (
        "struct leaf { long a; };\nstruct node { struct node *next; struct leaf *leaf; };\nextern struct node *first;\nint main(void) { return first == NULL; }\n",
        "\nstruct leaf { int a; };\nstruct node { struct node *next; struct leaf *leaf; };\nstruct node *first;\n",
        "struct leaf",
        "one.c:1 two.c:2",
    ),
    (
        "datatype shape { Circle(double); Square(int); };\nint f(datatype shape *s);\nint main(void) { return f(NULL); }\n",
        "datatype shape { Square(int); Circle(double); };\nint f(datatype shape *s) { return s == NULL; }\n",
        "datatype shape",
        "one.c:1 two.c:1",
    ),
    (
        "enum colour { red, green };\nint f(enum colour c);\nint main(void) { return f(red); }\n",
        "enum colour { green, red };\nint f(enum colour c) { return c == red; }\n",
        "enum colour",
        "one.c:1 two.c:1",
    ),
    (
        "namespace N { struct pair<`a> { `a first; int second; }; }\ntypedef struct N::pair<int *> pair;\nint f(pair *p);\nint main(void) { return f(NULL); }\n",
        "namespace N { struct pair<`a> { int first; `a second; }; }\ntypedef struct N::pair<int *> pair;\nint f(pair *p) { return p == NULL; }\n",
        "struct N::pair",
        "one.c:1 two.c:1",
    ),
    (
        "struct cause { int code; };\n@extensible datatype exn { Failed(struct cause *); };\nint f(int n);\nint main(void) { try { return f(2); } catch { case &Failed(c): return c->code; } }\n",
        "struct cause { char *@notnull text; };\n@extensible datatype exn { extern Failed(struct cause *); };\nint f(int n) { throw new Failed(NULL); }\n",
        "struct cause",
        "one.c:1 two.c:1",
    ),
    (
        "union word { int i; float f; };\nint f(union word *w);\nint main(void) { return f(NULL); }\n",
        "@tagged union word { int i; float f; };\nint f(@tagged union word *w) { return w == NULL; }\n",
        "union word",
        "one.c:1 two.c:1",
    ),
];

#[test]
fn units_that_define_a_type_differently_do_not_link() {
    for (number, (one, two, name, places)) in DIFFERENT.into_iter().enumerate() {
        let dir = Dir::new(&format!("differ{number}"), &[("one.c", one), ("two.c", two)]);
        dir.cc_ok("-c one.c two.c");
        dir.ok("ar", &["rcs", "libx.a", "two.o"]);
        for link in
            ["one.o two.o", "one.o libx.a", "one.o -L. -lx", "-Wl,--gc-sections one.o two.o"]
        {
            let output = dir.cc(&format!("{link} -o program"));
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{one}\n{said}");
            let headline = format!("error[E0907]: units define `{name}` differently");
            assert!(said.contains(&headline), "{one}\n{said}");
            assert!(
                places.split(' ').all(|place| said.contains(&format!("defined at {place}\n"))),
                "{said}"
            );
            assert_eq!(
                said.matches("error[").count(),
                if name == "union word" { 2 } else { 1 },
                "{said}"
            );
        }
        assert!(!dir.has("program"));
    }
}

#[test]
fn a_unit_may_know_less_of_a_type_or_have_its_own() {
    let dir = Dir::new(
        "opaque",
        &[
            ("one.c", "struct point { int x, y; };\nstruct point *`r pass(struct point *`r);\nint main(void) { struct point p = { 1, 2 }; return pass(&p)->y - 2; }\n"),
            ("other.c", "struct point { int *x; };\nstruct point *`r pass(struct point *`r);\nint use(void) { return pass(NULL) == NULL; }\n"),
            ("between.c", "struct point;\nstruct point *`r pass(struct point *`r p) { return p; }\n"),
            ("private.c", "struct point { double x; };\nstatic struct point p = { 2.0 };\nint two(void) { return (int)p.x; }\n"),
        ],
    );
    dir.cc_ok("-c -fPIC one.c other.c between.c private.c");
    dir.cc_ok("one.o between.o private.o -o program");
    dir.ok("./program", &[]);
    // Two units that know it do not agree, though each agrees with the one between them.
    let said = text(&dir.cc("one.o between.o other.o -o wrong").stderr);
    assert!(said.contains("units define `struct point` differently"), "{said}");
    assert!(said.contains("at one.c:1") && said.contains("at other.c:1"), "{said}");
    dir.cc_ok("-shared between.o other.o -o libb.so");
    let said = text(&dir.cc("one.o -L. -lb -o wrong").stderr);
    assert!(said.contains("units define `struct point` differently"), "{said}");
    assert!(!dir.has("wrong"));
}

#[test]
fn what_c_defines_is_declared_in_extern_c() {
    let dir = Dir::new(
        "believed",
        &[
            ("plain.c", "int *labs(long);\nint main(void) { return labs(3) == NULL; }\n"),
            ("renamed.c", "int *number(long) __attribute__((link_name(\"labs\")));\nint main(void) { return number(3) == NULL; }\n"),
            ("good.c", "extern \"C\" { long labs(long); }\nint main(void) { return labs(-3) != 3; }\n"),
        ],
    );
    for source in ["plain.c", "renamed.c"] {
        let output = dir.cc(&format!("{source} -o program"));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains("error[E0907]: `labs` is used, but no unit in Tenure defines it"),
            "{said}"
        );
        assert!(said.contains(&format!("{source}:1")) && said.contains("extern \"C\""), "{said}");
    }
    dir.cc_ok("good.c -o good");
    dir.ok("./good", &[]);
}

#[test]
fn a_configuration_scripts_question_links_and_does_not_run() {
    let source = "char pthread_create(void);\nint main(void) { return pthread_create(); }\n";
    let dir = Dir::new(
        "probe",
        &[
            ("probe.c", source),
            (
                "wrong.c",
                "char no_such_function(void);\nint main(void) { return no_such_function(); }\n",
            ),
        ],
    );
    dir.cc_ok("probe.c -o probe");
    let output = dir.run("./probe", &[]);
    assert_eq!(output.status.code(), Some(70));
    assert_eq!(
        text(&output.stderr),
        "tenure: pthread_create is used at probe.c:1, but no unit in Tenure defines it\n"
    );
    assert!(!dir.cc("wrong.c -o wrong").status.success());
}

#[test]
fn a_programs_own_of_a_name_of_cs_is_one_for_all_units() {
    let dir = Dir::new(
        "own",
        &[
            ("one.c", "int getline(int);\nextern int environ;\nint main(void) { return getline(3) - environ; }\n"),
            ("two.c", "int environ = 4;\nint getline(int n) { return n + 1; }\n"),
            ("other.c", "int environ = 4;\nint getline(long n) { return 1; }\n"),
        ],
    );
    dir.cc_ok("-c one.c two.c other.c");
    dir.cc_ok("one.o two.o -o program");
    dir.ok("./program", &[]);
    let said = text(&dir.cc("one.o other.o -o wrong").stderr);
    assert!(said.contains("error[E0907]: `getline` is declared at another type"), "{said}");
}

#[test]
fn what_cc_believes_of_a_function_or_variable_is_part_of_its_type() {
    let pairs = [
        ("noreturn", "_Noreturn void f(int);\nint main(void) { f(1); }\n", "void f(int n) { }\n"),
        ("thread", "extern int f;\nint main(void) { return f; }\n", "_Thread_local int f = 3;\n"),
    ];
    for (name, one, two) in pairs {
        let dir = Dir::new(&format!("believed-{name}"), &[("one.c", one), ("two.c", two)]);
        let said = text(&dir.cc("one.c two.c -o wrong").stderr);
        assert!(said.contains("E0907") || said.contains("TLS"), "{said}");
        assert!(!dir.has("wrong"));
    }
}

#[test]
fn alignment_that_only_a_declaration_claims_is_not_believed() {
    let dir = Dir::new(
        "alignment",
        &[
            ("one.c", "struct S { double a[8]; };\nextern _Alignas(64) struct S s, t;\nint main(void) { s = t; return (int)s.a[1] - 2; }\n"),
            ("two.c", "struct S { double a[8]; };\nchar before = 1;\nstruct S s = {{0.0}};\nchar between = 2;\nstruct S t = {{1.0, 2.0}};\n"),
        ],
    );
    dir.cc_ok("-O3 -mavx one.c two.c -o program");
    dir.ok("./program", &[]);
}

#[test]
fn flags_that_let_disagreement_pass_are_refused() {
    let dir = Dir::new(
        "silenced",
        &[
            ("one.c", "int x[4];\nint main(void) { return x[0]; }\n"),
            ("two.c", "long x[400];\nint f(void) { return (int)x[399]; }\n"),
        ],
    );
    assert!(!dir.cc("-fcommon one.c two.c -o wrong").status.success());
    for flag in [
        "-Wl,--allow-multiple-definition",
        "-Wl,-z,muldefs",
        "-z muldefs",
        "-Wl,--defsym=f=x",
        "-Xlinker --unresolved-symbols=ignore-all",
        "-Wl,--wrap=f",
        "-fsso-struct=big-endian",
        "-ffixed-rbx",
        "-fexec-charset=UTF-16",
    ] {
        let output = dir.cc(&format!("{flag} one.c two.c -o wrong"));
        assert_eq!(output.status.code(), Some(2), "{flag}: {}", text(&output.stderr));
    }
    assert!(!dir.has("wrong"));
}

#[test]
fn a_source_with_libraries_is_no_whole_program() {
    let dir = Dir::new(
        "whole-program",
        &[
            ("a.cyc", "int a[10];\nint at(int i) { return a[i]; }\nint other(void);\nint main(void) { return at(3) + other(); }\n"),
            ("b.cyc", "int at(int i);\nint other(void) { return at(100000000); }\n"),
        ],
    );
    dir.cc_ok("-c b.cyc");
    dir.ok("ar", &["rcs", "libb.a", "b.o"]);
    dir.ok(tenure(), &["build", "a.cyc", "-L.", "-l", "b", "-o", "program"]);
    let output = dir.run("./program", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Array_bounds: index 100000000, size 10"));
}

#[test]
fn libraries_of_units_that_do_not_agree_make_no_program() {
    let dir = Dir::new(
        "disagreeing-libraries",
        &[
            ("a.c", "int twice(int *p);\nint other(void) { return twice(NULL); }\n"),
            ("b.c", "int twice(int *@notnull p) { return 2 * *p; }\n"),
            ("c.c", "int other(void);\nint main(void) { return other(); }\n"),
        ],
    );
    dir.cc_ok("-fPIC -c a.c b.c c.c");
    dir.cc_ok("-shared a.o b.o -o libab.so");
    dir.cc_ok("-r a.o b.o -o ab.o");
    for inputs in ["-L. -lab", "ab.o", "a.o b.o"] {
        let said = text(&dir.cc(&format!("c.o {inputs} -o wrong")).stderr);
        assert!(said.contains("error[E0907]: `twice` is declared at another type"), "{said}");
        assert!(!dir.has("wrong"));
    }
}

#[test]
fn a_unit_in_c_does_not_get_cs_where_the_program_has_its_own() {
    let dir = Dir::new(
        "mixed-own",
        &[
            ("one.cyc", "int getline(int n) { return n + 1; }\nextern \"C\" int twice(int n);\nint main(void) { return twice(1); }\n"),
            ("two.c", "int getline(int n);\nint twice(int n) { return 2 * getline(n); }\n"),
            ("renamed.cyc", "int next(int n) { return n + 1; }\nextern \"C\" int twice(int n);\nint main(void) { return twice(1) - 4; }\n"),
            ("three.c", "int next(int n);\nint twice(int n) { return 2 * next(n); }\n"),
            ("cs.c", "#include <stdio.h>\nint line(void) { return getline(NULL, NULL, NULL) < 0; }\nint twice(int n) { return 2 * n - 2; }\n"),
        ],
    );
    for source in ["two.c", "three.c", "cs.c"] {
        dir.ok("gcc", &["-c", "-w", source]);
    }
    dir.ok("ar", &["rc", "libtwo.a", "two.o"]);
    for units in ["one.cyc two.o", "one.cyc libtwo.a", "one.cyc -L. -ltwo"] {
        let said = text(&dir.cc(&format!("{units} -o program")).stderr);
        assert!(said.contains("error[E0911]: `getline` is C's in `"), "{units}: {said}");
        assert!(said.contains("the program's is defined at one.cyc:1"), "{said}");
        assert!(!said.contains("reference to"), "{said}");
        assert!(!dir.has("program"));
    }
    let out = dir.cc_ok("renamed.cyc three.o -o program");
    assert_eq!(out, "");
    dir.ok("./program", &[]);
    // A unit in C may call C's where no unit in Tenure has its own.
    dir.cc_ok("renamed.cyc cs.o -o program");
}

#[test]
fn a_programs_function_does_not_take_the_place_of_a_librarys() {
    let dir = Dir::new(
        "interposed",
        &[
            ("lib.c", "int helper(int *p) { return *p; }\nint ask(void) { int n = 3; return helper(&n); }\n"),
            ("one.cyc", "int helper(int n) { return n; }\nextern \"C\" int ask(void);\nint main(void) { return ask() + helper(1); }\n"),
            ("two.cyc", "static int helper(int n) { return n; }\nextern \"C\" int ask(void);\nint main(void) { return ask() + helper(1) - 4; }\n"),
        ],
    );
    dir.ok("gcc", &["-shared", "-fPIC", "lib.c", "-o", "libask.so"]);
    for library in ["-L. -lask", "./libask.so"] {
        let said = text(&dir.cc(&format!("one.cyc {library} -o program")).stderr);
        assert!(
            said.contains("error[E0911]: `helper` would take the place of the one in `libask.so`"),
            "{said}"
        );
        dir.cc_ok(&format!("two.cyc {library} -Wl,-rpath,. -o program"));
        dir.ok("./program", &[]);
    }
}

#[test]
fn units_with_cyclones_rules_and_without_agree_about_what_a_call_consumes() {
    let caller = "void f(int *`U p);\nint main(void) { int *`U p = new 5; f(p); return 0; }\n";
    let dir = Dir::new(
        "mixed-rules",
        &[
            ("caller.cyc", caller),
            ("keeps.cyc", "void f(int *`U p) { }\n"),
            ("frees.cyc", "#include <stdlib.h>\nvoid f(int *`U p) { free(p); }\n"),
        ],
    );
    dir.cc_ok("-c -Wno-leak frees.cyc caller.cyc");
    dir.cc_ok("caller.o frees.o -o program");
    for (theirs, ours) in [
        ("keeps", ["--cyclone1 -c -Wno-leak keeps.cyc -o keeps.o", "-c caller.cyc"]),
        ("frees", ["-c frees.cyc", "--cyclone1 -c -Wno-leak caller.cyc"]),
    ] {
        for line in ours {
            dir.cc_ok(line);
        }
        let said = text(&dir.cc(&format!("caller.o {theirs}.o -o program")).stderr);
        assert!(said.contains("error[E0907]: `f` is declared at another type"), "{said}");
    }
}

#[test]
fn a_unit_without_checks_takes_none_from_the_others() {
    let dir = Dir::new(
        "mixed-checks",
        &[
            ("one.cyc", "int at(int ?p, int i);\nint get(int ?p, int i) { return p[i]; }\nint main(void) {\n  int a[3] = {1, 2, 3};\n  try { return at(a, 2) + get(a, 3); } catch { case &Array_bounds: return 9; }\n}\n"),
            ("two.cyc", "int at(int ?p, int i) { return p[i]; }\n"),
        ],
    );
    dir.cc_ok("-c one.cyc");
    dir.cc_ok("--no-checks -O2 -c two.cyc");
    dir.cc_ok("one.o two.o -o program");
    assert_eq!(dir.run("./program", &[]).status.code(), Some(9));
}
