//! Exceptions: objects that a throw owns and those that a handler keeps, and functions that do not return.

use super::body::Body;

impl Body<'_> {
    pub fn attempt(&mut self, depth: u32) {
        self.has("exception");
        self.open("try {");
        let loops = std::mem::take(&mut self.loops);
        self.block(depth);
        if self.random.one_in(2) {
            let (condition, thrown) = (self.condition(0), self.thrown());
            self.line(format!("if ({condition}) throw {thrown};"));
        }
        self.loops = loops;
        self.turn("} catch {");
        self.case();
        self.plain();
        if self.random.one_in(6) {
            self.line("break;");
        }
        if self.random.one_in(3) {
            // Caught and thrown on, inside of another handler, or kept.
            match self.random.below(3) {
                0 => self.line("case e && held(e) && i > 2: note(3);"),
                1 => self.line("case &Said(n, m) && n > i: note(n + (m == NULL ? 0 : *m));"),
                _ => self.line("case &Said(*n, _): p = n; note(*n);"),
            }
        }
        let last = match self.random.below(6) {
            0 => "case e: kept = e; i++;",
            1 => "default: i++;",
            _ => "case _:",
        };
        self.line(last);
        self.observed();
        self.close();
    }

    fn thrown(&mut self) -> String {
        self.has("thrown object");
        match self.random.below(6) {
            0 => "new Failure(\"thrown\")".into(),
            1 => "kept".into(),
            2 => "new Said(i, NULL)".into(),
            3 => format!("new Said((int)({}), &cells[i & 7])", self.integer(1)),
            _ => format!("new Said(k, {})", self.address(true)),
        }
    }

    /// The first case of a handler.
    fn case(&mut self) {
        let first = match self.random.below(9) {
            0 => "case &Match_Exception:",
            1 => "case &Null_Exception:",
            2 => "case &Array_bounds:",
            3 => "case &Failure(why): note(numelts(why));",
            4 => "case &Said(n, m): note(n); if (m != NULL) note(*m);",
            5 => "case &Said(n, _): try { throw new Said(n + 1, NULL); } catch { case &Said(m, _): note(m); }",
            6 => "case &Said(*n, m): p = n; note(*p); if (m != NULL) *m = *n;",
            7 => "case &Said(n, _) && n > 3: note(n);",
            _ => "case &Said(n, m) && held(new Said(n, m)): note(n);",
        };
        self.line(first);
    }

    /// A function that ends every way with a throw, sometimes.
    pub fn leaver(&mut self, number: usize) {
        self.leaver = None;
        if !self.random.one_in(3) {
            return;
        }
        let name = format!("leave{number}");
        self.line(format!("static void {name}(int a, int b) __attribute__((noreturn));"));
        self.open(format!("static void {name}(int a, int b) {{"));
        self.line("int i = a, j = b, k = 0; int *p = &fixed; int ?q = cells;");
        self.line("note(i + j);");
        let (condition, thrown) = (self.condition(1), self.thrown());
        let last = match self.random.below(5) {
            0 => format!("while (1) {{ if (--fuel < 0 || {condition}) throw {thrown}; i++; }}"),
            1 => format!("if ({condition}) throw {thrown}; else throw new Said(k, p);"),
            2 => format!("for (;; k++) {{ try {{ throw {thrown}; }} catch {{ case &Said(n, _): throw new Said(n, &q[0]); }} }}"),
            3 => format!("switch (i & 1) {{ case 0: throw {thrown}; default: throw new Not_found; }}"),
            _ => format!("throw {thrown};"),
        };
        self.line(last);
        self.close();
        self.leaver = Some(name);
    }
}
