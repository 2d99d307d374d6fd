//! Which header declares a name of the library, for help.

/// The library's most used names, sorted.
const NAMES: &[(&str, &str)] = &[
    ("EOF", "stdio.h"),
    ("FILE", "stdio.h"),
    ("INT_MAX", "limits.h"),
    ("INT_MIN", "limits.h"),
    ("List", "list.h"),
    ("Not_found", "core.h"),
    ("abort", "stdlib.h"),
    ("abs", "stdlib.h"),
    ("aprintf", "stdio.h"),
    ("atof", "stdlib.h"),
    ("atoi", "stdlib.h"),
    ("bool", "stdbool.h"),
    ("bsearch", "stdlib.h"),
    ("cos", "math.h"),
    ("errno", "errno.h"),
    ("exit", "stdlib.h"),
    ("exp", "math.h"),
    ("fabs", "math.h"),
    ("false", "stdbool.h"),
    ("fclose", "stdio.h"),
    ("fgetc", "stdio.h"),
    ("fgets", "stdio.h"),
    ("floor", "math.h"),
    ("fopen", "stdio.h"),
    ("fprintf", "stdio.h"),
    ("fputs", "stdio.h"),
    ("fread", "stdio.h"),
    ("fscanf", "stdio.h"),
    ("fst", "core.h"),
    ("fwrite", "stdio.h"),
    ("getchar", "stdio.h"),
    ("getenv", "stdlib.h"),
    ("int32_t", "stdint.h"),
    ("int64_t", "stdint.h"),
    ("isalpha", "ctype.h"),
    ("isdigit", "ctype.h"),
    ("isspace", "ctype.h"),
    ("list_t", "list.h"),
    ("memcmp", "string.h"),
    ("memcpy", "string.h"),
    ("memmove", "string.h"),
    ("memset", "string.h"),
    ("mstring_t", "core.h"),
    ("new_string", "core.h"),
    ("perror", "stdio.h"),
    ("pow", "math.h"),
    ("printf", "stdio.h"),
    ("ptrdiff_t", "stddef.h"),
    ("putchar", "stdio.h"),
    ("puts", "stdio.h"),
    ("qsort", "stdlib.h"),
    ("rand", "stdlib.h"),
    ("scanf", "stdio.h"),
    ("sin", "math.h"),
    ("size_t", "stddef.h"),
    ("snd", "core.h"),
    ("snprintf", "stdio.h"),
    ("sprintf", "stdio.h"),
    ("sqrt", "math.h"),
    ("srand", "stdlib.h"),
    ("sscanf", "stdio.h"),
    ("ssize_t", "sys/types.h"),
    ("stderr", "stdio.h"),
    ("stdin", "stdio.h"),
    ("stdout", "stdio.h"),
    ("strcat", "string.h"),
    ("strchr", "string.h"),
    ("strcmp", "string.h"),
    ("strcpy", "string.h"),
    ("strdup", "string.h"),
    ("string_t", "core.h"),
    ("strlen", "string.h"),
    ("strncmp", "string.h"),
    ("strncpy", "string.h"),
    ("strstr", "string.h"),
    ("strtol", "stdlib.h"),
    ("time", "time.h"),
    ("time_t", "time.h"),
    ("tolower", "ctype.h"),
    ("toupper", "ctype.h"),
    ("true", "stdbool.h"),
    ("uint32_t", "stdint.h"),
    ("uint64_t", "stdint.h"),
    ("uint8_t", "stdint.h"),
];

/// What stands in the place of a function of C's that no interface makes safe.
pub(crate) fn instead_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "gets" => "`fgets(buf, sizeof buf, stdin)` stops at the end of the buffer",
        "putenv" => "`setenv(name, value, 1)` copies what it is given",
        "environ" => "`getenv(name)` gives one variable's value",
        "tmpnam" | "tempnam" | "mktemp" => "`mkstemp(path)` makes the file that it names",
        "setjmp" | "sigsetjmp" | "_setjmp" => "`try { … } catch { … }` is left by `throw`",
        "longjmp" | "siglongjmp" => "`throw` ends in the innermost handler",
        "alloca" => "`region h;` and `rmalloc(h, n)` give memory to the end of the block",
        "dlopen" | "dlsym" => "declare in `extern \"C\"` what the object holds, and link it",
        "mmap" | "munmap" => "`rfile_contents(h, f)` reads a file into a region",
        "qsort_r" => "`qsort` takes a comparison; what else it needs stands in the elements",
        "vfork" => "`fork` has the same use",
        "readdir_r" => "`readdir` keeps each stream's entry apart",
        _ => return None,
    })
}

/// The header to include for a name.
pub(crate) fn header_of(name: &str) -> Option<&'static str> {
    let index = NAMES.binary_search_by(|entry| entry.0.cmp(name)).ok()?;
    Some(NAMES[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted() {
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(header_of("printf"), Some("stdio.h"));
        assert_eq!(header_of("no_such_name"), None);
    }
}
