//! Measuring and printing.

use std::hint::black_box;
use std::time::Instant;

use rayon::prelude::*;

use super::answers::{Q1, q1_lines};

/// Rounds that count. The median of fewer is at the mercy of whatever else the machine does.
pub(crate) const ROUNDS: usize = 11;

/// The median time of each form, in seconds. The forms take turns, so that a disturbance meets them all.
pub(crate) fn measure<const N: usize>(mut forms: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut times = [const { Vec::new() }; N];
    for round in 0..=ROUNDS {
        for (form, times) in forms.iter_mut().zip(&mut times) {
            let start = Instant::now();
            form();
            // The first round warms up.
            if round > 0 {
                times.push(start.elapsed().as_secs_f64());
            }
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

/// Copies `from` to `to` on all threads: what the machine's memory can do at this moment.
pub(crate) fn copy(from: &[f64], to: &mut [f64]) {
    const PIECE: usize = 1 << 16;
    to.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE)).for_each(|(to, from)| to.copy_from_slice(from));
    black_box(to);
}

pub(crate) fn print_q6(revenue: f64) {
    println!("\nQ6: forecasting revenue change\n\n    revenue\n    {revenue:.2}");
}

pub(crate) fn print_q1(result: &Q1) {
    const HEADS: [&str; 10] = [
        "rf",
        "ls",
        "sum_qty",
        "sum_base_price",
        "sum_disc_price",
        "sum_charge",
        "avg_qty",
        "avg_price",
        "avg_disc",
        "count",
    ];
    let lines = q1_lines(result);
    let width = |i: usize| lines.iter().map(|line| line[i].len()).chain([HEADS[i].len()]).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADS.len()).map(width).collect();
    let print = |cells: &[String]| {
        let cells: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        println!("    {}", cells.join("  "));
    };
    println!("\nQ1: pricing summary report\n");
    print(&HEADS.map(String::from));
    lines.iter().for_each(|line| print(line));
}

/// Prints the times of the kernel, the hand-written loop, the iterator chain and the copy, with how many bytes
/// each moves per second, and what it takes in proportion to the hand-written loop.
pub(crate) fn print_times(query: &str, times: [f64; 4], bytes: usize, copied: usize) {
    println!("\n    {query:<26} {:>10} {:>8} {:>8}", "ms", "GB/s", "ratio");
    let names = ["weld! kernel", "hand-written loop", "iterator chain (1 thread)"];
    for (name, time) in names.into_iter().zip(times) {
        let (ms, rate, ratio) = (time * 1e3, bytes as f64 / time / 1e9, time / times[1]);
        println!("    {name:<26} {ms:>10.2} {rate:>8.1} {ratio:>8.2}");
    }
    let (ms, rate) = (times[3] * 1e3, copied as f64 / times[3] / 1e9);
    println!("    {:<26} {ms:>10.2} {rate:>8.1}", "copy (read and written)");
}
