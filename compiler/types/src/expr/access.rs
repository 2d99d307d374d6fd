//! Access to parts of objects: `*p`, `a[i]`, members, `&`.

use super::operator::is_zero;
use super::{describe, Use};
use crate::checker::Checker;
use crate::hir::{Expr, ExprKind};
use crate::ty::{
    ArrayLen, Bounds, Pointer, QualType, Quals, RecordSort, Region, RegionId, Type, TypeId,
};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, ExprKind as K, Ident};

impl Checker<'_> {
    /// The pointer that a value is, or the error that it is none.
    pub(super) fn as_pointer(&mut self, value: &Expr, op: &str) -> Result<Pointer, Expr> {
        if value.is_error() {
            return Err(value.clone());
        }
        match self.kind(value.ty) {
            Type::Pointer(pointer) => Ok(pointer.clone()),
            Type::Error => {
                let proof = self.already_reported(value.span);
                Err(self.error_expr(proof, value.span))
            }
            Type::Infer(_) => match self.unknown_type(value.ty, op, value.span) {
                Some(error) => Err(error),
                None => Err(value.clone()),
            },
            _ => {
                let found = self.show_type(value.ty);
                let text = format!("`{op}` needs a pointer, found `{found}`");
                Err(self.fail(Diagnostic::error("E0432", text, value.span)))
            }
        }
    }

    /// An error if inference has not found the type yet. After another error that may be why, and nothing is said.
    fn unknown_type(&mut self, ty: TypeId, op: &str, span: Span) -> Option<Expr> {
        let Type::Infer(_) = self.kind(ty) else { return None };
        if let Some(proof) = self.sink.has_errors() {
            return Some(self.error_expr(proof, span));
        }
        let text = format!("the type of what `{op}` is applied to is not known yet");
        let error = Diagnostic::error("E0329", text, span)
            .help("give the variable that it comes from a type");
        Some(self.fail(error))
    }

    pub(super) fn deref(&mut self, inner: &tree::Expr, span: Span) -> Expr {
        let value = self.expr(inner, None);
        if let Type::Array { .. } = self.kind(value.ty) {
            let zero = Expr::value(ExprKind::Int(0), self.basics.int, span);
            return self.element(value, zero, span);
        }
        let value = self.decay(value);
        self.deref_value(value, "*", span)
    }

    /// The place behind a pointer.
    pub(super) fn deref_value(&mut self, value: Expr, op: &str, span: Span) -> Expr {
        let pointer = match self.as_pointer(&value, op) {
            Ok(pointer) => pointer,
            Err(error) => return error,
        };
        match self.kind(pointer.elem.ty) {
            // C11 6.5.3.2p4: a function designator, which is a pointer again at once.
            Type::Function(_) => return value,
            Type::Void => {
                let text = "a `void *` has no object to look at";
                let error = Diagnostic::error("E0434", text, span)
                    .help("give the pointer the type of what it points to");
                return self.fail(error);
            }
            _ => {}
        }
        if let Some(error) = self.incomplete(pointer.elem.ty, span) {
            return error;
        }
        if let (Bounds::Thin(size), false) = (pointer.bounds, pointer.zeroterm) {
            if let Some(error) = self.uncounted(size, 1, span) {
                return error;
            }
        }
        self.require_live(pointer.region, span, "it is dereferenced here");
        let elem = pointer.elem;
        Expr::place(ExprKind::Deref(Box::new(value)), elem, span)
    }

    /// An error if nothing is known of what objects of the type contain.
    fn incomplete(&mut self, ty: TypeId, span: Span) -> Option<Expr> {
        let Type::Record(record, _) = *self.kind(ty) else { return None };
        let def = &self.types.records[record];
        if def.fields.is_some() {
            return None;
        }
        let declared = def.span;
        let text = format!("`{}` is not defined here, only declared", self.show_type(ty));
        let error = Diagnostic::error("E0434", text, span).secondary(declared, "declared here");
        Some(self.fail(error))
    }

    pub(super) fn index(
        &mut self,
        base: &tree::Expr,
        index: &tree::Expr,
        usage: Use,
        span: Span,
    ) -> Expr {
        let object = self.expr_for(base, None, usage);
        if let Type::Tuple(_) = self.kind(object.ty) {
            return match self.eval_int_constant(index) {
                Ok(number) => self.element_of_tuple(object, number, span),
                Err(proof) => self.error_expr(proof, span),
            };
        }
        let index = self.value(index, None);
        if object.is_error() || index.is_error() {
            return if object.is_error() { object } else { index };
        }
        // `i[a]` is `a[i]`.
        let (object, index) = match self.kind(object.ty) {
            Type::Int(_) | Type::Enum(_) if self.is_pointer(index.ty) => (index, object),
            _ => (object, index),
        };
        match self.count(index, "[]") {
            Ok(index) => self.element(object, index, span),
            Err(error) => error,
        }
    }

    /// `object[index]`.
    pub(super) fn element(&mut self, object: Expr, index: Expr, span: Span) -> Expr {
        if let Type::Array { elem, len, .. } = *self.kind(object.ty) {
            let known = len != ArrayLen::Incomplete;
            if let (ExprKind::Global(global), false) = (&object.kind, known) {
                self.decls.of_open_length.push((*global, object.span));
            }
            let known = known || matches!(object.kind, ExprKind::Global(_));
            if known && object.is_place() {
                let elem = with_quals(elem, object.quals);
                let kind = ExprKind::ArrayIndex(Box::new(object), Box::new(index));
                return Expr::place(kind, elem, span);
            }
        }
        let object = self.decay(object);
        let pointer = match self.as_pointer(&object, "[]") {
            Ok(pointer) => pointer,
            Err(error) => return error,
        };
        if is_zero(&index) && !pointer.zeroterm {
            return self.deref_value(object, "[]", span);
        }
        if matches!(self.kind(pointer.elem.ty), Type::Void | Type::Function(_)) {
            let text = format!("`{}` has no elements", self.show_type(object.ty));
            return self.fail(Diagnostic::error("E0434", text, span));
        }
        if let Some(error) = self.incomplete(pointer.elem.ty, span) {
            return error;
        }
        if !pointer.zeroterm && pointer.bounds == Bounds::Thin(self.basics.one) {
            return self.index_without_bounds(&object, &pointer, span);
        }
        if let (Bounds::Thin(size), false) = (pointer.bounds, pointer.zeroterm) {
            let sure = self.const_int(&index).and_then(|index| u64::try_from(index).ok());
            let sure = sure.map_or(0, |index| index.saturating_add(1));
            if let Some(error) = self.uncounted(size, sure, span) {
                return error;
            }
        }
        self.require_live(pointer.region, span, "it is dereferenced here");
        let kind = ExprKind::PointerIndex(Box::new(object), Box::new(index));
        Expr::place(kind, pointer.elem, span)
    }

    fn index_without_bounds(&mut self, object: &Expr, pointer: &Pointer, span: Span) -> Expr {
        let found = self.show_type(object.ty);
        let elem = self.show_type(pointer.elem.ty);
        let text = format!("`{found}` has no bounds: only element 0 is there");
        let mut error = Diagnostic::error("E0435", text, span)
            .help(format!("declare it `{elem} ?`, a pointer with bounds"));
        if let Some((name, declared)) = describe::place_name(self, object) {
            error = error.secondary(declared, format!("`{name}` is declared here"));
            error = error.caused_by(declared);
        }
        self.fail(error)
    }

    /// The object that `.` or `->` is applied to, as a place if it is one.
    fn member_base(&mut self, base: &tree::Expr, arrow: bool, usage: Use, span: Span) -> Expr {
        if arrow {
            let pointer = self.expr(base, None);
            if let Type::Array { .. } = self.kind(pointer.ty) {
                let zero = Expr::value(ExprKind::Int(0), self.basics.int, span);
                return self.element(pointer, zero, span);
            }
            let pointer = self.decay(pointer);
            return self.deref_value(pointer, "->", span);
        }
        let object = self.expr_for(base, None, usage);
        if self.is_pointer(object.ty) {
            let text =
                format!("`.` needs a struct or union, found `{}`", self.show_type(object.ty));
            let error =
                Diagnostic::error("E0330", text, span).help("a pointer's members are behind `->`");
            return self.fail(error);
        }
        object
    }

    pub(super) fn member(
        &mut self,
        base: &tree::Expr,
        arrow: bool,
        name: Ident,
        usage: Use,
        span: Span,
    ) -> Expr {
        let object = self.member_base(base, arrow, usage, span);
        if object.is_error() {
            return object;
        }
        self.member_of(object, name, usage, span)
    }

    fn member_of(&mut self, object: Expr, name: Ident, usage: Use, span: Span) -> Expr {
        if let Some(error) = self.unknown_type(object.ty, ".", span) {
            return error;
        }
        let field = match self.lookup_field(object.ty, name) {
            Ok(field) => field,
            Err(proof) => return self.error_expr(proof, span),
        };
        if usage == Use::Read {
            if let Some(error) = self.unreadable(&field, object.ty, name) {
                return error;
            }
        }
        let quals = object.quals;
        let kind = ExprKind::Field(Box::new(object), field.path);
        Expr::place(kind, with_quals(field.ty, quals), span)
    }

    /// An untagged union does not know which member was written last: only members of which every bit pattern is a
    /// value may be read.
    fn unreadable(
        &mut self,
        field: &crate::decl::FoundField,
        ty: TypeId,
        name: Ident,
    ) -> Option<Expr> {
        if !field.through_union || self.is_bits(field.ty.ty) {
            return None;
        }
        let text = format!(
            "`{}` of the union `{}` cannot be read: it is `{}`, and any member may have been written last",
            name.name,
            self.show_type(ty),
            self.show_type(field.ty.ty)
        );
        let error = Diagnostic::error("E0436", text, name.span)
            .secondary(field.declared, "declared here")
            .help("declare the union `@tagged`: then each read checks which member is there");
        Some(self.fail(error))
    }

    pub(super) fn tuple_member(
        &mut self,
        base: &tree::Expr,
        arrow: bool,
        number: u32,
        usage: Use,
        span: Span,
    ) -> Expr {
        let object = self.member_base(base, arrow, usage, span);
        if object.is_error() {
            return object;
        }
        self.element_of_tuple(object, i128::from(number), span)
    }

    fn element_of_tuple(&mut self, object: Expr, number: i128, span: Span) -> Expr {
        let fields = match self.kind(object.ty).clone() {
            Type::Tuple(fields) => fields,
            Type::Variant(datatype, variant, args) => self.variant_fields(datatype, variant, &args),
            Type::Error => {
                let proof = self.already_reported(span);
                return self.error_expr(proof, span);
            }
            _ => {
                let text =
                    format!("`.{number}` needs a tuple, found `{}`", self.show_type(object.ty));
                return self.fail(Diagnostic::error("E0330", text, span));
            }
        };
        let Some(&ty) = usize::try_from(number).ok().and_then(|index| fields.get(index)) else {
            let text = format!(
                "`{}` has {} elements, numbered from 0: there is no `.{number}`",
                self.show_type(object.ty),
                fields.len()
            );
            return self.fail(Diagnostic::error("E0331", text, span));
        };
        let quals = object.quals;
        let kind = ExprKind::Field(Box::new(object), vec![number as u32]);
        Expr::place(kind, with_quals(ty, quals), span)
    }

    pub(super) fn tag_check(
        &mut self,
        base: &tree::Expr,
        arrow: bool,
        name: Ident,
        span: Span,
    ) -> Expr {
        let object = self.member_base(base, arrow, Use::Write, span);
        if object.is_error() {
            return object;
        }
        let tagged = match *self.kind(object.ty) {
            Type::Record(record, _) => self.types.records[record].sort == RecordSort::TaggedUnion,
            _ => false,
        };
        if !tagged {
            let found = self.show_type(object.ty);
            let text = format!("`tagcheck` needs a member of a `@tagged union`, found `{found}`");
            return self.fail(Diagnostic::error("E0332", text, span));
        }
        match self.lookup_field(object.ty, name) {
            Ok(field) => {
                let member = field.path.first().copied().unwrap_or(0);
                let kind = ExprKind::TagCheck(Box::new(object), member);
                Expr::value(kind, self.basics.int, span)
            }
            Err(proof) => self.error_expr(proof, span),
        }
    }

    pub(super) fn address_of(
        &mut self,
        inner: &tree::Expr,
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        if let K::Unary(tree::UnaryOp::Deref, pointer) = &inner.peel().kind {
            // C11 6.5.3.2p3: neither operator is evaluated.
            let value = self.value(pointer, expected);
            return match self.as_pointer(&value, "*") {
                Ok(_) => value,
                Err(error) => error,
            };
        }
        let place = self.expr(inner, None);
        if place.is_error() {
            return place;
        }
        if let Type::Function(_) = self.kind(place.ty) {
            return self.decay(place);
        }
        if !place.is_place() {
            let text = "`&` needs an object, found a value";
            let error = Diagnostic::error("E0437", text, place.span)
                .help("store the value in a variable, or allocate it with `new`");
            return self.fail(error);
        }
        let wants_fat = expected
            .is_some_and(|ty| matches!(self.kind(ty), Type::Pointer(p) if p.bounds == Bounds::Fat));
        match self.address_of_element(&place, wants_fat, span) {
            Some(address) => address,
            None => self.address_of_place(place, span),
        }
    }

    /// `&a[i]` is `a + i` where a pointer with bounds is wanted, and where a pointer to a single element would hide
    /// that a zero ends the sequence.
    fn address_of_element(&mut self, place: &Expr, wants_fat: bool, span: Span) -> Option<Expr> {
        let (ExprKind::ArrayIndex(base, index) | ExprKind::PointerIndex(base, index)) = &place.kind
        else {
            return None;
        };
        let zeroterm = match self.kind(base.ty) {
            Type::Array { zeroterm, .. } => *zeroterm,
            Type::Pointer(pointer) => pointer.zeroterm && pointer.bounds != Bounds::Fat,
            _ => false,
        };
        if !wants_fat && !zeroterm {
            return None;
        }
        let ptr = match self.movable((**base).clone(), "&") {
            Ok(ptr) => Box::new(ptr),
            Err(error) => return Some(error),
        };
        let ty = self.moved_type(ptr.ty);
        let count = index.clone();
        Some(Expr::value(ExprKind::PointerAdd { ptr, count, negative: false }, ty, span))
    }

    fn address_of_place(&mut self, place: Expr, span: Span) -> Expr {
        if self.is_bit_field(&place) {
            let text = "a bit-field has no address";
            let error = Diagnostic::error("E0433", text, span)
                .help("copy it to a variable and take that one's address");
            return self.fail(error);
        }
        if let Some(union) = self.tagged_member(&place) {
            return self.pointer_into_tagged(union, span);
        }
        if self.is_packed(&place) {
            return self.pointer_into_packed(span);
        }
        let region = self.region_of_place(&place);
        let elem = QualType { ty: place.ty, quals: place.quals };
        let zeroterm = self.is_zeroterm_element(&place);
        let ty = self.pointer_to_place(elem, region, zeroterm);
        Expr::value(ExprKind::AddrOf(Box::new(place)), ty, span)
    }

    /// Whether a place is an element of a zero-terminated sequence, which a store must not leave without its zero.
    pub(crate) fn is_zeroterm_element(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Deref(base)
            | ExprKind::PointerIndex(base, _)
            | ExprKind::ArrayIndex(base, _) => match self.kind(base.ty) {
                Type::Pointer(pointer) => pointer.zeroterm,
                Type::Array { zeroterm, .. } => *zeroterm,
                _ => false,
            },
            _ => false,
        }
    }

    fn pointer_into_tagged(&mut self, union: TypeId, span: Span) -> Expr {
        let shown = self.show_type(union);
        let text = format!("a pointer to a member of the tagged union `{shown}`");
        let error = Diagnostic::error("E0438", text, span)
            .note("the pointer would still be there when another member is written")
            .help("take the address of the whole union, or copy the member");
        self.fail(error)
    }

    fn pointer_into_packed(&mut self, span: Span) -> Expr {
        let text = "a pointer to a member of a packed struct would not be aligned";
        let error = Diagnostic::error("E0439", text, span)
            .help("copy the member to a variable and take that one's address");
        self.fail(error)
    }

    /// Whether a place is inside a packed struct and needs more than a byte's alignment.
    pub(crate) fn is_packed(&mut self, place: &Expr) -> bool {
        let mut at = place;
        let mut packed = false;
        while let ExprKind::Field(base, _) | ExprKind::ArrayIndex(base, _) = &at.kind {
            if let Type::Record(record, _) = *self.kind(base.ty) {
                packed |= self.types.records[record].packed;
            }
            at = base;
        }
        packed && self.align_of(place.ty) != Some(1)
    }

    /// The tagged union that a place is inside of, if a pointer to the place could see a foreign member's bits.
    pub(crate) fn tagged_member(&self, place: &Expr) -> Option<TypeId> {
        match &place.kind {
            ExprKind::Field(base, _) => match *self.kind(base.ty) {
                Type::Record(record, _) if self.mixes_members(record) => Some(base.ty),
                _ => self.tagged_member(base),
            },
            ExprKind::ArrayIndex(base, _) => self.tagged_member(base),
            _ => None,
        }
    }

    /// Whether it is a tagged union with a member of which not every pattern of bits is a value.
    pub(crate) fn mixes_members(&self, record: crate::ty::RecordId) -> bool {
        let def = &self.types.records[record];
        def.sort == RecordSort::TaggedUnion
            && !def.fields.iter().flatten().all(|field| self.is_bits(field.ty.ty))
    }

    pub(crate) fn is_bit_field(&self, place: &Expr) -> bool {
        let ExprKind::Field(base, path) = &place.kind else { return false };
        let mut ty = base.ty;
        let mut bits = false;
        for &index in path {
            let Type::Record(record, _) = *self.kind(ty) else { return false };
            let Some(fields) = &self.types.records[record].fields else { return false };
            let Some(field) = fields.get(index as usize) else { return false };
            bits = field.bits.is_some();
            ty = field.ty.ty;
        }
        bits
    }

    /// The region that an object is in.
    pub(crate) fn region_of_place(&mut self, place: &Expr) -> RegionId {
        if let (Type::Array { .. }, Some(union)) = (self.kind(place.ty), self.tagged_member(place))
        {
            self.pointer_into_tagged(union, place.span);
            return self.basics.region_error;
        }
        if matches!(self.kind(place.ty), Type::Array { .. }) && self.is_packed(place) {
            self.pointer_into_packed(place.span);
            return self.basics.region_error;
        }
        self.region_of(place)
    }

    fn region_of(&mut self, place: &Expr) -> RegionId {
        match &place.kind {
            ExprKind::Local(local) => {
                let region = self.fx.local_regions[*local];
                self.use_block_region(region)
            }
            ExprKind::Field(base, _) | ExprKind::ArrayIndex(base, _) => self.region_of(base),
            ExprKind::Deref(pointer) | ExprKind::PointerIndex(pointer, _) => {
                match self.kind(pointer.ty) {
                    Type::Pointer(pointer) => pointer.region,
                    _ => self.basics.region_error,
                }
            }
            ExprKind::Global(_) | ExprKind::Str { .. } => self.basics.heap,
            // A value that is in memory is in a temporary of the block.
            _ => match self.storage_region() {
                Some(var) => self.block_region(var),
                None => self.basics.heap,
            },
        }
    }

    fn use_block_region(&mut self, region: RegionId) -> RegionId {
        match *self.types.get_region(region) {
            Region::Var(var) => self.block_region(var),
            _ => region,
        }
    }
}

/// A part is const where the whole is.
pub(super) fn with_quals(part: QualType, whole: Quals) -> QualType {
    let quals = Quals {
        is_const: part.quals.is_const || whole.is_const,
        is_volatile: part.quals.is_volatile || whole.is_volatile,
    };
    QualType { ty: part.ty, quals }
}
