//! Texts: how far words are from each other.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use super::answers::{TARGET, integers};
use crate::bench::Bench;
use crate::contest::Contest;
use crate::random;

/// Words, and as many others; how many letters are to be put in, taken out or changed to make one of the other.
type Distances = fn(&[String], &[String]) -> Vec<i64>;

/// Row by row of the table of Wagner and Fischer (The String-to-String Correction Problem, 1974).
const DISTANCES: Kernel<Distances> = weld!(|from: &[String], to: &[String]| {
    zip(from, to).map(|(from, to)| {
        let to = to.bytes();
        let last = from.bytes().fold((0..to.len() + 1).map(|j| j), |row, letter| {
            let first = row[0] + 1;
            let rest = (0..to.len()).scan(first, |left, j| {
                min(min(left, row[j + 1]) + 1, row[j] + if to[j] == letter { 0 } else { 1 })
            });
            [first].chain(rest)
        });
        last[to.len()]
    })
});

pub(super) fn run(bench: &mut Bench<'_>) {
    let name = "edit distances";
    if !bench.wants(name) {
        return;
    }
    let words = |seed| {
        let letters = |rng: &mut fastrand::Rng| {
            (0..rng.usize(4..20)).map(|_| char::from(rng.u8(b'a'..b'g'))).collect::<String>()
        };
        random::column(bench.rows(500_000), seed, letters)
    };
    let (from, to) = (&words(61)[..], &words(62)[..]);
    let by_hand = || {
        let of_pair = |row: &mut Vec<i64>, (from, to): (&String, &String)| distance(row, from, to);
        from.par_iter().zip(to).map_init(Vec::new, of_pair).collect::<Vec<i64>>()
    };
    let bytes = from.iter().chain(to).map(String::len).sum::<usize>();
    let contest = Contest::new(name, bytes, TARGET).with("hand", by_hand, integers).ours(
        &DISTANCES,
        (from, to),
        |kernel, (from, to)| kernel(from, to),
        integers,
    );
    bench.contest(&contest);
}

/// The same in one row, of which the elements of before are still to the right.
fn distance(row: &mut Vec<i64>, from: &str, to: &str) -> i64 {
    row.clear();
    row.extend(0..=to.len() as i64);
    for letter in from.bytes() {
        let mut diagonal = row[0];
        row[0] += 1;
        let mut left = row[0];
        for (above, other) in row[1..].iter_mut().zip(to.bytes()) {
            left = (left.min(*above) + 1).min(diagonal + i64::from(other != letter));
            diagonal = std::mem::replace(above, left);
        }
    }
    row[to.len()]
}
