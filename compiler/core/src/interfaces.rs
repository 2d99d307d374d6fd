//! What C's functions do to what they are given, as the library's headers declare them.
//!
//! The rows stand in `interfaces.txt`, which says how to read them. They are known by symbols that only the library
//! defines, at the types that its units were compiled with: a program's own `read` has another symbol, and so has C's.

use std::collections::HashMap;
use std::sync::OnceLock;

const ROWS: &str = include_str!("interfaces.txt");

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// As the header calls it.
    pub name: &'static str,
    pub params: Vec<&'static str>,
    /// In object files.
    pub symbol: &'static str,
    /// One for each pointer, and what is known of the result.
    pub facts: Vec<&'static str>,
    /// A call on buffers of the shortest legal length.
    pub call: Option<&'static str>,
}

/// All rows, in the table's order.
pub fn interfaces() -> &'static [Interface] {
    static INTERFACES: OnceLock<Vec<Interface>> = OnceLock::new();
    INTERFACES.get_or_init(|| ROWS.lines().filter_map(interface).collect())
}

fn interface(line: &'static str) -> Option<Interface> {
    let mut parts = line.split('|').map(str::trim);
    let (name, params) = parts.next()?.strip_suffix(')')?.split_once('(')?;
    if name.starts_with('#') {
        return None;
    }
    let symbol = parts.next().filter(|symbol| !symbol.is_empty()).unwrap_or(name);
    let listed = |text: &'static str| text.split(", ").filter(|part| !part.is_empty()).collect();
    let facts = parts.next().map(listed).unwrap_or_default();
    let call = parts.next().filter(|call| !call.is_empty());
    Some(Interface { name, params: listed(params), symbol, facts, call })
}

/// The parameter, from 0, whose value or number of elements the result of a library's function does not exceed.
pub fn result_at_most(symbol: &str) -> Option<usize> {
    static LIMITS: OnceLock<HashMap<&str, usize>> = OnceLock::new();
    let limits =
        || interfaces().iter().filter_map(|row| Some((row.symbol, row.limit()?))).collect();
    LIMITS.get_or_init(limits).get(symbol).copied()
}

impl Interface {
    fn limit(&self) -> Option<usize> {
        let name = self.facts.iter().find_map(|fact| fact.strip_prefix("at most "))?;
        self.params.iter().position(|param| *param == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_row_or_a_comment() {
        let lines = ROWS.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(interfaces().len(), lines);
    }

    #[test]
    fn every_limit_names_a_parameter() {
        for row in interfaces() {
            let has = row.facts.iter().any(|fact| fact.starts_with("at most"));
            assert_eq!(has, row.limit().is_some(), "{}", row.name);
        }
    }

    #[test]
    fn what_reads_counts_what_it_read() {
        assert_eq!(result_at_most("tn_read"), Some(2));
        assert_eq!(result_at_most("tn_strlen"), Some(0));
        assert_eq!(result_at_most("read"), None);
    }
}
