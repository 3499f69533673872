//! The table of diagnostics: each is given somewhere, and shown by a program in `dsl-core/tests/errors` or `tests/ui`.

use crate::files::{ending_in, read};

/// The table of diagnostics.
const TABLE: &str = "dsl-core/src/diagnostic/table.rs";

/// Codes that no call of `weld!` can give: rustc reads the tokens, executors and foreign functions are chosen at run time, where to dump is
/// told by the environment, tests have all features, and no program is known that the compiler gets wrong.
const NOT_IN_MACROS: [&str; 10] = [
    "NoTokens",
    "Executor",
    "NoLlvm",
    "NoFeature",
    "Dump",
    "ForeignRefused",
    "ForeignUnknown",
    "ForeignSignature",
    "ForeignPath",
    "Internal",
];

/// Number and name of every code.
fn codes() -> Vec<(String, String)> {
    let entry = |line: &str| {
        let (number, rest) = line.strip_prefix("    ")?.split_once(' ')?;
        let is_number = number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit());
        let (name, _) = rest.split_once(' ')?;
        is_number.then(|| (format!("W0{number}"), name.to_owned()))
    };
    let codes: Vec<_> = read(TABLE).lines().filter_map(entry).collect();
    assert!(codes.len() > 50, "the table is not where it was: {codes:?}");
    codes
}

#[test]
fn every_code_has_a_program_that_shows_it() {
    let is_shown = |path: &str| path.starts_with("dsl-core/tests/errors/") || path.starts_with("tests/ui/");
    let files = ending_in(&[".weld", ".stderr"]).into_iter().filter(|file| is_shown(&file.path));
    let shown: String = files.map(|file| file.text).collect();
    for (number, name) in codes() {
        let is_shown = shown.contains(&format!("[{number}]"));
        let in_macros = !NOT_IN_MACROS.contains(&name.as_str());
        assert_eq!(
            is_shown, in_macros,
            "{number} {name} needs a program in dsl-core/tests/errors, or is no longer an exception"
        );
    }
}

#[test]
fn every_code_is_given_somewhere() {
    let is_source =
        |path: &str| format!("/{path}").contains("/src/") && path != TABLE && !path.contains("tests");
    let sources: String =
        ending_in(&[".rs"]).into_iter().filter(|file| is_source(&file.path)).map(|file| file.text).collect();
    for (number, name) in codes() {
        let path = format!("Code::{name}");
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric());
        let is_given = sources.split(&path).skip(1).any(is_end);
        assert!(is_given, "{number} {name} is in the table, and nothing gives it");
    }
}
