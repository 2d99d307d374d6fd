//! What the targets have in common.

use std::borrow::Cow;

/// The text that the driver would read from a file of these bytes.
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Runs `phases` on a thread with the stack that the driver gives them. A panic ends the process before it could unwind.
pub fn on_deep_stack(phases: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(tenure_driver::STACK_BYTES);
        thread.spawn_scoped(scope, phases).expect("a thread can be made");
    });
}
