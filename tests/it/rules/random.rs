//! Random numbers: the generator that the reference names, and what a sequence has to look like.

use weldment::weld;

use super::rule;

/// SplitMix64, as its authors have it: a state that moves on.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// The sequence of a seed.
fn sequence(seed: i64) -> SplitMix {
    SplitMix(SplitMix(seed as u64).next())
}

fn bits(seed: i64, n: usize) -> Vec<u64> {
    let mut sequence = sequence(seed);
    (0..n).map(|_| sequence.next()).collect()
}

#[test]
fn random_bits_are_splitmix64() {
    let published = [6457827717110365317u64, 3203168211198807973, 9817491932198370423, 4593380528125082431];
    let mut known = SplitMix(1234567);
    assert!(published.iter().all(|&bits| bits == known.next()), "the generator of this test");
    rule!(
        weld!(|seed: i64, n: i64| (0..n).map(|i| random_bits(seed, i)));
        (42, 40) => bits(42, 40),
        (0, 1) => bits(0, 1),
        (i64::MIN, 3) => bits(i64::MIN, 3),
        (-1, 3) => bits(-1, 3),
        (7, 0) => Vec::<u64>::new(),
    );
}

#[test]
fn seeds_and_numbers_are_integers_of_any_type() {
    rule!(
        weld!(|a: i8, b: u64, c: i64| (random_bits(a, 3u8), random_bits(b, c), random_bits(c, b)));
        (-1, u64::MAX, -1) => {
            let of = |seed: i64, i: u64| SplitMix(sequence(seed).0.wrapping_add(i.wrapping_mul(0x9E37_79B9_7F4A_7C15))).next();
            (of(-1, 3), of(-1, u64::MAX), of(-1, u64::MAX))
        },
    );
}

#[test]
fn a_random_number_has_53_bits() {
    let floats = |seed: i64, n: usize| -> Vec<f64> {
        bits(seed, n).into_iter().map(|bits| (bits >> 11) as f64 / (1u64 << 53) as f64).collect()
    };
    rule!(
        weld!(|seed: i64, at: &[i64]| at.map(|i| random(seed, i)));
        (5, &(0..70).collect::<Vec<i64>>()[..]) => floats(5, 70),
        (-5, &[0, 1][..]) => floats(-5, 2),
    );
}

#[test]
fn numbers_are_evenly_spread_and_neighbours_have_nothing_in_common() {
    const N: i64 = 1_000_000;
    // Of pairs of independent numbers, sums of this size are within five deviations.
    let (mean, variance, lag, seeds, strides) = weld!(|seed: i64, n: i64| {
        let x = (0..n).map(|i| random(seed, i) - 0.5);
        let scale = n as f64;
        (
            x.sum() / scale,
            x.map(|x| x * x).sum() / scale,
            (0..n).map(|i| (random(seed, i) - 0.5) * (random(seed, i + 1) - 0.5)).sum() * 12.0 / scale,
            (0..n).map(|i| (random(seed, i) - 0.5) * (random(seed + 1, i) - 0.5)).sum() * 12.0 / scale,
            (0..n).map(|s| (random(s, 0) - 0.5) * (random(s + 1, 0) - 0.5)).sum() * 12.0 / scale,
        )
    })(3, N);
    assert!(mean.abs() < 0.0015, "{mean}");
    assert!((variance - 1.0 / 12.0).abs() < 0.0004, "{variance}");
    for correlation in [lag, seeds, strides] {
        assert!(correlation.abs() < 0.005, "{correlation}");
    }
    let spread = weld!(|n: i64| (0..n).map(|i| random(9, i)).histogram(0.0, 1.0, 100))(N);
    // Chi squared of 99 degrees of freedom.
    let expected = N as f64 / 100.0;
    let chi: f64 = spread.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    assert!((45.0..170.0).contains(&chi), "{chi}");
    let ones = weld!(|n: i64| {
        (0..64).map(|bit| (0..n).filter(|i| (random_bits(4, i) >> (bit as u64)) % 2u64 == 1u64).count())
    })(N / 10);
    assert!(ones.iter().all(|&ones| (ones - N / 20).abs() < 800), "{ones:?}");
}
