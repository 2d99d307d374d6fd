//! What holds at the entry of functions, from all their calls, and of their results.
//!
//! Only functions that no other object can call and whose address nobody takes have entries to speak of. Facts are
//! assumed of a function's parameters if all calls that were looked at so far agree on them; when a later call does
//! not, they are weakened and the function is looked at again, until nothing changes: then by induction over the calls
//! of an execution each assumed fact holds. Facts about results start as none, are set once, and are only weakened from
//! then on.

use super::alias::Overlays;
use super::build::{self, Known};
use super::effects::Effects;
use super::goals;
use super::invariants::{Claim, Invariants};
use super::memory::Shared;
use super::prove::{At, Prover};
use super::slots::Slots;
use super::tables::Tables;
use super::value::{ValueId, IDX, LEN};
use crate::cfg::Cfg;
use crate::constant::{bounds, int_of};
use crate::order::Order;
use std::collections::BTreeSet;
use tenure_core::{
    CheckStatus, Const, Expr, ExprKind, FunctionId, Linkage, Program, RecordId, Ty, TyId, Visitor,
};
use tenure_span::FastMap;

/// What holds of a function's parameters, or of its result.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Entry {
    pub params: Vec<Param>,
    /// `a - b <= k`, where a parameter that is a fat pointer stands for the number of its elements.
    pub relations: Vec<(usize, usize, i128)>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Param {
    Any,
    /// A scalar between the two; a pointer is at least 1 if it is not NULL.
    Between(i128, i128),
    /// A fat pointer to the first element of its object.
    AtStart {
        /// At least so many elements.
        least: i128,
    },
}

/// Joins before the bounds of a parameter are given up.
const JOINS: u32 = 6;
/// No value at all.
const NOTHING: (i128, i128) = (1 << 70, -(1 << 70));
/// Parameters whose relations are followed.
const RELATED: usize = 6;

/// Parameters and results of all functions of a program.
pub struct Summaries {
    /// `None`: no call was seen yet.
    entries: FastMap<FunctionId, Option<Entry>>,
    /// By function whose result is followed; [`NOTHING`] until a return was seen.
    results: FastMap<FunctionId, (i128, i128)>,
    /// Nothing is assumed any more of what was not seen.
    settled: bool,
    joins: FastMap<FunctionId, u32>,
    main: Option<FunctionId>,
    pub tables: Tables,
    pub slots: Slots,
    pub effects: Effects,
    pub invariants: Invariants,
    pub overlays: Overlays,
}

impl Summaries {
    /// What the memory of each function rests on.
    pub fn shared(&self) -> Shared<'_> {
        let Summaries { slots, effects, invariants, overlays, .. } = self;
        Shared { slots, effects, invariants, overlays }
    }

    /// What holds at the entry of a function.
    pub fn entry(&self, id: FunctionId) -> Option<&Entry> {
        self.entries.get(&id)?.as_ref()
    }

    /// Whether facts about the parameters are collected.
    pub fn is_followed(&self, id: FunctionId) -> bool {
        self.entries.contains_key(&id)
    }

    pub fn result(&self, id: FunctionId) -> Option<(i128, i128)> {
        self.results.get(&id).copied().filter(|&result| !self.settled || result != NOTHING)
    }

    /// Called by the system alone: `argv` has `argc` elements.
    pub fn is_main(&self, id: FunctionId) -> bool {
        self.main == Some(id)
    }
}

/// The status of every check, by function and ordinal.
///
/// `whole_program`: no other object calls this unit's functions or names its globals, but for `main`.
pub fn prove<'a>(
    program: &'a Program,
    graphs: &[(Cfg<'a>, Order)],
    whole_program: bool,
) -> Vec<Vec<CheckStatus>> {
    let mut run = Run::new(program, graphs, whole_program);
    loop {
        while let Some(position) = run.next() {
            let index = run.order[position];
            if !run.is_uncalled(index) {
                run.look_at(index, &graphs[index]);
            }
        }
        if run.doubtful.is_empty() {
            break;
        }
        run.giving_up = true;
        for index in std::mem::take(&mut run.doubtful) {
            run.at = run.position[&program.functions[index].id];
            run.look_at(index, &graphs[index]);
        }
        run.giving_up = false;
    }
    // What nobody calls does not run: it is shown for the report's sake.
    run.summaries.settled = true;
    graphs.iter().enumerate().map(|(index, graph)| run.statuses(index, graph)).collect()
}

struct Run<'a> {
    program: &'a Program,
    summaries: Summaries,
    /// Indices of functions, callers before what they call as far as there are no cycles.
    order: Vec<usize>,
    position: FastMap<FunctionId, usize>,
    /// Positions in `order` that are to be looked at in this round, and in the next.
    work: [BTreeSet<usize>; 2],
    /// Rounds go up and down the call graph in turn: what arguments tell goes down, what results tell goes up.
    upwards: bool,
    /// The position at hand.
    at: usize,
    /// Functions that have relations to keep, and were looked at since these were last shown.
    doubtful: BTreeSet<usize>,
    /// Who has to show relations of each record.
    claimants: FastMap<RecordId, BTreeSet<FunctionId>>,
    /// Whether relations that are not kept are given up.
    giving_up: bool,
    callers: FastMap<FunctionId, Vec<FunctionId>>,
    /// By index: whether the function calls any that is followed.
    calls_followed: Vec<bool>,
    /// Times that each function's result changed.
    rounds: FastMap<FunctionId, u32>,
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, graphs: &[(Cfg<'a>, Order)], whole_program: bool) -> Run<'a> {
        let uses = Uses::of(program);
        let mut summaries = Summaries {
            entries: FastMap::default(),
            results: FastMap::default(),
            settled: false,
            joins: FastMap::default(),
            tables: Tables::new(program, whole_program),
            slots: Slots::new(program, whole_program),
            effects: Effects::default(),
            invariants: Invariants::default(),
            overlays: Overlays::of(program, whole_program),
            main: program.main.filter(|id| {
                !uses.taken.contains(id) && !uses.calls.values().any(|list| list.contains(id))
            }),
        };
        if whole_program {
            summaries.invariants = Invariants::new(program, graphs, &summaries.slots);
        }
        for function in &program.functions {
            let decl = &program.decls[function.id];
            let own = match decl.linkage {
                Linkage::Internal | Linkage::Inline => true,
                Linkage::External => whole_program && program.main != Some(function.id),
                Linkage::Import | Linkage::Weak => false,
            };
            if own && decl.attributes.is_empty() && !uses.taken.contains(&function.id) {
                summaries.entries.insert(function.id, None);
                if result_bounds(program, function.id).is_some() {
                    summaries.results.insert(function.id, NOTHING);
                }
            }
        }
        let order = callers_first(program, &uses);
        summaries.effects =
            Effects::new(program, whole_program, &summaries.slots, &order, &uses.taken);
        let position =
            order.iter().enumerate().map(|(n, &index)| (program.functions[index].id, n)).collect();
        let mut callers: FastMap<FunctionId, Vec<FunctionId>> = FastMap::default();
        for (caller, list) in &uses.calls {
            for callee in list {
                callers.entry(*callee).or_default().push(*caller);
            }
        }
        let calls_followed = program
            .functions
            .iter()
            .map(|function| {
                let list = uses.calls.get(&function.id);
                list.is_some_and(|list| list.iter().any(|id| summaries.is_followed(*id)))
            })
            .collect();
        let work = (0..order.len()).collect();
        let rounds = FastMap::default();
        Run {
            program,
            summaries,
            order,
            position,
            work: [work, BTreeSet::new()],
            upwards: false,
            at: 0,
            doubtful: BTreeSet::new(),
            claimants: FastMap::default(),
            giving_up: false,
            callers,
            calls_followed,
            rounds,
        }
    }

    fn is_followed(&self, index: usize) -> bool {
        self.summaries.is_followed(self.program.functions[index].id)
    }

    fn again(&mut self, id: FunctionId) {
        if let Some(&position) = self.position.get(&id) {
            let ahead = if self.upwards { position < self.at } else { position > self.at };
            self.work[usize::from(!ahead)].insert(position);
        }
    }

    fn next(&mut self) -> Option<usize> {
        if self.work[0].is_empty() {
            self.work.swap(0, 1);
            self.upwards = !self.upwards;
        }
        let [work, _] = &mut self.work;
        self.at = if self.upwards { work.pop_last()? } else { work.pop_first()? };
        Some(self.at)
    }

    /// Whether no call of the function was seen, and none can come from elsewhere.
    fn is_uncalled(&self, index: usize) -> bool {
        let id = self.program.functions[index].id;
        matches!(self.summaries.entries.get(&id), Some(None))
    }

    /// The status of every check of a function, by all that is known in the end.
    fn statuses(&self, index: usize, (cfg, order): &(Cfg<'a>, Order)) -> Vec<CheckStatus> {
        let mut statuses = vec![CheckStatus::Needed; cfg.checks as usize];
        if cfg.checks > 0 {
            let function = &self.program.functions[index];
            let known = build::build(self.program, function, cfg, order, &self.summaries);
            let mut prover = Prover::new(known.values, known.facts, order);
            for (ordinal, fact) in goals::decide(&mut prover, &known.sites, order) {
                statuses[ordinal as usize] = CheckStatus::Proved(fact);
            }
        }
        statuses
    }

    /// What a function tells of others.
    fn look_at(&mut self, index: usize, (cfg, order): &(Cfg<'a>, Order)) {
        let function = &self.program.functions[index];
        let tells = self.calls_followed[index] || self.is_followed(index);
        if !tells && !self.summaries.slots.is_storing(function.id) {
            return;
        }
        let known = build::build(self.program, function, cfg, order, &self.summaries);
        let Known { values, facts, calls, returns, stores, claims, .. } = known;
        let mut prover = Prover::new(values, facts, order);
        for call in &calls {
            self.call(call.callee, &call.args, call.at, &mut prover);
        }
        for (slot, value, at) in stores {
            let range = prover.range_within(value, self.summaries.slots.sizes(), at);
            let Some(readers) = self.summaries.slots.store(slot, range) else { continue };
            if let Some(record) = self.summaries.slots.record_of(slot) {
                self.again_claimants(record);
            }
            readers.into_iter().for_each(|reader| self.again(reader));
        }
        self.claims(index, &claims, &mut prover);
        let id = self.program.functions[index].id;
        if self.summaries.is_followed(id) && !returns.is_empty() {
            self.result(id, &returns, &mut prover);
        }
    }

    /// The relations that the function has to keep are looked at when nothing else is left to do: by then it is known
    /// what is stored elsewhere. What cannot be shown is given up, and all who may have relied on it are looked at
    /// again.
    fn claims(&mut self, index: usize, claims: &[Claim], prover: &mut Prover) {
        let id = self.program.functions[index].id;
        for claim in claims {
            self.claimants.entry(claim.record).or_default().insert(id);
        }
        if !self.giving_up {
            if !claims.is_empty() {
                self.doubtful.insert(index);
            }
            return;
        }
        for claim in claims {
            if let Some((x, y)) = self.summaries.invariants.settle(claim, prover) {
                for field in [x, y] {
                    for reader in self.summaries.slots.readers(claim.record, field) {
                        self.again(reader);
                    }
                }
                self.again_claimants(claim.record);
            }
        }
    }

    /// Those that have to show relations of the record go by what is known of it, whether they name its fields or not.
    fn again_claimants(&mut self, record: RecordId) {
        for id in self.claimants.get(&record).cloned().unwrap_or_default() {
            self.again(id);
        }
    }

    fn param_types(&self, id: FunctionId) -> &'a [TyId] {
        match self.program.types.get(self.program.decls[id].ty) {
            Ty::Func(func) => &func.params,
            _ => &[],
        }
    }

    fn call(&mut self, callee: FunctionId, args: &[ValueId], at: At, prover: &mut Prover) {
        let types = self.param_types(callee);
        debug_assert_eq!(types.len(), args.len());
        let old = match self.summaries.entries.get(&callee) {
            Some(entry) => entry.clone(),
            None => return,
        };
        let mut new = Entry::default();
        for (n, (&arg, &ty)) in args.iter().zip(types).enumerate() {
            let before = old.as_ref().map(|entry| entry.params[n]);
            new.params.push(self.param(before, arg, ty, at, prover));
        }
        let candidates = match &old {
            Some(entry) => entry.relations.clone(),
            None => self.possible_relations(types),
        };
        for (a, b, least) in candidates {
            if let Some(k) = self.relation(args, types, (a, b, least), at, prover) {
                new.relations.push((a, b, k));
            }
        }
        if old.as_ref() == Some(&new) {
            return;
        }
        let joins = self.summaries.joins.entry(callee).or_insert(0);
        *joins += 1;
        // Numbers that change with every call would go on changing for long.
        if *joins > JOINS {
            if let Some(old) = &old {
                for (param, before) in new.params.iter_mut().zip(&old.params) {
                    *param = widened(*param, *before);
                }
            }
        }
        self.summaries.entries.insert(callee, Some(new));
        self.again(callee);
    }

    /// What holds of the argument of this call and of those before.
    fn param(
        &self,
        before: Option<Param>,
        arg: ValueId,
        ty: TyId,
        at: At,
        prover: &mut Prover,
    ) -> Param {
        if before == Some(Param::Any) {
            return Param::Any;
        }
        match self.program.types.get(ty) {
            Ty::Ptr { .. } => {
                let nonnull =
                    !matches!(before, Some(Param::Between(0, _))) && prover.differ(arg, 0, at);
                if nonnull {
                    Param::Between(1, super::value::POINTER.1)
                } else {
                    Param::Any
                }
            }
            Ty::Fat { .. } => {
                let idx = prover.values.fat_part(arg, IDX);
                let zero = prover.zero();
                if !prover.at_most(idx, zero, 0, at) {
                    return Param::Any;
                }
                let len = prover.values.fat_part(arg, LEN);
                let mut least = prover.range(len, at).0;
                if let Some(Param::AtStart { least: known }) = before {
                    least = least.min(known);
                }
                Param::AtStart { least }
            }
            _ => {
                let Some(all) = int_of(self.program, ty).and_then(bounds) else {
                    return Param::Any;
                };
                let (mut lo, mut hi) = prover.range_within(arg, self.summaries.slots.sizes(), at);
                if let Some(Param::Between(low, high)) = before {
                    (lo, hi) = (lo.min(low), hi.max(high));
                }
                if (lo, hi) == all {
                    Param::Any
                } else {
                    Param::Between(lo, hi)
                }
            }
        }
    }

    /// Pairs of integers, and of an integer and a fat pointer.
    fn possible_relations(&self, types: &[TyId]) -> Vec<(usize, usize, i128)> {
        let ints: Vec<usize> = self.places(types, |ty| matches!(ty, Ty::Int(_)));
        let fats: Vec<usize> = self.places(types, |ty| matches!(ty, Ty::Fat { .. }));
        let mut pairs = Vec::new();
        for &a in &ints {
            for &b in ints.iter().chain(&fats) {
                if a != b {
                    pairs.push((a, b, -1));
                }
            }
        }
        pairs
    }

    fn places(&self, types: &[TyId], wanted: impl Fn(&Ty) -> bool) -> Vec<usize> {
        let all = types.iter().enumerate().filter(|(_, ty)| wanted(self.program.types.get(**ty)));
        all.map(|(n, _)| n).take(RELATED).collect()
    }

    /// The relation with the least bound, of no less than `least`, that holds of this call's arguments.
    fn relation(
        &self,
        args: &[ValueId],
        types: &[TyId],
        (a, b, least): (usize, usize, i128),
        at: At,
        prover: &mut Prover,
    ) -> Option<i128> {
        let mut side = |n: usize| match self.program.types.get(types[n]) {
            Ty::Fat { .. } => {
                let [idx, len] = [IDX, LEN].map(|part| prover.values.fat_part(args[n], part));
                prover.values.count(idx, len)
            }
            _ => args[n],
        };
        let (x, y) = (side(a), side(b));
        (least..=0).find(|&k| prover.at_most(x, y, k, at))
    }

    fn result(&mut self, id: FunctionId, returns: &[(ValueId, At)], prover: &mut Prover) {
        let Some(all) = result_bounds(self.program, id) else { return };
        let pointer = all == super::value::POINTER;
        let (mut lo, mut hi) = NOTHING;
        for &(value, at) in returns {
            let (low, high) = match pointer {
                true if prover.differ(value, 0, at) => (1, all.1),
                true => all,
                false => prover.range_within(value, self.summaries.slots.sizes(), at),
            };
            (lo, hi) = (lo.min(low), hi.max(high));
        }
        let old = self.summaries.results.get(&id).copied().unwrap_or(all);
        (lo, hi) = (lo.min(old.0), hi.max(old.1));
        if (lo, hi) == old {
            return;
        }
        let joins = self.rounds.entry(id).or_insert(0);
        *joins += 1;
        if *joins > JOINS {
            (lo, hi) = all;
        }
        self.summaries.results.insert(id, (lo, hi));
        for caller in self.callers.get(&id).cloned().unwrap_or_default() {
            self.again(caller);
        }
    }
}

/// Bounds of all results of a function, if they are followed.
fn result_bounds(program: &Program, id: FunctionId) -> Option<(i128, i128)> {
    let Ty::Func(func) = program.types.get(program.decls[id].ty) else { return None };
    match program.types.get(func.result) {
        Ty::Ptr { .. } => Some(super::value::POINTER),
        _ => int_of(program, func.result).and_then(bounds),
    }
}

fn widened(param: Param, before: Param) -> Param {
    match (param, before) {
        (Param::Between(lo, hi), Param::Between(low, high)) => {
            // Not negative is what most counters stay.
            let lo = match lo {
                _ if lo == low => lo,
                1.. => 1,
                0 => 0,
                _ => super::value::WIDEST.0,
            };
            Param::Between(lo, if hi == high { hi } else { super::value::WIDEST.1 })
        }
        (Param::AtStart { least }, Param::AtStart { least: known }) if least != known => {
            Param::AtStart { least: 0 }
        }
        _ => param,
    }
}

/// Who calls whom, and whose address is taken.
struct Uses {
    calls: FastMap<FunctionId, Vec<FunctionId>>,
    taken: BTreeSet<FunctionId>,
}

impl Uses {
    fn of(program: &Program) -> Uses {
        let mut uses = Uses { calls: FastMap::default(), taken: BTreeSet::new() };
        for function in &program.functions {
            let mut scan = Scan { calls: Vec::new(), taken: &mut uses.taken };
            scan.block(&function.body);
            let calls = scan.calls;
            uses.calls.insert(function.id, calls);
        }
        let mut scan = Scan { calls: Vec::new(), taken: &mut uses.taken };
        for global in &program.globals {
            if let Some(init) = &global.init {
                tenure_core::walk_initializer(&mut scan, init);
            }
        }
        uses
    }
}

struct Scan<'t> {
    calls: Vec<FunctionId>,
    taken: &'t mut BTreeSet<FunctionId>,
}

impl Visitor for Scan<'_> {
    fn stmt(&mut self, stmt: &tenure_core::Stmt) {
        if let tenure_core::StmtKind::Call { callee: tenure_core::Callee::Direct(id), .. } =
            &stmt.kind
        {
            if !self.calls.contains(id) {
                self.calls.push(*id);
            }
        }
        tenure_core::walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Const(Const::Function(id)) = &expr.kind {
            self.taken.insert(*id);
        }
        tenure_core::walk_expr(self, expr);
    }
}

/// Reverse postorder of the call graph, from the functions that others may call.
fn callers_first(program: &Program, uses: &Uses) -> Vec<usize> {
    let index: FastMap<FunctionId, usize> =
        program.functions.iter().enumerate().map(|(n, f)| (f.id, n)).collect();
    let mut seen = vec![false; program.functions.len()];
    let mut order = Vec::new();
    // Those without callers last, so that they come first in the reverse.
    let called: BTreeSet<FunctionId> = uses.calls.values().flatten().copied().collect();
    let (inner, roots): (Vec<usize>, Vec<usize>) =
        (0..program.functions.len()).partition(|&n| called.contains(&program.functions[n].id));
    for root in roots.into_iter().chain(inner) {
        let mut stack = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((at, next)) = stack.pop() {
            let list = &uses.calls[&program.functions[at].id];
            match list.get(next) {
                None => order.push(at),
                Some(callee) => {
                    stack.push((at, next + 1));
                    if let Some(&to) = index.get(callee) {
                        if !std::mem::replace(&mut seen[to], true) {
                            stack.push((to, 0));
                        }
                    }
                }
            }
        }
    }
    order.reverse();
    order
}
