//! Queries of TPC-H over tables in memory: Q6 and Q1, each as a kernel of `weld!`, as the best hand-written loop, and as the iterator
//! chain that a user would write; and Q3, Q13, Q14 and Q16, which join tables and look into texts, as a kernel and by hand.
//!
//! ```sh
//! cargo run --release --example tpch
//! cargo run --release --example tpch -- --scale 10 --threads 2
//! cargo run --release --example tpch --features llvm -- --on llvm
//! ```
//!
//! The rows are those of `dbgen`, by the crate `tpchgen`. So the results are checked, at scale factor 1 against the answers of the
//! specification; the exit code is 1 if they differ.

mod answers;
mod chain;
mod cpu;
mod data;
mod hand;
mod joins;
mod kernels;
mod report;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

use answers::{Q1, close, close_q1};
use data::Lineitem;
use kernels::{Kernels, On};

/// Queries of TPC-H as fused kernels, beside hand-written loops and iterator chains.
#[derive(Parser)]
struct Args {
    /// The scale factor: six million rows per unit.
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    scale: f64,
    /// The number of threads; 0 is one per core. The iterator chains always run on one.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Print what the compiler made of each query, and stop.
    #[arg(long)]
    explain: bool,
    /// What runs the kernels of Q6 and Q1; `llvm` needs the feature of that name.
    #[arg(long, value_enum, default_value_t = On::Rust)]
    on: On,
}

/// Relative distances that reordering a sum may cause: between sums in lanes and pieces, and between those and
/// the one running sum of an iterator chain, whose rounding errors grow with the number of rows.
const LANES_TOLERANCE: f64 = 1e-12;
const CHAIN_TOLERANCE: f64 = 1e-10;

fn main() -> ExitCode {
    let args = Args::parse();
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(args.threads).build() {
        Ok(pool) => pool,
        Err(error) => return fail(&format!("cannot start {} threads: {error}", args.threads)),
    };
    // Kernels run on the pool that they are called in, so all forms have the same threads.
    match pool.install(|| run(&args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &str) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

fn run(args: &Args) -> Result<(), String> {
    if args.explain {
        kernels::explain();
        joins::explain();
        return Ok(());
    }
    let kernels = Kernels::new(args.on)?;
    let start = Instant::now();
    let table = Lineitem::generate(args.scale);
    println!(
        "lineitem at scale factor {}: {} rows, generated in {:.1} s; {} threads",
        args.scale,
        table.rows(),
        start.elapsed().as_secs_f64(),
        rayon::current_num_threads()
    );
    check(args, &kernels, &table)?;
    time(&kernels, &table);
    joins::run(args.scale, &table)
}

/// Runs every form once, prints the results and compares them.
fn check(args: &Args, kernels: &Kernels, table: &Lineitem) -> Result<(), String> {
    let q6 = [(kernels.q6)(table), hand::q6(table), chain::q6(table)];
    let q1 = [(kernels.q1)(table), hand::q1(table), chain::q1(table)];
    report::print_q6(q6[0]);
    report::print_q1(&q1[0]);
    println!();
    if args.scale == answers::VALIDATION_SCALE {
        // The chains add in one running sum, which rounds the last cent of the largest sum away.
        answers::validate(q6[0], &q1[0]).map_err(|error| format!("the kernels: {error}"))?;
        answers::validate(q6[1], &q1[1]).map_err(|error| format!("the hand-written loops: {error}"))?;
        println!("These are the answers of the specification, to the last digit.");
    }
    agree("the kernels", (q6[0], &q1[0]), (q6[1], &q1[1]), LANES_TOLERANCE)?;
    agree("the iterator chains", (q6[2], &q1[2]), (q6[1], &q1[1]), CHAIN_TOLERANCE)?;
    println!("The kernels, the hand-written loops and the iterator chains agree.");
    Ok(())
}

fn agree(what: &str, found: (f64, &Q1), hand: (f64, &Q1), tolerance: f64) -> Result<(), String> {
    if !close(found.0, hand.0, tolerance) {
        return Err(format!("Q6: {what} give {}, the hand-written loop {}", found.0, hand.0));
    }
    if !close_q1(found.1, hand.1, tolerance) {
        return Err(format!("Q1: {what} give {:?}, the hand-written loop {:?}", found.1, hand.1));
    }
    Ok(())
}

/// Times every form, in turns with a copy that shows what the memory can do, and prints the ratios.
fn time(kernels: &Kernels, table: &Lineitem) {
    let mut copied = vec![0.0; table.rows()];
    let mut compare = |query: &str, row_bytes: usize, [kernel, hand, chain]: [&dyn Fn(); 3]| {
        let mut copy = || report::copy(&table.extendedprice, &mut copied);
        let times = report::measure([&mut || kernel(), &mut || hand(), &mut || chain(), &mut copy]);
        report::print_times(query, times, row_bytes * table.rows(), 2 * size_of::<f64>() * table.rows());
    };
    println!("\nMedians of {} rounds; the ratio is to the hand-written loop.", report::ROUNDS);
    compare(
        "Q6",
        data::Q6_ROW_BYTES,
        [&|| _ = black_box((kernels.q6)(table)), &|| _ = black_box(hand::q6(table)), &|| {
            _ = black_box(chain::q6(table))
        }],
    );
    compare(
        "Q1",
        data::Q1_ROW_BYTES,
        [&|| _ = black_box((kernels.q1)(table)), &|| _ = black_box(hand::q1(table)), &|| {
            _ = black_box(chain::q1(table))
        }],
    );
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if (0.001..=1000.0).contains(&scale) => Ok(scale),
        _ => Err("the scale factor is a number from 0.001 to 1000".to_string()),
    }
}
