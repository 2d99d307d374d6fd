//! gdb sees the program that the user wrote: its lines, its locals, its fat pointers with their element type.

use std::process::Command;

const SOURCE: &str = "\
struct point {
    int x;
    int y;
};

int total(int ?numbers, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += numbers[i];
    }
    return sum;
}

int main(void)
{
    int values[3] = {7, 8, 9};
    struct point p = {4, 5};
    int ?all = values;
    int t = total(all, 3);
    t += p.x;
    return t == 28 ? 0 : 1;
}
";

#[test]
fn gdb_breaks_steps_and_prints_in_the_users_file() {
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("gdb is not here: nothing to test with");
        return;
    }
    let dir = std::env::temp_dir().join(format!("tenure-gdb-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    let source = dir.join("points.cyc");
    std::fs::write(&source, SOURCE).expect("the source");
    let built = Command::new(env!("CARGO_BIN_EXE_tenure"))
        .args(["build", "-g", "-O0", "points.cyc", "-o", "points"])
        .current_dir(&dir)
        .output()
        .expect("tenure runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let commands = [
        "break points.cyc:10",
        "run",
        "print n",
        "print numbers",
        "print numbers.base[numbers.idx]@numbers.len",
        "ptype numbers",
        "backtrace",
        "delete",
        "next",
        "next",
        "print sum",
        "finish",
        "next",
        "next",
        "print p",
        "print t",
    ];
    let mut gdb = Command::new("gdb");
    gdb.args(["-batch", "-nx"]).current_dir(&dir).env("LC_ALL", "C");
    for command in commands {
        gdb.args(["-ex", command]);
    }
    let output = gdb.arg("./points").output().expect("gdb runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    std::fs::remove_dir_all(&dir).expect("the directory is ours");
    for expected in [
        "points.cyc:10",
        "sum += numbers[i];",
        "$1 = 3",
        "idx = 0, len = 3}",
        "$3 = {7, 8, 9}",
        "int *base;",
        "in main (argc=1",
        "$4 = 7",
        "$6 = {x = 4, y = 5}",
        "$7 = 28",
    ] {
        assert!(said.contains(expected), "`{expected}` is not in what gdb said:\n{said}");
    }
}
