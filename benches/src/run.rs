//! The runner: which workloads, and what it prints.

use std::process::ExitCode;

use crate::alone;
use crate::args::Args;
use crate::clock::Clock;
use crate::measure;
use crate::table::Results;
use crate::workloads;

/// Runs the workloads, and prints one table.
pub fn run(args: &Args) -> ExitCode {
    if let Some(name) = &args.alone {
        return alone::answer(args, name);
    }
    let names = workloads::names(args);
    let mut results = Results::new(args.markdown);
    let mut errors = Vec::new();
    if names.is_empty() {
        errors.push(format!("no workload has `{}` in its name", args.only));
    }
    for name in names {
        let rows = if args.check { workloads::run(args, &name) } else { alone::ask(args, &name) };
        match rows {
            Ok(rows) => results.add(&rows),
            Err(error) => errors.push(error),
        }
    }
    if !args.check {
        for &threads in &args.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("the threads can be started");
            let rate = pool.install(|| measure::copy_bandwidth(Clock::of(threads)));
            println!("copy on {threads} threads: {:.1} GB/s read and written", rate / 1e9);
        }
        println!(
            "Medians of {} rounds in turns or more, in {} processes; one thread in time of the processor, several by the wall.\n",
            args.processes * args.rounds,
            args.processes
        );
        println!("{}", results.text());
    }
    for error in &errors {
        eprintln!("error: {error}");
    }
    if errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// Every contestant of every workload comes to the same result, on a small input.
    #[test]
    fn everybody_agrees() {
        let args = Args::parse_from(["benches", "--check", "--scale", "0.001"]);
        assert_eq!(format!("{:?}", run(&args)), format!("{:?}", ExitCode::SUCCESS));
    }

    #[test]
    fn workloads_are_chosen_by_a_part_of_their_names() {
        let names = |only| workloads::names(&Args::parse_from(["benches", only]));
        assert_eq!(names("Q"), ["TPC-H Q3", "TPC-H Q6", "TPC-H Q1"]);
        assert!(names("").len() > 40, "{:?}", names(""));
        let args = Args::parse_from(["benches", "no such"]);
        assert_eq!(format!("{:?}", run(&args)), format!("{:?}", ExitCode::FAILURE));
    }
}
