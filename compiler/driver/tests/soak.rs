//! Mutated programs through all phases: whatever the text is, the phases end, without a panic, in time.
//!
//! The seeds are the programs of tests/, docs/ and examples/. `TENURE_SOAK_SECONDS` says how long; a short time by default. A failure
//! prints the seed of its random numbers, and leaves the text in the temporary directory.

#[path = "../../random/src/random.rs"]
mod random;

use random::Random;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tenure_driver::{front, Home, Settings, Text};
use tenure_span::{Sink, SourceMap};

/// A text that takes longer than this has found a loop.
const MOST: Duration = Duration::from_secs(120);

fn programs(root: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for dir in ["tests", "docs", "examples", "lib"] {
        collect(&root.join(dir), &mut files);
    }
    files.sort();
    let mut out = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if file.extension().is_some_and(|ext| ext == "md") {
            let blocks = text.split("\n```cyc").skip(1);
            out.extend(
                blocks
                    .filter_map(|b| Some(b.split_once('\n')?.1.split("\n```").next()?.to_string())),
            );
        } else {
            out.push(text);
        }
    }
    out
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let extension = path.extension().and_then(|ext| ext.to_str()).unwrap_or("");
        if path.is_dir() {
            collect(&path, out);
        } else if ["md", "cyc", "h", "c"].contains(&extension) {
            out.push(path);
        }
    }
}

/// Cuts, doubles and exchanges tokens and lines, and splices programs.
fn mutated(random: &mut Random, programs: &[String]) -> String {
    let program = &programs[random.index(programs.len())];
    let mut pieces: Vec<&str> =
        program.split_inclusive([' ', '\n', ';', '(', ')', '{', '}']).collect();
    let other: Vec<&str> =
        programs[random.index(programs.len())].split_inclusive(['\n', ';']).collect();
    for _ in 0..1 + random.below(6) {
        if pieces.is_empty() || other.is_empty() {
            break;
        }
        let at = random.index(pieces.len());
        match random.below(6) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[at]),
            2 => pieces.swap(at, (at * 7 + 3) % at.max(1)),
            3 => pieces.insert(at, other[random.index(other.len())]),
            4 => pieces.truncate(at),
            _ => {
                let tokens =
                    ["`r ", "@ ", "? ", "0x7fffffffffffffff ", "'", "}", "(", "&", "~", "struct "];
                pieces[at] = random.pick(&tokens);
            }
        }
    }
    let mut text = pieces.concat();
    if random.one_in(4) && !text.is_empty() {
        let mut bytes = text.into_bytes();
        let at = random.index(bytes.len());
        bytes[at] = (random.number() & 0xff) as u8;
        text = String::from_utf8_lossy(&bytes).into_owned();
    }
    text
}

/// Runs the phases on a thread of their own; false if it panicked or did not end.
fn survives(home: &Home, text: &str) -> bool {
    let (send, receive) = mpsc::channel();
    let (home, world) = (home.clone(), Text(text.to_string()));
    let thread =
        std::thread::Builder::new().stack_size(tenure_driver::STACK_BYTES).spawn(move || {
            let mut map = SourceMap::new();
            let sink = Sink::new();
            let mut shown = String::new();
            let settings = Settings::default();
            let result = front(&world, &home, "soak.cyc", &settings, &mut map, &sink, &mut shown);
            for diagnostic in sink.take() {
                let _ = tenure_span::render_human(&diagnostic, &map, false);
            }
            if let Ok(program) = result {
                let _ = tenure_emit::emit(&program, &map, &tenure_emit::EmitOptions::default());
            }
            let _ = send.send(());
        });
    thread.is_ok() && receive.recv_timeout(MOST).is_ok()
}

#[test]
fn no_text_makes_the_compiler_panic_or_loop() {
    let seconds =
        std::env::var("TENURE_SOAK_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3);
    let home = Home::find().unwrap_or_else(|text| panic!("{text}"));
    let programs = programs(home.root());
    assert!(!programs.is_empty());
    let seed =
        std::env::var("TENURE_SOAK_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0x7e17);
    let mut random = Random::new(seed);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut count = 0;
    let mut bad = Vec::new();
    while Instant::now() < end && bad.len() < 20 {
        let text = mutated(&mut random, &programs);
        count += 1;
        if !survives(&home, &text) {
            let path = std::env::temp_dir().join(format!("tenure-soak-{seed:x}-{count}.cyc"));
            std::fs::write(&path, &text).unwrap_or_else(|error| panic!("{error}"));
            bad.push(path.display().to_string());
        }
    }
    println!("{count} texts");
    assert!(bad.is_empty(), "seed {seed}: {}", bad.join(" "));
}
