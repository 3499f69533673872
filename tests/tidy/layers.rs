//! Layers: the folders of the runtime import only those below them, and printers of low-level code nothing by which they could decide.

use proc_macro2::TokenTree;

use crate::files::{File, ending_in};
use crate::sources::tokens;

/// The runtime.
const RUNTIME: &str = "dsl-runtime/src/";

/// Its folders, each of which may know those before it.
const RANKS: [&str; 8] = ["math", "lang", "mem", "key", "exec", "store", "ops", "api"];

/// What else stands at the root: macros.
const MACROS: [&str; 4] = ["__enumeration", "__structure", "math_functions", "scalar_types"];

/// The rank of a folder.
fn rank(folder: &str) -> Option<usize> {
    RANKS.iter().position(|ranked| *ranked == folder)
}

/// The names that follow `crate::` in a file.
fn imported(file: &File) -> Vec<String> {
    let tokens = tokens(file);
    let is_root = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "crate");
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    let name = |window: &[TokenTree]| {
        let [root, first, second, name] = window else { return None };
        let is_path = is_root(root) && is_colon(first) && is_colon(second);
        is_path.then(|| name.to_string())
    };
    tokens.windows(4).filter_map(name).collect()
}

#[test]
fn folders_of_the_runtime_import_only_lower_ones() {
    let mut edges = 0;
    for file in ending_in(&[".rs"]) {
        let Some(path) = file.path.strip_prefix(RUNTIME).filter(|path| *path != "lib.rs") else { continue };
        let (folder, _) = path.split_once('/').unwrap_or((path, ""));
        let own = rank(folder).unwrap_or_else(|| panic!("{} is in no folder with a rank", file.path));
        for name in imported(&file) {
            if let Some(other) = rank(&name) {
                assert!(other <= own, "{} imports `{name}`, which ranks above `{folder}`", file.path);
                edges += 1;
            } else {
                assert!(MACROS.contains(&&*name), "{} imports `{name}`, which has no rank", file.path);
            }
        }
    }
    assert!(edges > 100, "the runtime is not where it was");
}

/// The printers of low-level code.
const PRINTERS: [&str; 3] = ["dsl-codegen/src/rust/printer/", "dsl-codegen/src/llvm/print/", "tests/c/"];

/// What they must not know: the loop IR and its facts, and what is found out of the IR.
const DECIDING: [&str; 2] = ["loops", "analysis"];

#[test]
fn printers_decide_nothing() {
    let mut files = 0;
    for file in ending_in(&[".rs"]) {
        if !PRINTERS.iter().any(|folder| file.path.starts_with(folder)) {
            continue;
        }
        files += 1;
        let tokens = tokens(&file);
        for window in tokens.windows(4) {
            let [root, first, second, name] = window else { continue };
            let is_ours =
                ["crate", "weldment_core", "weldment_codegen"].iter().any(|ours| root.to_string() == *ours);
            let is_path = is_ours && first.to_string() == ":" && second.to_string() == ":";
            let decides = is_path && DECIDING.contains(&name.to_string().as_str());
            assert!(!decides, "{} imports `{name}`", file.path);
        }
    }
    assert!(files > 30, "the printers are not where they were");
}
