//! Sorting by hand: by the digits of the key, the least first, so that equal keys stay in order.

use rayon::prelude::*;

const BITS: u32 = 8;
const DIGITS: usize = 1 << BITS;

/// `rows` in the order of their keys. On several threads a piece for each is sorted, and the pieces are merged by the library.
pub(super) fn sorted<T: Copy + Send + Sync>(rows: &[T], key: impl Fn(&T) -> u64 + Copy + Sync) -> Vec<T> {
    let piece = rows.len().div_ceil(rayon::current_num_threads()).max(1);
    if piece >= rows.len() {
        return by_digits(rows, key);
    }
    let mut pieces: Vec<Vec<T>> = rows.par_chunks(piece).map(|rows| by_digits(rows, key)).collect();
    while pieces.len() > 1 {
        pieces =
            pieces.par_chunks(2).map(|pair| merged(&pair[0], pair.get(1).map_or(&[], |b| b), key)).collect();
    }
    pieces.pop().unwrap_or_default()
}

fn by_digits<T: Copy>(rows: &[T], key: impl Fn(&T) -> u64 + Copy) -> Vec<T> {
    let mut counts = vec![[0usize; DIGITS]; (u64::BITS / BITS) as usize];
    for row in rows {
        let key = key(row);
        for (place, counts) in counts.iter_mut().enumerate() {
            counts[digit(key, place)] += 1;
        }
    }
    let (mut from, mut to) = (rows.to_vec(), rows.to_vec());
    for (place, counts) in counts.iter_mut().enumerate() {
        // Where all have the same digit there is nothing to move.
        if counts.contains(&rows.len()) {
            continue;
        }
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for row in &from {
            let next = &mut counts[digit(key(row), place)];
            to[*next] = *row;
            *next += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    from
}

fn digit(key: u64, place: usize) -> usize {
    (key >> (place as u32 * BITS)) as usize % DIGITS
}

fn merged<T: Copy>(a: &[T], b: &[T], key: impl Fn(&T) -> u64) -> Vec<T> {
    let (mut a, mut b) = (a, b);
    let mut all = Vec::with_capacity(a.len() + b.len());
    while let ([x, rest @ ..], [y, others @ ..]) = (a, b) {
        if key(y) < key(x) {
            all.push(*y);
            b = others;
        } else {
            all.push(*x);
            a = rest;
        }
    }
    all.extend_from_slice(a);
    all.extend_from_slice(b);
    all
}
