//! Places, and the parts of fat pointers.
//!
//! A part of a fat pointer is printed from the part of what made it, so that no temporary is needed and cc sees three
//! scalars: the `idx` of `p + n` is `p.idx + n`.

use crate::exprs::{prec, Text};
use crate::functions::Body;
use crate::types::field_name;
use tenure_core::{
    CastKind, Const, Expr, ExprKind, IntTy, Place, PlaceKind, Quals, Record, RecordKind, Ty, TyId,
    UnaryOp,
};

impl Body<'_, '_> {
    pub(crate) fn place(&mut self, place: &Place) -> Text {
        match &place.kind {
            PlaceKind::Local(id) => Text::primary(self.local_name(*id)),
            PlaceKind::Global(id) => Text::primary(self.unit.names.global(*id).to_string()),
            PlaceKind::Deref(p) => self.deref(p),
            PlaceKind::Field(base, field) => self.field(base, *field),
            PlaceKind::Index(base, index) => {
                let base = self.place(base).at(prec::POSTFIX);
                let index = self.subscript(index);
                Text::primary(format!("{base}[{index}]"))
            }
            PlaceKind::PtrIndex(p, index) => {
                let base = self.decayed(p).at(prec::POSTFIX);
                let index = self.subscript(index);
                Text::primary(format!("{base}[{index}]"))
            }
            PlaceKind::FatIndex(p, index) => {
                let base = self.fat_base(p).at(prec::POSTFIX);
                let index = self.fat_element(p, index);
                Text::primary(format!("{base}[{index}]"))
            }
        }
    }

    /// An index between brackets, where a constant needs no suffix.
    fn subscript(&mut self, index: &Expr) -> String {
        match index.kind {
            ExprKind::Const(Const::Int(n @ 0..=0x7fff_ffff)) => n.to_string(),
            _ => self.index_operand(index).text,
        }
    }

    /// An index as the check before the access saw it: in at most 64 bits.
    fn index_operand(&mut self, index: &Expr) -> Text {
        let text = self.expr(index);
        if self.bits(index.ty) <= 64 {
            return text;
        }
        Text::new(format!("(unsigned long){}", text.at(prec::UNARY)), prec::UNARY)
    }

    pub(crate) fn load(&mut self, place: &Place) -> Text {
        self.note_reads(place);
        let text = self.place(place);
        if !self.is_wide_bit_field(place) {
            return text;
        }
        // gcc computes in as many bits as such a field has, clang in those of its type.
        let name = self.type_name(place.ty);
        Text::new(format!("({name}){}", text.at(prec::UNARY)), prec::UNARY)
    }

    fn is_wide_bit_field(&self, place: &Place) -> bool {
        let PlaceKind::Field(base, field) = &place.kind else { return false };
        let Ty::Record(id) = self.ty(base.ty) else { return false };
        let fields = self.unit.program.types.records[*id].fields.as_ref();
        let bits = fields.and_then(|fields| fields.get(*field as usize)).and_then(|def| def.bits);
        bits.is_some_and(|bits| bits > 32 && bits < self.bits(place.ty))
    }

    fn deref(&mut self, p: &Expr) -> Text {
        match &p.kind {
            ExprKind::AddrOf(inner) => self.place(inner),
            ExprKind::FatCur(fat) => {
                let base = self.fat_base(fat).at(prec::POSTFIX);
                let index = self.fat_idx(fat).text;
                Text::primary(format!("{base}[{index}]"))
            }
            _ => Text::new(format!("*{}", self.expr(p).at(prec::UNARY)), prec::UNARY),
        }
    }

    fn field(&mut self, base: &Place, field: u32) -> Text {
        let Ty::Record(id) = self.ty(base.ty) else {
            return self.place(base);
        };
        let record = &self.unit.program.types.records[*id];
        let member_ty = record.fields.as_ref().and_then(|f| f.get(field as usize)).map(|f| f.ty);
        if member_ty.is_some_and(|ty| is_anonymous(record, field as usize, self.ty(ty))) {
            // Its members are named as if they were the outer record's.
            return self.place(base);
        }
        let name = field_name(record, field as usize);
        if let PlaceKind::Deref(p) = &self.through_anonymous(base).kind {
            if !matches!(p.kind, ExprKind::AddrOf(_) | ExprKind::FatCur(_)) {
                let p = self.expr(p).at(prec::POSTFIX);
                return Text::primary(format!("{p}->{name}"));
            }
        }
        let base = self.place(base).at(prec::POSTFIX);
        Text::primary(format!("{base}.{name}"))
    }

    /// The place that is printed for a place, that is without fields that have no name.
    fn through_anonymous<'p>(&self, mut place: &'p Place) -> &'p Place {
        while let PlaceKind::Field(base, field) = &place.kind {
            let Ty::Record(id) = self.ty(base.ty) else {
                break;
            };
            let record = &self.unit.program.types.records[*id];
            if !is_anonymous(record, *field as usize, self.ty(place.ty)) {
                break;
            }
            place = base;
        }
        place
    }

    /// The address of a place, of the given pointer type: qualifiers that the object has in C and the
    /// type has not are cast away.
    pub(crate) fn address_as(&mut self, place: &Place, ty: TyId) -> Text {
        let text = self.address(place);
        let object = self.place_quals(place);
        let Some((to, quals)) = self.pointee(ty) else {
            return text;
        };
        let drops =
            (object.is_const && !quals.is_const) || (object.is_volatile && !quals.is_volatile);
        if to == place.ty && !drops {
            return text;
        }
        let name = self.type_name(ty);
        Text::new(format!("({name}){}", text.at(prec::UNARY)), prec::UNARY)
    }

    /// The qualifiers with which C sees a place.
    pub(crate) fn place_quals(&self, place: &Place) -> Quals {
        match &place.kind {
            PlaceKind::Local(id) => self.local_quals(*id),
            PlaceKind::Global(id) => {
                let global = &self.unit.program.globals[*id];
                Quals { is_const: global.is_const, is_volatile: global.is_volatile }
            }
            PlaceKind::Deref(p) | PlaceKind::PtrIndex(p, _) => match self.ty(p.ty) {
                Ty::Ptr { quals, .. } => *quals,
                _ => Quals::default(),
            },
            PlaceKind::FatIndex(p, _) => match self.ty(p.ty) {
                Ty::Fat { quals, .. } => Quals { is_const: false, ..*quals },
                _ => Quals::default(),
            },
            PlaceKind::Index(base, _) => self.place_quals(base),
            PlaceKind::Field(base, field) => {
                let mut quals = self.place_quals(base);
                if let Ty::Record(id) = self.ty(base.ty) {
                    let fields = self.unit.program.types.records[*id].fields.as_deref();
                    let field = fields.and_then(|f| f.get(*field as usize));
                    quals.is_volatile |= field.is_some_and(|f| f.quals.is_volatile);
                }
                quals
            }
        }
    }

    pub(crate) fn address(&mut self, place: &Place) -> Text {
        self.note_reads(place);
        match &place.kind {
            PlaceKind::Deref(p) if !matches!(p.kind, ExprKind::FatCur(_)) => self.expr(p),
            PlaceKind::PtrIndex(p, index) if is_zero(index) => self.decayed(p),
            _ => Text::new(format!("&{}", self.place(place).at(prec::UNARY)), prec::UNARY),
        }
    }

    /// A pointer, as the array that it was made from where that is the same to C.
    pub(crate) fn decayed(&mut self, p: &Expr) -> Text {
        if let ExprKind::Cast(CastKind::PtrView, inner) = &p.kind {
            if let Some(text) = self.array_decay(inner, p.ty) {
                return text;
            }
        }
        self.expr(p)
    }

    /// The address of an array viewed as a pointer to its element is the array's name.
    pub(crate) fn array_decay(&mut self, address: &Expr, target: TyId) -> Option<Text> {
        let ExprKind::AddrOf(place) = &address.kind else {
            return None;
        };
        let Ty::Array { of, .. } = self.ty(place.ty) else {
            return None;
        };
        let (to, quals) = self.pointee(target)?;
        let object = self.place_quals(place);
        let drops =
            (object.is_const && !quals.is_const) || (object.is_volatile && !quals.is_volatile);
        if to != *of || drops || matches!(self.ty(to), Ty::Word) {
            return None;
        }
        self.note_reads(place);
        Some(self.place(place))
    }

    /// Which element of `base` is `p[index]`: in the arithmetic of the check that stands before it.
    pub(crate) fn fat_element(&mut self, p: &Expr, index: &Expr) -> String {
        let idx = self.fat_idx(p);
        let signed_narrow =
            matches!(self.ty(index.ty), Ty::Int(int) if int.bits() <= 32 && int.is_signed());
        let constant = matches!(index.kind, ExprKind::Const(Const::Int(0..)));
        let index = self.index_operand(index);
        if index.is_zero() {
            idx.text
        } else if idx.is_zero() {
            // The check compared modulo 2^32, and an object may have more than 2^31 elements.
            if signed_narrow && !constant {
                format!("(unsigned int){}", index.at(prec::UNARY))
            } else {
                index.text
            }
        } else {
            format!("{} + {}", idx.at(prec::ADD), index.at(prec::MUL))
        }
    }

    pub(crate) fn fat_base(&mut self, p: &Expr) -> Text {
        match &p.kind {
            ExprKind::Load(place) => {
                let place = self.load(place).at(prec::POSTFIX);
                Text::primary(format!("{place}.base"))
            }
            ExprKind::MakeFat { base, .. } => self.fat_member_base(base, p.ty),
            ExprKind::FatAdd(inner, _) => self.fat_base(inner),
            ExprKind::Cast(CastKind::FatView, inner) => {
                let text = self.fat_base(inner);
                if self.same_base(inner.ty, p.ty) {
                    return text;
                }
                let target = self.base_type(p.ty);
                Text::new(format!("({target}){}", text.at(prec::UNARY)), prec::UNARY)
            }
            ExprKind::Cond(c, a, b) => self.fat_choice(c, a, b, Self::fat_base),
            _ => Text::primary("NULL"),
        }
    }

    /// The pointer inside `MakeFat`, without the const that the struct does not have.
    fn fat_member_base(&mut self, base: &Expr, fat: TyId) -> Text {
        let wanted = self.pointee(fat);
        let have = self.pointee(base.ty);
        if let (Some((to, quals)), Some((from, from_quals))) = (wanted, have) {
            let drops_const = from_quals.is_const;
            let same = to == from && !drops_const && quals.is_volatile == from_quals.is_volatile;
            if same {
                return self.decayed(base);
            }
        }
        if matches!(base.kind, ExprKind::Const(Const::Zero)) {
            return Text::primary("NULL");
        }
        if let Some(text) = self.array_decay(base, fat) {
            return text;
        }
        let target = self.base_type(fat);
        let text = self.decayed(base).at(prec::UNARY);
        Text::new(format!("({target}){text}"), prec::UNARY)
    }

    pub(crate) fn fat_idx(&mut self, p: &Expr) -> Text {
        match &p.kind {
            ExprKind::Load(place) => {
                let place = self.load(place).at(prec::POSTFIX);
                Text::primary(format!("{place}.idx"))
            }
            ExprKind::MakeFat { idx, .. } => self.expr(idx),
            ExprKind::FatAdd(inner, n) => self.moved_idx(inner, n),
            ExprKind::Cast(CastKind::FatView, inner) => self.fat_idx(inner),
            ExprKind::Cond(c, a, b) => self.fat_choice(c, a, b, Self::fat_idx),
            _ => Text::primary("0"),
        }
    }

    fn moved_idx(&mut self, p: &Expr, n: &Expr) -> Text {
        let idx = self.fat_idx(p);
        let wide = self.bits(n.ty) > 32;
        if let ExprKind::Const(Const::Int(value)) = n.kind {
            if let Ok(value) = i32::try_from(value) {
                let (sign, size) =
                    if value < 0 { ('-', value.unsigned_abs()) } else { ('+', value as u32) };
                return Text::new(format!("{} {sign} {size}", idx.at(prec::ADD)), prec::ADD);
            }
        }
        if let (ExprKind::Unary(UnaryOp::Neg, positive), false) = (&n.kind, wide) {
            let n = self.expr(positive).at(prec::MUL);
            return Text::new(format!("{} - {n}", idx.at(prec::ADD)), prec::ADD);
        }
        // Modulo 2^32: of a longer step, the check before it has seen that it leads somewhere.
        let n = if wide { self.unsigned(n, "unsigned int", IntTy::UInt) } else { self.expr(n) };
        Text::new(format!("{} + {}", idx.at(prec::ADD), n.at(prec::MUL)), prec::ADD)
    }

    pub(crate) fn fat_len(&mut self, p: &Expr) -> Text {
        match &p.kind {
            ExprKind::Load(place) => {
                let place = self.load(place).at(prec::POSTFIX);
                Text::primary(format!("{place}.len"))
            }
            ExprKind::MakeFat { len, .. } => self.expr(len),
            ExprKind::FatAdd(inner, _) | ExprKind::Cast(CastKind::FatView, inner) => {
                self.fat_len(inner)
            }
            ExprKind::Cond(c, a, b) => self.fat_choice(c, a, b, Self::fat_len),
            _ => Text::primary("0"),
        }
    }

    fn fat_choice(
        &mut self,
        cond: &Expr,
        a: &Expr,
        b: &Expr,
        part: fn(&mut Self, &Expr) -> Text,
    ) -> Text {
        let cond = self.expr(cond).at(prec::OR);
        let (a, b) = (part(self, a).at(prec::COND), part(self, b).at(prec::COND));
        if a == b {
            return Text::new(a, prec::COND);
        }
        Text::new(format!("{cond} ? {a} : {b}"), prec::COND)
    }

    /// The current element's address, NULL for NULL whatever its index.
    pub(crate) fn fat_current(&mut self, p: &Expr) -> Text {
        let idx = self.fat_idx(p);
        self.fat_address(p, idx)
    }

    /// What is compared of a pointer, subtracted or converted to an integer: a fat one need not stand at an element.
    pub(crate) fn pointer_operand(&mut self, e: &Expr) -> Text {
        match &e.kind {
            ExprKind::FatCur(p) => {
                let idx = self.fat_idx(p);
                if idx.is_zero() {
                    return self.fat_base(p);
                }
                let len = self.fat_len(p);
                let position = format!("tn_fat_position({}, {})", idx.arg(), len.arg());
                self.fat_address(p, Text::primary(position))
            }
            ExprKind::Cast(CastKind::PtrView, inner)
                if matches!(inner.kind, ExprKind::FatCur(_)) =>
            {
                let text = self.pointer_operand(inner).at(prec::UNARY);
                let name = self.type_name(e.ty);
                Text::new(format!("({name}){text}"), prec::UNARY)
            }
            _ => self.expr(e),
        }
    }

    fn fat_address(&mut self, p: &Expr, idx: Text) -> Text {
        let base = self.fat_base(p);
        if idx.is_zero() {
            return base;
        }
        let never_null = match &p.kind {
            ExprKind::MakeFat { base, .. } => is_object_address(base),
            _ => false,
        };
        let sum = format!("{} + {}", base.clone().at(prec::ADD), idx.at(prec::MUL));
        if never_null {
            return Text::new(sum, prec::ADD);
        }
        // Not the constant: cc would remark where it flows.
        let null = base.clone().at(prec::COND);
        Text::new(format!("{} != NULL ? {sum} : {null}", base.at(prec::EQ)), prec::COND)
    }

    /// A whole fat pointer.
    pub(crate) fn fat_value(&mut self, e: &Expr) -> Text {
        let base = self.fat_base(e).arg();
        let (idx, len) = (self.fat_idx(e).arg(), self.fat_len(e).arg());
        let braces = format!("{{{base}, {idx}, {len}}}");
        if self.constant_only {
            return Text::primary(braces);
        }
        Text::primary(format!("({}){braces}", self.type_name(e.ty)))
    }

    /// The type of `base` in the fat pointer's struct.
    pub(crate) fn base_type(&mut self, fat: TyId) -> String {
        match self.pointee(fat) {
            Some((to, quals)) => {
                let quals = Quals { is_const: false, is_volatile: quals.is_volatile };
                self.unit.types.pointer_to(to, quals, "")
            }
            None => "void *".to_string(),
        }
    }

    /// Whether two fat pointer types have the same struct.
    pub(crate) fn same_base(&self, a: TyId, b: TyId) -> bool {
        match (self.pointee(a), self.pointee(b)) {
            (Some((a, qa)), Some((b, qb))) => a == b && qa.is_volatile == qb.is_volatile,
            _ => false,
        }
    }

    /// A place whose value or address is used: its local is no unused variable.
    pub(crate) fn note_reads(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(id) => self.note_read(*id),
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => self.note_reads(base),
            _ => {}
        }
    }
}

/// A member without a name, whose own members are the outer record's.
pub(crate) fn is_anonymous(record: &Record, at: usize, ty: &Ty) -> bool {
    let field = record.fields.as_ref().and_then(|fields| fields.get(at));
    matches!(record.kind, RecordKind::Struct | RecordKind::Union)
        && matches!(ty, Ty::Record(_))
        && field.is_some_and(|f| f.name.is_none() && f.bits.is_none())
}

pub(crate) fn is_zero(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(Const::Int(0) | Const::Zero))
}

/// The address of something that exists, hence not NULL.
pub(crate) fn is_object_address(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::AddrOf(_) | ExprKind::Const(Const::Str(_) | Const::Function(_)) => true,
        ExprKind::Cast(CastKind::PtrView, inner) => is_object_address(inner),
        _ => false,
    }
}
