//! Passes: a file in the folder is a line in the list and a folder of tests.

use crate::files::{ending_in, names, read};

const FOLDER: &str = "dsl-core/src/passes";

/// What stands beside the passes and is none.
const NO_PASSES: [&str; 6] =
    ["broken.rs", "candidate.rs", "mod.rs", "pass.rs", "reason.rs", "tuple_reducer.rs"];

fn passes() -> Vec<String> {
    let files = names(FOLDER).into_iter().filter(|name| !NO_PASSES.contains(&name.as_str()));
    files.map(|name| name.trim_end_matches(".rs").to_string()).collect()
}

#[test]
fn every_pass_is_registered() {
    let text = read(&format!("{FOLDER}/mod.rs"));
    let (_, list) = text.split_once("pub const PASSES").expect("the list of passes");
    let (list, _) = list.split_once("];").expect("the end of the list");
    for pass in passes() {
        assert!(list.contains(&format!(" {pass}::PASS,")), "{FOLDER}/{pass} never runs: add it to `PASSES`");
    }
}

#[test]
fn every_pass_has_tests_under_its_label() {
    for pass in passes() {
        let label = pass.replace('_', "-");
        let file = [format!("{FOLDER}/{pass}.rs"), format!("{FOLDER}/{pass}/mod.rs")];
        let exists = |path: &&String| crate::files::root().join(path).exists();
        let text = read(file.iter().find(exists).expect("the file of the pass"));
        assert!(text.contains(&format!("\"{label}\"")), "{FOLDER}/{pass} has another label than `{label}`");
        let tests = names(&format!("dsl-core/filetests/passes/{label}"));
        assert!(tests.iter().any(|name| name.ends_with(".ir")), "the pass `{label}` has no filetest");
    }
}

#[test]
fn every_folder_of_tests_is_of_a_pass() {
    let labels: Vec<_> = passes().iter().map(|pass| pass.replace('_', "-")).collect();
    for folder in names("dsl-core/filetests/passes") {
        assert!(labels.contains(&folder), "filetests/passes/{folder} tests no pass");
    }
}

/// The interpreter is the oracle for passes: what they ask may not be it. Their tests may.
#[test]
fn no_pass_and_no_analysis_asks_the_interpreter() {
    let is_asking = |path: &str| {
        let is_inside =
            ["passes/", "analysis/"].iter().any(|folder| path.starts_with(&format!("dsl-core/src/{folder}")));
        is_inside && !path.ends_with("/tests.rs")
    };
    let mut asking = 0;
    for file in ending_in(&[".rs"]).into_iter().filter(|file| is_asking(&file.path)) {
        asking += 1;
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let names = file.text.lines().filter(is_code).find(|line| line.contains("interp"));
        assert!(names.is_none(), "{} names the interpreter: {}", file.path, names.unwrap_or_default());
    }
    assert!(asking > 30, "passes and analyses are not where they were");
}
