//! Regions: where pointers may go, and what must be live.

use crate::check;

#[test]
fn a_pointer_does_not_outlive_its_object() {
    check("int *f(void) { int x = 1; return &x; } //~ E0501");
    check("int *g;\nvoid f(void) { int x = 1; g = &x; } //~ E0501");
    check("int *f(int x) { return &x; } //~ E0501");
    check("int *f(void) { static int x; return &x; }");
    check("struct S { int *p; };\nstruct S f(int *q) { return S(q); } //~ E0501");
    check("void f(void) { int *p; { int x = 1; p = &x; } } //~ E0502");
    check("int ?f(void) { int a[3] = {1}; return a; } //~ E0501");
    check("int *f(void) { return (int[]){1, 2}; } //~ E0501");
}

#[test]
fn one_temporary_serves_several_regions() {
    check(
        "int both(int *p, int *q) { int *t = p; t = q; return t ? *t : 0; }
         int sum(int *p, int *q) { int n = 0; int *t; t = p; n = t ? *t : 0; t = q; return n; }
         int f(int *p) { int x = 1; p = &x; return p ? *p : 0; }",
    );
    check("int *`r f(int *`r p, int *`s q) { int *t = p; t = q; return t; } //~ E0501");
}

#[test]
fn order_does_not_matter_to_inference() {
    check("int f(void) { let p = NULL; int x = 1; p = &x; p = new 2; return *p; }");
    check("int *f(void) { let p = NULL; int x = 1; p = new 2; p = &x; return p; } //~ E0501");
}

#[test]
fn a_region_of_its_own_block_only() {
    check(
        "int f(void) {
           int *p = NULL;
           for (int i = 0; i < 3; i++) { int x = i; p = &x; } //~ E0502
           return p ? *p : 0;
         }",
    );
    check("int f(void) { int *p = NULL; { region h; p = rnew(h) 1; } return 0; } //~ E0502");
    check("int f(void) { region h; int *p = rnew(h) 1; int *q = p; return q ? *q : 0; }");
}

#[test]
fn bounds_are_assumed_inside_and_proved_outside() {
    check("void f(int *`r *`s p, int *`t q : {`t} > `r) { *p = q; }");
    check("void f(int *`r *`s p, int *`t q) { *p = q; } //~ E0501");
    check("int *`c f(int *`a p, int *`b q, int *`c r : {`a} > `b, {`b} > `c) { return p; }");
    check(
        "void put(int *`r *`s p, int *`t q : {`t} > `r) { *p = q; }
         int *g;
         void f(void) { int x = 1; int *h = NULL; put(&h, &x); put(&h, g); put(&g, h); } //~ E0504",
    );
}

#[test]
fn what_a_parameter_points_to_outlives_it() {
    check(
        "struct Node<`r> { int v; struct Node<`r> *`r next; };
         int sum(struct Node *l) { int t = 0; for (; l; l = l->next) t += l->v; return t; }
         int f(void) {
           region h;
           struct Node *l = rnew(h) Node(1, NULL);
           { struct Node first = Node(2, l); return sum(&first) + sum(l); }
         }",
    );
}

#[test]
fn hidden_regions_are_live_by_their_bounds() {
    check(
        "struct Cell<`r> { <`s> : {`s} > `r  int *`s p; };
         int get(struct Cell<`r> @`r c) { let &Cell{<`s> p} = c; return p ? *p : 0; }",
    );
    check(
        "struct Cell { <`s::R> int *`s p; };
         int get(struct Cell @c) { let &Cell{<`s> p} = c; return p ? *p : 0; } //~ E0503",
    );
}

#[test]
fn hidden_types_and_numbers_do_not_leave() {
    check(
        "struct Cell { <`e> int (@f)(`e); `e v; };
         int f(struct Cell a, struct Cell b) {
           let x;
           { let Cell{<`e> g, v} = a; x = v; } //~ E0507
           let Cell{<`e> g, v} = b;
           return g(v);
         }",
    );
    check(
        "struct Buf { <`n::I> tag_t<`n> n; int @{valueof(`n)} p; };
         int f(struct Buf @{2} all) {
           let x;
           for (int i = 0; i < 2; i++) {
             let Buf{<`n> n, p} = all[i];
             x = n; //~ E0507
           }
           return 0;
         }",
    );
}

#[test]
fn facts_of_an_opened_value_are_not_kept() {
    check(
        "struct Proof<`r,`s> { <`e> : {`r} > `s  `e v; };
         void f(struct Proof<`r,`s> @x, int *`r p, int *`s @q) {
           { let &Proof{<`e> v} = x; }
           *q = p; //~ E0501
         }",
    );
}

#[test]
fn an_effect_says_what_is_live() {
    check("int f(int *`r p; {}) { return p ? *p : 0; } //~ E0503");
    check("int f(int *`r p; {`r}) { return p ? *p : 0; }");
    check("`b app(`b (@f)(`a), `a x) { return f(x); }\nint one(int *p) { return p ? *p : 0; }\nint g(void) { int x = 1; return app(one, &x); }");
}
