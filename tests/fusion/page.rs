//! The page that shows the cases.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::cases;
use crate::measure::alone;
use crate::table::{Case, Left};

const INTRODUCTION: &str = "\
# Fusion by example

What becomes of a program that is written as a chain of collections. The optimiser makes one loop of producers and their
consumers (*vertical* fusion), and one of loops over the same elements (*horizontal*). For each program this page tells
how many loops there are before and after, and how many intermediates: vectors and dictionaries that are written to memory
and are not part of the result. Every loop counts, those in other loops, too. *At most* is what the rules of fusion leave
if each of them is applied; where less is left, a literal was no loop, the compiler ran the loop itself, or a pass has found
more to do.

The last column is measured: so many vectors of the input's size a run writes, results included, as emitted Rust and
compiled by LLVM. Besides them it allocates nothing that grows with the input; dictionaries have few keys here.

`weldment_case_successor` is an opaque function, i + 1 of i: it is never called more often than the program says. A cheap
producer is rather computed again than stored. Programs of one number are variants of one case.

This page is written by `UPDATE_EXPECT=1 cargo test --features program --test fusion`.

| | what it shows | loops before | after | at most | stored before | after | at most | vectors written |
|---|---|---|---|---|---|---|---|---|
";

/// The cases in the order of their numbers; those without come last.
fn in_order() -> Vec<&'static Case> {
    let mut cases: Vec<&Case> = cases::all().collect();
    let digits = |case: &Case| case.number.trim_end_matches(char::is_alphabetic).parse().unwrap_or(u32::MAX);
    cases.sort_by_key(|case| (digits(case), case.number));
    cases
}

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    let numbers = |left: &Left| format!("{} | {} | {}", left.before, left.after, left.limit);
    for case in in_order() {
        let (loops, stored) = (numbers(&case.loops), numbers(&case.stored));
        let (number, what, vectors) = (case.number, case.what, case.vectors);
        let _ = writeln!(page, "| {number} | {what} | {loops} | {stored} | {vectors} |");
    }
    page += "\n## The programs\n";
    for case in in_order() {
        let (number, what, text) = (case.number, case.what, case.text);
        let _ =
            write!(page, "\n{}\n\n```rust,ignore\n{text}\n```\n", format!("{number} {what}").trim_start());
    }
    page
}

#[test]
fn the_page_is_up_to_date() {
    let _alone = alone();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/fusion.md");
    let page = page();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let differs = written.lines().zip(page.lines()).find(|(written, page)| written != page);
    assert!(
        written == page,
        "docs/src/fusion.md is out of date: UPDATE_EXPECT=1 writes it anew: {differs:?}"
    );
}
