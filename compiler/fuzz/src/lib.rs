//! What the targets have in common.

use std::borrow::Cow;

/// The text that the driver would read from a file of these bytes.
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Runs `phases` over a text on a thread with the stack that the driver gives them. A panic ends the process before it
/// could unwind.
///
/// An overflow of that stack ends it before libFuzzer could save the text, which is therefore kept in the file
/// `TENURE_FUZZ_LAST`.
pub fn on_deep_stack(text: &str, phases: impl FnOnce() + Send) {
    if let Some(file) = std::env::var_os("TENURE_FUZZ_LAST") {
        std::fs::write(file, text).expect("the file can be written");
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(tenure_driver::STACK_BYTES);
        thread.spawn_scoped(scope, phases).expect("a thread can be made");
    });
}
