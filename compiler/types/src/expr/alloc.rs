//! Allocation: `new`, `rnew`, `malloc` and its family, `free`, `realloc`.

use super::alloc_size::Wanted;
use crate::checker::{Checker, Why};
use crate::coerce::coercion;
use crate::hir::{CheckedOp, Coercion, CountedOp, Expr, ExprKind, Init, InitElem, NewInit, Where};
use crate::infer::Origin;
use crate::ty::{ArrayLen, Bounds, Pointer, QualType, Region, RegionId, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, AllocOp, ExprKind as K, NewExpr, NewOp};

impl Checker<'_> {
    /// The heap, or the unique region if that is what the context wants.
    fn default_place(&self, expected: Option<TypeId>) -> (Where, RegionId) {
        let region = expected.and_then(|ty| match self.kind(ty) {
            Type::Pointer(pointer) => Some(self.shallow_region(pointer.region)),
            _ => None,
        });
        match region {
            Some(region) if region == self.basics.unique => (Where::Unique, region),
            Some(region) if region == self.basics.counted => (Where::Counted, region),
            Some(region) if region == self.basics.checked => (Where::Checked, region),
            _ => (Where::Heap, self.basics.heap),
        }
    }

    /// The arena of a handle.
    fn arena(&mut self, handle: &tree::Expr) -> Result<(Where, RegionId), Expr> {
        let value = self.value(handle, None);
        if value.is_error() {
            return Err(value);
        }
        match *self.kind(value.ty) {
            Type::Handle(region) => {
                self.require_live(region, handle.span, "it is allocated in here");
                let region = self.shallow_region(region);
                let place = match self.types.get_region(region) {
                    Region::Unique => Where::Unique,
                    Region::Counted => Where::Counted,
                    Region::Checked => Where::Checked,
                    _ if self.types.owned_region(region).is_some() => {
                        let text = "the region of this handle may be unique or counted";
                        let error = Diagnostic::error("E0520", text, value.span);
                        let help = "bind it with kind `R`, or allocate with `unew` or `rcnew`";
                        return Err(self.fail(error.help(help)));
                    }
                    _ if matches!(value.kind, ExprKind::HeapHandle) => Where::Heap,
                    _ => Where::Arena(Box::new(value)),
                };
                Ok((place, region))
            }
            Type::Error => Err(value),
            _ => {
                let found = self.show_type(value.ty);
                let text = format!("expected a region's handle, found `{found}`");
                let error = Diagnostic::error("E0520", text, value.span).help(
                    "a handle is declared by `region h;` or is a parameter of type `region_t<`r>`",
                );
                Err(self.fail(error))
            }
        }
    }

    pub(super) fn new_expr(&mut self, new: &NewExpr, expected: Option<TypeId>, span: Span) -> Expr {
        let (place, region) = match (new.op, &new.handle) {
            (NewOp::Unew, _) => (Where::Unique, self.basics.unique),
            (NewOp::Rcnew, _) => (Where::Counted, self.basics.counted),
            (NewOp::Rnew | NewOp::Qnew, Some(handle)) => match self.arena(handle) {
                Ok(found) => found,
                Err(error) => {
                    self.expr(&new.init, None);
                    return error;
                }
            },
            (NewOp::New, _) => self.default_place(expected),
            (NewOp::Rnew | NewOp::Qnew, None) => (Where::Heap, self.basics.heap),
        };
        let wanted = expected.and_then(|ty| match self.kind(ty) {
            Type::Pointer(pointer) => Some(pointer.clone()),
            _ => None,
        });
        match &new.init.peel().kind {
            K::Str(lit) if !wanted.as_ref().is_some_and(|p| self.is_pointer(p.elem.ty)) => {
                self.new_string(lit, place, region, wanted, span)
            }
            K::InitList(_) => self.new_braces(new, place, region, wanted, span),
            K::Comprehension(comprehension) => {
                let elem = wanted.map(|pointer| pointer.elem.ty);
                let init = self.comprehension(comprehension, elem, new.init.span);
                let elem = QualType::plain(init.elem);
                let ty = match self.constant_count(&init.count) {
                    Some(count) => self.array_pointer(elem, count, region),
                    None => self.fat_pointer(elem, region),
                };
                let init = NewInit::Comprehension(Box::new(init));
                Expr::value(ExprKind::New { place, init }, ty, span)
            }
            _ => self.new_value(new, place, region, wanted, span),
        }
    }

    /// What the next issue of the language brings.
    pub(crate) fn not_yet(&mut self, what: &str, span: Span) -> Expr {
        self.fail(Diagnostic::error("E0523", format!("{what} are not supported yet"), span))
    }

    pub(super) fn constant_count(&self, count: &Expr) -> Option<u64> {
        match &count.kind {
            ExprKind::Int(value) => u64::try_from(*value).ok(),
            ExprKind::Coerce(_, inner) => self.constant_count(inner),
            _ => None,
        }
    }

    /// A pointer to the first of so many elements, never NULL.
    fn array_pointer(&mut self, elem: QualType, count: u64, region: RegionId) -> TypeId {
        let bounds = Bounds::Thin(self.size_const(count));
        self.pointer_to(Pointer {
            least: 0,
            elem,
            nullable: false,
            open: None,
            bounds,
            zeroterm: false,
            region,
        })
    }

    fn new_string(
        &mut self,
        lit: &tree::StrLit,
        place: Where,
        region: RegionId,
        wanted: Option<Pointer>,
        span: Span,
    ) -> Expr {
        let (units, unit_size) = super::literal::units_of(lit);
        let len = units.len() as u64 + 1;
        let elem = match wanted {
            Some(ref pointer) if self.integer_of(pointer.elem.ty).is_some() => pointer.elem.ty,
            _ => self.literal_elem(lit),
        };
        let array_len = ArrayLen::Known(self.size_const(len));
        let array = Type::Array { elem: QualType::plain(elem), len: array_len, zeroterm: true };
        let array = self.types.intern(array);
        let init = Init { kind: InitElem::String { units, unit_size }, ty: array, span: lit.span };
        let bounds = Bounds::Thin(self.size_const(len));
        let elem_ty = QualType::plain(elem);
        let zeroterm = wanted.is_none_or(|pointer| pointer.zeroterm);
        let ty = self.pointer_to(Pointer {
            least: 0,
            elem: elem_ty,
            nullable: false,
            open: None,
            bounds,
            zeroterm,
            region,
        });
        let init = NewInit::Array { elem, len, init: Box::new(init) };
        Expr::value(ExprKind::New { place, init }, ty, span)
    }

    /// `new { … }`: an array, or one object where the context wants a pointer to a struct.
    fn new_braces(
        &mut self,
        new: &NewExpr,
        place: Where,
        region: RegionId,
        wanted: Option<Pointer>,
        span: Span,
    ) -> Expr {
        let elem = wanted.as_ref().map(|pointer| pointer.elem.ty);
        let one_object = elem.is_some_and(|elem| {
            matches!(self.kind(elem), Type::Record(..) | Type::Tuple(_) | Type::Array { .. })
                && !self.starts_with_braces(&new.init)
        });
        if let (Some(elem), true) = (elem, one_object) {
            let init = self.initializer(&new.init, elem, None, new.init.span);
            let ty = self.thin_pointer(QualType::plain(init.ty), region, false);
            let init = NewInit::Value(Box::new(init));
            return Expr::value(ExprKind::New { place, init }, ty, span);
        }
        let elem = match elem {
            Some(elem) => elem,
            None => self.elem_of_braces(&new.init),
        };
        let array =
            Type::Array { elem: QualType::plain(elem), len: ArrayLen::Incomplete, zeroterm: false };
        let array = self.types.intern(array);
        let init = self.initializer(&new.init, array, None, new.init.span);
        let len = match *self.kind(init.ty) {
            Type::Array { len: ArrayLen::Known(size), .. } => self.size_value(size).unwrap_or(0),
            _ => 0,
        };
        let ty = self.array_pointer(QualType::plain(elem), len, region);
        let init = NewInit::Array { elem, len, init: Box::new(init) };
        Expr::value(ExprKind::New { place, init }, ty, span)
    }

    fn starts_with_braces(&self, init: &tree::Expr) -> bool {
        match &init.peel().kind {
            K::InitList(items) => {
                items.first().is_some_and(|item| matches!(item.value.peel().kind, K::InitList(_)))
            }
            _ => false,
        }
    }

    /// The element type that the first element of `{…}` shows.
    fn elem_of_braces(&mut self, init: &tree::Expr) -> TypeId {
        if let K::InitList(items) = &init.peel().kind {
            if let Some(first) = items.first() {
                let value = self.value(&first.value, None);
                return value.ty;
            }
        }
        let text = "the type of this array is not known";
        let proof = self.error(
            Diagnostic::error("E0329", text, init.span)
                .help("give the variable that takes it a type"),
        );
        self.error_expr(proof, init.span).ty
    }

    fn new_value(
        &mut self,
        new: &NewExpr,
        place: Where,
        region: RegionId,
        wanted: Option<Pointer>,
        span: Span,
    ) -> Expr {
        let hint = wanted.as_ref().map(|pointer| pointer.elem.ty);
        let value = self.expr(&new.init, hint);
        if value.is_error() {
            return value;
        }
        let value = match hint {
            // The pointer is invariant in what it points to: the conversion is done on the value.
            Some(hint) if self.converts_in_new(hint, &value) => {
                let why = Why::Init { name: None, declared: new.init.span };
                self.coerce(value, hint, why)
            }
            _ if matches!(self.kind(value.ty), Type::Datatype(..)) => {
                return self.no_copy_of_datatype(&value);
            }
            _ => self.decay(value),
        };
        let elem = match self.kind(value.ty).clone() {
            Type::Variant(datatype, _, args)
                if !hint.is_some_and(|ty| matches!(self.kind(ty), Type::Variant(..))) =>
            {
                self.types.intern(Type::Datatype(datatype, args))
            }
            Type::Void => {
                let text = "`new` needs a value, this expression has none";
                return self.fail(Diagnostic::error("E0354", text, value.span));
            }
            _ => value.ty,
        };
        let ty = self.thin_pointer(QualType::plain(elem), region, false);
        let init = Init { ty: value.ty, span: value.span, kind: InitElem::Expr(value) };
        let init = NewInit::Value(Box::new(init));
        Expr::value(ExprKind::New { place, init }, ty, span)
    }

    /// Whether the wanted element type is one that the value may be converted to at once; an abstract or unknown one is
    /// not.
    fn converts_in_new(&self, hint: TypeId, value: &Expr) -> bool {
        match self.kind(hint) {
            Type::Infer(_) | Type::Void | Type::Datatype(..) | Type::Error => false,
            Type::Variant(..) => matches!(self.kind(value.ty), Type::Variant(..)),
            _ => true,
        }
    }

    pub(super) fn alloc_expr(
        &mut self,
        op: AllocOp,
        args: &[tree::Expr],
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let (name, with_handle, with_count) = match op {
            AllocOp::Malloc => ("malloc", false, false),
            AllocOp::Calloc => ("calloc", false, true),
            AllocOp::Rmalloc => ("rmalloc", true, false),
            AllocOp::RmallocInline => ("rmalloc_inline", true, false),
            AllocOp::Rcalloc => ("rcalloc", true, true),
            AllocOp::Rvmalloc => ("rvmalloc", true, false),
            AllocOp::Qmalloc => ("qmalloc", true, false),
            AllocOp::Qcalloc => ("qcalloc", true, true),
        };
        let wanted = 1 + usize::from(with_handle) + usize::from(with_count);
        if args.len() != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            let text = format!("`{name}` takes {wanted} argument{plural}, found {}", args.len());
            return self.fail(Diagnostic::error("E0333", text, span));
        }
        let (place, region, args) = if with_handle {
            match self.arena(&args[0]) {
                Ok((place, region)) => (place, region, &args[1..]),
                Err(error) => return error,
            }
        } else {
            let (place, region) = self.default_place(expected);
            (place, region, args)
        };
        self.allocate(args, with_count, (place, region), expected, span)
    }

    /// `rcmalloc(n)`, `rccalloc(n, size)`.
    pub(super) fn counted_malloc(
        &mut self,
        op: AllocOp,
        args: &[tree::Expr],
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let with_count = op == AllocOp::Calloc;
        let (name, wanted) = if with_count { ("rccalloc", 2) } else { ("rcmalloc", 1) };
        if args.len() != wanted {
            let text = format!("`{name}` takes {wanted} argument(s), found {}", args.len());
            return self.fail(Diagnostic::error("E0333", text, span));
        }
        let place = (Where::Counted, self.basics.counted);
        self.allocate(args, with_count, place, expected, span)
    }

    fn allocate(
        &mut self,
        args: &[tree::Expr],
        with_count: bool,
        (place, region): (Where, RegionId),
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let found = if with_count {
            self.counted_size(&args[0], &args[1], expected)
        } else {
            self.byte_size(&args[0], expected)
        };
        match found {
            Ok(wanted) => self.allocation(wanted, place, region, span),
            Err(error) => error,
        }
    }

    fn allocation(&mut self, wanted: Wanted, place: Where, region: RegionId, span: Span) -> Expr {
        let Wanted { elem, count } = wanted;
        if let Err(reason) = self.zero_is_value(elem) {
            let shown = self.show_type(elem);
            let text = format!("memory of zeros is no `{shown}`");
            let error = Diagnostic::error("E0440", text, span)
                .note(reason)
                .help("use `new` (or `rnew`), which initialises what it allocates");
            return self.fail(error);
        }
        let elem_qual = QualType::plain(elem);
        let ty = match &count {
            None => self.thin_pointer(elem_qual, region, false),
            Some(count) => match self.constant_count(count) {
                Some(value) => self.array_pointer(elem_qual, value, region),
                None => self.fat_pointer(elem_qual, region),
            },
        };
        let count = count.map(Box::new);
        let kind = ExprKind::Malloc { place, elem, count, zeroed: true };
        Expr::value(kind, ty, span)
    }

    /// `free(p)`: frees what `` `U `` owns, and does nothing to what lives on the heap.
    /// `rufree(h, p)`: Cyclone 1.0's `free` of an object in the region of the handle.
    pub(super) fn free_in_region(&mut self, args: &[tree::Expr], span: Span) -> Expr {
        let [handle, pointer] = args else {
            let text = format!("`rufree` takes 2 arguments, found {}", args.len());
            return self.fail(Diagnostic::error("E0333", text, span));
        };
        match self.arena(handle) {
            Ok((Where::Unique, _)) => self.free(std::slice::from_ref(pointer), span),
            Ok(_) => {
                let text = "no object of this region is freed by itself";
                let error = Diagnostic::error("E0531", text, handle.span);
                self.fail(error.help("only the region of `unique_region` has such objects"))
            }
            Err(error) => error,
        }
    }

    pub(super) fn free(&mut self, args: &[tree::Expr], span: Span) -> Expr {
        let [arg] = args else {
            let text = format!("`free` takes 1 argument, found {}", args.len());
            return self.fail(Diagnostic::error("E0333", text, span));
        };
        let value = self.value(arg, None);
        let pointer = match self.as_pointer(&value, "free") {
            Ok(pointer) => pointer,
            Err(error) => return error,
        };
        let void = self.basics.void;
        match self.types.owned_region(self.shallow_region(pointer.region)) {
            Some(_) if self.shallow_region(pointer.region) == self.basics.unique => {}
            Some(_) => return self.not_freeable(&value, "free"),
            None if self.is_reference(value.ty) => return self.not_freeable(&value, "free"),
            None => self.outlives(pointer.region, self.basics.heap, Origin::at(arg.span)),
        }
        Expr::value(ExprKind::Free(Box::new(value)), void, span)
    }

    /// `alias_refptr(p)`, `drop_refptr(p)`, `refptr_count(p)`.
    pub(super) fn counted_op(&mut self, op: CountedOp, args: &[tree::Expr], span: Span) -> Expr {
        let name = match op {
            CountedOp::Alias => "alias_refptr",
            CountedOp::Drop => "drop_refptr",
            CountedOp::Count => "refptr_count",
        };
        let [arg] = args else {
            let text = format!("`{name}` takes 1 argument, found {}", args.len());
            return self.fail(Diagnostic::error("E0333", text, span));
        };
        let value = self.value(arg, None);
        let pointer = match self.as_pointer(&value, name) {
            Ok(pointer) => pointer,
            Err(error) => return error,
        };
        let counted = self.basics.counted;
        if self.unify_regions(pointer.region, counted).is_err() {
            return self.not_freeable(&value, name);
        }
        let ty = match op {
            CountedOp::Alias => value.ty,
            CountedOp::Drop => self.basics.void,
            CountedOp::Count => self.basics.int,
        };
        Expr::value(ExprKind::Counted(op, Box::new(value)), ty, span)
    }

    /// `delete(p)`, `pin_forever(p)`.
    pub(super) fn checked_op(&mut self, op: CheckedOp, args: &[tree::Expr], span: Span) -> Expr {
        let name = match op {
            CheckedOp::Delete => "delete",
            CheckedOp::PinForever => "pin_forever",
        };
        let [arg] = args else {
            let text = format!("`{name}` takes 1 argument, found {}", args.len());
            return self.fail(Diagnostic::error("E0333", text, span));
        };
        let any = self.thin_pointer(QualType::plain(self.basics.void), self.basics.checked, true);
        let value = self.value(arg, Some(any));
        if self.is_null_constant(&value) && op == CheckedOp::Delete {
            return coercion(Coercion::Discard, value, self.basics.void);
        }
        let pointer = match self.as_pointer(&value, name) {
            Ok(pointer) => pointer,
            Err(error) => return error,
        };
        if self.unify_regions(pointer.region, self.basics.checked).is_err() {
            return self.not_freeable(&value, name);
        }
        let ty = match op {
            CheckedOp::Delete => self.basics.void,
            CheckedOp::PinForever => {
                self.pointer_to(Pointer { region: self.basics.heap, ..pointer.clone() })
            }
        };
        Expr::value(ExprKind::Checked(op, Box::new(value)), ty, span)
    }

    fn not_freeable(&mut self, value: &Expr, name: &str) -> Expr {
        let found = self.show_type(value.ty);
        let (wanted, help) = match name {
            "realloc" => (
                "a pointer into another region than `` `D ``",
                "allocate anew, copy what is to be kept, and `delete` the old object",
            ),
            "free" if self.is_reference(value.ty) => {
                ("a pointer into `` `U ``", "an object of the checked heap is given up by `delete`")
            }
            "delete" | "pin_forever" => (
                "a pointer into `` `D ``",
                "only objects of the checked heap are deleted and pinned",
            ),
            "free" => ("a pointer into `` `U ``", "a counted pointer is given up by `drop_refptr`"),
            _ => ("a pointer into `` `RC ``", "a unique pointer is freed by `free`"),
        };
        let text = format!("`{name}` needs {wanted}, found `{found}`");
        self.fail(Diagnostic::error("E0531", text, value.span).help(help))
    }

    /// `realloc(p, n)`: as `malloc(n)`, then the old elements are copied, or moved if they are unique.
    pub(super) fn realloc(
        &mut self,
        args: &[tree::Expr],
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let [old, size] = args else {
            let text = format!("`realloc` takes 2 arguments, found {}", args.len());
            return self.fail(Diagnostic::error("E0333", text, span));
        };
        let old = self.value(old, expected);
        let pointer = match self.as_pointer(&old, "realloc") {
            Ok(pointer) => pointer,
            Err(error) => return error,
        };
        if self.is_reference(old.ty) {
            return self.not_freeable(&old, "realloc");
        }
        let wanted = match self.byte_size(size, Some(old.ty)) {
            Ok(wanted) => wanted,
            Err(error) => return error,
        };
        if !self.same_shape(wanted.elem, pointer.elem.ty) {
            let text = format!(
                "`realloc` of a pointer to `{}` to elements of type `{}`",
                self.show_type(pointer.elem.ty),
                self.show_type(wanted.elem)
            );
            return self.fail(Diagnostic::error("E0441", text, size.span));
        }
        self.require_live(pointer.region, span, "its elements are copied here");
        let elem = pointer.elem;
        if let Err(reason) = self.zero_is_value(elem.ty) {
            let text = format!("memory of zeros is no `{}`", self.show_type(elem.ty));
            return self.fail(Diagnostic::error("E0440", text, span).note(reason));
        }
        // What is unique moves: the old memory is freed, and what its elements own is the new ones'.
        let unique = self.basics.unique;
        let region = match self.shallow_region(pointer.region) == unique {
            true => unique,
            false => self.basics.heap,
        };
        let fat = self.fat_pointer(elem, pointer.region);
        let old = self.coerce(old, fat, Why::Operand("realloc"));
        let count = match wanted.count {
            Some(count) => count,
            None => Expr::value(ExprKind::Int(1), self.basics.ulong, size.span),
        };
        let ty = self.fat_pointer(elem, region);
        let kind = ExprKind::Realloc { old: Box::new(old), elem: elem.ty, count: Box::new(count) };
        Expr::value(kind, ty, span)
    }
}
