//! Searches that end when they know what they look for: early, late and never. The loops by hand are those of std, on one thread.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::random;

type Position = fn(&[f64], f64) -> Option<i64>;

const POSITION: Kernel<Position> = weld!(|v: &[f64], x: f64| v.position(|y| y > x));

type Contains = fn(&[i64], i64) -> bool;

const CONTAINS: Kernel<Contains> = weld!(|v: &[i64], x: i64| v.contains(x));

type SumWhile = fn(&[f64], f64) -> f64;

const SUM_WHILE: Kernel<SumWhile> = weld!(|v: &[f64], x: f64| v.take_while(|y| y <= x).sum());

type PerRow = fn(&[Vec<i64>], i64) -> i64;

const PER_ROW: Kernel<PerRow> =
    weld!(|rows: &[Vec<i64>], x: i64| rows.filter(|row| row.any(|y| y == x)).count());

pub(crate) fn run(bench: &mut Bench<'_>) {
    let n = bench.rows(20_000_000);
    for (place, at) in [("early", n / 1000), ("late", n / 2), ("nowhere", n)] {
        let names = ["position", "contains", "sum while"].map(|what| format!("{what}, found {place}"));
        if !names.iter().any(|name| bench.wants(name)) {
            continue;
        }
        let mut floats = random::floats(n, 61, 0.0, 1.0);
        let mut numbers = random::column(n, 62, |rng| rng.usize(0..1000) as i64);
        if at < n {
            (floats[at], numbers[at]) = (2.0, 2000);
        }
        let (floats, numbers) = (&floats[..], &numbers[..]);
        let found = |at: Option<usize>| integer(at.map_or(-1, |at| at as i64));
        let contest = Contest::new(&names[0], 8 * at, Some(1.1))
            .with("hand", move || floats.iter().position(|&y| y > 1.0), found)
            .with("rayon", move || floats.par_iter().position_first(|&y| y > 1.0), found)
            .ours(
                &POSITION,
                (floats, 1.0),
                |kernel, (v, x)| kernel(v, x),
                |at: Option<i64>| integer(at.unwrap_or(-1)),
            );
        bench.contest(&contest);
        let contest = Contest::new(&names[1], 8 * at, Some(1.1))
            .with("hand", move || numbers.contains(&2000), whether)
            .with("rayon", move || numbers.par_iter().any(|&y| y == 2000), whether)
            .ours(&CONTAINS, (numbers, 2000), |kernel, (v, x)| kernel(v, x), whether);
        bench.contest(&contest);
        let contest = Contest::new(&names[2], 8 * at, None)
            .with("hand", move || floats.iter().take_while(|&&y| y <= 1.0).sum::<f64>(), number)
            .ours(&SUM_WHILE, (floats, 1.0), |kernel, (v, x)| kernel(v, x), number);
        bench.contest(&contest);
    }
    for length in [10, 100, 10_000] {
        let name = format!("any of rows of {length}");
        if !bench.wants(&name) {
            continue;
        }
        let rows = bench.rows(4_000_000) / length;
        let row = |row| random::column(length, row as u64, |rng| rng.usize(0..100) as i64);
        let rows: Vec<Vec<i64>> = (0..rows).map(row).collect();
        let rows = &rows[..];
        let contest = Contest::new(&name, 8 * length * rows.len(), Some(1.1))
            .with("hand", move || rows.par_iter().filter(|row| row.contains(&7)).count() as i64, integer)
            .ours(&PER_ROW, (rows, 7), |kernel, (rows, x)| kernel(rows, x), integer);
        bench.contest(&contest);
    }
}

fn whether(found: bool) -> Answer {
    integer(i64::from(found))
}

fn integer(number: i64) -> Answer {
    vec![Column::Integers(vec![number])]
}

fn number(number: f64) -> Answer {
    vec![Column::Floats(vec![number])]
}
