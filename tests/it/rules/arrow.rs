//! Columns as Arrow has them: texts as bytes and offsets, values that may be missing by bits.

use weldment::{Bits, Dict, FaultKind, Nullable, Strings, weld};

use super::rule;
use crate::pairs::Outcome::Fault;

const WORDS: [&str; 7] = ["elm", "ash", "", "naïve", "elm", "aspen", "\u{1F333}"];

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The words with others around them, so that neither the first offset is 0 nor the last one the number of bytes.
fn inner() -> (Vec<i32>, Vec<u8>) {
    let mut bytes = b"\xFFoak".to_vec();
    let mut offsets = vec![4];
    for word in WORDS {
        bytes.extend_from_slice(word.as_bytes());
        offsets.push(bytes.len() as i32);
    }
    bytes.extend_from_slice(b"fir\xC3");
    (offsets, bytes)
}

#[test]
fn strings_are_texts() {
    let words: Strings<'_> = WORDS.iter().collect();
    let none = Strings::default();
    rule!(
        weld!(|words: &Strings, s: &str| (
            words.map(|w| w.len()),
            words.filter(|w| w.starts_with(s)).count(),
            words.distinct(),
            words.sort(),
            words.position(|w| w == s),
            words.last(),
            words.len(),
        ));
        (&words, "e") => (
            vec![3i64, 3, 0, 6, 3, 5, 4],
            2i64,
            owned(&["elm", "ash", "", "naïve", "aspen", "\u{1F333}"]),
            owned(&["", "ash", "aspen", "elm", "elm", "naïve", "\u{1F333}"]),
            None::<i64>,
            Some("\u{1F333}".to_owned()),
            7i64,
        ),
        (&none, "") => (
            Vec::<i64>::new(),
            0i64,
            Vec::<String>::new(),
            Vec::<String>::new(),
            None::<i64>,
            None::<String>,
            0i64,
        ),
    );
    rule!(
        weld!(#[expect(loops = 1, materialized = 0)] |words: Strings<'_>| words.filter(|w| w.starts_with("a")).map(|w| w.len() * 2).sum());
        (&words) => 16i64,
    );
    rule!(
        weld!(|words: &weldment::Strings<'_>, i: i64| (words[i], words[i].len()));
        (&words, 3) => ("naïve".to_owned(), 6i64),
        (&words, 7) => Fault(FaultKind::IndexOutOfBounds, "[i], words"),
    );
}

/// A text that is only a key is looked up by its bytes, whatever table it is.
#[test]
fn texts_that_are_cut_out_are_keys() {
    let words: Strings<'_> = WORDS.iter().collect();
    let codes: Dict<String, i64> = [("elm".to_owned(), 3), ("naïve".to_owned(), 4)].into_iter().collect();
    rule!(
        weld!(|words: &Strings, d: &Dict<String, i64>, line: &str| (
            words.map(|w| d.get(w).unwrap_or(0)),
            words.filter(|w| keyexists(d, w)).map(|w| d[w]).sum(),
            words.group_by(|w| w).tovec().map(|(w, rows)| (w, rows.len())).take(1),
            words.group_by(|w| (w.len(), w)).tovec().len(),
            words.enumerate().map(|(i, w)| (w, i)).to_dict().tovec().take(2),
            line.split(",").reduce_by(|w| (w, w.len()), |_| 1i64, +).tovec(),
            line.split(",").map(|w| d.get(w.to_lowercase()).unwrap_or(-1)),
        ));
        (&words, &codes, "Elm,elm,,elm") => (
            vec![3i64, 0, 0, 4, 3, 0, 0],
            10i64,
            vec![("elm".to_owned(), 2i64)],
            6i64,
            vec![("elm".to_owned(), 4i64), ("ash".to_owned(), 1)],
            vec![(("Elm".to_owned(), 3i64), 1i64), (("elm".to_owned(), 3), 2), ((String::new(), 0), 1)],
            vec![3i64, 3, -1, 3],
        ),
    );
}

#[test]
fn offsets_may_be_i32_and_bytes_more_than_the_texts() {
    let (offsets, bytes) = inner();
    let words = Strings::new(&offsets, &bytes).expect("a column");
    assert_eq!(words.iter().collect::<Vec<_>>(), WORDS);
    rule!(
        weld!(|words: &Strings<'_, i32>, more: &Strings| (words.map(|w| w), zip(words, more).filter(|(a, b)| a == b).count()));
        (&words, &WORDS.iter().rev().collect()) => (owned(&WORDS), 1i64),
    );
}

#[test]
fn strings_are_given() {
    let words: Strings<'_> = WORDS.iter().collect();
    let strings = |words: &[&str]| words.iter().collect::<Strings<'_>>();
    rule!(
        weld!(|words: &Strings, n: i64| -> Strings { words.filter(|w| w.len() > n) });
        (&words, 3) => strings(&["naïve", "aspen", "\u{1F333}"]),
        (&words, 9) => strings(&[]),
    );
    rule!(
        weld!(|words: &[&str]| -> (Strings, f64, Strings) { (words.map(|w| w.to_uppercase() + "!"), 0.5, words.sort()) });
        (&["elm", "ß", ""][..]) => (strings(&["ELM!", "SS!", "!"]), 0.5, strings(&["", "elm", "ß"])),
    );
    rule!(
        weld!(|words: &Strings| -> Strings { words });
        (&words) => strings(&WORDS),
    );
}

/// Prices, of which each third is missing, and in whose place stands what a sum would tell.
fn prices(n: usize) -> (Vec<f64>, Vec<u8>) {
    let mut bits = vec![0b1010_1010; n / 8 + 2];
    for row in 0..n {
        let at = row + 3;
        let there = row % 3 > 0;
        bits[at / 8] = bits[at / 8] & !(1 << (at % 8)) | u8::from(there) << (at % 8);
    }
    let values = (0..n).map(|row| if row % 3 > 0 { row as f64 / 4.0 } else { f64::NAN }).collect();
    (values, bits)
}

#[test]
fn nullable_columns_are_options() {
    for n in [0, 1, 5, 8, 70] {
        let (values, bits) = prices(n);
        let column = Nullable::new(&values, Some(Bits::new(&bits, 3, n).expect("bits"))).expect("a column");
        let all: Vec<f64> = (0..n).map(|row| row as f64).collect();
        let rows: Vec<Option<f64>> = column.iter().collect();
        let there: Vec<f64> = rows.iter().flatten().copied().collect();
        let sum = |rows: &mut dyn Iterator<Item = f64>| rows.fold(0.0, |sum, x| sum + x);
        rule!(
            weld!(|v: &Nullable<f64>, w: &Nullable<'_, f64>| (
                v.map(|x| x),
                v.flatten().sum(),
                v.flatten(),
                v.map(|x| x.unwrap_or(-1.0)).sort().first(),
                v.filter(|x| x.is_none()).count(),
                v.last(),
                zip(v, w).filter_map(|(x, y)| x.map(|x| y.unwrap_or(100.0) - x)).sum(),
                w.flatten().len(),
            ));
            (&column, &Nullable::from(&all)) => (
                rows.clone(),
                sum(&mut there.iter().copied()),
                there.clone(),
                (n > 0).then_some(-1.0),
                (n - there.len()) as i64,
                rows.last().copied(),
                sum(&mut rows.iter().zip(&all).filter_map(|(x, y)| x.map(|x| y - x))),
                n as i64,
            ),
        );
        rule!(
            weld!(#[expect(loops = 1, materialized = 0)] |v: &Nullable<f64>| v.filter_map(|x| x).map(|x| x * 2.0).sum());
            (&column) => sum(&mut there.iter().map(|x| x * 2.0)),
        );
        // What stands in the place of a value that is missing is neither a fault nor a key.
        rule!(
            weld!(|v: &Nullable<f64>| (v.distinct().len(), v.sort().last()));
            (&column) => ((there.len() + usize::from(n > 0)) as i64, (n > 0).then_some(there.last().copied())),
        );
    }
}

#[test]
fn columns_without_bits_give_the_bits_of_columns_with_all() {
    let kernel = weld!(
        #[expect(loops = 1, materialized = 0)]
        |v: &Nullable<f64>, w: &Nullable<f64>| (
            v.flatten().sum(),
            zip(v, w).filter_map(|(x, y)| x.and_then(|x| y.map(|y| x * y)))
        )
    );
    let values: Vec<f64> = (0..100_000).map(|row| 1.0 / f64::from(row + 3)).collect();
    let ones = vec![0xFF; values.len() / 8 + 1];
    let all =
        Nullable::new(&values, Some(Bits::new(&ones, 5, values.len()).expect("bits"))).expect("a column");
    let none = Nullable::from(&values);
    let expected = kernel(&none, &none);
    assert_eq!(expected.1.len(), values.len());
    for (v, w) in [(&all, &none), (&none, &all), (&all, &all)] {
        let found = kernel(v, w);
        assert_eq!(found.0.to_bits(), expected.0.to_bits());
        assert_eq!(found.1, expected.1);
    }
}

#[test]
fn columns_of_every_scalar_are_read_and_given() {
    let rows = [Some(3), None, Some(0), Some(1), None, None, Some(7), Some(2), Some(9), None];
    macro_rules! check {
        ($($ty:ident)*) => {$({
            let column: Nullable<'_, $ty> = rows.iter().map(|row| row.map(|x| x as $ty)).collect();
            rule!(
                weld!(|v: &Nullable<$ty>| -> (Nullable<$ty>, Vec<Option<$ty>>) { (v.filter(|x| x != Some(0 as $ty)), v) });
                (&column) => (
                    column.iter().filter(|x| *x != Some(0 as $ty)).collect::<Nullable<'_, $ty>>(),
                    column.iter().collect::<Vec<_>>(),
                ),
            );
        })*};
    }
    check!(i8 u16 i32 i64 f32 f64);
    let flags: Nullable<'_, bool> = [Some(true), None, Some(false)].into_iter().collect();
    rule!(
        weld!(|v: &Nullable<bool>| -> Nullable<bool> { v.map(|x| x.map(|x| !x)) });
        (&flags) => [Some(false), None, Some(true)].into_iter().collect::<Nullable<'_, bool>>(),
    );
}

#[test]
fn columns_are_captured_and_taken_by_functions() {
    let known: Strings<'_> = ["elm", "ash"].iter().collect();
    let found = weld!(
        fn of(known: &Strings, word: &str) -> bool { known.contains(word) }
        [known: &Strings = &known] |words: &Strings| words.filter(|word| of(known, word)).count()
    );
    assert_eq!(found(&WORDS.iter().collect()), 3);
}
