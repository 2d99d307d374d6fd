//! The translation unit: declarations, globals, and the work list of function bodies.

use crate::instance::{InstanceKey, Subst};
use crate::repr::Repr;
use crate::signature::{self, NamedType};
use index_vec::IndexVec;
use std::collections::VecDeque;
use tenure_core as core;
use tenure_core::{Linkage, Program};
use tenure_span::{Diagnostic, FastMap, Sink, Span, Symbol};
use tenure_types::hir::{self, FuncId, GlobalId, Unit};
use tenure_types::ty::Type;

/// State of lowering one unit.
pub(crate) struct Lowerer<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) program: Program,
    /// Representations of types, records and datatypes.
    pub(crate) repr: Repr,
    /// The uniform version of each function.
    pub(crate) funcs: IndexVec<FuncId, core::FunctionId>,
    pub(crate) globals: IndexVec<GlobalId, core::GlobalId>,
    /// Second copies made so far.
    pub(crate) instances: FastMap<InstanceKey, core::FunctionId>,
    /// How the copies came to be.
    pub(crate) copies: crate::instance::Copies,
    /// Wrappers of functions seen at another type.
    pub(crate) thunks: FastMap<(core::FunctionId, core::TyId), core::FunctionId>,
    /// Bodies still to lower.
    pub(crate) work: VecDeque<(FuncId, core::FunctionId, Subst)>,
    pub(crate) strings: FastMap<(Vec<u32>, u8), core::StringId>,
    /// Functions of the runtime that lowered code calls by name.
    pub(crate) runtime: FastMap<&'static str, core::FunctionId>,
    /// Named types in signatures.
    pub(crate) nominals: FastMap<NamedType, core::NominalId>,
    /// Numbers anonymous globals.
    pub(crate) anonymous: u32,
    pub(crate) sink: &'a Sink,
}

/// Lowers a checked unit. Reports into `sink` only instances that cannot be compiled.
pub fn lower(unit: &Unit, sink: &Sink) -> Program {
    let mut lowerer = Lowerer {
        unit,
        program: Program::default(),
        repr: Repr::default(),
        funcs: IndexVec::new(),
        globals: IndexVec::new(),
        instances: FastMap::default(),
        copies: Default::default(),
        thunks: FastMap::default(),
        work: VecDeque::new(),
        strings: FastMap::default(),
        runtime: FastMap::default(),
        nominals: FastMap::default(),
        anonymous: 0,
        sink,
    };
    lowerer.declare_functions();
    lowerer.declare_globals();
    lowerer.define_globals();
    lowerer.define_descriptors();
    for (id, func) in unit.funcs.iter_enumerated() {
        if func.body.is_some() && !lowerer.is_template(id) {
            let copy = lowerer.funcs[id];
            lowerer.work.push_back((id, copy, Subst::default()));
        }
    }
    while let Some((func, copy, subst)) = lowerer.work.pop_front() {
        lowerer.copies.lowering = Some(copy);
        lowerer.lower_body(func, copy, subst);
    }
    lowerer.program.main = unit.main.map(|main| lowerer.funcs[main]);
    lowerer.program
}

impl Lowerer<'_> {
    fn declare_functions(&mut self) {
        let unit = self.unit;
        for func in &unit.funcs {
            let ty = self.repr(func.ty, &Subst::default());
            let noreturn = matches!(unit.types.get(func.ty), Type::Function(ty) if ty.noreturn);
            let spelling = (!func.extern_c).then(|| signature::of(&unit.types, func.ty));
            let decl = core::FunctionDecl {
                c_name: self.function_symbol(func, ty),
                source_name: Symbol::new(&func.name.to_string()),
                ty,
                param_names: func.param_names.clone(),
                linkage: linkage(func.linkage),
                is_inline: func.is_inline,
                is_still: false,
                noreturn,
                attributes: func.attributes.clone(),
                is_extern_c: func.extern_c,
                signature: spelling.map(|spelling| self.signature(&spelling)),
                span: func.span,
            };
            let id = self.program.decls.push(decl);
            self.funcs.push(id);
        }
    }

    fn declare_globals(&mut self) {
        let unit = self.unit;
        for global in &unit.globals {
            let ty = self.repr(global.ty.ty, &Subst::default());
            let c_name = match global.owner {
                Some(owner) => {
                    let owner = self.program.decls[self.funcs[owner]].c_name;
                    self.anonymous += 1;
                    Symbol::new(&format!(
                        "{}${}${}",
                        owner.as_str(),
                        global.name.name.as_str(),
                        self.anonymous
                    ))
                }
                None => self.global_symbol(global),
            };
            let shared = !global.extern_c && global.owner.is_none();
            let spelling =
                shared.then(|| signature::of_object(&unit.types, global.ty, global.thread_local));
            let signature = spelling.map(|spelling| self.signature(&spelling));
            let id = self.program.globals.push(core::Global {
                c_name,
                source_name: Symbol::new(&global.name.to_string()),
                ty,
                is_const: global.ty.quals.is_const,
                is_volatile: global.ty.quals.is_volatile,
                thread_local: global.thread_local,
                linkage: linkage(global.linkage),
                align: global.align,
                init: None,
                attributes: global.attributes.clone(),
                signature,
                span: global.span,
            });
            self.globals.push(id);
        }
    }

    fn define_globals(&mut self) {
        let unit = self.unit;
        for (id, global) in unit.globals.iter_enumerated() {
            if let Some(init) = &global.init {
                let id = self.globals[id];
                let init = self.static_init(init, self.program.globals[id].ty);
                self.program.globals[id].init = init;
            }
        }
    }

    /// Other units may refer to the extensible variants that this one declares, used here or not.
    fn define_descriptors(&mut self) {
        let unit = self.unit;
        for (id, def) in unit.types.datatypes.iter_enumerated().filter(|(_, def)| def.extensible) {
            for (number, variant) in def.variants.iter().flatten().enumerate() {
                if !variant.is_extern {
                    self.descriptor(id, number as u32);
                    // What an uncaught one says is found in its arguments.
                    self.variant_repr(id, number as u32);
                }
            }
        }
    }

    /// A literal's id, the same for equal ones.
    pub(crate) fn string(&mut self, units: &[u32], unit_size: u8) -> core::StringId {
        let program = &mut self.program;
        *self.strings.entry((units.to_vec(), unit_size)).or_insert_with(|| {
            program.strings.push(core::StringLiteral { units: units.to_vec(), unit_size })
        })
    }

    /// A function of the runtime's header.
    pub(crate) fn runtime_function(
        &mut self,
        name: &'static str,
        result: core::TyId,
        params: Vec<core::TyId>,
    ) -> core::FunctionId {
        let func = core::FuncTy { result, params, variadic: false, noreturn: false };
        self.runtime_function_of(name, func)
    }

    /// The same with a type of any kind; of one name there is one type.
    pub(crate) fn runtime_function_of(
        &mut self,
        name: &'static str,
        func: core::FuncTy,
    ) -> core::FunctionId {
        if let Some(&known) = self.runtime.get(name) {
            return known;
        }
        let param_names = vec![None; func.params.len()];
        let ty = self.program.types.intern(core::Ty::Func(func));
        let symbol = Symbol::new(name);
        let id = self.program.decls.push(core::FunctionDecl {
            c_name: symbol,
            source_name: symbol,
            ty,
            param_names,
            linkage: Linkage::Import,
            is_inline: false,
            is_still: false,
            noreturn: false,
            attributes: Vec::new(),
            is_extern_c: true,
            signature: None,
            span: Span::NONE,
        });
        self.runtime.insert(name, id);
        id
    }

    /// A private global that the compiler needs: a constant table, an unnamed object.
    pub(crate) fn anonymous_global(
        &mut self,
        ty: core::TyId,
        init: core::Initializer,
        is_const: bool,
        span: Span,
    ) -> core::GlobalId {
        self.anonymous += 1;
        let name = Symbol::new(&format!("anonymous${}", self.anonymous));
        self.program.globals.push(core::Global {
            c_name: name,
            source_name: name,
            ty,
            is_const,
            is_volatile: false,
            thread_local: false,
            linkage: Linkage::Internal,
            align: None,
            init: Some(init),
            attributes: Vec::new(),
            signature: None,
            span,
        })
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.sink.emit(diagnostic);
    }

    /// Lowers one body, for the uniform version or a second copy.
    fn lower_body(&mut self, func: FuncId, copy: core::FunctionId, subst: Subst) {
        let unit = self.unit;
        let Some(body) = &unit.funcs[func].body else { return };
        let noconsume: &[u32] = match unit.types.get(unit.funcs[func].ty) {
            Type::Function(ty) => &ty.noconsume,
            _ => &[],
        };
        let lowered = crate::function::lower_function(self, body, copy, subst, noconsume);
        self.require_sizes(&lowered);
        self.program.functions.push(lowered);
    }
}

fn linkage(linkage: hir::Linkage) -> Linkage {
    match linkage {
        hir::Linkage::External => Linkage::External,
        hir::Linkage::Internal => Linkage::Internal,
        hir::Linkage::Import => Linkage::Import,
        hir::Linkage::Inline => Linkage::Inline,
    }
}
