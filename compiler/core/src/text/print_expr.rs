//! Printing of types, expressions and places.

use super::names::{item_name, ItemNames, LocalNames};
use crate::{
    type_of_expr, BinaryOp, CastKind, Const, Expr, ExprKind, FieldIndex, FloatTy, FuncTy, IntTy,
    Place, PlaceKind, Program, Quals, RecordKind, StringId, Ty, TyId, UnaryOp,
};
use std::fmt::Write;

/// What printing looks up; `locals` is absent outside functions.
pub struct Names<'a> {
    pub program: &'a Program,
    pub items: &'a ItemNames,
    pub locals: Option<&'a LocalNames>,
}

/// Binding strength; a context asks for at least its own.
const LOWEST: u8 = 0;
const UNARY: u8 = 11;
const POSTFIX: u8 = 12;

pub fn int_name(int: IntTy) -> &'static str {
    match int {
        IntTy::Bool => "bool",
        IntTy::Char => "char",
        IntTy::SChar => "schar",
        IntTy::UChar => "uchar",
        IntTy::Short => "short",
        IntTy::UShort => "ushort",
        IntTy::Int => "int",
        IntTy::UInt => "uint",
        IntTy::Long => "long",
        IntTy::ULong => "ulong",
        IntTy::LLong => "llong",
        IntTy::ULLong => "ullong",
        IntTy::I128 => "i128",
        IntTy::U128 => "u128",
    }
}

pub fn float_name(float: FloatTy) -> &'static str {
    match float {
        FloatTy::F32 => "f32",
        FloatTy::F64 => "f64",
        FloatTy::Long => "f80",
    }
}

pub fn record_word(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
        RecordKind::Tuple => "tuple",
        RecordKind::Variant => "variant",
        RecordKind::TaggedUnion => "tagged",
    }
}

pub fn binary(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Or => ("||", 1),
        BinaryOp::And => ("&&", 2),
        BinaryOp::BitOr => ("|", 3),
        BinaryOp::BitXor => ("^", 4),
        BinaryOp::BitAnd => ("&", 5),
        BinaryOp::Eq => ("==", 6),
        BinaryOp::Ne => ("!=", 6),
        BinaryOp::Lt => ("<", 7),
        BinaryOp::Le => ("<=", 7),
        BinaryOp::Gt => (">", 7),
        BinaryOp::Ge => (">=", 7),
        BinaryOp::Shl => ("<<", 8),
        BinaryOp::Shr => (">>", 8),
        BinaryOp::Add => ("+", 9),
        BinaryOp::Sub => ("-", 9),
        BinaryOp::Mul => ("*", 10),
        BinaryOp::Div => ("/", 10),
        BinaryOp::Rem => ("%", 10),
    }
}

pub fn cast_word(kind: CastKind) -> &'static str {
    match kind {
        CastKind::Int => "cast",
        CastKind::IntToFloat => "int_to_float",
        CastKind::FloatToFloat => "float_to_float",
        CastKind::FloatToInt => "float_to_int",
        CastKind::ToBool => "to_bool",
        CastKind::PtrView => "view",
        CastKind::Address => "address",
        CastKind::FatView => "fat_view",
        CastKind::PtrToInt => "ptr_to_int",
        CastKind::ToWord => "to_word",
        CastKind::FromWord => "from_word",
    }
}

impl Names<'_> {
    pub fn ty(&self, out: &mut String, id: TyId) {
        match self.program.types.get(id) {
            Ty::Void => out.push_str("void"),
            Ty::Int(int) => out.push_str(int_name(*int)),
            Ty::Enum(id) => {
                let _ = write!(out, "enum {}", self.items.enums[id.index()]);
            }
            Ty::Float(float) => out.push_str(float_name(*float)),
            Ty::Complex(float) => {
                let _ = write!(out, "complex {}", float_name(*float));
            }
            Ty::Ptr { to, quals } => {
                out.push('*');
                self.qualified(out, *to, *quals);
            }
            Ty::Checked { to, quals } => {
                out.push('^');
                self.qualified(out, *to, *quals);
            }
            Ty::Fat { to, quals } => {
                out.push('?');
                self.qualified(out, *to, *quals);
            }
            Ty::Array { of, len } => {
                let _ = write!(out, "[{len}]");
                self.ty(out, *of);
            }
            Ty::Record(id) => {
                let kind = record_word(self.program.types.records[*id].kind);
                let _ = write!(out, "{kind} {}", self.items.records[*id]);
            }
            Ty::Func(func) => self.func(out, func),
            Ty::Word => out.push_str("word"),
            Ty::Handle => out.push_str("handle"),
            Ty::Arena => out.push_str("arena"),
            Ty::HandlerFrame => out.push_str("frame"),
            Ty::Pin => out.push_str("pin"),
            Ty::VaList => out.push_str("va_list"),
        }
    }

    fn qualified(&self, out: &mut String, to: TyId, quals: Quals) {
        if quals.is_const {
            out.push_str("const ");
        }
        if quals.is_volatile {
            out.push_str("volatile ");
        }
        self.ty(out, to);
    }

    fn func(&self, out: &mut String, func: &FuncTy) {
        out.push_str("fn(");
        for (n, &param) in func.params.iter().enumerate() {
            if n > 0 {
                out.push_str(", ");
            }
            self.ty(out, param);
        }
        if func.variadic {
            out.push_str(if func.params.is_empty() { "..." } else { ", ..." });
        }
        out.push_str(") -> ");
        self.ty(out, func.result);
        if func.noreturn {
            out.push_str(" never");
        }
    }

    pub fn expr(&self, out: &mut String, expr: &Expr) {
        self.at(out, expr, LOWEST);
    }

    /// Prints so that a context of strength `outer` reads it as one operand.
    fn at(&self, out: &mut String, expr: &Expr, outer: u8) {
        let default = type_of_expr(self.program, expr);
        if default == Some(expr.ty) || says_its_type(&expr.kind) {
            let paren = strength(&expr.kind) < outer;
            self.wrapped(out, expr, paren);
        } else {
            self.wrapped(out, expr, strength(&expr.kind) < POSTFIX);
            out.push(':');
            self.ty(out, expr.ty);
        }
    }

    fn wrapped(&self, out: &mut String, expr: &Expr, paren: bool) {
        if paren {
            out.push('(');
        }
        self.bare(out, expr);
        if paren {
            out.push(')');
        }
    }

    fn bare(&self, out: &mut String, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(constant) => self.constant(out, constant),
            ExprKind::Load(place) => self.place(out, place),
            ExprKind::AddrOf(place) => {
                out.push('&');
                self.place(out, place);
            }
            ExprKind::Unary(op, a) => {
                out.push_str(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "!",
                    UnaryOp::Real => return self.args(out, "real", &[a]),
                    UnaryOp::Imag => return self.args(out, "imag", &[a]),
                    UnaryOp::Imaginary => return self.args(out, "imaginary", &[a]),
                });
                // A space keeps `- -1` and the literal `-1` apart.
                if *op == UnaryOp::Neg {
                    out.push(' ');
                }
                self.at(out, a, UNARY);
            }
            ExprKind::Binary(op, a, b) => {
                let (word, strength) = binary(*op);
                self.at(out, a, strength);
                let _ = write!(out, " {word} ");
                self.at(out, b, strength + 1);
            }
            ExprKind::Cast(kind, a) => {
                let _ = write!(out, "{}(", cast_word(*kind));
                self.expr(out, a);
                out.push_str(", ");
                self.ty(out, expr.ty);
                out.push(')');
            }
            ExprKind::Aggregate(parts) => self.aggregate(out, expr.ty, parts),
            ExprKind::SizeOf(ty) => self.type_call(out, "sizeof", *ty, None),
            ExprKind::AlignOf(ty) => self.type_call(out, "alignof", *ty, None),
            ExprKind::OffsetOf(ty, field) => self.type_call(out, "offsetof", *ty, Some(*field)),
            other => self.call(out, other),
        }
    }

    fn call(&self, out: &mut String, kind: &ExprKind) {
        match kind {
            ExprKind::Cond(a, b, c) => self.args(out, "select", &[a, b, c]),
            ExprKind::PtrAdd(a, b) => self.args(out, "ptr_add", &[a, b]),
            ExprKind::PtrDiff(a, b) => self.args(out, "ptr_diff", &[a, b]),
            ExprKind::MakeFat { base, idx, len } => self.args(out, "fat", &[base, idx, len]),
            ExprKind::FatBase(a) => self.args(out, "base", &[a]),
            ExprKind::FatIdx(a) => self.args(out, "idx", &[a]),
            ExprKind::FatLen(a) => self.args(out, "len", &[a]),
            ExprKind::FatCur(a) => self.args(out, "cur", &[a]),
            ExprKind::FatAdd(a, b) => self.args(out, "fat_add", &[a, b]),
            ExprKind::FatCount(a) => self.args(out, "count", &[a]),
            ExprKind::ZeroTermSize(a) => self.args(out, "zsize", &[a]),
            _ => {}
        }
    }

    pub fn args(&self, out: &mut String, word: &str, args: &[&Expr]) {
        out.push_str(word);
        out.push('(');
        for (n, arg) in args.iter().enumerate() {
            if n > 0 {
                out.push_str(", ");
            }
            self.expr(out, arg);
        }
        out.push(')');
    }

    fn type_call(&self, out: &mut String, word: &str, ty: TyId, field: Option<FieldIndex>) {
        out.push_str(word);
        out.push('(');
        self.ty(out, ty);
        if let Some(field) = field {
            let _ = write!(out, ", {field}");
        }
        out.push(')');
    }

    fn aggregate(&self, out: &mut String, ty: TyId, parts: &[(FieldIndex, Expr)]) {
        out.push_str("agg ");
        self.ty(out, ty);
        out.push_str(" {");
        for (n, (field, part)) in parts.iter().enumerate() {
            out.push_str(if n > 0 { ", " } else { " " });
            let _ = write!(out, "{field}: ");
            self.expr(out, part);
        }
        out.push_str(" }");
    }

    fn constant(&self, out: &mut String, constant: &Const) {
        match constant {
            Const::Int(n) => {
                let _ = write!(out, "{n}");
            }
            Const::Float(bits) => {
                let value = f64::from_bits(*bits);
                if value.is_finite() {
                    let _ = write!(out, "{value:?}");
                } else {
                    let _ = write!(out, "float_bits(0x{bits:x})");
                }
            }
            Const::LongFloat(digits) => {
                let _ = write!(out, "long_float({digits:?})");
            }
            Const::Zero => out.push_str("NULL"),
            Const::Str(id) => {
                self.string_start(out, *id);
                let _ = write!(out, "#{}", id.index());
            }
            Const::Function(id) => {
                let _ = write!(out, "fn {}", self.items.functions[*id]);
            }
            Const::TagAddress(id) => {
                let _ = write!(out, "tag {}", self.items.globals[*id]);
            }
        }
    }

    /// The first characters of a string in quotes: for the reader.
    fn string_start(&self, out: &mut String, id: StringId) {
        const SHOWN: usize = 24;
        let Some(literal) = self.program.strings.get(id) else { return };
        let chars = literal.units.iter().take(SHOWN).filter_map(|&unit| char::from_u32(unit));
        let mut text: String = chars.collect();
        if literal.units.len() > SHOWN {
            text.push('…');
        }
        let _ = write!(out, "{text:?}");
    }

    pub fn place(&self, out: &mut String, place: &Place) {
        match &place.kind {
            PlaceKind::Local(id) => match self.locals.and_then(|names| names.locals.get(*id)) {
                Some(name) => out.push_str(name),
                None => {
                    let _ = write!(out, "%unknown{}", id.index());
                }
            },
            PlaceKind::Global(id) => {
                let _ = write!(out, "::{}", self.items.globals[*id]);
            }
            PlaceKind::Deref(p) => {
                out.push_str("(*");
                self.at(out, p, UNARY);
                out.push(')');
            }
            PlaceKind::Field(base, index) => match &base.kind {
                PlaceKind::Deref(p) => {
                    self.at(out, p, POSTFIX);
                    out.push_str("->");
                    self.field(out, base.ty, *index);
                }
                _ => {
                    self.place(out, base);
                    out.push('.');
                    self.field(out, base.ty, *index);
                }
            },
            PlaceKind::Index(base, index) => {
                self.place(out, base);
                self.subscript(out, index);
            }
            PlaceKind::PtrIndex(p, index) | PlaceKind::FatIndex(p, index) => {
                self.at(out, p, POSTFIX);
                self.subscript(out, index);
            }
        }
    }

    fn subscript(&self, out: &mut String, index: &Expr) {
        out.push('[');
        self.expr(out, index);
        out.push(']');
    }

    /// A field by its name if it has one that no other field of the record has.
    fn field(&self, out: &mut String, record: TyId, index: FieldIndex) {
        if let Ty::Record(id) = self.program.types.get(record) {
            let fields = self.program.types.records[*id].fields.as_deref().unwrap_or_default();
            if let Some(name) = fields.get(index as usize).and_then(|f| f.name) {
                if fields.iter().filter(|f| f.name == Some(name)).count() == 1 {
                    out.push_str(&item_name(name.as_str()));
                    return;
                }
            }
        }
        let _ = write!(out, "#{index}");
    }
}

fn says_its_type(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Cast(..) | ExprKind::Aggregate(_))
}

fn strength(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Binary(op, ..) => binary(*op).1,
        ExprKind::Unary(..) | ExprKind::AddrOf(_) => UNARY,
        _ => POSTFIX,
    }
}
