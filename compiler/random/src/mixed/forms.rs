//! Statements that show one feature each, mostly with something in an operand that changes what was just
//! checked.

use super::body::Body;
use super::paths::Leaf;
use super::values::parenthesised;
use super::world::{Form, Type};

impl Body<'_> {
    pub fn form(&mut self) {
        match self.random.below(21) {
            18..=20 => self.reference(),
            0 | 1 => self.tagged(),
            17 => self.brought(),
            15 | 16 => self.set_member(),
            2 => self.swap(),
            3 => self.generic(),
            4 => self.hidden(),
            5 => self.text(),
            6 => self.fat_pointer(),
            7 => self.whole(),
            8 => self.characters(),
            9 => self.pair(),
            10 => self.guarded(),
            11 => self.through(),
            12 => self.counted(),
            13 => self.value_of_assignment(),
            _ => self.dereferenced(),
        }
    }

    /// The global that a path begins with, so that its own change may be called.
    fn change_of(&mut self, leaf: &Leaf) -> String {
        let name: String = leaf.text.chars().take_while(|c| c.is_alphanumeric()).collect();
        let global = self.world.globals.iter().position(|(global, _)| *global == name);
        match global {
            Some(at) if self.changing > at && self.random.one_in(2) => {
                self.has("call in an operand");
                format!("ch{at}({})", self.random.below(4))
            }
            _ => self.call_of_change(),
        }
    }

    /// Another member of a tagged union is set, whole.
    fn set_member(&mut self) {
        let unions: Vec<usize> = (0..self.world.records.len())
            .filter(|at| self.world.records[*at].form == Form::Tagged)
            .collect();
        let at = unions[self.random.index(unions.len())];
        let members = &self.world.records[at].members;
        let (member, of) = &members[self.random.index(members.len())];
        self.has("tagged union");
        if let Some(value) = self.whole_value(of) {
            self.line(format!("g{at}.{member} = {value};"));
        }
    }

    fn tagged(&mut self) {
        let Some(leaf) = self.leaf(|leaf| !leaf.tagged.is_empty()) else { return };
        self.uses(&leaf);
        let value = self.value(&leaf.of, leaf.long_lived);
        let change = self.change_of(&leaf);
        let (text, condition) = (&leaf.text, leaf.condition().unwrap_or_default());
        let integer = leaf.is_integer()
            && !matches!(
                leaf.of,
                Type::Int("enum E" | "_Bool") | Type::Volatile("enum E" | "_Bool")
            );
        let line = match self.random.below(9) {
            0 => format!("{text} = {value};"),
            1 if integer => format!("{{ {text} = {value}; {text} += {change}; }}"),
            2 if integer => format!("if ({condition}) note({text} + {change} + {text});"),
            3 if integer => format!("if ({condition}) {text} = {change};"),
            4 => format!("if ({condition}) {{ {change}; note({text} != 0); }}"),
            5 => match &leaf.of {
                Type::Pointer => format!("if ({condition} && {text} != NULL) *{text} = {change};"),
                Type::Fat => format!("if ({condition}) {text}[{change} & 3] = {change};"),
                _ => format!("if ({condition}) cells[{text} & 7] = {change};"),
            },
            6 if integer => {
                format!("if ({condition}) {{ {text}++; note({change}); note({text}--); }}")
            }
            7 => format!("if ({condition} && {change} > 1) note({text} ? 1 : 2);"),
            _ => format!(
                "try {{ {text} = {value}; {change}; note({text} ? 3 : 4); }} catch {{ \
                 case &Match_Exception: note(6); case _: note(7); }}"
            ),
        };
        self.line(line);
    }

    fn swap(&mut self) {
        self.has("swap");
        let Some(leaf) = self.leaf(|leaf| !matches!(leaf.of, Type::Bits(..))) else { return };
        let of = leaf.of.clone();
        self.uses(&leaf);
        let other = self.leaf(|other| other.of == of && other.long_lived == leaf.long_lived);
        let line = match (other, &of) {
            (_, Type::Int("char")) if self.random.one_in(2) => {
                format!("{} :=: text.s[{}];", leaf.text, self.in_text())
            }
            (_, Type::Int("int")) if self.random.one_in(3) => {
                let pointer = self.call_of_pointer();
                format!("{} :=: *{pointer};", leaf.text)
            }
            (Some(other), _) => {
                self.uses(&other);
                format!("{} :=: {};", leaf.text, other.text)
            }
            _ => format!("c :=: text.s[{}];", self.in_text()),
        };
        self.line(line);
    }

    fn call_of_pointer(&mut self) -> String {
        format!("where({})", self.call_of_change())
    }

    fn generic(&mut self) {
        let mut all: Vec<(String, Type)> = self.world.globals.clone();
        all.extend(self.locals.iter().cloned());
        all.retain(|(_, of)| matches!(of, Type::Generic(..)));
        if all.is_empty() {
            return;
        }
        self.has("type variable");
        self.has("polymorphic call");
        let (name, of) = all[self.random.index(all.len())].clone();
        let Type::Generic(at, inner) = of else { return };
        let value = self.value(&inner, true);
        let cast = match &*inner {
            Type::Int(word) => format!("({word})({value})"),
            _ => value.clone(),
        };
        let shown = |text: String| match &*inner {
            Type::Pointer => format!("run_pointer({text})"),
            _ => format!("note({text})"),
        };
        let line = match self.random.below(7) {
            0 => shown(format!("get{at}(&{name})")),
            1 => shown(format!("swap{at}(&{name})")),
            2 => format!("set{at}(&{name}, {cast})"),
            3 if at == 0 => shown(format!("between0(&{name}, note, (long)i)")),
            4 if *inner == Type::Int("int") => {
                format!(
                    "{{ int *r = &{name}.x; set{at}(&{name}, 3); *r = {value}; \
                     note(get{at}(&{name}) + {name}.y); }}"
                )
            }
            5 => format!("set{at}(&{name}, pick(i, {name}.x, {name}.y))"),
            _ => format!("{name}.x :=: {name}.y"),
        };
        self.line(line + ";");
    }

    fn hidden(&mut self) {
        self.has("existential");
        let (env, run, n) = (self.name("env"), self.name("run"), self.name("n"));
        let e = self.name("`e");
        let value = self.integer(1);
        let pointer = self.address(true);
        let line = match self.random.below(6) {
            0 => format!("hidden = Hidden((int)({value}), run_int, i, 4);"),
            1 => format!("hidden = Hidden({pointer}, run_pointer, i, NULL);"),
            2 => "hidden = Hidden(&hidden_tuple, run_tuple, 2, NULL);".to_string(),
            _ => {
                let change = self.call_of_change();
                let again = self.random.pick(&["env", "other"]);
                let other = self.name("other");
                let chosen = if again == "env" { env.clone() } else { other.clone() };
                format!(
                    "{{ let Hidden{{<{e}> {env}, {run}, {n}, {other}}} = hidden; note({change}); \
                     note({run}({chosen}) + {n}); }}"
                )
            }
        };
        self.line(line);
    }

    fn text(&mut self) {
        self.has("zero-terminated");
        let at = self.in_text();
        let change = self.call_of_change();
        let line = match self.random.below(8) {
            0 => format!("text.s[{at}] = (char)({});", self.integer(1)),
            1 => format!("c :=: text.s[{at}];"),
            2 => format!("text.s[{at}] :=: c;"),
            3 => format!("s = text.s; note(s[{at}]); note(length(s));"),
            4 => format!("if (text.s[0] != 0) {{ {change}; text.s[1] = c; note(text.s[1]); }}"),
            5 => format!("text.s[{at}]++;"),
            6 => format!("text.s[{at}] = (char)({change} & 1);"),
            _ => "for (int n = 0; s != NULL && s[n] != 0; n++) { if (--fuel < 0) return 0; note(s[n]); \
                 }".into(),
        };
        self.line(line);
    }

    fn fat_pointer(&mut self) {
        self.has("fat pointer");
        let change = self.call_of_change();
        let line = match self.random.below(9) {
            0 => format!("q = {};", self.fat(false)),
            1 => format!("q[{change} & 3] = {change};"),
            2 => "if (q != NULL) for (int ?r = q + 2; r >= q; r--) { if (--fuel < 0) return 0; \
                 if (numelts(r) > 0) note(*r); }".into(),
            3 => "if (q != NULL) { int ?r = q + 3; note(r - q); note(q - r); note(r > q); }".into(),
            4 => "for (int ?r = part(1); r < part(1) + 5; r++) { if (--fuel < 0) return 0; note(*r); }".into(),
            5 => "q++;".into(),
            6 => "q--;".into(),
            7 => format!("if (numelts(q) > 3) {{ {change}; note(q[3]); }}"),
            _ => "*q++ = i;".into(),
        };
        self.line(line);
    }

    /// Whole objects are copied, beside changes of their parts.
    fn whole(&mut self) {
        let Some(at) = (0..6).map(|_| self.random.index(self.world.globals.len())).find(|at| {
            matches!(
                self.world.globals[*at].1,
                Type::Record(_) | Type::Tuple(_) | Type::Generic(..)
            )
        }) else {
            return;
        };
        self.has("whole object");
        let (name, of) = self.world.globals[at].clone();
        let copy = self.name("w");
        let declared = self.world.declared(&of, &copy);
        self.open("{");
        self.line(format!("{declared} = {name};"));
        self.locals.push((copy.clone(), of));
        self.plain_or_change(at);
        let last = match self.random.below(4) {
            0 => format!("{name} = {copy};"),
            1 => format!("{name} :=: {copy};"),
            2 => format!("{copy} = z{name};"),
            _ => format!("{copy} = {name};"),
        };
        self.line(last);
        self.statement(0);
        self.locals.retain(|(name, _)| *name != copy);
        self.close();
    }

    fn plain_or_change(&mut self, at: usize) {
        if self.changing > at && self.random.one_in(2) {
            self.line(format!("ch{at}(i);"));
        } else {
            self.statement(0);
        }
    }

    /// Bytes of an object that has no pointers.
    fn characters(&mut self) {
        let bits: Vec<usize> = (0..self.world.records.len())
            .filter(|at| matches!(self.world.records[*at].form, Form::Union))
            .collect();
        self.has("view as characters");
        let at = bits[self.random.index(bits.len())];
        let value = self.integer(1);
        let size = format!("sizeof(g{at})");
        let line = match self.random.below(5) {
            0 => format!(
                "{{ char ?view = (char ?)&g{at}; view[(unsigned)({value}) % {size}] = c; }}"
            ),
            1 => format!(
                "{{ char ?view = (char ?)&g{at}; note(view[(unsigned)({value}) % {size}]); }}"
            ),
            2 => format!(
                "{{ char ?view = (char ?)cells; view[{value} & 31] = (char)i; \
                 note(cells[i & 7]); }}",
                value = parenthesised(&value)
            ),
            3 => format!("memset(&g{at}, {}, {size});", self.random.below(3)),
            _ => format!("memcpy(&g{at}, &zg{at}, {size});"),
        };
        if line.starts_with("mem") {
            self.has("memory function");
        }
        self.line(line);
    }

    fn pair(&mut self) {
        self.has("tuple");
        let t = self.name("t");
        let (v, w) = (self.integer(1), self.integer(1));
        let line = match self.random.below(5) {
            0 => format!(
                "{{ $(int, int) {t} = $((int)({v}), (int)({w})); {t}.0 :=: {t}.1; \
                 note({t}.0 - {t}.1); }}"
            ),
            1 => format!(
                "{{ $(int, int) {t} = $(1, (int)({w})); put_tuple(&{t}, (int)({v})); \
                 note({t}.0 + {t}.1); }}"
            ),
            2 => format!(
                "{{ $(int *, int) {t} = $({}, 2); put_tuple(&{t}, where(i)); \
                 run_pointer({t}.0); note({t}.1); }}",
                self.address(false)
            ),
            3 => {
                format!("{{ let $({t}, {t}b) = $((long)({v}), (short)({w})); note({t} - {t}b); }}")
            }
            _ => format!(
                "{{ $(int, int) *{t} = &hidden_tuple; {t}->0 = (int)({v}); {t}->1 += {}; \
                 note(first({t})); }}",
                self.call_of_change()
            ),
        };
        self.line(line);
    }

    /// A test, a change, a use.
    fn guarded(&mut self) {
        self.has("test, change, use");
        let Some(index) = self.leaf(|leaf| leaf.is_integer() && leaf.tagged.is_empty()) else {
            return;
        };
        self.uses(&index);
        let change = self.change_of(&index);
        let text = &index.text;
        let line = match self.random.below(6) {
            0 => format!("if ({text} >= 0 && {text} < 8) {{ {change}; cells[{text}]++; }}"),
            1 => format!("if ({text} >= 0 && {text} < 8) cells[{text}] = cells[{text}] + {change};"),
            2 => format!("if ((unsigned){text} < 8) note({change} + cells[{text}]);"),
            3 => format!("if ({text} >= 0 && {text} < numelts(q)) {{ note(q[{text}]); \
                 q = part({change}); note(q[{text}]); }}"),
            4 => format!("if ({text} != 0) {{ {change}; note(100 / {text}); }}"),
            _ => format!("if ((unsigned){text} < 8) {{ set_through(&fixed); {change}; note(cells[{text}]); }}"),
        };
        self.line(line);
    }

    /// A store through a pointer to a part of something.
    fn through(&mut self) {
        let Some(leaf) = self.leaf(|leaf| leaf.addressable && leaf.is_integer()) else { return };
        self.uses(&leaf);
        self.has("store through a pointer");
        if leaf.features.contains(&"union") {
            self.has("address of a union's member");
        }
        let word = match &leaf.of {
            Type::Int(word) => word.to_string(),
            Type::Volatile(word) => format!("volatile {word}"),
            _ => return,
        };
        let value = self.value(&leaf.of, false);
        let r = self.name("r");
        let stars = if word == "char" || word == "volatile char" { " *@nozeroterm " } else { " *" };
        let text = &leaf.text;
        let line = match self.random.below(3) {
            0 => format!("{{ {word}{stars}{r} = &{text}; *{r} = {value}; note({text}); }}"),
            1 => format!("{{ {word}{stars}{r} = &{text}; {text} = {value}; note(*{r}); }}"),
            _ => format!(
                "{{ {word}{stars}{r} = &{text}; if ({text} != 0) {{ *{r} = {value}; \
                 note(50 / (int)(*{r} | 1) + {text}); }} }}"
            ),
        };
        self.line(line);
    }

    fn counted(&mut self) {
        self.has("length in a type");
        let (i, n, p) = (self.name("`i"), self.name("n"), self.name("e"));
        let change = self.call_of_change();
        let line = match self.random.below(3) {
            0 => format!(
                "{{ let Counted{{<{i}> {n}, {p}}} = counted; note({change}); note(total({n}, \
                 {p})); }}"
            ),
            1 => format!(
                "{{ let Counted{{<{i}> {n}, {p}}} = counted; if (i >= 0 && i < {n}) {{ \
                 {p}[i] = {change}; }} }}"
            ),
            _ => "note(total(8, cells));".to_string(),
        };
        self.line(line);
    }

    /// What a function of the program's own returns that may be called as one of C's that counts.
    fn brought(&mut self) {
        self.has("a count");
        let (few, n, view) = (self.name("few"), self.name("n"), self.name("view"));
        let change = self.call_of_change();
        let used = match self.random.below(3) {
            0 => format!("note({few}[{n} - 1]);"),
            1 => format!("{change}; {few}[{n} - 1] = {change};"),
            _ => format!("for (int at = 0; at < {n}; at++) note({few}[at]);"),
        };
        self.line(format!(
            "{{ char {few}[4] = {{1, 2, 3, 4}}; char ?{view} = {few}; \
             long {n} = bring({change}, {view}, 4); if ({n} > 0) {{ {used} }} }}"
        ));
    }

    /// References of the checked heap, beside what deletes their objects.
    fn reference(&mut self) {
        self.has("reference");
        let (a, b) = (self.random.pick(&["i", "j", "k", "2"]), self.random.below(4));
        let (at, other) = (format!("refs[{a} & 3]"), format!("refs[{b}]"));
        let (change, r) = (self.call_of_change(), self.name("r"));
        let gone = format!("gone({change})");
        let line = match self.random.below(20) {
            0 => format!("{at}->v = {gone};"),
            1 => format!("note({at}->t[{gone} & 3]);"),
            2 => format!(
                "{{ struct Chk *`D {r} = {at}; if ({r} != NULL) {{ {r}->v += {gone}; {gone}; note({r}->v); }} }}"
            ),
            3 => format!("{{ int *`D {r} = &{at}->t[{b}]; {gone}; *{r} = i; note(*{r}); }}"),
            4 => format!("note(lent((struct Chk @`D){at}, {change}));"),
            5 => format!(
                "{{ let alias<`{r}> struct Chk *`{r} p{r} = {at}; {gone}; if (p{r} != NULL) {{ p{r}->v++; note(p{r}->v); \
                 {other}->v = {change}; }} }}"
            ),
            6 => format!("{at}->next = {other}; note({at} == {other});"),
            7 => format!("wide = calloc(4, sizeof(int)); wide[{change} & 7] = i;"),
            8 => "note(wide[i & 3]); wide++;".to_string(),
            9 => format!("{at} :=: {other};"),
            10 => format!("i :=: {at}->t[{gone} & 3];"),
            11 => format!("fresh({change});"),
            12 => format!("{{ int ?`D {r} = {at}->t; for (int n = 0; n < 4; n++) {r}[n] += gone(n); }}"),
            13 => format!(
                "switch ({at}) {{ case NULL: note(1); break; case &Chk{{.v = x, .next = n}}: {gone}; note(x); \
                 note(n == NULL); break; }}"
            ),
            14 => format!("note(through(&{at}->v, {change}));"),
            15 => format!("note(sum_of({at}->t, {change}));"),
            16 => format!("note(lent(same((struct Chk @`D){at}), lent((struct Chk @`D){other}, {change})));"),
            17 => format!("*{at} = *{other}; {at}->v += {gone};"),
            18 => format!("for (struct Chk *`D {r} = {at}; {r} != NULL; {r} = {r}->next) {{ if (--fuel < 0) return 0; note({r}->v); }}"),
            _ => format!("note({at}->next->v + {gone});"),
        };
        if self.random.one_in(3) {
            return self.line(line);
        }
        self.line(format!(
            "try {{ {line} }} catch {{ case &Dangling_Exception: note(8); case &Null_Exception: note(9); \
             case &Array_bounds: note(10); }}"
        ));
    }

    fn value_of_assignment(&mut self) {
        let Some(leaf) =
            self.leaf(|leaf| matches!(leaf.of, Type::Bits(..)) && leaf.tagged.is_empty())
        else {
            return;
        };
        self.uses(&leaf);
        self.has("value of an assignment");
        let value = self.integer(1);
        let text = &leaf.text;
        let line = match self.random.below(4) {
            0 => format!("note(({text} = {value}) > -1);"),
            1 => format!("cells[({text} = {value}) & 7] = 1;"),
            2 => format!("if (({text} += {value}) < 8 && {text} >= 0) note(cells[{text}]);"),
            _ => format!("note(({text}++ - 1) < 0);"),
        };
        self.line(line);
    }

    fn dereferenced(&mut self) {
        self.has("pointer");
        let change = self.call_of_change();
        let target = self.leaf(|leaf| leaf.of == Type::Pointer && leaf.tagged.is_empty());
        let text = target.map_or("p".to_string(), |leaf| {
            self.uses(&leaf);
            leaf.text
        });
        let line = match self.random.below(5) {
            0 => format!("if ({text} != NULL) *{text} = {change};"),
            1 => format!("if ({text} != NULL) {{ {change}; *{text} += 1; }}"),
            2 => format!("*{text} = {change} + *where(1);"),
            3 => format!("set_through({text});"),
            _ => format!("p = {text}; note(p == NULL ? 0 : *p + {change});"),
        };
        self.line(line);
    }
}
