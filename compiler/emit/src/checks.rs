//! Run-time checks: a test, and a call that raises.

use crate::exprs::{prec, Text};
use crate::functions::Body;
use tenure_core::{Check, CheckKind, CheckStatus, Const, Expr, ExprKind, IntTy, Ty, TyId};

impl Body<'_, '_> {
    pub(crate) fn check(&mut self, check: &Check) {
        if let CheckStatus::Proved(fact) = &check.status {
            if self.unit.options.show_proved {
                let name = kind_name(&check.kind);
                let text = self.unit.source_text(check.span).replace("*/", "* /");
                let why = fact_name(fact);
                self.out.plain(&format!("/* {name} of {text} is proved: {why} */"));
            }
            return;
        }
        let site = self.site(check.span, None);
        if let CheckKind::Touch(reference) = &check.kind {
            let verified = matches!(check.status, CheckStatus::Verified(_));
            return self.touch(reference, verified, &site);
        }
        let (test, mut raise) = self.test(&check.kind, &site);
        if matches!(check.status, CheckStatus::Verified(_)) {
            raise = format!("tn_wrong_proof({site})");
        }
        if test.text == "0" {
            return;
        }
        self.out.line(&format!("if (tn_unlikely({})) {raise};", test.text));
    }

    /// The unit is linked with what raises for the checked heap.
    pub(crate) fn raises_dangling(&mut self) {
        self.unit.once("TN_RAISES_DANGLING;");
    }

    /// The local then holds the reference that is to be kept, which is another one where objects move.
    fn touch(&mut self, reference: &Expr, verified: bool, site: &str) {
        self.raises_dangling();
        let name = self.expr(reference).text;
        if verified {
            self.out.line(&format!("if (!tn_object_alive({name})) tn_wrong_proof({site});"));
            return;
        }
        self.out.line(&format!("{name} = tn_fresh({name}, {site});"));
    }

    /// The condition under which a check fails, and the call that raises.
    fn test(&mut self, kind: &CheckKind, site: &str) -> (Text, String) {
        match kind {
            CheckKind::NonNull(p) => (self.is_null(p), format!("tn_raise_null({site})")),
            CheckKind::Index { index, size } => self.index_test(index, size, ">=", site),
            CheckKind::IndexOrEnd { index, size } => self.index_test(index, size, ">", site),
            CheckKind::FatIndex { ptr, index } => self.fat_index_test(ptr, index, site),
            CheckKind::FatCount { ptr, count, nullable } => {
                self.fat_count_test(ptr, count, *nullable, site)
            }
            CheckKind::FatStep { ptr, count } => self.fat_step_test(ptr, count, site),
            CheckKind::NonZero(e) => {
                let e = self.expr(e).at(prec::REL);
                (Text::new(format!("{e} == 0"), prec::EQ), format!("tn_raise_div({site}, 0)"))
            }
            CheckKind::NoDivOverflow { dividend, divisor } => {
                let lowest = self.lowest(dividend.ty);
                let divisor = self.expr(divisor).at(prec::REL);
                let dividend = self.expr(dividend).at(prec::REL);
                let text = format!("{divisor} == -1 && {dividend} == {lowest}");
                (Text::new(text, prec::AND), format!("tn_raise_div({site}, -1)"))
            }
            CheckKind::Tag { tag, expected } => {
                let want = Expr { kind: ExprKind::Const(Const::Int(*expected)), ty: tag.ty };
                let want = self.expr(&want).arg();
                let tag = self.expr(tag).at(prec::REL);
                let raise = format!("tn_raise_tag({site}, {tag}, {want})");
                (Text::new(format!("{tag} != {want}"), prec::EQ), raise)
            }
            CheckKind::ZeroTermIndex { ptr, index } => {
                let size = self.element_size(ptr.ty);
                let (ptr, index) = (self.expr(ptr).arg(), self.wide_index(index));
                let text = format!("!tn_zt_reaches_{size}({ptr}, {index})");
                (Text::new(text, prec::UNARY), format!("tn_raise_zeroterm({site})"))
            }
            CheckKind::ZeroTermStore { ptr, index, value } => {
                let ptr = self.decayed(ptr).at(prec::POSTFIX);
                let index = self.expr(index).text;
                let value = self.expr(value).at(prec::REL);
                let text = format!("{ptr}[{index}] == 0 && {value} != 0");
                (Text::new(text, prec::AND), format!("tn_raise_zeroterm({site})"))
            }
            CheckKind::HasZero { ptr } => self.has_zero_test(ptr, site),
            CheckKind::Fits32 { count, size } => {
                let count = self.expr(count);
                let text = format!("{} > 0xffffffffUL", count.clone().at(prec::SHIFT));
                let bytes = match size.kind {
                    ExprKind::Const(Const::Int(1)) => count.arg(),
                    _ => format!("tn_size_mul({}, {})", count.arg(), self.expr(size).arg()),
                };
                (Text::new(text, prec::REL), format!("tn_raise_alloc({site}, {bytes})"))
            }
            // What raises is in the touch itself.
            CheckKind::Touch(_) => (Text::primary("0"), String::new()),
            CheckKind::Assert(e) => {
                let e = self.condition(e).at(prec::UNARY);
                (Text::new(format!("!{e}"), prec::UNARY), format!("tn_raise_assert({site})"))
            }
        }
    }

    fn is_null(&mut self, p: &Expr) -> Text {
        if crate::places::is_object_address(p) {
            return Text::primary("0");
        }
        let text = match self.ty(p.ty) {
            Ty::Fat { .. } => self.fat_base(p),
            _ => self.expr(p),
        };
        Text::new(format!("{} == NULL", text.at(prec::REL)), prec::EQ)
    }

    fn index_test(&mut self, index: &Expr, size: &Expr, op: &str, site: &str) -> (Text, String) {
        let index_ty = index.ty;
        let raise = {
            let (index, size) = (self.wide_index(index), self.expr(size).arg());
            format!("tn_raise_index{}({site}, {index}, {size})", self.signedness(index_ty))
        };
        // A negative index becomes a large number that no size below 2^31 reaches, also in 32 bits.
        let small = matches!(size.kind, ExprKind::Const(Const::Int(n)) if n < 1 << 31);
        let left = if small && self.bits(index.ty) <= 32 {
            self.unsigned(index, "unsigned int", IntTy::UInt)
        } else {
            self.unsigned(index, "unsigned long", IntTy::ULong)
        };
        let right = match size.kind {
            ExprKind::Const(Const::Int(n)) => n.to_string(),
            _ => self.expr(size).at(prec::SHIFT),
        };
        // No index is below a size of 0 or at or below a size of 2^64 - 1; cc would remark on the latter.
        if right == "0" && op == ">=" {
            return (Text::primary("1"), raise);
        }
        (Text::new(format!("{} {op} {right}", left.at(prec::SHIFT)), prec::REL), raise)
    }

    fn fat_index_test(&mut self, p: &Expr, index: &Expr, site: &str) -> (Text, String) {
        let (base, idx, len) = (self.fat_base(p), self.fat_idx(p), self.fat_len(p));
        let wide = self.bits(index.ty) > 32;
        let element = if crate::places::is_zero(index) {
            idx
        } else if wide {
            let index = self.unsigned(index, "unsigned long", IntTy::ULong);
            sum(idx, index)
        } else {
            let index = self.unsigned(index, "unsigned int", IntTy::UInt);
            sum(idx, index)
        };
        let test =
            format!("{} >= {}", element.clone().at(prec::SHIFT), len.clone().at(prec::SHIFT));
        let signedness = self.signedness(index.ty);
        let place = format!("{site}, {}, {}, {}", base.arg(), element.arg(), len.arg());
        (Text::new(test, prec::REL), format!("tn_raise_fat{signedness}({place})"))
    }

    fn fat_step_test(&mut self, p: &Expr, count: &Expr, site: &str) -> (Text, String) {
        let (base, idx, len) = (self.fat_base(p), self.fat_idx(p), self.fat_len(p));
        let count = self.expr(count).arg();
        let (idx, len) = (idx.arg(), len.arg());
        let test = Text::primary(format!("tn_fat_step_leaves({idx}, {len}, {count})"));
        let to = format!("(uint64_t)tn_fat_position({idx}, {len}) + (uint64_t)({count})");
        (test, format!("tn_raise_fat({site}, {}, {to}, {len})", base.arg()))
    }

    fn fat_count_test(
        &mut self,
        p: &Expr,
        count: &Expr,
        nullable: bool,
        site: &str,
    ) -> (Text, String) {
        let (base, idx, len) = (self.fat_base(p), self.fat_idx(p), self.fat_len(p));
        let one = matches!(count.kind, ExprKind::Const(Const::Int(1)));
        let have = if idx.is_zero() {
            len.clone().at(prec::SHIFT)
        } else {
            format!("tn_fat_numelts({}, {})", idx.clone().arg(), len.clone().arg())
        };
        let need = self.expr(count);
        let mut raise = format!("tn_raise_numelts({site}, {have}, {})", need.clone().arg());
        if !nullable && base.text != "NULL" && !self.is_object(p) {
            let base = base.clone().at(prec::REL);
            raise = format!("{base} == NULL ? tn_raise_null({site}) : {raise}");
        }
        let mut test = if one {
            let test = format!("{} >= {}", idx.at(prec::SHIFT), len.at(prec::SHIFT));
            Text::new(test, prec::REL)
        } else {
            let need = match need.text.parse::<i64>() {
                Ok(_) => need.at(prec::SHIFT),
                Err(_) => self.unsigned(count, "unsigned long", IntTy::ULong).at(prec::SHIFT),
            };
            Text::new(format!("{have} < {need}"), prec::REL)
        };
        let base_known = test.text == "0";
        if nullable && !base_known {
            let base = base.at(prec::REL);
            if base == "NULL" {
                return (Text::primary("0"), raise);
            }
            test = Text::new(format!("{base} != NULL && {}", test.at(prec::AND)), prec::AND);
        }
        (test, raise)
    }

    /// The fat pointer was just made from the address of something.
    fn is_object(&self, p: &Expr) -> bool {
        match &p.kind {
            ExprKind::MakeFat { base, .. } => crate::places::is_object_address(base),
            _ => false,
        }
    }

    fn has_zero_test(&mut self, p: &Expr, site: &str) -> (Text, String) {
        let size = self.element_size(p.ty);
        let (base, idx, len) = (self.fat_base(p), self.fat_idx(p), self.fat_len(p));
        let text = format!("!tn_fat_has_zero_{size}({}, {}, {})", base.arg(), idx.arg(), len.arg());
        (Text::new(text, prec::UNARY), format!("tn_raise_zeroterm({site})"))
    }

    /// Width of an integer or enumeration type.
    pub(crate) fn bits(&self, ty: TyId) -> u32 {
        match self.ty(ty) {
            Ty::Int(int) => int.bits(),
            Ty::Enum(id) => self.unit.program.types.enums[*id].underlying.bits(),
            _ => 64,
        }
    }

    /// An index as a `uint64_t` argument: C converts, with the sign.
    /// Which raiser shows an index of the type as the user meant it.
    fn signedness(&self, ty: TyId) -> &'static str {
        match self.ty(ty) {
            Ty::Int(int) if !int.is_signed() && int.bits() >= 32 => "_unsigned",
            _ => "",
        }
    }

    fn wide_index(&mut self, index: &Expr) -> String {
        self.expr(index).arg()
    }

    /// An index converted to an unsigned type of at least its width.
    pub(crate) fn unsigned(&mut self, index: &Expr, name: &str, int: IntTy) -> Text {
        if let ExprKind::Const(Const::Int(n)) = index.kind {
            return crate::exprs::signed(crate::constants::integer(n, int));
        }
        let text = self.expr(index);
        if matches!(self.ty(index.ty), Ty::Int(have) if *have == int) {
            return text;
        }
        Text::new(format!("({name}){}", text.at(prec::UNARY)), prec::UNARY)
    }

    fn lowest(&self, ty: TyId) -> &'static str {
        match self.bits(ty) {
            0..=32 => "(-2147483647 - 1)",
            64 => "(-9223372036854775807L - 1)",
            _ => "((__int128)((unsigned __int128)1 << 127))",
        }
    }
}

fn sum(idx: Text, index: Text) -> Text {
    if idx.is_zero() {
        return index;
    }
    Text::new(format!("{} + {}", idx.at(prec::ADD), index.at(prec::MUL)), prec::ADD)
}

fn kind_name(kind: &CheckKind) -> &'static str {
    match kind {
        CheckKind::NonNull(_) => "null check",
        CheckKind::Index { .. } | CheckKind::IndexOrEnd { .. } => "index check",
        CheckKind::FatIndex { .. } | CheckKind::FatCount { .. } | CheckKind::FatStep { .. } => {
            "bounds check"
        }
        CheckKind::NonZero(_) | CheckKind::NoDivOverflow { .. } => "division check",
        CheckKind::Tag { .. } => "tag check",
        CheckKind::ZeroTermIndex { .. }
        | CheckKind::ZeroTermStore { .. }
        | CheckKind::HasZero { .. } => "terminator check",
        CheckKind::Fits32 { .. } => "size check",
        CheckKind::Touch(_) => "touch",
        CheckKind::Assert(_) => "assertion",
    }
}

fn fact_name(fact: &tenure_core::Fact) -> &'static str {
    use tenure_core::Fact;
    match fact {
        Fact::Constant => "its operands are constants",
        Fact::Origin(_) => "by where the pointer comes from",
        Fact::Branch(_) => "by a test before it",
        Fact::EarlierCheck(_) => "by an earlier check",
        Fact::Range { .. } => "by the range of the index",
        Fact::LessThan(_) => "by a comparison with the size",
        Fact::SwitchedOff => "no, checks are switched off",
    }
}
