//! The places whose ownership a function follows, as a tree of paths.

use std::collections::BTreeMap;
use tenure_core::{
    CastKind, ConsumeHow, Expr, ExprKind, Function, LocalId, LocalKind, Owned, Place, PlaceKind,
    Program, RecordKind, StmtKind, Ty, TyId,
};

/// Index of a path; a path's prefixes have smaller ones.
pub type PathId = u32;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    Root(LocalId),
    /// A field by its position. Fields of different variants at one position are taken for one.
    Field(u32),
    /// What the pointer at the path before points to.
    Deref,
}

struct Node {
    parent: Option<PathId>,
    step: Step,
    /// Type of the object at the path.
    ty: TyId,
    /// One owned pointer or an opaque owned thing; other paths only lead to such.
    leaf: bool,
    children: BTreeMap<Step, PathId>,
}

/// A path that a place is, or lies in.
#[derive(Clone, Copy)]
pub struct At {
    pub path: PathId,
    /// The place is the path itself, not some part of it that nobody follows.
    pub exact: bool,
}

pub struct Paths<'a> {
    program: &'a Program,
    function: &'a Function,
    nodes: Vec<Node>,
    roots: BTreeMap<LocalId, PathId>,
}

impl<'a> Paths<'a> {
    /// All locals that own something, and every path that some statement consumes or restores.
    pub fn new(program: &'a Program, function: &'a Function) -> Paths<'a> {
        let mut paths = Paths { program, function, nodes: Vec::new(), roots: BTreeMap::new() };
        for (id, local) in function.locals.iter_enumerated() {
            if let Some(owned) = local.owned {
                let root = paths.root(id);
                paths.nodes[root as usize].leaf = owned != Owned::Aggregate;
            }
        }
        paths
    }

    /// Adds the paths that an ownership statement names.
    pub fn add_named(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Consume { place, how } => {
                self.add_leaf(place);
                if let ConsumeHow::Free { parts } = how {
                    parts.iter().for_each(|part| self.add_leaf(part));
                }
            }
            StmtKind::Restore { place, .. } => self.add_leaf(place),
            _ => {}
        }
    }

    fn add_leaf(&mut self, place: &Place) {
        if let Some(path) = self.add(place) {
            self.nodes[path as usize].leaf = true;
        }
    }

    fn add(&mut self, place: &Place) -> Option<PathId> {
        let (parent, step) = match &place.kind {
            PlaceKind::Local(local) => return Some(self.root(*local)),
            PlaceKind::Field(base, field) => (self.add(base)?, Step::Field(*field)),
            _ => (self.add(place.pointer_path()?)?, Step::Deref),
        };
        Some(self.child(parent, step, place.ty))
    }

    fn root(&mut self, local: LocalId) -> PathId {
        if let Some(&path) = self.roots.get(&local) {
            return path;
        }
        let ty = self.function.locals[local].ty;
        let path = self.push(None, Step::Root(local), ty);
        self.roots.insert(local, path);
        path
    }

    /// The path one step on; made if nobody named it yet.
    pub fn child(&mut self, parent: PathId, step: Step, ty: TyId) -> PathId {
        if let Some(&path) = self.nodes[parent as usize].children.get(&step) {
            return path;
        }
        let path = self.push(Some(parent), step, ty);
        self.nodes[parent as usize].children.insert(step, path);
        path
    }

    fn push(&mut self, parent: Option<PathId>, step: Step, ty: TyId) -> PathId {
        let path = self.nodes.len() as PathId;
        self.nodes.push(Node { parent, step, ty, leaf: false, children: BTreeMap::new() });
        path
    }

    pub fn root_of_local(&self, local: LocalId) -> Option<PathId> {
        self.roots.get(&local).copied()
    }

    pub fn parent(&self, path: PathId) -> Option<PathId> {
        self.nodes[path as usize].parent
    }

    pub fn step(&self, path: PathId) -> Step {
        self.nodes[path as usize].step
    }

    pub fn ty(&self, path: PathId) -> TyId {
        self.nodes[path as usize].ty
    }

    pub fn is_leaf(&self, path: PathId) -> bool {
        self.nodes[path as usize].leaf
    }

    pub fn set_leaf(&mut self, path: PathId) {
        self.nodes[path as usize].leaf = true;
    }

    pub fn children(&self, path: PathId) -> impl Iterator<Item = PathId> + '_ {
        self.nodes[path as usize].children.values().copied()
    }

    /// All paths below `path`, without itself.
    pub fn below(&self, path: PathId) -> Vec<PathId> {
        let mut found: Vec<PathId> = self.children(path).collect();
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            found.extend(self.children(at));
            next += 1;
        }
        found
    }

    /// `path` and all below it that no pointer lies before.
    pub fn without_pointers(&self, path: PathId) -> Vec<PathId> {
        let mut found = vec![path];
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            found.extend(self.children(at).filter(|&child| self.step(child) != Step::Deref));
            next += 1;
        }
        found
    }

    /// The owned leaves at or below `path` that lie in no other leaf.
    pub fn outer_leaves(&self, path: PathId) -> Vec<PathId> {
        let mut leaves = Vec::new();
        let mut work = vec![path];
        while let Some(at) = work.pop() {
            if self.is_leaf(at) {
                leaves.push(at);
            } else {
                work.extend(self.children(at));
            }
        }
        leaves.sort_unstable();
        leaves
    }

    pub fn local(&self, path: PathId) -> LocalId {
        let mut at = path;
        loop {
            match self.nodes[at as usize] {
                Node { step: Step::Root(local), .. } => return local,
                Node { parent: Some(parent), .. } => at = parent,
                Node { parent: None, .. } => return LocalId::new(0),
            }
        }
    }

    /// Whether a pointer lies between the local and the object at the path.
    pub fn is_behind_pointer(&self, path: PathId) -> bool {
        let mut at = Some(path);
        while let Some(path) = at {
            if self.step(path) == Step::Deref {
                return true;
            }
            at = self.parent(path);
        }
        false
    }

    /// Whether `path` is `prefix` or lies below it.
    pub fn is_within(&self, path: PathId, prefix: PathId) -> bool {
        let mut at = Some(path);
        while let Some(path) = at {
            if path == prefix {
                return true;
            }
            at = self.parent(path);
        }
        false
    }

    /// The path that a place is or lies in, pointers included; none for places that no followed local leads to.
    pub fn find(&self, place: &Place) -> Option<At> {
        let (base, step) = match &place.kind {
            PlaceKind::Local(local) => {
                return self.root_of_local(*local).map(|path| At { path, exact: true });
            }
            PlaceKind::Field(base, field) => (self.find(base)?, Step::Field(*field)),
            PlaceKind::Index(base, _) => {
                return self.find(base).map(|at| At { exact: false, ..at })
            }
            _ => (self.find(place.pointer_path()?)?, Step::Deref),
        };
        match self.nodes[base.path as usize].children.get(&step) {
            Some(&path) if base.exact => Some(At { path, exact: true }),
            _ => Some(At { exact: false, ..base }),
        }
    }

    /// The path whose pointer or word an expression is, seen through views of it.
    pub fn value_of(&self, expr: &Expr) -> Option<PathId> {
        match &expr.kind {
            ExprKind::Load(place) => self.find(place).filter(|at| at.exact).map(|at| at.path),
            ExprKind::Cast(
                CastKind::PtrView
                | CastKind::FatView
                | CastKind::PtrToInt
                | CastKind::ToWord
                | CastKind::FromWord,
                inner,
            ) => self.value_of(inner),
            ExprKind::FatBase(inner) | ExprKind::FatCur(inner) => self.value_of(inner),
            _ => None,
        }
    }

    /// The local at the root has a name of the user's.
    pub fn is_named(&self, path: PathId) -> bool {
        let local = &self.function.locals[self.local(path)];
        local.kind != LocalKind::Temp && local.name.is_some()
    }

    /// The place as the user would write it, in backquotes where it can be written.
    pub fn name(&self, path: PathId) -> String {
        let mut steps = Vec::new();
        let mut at = Some(path);
        while let Some(path) = at {
            steps.push(path);
            at = self.parent(path);
        }
        let mut text = Name::default();
        for &path in steps.iter().rev() {
            let above = self.parent(path).map(|above| self.ty(above));
            match self.step(path) {
                Step::Root(local) => {
                    let local = &self.function.locals[local];
                    let name = local.name.filter(|_| local.kind != LocalKind::Temp);
                    match name {
                        Some(name) => text.text = name.as_str().to_string(),
                        None if steps.len() == 1 => return "the value".to_string(),
                        None => text.text = "value".to_string(),
                    }
                }
                Step::Deref => text.deref(),
                Step::Field(field) => text.field(self.program, above, field),
            }
        }
        text.finish()
    }
}

/// A place's text under construction.
#[derive(Default)]
struct Name {
    text: String,
    /// A dereference that waits for `->`.
    star: bool,
    /// A constructor's argument, which has no name.
    argument: Option<u32>,
}

impl Name {
    fn deref(&mut self) {
        if self.argument.is_none() {
            self.settle();
            self.star = true;
        }
    }

    fn settle(&mut self) {
        if std::mem::take(&mut self.star) {
            self.text = format!("(*{})", self.text);
        }
    }

    fn field(&mut self, program: &Program, record: Option<TyId>, field: u32) {
        let Some(Ty::Record(id)) = record.map(|ty| program.types.get(ty)) else { return };
        let record = &program.types.records[*id];
        let name = record.fields.as_ref().and_then(|fields| fields.get(field as usize)?.name);
        match (record.kind, name) {
            _ if self.argument.is_some() => {}
            (RecordKind::Tuple, _) => {
                self.settle();
                self.text.push_str(&format!("[{field}]"));
            }
            (RecordKind::Variant, _) => self.argument = Some(field),
            (_, Some(name)) => {
                let arrow = if std::mem::take(&mut self.star) { "->" } else { "." };
                self.text.push_str(arrow);
                self.text.push_str(name.as_str());
            }
            (_, None) => {}
        }
    }

    fn finish(self) -> String {
        match self.argument {
            Some(n) => format!("value {n} of `{}`", self.text),
            None if self.star => format!("`*{}`", self.text),
            None => format!("`{}`", self.text),
        }
    }
}
