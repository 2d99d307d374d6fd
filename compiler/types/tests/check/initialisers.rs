//! Initialisers.

use super::check;

#[test]
fn designators_and_elided_braces_find_their_parts() {
    check(
        r#"
struct In { int x; int y; };
struct Out { struct In a; int b[3]; char s[4]; };
struct Out o = {1, 2, {3, 4}, "abc"};
struct Out p = {{1}, .b[1] = 5, .s = {'a'}};
struct Out q = {.b = {[0 ... 2] = 7}, .a.y = 3};
int grid[2][2] = {1, 2, 3, 4};
int auto_len[] = {[5] = 1, 2};
_Static_assert(sizeof(auto_len) == 7 * sizeof(int), "");
char text[] = "hello";
_Static_assert(sizeof(text) == 6, "");
union U { int i; double d; } u = {.d = 1.5};
struct { int : 4; int a : 4; int b; } bits = {1, 2};
int squares[4] = {for i < 4 : 3};
"#,
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    check("int a[2] = {1, 2, 3}; //~ E0344");
    check("int a[2] = {[2] = 1}; //~ E0348");
    check("int a[2] = {[5000000000] = 1}; //~ E0348");
    check("struct S { int x; } s = {.y = 1}; //~ E0309");
    check("int x = {1, 2}; //~ E0343");
    check("char a[2] = \"abc\"; //~ E0341");
    check("int a[4] = {for i < 3 : 0}; //~ E0342");
    check("struct S { int n; char d[]; }; void f(void) { struct S s = {1, 'a'}; } //~ E0346");
    check("struct S { int x; struct { int y; int z; } t; int w; } s = {.t.y = 1, 2, 3};");
    check("struct S { int y; int z; } s[2] = {[0 ... 1].y = 1, 2}; //~ E0345");
}

#[test]
fn what_is_left_out_must_have_a_zero() {
    check("struct S { int x; int @p; }; void f(void) { struct S s = {1}; } //~ E0349");
    check("struct S { int x; int *p; }; void f(void) { struct S s = {1}; }");
    check("static int x; int @a[2] = {&x}; //~ E0349");
    check("static int x; int @a[2] = {&x, &x};");
}

#[test]
fn static_objects_have_constant_initialisers() {
    check("int now(void); int x = now(); //~ E0353");
    check("int a; int b = a; //~ E0353");
    check("int a[3]; int *p = &a[1]; int ?q = a; const char ?s = \"abc\";");
    check("int f(int x) { static int y = x; return y; } //~ E0353");
    check("int *p = new 3; //~ E0353");
}

#[test]
fn zero_terminated_arrays_end_in_zero() {
    check("void f(void) { char a[3] @zeroterm = {'a', 'b', 'c'}; } //~ E0443");
    check("void f(void) { char a[3] @zeroterm = {'a', 'b', 0}; }");
    check("void f(void) { char a[3] @zeroterm = \"abc\"; } //~ E0341");
}
