//! The runner: which contests, on how many threads, and what it prints.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::alone;
use crate::contest::Contest;
use crate::measure::{self, Clock};
use crate::peers::Peers;
use crate::table::{Results, Row};
use crate::workloads;

/// Workloads by kernels, by LLVM and by hand.
#[derive(Debug, Parser)]
pub struct Args {
    /// Run only the workloads whose name contains this.
    #[arg(default_value = "")]
    pub only: String,
    /// The numbers of threads.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2])]
    pub threads: Vec<usize>,
    /// How much of the full input there is.
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    pub scale: f64,
    /// How many processes run each workload, one after the other.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub processes: u32,
    /// How many rounds count in each process.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Compare the results, and measure nothing.
    #[arg(long)]
    pub check: bool,
    /// Let polars, DuckDB and NumPy take part, which this Python has: see benches/README.md.
    #[arg(long, value_name = "PYTHON")]
    pub peers: Option<PathBuf>,
    /// Print the table for a document.
    #[arg(long)]
    pub markdown: bool,
    /// Run the workload of just this name in this process, and print its rows as JSON: how the others are run.
    #[arg(long, value_name = "WORKLOAD", hide = true)]
    pub alone: Option<String>,
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if scale > 0.0 && scale <= 10.0 => Ok(scale),
        _ => Err("the scale is a number above 0, and 10 at most".to_string()),
    }
}

/// What the workloads hand their contests to.
pub(crate) struct Bench<'a> {
    args: &'a Args,
    /// Which workload runs; while there is none, they are only asked for their names.
    running: Option<&'a str>,
    names: Vec<String>,
    /// The engines of others.
    pub(crate) peers: Peers,
    rows: Vec<Row>,
    errors: Vec<String>,
}

impl<'a> Bench<'a> {
    fn new(args: &'a Args, running: Option<&'a str>) -> Bench<'a> {
        let peers = Peers { python: args.peers.clone() };
        let mut bench =
            Bench { args, running, names: Vec::new(), peers, rows: Vec::new(), errors: Vec::new() };
        workloads::ALL.iter().for_each(|workload| workload(&mut bench));
        bench
    }

    /// `full`, times the scale of this run.
    pub(crate) fn rows(&self, full: usize) -> usize {
        ((full as f64 * self.args.scale) as usize).max(1)
    }

    /// How much of the full input there is.
    pub(crate) fn scale(&self) -> f64 {
        self.args.scale
    }

    /// Whether the workload of this name is to run.
    pub(crate) fn wants(&mut self, name: &str) -> bool {
        if self.running.is_none() && name.contains(&self.args.only) {
            self.names.push(name.to_string());
        }
        self.running == Some(name)
    }

    /// Compares the results of all contestants, and measures them, on each number of threads.
    pub(crate) fn contest(&mut self, contest: &Contest<'_>) {
        for &threads in &self.args.threads {
            eprintln!("{} on {threads} threads", contest.name);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("the threads can be started");
            if let Err(error) = pool.install(|| contest.agree()) {
                self.errors.push(error);
                return;
            }
            if !self.args.check {
                let (clock, rounds) = (Clock::of(threads), self.args.rounds as usize);
                let measured = pool.install(|| measure::measure(contest, clock, rounds));
                self.rows.extend(Row::of(contest, threads, &measured));
            }
        }
    }
}

/// The rows of the workload called `name`, run in this process.
///
/// # Errors
/// The contestants that do not agree.
pub(crate) fn one(args: &Args, name: &str) -> Result<Vec<Row>, String> {
    let Bench { rows, errors, .. } = Bench::new(args, Some(name));
    if errors.is_empty() { Ok(rows) } else { Err(errors.join("\n")) }
}

/// Runs the workloads, and prints one table.
pub fn run(args: &Args) -> ExitCode {
    if let Some(name) = &args.alone {
        return alone::answer(args, name);
    }
    let names = Bench::new(args, None).names;
    let mut results = Results::new(args.markdown);
    let mut errors = Vec::new();
    if names.is_empty() {
        errors.push(format!("no workload has `{}` in its name", args.only));
    }
    for name in names {
        let rows = if args.check { one(args, &name) } else { alone::ask(args, &name) };
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
    use super::*;

    /// Every contestant of every workload comes to the same result, on a small input.
    #[test]
    fn everybody_agrees() {
        let args = Args::parse_from(["benches", "--check", "--scale", "0.001"]);
        assert_eq!(format!("{:?}", run(&args)), format!("{:?}", ExitCode::SUCCESS));
    }

    #[test]
    fn workloads_are_chosen_by_a_part_of_their_names() {
        let names = |only| Bench::new(&Args::parse_from(["benches", only]), None).names;
        assert_eq!(names("Q"), ["TPC-H Q3", "TPC-H Q6", "TPC-H Q1"]);
        assert!(names("").len() > 40, "{:?}", names(""));
        let args = Args::parse_from(["benches", "no such"]);
        assert_eq!(format!("{:?}", run(&args)), format!("{:?}", ExitCode::FAILURE));
    }
}
