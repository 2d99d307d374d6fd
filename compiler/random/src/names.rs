//! Names of C's libraries and of the runtime, given to a program's own functions and variables: none of them takes the place of
//! C's, and nothing that is known of C's is believed of them.

use crate::Random;
use std::collections::HashSet;

/// What the runtime, the library and cc call themselves, and what the analysis knows something of.
const CALLED: &[&str] = &[
    "memset",
    "memcpy",
    "memmove",
    "write",
    "read",
    "mmap",
    "munmap",
    "mprotect",
    "madvise",
    "sigaction",
    "sigaltstack",
    "abort",
    "exit",
    "_exit",
    "free",
    "realloc",
    "getenv",
    "strlen",
    "strcmp",
    "snprintf",
    "fputs",
    "fwrite",
    "fread",
    "fflush",
    "environ",
    "realpath",
    "open",
    "close",
    "isatty",
    "sysconf",
    "raise",
    "kill",
    "getpid",
    "syscall",
    "pthread_self",
    "sigsetjmp",
    "longjmp",
    "timer_create",
    "clock_gettime",
    "tn_throw",
    "tn_read",
    "tn_strlen",
    "tn_frames",
    "tn_raise_index",
    "tn_printf_direct",
    "tn_memcpy",
    "tn_user_main",
    "tn_arena_alloc",
    "end",
    "_start",
    "__stack_chk_fail",
    "__assert_fail",
    "__cxa_atexit",
    "__libc_start_main",
];

/// A program's own name and the one that it has instead.
pub type Names = Vec<(String, String)>;

/// Some of the names, each with one of C's that the text does not have yet.
pub fn borrowed(random: &mut Random, own: &[&str], text: &str) -> Names {
    let used: HashSet<&str> = text.split(|c: char| !is_letter(c) && !c.is_ascii_digit()).collect();
    let all: Vec<&str> = tenure_core::c_symbols().collect();
    let mut names = Names::new();
    for name in own {
        if random.one_in(2) {
            continue;
        }
        let from = if random.one_in(2) { CALLED } else { &all };
        let taken = random.pick(from);
        if !used.contains(taken) && !names.iter().any(|(_, other)| other == taken) {
            names.push((name.to_string(), taken.to_string()));
        }
    }
    names
}

/// The text with those names in place of the program's own.
pub fn renamed(text: &str, names: &Names) -> String {
    if names.is_empty() {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_letter) {
        out.push_str(&rest[..at]);
        let word = &rest[at..];
        let end = word.find(|c: char| !is_letter(c) && !c.is_ascii_digit()).unwrap_or(word.len());
        let known = names.iter().find(|(own, _)| *own == word[..end]);
        out.push_str(known.map_or(&word[..end], |(_, taken)| taken));
        rest = &word[end..];
    }
    out.push_str(rest);
    out
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}
