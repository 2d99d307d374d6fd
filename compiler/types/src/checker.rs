//! The state of the checker, shared by all its parts.

use crate::hir::{Func, FuncId, Global, GlobalId, Local, LocalId, Trusted, Unit};
use crate::infer::InferState;
use crate::scope::Scopes;
use crate::ty::{
    Bounds, Effect, EffectId, FloatTy, IntTy, Pointer, QualType, Region, RegionId, Size, SizeId,
    TyVarId, Type, TypeId, TypeTable,
};
use index_vec::IndexVec;
use std::rc::Rc;
use tenure_span::{Diagnostic, ErrorGuaranteed, FastMap, Sink, Span, Symbol};
use tenure_syntax::tree;

/// What the caller decides about the language.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Text with Cyclone 1.0's rules where they differ from 0.8's: a call consumes only what the function says. Sorted,
    /// not overlapping.
    pub cyclone1: Vec<Span>,
    /// Text that came from C headers which have no interface of ours: their declarations are C's, and unsafe ones need
    /// an override. Sorted, not overlapping.
    pub c_headers: Vec<Span>,
    /// Text of the library's own headers. What they leave open of a type stays so. Sorted, not overlapping.
    pub library_headers: Vec<Span>,
    /// Warnings that are switched off, by code.
    pub silent: Vec<String>,
    /// The text that spans are in, for places inside a literal.
    pub source: Rc<str>,
    /// A bit-field without a name counts for the alignment of the record, as AAPCS64 has it (8.1.8.5) and x86-64's ABI
    /// not.
    pub unnamed_bits_align: bool,
    /// Warn about coercions that can fail and were not written as casts.
    pub warn_implicit_checks: bool,
    /// The text is the library's own: it may define what the library's headers declare.
    pub library: bool,
}

/// Types and regions that are asked for all the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basics {
    pub error: TypeId,
    pub void: TypeId,
    pub char_: TypeId,
    pub int: TypeId,
    pub uint: TypeId,
    pub long: TypeId,
    pub ulong: TypeId,
    pub float: TypeId,
    pub double: TypeId,
    pub heap: RegionId,
    pub unique: RegionId,
    pub counted: RegionId,
    pub checked: RegionId,
    pub region_error: RegionId,
    pub no_effect: EffectId,
    pub one: SizeId,
}

/// The function whose body is being checked. At file scope it is the default value, with no function.
#[derive(Debug, Default)]
pub(crate) struct FnCx {
    pub func: Option<FuncId>,
    pub result: Option<QualType>,
    pub locals: IndexVec<LocalId, Local>,
    /// The region that each local's storage is in.
    pub local_regions: IndexVec<LocalId, RegionId>,
    /// The local that holds the variadic rest.
    pub rest: Option<LocalId>,
    /// Whether the body is C: GNU statement expressions, K&R.
    pub extern_c: bool,
    /// Labels, loops, switches, handlers.
    pub flow: crate::stmt::Flow,
    /// The `let` pattern whose names may hide those that stand before it in the same block.
    pub let_pattern: Option<Span>,
}

pub(crate) struct Checker<'a> {
    pub options: &'a Options,
    pub sink: &'a Sink,
    pub types: TypeTable,
    pub basics: Basics,
    pub funcs: IndexVec<FuncId, Func>,
    pub globals: IndexVec<GlobalId, Global>,
    pub trusted: Vec<Trusted>,
    /// See `Unit`.
    pub implicit_checks: Vec<Span>,
    pub scopes: Scopes,
    pub infer: InferState,
    pub fx: FnCx,
    /// Facts about declarations that later phases do not need.
    pub decls: crate::decl::DeclState,
    /// The types that are being converted from text.
    pub convert: crate::convert::Converter,
    /// Layouts of records that were asked for.
    pub layouts: FastMap<TypeId, crate::layout::Layout>,
    /// Members of each record that is defined, those of its members included.
    pub record_members: FastMap<crate::ty::RecordId, u32>,
    /// Objects that go with what they own, of all bodies together.
    pub lost: crate::own::Parts,
}

/// Why a value must have a type, for messages; the span is the place where the type was stated.
#[derive(Clone, Debug)]
pub(crate) enum Why {
    /// Argument number (from 0) of a function, whose parameter stands at the span.
    Argument { index: usize, callee: Option<Symbol>, declared: Span },
    /// A variadic argument.
    Rest { callee: Option<Symbol>, declared: Span },
    /// Assignment to a place.
    Assign { declared: Span },
    /// Returned from a function whose result type stands at the span.
    Return { declared: Span },
    /// Initialises the variable, field or element declared at the span.
    Init { name: Option<Symbol>, declared: Span },
    /// Argument of a constructor.
    Construct { name: Symbol, index: usize, declared: Span },
    /// A cast, written by the user.
    Cast,
    /// An operand of an operator, which is named.
    Operand(&'static str),
    /// A branch of `?:`; `lent` if it is an argument whose branches are lent one by one.
    Branch { other: Span, lent: bool },
    /// Thrown.
    Throw,
    /// A subscript or a count.
    Count(&'static str),
    /// A pattern against its scrutinee.
    Pattern { scrutinee: Span },
}

impl<'a> Checker<'a> {
    pub fn new(options: &'a Options, sink: &'a Sink) -> Checker<'a> {
        let mut types = TypeTable::default();
        let basics = Basics::new(&mut types);
        let mut checker = Checker {
            options,
            sink,
            types,
            basics,
            funcs: IndexVec::new(),
            globals: IndexVec::new(),
            trusted: Vec::new(),
            implicit_checks: Vec::new(),
            scopes: Scopes::default(),
            infer: InferState::default(),
            fx: FnCx::default(),
            decls: Default::default(),
            convert: Default::default(),
            layouts: FastMap::default(),
            record_members: FastMap::default(),
            lost: Default::default(),
        };
        checker.declare_builtins();
        checker
    }

    /// Reports an error.
    pub fn error(&self, diagnostic: Diagnostic) -> ErrorGuaranteed {
        self.sink.error(diagnostic)
    }

    /// Reports a warning, unless it is switched off.
    pub fn warn(&self, diagnostic: Diagnostic) {
        if !self.options.silent.iter().any(|code| code == diagnostic.code) {
            self.sink.emit(diagnostic);
        }
    }

    /// The type itself, with solved inference variables followed at the outside.
    pub fn kind(&self, ty: TypeId) -> &Type {
        self.types.get(self.shallow(ty))
    }

    pub fn pointer_to(&mut self, mut pointer: Pointer) -> TypeId {
        if !pointer.nullable {
            pointer.open = None;
        }
        self.types.intern(Type::Pointer(pointer))
    }

    /// A thin pointer to one element.
    pub fn thin_pointer(&mut self, elem: QualType, region: RegionId, nullable: bool) -> TypeId {
        let bounds = Bounds::Thin(self.basics.one);
        self.pointer_to(Pointer {
            least: 0,
            elem,
            nullable,
            open: None,
            bounds,
            zeroterm: false,
            region,
        })
    }

    /// The address of a place; one that stands in a zero-terminated sequence is known to, so that no store through the
    /// pointer takes the last zero away.
    pub fn pointer_to_place(&mut self, elem: QualType, region: RegionId, zeroterm: bool) -> TypeId {
        let bounds = Bounds::Thin(self.basics.one);
        let (nullable, open, least) = (false, None, 0);
        self.pointer_to(Pointer { least, elem, nullable, open, bounds, zeroterm, region })
    }

    pub fn fat_pointer(&mut self, elem: QualType, region: RegionId) -> TypeId {
        let bounds = Bounds::Fat;
        self.pointer_to(Pointer {
            least: 0,
            elem,
            nullable: true,
            open: None,
            bounds,
            zeroterm: false,
            region,
        })
    }

    pub fn region_var(&mut self, var: TyVarId) -> RegionId {
        self.types.region(Region::Var(var))
    }

    pub fn size_const(&mut self, value: u64) -> SizeId {
        self.types.size(Size::Const(value))
    }

    fn finish(self) -> Unit {
        let main = self.decls.main;
        Unit {
            types: self.types,
            funcs: self.funcs,
            globals: self.globals,
            main,
            trusted: self.trusted,
            implicit_checks: self.implicit_checks,
            is_library: self.options.library,
        }
    }
}

impl Basics {
    fn new(types: &mut TypeTable) -> Basics {
        Basics {
            error: types.intern(Type::Error),
            void: types.intern(Type::Void),
            char_: types.intern(Type::Int(IntTy::Char)),
            int: types.intern(Type::Int(IntTy::Int)),
            uint: types.intern(Type::Int(IntTy::UInt)),
            long: types.intern(Type::Int(IntTy::Long)),
            ulong: types.intern(Type::Int(IntTy::ULong)),
            float: types.intern(Type::Float(FloatTy::F32)),
            double: types.intern(Type::Float(FloatTy::F64)),
            heap: types.region(Region::Heap),
            unique: types.region(Region::Unique),
            counted: types.region(Region::Counted),
            checked: types.region(Region::Checked),
            region_error: types.region(Region::Error),
            no_effect: types.effect(Effect::default()),
            one: types.size(Size::Const(1)),
        }
    }
}

/// Checks a translation unit; none if an error was reported, here or by an earlier phase.
pub fn check(tree: &tree::Tree, options: &Options, sink: &Sink) -> Option<Unit> {
    let mut checker = Checker::new(options, sink);
    checker.check_tree(tree);
    match sink.has_errors() {
        Some(_) => None,
        None => {
            checker.report_lost_parts();
            Some(checker.finish())
        }
    }
}

/// The layouts of a unit's types as C's static assertions; none if an error was reported.
pub fn layouts(tree: &tree::Tree, options: &Options, sink: &Sink) -> Option<String> {
    let mut checker = Checker::new(options, sink);
    checker.check_tree(tree);
    sink.has_errors().is_none().then(|| checker.layout_assertions())
}
