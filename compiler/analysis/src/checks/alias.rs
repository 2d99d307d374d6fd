//! # Which accesses may touch the same bytes
//!
//! Everything that is remembered of memory rests on the table below, [`Aliases::may_touch`]: what a load gave is
//! forgotten by each store that may touch a byte of it. The table follows from the language's definition
//! (docs/reference.md, section 1, "What may share bytes"), not from C's effective types: a pointer to a member of an
//! untagged union is a pointer like any other.
//!
//! ## What is computed
//!
//! An access is described by its [`Location`]: the [`Kind`] of scalar that it reads or writes, and the [`Path`] on
//! which it is reached, as far as its place says:
//!
//! ```text
//!          Object            through a pointer: anywhere
//!         /   |   \
//!   Variable Field  …        a declared variable; a field of a record (or an element of an array that is one)
//! ```
//!
//! Two locations are apart if their kinds cannot share bytes, or their paths cannot lead to the same ones.
//!
//! ## Kinds
//!
//! ```text
//!           Rest                 whole records, unions, complex numbers: may share bytes with all
//!         /      \
//!      Word       Fat            a value of variable type is any scalar that fits a word
//!     /    \
//!  Pointer  bits                 no bytes are a reference at one time and bits at another, other than in a word
//!           8 16 32 64 f32 f64   bits share bytes with others where a union or a view overlays them
//! ```
//!
//! ## An example
//!
//! ```text
//! before                                      after
//!   if (*p >= 0 && *p < 10) {                   if (*p >= 0 && *p < 10) {
//!       s->count = 7;                               s->count = 7;
//!       check index(*p, 10)  needed                 check index(*p, 10)   p may point to s->count
//!       a[*p] = 1;                                  a[*p] = 1;
//!       s->next = q;                                s->next = q;
//!       check index(*p, 10)                         check index(*p, 10)   proved: a reference is never an int
//! ```
//!
//! ## Why it is sound
//!
//! Every store of a program is of a location, or of a whole object (kind `Rest`), or made by a call, which changes all.
//! So it is enough that two accesses of one function that may touch a byte in common are never told apart:
//!
//! - **Two variables**, or two fields reached by name, occupy different bytes, unless records that hold the fields lie
//!   over each other. That takes an untagged union and the address of something in it (an access by way of the union
//!   itself is of kind `Rest`), or a view of a record as another: [`Overlays`] has all that this unit makes. Other
//!   units may make more, but only of records that are bits through and through, since nothing else in a union can be
//!   pointed to or viewed.
//! - **Tuples** of one shape with different instances (`` $(`a,int) `` and `$(int,int)`), and a datatype's variants
//!   with each other and with the tag alone, are different records over the same bytes; their fields of the same number
//!   lie there.
//! - **A pointer and a name** share bytes if the pointer may be the address of what is named: its kind is the same, or
//!   it is a view as characters, or a word; or an overlay holds the record.
//! - **Two pointers** share bytes by kind alone.
//! - **Characters** read or written through a pointer may be a view of bits of any kind. A character that is itself a
//!   variable or a field is no view.
//! - **Words**: memory of variable type is the same memory as that of the instance, whatever scalar it is.
//! - **Volatile** says nothing of where an object lies: a store through a pointer to volatile is a store, and its load
//!   is not remembered.
//! - **Bit-fields** are fields; writing one leaves its neighbours. What was stored to one is not what is read, and
//!   never remembered.

use std::cell::RefCell;
use tenure_core::{
    CastKind, Expr, ExprKind, IntTy, Linkage, LocalId, Place, PlaceKind, Program, RecordId,
    RecordKind, Ty, TyId, Visitor,
};
use tenure_span::FastMap;

/// What a scalar access reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Bits8,
    Bits16,
    Bits32,
    Bits64,
    Float32,
    Float64,
    Pointer,
    Fat,
    Word,
    /// Everything else: never remembered.
    Rest,
}

/// All kinds, each at its own number.
pub const KINDS: [Kind; 10] = [
    Kind::Bits8,
    Kind::Bits16,
    Kind::Bits32,
    Kind::Bits64,
    Kind::Float32,
    Kind::Float64,
    Kind::Pointer,
    Kind::Fat,
    Kind::Word,
    Kind::Rest,
];

impl Kind {
    pub fn of(program: &Program, ty: TyId) -> Kind {
        let int = match program.types.get(ty) {
            Ty::Int(int) => *int,
            Ty::Enum(id) => program.types.enums[*id].underlying,
            Ty::Float(tenure_core::FloatTy::F32) => return Kind::Float32,
            Ty::Float(tenure_core::FloatTy::F64) => return Kind::Float64,
            Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Handle => return Kind::Pointer,
            Ty::Fat { .. } => return Kind::Fat,
            Ty::Word => return Kind::Word,
            _ => return Kind::Rest,
        };
        match int {
            IntTy::I128 | IntTy::U128 => Kind::Rest,
            _ => match int.bits() {
                8 => Kind::Bits8,
                16 => Kind::Bits16,
                32 => Kind::Bits32,
                _ => Kind::Bits64,
            },
        }
    }

    fn is_reference(self) -> bool {
        matches!(self, Kind::Pointer | Kind::Fat)
    }

    pub fn number(self) -> usize {
        self as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variable {
    Local(LocalId),
    Global(tenure_core::GlobalId),
}

/// How a scalar is reached, as far as the place says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Path {
    /// The field of the record, or an element of the array that it is.
    Field(RecordId, u32),
    /// The declared object, or an element of the array that it is.
    Variable(Variable),
    /// Through a pointer.
    Object,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    pub kind: Kind,
    pub path: Path,
}

impl Location {
    /// `None` if the place is a whole object, or lies in a union that is named on the way.
    pub fn of(program: &Program, place: &Place) -> Option<Location> {
        let kind = Kind::of(program, place.ty);
        if kind == Kind::Rest || passes_union(program, place) {
            return None;
        }
        let mut at = place;
        while let PlaceKind::Index(base, _) = &at.kind {
            at = base;
        }
        let path = match &at.kind {
            PlaceKind::Field(base, field) => match program.types.get(base.ty) {
                Ty::Record(id) => Path::Field(*id, *field),
                _ => return None,
            },
            PlaceKind::Local(local) => Path::Variable(Variable::Local(*local)),
            // A variable that is defined elsewhere may have a second name.
            PlaceKind::Global(id) => match program.globals[*id].linkage {
                Linkage::Import | Linkage::Weak => Path::Object,
                _ => Path::Variable(Variable::Global(*id)),
            },
            _ => Path::Object,
        };
        Some(Location { kind, path })
    }

    fn is_view(self) -> bool {
        self.kind == Kind::Bits8 && self.path == Path::Object
    }
}

/// What lies over something of another type.
#[derive(Default)]
pub struct Overlays {
    /// Other units may make pointers into unions, too.
    open: bool,
    records: Vec<bool>,
    kinds: [bool; KINDS.len()],
}

impl Overlays {
    /// `whole_program`: no other unit makes pointers to what this one accesses.
    pub fn of(program: &Program, whole_program: bool) -> Overlays {
        let records = vec![false; program.types.records.len()];
        let overlays = Overlays { open: !whole_program, records, kinds: [false; KINDS.len()] };
        let mut scan = Scan { program, overlays, is_made_of_bytes: false };
        for function in &program.functions {
            scan.block(&function.body);
        }
        for global in &program.globals {
            if let Some(init) = &global.init {
                tenure_core::walk_initializer(&mut scan, init);
            }
        }
        let Scan { mut overlays, is_made_of_bytes, .. } = scan;
        overlays.open |= is_made_of_bytes;
        overlays
    }
}

struct Scan<'p> {
    program: &'p Program,
    overlays: Overlays,
    /// Some pointer to characters becomes one to something else.
    is_made_of_bytes: bool,
}

impl Scan<'_> {
    /// An object of the type, with all that it holds by value, may lie over something else.
    fn overlaid(&mut self, ty: TyId) {
        match self.program.types.get(ty) {
            Ty::Array { of, .. } => self.overlaid(*of),
            Ty::Record(id) => {
                if !std::mem::replace(&mut self.overlays.records[id.index()], true) {
                    let fields = self.program.types.records[*id].fields.iter().flatten();
                    fields.for_each(|field| self.overlaid(field.ty));
                }
            }
            _ => self.overlays.kinds[Kind::of(self.program, ty).number()] = true,
        }
    }

    fn element(&self, pointer: TyId) -> Option<TyId> {
        let (Ty::Ptr { to, .. } | Ty::Fat { to, .. }) = *self.program.types.get(pointer) else {
            return None;
        };
        let mut ty = to;
        while let Ty::Array { of, .. } = *self.program.types.get(ty) {
            ty = of;
        }
        Some(ty)
    }

    fn viewed(&mut self, from: TyId, to: TyId) {
        let (Some(from), Some(to)) = (self.element(from), self.element(to)) else { return };
        // What is behind a pointer to void is of the type that it has wherever it can be named.
        let void = |ty: TyId| matches!(self.program.types.get(ty), Ty::Void | Ty::Func(_));
        if from == to || void(from) || void(to) {
            return;
        }
        let [seen, as_seen] = [from, to].map(|ty| Kind::of(self.program, ty));
        match (seen, as_seen) {
            // Characters and words share bytes with everything that they are views of.
            (Kind::Bits8, Kind::Bits8) | (_, Kind::Word) | (Kind::Word, _) => {}
            (_, Kind::Bits8) => {}
            (Kind::Bits8, _) => self.is_made_of_bytes = true,
            (seen, as_seen) if seen == as_seen && seen != Kind::Rest => {}
            _ => {
                self.overlaid(from);
                self.overlaid(to);
            }
        }
    }
}

impl Visitor for Scan<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::AddrOf(place) if passes_union(self.program, place) => self.overlaid(place.ty),
            ExprKind::Cast(CastKind::PtrView | CastKind::FatView, inner) => {
                self.viewed(inner.ty, expr.ty);
            }
            _ => {}
        }
        tenure_core::walk_expr(self, expr);
    }
}

/// The table.
pub struct Aliases<'a> {
    program: &'a Program,
    overlays: &'a Overlays,
    /// Whether a record is bits through and through.
    bits: RefCell<FastMap<RecordId, bool>>,
}

impl<'a> Aliases<'a> {
    pub fn new(program: &'a Program, overlays: &'a Overlays) -> Aliases<'a> {
        Aliases { program, overlays, bits: RefCell::default() }
    }

    /// Whether an access of one location may touch a byte of the other.
    pub fn may_touch(&self, a: Location, b: Location) -> bool {
        match (a.path, b.path) {
            _ if a.kind == Kind::Rest || b.kind == Kind::Rest => true,
            (Path::Variable(x), Path::Variable(y)) => x == y,
            (Path::Variable(_), Path::Field(..)) | (Path::Field(..), Path::Variable(_)) => false,
            (Path::Field(r, i), Path::Field(s, j)) => {
                (r, i) == (s, j)
                    || self.share_bytes(a, b, true) && (i == j && self.are_instances(r, s))
                    || self.share_bytes(a, b, true) && self.is_overlaid(r) && self.is_overlaid(s)
            }
            (Path::Object, Path::Variable(_)) | (Path::Variable(_), Path::Object) => {
                self.share_bytes(a, b, false)
            }
            (Path::Object, Path::Field(r, _)) | (Path::Field(r, _), Path::Object) => {
                self.share_bytes(a, b, self.is_overlaid(r))
            }
            (Path::Object, Path::Object) => self.share_bytes(a, b, true),
        }
    }

    /// By kind; `overlaid`: a union or a view may have put the one over the other.
    fn share_bytes(&self, a: Location, b: Location, overlaid: bool) -> bool {
        match (a.kind, b.kind) {
            (x, y) if x == y => true,
            (Kind::Word, other) | (other, Kind::Word) => other != Kind::Fat,
            (x, y) if x.is_reference() || y.is_reference() => false,
            _ if a.is_view() || b.is_view() => true,
            (x, y) => overlaid && self.is_overlaid_kind(x) && self.is_overlaid_kind(y),
        }
    }

    fn is_overlaid_kind(&self, kind: Kind) -> bool {
        self.overlays.open || self.overlays.kinds[kind.number()]
    }

    fn is_overlaid(&self, record: RecordId) -> bool {
        self.overlays.records[record.index()] || self.overlays.open && self.is_bits(record)
    }

    /// Tuples of different instances, and a datatype's variants and the record of the tag alone.
    fn are_instances(&self, r: RecordId, s: RecordId) -> bool {
        let kind = |id: RecordId| self.program.types.records[id].kind;
        matches!(
            (kind(r), kind(s)),
            (RecordKind::Tuple, RecordKind::Tuple)
                | (RecordKind::Variant, RecordKind::Variant | RecordKind::Struct)
                | (RecordKind::Struct, RecordKind::Variant)
        )
    }

    fn is_bits(&self, record: RecordId) -> bool {
        if let Some(&known) = self.bits.borrow().get(&record) {
            return known;
        }
        // A record holds no other of its own kind by value.
        let fields = self.program.types.records[record].fields.iter().flatten();
        let known = fields.map(|field| field.ty).all(|ty| self.is_type_of_bits(ty));
        self.bits.borrow_mut().insert(record, known);
        known
    }

    fn is_type_of_bits(&self, mut ty: TyId) -> bool {
        while let Ty::Array { of, .. } = *self.program.types.get(ty) {
            ty = of;
        }
        match self.program.types.get(ty) {
            Ty::Record(id) => self.is_bits(*id),
            Ty::Int(_) | Ty::Enum(_) | Ty::Float(_) | Ty::Complex(_) => true,
            _ => false,
        }
    }
}

/// Whether the place lies in a union that is named on the way to it.
pub fn passes_union(program: &Program, place: &Place) -> bool {
    let mut at = place;
    loop {
        match &at.kind {
            PlaceKind::Field(base, _) => {
                if let Ty::Record(id) = program.types.get(base.ty) {
                    if program.types.records[*id].kind == RecordKind::Union {
                        return true;
                    }
                }
                at = base;
            }
            PlaceKind::Index(base, _) => at = base,
            _ => return false,
        }
    }
}
