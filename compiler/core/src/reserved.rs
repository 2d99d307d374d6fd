//! Which symbols of object files belong to C, and where the program's own of those names stand.
//!
//! A program is linked with C's library, the runtime, and what cc and the collector bring. A definition of the
//! program's own under one of their names would take its place inside them: the runtime would write through the
//! program's `write`, and cc would clear structs with its `memset`. So no safe definition has such a symbol. A function
//! or variable of the program's that is called so stands under a symbol that begins with `own.`, in each unit in Tenure
//! alike, and C's stays what it is. Only what `extern "C"` declares has C's own symbol.
//!
//! No identifier contains `.` or `$`, so that neither these symbols nor those which the compiler derives can be spelt.

use std::collections::HashSet;
use std::sync::OnceLock;
use tenure_span::Symbol;

/// Names that C's libraries define, a line each, sorted; `tools/c-symbols` lists those of a system.
const C_LIBRARY: &str = include_str!("c_symbols.txt");

/// Beginnings of names that the runtime and the shims of the library have for themselves.
const RUNTIME: &[&str] = &["tn_", "tnc_", "TN_"];

/// What stands before the name in the symbol of a program's own.
const OWN: &str = "own.";

/// The names that C's libraries define, as far as they are known.
pub fn c_symbols() -> impl Iterator<Item = &'static str> {
    C_LIBRARY.lines().filter(|line| !line.starts_with('#'))
}

/// Whether a symbol is C's or the runtime's. Names that begin with two underscores, or one and a capital letter, are
/// the implementation's (C11 7.1.3), whatever it makes of them.
pub fn is_reserved_symbol(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&str>> = OnceLock::new();
    let names = || c_symbols().collect();
    let after = name.strip_prefix('_').and_then(|rest| rest.bytes().next());
    after.is_some_and(|byte| byte == b'_' || byte.is_ascii_uppercase())
        || RUNTIME.iter().any(|lead| name.starts_with(lead))
        || NAMES.get_or_init(names).contains(name)
}

/// The symbol of a program's own function or variable outside any namespace.
pub fn own_symbol(name: Symbol) -> Symbol {
    match is_reserved_symbol(name.as_str()) {
        true => Symbol::new(&format!("{OWN}{name}")),
        false => name,
    }
}

/// The name that a program's own has in its source.
pub fn without_own(symbol: &str) -> &str {
    symbol.strip_prefix(OWN).unwrap_or(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        let names: Vec<&str> = c_symbols().collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(names.iter().all(|name| !name.is_empty() && !name.contains(' ')));
    }

    #[test]
    fn what_c_defines_has_another_symbol_in_a_program() {
        for name in
            ["memset", "write", "environ", "__memset_chk", "_Exit", "tn_start", "_start", "end"]
        {
            assert_eq!(own_symbol(Symbol::new(name)).as_str(), format!("own.{name}"));
        }
        for name in ["count", "_tr_init", "tnt", "main", "read_line"] {
            assert_eq!(own_symbol(Symbol::new(name)).as_str(), name);
        }
    }
}
