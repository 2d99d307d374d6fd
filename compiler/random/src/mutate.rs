//! Wrong turns: a statement is dropped, doubled or moved, or a name is exchanged. What is accepted all the
//! same must be safe.

use crate::Random;

const NAMES: &[&str] = &[
    "i", "j", "k", "p", "q", "s", "c", "u", "l", "x", "y", "m0", "m1", "m2", "g0", "g1", "g3", "g5",
];

/// Changes one or two lines. Those that keep loops finite stay.
pub fn mutate(random: &mut Random, lines: &mut Vec<String>) {
    for _ in 0..1 + random.below(2) {
        let simple: Vec<usize> = (3..lines.len().saturating_sub(2))
            .filter(|&at| {
                let line = lines[at].trim_start();
                let jumps =
                    line.contains("goto ") || line.starts_with('L') || line.contains("fuel");
                line.ends_with(';') && !line.starts_with('}') && !jumps
            })
            .collect();
        if simple.is_empty() {
            return;
        }
        let (at, other) = (simple[random.index(simple.len())], simple[random.index(simple.len())]);
        match random.below(6) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => lines.swap(at, other),
            _ => lines[at] = renamed(random, &lines[at]),
        }
    }
}

/// Another name in one place of the line.
fn renamed(random: &mut Random, line: &str) -> String {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (c.is_alphanumeric() || c == '_', start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if NAMES.contains(&&line[from..at]) {
                    words.push((from, at));
                }
                start = None;
            }
            _ => {}
        }
    }
    if words.is_empty() {
        return line.to_string();
    }
    let (from, to) = words[random.index(words.len())];
    format!("{}{}{}", &line[..from], random.pick(NAMES), &line[to..])
}
