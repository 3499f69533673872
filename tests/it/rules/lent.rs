//! References inside of what a kernel takes: `&[&str]`, `&[&[T]]`, tuples, options and structs of such, read where they lie.

use weldment::{FaultKind, Kernel, Options, Weld, weld};

use super::{CUTS, rule};
use crate::executors::emitted_ways;
use crate::pairs::Outcome::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, Weld)]
struct Lines<'a> {
    word: &'a [&'a str],
    number: &'a [&'a [i64]],
    weight: &'a [f64],
}

const WORDS: [&str; 6] = ["elm", "ash", "elm", "", "naïve", "elm tree"];

#[test]
fn words_are_texts() {
    rule!(
        weld!(|words: &[&str], s: &str| (
            words.map(|w| w.len()),
            words.filter(|w| w.starts_with(s)).count(),
            words.distinct(),
            words.reduce_by(|w| w, |_| 1i64, +).tovec(),
            words.sort(),
            words.contains("ash"),
            words.position(|w| w == s),
            words.join(","),
        ));
        (&WORDS[..], "elm") => (
            vec![3i64, 3, 3, 0, 6, 8],
            3i64,
            ["elm", "ash", "", "naïve", "elm tree"].map(String::from).to_vec(),
            vec![("elm".to_owned(), 2i64), ("ash".to_owned(), 1), (String::new(), 1), ("naïve".to_owned(), 1), ("elm tree".to_owned(), 1)],
            ["", "ash", "elm", "elm", "elm tree", "naïve"].map(String::from).to_vec(),
            true,
            Some(0i64),
            "elm,ash,elm,,naïve,elm tree".to_owned(),
        ),
        (&[][..], "") => (
            Vec::<i64>::new(),
            0i64,
            Vec::<String>::new(),
            Vec::<(String, i64)>::new(),
            Vec::<String>::new(),
            false,
            None::<i64>,
            String::new(),
        ),
    );
    rule!(
        weld!(#[expect(loops = 1, materialized = 0)] |words: &[&str]| words.map(|w| w.len() * 2).sum());
        (&WORDS[..]) => 46i64,
    );
    rule!(
        weld!(|words: &[&str], i: i64| (words[i], words[i].len()));
        (&WORDS[..], 4) => ("naïve".to_owned(), 6i64),
        (&WORDS[..], 6) => Fault(FaultKind::IndexOutOfBounds, "[i], words"),
    );
}

#[test]
fn rows_are_vectors() {
    let rows: [&[i64]; 4] = [&[3, 1, 2], &[], &[7], &[5, 5]];
    rule!(
        weld!(|rows: &[&[i64]]| (
            rows.map(|row| row.sum()),
            rows.flat_map(|row| row).sum(),
            rows.filter(|row| row.len() > 1),
            rows.map(|row| row.sort()),
            rows.len(),
            rows[3][1],
        ));
        (&rows[..]) => (
            vec![6i64, 0, 7, 10],
            23i64,
            vec![vec![3i64, 1, 2], vec![5, 5]],
            vec![vec![1i64, 2, 3], vec![], vec![7], vec![5, 5]],
            4i64,
            5i64,
        ),
        (&rows[..3]) => Fault(FaultKind::IndexOutOfBounds, "[3]"),
    );
    // Numbers of Rust inside are i64, too.
    rule!(
        weld!(|at: &[&[usize]], v: &[i64]| at.map(|row| row.map(|i| v[i]).sum()));
        (&[&[0, 2][..], &[], &[1]][..], &[5, 6, 7]) => vec![12i64, 0, 6],
    );
    let deep: [&[&[u8]]; 2] = [&[&[1, 2], &[]], &[&[3]]];
    rule!(
        weld!(|deep: &[&[&[u8]]]| deep.map(|rows| rows.map(|row| row.len()).sum()));
        (&deep[..]) => vec![2i64, 1],
    );
}

/// Words with numbers; the sum of each word's.
type Summed = fn(&[(&str, f64)]) -> Vec<(String, f64)>;

/// What `run` gives on each number of threads, cut in each way.
fn on_threads<R: PartialEq + std::fmt::Debug>(run: impl Fn(&Options) -> R, expected: &R) {
    for way in CUTS.into_iter().flat_map(emitted_ways) {
        assert_eq!(&run(&way), expected, "{way:?}");
    }
}

#[test]
fn they_stand_in_tuples_options_and_arrays() {
    let points = [Point { x: 1.0, y: 2.0 }, Point { x: 0.5, y: 0.25 }];
    let rows: Vec<(&str, f64)> = WORDS.iter().zip(0..).map(|(&word, n)| (word, f64::from(n))).collect();
    let maybe: Vec<Option<&str>> =
        WORDS.iter().map(|&word| Some(word).filter(|word| !word.is_empty())).collect();
    let pairs = [["elm", "ash"], ["oak", "fir"]];
    let lent: Vec<&Point> = points.iter().rev().collect();
    let lots: [Option<&[i32]>; 3] = [Some(&[1, 2]), None, Some(&[3])];
    let kernel: Kernel<Summed> =
        weld!(|rows: &[(&str, f64)]| rows.reduce_by(|(word, _)| word, |(_, x)| x, +).tovec());
    let expected: Vec<(String, f64)> =
        [("elm", 2.0), ("ash", 1.0), ("", 3.0), ("naïve", 4.0), ("elm tree", 5.0)]
            .map(|(w, x)| (w.to_owned(), x))
            .to_vec();
    on_threads(|options| kernel.with(options).call(&rows).unwrap(), &expected);
    let kernel = weld!(|maybe: &[Option<&str>]| (
        maybe.flatten().map(|word| word.len()).sum(),
        maybe.map(|word| word.unwrap_or("none")),
        maybe.filter(|word| word.is_none()).count(),
    ));
    let words = ["elm", "ash", "elm", "none", "naïve", "elm tree"].map(String::from).to_vec();
    on_threads(|options| kernel.with(options).call(&maybe).unwrap(), &(23, words, 1));
    let kernel = weld!(|pairs: &[[&str; 2]]| pairs.map(|[a, b]| [b, a].join("-")));
    on_threads(
        |options| kernel.with(options).call(&pairs).unwrap(),
        &vec!["ash-elm".to_owned(), "fir-oak".to_owned()],
    );
    let kernel = weld!(|lent: &[&Point], one: &(&str, &[f64])| (
        lent.map(|p| p.x * p.y).sum(),
        lent.map(|p| p),
        one.0,
        one.1.sum()
    ));
    let whole: Vec<Point> = lent.iter().map(|&&point| point).collect();
    on_threads(
        |options| kernel.with(options).call(&lent, &("elm", &[1.5, 2.5])).unwrap(),
        &(2.125, whole, "elm".to_owned(), 4.0),
    );
    let kernel = weld!(|lots: &[Option<&[i32]>]| lots.map(|lot| lot.map(|lot| lot.sum()).unwrap_or(-1)));
    on_threads(|options| kernel.with(options).call(&lots).unwrap(), &vec![3, -1, 3]);
    let numbers = [1.5, 2.5];
    let kernel = weld!(|lent: &[&f64], words: &[&String]| (lent.map(|x| x + 1.0), words.map(|w| w.len())));
    let lent: Vec<&f64> = numbers.iter().collect();
    let word = "naïve".to_owned();
    on_threads(|options| kernel.with(options).call(&lent, &[&word]).unwrap(), &(vec![2.5, 3.5], vec![6]));
}

#[test]
fn columns_of_structs_hold_them() {
    let numbers: [&[i64]; 3] = [&[1, 2], &[], &[3]];
    let lines = Lines { word: &WORDS[..3], number: &numbers, weight: &[0.5, 0.25, 1.0] };
    rule!(
        weld!(|s: &Lines<'_>| (
            s.rows().filter(|r| r.word.starts_with("e")).map(|r| r.number.sum() as f64 * r.weight).sum(),
            s.word.map(|w| w.len()),
            s.number.map(|n| n.len()).max(),
        ));
        (&lines) => (4.5, vec![3i64, 3, 3], 2i64),
    );
}

#[test]
fn boxes_are_read_as_references_are() {
    use std::sync::Arc;
    let words: Vec<Arc<str>> = WORDS.iter().map(|&word| word.into()).collect();
    let rows: Vec<Box<[i64]>> = [&[3, 1, 2][..], &[], &[7]].iter().map(|&row| row.into()).collect();
    rule!(
        weld!(|words: &[Arc<str>], rows: &[Box<[i64]>]| (
            words.filter(|w| w.starts_with("e")).map(|w| w.len()).sum(),
            words.distinct(),
            words.position(|w| w == "ash"),
            words.last(),
            rows.map(|row| row.sum()),
            rows.filter(|row| row.len() > 0),
            rows.flat_map(|row| row).max(),
        ));
        (&words[..], &rows[..]) => (
            14i64,
            ["elm", "ash", "", "naïve", "elm tree"].map(String::from).to_vec(),
            Some(1i64),
            Some("elm tree".to_owned()),
            vec![6i64, 0, 7],
            vec![vec![3i64, 1, 2], vec![7]],
            7i64,
        ),
    );
    let texts: Vec<Box<str>> = WORDS.iter().map(|&word| word.into()).collect();
    let shared: Vec<Arc<[f64]>> = [&[0.5, 1.5][..], &[]].iter().map(|&row| row.into()).collect();
    rule!(
        weld!(|texts: &[Box<str>], shared: &[std::sync::Arc<[f64]>]| (texts.join(","), shared.map(|row| row.len()), shared[0][1]));
        (&texts[..], &shared[..]) => (WORDS.join(","), vec![2i64, 0], 1.5),
    );
    // In tuples and options, where programs at run time take none.
    let pairs: Vec<Pair> =
        vec![("elm".into(), Some([1, 2].into())), ("ash".into(), None), ("elm".into(), Some([3].into()))];
    let kernel: Kernel<Boxed> = weld!(|pairs: &[(Arc<str>, Option<Box<[i32]>>)]| {
        pairs.reduce_by(|(word, _)| word, |(_, row)| row.map(|row| row.sum()).unwrap_or(10), +).tovec()
    });
    let expected = vec![("elm".to_owned(), 6), ("ash".to_owned(), 10)];
    on_threads(|options| kernel.with(options).call(&pairs).unwrap(), &expected);
}

/// A word with a row that may be missing.
type Pair = (std::sync::Arc<str>, Option<Box<[i32]>>);

/// The sum of each word's.
type Boxed = fn(&[Pair]) -> Vec<(String, i32)>;

#[test]
fn they_are_captured() {
    let words = WORDS.to_vec();
    let longer =
        weld!([known: &[&str] = &words] |lines: &[&str]| lines.filter(|line| known.contains(line)).count());
    assert_eq!(longer(&["ash", "oak", "elm"]), 2);
    fn longest<'a>(words: &'a [&'a str]) -> Vec<String> {
        weld!(|words: &[&str]| words.filter(|w| w.len() == words.map(|w| w.len()).max()))(words)
    }
    assert_eq!(longest(&WORDS), ["elm tree"]);
}
