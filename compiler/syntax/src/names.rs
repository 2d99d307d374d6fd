//! Which names mean types: all that a parser of C has to know about scopes (C11 6.2.1, 6.7.8).

use tenure_span::{FastMap, Symbol};

/// What a name was last declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameClass {
    Unknown,
    /// A variable, a function, or an enumerator.
    Ordinary,
    Type,
}

/// The scoped table. Leaving a scope undoes what was declared in it.
pub struct Names {
    /// By symbol; shorter than the symbol table, what is beyond is unknown.
    classes: Vec<NameClass>,
    /// What each declaration replaced.
    undo: Vec<(Symbol, NameClass)>,
    /// Lengths of `undo` at which the open scopes began.
    scopes: Vec<usize>,
    namespaces: Vec<Namespace>,
    current: usize,
    /// Namespaces opened by `using`, innermost last; a scope remembers the length.
    opened: Vec<usize>,
}

struct Namespace {
    parent: usize,
    children: FastMap<Symbol, usize>,
    members: FastMap<Symbol, NameClass>,
}

/// To return to where a namespace or `using` was entered.
#[derive(Clone, Copy)]
pub struct Entered {
    current: usize,
    opened: usize,
}

const GLOBAL: usize = 0;

impl Names {
    pub fn new() -> Names {
        let global =
            Namespace { parent: GLOBAL, children: FastMap::default(), members: FastMap::default() };
        Names {
            classes: Vec::new(),
            undo: Vec::new(),
            scopes: Vec::new(),
            namespaces: vec![global],
            current: GLOBAL,
            opened: Vec::new(),
        }
    }

    pub fn class(&self, name: Symbol) -> NameClass {
        self.classes.get(name.index()).copied().unwrap_or(NameClass::Unknown)
    }

    /// The class of `scope::name`, looked for from here outwards, or from the top if absolute.
    pub fn class_in(&self, absolute: bool, scope: &[Symbol], name: Symbol) -> NameClass {
        if scope.is_empty() {
            let global = || self.namespaces[GLOBAL].members.get(&name).copied();
            return if absolute {
                global().unwrap_or(NameClass::Unknown)
            } else {
                self.class(name)
            };
        }
        let found = self.find(absolute, scope);
        let class = found.and_then(|found| self.namespaces[found].members.get(&name));
        class.copied().unwrap_or(NameClass::Unknown)
    }

    fn find(&self, absolute: bool, path: &[Symbol]) -> Option<usize> {
        if absolute {
            return self.descend(GLOBAL, path);
        }
        let mut from = self.current;
        loop {
            if let Some(found) = self.descend(from, path) {
                return Some(found);
            }
            if from == GLOBAL {
                break;
            }
            from = self.namespaces[from].parent;
        }
        self.opened.iter().rev().find_map(|&opened| self.descend(opened, path))
    }

    fn descend(&self, from: usize, path: &[Symbol]) -> Option<usize> {
        path.iter().try_fold(from, |at, name| self.namespaces[at].children.get(name).copied())
    }

    /// Declares in the innermost scope; at file scope also as a member of the namespace.
    pub fn declare(&mut self, name: Symbol, class: NameClass) {
        let index = name.index();
        if index >= self.classes.len() {
            self.classes.resize(index + 64, NameClass::Unknown);
        }
        let old = std::mem::replace(&mut self.classes[index], class);
        if !self.scopes.is_empty() {
            self.undo.push((name, old));
        }
        if self.at_file_scope() {
            self.namespaces[self.current].members.insert(name, class);
        }
    }

    /// Declares `N::x` from outside of `N`.
    pub fn declare_in(&mut self, absolute: bool, scope: &[Symbol], name: Symbol, class: NameClass) {
        if let Some(found) = self.find(absolute, scope) {
            self.namespaces[found].members.insert(name, class);
        }
    }

    fn at_file_scope(&self) -> bool {
        self.scopes.len() == self.namespace_depth()
    }

    /// Each entered namespace and each `using` holds one scope; functions hold more.
    fn namespace_depth(&self) -> usize {
        let mut depth = self.opened.len();
        let mut at = self.current;
        while at != GLOBAL {
            at = self.namespaces[at].parent;
            depth += 1;
        }
        depth
    }

    pub fn push_scope(&mut self) {
        self.scopes.push(self.undo.len());
    }

    pub fn pop_scope(&mut self) {
        let Some(start) = self.scopes.pop() else { return };
        while self.undo.len() > start {
            if let Some((name, class)) = self.undo.pop() {
                self.classes[name.index()] = class;
            }
        }
    }

    /// Enters a namespace, new or known; [`Names::leave`] ends it.
    pub fn enter_namespace(&mut self, path: &[Symbol]) -> Entered {
        let entered = Entered { current: self.current, opened: self.opened.len() };
        for &name in path {
            let parent = self.current;
            let next = match self.namespaces[parent].children.get(&name) {
                Some(&known) => known,
                None => {
                    let next = self.namespaces.len();
                    self.namespaces.push(Namespace {
                        parent,
                        children: FastMap::default(),
                        members: FastMap::default(),
                    });
                    self.namespaces[parent].children.insert(name, next);
                    next
                }
            };
            self.push_scope();
            self.current = next;
            self.declare_members(next);
        }
        entered
    }

    /// Makes the members of a namespace visible until [`Names::leave`].
    pub fn enter_using(&mut self, absolute: bool, path: &[Symbol]) -> Entered {
        let entered = Entered { current: self.current, opened: self.opened.len() };
        if let Some(found) = self.find(absolute, path) {
            self.push_scope();
            self.opened.push(found);
            self.declare_members(found);
        }
        entered
    }

    /// Where [`Names::leave`] returns to if namespaces are opened from here on.
    pub fn here(&self) -> Entered {
        Entered { current: self.current, opened: self.opened.len() }
    }

    /// Leaves what was entered since.
    pub fn leave(&mut self, entered: Entered) {
        while self.opened.len() > entered.opened {
            self.opened.pop();
            self.pop_scope();
        }
        while self.current != entered.current {
            self.current = self.namespaces[self.current].parent;
            self.pop_scope();
        }
        // What was declared under a `using` at file scope stays declared.
        if self.at_file_scope() {
            self.declare_members(self.current);
        }
    }

    fn declare_members(&mut self, namespace: usize) {
        let members: Vec<(Symbol, NameClass)> = self.namespaces[namespace]
            .members
            .iter()
            .map(|(&name, &class)| (name, class))
            .collect();
        for (name, class) in members {
            let index = name.index();
            if index >= self.classes.len() {
                self.classes.resize(index + 64, NameClass::Unknown);
            }
            let old = std::mem::replace(&mut self.classes[index], class);
            if !self.scopes.is_empty() {
                self.undo.push((name, old));
            }
        }
    }
}
