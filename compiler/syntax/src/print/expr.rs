use super::Printer;
use crate::tree::{
    AllocOp, BinaryOp, Comprehension, Designator, Expr, ExprKind, GenericExpr, InitItem, NewExpr,
    NewOp, StepOp, StructLit, UnaryOp,
};

impl Printer {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.qname(name),
            ExprKind::Int(int) => self.int(*int),
            ExprKind::Float(float) => self.float(*float),
            ExprKind::Char(literal) => self.character(*literal),
            ExprKind::Str(literal) => self.string(literal),
            ExprKind::Null => self.word("NULL"),
            ExprKind::Paren(inner) => self.around("(", inner, ")"),
            ExprKind::Unary(op, operand) => self.prefix(unary_text(*op), operand),
            ExprKind::Step(StepOp::PreInc, operand) => self.prefix("++", operand),
            ExprKind::Step(StepOp::PreDec, operand) => self.prefix("--", operand),
            ExprKind::Step(StepOp::PostInc, operand) => self.around("", operand, "++"),
            ExprKind::Step(StepOp::PostDec, operand) => self.around("", operand, "--"),
            ExprKind::Binary(op, left, right) => self.infix(left, binary_text(*op), right),
            ExprKind::Assign(op, left, right) => {
                self.expr(left);
                self.word(" ");
                self.word(op.map_or("", binary_text));
                self.word("= ");
                self.expr(right);
            }
            ExprKind::Swap(left, right) => self.infix(left, ":=:", right),
            ExprKind::Cond(condition, then, other) => {
                self.expr(condition);
                self.word(" ? ");
                if let Some(then) = then {
                    self.expr(then);
                }
                self.word(" : ");
                self.expr(other);
            }
            ExprKind::Comma(list) => self.list(list, ", ", Printer::expr),
            ExprKind::Call(callee, args) => {
                self.expr(callee);
                self.args(args);
            }
            ExprKind::Index(base, index) => {
                self.expr(base);
                self.around("[", index, "]");
            }
            ExprKind::Member(base, arrow, name) => {
                self.expr(base);
                self.word(if *arrow { "->" } else { "." });
                self.word(name.name.as_str());
            }
            ExprKind::TupleMember(base, arrow, index, _) => {
                self.expr(base);
                self.word(if *arrow { "->" } else { "." });
                self.word(&index.to_string());
            }
            ExprKind::Instantiate(operand, args) => {
                self.around("", operand, "@");
                self.type_args(args);
            }
            ExprKind::Polymorphic(operand) => self.around("", operand, "<>"),
            _ => self.word_expr(expr),
        }
    }

    /// The forms that begin with a type or a word.
    fn word_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Cast(ty, operand) => {
                self.word("(");
                self.type_name(ty);
                self.around(")", operand, "");
            }
            ExprKind::Compound(ty, list) => {
                self.word("(");
                self.type_name(ty);
                self.around(")", list, "");
            }
            ExprKind::StructLit(literal) => self.struct_literal(literal),
            ExprKind::InitList(items) => {
                self.word("{");
                self.items(items);
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Tuple(items) => {
                self.word("$");
                self.args(items);
            }
            ExprKind::SizeofType(ty) => {
                self.word("sizeof(");
                self.type_name(ty);
                self.word(")");
            }
            ExprKind::SizeofExpr(operand) => self.around("sizeof ", operand, ""),
            ExprKind::AlignofType(ty) => {
                self.word("_Alignof(");
                self.type_name(ty);
                self.word(")");
            }
            ExprKind::AlignofExpr(operand) => self.around("__alignof__ ", operand, ""),
            ExprKind::StmtExpr(block) => {
                self.word("(");
                self.block(block);
                self.word(")");
            }
            ExprKind::LabelAddr(label) => {
                self.word("&&");
                self.word(label.name.as_str());
            }
            ExprKind::Extension(operand) => self.around("__extension__ ", operand, ""),
            ExprKind::New(new) => self.new_expr(new),
            ExprKind::Alloc(op, args) => {
                self.word(alloc_text(*op));
                self.args(args);
            }
            ExprKind::Throw(value) => self.around("throw ", value, ""),
            ExprKind::Numelts(operand) => self.around("numelts ", operand, ""),
            ExprKind::TagCheck(base, arrow, name) => {
                self.around("tagcheck(", base, if *arrow { "->" } else { "." });
                self.word(name.name.as_str());
                self.word(")");
            }
            ExprKind::Assert(condition, false) => self.around("assert(", condition, ")"),
            ExprKind::Assert(condition, true) => self.around("@assert(", condition, ")"),
            ExprKind::Asm(asm) => self.asm(asm),
            _ => self.builtin_expr(expr),
        }
    }

    /// What looks like a call with a type.
    fn builtin_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Valueof(arg) => {
                self.word("valueof(");
                self.type_arg(arg);
                self.word(")");
            }
            ExprKind::Tagof(operand) => self.around("tagof(", operand, ")"),
            ExprKind::Offsetof(ty, path) => {
                self.word("__builtin_offsetof(");
                self.type_name(ty);
                let path = self.apart(|p| p.designators(path));
                self.word(", ");
                self.word(path.strip_prefix('.').unwrap_or(&path));
                self.word(")");
            }
            ExprKind::VaArg(list, ty) => {
                self.around("__builtin_va_arg(", list, ", ");
                self.type_name(ty);
                self.word(")");
            }
            ExprKind::TypesCompatible(left, right) => {
                self.word("__builtin_types_compatible_p(");
                self.type_name(left);
                self.word(", ");
                self.type_name(right);
                self.word(")");
            }
            ExprKind::Choose(condition, yes, no) => {
                self.around("__builtin_choose_expr(", condition, ", ");
                self.around("", yes, ", ");
                self.around("", no, ")");
            }
            ExprKind::Generic(generic) => self.generic(generic),
            _ => self.word("0"),
        }
    }

    fn around(&mut self, before: &str, inner: &Expr, after: &str) {
        self.word(before);
        self.expr(inner);
        self.word(after);
    }

    fn infix(&mut self, left: &Expr, op: &str, right: &Expr) {
        self.expr(left);
        self.word(" ");
        self.word(op);
        self.around(" ", right, "");
    }

    /// `- -x` and `& &x` need their space.
    fn prefix(&mut self, op: &str, operand: &Expr) {
        let spaced = matches!(operand.kind, ExprKind::Unary(..) | ExprKind::Step(..))
            || matches!(operand.kind, ExprKind::LabelAddr(_));
        self.word(op);
        self.around(if spaced { " " } else { "" }, operand, "");
    }

    fn args(&mut self, args: &[Expr]) {
        self.word("(");
        self.list(args, ", ", Printer::expr);
        self.word(")");
    }

    /// Behind the `{`.
    fn items(&mut self, items: &[InitItem]) {
        self.list(items, ", ", |p, item| {
            p.designators(&item.designators);
            if !item.designators.is_empty() {
                p.word(" = ");
            }
            p.expr(&item.value);
        });
        self.word("}");
    }

    pub(super) fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Field(name) => {
                    self.word(".");
                    self.word(name.name.as_str());
                }
                Designator::Position(index, _) => self.word(&format!(".{index}")),
                Designator::Index(index) => self.around("[", index, "]"),
                Designator::Range(first, last) => {
                    self.around("[", first, " ... ");
                    self.around("", last, "]");
                }
            }
        }
    }

    fn struct_literal(&mut self, literal: &StructLit) {
        self.qname(&literal.name);
        self.word("{");
        self.type_args(&literal.type_args);
        if !literal.type_args.is_empty() {
            self.word(" ");
        }
        self.items(&literal.items);
    }

    fn comprehension(&mut self, comprehension: &Comprehension) {
        self.word("{for ");
        self.word(comprehension.var.name.as_str());
        self.around(" < ", &comprehension.bound, " : ");
        self.around("", &comprehension.value, "}");
    }

    fn new_expr(&mut self, new: &NewExpr) {
        self.word(match new.op {
            NewOp::New => "new",
            NewOp::Rnew => "rnew",
            NewOp::Qnew => "qnew",
            NewOp::Unew => "unew",
            NewOp::Rcnew => "rcnew",
        });
        if let Some(handle) = &new.handle {
            self.around("(", handle, ")");
        }
        self.around(" ", &new.init, "");
    }

    fn generic(&mut self, generic: &GenericExpr) {
        self.around("_Generic(", &generic.control, "");
        for (ty, value) in &generic.arms {
            self.word(", ");
            match ty {
                Some(ty) => self.type_name(ty),
                None => self.word("default"),
            }
            self.around(" : ", value, "");
        }
        self.word(")");
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Neg => "-",
        UnaryOp::Compl => "~",
        UnaryOp::Not => "!",
        UnaryOp::AddrOf => "&",
        UnaryOp::Deref => "*",
        UnaryOp::Real => "__real__ ",
        UnaryOp::Imag => "__imag__ ",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}

fn alloc_text(op: AllocOp) -> &'static str {
    match op {
        AllocOp::Malloc => "malloc",
        AllocOp::Calloc => "calloc",
        AllocOp::Rmalloc => "rmalloc",
        AllocOp::RmallocInline => "rmalloc_inline",
        AllocOp::Rcalloc => "rcalloc",
        AllocOp::Rvmalloc => "rvmalloc",
        AllocOp::Qmalloc => "qmalloc",
        AllocOp::Qcalloc => "qcalloc",
    }
}
