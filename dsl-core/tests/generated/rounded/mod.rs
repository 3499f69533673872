//! Where sums and products of floats are rounded, optimising changes no more than that.
//!
//! Fusion may cut a loop into other chunks, and an inner sum that is hoisted becomes a split one, so that the plain and
//! the optimised program round differently; each executor gives the bits of the optimised one. Here the floats have as
//! many bits as there are. A program of which nothing is rounded must give the same bits; one in which rounding reaches
//! the result, the same within 1e-12 of each number, or 1e-5 where f32 is in it. A program that looks at what was
//! rounded, by a comparison, a cast to an integer or a difference, may do something else altogether: `flow` finds
//! those, and they are left out. They are not left out elsewhere: where folds are exact, the bits must be the same
//! whatever looks at them.

mod flow;

use std::sync::atomic::{AtomicUsize, Ordering};

use weldment_core::front;
use weldment_core::lower::Lowered;
use weldment_core::passes::{Changed, optimize_with};
use weldment_runtime::lang::value::Value;

use self::flow::{Flow, Precision};
use crate::cases::for_each_program;
use crate::program::{Folds, Generated, Limits};
use crate::{OPTIONS, Running};

const LIMITS: Limits = Limits { folds: Folds::Rounded, foreign: true, spelling: None };

/// Whether floats are at most `tolerance` apart, of the larger one, and all else is the same.
fn is_close(a: &Value, b: &Value, tolerance: f64) -> bool {
    let all = |a: &[Value], b: &[Value]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_close(a, b, tolerance))
    };
    // What has underflowed has no relative precision.
    let near = |a: f64, b: f64, underflow: f64| {
        a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * a.abs().max(b.abs()) + underflow
    };
    match (a, b) {
        (Value::F32(a), Value::F32(b)) => near((*a).into(), (*b).into(), f32::MIN_POSITIVE.into()),
        (Value::F64(a), Value::F64(b)) => near(*a, *b, f64::MIN_POSITIVE),
        (Value::Vec(a), Value::Vec(b)) => all(a, b),
        (Value::Struct(a), Value::Struct(b)) => all(a, b),
        (Value::Dict(a), Value::Dict(b)) => {
            let mut pairs = a.iter().zip(b.iter());
            a.len() == b.len() && pairs.all(|((k, v), (l, w))| k.same_bits(l) && is_close(v, w, tolerance))
        }
        _ => a.same_bits(b),
    }
}

/// What values of a program may stand for each other; `None` if rounding may change what it does.
fn sameness(flow: Flow) -> Option<fn(&Value, &Value) -> bool> {
    match flow {
        Flow::Exact => Some(Value::same_bits),
        Flow::Rounded(Precision::Double) => Some(|a, b| is_close(a, b, 1e-12)),
        Flow::Rounded(Precision::Single) => Some(|a, b| is_close(a, b, 1e-5)),
        Flow::Discrete => None,
    }
}

/// How many programs there were of each sort.
#[derive(Debug, Default)]
struct Tally {
    exact: AtomicUsize,
    rounded: AtomicUsize,
    left_out: AtomicUsize,
    /// How many of those that round give other bits once they are optimised.
    differing: AtomicUsize,
}

fn count(number: &AtomicUsize) {
    number.fetch_add(1, Ordering::Relaxed);
}

fn check(generated: &Generated, tally: &Tally) -> Result<(), String> {
    let lowered = front::from_text(&generated.text())
        .map_err(|errors| format!("{}: {}", errors[0].position(), errors[0].message))?;
    let Lowered { program: plain, positions, .. } = lowered;
    let flow = Flow::of(&plain);
    count(match flow {
        Flow::Exact => &tally.exact,
        Flow::Rounded(_) => &tally.rounded,
        Flow::Discrete => &tally.left_out,
    });
    let Some(is_same) = sameness(flow) else { return Ok(()) };

    let running = Running { plain: &plain, positions: &positions, args: &generated.args, is_same };
    let expected = running.run(&plain, None);
    running.compare("cut into chunks it", &plain, &running.run(&plain, Some(3)), &expected)?;
    let mut stages = Vec::new();
    let mut program = plain.clone();
    optimize_with(&mut program, &OPTIONS, |pass, changed, stage| {
        if changed == Changed::Yes {
            stages.push((pass.name, stage.clone()));
        }
    })
    .map_err(|broken| format!("{broken}\n{}", broken.program))?;
    for (name, stage) in &stages {
        running.check(&format!("{name}, among the others,"), stage, &expected)?;
    }
    if let (Ok(got), Ok(wanted)) = (running.run(&program, None).result, &expected.result)
        && !got.same_bits(wanted)
    {
        count(&tally.differing);
    }
    running.compare("optimised and cut into chunks it", &program, &running.run(&program, Some(3)), &expected)
}

#[test]
fn generated_programs_round_otherwise_at_most() {
    let tally = Tally::default();
    for_each_program(800, None, LIMITS, |generated| check(generated, &tally));
    let [exact, rounded, left_out, differing] =
        [&tally.exact, &tally.rounded, &tally.left_out, &tally.differing]
            .map(|count| count.load(Ordering::Relaxed));
    let all = exact + rounded + left_out;
    let is_enough = rounded * 2 > all && differing * 50 > all;
    assert!(is_enough, "too few of them round, or round otherwise: {tally:?}");
}
