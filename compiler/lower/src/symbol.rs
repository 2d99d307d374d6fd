//! The symbol that each function and variable has in the object file.
//!
//! Rule: no definition has a symbol that C's libraries, the runtime or the library define, so that none takes their
//! place. A name of theirs is given another symbol by `tenure_core::own_symbol`, in all units alike; a link name cannot
//! be, and is rejected.

use crate::unit::Lowerer;
use tenure_core::{IntTy, Ty, TyId};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_types::hir::{Func, Global, Linkage};
use tenure_types::names::QualName;
use tenure_types::ty::TypeId;

impl Lowerer<'_> {
    pub(crate) fn function_symbol(&mut self, func: &Func, ty: TyId) -> Symbol {
        let probes = func.linkage == Linkage::Import && self.is_probe(ty);
        let named = Named {
            name: &func.name,
            link_name: func.link_name,
            linkage: func.linkage,
            is_cs: func.extern_c || probes,
            may_be_main: func.link_name.is_none(),
            span: func.span,
        };
        let symbol = self.symbol(&named);
        self.not_for_c(symbol, func.ty, named.link_name.is_some() || named.is_cs)
    }

    pub(crate) fn global_symbol(&mut self, global: &Global) -> Symbol {
        let named = Named {
            name: &global.name,
            link_name: global.link_name,
            linkage: global.linkage,
            is_cs: global.extern_c,
            may_be_main: false,
            span: global.span,
        };
        let symbol = self.symbol(&named);
        self.not_for_c(symbol, global.ty.ty, named.link_name.is_some() || named.is_cs)
    }

    /// What C code with C's types could not use has a symbol that C code does not name either: the link fails, not the
    /// program.
    fn not_for_c(&self, symbol: Symbol, ty: TypeId, is_given: bool) -> Symbol {
        match self.unit.types.not_c(ty) {
            Some(_) if !is_given => Symbol::new(&format!("{}$not$c", symbol.as_str())),
            _ => symbol,
        }
    }

    /// The link name if one was given, the plain name for C's and what no other unit sees, else the program's own.
    fn symbol(&mut self, named: &Named<'_>) -> Symbol {
        let is_shared = matches!(named.linkage, Linkage::External | Linkage::Import);
        let symbol = match named.link_name {
            Some(link_name) => link_name,
            None if named.is_cs => named.name.name,
            None if !named.name.path.is_empty() => {
                tenure_core::c_name(&named.name.path, named.name.name)
            }
            None if is_shared && !self.unit.is_library => tenure_core::own_symbol(named.name.name),
            None => named.name.name,
        };
        self.require_own(symbol, named);
        symbol
    }

    /// `char f(void)`: what configuration scripts declare to see whether C's libraries have it.
    fn is_probe(&self, ty: TyId) -> bool {
        let types = &self.program.types;
        matches!(types.get(ty), Ty::Func(func) if func.params.is_empty()
            && !func.variadic
            && matches!(types.get(func.result), Ty::Int(IntTy::Char)))
    }

    /// What the program itself is begun by is a function of that name, which `types` has looked at.
    fn require_own(&mut self, symbol: Symbol, named: &Named<'_>) {
        let begins = symbol == *"main" && !named.may_be_main;
        let reserved = tenure_core::is_reserved_symbol(symbol.as_str()) || begins;
        if named.linkage == Linkage::External && reserved && !self.unit.is_library {
            let headline = format!("`{}` would take the place of C's `{symbol}`", named.name);
            let error = Diagnostic::error("E0249", headline, named.span)
                .label("C's libraries or the runtime call what has this symbol")
                .help("give it another name, or make it `static`");
            self.report(error);
        }
    }
}

/// A function or variable, as far as its symbol is concerned.
struct Named<'a> {
    name: &'a QualName,
    link_name: Option<Symbol>,
    linkage: Linkage,
    /// C defines it.
    is_cs: bool,
    may_be_main: bool,
    span: Span,
}
