//! The reference of the guide, `docs/src/reference`, has every construct of the language: a heading of the third level
//! that names it, and beneath it an example that runs, in which it stands.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::fault::FaultKind;
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::scalar::MathFn;
use weldment_runtime::lang::types::Column;

use crate::front;
use crate::infer::{arrays, builtins, fixed, sugar, times};
use crate::syntax::constant::FLOAT_CONSTANTS;
use crate::syntax::{KEYWORDS, parse_text};

/// What is in no table: Rust's words that the grammar knows, and what attributes are called.
const WORDS: [&str; 26] = [
    "Array",
    "as",
    "axis",
    "const",
    "extern",
    "fn",
    "struct",
    "enum",
    "use",
    "welded",
    "expect",
    "warn",
    "versions",
    "Option",
    "Some",
    "None",
    "match",
    "str",
    "String",
    "to_string",
    "as_bytes",
    "parse",
    "concat",
    "like",
    "rows",
    "dbg",
];

/// The chapters, as one text.
fn reference() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/reference");
    let entries = fs::read_dir(folder).expect("the reference is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a chapter in UTF-8")).collect()
}

/// What stands between backticks.
fn in_backticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Each name that a heading of the third level has, with the examples beneath.
fn entries(reference: &str) -> BTreeMap<&str, String> {
    let sections = reference.split("\n### ").skip(1);
    sections
        .flat_map(|section| {
            let (heading, rest) = section.split_once('\n').expect("a section has text");
            let body = rest.split("\n## ").next().unwrap_or_default();
            let is_example = |block: &&str| block.starts_with("weld\n") || block.starts_with("rust\n");
            let examples: String = body.split("```").filter(is_example).collect();
            in_backticks(heading).map(move |name| (name, examples.clone()))
        })
        .collect()
}

/// Every name that the reference has to explain.
fn constructs() -> BTreeSet<&'static str> {
    let mut names: BTreeSet<_> =
        builtins::names().chain(arrays::names()).chain(sugar::NAMES).chain(KEYWORDS).chain(WORDS).collect();
    names.extend(MathFn::ALL.iter().map(|function| function.name()));
    names.extend(Temporal::ALL.iter().map(|temporal| temporal.name()));
    names.extend(Half::ALL.iter().map(|half| half.name()));
    names.extend(times::methods());
    names.extend(["Fixed", Column::STRINGS, Column::NULLABLE]);
    names.extend(fixed::methods());
    names.extend(FaultKind::ALL.iter().map(|kind| kind.name()));
    names
}

/// Whether `examples` have `name` as a word; a fault stands there as it is printed.
fn shows(examples: &str, name: &str) -> bool {
    if let Some(kind) = FaultKind::ALL.iter().find(|kind| kind.name() == name)
        && examples.contains(kind.words())
    {
        return true;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    examples.split(|c| !is_part(c)).any(|word| word == name)
}

#[test]
fn every_construct_has_an_entry_with_an_example() {
    let reference = reference();
    let entries = entries(&reference);
    for name in constructs() {
        let examples = entries.get(name).unwrap_or_else(|| panic!("the reference has no entry `{name}`"));
        assert!(shows(examples, name), "the entry `{name}` of the reference has no example of it");
    }
}

#[test]
fn every_entry_is_a_construct() {
    let reference = reference();
    let constructs = constructs();
    for name in entries(&reference).keys() {
        assert!(constructs.contains(name), "the reference has an entry `{name}`, which the language has not");
    }
}

#[test]
fn every_constant_is_named() {
    let reference = reference();
    for name in FLOAT_CONSTANTS {
        assert!(reference.contains(name), "the reference does not name the constant {name}");
    }
}

#[test]
fn no_example_names_what_it_does_not_define() {
    let reference = reference();
    let examples = reference.split("```").filter_map(|block| block.strip_prefix("weld\n"));
    let mut count = 0;
    for program in examples.filter_map(|text| parse_text(text).ok()) {
        let named: Vec<String> =
            front::undefined(&program).into_iter().map(|named| named.path.name).collect();
        assert!(named.is_empty(), "{named:?}");
        count += 1;
    }
    assert!(count > 100, "only {count} examples");
}
