//! A global table of strings: equal strings have equal symbols for the life of the process.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{OnceLock, RwLock};

/// A string of the global table. Comparing and hashing symbols does not look at the text; the
/// order of symbols is that of their first appearance, not of the alphabet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

/// FNV-1a over the bytes: names are short, and the standard hasher costs more than the rest of
/// the lexer.
#[derive(Default)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut hash = self.0 ^ 0xcbf2_9ce4_8422_2325;
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self.0 = hash;
    }
}

#[derive(Default)]
struct Table {
    ids: HashMap<&'static str, u32, BuildHasherDefault<Fnv>>,
    texts: Vec<&'static str>,
}

fn table() -> &'static RwLock<Table> {
    static TABLE: OnceLock<RwLock<Table>> = OnceLock::new();
    TABLE.get_or_init(RwLock::default)
}

impl Symbol {
    /// The symbol of `text`. The text is copied at its first appearance and never freed.
    pub fn new(text: &str) -> Symbol {
        if let Some(&id) = read().ids.get(text) {
            return Symbol(id);
        }
        let mut table = match table().write() {
            Ok(table) => table,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some(&id) = table.ids.get(text) {
            return Symbol(id);
        }
        let id = table.texts.len() as u32;
        let text: &'static str = Box::leak(text.into());
        table.texts.push(text);
        table.ids.insert(text, id);
        Symbol(id)
    }

    pub fn as_str(self) -> &'static str {
        read().texts[self.0 as usize]
    }

    /// The position in order of first appearance, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A panic elsewhere while the lock was held cannot leave the table half changed in a way that
/// matters: a text without an id is only unused.
fn read() -> std::sync::RwLockReadGuard<'static, Table> {
    match table().read() {
        Ok(table) => table,
        Err(poisoned) => poisoned.into_inner(),
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Symbol {
        Symbol::new(text)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl PartialEq<str> for Symbol {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Symbol {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_symbol() {
        let a = Symbol::new("alpha");
        let b = Symbol::new(&String::from("alpha"));
        assert_eq!(a, b);
        assert_ne!(a, Symbol::new("beta"));
        assert_eq!(a.as_str(), "alpha");
    }

    #[test]
    fn threads_agree_on_symbols() {
        let names: Vec<String> = (0..200).map(|n| format!("thread_name_{n}")).collect();
        let all: Vec<Vec<Symbol>> = std::thread::scope(|scope| {
            let run = || names.iter().map(|name| Symbol::new(name)).collect::<Vec<_>>();
            let workers: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or_default()).collect()
        });
        assert!(all.iter().all(|symbols| *symbols == all[0] && symbols.len() == 200));
    }
}
