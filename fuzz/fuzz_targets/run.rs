//! Whatever text is a program runs, on any arguments of its types, without a panic, and means the same optimised.
//!
//! The input is the text, up to the first zero byte; the bytes behind it make the arguments.
#![no_main]

mod arguments;
mod executors;

use libfuzzer_sys::{Corpus, fuzz_target};
use weldment::{CompileOptions, ErrorKind, Form, Program};
use weldment_core::front;
use weldment_core::interp::{self, InterpOptions};

use executors::Sums;

fuzz_target!(|input: &[u8]| -> Corpus {
    let mut halves = input.splitn(2, |byte| *byte == 0);
    let (text, tape) = (halves.next().unwrap_or_default(), halves.next().unwrap_or_default());
    let Ok(text) = std::str::from_utf8(text) else { return Corpus::Reject };
    let lowered = front::from_text(text);
    proc_macro2::extra::invalidate_current_thread_spans();
    let Ok(lowered) = lowered else { return Corpus::Reject };
    // There are no foreign functions.
    if interp::unresolved(&lowered.program, &InterpOptions::default()).is_some() {
        let refused = Program::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let refused = refused.compile(&CompileOptions::default()).expect_err("nothing is allowed");
        assert_eq!(refused.kind(), ErrorKind::Foreign, "{refused}");
    } else {
        let entry = &lowered.program.bodies[lowered.program.entry.expect("a lowered program has an entry")];
        let params = entry.params.iter().map(|&param| lowered.program.ty(param));
        let args = arguments::make(params, tape);
        // No other type has this letter in its name.
        let mut values = lowered.program.values.ids();
        let has_floats = values.any(|value| lowered.program.ty(value).to_string().contains('f'));
        let sums = if has_floats { Sums::Rounded } else { Sums::Exact };
        executors::check(text, &lowered, &args, sums);
    }
    // Printing takes longer than running.
    if executors::share(text, 8) {
        stages(text);
    }
    Corpus::Keep
});

/// Every form of the program prints, or has an error that says what cannot be printed.
fn stages(text: &str) {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{error}"));
    for form in [Form::Ir, Form::Loops, Form::Imp, Form::Rust] {
        if let Err(error) = program.emit(form) {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        }
    }
    program.explain().unwrap_or_else(|error| panic!("{error}"));
}
