//! Owners inside larger things: tasks that hide their environment, closures, unions, keys, arrays, counted objects, trees.

use super::generate::{Function, COUNTED, INTS, LISTS};

impl Function<'_> {
    pub(super) fn on_structures(&mut self) -> Option<()> {
        let number = self.number();
        let (a, b) = (self.name("x"), self.name("y"));
        match self.random.below(12) {
            0 | 1 => self.on_tasks(&number, &a),
            2 => self.on_global_key(&number, &a),
            3 => self.on_counted_key(&number, &a, &b),
            4 => self.on_closure(&number, &a),
            5 => self.on_union(&number, &a),
            6 => self.on_array(&number, &a),
            7 => self.on_counted_box(&number, &a, &b),
            8 => self.on_tree(&number, &a, &b),
            9 => self.on_couple(&number, &a, &b),
            10 => self.on_function(&number),
            _ => self.on_copied_pair(&a),
        }
    }

    /// An existential type hides what the environment is; the task may wait in a global.
    fn on_tasks(&mut self, number: &str, a: &str) -> Option<()> {
        if self.random.one_in(2) {
            let place = self.live(INTS)?;
            self.line(format!(
                "struct Task *`U {a} = unew Task(run_box, finish_box, unew Box({place}, {number}));"
            ));
            self.kill(place);
        } else {
            let list = self.live(LISTS)?;
            self.line(format!(
                "struct Task *`U {a} = unew Task(run_node, finish_node, unew Node({number}, {list}));"
            ));
            self.kill(list);
        }
        if self.random.one_in(2) {
            self.line(format!("{a} :=: tasks[({number}) & 1];"));
        }
        self.line(format!("sink += perform({a}, {number} > 2);"));
        Some(())
    }

    /// A dynamic region that stays in a global between two functions.
    fn on_global_key(&mut self, number: &str, a: &str) -> Option<()> {
        let (key, limit, handle) = (self.name("k"), self.name("l"), self.name("h"));
        let region = self.name("`c");
        let before = self.dead.clone();
        self.line(format!("struct Config *`U {a} = unew config({number});"));
        self.line(format!("{a} :=: configs[({number}) & 1];"));
        self.line(format!("if ({a} != NULL) {{"));
        self.line(format!("let Config{{<{region}> {key}, {limit}}} = *{a};"));
        self.line(format!("free({a});"));
        self.line("{");
        self.line(format!("region {handle} = open({key});"));
        self.line(format!("sink += look({limit});"));
        self.statement();
        self.line("}");
        self.line(format!("free_ukey({key});"));
        self.line("}");
        self.dead.extend(before);
        Some(())
    }

    /// Two counted keys of one region: the region is there until both are dropped.
    fn on_counted_key(&mut self, number: &str, a: &str, b: &str) -> Option<()> {
        let (handle, other, region) = (self.name("h"), self.name("h"), self.name("`c"));
        let (p, q) = (self.name("p"), self.name("p"));
        self.line("{");
        self.line(format!("let NewRcDynamicRegion{{<{region}> {a}}} = new_rckey();"));
        self.line(format!("let {b} = alias_refptr({a});"));
        self.line(format!("int *{region} {p} = NULL;"));
        self.line("{");
        self.line(format!("region {handle} = open({a});"));
        self.line(format!("{p} = rnew({handle}) ({number});"));
        self.line("}");
        self.line(format!("free_rckey({a});"));
        self.line("{");
        self.line(format!("region {other} = open({b});"));
        self.line(format!("int *{q} = rnew({other}) 1;"));
        self.line(format!("sink += look({p}) + look({q});"));
        self.statement();
        self.line("}");
        self.line(format!("free_rckey({b});"));
        self.line("}");
        Some(())
    }

    fn on_closure(&mut self, number: &str, a: &str) -> Option<()> {
        let place = self.live(INTS)?;
        self.line(format!("struct Closure {a} = Closure(eat, {place});"));
        self.kill(place);
        if self.random.one_in(2) {
            self.line(format!("if ({number} > 3) {{ call({a}); {a} = Closure(eat, make(s)); }}"));
        }
        self.line(format!("call({a});"));
        Some(())
    }

    fn on_union(&mut self, number: &str, a: &str) -> Option<()> {
        let place = self.live(INTS)?;
        self.line(format!("union Slot {a};"));
        match self.random.below(3) {
            0 => self.line(format!("{a}.own = {place};")),
            1 => self.line(format!("{a}.both = Pair({place}, make({number}));")),
            _ => {
                self.line(format!("{a}.number = {number};"));
                self.line(format!("if ({number} > 3) {a}.own = {place};"));
            }
        }
        self.kill(place);
        self.line(format!("sink += empty({a});"));
        Some(())
    }

    /// A unique array with bounds, lent whole and in part.
    fn on_array(&mut self, number: &str, a: &str) -> Option<()> {
        let (alias, region) = (self.name("a"), self.name("`r"));
        self.line(format!("int ?`U {a} = calloc(4, sizeof(int));"));
        self.line(format!("{a}[({number}) & 3] = {number};"));
        if self.random.one_in(2) {
            self.line("{");
            self.line(format!("let alias<{region}> int ?{region} {alias} = {a};"));
            self.line(format!("{alias} += 2;"));
            self.statement();
            self.line(format!("sink += total({alias}) + look({alias});"));
            self.line("}");
        } else {
            self.line(format!("sink += total({a});"));
        }
        self.line(format!("free({a});"));
        Some(())
    }

    fn on_counted_box(&mut self, number: &str, a: &str, b: &str) -> Option<()> {
        let place = self.live(INTS)?;
        let out = self.name("z");
        self.line(format!("struct Box @`RC {a} = rcnew Box({place}, {number});"));
        self.line(format!("struct Box *`RC {b} = alias_refptr({a});"));
        self.line(format!("int *`U {out} = NULL;"));
        self.line(format!("{out} :=: {a}->p;"));
        self.line(format!("drop_refptr({a});"));
        self.line(format!("sink += look({out}) + refptr_count({b});"));
        self.line(format!("free({out});"));
        self.line(format!("drop_refptr({b});"));
        self.kill(place);
        Some(())
    }

    /// Paths of owned pointers: taken apart, turned round, put back.
    fn on_tree(&mut self, number: &str, a: &str, b: &str) -> Option<()> {
        let (left, leaf) = (self.name("t"), "NULL, NULL");
        self.line(format!("struct Tree *`U {left} = tree(2, {leaf});"));
        self.line(format!("struct Tree *`U {a} = tree({number}, {left}, NULL);"));
        self.line(format!("if ({a} != NULL) {{"));
        self.line(format!("{a}->left :=: {a}->right;"));
        self.line(format!("struct Tree *`U {b} = {a}->right;"));
        self.line(format!("{a}->right = tree({number}, {b}, NULL);"));
        if self.random.one_in(2) {
            self.line(format!(
                "if ({a}->right != NULL && {a}->right->left != NULL) {a}->right->left->n = 4;"
            ));
        }
        self.line(format!("sink += weigh({a}) + ({number}, 2);"));
        self.line("}");
        self.line(format!("drop_tree({a});"));
        Some(())
    }

    fn on_couple(&mut self, number: &str, a: &str, b: &str) -> Option<()> {
        let (p, q) = (self.live(INTS)?, self.live(INTS)?);
        if p == q {
            return None;
        }
        self.line(format!("let Couple{{{a}, {b}}} = Couple(pass({p}), pass({q}));"));
        self.kill(p);
        self.kill(q);
        if self.random.one_in(2) {
            self.line(format!("{a} :=: {b};"));
        }
        self.line(format!("sink += both({a}, {number}, {b});"));
        self.line(format!("free({a});"));
        self.line(format!("free({b});"));
        Some(())
    }

    /// An owner given to a function that is only known when the program runs.
    fn on_function(&mut self, number: &str) -> Option<()> {
        let place = self.live(INTS)?;
        self.line(format!("dispose({number} > 2 ? eat : discard, {place});"));
        self.kill(place);
        let counted = self.live(COUNTED)?;
        self.line(format!("sink += apply(look, {counted});"));
        Some(())
    }

    /// A struct is copied field by field: each of its owners moves.
    fn on_copied_pair(&mut self, a: &str) -> Option<()> {
        let usable = |place| !self.dead.contains(place) && !self.lent.contains(place);
        if !["q.a", "q.b"].into_iter().all(usable) {
            return None;
        }
        self.line(format!("struct Pair {a} = q;"));
        self.kill("q.a");
        self.kill("q.b");
        if self.random.one_in(2) {
            self.line(format!("poke({a}.a);"));
            self.line(format!("q = {a};"));
            self.dead.remove("q.a");
            self.dead.remove("q.b");
        } else {
            self.line(format!("free({a}.a);"));
            self.line(format!("free({a}.b);"));
        }
        Some(())
    }

    /// Ends before the condition does, by break or by going back to a label.
    pub(super) fn ending_loop(&mut self) {
        let counter = self.name("k");
        let before = self.dead.clone();
        let condition = self.condition();
        let form = self.random.below(3);
        let label = self.name("B");
        self.line(format!("int {counter} = 0;"));
        match form {
            0 => self.line(format!("while ({counter}++ < 3) {{")),
            1 => self.line("do {"),
            _ => self.line(format!("{label}: {{")),
        }
        if form != 2 {
            let leave = self.random.pick(&["break;", "continue;"]);
            self.line(format!("if ({condition}) {leave}"));
        }
        self.statements(2);
        self.give_back(&before, &counter);
        match form {
            0 => self.line("}"),
            1 => self.line(format!("}} while ({counter}++ < 2);")),
            _ => {
                self.line("}");
                self.line(format!("if ({counter}++ < 2) goto {label};"));
            }
        }
        self.dead = before;
    }

    /// One case runs on into the next.
    pub(super) fn falling_switch(&mut self) {
        let number = self.number();
        let before = self.dead.clone();
        self.line(format!("switch (({number}) % 3) {{"));
        self.line("case 0:");
        self.statements(2);
        self.line("fallthru;");
        self.line("case 1:");
        self.dead.extend(before.iter().copied());
        self.statements(2);
        self.line("break;");
        let after = std::mem::replace(&mut self.dead, before.clone());
        self.line("default:");
        self.statements(2);
        self.line("break;");
        self.line("}");
        self.dead.extend(after);
    }

    /// Out of a block and its region by goto.
    pub(super) fn goto_out(&mut self) {
        let (label, region, handle) = (self.name("L"), self.name("`g"), self.name("g"));
        let condition = self.condition();
        let before = self.dead.clone();
        self.line("{");
        self.line(format!("region<{region}> {handle};"));
        self.line(format!("int *{region} {handle}p = rnew({handle}) 3;"));
        self.line(format!("if ({condition}) goto {label};"));
        self.statements(2);
        self.line(format!("sink += look({handle}p);"));
        self.line("}");
        self.line(format!("{label}: sink++;"));
        self.dead.extend(before);
    }
}
