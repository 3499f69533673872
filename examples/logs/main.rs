//! A web server's log: what each line says, the pages that are asked for most, errors by the hour, how long answers take, and how many
//! users there are, in one pass over the lines, beside a loop by hand.
//!
//! ```sh
//! cargo run --release --example logs
//! cargo run --release --example logs -- --lines 5000000 --threads 1
//! ```
//!
//! Kernel and loop have to give the same answer; the exit code is 1 if they do not.

mod answer;
mod hand;
mod kernel;
mod lines;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;

/// What a log of a web server says, by a kernel and by hand.
#[derive(Parser)]
struct Args {
    /// The number of lines.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    lines: u32,
    /// The number of threads; 0 is one per core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Show what the compiler did.
    #[arg(long)]
    explain: bool,
}

/// How often each is run, of which the fastest counts.
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    let args = Args::parse();
    if args.explain {
        println!("{}", kernel::SUMMARY.explain());
    }
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(args.threads).build() {
        Ok(pool) => pool,
        Err(error) => {
            eprintln!("error: cannot start {} threads: {error}", args.threads);
            return ExitCode::FAILURE;
        }
    };
    let lines = lines::of(args.lines as usize);
    // Kernels run on the pool that they are called in.
    let (summary, ours) = pool.install(|| fastest(|| kernel::summary(&lines)));
    let (by_hand, theirs) = pool.install(|| fastest(|| hand::summary(&lines)));
    println!("{summary}");
    println!("kernel {ours:.1?}, by hand {theirs:.1?}: {:.2}", ours.as_secs_f64() / theirs.as_secs_f64());
    if summary == by_hand {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: the loop by hand says otherwise:\n{by_hand}");
    ExitCode::FAILURE
}

/// What `run` gives, and the least time that it has taken.
fn fastest<R>(run: impl Fn() -> R) -> (R, Duration) {
    let timed = || {
        let start = Instant::now();
        (run(), start.elapsed())
    };
    (0..ROUNDS).map(|_| timed()).min_by_key(|(_, time)| *time).expect("there are rounds")
}
