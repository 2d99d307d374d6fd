//! Words that emitted C cannot use as names: each means something else to cc, or in the headers that `tenure/rt.h`
//! includes.

use std::borrow::Cow;

/// Keywords of GNU C and those that C23 adds, and what `stddef.h` and `stdint.h` declare or define. A test compares
/// these with what cc finds in `tenure/rt.h`.
const TAKEN: &[&str] = &[
    "INT16_C",
    "INT16_MAX",
    "INT16_MIN",
    "INT32_C",
    "INT32_MAX",
    "INT32_MIN",
    "INT64_C",
    "INT64_MAX",
    "INT64_MIN",
    "INT8_C",
    "INT8_MAX",
    "INT8_MIN",
    "INTMAX_C",
    "INTMAX_MAX",
    "INTMAX_MIN",
    "INTPTR_MAX",
    "INTPTR_MIN",
    "INT_FAST16_MAX",
    "INT_FAST16_MIN",
    "INT_FAST32_MAX",
    "INT_FAST32_MIN",
    "INT_FAST64_MAX",
    "INT_FAST64_MIN",
    "INT_FAST8_MAX",
    "INT_FAST8_MIN",
    "INT_LEAST16_MAX",
    "INT_LEAST16_MIN",
    "INT_LEAST32_MAX",
    "INT_LEAST32_MIN",
    "INT_LEAST64_MAX",
    "INT_LEAST64_MIN",
    "INT_LEAST8_MAX",
    "INT_LEAST8_MIN",
    "NULL",
    "PTRDIFF_MAX",
    "PTRDIFF_MIN",
    "SIG_ATOMIC_MAX",
    "SIG_ATOMIC_MIN",
    "SIZE_MAX",
    "UINT16_C",
    "UINT16_MAX",
    "UINT32_C",
    "UINT32_MAX",
    "UINT64_C",
    "UINT64_MAX",
    "UINT8_C",
    "UINT8_MAX",
    "UINTMAX_C",
    "UINTMAX_MAX",
    "UINTPTR_MAX",
    "UINT_FAST16_MAX",
    "UINT_FAST32_MAX",
    "UINT_FAST64_MAX",
    "UINT_FAST8_MAX",
    "UINT_LEAST16_MAX",
    "UINT_LEAST32_MAX",
    "UINT_LEAST64_MAX",
    "UINT_LEAST8_MAX",
    "WCHAR_MAX",
    "WCHAR_MIN",
    "WINT_MAX",
    "WINT_MIN",
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "int_fast8_t",
    "int_least16_t",
    "int_least32_t",
    "int_least64_t",
    "int_least8_t",
    "intmax_t",
    "intptr_t",
    "jmp_buf",
    "long",
    "max_align_t",
    "nullptr",
    "offsetof",
    "ptrdiff_t",
    "register",
    "restrict",
    "return",
    "short",
    "sigjmp_buf",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "static_assert",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "typeof_unqual",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "uint_fast64_t",
    "uint_fast8_t",
    "uint_least16_t",
    "uint_least32_t",
    "uint_least64_t",
    "uint_least8_t",
    "uintmax_t",
    "uintptr_t",
    "union",
    "unsigned",
    "void",
    "volatile",
    "wchar_t",
    "while",
];

/// Whether cc would take the word for something else. Those that begin with `__`, or `_` and a capital letter, are cc's
/// own.
pub(crate) fn is_taken(word: &str) -> bool {
    let after = word.strip_prefix('_').and_then(|rest| rest.bytes().next());
    after.is_some_and(|byte| byte == b'_' || byte.is_ascii_uppercase())
        || ["tn_", "TN_", "TENURE_"].iter().any(|lead| word.starts_with(lead))
        || TAKEN.binary_search(&word).is_ok()
}

/// The name of a member, a label, a tag or a constant: what is taken gets a tail that nobody can spell.
pub(crate) fn free(word: &str) -> Cow<'_, str> {
    match is_taken(word) {
        true => Cow::Owned(format!("{word}$")),
        false => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_words_are_sorted() {
        assert!(TAKEN.windows(2).all(|pair| pair[0] < pair[1]));
    }

    /// Macros of `tenure/rt.h`, and its types and functions, which stand at the left end of its lines.
    #[test]
    fn what_the_header_brings_is_taken() {
        let include = format!("-I{}/../../runtime/include", env!("CARGO_MANIFEST_DIR"));
        let header = format!("{}/../../runtime/include/tenure/rt.h", env!("CARGO_MANIFEST_DIR"));
        for mode in ["-dM", "-P"] {
            let command = ["-std=c11", "-E", mode, &include, "-x", "c", &header];
            let Ok(output) = Command::new("cc").args(command).output() else { return };
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let found: Vec<&str> = match mode {
                "-dM" => text.lines().filter_map(|line| line.split([' ', '(']).nth(1)).collect(),
                _ => text.lines().filter_map(typedef).collect(),
            };
            assert!(found.len() > 20, "{found:?}");
            let free: Vec<&str> = found.into_iter().filter(|word| !is_taken(word)).collect();
            assert!(free.is_empty(), "{free:?}");
        }
    }

    fn typedef(line: &str) -> Option<&str> {
        let name = line.strip_prefix("typedef ")?.strip_suffix(';')?.rsplit(' ').next()?;
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_word.then_some(name)
    }
}
