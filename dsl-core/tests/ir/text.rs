//! Printing and parsing are inverse to each other.

use weldment_core::ir::{Locations, parse, print, renumber};

use crate::filetest::check_folder;

#[test]
fn parse_gives_the_program_or_the_place_of_the_error() {
    check_folder("parse", |input| match parse(input) {
        Ok(program) => {
            let text = print(&program, Locations::Shown);
            assert_eq!(
                print(&parse(&text).unwrap(), Locations::Shown),
                text,
                "a round trip changes the text"
            );
            text
        }
        Err(error) => format!("{error}\n"),
    });
}

#[test]
fn renumbering_makes_programs_that_differ_in_names_equal() {
    let text = |a: &str, b: &str| {
        format!("weldment ir 1\nprogram({a}: i64) {{\n  {b}: i64 = neg {a}\n  return {b}\n}}\n")
    };
    let canonical = |text: &str| renumber(&parse(text).unwrap());
    assert_eq!(canonical(&text("v7", "v3")), canonical(&text("v0", "v1")));
    assert_eq!(canonical(&text("v7", "v3")).to_string(), text("v0", "v1"));
}
