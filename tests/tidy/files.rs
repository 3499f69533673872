//! The files of the workspace.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A text file.
pub(crate) struct File {
    /// Its path from the root, with slashes.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
}

/// What stands in the file at `path`, from the root.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name().into_string();
    let mut names: Vec<_> = entries.map(|entry| name(entry).expect("a name in UTF-8")).collect();
    names.sort();
    names
}

/// Every text file whose name ends in one of `endings`, but for what is built or hidden.
pub(crate) fn ending_in(endings: &[&str]) -> Vec<File> {
    let mut paths = Vec::new();
    collect(root(), endings, &mut paths);
    paths.sort();
    let file = |path: PathBuf| File {
        path: path.strip_prefix(root()).expect("below the root").to_str().expect("UTF-8").replace('\\', "/"),
        text: fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    };
    paths.into_iter().map(file).collect()
}

fn collect(folder: &Path, endings: &[&str], paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        if path.is_dir() {
            let is_built = name == "target" || path.join("CACHEDIR.TAG").exists();
            if !name.starts_with('.') && !is_built {
                collect(&path, endings, paths);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            paths.push(path);
        }
    }
}
