//! What the verifier refuses: a program for each invariant, and what it says of it.

use crate::imp::{parse, verify};

const TOP: &str = "
weldment imp 1
reg a0: f64 x 16 = -0.0
reg a1: f64 x 1 = -0.0
reg a2: bool x 1 = false
reg a3: i64 x 3 = 0
store #0 exact 1 f64 append order any memory result gives v90
store #1 grow f64 append order any memory run split gives v91
store #2 boxed f64 reduce by add order any memory run gives v92
store #3 small i64 -> f64 reduce + order any memory run gives v93
store #4 in_place f64 reduce max order any memory run gives v94
func add(v60: f64, v61: f64) reducer captures v1 { v62: f64 = mul v60, v1 return v62 }
func row(v63: pos) row captures v0 { v64: f64 = load v0[v63] return v64 }
func inner(v65: pos, v66: vec[f64] = slice of v0, a0, #0) loop { }
";

/// What is said of the entry whose body is `stmts`.
fn said(stmts: &str) -> String {
    let text =
        format!("{TOP} func main(v0: vec[f64], v1: f64, v2: i64, v3: pos, v4: bool) entry {{ {stmts} }}");
    said_of(&text)
}

fn said_of(text: &str) -> String {
    let imp = parse(text).unwrap_or_else(|error| panic!("{error} in {text}"));
    match verify(&imp) {
        Ok(()) => String::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
    }
}

/// Programs that are accepted.
const ACCEPTED: &[&str] = &[
    "return v1",
    "for v5 in 0..v3 { v6: f64 = load v0[v5] times 2 v7: f64 = load v0[v5] by 4 ahead 3 } return v1",
    "start a0 for v5 in 0..v3 by 16 { lanes v6 at v5 x 16 { v7: f64 = load v0[v6] a0[v6] += v7 } } \
     v8: f64 = read a0 fold + return v8",
    "start a0 lanes v6 at v3 x 4 { a0[v6] += v1 } v7: f64 = read a0[v3] return v7",
    "lanes v6 at v3 x 4 { v7: f64 = neg v1 } lanes v8 at v3 x 4 { v9: f64 = neg v7 } return v1",
    "do open #0, v3 for v5 in 0..v3 { do put #0, v5, v1 } v90: vec[f64] = do finish #0 return v1",
    "do open #0, v3 do fill #0 by row, v3 v90: vec[f64] = do finish #0 return v1",
    "do open #0, v3 call inner(v3, v0[0 x v3], a0, #0 at 0) v90: vec[f64] = do finish #0 return v1",
    "do open #2 do begin #2 do merge #2, v1 do join #2 v92: f64 = do finish #2 return v92",
    "do open #4, v0 do begin #4 lanes v5 at 0 x 4 { v6: i64 = add v2, v2 } \
     v7: bool = do merge_block #4, v6, v1 do join #4 v94: vec[f64] = do finish #4 return v1",
    "start a1 do open #1 split v2 chunk 4 task any range v5..v6 totals (a1 into a1) parts (#1) { \
     init { do begin #1, v5, v6 } update { start a1 do append #1, v1 } \
     add { v7: f64 = read a1 fold + a1 += v7 } merge { do join #1 } } v91: vec[f64] = do finish #1 return v1",
    "v5: f64 = if v4 { yield v1 } else { v6: f64 = neg v1 yield v6 } return v5",
];

/// Programs that are not, and a part of what is said.
const REFUSED: &[(&str, &str)] = &[
    // 1
    ("", "gives one result, in `main`"),
    ("return v1, v1", "gives one result, in `main`"),
    // 2
    (
        "v5: f64 = neg v6 v6: f64 = neg v1 return v5",
        "v6 is read where it is not bound, in `main`: `v5: f64 = neg v6`",
    ),
    ("if v4 { v5: f64 = neg v1 } return v5", "v5 is read where it is not bound"),
    ("for v5 in 0..v3 { } v6: i64 = cast v5 return v1", "v5 is read where it is not bound"),
    (
        "split v2 chunk 4 task any range v5..v6 totals () parts () { init {} update {} add { v7: i64 = cast v5 } merge {} } return v1",
        "v5 is read where it is not bound",
    ),
    // 3
    ("lanes v6 at v3 x 4 { v7: f64 = neg v1 } v8: f64 = neg v7 return v1", "v7 has lanes here"),
    (
        "lanes v6 at v3 x 4 { v7: f64 = neg v1 } lanes v8 at v3 x 8 { v9: f64 = neg v7 } return v1",
        "v7 has lanes here",
    ),
    ("lanes v6 at v3 x 12 { } return v1", "12 is no power of two"),
    // 4
    ("lanes v6 at v3 x 4 { v7: i64 = div v2, v2 } return v1", "no such statement stands in lanes"),
    ("lanes v6 at v3 x 4 { start a0 } return v1", "no such statement stands in lanes"),
    ("lanes v6 at v3 x 4 { lanes v7 at v3 x 4 { } } return v1", "lanes stand in lanes"),
    ("lanes v6 at v3 x 4 { a3[v6] += v2 } return v1", "3 lanes of a3 do not divide 4, nor 4 them"),
    (
        "do open #0, v3 lanes v6 at v3 x 4 { do put #0, v6, v1 do put #0, v6, v1 } v90: vec[f64] = do finish #0 return v1",
        "#0 is filled twice",
    ),
    // 5
    ("v5: f64 = load v0[v3] return v5", "v3 is no position of a loop"),
    ("v5: f64 = load v0[0] return v5", "is no position of a loop"),
    ("v5: pos = and v3, v3 return v1", "positions have no And"),
    ("for v5 in 0..v3 { v6: f64 = load v0[v5] times 0 } return v1", "Times(0) is no stride"),
    ("for v5 in 0..v3 { v6: f64 = load v0[v5] by 3 ahead 1 } return v1", "is no stride"),
    ("for v5 in 0..v3 { v6: f64 = load v0[v5] by 2 ahead 2 } return v1", "is no stride"),
    ("lanes v5 at 0 x 2 { v6: f64 = load v0[v5] by 4 ahead 0 } return v1", "4 do not divide 2 lanes"),
    // 6
    (
        "do open #0, v3 call inner(v3, v0[0 x v3], a0) v90: vec[f64] = do finish #0 return v1",
        "`inner` takes 4 arguments",
    ),
    (
        "do open #0, v3 call inner(v3, v0, a0, #0) v90: vec[f64] = do finish #0 return v1",
        "an argument of another kind",
    ),
    (
        "do open #0, v3 call inner(v3, v0[0 x v3], a1, #0) v90: vec[f64] = do finish #0 return v1",
        "a1 is no register as `inner` takes",
    ),
    ("call inner(v3, v0[0 x v3], a0, #0) return v1", "#0 is handed over where it is not filled"),
    // 7
    ("do put #0, v3, v1 return v1", "#0 is not ready for `put`"),
    ("do open #0, v3 do open #0, v3 v90: vec[f64] = do finish #0 return v1", "#0 is not ready for `open`"),
    ("do open #0 return v1", "`open` of a store of strategy `exact`"),
    ("do open #0, v3 return v1", "a store is left in another state"),
    ("do open #0, v3 if v4 { v90: vec[f64] = do finish #0 } return v1", "a store is left in another state"),
    ("do open #2 do merge #2, v1 v92: f64 = do finish #2 return v1", "#2 is not ready for `merge`"),
    ("do open #2 do begin #2 v92: f64 = do finish #2 return v1", "#2 is not ready for `finish`"),
    (
        "do open #3 do append #3, v1 v93: dict[i64,f64] = do finish #3 return v1",
        "`append` of a store of strategy `small`",
    ),
    // 8
    ("start a0 a0 += v1 return v1", "`+` rounds, and has no lane"),
    // 9
    (
        "do open #1 split v2 chunk 4 task any range v5..v6 totals () parts (#1) { init { do begin #1 do join #1 } update {} add {} merge {} } \
      v91: vec[f64] = do finish #1 return v1",
        "the part of #1 begins in `init` and joins in `merge`",
    ),
    (
        "split v2 chunk 4 task any range v5..v6 totals (#2) parts () { init {} update {} add {} merge {} } return v1",
        "#2 begins in `update` and joins in `add`",
    ),
    (
        "split v2 chunk 4 task any range v5..v6 totals (a1 into a1) parts () { init {} update {} add {} merge {} } return v1",
        "`update` writes a1, and `add` reads it into a1",
    ),
    // 10
    ("v5: f64 = add v1, v2 return v5", "operands of different types"),
    ("v5: i64 = neg v1 return v1", "v5 is a i64, not a f64"),
    ("v5: i64 = div v2, -1i64 divides return v1", "v5 is no quotient that is always there"),
    ("v5: f64 = neg v1 unpredictable return v1", "v5 chooses nothing"),
    ("a2 += v1 return v1", "v1 is a f64, not a bool"),
    ("a1 |= v4 return v1", "a1 is no flag"),
    ("v5: i64 = read a1 fold + return v1", "v5 is a i64, not a f64"),
    ("v5: i64 = read a1[v3] return v1", "v5 is a i64, not a f64"),
    ("for v5 in 0i64..v3 { } return v1", "is no position"),
    ("v5: f64 = if v4 { yield v1 } else { yield v2 } return v5", "v2 is a i64, not a f64"),
    ("if v1 { } return v1", "v1 is a f64, not a bool"),
    ("fault empty if v2 return v1", "v2 is a i64, not a bool"),
    ("for v5 in 0..v3 by 0 { } return v1", "a step is at least 1"),
    ("v5: f64 = call add(v1, v2) return v5", "v2 is a i64, not a f64"),
    ("v5: vec[f64] = clone v1 return v1", "v1 is a f64, not a vec[f64]"),
];

#[test]
fn sound_programs_are_accepted() {
    let found: Vec<String> = ACCEPTED.iter().map(|stmts| said(stmts)).collect();
    assert_eq!(found, vec![String::new(); ACCEPTED.len()]);
}

#[test]
fn each_invariant_is_checked() {
    let missed: Vec<String> = REFUSED
        .iter()
        .map(|(stmts, message)| (stmts, message, said(stmts)))
        .filter(|(_, message, found)| !found.contains(*message))
        .map(|(stmts, message, found)| format!("{stmts}\nwanted {message}\n found {found}"))
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}

/// Parsing refuses a value that is bound twice, so that such a program is made here.
#[test]
fn values_are_bound_once() {
    let mut imp = parse("weldment imp 1 func f(v0: i64) entry { v1: i64 = neg v0 return v1 }").unwrap();
    let entry = imp.entry;
    let again = imp.funcs[entry].body.stmts[0].clone();
    imp.funcs[entry].body.stmts.push(again);
    assert_eq!(verify(&imp).unwrap_err()[0].to_string(), "v1 is bound twice, in `f`: `v1: i64 = neg v0`");
}

#[test]
fn names_are_unique_and_captures_in_sight() {
    let twice = "weldment imp 1 func f(v1: f64) key { return v1 } func f(v0: i64) entry { return v0 }";
    assert!(said_of(twice).contains("there are two functions `f`"));
    let hidden = "weldment imp 1 func g() loop captures v5 { } func f(v0: i64) entry { call g() return v0 }";
    assert!(said_of(hidden).contains("v5 is read where it is not bound, in `f`: `call g()`"));
}

#[test]
fn registers_and_stores_are_handed_over_once() {
    let text = format!(
        "{TOP} func two(a0, a0, #0, #0) loop {{ }} func main(v0: vec[f64], v1: f64, v3: pos) entry {{ \
         do open #0, v3 call two(a0, a0, #0, #0) v90: vec[f64] = do finish #0 return v1 }}"
    );
    let said = said_of(&text);
    assert!(said.contains("a0 is handed over twice") && said.contains("#0 is handed over twice"), "{said}");
}
