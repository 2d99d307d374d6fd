//! Types as written to types: specifiers, declarators, and what is left out (LANGUAGE, section 2: defaults).

mod args;
mod function;
mod kinds;
mod pointer;
mod size;
mod vars;

pub(crate) use function::ParamInfo;

use crate::checker::Checker;
use crate::scope::Entry;
use crate::ty::{
    ArrayLen, FloatTy, GenericArg, IntTy, QualType, Quals, Region, RegionId, TyVar, TyVarId,
    TyVarOrigin, Type, TypeId,
};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{
    self, Arith, ArrayPart, ArraySize, BaseType, FloatN, Part, Specifiers, TypeName,
};

/// What a region that is left out means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Elision {
    /// Results, fields, typedefs, globals: the heap.
    Heap,
    /// Parameter number: a fresh variable of the function's type.
    Param(u32),
    /// Locals, casts: to be inferred.
    Infer,
}

/// The variables that a function type under construction binds.
#[derive(Debug, Default)]
pub(crate) struct Binder {
    /// Written ones: between `<` and `>`, or just used. By name.
    pub written: Vec<(Symbol, TyVarId)>,
    /// Regions of parameters that were left out.
    pub elided: Vec<TyVarId>,
    /// What a parameter points to outlives the pointer itself, if the pointer's region was left out. Every caller can
    /// meet this, since a pointer may be taken to point into a shorter-lived region than it does.
    pub implied: Vec<(crate::ty::EffectId, RegionId)>,
    /// Parameters so far, for `int p[n]`.
    pub params: Vec<(Symbol, TypeId)>,
}

/// The state of conversion.
#[derive(Debug, Default)]
pub(crate) struct Converter {
    /// Function types under construction, outermost first.
    pub binders: Vec<Binder>,
    /// Variables whose kind is not known yet: nobody wrote it, and no use has shown it.
    pub unfixed: tenure_span::FastSet<TyVarId>,
    /// Variables that a function type bound where they were used as types, without a kind being written so far.
    pub guessed: tenure_span::FastSet<TyVarId>,
    /// Arguments that mention variables of the function type under construction, whose kinds may be written later.
    pub instances: Vec<(TyVarId, GenericArg, Span)>,
    /// The parameters of the outermost function type that was last converted, with their names and places.
    pub params: Vec<ParamInfo>,
    /// Records and datatypes whose definitions are being read, outermost first: a definition of one inside itself would
    /// make it its own part.
    pub defining: Vec<crate::scope::Tag>,
    /// Typedefs of pointers whose region was left out, as types of those parameters.
    pub heap_typedefs: Vec<crate::decl::TypedefId>,
    /// `main` is being declared: its `char **argv` is an array.
    pub is_main: bool,
    /// A `static` or `inline` function is being declared.
    pub is_private: bool,
    /// C headers are being read: what cannot be said in types makes the declaration unsafe, and is no error.
    pub c_header: bool,
    /// Why the declaration being read is unsafe.
    pub unsafe_reason: Option<String>,
    /// The `...` of the function that is being declared without a body: to use the function is an error, to declare it
    /// is none.
    pub open_rest: Option<tenure_span::Span>,
}

impl Checker<'_> {
    /// A type name, as in a cast.
    pub fn convert_type_name(&mut self, name: &TypeName, elision: Elision) -> QualType {
        let ty = self.declared_type(&name.specs, None, &name.parts, elision);
        match self.variable_array(ty.ty, name.span) {
            Some(error) => QualType::plain(error),
            None => ty,
        }
    }

    /// An error in a type. In C headers it makes the declaration unsafe instead.
    pub(crate) fn type_error(&mut self, error: Diagnostic) -> TypeId {
        if self.convert.c_header {
            self.convert.unsafe_reason.get_or_insert(error.headline);
        } else {
            self.error(error);
        }
        self.basics.error
    }

    /// The type that specifiers and a declarator give. `base` is the specifiers' type if it was found before.
    pub(crate) fn declared_type(
        &mut self,
        specs: &Specifiers,
        base: Option<QualType>,
        parts: &[Part],
        elision: Elision,
    ) -> QualType {
        let function = parts.iter().position(|part| matches!(part, Part::Function(_)));
        let Some(first) = function else {
            let base = match base {
                Some(base) => base,
                None => self.base_type(specs, elision),
            };
            return self.apply_parts(parts, base, elision);
        };
        // The outermost function type binds the variables that are free in the whole.
        let Part::Function(part) = &parts[first] else { return QualType::plain(self.basics.error) };
        self.scopes.push_types();
        self.convert.binders.push(Default::default());
        self.bind_type_params(&part.type_params);
        let base = match base {
            Some(base) if self.convert.binders.len() > 1 || !specs_may_bind(&specs.base) => base,
            _ => self.base_type(specs, Elision::Heap),
        };
        let result = self.apply_parts(&parts[first + 1..], base, Elision::Heap);
        let function = self.function_part(part, result, specs);
        self.convert.binders.pop();
        self.scopes.pop();
        self.apply_parts(&parts[..first], QualType::plain(function), elision)
    }

    /// Derivations from the innermost to the outermost.
    fn apply_parts(&mut self, parts: &[Part], base: QualType, elision: Elision) -> QualType {
        let mut ty = base;
        for part in parts.iter().rev() {
            ty = match part {
                Part::Pointer(part) => self.pointer_part(part, ty, elision),
                Part::Array(part) => self.array_part(part, ty),
                Part::Function(part) => self.nested_function(part, ty),
            };
        }
        ty
    }

    fn array_part(&mut self, part: &ArrayPart, elem: QualType) -> QualType {
        if self.is_error(elem.ty) {
            return QualType::plain(self.basics.error);
        }
        if let Some(error) = self.bad_element(elem.ty, part.span) {
            return QualType::plain(error);
        }
        let len = match &part.size {
            ArraySize::None => ArrayLen::Incomplete,
            ArraySize::Star => {
                let text = "`[*]` can stand only in a parameter";
                let error = self.type_error(Diagnostic::error("E0213", text, part.span));
                return QualType::plain(error);
            }
            ArraySize::Expr(size) => match self.array_size(size) {
                Ok(size) => ArrayLen::Known(size),
                Err(_) => return QualType::plain(self.basics.error),
            },
        };
        let zeroterm = matches!(part.zeroterm, Some((true, _)));
        let array = QualType::plain(self.types.intern(Type::Array { elem, len, zeroterm }));
        self.bounded_object(array, part.span)
    }

    fn bad_element(&mut self, elem: TypeId, span: Span) -> Option<TypeId> {
        if let Some(error) = self.variable_array(elem, span) {
            return Some(error);
        }
        let what = match self.kind(elem) {
            Type::Function(_) => "functions",
            Type::Void => "`void`",
            Type::Array { len: ArrayLen::Incomplete, .. } => "arrays of unknown length",
            _ => return None,
        };
        let text = format!("an array cannot have {what} as elements");
        Some(self.type_error(Diagnostic::error("E0214", text, span)))
    }

    /// The type that specifiers give, with their qualifiers.
    pub(crate) fn base_type(&mut self, specs: &Specifiers, elision: Elision) -> QualType {
        let base = self.unqualified(specs, elision);
        let quals = self.convert_quals(&specs.quals, base.quals);
        self.with_quals(QualType { ty: base.ty, quals })
    }

    /// Qualifiers of an array type belong to its elements (C11 6.7.3p9).
    fn with_quals(&mut self, ty: QualType) -> QualType {
        if ty.quals == Quals::default() {
            return ty;
        }
        let Type::Array { elem, len, zeroterm } = *self.types.get(ty.ty) else { return ty };
        let quals = Quals {
            is_const: elem.quals.is_const || ty.quals.is_const,
            is_volatile: elem.quals.is_volatile || ty.quals.is_volatile,
        };
        let elem = self.with_quals(QualType { ty: elem.ty, quals });
        QualType { ty: self.types.intern(Type::Array { elem, len, zeroterm }), quals: ty.quals }
    }

    pub(crate) fn convert_quals(&mut self, quals: &tree::Quals, base: Quals) -> Quals {
        if let Some(span) = quals.atomic {
            let text = "`_Atomic` is not supported";
            self.type_error(Diagnostic::error("E0215", text, span));
        }
        Quals {
            is_const: base.is_const || quals.constant.is_some(),
            is_volatile: base.is_volatile || quals.volatile.is_some(),
        }
    }

    fn unqualified(&mut self, specs: &Specifiers, elision: Elision) -> QualType {
        let span = specs.base_span;
        QualType::plain(match &specs.base {
            BaseType::Void => self.basics.void,
            BaseType::Arith(arith) => self.arithmetic_type(*arith, span),
            BaseType::Named(name, args) => return self.named_type(name, args, elision, span),
            BaseType::Record(spec) => self.record_spec_type(spec, elision),
            BaseType::Enum(spec) => self.enum_spec_type(spec),
            BaseType::Datatype(spec) => self.datatype_spec_type(spec, elision),
            BaseType::TypeofExpr(e) => return self.type_of_expr(e, elision),
            BaseType::TypeofType(name) => return self.convert_type_name(name, elision),
            BaseType::Var(var) => self.type_var(var),
            BaseType::Wildcard(_) => self.wildcard(elision, span),
            BaseType::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.constructor_param(field, elision));
                let fields = fields.collect();
                let tuple = self.types.intern(Type::Tuple(fields));
                self.bounded_object(QualType::plain(tuple), span).ty
            }
            BaseType::RegionHandle(arg) | BaseType::AliasQualType(arg) => {
                let region = self.region_arg(arg, elision);
                self.types.intern(Type::Handle(region))
            }
            BaseType::Tag(arg, int) => {
                let int = int.as_deref().map_or(Ok(IntTy::Int), |int| self.tag_width(int));
                match int {
                    Ok(int) => self.tag_type(arg.as_deref(), int, elision, span),
                    Err(error) => error,
                }
            }
            BaseType::Auto => self.wildcard(elision, span),
            BaseType::VaList => self.types.intern(Type::VaList),
            BaseType::Atomic(_) => {
                let text = "`_Atomic` is not supported";
                self.type_error(Diagnostic::error("E0215", text, span))
            }
            BaseType::ValueOf(_) => {
                let text = "this is not the type of a value";
                self.type_error(Diagnostic::error("E0306", text, span))
            }
            BaseType::Missing => self.missing_type(specs),
            BaseType::Error => self.basics.error,
        })
    }

    fn missing_type(&mut self, specs: &Specifiers) -> TypeId {
        // It may be missing because of an error that was reported.
        if self.sink.has_errors().is_some() {
            return self.basics.error;
        }
        let text = "a type is missing";
        let error =
            Diagnostic::error("E0212", text, specs.base_span).help("C89 took `int` here: write it");
        self.type_error(error);
        self.basics.int
    }

    fn arithmetic_type(&mut self, arith: Arith, span: Span) -> TypeId {
        let ty = match arith {
            Arith::Bool => Type::Int(IntTy::Bool),
            Arith::Char => Type::Int(IntTy::Char),
            Arith::SChar => Type::Int(IntTy::SChar),
            Arith::UChar => Type::Int(IntTy::UChar),
            Arith::Short => Type::Int(IntTy::Short),
            Arith::UShort => Type::Int(IntTy::UShort),
            Arith::Int => return self.basics.int,
            Arith::UInt => Type::Int(IntTy::UInt),
            Arith::Long => Type::Int(IntTy::Long),
            Arith::ULong => Type::Int(IntTy::ULong),
            Arith::LongLong => Type::Int(IntTy::LLong),
            Arith::ULongLong => Type::Int(IntTy::ULLong),
            Arith::Int128 => Type::Int(IntTy::I128),
            Arith::UInt128 => Type::Int(IntTy::U128),
            Arith::Float => Type::Float(FloatTy::F32),
            Arith::Double => Type::Float(FloatTy::F64),
            Arith::LongDouble => Type::Float(FloatTy::Long),
            Arith::ComplexFloat => Type::Complex(FloatTy::F32),
            Arith::ComplexDouble => Type::Complex(FloatTy::F64),
            Arith::ComplexLongDouble => Type::Complex(FloatTy::Long),
            Arith::FloatN(float) => match float_n(float) {
                Some(float) => Type::Float(float),
                None => return self.unsupported_float(span),
            },
            Arith::ComplexFloatN(float) => match float_n(float) {
                Some(float) => Type::Complex(float),
                None => return self.unsupported_float(span),
            },
        };
        self.types.intern(ty)
    }

    fn unsupported_float(&mut self, span: Span) -> TypeId {
        let text = "this floating type is not supported";
        self.type_error(Diagnostic::error("E0215", text, span))
    }

    fn named_type(
        &mut self,
        name: &tree::QName,
        args: &[tree::TypeArg],
        elision: Elision,
        span: Span,
    ) -> QualType {
        match self.scopes.find_qualified(name) {
            Some((Entry::Typedef(id), _)) => self.typedef_instance(id, args, elision, span),
            Some((Entry::Error, _)) => QualType::plain(self.basics.error),
            Some((_, declared)) => {
                let text = format!("`{name}` is not a type");
                let error = Diagnostic::error("E0203", text, span);
                let error = error.secondary(declared, "declared here");
                QualType::plain(self.type_error(error))
            }
            None => {
                let text = format!("the type `{name}` is not declared");
                let mut error = Diagnostic::error("E0204", text, span);
                if let Some(header) = crate::decl::header_of(name.name.name.as_str()) {
                    error = error.help(format!("it is declared in `<{header}>`"));
                }
                QualType::plain(self.type_error(error))
            }
        }
    }

    fn type_of_expr(&mut self, e: &tree::Expr, elision: Elision) -> QualType {
        let ty = self.type_of_unevaluated(e);
        match elision {
            Elision::Infer => QualType::plain(self.shallow(ty)),
            // The type outlives the function's inference.
            Elision::Heap | Elision::Param(_) => QualType::plain(self.settle(ty, e.span)),
        }
    }

    fn wildcard(&mut self, elision: Elision, span: Span) -> TypeId {
        match elision {
            Elision::Infer => self.fresh_type(span, crate::ty::Kind::Any),
            Elision::Heap | Elision::Param(_) => {
                let text = "`_` can stand only in a local declaration, where there is something to infer it from";
                self.type_error(Diagnostic::error("E0216", text, span))
            }
        }
    }

    /// The region that is meant where none is written.
    pub(crate) fn elided_region(&mut self, elision: Elision, span: Span) -> RegionId {
        match elision {
            Elision::Heap => self.basics.heap,
            Elision::Infer => self.fresh_region(span),
            // The arguments of the program live as long as it does.
            Elision::Param(_) if self.convert.is_main && self.convert.binders.len() == 1 => {
                self.basics.heap
            }
            Elision::Param(param) => {
                let var = self.types.vars.push(TyVar {
                    name: None,
                    kind: crate::ty::Kind::Region,
                    unique: false,
                    origin: TyVarOrigin::Elided { param },
                    span,
                });
                if let Some(binder) = self.convert.binders.last_mut() {
                    binder.elided.push(var);
                }
                self.types.region(Region::Var(var))
            }
        }
    }
}

/// Whether specifiers may name type variables that the declarator's function type binds, so that each declarator
/// converts them anew.
fn specs_may_bind(base: &BaseType) -> bool {
    match base {
        BaseType::Void
        | BaseType::Arith(_)
        | BaseType::Enum(_)
        | BaseType::TypeofExpr(_)
        | BaseType::VaList
        | BaseType::Auto
        | BaseType::Missing
        | BaseType::Error => false,
        BaseType::Record(spec) => spec.body.is_none() && !spec.args.is_empty(),
        BaseType::Datatype(spec) => spec.body.is_none() && !spec.args.is_empty(),
        _ => true,
    }
}

fn float_n(float: FloatN) -> Option<FloatTy> {
    match float {
        FloatN::F32 => Some(FloatTy::F32),
        FloatN::F64 | FloatN::F32x => Some(FloatTy::F64),
        FloatN::F64x => Some(FloatTy::Long),
        FloatN::F16 | FloatN::F128 => None,
    }
}
