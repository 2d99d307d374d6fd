//! Property: the tokens of any text follow each other and cover each byte.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tenure_fuzz::text_of;
use tenure_span::FileId;
use tenure_syntax::{Lexer, TokenKind};

fuzz_target!(|bytes: &[u8]| {
    let text = text_of(bytes);
    let mut lexer = Lexer::new(FileId(0), &text);
    let mut end = 0;
    loop {
        let token = lexer.next_token();
        assert_eq!(token.lo, end, "a token begins where the one before ends");
        end = token.hi;
        assert!(text.is_char_boundary(end as usize));
        if token.kind == TokenKind::Eof {
            break;
        }
        assert!(token.lo < token.hi, "a token has a text");
    }
    assert_eq!(end as usize, text.len(), "every byte is in a token");
    for diagnostic in &lexer.diagnostics {
        assert!(diagnostic.primary.span.hi as usize <= text.len());
    }
});
