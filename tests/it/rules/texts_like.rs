//! `like`: patterns that are written out, which become searches, and those that are computed, beside the definition.

use weldment::{CompileOptions, Executor, Program};

use super::rule;

/// Whether `text` is like `pattern`, character by character.
fn is_like(text: &[char], pattern: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['%', rest @ ..] => (0..=text.len()).any(|from| is_like(&text[from..], rest)),
        ['_', rest @ ..] => !text.is_empty() && is_like(&text[1..], rest),
        ['\\', c, rest @ ..] | [c, rest @ ..] => text.first() == Some(c) && is_like(&text[1..], rest),
    }
}

fn expected(texts: &[String], patterns: &[String]) -> Vec<Vec<bool>> {
    let characters = |of: &str| of.chars().collect::<Vec<_>>();
    texts
        .iter()
        .map(|text| patterns.iter().map(|p| is_like(&characters(text), &characters(p))).collect())
        .collect()
}

const TEXTS: [&str; 12] = [
    "",
    "a",
    "b",
    "ab",
    "ba",
    "aba",
    "aab%",
    "é",
    "aéb",
    "special – request",
    "more than thirty-two bytes of a and b",
    "a\\b_",
];

#[test]
fn patterns_that_are_written_out_or_computed_mean_the_same() {
    let texts = TEXTS.map(str::to_owned);
    macro_rules! check {
        ($($pattern:literal)*) => {{
            let patterns = [$($pattern.to_owned()),*];
            rule!(
                weld!(|v: &[String]| v.map(|s| [$(s.like($pattern)),*]));
                (&texts[..]) => expected(&texts, &patterns),
            );
            rule!(
                weld!(|v: &[String], patterns: &[String]| v.map(|s| patterns.map(|p| s.like(p))));
                (&texts[..], &patterns[..]) => expected(&texts, &patterns),
            );
        }};
    }
    check!(
        "" "%" "%%" "a" "a%" "%a" "%a%" "a%b" "a%a" "ab%ba" "%a%b%" "%a%a%" "%é%" "é" "a%é%b" "%special%request%" "special%request"
        "_" "__" "_%" "%_b" "a_b" "_é%" "%\\%" "a\\\\b\\_" "\\%" "%\\" "\\"
    );
}

/// All patterns of at most four of these characters, as programs at run time: one of all of them.
#[test]
fn all_short_patterns_that_are_written_out_are_the_definition() {
    let mut patterns = vec![String::new()];
    let mut from = 0;
    for _ in 0..4 {
        let (longest, to) = (from, patterns.len());
        for at in longest..to {
            patterns.extend(["a", "é", "%"].map(|c| patterns[at].clone() + c));
        }
        from = to;
    }
    let texts: Vec<String> = patterns.iter().map(|pattern| pattern.replace('%', "b")).collect();
    let calls: Vec<String> = patterns.iter().map(|pattern| format!("s.like(\"{pattern}\")")).collect();
    let program = Program::parse(&format!("|v: &[String]| v.map(|s| [{}])", calls.join(", "))).unwrap();
    let options = CompileOptions { executor: Executor::Interpreter, ..CompileOptions::default() };
    let run = program.compile(&options).unwrap();
    let found: Vec<Vec<bool>> = run.call((&texts[..],)).unwrap();
    assert_eq!(found, expected(&texts, &patterns));
}
