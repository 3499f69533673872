//! `WELDMENT_DUMP` in a build of a user's crate: what became of each kernel is in the folder, and again when it is another.

mod user_crate;

use std::fs;
use std::path::{Path, PathBuf};

use user_crate::{UserCrate, succeed};

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
    let dumps = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dumps");
    let _ = fs::remove_dir_all(&dumps);
    let user = UserCrate::new("user", "").expect("a crate can be written");
    user.write("src/lib.rs", PROGRAM).expect("a file can be written");
    // Folders that no earlier run had, for what is compiled already writes nothing.
    for folder in ["one", "another"].map(|name| dumps.join(format!("{name}{}", std::process::id()))) {
        succeed(user.cargo("build").env("WELDMENT_DUMP", &folder)).expect("the crate compiles");
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).expect("a folder").map(|file| file.unwrap().path()).collect();
        files.sort();
        let [squares, longest] = &files[..] else { panic!("{files:?}") };
        let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name(squares).starts_with("user") && name(squares).contains("lib"), "{}", name(squares));
        let [squares, longest] = [squares, longest].map(|file| fs::read_to_string(file).unwrap());
        assert!(squares.contains("x * x") && squares.contains("fuse-vertical"), "{squares}");
        assert!(longest.contains("len(word)") && longest.contains("reduce max i64"), "{longest}");
    }
}
