//! Checks that look at what is behind a pointer, or at a member's tag: their stores are their own.

use super::Generated;

/// Declarations, and functions: what is stored and how, each with its statements up to the use.
struct Group {
    name: &'static str,
    declarations: &'static str,
    params: &'static str,
    /// Objects of each call's own.
    objects: &'static str,
    args: &'static str,
    harmful: &'static [(&'static str, &'static str)],
    harmless: &'static [(&'static str, &'static str)],
}

const GROUPS: &[Group] = &[
    Group {
        name: "zeros",
        declarations: "#include <string.h>\n\
             extern \"C\" { int c_use(const char *s); }\n\
             void full(char ?k) { for (int i = 0; i < numelts(k); i++) k[i] = 'x'; }\n\
             static char all[4] @nozeroterm; static char other[4] @nozeroterm;\n\
             static void reset(void) { all[3] = other[3] = 0; other[0] = all[0] = 'a'; }\n",
        params: "char ?k, char ?j",
        objects: "",
        args: "all, all",
        harmful: &[
            ("the zero itself", "int n = c_use(k); full(k); return n + c_use(k);"),
            ("the zero by another pointer", "int n = c_use(k); full(j); return n + c_use(k);"),
            ("the elements in a loop", "int n = c_use(k); for (int i = 0; i < 4; i++) j[i] = 'y'; return n + c_use(k);"),
            ("memset", "int n = c_use(k); memset(j, 'x', 4); return n + c_use(k);"),
            ("another buffer", "int n = c_use(k); full(k); char ?l = other; l = k; return n + c_use(l);"),
            ("by swap", "int n = c_use(k); full(k); char o = 'x'; j[3] :=: o; return n + c_use(k);"),
            ("on the way back", "int n = 0; for (int i = 0; i < 2; i++) { n += c_use(k); full(j); } return n;"),
        ],
        harmless: &[],
    },
    Group {
        name: "terminators",
        declarations: "struct Z { char text[8] @zeroterm; int n; };\n\
             void cut(char *s) { s[0] = 0; }\n\
             void quiet(void) { yes++; }\n\
             static void reset(void) {}\n",
        params: "char @s, char @t, struct Z @z, struct Z @y",
        objects: "char l[8] @zeroterm = \"abc\"; struct Z z = {\"abc\", 1};",
        args: "l, l, &z, &z",
        harmful: &[
            ("the element itself", "if (s[0] != 0) { s[0] = 0; return s[1]; }"),
            ("the element by another pointer", "if (s[0] != 0) { t[0] = 0; return s[1]; }"),
            ("the element by call", "if (s[0] != 0) { cut(t); return s[1]; }"),
            ("before a store", "if (s[0] != 0) { t[0] = 0; s[1] = 'x'; return 0; }"),
            ("before a store of the end", "if (s[0] != 0) { t[0] = 0; s[0] = 'x'; return 0; }"),
            ("by swap", "char o = 0; if (s[0] != 0) { t[0] :=: o; return s[1]; }"),
            ("a member of a struct", "char *k = z->text; if (k[0] != 0) { y->text[0] = 0; return k[1]; }"),
            ("a member by pointer", "char *k = z->text; char *j = y->text; if (k[0] != 0) { j[0] = 0; return k[1]; }"),
            ("in a loop", "if (s[0] != 0) { for (int i = 0; i < 2; i++) { yes += s[1]; t[0] = 0; } }"),
            ("in a handler", "if (s[0] != 0) { try { throw new Core::Not_found; } catch { default: t[0] = 0; } return s[1]; }"),
        ],
        harmless: &[
            ("another variable", "if (s[0] != 0) { int k = 0; k++; return s[1]; }"),
        ],
    },
    Group {
        name: "tags",
        declarations: "@tagged union U { int i; int *p; };\n\
             struct S { union U u; int n; struct S *next; };\n\
             static union U the_u; static struct S the_s, other;\n\
             void set(union U @u) { u->p = NULL; }\n\
             void quiet(void) { yes++; }\n\
             static void reset(void) { the_u.i = 1; the_s.u.i = 1; other.u.p = NULL; }\n",
        params: "union U @u, union U @v, struct S @s, struct S @t",
        objects: "",
        args: "&the_u, &the_u, &the_s, &the_s",
        harmful: &[
            ("another member", "if (tagcheck(u->i)) { u->p = NULL; return u->i; }"),
            ("another member by another pointer", "if (tagcheck(u->i)) { v->p = NULL; return u->i; }"),
            ("another member by call", "if (tagcheck(u->i)) { set(v); return u->i; }"),
            ("the whole union", "if (tagcheck(u->i)) { *v = other.u; return u->i; }"),
            ("the struct around it", "if (tagcheck(s->u.i)) { *t = other; return s->u.i; }"),
            ("the union in the struct", "if (tagcheck(s->u.i)) { t->u = other.u; return s->u.i; }"),
            ("by swap", "if (tagcheck(s->u.i)) { t->u :=: other.u; return s->u.i; }"),
            ("a local", "union U l = *u; if (tagcheck(l.i)) { l.p = NULL; return l.i; }"),
            ("a local by call", "union U l = *u; if (tagcheck(l.i)) { set(&l); return l.i; }"),
            ("in a loop", "if (tagcheck(u->i)) { for (int i = 0; i < 2; i++) { yes += u->i; v->p = NULL; } }"),
            ("in a handler", "if (tagcheck(u->i)) { try { throw new Core::Not_found; } catch { default: v->p = NULL; } return u->i; }"),
        ],
        harmless: &[
            ("a reference", "if (tagcheck(s->u.i)) { t->next = NULL; return s->u.i; }"),
            ("a local, by pointer", "union U l = *u; if (tagcheck(l.i)) { v->p = NULL; return l.i; }"),
        ],
    },
    Group {
        name: "bit_fields",
        declarations: "struct F { int b : 3; unsigned c : 5; int k : 7; };\n\
             struct G { int k : 7; unsigned c : 5; int *p; };\n\
             static struct G the_g;\n\
             union U { struct F f; int whole; unsigned char bytes[4]; };\n\
             static struct F the_f, bad; static union U the_u; static int four[4]; static const struct F fixed = {7, 33, 3};\n\
             void quiet(void) { yes++; }\n\
             void set(struct F @f) { f->k = 50; }\n\
             static void reset(void) { the_f.b = 1; the_f.c = 1; the_f.k = 1; bad.k = 50; the_u.f = the_f; }\n",
        params: "struct F @f, struct F @e, union U @u, struct F @uf, int one, struct G @g, struct G @h",
        objects: "",
        args: "&the_f, &the_f, &the_u, &the_u.f, 1, &the_g, &the_g",
        harmful: &[
            ("what does not fit is another number", "int v = 7 * one; f->b = v; if (v >= 0) return ten[f->b];"),
            ("what does not fit a local", "struct F l = *f; l.b = 7; return ten[l.b];"),
            ("what does not fit an initialiser", "struct F l = {7, 1, 1}; return ten[l.b];"),
            ("what does not fit a constant", "return ten[fixed.b];"),
            ("what is cut off", "f->c = 36; if (f->c > 3) return four[f->c]; return four[f->c];"),
            ("another pointer", "if (f->k >= 0 && f->k < 10) { e->k = 50; return ten[f->k]; }"),
            ("a call", "if (f->k >= 0 && f->k < 10) { set(e); return ten[f->k]; }"),
            ("the whole struct", "if (f->k >= 0 && f->k < 10) { *e = bad; return ten[f->k]; }"),
            ("characters", "char ?v = (char ?)e; if (f->k >= 0 && f->k < 10) { for (int i = 0; i < numelts(v); i++) v[i] = -1; return ten[f->k]; }"),
            ("the union around it", "if (uf->k >= 0 && uf->k < 10) { u->whole = -1; return ten[uf->k]; }"),
            ("the union by its address", "int @w = &u->whole; if (uf->k >= 0 && uf->k < 10) { *w = -1; return ten[uf->k]; }"),
        ],
        harmless: &[
            ("its neighbour", "if (g->k >= 0 && g->k < 10) { h->c = 31; return ten[g->k]; }"),
        ],
    },
];

/// What is beside each program.
const C: &str = "int c_use(const char *s) { return s[0]; }\n";

pub fn programs() -> Vec<(&'static str, Generated)> {
    GROUPS.iter().map(|group| (group.name, generate(group))).collect()
}

fn generate(group: &Group) -> Generated {
    let Group { declarations, params, objects, args, harmful, harmless, .. } = group;
    let mut text =
        format!("#include <core.h>\n#include <stdio.h>\nstatic int yes, ten[10];\n{declarations}");
    let (mut runs, mut main) = (String::new(), String::from("int main() {\n"));
    let mut stores = Vec::new();
    for (name, body) in harmful.iter().chain(*harmless) {
        let number = stores.len();
        text.push_str(&format!("static int f{number}({params}) {{\n  {body}\n  return -1;\n}}\n"));
        super::run(&mut runs, &mut main, number, objects, args);
        stores.push(*name);
    }
    text = text + &runs + &main + "  return 0;\n}\n";
    Generated { text, c: C.to_string(), stores, harmful: harmful.len() }
}
