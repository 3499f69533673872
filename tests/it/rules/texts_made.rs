//! New texts: with parts replaced, in other letters, and of numbers and times; what each is, Rust's function of that name says.

use weldment::{Date, Dict, FaultKind, Span, Timestamp};

use super::rule;
use crate::pairs::Outcome::Fault;

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn parts_of_texts_are_replaced() {
    let all =
        ["", "a", "aaaa", "b, a, , aa", "é–a–é", "a word of more than thirty-two bytes, all in all", "no"];
    let all = texts(&all);
    let by_rust = |from: &str, to: &str| all.iter().map(|s| s.replace(from, to)).collect::<Vec<_>>();
    rule!(
        weld!(|v: &[String], from: &str, to: &str| v.map(|s| s.replace(from, to)));
        (&all[..], "a", "") => by_rust("a", ""),
        (&all[..], "a", "aé") => by_rust("a", "aé"),
        (&all[..], "aa", "b") => by_rust("aa", "b"),
        (&all[..], ", ", " – ") => by_rust(", ", " – "),
        (&all[..], "é", "e") => by_rust("é", "e"),
        (&all[..0], "", "e") => Vec::<String>::new(),
        (&all[..1], "", "e") => Fault(FaultKind::AssertionFailed, "replace"),
    );
    rule!(
        weld!(|v: &[String]| {
            (v.map(|s| s.replace("a", "–").replace("–", "a").len()), v.reduce_by(|s| s.replace("a", ""), |_s| 1i64, +)["no"])
        });
        (&all[..]) => (all.iter().map(|s| s.replace('–', "a").len() as i64).collect::<Vec<_>>(), 1i64),
    );
}

#[test]
fn letters_change_as_unicode_says() {
    let all = [
        "",
        "aBc",
        "Straße",
        "ΟΔΥΣΣΕΎΣ ΚΑΙ Σ",
        "İSTANBUL ŉ ǆ ﬁ",
        "日本",
        "ÉLAN – élan, more than thirty-two bytes",
    ];
    let all = texts(&all);
    rule!(
        weld!(|v: &[String]| v.map(|s| (s.to_lowercase(), s.to_uppercase(), s.to_lowercase() == s)));
        (&all[..]) => all.iter().map(|s| (s.to_lowercase(), s.to_uppercase(), s.to_lowercase() == *s)).collect::<Vec<_>>(),
    );
}

#[test]
fn numbers_have_the_text_that_rust_shows() {
    let integers = [0, 1, -1, 10, -128, 255, 65_536, i64::MAX, i64::MIN, 1_234_567_890_123_456_789];
    rule!(
        weld!(|v: &[i64]| {
            v.map(|n| {
                (
                    n.to_string(), (n as i8).to_string(), (n as u8).to_string(), (n as i16).to_string(), (n as u16).to_string(),
                    (n as i32).to_string(), (n as u32).to_string(), (n as u64).to_string(), (n > 0).to_string()
                )
            })
        });
        (&integers[..]) => integers.iter().map(|&n| {
            (
                n.to_string(), (n as i8).to_string(), (n as u8).to_string(), (n as i16).to_string(), (n as u16).to_string(),
                (n as i32).to_string(), (n as u32).to_string(), (n as u64).to_string(), (n > 0).to_string(),
            )
        }).collect::<Vec<_>>(),
    );
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        0.1 + 0.2,
        1e21,
        1e-7,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        123_456_789.125,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    rule!(
        weld!(|v: &[f64]| v.map(|x| (x.to_string(), (x as f32).to_string(), x.to_string().parse::<f64>().map(|y| y == x))));
        (&floats[..]) => floats.iter().map(|&x| (x.to_string(), (x as f32).to_string(), Some(!x.is_nan()))).collect::<Vec<_>>(),
    );
    rule!(
        weld!(|n: i64| (7.to_string(), 2.5.to_string(), true.to_string() + "!", (n / 2).to_string() + "/" + n.to_string()));
        (-3) => ("7".to_owned(), "2.5".to_owned(), "true!".to_owned(), "-1/-3".to_owned()),
    );
}

#[test]
fn texts_of_numbers_are_keys_and_joined() {
    let counts: Dict<String, i64> =
        [("0", 2), ("1", 2), ("2", 1)].map(|(key, n)| (key.to_owned(), n)).into_iter().collect();
    let numbers = [3, 4, 6, 7, 11];
    rule!(
        weld!(|v: &[i64]| {
            let name = |n| "n" + n.to_string();
            (
                v.reduce_by(|n| (n % 3).to_string(), |_n| 1i64, +),
                v.map(|n| n.to_string()).join(", "),
                v.map(|n| name(n)).filter(|s| s.ends_with("1")),
                v.map(|n| n.to_string().len()).sum::<i64>(),
            )
        });
        (&numbers[..]) => (counts, "3, 4, 6, 7, 11".to_owned(), texts(&["n11"]), 6i64),
    );
}

#[test]
fn dates_and_times_have_the_text_that_is_read_back() {
    let days = [0, -1, 19_782, i32::MIN, i32::MAX, -719_529].map(Date::from_epoch_days);
    rule!(
        weld!(|v: &[Date]| v.map(|d| (d.to_string(), d.to_string().parse::<Date>().map(|read| read == d).unwrap_or(false))));
        (&days[..]) => days.iter().map(|d| (d.to_string(), d.to_string().len() == 10)).collect::<Vec<_>>(),
    );
    let moments =
        [0, -1, 1_500_000, 951_782_400_000_001, -62_135_596_800_000_000].map(Timestamp::from_epoch_micros);
    let lengths = [0, 1, -90_500_000, i64::MIN, i64::MAX, 1_000_000].map(Span::from_micros);
    rule!(
        weld!(|v: &[Timestamp], w: &[Span]| {
            (v.map(|t| (t.to_string(), t.to_string().parse::<Timestamp>() == Some(t))), w.map(|s| s.to_string()))
        });
        (&moments[..], &lengths[..]) => (
            moments.iter().map(|t| (t.to_string(), true)).collect::<Vec<_>>(),
            lengths.iter().map(Span::to_string).collect::<Vec<_>>(),
        ),
    );
}
