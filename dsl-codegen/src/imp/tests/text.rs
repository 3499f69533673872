//! Printing and parsing.

use weldment_core::ir::Locations;

use crate::imp::{parse, print, print_head};

/// Every statement, action and strategy, every kind of parameter and argument.
pub(super) const EVERYTHING: &str = "\
weldment imp 1
reg a0: f64 x 16 = -0.0
reg a1: f64 x 1 = nan
reg a2: bool x 1 = false
reg a3: f32 x 32 = -inf
store #0 boxed f64 reduce by add order any memory run split gives v90
store #1 exact 1 f64 append order any memory result split gives v91
store #2 exact 3 {i64,vec[f64]} append order any memory temporary gives v92
store #3 ordered i64 append order any memory row #2 gives v93
store #4 grow i64 append order any memory run gives v94
store #5 ragged vec[i64] append order any memory run gives v95
store #6 direct 8 u8 -> i64 reduce + order segments memory run searched gives v96
store #7 small packed 1 narrow + 2 sum i32 -> {i64,i64} reduce + order any memory run gives v97
store #8 small i64 -> i64 reduce max order any memory run split searched gives v98 @9
store #9 hashed vec[u8] -> i64 reduce by add order any memory run gives v99
store #10 last_wins packed 2 + 1 {i64,i64} -> i64 last order any memory run gives v100
store #11 last_wins i64 -> i64 last order any memory run gives v101
store #12 groups i64 -> f64 append order any memory run gives v102
store #13 in_place i64 reduce * order any memory run gives v103
store #14 partial f64 reduce + order segments memory run gives v104
func add(v60: f64, v61: f64) reducer captures v1 @4 {
  v62: f64 = add v60, v61
  v63: f64 = mul v62, v1
  return v63
}
func loop0(v9: pos, v10: vec[f64] = slice of v0, a0, #1) loop dispatch streams captures v1, v2 {
  for v14 number v30 from v9 in 0..v9 by 16 hints (block 16, rows 8, feeds #1, in_order 3, prefetch v10, prefetch v0, hash_ahead v10 #8, compared a1 x 4, strip 1024, reserve #4) {
    prefetch v10[v14] x 16 read
    prefetch #1[v14] x 16 written
    prefetch v10[v14] element
    prefetch v10[v14] row
    lanes v15 number v31 from v9 at v14 x 16 apart {
      v16: f64 = load v10[v15]
      v17: bool = lt v16, 0.5f64
      a0[v15] += v16 where v17
      a0[v15] better min= v16
      a0[v15] same v16 |= v16
      a2 |= v17
      a1 min= v16
      a1 = v16
      do put #1, v15, v16
    }
  }
  for v18 to v19 in 0..v9 by 256 poll tail {
    start a0
  } exit 16 {
    copy a1 from a0
  }
}
func order(v70: f64, v71: f64) comparator {
  v72: i32 = order v70, v71
  return v72
}
func key(v73: f64) key {
  return v73
}
func row(v74: pos) row {
  return true, -3i32, 7, 7u64, inf_f64, -inf_f32, nan_f64, 1e300f64, -0.0f32
}
func main(v0: vec[f64] borrows, v1: f64, v2: vec[f64] borrows v0 v1) entry {
  v3: i64 = len v0 @1
  v4: pos = cast v3
  v5: vec[f64] = slice v0, 0, v4 in_bounds @2
  v6: f64 = sin v1 near
  v7: dict[i64,i64] = call \"f \\\"x\\\"\"(v0, 1i64)
  v8: i64 = lookup v7, 3i64 shared v8 @3
  v20: f64, v21: i64 = if true cold else {
    yield v1, v3
  } else {
    v22: f64 = neg v1
    yield v22, 2i64
  }
  if v17 cold then {
  }
  v23: i64 = iterate (v24: i64 = v3) @5 {
    v25: bool = lt v24, 10i64
    yield v24, v25
  }
  v26: f64 = read a0 fold +
  v27: bool, v28: f64 = rescan a1 from a0 by max
  do open #1, v4
  do append #4, v3 where v27 @6
  if v27 {
    a0 += v1
  }
  v29: bool = do merge_block #13, v4, v3
  do fill #1 by row, v4
  do merge_each #8 by row, v4
  do begin #1
  do expect #8, 5
  do reserve #4, 5
  do merge #6, 1u8, v3
  do hash_ahead #8, v5, v4
  do join #1
  v91: vec[f64] = do finish #1
  v32: {f64,i64} = call row(v1, v0[0 x v4], a0, #1, #1 at v4)
  call row(1i64)
  v33: vec[f64] = sort v0 by comparator order @7
  v34: vec[f64] = sort v0 by key key
  v35: vec[f64] = sort v0 by key key descending once taken
  fault empty if v27 @8
  v36: vec[f64] = clone v0
  release v36
  split v3 chunk 16384 task any range v40..v41 totals (a1 into a2, #0) parts (#1, #8) @9 {
    init {
      do begin #1, v40, v41
    }
    update {
      call loop0(v41, v0[v40 x v41], a0, #1 at v40)
    }
    add {
    }
    merge {
      do join #1
    }
  }
  split v3 chunk 1 task short range v42..v43 totals () parts () {
    init {
    }
    update {
    }
    add {
    }
    merge {
    }
  }
  split v3 chunk 1 task open range v44..v45 totals () parts () {
    init {
    }
    update {
    }
    add {
    }
    merge {
    }
  }
  split v3 chunk 2 task segments 10 range v46..v47 totals () parts () {
    init {
    }
    update {
    }
    add {
    }
    merge {
    }
  }
  split v3 chunk 2 task segments range v48..v49 totals () parts () {
    init {
    }
    update {
    }
    add {
    }
    merge {
    }
  }
  return v33
}
";

#[test]
fn what_is_printed_parses_to_the_same_text() {
    let imp = parse(EVERYTHING).unwrap_or_else(|error| panic!("{error}"));
    let printed = print(&imp, Locations::Shown);
    for (given, printed) in EVERYTHING.lines().zip(printed.lines()) {
        assert_eq!(printed, given);
    }
    assert_eq!(printed, EVERYTHING);
    let without = imp.to_string();
    assert!(!without.contains('@'));
    assert_eq!(parse(&without).unwrap().to_string(), without);
}

#[test]
fn values_keep_their_ids_and_what_is_known_of_them() {
    let imp = parse(EVERYTHING).unwrap();
    let again = parse(&print(&imp, Locations::Shown)).unwrap();
    assert_eq!(format!("{imp:?}"), format!("{again:?}"));
    let of = |name: &str| &imp.values[imp.values.ids().find(|value| value.to_string() == name).unwrap()];
    assert_eq!((of("v16").width, of("v15").width, of("v14").width), (16, 16, 1));
    assert!(of("v15").position && of("v9").position && !of("v3").position);
    assert_eq!(of("v2").roots.as_ref().map(Vec::len), Some(2));
    assert_eq!(of("v1").roots, None);
}

#[test]
fn a_statement_is_quoted_by_its_first_line() {
    let imp = parse(EVERYTHING).unwrap();
    let stmts = &imp.funcs[imp.entry].body.stmts;
    assert_eq!(print_head(&imp, &stmts[6]), "v20: f64, v21: i64 = if true cold else");
    assert_eq!(print_head(&imp, &stmts[0]), "v3: i64 = len v0");
}

/// Texts, and what is wrong with them.
const WRONG: [(&str, &str); 22] = [
    ("", "1:14: no function is the entry"),
    ("reg a1: f64 x 1 = 0.0", "2:5: expected a0, the next register"),
    ("reg a0: vec x 1 = 0.0", "2:9: expected a scalar type, found `vec`"),
    ("store #0 tree i64", "2:10: expected a strategy"),
    ("store #0 grow i64 append order any memory run gives 5", "2:53: expected a value, found `5`"),
    ("func f() entry { start a0 }", "2:24: there is no register a0"),
    ("func f() entry { do open #0 }", "2:27: there is no store #0"),
    ("func f() entry { do shut #0 }", "2:21: expected an action"),
    ("func f() entry { call g() }", "2:23: expected the name of a function, found `g`"),
    ("func f() entry {} func g() entry {}", "2:35: a second entry"),
    ("func f() main {}", "2:10: expected what the function is for"),
    ("func f(v0: i64, v0: i64) entry {}", "2:17: v0 is bound twice"),
    ("func f(v0: i64) key {} func g(v0: f64) entry {}", "2:35: v0 is something else in another function"),
    ("func f(5: i64) entry {}", "2:8: expected a value to bind, found `5`"),
    ("func f() entry { lanes v0 at 0 { } }", "2:24: expected lanes with a width, found `v0`"),
    ("func f() entry { v0: i64 = jump 5 }", "2:28: expected an op, found `jump`"),
    ("func f() entry { v0: i64 = const 5 }", "2:28: expected an op, found `const`"),
    ("func f() entry { jump }", "2:18: expected a statement, found `jump`"),
    ("func f() entry { v0: i64, v1: i64 = len v3 }", "2:37: expected a statement that binds so many values"),
    ("func f() entry { v0: pos = add -1, 2 }", "2:32: -1 is not an u64"),
    ("func f() entry { v0: i8 = neg 300i8 }", "2:31: 300 is not an i8"),
    (
        "func func() key {} func f(v0: vec[i64]) entry { v1: vec[i64] = sort v0 by key func once }",
        "2:89: a function that is called `func`",
    ),
];

#[test]
fn errors_say_where_and_what() {
    let found = WRONG.map(|(text, _)| {
        let text = format!("weldment imp 1\n{text}");
        (text.clone(), parse(&text).map(|imp| imp.to_string()).map_err(|error| error.to_string()))
    });
    let wanted = WRONG.map(|(text, message)| (format!("weldment imp 1\n{text}"), Err(message.to_owned())));
    assert_eq!(found, wanted, "found {found:#?}");
}

#[test]
fn deep_nesting_is_an_error() {
    let text = format!("weldment imp 1 func f() entry {{ {}", "if true { ".repeat(100_000));
    assert!(parse(&text).unwrap_err().message.contains("nested too deep"));
}

/// Texts with a token left out, doubled or in place of another.
#[test]
fn mutilated_texts_do_not_panic() {
    let words: Vec<&str> = EVERYTHING.split_inclusive([' ', '\n', '[', ']', '(', ')', ',']).collect();
    for at in (0..words.len()).step_by(3) {
        let (before, after) = words.split_at(at);
        for middle in [vec![], vec![after[0], after[0]], vec![words[(at * 7) % words.len()]]] {
            let text = [before, &middle, &after[1..]].concat().concat();
            if let Ok(imp) = parse(&text) {
                let printed = imp.to_string();
                assert_eq!(parse(&printed).expect(&printed).to_string(), printed);
            }
        }
    }
}
