//! Where the programs of the corpus come from.

use std::path::{Path, PathBuf};
use std::{fs, io};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The corpus: every file below these folders, in order.
const SOURCES: [&str; 9] = [
    "benches/src",
    "docs/src",
    "dsl-codegen/benches",
    "dsl-core/filetests/passes",
    "dsl-core/filetests/pipeline",
    "examples",
    "fuzz/seeds/programs",
    "tests/fusion/cases",
    "tests/it",
];

/// How programs stand in the files whose names end so.
const KINDS: [(&str, Kind); 4] =
    [("ir", Kind::Ir), ("weld", Kind::Program), ("rs", Kind::Rust), ("md", Kind::Chapter)];

#[derive(Clone, Copy)]
enum Kind {
    /// IR text, up to a line of dashes: a test of the compiler.
    Ir,
    /// One program.
    Program,
    /// Rust with calls of `weld!`.
    Rust,
    /// Markdown with blocks of both.
    Chapter,
}

/// A program of the corpus.
pub(crate) struct Text {
    /// The file that it comes from, and its number there.
    pub(crate) name: PathBuf,
    /// In which form it is text.
    pub(crate) form: Form,
    /// The text.
    pub(crate) text: String,
}

/// In which form a program is text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The language, in either spelling.
    Language,
    /// The IR.
    Ir,
}

/// All programs.
pub(crate) fn programs() -> io::Result<Vec<Text>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace");
    let mut files = Vec::new();
    for source in SOURCES {
        collect(&root.join(source), &mut files)?;
    }
    let mut programs = Vec::new();
    for (path, kind) in files {
        let text = fs::read_to_string(&path)?;
        let form = if matches!(kind, Kind::Ir) { Form::Ir } else { Form::Language };
        let path = path.strip_prefix(root).expect("it is below the root");
        for (number, text) in within(&text, kind).into_iter().enumerate() {
            let name = path.with_extension(format!("{number:03}.txt"));
            programs.push(Text { name, form, text });
        }
    }
    Ok(programs)
}

/// The files below `folder` that may hold programs, in order of their names.
fn collect(folder: &Path, files: &mut Vec<(PathBuf, Kind)>) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files)?;
        } else if let Some((_, kind)) =
            KINDS.into_iter().find(|(end, _)| path.extension().is_some_and(|of| of == *end))
        {
            files.push((path, kind));
        }
    }
    Ok(())
}

/// The programs in the text of a file.
fn within(text: &str, kind: Kind) -> Vec<String> {
    match kind {
        Kind::Ir => vec![text.split("\n----\n").next().unwrap_or(text).to_owned()],
        Kind::Program => vec![text.to_owned()],
        // What is no Rust, such as a part of a block, has no calls.
        Kind::Rust => text.parse().map(calls).unwrap_or_default(),
        Kind::Chapter => blocks(text),
    }
}

/// What stands in the calls of `weld!` among `tokens`.
fn calls(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let is_call = matches!(tokens.get(at.wrapping_sub(2)), Some(TokenTree::Ident(name)) if name == "weld")
            && matches!(tokens.get(at.wrapping_sub(1)), Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
        match group.span().source_text() {
            Some(text) if is_call && group.delimiter() != Delimiter::None => {
                found.push(text[1..text.len() - 1].to_owned());
            }
            _ => found.extend(calls(group.stream())),
        }
    }
    found
}

/// The programs in the blocks of code of a chapter.
fn blocks(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        let kind = if info.starts_with("rust") { Kind::Rust } else { Kind::Program };
        if info.starts_with("rust") || info == "weld" {
            found.extend(within(&block.join("\n"), kind));
        }
    }
    found
}
