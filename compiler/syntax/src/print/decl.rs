use super::Printer;
use crate::tree::{Decl, DeclKind, Export, ExternInclude, FunctionDef, RegionDecl, Scope, VarDecl};

impl Printer {
    pub(super) fn decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Vars(vars) => self.vars(vars),
            DeclKind::Function(function) => self.definition(function),
            DeclKind::Let(decl) => {
                self.word("let ");
                self.pattern(&decl.pattern);
                self.word(" = ");
                self.expr(&decl.init);
                self.word(";");
            }
            DeclKind::LetNames(names) => {
                self.word("let ");
                self.list(names, ", ", |p, name| p.word(name.name.as_str()));
                self.word(";");
            }
            DeclKind::Region(region) => self.region(region),
            DeclKind::Namespace(scope) => self.scope("namespace ", scope),
            DeclKind::Using(scope) => self.scope("using ", scope),
            DeclKind::ExternC(block) => {
                self.word("extern \"C\" ");
                if block.braced {
                    self.lines(&block.decls, Printer::decl);
                } else {
                    self.list(&block.decls, " ", Printer::decl);
                }
            }
            DeclKind::ExternInclude(include) => self.extern_include(include),
            DeclKind::StaticAssert(condition, message) => {
                self.word("_Static_assert(");
                self.expr(condition);
                if let Some(message) = message {
                    self.word(", ");
                    self.string(message);
                }
                self.word(");");
            }
            DeclKind::Asm(text) => {
                self.word("asm(");
                self.string(text);
                self.word(");");
            }
            DeclKind::Empty | DeclKind::Error => self.word(";"),
        }
    }

    fn vars(&mut self, vars: &VarDecl) {
        self.specifiers(&vars.specs);
        self.word(if vars.declarators.is_empty() { "" } else { " " });
        self.list(&vars.declarators, ", ", |p, declared| {
            p.declarator(&declared.declarator);
            if let Some(init) = &declared.init {
                p.word(" = ");
                p.expr(init);
            }
        });
        self.word(";");
    }

    fn definition(&mut self, function: &FunctionDef) {
        self.declared(&function.specs, &function.declarator);
        for decl in &function.old_style {
            self.newline();
            self.decl(decl);
        }
        self.newline();
        self.block(&function.body);
    }

    fn region(&mut self, region: &RegionDecl) {
        self.word("region");
        self.type_params(region.var.as_slice());
        self.word(" ");
        self.word(region.name.name.as_str());
        if !region.attributes.is_empty() {
            self.word(" ");
            self.attributes(&region.attributes);
        }
        if let Some(open) = &region.open {
            self.word(" = open(");
            self.expr(open);
            self.word(")");
        }
        self.word(";");
    }

    fn scope(&mut self, word: &str, scope: &Scope) {
        self.word(word);
        self.qname(&scope.name);
        if scope.braced {
            self.word(" ");
            self.lines(&scope.decls, Printer::decl);
            return;
        }
        self.word(";");
        for decl in &scope.decls {
            self.newline();
            self.decl(decl);
        }
    }

    fn extern_include(&mut self, include: &ExternInclude) {
        self.word("extern \"C\" include ");
        self.lines(&include.decls, Printer::decl);
        match &include.export {
            Some(Export::All(_)) => self.word(" export { * }"),
            Some(Export::Names(names)) => {
                self.word(" export ");
                self.names(names);
            }
            None => {}
        }
        if !include.overrides.is_empty() {
            self.word(" cyclone_override ");
            self.lines(&include.overrides, Printer::decl);
        }
        if !include.hide.is_empty() {
            self.word(" cyclone_hide ");
            self.names(&include.hide);
        }
    }

    fn names(&mut self, names: &[crate::tree::QName]) {
        self.word("{ ");
        self.list(names, ", ", Printer::qname);
        self.word(" }");
    }
}
