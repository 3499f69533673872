//! The risk of a portfolio of options: what it is worth, what moves it, and what is left of it after a fall of all prices, as a whole and
//! for each book. What is computed of an option are functions of another crate, `weldment-pricing` beside this one: they run in one
//! loop with the sums and the groups that are made here, which the kernels claim and rustc checks.
//!
//! ```sh
//! cargo run --release -p weldment-risk
//! cargo run --release -p weldment-risk -- --positions 20000000
//! cargo run --release -p weldment-risk -- --explain
//! ```
//!
//! The same is computed by hand, and by calling the functions from Rust. The exit code is 1 if the answers differ.

mod hand;
mod kernel;
mod portfolio;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use weldment_pricing::Greeks;

use kernel::{BOOKS, Position, Risk, TOTAL, risk};

/// By which part all prices fall.
const PART: f64 = 0.1;

/// How often each is run, of which the fastest counts.
const ROUNDS: usize = 5;

/// How far apart sums may be that are added in other orders, of functions that round otherwise.
const TOLERANCE: f64 = 1e-9;

fn main() -> ExitCode {
    match arguments().and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The number of positions; none, if the kernels are to be explained.
fn arguments() -> Result<Option<usize>, String> {
    let mut positions = Some(4_000_000);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--explain" => positions = None,
            "--positions" => {
                let number = arguments.next().and_then(|number| number.parse().ok());
                positions = Some(number.ok_or("`--positions` is followed by a number")?);
            }
            other => return Err(format!("`{other}` is neither `--positions NUMBER` nor `--explain`")),
        }
    }
    Ok(positions)
}

fn run(positions: Option<usize>) -> Result<(), String> {
    let Some(count) = positions else {
        println!("{}\n\n{}", TOTAL.explain(), BOOKS.explain());
        return Ok(());
    };
    let positions = portfolio::of(count);
    let (total, of_kernel) = fastest(|| TOTAL(&positions, PART));
    let (total_by_hand, of_hand) = fastest(|| hand::total(&positions, PART));
    let (books, of_books) = fastest(|| BOOKS(&positions, PART));
    let (books_by_hand, of_books_by_hand) = fastest(|| hand::books(&positions, PART));
    let mut books: Vec<(u8, Risk)> = books.into_iter().collect();
    books.sort_by_key(|(book, _)| *book);

    print("book", ["positions", "value", "delta", "gamma", "vega", "after the fall"].map(str::to_owned));
    books.iter().for_each(|(book, risk)| print(&book.to_string(), cells(risk)));
    print("all", cells(&total));
    println!("\n{count} positions, {} threads", rayon::current_num_threads());
    told("all", of_kernel, of_hand);
    told("books", of_books, of_books_by_hand);

    let agree = books.len() == books_by_hand.len()
        && books.iter().zip(&books_by_hand).all(|(a, b)| a.0 == b.0 && are_close(&a.1, &b.1))
        && are_close(&total, &total_by_hand);
    if !agree {
        return Err(format!("the loops by hand say otherwise: {total_by_hand:?}, {books_by_hand:?}"));
    }
    positions.iter().take(1000).try_for_each(check_one)
}

/// Calls the functions as functions of Rust: they give the bits that a kernel has of one position alone.
fn check_one(position: &Position) -> Result<(), String> {
    let (called, of_kernel) = (risk(*position, PART), TOTAL(&[*position], PART));
    if called == of_kernel {
        return Ok(());
    }
    Err(format!("called from Rust, the functions give {called:?}, and in a kernel {of_kernel:?}"))
}

/// Whether two differ by rounding only.
fn are_close(a: &Risk, b: &Risk) -> bool {
    let numbers = |Risk { greeks, fallen, .. }: &Risk| {
        let Greeks { value, delta, gamma, vega } = *greeks;
        [value, delta, gamma, vega, *fallen]
    };
    let close = |(a, b): (f64, f64)| (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0);
    a.positions == b.positions && numbers(a).into_iter().zip(numbers(b)).all(close)
}

fn cells(Risk { greeks, fallen, positions }: &Risk) -> [String; 6] {
    let Greeks { value, delta, gamma, vega } = greeks;
    let [value, delta, gamma, vega, fallen] =
        [value, delta, gamma, vega, fallen].map(|number| format!("{number:.2}"));
    [positions.to_string(), value, delta, gamma, vega, fallen]
}

fn print(name: &str, cells: [String; 6]) {
    println!("{name:>4} {}", cells.map(|cell| format!("{cell:>15}")).join(" "));
}

fn told(what: &str, kernel: Duration, by_hand: Duration) {
    let ratio = kernel.as_secs_f64() / by_hand.as_secs_f64();
    println!("{what:>8}: kernel {kernel:.1?}, by hand {by_hand:.1?}: {ratio:.2}");
}

/// What `run` gives, and the least time that it has taken.
fn fastest<R>(run: impl Fn() -> R) -> (R, Duration) {
    let timed = || {
        let start = Instant::now();
        (run(), start.elapsed())
    };
    (0..ROUNDS).map(|_| timed()).min_by_key(|(_, time)| *time).expect("there are rounds")
}
