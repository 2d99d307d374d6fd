//! Expressions.

use crate::functions::Body;
use crate::types::field_name;
use crate::{constants, places};
use tenure_core::{CastKind, Const, Expr, ExprKind, FieldIndex, IntTy, Quals, Record, Ty, TyId};

/// Binding strengths, weakest first.
pub(crate) mod prec {
    pub(crate) const ASSIGN: u8 = 2;
    pub(crate) const COND: u8 = 3;
    pub(crate) const OR: u8 = 4;
    pub(crate) const AND: u8 = 5;
    pub(crate) const BIT_OR: u8 = 6;
    pub(crate) const BIT_XOR: u8 = 7;
    pub(crate) const BIT_AND: u8 = 8;
    pub(crate) const EQ: u8 = 9;
    pub(crate) const REL: u8 = 10;
    pub(crate) const SHIFT: u8 = 11;
    pub(crate) const ADD: u8 = 12;
    pub(crate) const MUL: u8 = 13;
    pub(crate) const UNARY: u8 = 14;
    pub(crate) const POSTFIX: u8 = 15;
}

/// An expression's text and how strongly its outermost operator binds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) prec: u8,
}

impl Text {
    pub(crate) fn new(text: impl Into<String>, prec: u8) -> Text {
        Text { text: text.into(), prec }
    }

    pub(crate) fn primary(text: impl Into<String>) -> Text {
        Text::new(text, prec::POSTFIX)
    }

    /// The text as an operand of an operator of this strength.
    pub(crate) fn at(self, min: u8) -> String {
        if self.prec < min {
            format!("({})", self.text)
        } else {
            self.text
        }
    }

    /// As an argument, an initialiser or the right side of an assignment.
    pub(crate) fn arg(self) -> String {
        self.at(prec::ASSIGN)
    }

    pub(crate) fn is_zero(&self) -> bool {
        matches!(self.text.as_str(), "0" | "0u" | "0L" | "0UL")
    }
}

impl<'a> Body<'a, '_> {
    pub(crate) fn expr(&mut self, e: &Expr) -> Text {
        match &e.kind {
            ExprKind::Const(c) => self.constant(c, e.ty),
            ExprKind::Load(place) => match self.held_call(place) {
                Some(call) => call,
                None => self.load(place),
            },
            ExprKind::AddrOf(place) => self.address_as(place, e.ty),
            ExprKind::Unary(op, a) => self.unary(*op, a, e.ty),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e.ty),
            ExprKind::Cast(kind, a) => self.cast(*kind, a, e.ty),
            ExprKind::Cond(c, a, b) => {
                if matches!(self.ty(e.ty), Ty::Fat { .. }) && self.constant_only {
                    return self.fat_value(e);
                }
                let cond = self.expr(c).at(prec::OR);
                let (a, b) = (self.value(a, e.ty).at(prec::COND), self.value(b, e.ty));
                Text::new(format!("{cond} ? {a} : {}", b.at(prec::COND)), prec::COND)
            }
            ExprKind::PtrAdd(p, n) => self.pointer_add(p, n),
            ExprKind::PtrDiff(p, q) => {
                let stepless =
                    self.pointee(p.ty).is_some_and(|(to, _)| self.unit.types.is_empty(to));
                if stepless {
                    // cc has no distance in elements of no bytes: all of them are at one address.
                    let (p, q) = (self.pointer_operand(p), self.pointer_operand(q));
                    let (p, q) = (p.at(prec::UNARY), q.at(prec::UNARY));
                    return Text::new(format!("(const char *){p} - (const char *){q}"), prec::ADD);
                }
                let p = self.pointer_operand(p).at(prec::ADD);
                let q = self.pointer_operand(q).at(prec::MUL);
                Text::new(format!("{p} - {q}"), prec::ADD)
            }
            ExprKind::MakeFat { .. } | ExprKind::FatAdd(..) => self.fat_value(e),
            ExprKind::FatBase(p) => self.fat_base(p),
            ExprKind::FatIdx(p) => self.fat_idx(p),
            ExprKind::FatLen(p) => self.fat_len(p),
            ExprKind::FatCur(p) => self.fat_current(p),
            ExprKind::FatCount(p) => {
                let (idx, len) = (self.fat_idx(p), self.fat_len(p));
                if idx.is_zero() {
                    return len;
                }
                Text::primary(format!("tn_fat_numelts({}, {})", idx.arg(), len.arg()))
            }
            ExprKind::Aggregate(parts) => self.aggregate(parts, e.ty),
            ExprKind::SizeOf(ty) => {
                Text::new(format!("sizeof({})", self.type_name(*ty)), prec::UNARY)
            }
            ExprKind::AlignOf(ty) => {
                Text::new(format!("_Alignof({})", self.type_name(*ty)), prec::UNARY)
            }
            ExprKind::OffsetOf(ty, field) => {
                let member = self.member_path(*ty, *field);
                Text::primary(format!("__builtin_offsetof({}, {member})", self.type_name(*ty)))
            }
            ExprKind::ZeroTermSize(p) => self.zero_term_size(p),
        }
    }

    pub(crate) fn ty(&self, ty: TyId) -> &'a Ty {
        self.unit.types.get(ty)
    }

    pub(crate) fn type_name(&mut self, ty: TyId) -> String {
        self.unit.types.declare(ty, "")
    }

    /// An expression converted to the type of the place that takes it: core lets pointers differ
    /// where representations agree, C wants a cast.
    pub(crate) fn value(&mut self, e: &Expr, target: TyId) -> Text {
        if e.ty == target {
            return self.expr(e);
        }
        match (self.ty(e.ty), self.ty(target)) {
            (Ty::Ptr { to: a, quals: qa }, Ty::Ptr { to: b, quals: qb })
                if !adds_qualifiers(a == b, *qa, *qb) =>
            {
                self.cast(CastKind::PtrView, e, target)
            }
            (Ty::Fat { .. }, Ty::Fat { .. }) => self.cast(CastKind::FatView, e, target),
            (Ty::Word, Ty::Ptr { .. }) | (Ty::Ptr { .. }, Ty::Word) => {
                let inner = self.expr(e).at(prec::UNARY);
                Text::new(format!("({}){inner}", self.type_name(target)), prec::UNARY)
            }
            _ => self.expr(e),
        }
    }

    fn constant(&mut self, c: &Const, ty: TyId) -> Text {
        match c {
            Const::Int(value) => self.int_constant(*value, ty),
            Const::Float(bits) => match self.ty(ty) {
                Ty::Float(float) => signed(constants::float(*bits, *float)),
                _ => signed(constants::float(*bits, tenure_core::FloatTy::F64)),
            },
            Const::LongFloat(digits) => {
                let digits = digits.trim_end_matches(['l', 'L']);
                Text::primary(format!("{digits}L"))
            }
            Const::Zero => self.zero(ty),
            Const::Str(id) => self.string(*id, ty),
            Const::Function(id) => Text::primary(self.unit.names.function(*id).to_string()),
            Const::TagAddress(id) => {
                let name = self.unit.names.global(*id).to_string();
                let target = self.type_name(ty);
                Text::new(format!("({target})&{name}"), prec::UNARY)
            }
        }
    }

    fn int_constant(&mut self, value: i128, ty: TyId) -> Text {
        match self.ty(ty) {
            Ty::Int(IntTy::Char) => match constants::char_constant(value) {
                Some(text) => Text::primary(text),
                None => signed(constants::integer(value, IntTy::Char)),
            },
            Ty::Int(int) => signed(constants::integer(value, *int)),
            Ty::Enum(id) => {
                let def = &self.unit.program.types.enums[*id];
                // A constant that another enumeration declares too is not ours to name.
                match def.constants.iter().find(|(_, v)| *v == value) {
                    Some((name, _)) if self.unit.constant_is_unique(*name) => {
                        self.type_name(ty);
                        Text::primary(crate::words::free(name.as_str()).into_owned())
                    }
                    _ => {
                        let text = signed(constants::integer(value, def.underlying));
                        let name = self.type_name(ty);
                        Text::new(format!("({name}){}", text.at(prec::UNARY)), prec::UNARY)
                    }
                }
            }
            Ty::Float(_) | Ty::Complex(_) => Text::primary(format!("{value}.0")),
            _ => {
                let text = signed(constants::integer(value, IntTy::Long));
                let name = self.type_name(ty);
                Text::new(format!("({name}){}", text.at(prec::UNARY)), prec::UNARY)
            }
        }
    }

    fn zero(&mut self, ty: TyId) -> Text {
        match self.ty(ty) {
            Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Word => Text::primary("NULL"),
            Ty::Handle => Text::new("&tn_heap", prec::UNARY),
            Ty::Int(_) | Ty::Float(_) | Ty::Complex(_) | Ty::Enum(_) => self.int_constant(0, ty),
            Ty::Fat { .. } => {
                let name = self.type_name(ty);
                let literal = "{NULL, 0, 0}";
                if self.constant_only {
                    Text::primary(literal)
                } else {
                    Text::primary(format!("({name}){literal}"))
                }
            }
            _ => {
                let zero = self.unit.types.zero_braces(ty);
                if self.constant_only {
                    Text::primary(zero)
                } else {
                    Text::primary(format!("({}){zero}", self.type_name(ty)))
                }
            }
        }
    }

    fn string(&mut self, id: tenure_core::StringId, ty: TyId) -> Text {
        let string = &self.unit.program.strings[id];
        let unit = match self.ty(ty) {
            Ty::Ptr { to, .. } => match self.ty(*to) {
                Ty::Int(int) => Some(*int),
                _ => None,
            },
            _ => None,
        };
        let wide = !matches!(unit, Some(IntTy::UInt | IntTy::ULong));
        let text = constants::string_literal(&string.units, string.unit_size, wide);
        let agrees = match (string.unit_size, unit) {
            (1, unit) => unit == Some(IntTy::Char),
            (2, unit) => unit == Some(IntTy::UShort),
            (_, unit) => matches!(unit, Some(IntTy::Int | IntTy::UInt)),
        };
        if agrees {
            Text::primary(text)
        } else {
            Text::new(format!("({}){text}", self.type_name(ty)), prec::UNARY)
        }
    }

    /// A reference to an element further on in the same object.
    fn reference_add(&mut self, p: &Expr, n: &Expr, to: TyId) -> Text {
        let count = self.expr(n);
        if count.is_zero() {
            return self.expr(p);
        }
        let p = self.expr(p).arg();
        if matches!(self.ty(to), Ty::Int(IntTy::Char)) {
            return Text::primary(format!("tn_interior({p}, {})", count.arg()));
        }
        let elem = self.type_name(to);
        let count = count.at(prec::UNARY);
        Text::primary(format!("tn_interior({p}, (size_t){count} * sizeof({elem}))"))
    }

    fn pointer_add(&mut self, p: &Expr, n: &Expr) -> Text {
        if let Ty::Checked { to, .. } = self.ty(p.ty) {
            return self.reference_add(p, n, *to);
        }
        let base = self.expr(p).at(prec::ADD);
        if let ExprKind::Unary(tenure_core::UnaryOp::Neg, positive) = &n.kind {
            let n = self.expr(positive).at(prec::MUL);
            return Text::new(format!("{base} - {n}"), prec::ADD);
        }
        let count = self.expr(n);
        if count.is_zero() {
            return Text::new(base, prec::ADD);
        }
        if let Some(positive) = count.text.strip_prefix('-') {
            if matches!(n.kind, ExprKind::Const(_)) {
                return Text::new(format!("{base} - {positive}"), prec::ADD);
            }
        }
        // An unsigned count of 2^63 or more means a negative one; cc must see it as such.
        let wide = matches!(self.ty(n.ty), Ty::Int(IntTy::ULong | IntTy::ULLong));
        let count = if wide && !matches!(n.kind, ExprKind::Const(_) | ExprKind::SizeOf(_)) {
            format!("(long){}", count.at(prec::UNARY))
        } else {
            count.at(prec::MUL)
        };
        Text::new(format!("{base} + {count}"), prec::ADD)
    }

    /// `(struct T){.a = …}`; in a static initialiser the braces alone.
    fn aggregate(&mut self, parts: &[(FieldIndex, Expr)], ty: TyId) -> Text {
        let braces = self.braces(parts, ty);
        if self.constant_only {
            return Text::primary(braces);
        }
        Text::primary(format!("({}){braces}", self.type_name(ty)))
    }

    pub(crate) fn braces(&mut self, parts: &[(FieldIndex, Expr)], ty: TyId) -> String {
        let mut items = Vec::new();
        match self.ty(ty) {
            Ty::Record(id) => {
                let record = &self.unit.program.types.records[*id];
                self.record_items(&mut items, record, parts);
            }
            Ty::Array { of, .. } => {
                let mut next = 0;
                for (at, e) in parts {
                    let value = self.part(e, *of);
                    if *at == next {
                        items.push(value);
                    } else {
                        items.push(format!("[{at}] = {value}"));
                    }
                    next = at + 1;
                }
            }
            _ => items.extend(parts.iter().map(|(_, e)| self.expr(e).arg())),
        }
        if items.is_empty() {
            self.unit.types.zero_braces(ty)
        } else {
            format!("{{{}}}", items.join(", "))
        }
    }

    fn record_items(
        &mut self,
        items: &mut Vec<String>,
        record: &Record,
        parts: &[(FieldIndex, Expr)],
    ) {
        for (at, e) in parts {
            let Some(field) = record.fields.as_ref().and_then(|f| f.get(*at as usize)) else {
                continue;
            };
            let anonymous = places::is_anonymous(record, *at as usize, self.ty(field.ty));
            match (&e.kind, self.ty(field.ty)) {
                (ExprKind::Aggregate(inner), Ty::Record(id)) if anonymous => {
                    let member = &self.unit.program.types.records[*id];
                    self.record_items(items, member, inner);
                }
                _ => {
                    let value = self.part(e, field.ty);
                    items.push(format!(".{} = {value}", field_name(record, *at as usize)));
                }
            }
        }
    }

    /// A part of an aggregate: nested aggregates need no type of their own.
    fn part(&mut self, e: &Expr, ty: TyId) -> String {
        match &e.kind {
            ExprKind::Aggregate(parts) => self.braces(parts, e.ty),
            ExprKind::Const(Const::Zero)
                if matches!(self.ty(ty), Ty::Record(_) | Ty::Array { .. }) =>
            {
                self.unit.types.zero_braces(ty)
            }
            _ => self.value(e, ty).arg(),
        }
    }

    /// `a.b` for a field that is reached through anonymous members.
    fn member_path(&mut self, ty: TyId, field: FieldIndex) -> String {
        match self.ty(ty) {
            Ty::Record(id) => {
                let record = &self.unit.program.types.records[*id];
                field_name(record, field as usize)
            }
            _ => format!("f{field}"),
        }
    }

    fn zero_term_size(&mut self, p: &Expr) -> Text {
        let size = self.element_size(p.ty);
        let site = self.site(self.span, Some(p));
        let p = self.expr(p).arg();
        Text::primary(format!("tn_zt_numelts_{size}({p}, {site})"))
    }

    /// Size of what a pointer points to, for the runtime's functions on zero-terminated sequences.
    pub(crate) fn element_size(&self, pointer: TyId) -> u32 {
        let (Ty::Ptr { to, .. } | Ty::Fat { to, .. }) = self.ty(pointer) else {
            return 1;
        };
        match self.ty(*to) {
            Ty::Int(int) => (int.bits() / 8).min(8),
            Ty::Enum(id) => (self.unit.program.types.enums[*id].underlying.bits() / 8).min(8),
            Ty::Float(tenure_core::FloatTy::F32) => 4,
            Ty::Void => 1,
            _ => 8,
        }
    }

    /// The element type of a pointer, which for an address of an array is the array.
    pub(crate) fn pointee(&self, pointer: TyId) -> Option<(TyId, Quals)> {
        match self.ty(pointer) {
            Ty::Ptr { to, quals } | Ty::Fat { to, quals } => Some((*to, *quals)),
            _ => None,
        }
    }
}

/// C converts by itself when the pointee is the same and qualifiers are only added.
fn adds_qualifiers(same_pointee: bool, from: Quals, to: Quals) -> bool {
    same_pointee && (to.is_const || !from.is_const) && (to.is_volatile || !from.is_volatile)
}

pub(crate) fn signed((text, operator): (String, bool)) -> Text {
    Text::new(text, if operator { prec::UNARY } else { prec::POSTFIX })
}
