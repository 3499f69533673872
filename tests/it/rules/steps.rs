//! Iterations that take as many steps each, `iterate` inside of loops: in lockstep or not, what they come to is the same.

use weldment::FaultKind;

use super::rule;
use crate::pairs::Outcome::Fault;

fn numbers(count: i64) -> Vec<f64> {
    (0..count).map(|n| (n * 37 % 1009) as f64 / 16.0).collect()
}

#[test]
fn searches_go_side_by_side() {
    let mut starts = numbers(701);
    starts.sort_by(f64::total_cmp);
    let ends: Vec<f64> = starts[..60].iter().map(|start| start + 3.0).collect();
    let up_to = |sorted: &[f64], x: f64| sorted.partition_point(|&y| y <= x) as i64;
    // Fewer than a panel, a panel, and some more.
    for count in [0, 15, 16, 255, 256, 1000] {
        let points = numbers(count);
        let inside = |starts: &[f64], ends: &[f64]| -> Vec<i64> {
            points.iter().map(|&x| up_to(starts, x) - up_to(ends, x)).collect()
        };
        let sum = |starts: &[f64], ends: &[f64]| inside(starts, ends).iter().sum::<i64>();
        rule!(
            weld!(|starts: &[f64], ends: &[f64], points: &[f64]| {
                let up_to = |sorted, x| sorted.partition_point(|y| y <= x);
                points.map(|x| up_to(starts, x) - up_to(ends, x)).sum()
            });
            (&starts[..], &ends[..], &points[..]) => sum(&starts, &ends),
            (&[][..], &ends[..], &points[..]) => sum(&[], &ends),
            (&starts[..1], &[][..], &points[..]) => sum(&starts[..1], &[]),
        );
        rule!(
            weld!(|starts: &[f64], ends: &[f64], points: &[f64]| {
                let up_to = |sorted, x| sorted.partition_point(|y| y <= x);
                points.map(|x| up_to(starts, x) - up_to(ends, x)).filter(|n| n % 3 != 1)
            });
            (&starts[..], &ends[..], &points[..]) =>
                inside(&starts, &ends).into_iter().filter(|n| n % 3 != 1).collect::<Vec<_>>(),
        );
    }
}

#[test]
fn states_of_several_numbers_step_together() {
    let v = numbers(700);
    // Two states change places.
    let lucas = |x: f64, n: i64| (0..n).fold((x, 1.0), |(a, b), _| (b, a * 0.5 + b));
    rule!(
        weld!(|v: &[f64], n: i64| {
            let steps = |x| iterate((x, 1.0, 0), |(a, b, k)| ((b, a * 0.5 + b, k + 1), k + 1 < n));
            v.map(|x| { let (a, b, k) = steps(x); (a - b, k) })
        });
        (&v[..], 9) => v.iter().map(|&x| { let (a, b) = lucas(x, 9); (a - b, 9i64) }).collect::<Vec<_>>(),
        (&v[..], 1) => v.iter().map(|&x| { let (a, b) = lucas(x, 1); (a - b, 1i64) }).collect::<Vec<_>>(),
    );
    // What is computed before is read in the steps and behind them, with the number of the iteration.
    let newton = |x: f64, i: usize| {
        let y = x + i as f64;
        (0..6).fold(y, |r, _| 0.5 * (r + y / r)) - y.sqrt() + y
    };
    rule!(
        weld!(|v: &[f64]| v.enumerate().map(|(i, x)| {
            let y = x + i as f64;
            let (root, _) = iterate((y, 0), |(r, k)| ((0.5 * (r + y / r), k + 1), k < 5));
            root - sqrt(y) + y
        }).max());
        (&v[1..]) => v[1..].iter().enumerate().map(|(i, &x)| newton(x, i)).fold(f64::MIN, f64::max),
    );
}

#[test]
fn steps_that_each_iteration_counts_stay_with_it() {
    let v: Vec<i64> = (1..600).collect();
    let collatz = |x: i64| {
        let (mut n, mut steps) = (x, 0i64);
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    };
    rule!(
        weld!(|v: &[i64]| v.map(|x| if x == 1 { 0 } else {
            iterate((x, 0i64), |(n, k)| {
                let next = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                ((next, k + 1), next != 1)
            }).1
        }));
        (&v[..]) => v.iter().map(|&x| collatz(x)).collect::<Vec<_>>(),
    );
}

#[test]
fn what_faults_behind_the_steps_faults_in_its_order() {
    let (v, w) = (numbers(600), [1.5, 2.5, 3.5]);
    let place = |x: f64| (0..4).fold(x, |x, _| x * 0.5) as usize;
    let found = |v: &[f64]| v.iter().map(|&x| w[place(x)]).collect::<Vec<_>>();
    let low: Vec<f64> = v.iter().map(|x| x * 0.5).collect();
    rule!(
        weld!(|v: &[f64], w: &[f64]| v.map(|x| w[iterate((x, 0), |(x, k)| ((x * 0.5, k + 1), k < 3)).0 as i64]));
        (&low[..], &w[..]) => found(&low),
        (&v[..], &w[..]) => Fault(FaultKind::IndexOutOfBounds, "[iterate"),
    );
}
