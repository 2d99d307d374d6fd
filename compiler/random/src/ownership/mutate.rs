//! Wrong turns: a free is dropped or doubled, a use is moved, a name is exchanged, an alias is carried out.

use super::generate::{COUNTED, INTS, LISTS};
use crate::Random;

/// Changes one to three lines that are statements of their own. The function's first and last lines stay.
pub fn mutate(random: &mut Random, lines: &mut Vec<String>) {
    for _ in 0..1 + random.below(3) {
        let simple: Vec<usize> = (10..lines.len().saturating_sub(2))
            .filter(|&at| {
                let line = &lines[at];
                // A label that moves before its goto could make a loop without an end.
                let jumps = line.contains("goto ") || line.starts_with('L');
                let whole = line.ends_with(';') && !line.starts_with('}');
                whole && !jumps && !line.contains("let ") && !line.contains("region ")
            })
            .collect();
        if simple.is_empty() {
            return;
        }
        let at = simple[random.index(simple.len())];
        let other = simple[random.index(simple.len())];
        match random.below(7) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => lines.swap(at, other),
            3 => {
                let line = lines.remove(at);
                lines.insert(other.min(lines.len() - 2), line);
            }
            4 => lines[at] = renamed(random, &lines[at]),
            _ => {
                let line = smuggled(random, lines);
                lines.insert(at, line);
            }
        }
    }
}

/// Another place of the same type for one in the line.
fn renamed(random: &mut Random, line: &str) -> String {
    for places in [INTS, LISTS, COUNTED] {
        let Some(from) = places.iter().find(|place| line.contains(**place)) else { continue };
        let to = random.pick(places);
        return line.replacen(from, to, 1);
    }
    line.to_string()
}

/// A statement that would keep a second way to an object.
fn smuggled(random: &mut Random, lines: &[String]) -> String {
    let (a, b) = (random.pick(INTS), random.pick(INTS));
    let list = random.pick(LISTS);
    let mut aliases = lines.iter().filter_map(|line| {
        let (_, rest) = line.split_once("let alias<")?;
        rest.split_whitespace().nth(3)
    });
    let alias = aliases.next_back().unwrap_or("esc");
    let mut objects = lines.iter().filter_map(|line| {
        let (declared, _) = line.split_once(" = rnew(")?;
        declared.split('*').nth(1)?.split_whitespace().last()
    });
    let object = objects.next_back().unwrap_or("esc");
    match random.below(22) {
        0 => format!("esc = {alias};"),
        1 => format!("kept = {alias};"),
        2 => format!("esc = {a};"),
        3 => format!("{a} = {b};"),
        4 => format!("free({a});"),
        5 => format!("sink += look({a});"),
        6 => format!("pool[1] = {a};"),
        7 => format!("{a} :=: {b};"),
        8 => format!("eat({alias});"),
        9 => format!("{list}->next = {list};"),
        10 => format!("{list} :=: {list}->next;"),
        11 => format!("drop_list({list}->next);"),
        12 => format!("sink += both({a}, look({b}), {a});"),
        13 => "q.a = q.b;".to_string(),
        14 => format!("put(*{a}, {a});"),
        15 => format!("esc = {object};"),
        16 => format!("kept = {object};"),
        17 => format!("throw new Carry({a});"),
        18 => format!("pool[1] :=: {a};"),
        19 => format!("dispose(eat, {a});"),
        20 => format!("tasks[0] = unew Task(run_box, finish_box, unew Box({a}, 1));"),
        _ => format!("sink += {list}->n;"),
    }
}
