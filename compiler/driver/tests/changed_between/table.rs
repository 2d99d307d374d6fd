//! The table: what checks look at, and what stores to it between a test and its use.

/// A check, by what it looks at.
pub struct Check {
    pub name: &'static str,
    /// Of the object that the check looks at, the *victim*.
    pub ty: &'static str,
    /// A value with which the check passes, and one with which it fails.
    pub good: &'static str,
    pub bad: &'static str,
    /// The lowest byte of the bad value, or all of them; `None` if the type is not bits.
    pub bad_byte: Option<&'static str>,
    /// The instance of a type variable?
    pub is_word: bool,
    /// What shows, and what needs, that the check passes; `V` is the victim.
    pub test: &'static str,
    pub access: &'static str,
    /// Whether it goes where nothing is stored between.
    pub goes: bool,
}

const fn index(name: &'static str, ty: &'static str) -> Check {
    Check {
        name,
        ty,
        good: "3",
        bad: "77",
        bad_byte: Some("77"),
        is_word: true,
        test: "V >= 0 && V < 10",
        access: "ten[V]",
        goes: true,
    }
}

const fn pointer(name: &'static str, access: &'static str) -> Check {
    Check {
        name,
        ty: "int *",
        good: "&cell",
        bad: "NULL",
        bad_byte: None,
        is_word: true,
        test: "V != NULL",
        access,
        goes: true,
    }
}

const fn fat(name: &'static str, test: &'static str, access: &'static str) -> Check {
    Check {
        name,
        ty: "int ?",
        good: "ten",
        bad: "three",
        bad_byte: None,
        is_word: false,
        test,
        access,
        goes: true,
    }
}

const fn divisor(name: &'static str, bad: &'static str, access: &'static str) -> Check {
    Check {
        name,
        ty: "int",
        good: "5",
        bad,
        bad_byte: Some(bad),
        is_word: true,
        test: "V > 0",
        access,
        goes: true,
    }
}

pub const CHECKS: &[Check] = &[
    index("index", "int"),
    index("index_unsigned", "unsigned"),
    index("index_long", "long"),
    index("index_short", "short"),
    index("index_character", "signed char"),
    Check { test: "V >= 0 && V < numelts(any)", access: "any[V]", ..index("index_fat", "int") },
    Check { access: "*(&ten[V])", ..index("index_address", "int") },
    Check { test: "V >= 0 && V < n", access: "counted[V]", ..index("index_counted", "int") },
    index("index_enumeration", "enum Number"),
    pointer("null", "*V"),
    pointer("null_converted", "through(V)"),
    pointer("null_element", "V[0]"),
    fat("bounds", "numelts(V) > 5", "V[5]"),
    fat("count", "numelts(V) >= 5", "fifth(V)"),
    // How far a pointer moved is not followed, so that this one stays.
    Check { goes: false, ..fat("moved", "numelts(V) > 5", "*(V + 5)") },
    divisor("divisor", "0", "1000 / V"),
    divisor("remainder", "0", "1000 % V"),
    divisor("quotient", "-1", "least / V"),
    // A count that does not fit, and what the program asserts.
    Check { access: "(int)numelts(made(V))", goes: false, ..divisor("allocated", "-1", "V") },
    Check { access: "asserted(V)", goes: false, ..divisor("asserted", "0", "V") },
];

/// A way to store to the victim.
pub struct Store {
    pub name: &'static str,
    /// Statements before the test.
    pub before: &'static str,
    /// The place that the check looks at.
    pub victim: &'static str,
    /// Makes it bad.
    pub store: &'static str,
    pub needs: Needs,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// The type is bits, so that unions and views reach it.
    Bits,
    /// The type fits a word.
    Word,
}

const fn any(
    name: &'static str,
    before: &'static str,
    victim: &'static str,
    store: &'static str,
) -> Store {
    Store { name, before, victim, store, needs: Needs::Nothing }
}

const fn bits(
    name: &'static str,
    before: &'static str,
    victim: &'static str,
    store: &'static str,
) -> Store {
    Store { name, before, victim, store, needs: Needs::Bits }
}

const fn word(
    name: &'static str,
    before: &'static str,
    victim: &'static str,
    store: &'static str,
) -> Store {
    Store { name, before, victim, store, needs: Needs::Word }
}

/// `p` and `q` are one pointer, `s` and `t`, `b` and `c`, `w` and `x`, `e` and `f`, `u` and `m`, `a` and `d`: parameters that the function cannot
/// tell from others. `pf` points to `s->f`, `pb` to `b->f`, `pm` to `u->m`.
pub const STORES: &[Store] = &[
    // Variables.
    any("local", "T v = *p;", "v", "v = BAD;"),
    any("local on one way", "T v = *p;", "v", "if (yes) v = BAD;"),
    any("local by pointer", "T v = *p; T @l = &v;", "v", "*l = BAD;"),
    any("local by call", "T v = *p;", "v", "set(&v, BAD);"),
    any("local by result", "T v = *p;", "v", "v = bad();"),
    any("local by swap", "T v = *p; T k = BAD;", "v", "v :=: k;"),
    any("local struct", "struct S v = *s;", "v.f", "v = bad_s;"),
    any("member of a local struct", "struct S v = *s;", "v.f", "v.f = BAD;"),
    any("local array", "T v[4]; for (int i = 0; i < 4; i++) v[i] = *p;", "v[1]", "v[one] = BAD;"),
    any("static", "static T v; v = *p;", "v", "v = BAD; quiet();"),
    any("global", "g = *p;", "g", "g = BAD;"),
    any("global by pointer", "taken = *p;", "taken", "*pointer_to_taken = BAD;"),
    any("global by call", "g = *p;", "g", "set_global();"),
    any("global by a call's call", "g = *p;", "g", "set_global_deeply(3);"),
    any("global by a pointer to a function", "g = *p;", "g", "setter();"),
    any("global by the library's call back", "g = *p;", "g", "Array::qsort(compare, some, 4);"),
    any("element of a global", "globals[1] = *p;", "globals[1]", "globals[one] = BAD;"),
    any("member of a global", "gs.f = *p;", "gs.f", "gs = bad_s;"),
    // Through pointers.
    any("the same pointer", "", "*p", "*p = BAD;"),
    any("another pointer", "", "*p", "*q = BAD;"),
    any("another pointer by call", "", "*p", "set(q, BAD);"),
    any("another pointer by result", "", "*p", "*q = bad();"),
    any("a view as const", "const T @k = p;", "*k", "*q = BAD;"),
    any("a pointer to volatile", "volatile T @k = q;", "*p", "*k = BAD;"),
    any("a fat pointer", "T ?k = q;", "*p", "k[0] = BAD;"),
    any("an array that is one object", "", "a[1]", "d[one] = BAD;"),
    any("a pattern's variable", "let &S{.f = *y, ...} = t;", "s->f", "*y = BAD;"),
    // Members.
    any("the member", "", "s->f", "s->f = BAD;"),
    any("the member of another", "", "s->f", "t->f = BAD;"),
    any("the member by pointer", "", "s->f", "*pf = BAD;"),
    any("a pointer by the member", "", "*pf", "s->f = BAD;"),
    any("the member by call", "", "s->f", "set_member(t);"),
    any("the whole struct", "", "s->f", "*t = bad_s;"),
    any("the whole struct by call", "", "s->f", "copy(t, &bad_s);"),
    any("the whole struct by result", "", "s->f", "*t = bad_struct();"),
    any("the member by swap", "", "s->f", "t->f :=: bad_cell;"),
    any("a volatile struct", "volatile struct S @k = t;", "s->f", "k->f = BAD;"),
    any("an element of the member", "", "s->many[1]", "t->many[one] = BAD;"),
    any("an element by pointer", "T ?k = t->many;", "s->many[1]", "k[1] = BAD;"),
    any("a struct in the struct", "", "s->inner.f", "t->inner = bad_inner;"),
    any(
        "a struct in the struct by pointer",
        "struct I @k = &t->inner;",
        "s->inner.f",
        "k->f = BAD;",
    ),
    any("two ways", "", "s->f", "if (yes) t->f = BAD; else quiet();"),
    // Flow.
    any(
        "before an exception",
        "",
        "*p",
        "try { *q = BAD; throw new Core::Not_found; } catch { default: ; }",
    ),
    any("a call that throws", "", "*p", "try { set_and_throw(q); } catch { default: ; }"),
    any("a handler", "", "*p", "try { throw new Core::Not_found; } catch { default: *q = BAD; }"),
    any("a loop", "", "*p", "for (int i = 0; i < one; i++) *q = BAD;"),
    any(
        "the way back of a loop",
        "int r = 0;",
        "*p",
        "for (int i = 0; i < 2; i++) { r += ACCESS; *q = BAD; }",
    ),
    any(
        "the way back of a goto",
        "int r = 0;",
        "*p",
        "again: r += ACCESS; if (r < 1 << 20) { r = 1 << 20; *q = BAD; goto again; }",
    ),
    any(
        "a goto into a loop",
        "int r = 0;",
        "*p",
        "if (one) goto inside; while (r < 2) { quiet(); inside: *q = BAD; r = 5; }",
    ),
    any(
        "a goto out of a block",
        "",
        "*p",
        "{ region h; T *k = rnew(h) BAD; if (one) { *q = *k; goto out; } } out: quiet();",
    ),
    any(
        "a clause of a switch",
        "",
        "*p",
        "switch (one) { case 1: *q = BAD; break; default: break; }",
    ),
    // Bits.
    bits("a struct of bits", "", "b->f", "*c = bad_b;"),
    bits("a member of a struct of bits", "", "b->f", "c->f = BAD;"),
    bits("characters", "unsigned char ?k = (unsigned char ?)q;", "*p", "fill(k, BYTE);"),
    bits(
        "characters, directly",
        "unsigned char ?k = (unsigned char ?)q;",
        "*p",
        "for (int i = 0; i < numelts(k); i++) k[i] = i == 0 || ALL ? BYTE : 0;",
    ),
    bits(
        "characters of the struct",
        "char ?k = (char ?)c;",
        "b->f",
        "for (int i = 0; i < numelts(k); i++) k[i] = i == 0 || ALL ? BYTE : 0;",
    ),
    bits("memcpy", "", "*p", "memcpy(q, &bad_cell, sizeof(T));"),
    bits("memmove", "", "*p", "memmove(q, &bad_cell, sizeof(T));"),
    bits("memcpy of the struct", "", "b->f", "memcpy(c, &bad_b, sizeof(bad_b));"),
    bits("memset and a store", "", "b->f", "memset(c, 0, sizeof(*c)); c->f = BAD;"),
    bits("the other member of a union", "u->m = *p;", "u->m", "u->wide = BITS;"),
    bits("the other member of another union", "u->m = *p;", "u->m", "m->wide = BITS;"),
    bits("the other member by its address", "long @k = &m->wide;", "u->m", "*k = BITS;"),
    bits("the union's two addresses", "long @k = &m->wide;", "*pm", "*k = BITS;"),
    bits(
        "the union's member and an address",
        "long @k = &m->wide;",
        "*pm",
        "u->bytes[0] = BYTE; *k = BITS;",
    ),
    bits("the union's floating member", "double @k = &m->real;", "*pm", "*k = bad_real;"),
    bits(
        "the union's array",
        "short ?k = m->halves;",
        "*pm",
        "for (int i = 0; i < 4; i++) k[i] = bad_u.halves[i];",
    ),
    bits("the union's struct", "struct B @k = &m->record;", "*pm", "k->f = BAD;"),
    bits(
        "structs in a union",
        "struct B @k = &m->record; struct Other @l = &u->other;",
        "k->f",
        "l->f = BAD;",
    ),
    bits(
        "a struct in a union twice",
        "struct B @k = &m->moved.at; struct B @l = &u->record; k->f = *p;",
        "k->f",
        "l->g = BAD;",
    ),
    bits("the whole union", "u->m = *p;", "u->m", "*m = bad_u;"),
    bits("the whole union, by address", "", "*pm", "*m = bad_u;"),
    // Type variables, and C.
    word("code in C", "", "*p", "c_set(q);"),
    word("code in C, of a member", "", "s->f", "c_set(pf);"),
    word("a field of variable type", "", "w->x", "y->x = BAD;"),
    word("a field of variable type by call", "", "w->x", "set_word(y, BAD);"),
    word("a field of variable type by its address", "T @k = &y->x;", "w->x", "*k = BAD;"),
    word("its address by the field", "T @k = &y->x;", "*k", "w->x = BAD;"),
    word("its address by call", "T @k = &y->x;", "*k", "set_word(w, BAD);"),
    word("a tuple", "", "(*e).0", "(*o).0 = BAD;"),
    word("a tuple of words", "", "(*e).0", "set_tuple(o, BAD);"),
    word("the whole tuple", "", "(*e).0", "*o = $(BAD, 1);"),
];

/// A store that changes nothing that the check looks at: then the check goes.
pub const HARMLESS: &[Store] = &[
    any("local, by pointers", "T v = *p;", "v", "*q = BAD;"),
    any("local, by a call", "T v = *p;", "v", "set(q, BAD);"),
    any("local, by another", "T v = *p; T k = *p;", "v", "k = BAD; set(&k, BAD);"),
    any("a member, by another", "", "s->f", "t->g = BAD;"),
    any("a member, by an array", "", "s->f", "t->many[one] = BAD;"),
    any("a member, by a pointer to a struct", "", "s->f", "t->next = NULL;"),
    any("a member, by one of another type", "", "s->f", "b->f = BAD;"),
    any("a variable, by another", "g = *p;", "g", "h = BAD;"),
    any("a variable, by a pointer", "g = *p;", "g", "*q = BAD;"),
    any("a variable, by a call that does not", "g = *p;", "g", "quiet();"),
    any(
        "a private array, by pointers",
        "T v[4]; for (int i = 0; i < 4; i++) v[i] = *p;",
        "v[1]",
        "*q = BAD;",
    ),
    bits("bits, by a reference", "", "*p", "s->next = NULL; *reference = NULL;"),
    bits("a member, by a character that is one", "", "s->f", "s->letter = 77;"),
];
