//! Parsing of a program's items; names are collected first, so that items may stand in any order.

use super::lex::{lex, Token};
use crate::{
    EnumDef, EnumId, Field, FunctionDecl, FunctionId, Global, GlobalId, Initializer, IntTy,
    Linkage, Nominal, NominalId, Program, Quals, Record, RecordId, RecordKind, Signature, StringId,
    StringLiteral, Ty, TyId,
};
use std::fmt;
use tenure_span::{FastMap, FileId, Span, Symbol};

/// Where and why a text is no core program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub message: String,
    /// From 1.
    pub line: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

pub(super) type Result<T> = std::result::Result<T, (String, Span)>;

/// The program that `text` describes. Spans of the result are places in `text`, as file 0.
pub fn parse(text: &str) -> std::result::Result<Program, ParseError> {
    let located = |(message, span): (String, Span)| ParseError {
        message,
        line: 1 + text[..(span.lo as usize).min(text.len())].matches('\n').count(),
    };
    let tokens = lex(text, FileId(0)).map_err(located)?;
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        program: Program::default(),
        records: FastMap::default(),
        enums: FastMap::default(),
        globals: FastMap::default(),
        functions: FastMap::default(),
        body: None,
    };
    parser.program().map_err(located)?;
    Ok(parser.program)
}

pub(super) struct Parser {
    pub tokens: Vec<(Token, Span)>,
    pub at: usize,
    /// Of nested statements and expressions.
    pub depth: u32,
    pub program: Program,
    records: FastMap<String, RecordId>,
    enums: FastMap<String, EnumId>,
    pub globals: FastMap<String, GlobalId>,
    pub functions: FastMap<String, FunctionId>,
    pub body: Option<super::parse_body::Body>,
}

const ITEMS: &[&str] = &[
    "struct", "union", "tuple", "variant", "tagged", "enum", "global", "fn", "string", "nominal",
    "main",
];

impl Parser {
    pub fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    pub fn peek_at(&self, ahead: usize) -> &Token {
        let index = (self.at + ahead).min(self.tokens.len() - 1);
        &self.tokens[index].0
    }

    pub fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    pub fn bump(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        Err((message.into(), self.span()))
    }

    pub fn is(&self, punct: &str) -> bool {
        matches!(self.peek(), Token::Punct(p) if *p == punct)
    }

    pub fn accept(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }

    pub fn expect(&mut self, punct: &str) -> Result<()> {
        if self.accept(punct) {
            return Ok(());
        }
        self.fail(format!("expected `{punct}`, found {:?}", self.peek()))
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(name, false) if name == word)
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub fn name(&mut self) -> Result<String> {
        match self.bump() {
            Token::Name(name, _) => Ok(name),
            other => {
                self.at = self.at.saturating_sub(1);
                self.fail(format!("expected a name, found {other:?}"))
            }
        }
    }

    pub fn int(&mut self) -> Result<i128> {
        let negative = self.accept("-");
        match self.bump() {
            Token::Int(n) => Ok(if negative { n.wrapping_neg() } else { n }),
            other => self.fail(format!("expected a number, found {other:?}")),
        }
    }

    pub fn small<T: TryFrom<i128>>(&mut self) -> Result<T> {
        let n = self.int()?;
        T::try_from(n).or_else(|_| self.fail("the number is out of range"))
    }

    pub fn text(&mut self) -> Result<String> {
        match self.bump() {
            Token::Text(text) => Ok(text),
            other => self.fail(format!("expected a string, found {other:?}")),
        }
    }

    fn program(&mut self) -> Result<()> {
        for int in [IntTy::Int, IntTy::UInt, IntTy::Char, IntTy::Long, IntTy::ULong] {
            self.program.types.int(int);
        }
        self.collect_names();
        while *self.peek() != Token::End {
            self.item()?;
        }
        Ok(())
    }

    /// Gives every item its id in order of appearance.
    fn collect_names(&mut self) {
        let mut depth = 0;
        let mut start = true;
        for n in 0..self.tokens.len() {
            let begins = start;
            start = false;
            match &self.tokens[n].0 {
                Token::Punct("{" | "(") => depth += 1,
                Token::Punct("}" | ")") => {
                    depth -= 1;
                    start = depth == 0 && matches!(self.tokens[n].0, Token::Punct("}"));
                }
                Token::Punct(";") => start = depth == 0,
                Token::Name(word, false) if begins && ITEMS.contains(&word.as_str()) => {
                    let word = word.clone();
                    if let Some((Token::Name(name, _), _)) = self.tokens.get(n + 1).cloned() {
                        self.collect(&word, name);
                    }
                }
                _ => {}
            }
        }
    }

    fn collect(&mut self, word: &str, name: String) {
        let symbol = Symbol::new(&name);
        match word {
            "enum" => {
                let def = EnumDef { c_name: symbol, underlying: IntTy::Int, constants: Vec::new() };
                let id = self.program.types.enums.push(def);
                self.enums.insert(name, id);
            }
            "global" => {
                let ty = self.program.types.intern(Ty::Void);
                let id = self.program.globals.push(blank_global(symbol, ty));
                self.globals.insert(name, id);
            }
            "fn" => {
                let ty = self.program.types.intern(Ty::Void);
                let id = self.program.decls.push(blank_decl(symbol, ty));
                self.functions.insert(name, id);
            }
            "string" | "nominal" | "main" => {}
            kind => {
                let kind = match kind {
                    "union" => RecordKind::Union,
                    "tuple" => RecordKind::Tuple,
                    "variant" => RecordKind::Variant,
                    "tagged" => RecordKind::TaggedUnion,
                    _ => RecordKind::Struct,
                };
                let id = self.program.types.records.push(Record {
                    kind,
                    c_name: symbol,
                    fields: None,
                    packed: false,
                    align: None,
                    span: Span::NONE,
                });
                self.records.insert(name, id);
            }
        }
    }

    fn item(&mut self) -> Result<()> {
        let Token::Name(word, false) = self.bump() else {
            self.at = self.at.saturating_sub(1);
            return self.fail("expected an item");
        };
        match word.as_str() {
            "struct" | "union" | "tuple" | "variant" | "tagged" => self.record(),
            "enum" => self.enumeration(),
            "global" => self.global(),
            "string" => self.string(),
            "nominal" => self.nominal(),
            "fn" => self.function(),
            "main" => {
                self.program.main = Some(self.function_name()?);
                self.expect(";")
            }
            _ => self.fail(format!("`{word}` begins no item")),
        }
    }

    pub fn function_name(&mut self) -> Result<FunctionId> {
        let name = self.name()?;
        match self.functions.get(&name) {
            Some(&id) => Ok(id),
            None => self.fail(format!("no function is called {name}")),
        }
    }

    pub fn global_name(&mut self) -> Result<GlobalId> {
        let name = self.name()?;
        match self.globals.get(&name) {
            Some(&id) => Ok(id),
            None => self.fail(format!("no global is called {name}")),
        }
    }

    fn record_name(&mut self) -> Result<RecordId> {
        let name = self.name()?;
        match self.records.get(&name) {
            Some(&id) => Ok(id),
            None => self.fail(format!("no record is called {name}")),
        }
    }

    fn record(&mut self) -> Result<()> {
        let id = self.record_name()?;
        let span = self.span();
        let packed = self.accept_word("packed");
        let align = self.align()?;
        let mut fields = None;
        if self.accept("{") {
            let mut list = Vec::new();
            while !self.accept("}") {
                list.push(self.field()?);
                if !self.is("}") {
                    self.expect(",")?;
                }
            }
            fields = Some(list);
        } else {
            self.expect(";")?;
        }
        let record = &mut self.program.types.records[id];
        *record = Record { fields, packed, align, span, ..record.clone() };
        Ok(())
    }

    fn field(&mut self) -> Result<Field> {
        let name = self.name()?;
        self.expect(":")?;
        let quals = self.quals();
        let ty = self.ty()?;
        let bits = if self.accept_word("bits") { Some(self.small()?) } else { None };
        let align = self.align()?;
        let name = (name != "_").then(|| Symbol::new(&name));
        Ok(Field { name, ty, quals, bits, align })
    }

    pub fn align(&mut self) -> Result<Option<u32>> {
        Ok(if self.accept_word("align") { Some(self.small()?) } else { None })
    }

    fn enumeration(&mut self) -> Result<()> {
        let name = self.name()?;
        let id = self.enums[&name];
        self.expect(":")?;
        let word = self.name()?;
        let Some(underlying) = int_of(&word) else { return self.fail("expected an integer type") };
        let mut constants = Vec::new();
        self.expect("{")?;
        while !self.accept("}") {
            let name = Symbol::new(&self.name()?);
            self.expect("=")?;
            constants.push((name, self.int()?));
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        let def = &mut self.program.types.enums[id];
        def.underlying = underlying;
        def.constants = constants;
        Ok(())
    }

    fn string(&mut self) -> Result<()> {
        self.expect("#")?;
        let id: u32 = self.small()?;
        if id as usize != self.program.strings.len() {
            return self.fail("strings are numbered in order");
        }
        if !self.accept_word("size") {
            return self.fail("expected `size`");
        }
        let unit_size = self.small()?;
        self.expect("=")?;
        let mut units = Vec::new();
        if self.accept("[") {
            while !self.accept("]") {
                units.push(self.small()?);
                if !self.is("]") {
                    self.expect(",")?;
                }
            }
        } else {
            units.extend(self.text()?.chars().map(u32::from));
        }
        self.program.strings.push(StringLiteral { units, unit_size });
        self.expect(";")
    }

    pub fn string_id(&mut self) -> Result<StringId> {
        self.expect("#")?;
        let index: u32 = self.small()?;
        Ok(StringId::from_raw(index))
    }

    fn linkage(&mut self) -> Linkage {
        for (word, linkage) in [
            ("external", Linkage::External),
            ("internal", Linkage::Internal),
            ("import", Linkage::Import),
            ("inline", Linkage::Inline),
            ("weak", Linkage::Weak),
        ] {
            if self.accept_word(word) {
                return linkage;
            }
        }
        Linkage::External
    }

    fn nominal(&mut self) -> Result<()> {
        let span = self.span();
        self.expect("#")?;
        let index: usize = self.small()?;
        if index != self.program.nominals.len() {
            return self.fail("named types are numbered in order");
        }
        let name = Symbol::new(&self.text()?);
        let contents = if self.accept_word("contents") { Some(self.small()?) } else { None };
        let parts = self.of_nominals()?;
        self.program.nominals.push(Nominal { name, contents, parts, span });
        self.expect(";")
    }

    fn signature(&mut self) -> Result<Option<Signature>> {
        if !self.accept_word("signature") {
            return Ok(None);
        }
        let hash = if matches!(self.peek(), Token::Int(_)) { Some(self.small()?) } else { None };
        Ok(Some(Signature { hash, nominals: self.of_nominals()? }))
    }

    fn of_nominals(&mut self) -> Result<Vec<NominalId>> {
        let mut nominals = Vec::new();
        if self.accept_word("of") {
            while self.accept("#") {
                let index: u32 = self.small()?;
                nominals.push(NominalId::from_raw(index));
            }
        }
        Ok(nominals)
    }

    fn tail(&mut self, source: &mut Symbol, attributes: &mut Vec<String>) -> Result<()> {
        if self.accept_word("source") {
            *source = Symbol::new(&self.text()?);
        }
        while self.accept_word("attribute") {
            attributes.push(self.text()?);
        }
        Ok(())
    }

    fn global(&mut self) -> Result<()> {
        let span = self.span();
        let id = self.global_name()?;
        let mut global = self.program.globals[id].clone();
        global.span = span;
        self.expect(":")?;
        global.ty = self.ty()?;
        global.linkage = self.linkage();
        global.is_const = self.accept_word("const");
        global.is_volatile = self.accept_word("volatile");
        global.thread_local = self.accept_word("thread_local");
        global.align = self.align()?;
        global.signature = self.signature()?;
        self.tail(&mut global.source_name, &mut global.attributes)?;
        if self.accept("=") {
            global.init = Some(self.initializer()?);
        }
        self.program.globals[id] = global;
        self.expect(";")
    }

    fn initializer(&mut self) -> Result<Initializer> {
        if self.accept_word("record") {
            let parts = self.numbered()?;
            let parts = parts.into_iter().map(|(n, part)| (n as u32, part)).collect();
            return Ok(Initializer::Record(parts));
        }
        if self.accept_word("array") {
            return Ok(Initializer::Array(self.numbered()?));
        }
        if self.accept_word("repeat") {
            let from = self.small()?;
            self.expect(",")?;
            let to = self.small()?;
            self.expect(",")?;
            return Ok(Initializer::Repeat { from, to, value: Box::new(self.initializer()?) });
        }
        if self.accept_word("bytes") {
            return Ok(Initializer::Bytes(self.string_id()?));
        }
        if self.accept_word("exception") {
            return Ok(Initializer::Tag { name: Symbol::new(&self.text()?) });
        }
        Ok(Initializer::Value(self.expr()?))
    }

    fn numbered(&mut self) -> Result<Vec<(u64, Initializer)>> {
        let mut parts = Vec::new();
        self.expect("{")?;
        while !self.accept("}") {
            let n = self.small()?;
            self.expect(":")?;
            parts.push((n, self.initializer()?));
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(parts)
    }

    fn function(&mut self) -> Result<()> {
        let span = self.span();
        let id = self.function_name()?;
        let params = self.params()?;
        let mut decl = self.program.decls[id].clone();
        decl.span = span;
        decl.param_names = params.names;
        decl.ty = params.ty;
        decl.linkage = self.linkage();
        decl.is_inline = self.accept_word("inlined");
        decl.noreturn = self.accept_word("noreturn");
        decl.is_still = self.accept_word("still");
        decl.is_extern_c = self.accept_word("extern_c");
        decl.signature = self.signature()?;
        self.tail(&mut decl.source_name, &mut decl.attributes)?;
        self.program.decls[id] = decl;
        if self.accept(";") {
            return Ok(());
        }
        self.function_body(id, params.locals)
    }

    pub fn quals(&mut self) -> Quals {
        let is_const = self.accept_word("const");
        let is_volatile = self.accept_word("volatile");
        Quals { is_const, is_volatile }
    }

    pub fn ty(&mut self) -> Result<TyId> {
        self.nested(Parser::ty_inner)
    }

    fn ty_inner(&mut self) -> Result<TyId> {
        if self.accept("*") {
            let quals = self.quals();
            let to = self.ty()?;
            return Ok(self.program.types.intern(Ty::Ptr { to, quals }));
        }
        if self.accept("^") {
            let quals = self.quals();
            let to = self.ty()?;
            return Ok(self.program.types.intern(Ty::Checked { to, quals }));
        }
        if self.accept("?") {
            let quals = self.quals();
            let to = self.ty()?;
            return Ok(self.program.types.intern(Ty::Fat { to, quals }));
        }
        if self.accept("[") {
            let len = self.small()?;
            self.expect("]")?;
            let of = self.ty()?;
            return Ok(self.program.types.intern(Ty::Array { of, len }));
        }
        let word = self.name()?;
        let ty = match word.as_str() {
            "void" => Ty::Void,
            "word" => Ty::Word,
            "handle" => Ty::Handle,
            "arena" => Ty::Arena,
            "frame" => Ty::HandlerFrame,
            "pin" => Ty::Pin,
            "va_list" => Ty::VaList,
            "struct" | "union" | "tuple" | "variant" | "tagged" => Ty::Record(self.record_name()?),
            "enum" => {
                let name = self.name()?;
                match self.enums.get(&name) {
                    Some(&id) => Ty::Enum(id),
                    None => return self.fail(format!("no enumeration is called {name}")),
                }
            }
            "complex" => {
                let name = self.name()?;
                match float_of(&name) {
                    Some(float) => Ty::Complex(float),
                    None => return self.fail("expected a float type"),
                }
            }
            "fn" => return self.func_ty(),
            other => match (int_of(other), float_of(other)) {
                (Some(int), _) => Ty::Int(int),
                (_, Some(float)) => Ty::Float(float),
                _ => return self.fail(format!("no type is called {other}")),
            },
        };
        Ok(self.program.types.intern(ty))
    }

    /// Runs a recursive production with its depth bounded.
    pub fn nested<T>(&mut self, production: impl FnOnce(&mut Parser) -> Result<T>) -> Result<T> {
        const DEEPEST: u32 = 600;
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail("the program is nested too deeply");
        }
        let result = production(self);
        self.depth -= 1;
        result
    }
}

fn blank_global(name: Symbol, ty: TyId) -> Global {
    Global {
        c_name: name,
        source_name: name,
        ty,
        is_const: false,
        is_volatile: false,
        thread_local: false,
        linkage: Linkage::External,
        align: None,
        init: None,
        attributes: Vec::new(),
        signature: None,
        span: Span::NONE,
    }
}

fn blank_decl(name: Symbol, ty: TyId) -> FunctionDecl {
    FunctionDecl {
        c_name: name,
        source_name: name,
        ty,
        param_names: Vec::new(),
        linkage: Linkage::External,
        is_inline: false,
        is_still: false,
        noreturn: false,
        attributes: Vec::new(),
        is_extern_c: false,
        signature: None,
        span: Span::NONE,
    }
}

fn int_of(word: &str) -> Option<IntTy> {
    use IntTy::*;
    const ALL: [IntTy; 14] = [
        Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong, I128, U128,
    ];
    ALL.into_iter().find(|&int| super::print_expr::int_name(int) == word)
}

fn float_of(word: &str) -> Option<crate::FloatTy> {
    use crate::FloatTy::*;
    [F32, F64, Long].into_iter().find(|&float| super::print_expr::float_name(float) == word)
}
