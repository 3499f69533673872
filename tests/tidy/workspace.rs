//! Settings that stand once for the workspace.

use crate::files::ending_in;

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    for file in ending_in(&["Cargo.toml"]) {
        assert!(file.text.contains("[lints]\nworkspace = true"), "{} has lints of its own", file.path);
    }
}

#[test]
fn every_crate_takes_the_edition_and_the_licence_of_the_workspace() {
    for file in ending_in(&["Cargo.toml"]) {
        for key in ["version", "edition", "rust-version", "license"] {
            let line = format!("\n{key}.workspace = true\n");
            assert!(file.text.contains(&line), "{} has its own {key}", file.path);
        }
    }
}
