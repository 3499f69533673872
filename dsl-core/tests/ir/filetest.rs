//! Files of IR text with what is expected of it.
//!
//! A file holds an input, a line `----`, and the expected output. `UPDATE_EXPECT=1 cargo test` writes what
//! came out into the files.

use std::fs;
use std::path::{Path, PathBuf};

/// The line between input and output.
const SEPARATOR: &str = "----\n";

/// The folder `filetests/<name>` of this crate.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests").join(name)
}

/// The files of a folder, in order of their names.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ir"));
    files.sort();
    files
}

/// Checks that `run` turns the input of each file in `filetests/<name>` into its expected output.
pub(crate) fn check_folder(name: &str, run: impl Fn(&str) -> String) {
    let files = files(&folder(name));
    assert!(!files.is_empty(), "no file in filetests/{name}");
    let failures: Vec<String> = files.iter().filter_map(|path| check_file(path, &run)).collect();
    assert!(failures.is_empty(), "{}\n(UPDATE_EXPECT=1 accepts this)", failures.join("\n"));
}

fn check_file(path: &Path, run: &impl Fn(&str) -> String) -> Option<String> {
    let text = fs::read_to_string(path).unwrap();
    let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
    let found = run(input);
    if found == expected {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, format!("{input}{SEPARATOR}{found}")).unwrap();
        return None;
    }
    Some(format!("{}:\n--- expected\n{expected}--- found\n{found}", path.display()))
}
