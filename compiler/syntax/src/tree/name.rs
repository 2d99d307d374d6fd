use tenure_span::{Span, Symbol};

/// One identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: Symbol,
    pub span: Span,
}

/// A possibly qualified name: `x`, `N::x`, `::x`, `A::B::x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QName {
    pub span: Span,
    /// Starts with `::`.
    pub absolute: bool,
    /// The namespaces before the last name; empty for a plain name.
    pub scope: Vec<Ident>,
    pub name: Ident,
}

impl QName {
    pub fn plain(name: Ident) -> QName {
        QName { span: name.span, absolute: false, scope: Vec::new(), name }
    }

    /// The identifier, if no namespace is written.
    pub fn as_ident(&self) -> Option<Ident> {
        (!self.absolute && self.scope.is_empty()).then_some(self.name)
    }
}

impl std::fmt::Display for QName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.absolute {
            f.write_str("::")?;
        }
        for scope in &self.scope {
            write!(f, "{}::", scope.name)?;
        }
        write!(f, "{}", self.name.name)
    }
}

/// A use or binding of a type-level variable: `` `r ``, `'r`, `` `a::B ``, `` `H ``.
#[derive(Clone, Debug)]
pub struct TypeVar {
    pub span: Span,
    /// Without the quote: `r`, `H`.
    pub name: Symbol,
    /// What is written after `::`.
    pub kind: Option<Kind>,
}

/// A kind as written: `B`, `A`, `M`, `R`, `E`, `I`, `Q`, `UR`, …; which ones exist is not known
/// here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub span: Span,
    pub name: Symbol,
    /// Cyclone 1.0's alias qualifier on a kind: `` `a::B\U ``.
    pub alias: Option<AliasName>,
}

/// The constant alias qualifiers and their abbreviations `\U \RC \A \T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasName {
    /// `UNIQUE`, `\U`
    Unique,
    /// `REFCNT`, `\RC`
    Refcnt,
    /// `ALIASABLE`, `\A`
    Aliasable,
    /// `RESTRICTED`, `\T`
    Restricted,
}

/// `__attribute__((name(args)))`, with `__name__` written `name`.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub span: Span,
    pub name: Ident,
    /// `format(printf, 1, 2)` has a name and two constants.
    pub args: Vec<super::Expr>,
}
