//! Which fault ends a run: the first that a sequential run of the optimised program meets, and none that it would not meet.
//! What nobody needs is not computed, unless the program runs as it is written.

use weldment::FaultKind;

use super::arrays::array;
use super::rule;
use crate::pairs::Outcome::Fault;

/// `n` ones, with other numbers at some places.
fn ones_but(n: usize, others: &[(usize, i64)]) -> Vec<i64> {
    let mut v = vec![1; n];
    others.iter().for_each(|&(at, x)| v[at] = x);
    v
}

#[test]
fn of_faults_in_several_chunks_the_first_wins() {
    let divided = || Fault(FaultKind::DivisionByZero, "/ x");
    let outside = || Fault(FaultKind::IndexOutOfBounds, "[x]");
    let failed = || Fault(FaultKind::AssertionFailed, "assert");
    let (zero_first, index_first) =
        (ones_but(40, &[(10, 0), (11, 99), (38, -7)]), ones_but(40, &[(25, 99), (26, 0), (39, -7)]));
    let false_first = ones_but(40, &[(0, -7), (1, 0), (2, 99)]);
    rule!(
        weld!(|v: &[i64]| v.map(|x| if assert(x >= 0) { v[x] + 6 / x } else { 0 }).sum());
        (&ones_but(40, &[])[..]) => 280i64,
        (&zero_first[..]) => divided(),
        (&index_first[..]) => outside(),
        (&false_first[..]) => failed(),
    );
    rule!(
        weld!(|v: &[i64]| v.filter(|x| assert(x >= 0)).map(|x| v[x] + 6 / x));
        (&zero_first[..]) => divided(),
        (&index_first[..]) => outside(),
        (&false_first[..]) => failed(),
    );
    rule!(
        weld!(|v: &[i64]| result(for(v, dictmerger[i64,i64,+], |b, i, x| if assert(x >= 0) { merge(b, (v[x], 6 / x)) } else { b })));
        (&zero_first[..]) => divided(),
        (&index_first[..]) => outside(),
        (&false_first[..]) => failed(),
    );
    rule!(
        weld!(|v: &[i64]| result(for(v, groupmerger[i64,i64], |b, i, x| if assert(x >= 0) { merge(b, (v[x], 6 / x)) } else { b })));
        (&zero_first[..]) => divided(),
        (&index_first[..]) => outside(),
    );
    rule!(
        weld!(|v: &[i64]| result(for(v, vecmerger[i64,+](v), |b, i, x| if assert(x >= 0) { merge(b, (0, v[x] + 6 / x)) } else { b })));
        (&zero_first[..]) => divided(),
        (&index_first[..]) => outside(),
        (&false_first[..]) => failed(),
    );
    rule!(
        weld!(|v: &[i64]| result(for(v, appender[i64], |b, i, x| for(v, b, |b, j, y| if y == 1 { b } else { if(assert(x >= 0), merge(b, v[x] + 6 / x), b) }))));
        (&zero_first[..]) => divided(),
        (&index_first[..]) => outside(),
    );
}

#[test]
fn what_is_not_run_does_not_fault() {
    rule!(
        weld!(|v: &[i64], by: i64| (
            v.map(|x| 10 / by + x),
            v.filter(|x| x > 100).map(|x| x % by + v[-1]),
            v.map(|x| (0..x).map(|i| i / by).sum()),
            if len(v) > 0 { 1 / by } else { 0 },
            (len(v) > 0 && 7 % by == 1, len(v) == 0 || 7 / by == 1),
        ));
        (&[][..], 0) => (Vec::<i64>::new(), Vec::<i64>::new(), Vec::<i64>::new(), 0i64, (false, true)),
        (&[-1, 0][..], 2) => (vec![4i64, 5], Vec::<i64>::new(), vec![0i64, 0], 0i64, (true, false)),
        (&[1][..], 0) => Fault(FaultKind::DivisionByZero, "/ by + x"),
    );
    // A division that does not depend on the loop stays in it, and behind its guard.
    rule!(
        weld!(|v: &[i64], by: i64| v.map(|x| if x > 5 { 100 / by * x } else { x }).sum());
        (&[1, 2, 3][..], 0) => 6i64,
        (&[1, 7][..], 50) => 15i64,
        (&[1, 7, 2][..], 0) => Fault(FaultKind::DivisionByZero, "/ by"),
    );
    rule!(
        weld!(|rows: &[Vec<i64>], at: i64| rows.map(|row| row.map(|x| x + row[at]).sum()));
        (&[vec![], vec![1, 2], vec![]][..], 1) => vec![0i64, 7, 0],
        (&[vec![], vec![1]][..], 1) => Fault(FaultKind::IndexOutOfBounds, "[at]"),
    );
}

#[test]
fn an_if_is_lazy_and_a_select_is_strict() {
    rule!(
        weld!(|x: i64| if x == 0 { 1 } else { 6 / x });
        (0) => 1i64,
        (3) => 2i64,
    );
    rule!(
        weld!(|x: i64| select(x == 0, 1, 6 / x));
        (3) => 2i64,
        (0) => Fault(FaultKind::DivisionByZero, "/ x"),
    );
    rule!(
        weld!(|v: &[i64]| v.map(|x| select(x < 2, v[x], 0)));
        (&[0, 1][..]) => vec![0i64, 1],
        (&[1, 2][..]) => Fault(FaultKind::IndexOutOfBounds, "[x]"),
    );
}

#[test]
fn an_assertion_is_never_dead_and_other_unused_faults_are() {
    rule!(
        weld!(|v: &[i64]| {
            let checked = v.map(|x| assert(x > 0));
            let unused = v.map(|x| 1 / x);
            len(v)
        });
        (&[1, 2][..]) => 2i64,
        (&[][..]) => 0i64,
        (&[1, 0][..]) => Fault(FaultKind::AssertionFailed, "assert"),
    );
    rule!(
        weld!(|v: &[i64], x: i64| { let unused = v[x] + 1 / x; len(v) });
        (&[][..], 0) => 0i64,
    );
}

/// Each program, optimised, on arguments with which what nobody needs would fault, and as it is written.
#[test]
fn what_nobody_needs_faults_only_as_it_is_written() {
    let divided = |token| Fault(FaultKind::DivisionByZero, token);
    macro_rules! unneeded {
        ($($program:tt)*) => {
            rule!(weld!(|v: &[i64], x: i64| -> i64 { $($program)* }); (&[3, 4][..], 0) => 0i64, (&[3, 4][..], 2) => 0i64);
            rule!(
                as written, weld!(|v: &[i64], x: i64| -> i64 { $($program)* });
                (&[3, 4][..], 0) => divided("/ x"),
                (&[3, 4][..], 2) => 0i64,
            );
        };
    }
    unneeded!(let unused = 1 / x; 0);
    unneeded!(1 / x * 0);
    unneeded!((1 / x) & 0);
    unneeded!(1 / x % 1);
    unneeded!(let y = 1 / x; y - y);
    unneeded!(let y = 1 / x; if y == y { 0 } else { 5 });
    unneeded!(select(1 < 2, 0, 1 / x));
    unneeded!([0, 1 / x][0]);
    unneeded!((0, 1 / x).0);
    unneeded!(len(v.map(|y| y / x)) - 2);
    unneeded!(v.map(|y| (y - y, y / x)).map(|(y, z)| y).sum());
    unneeded!(if 1 / x == 5 { x * 0 } else { x * 0 });
    unneeded!(result(for((0..1 / x), merger[i64,+], |b, i, y| if false { merge(b, y) } else { b })));
}

/// Extents are known without the array that has them, and without what it is made of; no element is.
#[test]
fn an_array_of_which_only_extents_are_asked_is_not_needed() {
    let wrong = |token| Fault(FaultKind::ShapeMismatch, token);
    let outside = |token| Fault(FaultKind::IndexOutOfBounds, token);
    macro_rules! extents {
        ($($program:tt)*) => {
            rule!(
                weld!(|v: &[i64], a: &Array<i64, 2>| -> i64 { $($program)* });
                (&[5][..], &array([1, 2], vec![1, 2])) => 2i64,
                (&[5, 6][..], &array([1, 2], vec![1, 2])) => 2i64,
            );
        };
    }
    extents!(extent(v.shaped((1, 2)), 1));
    extents!(shape(v.shaped((1, 2))).1);
    extents!(len(v.shaped((1, 2)).flat()) + 2 - len(v));
    extents!(extent(a[7], 0));
    extents!(extent(a[0..9], 1));
    extents!(extent(a + v.shaped((len(v), 2)), 1));
    extents!(extent(a.reshape((9, 2)), 1));
    extents!(extent(a.broadcast((4, 2)).spread(0), 1));
    rule!(
        as written, weld!(|v: &[i64], a: &Array<i64, 2>| (extent(v.shaped((1, 2)), 1), extent(a[len(v)], 0)));
        (&[5][..], &array([1, 2], vec![1, 2])) => wrong("shaped"),
        (&[5, 6][..], &array([1, 2], vec![1, 2])) => outside("[len(v)]"),
    );
    rule!(
        weld!(|v: &[i64], a: &Array<i64, 2>| (v.shaped((1, 2))[0, 0], a[0..len(v), ..][0, 0], (a + v.shaped((1, len(v))))[0, 0]));
        (&[5][..], &array([1, 1], vec![1])) => wrong("shaped"),
        (&[5, 6][..], &array([1, 2], vec![1, 2])) => outside("[0..len(v), ..]"),
        (&[5, 6][..], &array([2, 2], vec![1, 2, 3, 4])) => wrong("+"),
        (&[5, 6][..], &array([2, 1], vec![1, 2])) => wrong("+"),
    );
}

/// That there is an element is asked where it is read, also where all elements turn out to be alike.
#[test]
fn an_element_that_is_needed_has_to_be_there() {
    let outside = |token| Fault(FaultKind::IndexOutOfBounds, token);
    macro_rules! needed {
        ($($program:tt)*) => {
            rule!(
                weld!(|v: &[i64], x: i64| -> i64 { $($program)* });
                (&[3, 4][..], 1) => 0i64,
                (&[3, 4][..], 2) => outside("[x]"),
                (&[][..], 0) => outside("[x]"),
            );
        };
    }
    needed!(v.map(|y| (y + 1) - (y + 1))[x]);
    needed!(
        v.map(|y| {
            let a = y * 3;
            let b = 3 * y;
            (a ^ y) - (b ^ y)
        })[x]
    );
    needed!(v.map(|y| y * len(v.filter(|z| false)))[x]);
    needed!(
        v.map(|y| {
            let a = y * 2;
            a - v[x] * 2
        })[x]
    );
    needed!(let zeros = v.map(|y| (y + 1) - (y + 1)); [0, x].map(|x| zeros[x]).sum());
    needed!(let more = v.map(|y| y + 1); (0..len(v)).map(|i| more[i] - (v[i] + 1))[x]);
    rule!(
        weld!(|n: i64, i: i64, j: i64| array((n, n), |i, j| (i * 3 + j) - (i * 3 + j))[i, j]);
        (2, 1, 1) => 0i64,
        (2, 2, 0) => outside("[i, j]"),
        (2, 0, -1) => outside("[i, j]"),
    );
    rule!(
        weld!(|a: &Array<i64, 2>, i: i64, j: i64| (a - a)[i, j]);
        (&array([1, 2], vec![3, 4]), 0, 1) => 0i64,
        (&array([1, 2], vec![3, 4]), 0, 2) => outside("[i, j]"),
        (&array([1, 2], vec![3, 4]), 1, 0) => outside("[i, j]"),
    );
}

/// An assertion is held optimised and as it is written, and so is what it needs.
#[test]
fn an_assertion_counts_whoever_uses_it() {
    let failed = || Fault(FaultKind::AssertionFailed, "assert");
    let divided = || Fault(FaultKind::DivisionByZero, "/ x");
    macro_rules! both {
        ($($program:tt)*) => {
            rule!(weld!(|v: &[i64], x: i64| -> i64 { $($program)* }); (&[3][..], 0) => divided(), (&[3][..], 2) => failed(), (&[3][..], 1) => 0i64);
            rule!(
                as written, weld!(|v: &[i64], x: i64| -> i64 { $($program)* });
                (&[3][..], 0) => divided(),
                (&[3][..], 2) => failed(),
                (&[3][..], 1) => 0i64,
            );
        };
    }
    both!(let unused = assert(1 / x == 1); 0);
    both!(if assert(1 / x == 1) { 0 } else { 0 });
    both!(select(assert(1 / x == 1), x, x) * 0);
    both!(len(v.map(|y| assert(y / x == 3))) - 1);
    both!((0, assert(1 / x == 1)).0);
    both!([assert(1 / x == 1)].map(|held| 0)[0]);
    both!(result(for(v, merger[i64,+], |b, i, y| if assert(y / x == 3) { b } else { merge(b, 1) })));
}

/// Of several faults the optimised program may meet another first; whether there is one is the same.
#[test]
fn the_first_of_several_faults_is_that_of_the_program_as_optimised() {
    let divided = || Fault(FaultKind::DivisionByZero, "/ x");
    let outside = || Fault(FaultKind::IndexOutOfBounds, "[x]");
    let (both, neither) = (&[9, 1, 1, 0][..], &[3, 1, 1, 2][..]);
    rule!(
        weld!(|v: &[i64]| (v.map(|x| 6 / x).sum(), v.map(|x| v[x]).sum()));
        (both) => outside(),
        (neither) => (17i64, 5i64),
    );
    rule!(
        as written, weld!(|v: &[i64]| (v.map(|x| 6 / x).sum(), v.map(|x| v[x]).sum()));
        (both) => divided(),
        (neither) => (17i64, 5i64),
    );
}

#[test]
fn nothing_to_reduce_is_a_fault_at_the_reduction() {
    let empty = |token| Fault(FaultKind::EmptyReduction, token);
    rule!(weld!(|v: &[i64]| v.filter(|x| x > 0).min()); (&[3, 1][..]) => 1i64, (&[-1][..]) => empty("min"));
    rule!(weld!(|v: &[f32]| v.max()); (&[3.0, 1.0][..]) => 3.0f32, (&[][..]) => empty("max"));
    rule!(weld!(|v: &[u8]| v.argmin()); (&[3, 1, 1][..]) => 1i64, (&[][..]) => empty("argmin"));
    rule!(weld!(|v: &[i64]| v.reduce(|a, b| a * 2 + b)); (&[3][..]) => 3i64, (&[][..]) => empty("reduce"));
    rule!(
        weld!(|rows: &[Vec<i64>]| rows.map(|row| row.max()));
        (&[vec![3, 5], vec![1]][..]) => vec![5i64, 1],
        (&[vec![3], vec![]][..]) => empty("max"),
        (&[][..]) => Vec::<i64>::new(),
    );
}

#[test]
fn keys_that_are_missing_fault_at_their_lookup() {
    rule!(
        weld!(|v: &[i64], keys: &[i64]| {
            let d = result(for(v, dictmerger[i64,i64,+], |b, _, x| merge(b, (x, 1))));
            keys.map(|k| if keyexists(d, k) || k > 50 { d[k] } else { 0 })
        });
        (&[1, 2, 1][..], &[1, 2, 3][..]) => vec![2i64, 1, 0],
        (&[1, 2, 1][..], &[1, 3, 51, 2][..]) => Fault(FaultKind::KeyNotFound, "[k]"),
        (&[][..], &[99][..]) => Fault(FaultKind::KeyNotFound, "[k]"),
    );
}
