//! A program and what the optimizer makes of it agree: where the plain program gives a value, the optimized one
//! gives the same bits, but for the rounding of float sums; where it faults, the optimized one faults; and it
//! calls foreign functions no more often.
//!
//! A value that nobody uses may be dropped together with its fault. Programs made at random drop many, so of
//! them only the first is asked; the programs in the table use what they compute.

use weldment_core::ir::Program;
use weldment_core::lower::Lowered;
use weldment_core::passes::{Options, optimize};
use weldment_runtime::value::Value;

use crate::execute::{lower, run, values};
use crate::random;

/// How far float sums may lie apart, relative to the larger.
const ROUNDING: f64 = 1e-12;

/// How many programs are made at random.
const RANDOM: u64 = 150;

#[test]
fn random_programs_keep_their_meaning() {
    for seed in 0..RANDOM {
        check(&random::program(seed), random::ARGUMENTS, Faults::MayBeDropped);
    }
}

/// What may become of a fault of the plain program.
#[derive(Clone, Copy, PartialEq)]
enum Faults {
    Stay,
    MayBeDropped,
}

/// Checks one program on each of `arguments`.
fn check(text: &str, arguments: &[&str], faults: Faults) {
    let plain = lower(text);
    let optimized = optimized(&plain, None);
    for arguments in arguments {
        let args = values(arguments);
        if let Err(difference) = compare(&plain, &optimized, &args, faults) {
            let fuel = (0..)
                .find(|&fuel| compare(&plain, &self::optimized(&plain, Some(fuel)), &args, faults).is_err());
            panic!(
                "{difference}\nfrom fuel {fuel:?}, on {arguments}\n{text}\n{}\n{optimized}",
                plain.program
            );
        }
    }
}

fn optimized(plain: &Lowered, fuel: Option<u64>) -> Program {
    let mut program = plain.program.clone();
    optimize(&mut program, &Options { fuel });
    program
}

fn compare(plain: &Lowered, optimized: &Program, args: &[Value], faults: Faults) -> Result<(), String> {
    let (before, calls_before) = run(&plain.program, plain, args);
    let (after, calls_after) = run(optimized, plain, args);
    match (&before, &after) {
        (Ok(before), Ok(after)) if calls_after > calls_before => {
            Err(format!("{calls_after} calls instead of {calls_before}, {before:?}, {after:?}"))
        }
        (Ok(before), Ok(after)) if agree(before, after) => Ok(()),
        (Err(_), Err(_)) => Ok(()),
        (Err(_), Ok(_)) if faults == Faults::MayBeDropped => Ok(()),
        _ => Err(format!("plain gives {before:?}, optimized {after:?}")),
    }
}

/// Whether two values are the same, but for the rounding of floats.
fn agree(a: &Value, b: &Value) -> bool {
    let all =
        |xs: &[Value], ys: &[Value]| xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| agree(x, y));
    match (a, b) {
        (Value::F64(x), Value::F64(y)) => {
            x.to_bits() == y.to_bits()
                || (x.is_nan() && y.is_nan())
                || (x - y).abs() <= ROUNDING * x.abs().max(y.abs())
        }
        (Value::Vec(xs), Value::Vec(ys)) => all(xs, ys),
        (Value::Struct(xs), Value::Struct(ys)) => all(xs, ys),
        (Value::Dict(xs), Value::Dict(ys)) => {
            let alike = |((k, v), (l, w)): ((&Value, &Value), (&Value, &Value))| agree(k, l) && agree(v, w);
            xs.len() == ys.len() && xs.iter().zip(ys.iter()).all(alike)
        }
        _ => a.same_bits(b),
    }
}
