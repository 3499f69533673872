//! `WELDMENT_DUMP` in a build of a user's crate: what became of each kernel is in the folder, and again when it is another.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "
pub fn squares(v: &[f64]) -> f64 {
    weldment::weld!(|v: &[f64]| v.map(|x| x * x).sum())(v)
}
pub fn longest(words: &[Vec<u8>]) -> i64 {
    weldment::weld!(|words: &[Vec<u8>]| words.map(|word| len(word)).max())(words)
}
";

#[test]
fn a_build_writes_what_became_of_each_kernel() {
    let dumps = folder("dumps");
    let user = folder("user");
    fs::create_dir_all(user.join("src")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = format!(
        "[package]\nname = \"user\"\nedition = \"2024\"\n[dependencies]\nweldment = {{ path = {root:?} }}\n[workspace]\n"
    );
    fs::write(user.join("Cargo.toml"), manifest).unwrap();
    fs::write(user.join("src/lib.rs"), PROGRAM).unwrap();
    // The versions that have been built.
    fs::copy(root.join("Cargo.lock"), user.join("Cargo.lock")).unwrap();

    for folder in [&dumps.join("one"), &dumps.join("another")] {
        build(&user, folder);
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).expect("a folder").map(|file| file.unwrap().path()).collect();
        files.sort();
        let [squares, longest] = &files[..] else { panic!("{files:?}") };
        let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name(squares).starts_with("user") && name(squares).contains("lib"), "{}", name(squares));
        let [squares, longest] = [squares, longest].map(|file| fs::read_to_string(file).unwrap());
        assert!(squares.contains("x * x") && squares.contains("fuse-vertical"), "{squares}");
        assert!(longest.contains("len(word)") && longest.contains("reduce max i64"), "{longest}");
    }
}

/// A folder of this test's own, which is empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dump").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn build(user: &Path, dumps: &Path) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dump").join("target");
    let output = Command::new(cargo)
        .args(["build", "--offline", "--quiet"])
        .current_dir(user)
        .env("CARGO_TARGET_DIR", target)
        .env("WELDMENT_DUMP", dumps)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
