//! IR text that is none: an error with a place, never a panic, and what the verifier refuses is only refused.

use weldment_core::ir::{parse, verify};

/// A program with every op: a file test up to what is expected of it.
fn every_op() -> &'static str {
    let test = include_str!("../../filetests/parse/every_op.ir");
    test.split_once("----").expect("a file test").0
}

/// Whether `text` is IR; if not, the error stands at a place inside the text.
fn is_answered(text: &str) -> bool {
    match parse(text) {
        Ok(program) => {
            // It may well be unsound.
            let _ = verify(&program);
            true
        }
        Err(error) => {
            let line = text.split('\n').nth((error.line as usize).wrapping_sub(1));
            let length = line.map_or(0, |line| line.chars().count());
            assert!((1..=length + 1).contains(&(error.column as usize)), "{error} in {text:.80}");
            assert!(!error.message.is_empty());
            false
        }
    }
}

#[test]
fn every_beginning_of_a_program_is_answered() {
    let whole = every_op();
    assert!(is_answered(whole));
    for (at, _) in whole.char_indices() {
        is_answered(&whole[..at]);
    }
}

/// One line less, one twice, or two exchanged.
#[test]
fn slips_are_answered() {
    let lines: Vec<&str> = every_op().lines().collect();
    for at in 0..lines.len() - 1 {
        let mut lost = lines.clone();
        lost.remove(at);
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        let mut exchanged = lines.clone();
        exchanged.swap(at, at + 1);
        for slip in [lost, doubled, exchanged] {
            is_answered(&slip.join("\n"));
        }
    }
}

#[test]
fn nothing_is_too_deep_or_too_large() {
    let deep = |open: &str, close: &str| {
        format!(
            "weldment ir 1\nprogram(v0: {}i64{}) {{\n  return v0\n}}",
            open.repeat(100_000),
            close.repeat(100_000)
        )
    };
    assert!(!is_answered(&deep("vec[", "]")));
    assert!(!is_answered(&deep("{", "}")));
    let branches = format!("weldment ir 1\nprogram(v0: bool) {{\n{}", "if v0 {\n".repeat(100_000));
    assert!(!is_answered(&branches));
    #[rustfmt::skip]
    let ids = ["v18446744073709551615", "v4294967295", "v99999999999999999999999", "v-1", "v", "#4294967295", "@4294967296"];
    for id in ids {
        assert!(!is_answered(&format!("weldment ir 1\nprogram({id}: i64) {{\n  return {id}\n}}")));
    }
    for number in ["1e999999999", "-", "0x10", "1_000", "99999999999999999999999999999999999999999999"] {
        assert!(!is_answered(&format!(
            "weldment ir 1\nprogram() {{\n  v0: i64 = const {number}\n  return v0\n}}"
        )));
    }
    for version in ["", "0", "2", "-1", "99999999999"] {
        assert!(!is_answered(&format!("weldment ir {version}\nprogram() {{\n}}")));
    }
}
