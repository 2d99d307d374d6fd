//! Property: whatever the text is, the phases end without a panic, core passes its verifier after each, and what has no
//! error becomes C.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;
use tenure_driver::{front, Home, Settings, Text};
use tenure_fuzz::{on_deep_stack, text_of};
use tenure_span::{Sink, SourceMap};

fn home() -> &'static Home {
    static HOME: OnceLock<Home> = OnceLock::new();
    HOME.get_or_init(|| Home::find().expect("the checkout that this was built in"))
}

fuzz_target!(|bytes: &[u8]| {
    let world = Text(text_of(bytes).into_owned());
    on_deep_stack(&world.0, || {
        let (mut map, sink, mut shown) = (SourceMap::new(), Sink::new(), String::new());
        let settings = Settings::default();
        let program = front(&world, home(), "fuzz.cyc", &settings, &mut map, &sink, &mut shown);
        for diagnostic in sink.take() {
            let text = tenure_span::render_human(&diagnostic, &map, false);
            assert!(diagnostic.code != "E0901", "{text}");
        }
        if let Ok(program) = program {
            let _ = tenure_emit::emit(&program, &map, &tenure_emit::EmitOptions::default());
        }
    });
});
