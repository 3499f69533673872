use super::{instead_of, rust, tables};
use crate::infer::{sugar, words};

fn all() -> impl Iterator<Item = &'static (&'static [&'static str], &'static str)> {
    rust::HABITS.iter().chain(tables::HABITS)
}

#[test]
fn what_the_language_has_is_no_habit() {
    for name in sugar::NAMES {
        assert_eq!(instead_of(name, true), None, "{name}");
    }
}

#[test]
fn each_name_has_one_advice() {
    let mut names: Vec<&str> = all().flat_map(|(names, _)| names.iter().copied()).collect();
    let len = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), len);
}

#[test]
fn advice_calls_what_there_is() {
    let mut calls = 0;
    for (names, advice) in all() {
        let code = advice.split('`').skip(1).step_by(2);
        for call in code.flat_map(|code| code.split('(').rev().skip(1)) {
            let start = call.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            let word = &call[start..];
            assert!(word.is_empty() || words::is_function(word), "{names:?}: {word}");
            calls += usize::from(!word.is_empty());
        }
    }
    assert!(calls > 100, "{calls}");
}

#[test]
fn methods_of_others_are_free_as_functions() {
    assert!(instead_of("rank", false).is_none() && instead_of("rank", true).is_some());
    assert!(instead_of("rposition", false).is_some() && instead_of("rposition", true).is_some());
}
