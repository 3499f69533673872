//! What is not copied: structs that are only looked at, which are the keys that tables and dictionaries are given, and what sorts and comparisons
//! see; elements of a vector that is sorted at last; and vectors of constants, which are part of the program.

use weldment::{Dict, FaultKind};

use super::rule;
use crate::pairs::Outcome::Fault;

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn pair(a: &str, b: &str) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

#[test]
fn groups_are_by_texts_and_others() {
    rule!(
        weld!(|a: &[String], b: &[String], n: &[i64]| (
            zip(a, b).reduce_by(|(a, b)| (a, b), |_| 1i64, +),
            zip(a, n).group_by(|(a, n)| (n, a)).tovec().map(|(k, rows)| (k, rows.len())),
            zip(a, b, n).reduce_by(|(a, b, n)| ((a, n), (b, 7)), |(_, _, n)| (n, 1), +).len(),
            zip(a, n).distinct(),
            zip(a, n).map(|(a, n)| (a.slice(0, 1), n)).n_unique(),
        ));
        (&texts(&["elm", "oak", "elm", "elm"])[..], &texts(&["x", "", "x", "y"])[..], &[1, 2, 1, 3][..]) => (
            [(pair("elm", "x"), 2i64), (pair("oak", ""), 1), (pair("elm", "y"), 1)].into_iter().collect::<Dict<_, _>>(),
            vec![((1i64, "elm".to_owned()), 2i64), ((2, "oak".to_owned()), 1), ((3, "elm".to_owned()), 1)],
            3i64,
            vec![("elm".to_owned(), 1i64), ("oak".to_owned(), 2), ("elm".to_owned(), 3)],
            3i64,
        ),
    );
}

#[test]
fn dictionaries_are_searched_by_texts_and_others() {
    rule!(
        weld!(|a: &[String], n: &[i64], wanted: &str, number: i64| {
            let d = zip(a, n, n).map(|(a, n, m)| ((a, n), m * 10)).to_dict();
            (
                d[(wanted, number)],
                d.get((wanted, number + 1)),
                keyexists(d, (wanted, 7)),
                zip(a, n).semi_join(d, |(a, n)| (a, n + 1)).len(),
                zip(a, n).left_join(d, |(a, n)| (a, n - 1)).map(|(_, m)| m.unwrap_or(-1)),
                zip(a, n).join(d, |(a, n)| (a, n)).map(|(_, m)| m).sum(),
            )
        });
        (&texts(&["elm", "oak", "elm"])[..], &[1, 2, 2][..], "elm", 1) =>
            (10i64, Some(20i64), false, 1i64, vec![-1i64, -1, 10], 50i64),
        (&texts(&["elm"])[..], &[1][..], "oak", 1) => Fault(FaultKind::KeyNotFound, "[(wanted"),
    );
}

#[test]
fn what_is_compared_is_compared_part_by_part() {
    rule!(
        weld!(|a: &[String], x: &[f64], n: &[i64]| (
            zip(a, x).filter(|(a, x)| (a, x) < ("m", 0.5)).len(),
            zip(a, n).filter(|(a, n)| (a, n) == ("elm", 1) || (n, a) != (n, "oak")).len(),
            zip(a, x, n).sort_by_key(|(a, x, n)| (-n, a, x)).map(|(_, x, _)| x),
            zip(a, n).sort_by(|p, q| compare((q.1, p.0), (p.1, q.0))).map(|(_, n)| n),
            zip(a, n).map(|(a, n)| ((a, n), (n, a))).sort_by_key(|(p, q)| (p, q)).map(|(p, _)| p.1),
            zip(a, n).max_by_key(|(a, n)| (a, n)),
        ));
        (&texts(&["oak", "elm", "m", "elm"])[..], &[0.5, f64::NAN, 0.25, -1.0][..], &[2, 1, 2, 1][..]) => (
            3i64,
            3i64,
            vec![0.25, 0.5, -1.0, f64::NAN],
            vec![2i64, 2, 1, 1],
            vec![1i64, 1, 2, 2],
            ("oak".to_owned(), 2i64),
        ),
    );
}

#[test]
fn a_vector_that_its_own_order_reads_is_sorted() {
    rule!(
        weld!(|n: &[i64], more: i64| {
            let words = n.map(|x| (x.to_string(), x + more));
            (words.sort_by_key(|(_, x)| words[x].1), words.sort_by_key(|(text, _)| (words[0].0, text)).map(|(text, _)| text))
        });
        (&[2, 0, 1][..], 0) => (
            vec![("1".to_owned(), 1i64), ("2".to_owned(), 2), ("0".to_owned(), 0)],
            texts(&["0", "1", "2"]),
        ),
    );
}

#[test]
fn what_is_sorted_at_last_is_moved() {
    rule!(
        weld!(|a: &[String], more: &str| (
            a.reduce_by(|a| a, |_| 1i64, +).tovec().sort_by_key(|(a, n)| (-n, a)),
            a.map(|a| a + more).sort_by_key(|a| a.len()),
            a.map(|a| (a + "?", a.len())).sort_by_key(|(_, n)| -n),
        ));
        (&texts(&["oak", "elm", "oak", "maple", ""])[..], "!") => (
            vec![("oak".to_owned(), 2i64), (String::new(), 1), ("elm".to_owned(), 1), ("maple".to_owned(), 1)],
            texts(&["!", "oak!", "elm!", "oak!", "maple!"]),
            vec![
                ("maple?".to_owned(), 5i64), ("oak?".to_owned(), 3), ("elm?".to_owned(), 3), ("oak?".to_owned(), 3), ("?".to_owned(), 0),
            ],
        ),
    );
}

#[test]
fn constants_are_read_where_they_are() {
    rule!(
        weld!(|a: &[String], n: &[i64]| (
            n.map(|i| [0.5, 1.5, f64::NAN][i]),
            n.map(|i| [3u8, 200, 7][i]),
            a.map(|a| if a == "elm" { "tree" } else { a }),
            a.map(|a| { let s = "elm"; if s.len() > 2 && !s.is_empty() && a.is_empty() { s } else { a } }),
            a.map(|a| (a.find("m"), a.find("lm"), a.like("%e%l%"), a.replace("l", ""))),
            a.filter(|a| a.starts_with("e") && a != "é" && a > "b").len(),
            a.map(|a| if a.is_empty() { [1, 2] } else { [a.len(), 3] }),
            n.map(|i| if i > 0 { b"bytes" } else { b"" }),
            a.reduce(|all, a| if all.is_empty() { "" } else { all + a }),
            ["tab\t".to_string(), "quote\"", "é\u{0}"],
        ));
        (&texts(&["elm", "é", ""])[..], &[2, 0, 1][..]) => (
            vec![f64::NAN, 0.5, 1.5],
            vec![7u8, 3, 200],
            texts(&["tree", "é", ""]),
            texts(&["elm", "é", "elm"]),
            vec![(Some(2i64), Some(1i64), true, "em".to_owned()), (None, None, false, "é".to_owned()), (None, None, false, String::new())],
            1i64,
            vec![vec![3i64, 3], vec![2, 3], vec![1, 2]],
            vec![b"bytes".to_vec(), vec![], b"bytes".to_vec()],
            "elmé".to_owned(),
            texts(&["tab\t", "quote\"", "é\u{0}"]),
        ),
    );
}
