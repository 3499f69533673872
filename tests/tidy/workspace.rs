//! Settings that stand once for the workspace.

use crate::files::{File, ending_in};

/// The manifests of the workspace. The fuzz targets are one of their own, as they need a nightly toolchain.
fn manifests() -> impl Iterator<Item = File> {
    ending_in(&["Cargo.toml"]).into_iter().filter(|file| file.path != "fuzz/Cargo.toml")
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    for file in manifests() {
        assert!(file.text.contains("[lints]\nworkspace = true"), "{} has lints of its own", file.path);
    }
}

#[test]
fn every_crate_takes_the_edition_and_the_licence_of_the_workspace() {
    for file in manifests() {
        for key in ["version", "edition", "rust-version", "license"] {
            let line = format!("\n{key}.workspace = true\n");
            assert!(file.text.contains(&line), "{} has its own {key}", file.path);
        }
    }
}
