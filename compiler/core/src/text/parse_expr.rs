//! Parsing of expressions and places; types come from the operands.

use super::lex::Token;
use super::parse::{Parser, Result};
use super::print_expr::{binary, cast_word};
use crate::{
    type_of_expr, BinaryOp, CastKind, Const, Expr, ExprKind, FloatTy, IntTy, Place, PlaceKind, Ty,
    TyId, UnaryOp,
};
use tenure_span::Symbol;

const BINARY: [BinaryOp; 18] = {
    use BinaryOp::*;
    [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge, And, Or]
};

const CASTS: [CastKind; 11] = {
    use CastKind::*;
    [
        Int,
        IntToFloat,
        FloatToFloat,
        FloatToInt,
        ToBool,
        PtrView,
        Address,
        FatView,
        PtrToInt,
        ToWord,
        FromWord,
    ]
};

impl Parser {
    pub fn expr(&mut self) -> Result<Expr> {
        self.nested(|parser| parser.binary_from(1))
    }

    pub fn place(&mut self) -> Result<Place> {
        match self.nested(Parser::unary)?.kind {
            ExprKind::Load(place) => Ok(place),
            _ => self.fail("expected a place"),
        }
    }

    fn binary_from(&mut self, least: u8) -> Result<Expr> {
        let mut left = self.unary()?;
        loop {
            let Token::Punct(punct) = *self.peek() else { return Ok(left) };
            let Some(op) = BINARY.into_iter().find(|&op| binary(op).0 == punct) else {
                return Ok(left);
            };
            let (_, strength) = binary(op);
            if strength < least {
                return Ok(left);
            }
            self.bump();
            let right = self.nested(|parser| parser.binary_from(strength + 1))?;
            left = self.typed(ExprKind::Binary(op, Box::new(left), Box::new(right)))?;
        }
    }

    /// Gives `kind` the type that its operands have, or the ascribed one after it.
    fn typed(&mut self, kind: ExprKind) -> Result<Expr> {
        self.intern_result(&kind);
        let void = self.program.types.intern(Ty::Void);
        let mut expr = Expr { kind, ty: void };
        match type_of_expr(&self.program, &expr) {
            Some(ty) => expr.ty = ty,
            None if self.is(":") => {}
            None => return self.fail("the expression needs a type: `expr:type`"),
        }
        Ok(expr)
    }

    /// `type_of_expr` only finds types that exist.
    fn intern_result(&mut self, kind: &ExprKind) {
        let types = &mut self.program.types;
        match kind {
            ExprKind::AddrOf(place) => {
                types.ptr(place.ty);
            }
            ExprKind::MakeFat { base, .. } => {
                if let Ty::Ptr { to, quals } = *types.get(base.ty) {
                    types.intern(Ty::Fat { to, quals });
                }
            }
            ExprKind::FatBase(a) | ExprKind::FatCur(a) => {
                if let Ty::Fat { to, quals } = *types.get(a.ty) {
                    types.intern(Ty::Ptr { to, quals });
                }
            }
            ExprKind::Const(Const::Float(_)) => {
                types.intern(Ty::Float(FloatTy::F64));
            }
            ExprKind::Const(Const::LongFloat(_)) => {
                types.intern(Ty::Float(FloatTy::Long));
            }
            ExprKind::Const(Const::Str(_)) => {
                let char = types.int(IntTy::Char);
                types.ptr(char);
            }
            ExprKind::Const(Const::Function(id)) => {
                let to = self.program.decls[*id].ty;
                types.ptr(to);
            }
            _ => {}
        }
    }

    fn unary(&mut self) -> Result<Expr> {
        self.nested(Parser::unary_inner)
    }

    fn unary_inner(&mut self) -> Result<Expr> {
        if self.accept("*") {
            let pointer = self.unary()?;
            return self.load(PlaceKind::Deref(Box::new(pointer)));
        }
        if self.accept("&") {
            let place = self.place()?;
            return self.typed(ExprKind::AddrOf(place));
        }
        let adjacent = self.span().hi;
        if self.accept("-") {
            if matches!(self.peek(), Token::Int(_) | Token::Float(_)) && self.span().lo == adjacent
            {
                let constant = self.number(true)?;
                return self.postfix(constant);
            }
            let operand = self.unary()?;
            return self.typed(ExprKind::Unary(UnaryOp::Neg, Box::new(operand)));
        }
        for (punct, op) in [("~", UnaryOp::BitNot), ("!", UnaryOp::Not)] {
            if self.accept(punct) {
                let operand = self.unary()?;
                return self.typed(ExprKind::Unary(op, Box::new(operand)));
            }
        }
        let primary = self.primary()?;
        self.postfix(primary)
    }

    fn number(&mut self, negative: bool) -> Result<Expr> {
        let constant = match self.bump() {
            Token::Int(n) => Const::Int(if negative { n.wrapping_neg() } else { n }),
            Token::Float(digits) => {
                let value: f64 = match digits.parse() {
                    Ok(value) => value,
                    Err(_) => return self.fail("no such number"),
                };
                Const::Float(if negative { -value } else { value }.to_bits())
            }
            _ => return self.fail("expected a number"),
        };
        self.typed(ExprKind::Const(constant))
    }

    fn postfix(&mut self, mut expr: Expr) -> Result<Expr> {
        loop {
            if self.accept(":") {
                expr.ty = self.ty()?;
            } else if self.accept("[") {
                let index = Box::new(self.expr()?);
                self.expect("]")?;
                expr = self.element(expr, index)?;
            } else if self.accept(".") {
                let ExprKind::Load(place) = expr.kind else {
                    return self.fail("only a place has fields");
                };
                expr = self.member(place)?;
            } else if self.accept("->") {
                let ExprKind::Load(place) = self.load(PlaceKind::Deref(Box::new(expr)))?.kind
                else {
                    return self.fail("only a place has fields");
                };
                expr = self.member(place)?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn element(&mut self, base: Expr, index: Box<Expr>) -> Result<Expr> {
        match self.program.types.get(base.ty) {
            Ty::Ptr { .. } => self.load(PlaceKind::PtrIndex(Box::new(base), index)),
            Ty::Fat { .. } => self.load(PlaceKind::FatIndex(Box::new(base), index)),
            _ => match base.kind {
                ExprKind::Load(place) => self.load(PlaceKind::Index(Box::new(place), index)),
                _ => self.fail("only arrays and pointers have elements"),
            },
        }
    }

    fn member(&mut self, base: Place) -> Result<Expr> {
        let index = if self.accept("#") {
            self.small()?
        } else {
            let name = Symbol::new(&self.name()?);
            let Ty::Record(id) = *self.program.types.get(base.ty) else {
                return self.fail("only records have fields");
            };
            let fields = self.program.types.records[id].fields.as_deref().unwrap_or_default();
            match fields.iter().position(|field| field.name == Some(name)) {
                Some(index) => index as u32,
                None => return self.fail(format!("the record has no field {name}")),
            }
        };
        self.load(PlaceKind::Field(Box::new(base), index))
    }

    fn load(&mut self, kind: PlaceKind) -> Result<Expr> {
        let void = self.program.types.intern(Ty::Void);
        let mut place = Place { kind, ty: void };
        let ty = match (&place.kind, &self.body) {
            (PlaceKind::Local(local), Some(body)) => body.locals.get(*local).map(|l| l.ty),
            _ => crate::type_of_place(&self.program, None, &place),
        };
        match ty {
            Some(ty) => place.ty = ty,
            None => return self.fail("the operand has not the type that this place needs"),
        }
        let ty = place.ty;
        Ok(Expr { kind: ExprKind::Load(place), ty })
    }

    fn primary(&mut self) -> Result<Expr> {
        match self.peek().clone() {
            Token::Punct("(") => {
                self.bump();
                let expr = self.expr()?;
                self.expect(")")?;
                Ok(expr)
            }
            Token::Punct("::") => {
                self.bump();
                let global = self.global_name()?;
                self.load(PlaceKind::Global(global))
            }
            Token::Int(_) | Token::Float(_) => self.number(false),
            Token::Text(_) => {
                self.bump();
                let id = self.string_id()?;
                if self.program.strings.get(id).is_none() {
                    return self.fail("no string has this number");
                }
                self.typed(ExprKind::Const(Const::Str(id)))
            }
            Token::Name(word, false) if *self.peek_at(1) == Token::Punct("(") => {
                self.call_like(&word)
            }
            Token::Name(word, false) if matches!(word.as_str(), "NULL" | "fn" | "tag" | "agg") => {
                self.bump();
                self.keyword_primary(&word)
            }
            Token::Name(name, _) => {
                let local =
                    self.body.as_ref().and_then(|body| body.local_names.get(&name)).copied();
                match local {
                    Some(local) => {
                        self.bump();
                        self.load(PlaceKind::Local(local))
                    }
                    None => self.fail(format!("no local is called {name}")),
                }
            }
            other => self.fail(format!("expected an expression, found {other:?}")),
        }
    }

    fn keyword_primary(&mut self, word: &str) -> Result<Expr> {
        match word {
            "NULL" => self.typed(ExprKind::Const(Const::Zero)),
            "fn" => {
                let id = self.function_name()?;
                self.typed(ExprKind::Const(Const::Function(id)))
            }
            "tag" => {
                let id = self.global_name()?;
                self.typed(ExprKind::Const(Const::TagAddress(id)))
            }
            _ => {
                let ty = self.ty()?;
                let mut parts = Vec::new();
                self.expect("{")?;
                while !self.accept("}") {
                    let field = self.small()?;
                    self.expect(":")?;
                    parts.push((field, self.expr()?));
                    if !self.is("}") {
                        self.expect(",")?;
                    }
                }
                Ok(Expr { kind: ExprKind::Aggregate(parts), ty })
            }
        }
    }

    fn call_like(&mut self, word: &str) -> Result<Expr> {
        self.bump();
        if let Some(kind) = CASTS.into_iter().find(|&kind| cast_word(kind) == word) {
            self.expect("(")?;
            let operand = Box::new(self.expr()?);
            self.expect(",")?;
            let ty = self.ty()?;
            self.expect(")")?;
            return Ok(Expr { kind: ExprKind::Cast(kind, operand), ty });
        }
        match word {
            "sizeof" | "alignof" | "offsetof" => return self.type_call(word),
            "long_float" => {
                self.expect("(")?;
                let digits = self.text()?;
                self.expect(")")?;
                return self.typed(ExprKind::Const(Const::LongFloat(digits)));
            }
            "float_bits" => {
                self.expect("(")?;
                let bits = self.int()? as u64;
                self.expect(")")?;
                return self.typed(ExprKind::Const(Const::Float(bits)));
            }
            _ => {}
        }
        let mut args = self.args()?.into_iter().map(Box::new);
        let kind = match (word, args.next(), args.next(), args.next()) {
            ("select", Some(a), Some(b), Some(c)) => ExprKind::Cond(a, b, c),
            ("ptr_add", Some(a), Some(b), None) => ExprKind::PtrAdd(a, b),
            ("ptr_diff", Some(a), Some(b), None) => ExprKind::PtrDiff(a, b),
            ("fat", Some(base), Some(idx), Some(len)) => ExprKind::MakeFat { base, idx, len },
            ("base", Some(a), None, None) => ExprKind::FatBase(a),
            ("idx", Some(a), None, None) => ExprKind::FatIdx(a),
            ("len", Some(a), None, None) => ExprKind::FatLen(a),
            ("cur", Some(a), None, None) => ExprKind::FatCur(a),
            ("fat_add", Some(a), Some(b), None) => ExprKind::FatAdd(a, b),
            ("count", Some(a), None, None) => ExprKind::FatCount(a),
            ("real", Some(a), None, None) => ExprKind::Unary(UnaryOp::Real, a),
            ("imag", Some(a), None, None) => ExprKind::Unary(UnaryOp::Imag, a),
            ("imaginary", Some(a), None, None) => ExprKind::Unary(UnaryOp::Imaginary, a),
            ("zsize", Some(a), None, None) => ExprKind::ZeroTermSize(a),
            _ => return self.fail(format!("no operator {word} has these operands")),
        };
        self.typed(kind)
    }

    fn type_call(&mut self, word: &str) -> Result<Expr> {
        self.expect("(")?;
        let ty: TyId = self.ty()?;
        let kind = match word {
            "sizeof" => ExprKind::SizeOf(ty),
            "alignof" => ExprKind::AlignOf(ty),
            _ => {
                self.expect(",")?;
                ExprKind::OffsetOf(ty, self.small()?)
            }
        };
        self.expect(")")?;
        self.typed(kind)
    }

    pub fn args(&mut self) -> Result<Vec<Expr>> {
        self.expect("(")?;
        let mut args = Vec::new();
        while !self.accept(")") {
            args.push(self.expr()?);
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        Ok(args)
    }
}
