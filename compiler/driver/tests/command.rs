//! The command's own behaviour: exit statuses, what it prints where, what it leaves behind.

use std::process::{Command, Output};

fn tenure(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tenure")).args(args).output().expect("tenure runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn file(name: &str, content: &str) -> String {
    let path = std::env::temp_dir().join(format!("tenure-command-{}-{name}", std::process::id()));
    std::fs::write(&path, content).expect("a temporary file");
    path.display().to_string()
}

#[test]
fn the_exit_status_tells_a_wrong_program_from_a_wrong_command() {
    let good = file("good.cyc", "int main(void) { return 3; }\n");
    let bad = file("bad.cyc", "int main(void) { return y; }\n");
    assert_eq!(tenure(&["check", &good]).status.code(), Some(0));
    assert_eq!(tenure(&["run", &good]).status.code(), Some(3));
    assert_eq!(tenure(&["check", &bad]).status.code(), Some(1));
    assert_eq!(tenure(&["run", &bad]).status.code(), Some(1));
    assert_eq!(tenure(&["run"]).status.code(), Some(2));
    assert_eq!(tenure(&["frobnicate"]).status.code(), Some(2));
    assert_eq!(tenure(&["check", "no/such/file.cyc"]).status.code(), Some(2));
    assert_eq!(tenure(&["explain", "E9876"]).status.code(), Some(2));
}

#[test]
fn arguments_after_two_dashes_are_the_programs() {
    let source = file(
        "args.cyc",
        "int main(int argc, char ??argv) { return argc == 3 && argv[2][0] == '-' ? 0 : 1; }\n",
    );
    assert_eq!(tenure(&["run", &source, "--", "a", "-b"]).status.code(), Some(0));
}

#[test]
fn errors_of_all_files_are_shown_in_one_run() {
    let one = file("one.cyc", "int f(void) { return first; }\n");
    let two = file("two.cyc", "int g(void) { return second; }\n");
    let output = text(&tenure(&["build", &one, &two]).stderr);
    assert!(output.contains("`first`") && output.contains("`second`"), "{output}");
}

#[test]
fn diagnostics_have_forms_for_tools() {
    let bad = file("form.cyc", "int f(void) { return missing; }\n");
    let json = text(&tenure(&["check", "--error-format=json", &bad]).stderr);
    assert!(json.starts_with('{') && json.contains("\"E0201\""), "{json}");
    let sarif = text(&tenure(&["check", "--error-format=sarif", &bad]).stderr);
    assert!(
        sarif.contains("\"version\": \"2.1.0\"") || sarif.contains("\"version\":\"2.1.0\""),
        "{sarif}"
    );
    let human = text(&tenure(&["check", "--color=always", &bad]).stderr);
    assert!(human.contains("\u{1b}["), "{human}");
}

#[test]
fn a_directive_is_shown_inside_its_literal() {
    let source = "\
#include <stdio.h>
#define MIXED \"%d %s\"
int main(void) {
  printf(\"\\ta\\x41 %d %s\", 1, 2);
  printf(\"a\" \"b %d\"
         \"%ld\", 1, \"c\");
  printf(MIXED, 1, 2);
  printf(\"a %q\", 1);
  printf(\"%d %d\", 1);
  long l; int n;
  sscanf(\"1\", \"%*d %d\", &l);
  fscanf(stdin, \"%d %s\", &n, &n);
}
";
    let said = text(&tenure(&["check", &file("format.cyc", source)]).stderr);
    for lines in [
        "4 |   printf(\"\\ta\\x41 %d %s\", 1, 2);\n  |                      --      ^\n",
        "6 |          \"%ld\", 1, \"c\");\n  |           ---      ^^^\n  |           |\n  |           wanted by `%ld`\n",
        "7 |   printf(MIXED, 1, 2);\n  |          -----     ^\n  |          |\n  |          wanted by `%s`\n",
        "8 |   printf(\"a %q\", 1);\n  |             ^^\n",
        "9 |   printf(\"%d %d\", 1);\n  |   ^^^^^^^^^^^--^^^^^\n",
        "11 |   sscanf(\"1\", \"%*d %d\", &l);\n   |                    --   ^^\n",
        "12 |   fscanf(stdin, \"%d %s\", &n, &n);\n   |                     --       ^^\n",
    ] {
        assert!(said.replace("\n   |\n", "\n").contains(lines), "{lines}\nin\n{said}");
    }
}

#[test]
fn every_representation_can_be_printed() {
    let source = file("emit.cyc", "int twice(int x) { return 2 * x; }\n");
    for (what, expected) in [
        ("tree", "twice"),
        ("types", "twice"),
        ("core", "fn twice(x: int) -> int"),
        ("c", "int twice(int x) {"),
    ] {
        let output = tenure(&["check", &format!("--emit={what}"), &source]);
        assert!(text(&output.stdout).contains(expected), "{what}: {}", text(&output.stdout));
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn checks_that_remain_are_listed() {
    let source = file("checks.cyc", "int get(int ?p, int i) { return p[i]; }\n");
    let output = text(&tenure(&["check", "--checks", &source]).stdout);
    assert!(output.contains("get: 1 checks") && output.contains("p[i]"), "{output}");
}

#[test]
fn a_page_is_printed_for_a_code() {
    assert!(text(&tenure(&["explain", "e0903"]).stdout).starts_with("# E0903: "));
}

#[test]
fn nothing_is_left_in_the_temporary_directory() {
    let dir = std::env::temp_dir().join(format!("tenure-left-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    let good = file("left.cyc", "int main(void) { return 0; }\n");
    let bad = file("left_bad.cyc", "int main(void) { return y; }\n");
    for source in [good, bad] {
        let status = Command::new(env!("CARGO_BIN_EXE_tenure"))
            .args(["run", &source])
            .env("TMPDIR", &dir)
            .output();
        assert!(status.is_ok());
    }
    let left = std::fs::read_dir(&dir).map_or(9, Iterator::count);
    std::fs::remove_dir_all(&dir).expect("the directory is ours");
    assert_eq!(left, 0);
}

#[test]
fn a_missing_compiler_is_said_in_so_many_words() {
    let source = file("nocc.cyc", "int main(void) { return 0; }\n");
    let output = Command::new(env!("CARGO_BIN_EXE_tenure"))
        .args(["run", &source])
        .env("PATH", "/nowhere")
        .env_remove("CC")
        .env_remove("TENURE_CC")
        .output()
        .expect("tenure runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no C compiler was found"), "{}", text(&output.stderr));
}

/// Builds and takes down lists on the heap, many times what the collector is given to work with.
const GARBAGE: &str = "\
#include <stdio.h>
struct Cell { int number; char room[1000]; struct Cell *next; };
int main(void) {
  int sum = 0;
  for (int round = 0; round < 2000; round++) {
    struct Cell *list = NULL;
    for (int i = 0; i < 100; i++) {
      struct Cell *cell = new Cell{.number = i, .room = {0}, .next = list};
      list = cell;
    }
    for (; list != NULL; list = list->next) sum += list->number;
  }
  printf(\"%d\\n\", sum);
  return 0;
}
";

#[test]
fn the_collector_is_there_when_asked_for_and_only_then() {
    let source = file("garbage.cyc", GARBAGE);
    let run = |flags: &[&str]| {
        let program = file("garbage", "");
        let mut args = vec!["build", "-o", &program, &source];
        args.extend(flags);
        let built = tenure(&args);
        assert_eq!(built.status.code(), Some(0), "{}", text(&built.stderr));
        let limit = "ulimit -v 150000; exec \"$0\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", limit, &program]).env("GC_MAXIMUM_HEAP_SIZE", "16M");
        shell.output().expect("sh runs")
    };
    let with = run(&["--gc"]);
    assert_eq!(text(&with.stdout), "9900000\n", "{}", text(&with.stderr));
    let without = run(&[]);
    assert_eq!(without.status.code(), Some(1));
    assert!(text(&without.stderr).contains("uncaught exception Bad_alloc"));
}

/// Loses unique objects, keys and regions, again many times what there is.
const LEAKS: &str = "\
#include <core.h>
#include <stdio.h>
struct Cell { char room[10000]; };
int main(void) {
  for (int round = 0; round < 5000; round++) {
    struct Cell *`U cell = malloc(sizeof(struct Cell));
    struct Cell *`RC counted = rcmalloc(sizeof(struct Cell));
    let NewDynamicRegion{<`r> key} = new_ukey();
    { region h = open(key);
      struct Cell *`r inside = rmalloc(h, sizeof(struct Cell));
      inside->room[round] = 'a';
    }
    cell->room[round] = 'a';
  }
  printf(\"done\\n\");
  return 0;
}
";

#[test]
fn the_collector_is_a_net_for_what_the_program_leaks() {
    let source = file("leaks.cyc", LEAKS);
    let program = file("leaks", "");
    let built = tenure(&["build", "--gc", "-W", "no-leak", "-o", &program, &source]);
    assert_eq!(built.status.code(), Some(0), "{}", text(&built.stderr));
    let ran = Command::new(&program).env("GC_MAXIMUM_HEAP_SIZE", "16M").output().expect("it runs");
    assert_eq!(text(&ran.stdout), "done\n", "{}", text(&ran.stderr));
}

/// Objects of the collector's that only objects of the checked heap refer to, and garbage.
const REACHED: &str = "\
#include <stdio.h>
struct Node { int *`H value; struct Node *`D next; };
static struct Node *`D list = NULL;
int main() {
  for (int i = 0; i < 20000; i++) list = new Node(new i, list);
  long sum = 0;
  for (int r = 0; r < 2000000; r++) { int *`H junk = new r; sum += *junk; }
  long total = 0;
  for (struct Node *`D n = list; n != NULL; n = n->next) total += *n->value;
  printf(\"%ld %d\\n\", total, sum > 0);
  return 0;
}
";

#[test]
fn the_collector_keeps_what_the_checked_heap_refers_to() {
    let source = file("reached.cyc", REACHED);
    let run = tenure(&["run", "--gc", &source]);
    assert_eq!(text(&run.stdout), "199990000 1\n", "{}", text(&run.stderr));
}

#[test]
fn a_memory_trace_is_recorded_and_drawn() {
    let source = file("traced.cyc", GARBAGE);
    let trace = file("trace.csv", "");
    let picture = file("trace.svg", "");
    let run = tenure(&["run", "--gc", "--memory-trace", &trace, &source]);
    assert_eq!(text(&run.stdout), "9900000\n", "{}", text(&run.stderr));
    let recorded = std::fs::read_to_string(&trace).expect("a trace");
    let column = |line: &str, n: usize| line.split(',').nth(n).and_then(|v| v.parse::<i64>().ok());
    let heap: Vec<i64> = recorded.lines().skip(1).filter_map(|line| column(line, 5)).collect();
    let most = heap.iter().copied().max().unwrap_or(0);
    // 200 MB were allocated, and the collector kept what was live at once well below that.
    assert!(heap.len() > 1000 && most > 100_000 && most < 50_000_000, "{most}");
    assert!(heap.windows(2).any(|pair| pair[1] < pair[0]), "nothing was ever collected");
    assert_eq!(tenure(&["plot", &trace, "-o", &picture]).status.code(), Some(0));
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    assert!(drawn.starts_with("<svg ") && drawn.contains(">heap "), "{drawn}");
    let wrong = tenure(&["plot", &source]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("this is no memory trace"), "{}", text(&wrong.stderr));
}
