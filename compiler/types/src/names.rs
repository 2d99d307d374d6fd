//! Qualified names.

use tenure_span::Symbol;

/// A name with the namespaces around it, outermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct QualName {
    pub path: Vec<Symbol>,
    pub name: Symbol,
}

impl std::fmt::Display for QualName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for part in &self.path {
            write!(f, "{}::", part.as_str())?;
        }
        f.write_str(self.name.as_str())
    }
}
