//! Formats and injected arguments.

use super::check;

const PRINTF: &str = r"
datatype PrintArg<`r::R> { String_pa(const char ?`r); Int_pa(unsigned long); Double_pa(double); LongDouble_pa(long double);
  ShortPtr_pa(short @`r); IntPtr_pa(unsigned long @`r); };
typedef datatype PrintArg<`r> @`r parg_t<`r::R>;
datatype ScanfArg<`r::R> { IntPtr_sa(int @`r); LongPtr_sa(long @`r); StringPtr_sa(char ?`r); DoublePtr_sa(double @`r); };
typedef datatype ScanfArg<`r> @`r sarg_t<`r::R>;
int printf(const char ?fmt, ... inject parg_t<`r>) __attribute__((format(printf, 1, 2)));
int scanf(const char ?fmt, ... inject sarg_t<`r>) __attribute__((format(scanf, 1, 2)));
";

fn check_print(body: &str) {
    check(&format!("{PRINTF}{body}"));
}

#[test]
fn arguments_of_the_right_types_are_accepted() {
    check_print(
        r#"
struct S { int x; char name[8]; };
enum E { A };
void f(struct S *s, char *z, char ?t, long n, float x, long double y, enum E e, int c, void *p) {
  printf("plain %%\n");
  printf("%d %5.2f %s %s %s %ld %g %Lf %d %c %p %*d", c, x, s->name, z, t, n, x, y, e, c, p, 3, c);
  printf("%s", c ? "yes" : "no");
  printf("%hhd %hd %x %lu %zu", c, c, c, sizeof(int), sizeof(s));
}"#,
    );
}

#[test]
fn each_mismatch_is_said() {
    check_print("void f(long n) { printf(\"%d\", n); } //~ E0412");
    check_print("void f(double n) { printf(\"%d\", n); } //~ E0412");
    check_print("void f(int n) { printf(\"%s\", n); } //~ E0412");
    check_print("void f(int n) { printf(\"%f\", n); } //~ E0412");
    check_print("void f(int n) { printf(\"%d %d\", n); } //~ E0411");
    check_print("void f(int n) { printf(\"%d\", n, n); } //~ E0411");
    check_print("void f(int n) { printf(\"%\", n); } //~ E0410");
    check_print("void f(int n) { printf(\"%y\", n); } //~ E0410");
}

#[test]
fn other_formats_are_left_to_the_library() {
    check_print("void f(const char ?fmt, int n) { printf(fmt, n, \"x\", 1.5); }");
    check_print(
        "struct S { int x; }; void f(const char ?fmt, struct S s) { printf(fmt, s); } //~ E0613",
    );
}

#[test]
fn scanf_wants_places_of_the_exact_size() {
    check_print("void f(void) { int n; long m; double x; char b[9]; scanf(\"%d %ld %lf %8s\", &n, &m, &x, b); }");
    check_print("void f(void) { long n; scanf(\"%d\", &n); } //~ E0412");
    check_print("void f(void) { float x; scanf(\"%lf\", &x); } //~ E0412");
    check_print("void f(int n) { scanf(\"%d\", n); } //~ E0412");
}

#[test]
fn a_rest_is_typed_and_forwarded() {
    check("int sum(... int xs) { int t = 0; for (int i = 0; i < numelts(xs); i++) t += xs[i]; return t; }
int all(... int xs) { return sum(xs) + sum() + sum(1, 'a'); }");
    check("int sum(... int xs); int f(int *p) { return sum(1, p); } //~ E0301");
    check("datatype D { I(int); S(const char ?); }; void g(... inject datatype D @ xs); void f(int n) { g(n, \"a\"); }");
    check("datatype D { I(int); }; void g(... inject datatype D @ xs); void f(double n) { g(n); } //~ E0613");
}
