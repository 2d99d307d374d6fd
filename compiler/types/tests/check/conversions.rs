//! Conversions between types (LANGUAGE: coercions and sub-typing).

use crate::check;

#[test]
fn const_is_kept() {
    check("int *`r f(const int *`r p) { return p; } //~ E0402");
    check("const int *`r f(int *`r p) { return p; }");
    check("void f(int *p, const int **q) { const int **r = &p; } //~ E0402");
}

#[test]
fn what_is_written_through_is_invariant() {
    check("void f(int @@p) { int *@q = p; } //~ E0403");
    check("void f(int @const @p) { int *const @q = p; }");
    check("void f(int @{4} @p) { int @{2} @q = p; } //~ E0404");
}

#[test]
fn the_zero_that_ends_a_string_is_safe() {
    check("char *g(char ?`H s) { return s; } //~ E0406");
    check("char *g(char ?`H s) { return (char *)s; } //~ E0406");
    check("char *@nozeroterm`r g(char *`r s) { return s; } //~ E0406");
    check("const char *@nozeroterm`r g(char *`r s) { return s; }");
    check("extern \"C\" int puts(const char *s);\nint g(char ?s) { return puts(s); }");
    check("int puts(const char *s);\nint g(char ?s) { return puts(s); } //~ E0406");
    check("char ?`r g(char *`r s) { return s; }\nconst char ?`r h(const char *`r s) { return s; }");
}

#[test]
fn integers_and_pointers_do_not_mix() {
    check("int *f(long n) { return (int *)n; } //~ E0405");
    check("long f(int *p) { return (long)p; }");
    check("int *f(void) { return 0; }");
    check("int *f(void) { return 1; } //~ E0301");
    check("int f(int *p) { return p; } //~ E0301");
    check("_Bool f(int *p) { return p; }");
}

#[test]
fn only_bits_are_viewed_as_bytes() {
    check("struct S { int x; double y; };\nchar ?`r f(struct S @`r s) { return (char ?)s; }");
    check("struct S { int *x; };\nchar ?`r f(struct S @`r s) { return (char ?)s; } //~ E0301");
    check("char ?`r f(_Bool @`r s) { return (char ?)s; } //~ E0301");
    check("int *`r f(char *@nozeroterm`r s) { return (int *)s; } //~ E0301");
    check("unsigned ?`r f(int ?`r p) { return (unsigned ?)p; }");
    check("const char ?`r f(const int ?`r p) { return (const char ?)p; }\nchar ?`r g(const int ?`r p) { return (char ?)p; } //~ E0402");
}

#[test]
fn a_void_pointer_is_not_looked_through() {
    check("void *`r f(int *`r p) { return p; }");
    check("int *`r f(void *`r p) { return (int *)p; } //~ E0301");
    check("void *`r f(const int *`r p) { return p; } //~ E0402");
}

#[test]
fn functions_may_take_more_and_give_less() {
    check("int use(int (@f)(int @));\nint f(int *p);\nint g(void) { return use(f); }");
    check("int use(int (@f)(int *));\nint f(int @p);\nint g(void) { return use(f); } //~ E0403");
    check("int use(int *(@f)(void));\nint *@notnull f(void);\nint g(void) { return use(f); }");
    check("int use(int (@f)(int *`H));\nint f(int *p);\nint g(void) { return use(f); }");
    check(
        "int use(int (@f)(int *p));\nint f(int *`H p);\nint g(void) { return use(f); } //~ E0501",
    );
    check("int use(void (@f)(void) __attribute__((noreturn)));\nvoid f(void);\nint g(void) { return use(f); } //~ E0302");
}

#[test]
fn tags_are_known_numbers() {
    check("int f(tag_t<`n> n, int @{valueof(`n)} p);\nint g(int @{3} p) { return f(3, p); }");
    check("int f(tag_t<`n> n);\nint g(int n) { return f(n); } //~ E0301");
    check("int f(tag_t<`n> n, int @{valueof(`n)} p) { return p[n - 1]; }");
}

#[test]
fn a_word_is_a_word() {
    check("`a id(`a x) { return x; }\nint f(void) { return id(1); }\ndouble g(void) { return id(1.5); }");
    check("`a id(`a x) { return x; }\nstruct S { int a, b, c; };\nvoid f(struct S s) { id(s); } //~ E0305");
    check("`a id(`a x) { return x; }\nvoid f(char ?s) { id(s); } //~ E0305");
    check("`a id(`a x) { return x; }\nlong double f(void) { return id(1.0L); } //~ E0305");
}
