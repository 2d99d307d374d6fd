//! Values and places.

use super::memory::{moved, Address, Cells, Kind, NULL};
use super::{bug, unknown, Flow, Machine, Stop, Value};
use tenure_core::{
    BinaryOp, CastKind, Const, Expr, ExprKind, FloatTy, IntTy, Place, PlaceKind, RecordKind, Ty,
    TyId, UnaryOp,
};

/// Where a place is; a bit-field also in which bits.
pub struct Spot {
    address: Address,
    bits: Option<(u32, u32)>,
}

fn whole(address: Address) -> Spot {
    Spot { address, bits: None }
}

impl<'p> Machine<'p> {
    pub(super) fn int_ty(&self, ty: TyId) -> Option<IntTy> {
        match self.program.types.get(ty) {
            Ty::Int(int) => Some(*int),
            Ty::Enum(id) => Some(self.program.types.enums[*id].underlying),
            _ => None,
        }
    }

    pub(super) fn truth(&mut self, expr: &'p Expr) -> Result<bool, Stop> {
        Ok(match self.eval(expr)? {
            Value::Int(n) => n != 0,
            Value::Float(f) => f != 0.0,
            Value::Fat { base, .. } => base != NULL,
            Value::Cells(_) => return bug("a record as a condition"),
        })
    }

    pub(super) fn int(&mut self, expr: &'p Expr) -> Result<i128, Stop> {
        match self.eval(expr)? {
            Value::Int(n) => Ok(n),
            other => bug(format!("{other:?} is no integer")),
        }
    }

    pub(super) fn pointer(&mut self, expr: &'p Expr) -> Result<Address, Stop> {
        self.int(expr).map(|n| n as u64)
    }

    pub(super) fn fat(&mut self, expr: &'p Expr) -> Result<(Address, u32, u32), Stop> {
        match self.eval(expr)? {
            Value::Fat { base, idx, len } => Ok((base, idx, len)),
            other => bug(format!("{other:?} is no fat pointer")),
        }
    }

    pub(super) fn zero(&mut self, ty: TyId) -> Result<Value, Stop> {
        Ok(match self.program.types.get(ty) {
            Ty::Fat { .. } => Value::Fat { base: NULL, idx: 0, len: 0 },
            Ty::Float(_) => Value::Float(0.0),
            Ty::Record(_) | Ty::Array { .. } => Value::Cells(Cells::zero(self.shape(ty)?.size)),
            _ => Value::Int(0),
        })
    }

    pub(super) fn eval(&mut self, expr: &'p Expr) -> Result<Value, Stop> {
        let ty = expr.ty;
        Ok(match &expr.kind {
            ExprKind::Const(constant) => self.constant(constant, ty)?,
            ExprKind::Load(place) => self.load_place(place)?,
            ExprKind::AddrOf(place) => match self.spot(place)? {
                Spot { address, bits: None } => Value::Int(i128::from(address)),
                _ => return bug("the address of a bit-field"),
            },
            ExprKind::Unary(op, a) => self.unary(*op, a, ty)?,
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, ty)?,
            ExprKind::Cast(kind, a) => self.cast(*kind, a, ty)?,
            ExprKind::Cond(c, a, b) => {
                let chosen = if self.truth(c)? { a } else { b };
                self.eval(chosen)?
            }
            ExprKind::PtrAdd(p, n) => {
                let (p, n) = (self.pointer(p)?, self.int(n)?);
                let size = self.pointee_size(ty)?;
                Value::Int(i128::from(moved(p, n * size)))
            }
            ExprKind::PtrDiff(p, q) => {
                let size = self.pointee_size(p.ty)?.max(1);
                let (p, q) = (self.pointer(p)?, self.pointer(q)?);
                if p >> 32 != q >> 32 {
                    return bug("a difference of pointers to two objects");
                }
                Value::Int((i128::from(p as u32 as i32) - i128::from(q as u32 as i32)) / size)
            }
            ExprKind::SizeOf(of) => Value::Int(i128::from(self.shape(*of)?.size)),
            ExprKind::AlignOf(of) => Value::Int(i128::from(self.shape(*of)?.align)),
            ExprKind::OffsetOf(of, field) => {
                let slot = self.shape(*of)?.slots[*field as usize];
                Value::Int(i128::from(slot.offset))
            }
            ExprKind::ZeroTermSize(p) => {
                let size = self.pointee_size(p.ty)?;
                let p = self.pointer(p)?;
                Value::Int(self.terminated(p, size)? + 1)
            }
            ExprKind::Aggregate(parts) => self.aggregate(parts, ty)?,
            _ => self.fat_expr(expr)?,
        })
    }

    /// Expressions over fat pointers.
    fn fat_expr(&mut self, expr: &'p Expr) -> Result<Value, Stop> {
        Ok(match &expr.kind {
            ExprKind::MakeFat { base, idx, len } => Value::Fat {
                base: self.pointer(base)?,
                idx: self.int(idx)? as u32,
                len: self.int(len)? as u32,
            },
            ExprKind::FatBase(p) => Value::Int(i128::from(self.fat(p)?.0)),
            ExprKind::FatIdx(p) => Value::Int(i128::from(self.fat(p)?.1)),
            ExprKind::FatLen(p) => Value::Int(i128::from(self.fat(p)?.2)),
            ExprKind::FatCur(p) => {
                let size = self.pointee_size(p.ty)?;
                let (base, idx, _) = self.fat(p)?;
                let cur = if base == NULL { NULL } else { moved(base, i128::from(idx) * size) };
                Value::Int(i128::from(cur))
            }
            ExprKind::FatCount(p) => {
                let (_, idx, len) = self.fat(p)?;
                Value::Int(i128::from(len.saturating_sub(idx)))
            }
            ExprKind::FatAdd(p, n) => {
                let ((base, idx, len), n) = (self.fat(p)?, self.int(n)?);
                Value::Fat { base, idx: idx.wrapping_add(n as u32), len }
            }
            other => return unknown(format!("{other:?}")),
        })
    }

    /// How many elements stand before the first that is zero.
    pub(super) fn terminated(&mut self, p: Address, size: i128) -> Result<i128, Stop> {
        let rest = self.memory.rest(p)?;
        let at = rest.chunks_exact(size.max(1) as usize).position(|e| e.iter().all(|b| *b == 0));
        match at {
            Some(at) => Ok(at as i128),
            None => bug("a sequence without its zero"),
        }
    }

    pub(super) fn pointee_size(&mut self, ty: TyId) -> Result<i128, Stop> {
        match *self.program.types.get(ty) {
            Ty::Ptr { to, .. } | Ty::Checked { to, .. } | Ty::Fat { to, .. } => {
                Ok(i128::from(self.shape(to)?.size))
            }
            _ => bug("no pointer"),
        }
    }

    fn constant(&mut self, constant: &Const, ty: TyId) -> Result<Value, Stop> {
        Ok(match constant {
            Const::Int(n) => Value::Int(*n),
            Const::Float(bits) => self.rounded(f64::from_bits(*bits), ty)?,
            Const::LongFloat(_) => return unknown("long double"),
            Const::Zero => self.zero(ty)?,
            Const::Str(id) => {
                let address = match self.strings.get(id) {
                    Some(address) => *address,
                    None => {
                        let literal = &self.program.strings[*id];
                        let mut bytes = Vec::new();
                        for unit in literal.units.iter().chain([&0]) {
                            let unit = unit.to_le_bytes();
                            bytes.extend_from_slice(&unit[..usize::from(literal.unit_size)]);
                        }
                        let address = self.memory.place(Cells::of(&bytes), Kind::Constant);
                        self.strings.insert(*id, address);
                        address
                    }
                };
                Value::Int(i128::from(address))
            }
            Const::Function(id) => {
                let memory = &mut self.memory;
                let place = || memory.place(Cells::default(), Kind::Function(*id));
                Value::Int(i128::from(*self.addresses.entry(*id).or_insert_with(place)))
            }
            Const::TagAddress(id) => {
                Value::Int(i128::from(self.globals[tenure_core::GlobalId::index(*id)]))
            }
        })
    }

    fn rounded(&self, value: f64, ty: TyId) -> Result<Value, Stop> {
        match self.program.types.get(ty) {
            Ty::Float(FloatTy::F32) => Ok(Value::Float(f64::from(value as f32))),
            Ty::Float(FloatTy::F64) => Ok(Value::Float(value)),
            _ => unknown("long double"),
        }
    }

    fn wrapped(&self, n: i128, ty: TyId) -> Value {
        Value::Int(self.int_ty(ty).map_or(n, |int| int.wrap(n)))
    }

    fn unary(&mut self, op: UnaryOp, a: &'p Expr, ty: TyId) -> Result<Value, Stop> {
        if op == UnaryOp::Not {
            return Ok(Value::Int(i128::from(!self.truth(a)?)));
        }
        match (op, self.eval(a)?) {
            (UnaryOp::Neg, Value::Int(n)) => Ok(self.wrapped(n.wrapping_neg(), ty)),
            (UnaryOp::BitNot, Value::Int(n)) => Ok(self.wrapped(!n, ty)),
            (UnaryOp::Neg, Value::Float(f)) => Ok(Value::Float(-f)),
            _ => unknown("complex numbers"),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &'p Expr, b: &'p Expr, ty: TyId) -> Result<Value, Stop> {
        match op {
            BinaryOp::And => {
                return Ok(Value::Int(i128::from(self.truth(a)? && self.truth(b)?)));
            }
            BinaryOp::Or => return Ok(Value::Int(i128::from(self.truth(a)? || self.truth(b)?))),
            _ => {}
        }
        let (of, x, y) = (a.ty, self.eval(a)?, self.eval(b)?);
        match (x, y) {
            (Value::Int(x), Value::Int(y)) => self.integers(op, x, y, of, ty),
            (Value::Float(x), Value::Float(y)) => self.floats(op, x, y, ty),
            (Value::Fat { base: p, idx: i, .. }, Value::Fat { base: q, idx: j, .. }) => {
                let same = p == q && (i == j || p == NULL);
                match op {
                    BinaryOp::Eq => Ok(Value::Int(i128::from(same))),
                    BinaryOp::Ne => Ok(Value::Int(i128::from(!same))),
                    _ => unknown("an order of fat pointers"),
                }
            }
            _ => unknown(format!("operands of {op:?}")),
        }
    }

    fn floats(&self, op: BinaryOp, x: f64, y: f64, ty: TyId) -> Result<Value, Stop> {
        use BinaryOp::*;
        let truth = |holds: bool| Ok(Value::Int(i128::from(holds)));
        match op {
            Add => self.rounded(x + y, ty),
            Sub => self.rounded(x - y, ty),
            Mul => self.rounded(x * y, ty),
            Div => self.rounded(x / y, ty),
            Eq => truth(x == y),
            Ne => truth(x != y),
            Lt => truth(x < y),
            Le => truth(x <= y),
            Gt => truth(x > y),
            Ge => truth(x >= y),
            _ => bug("an operator of integers on floats"),
        }
    }

    fn integers(&self, op: BinaryOp, x: i128, y: i128, of: TyId, ty: TyId) -> Result<Value, Stop> {
        use BinaryOp::*;
        let int = self.int_ty(of);
        let bits = int.map_or(64, IntTy::bits);
        let wide = int == Some(IntTy::U128);
        let order = match self.program.types.get(of) {
            // A position below the first element is one before it.
            Ty::Ptr { .. } => (x >> 32, x as u32 as i32).cmp(&(y >> 32, y as u32 as i32)),
            _ if wide => (x as u128).cmp(&(y as u128)),
            _ => x.cmp(&y),
        };
        let count = (y & i128::from(bits - 1)) as u32;
        let value = match op {
            Div | Rem if y == 0 => return bug("a division by zero"),
            Div if wide => (x as u128 / y as u128) as i128,
            Rem if wide => (x as u128 % y as u128) as i128,
            Div => x.wrapping_div(y),
            Rem => x.wrapping_rem(y),
            Add => x.wrapping_add(y),
            Sub => x.wrapping_sub(y),
            Mul => x.wrapping_mul(y),
            BitAnd => x & y,
            BitOr => x | y,
            BitXor => x ^ y,
            Shl => x << count,
            Shr if wide => (x as u128 >> count) as i128,
            Shr => x >> count,
            Eq => return Ok(Value::Int(i128::from(x == y))),
            Ne => return Ok(Value::Int(i128::from(x != y))),
            Lt => return Ok(Value::Int(i128::from(order.is_lt()))),
            Le => return Ok(Value::Int(i128::from(order.is_le()))),
            Gt => return Ok(Value::Int(i128::from(order.is_gt()))),
            Ge => return Ok(Value::Int(i128::from(order.is_ge()))),
            And | Or => return bug("logic of values"),
        };
        Ok(self.wrapped(value, ty))
    }

    fn cast(&mut self, kind: CastKind, a: &'p Expr, ty: TyId) -> Result<Value, Stop> {
        let from = a.ty;
        let value = self.eval(a)?;
        Ok(match (kind, value) {
            (CastKind::ToBool, Value::Int(n)) => Value::Int(i128::from(n != 0)),
            (CastKind::ToBool, Value::Float(f)) => Value::Int(i128::from(f != 0.0)),
            (CastKind::ToBool, Value::Fat { base, .. }) => Value::Int(i128::from(base != NULL)),
            (CastKind::Int | CastKind::PtrToInt, Value::Int(n)) => self.wrapped(n, ty),
            (CastKind::PtrView | CastKind::FatView | CastKind::Address, value) => value,
            (CastKind::IntToFloat, Value::Int(n)) => {
                let wide = self.int_ty(from) == Some(IntTy::U128);
                let single = matches!(self.program.types.get(ty), Ty::Float(FloatTy::F32));
                let value = match (wide, single) {
                    (true, true) => f64::from(n as u128 as f32),
                    (true, false) => n as u128 as f64,
                    (false, true) => f64::from(n as f32),
                    (false, false) => n as f64,
                };
                self.rounded(value, ty)?
            }
            (CastKind::FloatToFloat, Value::Float(f)) => self.rounded(f, ty)?,
            (CastKind::FloatToInt, Value::Float(f)) => Value::Int(self.saturated(f, ty)?),
            (CastKind::ToWord, Value::Int(n)) => Value::Int(i128::from(n as u64)),
            (CastKind::ToWord, Value::Float(f)) => match self.program.types.get(from) {
                Ty::Float(FloatTy::F32) => Value::Int(i128::from((f as f32).to_bits())),
                _ => Value::Int(i128::from(f.to_bits())),
            },
            (CastKind::FromWord, Value::Int(n)) => match self.program.types.get(ty) {
                Ty::Float(FloatTy::F32) => Value::Float(f64::from(f32::from_bits(n as u32))),
                Ty::Float(_) => Value::Float(f64::from_bits(n as u64)),
                _ => self.wrapped(n, ty),
            },
            (kind, value) => return unknown(format!("{kind:?} of {value:?}")),
        })
    }

    fn saturated(&self, f: f64, ty: TyId) -> Result<i128, Stop> {
        let Some((low, high)) = self.int_ty(ty).and_then(IntTy::range) else {
            return unknown("a wide integer of a float");
        };
        Ok((f as i128).clamp(low, high))
    }

    fn aggregate(&mut self, parts: &'p [(u32, Expr)], ty: TyId) -> Result<Value, Stop> {
        let shape = self.shape(ty)?;
        let object = self.memory.place(Cells::zero(shape.size), Kind::Data);
        for (field, part) in parts {
            let value = self.eval(part)?;
            if let Ty::Array { .. } = self.program.types.get(ty) {
                let (of, address) = self.element(object, ty, u64::from(*field))?;
                self.put(address, of, value)?;
                continue;
            }
            let slot = shape.slots[*field as usize];
            let of = self.field_ty(ty, *field)?;
            let spot = Spot { address: moved(object, i128::from(slot.offset)), bits: slot.bits };
            self.store_at(&spot, of, value)?;
        }
        let cells = self.memory.read(object, shape.size)?;
        self.memory.kill(object);
        Ok(Value::Cells(cells))
    }

    pub(super) fn spot(&mut self, place: &'p Place) -> Result<Spot, Stop> {
        Ok(match &place.kind {
            PlaceKind::Local(local) => whole(self.local(*local)?),
            PlaceKind::Global(id) => whole(self.globals[tenure_core::GlobalId::index(*id)]),
            PlaceKind::Deref(p) => whole(self.pointer(p)?),
            PlaceKind::Field(base, field) => {
                let at = self.spot(base)?.address;
                let slot = self.shape(base.ty)?.slots[*field as usize];
                Spot { address: moved(at, i128::from(slot.offset)), bits: slot.bits }
            }
            PlaceKind::Index(base, index) => {
                let at = self.spot(base)?.address;
                let (index, size) = (self.int(index)?, self.shape(place.ty)?.size);
                let most = self.shape(base.ty)?.size;
                let by = index * i128::from(size);
                // An array as the last member may be longer than its type says.
                if most > 0 && (by < 0 || by >= i128::from(most)) {
                    return bug("an element outside of its array");
                }
                whole(moved(at, by))
            }
            PlaceKind::PtrIndex(p, index) => {
                let (p, index) = (self.pointer(p)?, self.int(index)?);
                whole(moved(p, index * i128::from(self.shape(place.ty)?.size)))
            }
            PlaceKind::FatIndex(p, index) => {
                let ((base, idx, _), by) = (self.fat(p)?, self.int(index)?);
                let number = self.numbered(index.ty, idx, by);
                whole(moved(base, number * i128::from(self.shape(place.ty)?.size)))
            }
        })
    }

    /// Only the member of a tagged union that its tag names is there to be read.
    fn members_are_set(&mut self, place: &'p Place) -> Flow {
        let mut part = place;
        loop {
            part = match &part.kind {
                PlaceKind::Field(members, field) => {
                    self.member_is_set(members, *field)?;
                    members
                }
                PlaceKind::Index(whole, _) => whole,
                _ => return Ok(()),
            };
        }
    }

    fn member_is_set(&mut self, members: &'p Place, field: u32) -> Flow {
        let PlaceKind::Field(whole, 1) = &members.kind else { return Ok(()) };
        let Ty::Record(id) = self.program.types.get(whole.ty) else { return Ok(()) };
        if self.program.types.records[*id].kind != RecordKind::TaggedUnion {
            return Ok(());
        }
        let at = self.spot(whole)?.address;
        let tag = self.memory.read(at, 4)?;
        let tag: [u8; 4] = tag.bytes.try_into().unwrap_or_default();
        match u32::from_le_bytes(tag) {
            set if set == field => Ok(()),
            set => bug(format!("member {field} of a tagged union whose tag says {set}")),
        }
    }

    /// The number of the element at an index of a fat pointer: one of 64 bits is added in 64 bits.
    pub(super) fn numbered(&self, index_ty: TyId, idx: u32, by: i128) -> i128 {
        let wide = self.int_ty(index_ty).is_some_and(|int| int.bits() > 32);
        let int = if wide { IntTy::ULong } else { IntTy::UInt };
        int.wrap(i128::from(idx) + by)
    }

    pub(super) fn load_place(&mut self, place: &'p Place) -> Result<Value, Stop> {
        self.members_are_set(place)?;
        let spot = self.spot(place)?;
        self.load(&spot, place.ty)
    }

    fn load(&mut self, spot: &Spot, ty: TyId) -> Result<Value, Stop> {
        if let Some((first, count)) = spot.bits {
            let value = self.memory.read_bits(spot.address, first, count)?;
            let signed = self.int_ty(ty).is_some_and(IntTy::is_signed);
            let negative = signed && count > 0 && value >> (count - 1) & 1 != 0;
            let value = value as i128;
            return Ok(Value::Int(if negative { value - (1i128 << count) } else { value }));
        }
        self.get(spot.address, ty)
    }

    /// The value of that type at an address.
    pub(super) fn get(&mut self, at: Address, ty: TyId) -> Result<Value, Stop> {
        let size = self.shape(ty)?.size;
        let cells = self.memory.read(at, size)?;
        if matches!(self.program.types.get(ty), Ty::Record(_) | Ty::Array { .. }) {
            return Ok(Value::Cells(cells));
        }
        if cells.written.iter().any(|bits| *bits != 0xff) {
            return bug("bytes that nobody wrote are read");
        }
        let mut wide = [0u8; 16];
        wide[..cells.bytes.len().min(16)].copy_from_slice(&cells.bytes);
        let bits = u128::from_le_bytes(wide);
        Ok(match self.program.types.get(ty) {
            Ty::Fat { .. } => {
                Value::Fat { base: bits as u64, idx: (bits >> 64) as u32, len: (bits >> 96) as u32 }
            }
            Ty::Float(FloatTy::F32) => Value::Float(f64::from(f32::from_bits(bits as u32))),
            Ty::Float(FloatTy::F64) => Value::Float(f64::from_bits(bits as u64)),
            Ty::Float(FloatTy::Long) => return unknown("long double"),
            Ty::Int(IntTy::Bool) if bits > 1 => return bug("a boolean that is neither 0 nor 1"),
            _ => self.wrapped(bits as i128, ty),
        })
    }

    /// Stores a value of that type at an address.
    pub(super) fn put(&mut self, at: Address, ty: TyId, value: Value) -> Flow {
        let size = self.shape(ty)?.size as usize;
        let bits: u128 = match (value, self.program.types.get(ty)) {
            (Value::Cells(cells), _) => return self.memory.write(at, &cells),
            (Value::Int(n), _) => n as u128,
            (Value::Float(f), Ty::Float(FloatTy::F32)) => u128::from((f as f32).to_bits()),
            (Value::Float(f), _) => u128::from(f.to_bits()),
            (Value::Fat { base, idx, len }, _) => {
                u128::from(base) | u128::from(idx) << 64 | u128::from(len) << 96
            }
        };
        self.memory.write(at, &Cells::of(&bits.to_le_bytes()[..size.min(16)]))
    }

    pub(super) fn store_at(&mut self, spot: &Spot, ty: TyId, value: Value) -> Flow {
        match (spot.bits, value) {
            (Some((first, count)), Value::Int(n)) => {
                self.memory.write_bits(spot.address, first, count, n as u128)
            }
            (Some(_), _) => bug("a bit-field holds an integer"),
            (None, value) => self.put(spot.address, ty, value),
        }
    }

    pub(super) fn store(&mut self, place: &'p Place, value: Value) -> Flow {
        let spot = self.spot(place)?;
        self.store_at(&spot, place.ty, value)
    }
}
