//! Blocks and simple statements.

use crate::exprs::{prec, Text};
use crate::functions::Body;
use crate::walk::{self, Visitor};
use std::collections::{HashMap, HashSet};
use tenure_core::{
    AllocCount, AllocPlace, Allocation, BinaryOp, Block, Callee, CastKind, Const, Expr, ExprKind,
    FunctionId, LocalId, Place, PlaceKind, Stmt, StmtKind, Ty, TyId,
};

impl Body<'_, '_> {
    /// The declarations and statements of a block, without braces.
    pub(crate) fn block(&mut self, block: &Block) {
        let merged = self.first_stores(block);
        let late: HashSet<LocalId> = merged.values().copied().collect();
        for &local in &block.locals {
            if !self.nested.contains(&local) && !late.contains(&local) {
                self.declare(local);
            }
        }
        for (at, stmt) in block.stmts.iter().enumerate() {
            match merged.get(&at) {
                Some(&local) => self.declare_with(local, stmt),
                None => self.stmt(stmt),
            }
        }
    }

    /// Statements of the block that are the first to mention one of its locals and store to it: the declaration goes
    /// there.
    fn first_stores(&self, block: &Block) -> HashMap<usize, LocalId> {
        struct First<'b> {
            pending: HashSet<LocalId>,
            hit: Vec<LocalId>,
            _block: &'b Block,
        }
        impl Visitor for First<'_> {
            fn local(&mut self, local: LocalId) {
                if self.pending.remove(&local) {
                    self.hit.push(local);
                }
            }
        }
        let mut first = First {
            pending: block.locals.iter().copied().collect(),
            hit: Vec::new(),
            _block: block,
        };
        let mut merged = HashMap::new();
        for (at, stmt) in block.stmts.iter().enumerate() {
            if first.pending.is_empty() {
                break;
            }
            first.hit.clear();
            let stored = whole_store(stmt).filter(|local| {
                first.pending.contains(local)
                    && !self.nested.contains(local)
                    && self.can_initialise(*local, stmt)
                    && !reads_itself(stmt, *local)
            });
            walk::stmt(&mut first, stmt);
            if let Some(local) = stored {
                merged.insert(at, local);
            }
        }
        merged
    }

    fn can_initialise(&self, local: LocalId, stmt: &Stmt) -> bool {
        let Some(local) = self.local(local) else {
            return false;
        };
        let array = matches!(self.ty(local.ty), Ty::Array { .. });
        !local.zero_at_entry
            && match &stmt.kind {
                StmtKind::Assign(_, e) | StmtKind::Init(_, e) => {
                    !array
                        || matches!(e.kind, ExprKind::Aggregate(_) | ExprKind::Const(Const::Zero))
                }
                StmtKind::Zero(_) => !self.has_union_rest(local.ty),
                _ => !array,
            }
    }

    /// The declaration of a local that is assigned later.
    pub(crate) fn declare(&mut self, id: LocalId) {
        let text = self.declarator(id);
        let Some(local) = self.local(id) else {
            return;
        };
        if local.name.is_some() {
            self.out.at(self.location(local.span));
        }
        if local.zero_at_entry && self.has_union_rest(local.ty) {
            let name = self.local_name(id).to_string();
            self.out.line(&format!("{text};"));
            let address = if local.is_volatile { "(void *)&" } else { "&" };
            self.out.line(&format!("__builtin_memset({address}{name}, 0, sizeof {name});"));
        } else if local.zero_at_entry {
            let zero = self.zero_initialiser(local.ty);
            self.out.line(&format!("{text} = {zero};"));
        } else {
            self.out.plain(&format!("{text};"));
        }
    }

    /// Whether a zero in braces leaves bytes behind a union's member as they are, which another member shows: C11
    /// 6.2.6.1p7 says nothing of them, and some compilers write the member alone.
    fn has_union_rest(&self, ty: TyId) -> bool {
        let types = &self.unit.program.types;
        types.has_unwritten_bytes(ty) && types.has_union(ty)
    }

    /// What initialises a local of the type to all zero.
    fn zero_initialiser(&mut self, ty: TyId) -> String {
        let zero = Expr { kind: ExprKind::Const(Const::Zero), ty };
        match self.ty(ty) {
            Ty::Record(_)
            | Ty::Array { .. }
            | Ty::Arena
            | Ty::HandlerFrame
            | Ty::Pin
            | Ty::VaList => self.unit.types.zero_braces(ty),
            Ty::Fat { .. } => "{NULL, 0, 0}".to_string(),
            _ => self.expr(&zero).arg(),
        }
    }

    /// `T x = value;`
    fn declare_with(&mut self, id: LocalId, stmt: &Stmt) {
        self.start(stmt);
        let declarator = self.declarator(id);
        let Some(local) = self.local(id) else {
            return;
        };
        let value = match &stmt.kind {
            StmtKind::Assign(_, e) | StmtKind::Init(_, e) => self.initialiser(e, local.ty),
            StmtKind::Call { callee, args, .. } => self.call_value(callee, args, local.ty).arg(),
            StmtKind::Alloc(allocation) => self.allocation(allocation),
            _ => self.zero_initialiser(local.ty),
        };
        self.out.line(&format!("{declarator} = {value};"));
    }

    /// A value in a declaration, where aggregates need no type.
    pub(crate) fn initialiser(&mut self, e: &Expr, ty: TyId) -> String {
        match &e.kind {
            ExprKind::Aggregate(parts) => self.braces(parts, e.ty),
            ExprKind::Const(Const::Zero) => self.zero_initialiser(ty),
            _ => self.value(e, ty).arg(),
        }
    }

    fn start(&mut self, stmt: &Stmt) {
        self.span = stmt.span;
        self.out.at(self.location(stmt.span));
    }

    /// Keeps the text of a call that is printed where its result is used.
    fn hold(&mut self, stmt: &Stmt) -> bool {
        let StmtKind::Call { dest: Some(dest), callee, args, .. } = &stmt.kind else {
            return false;
        };
        let PlaceKind::Local(local) = dest.kind else {
            return false;
        };
        if !self.nested.contains(&local) {
            return false;
        }
        self.span = stmt.span;
        let text = self.call_value(callee, args, dest.ty);
        self.held.insert(local, text);
        true
    }

    /// The call whose result is read here.
    pub(crate) fn held_call(&mut self, place: &Place) -> Option<Text> {
        let PlaceKind::Local(local) = place.kind else {
            return None;
        };
        self.held.remove(&local)
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) {
        if self.hold(stmt) {
            return;
        }
        self.start(stmt);
        match &stmt.kind {
            StmtKind::Assign(place, e) | StmtKind::Init(place, e) => {
                let text = self.assignment(place, e);
                self.out.line(&format!("{text};"));
            }
            StmtKind::Zero(place) => self.fill_zero(place),
            StmtKind::Eval(e) => {
                let text = self.expr(e).at(prec::UNARY);
                self.out.line(&format!("(void){text};"));
            }
            StmtKind::Call { dest, callee, args, .. } => self.call(dest.as_ref(), callee, args),
            StmtKind::Alloc(allocation) => {
                let value = self.allocation(allocation);
                let dest = self.place(&allocation.dest).text;
                self.out.line(&format!("{dest} = {value};"));
            }
            StmtKind::Check(check) => self.check(check),
            StmtKind::RegionEnter(local) => self.region("tn_arena_enter", *local),
            StmtKind::RegionExit(local) => self.region("tn_arena_exit", *local),
            StmtKind::Pin { pin, dest, reference } => {
                self.note_read(*pin);
                self.raises_dangling();
                let site = self.site(self.span, None);
                let (pin, reference) = (self.local_name(*pin), self.expr(reference).arg());
                let dest = self.place(dest).text;
                self.out.line(&format!("{dest} = tn_pin_enter(&{pin}, {reference}, {site});"));
            }
            StmtKind::Unpin(pin) => self.region("tn_pin_exit", *pin),
            StmtKind::TryExit(local) => self.region("tn_handler_pop", *local),
            StmtKind::Throw { exn } => {
                let site = self.site(self.span, None);
                let exn = self.exception(exn);
                self.out.line(&format!("tn_throw({exn}, {site});"));
            }
            StmtKind::Rethrow { exn } => self.rethrow(exn),
            StmtKind::NoMatch => {
                let site = self.site(self.unit.head_of_switch(self.span), None);
                self.out.line(&format!("tn_raise_match({site});"));
            }
            StmtKind::Unreachable => {
                let site = self.site(self.span, None);
                self.out.line(&format!("tn_returned({site});"));
            }
            StmtKind::Consume { .. } | StmtKind::Restore { .. } => {}
            StmtKind::Open { key, handle } => {
                let (key, handle) = (self.expr_of(key), self.local_name(*handle));
                self.out.line(&format!("{handle} = tn_dynamic_open({key});"));
            }
            // The region lives on as long as its keys.
            StmtKind::Close { .. } => {}
            _ => self.control(stmt),
        }
    }

    fn expr_of(&mut self, place: &Place) -> String {
        self.load(place).arg()
    }

    fn region(&mut self, function: &str, local: LocalId) {
        self.note_read(local);
        let name = self.local_name(local);
        self.out.line(&format!("{function}(&{name});"));
    }

    /// An exception as the runtime's functions take it: `void *`.
    fn exception(&mut self, exn: &Expr) -> String {
        let drops = self.pointee(exn.ty).is_some_and(|(_, q)| q.is_const || q.is_volatile);
        let text = self.decayed(exn);
        if drops {
            format!("(void *){}", text.at(prec::UNARY))
        } else {
            text.arg()
        }
    }

    fn rethrow(&mut self, exn: &Expr) {
        match self.handlers.last() {
            Some(&frame) => self.region("tn_rethrow", frame),
            None => {
                let exn = self.exception(exn);
                self.out.line(&format!("tn_throw({exn}, NULL);"));
            }
        }
    }

    /// An assignment as an expression: also the step of a `for`.
    pub(crate) fn assignment(&mut self, place: &Place, e: &Expr) -> String {
        if let Some(text) = self.update(place, e) {
            return text;
        }
        if matches!(self.ty(place.ty), Ty::Array { .. }) {
            return self.array_copy(place, e);
        }
        let value = match self.bit_field_constant(place, e) {
            Some(text) => text,
            None => self.value(e, place.ty).arg(),
        };
        let target = self.target(place);
        if target == value {
            return format!("(void){target}");
        }
        format!("{target} = {value}")
    }

    /// A constant as a bit-field keeps it; cc would remark that it is cut.
    fn bit_field_constant(&mut self, place: &Place, e: &Expr) -> Option<String> {
        let PlaceKind::Field(base, field) = &place.kind else {
            return None;
        };
        let value = self.fold(e)?.value;
        let Ty::Record(id) = self.ty(base.ty) else {
            return None;
        };
        let fields = self.unit.program.types.records[*id].fields.as_ref()?;
        let bits = fields.get(*field as usize)?.bits.filter(|&bits| bits < 64)?;
        let Ty::Int(int) = self.ty(place.ty) else {
            return None;
        };
        let low = value & ((1 << bits) - 1);
        let negative = int.is_signed() && low >> (bits - 1) != 0;
        let kept = if negative { low - (1 << bits) } else { low };
        let constant = Expr { kind: ExprKind::Const(Const::Int(kept)), ty: place.ty };
        Some(self.expr(&constant).arg())
    }

    /// A place to store to, without the const of the pointer through which it is filled in.
    fn target(&mut self, place: &Place) -> String {
        let quals = self.place_quals(place);
        let is_local = matches!(root(place), PlaceKind::Local(_));
        let text = self.place(place);
        if !quals.is_const || is_local {
            return text.text;
        }
        let pointer = self.unit.types.pointer_to(place.ty, Default::default(), "");
        format!("*({pointer})&{}", text.at(prec::UNARY))
    }

    fn array_copy(&mut self, place: &Place, e: &Expr) -> String {
        let target = self.place(place).at(prec::UNARY);
        match &e.kind {
            ExprKind::Load(from) => {
                let from = self.load(from).at(prec::UNARY);
                format!("__builtin_memcpy(&{target}, &{from}, sizeof {target})")
            }
            ExprKind::Const(Const::Zero) => {
                format!("__builtin_memset(&{target}, 0, sizeof {target})")
            }
            _ => {
                let from = self.expr(e).at(prec::UNARY);
                format!("__builtin_memcpy(&{target}, &{from}, sizeof {target})")
            }
        }
    }

    /// `x++`, `x += e` for `x = x + e`.
    fn update(&mut self, place: &Place, e: &Expr) -> Option<String> {
        let is_self = |e: &Expr| matches!(&e.kind, ExprKind::Load(p) if p == place);
        match &e.kind {
            ExprKind::Binary(op, a, b) if is_self(a) && e.ty == place.ty => {
                let symbol = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Sub => "-",
                    BinaryOp::Mul => "*",
                    BinaryOp::BitAnd => "&",
                    BinaryOp::BitOr => "|",
                    BinaryOp::BitXor => "^",
                    _ => return None,
                };
                Some(self.updated(place, symbol, b))
            }
            // The detour over `int` that narrower types make.
            ExprKind::Cast(CastKind::Int, wide) => match &wide.kind {
                ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b)
                    if matches!(b.kind, ExprKind::Const(Const::Int(1))) =>
                {
                    let ExprKind::Cast(CastKind::Int, inner) = &a.kind else {
                        return None;
                    };
                    let bool_like = matches!(self.ty(place.ty), Ty::Int(tenure_core::IntTy::Bool));
                    let symbol = if *op == BinaryOp::Add { "+" } else { "-" };
                    (is_self(inner) && !bool_like).then(|| self.updated(place, symbol, b))
                }
                _ => None,
            },
            ExprKind::PtrAdd(p, n)
                if is_self(p)
                    && e.ty == place.ty
                    && !matches!(self.ty(p.ty), Ty::Checked { .. }) =>
            {
                match &n.kind {
                    ExprKind::Const(Const::Int(_)) => Some(self.updated(place, "+", n)),
                    _ => None,
                }
            }
            ExprKind::FatAdd(p, n) if is_self(p) && e.ty == place.ty => {
                self.fat_update(place, n, e)
            }
            _ => None,
        }
    }

    fn updated(&mut self, place: &Place, symbol: &str, by: &Expr) -> String {
        // clang has it that `n += e` alone does not use `n`.
        if !matches!(place.kind, PlaceKind::Local(_)) {
            self.note_reads(place);
        }
        let target = self.place(place).at(prec::POSTFIX);
        let (symbol, by) = match (&by.kind, symbol) {
            (ExprKind::Const(Const::Int(1)), "+" | "-") => {
                return format!("{target}{symbol}{symbol}")
            }
            (ExprKind::Const(Const::Int(-1)), "+") => return format!("{target}--"),
            _ => (symbol, self.expr(by).arg()),
        };
        format!("{target} {symbol}= {by}")
    }

    fn fat_update(&mut self, place: &Place, n: &Expr, whole: &Expr) -> Option<String> {
        let target = self.load(place).at(prec::POSTFIX);
        let idx = self.fat_idx(whole);
        let own = format!("{target}.idx");
        Some(match idx.text.strip_prefix(&own).map(str::trim_start) {
            Some("+ 1") => format!("{own}++"),
            Some("- 1") => format!("{own}--"),
            Some(rest) if rest.starts_with("+ ") && self.bits(n.ty) <= 32 => {
                format!("{own} += {}", self.expr(n).arg())
            }
            _ => format!("{own} = {}", idx.arg()),
        })
    }

    fn fill_zero(&mut self, place: &Place) {
        let target = self.target(place);
        match self.ty(place.ty) {
            Ty::Record(_)
            | Ty::Array { .. }
            | Ty::Arena
            | Ty::HandlerFrame
            | Ty::Pin
            | Ty::VaList => {
                let target = Text::new(target, prec::UNARY).at(prec::UNARY);
                self.note_reads(place);
                self.out.line(&format!("__builtin_memset(&{target}, 0, sizeof {target});"));
            }
            _ => {
                let zero = Expr { kind: ExprKind::Const(Const::Zero), ty: place.ty };
                let zero = self.expr(&zero).arg();
                self.out.line(&format!("{target} = {zero};"));
            }
        }
    }

    fn call(&mut self, dest: Option<&Place>, callee: &Callee, args: &[Expr]) {
        match dest {
            Some(place) => {
                let value = self.call_value(callee, args, place.ty).arg();
                let target = self.target(place);
                self.out.line(&format!("{target} = {value};"));
            }
            None => {
                let (call, _) = self.call_text(callee, args);
                self.out.line(&format!("{call};"));
            }
        }
    }

    /// A call whose result is stored in a place of the type.
    fn call_value(&mut self, callee: &Callee, args: &[Expr], target: TyId) -> Text {
        let (call, result) = self.call_text(callee, args);
        let differ = result.is_some_and(|result| result != target)
            && matches!(self.ty(target), Ty::Ptr { .. } | Ty::Word);
        if differ {
            let name = self.type_name(target);
            return Text::new(format!("({name}){call}"), prec::UNARY);
        }
        Text::primary(call)
    }

    /// Says where the call is, for what the callee raises.
    fn tell_caller(&mut self, callee: FunctionId) {
        let decl = &self.unit.program.decls[callee];
        let asks = decl.attributes.iter().any(|name| name == crate::functions::CALLER_SITE);
        if asks && self.unit.options.callers {
            let name = crate::constants::quote(decl.source_name.as_str());
            let site = self.site(self.span, None);
            self.out.line(&format!("tn_called({site}, {name});"));
        }
    }

    fn call_text(&mut self, callee: &Callee, args: &[Expr]) -> (String, Option<TyId>) {
        let (name, ty) = match callee {
            Callee::Direct(id) => {
                self.tell_caller(*id);
                let ty = self.unit.program.decls[*id].ty;
                (self.callee_name(*id), Some(ty))
            }
            Callee::Indirect(p) => {
                let ty = self.pointee(p.ty).map(|(to, _)| to);
                (self.expr(p).at(prec::POSTFIX), ty)
            }
        };
        let func = match ty.map(|ty| self.ty(ty)) {
            Some(Ty::Func(func)) => Some(func),
            _ => None,
        };
        let mut texts = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            let param = func.and_then(|func| func.params.get(at)).copied();
            let text = match param {
                Some(param) => self.value(arg, param),
                None => self.decayed(arg),
            };
            texts.push(text.arg());
        }
        if let Callee::Direct(id) = callee {
            let attributes = &self.unit.program.decls[*id].attributes;
            if attributes.iter().any(|name| name == crate::functions::SITE_ARGUMENT) {
                texts.push(self.site(self.span, None));
            }
        }
        (format!("{name}({})", texts.join(", ")), func.map(|func| func.result))
    }

    fn callee_name(&mut self, id: FunctionId) -> String {
        let name = self.unit.names.function(id).to_string();
        if !self.recurses || self.function.map(|function| function.id) != Some(id) {
            return name;
        }
        let alias = format!("{name}$self");
        self.unit.alias_of(id, &alias);
        alias
    }

    /// The call that allocates.
    fn allocation(&mut self, a: &Allocation) -> String {
        let elem = self.type_name(a.elem);
        let size = match &a.count {
            AllocCount::One => format!("sizeof({elem})"),
            AllocCount::Elements(n) => match n.kind {
                ExprKind::Const(Const::Int(1)) => format!("sizeof({elem})"),
                _ => format!("tn_size_mul({}, sizeof({elem}))", self.expr(n).arg()),
            },
            AllocCount::Bytes(n) => self.expr(n).arg(),
        };
        let site = self.site(self.span, None);
        let align = format!("_Alignof({elem})");
        let call = match &a.place {
            AllocPlace::Arena(handle) if !is_heap(handle) => {
                let handle = self.expr(handle).arg();
                let zero = if a.zeroed { "_zero" } else { "" };
                format!("tn_arena_alloc{zero}({handle}, {size}, {align}, {site})")
            }
            AllocPlace::Unique | AllocPlace::Counted => {
                let kind = if a.place == AllocPlace::Unique { "unique" } else { "counted" };
                let zero = if a.zeroed { "_zero" } else { "" };
                format!("tn_{kind}_alloc{zero}({size}, {align}, {site})")
            }
            AllocPlace::Checked => {
                let flags = if a.zeroed { "TN_CHECKED_ZERO" } else { "TN_CHECKED_RAW" };
                format!("tn_object_new({size}, {align}, NULL, {flags}, {site})")
            }
            _ => format!("tn_heap_alloc({size}, {align}, {site})"),
        };
        // `void *` converts by itself, but not to a word that may alias.
        call
    }
}

fn is_heap(handle: &Expr) -> bool {
    matches!(handle.kind, ExprKind::Const(Const::Zero))
}

fn root(place: &Place) -> &PlaceKind {
    match &place.kind {
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => root(base),
        kind => kind,
    }
}

/// The local that a statement stores to as a whole.
pub(crate) fn whole_store(stmt: &Stmt) -> Option<LocalId> {
    let place = match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Init(place, _) | StmtKind::Zero(place) => place,
        StmtKind::Call { dest: Some(place), .. } => place,
        StmtKind::Alloc(allocation) => &allocation.dest,
        _ => return None,
    };
    match place.kind {
        PlaceKind::Local(id) => Some(id),
        _ => None,
    }
}

/// The statement mentions the local also apart from the store.
fn reads_itself(stmt: &Stmt, local: LocalId) -> bool {
    struct Count(LocalId, usize);
    impl Visitor for Count {
        fn local(&mut self, local: LocalId) {
            self.1 += usize::from(local == self.0);
        }
    }
    let mut count = Count(local, 0);
    walk::stmt(&mut count, stmt);
    count.1 > 1
}
