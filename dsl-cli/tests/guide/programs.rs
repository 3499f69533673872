//! Programs in the chapters: each is compiled, and what it says behind `//` of its results is so.
//!
//! ```text
//! |v: &[f64], i: i64| v[i]
//! // [1.5, 2.5], 1 gives 2.5
//! // [1.5, 2.5], 2 faults: index out of bounds: index 2 of a vector of 2
//! ```
//!
//! A program that is wrong on purpose says so instead: `// error: …`.

use std::path::Path;

use serde_json::Value;
use weldment_guide::{blocks, chapters};

use crate::command::weldment;

/// What a program says of itself.
#[derive(Debug)]
enum Claim<'a> {
    /// These arguments give this result.
    Gives(&'a str, &'a str),
    /// These arguments end in this fault.
    Faults(&'a str, &'a str),
    /// The program does not compile, or not for this executor.
    Error(&'a str),
}

fn claim(line: &str) -> Option<Claim<'_>> {
    let text = line.strip_prefix("// ")?;
    if let Some(error) = text.strip_prefix("error: ") {
        return Some(Claim::Error(error));
    }
    let behind = |word| text.strip_prefix(word).map(|rest| ("", rest));
    if let Some((args, fault)) = text.split_once(" faults: ").or_else(|| behind("faults: ")) {
        return Some(Claim::Faults(args, fault));
    }
    let (args, result) = text.split_once(" gives ").or_else(|| behind("gives "))?;
    Some(Claim::Gives(args, result))
}

fn check(program: &str, claim: &Claim<'_>) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("program-{:?}", std::thread::current().id());
    let path = folder.join(&name);
    std::fs::write(&path, program).expect("the program can be written");
    let run = |args: &str| weldment(folder, &["run", &name, "--args", "-"], &format!("[{args}]"));
    let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| format!("{text}: {error}"));
    match claim {
        Claim::Gives(args, expected) => {
            let run = run(args);
            let is_so = run.code == 0 && json(&run.output)? == json(expected)?;
            if is_so { Ok(()) } else { Err(run.output + &run.errors) }
        }
        Claim::Faults(args, expected) => {
            let run = run(args);
            let is_so = run.code == 3 && run.errors.contains(expected);
            if is_so { Ok(()) } else { Err(run.output + &run.errors) }
        }
        Claim::Error(expected) => {
            let run = weldment(folder, &["emit", &name, "--to", "ir"], "");
            let is_so = run.code == 2 && run.errors.contains(expected);
            if is_so { Ok(()) } else { Err(run.errors) }
        }
    }
}

#[test]
fn programs_do_what_they_say() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for chapter in chapters::all() {
        for block in blocks::of(&chapter.text).iter().filter(|block| block.info == "weld") {
            let place = format!("docs/src/{}:{}", chapter.path, block.line);
            let claims: Vec<_> = block.text.lines().filter_map(claim).collect();
            if claims.is_empty() && block.file.is_none() {
                wrong.push(format!("{place}: the program says nothing of its results"));
            }
            for claim in claims {
                count += 1;
                if let Err(found) = check(block.text, &claim) {
                    wrong.push(format!("{place}: {claim:?}\n    {found}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "only {count} results are shown");
}
