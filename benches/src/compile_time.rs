//! How long programs at run time take to compile: all those of the tests of pairs, with LLVM.
//!
//! ```sh
//! cargo run --release -p weldment-benches --features llvm --bin compile-time
//! ```
//!
//! Times are the processor's, which other work on the machine does not lengthen much. A first time is from text to code that can be
//! called; another is the same in a process that has done it before. `None` and `Quick` are first times on LLVM's lower levels. The
//! slowest programs are listed.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use proc_macro2::{TokenStream, TokenTree};
use weldment::{CompileOptions, Level, Program};

/// How long it may take.
const FIRST: Duration = Duration::from_millis(15);
const AGAIN: Duration = Duration::from_micros(10);

/// How many of the slowest are listed.
const SLOWEST: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let programs = programs()?;
    // LLVM is set up once.
    Program::parse("|x: i64| x")?.compile(&CompileOptions::default())?;
    let mut first = Vec::new();
    for text in &programs {
        // With a space more, the process has not seen it.
        let anew = format!("{text} ");
        let start = ProcessTime::now();
        let program = Program::parse(&anew)?;
        let parsed = start.elapsed();
        program.compile(&CompileOptions::default())?;
        first.push((start.elapsed(), parsed, text));
    }
    let mut levels = Vec::new();
    for level in [Level::None, Level::Quick] {
        let mut times = Vec::new();
        for text in &programs {
            let anew = format!("{text}  ");
            let start = ProcessTime::now();
            Program::parse(&anew)?.compile(&CompileOptions { level, ..CompileOptions::default() })?;
            times.push(start.elapsed());
        }
        levels.push((level, times));
    }
    let mut again = Vec::new();
    // The process keeps no more than the last ones.
    for text in programs.iter().rev().take(100) {
        for _ in 0..10 {
            let start = Instant::now();
            Program::parse(text)?.compile(&CompileOptions::default())?;
            again.push(start.elapsed());
        }
    }
    first.sort();
    println!("{} programs", programs.len());
    let times = [|of: &(Duration, Duration, &String)| of.0, |of: &(Duration, Duration, &String)| of.1];
    let [whole, parsed] = times.map(|time| first.iter().map(time).collect::<Vec<_>>());
    tell("first", whole, Some(FIRST));
    tell("parsed", parsed, None);
    tell("again", again, Some(AGAIN));
    for (level, times) in levels {
        tell(&format!("{level:?}"), times, None);
    }
    println!("the slowest:");
    for (time, _, text) in first.iter().rev().take(SLOWEST) {
        println!("{time:>10.2?}  {}", text.chars().take(100).collect::<String>());
    }
    Ok(())
}

fn tell(name: &str, mut times: Vec<Duration>, most: Option<Duration>) {
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    let target = most.map_or(String::new(), |most| {
        format!(" (at most {most:?}{})", if at(50) <= most { "" } else { ", missed" })
    });
    println!("{name:>8}: median {:.2?}{target}, 90 % below {:.2?}, most {:.2?}", at(50), at(90), at(100));
}

/// The programs of `tests/it/pairs`, as they stand in `weld!(…)`.
fn programs() -> Result<Vec<String>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/it/pairs");
    let mut files: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let mut programs = Vec::new();
    for file in files {
        let tokens: TokenStream = fs::read_to_string(file)?.parse()?;
        collect(tokens, &mut programs);
    }
    // Some call foreign functions, of the tests alone.
    programs.retain(|text| Program::parse(text).is_ok_and(|program| !program.ir().contains("call ")));
    Ok(programs)
}

/// Adds what stands in `weld!(…)`.
fn collect(tokens: TokenStream, programs: &mut Vec<String>) {
    let mut last = [const { None }; 2];
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            match &last {
                [Some(TokenTree::Ident(name)), Some(TokenTree::Punct(bang))]
                    if name == "weld" && bang.as_char() == '!' =>
                {
                    programs.push(group.stream().to_string());
                }
                _ => collect(group.stream(), programs),
            }
        }
        last = [last[1].take(), Some(token)];
    }
}
