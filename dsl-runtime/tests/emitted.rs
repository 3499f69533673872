//! Loops as they are emitted, with every kind of sink, against the rules written out: the same bits at every
//! number of threads, on every level of the CPU, and with chunks and segments of any length.

use weldment_runtime::exec::context::Context;
use weldment_runtime::exec::cpu::{self, Isa};
use weldment_runtime::exec::drive::{self, Plan, Task};
use weldment_runtime::exec::options::{Options, Testing};
use weldment_runtime::lang::fault::{Fault, FaultKind};
use weldment_runtime::ops::checked;
use weldment_runtime::store::reduce::lanes::{self, Add, Operator};
use weldment_runtime::store::scatter::{self, Rounding, Scatter};
use weldment_runtime::store::table::group::{Groups, Tasks};
use weldment_runtime::store::table::hashed::Table;
use weldment_runtime::store::vector::exact::{AtMost, Exact};
use weldment_runtime::store::vector::growable;

#[derive(Clone, Debug, PartialEq)]
struct Results {
    sum: f64,
    halves: Vec<f64>,
    odd: Vec<i64>,
    repeated: Vec<i64>,
    sums_by_key: Vec<((u8, bool), f64)>,
    groups: Vec<(i64, Vec<i64>)>,
    histogram: Vec<f64>,
}

struct State<'e> {
    halves: weldment_runtime::store::vector::exact::Part<'e, f64>,
    odd: weldment_runtime::store::vector::exact::Part<'e, i64>,
    repeated: Vec<i64>,
    sums: Table<(u8, bool), f64>,
    groups: Groups<i64, i64>,
    histogram: scatter::Part<f64>,
}

struct Total {
    sum: f64,
    repeated: Vec<Vec<i64>>,
    sums: Table<(u8, bool), f64>,
    groups: Tasks<i64, i64>,
}

const L: usize = 16;

/// One loop over `x` and `k`, with seven sinks.
fn run(cx: &Context, x: &[f64], k: &[i64]) -> Result<Results, Fault> {
    let n = checked::zip_len(&[x.len() as i64, k.len() as i64], 1, 1)?;
    let halves = Exact::new(cx, n)?;
    let odd = AtMost::new(cx, n)?;
    let histogram = Scatter::new(Add, vec![0.1; 5], Rounding::Rounds);
    let total = drive::run(
        cx,
        n,
        Plan { chunk: 16384, task: Task::Segment(None) },
        Total { sum: Add.neutral(), repeated: vec![], sums: Table::new(Add.neutral()), groups: Tasks::new() },
        |task| State {
            halves: halves.part(task.clone()),
            odd: odd.part(cx, task.clone()),
            repeated: vec![],
            sums: Table::new(Add.neutral()),
            groups: Groups::new(),
            histogram: histogram.part(cx, task),
        },
        |state, chunk| {
            let (x, k) = (&x[chunk.clone()], &k[chunk]);
            cpu::dispatch(
                cx.level(),
                #[inline(always)]
                |_fma| hot(cx, state, x, k),
            )
        },
        |total, sum| {
            total.sum = Add.apply(total.sum, sum);
            Ok(())
        },
        |total, state| {
            state.halves.done();
            odd.merge(state.odd);
            total.repeated.push(state.repeated);
            total.sums.merge(cx, state.sums, |a, b| {
                *a = Add.apply(*a, b);
                Ok(())
            })?;
            total.groups.merge(cx, state.groups)?;
            histogram.merge(cx, state.histogram);
            Ok(())
        },
    )?;
    Ok(Results {
        sum: lanes::finish(Add, None, total.sum),
        halves: halves.finish(),
        odd: odd.finish(cx),
        repeated: growable::concat(cx, total.repeated)?,
        sums_by_key: total.sums.into_dict().into_iter().collect(),
        groups: total.groups.into_dict(cx)?.into_iter().collect(),
        histogram: histogram.finish(),
    })
}

#[inline(always)]
fn hot(cx: &Context, state: &mut State<'_>, x: &[f64], k: &[i64]) -> Result<f64, Fault> {
    let n = x.len();
    let k = &k[..n];
    let mut lanes: [f64; L] = [Add.neutral(); L];
    let mut halves = state.halves.cursor();
    let mut odd = state.odd.cursor();
    for i in 0..n {
        lanes[i % L] += x[i];
        halves.push(x[i] / 2.0);
        if k[i] % 2 != 0 {
            odd.push(k[i]);
        }
        for j in 0..k[i] % 3 {
            growable::push(cx, &mut state.repeated, j)?;
        }
        *state.sums.entry(cx, &(k[i] as u8, x[i] > 0.5))? += x[i];
        state.groups.push(cx, &(k[i] % 4), k[i])?;
        *state.histogram.at(cx, checked::rem(k[i], 5, 3, 1)?, 3, 9)? += x[i];
        checked::assert(k[i] != 77, 4, 1)?;
    }
    Ok(lanes::lanes(Add, lanes))
}

/// The same by the rules, written out.
fn expected(x: &[f64], k: &[i64], chunk: usize, segment: usize) -> Results {
    let n = x.len();
    let mut sum = -0.0;
    for chunk in x.chunks(chunk) {
        let mut lanes = [-0.0; L];
        chunk.iter().enumerate().for_each(|(i, x)| lanes[i % L] += x);
        sum += lanes.iter().fold(-0.0, |sum, lane| sum + lane);
    }
    let mut sums_by_key: Vec<((u8, bool), f64)> = vec![];
    let mut groups: Vec<(i64, Vec<i64>)> = vec![];
    let mut histogram = vec![0.1; 5];
    for start in (0..n).step_by(segment.div_ceil(chunk) * chunk) {
        let mut partial: Vec<((u8, bool), f64)> = vec![];
        let mut bins = vec![-0.0; 5];
        for i in start..n.min(start + segment.div_ceil(chunk) * chunk) {
            let key = (k[i] as u8, x[i] > 0.5);
            match partial.iter_mut().find(|pair| pair.0 == key) {
                Some(pair) => pair.1 += x[i],
                None => partial.push((key, -0.0 + x[i])),
            }
            match groups.iter_mut().find(|pair| pair.0 == k[i] % 4) {
                Some(pair) => pair.1.push(k[i]),
                None => groups.push((k[i] % 4, vec![k[i]])),
            }
            bins[(k[i] % 5) as usize] += x[i];
        }
        for (key, sum) in partial {
            match sums_by_key.iter_mut().find(|pair| pair.0 == key) {
                Some(pair) => pair.1 += sum,
                None => sums_by_key.push((key, sum)),
            }
        }
        histogram.iter_mut().zip(bins).for_each(|(bin, sum)| *bin += sum);
    }
    Results {
        sum: 0.0 + sum,
        halves: x.iter().map(|x| x / 2.0).collect(),
        odd: k.iter().copied().filter(|k| k % 2 != 0).collect(),
        repeated: k.iter().flat_map(|k| 0..k % 3).collect(),
        sums_by_key,
        groups,
        histogram,
    }
}

fn data(n: usize) -> (Vec<f64>, Vec<i64>) {
    let x = (0..n).map(|i| 1.0 / (i * 7919 % 1000 + 1) as f64).collect();
    let k = (0..n).map(|i| (i * 104_729 % 61) as i64).collect();
    (x, k)
}

fn contexts(chunk: u64, segment: u64) -> impl Iterator<Item = Context> {
    let settings =
        [1, 2, 3].into_iter().flat_map(|threads| [None, Some(Isa::Baseline)].map(|isa| (threads, isa)));
    settings.map(move |(threads, isa)| {
        let (chunk, segment, many) = (Some(chunk), Some(segment), Some(5 * threads));
        let testing = Testing { chunk, segment, force_parallel: true, isa, partition_threshold: many };
        Context::new(&Options::new().threads(threads).testing(testing))
    })
}

#[test]
fn every_sink_gives_the_same_bits_everywhere() {
    // Miri would take an hour for all of them.
    let lengths = [0, 1, 3, 4, 16, 100, 1000];
    for &n in lengths.iter().filter(|n| !cfg!(miri) || [3, 16].contains(*n)) {
        let (x, k) = data(n);
        for (chunk, segment) in [(3, 7), (1, 1), (16, 64), (50, 20), (5000, 5000)] {
            let expected = expected(&x, &k, chunk as usize, segment as usize);
            for cx in contexts(chunk, segment) {
                assert_eq!(run(&cx, &x, &k).unwrap(), expected, "{n} in chunks of {chunk}, {:?}", cx);
            }
        }
    }
}

#[test]
fn the_rules_lengths_hold_for_large_loops() {
    let (x, k) = data(if cfg!(miri) { 100 } else { 300_000 });
    let expected = expected(&x, &k, 16384, 1 << 18);
    for threads in [0, 1, 2] {
        let cx = Context::new(&Options::new().threads(threads));
        assert!(run(&cx, &x, &k).unwrap() == expected, "{threads} threads");
    }
}

#[test]
fn the_fault_is_the_first_one_and_nothing_leaks() {
    let part = if cfg!(miri) { 5 } else { 100 };
    let (x, mut k) = data(10 * part);
    k[7 * part] = 77;
    k[3 * part] = -1;
    for cx in contexts(3, 7) {
        // −1 % 5 is −1, which the histogram has no place for.
        let fault = run(&cx, &x, &k).unwrap_err();
        assert_eq!(fault.to_string(), "index out of bounds: index -1 of a vector of 5 (at 3:9)");
        assert_eq!(
            run(&cx, &x[3 * part + 1..], &k[3 * part + 1..]).unwrap_err().kind,
            FaultKind::AssertionFailed
        );
        assert_eq!(run(&cx, &x[1..], &k).unwrap_err().kind, FaultKind::ZipLengthMismatch);
    }
}
