//! Orders: sorts that are stable whatever the comparator says, and `compare` part by part.

use super::rule;

const NAN: f64 = f64::NAN;

#[test]
fn sorts_are_stable_and_comparators_capture() {
    let v: Vec<(i64, i64)> = (0..50).map(|i| ((i * 29 + 7) % 13, i)).collect();
    let by = |key: &dyn Fn(&(i64, i64)) -> i64| {
        let mut sorted = v.clone();
        sorted.sort_by_key(|x| key(x));
        sorted
    };
    rule!(
        weld!(|v: &[(i64, i64)], m: i64, weights: &[i64]| (
            sort(v, |a, b| compare(a.0, b.0)),
            sort(v, |a, b| compare(a.0 % m, b.0 % m)),
            sort(v, |a, b| i32(weights[a.0] - weights[b.0])),
            sort(v, |a, b| 0),
            v.sort_by_key(|x| -x.0),
        ));
        (&v[..], 4, &[5, 3, 5, 5, 1, 0, 0, 9, 2, 2, 2, 7, 7][..]) => (
            by(&|x| x.0),
            by(&|x| x.0 % 4),
            by(&|x| [5, 3, 5, 5, 1, 0, 0, 9, 2, 2, 2, 7, 7][x.0 as usize]),
            v.clone(),
            by(&|x| -x.0),
        ),
    );
}

/// What these give is the interpreter's merge sort: halves are split in the middle, and the right one goes first only
/// where the comparator is positive.
#[test]
fn a_comparator_that_contradicts_itself_has_one_meaning() {
    rule!(
        weld!(|v: &[i64]| sort(v, |a, b| 1));
        (&[1, 2, 3, 4, 5][..]) => vec![5i64, 4, 3, 2, 1],
    );
    rule!(
        weld!(|v: &[i64]| sort(v, |a, b| i32((a * 7 + b * 3) % 5) - 2));
        (&[1, 2, 3, 4, 5, 6, 7][..]) => {
            fn sorted(v: &[i64]) -> Vec<i64> {
                if v.len() < 2 {
                    return v.to_vec();
                }
                let (left, right) = v.split_at(v.len() / 2);
                let (left, right) = (sorted(left), sorted(right));
                let (mut i, mut j, mut out) = (0, 0, Vec::new());
                while i < left.len() && j < right.len() {
                    if (left[i] * 7 + right[j] * 3) % 5 - 2 > 0 {
                        out.push(right[j]);
                        j += 1;
                    } else {
                        out.push(left[i]);
                        i += 1;
                    }
                }
                out.extend(&left[i..]);
                out.extend(&right[j..]);
                out
            }
            sorted(&[1, 2, 3, 4, 5, 6, 7])
        },
    );
}

#[test]
fn compare_goes_part_by_part_and_the_shorter_comes_first() {
    rule!(
        weld!(|a: &[u8], b: &[u8]| (compare(a, b), a < b, a <= b, a == b, (a > b, a >= b)));
        (b"", b"") => (0i32, false, true, true, (false, true)),
        (b"", b"a") => (-1i32, true, true, false, (false, false)),
        (b"ab", b"abc") => (-1i32, true, true, false, (false, false)),
        (b"b", b"abc") => (1i32, false, false, false, (true, true)),
        ("é".as_bytes(), b"z") => (1i32, false, false, false, (true, true)),
    );
    // Bytes of text that are no ASCII are negative as i8.
    rule!(
        weld!(|a: &[i8]| (compare(a, "z"), a == "é", a < "", len("é") + len("日本"), "é"));
        (&[-61, -87][..]) => (-1i32, true, false, 8i64, vec![-61i8, -87]),
    );
    rule!(
        weld!(|a: &[(f64, Vec<i64>)], b: &[(f64, Vec<i64>)]|
            zip(a, b).map(|(x, y)| (compare(x, y), x < y, x == y, x != y)));
        (
            &[(1.0, vec![2]), (1.0, vec![2]), (NAN, vec![]), (NAN, vec![1]), (0.0, vec![])][..],
            &[(1.0, vec![2, 0]), (0.5, vec![3]), (NAN, vec![]), (1.0, vec![2]), (-0.0, vec![])][..]
        ) => vec![
            (-1i32, true, false, true),
            (1, false, false, true),
            (0, false, false, true),
            (1, false, false, true),
            (0, false, true, false),
        ],
    );
}

#[test]
fn of_equal_extremes_the_first_wins_and_a_nan_never_does() {
    rule!(
        weld!(|v: &[f64]| (v.argmin(), v.argmax()));
        (&[NAN, 2.0, 1.0, NAN, 1.0, 2.0, NAN][..]) => (2i64, 1i64),
        (&[NAN, NAN][..]) => (0i64, 0i64),
        (&[NAN][..]) => (0i64, 0i64),
        (&[NAN, NAN, NAN, NAN, NAN, NAN, 5.0][..]) => (6i64, 6i64),
        (&[3.0, NAN, NAN, NAN, NAN, NAN, NAN][..]) => (0i64, 0i64),
        (&[f64::INFINITY, NAN, f64::INFINITY, f64::NEG_INFINITY][..]) => (3i64, 0i64),
    );
    let long: Vec<i32> = (0..100).map(|i| (i * 31) % 17).collect();
    let first = |x: i32| long.iter().position(|&y| y == x).unwrap() as i64;
    rule!(weld!(|v: &[i32]| (v.argmin(), v.argmax())); (&long[..]) => (first(0), first(16)));
    // Equal to `<`, zeros are a tie.
    rule!(weld!(|v: &[f32]| (v.argmin(), v.argmax())); (&[0.0, -0.0, 0.0][..]) => (0i64, 0i64));
}

/// Many elements side by side, few of them one by one; the first of equals, and no NaN where there is a number.
#[test]
fn each_element_has_the_least_or_greatest_of_the_same_others() {
    let centres = [3.0, f64::NAN, -1.0, 3.0, 0.5, 0.5, 9.0, -1.0, 2.0];
    let nearest = |y: f64, centres: &[f64]| {
        let distances = centres.iter().map(|c| (y - c) * (y - c));
        let best = |best: Option<(i64, f64)>, (at, d): (i64, f64)| match best {
            Some((_, least)) if !(d < least || least.is_nan() && !d.is_nan()) => best,
            _ => Some((at, d)),
        };
        (0..).zip(distances).fold(None, best).expect("there are centres").0
    };
    for count in [0, 1, 15, 16, 17, 1023, 1024, 5000] {
        let v: Vec<f64> =
            (0..count).map(|i| if i % 19 == 7 { f64::NAN } else { f64::from(i % 23) - 4.0 }).collect();
        for taken in [1, 3, 4, 9] {
            let centres = &centres[..taken];
            rule!(
                weld!(|v: &[f64], c: &[f64]| v.map(|y| c.map(|z| (y - z) * (y - z)).argmin()));
                (&v[..], centres) => v.iter().map(|&y| nearest(y, centres)).collect::<Vec<_>>(),
            );
            rule!(
                weld!(|v: &[f64], c: &[f64]| v.map(|y| c.reduce(|s, z| s * y - z)));
                (&v[..], centres) => v.iter().map(|y| centres.iter().copied().reduce(|s, z| s * y - z).unwrap()).collect::<Vec<_>>(),
            );
        }
        rule!(
            weld!(|v: &[f64], c: &[f64]| v.map(|y| c.map(|z| y * z).argmax()));
            (&v[..], &[][..]) => match count {
                0 => Vec::<i64>::new().into(),
                _ => crate::pairs::Outcome::Fault(weldment::FaultKind::EmptyReduction, "argmax())"),
            },
        );
    }
}

#[test]
fn the_first_in_an_order_is_found_in_whichever_block_it_is() {
    // Ascending, descending, all alike, one better element in each place around a block's end, and what is no number.
    let of = |f: &dyn Fn(i64) -> f64| (0..1500i64).map(f).collect::<Vec<f64>>();
    let mut columns = vec![
        of(&|i| i as f64),
        of(&|i| -i as f64),
        of(&|_| 7.0),
        of(&|i| (i * 7919 % 1501) as f64),
        of(&|i| if i % 3 == 0 { f64::NAN } else { (i % 5) as f64 }),
        of(&|i| if i < 700 { f64::NAN } else { f64::INFINITY }),
        of(&|i| if i < 300 { f64::INFINITY } else { f64::NEG_INFINITY }),
        of(&|_| f64::NAN),
        of(&|i| if i % 2 == 0 { 0.0 } else { -0.0 }),
    ];
    for best in [0, 1, 255, 256, 257, 511, 512, 1023, 1024, 1499] {
        columns.push(of(&|i| if i == best { -1.0 } else { 3.0 }));
    }
    for v in columns {
        let first = |stays: &dyn Fn(f64, f64) -> bool| {
            let next = |best: usize, i: usize| if stays(v[best], v[i]) || v[i].is_nan() { best } else { i };
            (1..v.len()).fold(0, next) as i64
        };
        let (least, greatest) = (first(&|best, x| best <= x), first(&|best, x| best >= x));
        let n: Vec<i64> = v.iter().map(|x| if x.is_nan() { i64::MAX } else { *x as i64 }).collect();
        let of_integers =
            |key: &dyn Fn(i64) -> i64| (0i64..).zip(&n).min_by_key(|(_, n)| key(**n)).unwrap().0;
        rule!(
            weld!(|v: &[f64], n: &[i64]| (
                v.argmin(), v.map(|x| x as f32).argmax(), n.map(|m| (m % 100) as i8).argmax(), zip(v, n).max_by_key(|(x, _)| x).1,
            ));
            (&v[..], &n[..]) => (least, greatest, of_integers(&|n| -(n % 100)), n[greatest as usize]),
        );
        rule!(weld!(|v: &[f64]| v.argmin()); (&v[..]) => least);
        rule!(weld!(|n: &[i64]| n.enumerate().min_by_key(|(_, n)| n).0); (&n[..]) => of_integers(&|n| n));
        rule!(weld!(|n: &[i64]| n.enumerate().max_by_key(|(_, n)| n).0); (&n[..]) => of_integers(&|n| !n));
        let pairs: Vec<(f64, i64)> = v.iter().copied().zip(n.iter().copied()).collect();
        rule!(
            weld!(|p: &[(f64, i64)]| (p.min_by_key(|(x, _)| x).1, p.reduce(|a, b| if a.1 <= b.1 { a } else { b }).1));
            (&pairs[..]) => (n[least as usize], n[of_integers(&|n| n) as usize]),
        );
    }
}
