//! Functions: what is known while one is printed, its head, its locals.

use crate::exprs::Text;
use crate::unit::Unit;
use crate::writer::{Location, Writer};
use std::collections::{HashMap, HashSet};
use tenure_core::{
    Block, Expr, Function, FunctionDecl, FunctionId, LabelId, Linkage, Local, LocalId, Quals, Ty,
    TyId,
};
use tenure_span::Span;

/// A C construct that `break` or `continue` might leave.
#[derive(Clone, Copy)]
pub(crate) struct Construct {
    pub(crate) label: LabelId,
    pub(crate) kind: ConstructKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConstructKind {
    /// The flag: C's `continue` does what core's does.
    Loop {
        plain_continue: bool,
    },
    Switch,
    Block,
}

/// The printer of a function's body, or of a static initialiser.
pub(crate) struct Body<'a, 'u> {
    pub(crate) unit: &'u mut Unit<'a>,
    pub(crate) function: Option<&'a Function>,
    pub(crate) out: Writer,
    /// Only constant expressions may be printed: no compound literals, no calls.
    pub(crate) constant_only: bool,
    /// The statement at hand.
    pub(crate) span: Span,
    names: Vec<String>,
    labels: Vec<String>,
    /// Locals whose value or address is used.
    read: HashSet<LocalId>,
    pub(crate) constructs: Vec<Construct>,
    /// Constructs that are left by a goto to the label after them.
    pub(crate) left_by_goto: HashSet<LabelId>,
    /// Loops that are continued by a goto to the label at the end of their body.
    pub(crate) continued_by_goto: HashSet<LabelId>,
    /// Targets of core's own gotos.
    pub(crate) goto_targets: HashSet<LabelId>,
    /// The user declared that the function does not return.
    pub(crate) never_returns: bool,
    /// The function calls itself by its second name.
    pub(crate) recurses: bool,
    /// Frames of the handlers around, innermost last.
    pub(crate) handlers: Vec<LocalId>,
    /// Temporaries that have no declaration: their calls are printed where they are used.
    pub(crate) nested: HashSet<LocalId>,
    /// The texts of those that were met, until they are used.
    pub(crate) held: HashMap<LocalId, Text>,
    /// Locals that some block declares.
    pub(crate) declared: HashSet<LocalId>,
}

/// Around a local's number in a declaration, until it is known whether the local is used.
const MARK_START: char = '\u{1}';
const MARK_END: char = '\u{2}';

impl<'a, 'u> Body<'a, 'u> {
    /// A printer of static initialisers.
    pub(crate) fn for_constants(unit: &'u mut Unit<'a>) -> Body<'a, 'u> {
        let mut body = Body::new(unit, None);
        body.constant_only = true;
        body
    }

    fn new(unit: &'u mut Unit<'a>, function: Option<&'a Function>) -> Body<'a, 'u> {
        let lines = unit.options.lines;
        let recurses = function.is_some_and(|function| {
            // A private function may lose its symbol.
            let external = unit.program.decls[function.id].linkage == Linkage::External;
            external && crate::recursion::always_recurses(function)
        });
        Body {
            unit,
            function,
            out: Writer::new(lines),
            constant_only: false,
            span: Span::NONE,
            names: Vec::new(),
            labels: Vec::new(),
            read: HashSet::new(),
            constructs: Vec::new(),
            left_by_goto: HashSet::new(),
            continued_by_goto: HashSet::new(),
            goto_targets: HashSet::new(),
            never_returns: false,
            recurses,
            handlers: Vec::new(),
            nested: HashSet::new(),
            held: HashMap::new(),
            declared: HashSet::new(),
        }
    }

    /// The text of a function's definition.
    pub(crate) fn define(unit: &'u mut Unit<'a>, function: &'a Function) -> String {
        let mut body = Body::new(unit, Some(function));
        body.names = body.unit.names.locals(body.unit.program, function);
        body.collect(function);
        body.nested = crate::nesting::nested_calls(body.unit.program, function);
        body.name_labels(function);
        let decl = &body.unit.program.decls[function.id];
        let catches =
            function.locals.iter().any(|local| matches!(body.ty(local.ty), Ty::HandlerFrame));
        let head = body.head(decl, function);
        let head = if catches { format!("TN_CATCHES {head}") } else { head };
        body.out.at(body.unit.location(decl.span));
        body.out.line(&format!("{head} {{"));
        body.never_returns = body.unit.never_returns(decl);
        body.out.indent();
        body.block(&function.body);
        if body.never_returns && !crate::control::ends_in_jump(&function.body) {
            body.out.line("__builtin_trap();");
        }
        body.out.dedent();
        body.out.at(body.unit.location(function.end));
        body.out.line("}");
        let read = std::mem::take(&mut body.read);
        let text = std::mem::replace(&mut body.out, Writer::new(false)).finish();
        mark_unused(&text, &read)
    }

    fn head(&mut self, decl: &FunctionDecl, function: &Function) -> String {
        let Ty::Func(func) = self.ty(decl.ty) else {
            return String::new();
        };
        let mut params: Vec<String> = Vec::new();
        for &param in &function.params {
            params.push(self.declarator(param));
        }
        if func.variadic {
            params.push("...".to_string());
        } else if params.is_empty() {
            params.push("void".to_string());
        }
        let name = self.unit.names.function(function.id).to_string();
        let text = self.unit.types.declare(func.result, &format!("{name}({})", params.join(", ")));
        let is_main = self.unit.program.main == Some(function.id);
        let specifiers = specifiers(decl, is_main);
        let hint = if specifiers == "static " && self.unit.inlining.is_offered(function) {
            "inline "
        } else {
            ""
        };
        format!("{specifiers}{hint}{text}")
    }

    fn collect(&mut self, function: &Function) {
        self.declared.extend(function.params.iter().copied());
        collect_block(&function.body, &mut self.declared, &mut self.goto_targets);
    }

    fn name_labels(&mut self, function: &Function) {
        let users: HashMap<&str, usize> =
            function.labels.iter().filter_map(|l| l.name.map(|name| (name.as_str(), 1))).collect();
        for (id, label) in function.labels.iter_enumerated() {
            let name = match label.name {
                Some(name) => crate::words::free(name.as_str()).into_owned(),
                None => {
                    let mut name = format!("l{}", id.index());
                    while users.contains_key(name.as_str()) {
                        name.push('_');
                    }
                    name
                }
            };
            self.labels.push(name);
        }
    }

    pub(crate) fn local(&self, id: LocalId) -> Option<&'a Local> {
        self.function.and_then(|function| function.locals.get(id))
    }

    pub(crate) fn local_name(&self, id: LocalId) -> String {
        self.names.get(id.index()).cloned().unwrap_or_else(|| "tn_unknown".to_string())
    }

    /// The qualifiers with which C sees a local. That a local is const was checked; without it, its
    /// declaration and its first store may stand apart.
    pub(crate) fn local_quals(&self, id: LocalId) -> Quals {
        let is_volatile = self.local(id).is_some_and(|local| local.is_volatile);
        Quals { is_const: false, is_volatile }
    }

    pub(crate) fn note_read(&mut self, id: LocalId) {
        self.read.insert(id);
    }

    /// `T name` for a local, with a mark for the attribute that an unused one gets.
    pub(crate) fn declarator(&mut self, id: LocalId) -> String {
        let name = self.local_name(id);
        let Some(local) = self.local(id) else {
            return name;
        };
        let quals = self.local_quals(id);
        let align = local.align.map_or(String::new(), |n| format!("_Alignas({n}) "));
        let text = self.unit.types.qualified(local.ty, quals, &name);
        format!("{MARK_START}{}{MARK_END}{align}{text}", id.index())
    }

    /// Where the label after a construct, or a user's label, is.
    pub(crate) fn label(&self, id: LabelId) -> String {
        self.labels.get(id.index()).cloned().unwrap_or_else(|| format!("l{}", id.index()))
    }

    pub(crate) fn location(&self, span: Span) -> Option<Location> {
        self.unit.location(span)
    }

    /// The address of the description of a check's place.
    pub(crate) fn site(&mut self, span: Span, _what: Option<&Expr>) -> String {
        let function = self.function.map(|function| function.id);
        self.unit.site(span, function)
    }

    pub(crate) fn result_type(&self) -> Option<TyId> {
        let decl = &self.unit.program.decls[self.function?.id];
        match self.ty(decl.ty) {
            Ty::Func(func) => Some(func.result),
            _ => None,
        }
    }
}

/// Replaces the marks of declarations: a local that is never read gets the attribute that says so.
fn mark_unused(text: &str, read: &HashSet<LocalId>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(MARK_START) {
        out.push_str(&rest[..start]);
        let after = &rest[start + 1..];
        let end = after.find(MARK_END).unwrap_or(0);
        let used = after[..end].parse().is_ok_and(|id: usize| read.contains(&LocalId::from(id)));
        if !used {
            out.push_str("TN_UNUSED ");
        }
        rest = &after[end + 1..];
    }
    out.push_str(rest);
    out
}

fn collect_block(block: &Block, declared: &mut HashSet<LocalId>, targets: &mut HashSet<LabelId>) {
    use tenure_core::{LoopTest, StmtKind};
    declared.extend(block.locals.iter().copied());
    let mut pending: Vec<&[tenure_core::Stmt]> = vec![&block.stmts];
    while let Some(stmts) = pending.pop() {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Goto(label) => {
                    targets.insert(*label);
                }
                StmtKind::If { then, otherwise, .. } => {
                    collect_block(then, declared, targets);
                    otherwise.iter().for_each(|b| collect_block(b, declared, targets));
                }
                StmtKind::Loop(l) => {
                    if let LoopTest::Before { head, .. } | LoopTest::After { head, .. } = &l.test {
                        collect_block(head, declared, targets);
                    }
                    collect_block(&l.body, declared, targets);
                    pending.push(&l.step);
                }
                StmtKind::Switch { arms, default, .. } => {
                    arms.iter().for_each(|arm| collect_block(&arm.body, declared, targets));
                    default.iter().for_each(|b| collect_block(b, declared, targets));
                }
                StmtKind::Block { body, .. } => collect_block(body, declared, targets),
                StmtKind::Try(t) => {
                    collect_block(&t.body, declared, targets);
                    collect_block(&t.handler, declared, targets);
                }
                _ => {}
            }
        }
    }
}

/// A function of the runtime that takes the place of the call as its last argument.
pub(crate) const SITE_ARGUMENT: &str = "site_argument";

/// The attribute of functions that want to know where they were called.
pub(crate) const CALLER_SITE: &str = "caller_site";

/// `static`, `_Noreturn` and attributes, before a function's type.
pub(crate) fn specifiers(decl: &FunctionDecl, is_main: bool) -> String {
    let mut out = String::new();
    match decl.linkage {
        // A function of its own, as in C: what C's `main` does before is none of its business.
        _ if is_main => out.push_str("static TN_OUTLINE "),
        Linkage::Internal if decl.is_inline => out.push_str("static inline "),
        Linkage::Internal => out.push_str("static "),
        Linkage::Inline => out.push_str("static inline "),
        Linkage::Weak => out.push_str("__attribute__((weak)) "),
        Linkage::External | Linkage::Import => {}
    }
    // cc is not told what C code only says of itself: control that comes back all the same ends with a message.
    if decl.noreturn && !(decl.is_extern_c && decl.linkage == Linkage::Import) {
        out.push_str("_Noreturn ");
    }
    let for_cc =
        decl.attributes.iter().filter(|name| *name != CALLER_SITE && *name != SITE_ARGUMENT);
    let for_cc: Vec<&str> = for_cc.map(String::as_str).collect();
    if !for_cc.is_empty() {
        out.push_str(&format!("__attribute__(({})) ", for_cc.join(", ")));
    }
    out
}

impl<'a> Unit<'a> {
    /// Whether cc is told that the function does not return.
    fn never_returns(&self, decl: &FunctionDecl) -> bool {
        decl.noreturn || matches!(self.types.get(decl.ty), Ty::Func(func) if func.noreturn)
    }

    /// A second declaration of a function, printed before the function at hand.
    pub(crate) fn alias_of(&mut self, id: FunctionId, alias: &str) {
        let decl = &self.program.decls[id];
        let symbol = decl.c_name.as_str();
        let label = crate::constants::quote(symbol);
        let text = self.types.declare(decl.ty, alias);
        self.before_function(format!("extern {text} __asm__({label});"));
    }

    /// A function's declaration, with the label that gives the symbol if the identifier is another one.
    pub(crate) fn prototype(&mut self, id: FunctionId) -> String {
        let decl = &self.program.decls[id];
        let is_main = self.program.main == Some(id);
        let name = self.names.function(id).to_string();
        let text = self.types.declare(decl.ty, &name);
        let linked = matches!(decl.linkage, Linkage::External | Linkage::Import | Linkage::Weak);
        let symbol = decl.c_name.as_str();
        // A definition under a name of the runtime's keeps out of its way in the object file too.
        let label = if linked && !is_main && name != symbol && !self.names.in_runtime(symbol) {
            format!(" __asm__({})", crate::constants::quote(symbol))
        } else {
            String::new()
        };
        format!("{}{text}{label};", specifiers(decl, is_main))
    }
}
