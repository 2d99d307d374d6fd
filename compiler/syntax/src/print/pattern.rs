use super::Printer;
use crate::tree::{Pattern, PatternKind, PatternList, StructPattern, TypeName};
use tenure_span::Span;

impl Printer {
    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Error => self.word("_"),
            PatternKind::Name(name) => self.qname(name),
            PatternKind::Typed(ty, name) => self.typed_name(ty, name.name.as_str()),
            PatternKind::As(name, inner) => {
                self.word(name.name.as_str());
                self.word(" as ");
                self.pattern(inner);
            }
            PatternKind::Location(name, inner) => {
                self.word("*");
                self.word(name.name.as_str());
                if let Some(inner) = inner {
                    self.word(" as ");
                    self.pattern(inner);
                }
            }
            PatternKind::Alias(var, ty, name) => {
                self.word("alias");
                self.type_params(std::slice::from_ref(var));
                self.word(" ");
                self.typed_name(ty, name.name.as_str());
            }
            PatternKind::Tag(name, var) => {
                self.word(name.name.as_str());
                self.type_params(std::slice::from_ref(var));
            }
            PatternKind::Const(value) => self.expr(value),
            PatternKind::Range(first, last) => {
                self.expr(first);
                self.word(" ... ");
                self.expr(last);
            }
            PatternKind::Str(text) => self.string(text),
            PatternKind::Null => self.word("NULL"),
            PatternKind::Pointer(inner) => {
                self.word("&");
                self.pattern(inner);
            }
            PatternKind::Tuple(list) => {
                self.word("$(");
                self.pattern_list(list);
            }
            PatternKind::Construct(construct) => {
                self.qname(&construct.name);
                self.type_params(&construct.exists);
                self.word("(");
                self.pattern_list(&construct.args);
            }
            PatternKind::Struct(pattern) => self.struct_pattern(pattern),
        }
    }

    /// A declaration of one name with a type.
    fn typed_name(&mut self, ty: &TypeName, name: &str) {
        self.specifiers(&ty.specs);
        self.word(" ");
        self.parts_around(name, &ty.parts);
    }

    fn pattern_list(&mut self, list: &PatternList) {
        self.list(&list.items, ", ", Printer::pattern);
        self.rest(list.rest, list.items.is_empty());
        self.word(")");
    }

    fn rest(&mut self, rest: Option<Span>, first: bool) {
        if rest.is_some() {
            self.word(if first { "..." } else { ", ..." });
        }
    }

    fn struct_pattern(&mut self, pattern: &StructPattern) {
        if let Some(name) = &pattern.name {
            self.qname(name);
        }
        self.word("{");
        self.type_params(&pattern.exists);
        if !pattern.exists.is_empty() {
            self.word(" ");
        }
        self.list(&pattern.fields, ", ", |p, field| {
            p.designators(&field.designators);
            if !field.designators.is_empty() {
                p.word(" = ");
            }
            p.pattern(&field.pattern);
        });
        self.rest(pattern.rest, pattern.fields.is_empty());
        self.word("}");
    }
}
