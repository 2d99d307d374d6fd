//! No text makes the lexer or the parser panic, loop, or lose its place.

mod support;

use support::{corpus, parse};
use tenure_span::FileId;
use tenure_syntax::{Lexer, TokenKind};

/// A small generator with a fixed seed (xorshift), so that a failure comes back.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// The tokens of a text, with what stands between them; their concatenation is the text.
fn pieces(text: &str) -> Vec<&str> {
    let mut lexer = Lexer::new(FileId(0), text);
    let mut pieces = Vec::new();
    loop {
        let token = lexer.next_token();
        pieces.push(&text[token.lo as usize..token.hi as usize]);
        if token.kind == TokenKind::Eof {
            return pieces;
        }
        assert!(token.lo < token.hi, "an empty token at {} of {text:?}", token.lo);
    }
}

/// Parses, and checks what holds for every result.
fn check(text: &str) {
    let (tree, diagnostics) = parse(text);
    for diagnostic in &diagnostics {
        let span = diagnostic.primary.span;
        assert!(span.hi as usize <= text.len(), "{diagnostic:?}");
        assert!(text.is_char_boundary(span.lo as usize), "{diagnostic:?}");
        assert!(text.is_char_boundary(span.hi as usize), "{diagnostic:?}");
    }
    // Whatever the tree is, it can be printed and the print can be parsed.
    let printed = tenure_syntax::print(&tree);
    let _ = parse(&printed);
}

#[test]
fn tokens_cover_each_byte() {
    for (name, text) in corpus() {
        assert_eq!(pieces(text).concat(), text, "{name}");
    }
    let odd = ["\u{feff}int \u{0}é $x @ ` ' \\ # \"open\n'a \"\\", "p->.5 + x. .5 + ..5 + ...5"];
    for text in odd {
        assert_eq!(pieces(text).concat(), text);
    }
}

#[test]
fn mutated_token_soup_is_survived() {
    let mut random = Random(0x7e6e_5eed);
    let all: Vec<Vec<&str>> = corpus().iter().map(|(_, text)| pieces(text)).collect();
    for _ in 0..400 {
        let source = &all[random.below(all.len())];
        let start = random.below(source.len());
        let length = random.below(300);
        let mut soup: Vec<&str> = source.iter().skip(start).take(length).copied().collect();
        for _ in 0..random.below(12) {
            let at = random.below(soup.len());
            let other = &all[random.below(all.len())];
            let piece = other[random.below(other.len())];
            match random.below(4) {
                0 if !soup.is_empty() => drop(soup.remove(at)),
                1 if !soup.is_empty() => soup[at] = piece,
                2 if !soup.is_empty() => {
                    let with = random.below(soup.len());
                    soup.swap(at, with);
                }
                _ => soup.insert(at, piece),
            }
        }
        check(&soup.concat());
    }
}

#[test]
fn random_tokens_are_survived() {
    let mut random = Random(0x0dd_ba11);
    let words: Vec<&str> = corpus().iter().flat_map(|(_, text)| pieces(text)).collect();
    for _ in 0..300 {
        let count = random.below(120);
        let soup: Vec<&str> = (0..count).map(|_| words[random.below(words.len())]).collect();
        check(&soup.join(" "));
    }
}

#[test]
fn random_bytes_are_survived() {
    let mut random = Random(0xb17e5);
    let alphabet: Vec<char> = "(){}[]<>@?*'`\"\\;:,.=+-&|!#$_aZ09 \n\té\u{feff}".chars().collect();
    for _ in 0..500 {
        let count = random.below(200);
        let text: String = (0..count).map(|_| alphabet[random.below(alphabet.len())]).collect();
        check(&text);
    }
}

#[test]
fn each_prefix_of_a_source_is_survived() {
    for (_, text) in corpus() {
        let cuts = pieces(text);
        let mut end = 0;
        for (index, piece) in cuts.iter().enumerate() {
            end += piece.len();
            if index % 17 == 0 {
                check(&text[..end]);
            }
        }
    }
}
