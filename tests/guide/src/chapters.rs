//! The files of the guide.

use std::fs;
use std::path::{Path, PathBuf};

/// A chapter: a file of Markdown.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Its path from `docs/src`, with slashes.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// The folder of the chapters.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src")
}

/// Every chapter, the table of contents included, in the order of their paths.
///
/// # Panics
/// If a file cannot be read.
pub fn all() -> Vec<Chapter> {
    let mut paths = Vec::new();
    collect(&folder(), "", &mut paths);
    paths.sort();
    let chapter = |path: String| {
        let text = fs::read_to_string(folder().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        Chapter { path, text }
    };
    paths.into_iter().map(chapter).collect()
}

fn collect(folder: &Path, prefix: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_str().expect("a name in UTF-8"));
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), paths);
        } else if name.ends_with(".md") {
            paths.push(name);
        }
    }
}

impl Chapter {
    /// Accepts `text` for the chapter where `UPDATE_EXPECT=1` asks for it, and else fails if it is another one.
    ///
    /// # Panics
    /// If the chapter is not `text`, with the first lines that differ.
    pub fn accept(&self, text: &str) {
        if self.text == text {
            return;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
            fs::write(folder().join(&self.path), text).expect("the chapter can be written");
            return;
        }
        let shown = self.text.lines().zip(text.lines()).enumerate().find(|(_, (old, new))| old != new);
        let (line, (old, new)) = shown.unwrap_or((0, ("the lines there are", "fewer or more")));
        let place = format!("docs/src/{}:{}", self.path, line + 1);
        panic!("{place}: shown is\n    {old}\nand it is\n    {new}\nUPDATE_EXPECT=1 writes it anew");
    }
}
