//! The least and the greatest of many floats, found by comparing alone.
//!
//! `min` and `max` skip NaN and tell −0.0 from 0.0, which takes six instructions for one. But a plain comparison skips NaN
//! too, if the accumulator is none: it starts at an infinity. Then it finds the extreme, up to two questions, of which most
//! data raise neither: of the zeros, was there one of the sign that wins; of the infinity, was it merged at all, or were there
//! only NaNs. [`finalize`] tells whether there is something to ask: a value that the loop must look for again.

use crate::lang::num::select;
use crate::store::reduce::lanes::{Max, Min, Operator};

/// `min` and `max` of floats.
pub trait Extreme<T>: Operator<T> {
    /// What every number is at least as good as.
    fn start(self) -> T;
    /// `x` if it is better than `best`, which is no NaN.
    fn better(self, best: T, x: T) -> T;
    /// The same if `merges`, and else `best`.
    fn better_if(self, merges: bool, best: T, x: T) -> T;
    /// Of `best`, the best of all by comparing, or the start if there were no numbers: what is certain, as a value that can be
    /// merged, and what else may have been merged.
    fn certain(self, best: T) -> (T, Option<T>);
    /// Whether these have the same bits.
    fn same(self, x: T, y: T) -> bool;
}

/// Merges the best of `lanes` into `total`. What is given is a value that may have been merged into the lanes, too, and that
/// would change `total`.
#[inline(always)]
pub fn finalize<T: Copy, O: Extreme<T>, const L: usize>(op: O, total: &mut T, lanes: [T; L]) -> Option<T> {
    let mut best = op.start();
    for lane in lanes {
        best = op.better(best, lane);
    }
    let (certain, open) = op.certain(best);
    *total = op.apply(*total, certain);
    open.filter(|&open| !op.same(op.apply(*total, open), *total))
}

macro_rules! extreme {
    ($($op:ident $ty:ident $start:ident $better:tt $zero:literal;)*) => {$(
        impl Extreme<$ty> for $op {
            #[inline(always)]
            fn start(self) -> $ty {
                $ty::$start
            }
            #[inline(always)]
            fn better(self, best: $ty, x: $ty) -> $ty {
                select(x $better best, x, best)
            }
            #[inline(always)]
            fn better_if(self, merges: bool, best: $ty, x: $ty) -> $ty {
                select(merges, self.better(best, x), best)
            }
            #[inline(always)]
            fn certain(self, best: $ty) -> ($ty, Option<$ty>) {
                if best == $ty::$start {
                    (self.neutral(), Some(best))
                } else {
                    (best, (best == 0.0).then_some($zero))
                }
            }
            #[inline(always)]
            fn same(self, x: $ty, y: $ty) -> bool {
                x.to_bits() == y.to_bits()
            }
        }
    )*};
}

extreme! {
    Min f32 INFINITY < -0.0;
    Min f64 INFINITY < -0.0;
    Max f32 NEG_INFINITY > 0.0;
    Max f64 NEG_INFINITY > 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As an emitted loop does it, on two lanes.
    fn found<O: Extreme<f64>>(op: O, before: f64, values: &[f64]) -> f64 {
        let (mut total, mut lanes) = (before, [op.start(); 2]);
        for (i, &x) in values.iter().enumerate() {
            lanes[i % 2] = op.better(lanes[i % 2], x);
        }
        if let Some(open) = finalize(op, &mut total, lanes)
            && values.iter().any(|&x| op.same(x, open))
        {
            total = op.apply(total, open);
        }
        total
    }

    #[test]
    fn comparing_and_asking_gives_the_bits_of_the_fold() {
        let values = [f64::NAN, -f64::NAN, 0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY];
        let mut vectors: Vec<Vec<f64>> = vec![Vec::new()];
        for length in 0..4 {
            let longer = vectors.iter().filter(|vector| vector.len() == length);
            let longer = longer.flat_map(|vector| values.map(|value| [&vector[..], &[value]].concat()));
            vectors.extend(longer.collect::<Vec<_>>());
        }
        let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
        for vector in &vectors {
            for before in values {
                let least = vector.iter().fold(before, |best, &x| Min.apply(best, x));
                assert!(same(found(Min, before, vector), least), "{before} and {vector:?}");
                let greatest = vector.iter().fold(before, |best, &x| Max.apply(best, x));
                assert!(same(found(Max, before, vector), greatest), "{before} and {vector:?}");
            }
        }
    }
}
