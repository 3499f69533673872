//! Any text is IR or has an error with a place; what the verifier accepts prints, and stays sound in every pass.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use weldment_core::ir::{self, Locations, parse, print, verify};
use weldment_core::passes;

fuzz_target!(|text: &str| -> Corpus {
    let mut program = match parse(text) {
        Ok(program) => program,
        Err(error) => {
            let line = text.split('\n').nth((error.line as usize).wrapping_sub(1));
            let length = line.unwrap_or_else(|| panic!("no such line: {error}")).chars().count();
            assert!((1..=length + 1).contains(&(error.column as usize)), "no such column: {error}");
            return Corpus::Keep;
        }
    };
    for locations in [Locations::Hidden, Locations::Shown] {
        let printed = print(&program, locations);
        let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        assert_eq!(print(&again, locations), printed);
    }
    if verify(&program).is_ok() {
        passes::optimize(&mut program, &passes::Options::default())
            .unwrap_or_else(|broken| panic!("{broken}"));
        verify(&ir::renumber(&program)).expect("the ids mean nothing");
    }
    Corpus::Keep
});
