use tenure_span::{FileId, Span, Symbol};

/// A token, or with the kinds at the end of the list, what stands between tokens. Consecutive
/// tokens of the lexer cover each byte of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// The first token of its line.
    pub line_start: bool,
    /// By the line markers, it stands in a system header or in C code.
    pub system: bool,
    /// The text of identifiers, keywords and type variables (without the quote), else empty.
    pub name: Symbol,
    pub lo: u32,
    pub hi: u32,
}

impl Token {
    pub fn span(&self, file: FileId) -> Span {
        Span::new(file, self.lo, self.hi)
    }
}

macro_rules! tokens {
    (
        plain { $($plain:ident $plain_text:literal,)* }
        c { $($c:ident $c_text:literal $($c_other:literal)*,)* }
        ours { $($ours:ident $ours_text:literal $($ours_other:literal)*,)* }
    ) => {
        /// What a token is. The order is: classes and punctuators, words that C reserves, words
        /// that only this language reserves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum TokenKind {
            $($plain,)*
            $($c,)*
            $($ours,)*
        }

        impl TokenKind {
            /// How a message names it.
            pub fn text(self) -> &'static str {
                match self {
                    $(TokenKind::$plain => $plain_text,)*
                    $(TokenKind::$c => $c_text,)*
                    $(TokenKind::$ours => $ours_text,)*
                }
            }

            /// The reserved word with this spelling.
            pub fn keyword(text: &str) -> Option<TokenKind> {
                Some(match text {
                    $($c_text $(| $c_other)* => TokenKind::$c,)*
                    $($ours_text $(| $ours_other)* => TokenKind::$ours,)*
                    _ => return None,
                })
            }
        }

        const FIRST_C: &[TokenKind] = &[$(TokenKind::$c),*];
        const FIRST_OURS: &[TokenKind] = &[$(TokenKind::$ours),*];
    };
}

tokens! {
    plain {
        Eof "end of file", Ident "identifier", TypeVar "type variable", Number "number",
        Char "character constant", Str "string literal",
        LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}",
        DollarParen "$(", Dot ".", Arrow "->", DotDot "..", Ellipsis "...", Comma ",", Semi ";", Colon ":",
        ColonColon "::", Swap ":=:", Question "?", At "@", Backslash "\\", Hash "#",
        Star "*", Slash "/", Percent "%", Plus "+", Minus "-", Shl "<<", Shr ">>",
        Lt "<", Gt ">", Le "<=", Ge ">=", EqEq "==", Ne "!=", Amp "&", Caret "^", Pipe "|",
        AndAnd "&&", OrOr "||", Tilde "~", Bang "!", PlusPlus "++", MinusMinus "--",
        Eq "=", StarEq "*=", SlashEq "/=", PercentEq "%=", PlusEq "+=", MinusEq "-=",
        ShlEq "<<=", ShrEq ">>=", AmpEq "&=", CaretEq "^=", PipeEq "|=",
        Unknown "unknown character",
        Space "space", Comment "comment", Directive "directive",
    }
    c {
        Alignas "_Alignas", Alignof "_Alignof" "__alignof" "__alignof__",
        Asm "asm" "__asm" "__asm__", Atomic "_Atomic",
        Attribute "__attribute__" "__attribute", Auto "auto", AutoType "__auto_type",
        Bool "_Bool", Break "break", Case "case", Char_ "char", Complex "_Complex" "__complex__",
        Const "const" "__const" "__const__", Continue "continue", Default "default", Do "do",
        Double "double", Else "else", Enum "enum", Extension "__extension__", Extern "extern",
        Float "float", Float16 "_Float16", Float32 "_Float32", Float32x "_Float32x",
        Float64 "_Float64", Float64x "_Float64x", Float128 "_Float128" "__float128",
        For "for", Generic "_Generic", Goto "goto", If "if", Imag "__imag__" "__imag",
        Inline "inline" "__inline" "__inline__", Int "int", Int128 "__int128" "__int128_t",
        Label "__label__", Long "long", Noreturn "_Noreturn", Real "__real__" "__real",
        Register "register", Restrict "restrict" "__restrict" "__restrict__",
        Return "return", Short "short", Signed "signed" "__signed" "__signed__",
        Sizeof "sizeof", Static "static", StaticAssert "_Static_assert", Struct "struct",
        Switch "switch", ThreadLocal "_Thread_local" "__thread", Typedef "typedef",
        Typeof "typeof" "__typeof" "__typeof__", Union "union", Unsigned "unsigned",
        Void "void", Volatile "volatile" "__volatile" "__volatile__", While "while",
        BuiltinVaList "__builtin_va_list", BuiltinVaArg "__builtin_va_arg",
        BuiltinOffsetof "__builtin_offsetof",
        BuiltinTypesCompatible "__builtin_types_compatible_p",
        BuiltinChoose "__builtin_choose_expr",
    }
    ours {
        Abstract "abstract", AqualT "aqual_t", Aquals "aquals", Assert "assert",
        Calloc "calloc", Catch "catch", CycloneHide "cyclone_hide",
        CycloneOverride "cyclone_override", Datatype "datatype" "tunion",
        XDatatype "xtunion", Export "export",
        Fallthru "fallthru", Let "let", Malloc "malloc", Namespace "namespace", New "new",
        Null "NULL", Numelts "numelts", Qcalloc "qcalloc", Qmalloc "qmalloc", Qnew "qnew",
        Rcalloc "rcalloc", Rcnew "rcnew", Region "region", RegionT "region_t",
        Regions "regions", Rmalloc "rmalloc", RmallocInline "rmalloc_inline", Rnew "rnew",
        Rvmalloc "rvmalloc", TagT "tag_t", Tagcheck "tagcheck", Tagof "tagof",
        Throw "throw", Try "try", Unew "unew", Using "using", Valueof "valueof",
        ValueofT "valueof_t", Wildcard "_",
    }
}

impl TokenKind {
    /// Reserved here but not in C, so that C code may use it as a name.
    pub fn is_ours(self) -> bool {
        self >= FIRST_OURS[0] && self != TokenKind::Wildcard
    }

    /// A word that C or GNU C reserves.
    pub fn is_c_keyword(self) -> bool {
        self >= FIRST_C[0] && self < FIRST_OURS[0]
    }

    /// Between tokens: no part of the grammar.
    pub fn is_trivia(self) -> bool {
        matches!(self, TokenKind::Space | TokenKind::Comment | TokenKind::Directive)
    }

    /// Whether a message quotes [`TokenKind::text`]: it is a spelling, not a class.
    pub fn is_spelling(self) -> bool {
        !matches!(
            self,
            TokenKind::Eof
                | TokenKind::Ident
                | TokenKind::TypeVar
                | TokenKind::Number
                | TokenKind::Char
                | TokenKind::Str
                | TokenKind::Unknown
        ) && !self.is_trivia()
    }
}
