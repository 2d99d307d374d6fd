//! Operators and conversions, with C's undefined cases closed and its warnings avoided.

use crate::exprs::{prec, Text};
use crate::functions::Body;
use crate::places::{is_object_address, is_zero};
use tenure_core::{BinaryOp, CastKind, Const, Expr, ExprKind, FloatTy, IntTy, Ty, TyId, UnaryOp};

impl Body<'_, '_> {
    pub(crate) fn unary(&mut self, op: UnaryOp, a: &Expr, ty: TyId) -> Text {
        let negated = if op == UnaryOp::Neg { self.fold(a) } else { None };
        if let Some(text) = negated.and_then(|folded| self.negate(folded, ty)) {
            return text;
        }
        let symbol = match op {
            UnaryOp::Neg => "-",
            UnaryOp::BitNot => "~",
            UnaryOp::Not => "!",
            UnaryOp::Real => "__real__ ",
            UnaryOp::Imag => "__imag__ ",
            UnaryOp::Imaginary => return self.imaginary(a),
        };
        if op == UnaryOp::Not && is_object_address(a) {
            return Text::primary("0");
        }
        let mut operand = self.expr(a).at(prec::UNARY);
        if op == UnaryOp::Neg && operand.starts_with('-') {
            operand = format!("({operand})");
        }
        let text = Text::new(format!("{symbol}{operand}"), prec::UNARY);
        if op == UnaryOp::Not {
            text
        } else {
            self.narrowed(text, ty)
        }
    }

    fn imaginary(&mut self, a: &Expr) -> Text {
        let zero = match self.ty(a.ty) {
            Ty::Float(FloatTy::F32) => "0.0f",
            Ty::Float(FloatTy::Long) => "0.0L",
            _ => "0.0",
        };
        let part = self.expr(a).at(prec::ASSIGN);
        Text::primary(format!("__builtin_complex({zero}, {part})"))
    }

    /// C computes in `int` at least; a narrower result is converted back.
    fn narrowed(&mut self, text: Text, ty: TyId) -> Text {
        match self.ty(ty) {
            Ty::Int(int) if int.bits() < 32 => {
                let name = self.type_name(ty);
                Text::new(format!("({name}){}", text.at(prec::UNARY)), prec::UNARY)
            }
            _ => text,
        }
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, ty: TyId) -> Text {
        use BinaryOp::*;
        if let Some(folded) = self.fold_binary(op, a, b, ty) {
            if folded.overflow {
                return self.int_text(folded.value, ty);
            }
        }
        match op {
            Eq | Ne | Lt | Le | Gt | Ge => self.comparison(op, a, b),
            And | Or => self.logic(op, a, b),
            Shl | Shr => self.shift(op, a, b, ty),
            // The check before it always fails; cc would remark on what is never reached.
            Div | Rem if matches!(b.kind, ExprKind::Const(Const::Int(0))) => {
                Text::primary("(__builtin_trap(), 0)")
            }
            _ => {
                let (symbol, strength) = arithmetic(op);
                // Mixtures of bit operators are spelled out, as both compilers advise.
                let bits = matches!(op, BitAnd | BitOr | BitXor);
                let same = |e: &Expr| matches!(&e.kind, ExprKind::Binary(o, ..) if *o == op);
                let left = if bits && !same(a) { prec::UNARY } else { strength };
                let right = if bits { prec::UNARY } else { strength + 1 };
                let (left, right) = (self.expr(a).at(left), self.expr(b).at(right));
                self.narrowed(Text::new(format!("{left} {symbol} {right}"), strength), ty)
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, a: &Expr, b: &Expr, ty: TyId) -> Text {
        let (width, signed) = match self.ty(ty) {
            Ty::Int(int) => (int.bits().max(32), int.is_signed()),
            _ => (32, true),
        };
        let count = match b.kind {
            ExprKind::Const(Const::Int(n)) => (n & i128::from(width - 1)).to_string(),
            _ => format!("({} & {})", self.expr(b).at(prec::UNARY), width - 1),
        };
        let value = self.expr(a);
        let constant = matches!(a.kind, ExprKind::Const(_));
        if op == BinaryOp::Shl && signed && constant {
            // `-1 << 3` is well defined here and draws a warning from cc.
            let name = self.type_name(ty);
            let unsigned = if width == 64 { "unsigned long" } else { "unsigned int" };
            let value = value.at(prec::UNARY);
            return Text::new(format!("({name})(({unsigned}){value} << {count})"), prec::UNARY);
        }
        let symbol = if op == BinaryOp::Shl { "<<" } else { ">>" };
        let text = format!("{} {symbol} {count}", value.at(prec::UNARY));
        self.narrowed(Text::new(text, prec::SHIFT), ty)
    }

    fn logic(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Text {
        let (symbol, strength) =
            if op == BinaryOp::And { ("&&", prec::AND) } else { ("||", prec::OR) };
        let side = |e: &Expr| match &e.kind {
            ExprKind::Binary(inner @ (BinaryOp::And | BinaryOp::Or), ..) if *inner != op => {
                prec::UNARY
            }
            _ => strength,
        };
        let left = self.condition(a).at(side(a));
        let right = self.condition(b).at(side(b).max(strength + 1));
        Text::new(format!("{left} {symbol} {right}"), strength)
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Text {
        if let Some(text) = self.known_comparison(op, a, b) {
            return text;
        }
        let strength = if matches!(op, BinaryOp::Eq | BinaryOp::Ne) { prec::EQ } else { prec::REL };
        let with_null = is_zero(a) || is_zero(b);
        if matches!(self.ty(a.ty), Ty::Checked { .. }) && !with_null {
            let (a, b) = (self.expr(a).arg(), self.expr(b).arg());
            let not = if op == BinaryOp::Ne { "!" } else { "" };
            return Text::new(format!("{not}tn_equal({a}, {b})"), prec::UNARY);
        }
        // `a < b == c` and `!a == b` mean what they say only with parentheses.
        let mut side = |e: &Expr, other: TyId| {
            let min = match e.kind {
                ExprKind::Unary(UnaryOp::Not, _) => prec::POSTFIX,
                _ => prec::SHIFT,
            };
            let text = match &e.kind {
                ExprKind::FatCur(_) if e.ty == other && !with_null => self.pointer_operand(e),
                ExprKind::FatCur(_) if !with_null => {
                    let view = ExprKind::Cast(CastKind::PtrView, Box::new(e.clone()));
                    self.pointer_operand(&Expr { kind: view, ty: other })
                }
                ExprKind::Cast(CastKind::PtrView, _) if !with_null && e.ty == other => {
                    self.pointer_operand(e)
                }
                _ if is_zero(e) => self.expr(e),
                _ => self.value(e, other),
            };
            text.at(min)
        };
        let (left, right) = (side(a, a.ty), side(b, a.ty));
        if left == right && !matches!(self.ty(a.ty), Ty::Float(_) | Ty::Complex(_)) {
            let holds = matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge);
            let left = self.expr(a).at(prec::UNARY);
            return Text::primary(format!("((void){left}, {})", u8::from(holds)));
        }
        Text::new(format!("{left} {} {right}", comparison_symbol(op)), strength)
    }

    /// Comparisons whose outcome cc would remark upon.
    fn known_comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Text> {
        let equality = match op {
            BinaryOp::Eq => Some(false),
            BinaryOp::Ne => Some(true),
            _ => None,
        };
        if let Some(differ) = equality {
            let object_with_null =
                (is_zero(b) && is_object_address(a)) || (is_zero(a) && is_object_address(b));
            if object_with_null {
                return Some(Text::primary(u8::from(differ).to_string()));
            }
        }
        let unsigned = match self.ty(a.ty) {
            Ty::Int(int) => !int.is_signed(),
            Ty::Enum(id) => !self.unit.program.types.enums[*id].underlying.is_signed(),
            _ => false,
        };
        let (operand, holds) = match op {
            BinaryOp::Ge if unsigned && is_zero(b) => (a, 1),
            BinaryOp::Lt if unsigned && is_zero(b) => (a, 0),
            BinaryOp::Le if unsigned && is_zero(a) => (b, 1),
            BinaryOp::Gt if unsigned && is_zero(a) => (b, 0),
            _ => return None,
        };
        let operand = self.expr(operand).at(prec::UNARY);
        Some(Text::primary(format!("((void){operand}, {holds})")))
    }

    /// An expression as the condition of `if`, `while`, `&&` and so on.
    pub(crate) fn condition(&mut self, e: &Expr) -> Text {
        let suspicious = matches!(
            e.kind,
            ExprKind::Binary(
                BinaryOp::Shl
                    | BinaryOp::Mul
                    | BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::BitXor
                    | BinaryOp::BitOr,
                ..
            ) | ExprKind::Cond(..)
        );
        if is_object_address(e) {
            return Text::primary("1");
        }
        let fat = match &e.kind {
            ExprKind::FatCur(p) => Some(&**p),
            _ if matches!(self.ty(e.ty), Ty::Fat { .. }) => Some(e),
            _ => None,
        };
        if let Some(fat) = fat {
            let base = self.fat_base(fat).at(prec::REL);
            return Text::new(format!("{base} != NULL"), prec::EQ);
        }
        let text = self.expr(e);
        if suspicious {
            Text::new(format!("{} != 0", text.at(prec::SHIFT)), prec::EQ)
        } else {
            text
        }
    }

    pub(crate) fn cast(&mut self, kind: CastKind, a: &Expr, ty: TyId) -> Text {
        match kind {
            CastKind::Int => self.int_cast(a, ty),
            CastKind::IntToFloat | CastKind::FloatToFloat => self.plain_cast(a, ty),
            CastKind::FloatToInt => self.float_to_int(a, ty),
            CastKind::ToBool => {
                let text = self.condition(a);
                Text::new(format!("(_Bool){}", text.at(prec::UNARY)), prec::UNARY)
            }
            CastKind::PtrView if matches!(self.ty(ty), Ty::Checked { .. }) => self.expr(a),
            CastKind::PtrView => self.pointer_view(a, ty),
            CastKind::FatView => {
                if self.same_base(a.ty, ty) {
                    return self.expr(a);
                }
                let whole =
                    Expr { kind: ExprKind::Cast(CastKind::FatView, Box::new(a.clone())), ty };
                self.fat_value(&whole)
            }
            CastKind::Address => {
                let name = self.type_name(ty);
                let reference = self.expr(a).arg();
                Text::new(format!("({name})tn_address({reference})"), prec::UNARY)
            }
            CastKind::PtrToInt => {
                let name = self.type_name(ty);
                let operand = self.pointer_operand(a).at(prec::UNARY);
                Text::new(format!("({name}){operand}"), prec::UNARY)
            }
            CastKind::ToWord => self.word_of(a),
            CastKind::FromWord => self.of_word(a, ty),
        }
    }

    fn plain_cast(&mut self, a: &Expr, ty: TyId) -> Text {
        if a.ty == ty {
            return self.expr(a);
        }
        let name = self.type_name(ty);
        let operand = self.expr(a).at(prec::UNARY);
        Text::new(format!("({name}){operand}"), prec::UNARY)
    }

    fn int_cast(&mut self, a: &Expr, ty: TyId) -> Text {
        if let (ExprKind::Const(Const::Int(value)), Ty::Int(_) | Ty::Enum(_)) =
            (&a.kind, self.ty(ty))
        {
            let constant = Expr { kind: ExprKind::Const(Const::Int(*value)), ty };
            return self.expr(&constant);
        }
        if matches!(self.ty(ty), Ty::Int(IntTy::Bool)) {
            return self.cast(CastKind::ToBool, a, ty);
        }
        match self.fold(a) {
            Some(folded) if folded.overflow => self.int_text(folded.value, ty),
            _ => self.plain_cast(a, ty),
        }
    }

    fn pointer_view(&mut self, a: &Expr, ty: TyId) -> Text {
        if let Some(text) = self.array_decay(a, ty) {
            return text;
        }
        let text = self.decayed(a);
        if a.ty == ty || matches!(a.kind, ExprKind::Const(Const::Zero)) {
            return text;
        }
        let is_function = |body: &Self, ty: TyId| match body.pointee(ty) {
            Some((to, _)) => matches!(body.ty(to), Ty::Func(_)),
            None => false,
        };
        // A cast between types of functions goes by way of `void (*)(void)`, which says that it is meant.
        let by_way =
            if is_function(self, a.ty) && is_function(self, ty) { "(void (*)(void))" } else { "" };
        let name = self.type_name(ty);
        Text::new(format!("({name}){by_way}{}", text.at(prec::UNARY)), prec::UNARY)
    }

    fn float_to_int(&mut self, a: &Expr, ty: TyId) -> Text {
        let from = match self.ty(a.ty) {
            Ty::Float(FloatTy::F32) => "f32",
            Ty::Float(FloatTy::Long) => "f80",
            _ => "f64",
        };
        let int = self.int_of(ty);
        let constant = match a.kind {
            ExprKind::Const(Const::Float(bits)) if int.bits() <= 64 => Some(bits),
            _ => None,
        };
        if let Some(bits) = constant {
            // Truncation towards zero, saturating, NaN to 0: what `as` does too.
            let value = f64::from_bits(bits);
            let value = match (int.is_signed(), int.bits()) {
                (true, 64) => i128::from(value as i64),
                (false, 64) => i128::from(value as u64),
                (true, 32) => i128::from(value as i32),
                (false, 32) => i128::from(value as u32),
                (true, 16) => i128::from(value as i16),
                (false, 16) => i128::from(value as u16),
                (true, 8) => i128::from(value as i8),
                (false, 8) => i128::from(value as u8),
                _ => value as i128,
            };
            return self.expr(&Expr { kind: ExprKind::Const(Const::Int(value)), ty });
        }
        if self.constant_only {
            // What is not folded here is a `long double`, and cc folds that.
            return self.plain_cast(a, ty);
        }
        let letter = if int.is_signed() { 'i' } else { 'u' };
        let operand = self.expr(a).arg();
        let call = format!("tn_{from}_to_{letter}{}({operand})", int.bits());
        let exact = !matches!(self.ty(ty), Ty::Enum(_));
        if exact {
            Text::primary(call)
        } else {
            Text::new(format!("({}){call}", self.type_name(ty)), prec::UNARY)
        }
    }

    fn int_of(&self, ty: TyId) -> IntTy {
        match self.ty(ty) {
            Ty::Int(int) => *int,
            Ty::Enum(id) => self.unit.program.types.enums[*id].underlying,
            _ => IntTy::Long,
        }
    }

    fn word_of(&mut self, a: &Expr) -> Text {
        match self.ty(a.ty) {
            Ty::Word => self.expr(a),
            Ty::Float(float) => {
                if let (ExprKind::Const(Const::Float(bits)), true) = (&a.kind, self.constant_only) {
                    let bits = match float {
                        FloatTy::F32 => u64::from((f64::from_bits(*bits) as f32).to_bits()),
                        _ => *bits,
                    };
                    return Text::new(format!("(tn_word){bits:#x}UL"), prec::UNARY);
                }
                let name = if *float == FloatTy::F32 { "f32" } else { "f64" };
                Text::primary(format!("tn_word_from_{name}({})", self.expr(a).arg()))
            }
            Ty::Int(_) | Ty::Enum(_) => {
                let signed = self.int_of(a.ty).is_signed();
                let operand = self.expr(a);
                if self.constant_only {
                    let long = if signed { "long" } else { "unsigned long" };
                    let operand = operand.at(prec::UNARY);
                    return Text::new(format!("(tn_word)({long}){operand}"), prec::UNARY);
                }
                let name = if signed { "i64" } else { "u64" };
                Text::primary(format!("tn_word_from_{name}({})", operand.arg()))
            }
            _ => {
                let operand = self.decayed(a).at(prec::UNARY);
                Text::new(format!("(tn_word){operand}"), prec::UNARY)
            }
        }
    }

    fn of_word(&mut self, a: &Expr, ty: TyId) -> Text {
        let operand = self.expr(a);
        match self.ty(ty) {
            Ty::Word => operand,
            Ty::Float(FloatTy::F32) => Text::primary(format!("tn_word_to_f32({})", operand.arg())),
            Ty::Float(_) => Text::primary(format!("tn_word_to_f64({})", operand.arg())),
            Ty::Int(_) | Ty::Enum(_) => {
                let signed = self.int_of(ty).is_signed();
                let from = if signed { "i64" } else { "u64" };
                let name = self.type_name(ty);
                let text = format!("({name})tn_word_to_{from}({})", operand.arg());
                Text::new(text, prec::UNARY)
            }
            _ => {
                let name = self.type_name(ty);
                Text::new(format!("({name}){}", operand.at(prec::UNARY)), prec::UNARY)
            }
        }
    }

    fn int_text(&mut self, value: i128, ty: TyId) -> Text {
        self.expr(&Expr { kind: ExprKind::Const(Const::Int(value)), ty })
    }

    /// The negative of a constant, if cc would warn of computing it.
    fn negate(&mut self, folded: Folded, ty: TyId) -> Option<Text> {
        let int = self.int_of(ty);
        let exact = folded.value.checked_neg()?;
        let wraps = int.is_signed() && int.wrap(exact) != exact;
        (folded.overflow || wraps).then(|| self.int_text(exact, ty))
    }

    /// The value of an expression of integer constants.
    pub(crate) fn fold(&self, e: &Expr) -> Option<Folded> {
        match &e.kind {
            ExprKind::Const(Const::Int(value)) => {
                let Ty::Int(int) = self.ty(e.ty) else {
                    return None;
                };
                Some(Folded { value: int.wrap(*value), overflow: false })
            }
            ExprKind::Cast(CastKind::Int, a) => {
                let Ty::Int(int) = self.ty(e.ty) else {
                    return None;
                };
                let inner = self.fold(a)?;
                Some(Folded { value: int.wrap(inner.value), ..inner })
            }
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let Ty::Int(int) = self.ty(e.ty) else {
                    return None;
                };
                let inner = self.fold(a)?;
                Some(Folded { value: int.wrap(inner.value.checked_neg()?), ..inner })
            }
            ExprKind::Binary(op, a, b) => self.fold_binary(*op, a, b, e.ty),
            _ => None,
        }
    }

    fn fold_binary(&self, op: BinaryOp, a: &Expr, b: &Expr, ty: TyId) -> Option<Folded> {
        let Ty::Int(int) = self.ty(ty) else {
            return None;
        };
        let (b, a) = (self.fold(b)?, self.fold(a)?);
        let exact = match op {
            BinaryOp::Add => a.value.checked_add(b.value)?,
            BinaryOp::Sub => a.value.checked_sub(b.value)?,
            BinaryOp::Mul => a.value.checked_mul(b.value)?,
            _ => return None,
        };
        let value = int.wrap(exact);
        let wraps = value != exact && int.is_signed();
        Some(Folded { value, overflow: wraps || a.overflow || b.overflow })
    }
}

/// The value of a constant expression, and whether cc would warn that computing it overflows.
#[derive(Clone, Copy)]
pub(crate) struct Folded {
    pub(crate) value: i128,
    overflow: bool,
}

fn arithmetic(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Add => ("+", prec::ADD),
        BinaryOp::Sub => ("-", prec::ADD),
        BinaryOp::Mul => ("*", prec::MUL),
        BinaryOp::Div => ("/", prec::MUL),
        BinaryOp::Rem => ("%", prec::MUL),
        BinaryOp::BitAnd => ("&", prec::BIT_AND),
        BinaryOp::BitXor => ("^", prec::BIT_XOR),
        _ => ("|", prec::BIT_OR),
    }
}

fn comparison_symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        _ => ">=",
    }
}
