//! What LLVM makes of a program is kept in files, for processes that come later.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use weldment::{CacheStatus, CompileOptions, Program};

/// Says to a process that it is one of those that the test starts, and where they keep their code.
const FOLDER: &str = "WELDMENT_TEST_KEPT";

/// The only file in `folder`: its name, what tells it from another of that name, and what stands in it.
fn only_file(folder: &Path) -> (PathBuf, Option<std::time::SystemTime>, Vec<u8>) {
    let files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("one file: {files:?}") };
    (file.clone(), fs::metadata(file).unwrap().modified().ok(), fs::read(file).unwrap())
}

/// Says to such a process whether it finds its code there.
const FINDS: &str = "WELDMENT_TEST_FINDS";

/// In a process of its own: compiles and runs a program.
fn in_this_process(folder: PathBuf) {
    let cache_key = Some(folder.with_extension("key"));
    let options = CompileOptions { cache_dir: Some(folder), cache_key, ..CompileOptions::default() };
    let program = Program::parse("|v: &[f64]| v.map(|x| x * 1.25 + sin(x)).sum()").unwrap();
    let executable = program.compile(&options).unwrap();
    let sum = executable.call::<(&[f64],), f64>((&[0.0, 2.0],)).unwrap();
    assert!((sum - (2.5 + 2f64.sin())).abs() < 1e-12, "{sum}");
    let status = if env::var_os(FINDS).is_some() { CacheStatus::Found } else { CacheStatus::Kept };
    assert_eq!(executable.cache_status(), &status);
    // Another text of the same program.
    let again = Program::parse("|v: &[f64]| v.map(|y| y * 1.25 + sin(y)).sum()").unwrap();
    assert_eq!(again.compile(&options).unwrap().cache_status(), &CacheStatus::InProcess);
}

#[test]
fn a_process_that_comes_later_finds_what_was_compiled() {
    if let Some(folder) = env::var_os(FOLDER) {
        return in_this_process(folder.into());
    }
    let folder = env::temp_dir().join(format!("weldment-kept-by-processes-{}", process::id()));
    let _ = fs::remove_dir_all(&folder);
    let start = |finds: bool| {
        let mut command = Command::new(env::current_exe().unwrap());
        let test = "kept::a_process_that_comes_later_finds_what_was_compiled";
        command.args(["--exact", test]).env(FOLDER, &folder);
        if finds {
            command.env(FINDS, "yes");
        }
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    };
    start(false);
    let first = only_file(&folder);
    start(true);
    assert!(only_file(&folder) == first, "nothing was compiled, else it had been written again");
    fs::write(&first.0, &first.2[..first.2.len() - 1]).unwrap();
    start(false);
    assert!(only_file(&folder).2 == first.2, "what was cut short was compiled again");
    fs::remove_dir_all(&folder).unwrap();
    fs::remove_file(folder.with_extension("key")).unwrap();
}
