//! The errors that the guide shows.

use std::fs;
use std::path::{Path, PathBuf};

use weldment_guide::blocks::{self, Block};
use weldment_guide::chapters;

/// Where the programs stand while they are compiled.
const FOLDER: &str = env!("CARGO_TARGET_TMPDIR");

/// A program that does not compile, and what is said of it.
struct Shown<'a> {
    error: Block<'a>,
    program: PathBuf,
}

impl Shown<'_> {
    /// The file that holds what is said.
    fn stderr(&self) -> PathBuf {
        self.program.with_extension("stderr")
    }

    /// The name of the program's file.
    fn name(&self) -> &str {
        self.program.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8")
    }

    /// What trybuild is to find: it takes any folder for `$DIR`.
    fn expected(&self) -> String {
        self.error.text.replace("src/main.rs", &format!("$DIR/{}", self.name()))
    }

    /// What trybuild has found, or left as it was.
    fn said(&self) -> String {
        let said = fs::read_to_string(self.stderr()).expect("it is there");
        let line = |line: &str| match (line.split_once("--> "), line.split_once(self.name())) {
            (Some((indent, _)), Some((_, place))) => format!("{indent}--> src/main.rs{place}\n"),
            _ => format!("{line}\n"),
        };
        said.lines().map(line).collect()
    }
}

/// Every program of a chapter whose error is shown: a block that does not compile, and right after it one of text.
fn shown<'a>(path: &str, text: &'a str) -> Vec<Shown<'a>> {
    let blocks = blocks::of(text);
    let pairs =
        blocks.windows(2).filter(|pair| pair[0].info == "rust,compile_fail" && pair[1].info == "text");
    let name = |line: usize| format!("{}-{line}.rs", path.trim_end_matches(".md").replace('/', "-"));
    let shown = |pair: &[Block<'a>]| {
        let program = Path::new(FOLDER).join(name(pair[0].line));
        fs::write(&program, pair[0].text).expect("the program can be written");
        let shown = Shown { error: pair[1].clone(), program };
        fs::write(shown.stderr(), shown.expected()).expect("as can the error");
        shown
    };
    pairs.map(shown).collect()
}

/// With `TRYBUILD=overwrite` and `UPDATE_EXPECT=1` the chapters are written anew.
#[test]
fn errors_are_what_is_said() {
    let chapters = chapters::all();
    let all: Vec<_> = chapters.iter().map(|chapter| (chapter, shown(&chapter.path, &chapter.text))).collect();
    assert!(all.iter().map(|(_, shown)| shown.len()).sum::<usize>() > 4, "there are errors in the guide");
    let cases = trybuild::TestCases::new();
    for shown in all.iter().flat_map(|(_, shown)| shown) {
        cases.compile_fail(&shown.program);
    }
    // It compiles them when it is dropped.
    drop(cases);
    for (chapter, shown) in all {
        let texts: Vec<_> = shown.iter().map(|shown| (shown.error.clone(), shown.said())).collect();
        chapter.accept(&blocks::replaced(&chapter.text, &texts));
    }
}
