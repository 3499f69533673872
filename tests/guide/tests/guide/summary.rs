//! What belongs to the book.

use weldment_guide::{IN_RUST, blocks, chapters};

/// The table of contents.
const SUMMARY: &str = "SUMMARY.md";

#[test]
fn every_chapter_is_in_the_table_of_contents_once() {
    let chapters = chapters::all();
    let summary = chapters.iter().find(|chapter| chapter.path == SUMMARY).expect("a table of contents");
    for chapter in chapters.iter().filter(|chapter| chapter.path != SUMMARY) {
        let entries = summary.text.matches(&format!("({})", chapter.path)).count();
        assert_eq!(entries, 1, "{} in the table of contents", chapter.path);
    }
}

/// The chapter that the tests of fusion write and check.
const FUSION: &str = "fusion.md";

#[test]
fn every_example_in_rust_is_a_test() {
    for chapter in chapters::all().iter().filter(|chapter| chapter.path != FUSION) {
        let is_tested = IN_RUST.contains(&chapter.path.as_str());
        for block in blocks::of(&chapter.text) {
            let place = format!("docs/src/{}:{}", chapter.path, block.line);
            // What has no language is Rust to rustdoc, and nothing to mdBook.
            assert!(!block.info.is_empty(), "{place}: the block has no language");
            assert!(
                block.language() != "rust" || is_tested,
                "{place}: name the chapter in tests/guide/src/lib.rs"
            );
            let is_run = ["rust", "rust,compile_fail", "rust,should_panic"].contains(&block.info);
            assert!(block.language() != "rust" || is_run, "{place}: `{}` is not run", block.info);
        }
    }
}
