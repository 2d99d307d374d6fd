//! Names, declarations and the conversion of types.

use crate::check;

#[test]
fn redeclarations_agree() {
    check("int f(int *p);\nint f(int *q);\nint g(int);\nlong g(int); //~ E0208");
    check("extern int x;\nint x;\nint x = 1;\nint x = 2; //~ E0236");
    check("typedef int t;\ntypedef int t;\ntypedef long t; //~ E0208");
    check("static int f(void);\nint f(void) { return 1; }\nint g(void);\nstatic int g(void); //~ E0225");
    check("int f(int *`r p, int *`s q);\nint f(int *p, int *q);");
    check("void f(void) __attribute__((noreturn));\nvoid f(void);");
}

#[test]
fn inner_scopes_hide_outer_ones() {
    check(
        "typedef int t;
         int f(void) { char t = 1; { typedef long t; t x = 2; t y = x; } return t; }
         struct S { int a; };
         int g(void) { struct S { char *b; }; struct S s = {NULL}; return s.b == NULL; }
         int h(struct S @s) { return s->a; }",
    );
    check("int f(void) { int x = 1; int x = 2; return x; } //~ E0241");
}

#[test]
fn a_struct_first_named_in_a_prototype_belongs_to_the_file() {
    check("int f(struct S @s);\nstruct S { int x; };\nint f(struct S @s) { return s->x; }");
}

#[test]
fn a_namespace_sees_its_own_names_first() {
    check(
        "namespace A { int f(void); }
         namespace B { using A; int f(int); int g(void) { return f(1); } }
         int h(void) { return A::f() + ::B::f(2); }",
    );
    check("namespace A { int x; }\nusing A { int f(void) { return x; } }\nint g(void) { return x; } //~ E0201");
}

#[test]
fn a_definition_mentions_its_own_variables_only() {
    check("void f(`a x) { struct S { `a v; }; } //~ E0205");
    check("void f(`a x) { struct S<`b> { `b v; }; struct S<`a> s = {x}; }");
    check("datatype T<`a> { A(`a, `b); }; //~ E0205");
}

#[test]
fn kinds_follow_from_uses() {
    check(
        "struct List<`a,`r> { `a hd; struct List<`a,`r> *`r tl; };
         typedef struct List<`a,`r> *`r list_t<`a,`r>;
         int length(list_t<`a,`r> l) { int n = 0; for (; l; l = l->tl) n++; return n; }",
    );
    check("struct S<`r::R> { int *`r p; };\nint f(struct S<int> s); //~ E0206");
    check("struct S<`r::R>;\nstruct S<`r::B> { `r v; }; //~ E0206");
}

#[test]
fn sizes_are_those_of_gcc() {
    check(
        "struct A { char c; long l; short s; };
         struct B { int a : 3; int b : 30; char c; };
         struct __attribute__((packed)) C { char c; int i; };
         union U { char c[5]; int i; };
         enum E { X = 1 }; enum F { Y = -1 }; enum G { Z = 0x100000000 };
         _Static_assert(sizeof(struct A) == 24, \"\");
         _Static_assert(sizeof(struct B) == 12, \"\");
         _Static_assert(sizeof(struct C) == 5, \"\");
         _Static_assert(sizeof(union U) == 8, \"\");
         _Static_assert(sizeof(enum E) == 4 && sizeof(enum G) == 8, \"\");
         _Static_assert(sizeof(int ?) == 16 && sizeof(int *) == 8, \"\");
         _Static_assert(sizeof(long double) == 16 && _Alignof(double) == 8, \"\");
         _Static_assert((enum F)-1 < 0 && (unsigned char)300 == 44, \"\");
         _Static_assert(-1 > 0u && (1 ? -1 : 0u) > 0, \"\");
         _Static_assert(__builtin_offsetof(struct A, s) == 16, \"\");",
    );
    check("_Static_assert(sizeof(int) == 8, \"no\"); //~ E0311");
}

#[test]
fn array_parameters_are_pointers() {
    check(
        "int f(int a[], int b[4], int n, int c[n], tag_t m, int d[m]);
         int g(int ?p, int @{4} q, int @{8} r) { return f(p, q, 3, p, 8, r); }",
    );
    check(
        "int f(tag_t<`n> n, int p[valueof(`n)]);\nint g(int @{3} p) { return f(4, p); } //~ E0404",
    );
}

#[test]
fn incomplete_types_are_no_objects() {
    check("struct S;\nstruct S *p;\nstruct S s; //~ E0210");
    check("struct S { struct S s; }; //~ E0210");
    check("void x; //~ E0210");
    check("struct S<`a::A> { `a v; }; //~ E0210");
    check("datatype T { A; };\nvoid f(datatype T @p) { let x = *p; } //~ E0306");
}

/// Structs of two structs of two structs: twice the members at each level.
#[test]
fn a_tower_of_structs_has_as_many_members_as_can_be_visited() {
    let levels = |count: usize| {
        let level = |n| format!("struct S{n} {{ struct S{0} a; struct S{0} b; }};", n - 1);
        let levels: Vec<String> = (1..=count).map(level).collect();
        format!("struct S0 {{ int a; int b; }};\n{}", levels.join("\n"))
    };
    check(&format!(
        "{}\nvoid f(struct S11 @p, struct S11 @q) {{ *p = *q; struct S11 @x = new S11{{}}; *x = *p; }}",
        levels(11)
    ));
    check(&format!("{} //~ E0246", levels(12)));
}

#[test]
fn no_type_is_defined_inside_itself() {
    check("struct L { struct L { int a; } to; }; //~ E0209\nint f(struct L *p) { return p->a; }");
    check("struct L { struct L { int a; }; int b; }; //~ E0209");
    check("datatype T { A(struct S { datatype T { B; } *t; } *); }; //~ E0209");
    check("struct L { struct L *next; struct M { struct L *to; } m; };");
}

#[test]
fn declarations_of_c_headers_need_a_safe_type() {
    check(
        "extern \"C\" include {
           int plain(int);
           char *text(void);
           int rest(const char *, ...);
           static int twice(int x) { return 2 * x; }
         }
         int f(void) { return plain(1) + twice(2); }
         int g(void) { return text() == 0; } //~ E0801
         int h(void) { return rest(0, 1); } //~ E0801",
    );
    check(
        "extern \"C\" include { char *text(void); } cyclone_override { const char *text(void); }
         int f(void) { return text() == NULL; }",
    );
}

#[test]
fn types_that_outlast_a_body_are_settled() {
    check("typedef typeof(1 + 1L) t;\nt x = 3;\ntypedef typeof(NULL) u; //~ E0314");
    check("int f(int @p) { typedef typeof(*p) t; t x = 1; struct S { t y; }; struct S s = {x}; return s.y; }");
}

#[test]
fn main_has_few_types() {
    check("int main(void) { return 0; }");
    check("int main(int argc, char **argv) { return argv[0] == NULL; }");
    check("int main(int argc, const char ??argv) { return 0; }");
    check("long main(char c) { return 0; } //~ E0239");
}
