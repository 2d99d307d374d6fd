//! Loans to calls: an alias that the checker has inferred is in use from when the call's arguments are evaluated until
//! the call is over, or the one around it, whose argument its result is.

use crate::builder::{load, Builder};
use crate::owned::{is_prefix, Given, Loads};
use crate::place::Access;
use tenure_core::{ConsumeHow, Expr, LocalId, Place, RestoreHow, StmtKind, Visitor};
use tenure_span::Diagnostic;
use tenure_types::hir;
use tenure_types::ty::TypeId;

/// A place lent to the call whose arguments are being evaluated.
pub(crate) struct Loan {
    place: Place,
    /// The lent pointer, in a temporary.
    value: Expr,
    /// The flow analysis follows the place.
    tracked: bool,
    /// The parameter's type keeps it owned, so that nothing else may reach it during the call.
    exclusive: bool,
    /// It was read on the way to whatever comes later in the arguments, which may use `value` again.
    reusable: bool,
    /// The object of the checked heap that is pinned instead.
    pin: Option<LocalId>,
    /// What the other arm of a `?:` lends contains the place, so that it is out of use with that.
    covered: bool,
    /// How many statements the block had when the pointer was read, and how deep it is nested.
    mark: usize,
    depth: usize,
}

/// What is lent to a call whose arguments are being evaluated.
#[derive(Default)]
pub(crate) struct Lent {
    /// By itself: from when its arguments are evaluated.
    pub(crate) loans: Vec<Loan>,
    /// By calls among its arguments, whose results keep it: already.
    pub(crate) held: Vec<Loan>,
}

/// How many loans of the call around there were before `?:`, and where that stands.
#[derive(Clone, Copy)]
pub(crate) struct LoansBefore {
    loans: usize,
    held: usize,
    mark: usize,
    depth: usize,
}

impl Lent {
    /// The pins of what is lent, in order.
    pub(crate) fn pins(&self) -> impl Iterator<Item = LocalId> + '_ {
        self.loans.iter().filter_map(|loan| loan.pin)
    }
}

impl Builder<'_, '_> {
    /// The call around uses a pinned object.
    pub(crate) fn note_pin(&mut self, value: Expr, pin: LocalId) {
        let place = self.local_place(pin);
        let (mark, depth) = (self.mark(), self.depth());
        let loan = Loan {
            place,
            value,
            tracked: false,
            exclusive: false,
            reusable: false,
            pin: Some(pin),
            covered: false,
            mark,
            depth,
        };
        if let Some(lent) = self.loans.last_mut() {
            lent.loans.push(loan);
        }
    }

    /// An argument lent for the duration of the call around it.
    pub(crate) fn borrow(&mut self, operand: &hir::Expr, ty: TypeId) -> Expr {
        if self.is_reference(operand.ty) {
            return self.borrow_reference(operand);
        }
        let exclusive = self.owned(ty).is_some();
        if !operand.is_place() {
            let value = self.value(operand);
            let place = self.kept(value, operand.ty);
            return self.lend(place, true, exclusive);
        }
        let place = self.place(operand, Access::Read);
        let shared =
            |loan: &&Loan| loan.tracked && loan.reusable && !loan.exclusive && loan.place == place;
        let known =
            self.loans.last().and_then(|lent| lent.loans.iter().find(shared)).or_else(|| {
                let mut held = self.loans.iter().flat_map(|lent| &lent.held);
                held.find(shared)
            });
        let known = known.filter(|_| !exclusive);
        if let Some(loan) = known {
            return loan.value.clone();
        }
        let tracked = self.is_path(operand) && self.is_tracked(&place);
        self.lend(place, tracked, exclusive)
    }

    fn lend(&mut self, place: Place, tracked: bool, exclusive: bool) -> Expr {
        let value = self.save(load(place.clone()));
        let place = self.leaf(place);
        let (mark, depth) = (self.mark(), self.depth());
        if let Some(lent) = self.loans.last_mut() {
            let (value, reusable, covered) = (value.clone(), true, false);
            let pin = None;
            let loan =
                Loan { place, value, tracked, exclusive, reusable, pin, covered, mark, depth };
            lent.loans.push(loan);
        }
        value
    }

    /// The arguments are evaluated: what they lend is out of use from here on. Until here it may be read, and lent to
    /// calls that are over by now, but it must be the same. The result is what comes back after the call, or
    /// (`outward`) after the one around.
    pub(crate) fn begin_loans(
        &mut self,
        lent: Lent,
        args: &mut [Expr],
        outward: bool,
    ) -> Vec<Loan> {
        let Lent { mut loans, mut held } = lent;
        if loans.iter().any(|loan| loan.tracked) {
            self.settle_args(args);
        }
        for loan in loans.iter().filter(|loan| loan.tracked) {
            let mark = if loan.depth == self.depth() { loan.mark } else { 0 };
            let mut given = Given::new(&self.lowerer.program);
            for stmt in self.all_stmts().iter().skip(mark) {
                given.stmt(stmt);
            }
            let mut places = given.places.into_iter();
            let changed = places.find(|(given, lent, _)| {
                is_prefix(given, &loan.place) && !(*lent && *given == loan.place)
            });
            if let Some((_, _, span)) = changed {
                self.report_kept(span);
            }
        }
        // What calls among the arguments were lent, too, is out of use already.
        loans.retain(|loan| {
            let is_same = |other: &Loan| other.tracked && other.place == loan.place;
            loan.pin.is_some()
                || loan.tracked
                    && !loan.covered
                    && (loan.exclusive || !held.iter().any(|held| is_same(held) && !held.exclusive))
        });
        // What several arguments look at is lent once.
        let (kept, mut shared): (Vec<Loan>, Vec<Loan>) =
            loans.drain(..).partition(|loan| loan.exclusive);
        if outward {
            self.read_again(&mut shared);
        }
        let lent = kept.iter().map(|loan| loan.place.clone()).chain(places(&shared));
        for place in lent {
            self.emit(StmtKind::Consume { place, how: ConsumeHow::Borrow });
        }
        held.extend(kept);
        held.extend(shared);
        held
    }

    pub(crate) fn loans_before(&mut self) -> LoansBefore {
        let (mark, depth) = (self.mark(), self.depth());
        let lent = self.loans.last();
        let (loans, held) = lent.map_or((0, 0), |lent| (lent.loans.len(), lent.held.len()));
        LoansBefore { loans, held, mark, depth }
    }

    /// The end of an arm of `?:`: what calls in it lent to the call around is lent again where the arms meet.
    pub(crate) fn end_arm(&mut self, before: LoansBefore) {
        let Some(lent) = self.loans.last_mut() else { return };
        let LoansBefore { loans, held, mark, depth } = before;
        if lent.loans[loans..].iter().chain(&lent.held[held..]).any(|loan| loan.pin.is_some()) {
            let text = "a reference is lent to the call around in one arm alone";
            let error = Diagnostic::error("E0543", text, self.span).help(
                "lend it before, by `let alias`, or choose between references and lend the result",
            );
            self.lowerer.report(error);
            return;
        }
        for loan in lent.loans[loans..].iter_mut().chain(&mut lent.held[held..]) {
            loan.reusable = false;
            (loan.mark, loan.depth) = (mark, depth);
        }
        for place in places(&lent.held[held..]).into_iter().rev() {
            self.emit(StmtKind::Restore { place, how: RestoreHow::Unborrow });
        }
    }

    /// Where the arms meet, the second of which began at `middle`.
    pub(crate) fn lend_again(&mut self, before: LoansBefore, middle: LoansBefore) {
        let Some(lent) = self.loans.last_mut() else { return };
        let (first, second) = lent.loans[before.loans..].split_at_mut(middle.loans - before.loans);
        cover(first, second);
        cover(second, first);
        let (first, second) = lent.held[before.held..].split_at_mut(middle.held - before.held);
        cover(first, second);
        cover(second, first);
        let mut arms = lent.held.split_off(before.held);
        arms.retain(|loan| !loan.covered);
        let again = places(&arms);
        self.read_again(&mut arms);
        if let Some(lent) = self.loans.last_mut() {
            lent.held.extend(arms);
        }
        for place in again {
            self.emit(StmtKind::Consume { place, how: ConsumeHow::Borrow });
        }
    }

    /// What was read in an arm is read again for later arguments, unless it lies behind a pointer: that may be there in
    /// one arm only.
    fn read_again(&mut self, loans: &mut [Loan]) {
        for loan in loans.iter_mut().filter(|loan| loan.tracked && !loan.reusable) {
            if loan.place.ty == loan.value.ty && self.is_local_part(&loan.place) {
                loan.value = self.save(load(loan.place.clone()));
                loan.reusable = true;
            }
        }
    }

    /// Arguments that look at owned places are read before those are out of use.
    fn settle_args(&mut self, args: &mut [Expr]) {
        for arg in args {
            let mut loads = Loads::default();
            loads.expr(arg);
            if loads.paths.iter().any(|path| self.is_tracked(path)) {
                let value = std::mem::replace(arg, self.zero(arg.ty));
                *arg = self.save(value);
            }
        }
    }

    /// The call is over: what was lent to it comes back.
    pub(crate) fn end_loans(&mut self, loans: Vec<Loan>) {
        // The last pin goes first, whichever call it was made for.
        let mut pins: Vec<LocalId> = loans.iter().filter_map(|loan| loan.pin).collect();
        pins.sort_unstable_by(|a, b| b.cmp(a));
        for pin in pins {
            self.emit(StmtKind::Unpin(pin));
        }
        for loan in loans.into_iter().rev().filter(|loan| loan.tracked) {
            self.emit(StmtKind::Restore { place: loan.place, how: RestoreHow::Unborrow });
        }
    }
}

/// The places that loans are of, each once.
fn places(loans: &[Loan]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for loan in loans.iter().filter(|loan| loan.tracked) {
        if !places.contains(&loan.place) {
            places.push(loan.place.clone());
        }
    }
    places
}

/// One of two arms is evaluated: what one lends is not lent again as a part of what the other does.
fn cover(arm: &mut [Loan], other: &[Loan]) {
    for loan in arm.iter_mut().filter(|loan| loan.tracked) {
        loan.covered |= other.iter().any(|outer| {
            let whole = outer.place != loan.place || loan.exclusive;
            outer.tracked && !outer.covered && whole && is_prefix(&outer.place, &loan.place)
        });
    }
}
