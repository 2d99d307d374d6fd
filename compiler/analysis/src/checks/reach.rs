//! What code elsewhere, or a pointer of another type, may reach.

use std::collections::BTreeSet;
use tenure_core::{
    Callee, CastKind, Const, Expr, ExprKind, GlobalId, Linkage, Place, PlaceKind, Program,
    RecordId, RecordKind, StmtKind, Ty, TyId, Visitor,
};
use tenure_span::FastSet;

pub struct Reach {
    /// By record: other objects may have one, or some pointer sees its bytes as something else.
    escaped: Vec<bool>,
    /// Fields that pointers to them are made of.
    fields: FastSet<(RecordId, u32)>,
    /// Globals that are named other than by a load or store of the scalar, or of an element.
    globals: BTreeSet<GlobalId>,
}

impl Reach {
    /// `records`: whether to find out about records, too.
    pub fn of(program: &Program, records: bool) -> Reach {
        let reach = Reach {
            escaped: vec![false; program.types.records.len()],
            fields: FastSet::default(),
            globals: BTreeSet::new(),
        };
        let mut scan = Scan { program, reach, records, seen: FastSet::default() };
        for function in &program.functions {
            scan.block(&function.body);
        }
        for global in &program.globals {
            if let Some(init) = &global.init {
                tenure_core::walk_initializer(&mut scan, init);
            }
        }
        for record in &program.types.records {
            if matches!(record.kind, RecordKind::Union | RecordKind::TaggedUnion) {
                record.fields.iter().flatten().for_each(|field| scan.whole(field.ty));
            }
        }
        scan.reach
    }

    pub fn is_escaped(&self, record: RecordId) -> bool {
        self.escaped[record.index()]
    }

    pub fn is_field_taken(&self, record: RecordId, field: u32) -> bool {
        self.fields.contains(&(record, field))
    }

    pub fn is_global_taken(&self, global: GlobalId) -> bool {
        self.globals.contains(&global)
    }
}

struct Scan<'p> {
    program: &'p Program,
    reach: Reach,
    records: bool,
    /// Types that other objects have.
    seen: FastSet<TyId>,
}

impl Scan<'_> {
    /// Values of the type escape, with the records that are parts of them.
    fn whole(&mut self, ty: TyId) {
        match self.program.types.get(ty) {
            Ty::Array { of, .. } => self.whole(*of),
            Ty::Record(id) if !self.reach.is_escaped(*id) => {
                self.reach.escaped[id.index()] = true;
                let fields = &self.program.types.records[*id].fields;
                fields.iter().flatten().for_each(|field| self.whole(field.ty));
            }
            _ => {}
        }
    }

    /// Values of the type escape, with all that they point to.
    fn deep(&mut self, ty: TyId) {
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            if !self.seen.insert(ty) {
                continue;
            }
            match self.program.types.get(ty) {
                Ty::Ptr { to, .. } | Ty::Fat { to, .. } => work.push(*to),
                Ty::Array { of, .. } => work.push(*of),
                Ty::Record(id) => {
                    self.reach.escaped[id.index()] = true;
                    let fields = &self.program.types.records[*id].fields;
                    work.extend(fields.iter().flatten().map(|field| field.ty));
                }
                Ty::Func(func) => {
                    work.push(func.result);
                    work.extend(&func.params);
                }
                _ => {}
            }
        }
    }

    fn pointee(&self, ty: TyId) -> Option<TyId> {
        match *self.program.types.get(ty) {
            Ty::Ptr { to, .. } | Ty::Fat { to, .. } => Some(self.element(to)),
            _ => None,
        }
    }

    fn element(&self, mut ty: TyId) -> TyId {
        while let Ty::Array { of, .. } = *self.program.types.get(ty) {
            ty = of;
        }
        ty
    }

    fn cast(&mut self, kind: CastKind, inner: &Expr, expr: &Expr) {
        match kind {
            CastKind::PtrView | CastKind::FatView => {
                let (from, to) = (self.pointee(inner.ty), self.pointee(expr.ty));
                if from != to {
                    from.into_iter().chain(to).for_each(|ty| self.whole(ty));
                }
            }
            // Tuples have no names: code elsewhere may have made this one of words.
            CastKind::FromWord => {
                let to = self.pointee(expr.ty);
                if let Some(Ty::Record(id)) = to.map(|to| self.program.types.get(to)) {
                    if self.program.types.records[*id].kind == RecordKind::Tuple {
                        to.into_iter().for_each(|ty| self.whole(ty));
                    }
                }
            }
            _ => {}
        }
    }

    /// A pointer to the place itself may come about.
    fn taken(&mut self, place: &Place) {
        if let PlaceKind::Global(id) = place.root().kind {
            self.reach.globals.insert(id);
        }
        if let PlaceKind::Field(base, field) = &place.kind {
            if let Ty::Record(id) = self.program.types.get(base.ty) {
                self.reach.fields.insert((*id, *field));
            }
        }
    }

    /// What an object elsewhere is called with, or gives.
    fn call(&mut self, stmt: &StmtKind) {
        let StmtKind::Call { dest, callee: Callee::Direct(id), args, .. } = stmt else { return };
        if matches!(self.program.decls[*id].linkage, Linkage::Import | Linkage::Weak) {
            self.deep(self.program.decls[*id].ty);
            args.iter().for_each(|arg| self.deep(arg.ty));
            dest.iter().for_each(|dest| self.deep(dest.ty));
        }
    }
}

impl Visitor for Scan<'_> {
    fn stmt(&mut self, stmt: &tenure_core::Stmt) {
        if self.records {
            self.call(&stmt.kind);
        }
        if let StmtKind::Open { key, .. } | StmtKind::Close { key, .. } = &stmt.kind {
            self.taken(key);
        }
        tenure_core::walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::AddrOf(place) => self.taken(place),
            ExprKind::Cast(kind, inner) if self.records => self.cast(*kind, inner, expr),
            ExprKind::Const(Const::Function(id)) if self.records => {
                let decl = &self.program.decls[*id];
                if matches!(decl.linkage, Linkage::Import | Linkage::Weak) {
                    self.deep(decl.ty);
                }
            }
            _ => {}
        }
        tenure_core::walk_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Global(id) => {
                let global = &self.program.globals[*id];
                if matches!(self.program.types.get(global.ty), Ty::Array { .. }) {
                    self.reach.globals.insert(*id);
                }
                let elsewhere = matches!(global.linkage, Linkage::Import | Linkage::Weak);
                if elsewhere && self.records {
                    self.deep(global.ty);
                }
            }
            // An element alone says nothing of the rest of the array.
            PlaceKind::Index(base, index) if matches!(base.kind, PlaceKind::Global(_)) => {
                self.expr(index);
                let PlaceKind::Global(id) = base.kind else { return };
                let global = &self.program.globals[id];
                if matches!(global.linkage, Linkage::Import | Linkage::Weak) && self.records {
                    self.deep(global.ty);
                }
            }
            _ => tenure_core::walk_place(self, place),
        }
    }
}
