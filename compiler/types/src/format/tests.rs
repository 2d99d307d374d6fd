use super::*;

fn units(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// The kinds that a printf format wants, or the reason why it is not one.
fn printf(text: &str) -> Result<Vec<WantKind>, String> {
    parse_printf(&units(text))
        .map(|wants| wants.into_iter().map(|want| want.kind).collect())
        .map_err(|bad| bad.reason)
}

fn scanf(text: &str) -> Result<Vec<WantKind>, String> {
    parse_scanf(&units(text))
        .map(|wants| wants.into_iter().map(|want| want.kind).collect())
        .map_err(|bad| bad.reason)
}

#[test]
fn text_and_percent_want_nothing() {
    assert_eq!(printf("100%% sure\n"), Ok(vec![]));
    assert_eq!(printf(""), Ok(vec![]));
}

#[test]
fn each_directive_wants_its_argument_after_its_stars() {
    use WantKind::*;
    assert_eq!(
        printf("%d %-5s|%*.*f %lu %c %Lg %p %zx %hhd"),
        Ok(vec![
            Int { bits: 32 },
            Text,
            Star,
            Star,
            Double,
            Int { bits: 64 },
            Char,
            LongDouble,
            Pointer,
            Int { bits: 64 },
            Int { bits: 32 },
        ])
    );
}

#[test]
fn a_directive_knows_its_place() {
    let wants = parse_printf(&units("ab %*d")).unwrap_or_default();
    assert_eq!((wants[1].start, wants[1].end, wants[1].text.as_str()), (3, 6, "%*d"));
    assert_eq!((wants[0].start, wants[0].end, wants[0].text.as_str()), (3, 6, "%*d"));
}

#[test]
fn unfinished_and_unknown_directives_are_refused() {
    assert!(printf("50%").is_err());
    assert!(printf("%y").is_err());
    assert!(printf("%1$d").is_err());
    assert!(printf("%ls").is_err());
    assert!(printf("%hhn").is_err());
}

#[test]
fn scanf_wants_pointers_of_the_exact_size() {
    use WantKind::*;
    assert_eq!(
        scanf("%d %*d %10s %[^]x] %lf %hu %%"),
        Ok(vec![
            IntPointer { bits: 32, signed: true },
            Buffer,
            Buffer,
            FloatPointer(FloatTy::F64),
            IntPointer { bits: 16, signed: false },
        ])
    );
    assert!(scanf("%[abc").is_err());
    assert!(scanf("%p").is_err());
    assert!(scanf("%ms").is_err());
}
