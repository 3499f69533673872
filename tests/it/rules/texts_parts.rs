//! Parts of texts, and texts that are put together: what each function gives is what Rust's function of that name does.

use super::rule;

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|&text| text.to_owned()).collect()
}

const TEXTS: [&str; 9] = [
    "",
    "elm",
    "  élan – ulme \r\n",
    "\u{2003}\u{a0}",
    "a\u{85}b\u{1680}\u{3000}c",
    "==a==b",
    "日本 語🌲",
    " a word of more than thirty-two bytes = many ",
    "é\u{301}\u{200b}=\u{2029}x\t",
];

#[test]
fn texts_are_trimmed_and_cut_from_their_ends() {
    let words = texts(&TEXTS);
    rule!(
        weld!(|v: &[String], part: &str| {
            (
                v.map(|s| (s.trim_start(), s.trim_end())),
                v.map(|s| s.rfind(part)),
                v.map(|s| s.rsplit_once(part)),
                v.map(|s| s.trim_start().len() + s.trim_end().rfind("=").unwrap_or(0)),
            )
        });
        (&words[..], "=") => outcome(&words, "="),
        (&words[..], "==") => outcome(&words, "=="),
        (&words[..], "") => outcome(&words, ""),
        (&words[..], "é") => outcome(&words, "é"),
    );

    type Outcome = (Vec<(String, String)>, Vec<Option<i64>>, Vec<Option<(String, String)>>, Vec<i64>);

    fn outcome(words: &[String], part: &str) -> Outcome {
        let owned = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
        (
            words.iter().map(|s| owned((s.trim_start(), s.trim_end()))).collect(),
            words.iter().map(|s| s.rfind(part).map(|at| at as i64)).collect(),
            words.iter().map(|s| s.rsplit_once(part).map(owned)).collect(),
            words
                .iter()
                .map(|s| (s.trim_start().len() + s.trim_end().rfind('=').unwrap_or(0)) as i64)
                .collect(),
        )
    }
}

#[test]
fn texts_are_words_and_characters() {
    let words = texts(&TEXTS);
    rule!(
        weld!(|v: &[String]| {
            (
                v.flat_map(|s| s.split_whitespace()),
                v.map(|s| s.split_whitespace().len()),
                v.flat_map(|s| s.chars()),
                v.map(|s| s.chars().count()),
                v.map(|s| s.chars().rev().concat()),
                v.flat_map(|s| s.chars()).reduce_by(|c| c, |_c| 1i64, +)["="],
            )
        });
        (&words[..]) => (
            words.iter().flat_map(|s| s.split_whitespace()).map(str::to_owned).collect::<Vec<_>>(),
            words.iter().map(|s| s.split_whitespace().count() as i64).collect::<Vec<_>>(),
            words.iter().flat_map(|s| s.chars()).map(String::from).collect::<Vec<_>>(),
            words.iter().map(|s| s.chars().count() as i64).collect::<Vec<_>>(),
            words.iter().map(|s| s.chars().rev().collect::<String>()).collect::<Vec<_>>(),
            6i64,
        ),
    );
    rule!(
        weld!(|s: &str| (s.split_whitespace(), s.chars()));
        ("") => (Vec::<String>::new(), Vec::<String>::new()),
        (" \n") => (Vec::<String>::new(), texts(&[" ", "\n"])),
        ("b é") => (texts(&["b", "é"]), texts(&["b", " ", "é"])),
    );
}

#[test]
fn texts_are_joined_and_repeated() {
    let words = texts(&TEXTS);
    rule!(
        weld!(|v: &[String], part: &str| (v.join(part), v.concat(), v.filter(|s| s.contains("=")).join(part), v.map(|s| [s, part].concat())));
        (&words[..], ", ") => (
            words.join(", "), words.concat(), [TEXTS[5], TEXTS[7], TEXTS[8]].join(", "),
            words.iter().map(|s| s.to_owned() + ", ").collect::<Vec<_>>(),
        ),
        (&words[..1], "–") => (String::new(), String::new(), String::new(), texts(&["–"])),
        (&words[..0], "–") => (String::new(), String::new(), String::new(), Vec::<String>::new()),
    );
    rule!(
        weld!(|s: &str, n: i32| (s.repeat(n), s.split(",").join(" – "), ["a", "b"].join("é")));
        ("é,b", 3) => ("é,b".repeat(3), "é – b".to_owned(), "aéb".to_owned()),
        ("", 100) => (String::new(), String::new(), "aéb".to_owned()),
        ("ab", 0) => (String::new(), "ab".to_owned(), "aéb".to_owned()),
        ("ab", -7) => (String::new(), "ab".to_owned(), "aéb".to_owned()),
    );
}
