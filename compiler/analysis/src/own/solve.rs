//! The states at the start of every block, to a fixpoint, and the problems that they show.

use super::join::disagreements;
use super::path::{PathId, Paths};
use super::problem::Problem;
use super::shared::Definitions;
use super::state::{Mark, Site, State};
use crate::cfg::{BlockId, Cfg, End, Item};
use crate::order::Order;
use index_vec::IndexVec;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use tenure_core::{
    Block, ConsumeHow, Expr, ExprKind, Function, LocalId, Program, Stmt, StmtKind, Visitor,
};
use tenure_span::Span;

/// Numbers every item of the graph, and the parameters.
pub struct Sites {
    first: IndexVec<BlockId, Site>,
    spans: Vec<Span>,
    params: Site,
}

impl Sites {
    fn new(function: &Function, cfg: &Cfg) -> Sites {
        let mut spans = Vec::new();
        let mut first = IndexVec::with_capacity(cfg.blocks.len());
        for block in &cfg.blocks {
            first.push(spans.len() as Site);
            spans.extend(block.items.iter().map(span_of));
        }
        let params = spans.len() as Site;
        spans.extend(function.locals.iter().map(|local| local.span));
        Sites { first, spans, params }
    }

    fn item(&self, block: BlockId, index: usize) -> Site {
        self.first[block] + index as Site
    }

    fn param(&self, local: LocalId) -> Site {
        self.params + local.index() as Site
    }

    /// Whether the site is a parameter's declaration.
    pub fn is_param(&self, site: Site) -> bool {
        site >= self.params
    }

    pub fn span(&self, site: Site) -> Span {
        self.spans[site as usize]
    }
}

fn span_of(item: &Item) -> Span {
    match item {
        Item::Stmt(stmt) | Item::Result(stmt) => stmt.span,
        Item::Check(_, check, _) => check.span,
        Item::Test(_, span) | Item::Leave(_, span) => *span,
        Item::Enter(_) | Item::Caught(_) => Span::NONE,
    }
}

pub struct Engine<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub cfg: &'a Cfg<'a>,
    pub order: &'a Order,
    pub paths: Paths<'a>,
    pub sites: Sites,
    /// Paths that some expression takes the address of, or of what they are a part of; with that and the place where.
    pub exposed: BTreeMap<PathId, (PathId, Span)>,
    /// Parameters that the call does not consume, and variables that a pattern bound to parts of them; with the
    /// parameter.
    pub kept: HashMap<LocalId, LocalId>,
    pub definitions: Definitions,
    /// What the statement after the one being looked at consumes: it will say itself what is wrong with that.
    pub consumed_next: Option<PathId>,
    /// The loans made inside each `try` body, by its handler.
    handlers: BTreeMap<BlockId, HashSet<Site>>,
}

/// States at the starts of blocks; none where control does not come.
pub type States = IndexVec<BlockId, Option<State>>;

impl<'a> Engine<'a> {
    pub fn new(
        program: &'a Program,
        function: &'a Function,
        cfg: &'a Cfg<'a>,
        order: &'a Order,
    ) -> Engine<'a> {
        let mut paths = Paths::new(program, function);
        for block in &cfg.blocks {
            for item in &block.items {
                if let Item::Stmt(stmt) = item {
                    paths.add_named(&stmt.kind);
                }
            }
        }
        let exposed = exposed(&paths, function, cfg);
        let kept = kept(&paths, function, cfg);
        let sites = Sites::new(function, cfg);
        let handlers = handlers(cfg, &sites);
        Engine {
            program,
            function,
            cfg,
            order,
            paths,
            sites,
            exposed,
            kept,
            definitions: Definitions::new(function, cfg),
            consumed_next: None,
            handlers,
        }
    }

    pub fn solve(&mut self) -> States {
        let mut states: States = self.cfg.blocks.iter().map(|_| None).collect();
        states[self.cfg.entry] = Some(self.entry());
        let mut work = BTreeSet::from([self.order.position[self.cfg.entry]]);
        while let Some(position) = work.pop_first() {
            let block = self.order.rpo[position as usize];
            let Some(state) = states[block].clone() else { continue };
            for (to, state) in self.leave_block(block, state, &mut None) {
                let changed = match &mut states[to] {
                    Some(old) => old.join(&self.paths, &state),
                    none => {
                        *none = Some(state);
                        true
                    }
                };
                if changed {
                    work.insert(self.order.position[to]);
                }
            }
        }
        states
    }

    fn entry(&self) -> State {
        let mut state = State::default();
        for &param in &self.function.params {
            if let Some(root) = self.paths.root_of_local(param) {
                let since = self.sites.param(param);
                state.set_alone(root, Mark::Live { since, zeroed: false });
            }
        }
        state
    }

    /// Carries a state through a block, to what its successors get.
    fn leave_block(
        &mut self,
        block: BlockId,
        mut state: State,
        found: &mut Option<Vec<Problem>>,
    ) -> Vec<(BlockId, State)> {
        let cfg = self.cfg;
        state.stored.clear();
        for (index, item) in cfg.blocks[block].items.iter().enumerate() {
            let site = self.sites.item(block, index);
            self.consumed_next = match cfg.blocks[block].items.get(index + 1) {
                Some(Item::Stmt(Stmt { kind: StmtKind::Consume { place, .. }, .. })) => {
                    self.paths.find(place).map(|at| at.path)
                }
                _ => None,
            };
            self.item(site, item, &mut state, found);
        }
        let test = match cfg.blocks[block].items.last() {
            Some(Item::Test(cond, _)) => Some(*cond),
            _ => None,
        };
        match (&cfg.blocks[block].end, test) {
            (End::Branch { then, otherwise }, Some(cond)) => {
                let mut yes = state.clone();
                self.refine(&mut yes, cond, true);
                self.refine(&mut state, cond, false);
                vec![(*then, yes), (*otherwise, state)]
            }
            _ => {
                let successors = cfg.blocks[block].successors();
                successors.map(|to| (to, self.arriving(to, &state))).collect()
            }
        }
    }

    /// The state that a throw carries to a handler, or any other way to its block.
    fn arriving(&self, to: BlockId, state: &State) -> State {
        let mut state = state.clone();
        let Some(loans) = self.handlers.get(&to) else { return state };
        let lent: Vec<(PathId, Mark)> = state.marks().collect();
        for (path, mark) in lent {
            match mark {
                // The call or the alias's block inside the body is over.
                Mark::Borrowed { at, since, null, .. } if loans.contains(&at) => {
                    let back = if null { Mark::Null } else { Mark::Live { since, zeroed: false } };
                    state.set(&self.paths, path, back);
                }
                _ => {}
            }
        }
        state
    }

    /// What is wrong, in the order of the statements.
    pub fn problems(&mut self, states: States) -> Vec<Problem> {
        let mut found = Some(Vec::new());
        let mut arriving: BTreeMap<BlockId, Vec<State>> = BTreeMap::new();
        for &block in &self.order.rpo {
            let Some(state) = states[block].clone() else { continue };
            for (to, state) in self.leave_block(block, state, &mut found) {
                if self.cfg.blocks[to].preds.len() > 1 && !self.handlers.contains_key(&to) {
                    arriving.entry(to).or_default().push(state);
                }
            }
        }
        let mut found = found.unwrap_or_default();
        for (&block, ways) in &arriving {
            if let Some(joined) = &states[block] {
                found.extend(disagreements(self, block, joined, ways));
            }
        }
        found
    }
}

/// Every path that an address of a local leads to without any other pointer.
fn exposed(paths: &Paths, function: &Function, cfg: &Cfg) -> BTreeMap<PathId, (PathId, Span)> {
    struct Addresses<'p, 'a> {
        paths: &'p Paths<'a>,
        span: Span,
        found: BTreeMap<PathId, (PathId, Span)>,
    }
    impl Visitor for Addresses<'_, '_> {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::AddrOf(place) = &expr.kind {
                let at = place.root_local().and_then(|_| self.paths.find(place));
                match at {
                    Some(at) if at.exact => {
                        for path in self.paths.without_pointers(at.path) {
                            self.found.entry(path).or_insert((at.path, self.span));
                        }
                    }
                    Some(at) if self.paths.is_leaf(at.path) => {
                        self.found.entry(at.path).or_insert((at.path, self.span));
                    }
                    _ => {}
                }
            }
            tenure_core::walk_expr(self, expr);
        }
    }
    let mut addresses = Addresses { paths, span: function.end, found: BTreeMap::new() };
    for block in &cfg.blocks {
        for item in &block.items {
            addresses.span = span_of(item);
            match *item {
                Item::Stmt(stmt) => tenure_core::walk_operands(&mut addresses, stmt),
                Item::Check(_, check, _) => addresses.check(check),
                Item::Test(expr, _) => addresses.expr(expr),
                Item::Result(_) | Item::Enter(_) | Item::Leave(..) | Item::Caught(_) => {}
            }
        }
    }
    addresses.found
}

/// The parameters whose objects stay the caller's, and what patterns bind to parts of these: that stays where it is
/// too.
fn kept(paths: &Paths, function: &Function, cfg: &Cfg) -> HashMap<LocalId, LocalId> {
    let parameters = function.locals.iter_enumerated().filter(|(_, local)| local.noconsume);
    let mut kept: HashMap<LocalId, LocalId> = parameters.map(|(id, _)| (id, id)).collect();
    if kept.is_empty() {
        return kept;
    }
    let mut bindings = Vec::new();
    for item in cfg.blocks.iter().flat_map(|block| &block.items) {
        if let Item::Stmt(Stmt { kind: StmtKind::Consume { place, how }, .. }) = item {
            if let (ConsumeHow::Bind(local), Some(at)) = (how, paths.find(place)) {
                bindings.push((paths.local(at.path), *local));
            }
        }
    }
    loop {
        let before = kept.len();
        for (from, bound) in &bindings {
            if let Some(&parameter) = kept.get(from) {
                kept.entry(*bound).or_insert(parameter);
            }
        }
        if kept.len() == before {
            return kept;
        }
    }
}

/// The loans in the body of each `try`: a throw ends them.
fn handlers(cfg: &Cfg, sites: &Sites) -> BTreeMap<BlockId, HashSet<Site>> {
    struct Loans(HashSet<*const Stmt>);
    impl Visitor for Loans {
        fn block(&mut self, block: &Block) {
            tenure_core::walk_block(self, block);
        }
        fn stmt(&mut self, stmt: &Stmt) {
            if matches!(stmt.kind, StmtKind::Consume { how: ConsumeHow::Borrow, .. }) {
                self.0.insert(stmt);
            }
            tenure_core::walk_stmt(self, stmt);
        }
        fn expr(&mut self, _: &Expr) {}
    }
    let mut handlers = BTreeMap::new();
    for &(t, handler) in &cfg.tries {
        let mut loans = Loans(HashSet::new());
        loans.block(&t.body);
        let mut inside = HashSet::new();
        for (block, content) in cfg.blocks.iter_enumerated() {
            for (index, item) in content.items.iter().enumerate() {
                if matches!(item, Item::Stmt(stmt) if loans.0.contains(&std::ptr::from_ref(*stmt)))
                {
                    inside.insert(sites.item(block, index));
                }
            }
        }
        handlers.insert(handler, inside);
    }
    handlers
}
