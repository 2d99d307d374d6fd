//! An interpreter of core, slow and simple: every check is executed, proved or not.

use super::random::Random;
use std::collections::HashMap;
use tenure_core::*;

/// Why a run is a bug of the analysis (or of this test).
#[derive(Debug)]
pub struct Bug(pub String);

#[derive(Clone, PartialEq, Debug)]
pub enum Val {
    Int(i128),
    /// An address: object and path; `None` is NULL.
    Ptr(Option<(usize, Vec<usize>)>),
    Fat(Box<(Val, u32, u32)>),
    Many(Vec<Val>),
}

pub enum Stop {
    Break(LabelId),
    Continue(LabelId),
    Goto(LabelId),
    Return(Option<Val>),
    Throw,
    /// Steps ran out.
    Tired,
    Bug(Bug),
}

type Flow = Result<(), Stop>;

pub struct Machine<'p> {
    pub program: &'p Program,
    function: &'p Function,
    objects: Vec<Val>,
    /// Objects whose last cell stays zero.
    sequences: Vec<usize>,
    locals: HashMap<LocalId, usize>,
    /// Objects of locals whose address nobody has.
    private: Vec<usize>,
    globals: Vec<usize>,
    steps: u32,
    depth: u32,
    pub random: Random,
    pub proved_run: u64,
    pub needed_run: u64,
}

fn bug<T>(text: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Bug(Bug(text.into())))
}

fn int_ty(program: &Program, ty: TyId) -> Option<IntTy> {
    match program.types.get(ty) {
        Ty::Int(int) => Some(*int),
        _ => None,
    }
}

fn wrap(n: i128, int: IntTy) -> i128 {
    let bits = int.bits();
    if int == IntTy::Bool {
        return i128::from(n != 0);
    }
    let low = n & ((1i128 << bits) - 1);
    if int.is_signed() && low >> (bits - 1) != 0 {
        low - (1i128 << bits)
    } else {
        low
    }
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, function: &'p Function, seed: u64) -> Machine<'p> {
        let mut machine = Machine {
            program,
            function,
            objects: Vec::new(),
            sequences: Vec::new(),
            locals: HashMap::new(),
            private: Vec::new(),
            globals: Vec::new(),
            steps: 0,
            depth: 0,
            random: Random::new(seed),
            proved_run: 0,
            needed_run: 0,
        };
        for global in &program.globals {
            let mut value = machine.zero(global.ty);
            if let Some(init) = &global.init {
                initialise(&mut value, init);
            }
            machine.objects.push(value);
            machine.globals.push(machine.objects.len() - 1);
        }
        machine
    }

    fn zero(&self, ty: TyId) -> Val {
        match self.program.types.get(ty) {
            Ty::Ptr { .. } => Val::Ptr(None),
            Ty::Fat { .. } => Val::Fat(Box::new((Val::Ptr(None), 0, 0))),
            Ty::Array { of, len } => Val::Many(vec![self.zero(*of); *len as usize]),
            Ty::Record(id) => {
                let fields = self.program.types.records[*id].fields.iter().flatten();
                Val::Many(fields.map(|f| self.zero(f.ty)).collect())
            }
            _ => Val::Int(0),
        }
    }

    fn interesting(&mut self, int: IntTy) -> i128 {
        let n = match self.random.below(8) {
            0 => -1,
            1 => i128::from(i32::MAX) - i128::from(self.random.below(3)),
            2 => i128::from(i32::MIN) + i128::from(self.random.below(3)),
            3 => i128::from(self.random.number()),
            4 => i128::from(u32::MAX) - i128::from(self.random.below(3)),
            _ => i128::from(self.random.below(10)),
        };
        wrap(n, int)
    }

    /// A random value that the type's invariants allow.
    pub fn arbitrary(&mut self, ty: TyId, depth: u32) -> Val {
        match self.program.types.get(ty).clone() {
            Ty::Int(int) => Val::Int(self.interesting(int)),
            Ty::Ptr { to, .. } => {
                if *self.program.types.get(to) == Ty::Int(IntTy::Char) {
                    return self.sequence();
                }
                if depth == 0 || self.random.one_in(3) {
                    return Val::Ptr(None);
                }
                // Aliases: an object of the type that is there already.
                if let (Ty::Record(_), true) = (self.program.types.get(to), self.random.one_in(2)) {
                    let same = self.program.globals.iter().rposition(|global| global.ty == to);
                    return Val::Ptr(same.map(|n| (self.globals[n], Vec::new())));
                }
                let value = self.arbitrary(to, depth - 1);
                self.objects.push(value);
                Val::Ptr(Some((self.objects.len() - 1, Vec::new())))
            }
            Ty::Fat { to, .. } => {
                if depth == 0 || self.random.one_in(6) {
                    return Val::Fat(Box::new((Val::Ptr(None), self.random.below(3) as u32, 0)));
                }
                let len = self.random.below(9) as u32;
                let cells = (0..len).map(|_| self.arbitrary(to, depth - 1)).collect();
                self.objects.push(Val::Many(cells));
                let base = Val::Ptr(Some((self.objects.len() - 1, vec![0])));
                let idx = if self.random.one_in(3) { self.random.below(12) as u32 } else { 0 };
                let idx = if self.random.one_in(8) { idx.wrapping_sub(2) } else { idx };
                Val::Fat(Box::new((base, idx, len)))
            }
            Ty::Record(id) => {
                let fields = self.program.types.records[id].fields.clone().unwrap_or_default();
                Val::Many(fields.iter().map(|f| self.arbitrary(f.ty, depth)).collect())
            }
            Ty::Array { of, len } => {
                Val::Many((0..len).map(|_| self.arbitrary(of, depth)).collect())
            }
            _ => Val::Int(0),
        }
    }

    fn sequence(&mut self) -> Val {
        let len = 1 + self.random.below(5) as usize;
        let mut cells: Vec<Val> =
            (0..len).map(|_| Val::Int(i128::from(self.random.below(3)))).collect();
        cells.push(Val::Int(0));
        self.objects.push(Val::Many(cells));
        self.sequences.push(self.objects.len() - 1);
        Val::Ptr(Some((self.objects.len() - 1, vec![0])))
    }

    /// Calls the function some times with random arguments. What other objects can name is random each time; the
    /// rest is as the calls before left it.
    pub fn run(&mut self) -> Result<(), Bug> {
        for (n, global) in self.program.globals.iter().enumerate() {
            if global.linkage == Linkage::Internal {
                self.private.push(self.globals[n]);
            }
        }
        let function = self.function;
        for _ in 0..3 {
            self.steps = 1500;
            self.depth = 0;
            self.function = function;
            self.locals.clear();
            if let Err(Stop::Bug(bug)) = self.invoke() {
                return Err(bug);
            }
        }
        Ok(())
    }

    fn invoke(&mut self) -> Flow {
        for (n, global) in self.program.globals.iter().enumerate() {
            if global.linkage != Linkage::Internal && self.program.main.is_none() {
                let object = self.globals[n];
                self.objects[object] = self.arbitrary(global.ty, 1);
            }
        }
        for &param in &self.function.params {
            let value = self.arbitrary(self.function.locals[param].ty, 2);
            self.bind(param, value);
        }
        self.block(&self.function.body)
    }

    fn bind(&mut self, local: LocalId, value: Val) {
        self.objects.push(value);
        let object = self.objects.len() - 1;
        self.locals.insert(local, object);
        if !self.function.locals[local].address_taken {
            self.private.push(object);
        }
    }

    fn block(&mut self, block: &'p Block) -> Flow {
        for &local in &block.locals {
            let declared = &self.function.locals[local];
            let value = match declared.zero_at_entry {
                true => self.zero(declared.ty),
                false => self.arbitrary(declared.ty, 1),
            };
            self.bind(local, value);
        }
        self.list(&block.stmts)
    }

    fn list(&mut self, stmts: &'p [Stmt]) -> Flow {
        let mut at = 0;
        while at < stmts.len() {
            match self.stmt(&stmts[at]) {
                Err(Stop::Goto(label)) => {
                    let here = stmts.iter().position(|s| s.kind == StmtKind::Label(label));
                    match here {
                        Some(position) => at = position,
                        None => return Err(Stop::Goto(label)),
                    }
                }
                other => other?,
            }
            at += 1;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'p Stmt) -> Flow {
        if self.steps == 0 {
            return Err(Stop::Tired);
        }
        self.steps -= 1;
        match &stmt.kind {
            StmtKind::Assign(place, expr) | StmtKind::Init(place, expr) => {
                let value = self.eval(expr)?;
                self.store(place, value)
            }
            StmtKind::Zero(place) => {
                let value = self.zero(place.ty);
                self.store(place, value)
            }
            StmtKind::Eval(expr) => self.eval(expr).map(|_| ()),
            StmtKind::Call { dest, callee: Callee::Direct(id), args, .. }
                if self.program.functions.iter().any(|f| f.id == *id) =>
            {
                let value = self.call(*id, args)?;
                match (dest, value) {
                    (Some(place), Some(value)) => self.store(place, value),
                    _ => Ok(()),
                }
            }
            StmtKind::Call { dest, may_throw, .. } => {
                self.havoc();
                if *may_throw && self.random.one_in(3) {
                    return Err(Stop::Throw);
                }
                if let Some(place) = dest {
                    let value = self.arbitrary(place.ty, 1);
                    self.store(place, value)?;
                }
                Ok(())
            }
            StmtKind::Alloc(alloc) => self.alloc(alloc),
            StmtKind::Check(check) => self.check(check),
            StmtKind::If { cond, then, otherwise } => {
                if self.truth(cond)? {
                    self.block(then)
                } else if let Some(block) = otherwise {
                    self.block(block)
                } else {
                    Ok(())
                }
            }
            StmtKind::Loop(l) => self.loop_stmt(l),
            StmtKind::Switch { value, arms, default, label } => {
                let value = self.int(value)?;
                let arm = arms
                    .iter()
                    .find(|arm| arm.values.iter().any(|&(lo, hi)| lo <= value && value <= hi));
                let block = arm.map(|arm| &arm.body).or(default.as_deref());
                let flow = block.map_or(Ok(()), |block| self.block(block));
                caught(flow, *label)
            }
            StmtKind::Block { label: Some(label), body } => caught(self.block(body), *label),
            StmtKind::Block { label: None, body } => self.block(body),
            StmtKind::Try(t) => match self.block(&t.body) {
                Err(Stop::Throw) => {
                    self.bind(t.exn, Val::Ptr(Some((0, Vec::new()))));
                    self.block(&t.handler)
                }
                other => other,
            },
            _ => self.jump(stmt),
        }
    }

    /// Statements that only go elsewhere, and those without an effect here.
    fn jump(&mut self, stmt: &'p Stmt) -> Flow {
        match &stmt.kind {
            StmtKind::Break(label) => Err(Stop::Break(*label)),
            StmtKind::Continue(label) => Err(Stop::Continue(*label)),
            StmtKind::Goto(label) => Err(Stop::Goto(*label)),
            StmtKind::Return(None) => Err(Stop::Return(None)),
            StmtKind::Return(Some(value)) => Err(Stop::Return(Some(self.eval(value)?))),
            StmtKind::Throw { .. } | StmtKind::Rethrow { .. } | StmtKind::NoMatch => {
                Err(Stop::Throw)
            }
            _ => Ok(()),
        }
    }

    fn loop_stmt(&mut self, l: &'p Loop) -> Flow {
        loop {
            if let LoopTest::Before { head, cond } = &l.test {
                self.block(head)?;
                if !self.truth(cond)? {
                    return Ok(());
                }
            }
            match self.block(&l.body) {
                Err(Stop::Break(label)) if label == l.label => return Ok(()),
                Err(Stop::Continue(label)) if label == l.label => {}
                other => other?,
            }
            self.list(&l.step)?;
            if let LoopTest::After { head, cond } = &l.test {
                self.block(head)?;
                if !self.truth(cond)? {
                    return Ok(());
                }
            }
            if self.steps == 0 {
                return Err(Stop::Tired);
            }
            self.steps -= 1;
        }
    }

    fn call(&mut self, id: FunctionId, args: &'p [Expr]) -> Result<Option<Val>, Stop> {
        if self.depth > 20 {
            return Err(Stop::Tired);
        }
        let values = args.iter().map(|arg| self.eval(arg)).collect::<Result<Vec<_>, _>>()?;
        let callee = self.program.functions.iter().find(|f| f.id == id);
        let Some(callee) = callee else { return bug("no such function") };
        let (caller, locals) = (self.function, std::mem::take(&mut self.locals));
        self.function = callee;
        for (&param, value) in callee.params.iter().zip(values) {
            self.bind(param, value);
        }
        self.depth += 1;
        let flow = self.block(&callee.body);
        self.depth -= 1;
        (self.function, self.locals) = (caller, locals);
        match flow {
            Ok(()) => Ok(None),
            Err(Stop::Return(value)) => Ok(value),
            Err(other) => Err(other),
        }
    }

    /// What a function of another file may do: change anything whose address is known to others.
    fn havoc(&mut self) {
        // Nothing of a whole program is known to others.
        if self.program.main.is_some() {
            return;
        }
        let mut private = vec![false; self.objects.len()];
        for object in &self.private {
            private[*object] = true;
        }
        for (object, private) in private.into_iter().enumerate() {
            if private || self.random.one_in(2) {
                continue;
            }
            let terminated = self.sequences.contains(&object);
            let mut value = self.objects[object].clone();
            self.disturb(&mut value);
            if let (true, Val::Many(cells)) = (terminated, &mut value) {
                if let Some(last) = cells.last_mut() {
                    *last = Val::Int(0);
                }
            }
            self.objects[object] = value;
        }
    }

    fn disturb(&mut self, value: &mut Val) {
        match value {
            // The type is not at hand: small numbers are in every type.
            Val::Int(n) => {
                if self.random.one_in(2) {
                    *n = i128::from(self.random.below(12));
                }
            }
            Val::Ptr(_) => {
                if self.random.one_in(3) {
                    *value = Val::Ptr(None);
                }
            }
            Val::Fat(fat) => {
                if self.random.one_in(3) {
                    **fat = (Val::Ptr(None), 0, 0);
                }
            }
            Val::Many(parts) => parts.iter_mut().for_each(|part| self.disturb(part)),
        }
    }

    fn alloc(&mut self, alloc: &'p Allocation) -> Flow {
        let elem = alloc.elem;
        let cells = match &alloc.count {
            AllocCount::One => 1,
            AllocCount::Elements(count) => self.int(count)?,
            AllocCount::Bytes(_) => return bug("allocation in bytes"),
        };
        if cells > 64 {
            return Err(Stop::Throw);
        }
        let many = Val::Many(vec![self.zero(elem); cells as usize]);
        self.objects.push(many);
        let address = Val::Ptr(Some((self.objects.len() - 1, vec![0])));
        self.store(&alloc.dest, address)
    }

    fn check(&mut self, check: &'p Check) -> Flow {
        let holds = self.holds(&check.kind)?;
        match &check.status {
            CheckStatus::Needed => {
                self.needed_run += 1;
                if holds {
                    Ok(())
                } else {
                    Err(Stop::Throw)
                }
            }
            CheckStatus::Proved(fact) | CheckStatus::Verified(fact) => {
                self.proved_run += 1;
                if holds {
                    return Ok(());
                }
                bug(format!("a check at {:?} was proved ({fact:?}) and failed", check.span))
            }
        }
    }

    fn holds(&mut self, kind: &'p CheckKind) -> Result<bool, Stop> {
        Ok(match kind {
            CheckKind::NonNull(p) => self.eval(p)? != Val::Ptr(None),
            CheckKind::Index { index, size } => {
                let (index, size) = (self.int(index)?, self.int(size)?);
                index >= 0 && index < size
            }
            CheckKind::IndexOrEnd { index, size } => {
                let (index, size) = (self.int(index)?, self.int(size)?);
                index >= 0 && index <= size
            }
            CheckKind::FatIndex { ptr, index } => {
                let (_, idx, len) = self.fat(ptr)?;
                let index = self.int(index)?;
                self.number(ptr_index_ty(kind), idx, index) < i128::from(len)
            }
            CheckKind::FatCount { ptr, count, nullable } => {
                let (base, idx, len) = self.fat(ptr)?;
                let count = self.int(count)?;
                if base == Val::Ptr(None) {
                    return Ok(*nullable);
                }
                count <= i128::from(len.saturating_sub(idx))
            }
            CheckKind::FatStep { ptr, count } => {
                let (_, idx, len) = self.fat(ptr)?;
                let count = self.int(count)? as i64;
                let last = i128::from(len.max(i32::MAX as u32));
                let position = match idx {
                    idx if idx <= len => i128::from(idx),
                    idx => i128::from(idx as i32),
                };
                let to = position + i128::from(count);
                i32::try_from(count).is_ok() || (last - i128::from(u32::MAX)..=last).contains(&to)
            }
            CheckKind::NonZero(n) => self.int(n)? != 0,
            CheckKind::NoDivOverflow { dividend, divisor } => {
                let least = match int_ty(self.program, dividend.ty) {
                    Some(int) if int.is_signed() => -(1i128 << (int.bits() - 1)),
                    _ => return Ok(true),
                };
                !(self.int(dividend)? == least && self.int(divisor)? == -1)
            }
            CheckKind::Tag { tag, expected } => self.int(tag)? == *expected,
            CheckKind::Fits32 { count, .. } => {
                (0..=i128::from(u32::MAX)).contains(&self.int(count)?)
            }
            // What it interprets has no checked heap.
            CheckKind::Touch(_) => true,
            CheckKind::Assert(cond) => self.truth(cond)?,
            CheckKind::ZeroTermIndex { ptr, index } => {
                let (ptr, index) = (self.eval(ptr)?, self.int(index)?);
                let mut holds = index >= 0;
                for n in 0..index.max(0) {
                    holds = holds && self.element(&ptr, n)? != 0;
                    if !holds {
                        break;
                    }
                }
                holds
            }
            CheckKind::ZeroTermStore { ptr, index, value } => {
                let (ptr, index) = (self.eval(ptr)?, self.int(index)?);
                self.int(value)? == 0 || self.element(&ptr, index)? != 0
            }
            CheckKind::HasZero { .. } => return bug("has_zero is not generated"),
        })
    }

    /// The number of an element: a 64-bit index is added in 64 bits.
    fn number(&self, ty: Option<TyId>, idx: u32, index: i128) -> i128 {
        let wide = ty.and_then(|ty| int_ty(self.program, ty)).is_some_and(|int| int.bits() > 32);
        wrap(i128::from(idx) + index, if wide { IntTy::ULong } else { IntTy::UInt })
    }

    fn element(&mut self, ptr: &Val, index: i128) -> Result<i128, Stop> {
        let address = moved(ptr, index)?;
        match self.read(&address)? {
            Val::Int(n) => Ok(n),
            _ => bug("no integer element"),
        }
    }

    fn truth(&mut self, expr: &'p Expr) -> Result<bool, Stop> {
        Ok(match self.eval(expr)? {
            Val::Int(n) => n != 0,
            Val::Ptr(p) => p.is_some(),
            Val::Fat(fat) => fat.0 != Val::Ptr(None),
            Val::Many(_) => return bug("a record is no condition"),
        })
    }

    fn int(&mut self, expr: &'p Expr) -> Result<i128, Stop> {
        match self.eval(expr)? {
            Val::Int(n) => Ok(n),
            other => bug(format!("{other:?} is no integer")),
        }
    }

    fn fat(&mut self, expr: &'p Expr) -> Result<(Val, u32, u32), Stop> {
        match self.eval(expr)? {
            Val::Fat(fat) => Ok(*fat),
            other => bug(format!("{other:?} is no fat pointer")),
        }
    }

    fn eval(&mut self, expr: &'p Expr) -> Result<Val, Stop> {
        Ok(match &expr.kind {
            ExprKind::Const(Const::Int(n)) => Val::Int(*n),
            ExprKind::Const(Const::Zero) => self.zero(expr.ty),
            ExprKind::Load(place) => {
                let address = self.address(place)?;
                self.read(&address)?
            }
            ExprKind::AddrOf(place) => Val::Ptr(Some(self.address(place)?)),
            ExprKind::Unary(UnaryOp::Not, a) => Val::Int(i128::from(!self.truth(a)?)),
            ExprKind::Unary(op, a) => {
                let n = self.int(a)?;
                let n = if *op == UnaryOp::Neg { -n } else { -1 - n };
                self.wrapped(n, expr.ty)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr.ty)?,
            ExprKind::Cast(kind, a) => match (kind, self.eval(a)?) {
                (CastKind::Int, Val::Int(n)) => self.wrapped(n, expr.ty),
                (CastKind::ToBool, Val::Int(n)) => Val::Int(i128::from(n != 0)),
                (CastKind::PtrView, Val::Ptr(Some((object, mut path)))) => {
                    path.push(0);
                    Val::Ptr(Some((object, path)))
                }
                _ => return bug("cast"),
            },
            ExprKind::Cond(c, a, b) => {
                if self.truth(c)? {
                    self.eval(a)?
                } else {
                    self.eval(b)?
                }
            }
            ExprKind::PtrAdd(p, n) => {
                let (p, n) = (self.eval(p)?, self.int(n)?);
                Val::Ptr(Some(moved(&p, n)?))
            }
            ExprKind::MakeFat { base, idx, len } => {
                let base = self.eval(base)?;
                let (idx, len) = (self.int(idx)? as u32, self.int(len)? as u32);
                Val::Fat(Box::new((base, idx, len)))
            }
            ExprKind::FatIdx(p) => Val::Int(i128::from(self.fat(p)?.1)),
            ExprKind::FatLen(p) => Val::Int(i128::from(self.fat(p)?.2)),
            ExprKind::FatCount(p) => {
                let (_, idx, len) = self.fat(p)?;
                Val::Int(i128::from(len.saturating_sub(idx)))
            }
            ExprKind::FatAdd(p, n) => {
                let (base, idx, len) = self.fat(p)?;
                let idx = wrap(i128::from(idx) + self.int(n)?, IntTy::UInt) as u32;
                Val::Fat(Box::new((base, idx, len)))
            }
            ExprKind::Aggregate(parts) => {
                let Val::Many(mut fields) = self.zero(expr.ty) else { return bug("no record") };
                for (field, part) in parts {
                    fields[*field as usize] = self.eval(part)?;
                }
                Val::Many(fields)
            }
            other => return bug(format!("{other:?} is not interpreted")),
        })
    }

    fn wrapped(&self, n: i128, ty: TyId) -> Val {
        Val::Int(int_ty(self.program, ty).map_or(n, |int| wrap(n, int)))
    }

    fn binary(&mut self, op: BinaryOp, a: &'p Expr, b: &'p Expr, ty: TyId) -> Result<Val, Stop> {
        use BinaryOp::*;
        if op == And {
            return Ok(Val::Int(i128::from(self.truth(a)? && self.truth(b)?)));
        }
        if op == Or {
            return Ok(Val::Int(i128::from(self.truth(a)? || self.truth(b)?)));
        }
        let (x, y) = (self.eval(a)?, self.eval(b)?);
        if matches!(op, Eq | Ne) {
            let same = match (&x, &y) {
                (Val::Fat(p), Val::Fat(q)) => p.0 == q.0,
                _ => x == y,
            };
            return Ok(Val::Int(i128::from(same == (op == Eq))));
        }
        let (Val::Int(x), Val::Int(y)) = (x, y) else { return bug("operands") };
        let bits = int_ty(self.program, a.ty).map_or(32, IntTy::bits);
        let count = (y & i128::from(bits - 1)) as u32;
        Ok(match op {
            Lt => Val::Int(i128::from(x < y)),
            Le => Val::Int(i128::from(x <= y)),
            Gt => Val::Int(i128::from(x > y)),
            Ge => Val::Int(i128::from(x >= y)),
            Div | Rem if y == 0 => return bug("division by zero"),
            Div => self.wrapped(x / y, ty),
            Rem => self.wrapped(x % y, ty),
            Add => self.wrapped(x + y, ty),
            Sub => self.wrapped(x - y, ty),
            Mul => self.wrapped(x.wrapping_mul(y), ty),
            BitAnd => Val::Int(x & y),
            BitOr => Val::Int(x | y),
            BitXor => self.wrapped(x ^ y, ty),
            Shl => self.wrapped(x << count, ty),
            Shr => Val::Int(x >> count),
            _ => return bug("operator"),
        })
    }

    fn address(&mut self, place: &'p Place) -> Result<(usize, Vec<usize>), Stop> {
        match &place.kind {
            PlaceKind::Local(local) => match self.locals.get(local) {
                Some(&object) => Ok((object, Vec::new())),
                None => bug("a local without a scope"),
            },
            PlaceKind::Global(id) => Ok((self.globals[id.index()], Vec::new())),
            PlaceKind::Deref(p) => match self.eval(p)? {
                Val::Ptr(Some(address)) => Ok(address),
                _ => bug("NULL is dereferenced"),
            },
            PlaceKind::Field(base, field) => {
                let (object, mut path) = self.address(base)?;
                path.push(*field as usize);
                Ok((object, path))
            }
            PlaceKind::Index(base, index) => {
                let (object, mut path) = self.address(base)?;
                path.push(self.int(index)? as usize);
                Ok((object, path))
            }
            PlaceKind::PtrIndex(p, index) => {
                let (p, index) = (self.eval(p)?, self.int(index)?);
                moved(&p, index)
            }
            PlaceKind::FatIndex(p, index) => {
                let (base, idx, _) = self.fat(p)?;
                let by = self.int(index)?;
                moved(&base, self.number(Some(index.ty), idx, by))
            }
        }
    }

    fn read(&self, (object, path): &(usize, Vec<usize>)) -> Result<Val, Stop> {
        let mut at = &self.objects[*object];
        for &step in path {
            match at {
                Val::Many(parts) if step < parts.len() => at = &parts[step],
                // A pointer to a single object is one to a sequence of one.
                _ if step == 0 => {}
                _ => return bug("a read outside of an object"),
            }
        }
        Ok(at.clone())
    }

    fn store(&mut self, place: &'p Place, value: Val) -> Flow {
        let (object, path) = self.address(place)?;
        match part(&mut self.objects[object], &path) {
            Some(at) => {
                *at = value;
                Ok(())
            }
            None => bug("a store outside of an object"),
        }
    }
}

fn part<'v>(at: &'v mut Val, path: &[usize]) -> Option<&'v mut Val> {
    let Some((&step, rest)) = path.split_first() else { return Some(at) };
    let inside = matches!(at, Val::Many(parts) if step < parts.len());
    if !inside {
        return if step == 0 { part(at, rest) } else { None };
    }
    match at {
        Val::Many(parts) => part(&mut parts[step], rest),
        _ => None,
    }
}

fn ptr_index_ty(kind: &CheckKind) -> Option<TyId> {
    match kind {
        CheckKind::FatIndex { index, .. } => Some(index.ty),
        _ => None,
    }
}

fn initialise(value: &mut Val, init: &Initializer) {
    match (value, init) {
        (Val::Many(cells), Initializer::Array(parts)) => {
            parts.iter().for_each(|(n, part)| initialise(&mut cells[*n as usize], part));
        }
        (value, Initializer::Value(Expr { kind: ExprKind::Const(Const::Int(n)), .. })) => {
            *value = Val::Int(*n);
        }
        _ => {}
    }
}

fn caught(flow: Flow, label: LabelId) -> Flow {
    match flow {
        Err(Stop::Break(to)) if to == label => Ok(()),
        other => other,
    }
}

fn moved(ptr: &Val, by: i128) -> Result<(usize, Vec<usize>), Stop> {
    let Val::Ptr(Some((object, path))) = ptr else { return bug("NULL is moved") };
    let mut path = path.clone();
    if by != 0 || !path.is_empty() {
        let last = path.pop().unwrap_or(0) as i128 + by;
        match usize::try_from(last) {
            Ok(last) => path.push(last),
            Err(_) => return bug("a pointer before its object"),
        }
    }
    Ok((*object, path))
}
