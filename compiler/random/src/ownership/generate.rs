//! Random functions over owned pointers. A model of what the language's rules leave alive keeps them well-typed; it is simpler
//! than the compiler's analysis, and only errs by using less than it could.

use crate::Random;
use std::collections::BTreeSet;

/// What every program begins with: types, globals, and functions that free, keep, lend, cut and throw.
pub const PRELUDE: &str = include_str!("prelude.cyc");

/// Places that own an `int`, a list, and a counted `int`.
pub const INTS: &[&str] = &["u0", "u1", "u2", "q.a", "q.b"];
pub const LISTS: &[&str] = &["n0", "n1"];
pub const COUNTED: &[&str] = &["c0", "c1"];

const DEEPEST: usize = 3;

pub struct Function<'r> {
    pub(super) random: &'r mut Random,
    lines: Vec<String>,
    /// Consumed on some way here.
    pub(super) dead: BTreeSet<&'static str>,
    /// Lent to an alias around.
    pub(super) lent: BTreeSet<&'static str>,
    /// Everything that was dead at some point: what a handler must expect.
    ever: BTreeSet<&'static str>,
    names: usize,
    depth: usize,
}

/// The lines of one function called `name`.
pub fn function(random: &mut Random, name: &str) -> Vec<String> {
    let mut lines = vec![format!("static int {name}(int s, int t) {{")];
    for (at, place) in INTS.iter().take(3).enumerate() {
        lines.push(format!("int *`U {place} = make(s + {at});"));
    }
    lines.push("struct Pair q = Pair(make(s), NULL);".into());
    lines.push("struct Node *`U n0 = node(s, NULL);".into());
    lines.push("struct Node *`U n1 = node(1, node(2, NULL));".into());
    lines.push("int *`RC c0 = rcnew 1;".into());
    lines.push("int *`RC c1 = alias_refptr(c0);".into());
    lines.push("int *esc = NULL;".into());
    let mut function = Function {
        random,
        lines,
        dead: BTreeSet::new(),
        lent: BTreeSet::new(),
        ever: BTreeSet::new(),
        names: 0,
        depth: 0,
    };
    let count = 4 + function.random.below(5);
    for _ in 0..count {
        function.statement();
    }
    function.line("return (int)sink + look(esc) + t;");
    function.line("}");
    function.lines
}

impl Function<'_> {
    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub(super) fn number(&mut self) -> String {
        match self.random.below(3) {
            0 => "s".into(),
            1 => format!("s + {}", self.random.below(7)),
            _ => format!("{}", self.random.below(9)),
        }
    }

    pub(super) fn condition(&mut self) -> String {
        format!("(s + {}) % {} == 0", self.random.below(7), 2 + self.random.below(3))
    }

    pub(super) fn live(&mut self, among: &[&'static str]) -> Option<&'static str> {
        let usable: Vec<&'static str> = among
            .iter()
            .copied()
            .filter(|place| !self.dead.contains(place) && !self.lent.contains(place))
            .collect();
        (!usable.is_empty()).then(|| self.random.pick(&usable))
    }

    /// A place that may be stored to.
    fn target(&mut self, among: &[&'static str]) -> Option<&'static str> {
        let usable: Vec<&'static str> =
            among.iter().copied().filter(|place| !self.lent.contains(place)).collect();
        (!usable.is_empty()).then(|| self.random.pick(&usable))
    }

    pub(super) fn kill(&mut self, place: &'static str) {
        self.dead.insert(place);
        self.ever.insert(place);
    }

    pub(super) fn statement(&mut self) {
        if self.depth < DEEPEST && self.random.one_in(4) {
            self.depth += 1;
            self.compound();
            self.depth -= 1;
            return;
        }
        match self.random.below(14) {
            0..=4 => drop(self.on_ints()),
            5 | 6 => drop(self.on_lists()),
            7..=9 => drop(self.on_parts()),
            10..=12 => drop(self.on_structures()),
            _ => drop(self.on_counted()),
        }
    }

    pub(super) fn statements(&mut self, most: u64) {
        for _ in 0..1 + self.random.below(most) {
            self.statement();
        }
    }

    fn on_ints(&mut self) -> Option<()> {
        let number = self.number();
        match self.random.below(16) {
            0 | 1 => {
                let to = self.target(INTS)?;
                self.line(format!("{to} = make({number});"));
                self.dead.remove(to);
            }
            2 | 3 => {
                let from = self.live(INTS)?;
                let to = self.target(INTS)?;
                self.line(format!("{to} = {from};"));
                self.kill(from);
                self.dead.remove(to);
            }
            4 | 5 => {
                let place = self.live(INTS)?;
                let how = self.random.pick(&["free", "eat"]);
                self.line(format!("{how}({place});"));
                self.kill(place);
            }
            6 => {
                let place = self.live(INTS)?;
                self.line(format!("put({number}, {place});"));
                self.kill(place);
            }
            7 => {
                let (a, b) = (self.live(INTS)?, self.live(INTS)?);
                self.line(format!("{a} :=: {b};"));
            }
            8 => {
                let place = self.live(INTS)?;
                self.line(format!("{place} :=: pool[({number}) & 3];"));
            }
            9 => {
                let to = self.target(INTS)?;
                self.line(format!("{to} = get({number});"));
                self.dead.remove(to);
            }
            10 => {
                let from = self.live(INTS)?;
                let to = self.target(INTS)?;
                let condition = self.condition();
                self.line(format!("{to} = {condition} ? {from} : make({number});"));
                self.kill(from);
                self.dead.remove(to);
            }
            11 => {
                let (a, b) = (self.live(INTS)?, self.live(INTS)?);
                if a == b || self.lent.contains("q.a") || self.lent.contains("q.b") {
                    return None;
                }
                self.line(format!("q = Pair({a}, {b});"));
                self.kill(a);
                self.kill(b);
                self.dead.remove("q.a");
                self.dead.remove("q.b");
            }
            _ => self.on_lent_ints(&number)?,
        }
        Some(())
    }

    /// Lends an owner, or looks at it.
    fn on_lent_ints(&mut self, number: &str) -> Option<()> {
        match self.random.below(6) {
            0 => {
                let place = self.live(INTS)?;
                let how = self.random.pick(&["watch", "look"]);
                self.line(format!("sink += {how}({place});"));
            }
            1 => {
                let (a, b) = (self.live(INTS)?, self.live(INTS)?);
                self.line(format!("sink += both({a}, {number} + look({b}), {b});"));
            }
            2 => {
                let place = self.live(INTS)?;
                let condition = self.condition();
                self.line(format!("sink += {condition} && {place} != NULL && *{place} > 3;"));
            }
            3 => {
                let place = self.live(INTS)?;
                self.line(format!("poke({place});"));
            }
            _ => return self.on_branches(number),
        }
        Some(())
    }

    /// Which owner is lent is decided as the program runs.
    fn on_branches(&mut self, number: &str) -> Option<()> {
        let (a, b, c) = (self.live(INTS)?, self.live(INTS)?, self.live(INTS)?);
        let (first, second) = (self.condition(), self.condition());
        match self.random.below(6) {
            0 => self.line(format!("sink += look({first} ? {a} : {b});")),
            1 => self.line(format!("sink += both(({number}, {a}), s, {first} ? {b} : {c});")),
            2 => self.line(format!("sink += look({first} ? {a} : throw new Not_found);")),
            3 => self.line(format!(
                "sink += look((fail({number}), {first} ? {a} : {second} ? {b} : {c}));"
            )),
            4 => self.line(format!(
                "sink += both({first} ? (poke({a}), {a}) : {b}, look({second} ? {b} : {a}), {c});"
            )),
            _ => self.line(format!("sink += apply(look, same(same({first} ? {a} : {b})));")),
        }
        Some(())
    }

    fn on_lists(&mut self) -> Option<()> {
        let number = self.number();
        match self.random.below(8) {
            0 => {
                let rest = self.live(LISTS)?;
                let to = self.target(LISTS)?;
                self.line(format!("{to} = node({number}, {rest});"));
                self.kill(rest);
                self.dead.remove(to);
            }
            1 => {
                let list = self.live(LISTS)?;
                self.line(format!("drop_list({list});"));
                self.kill(list);
            }
            2 => {
                let list = self.live(LISTS)?;
                self.line(format!("cut({list});"));
            }
            3 => {
                let list = self.live(LISTS)?;
                self.line(format!("sink += sum({list});"));
            }
            4 => {
                let list = self.live(LISTS)?;
                self.line(format!("{list} :=: stock;"));
            }
            5 => {
                let to = self.target(LISTS)?;
                self.line(format!("{to} = node({number}, NULL);"));
                self.dead.remove(to);
            }
            6 => {
                let (from, to) = (self.live(LISTS)?, self.target(LISTS)?);
                let rest = self.name("r");
                self.line(format!("if ({from} != NULL) {{"));
                self.line(format!("struct Node *`U {rest} = {from}->next;"));
                self.line(format!("free({from});"));
                self.line(format!("{from} = {rest};"));
                self.line("}");
                let _ = to;
            }
            _ => {
                let list = self.live(LISTS)?;
                let rest = self.name("t");
                self.line(format!("switch ({list}) {{"));
                self.line("case NULL: break;");
                self.line(format!("case &Node(v, {rest}):"));
                self.line(format!("sink += v + sum({rest});"));
                if self.random.one_in(2) {
                    self.line(format!("free({list});"));
                    self.line(format!("drop_list({rest});"));
                    self.line("break;");
                    self.kill(list);
                }
                self.line("}");
            }
        }
        Some(())
    }

    /// Owners inside boxes and variants, and lent ones on their way through calls.
    fn on_parts(&mut self) -> Option<()> {
        let number = self.number();
        let (a, b) = (self.name("x"), self.name("y"));
        match self.random.below(10) {
            0 => {
                let place = self.live(INTS)?;
                let how = self.random.pick(&["same", "id"]);
                self.line(format!("sink += both(same({how}({place})), 1, {place});"));
            }
            1 => {
                let from = self.live(INTS)?;
                let to = self.target(INTS)?;
                self.line(format!("{to} = pass({from});"));
                self.kill(from);
                self.dead.remove(to);
            }
            2 => {
                let place = self.live(INTS)?;
                let value = self.random.pick(&["NULL", "make(s)"]);
                self.line(format!("struct Box @`U {a} = unew Box({place}, {number});"));
                self.line(format!("switch ({a}) {{"));
                self.line(format!("case &Box{{{b}, _}}:"));
                self.line(format!("free({b});"));
                self.line(format!("{a}->p = {value};"));
                self.line("break;");
                self.line("}");
                self.line(format!("sink += look({a}->p);"));
                self.line(format!("free({a}->p);"));
                self.line(format!("free({a});"));
                self.kill(place);
            }
            3 => {
                let place = self.live(INTS)?;
                self.line(format!("struct Box @`U {a} = unew Box(make({number}), 1);"));
                self.line(format!("switch ({a}) {{"));
                self.line(format!("case &Box{{{b}, _}}:"));
                self.line(format!("{b} :=: {place};"));
                self.line(format!("free({b});"));
                self.line("break;");
                self.line("}");
                self.line(format!("free({a});"));
            }
            4 => {
                let (p, q) = (self.live(INTS)?, self.live(INTS)?);
                if p == q {
                    return None;
                }
                self.line(format!("datatype Load *`U {a} = unew Two({p}, {q});"));
                self.line(format!("if ({number} > 2) {{ unload({a}); {a} = unew One(make(1)); }}"));
                self.line(format!("unload({a});"));
                self.kill(p);
                self.kill(q);
            }
            _ => return self.on_packages(&number, &a, &b),
        }
        Some(())
    }

    /// Owners inside exceptions, tuples, arrays and packages.
    fn on_packages(&mut self, number: &str, a: &str, b: &str) -> Option<()> {
        match self.random.below(5) {
            0 => {
                let place = self.live(INTS)?;
                self.line("try {");
                self.line(format!("carry({number}, {place});"));
                self.line("} catch {");
                self.line(format!("case &Carry(*{a}):"));
                self.line(format!("int *`U {b} = NULL;"));
                self.line(format!("{b} :=: *{a};"));
                self.line(format!("sink += look({b});"));
                self.line(format!("free({b});"));
                self.line("}");
                self.kill(place);
            }
            1 => {
                let place = self.live(INTS)?;
                self.line(format!("let $({a}, {b}) = $({place}, make({number}));"));
                self.line(format!("sink += look({a}) + look({b});"));
                self.line(format!("free({a});"));
                self.line(format!("free({b});"));
                self.kill(place);
            }
            2 => {
                let place = self.live(INTS)?;
                self.line(format!("int *`U {a}[3] = {{ {place}, NULL, make({number}) }};"));
                self.line(format!("{a}[({number}) & 1] :=: {a}[2];"));
                self.line(format!("{a}[1] :=: pool[0];"));
                self.kill(place);
            }
            3 => {
                let (key, limit, handle) = (self.name("k"), self.name("l"), self.name("h"));
                let region = self.name("`c");
                self.line(format!("struct Config {a} = config({number});"));
                self.line("{");
                self.line(format!("let Config{{<{region}> {key}, {limit}}} = {a};"));
                self.line("{");
                self.line(format!("region {handle} = open({key});"));
                self.line(format!("sink += look({limit});"));
                self.statement();
                self.line(format!("{limit} = rnew({handle}) ({number});"));
                self.line("}");
                self.line(format!("free_ukey({key});"));
                self.line("}");
            }
            _ => {
                let place = self.live(INTS)?;
                self.line(format!("sink += apply(look, same({place}));"));
            }
        }
        Some(())
    }

    fn on_counted(&mut self) -> Option<()> {
        let number = self.number();
        match self.random.below(5) {
            0 => {
                let to = self.target(COUNTED)?;
                self.line(format!("{to} = rcnew ({number});"));
                self.dead.remove(to);
            }
            1 => {
                let from = self.live(COUNTED)?;
                let to = self.target(COUNTED)?;
                self.line(format!("{to} = alias_refptr({from});"));
                self.dead.remove(to);
            }
            2 => {
                let place = self.live(COUNTED)?;
                self.line(format!("drop_refptr({place});"));
                self.kill(place);
            }
            3 => {
                let place = self.live(COUNTED)?;
                self.line(format!("sink += look({place}) + refptr_count({place});"));
            }
            _ => {
                let from = self.live(COUNTED)?;
                let to = self.target(COUNTED)?;
                self.line(format!("{to} = {from};"));
                self.kill(from);
                self.dead.remove(to);
            }
        }
        Some(())
    }

    fn compound(&mut self) {
        match self.random.below(11) {
            0 | 1 => self.if_statement(),
            2 => self.loop_statement(),
            8 => self.ending_loop(),
            9 => self.falling_switch(),
            10 => self.goto_out(),
            3 => self.switch_statement(),
            4 => self.try_statement(),
            5 => drop(self.alias_block()),
            6 => self.goto_over(),
            _ => self.region_block(),
        }
    }

    fn if_statement(&mut self) {
        let condition = self.condition();
        let before = self.dead.clone();
        self.line(format!("if ({condition}) {{"));
        self.statements(3);
        if self.random.one_in(6) && self.lent.is_empty() {
            self.line("return sink;");
            self.dead = before;
            self.line("}");
            return;
        }
        let after = std::mem::replace(&mut self.dead, before);
        if self.random.one_in(2) {
            self.line("} else {");
            self.statements(3);
        }
        self.line("}");
        self.dead.extend(after);
    }

    /// What a round consumes, its end gives back.
    fn loop_statement(&mut self) {
        let before = self.dead.clone();
        let counter = self.name("k");
        let rounds = 1 + self.random.below(4);
        self.line(format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{"));
        self.statements(3);
        self.give_back(&before, &counter);
        self.line("}");
        self.dead = before;
    }

    /// Stores to what was consumed since `before`.
    pub(super) fn give_back(&mut self, before: &BTreeSet<&'static str>, counter: &str) {
        let died: Vec<&'static str> = self.dead.difference(before).copied().collect();
        for place in died {
            let value = if INTS.contains(&place) {
                format!("make({counter})")
            } else if LISTS.contains(&place) {
                "NULL".to_string()
            } else {
                "rcnew 2".to_string()
            };
            self.line(format!("{place} = {value};"));
        }
    }

    fn switch_statement(&mut self) {
        let number = self.number();
        let before = self.dead.clone();
        let mut after = BTreeSet::new();
        self.line(format!("switch (({number}) % 3) {{"));
        for case in ["case 0:", "case 1:", "default:"] {
            self.dead.clone_from(&before);
            self.line(case);
            self.statements(2);
            self.line("break;");
            after.extend(self.dead.iter().copied());
        }
        self.line("}");
        self.dead = after;
    }

    fn try_statement(&mut self) {
        let outside = std::mem::take(&mut self.ever);
        let number = self.number();
        let before = self.dead.clone();
        self.line("try {");
        self.line(format!("fail({number});"));
        self.statements(3);
        self.line(format!("fail({number} + 1);"));
        self.line("} catch {");
        self.line("case _: sink++;");
        self.line("}");
        let during = std::mem::replace(&mut self.ever, outside);
        self.dead.extend(before);
        self.dead.extend(during.iter().copied());
        self.ever.extend(during);
    }

    fn alias_block(&mut self) -> Option<()> {
        let place = self.live(INTS)?;
        let (alias, region) = (self.name("a"), self.name("`r"));
        self.line("{");
        self.line(format!("let alias<{region}> int *{region} {alias} = {place};"));
        self.lent.insert(place);
        self.line(format!("poke({alias});"));
        self.statements(2);
        self.line(format!("sink += look({alias});"));
        self.lent.remove(place);
        self.line("}");
        Some(())
    }

    fn goto_over(&mut self) {
        let label = self.name("L");
        let condition = self.condition();
        let before = self.dead.clone();
        self.line(format!("if ({condition}) goto {label};"));
        self.statements(2);
        self.line(format!("{label}: sink++;"));
        self.dead.extend(before);
    }

    fn region_block(&mut self) {
        let (key, handle, region) = (self.name("key"), self.name("h"), self.name("`k"));
        let pointer = self.name("p");
        let number = self.number();
        self.line("{");
        self.line(format!("let NewDynamicRegion{{<{region}> {key}}} = new_ukey();"));
        self.line("{");
        self.line(format!("region {handle} = open({key});"));
        self.line(format!("int *{pointer} = rnew({handle}) ({number});"));
        self.line(format!("sink += look({pointer});"));
        self.line("}");
        self.line(format!("free_ukey({key});"));
        self.line("}");
    }
}
