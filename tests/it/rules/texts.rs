//! Texts: `str` is read where it lies, is a key and has an order, and comes out as `String`.

use weldment::{Dict, FaultKind, Weld, welded};

use super::rule;
use crate::pairs::Outcome::Fault;

#[derive(Clone, Debug, PartialEq, Weld)]
struct Visit {
    page: String,
    from: Option<String>,
    seconds: f64,
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|&text| text.to_owned()).collect()
}

const WORDS: [&str; 6] =
    ["elm", "ash", "", "ulme – élan", "a word of more than thirty-two bytes in all", "ash"];

#[test]
fn texts_are_compared_sorted_and_keys() {
    let words = texts(&WORDS);
    let counts: Dict<String, i64> = [("elm", 1), ("ash", 2), ("", 1), (WORDS[3], 1), (WORDS[4], 1)]
        .map(|(word, n)| (word.to_owned(), n))
        .into_iter()
        .collect();
    rule!(
        weld!(|v: &[String], s: &str| {
            (v.reduce_by(|w| w, |_w| 1i64, +), v.map(|w| (w == s, w < s, compare(w, s), w == "elm")), v.distinct())
        });
        (&words[..], "ash") => (
            counts,
            words.iter().map(|w| (w == "ash", w.as_str() < "ash", w.as_str().cmp("ash") as i32, w == "elm")).collect::<Vec<_>>(),
            texts(&WORDS[..5]),
        ),
        (&[][..], "") => (Dict::<String, i64>::new(), Vec::<(bool, bool, i32, bool)>::new(), Vec::<String>::new()),
    );
    let mut sorted = words.clone();
    sorted.sort();
    rule!(
        weld!(|v: &[String]| (v.sort_by(|a, b| compare(a, b)), v.sort_by_key(|w| w.len()).map(|w| w.len())));
        (&words[..]) => (sorted, vec![0i64, 3, 3, 3, 14, 43]),
    );
}

#[test]
fn texts_are_searched_cut_and_joined() {
    let words = texts(&["  key = 12 ", "=", "no", "\u{2003}é=ü\t", "a==b"]);
    rule!(
        weld!(|v: &[String]| {
            (
                v.map(|s| (s.find("="), s.contains("="), s.starts_with("a"), s.ends_with("b"), s.len(), s.is_empty())),
                v.map(|s| s.trim()),
                v.filter_map(|s| s.split_once("=")).map(|(a, b)| b.trim() + "<-" + a),
                v.map(|s| s.strip_prefix("a").or(s.strip_suffix("o"))),
            )
        });
        (&words[..]) => (
            words
                .iter()
                .map(|s| {
                    let found = s.find('=').map(|at| at as i64);
                    (found, s.contains('='), s.starts_with('a'), s.ends_with('b'), s.len() as i64, s.is_empty())
                })
                .collect::<Vec<_>>(),
            words.iter().map(|s| s.trim().to_owned()).collect::<Vec<_>>(),
            texts(&["12<-  key ", "<-", "ü<-\u{2003}é", "=b<-a"]),
            vec![None, None, Some("n".to_owned()), None, Some("==b".to_owned())],
        ),
    );
    rule!(
        weld!(|s: &str| (s.split(","), s.split(", ").map(|part| part.len()), s.lines(), s.to_ascii_uppercase() + s.to_ascii_lowercase()));
        ("a, B,,é\r\nc\n\n") => (
            texts(&["a", " B", "", "é\r\nc\n\n"]), vec![1i64, 10], texts(&["a, B,,é", "c", ""]), "A, B,,é\r\nC\n\na, b,,é\r\nc\n\n".to_owned(),
        ),
        ("") => (texts(&[""]), vec![0i64], Vec::<String>::new(), String::new()),
        ("\r\n\n\r") => (texts(&["\r\n\n\r"]), vec![4i64], texts(&["", "", "\r"]), "\r\n\n\r\r\n\n\r".to_owned()),
    );
}

#[test]
fn numbers_are_read_from_texts() {
    let words =
        texts(&["12", "-128", "128", "+7", "1e3", "inf", "", " 1", "18446744073709551615", "true", "0.1"]);
    rule!(
        weld!(|v: &[String]| {
            (
                v.map(|s| (s.parse::<i8>(), s.parse::<i64>(), s.parse::<u64>(), s.parse::<u16>(), s.parse::<bool>())),
                v.map(|s| (s.parse::<f64>(), s.parse::<f32>())),
            )
        });
        (&words[..]) => (
            words.iter().map(|s| (s.parse().ok(), s.parse().ok(), s.parse().ok(), s.parse().ok(), s.parse().ok()))
                .collect::<Vec<(Option<i8>, Option<i64>, Option<u64>, Option<u16>, Option<bool>)>>(),
            words.iter().map(|s| (s.parse().ok(), s.parse().ok())).collect::<Vec<(Option<f64>, Option<f32>)>>(),
        ),
    );
}

#[test]
fn texts_are_cut_between_characters_and_made_of_bytes_that_are_utf_8() {
    rule!(
        weld!(|s: &str, start: i64, size: i64| (s.slice(start, size), s.as_bytes().slice(start, size).from_utf8()));
        ("aéb", 1, 2) => ("é".to_owned(), Some("é".to_owned())),
        ("aéb", 4, 9) => (String::new(), Some(String::new())),
        ("aéb", 2, 2) => Fault(FaultKind::AssertionFailed, "slice"),
        ("aéb", 0, 2) => Fault(FaultKind::AssertionFailed, "slice"),
        ("aéb", 5, 0) => Fault(FaultKind::IndexOutOfBounds, "slice"),
    );
    rule!(
        weld!(|bytes: &[u8]| bytes.from_utf8().map(|s| s.len()));
        (&b"a\xC3\xA9"[..]) => Some(3i64),
        (&b"a\xC3"[..]) => None::<i64>,
    );
    rule!(
        weld!(|s: &str, sep: &str| s.split(sep));
        ("a", "") => Fault(FaultKind::AssertionFailed, "split"),
        ("a--b", "--") => texts(&["a", "b"]),
    );
}

#[test]
fn texts_are_chosen_by_patterns_and_stand_in_structs_and_options() {
    let visit = |page: &str, from: Option<&str>, seconds| Visit {
        page: page.to_owned(),
        from: from.map(str::to_owned),
        seconds,
    };
    let visits = [visit("/", None, 1.5), visit("/shop", Some("/"), 2.0), visit("/", Some("/shop"), 0.5)];
    let sums: Dict<String, f64> = [("/".to_owned(), 2.0), ("/shop".to_owned(), 2.0)].into_iter().collect();
    rule!(
        weld!(|v: &[Visit]| {
            (
                v.reduce_by(|x| x.page, |x| x.seconds, +),
                v.map(|x| match x.page { "/" => 0, "/shop" | "/cart" => 1, _ => 2 }),
                v.filter_map(|x| x.from),
                v.map(|x| if x.seconds > 1.0 { "long".to_string() } else { "short" }),
                v.map(|x| x.from.unwrap_or("nowhere")),
            )
        });
        (&visits[..]) => (
            sums, vec![0i32, 1, 0], texts(&["/", "/shop"]), texts(&["long", "long", "short"]), texts(&["nowhere", "/", "/shop"]),
        ),
    );
    rule!(
        weld!(|v: &[Visit]| v.filter(|x| x.page.starts_with("/s")));
        (&visits[..]) => vec![visits[1].clone()],
    );
    rule!(
        weld!(|s: &str| deserialize[str](serialize(s)));
        ("aé") => "aé".to_owned(),
    );
    rule!(
        weld!(|bytes: &[u8]| deserialize[str](bytes));
        (&[1u8, 0, 0, 0, 0, 0, 0, 0, 0xC3][..]) => Fault(FaultKind::DeserializeError, "deserialize"),
    );
}

#[welded]
fn is_shop(page: &str) -> bool {
    page.starts_with("/shop")
}

#[welded]
fn shouted(word: &str) -> String {
    word.to_ascii_uppercase() + "!"
}

#[test]
fn functions_and_captures_have_texts() {
    let words = texts(&["/shop", "/"]);
    let start = "/s".to_owned();
    let kernel = weldment::weld!([start: &str = &start] |v: &[String]| v.filter(|w| w.starts_with(start) && is_shop(w)));
    assert_eq!(kernel(&words), ["/shop"]);
    assert!(is_shop("/shop/1") && !is_shop("/"));
    assert_eq!(shouted("elm"), "ELM!");
    rule!(
        weld!(|v: &[String]| v.map(|w| shouted(w)));
        (&words[..]) => texts(&["/SHOP!", "/!"]),
    );
}

#[test]
fn slices_of_texts_are_arguments_at_run_time() {
    let program = weldment::Program::parse("|v: vec[str]| (v.map(|s| s.len()).sum(), v)").unwrap();
    let interpreted =
        weldment::CompileOptions { executor: weldment::Executor::Interpreter, ..Default::default() };
    for options in [interpreted, weldment::CompileOptions::default()] {
        let run = program.compile(&options).unwrap();
        let all = texts(&["elm", "é"]);
        assert_eq!(run.call::<(&[&str],), (i64, Vec<String>)>((&["elm", "é"][..],)), Ok((5, all.clone())));
        assert_eq!(run.call::<(&Vec<String>,), (i64, Vec<String>)>((&all,)), Ok((5, all.clone())));
    }
}
