//! How long the analyses take over a large program: `cargo run --release -p tenure-analysis --example speed FUNCTIONS`.
//! Prints statements, checks, and milliseconds per run.

#[path = "../tests/support/mod.rs"]
#[allow(dead_code)]
mod support;

use std::time::Instant;
use tenure_analysis::{count_checks, run, Options};
use tenure_core::{parse, Program};
use tenure_span::Sink;

fn main() {
    let wanted = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    let joined = std::env::args().nth(2).is_some();
    let mut text = String::new();
    for seed in 0..wanted {
        let program = support::generate::program(seed * 3 + 1, false);
        let (header, body) = program.split_once("\nfn ext").unwrap_or((&program, ""));
        if seed == 0 {
            text.push_str(header);
            text.push_str("\nfn ext() -> int import;\n");
        }
        let body = body.split_once('\n').map_or("", |(_, rest)| rest);
        let body =
            body.replace("g1(", &format!("g1_{seed}(")).replace("g2(", &format!("g2_{seed}("));
        text.push_str(&body.replace("fn f(", &format!("fn f_{seed}(")));
    }
    if joined {
        text = one_function(wanted);
    }
    let lines = text.lines().count();
    let mut program: Program = match parse(&text) {
        Ok(program) => program,
        Err(error) => return eprintln!("{error}"),
    };
    let start = (Instant::now(), cpu_ticks());
    run(&mut program, &Options::default(), &Sink::new());
    let time = (start.0.elapsed(), (cpu_ticks() - start.1) * 10);
    let count = count_checks(&program);
    println!(
        "{lines} lines of core, {} checks, {} proved: {:?}, {} ms of the processor",
        count.all(),
        count.proved,
        time.0,
        time.1
    );
}

/// Hundredths of a second that this process has had a processor, where the system tells.
fn cpu_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    stat.split_whitespace().nth(13).and_then(|ticks| ticks.parse().ok()).unwrap_or(0)
}

/// All bodies in one function.
fn one_function(wanted: u64) -> String {
    let first = support::generate::program(1, false);
    let start = first.find("  zero pub;\n").map_or(0, |at| at + "  zero pub;\n".len());
    let mut text = first[..start].replace(" internal {", " external {");
    for seed in 0..wanted {
        let program = support::generate::program(seed * 3 + 1, false);
        let at = program.rfind("  zero pub;\n").map_or(0, |at| at + "  zero pub;\n".len());
        let end = program.rfind("  return").unwrap_or(program.len());
        for line in program[at..end].lines().filter(|line| !line.contains("call g")) {
            let line =
                line.replace("%L", &format!("%L{seed}L")).replace("mid", &format!("mid{seed}_"));
            let line = line
                .replace("frame", &format!("frame{seed}_"))
                .replace("exn", &format!("exn{seed}_"));
            text.push_str(&line.replace(&format!(": frame{seed}_;"), ": frame;"));
            text.push('\n');
        }
    }
    text.push_str("  return i2;\n}\n");
    text
}
