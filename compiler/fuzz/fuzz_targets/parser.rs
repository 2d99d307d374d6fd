//! Property: any text has a tree; its diagnostics stand in the text; a tree without errors can be printed, the print
//! parses without errors, and prints as itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tenure_fuzz::{on_deep_stack, text_of};
use tenure_span::{FileId, Severity};

fuzz_target!(|bytes: &[u8]| {
    let text = text_of(bytes);
    on_deep_stack(&text, || {
        let (tree, diagnostics) = tenure_syntax::parse(FileId(0), &text);
        for diagnostic in &diagnostics {
            let span = diagnostic.primary.span;
            assert!(span.lo <= span.hi && span.hi as usize <= text.len());
            assert!(text.is_char_boundary(span.lo as usize));
            assert!(text.is_char_boundary(span.hi as usize));
        }
        let printed = tenure_syntax::print(&tree);
        let (again, problems) = tenure_syntax::parse(FileId(0), &printed);
        if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return;
        }
        let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
        let errors: Vec<&str> = errors.map(|problem| problem.headline.as_str()).collect();
        assert!(errors.is_empty(), "{errors:?} in the print:\n{printed}");
        assert_eq!(printed, tenure_syntax::print(&again));
    });
});
