//! The prices of ten million options after Black and Scholes: a loop of exponentials and logarithms.
//!
//! F. Black, M. Scholes: The Pricing of Options and Corporate Liabilities. Journal of Political Economy 81 (1973).

#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod vectors;

/// Where there are none of that kind.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")))]
mod vectors {
    #[derive(Clone, Copy)]
    pub(super) enum Functions {}

    impl Functions {
        pub(super) fn find() -> Option<Functions> {
            None
        }
    }

    pub(super) fn by_hand(_: &super::Options, functions: Functions) -> super::Prices {
        match functions {}
    }
}

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::random;
use crate::workloads::pieces::PIECE;

/// A column for each number that tells an option.
struct Options {
    /// The price of what the option is on.
    price: Vec<f64>,
    /// The price at which it may be bought or sold.
    strike: Vec<f64>,
    /// Years until then.
    years: Vec<f64>,
    /// The rate of interest without risk, a year.
    rate: Vec<f64>,
    /// The volatility, a year.
    volatility: Vec<f64>,
}

/// Price, strike, years, rate, volatility; what follows from them.
type Function = fn(&[f64], &[f64], &[f64], &[f64], &[f64]) -> Prices;

/// The prices of calls and of puts.
type Prices = (Vec<f64>, Vec<f64>);

const BLACK_SCHOLES: Kernel<Function> =
    weld!(|price: &[f64], strike: &[f64], years: &[f64], rate: &[f64], volatility: &[f64]| {
        let both = zip(price, strike, years, rate, volatility).map(|(p, k, t, r, v)| {
            let spread = v * t.sqrt();
            let d1 = (log(p / k) + (r + 0.5 * v * v) * t) / spread;
            let d2 = d1 - spread;
            let discounted = k * exp(-(r * t));
            let n1 = 0.5 + 0.5 * erf(d1 * sqrt(0.5));
            let n2 = 0.5 + 0.5 * erf(d2 * sqrt(0.5));
            let call = p * n1 - discounted * n2;
            (call, call + discounted - p)
        });
        (both.map(|(call, _)| call), both.map(|(_, put)| put))
    });

pub(crate) fn run(bench: &mut Bench<'_>) {
    let (scalar, in_vectors) = ("Black-Scholes", "Black-Scholes, vectors");
    let functions = vectors::Functions::find();
    let wanted = [bench.wants(scalar), functions.is_some() && bench.wants(in_vectors)];
    if wanted == [false; 2] {
        return;
    }
    let n = bench.rows(10_000_000);
    let data = Options {
        price: random::floats(n, 6, 10.0, 100.0),
        strike: random::floats(n, 7, 10.0, 100.0),
        years: random::floats(n, 8, 0.1, 2.0),
        rate: random::floats(n, 9, 0.01, 0.05),
        volatility: random::floats(n, 10, 0.1, 0.6),
    };
    let Options { price, strike, years, rate, volatility } = &data;
    let args = (&price[..], &strike[..], &years[..], &rate[..], &volatility[..]);
    let answer = |(call, put)| vec![Column::Floats(call), Column::Floats(put)];
    let mut contest = |name: &str, target: f64, by: &'static str, hand: &(dyn Fn() -> Prices + Sync)| {
        let mut contest = Contest::new(name, 7 * 8 * n, Some(target)).with(by, hand, answer).ours(
            &BLACK_SCHOLES,
            args,
            |kernel, (p, k, t, r, v)| kernel(p, k, t, r, v),
            answer,
        );
        // Options that are worth next to nothing are differences of prices.
        (contest.tolerance, contest.unit) = (1e-13, 100.0);
        bench.contest(&contest);
    };
    match (wanted, functions) {
        ([true, _], _) => contest(scalar, 0.3, "scalar libm", &|| by_hand(&data)),
        (_, Some(functions)) => contest(in_vectors, 1.1, "libmvec", &|| vectors::by_hand(&data, functions)),
        _ => {}
    }
}

/// With the functions of the C library, one option after the other: how it is written without vectors of one's own.
fn by_hand(options: &Options) -> Prices {
    let n = options.price.len();
    let (mut calls, mut puts) = (vec![0.0; n], vec![0.0; n]);
    calls.par_chunks_mut(PIECE).zip(puts.par_chunks_mut(PIECE)).enumerate().for_each(
        |(piece, (calls, puts))| {
            for (at, (call, put)) in calls.iter_mut().zip(puts).enumerate() {
                let i = piece * PIECE + at;
                let (p, k, t) = (options.price[i], options.strike[i], options.years[i]);
                let (r, v) = (options.rate[i], options.volatility[i]);
                let spread = v * t.sqrt();
                let d1 = ((p / k).ln() + (r + 0.5 * v * v) * t) / spread;
                let d2 = d1 - spread;
                let discounted = k * (-(r * t)).exp();
                let normal = |d: f64| 0.5 + 0.5 * libm::erf(d * std::f64::consts::FRAC_1_SQRT_2);
                *call = p * normal(d1) - discounted * normal(d2);
                *put = *call + discounted - p;
            }
        },
    );
    (calls, puts)
}
