//! Statements, jumps, patterns.

use super::check;

const SHAPE: &str = "datatype Shape { Circle(int); Square(int, int); Dot; };\n";

fn check_shape(text: &str) {
    check(&format!("{SHAPE}{text}"));
}

#[test]
fn a_switch_names_every_case() {
    check_shape("int f(datatype Shape @s) { switch (s) { case &Circle(r): return r; case &Square(a, b): return a * b; case &Dot: return 0; } }");
    check_shape("int f(datatype Shape @s) { switch (s) { case &Circle(r): return r; case &Dot: return 0; } } //~ E0601");
    check_shape("int f(datatype Shape *s) { switch (s) { case &Circle(_): return 1; case &Square(...): return 2; case &Dot: return 3; } } //~ E0601");
    check("int f(int x) { switch (x) { case 1: return 1; } return 0; } //~ E0601");
    check(
        "enum E { A, B }; int f(enum E e) { switch (e) { case A: return 1; } return 0; } //~ E0601",
    );
    check("enum E { A, B }; int f(enum E e) { switch (e) { case A: return 1; case B: return 2; } return 0; }");
    check("int f(_Bool a, _Bool b) { switch $(a, b) { case $(0, _): return 1; case $(_, 0): return 2; case $(1, 1): return 3; } }");
    check("int f(const char ?s) { switch (s) { case \"a\": return 1; case NULL: return 2; default: return 3; } }");
}

#[test]
fn a_useless_case_is_said() {
    check("int f(int x) { switch (x) { case 1 ... 9: return 1; case 5: return 2; default: return 3; } } //~ W0602");
    check("int f(int @p) { switch (p) { case NULL: return 1; case &x: return x; } } //~ W0601");
}

#[test]
fn no_clause_falls_into_the_next_by_itself() {
    check("int f(int x) { switch (x) { case 1: x = 2; default: return x; } } //~ E0701");
    check("int f(int x) { switch (x) { case 1: x = 2; fallthru; default: return x; } }");
    check("int f(int x) { switch (x) { case 1: for (;;) { } default: return x; } }");
    check(
        "int f(int x) { switch (x) { case 1: for (;;) { break; } default: return x; } } //~ E0701",
    );
    check("int f(int x) { switch (x) { case 1: case 2: return 3; default: return x; } }");
    check("int f(int x) { switch (x) { default: x++; fallthru; } return x; } //~ E0708");
    check_shape("int f(datatype Shape @s) { switch (s) { case &Circle(r): fallthru(r, 1); case &Square(a, b): return a * b; case &Dot: return 0; } }");
    check_shape("int f(datatype Shape @s) { switch (s) { case &Circle(r): fallthru; case &Square(a, b): return a * b; case &Dot: return 0; } } //~ E0709");
}

#[test]
fn default_may_stand_anywhere_among_constants() {
    check("int f(int x) { switch (x) { default: return 1; case 5: return 2; } }");
    check("int f(int x) { switch (x) { default: return 1; default: return 2; } } //~ E0614");
    check_shape("int f(datatype Shape @s) { switch (s) { default: return 1; case &Dot: return 2; } } //~ E0603 //~ W0602");
}

#[test]
fn jumps_go_where_nothing_is_skipped() {
    check("void f(int x) { if (x) goto in; region h; in: return; } //~ E0706");
    check("void f(int x) { goto in; try { in: ; } catch { case _: return; } } //~ E0706");
    check("void f(int x) { goto nowhere; } //~ E0705");
    check("void f(int x) { a: x++; a: x--; } //~ E0704");
    check("void f(int x) { again: if (x--) goto again; }");
    check("void f(void) { break; } //~ E0702");
    check("void f(int x) { switch (x) { default: continue; } } //~ E0702");
    check("int f(void) { return; } //~ E0703");
    check("void f(void) { return 1; } //~ E0703");
}

#[test]
fn patterns_fit_what_they_match() {
    check("int f(int x) { switch (x) { case &y: return 1; default: return 0; } } //~ E0608");
    check_shape("int f(datatype Shape @s) { switch (s) { case Dot: return 1; default: return 0; } } //~ E0608");
    check_shape("int f(datatype Shape @s) { switch (s) { case &Oval(r): return r; default: return 0; } } //~ E0604");
    check_shape("int f(datatype Shape @s) { switch (s) { case &Square(a): return a; default: return 0; } } //~ E0609");
    check_shape("int f(datatype Shape @s) { switch (s) { case &Square(a, ...): return a; default: return 0; } }");
    check("int f(char c) { switch (c) { case 200: return 1; default: return 0; } } //~ E0605");
    check("struct P { int x; int y; }; int f(struct P p) { let P{.x = a, ...} = p; return a; }");
    check("struct P { int x; int y; }; int f(struct P p) { let P{a, b} = p; return a + b; }");
    check("struct P { int x[2]; }; int f(struct P p) { let P{a} = p; return 0; } //~ E0606");
}

#[test]
fn locations_in_patterns_stay_what_they_are() {
    check("struct P { int x; }; void f(struct P *p) { switch (p) { case &P{*x}: ++*x; break; case NULL: break; } }");
    check("@tagged union T { int i; int *p; }; void f(union T *t) { switch (*t) { case {.p = *q}: break; default: break; } } //~ E0438");
    check("@tagged union T { struct S { int *p; } s; long b; }; void f(union T *t) { let S{*x} = t->s; } //~ E0438");
    check("struct B { unsigned a : 3; }; void f(struct B @b) { let &B{*x} = b; } //~ E0433");
    check("struct E { <`a> `a x; }; void f(struct E @e) { let &E{<`a> *x} = e; } //~ E0438");
}

#[test]
fn hidden_types_do_not_mix() {
    let header = "struct S { <`a> : regions(`a) > `H `a x; int (@f)(`a); };\n";
    check(&format!("{header}int f(struct S s) {{ let S{{<`t> x, g}} = s; return g(x); }}"));
    check(&format!("{header}int f(struct S s, struct S t) {{ let S{{<`a> x, g}} = s; let S{{<`b> y, h}} = t; return g(y); }} //~ E0301"));
}

#[test]
fn memory_of_a_region_that_may_be_dead_is_not_measured() {
    let hidden = "struct S { <`r::R> char *`r s; };\n";
    check(&format!(
        "{hidden}void f(struct S v) {{ let S{{<`r> s}} = v; const char ?`r t = s; }} //~ E0503"
    ));
    check(&format!(
        "{hidden}void f(struct S v) {{ let S{{<`r> s}} = v; char *`r t = s + 1; }} //~ E0503"
    ));
    let live = "struct S { <`r::R> : {`r} > `H char *`r s; };\n";
    check(&format!("{live}void f(struct S v) {{ let S{{<`r> s}} = v; const char ?`r t = s; }}"));
}

#[test]
fn exceptions_are_thrown_by_pointer_and_caught_by_pattern() {
    let header = "@extensible datatype exn { Bad(int); };\n";
    check(&format!("{header}int f(int x) {{ try {{ throw new Bad(x); }} catch {{ case &Bad(n): return n; }} }}"));
    check(&format!("{header}void f(void) {{ throw Bad(1); }} //~ E0611"));
    check(&format!("{header}void f(void) {{ throw 3; }} //~ E0301"));
}
