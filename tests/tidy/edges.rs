//! Who knows whom: the edges between the packages are those of ARCHITECTURE.md.

use crate::files::{ending_in, read};

/// A package: its folder, and the packages of the workspace that it may name, dev-dependencies included. The last
/// holds every file that no other holds.
const PACKAGES: [(&str, &str, &[&str]); 11] = [
    ("weldment-runtime", "dsl-runtime/", &[]),
    ("weldment-core", "dsl-core/", &["weldment-runtime"]),
    ("weldment-codegen", "dsl-codegen/", &["weldment-runtime", "weldment-core"]),
    ("weldment-macros", "dsl-macros/", &["weldment-codegen"]),
    ("weldment-cli", "dsl-cli/", &["weldment", "weldment-guide"]),
    ("weldment-across", "tests/across/", &["weldment"]),
    ("weldment-guide", "tests/guide/", &["weldment"]),
    ("weldment-benches", "benches/", &["weldment"]),
    ("weldment-pricing", "examples/pricing/library/", &["weldment"]),
    ("weldment-risk", "examples/pricing/risk/", &["weldment", "weldment-pricing"]),
    ("weldment", "", &["weldment-runtime", "weldment-macros", "weldment-core", "weldment-codegen"]),
];

/// The packages that a manifest names in any table of dependencies.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            inside = table.ends_with("dependencies") && !table.starts_with("workspace");
        } else if inside && line.starts_with("weldment") {
            let end = line.find(['.', ' ', '=']).expect("a dependency has a value");
            found.push(&line[..end]);
        }
    }
    found
}

#[test]
fn manifests_name_only_what_they_may() {
    for (package, folder, allowed) in PACKAGES {
        let manifest = read(&format!("{folder}Cargo.toml"));
        for dependency in dependencies(&manifest) {
            assert!(allowed.contains(&dependency), "{package} must not depend on {dependency}");
        }
    }
}

#[test]
fn sources_name_only_what_they_may() {
    let sources = ending_in(&[".rs"]);
    for file in sources.iter().filter(|file| !file.path.starts_with("tests/ui/")) {
        let package = PACKAGES.iter().find(|(_, folder, _)| file.path.starts_with(folder));
        let &(package, _, allowed) = package.expect("the root has an empty folder");
        for line in file.text.lines() {
            let line = line.trim_start();
            let Some(path) = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("use ") else { continue };
            let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
            let name = path[..end].replace('_', "-");
            let is_ours = PACKAGES.iter().any(|(other, ..)| *other == name);
            let is_known = name == package || allowed.contains(&name.as_str());
            assert!(!is_ours || is_known, "{}: {package} must not know {name}", file.path);
        }
    }
}

#[test]
fn the_list_is_the_workspace() {
    let manifest = read("Cargo.toml");
    let members = manifest.lines().find(|line| line.starts_with("members")).expect("members");
    assert_eq!(members.matches('"').count() / 2, PACKAGES.len());
    for (package, folder, _) in PACKAGES {
        let member = if folder.is_empty() { "." } else { folder.trim_end_matches('/') };
        assert!(members.contains(&format!("\"{member}\"")), "{member} is no member of the workspace");
        assert!(read(&format!("{folder}Cargo.toml")).contains(&format!("name = \"{package}\"")));
    }
}
