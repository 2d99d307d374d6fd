//! Parsing of functions and statements.

use super::lex::Token;
use super::parse::{Parser, Result};
use crate::{
    AllocCount, AllocPlace, Allocation, Block, Callee, Check, CheckKind, CheckStatus, ConsumeHow,
    Expr, Fact, FuncTy, Function, FunctionId, Label, LabelId, Local, LocalId, LocalKind, Loop,
    LoopTest, Owned, Place, RestoreHow, Stmt, StmtKind, SwitchArm, Try, Ty, TyId,
};
use index_vec::IndexVec;
use tenure_span::{FastMap, Span, Symbol};

/// The function being parsed.
#[derive(Default)]
pub struct Body {
    pub locals: IndexVec<LocalId, Local>,
    pub local_names: FastMap<String, LocalId>,
    labels: IndexVec<LabelId, Label>,
    label_names: FastMap<String, LabelId>,
}

/// A parameter list and what it declares.
pub struct Params {
    pub ty: TyId,
    pub names: Vec<Option<Symbol>>,
    pub locals: Vec<(String, Local)>,
}

impl Parser {
    pub fn params(&mut self) -> Result<Params> {
        self.expect("(")?;
        let (mut names, mut locals, mut params) = (Vec::new(), Vec::new(), Vec::new());
        let mut variadic = false;
        while !self.accept(")") {
            if self.accept("...") {
                variadic = true;
            } else {
                let span = self.span();
                let name = self.name()?;
                self.expect(":")?;
                let ty = self.ty()?;
                let mut local = Local::new(ty, LocalKind::Param, span);
                local.name = user_name(&name);
                self.local_flags(&mut local)?;
                names.push(if name == "_" { None } else { local.name });
                params.push(ty);
                locals.push((name, local));
            }
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        let (result, noreturn) = self.result()?;
        let func = FuncTy { result, params, variadic, noreturn };
        let ty = self.program.types.intern(Ty::Func(func));
        Ok(Params { ty, names, locals })
    }

    fn result(&mut self) -> Result<(TyId, bool)> {
        self.expect("->")?;
        let result = self.ty()?;
        Ok((result, self.accept_word("never")))
    }

    pub fn func_ty(&mut self) -> Result<TyId> {
        self.expect("(")?;
        let mut params = Vec::new();
        let mut variadic = false;
        while !self.accept(")") {
            if self.accept("...") {
                variadic = true;
            } else {
                params.push(self.ty()?);
            }
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        let (result, noreturn) = self.result()?;
        Ok(self.program.types.intern(Ty::Func(FuncTy { result, params, variadic, noreturn })))
    }

    fn local_flags(&mut self, local: &mut Local) -> Result<()> {
        local.is_const = self.accept_word("const");
        local.is_volatile = self.accept_word("volatile");
        local.address_taken = self.accept_word("addr");
        local.zeroable = !self.accept_word("nonzero");
        local.zero_at_entry = self.accept_word("zeroed");
        local.align = self.align()?;
        for (word, owned) in
            [("unique", Owned::Unique), ("counted", Owned::Counted), ("owning", Owned::Aggregate)]
        {
            if self.accept_word(word) {
                local.owned = Some(owned);
            }
        }
        local.noconsume = self.accept_word("noconsume");
        Ok(())
    }

    pub fn function_body(&mut self, id: FunctionId, params: Vec<(String, Local)>) -> Result<()> {
        let mut body = Body::default();
        let params = params.into_iter().map(|(name, local)| body.declare(name, local)).collect();
        self.body = Some(body);
        let block = self.block()?;
        let end = self.tokens[self.at.saturating_sub(1)].1;
        let body = self.body.take().unwrap_or_default();
        let function =
            Function { id, params, locals: body.locals, labels: body.labels, body: block, end };
        self.program.functions.push(function);
        Ok(())
    }

    fn block(&mut self) -> Result<Block> {
        self.nested(|parser| {
            parser.expect("{")?;
            let mut block = Block::default();
            while !parser.accept("}") {
                let kind = match parser.peek() {
                    Token::Name(word, false) if word == "var" => Some(LocalKind::User),
                    Token::Name(word, false) if word == "temp" => Some(LocalKind::Temp),
                    _ => None,
                };
                match kind {
                    Some(kind) => block.locals.push(parser.declaration(kind)?),
                    None => block.stmts.push(parser.stmt()?),
                }
            }
            Ok(block)
        })
    }

    fn declaration(&mut self, kind: LocalKind) -> Result<LocalId> {
        self.bump();
        let span = self.span();
        let name = self.name()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let mut local = Local::new(ty, kind, span);
        local.name = user_name(&name);
        self.local_flags(&mut local)?;
        self.expect(";")?;
        match &mut self.body {
            Some(body) => Ok(body.declare(name, local)),
            None => self.fail("a declaration stands outside a function"),
        }
    }

    fn local_name(&mut self) -> Result<LocalId> {
        let name = self.name()?;
        match self.body.as_ref().and_then(|body| body.local_names.get(&name)) {
            Some(&id) => Ok(id),
            None => self.fail(format!("no local is called {name}")),
        }
    }

    fn label_name(&mut self) -> Result<LabelId> {
        let name = self.name()?;
        let Some(body) = &mut self.body else {
            return self.fail("a label stands outside a function");
        };
        Ok(body.label(&name))
    }

    fn stmt(&mut self) -> Result<Stmt> {
        let start = self.span();
        let kind = self.stmt_kind()?;
        let end = self.tokens[self.at.saturating_sub(1)].1;
        let span = match kind {
            StmtKind::If { .. } | StmtKind::Loop(_) | StmtKind::Switch { .. } => start,
            StmtKind::Block { .. } | StmtKind::Try(_) => start,
            _ => start.to(end),
        };
        Ok(Stmt { kind, span })
    }

    fn stmt_kind(&mut self) -> Result<StmtKind> {
        let word = match self.peek() {
            Token::Name(word, false) => word.clone(),
            _ => String::new(),
        };
        let compound = match word.as_str() {
            "if" => self.if_stmt()?,
            "while" | "do" | "forever" => self.loop_stmt()?,
            "switch" => self.switch()?,
            "block" => {
                self.bump();
                let label = Some(self.label_name()?);
                StmtKind::Block { label, body: self.block()? }
            }
            "scope" => {
                self.bump();
                StmtKind::Block { label: None, body: self.block()? }
            }
            "try" => {
                self.bump();
                let frame = self.local_name()?;
                let body = self.block()?;
                if !self.accept_word("catch") {
                    return self.fail("expected `catch`");
                }
                let exn = self.local_name()?;
                StmtKind::Try(Box::new(Try { frame, body, exn, handler: self.block()? }))
            }
            _ => {
                let kind = self.simple(&word)?;
                self.expect(";")?;
                kind
            }
        };
        Ok(compound)
    }

    fn if_stmt(&mut self) -> Result<StmtKind> {
        self.bump();
        let cond = self.expr()?;
        let then = self.block()?;
        let otherwise = if self.accept_word("else") { Some(Box::new(self.block()?)) } else { None };
        Ok(StmtKind::If { cond, then, otherwise })
    }

    fn head(&mut self) -> Result<Block> {
        if self.accept_word("head") {
            self.block()
        } else {
            Ok(Block::default())
        }
    }

    fn loop_stmt(&mut self) -> Result<StmtKind> {
        let word = self.name()?;
        let label = self.label_name()?;
        let mut test = LoopTest::Forever;
        if word == "while" {
            let head = self.head()?;
            test = LoopTest::Before { head, cond: self.expr()? };
        }
        let body = self.block()?;
        let mut step = Vec::new();
        if self.accept_word("step") {
            self.expect("{")?;
            while !self.accept("}") {
                step.push(self.stmt()?);
            }
        }
        if word == "do" {
            if !self.accept_word("while") {
                return self.fail("expected `while`");
            }
            let head = self.head()?;
            test = LoopTest::After { head, cond: self.expr()? };
            self.expect(";")?;
        }
        Ok(StmtKind::Loop(Box::new(Loop { label, test, body, step })))
    }

    fn switch(&mut self) -> Result<StmtKind> {
        self.bump();
        let label = self.label_name()?;
        let value = self.expr()?;
        let mut arms = Vec::new();
        let mut default = None;
        self.expect("{")?;
        while !self.accept("}") {
            if self.accept_word("default") {
                default = Some(self.block()?);
                continue;
            }
            if !self.accept_word("case") {
                return self.fail("expected `case`");
            }
            let mut values = Vec::new();
            while !self.is("{") {
                let low = self.int()?;
                let high = if self.accept("..") { self.int()? } else { low };
                values.push((low, high));
                if !self.is("{") {
                    self.expect(",")?;
                }
            }
            arms.push(SwitchArm { values, body: self.block()? });
        }
        Ok(StmtKind::Switch { value, arms, default: default.map(Box::new), label })
    }

    /// A statement without a block, before its semicolon.
    fn simple(&mut self, word: &str) -> Result<StmtKind> {
        let keyword = super::KEYWORDS.contains(&word) && word != "fn";
        if !keyword {
            return self.assignment();
        }
        self.bump();
        Ok(match word {
            "init" => {
                let place = self.place()?;
                self.expect("=")?;
                StmtKind::Init(place, self.expr()?)
            }
            "zero" => StmtKind::Zero(self.place()?),
            "eval" => StmtKind::Eval(self.expr()?),
            "call" => self.call(None)?,
            "check" => StmtKind::Check(Box::new(self.check()?)),
            "break" => StmtKind::Break(self.label_name()?),
            "continue" => StmtKind::Continue(self.label_name()?),
            "label" => StmtKind::Label(self.label_name()?),
            "goto" => StmtKind::Goto(self.label_name()?),
            "return" if self.is(";") => StmtKind::Return(None),
            "return" => StmtKind::Return(Some(self.expr()?)),
            "region_enter" => StmtKind::RegionEnter(self.local_name()?),
            "region_exit" => StmtKind::RegionExit(self.local_name()?),
            "try_exit" => StmtKind::TryExit(self.local_name()?),
            "throw" => StmtKind::Throw { exn: self.expr()? },
            "rethrow" => StmtKind::Rethrow { exn: self.expr()? },
            "no_match" => StmtKind::NoMatch,
            "consume" => self.consume()?,
            "restore" => self.restore()?,
            "open" => {
                let (key, handle) = self.key_and_handle()?;
                StmtKind::Open { key, handle }
            }
            "close" => {
                let (key, handle) = self.key_and_handle()?;
                StmtKind::Close { key, handle }
            }
            "pin" => {
                let dest = self.place()?;
                self.expect("=")?;
                let reference = self.expr()?;
                if !self.accept_word("by") {
                    return self.fail("expected `by`");
                }
                StmtKind::Pin { pin: self.local_name()?, dest, reference }
            }
            "unpin" => StmtKind::Unpin(self.local_name()?),
            "unreachable" => StmtKind::Unreachable,
            _ => return self.fail(format!("`{word}` begins no statement")),
        })
    }

    fn consume(&mut self) -> Result<StmtKind> {
        let place = self.place()?;
        let how = if self.accept_word("free") {
            let mut parts = Vec::new();
            self.expect("(")?;
            while !self.accept(")") {
                parts.push(self.place()?);
                if !self.is(")") {
                    self.expect(",")?;
                }
            }
            ConsumeHow::Free { parts }
        } else if self.accept_word("borrow") {
            ConsumeHow::Borrow
        } else if self.accept_word("swap") {
            ConsumeHow::Swap
        } else if self.accept_word("bind") {
            ConsumeHow::Bind(self.local_name()?)
        } else {
            ConsumeHow::Move
        };
        Ok(StmtKind::Consume { place, how })
    }

    fn restore(&mut self) -> Result<StmtKind> {
        let place = self.place()?;
        let how = if self.accept_word("unborrow") {
            RestoreHow::Unborrow
        } else if self.accept_word("unbind") {
            RestoreHow::Unbind(self.local_name()?)
        } else if self.accept_word("empty") {
            RestoreHow::Empty
        } else if self.accept_word("clear") {
            RestoreHow::Clear
        } else {
            RestoreHow::Store
        };
        Ok(StmtKind::Restore { place, how })
    }

    fn key_and_handle(&mut self) -> Result<(Place, LocalId)> {
        let key = self.place()?;
        if !self.accept_word("as") {
            return self.fail("expected `as`");
        }
        Ok((key, self.local_name()?))
    }

    fn assignment(&mut self) -> Result<StmtKind> {
        let place = self.place()?;
        self.expect("=")?;
        if self.accept_word("call") {
            return self.call(Some(place));
        }
        if self.accept_word("alloc") {
            return self.alloc(place);
        }
        Ok(StmtKind::Assign(place, self.expr()?))
    }

    fn call(&mut self, dest: Option<Place>) -> Result<StmtKind> {
        let may_throw = !self.accept_word("nothrow");
        let callee = if self.accept("(") {
            self.expect("*")?;
            let callee = self.expr()?;
            self.expect(")")?;
            Callee::Indirect(Box::new(callee))
        } else {
            Callee::Direct(self.function_name()?)
        };
        Ok(StmtKind::Call { dest, callee, args: self.args()?, may_throw })
    }

    fn alloc(&mut self, dest: Place) -> Result<StmtKind> {
        let word = self.name()?;
        let place = match word.as_str() {
            "heap" => AllocPlace::Heap,
            "unique" => AllocPlace::Unique,
            "counted" => AllocPlace::Counted,
            "checked" => AllocPlace::Checked,
            "arena" => {
                let handle = self.args()?;
                match <[Expr; 1]>::try_from(handle) {
                    Ok([handle]) => AllocPlace::Arena(handle),
                    Err(_) => return self.fail("an arena is one handle"),
                }
            }
            _ => return self.fail(format!("`{word}` is no place to allocate")),
        };
        let elem = self.ty()?;
        let count = if self.accept_word("elements") {
            AllocCount::Elements(self.expr()?)
        } else if self.accept_word("bytes") {
            AllocCount::Bytes(self.expr()?)
        } else {
            AllocCount::One
        };
        let zeroed = self.accept_word("zeroed");
        Ok(StmtKind::Alloc(Box::new(Allocation { dest, place, elem, count, zeroed })))
    }

    fn check(&mut self) -> Result<Check> {
        let span = self.span();
        let word = self.name()?;
        let args = self.args()?;
        let kind = match self.check_kind(&word, args)? {
            Some(kind) => kind,
            None => return self.fail(format!("no check is called {word} with these operands")),
        };
        if self.accept("@") {
            self.text()?;
        }
        let mut status = CheckStatus::Needed;
        if self.accept_word("proved") {
            self.expect("(")?;
            status = CheckStatus::Proved(self.fact(span)?);
            self.expect(")")?;
        } else if self.accept_word("verified") {
            self.expect("(")?;
            status = CheckStatus::Verified(self.fact(span)?);
            self.expect(")")?;
        }
        Ok(Check { kind, status, span })
    }

    fn check_kind(&mut self, word: &str, args: Vec<Expr>) -> Result<Option<CheckKind>> {
        let mut args = args.into_iter();
        let parts = (args.next(), args.next(), args.next());
        Ok(Some(match (word, parts) {
            ("nonnull", (Some(a), None, None)) => CheckKind::NonNull(a),
            ("nonzero", (Some(a), None, None)) => CheckKind::NonZero(a),
            ("fits32", (Some(count), Some(size), None)) => CheckKind::Fits32 { count, size },
            ("touch", (Some(a), None, None)) => CheckKind::Touch(a),
            ("assert", (Some(a), None, None)) => CheckKind::Assert(a),
            ("has_zero", (Some(ptr), None, None)) => CheckKind::HasZero { ptr },
            ("tag", (Some(tag), None, None)) => {
                if !self.accept_word("is") {
                    return self.fail("expected `is`");
                }
                CheckKind::Tag { tag, expected: self.int()? }
            }
            ("index", (Some(index), Some(size), None)) => CheckKind::Index { index, size },
            ("index_or_end", (Some(index), Some(size), None)) => {
                CheckKind::IndexOrEnd { index, size }
            }
            ("fat_index", (Some(ptr), Some(index), None)) => CheckKind::FatIndex { ptr, index },
            ("fat_step", (Some(ptr), Some(count), None)) => CheckKind::FatStep { ptr, count },
            ("fat_count", (Some(ptr), Some(count), None)) => {
                let nullable = self.accept_word("nullable");
                CheckKind::FatCount { ptr, count, nullable }
            }
            ("no_div_overflow", (Some(dividend), Some(divisor), None)) => {
                CheckKind::NoDivOverflow { dividend, divisor }
            }
            ("zeroterm_index", (Some(ptr), Some(index), None)) => {
                CheckKind::ZeroTermIndex { ptr, index }
            }
            ("zeroterm_store", (Some(ptr), Some(index), Some(value))) => {
                CheckKind::ZeroTermStore { ptr, index, value }
            }
            _ => return Ok(None),
        }))
    }

    fn fact(&mut self, span: Span) -> Result<Fact> {
        let word = self.name()?;
        Ok(match word.as_str() {
            "constant" => Fact::Constant,
            "origin" => Fact::Origin(span),
            "branch" => Fact::Branch(span),
            "earlier_check" => Fact::EarlierCheck(span),
            "less_than" => Fact::LessThan(span),
            "switched_off" => Fact::SwitchedOff,
            "range" => {
                let local = match self.peek() {
                    Token::Name(..) => Some(self.local_name()?),
                    _ => None,
                };
                let low = self.int()?;
                self.expect("..")?;
                Fact::Range { local, low, high: self.int()? }
            }
            _ => return self.fail(format!("no fact is called {word}")),
        })
    }
}

/// Temporaries are printed as `%t1`; a suffix that made a user's name unique is not part of it.
fn user_name(name: &str) -> Option<Symbol> {
    if name.starts_with('%') {
        return None;
    }
    let base = match name.rsplit_once('.') {
        Some((base, digits)) if digits.chars().all(|c| c.is_ascii_digit()) => base,
        _ => name,
    };
    Some(Symbol::new(base))
}

impl Body {
    fn declare(&mut self, name: String, local: Local) -> LocalId {
        let id = self.locals.push(local);
        self.local_names.insert(name, id);
        id
    }

    fn label(&mut self, name: &str) -> LabelId {
        if let Some(&id) = self.label_names.get(name) {
            return id;
        }
        let id = self.labels.push(Label { name: user_name(name) });
        self.label_names.insert(name.to_string(), id);
        id
    }
}
