use super::{
    Attribute, Block, Declarator, Expr, Ident, Part, Pattern, QName, Specifiers, StrLit, TypeVar,
};
use tenure_span::Span;

/// A declaration, at file scope or in a block.
#[derive(Clone, Debug)]
pub struct Decl {
    pub span: Span,
    pub kind: DeclKind,
}

#[derive(Clone, Debug)]
pub enum DeclKind {
    /// Variables, functions without a body, typedefs (by `specs.storage`), and declarations of
    /// types alone (no declarators).
    Vars(VarDecl),
    Function(Box<FunctionDef>),
    /// `let P = e;`, also `let alias<`r> T x = e;`
    Let(Box<LetDecl>),
    /// `let x, y;`: variables to be assigned later, their types inferred
    LetNames(Vec<Ident>),
    /// `region<`r> h;`, `region h;`, `region h = open(e);`, each also after `let`
    Region(Box<RegionDecl>),
    /// `namespace N { … }` or `namespace N;`, which holds the rest of the file
    Namespace(Scope),
    /// `using N { … }`, or `using N;`, which holds the rest of the file. In a block it has no
    /// declarations and is in force to the end of the block; `using N { s }` there is the block
    /// `{ using N; s }`.
    Using(Scope),
    /// `extern "C" { … }`; `extern "C" int f();` is the same without braces
    ExternC(ExternC),
    ExternInclude(Box<ExternInclude>),
    /// C11 6.7.10
    StaticAssert(Box<Expr>, Option<StrLit>),
    /// `asm("…");` at file scope
    Asm(StrLit),
    /// A lone `;`
    Empty,
    /// The text was in error, which has been reported.
    Error,
}

/// Specifiers and the declarators that share them.
#[derive(Clone, Debug)]
pub struct VarDecl {
    pub specs: Specifiers,
    pub declarators: Vec<InitDeclarator>,
}

#[derive(Clone, Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    /// A braced initialiser is [`super::ExprKind::InitList`] or
    /// [`super::ExprKind::Comprehension`].
    pub init: Option<Expr>,
}

/// A parameter, a field of a tuple or of a datatype's constructor.
#[derive(Clone, Debug)]
pub struct Param {
    pub span: Span,
    pub specs: Specifiers,
    /// May have no name.
    pub declarator: Declarator,
}

/// C11 6.9.1
#[derive(Clone, Debug)]
pub struct FunctionDef {
    pub specs: Specifiers,
    /// Its first part is a function, unless that was an error already reported.
    pub declarator: Declarator,
    /// The declarations between a K&R declarator and the body.
    pub old_style: Vec<Decl>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct LetDecl {
    pub pattern: Pattern,
    pub init: Expr,
}

#[derive(Clone, Debug)]
pub struct RegionDecl {
    /// `` region<`r> ``
    pub var: Option<TypeVar>,
    pub name: Ident,
    /// `= open(e)`
    pub open: Option<Expr>,
    pub attributes: Vec<Attribute>,
}

/// What `namespace` and `using` enclose.
#[derive(Clone, Debug)]
pub struct Scope {
    pub name: QName,
    pub decls: Vec<Decl>,
    /// Braces were written; otherwise a semicolon.
    pub braced: bool,
}

#[derive(Clone, Debug)]
pub struct ExternC {
    pub decls: Vec<Decl>,
    pub braced: bool,
}

/// `extern "C" include { … } export { … } cyclone_override { … } cyclone_hide { … }`.
#[derive(Clone, Debug)]
pub struct ExternInclude {
    /// C declarations, mostly from system headers.
    pub decls: Vec<Decl>,
    pub export: Option<Export>,
    pub overrides: Vec<Decl>,
    pub hide: Vec<QName>,
}

#[derive(Clone, Debug)]
pub enum Export {
    /// `export { * }`
    All(Span),
    Names(Vec<QName>),
}

impl Declarator {
    /// The outermost derivation: what the name is.
    pub fn outer(&self) -> Option<&Part> {
        self.parts.first()
    }

    pub fn is_function(&self) -> bool {
        matches!(self.outer(), Some(Part::Function(_)))
    }
}
