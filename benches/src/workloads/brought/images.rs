//! Images and signals: equalising a histogram, means and medians of moving windows.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use super::answers::{TARGET, floats, integers};
use crate::bench::Bench;
use crate::contest::Contest;
use crate::random;

/// Pixels; the same with all levels as often.
type Equalised = fn(&[u8]) -> Vec<u8>;

const EQUALISED: Kernel<Equalised> = weld!(|pixels: &[u8]| {
    let counts = result(for(pixels, vecmerger[i64, +]((0..256).map(|_| 0)), |b, _, p| merge(b, (p as i64, 1))));
    let up_to = counts.cumsum();
    let least = up_to.find(|n| n > 0).unwrap_or(0);
    let scale = 255.0 / max(pixels.len() - least, 1) as f64;
    let level = up_to.map(|n| ((n - least) as f64 * scale) as u8);
    pixels.map(|p| level[p])
});

/// A signal, and the length of a window; the mean of each window.
type Means = fn(&[f64], i64) -> Vec<f64>;

const MEANS: Kernel<Means> =
    weld!(|v: &[f64], n: i64| { (0..v.len() - n + 1).map(|i| slice(v, i, n).sum() / n as f64) });

/// A signal; the median of each three neighbours.
type Medians = fn(&[f64]) -> Vec<f64>;

const MEDIANS: Kernel<Medians> = weld!(|v: &[f64]| {
    (0..v.len() - 2).map(|i| max(min(v[i], v[i + 1]), min(max(v[i], v[i + 1]), v[i + 2])))
});

pub(super) fn run(bench: &mut Bench<'_>) {
    if bench.wants("histogram equalisation") {
        let n = bench.rows(20_000_000);
        let pixels = &random::column(n, 41, |rng| rng.u8(20..180) & rng.u8(..))[..];
        let by_hand = move || {
            let count = |mut counts: Vec<i64>, piece: &[u8]| {
                piece.iter().for_each(|&p| counts[usize::from(p)] += 1);
                counts
            };
            let add = |a: Vec<i64>, b: Vec<i64>| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<i64>>();
            let none = || vec![0; 256];
            let counts = pixels.par_chunks(1 << 16).fold(none, count).reduce(none, add);
            let mut sum = 0;
            let up_to: Vec<i64> = counts
                .iter()
                .map(|n| {
                    sum += n;
                    sum
                })
                .collect();
            let least = up_to.iter().copied().find(|&n| n > 0).unwrap_or(0);
            let scale = 255.0 / (n as i64 - least).max(1) as f64;
            let level: Vec<u8> = up_to.iter().map(|n| ((n - least) as f64 * scale) as u8).collect();
            pixels.par_iter().map(|&p| level[usize::from(p)]).collect::<Vec<u8>>()
        };
        let answer = |pixels: Vec<u8>| integers(pixels.into_iter().map(i64::from).collect());
        let contest = Contest::new("histogram equalisation", 3 * n, TARGET)
            .with("hand", by_hand, answer)
            .ours(&EQUALISED, (pixels,), |kernel, (pixels,)| kernel(pixels), answer);
        bench.contest(&contest);
    }
    let n = bench.rows(5_000_000);
    if bench.wants("means of windows of 16") {
        let v = &random::floats(n, 42, 0.0, 1.0)[..];
        let by_hand = move || v.par_windows(16).map(|w| w.iter().sum::<f64>() / 16.0).collect::<Vec<f64>>();
        let contest = Contest::new("means of windows of 16", 16 * n, TARGET)
            .with("hand", by_hand, floats)
            .ours(&MEANS, (v, 16), |kernel, (v, n)| kernel(v, n), floats);
        bench.contest(&contest);
    }
    if bench.wants("medians of three neighbours") {
        let v = &random::floats(n, 43, 0.0, 1.0)[..];
        let median = |w: &[f64]| w[0].min(w[1]).max(w[0].max(w[1]).min(w[2]));
        let by_hand = move || v.par_windows(3).map(median).collect::<Vec<f64>>();
        let contest = Contest::new("medians of three neighbours", 16 * n, TARGET)
            .with("hand", by_hand, floats)
            .ours(&MEDIANS, (v,), |kernel, (v,)| kernel(v), floats);
        bench.contest(&contest);
    }
}
