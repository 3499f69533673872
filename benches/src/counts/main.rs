//! Instructions of small kernels, counted by Valgrind's callgrind, beside a saved baseline.
//!
//! ```sh
//! cargo run --release -p weldment-benches --features llvm --bin counts             # compare
//! cargo run --release -p weldment-benches --features llvm --bin counts -- --save   # accept the counts of now
//! ```
//!
//! A count does not depend on what else the machine does, so that one run is enough to see a kernel become slower, if it is
//! slower because it does more. Valgrind knows no AVX-512, so what is counted is the code for AVX2. Each kernel runs in a
//! process of its own: once, for what happens once, and then twice, which is counted.

mod kernels;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use kernels::{Counted, KERNELS, On};

/// By how much a count may grow.
const MOST: f64 = 1.02;

/// Counts the instructions of small kernels, and names those that need over 2 % more than the baseline.
#[derive(Debug, Parser)]
struct Args {
    /// Save the counts as the baseline.
    #[arg(long)]
    save: bool,
    /// Run this kernel, and count nothing: what is done under callgrind.
    #[arg(long, hide = true, value_name = "COUNT")]
    run: Option<String>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let args = Args::parse();
    if let Some(name) = args.run {
        let (_, kernel, on) =
            counted().into_iter().find(|counted| counted.0 == name).ok_or("no such count")?;
        (kernel.run)(on);
        return Ok(ExitCode::SUCCESS);
    }
    let baseline = Path::new(env!("CARGO_MANIFEST_DIR")).join("counts.txt");
    let folder = tempfile::tempdir()?;
    let counts: Vec<(String, u64)> = counted()
        .into_iter()
        .map(|(name, ..)| count(&name, folder.path().join("out")).map(|count| (name, count)))
        .collect::<Result<_, Box<dyn Error>>>()?;
    if args.save {
        let lines = counts.iter().map(|(name, count)| format!("{name} {count}\n"));
        fs::write(&baseline, lines.collect::<String>())?;
        println!("saved to {}", baseline.display());
        return Ok(ExitCode::SUCCESS);
    }
    let saved = fs::read_to_string(&baseline).map_err(|error| format!("{}: {error}", baseline.display()))?;
    let comparison = compare(&counts, &parse(&saved)?);
    print!("{}", comparison.table);
    for regression in &comparison.regressions {
        eprintln!("error: {regression}");
    }
    Ok(if comparison.regressions.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is counted: every kernel on every executor that is built in, under a name.
fn counted() -> Vec<(String, &'static Counted, On)> {
    let rust = KERNELS.iter().map(|kernel| (kernel.name.to_string(), kernel, On::Rust));
    let llvm = KERNELS.iter().map(|kernel| (format!("{}, LLVM", kernel.name), kernel, On::Llvm));
    rust.chain(llvm.filter(|_| cfg!(feature = "llvm"))).collect()
}

/// The instructions of two calls of a kernel.
fn count(name: &str, out: PathBuf) -> Result<u64, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--callgrind-out-file={}", out.display())])
        .args(["--collect-atstart=no", "--toggle-collect=*counted_calls*"])
        .arg(std::env::current_exe()?)
        .args(["--run", name])
        // One thread: how work is divided among several is chance.
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .map_err(|error| format!("valgrind: {error}; on Debian: apt-get install valgrind"))?;
    if !output.status.success() {
        return Err(format!("{name} under valgrind: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let text = fs::read_to_string(out)?;
    let total =
        text.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
    match total.ok_or("callgrind has told no total")?.trim().parse()? {
        0 => Err(format!("{name}: callgrind has not found what to count").into()),
        count => Ok(count),
    }
}

/// `name count`, line by line.
fn parse(saved: &str) -> Result<Vec<(&str, u64)>, Box<dyn Error>> {
    let line = |line| -> Result<(&str, u64), Box<dyn Error>> {
        let (name, count) =
            str::rsplit_once(line, ' ').ok_or("a line of the baseline is a name and a count")?;
        Ok((name, count.parse()?))
    };
    saved.lines().map(line).collect()
}

/// The counts of now beside those saved.
struct Comparison {
    table: String,
    /// What is to be said of each count that has grown too much, or that there is no baseline for.
    regressions: Vec<String>,
}

fn compare(counts: &[(String, u64)], saved: &[(&str, u64)]) -> Comparison {
    let mut comparison = Comparison { table: String::new(), regressions: Vec::new() };
    for (name, count) in counts {
        let Some((_, before)) = saved.iter().find(|(of, _)| of == name) else {
            comparison.regressions.push(format!("{name}: {count} instructions, and no baseline"));
            continue;
        };
        let ratio = *count as f64 / *before as f64;
        comparison.table.push_str(&format!("{name:<28} {before:>12} {count:>12} {ratio:>6.3}\n"));
        if ratio > MOST {
            let more = (ratio - 1.0) * 100.0;
            comparison
                .regressions
                .push(format!("{name}: {count} instructions are {more:.1} % more than {before}"));
        }
    }
    comparison
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_grown_too_much_is_named() {
        let saved = parse("sum 1000\nfilter, half 2000\n").unwrap();
        assert_eq!(saved, [("sum", 1000), ("filter, half", 2000)]);
        let regressions = |counts: &[(&str, u64)]| {
            let counts: Vec<_> = counts.iter().map(|&(name, count)| (name.to_string(), count)).collect();
            compare(&counts, &saved).regressions
        };
        assert!(regressions(&[("sum", 1020), ("filter, half", 1)]).is_empty());
        assert_eq!(
            regressions(&[("sum", 1021), ("filter, half", 2040)]),
            ["sum: 1021 instructions are 2.1 % more than 1000"]
        );
        assert_eq!(regressions(&[("join", 5)]), ["join: 5 instructions, and no baseline"]);
        assert!(parse("sum").is_err() && parse("sum many").is_err());
    }

    #[test]
    fn every_kernel_runs_and_has_a_baseline() {
        let saved = include_str!("../../counts.txt");
        let saved = parse(saved).unwrap();
        for (counted, kernel, on) in counted() {
            (kernel.run)(on);
            assert!(saved.iter().any(|(name, _)| *name == counted), "{counted}");
        }
    }
}
