//! What the tree says about each area of the grammar, where a text could be read in two ways.

mod support;

use support::{parse, parse_clean};
use tenure_syntax::tree::*;

/// The statements of a function in which `T` and `list_t` are types and the rest are variables.
fn statements(text: &str) -> Vec<StmtKind> {
    let source = format!(
        "typedef int T; typedef struct List<`a> *list_t<`a>; namespace N {{ typedef int nt; int v; }}
         int f(int a, int b, int c, int d, int *p) {{ {text} }}"
    );
    let tree = parse_clean(text, &source);
    match tree.decls.into_iter().last().map(|decl| decl.kind) {
        Some(DeclKind::Function(function)) => {
            function.body.stmts.into_iter().map(|stmt| stmt.kind).collect()
        }
        other => panic!("no function but {other:?}"),
    }
}

#[track_caller]
fn expr(text: &str) -> ExprKind {
    match statements(&format!("{text};")).into_iter().next() {
        Some(StmtKind::Expr(expr)) => expr.kind,
        other => panic!("`{text}` is no expression but {other:?}"),
    }
}

fn is_declaration(text: &str) -> bool {
    matches!(statements(text).first(), Some(StmtKind::Decl(_)))
}

/// The parts of the first declarator of a declaration, in short.
#[track_caller]
fn shape(text: &str) -> String {
    let tree = parse_clean(text, text);
    let Some(DeclKind::Vars(vars)) = tree.decls.into_iter().last().map(|decl| decl.kind) else {
        panic!("`{text}` declares no variable");
    };
    let parts = vars.declarators.into_iter().next().map(|first| first.declarator.parts);
    let short = |part: &Part| match part {
        Part::Pointer(pointer) => match pointer.sigil {
            Sigil::Star => "pointer",
            Sigil::At => "at",
            Sigil::Question => "fat",
        },
        Part::Array(_) => "array",
        Part::Function(_) => "function",
    };
    parts.unwrap_or_default().iter().map(short).collect::<Vec<_>>().join(" ")
}

#[test]
fn declarators_read_from_the_name_outwards() {
    assert_eq!(shape("int x;"), "");
    assert_eq!(shape("int *x[3];"), "array pointer");
    assert_eq!(shape("int (*x)[3];"), "pointer array");
    assert_eq!(shape("int *(*x)(int);"), "pointer function pointer");
    assert_eq!(shape("void (*signal(int, void (*)(int)))(int);"), "function pointer function");
    assert_eq!(shape("char ?@x;"), "at fat");
    assert_eq!(shape("int (@(*x[2])(void))[5];"), "array pointer function at array");
}

#[test]
fn what_follows_a_name_decides_between_declaration_and_expression() {
    for text in [
        "T *x;",
        "T x;",
        "T (x);",
        "list_t<int> l;",
        "list_t<int> @l;",
        "`a v = p;",
        "_ v = p;",
        "N::nt v;",
        "$(int, int) t = $(1, 2);",
        "unknown_t x;",
        "unknown_t *x = 0;",
        "T ?x;",
        "unknown_t @x;",
        "unknown<`r> x;",
        "int f(int);",
        "struct S s;",
        "__extension__ int x;",
        "$(_, T) t = p;",
        "const T x;",
        "T f(T);",
        "T x, *y;",
    ] {
        assert!(is_declaration(text), "{text}");
    }
    for text in [
        "a * b;",
        "a(b);",
        "(T)a;",
        "N::v;",
        "$(1, 2);",
        "a < b;",
        "a ? b : c;",
        "T(1, 2).x;",
        "unknown(a);",
        "unknown * a + 1;",
        "*p = a;",
        "alias = 1;",
        "open(a);",
        "a = b;",
        "__extension__ a;",
        "-a;",
    ] {
        assert!(!is_declaration(text), "{text}");
    }
}

#[test]
fn a_parameter_hides_a_type() {
    let tree = parse_clean("hiding", "typedef int T; int f(int T) { T * T; return T(3); } T x;");
    let Some(DeclKind::Function(function)) = tree.decls.get(1).map(|decl| &decl.kind) else {
        panic!("no function");
    };
    assert!(matches!(function.body.stmts[0].kind, StmtKind::Expr(_)));
}

#[test]
fn parentheses_hold_types_or_values() {
    assert!(matches!(expr("(T)(a)"), ExprKind::Cast(..)));
    assert!(matches!(expr("(T)-a"), ExprKind::Cast(..)));
    assert!(matches!(expr("(a)-b"), ExprKind::Binary(BinaryOp::Sub, ..)));
    assert!(matches!(expr("(T){1}"), ExprKind::Compound(..)));
    assert!(matches!(expr("(T (*)(int))p"), ExprKind::Cast(..)));
    assert!(matches!(expr("(T(1, 2))"), ExprKind::Paren(_)));
    assert!(matches!(expr("(T{1})"), ExprKind::Paren(_)));
    assert!(matches!(expr("(unknown_t *)p"), ExprKind::Cast(..)));
    assert!(matches!(expr("sizeof(T)"), ExprKind::SizeofType(_)));
    assert!(matches!(expr("sizeof(a)"), ExprKind::SizeofExpr(_)));
    assert!(matches!(expr("sizeof(T) * 2"), ExprKind::Binary(BinaryOp::Mul, ..)));
}

#[test]
fn angle_brackets_compare_unless_an_at_stands_before_them() {
    let compare = expr("f(a < b, c > (d))");
    assert!(matches!(compare, ExprKind::Call(_, args) if args.len() == 2));
    assert!(matches!(expr("f@<T>(a)"), ExprKind::Call(callee, _)
        if matches!(callee.kind, ExprKind::Instantiate(..))));
    assert!(matches!(expr("f@<list_t<list_t<T>>>"), ExprKind::Instantiate(..)));
    assert!(matches!(expr("f<>"), ExprKind::Polymorphic(_)));
    assert!(matches!(expr("a >> b"), ExprKind::Binary(BinaryOp::Shr, ..)));
}

#[test]
fn a_number_after_a_dot_is_a_field() {
    let ExprKind::TupleMember(inner, false, 2, _) = expr("a.1.2") else { panic!("no field") };
    assert!(matches!(inner.kind, ExprKind::TupleMember(_, false, 1, _)));
    assert!(matches!(expr("p->0"), ExprKind::TupleMember(_, true, 0, _)));
    assert!(matches!(expr("f(a).1"), ExprKind::TupleMember(..)));
    assert!(matches!(expr("a + .5"), ExprKind::Binary(..)));
}

#[test]
fn operators_bind_as_in_c() {
    let source = "a = b ? c : d || a && b | c ^ d & a == b < c << d + a * -b";
    let mut kind = expr(source);
    let mut seen = Vec::new();
    loop {
        kind = match kind {
            ExprKind::Assign(_, _, right) => right.kind,
            ExprKind::Cond(_, _, right) => right.kind,
            ExprKind::Binary(op, _, right) => {
                seen.push(op);
                right.kind
            }
            _ => break,
        };
    }
    use BinaryOp::*;
    assert_eq!(seen, [Or, And, BitOr, BitXor, BitAnd, Eq, Lt, Shl, Add, Mul]);
    let ExprKind::Binary(Sub, left, _) = expr("a - b - c") else { panic!("no difference") };
    assert!(matches!(left.kind, ExprKind::Binary(Sub, ..)));
}

#[test]
fn new_takes_all_but_assignments() {
    assert!(matches!(expr("new a + b"), ExprKind::New(new)
        if matches!(new.init.kind, ExprKind::Binary(..)) && new.handle.is_none()));
    assert!(matches!(expr("rnew(a) {for i < b : i}"), ExprKind::New(new)
        if matches!(new.init.kind, ExprKind::Comprehension(_)) && new.handle.is_some()));
    assert!(matches!(expr("p = new a"), ExprKind::Assign(None, _, right)
        if matches!(right.kind, ExprKind::New(_))));
}

#[test]
fn quotes_make_type_variables_or_characters() {
    assert!(matches!(expr("'a'"), ExprKind::Char(_)));
    assert!(matches!(expr("f('a', 'b')"), ExprKind::Call(..)));
    assert!(is_declaration("'a v = p;"));
    assert!(is_declaration("list_t<'a> *'r v = p;"));
    assert!(matches!(expr("L'x'"), ExprKind::Char(_)));
}

#[test]
fn patterns_have_their_forms() {
    let pattern = |text: &str| -> PatternKind {
        let mut stmts = statements(&format!("switch (a) {{ case {text}: return 1; }}"));
        match stmts.pop() {
            Some(StmtKind::Switch(mut switch)) => match switch.clauses.pop() {
                Some(Clause { pattern: Some(pattern), .. }) => pattern.kind,
                other => panic!("`{text}` is {other:?}"),
            },
            other => panic!("`{text}` is {other:?}"),
        }
    };
    assert!(matches!(pattern("_"), PatternKind::Wildcard));
    assert!(matches!(pattern("x"), PatternKind::Name(_)));
    assert!(matches!(pattern("N::X"), PatternKind::Name(_)));
    assert!(matches!(pattern("x as y"), PatternKind::As(..)));
    assert!(matches!(pattern("*x"), PatternKind::Location(_, None)));
    assert!(matches!(pattern("*x as &C"), PatternKind::Location(_, Some(_))));
    assert!(matches!(pattern("x<`i>"), PatternKind::Tag(..)));
    assert!(matches!(pattern("T x"), PatternKind::Typed(..)));
    assert!(matches!(pattern("alias<`r> int *`r x"), PatternKind::Alias(..)));
    assert!(matches!(pattern("A + 1"), PatternKind::Const(_)));
    assert!(matches!(pattern("-1"), PatternKind::Const(_)));
    assert!(matches!(pattern("1 ... 3"), PatternKind::Range(..)));
    assert!(matches!(pattern("'a' .. 'z'"), PatternKind::Range(..)));
    assert!(matches!(pattern("\"s\""), PatternKind::Str(_)));
    assert!(matches!(pattern("NULL"), PatternKind::Null));
    assert!(matches!(pattern("&C"), PatternKind::Pointer(_)));
    assert!(matches!(pattern("$(_, x, ...)"), PatternKind::Tuple(list) if list.rest.is_some()));
    assert!(matches!(pattern("C<`a>(x, ...)"), PatternKind::Construct(c)
        if c.exists.len() == 1 && c.args.items.len() == 1 && c.args.rest.is_some()));
    assert!(matches!(pattern("S{<`r> .x = y}"), PatternKind::Struct(s)
        if s.exists.len() == 1 && s.fields.len() == 1));
    assert!(matches!(pattern("{.f = 1}"), PatternKind::Struct(s) if s.name.is_none()));
}

#[test]
fn cases_have_guards_and_share_bodies() {
    let stmts = statements("switch a { case 1: case 2 && b > c: f(); default: break; }");
    let Some(StmtKind::Switch(switch)) = stmts.first() else { panic!("no switch") };
    let clauses = &switch.clauses;
    assert_eq!(clauses.len(), 3);
    assert!(clauses[0].body.is_empty() && clauses[0].guard.is_none());
    assert!(clauses[1].guard.is_some() && clauses[1].body.len() == 1);
    assert!(clauses[2].pattern.is_none());
}

#[test]
fn c_code_may_use_our_words_as_names() {
    let source = "extern \"C\" { int new; struct region { int try; }; int let(int using);
        void *malloc(unsigned long); static inline int f(struct region *r) { return let(new) + r->try; } }";
    parse_clean("C", source);
    let (_, diagnostics) = parse("int new; int f(int let);");
    let found: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(found, ["E0108", "E0108"]);
}

#[test]
fn line_markers_of_system_headers_make_c_code() {
    parse_clean("header", "# 1 \"x.h\" 1 3\nint new, try;\n# 2 \"a.cyc\" 2\nint x;\n");
    let (_, diagnostics) = parse("# 1 \"x.h\" 1 3\nint x;\n# 2 \"a.cyc\" 2\nint new;\n");
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn namespaces_scope_their_types() {
    let source = "namespace N { typedef int t; namespace M { typedef int u; } }
        N::t a; N::M::u b; ::N::t c; using N { t d; M::u e; } namespace N { t again; }
        int f(int t) { t * a; { using N; t *x; } t * a; using N { t *y; } t * a; }";
    let tree = parse_clean("namespaces", source);
    let Some(DeclKind::Function(function)) = tree.decls.last().map(|decl| &decl.kind) else {
        panic!("no function");
    };
    let stmts = &function.body.stmts;
    assert!(matches!(stmts[0].kind, StmtKind::Expr(_)));
    assert!(matches!(&stmts[1].kind, StmtKind::Block(block)
        if matches!(block.stmts[1].kind, StmtKind::Decl(_))));
    assert!(matches!(stmts[2].kind, StmtKind::Expr(_)));
    assert!(matches!(&stmts[3].kind, StmtKind::Block(block)
        if matches!(block.stmts[1].kind, StmtKind::Decl(_))));
    assert!(matches!(stmts[4].kind, StmtKind::Expr(_)));
}

#[test]
fn pragmas_are_kept_in_order() {
    let tree = parse_clean("pragmas", "#pragma once\nint x;\n#pragma tenure cyclone1\n");
    let texts: Vec<&str> = tree.pragmas.iter().map(|pragma| pragma.text.as_str()).collect();
    assert_eq!(texts, ["once", "tenure cyclone1"]);
}
