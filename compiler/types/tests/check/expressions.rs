//! Expressions: operators, accesses, calls, allocation, conversions at them.

use super::check;

#[test]
fn ordinary_c_is_accepted() {
    check(
        r"
struct P { int x; int y; };
enum E { A, B = 5 };
static int tab[4] = {1, 2, [3] = 7};
int add(int a, int b) { return a + b; }
int sum(int ?p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}
int f(struct P *p) { p->x++; return p->x + p->y; }
int main(void) {
  struct P p = {.y = 2, .x = 1};
  int a[3] = {1, 2, 3};
  int t = add(f(&p), sum(a, 3));
  while (t > 0) { t -= 3; if (t == 2) break; }
  do { t++; } while (t < 3);
  switch (t) { case A: t = 1; break; case B: case 7: t = 2; break; default: t = 3; }
  int ?q = a;
  q++;
  t = *q + q[1] + tab[2];
  return t > 3 ? t : -t;
}",
    );
}

#[test]
fn operators_want_fitting_operands() {
    check("int f(double x) { return x % 2; } //~ E0322");
    check("`a f(`a x) { return x + 1; } //~ E0322");
    check("int f(int *p, int n) { return p == n; } //~ E0324");
    check("int f(int *p, double *q) { return p == q; } //~ E0325");
    check("int f(int *p, int n) { return p == 0 || n == 'a' || !p; }");
    check("void g(void); int f(void) { return 1 + g(); } //~ E0354");
    check("void f(int a, long b) { a :=: b; } //~ E0326");
    check("int f(int x) { return x->y; } //~ E0432");
}

#[test]
fn arithmetic_needs_bounds() {
    check("int f(int *p) { return *(p + 1); } //~ E0430");
    check("void f(int *p) { p++; } //~ E0430");
    check("void f(int *p) { p += 2; } //~ E0430");
    check("int f(int *p, int i) { return p[i]; } //~ E0435");
    check("int f(int *p) { return p[0]; }");
    check("int f(int ?p) { p++; p += 2; return *(p + 1) + p[-1]; }");
    check("int f(void) { int a[3] = {1, 2, 3}; return *(a + 1); }");
    check("long f(int ?p, int ?q) { return p - q; }");
    check("char f(char *s) { s++; return *s; }");
    check("void *f(void *p) { return p + 1; } //~ E0431");
}

#[test]
fn places_that_may_not_change_are_not_stored_to() {
    check("void f(const int *p) { *p = 3; } //~ E0328");
    check("void f(int a) { a + 1 = 3; } //~ E0327");
    check("void f(void) { int a[2], b[2]; a = b; } //~ E0327");
    check("struct S { const int x; }; void f(struct S *a, struct S *b) { *a = *b; } //~ E0328");
    check("int f(const struct S { int a[2]; } *s) { s->a[0] = 1; return 0; } //~ E0328");
    check("int f(tag_t n, int p[n]) { n += 1; return 0; } //~ E0328");
    check("void f(void) { const char *s = \"abc\"; s[0] = 'x'; } //~ E0328");
}

#[test]
fn addresses_do_not_outlive_their_objects() {
    check("int *f(void) { int x = 1; return &x; } //~ E0501");
    check("int *f(int x) { return &x; } //~ E0501");
    check("int *f(void) { static int x; return &x; }");
    check("static int *g; void f(void) { int x; g = &x; } //~ E0501");
    check("int *f(void) { return &(int){3}; } //~ E0501");
    check("int *f(int c) { int x = 3; return c ? &x : NULL; } //~ E0501");
    check("$(int *, int) f(void) { int x = 1; return $(&x, 2); } //~ E0501");
    check("struct S { int *p; }; struct S f(void) { int x; return S(&x); } //~ E0501");
    check("static int ?g; void f(... int xs) { g = xs; } //~ E0501");
    check(
        "struct S { char a[4]; }; struct S mk(void); static char ?g;
void f(void) { g = mk().a; } //~ E0501",
    );
}

#[test]
fn unions_are_read_where_bits_are_values() {
    check("union U { int *p; long n; }; int f(union U u) { return *u.p; } //~ E0436");
    check("union U { int *p; long n; }; long f(union U u) { u.p = NULL; return u.n; }");
    check(
        "union U { float x; unsigned n; }; unsigned f(float x) { union U u; u.x = x; return u.n; }",
    );
    check("@tagged union U { int *p; long n; }; int f(union U u) { return *u.p; }");
    check("@tagged union U { int *p; long n; }; int **f(union U *u) { return &u->p; } //~ E0438");
    check(
        "@tagged union U { int *p[2]; long n; }; void f(union U *u) { int **q = u->p; } //~ E0438",
    );
    check("@tagged union U { int i; float d; }; int *f(union U *`H u) { return &u->i; }");
}

#[test]
fn one_error_for_each_mistake() {
    check("int f(int x) { int y = g(x); return y + z; } //~ E0201 //~ E0201");
    check("int f(int x) { let y = unknown; y.a = y->b + y[3]; return *y; } //~ E0201");
    check("struct P { int x; }; `a id(`a x); int f(struct P p) { return id(p).x; } //~ E0305");
}

#[test]
fn calls_want_their_arguments() {
    check("int add(int a, int b); int f(void) { return add(1); } //~ E0333");
    check("int add(int a, int b); int f(void) { return add(1, 2, 3); } //~ E0333");
    check("int f(int x) { return x(1); } //~ E0334");
    check("`a id(`a x); int f(void) { return id@<int>(1) + *id(new 3); }");
    check("int one(void); int f(void) { return one@<int>(); } //~ E0335");
    check("extern \"C\" int sys(int n, ...); struct S { int x; }; int f(struct S s) { return sys(1, s); } //~ E0801");
}

#[test]
fn allocation_knows_what_it_makes() {
    check("int *f(void) { return malloc(sizeof(int)); }");
    check("int ?f(int n) { return malloc(n * sizeof(int)); }");
    check("int ?f(int n) { return calloc(n, sizeof(int)); }");
    check("char ?f(int n) { return malloc(n); }");
    check("struct E { }; struct E ?f(int n) { return malloc(n + 8); } //~ E0441");
    check("int @`r f(region_t<`r> h) { return rnew(h) 3; }");
    check("int *f(void) { region h; return rnew(h) 3; } //~ E0501");
    check("int *f(int x) { return rnew(x) 3; } //~ E0520");
    check("struct N { int @p; }; struct N *f(void) { return malloc(sizeof(struct N)); } //~ E0440");
    check("void f(void) { int *p = malloc(sizeof(*p)); free(p); }");
    check("void f(void) { int x; free(&x); } //~ E0501");
}

#[test]
fn literals_take_their_place() {
    check("char ?f(void) { return \"abc\"; }");
    check("const char *f(int c) { return c ? \"abc\" : \"d\"; }");
    check("_Static_assert(sizeof(\"abc\") == 4 && sizeof 'a' == 4 && sizeof 1L == 8, \"\");");
    check("_Static_assert(_Generic(1u, int: 0, unsigned: 1) && 0x80000000 > 0, \"\");");
    check("int f(float x) { return _Generic(x, int: 1, double: 2); } //~ E0338");
}

#[test]
fn what_c_leaves_unchecked_is_refused() {
    check("int f(int n) { return __builtin_va_arg(n, int); } //~ E0442");
    check("void *f(void) { return &&end; end: return NULL; } //~ E0720");
    check("int f(int x) { return ({ x; }); } //~ E0802");
    check("double *f(int *p) { return (double *)p; } //~ E0301");
    check("int *f(long n) { return (int *)n; } //~ E0405");
    check("struct B { int a : 3; }; int *f(struct B *b) { return &b->a; } //~ E0433");
}
