//! The table holds what it promises: numbers in order, and examples that break the rule they explain. Those of items
//! that derive `Weld` are tested beside the derive.

use expect_test::expect_file;

use super::{Code, Diagnostic};
use crate::front;
use crate::guard::on_large_stack;

/// Rules that are broken only behind the front end; the packages that know them test their examples.
const LATER: [Code; 12] = [
    Code::TooManyParameters,
    Code::TooManyFields,
    Code::ForeignValues,
    Code::Materialized,
    Code::LoopsLeft,
    Code::FewerLeft,
    Code::WindowsLeft,
    Code::NotInlined,
    Code::ForeignRefused,
    Code::ForeignUnknown,
    Code::ForeignSignature,
    Code::ForeignPath,
];

#[test]
fn numbers_ascend() {
    let names: Vec<String> = Code::ALL.iter().map(Code::to_string).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    assert_eq!(Code::from_name("W0301"), Some(Code::Mismatch));
}

#[test]
fn titles_and_explanations_read_well() {
    for code in Code::ALL {
        let (title, text) = (code.title(), code.explanation());
        assert!(!title.ends_with('.') && !title.starts_with(char::is_uppercase), "{code}: {title}");
        assert!(text.ends_with('.') && !text.contains("  "), "{code}: {text}");
    }
}

#[test]
fn wrong_examples_break_their_rule_and_no_other() {
    for code in Code::ALL.iter().filter(|code| !LATER.contains(code)) {
        let Some(example) = code.example().filter(|example| !example.is_derive()) else { continue };
        let told = |errors: Vec<Diagnostic>| errors.iter().map(|error| error.code).collect::<Vec<_>>();
        let codes = on_large_stack(|| front::from_text(example.wrong).map(drop).map_err(told));
        assert_eq!(codes, Err(vec![*code]), "{}", example.wrong);
    }
}

#[test]
fn right_examples_compile() {
    for code in Code::ALL {
        let Some(example) = code.example().filter(|example| !example.is_derive()) else { continue };
        let shown = |errors: Vec<Diagnostic>| errors.iter().map(Diagnostic::to_string).collect::<Vec<_>>();
        assert_eq!(front::from_text(example.right).map(drop).map_err(shown), Ok(()), "{code}");
    }
}

/// `UPDATE_EXPECT=1 cargo test -p weldment-core` writes the page anew.
#[test]
fn the_page_of_errors_is_the_table() {
    expect_file!["../../../docs/src/errors.md"].assert_eq(&page());
}

fn page() -> String {
    let mut page = String::from(
        "# Errors\n\n\
         Every mistake in a program is told at the token that is wrong, with a code in brackets. The hundreds of its\n\
         number are the kind: 1 grammar, 2 names, 3 types, 4 linearity of builders, 5 what is not supported, 6 claims about\n\
         the optimisation, 7 foreign functions of programs at run time, 9 mistakes of the compiler. `weldment error W0301` prints one of these sections.\n",
    );
    for kind in ["parse", "name", "type", "linearity", "unsupported", "claim", "foreign", "internal"] {
        let codes = Code::ALL.iter().filter(|code| code.kind().name() == kind);
        page.push_str(&format!("\n## Kind `{kind}`\n"));
        codes.for_each(|code| page.push_str(&format!("\n{}", code.to_markdown())));
    }
    page
}
