//! Scopes of names. Names at file scope live in tables by namespace; names in blocks live in one table of stacks with
//! an undo log, so that a lookup is one or two hash probes.

use super::{Entry, Tag, ValueDef};
use crate::checker::Checker;
use crate::names::QualName;
use crate::scope::RegionScopes;
use crate::ty::TyVarId;
use index_vec::{define_index_type, IndexVec};
use tenure_span::{Diagnostic, ErrorGuaranteed, FastMap, Span, Symbol};
use tenure_syntax::tree::QName;

define_index_type! { /// A namespace.
pub(crate) struct NsId = u32; }

/// What `<stdarg.h>` has in C and nothing here declares.
const VA_NAMES: [&str; 4] = ["va_arg", "va_copy", "va_end", "va_start"];

/// A namespace and what it contains by name.
#[derive(Debug)]
struct Namespace {
    /// From the outermost.
    path: Vec<Symbol>,
    /// Namespaces inside.
    children: FastMap<Symbol, NsId>,
}

/// What surrounds a place in the file, beside blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layer {
    Namespace(NsId),
    Using(NsId),
}

#[derive(Debug)]
enum Undo {
    Value(Symbol),
    Tag(Symbol),
    TypeVar(Symbol),
}

/// The lengths of `undo` and `layers` where a scope began.
#[derive(Clone, Copy, Debug)]
struct Mark {
    undo: usize,
    layers: usize,
    /// Names of values and tags are declared in blocks; a prototype or a record's body only binds type variables.
    block: bool,
}

#[derive(Debug)]
pub(crate) struct Scopes {
    namespaces: IndexVec<NsId, Namespace>,
    /// Ordinary identifiers at file scope.
    values: FastMap<(NsId, Symbol), (Entry, Span)>,
    /// Struct, union, enum and datatype tags at file scope.
    tags: FastMap<(NsId, Symbol), (Tag, Span)>,
    /// Innermost last.
    layers: Vec<Layer>,
    /// Names of enclosing blocks, innermost last; the number is the depth of the block.
    block_values: FastMap<Symbol, Vec<(u32, Entry, Span)>>,
    block_tags: FastMap<Symbol, Vec<(u32, Tag, Span)>>,
    type_vars: FastMap<Symbol, Vec<TyVarId>>,
    undo: Vec<Undo>,
    /// Where each open scope began.
    marks: Vec<Mark>,
    /// How many of them are blocks.
    blocks: u32,
    /// The regions of the function's blocks.
    pub regions: RegionScopes,
}

impl Default for Scopes {
    fn default() -> Scopes {
        let mut namespaces = IndexVec::new();
        let root = namespaces.push(Namespace { path: Vec::new(), children: FastMap::default() });
        Scopes {
            namespaces,
            values: FastMap::default(),
            tags: FastMap::default(),
            layers: vec![Layer::Namespace(root)],
            block_values: FastMap::default(),
            block_tags: FastMap::default(),
            type_vars: FastMap::default(),
            undo: Vec::new(),
            marks: Vec::new(),
            blocks: 0,
            regions: RegionScopes::default(),
        }
    }
}

impl Scopes {
    /// Whether names that are declared now belong to a block.
    pub fn in_block(&self) -> bool {
        self.blocks > 0
    }

    /// The namespace that declarations go to.
    pub fn namespace(&self) -> NsId {
        let found = self.layers.iter().rev().find_map(|layer| match layer {
            Layer::Namespace(ns) => Some(*ns),
            Layer::Using(_) => None,
        });
        found.unwrap_or(NsId::from_usize_unchecked(0))
    }

    /// The name of what is declared now, with its namespaces.
    pub fn qualify(&self, name: Symbol) -> QualName {
        QualName { path: self.namespaces[self.namespace()].path.clone(), name }
    }

    /// Opens a scope of names: a block.
    pub fn push(&mut self) {
        self.blocks += 1;
        self.open(true);
    }

    /// Opens a scope of type variables: a prototype, the body of a record.
    pub fn push_types(&mut self) {
        self.open(false);
    }

    fn open(&mut self, block: bool) {
        self.marks.push(Mark { undo: self.undo.len(), layers: self.layers.len(), block });
    }

    /// Closes the innermost scope.
    pub fn pop(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        let mut kept = Vec::new();
        for item in self.undo.drain(mark.undo..).rev() {
            match item {
                Undo::TypeVar(name) => drop(self.type_vars.get_mut(&name).and_then(Vec::pop)),
                // A struct that is first named inside a prototype belongs to the block around it.
                other if !mark.block => kept.push(other),
                Undo::Value(name) => drop(self.block_values.get_mut(&name).and_then(Vec::pop)),
                Undo::Tag(name) => drop(self.block_tags.get_mut(&name).and_then(Vec::pop)),
            }
        }
        self.undo.extend(kept.into_iter().rev());
        self.blocks -= u32::from(mark.block);
        self.layers.truncate(mark.layers);
    }

    /// How many blocks are open.
    pub fn depth(&self) -> u32 {
        self.blocks
    }

    /// Declares in the innermost scope; an earlier declaration there is replaced.
    pub fn declare(&mut self, name: Symbol, entry: Entry, span: Span) {
        if self.in_block() {
            let depth = self.depth();
            self.block_values.entry(name).or_default().push((depth, entry, span));
            self.undo.push(Undo::Value(name));
        } else {
            self.declare_at(self.namespace(), name, entry, span);
        }
    }

    /// Declares at file scope, from wherever we are.
    pub fn declare_at(&mut self, ns: NsId, name: Symbol, entry: Entry, span: Span) {
        self.values.insert((ns, name), (entry, span));
    }

    pub fn declare_tag(&mut self, name: Symbol, tag: Tag, span: Span) {
        if self.in_block() {
            let depth = self.depth();
            self.block_tags.entry(name).or_default().push((depth, tag, span));
            self.undo.push(Undo::Tag(name));
        } else {
            self.tags.insert((self.namespace(), name), (tag, span));
        }
    }

    /// Declares a tag at file scope, from wherever we are.
    pub fn declare_tag_at(&mut self, ns: NsId, name: Symbol, tag: Tag, span: Span) {
        self.tags.insert((ns, name), (tag, span));
    }

    pub fn declare_type_var(&mut self, name: Symbol, var: TyVarId) {
        self.type_vars.entry(name).or_default().push(var);
        self.undo.push(Undo::TypeVar(name));
    }

    pub fn find_type_var(&self, name: Symbol) -> Option<TyVarId> {
        self.type_vars.get(&name)?.last().copied()
    }

    /// What the innermost scope itself declares under a name.
    pub fn declared_here(&self, name: Symbol) -> Option<(Entry, Span)> {
        if self.in_block() {
            let &(depth, entry, span) = self.block_values.get(&name)?.last()?;
            return (depth == self.depth()).then_some((entry, span));
        }
        self.values.get(&(self.namespace(), name)).copied()
    }

    pub fn declared_at(&self, ns: NsId, name: Symbol) -> Option<(Entry, Span)> {
        self.values.get(&(ns, name)).copied()
    }

    pub fn tag_declared_here(&self, name: Symbol) -> Option<(Tag, Span)> {
        if self.in_block() {
            let &(depth, tag, span) = self.block_tags.get(&name)?.last()?;
            return (depth == self.depth()).then_some((tag, span));
        }
        self.tags.get(&(self.namespace(), name)).copied()
    }

    /// What an unqualified name means here.
    pub fn find(&self, name: Symbol) -> Option<(Entry, Span)> {
        if let Some(&(_, entry, span)) = self.block_values.get(&name).and_then(|all| all.last()) {
            return Some((entry, span));
        }
        self.find_at_file_scope(name)
    }

    /// Likewise, not looking at blocks.
    pub fn find_at_file_scope(&self, name: Symbol) -> Option<(Entry, Span)> {
        self.search(|ns| self.values.get(&(ns, name)).copied())
    }

    /// The namespaces, used at the same level, that both have a name which no nearer scope declares.
    pub fn ambiguous(&self, name: Symbol) -> Option<(Span, Span)> {
        if self.block_values.get(&name).is_some_and(|all| !all.is_empty()) {
            return None;
        }
        let mut found: Option<(NsId, Entry, Span)> = None;
        for layer in self.layers.iter().rev() {
            match *layer {
                Layer::Using(ns) => {
                    let Some(&(entry, span)) = self.values.get(&(ns, name)) else { continue };
                    match found {
                        Some((_, first, other)) if first != entry => return Some((other, span)),
                        _ => found = Some((ns, entry, span)),
                    }
                }
                Layer::Namespace(ns) => {
                    if found.is_some() || self.values.contains_key(&(ns, name)) {
                        return None;
                    }
                }
            }
        }
        None
    }

    /// Namespaces from the innermost; each before those that are used in it, of which the last comes first.
    fn search<T>(&self, find: impl Fn(NsId) -> Option<T>) -> Option<T> {
        let mut used: Option<T> = None;
        for layer in self.layers.iter().rev() {
            match *layer {
                Layer::Using(ns) => used = used.or_else(|| find(ns)),
                Layer::Namespace(ns) => {
                    let found = find(ns).or_else(|| used.take());
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        used
    }

    pub fn find_tag(&self, name: Symbol) -> Option<(Tag, Span)> {
        if let Some(&(_, tag, span)) = self.block_tags.get(&name).and_then(|all| all.last()) {
            return Some((tag, span));
        }
        self.search(|ns| self.tags.get(&(ns, name)).copied())
    }

    pub fn find_qualified(&self, name: &QName) -> Option<(Entry, Span)> {
        match name.as_ident() {
            Some(ident) => self.find(ident.name),
            None => self
                .candidates(name)
                .into_iter()
                .find_map(|ns| self.values.get(&(ns, name.name.name)).copied()),
        }
    }

    pub fn find_tag_qualified(&self, name: &QName) -> Option<(Tag, Span)> {
        match name.as_ident() {
            Some(ident) => self.find_tag(ident.name),
            None => self
                .candidates(name)
                .into_iter()
                .find_map(|ns| self.tags.get(&(ns, name.name.name)).copied()),
        }
    }

    /// The namespaces that the qualification of a name may mean, best first.
    fn candidates(&self, name: &QName) -> Vec<NsId> {
        self.resolve_path(name.absolute, name.scope.iter().map(|part| part.name))
    }

    fn resolve_path(
        &self,
        absolute: bool,
        path: impl Iterator<Item = Symbol> + Clone,
    ) -> Vec<NsId> {
        let root = NsId::from_usize_unchecked(0);
        let starts: Vec<NsId> = if absolute {
            vec![root]
        } else {
            let layer = |layer: &Layer| match layer {
                Layer::Namespace(ns) | Layer::Using(ns) => *ns,
            };
            self.layers.iter().rev().map(layer).collect()
        };
        let walk = |start| {
            path.clone()
                .try_fold(start, |ns: NsId, part| self.namespaces[ns].children.get(&part).copied())
        };
        starts.into_iter().filter_map(walk).collect()
    }

    /// The namespace that a whole qualified name names.
    pub fn find_namespace(&self, name: &QName) -> Option<NsId> {
        let path = name.scope.iter().map(|part| part.name).chain([name.name.name]);
        self.resolve_path(name.absolute, path).first().copied()
    }

    /// The namespace that qualifies a declared name (`int N::x`).
    pub fn qualifier_of(&self, name: &QName) -> Option<NsId> {
        if name.as_ident().is_some() {
            return Some(self.namespace());
        }
        self.candidates(name).first().copied()
    }

    pub fn path_of(&self, ns: NsId) -> &[Symbol] {
        &self.namespaces[ns].path
    }

    /// Enters `namespace N`, creating it if need be.
    pub fn enter_namespace(&mut self, name: &QName) {
        let mut ns = if name.absolute { NsId::from_usize_unchecked(0) } else { self.namespace() };
        for part in name.scope.iter().chain([&name.name]) {
            ns = self.child(ns, part.name);
            self.layers.push(Layer::Namespace(ns));
        }
    }

    fn child(&mut self, parent: NsId, name: Symbol) -> NsId {
        if let Some(&ns) = self.namespaces[parent].children.get(&name) {
            return ns;
        }
        let mut path = self.namespaces[parent].path.clone();
        path.push(name);
        let ns = self.namespaces.push(Namespace { path, children: FastMap::default() });
        self.namespaces[parent].children.insert(name, ns);
        ns
    }

    /// `using N`, until the layers are cut back or the block ends.
    pub fn push_using(&mut self, ns: NsId) {
        self.layers.push(Layer::Using(ns));
    }

    pub fn layer_mark(&self) -> usize {
        self.layers.len()
    }

    pub fn restore_layers(&mut self, mark: usize) {
        self.layers.truncate(mark);
    }

    /// Names that are in scope and look like `name`, for "did you mean".
    pub fn similar(&self, name: Symbol) -> Option<Symbol> {
        let is_known = |entry: &Entry| !matches!(entry, Entry::Error);
        let blocks = self.block_values.iter();
        let blocks = blocks.filter(|(_, all)| all.last().is_some_and(|(_, e, _)| is_known(e)));
        let globals = self.values.iter().filter(|(_, (entry, _))| is_known(entry));
        nearest(name, blocks.map(|(name, _)| *name).chain(globals.map(|(key, _)| key.1)))
    }
}

/// The name that looks most like another, if one does.
pub(crate) fn nearest(name: Symbol, names: impl Iterator<Item = Symbol>) -> Option<Symbol> {
    let text = name.as_str();
    let near = names.filter_map(|other| {
        let distance = distance(text, other.as_str())?;
        (distance > 0).then_some((distance, other.as_str().len(), other))
    });
    near.min_by_key(|(distance, length, other)| (*distance, *length, other.as_str()))
        .map(|(_, _, other)| other)
}

/// Edits from one name to the other, if they are few.
fn distance(a: &str, b: &str) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let limit = if a.len() < 4 { 1 } else { 2 };
    // Nobody mistypes a name of that length, and the time goes with its square.
    const LONGEST: usize = 60;
    if a.len().abs_diff(b.len()) > limit || !(3..=LONGEST).contains(&a.len()) {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    (row[b.len()] <= limit).then_some(row[b.len()])
}

impl Checker<'_> {
    /// What a name in an expression means; reports what cannot be used there.
    pub fn lookup_value(&mut self, name: &QName) -> Result<ValueDef, ErrorGuaranteed> {
        if let Some(ident) = name.as_ident() {
            if let Some((a, b)) = self.scopes.ambiguous(ident.name) {
                let text = format!("`{name}` may mean either of two names");
                let error = Diagnostic::error("E0242", text, name.span)
                    .secondary(a, "this one")
                    .secondary(b, "or this one")
                    .help("write its namespace before it");
                return Err(self.error(error));
            }
        }
        match self.scopes.find_qualified(name) {
            Some((Entry::Value(value), _)) => Ok(value),
            Some((Entry::Unsafe(index), _)) => Err(self.unsafe_declaration(index, name.span)),
            Some((Entry::Error, span)) => Err(self.already_reported(span)),
            Some((Entry::Typedef(_) | Entry::TypeFn(_), span)) => {
                let text = format!("`{name}` is a type, not a value");
                let error = Diagnostic::error("E0202", text, name.span);
                Err(self.error(error.secondary(span, "declared here")))
            }
            None => match self.scopes.find_tag_qualified(name) {
                Some((Tag::Record(record), _)) => Ok(ValueDef::Record(record)),
                _ => Err(self.unknown_name(name)),
            },
        }
    }

    /// Likewise, without a report: none if the name is unknown or no value.
    pub fn find_value(&self, name: &QName) -> Option<ValueDef> {
        match self.scopes.find_qualified(name) {
            Some((Entry::Value(value), _)) => Some(value),
            Some(_) => None,
            None => match self.scopes.find_tag_qualified(name) {
                Some((Tag::Record(record), _)) => Some(ValueDef::Record(record)),
                _ => None,
            },
        }
    }

    fn unknown_name(&mut self, name: &QName) -> ErrorGuaranteed {
        let mut error = Diagnostic::error("E0201", format!("`{name}` is not declared"), name.span);
        if VA_NAMES.contains(&name.name.name.as_str()) {
            error = error.help(
                "name the type of the arguments, `int f(int n, ... int args)`, and use `args` as an array; \
                 a wrapper of printf takes `... inject parg_t args` and calls `vprintf(fmt, args)`",
            );
        } else if let Some(instead) = crate::decl::instead_of(name.name.name.as_str()) {
            error = error.help(instead);
        } else if let Some(header) = crate::decl::header_of(name.name.name.as_str()) {
            error = error.help(format!("it is declared in `<{header}>`"));
        } else if self.sink.error_count() < tenure_span::Sink::DEFAULT_LIMIT {
            // What is not shown is not worth a look at all names.
            if let Some(other) = self.scopes.similar(name.name.name) {
                error = error.help(format!("there is a `{other}` in scope"));
            }
        }
        let proof = self.error(error);
        // One report a name: later uses are silent.
        if let Some(ident) = name.as_ident() {
            let root = NsId::from_usize_unchecked(0);
            if self.scopes.declared_at(root, ident.name).is_none() {
                self.scopes.declare_at(root, ident.name, Entry::Error, ident.span);
            }
        }
        proof
    }

    /// The proof for a declaration whose error was reported when it was read.
    pub fn already_reported(&self, span: Span) -> ErrorGuaranteed {
        match self.sink.has_errors() {
            Some(proof) => proof,
            None => self.error(Diagnostic::error("E0201", "declaration in error", span)),
        }
    }
}
