//! Dictionaries: keys of every shape, merged in segments.

use weldment_runtime::lang::value::Value;

use super::{check, f64s, i64s, mixed, rough, rows};

fn args() -> [Value; 2] {
    [i64s(mixed(100)), f64s(rough(100))]
}

#[test]
fn sums_by_keys_of_every_shape() {
    for key in [
        "n % 7L",
        "i8(n)",
        "n > 0L",
        "{u8(n), n > 3L}",
        "{i8(n % 3L), i8(n % 2L)}",
        "{n % 3L, i32(n), n > 0L}",
        "f64(n % 5L) * 0.5",
        "if(n > 40L, 0.0, if(n < -40L, -0.0, f64(n) / 0.0 - f64(n) / 0.0))",
        "{f32(n % 4L), n % 2L}",
        "u16(n)",
    ] {
        check(
            &format!(
                "|v: vec[i64], x: vec[f64]| let d = for(zip(v, x), dictmerger[?,{{f64,i64}},+], |b, i, e| let n = e.$0; \
                 merge(b, {{{key}, {{e.$1, i}}}})); result(d)"
            ),
            &args(),
        );
    }
}

#[test]
fn every_operator_and_a_guard() {
    for op in ["+", "*", "min", "max"] {
        check(
            &format!(
                "|v: vec[i64], x: vec[f64]| result(for(zip(v, x), dictmerger[i64,f64,{op}], |b, i, e| \
                 if(e.$1 > 0.0, merge(b, {{e.$0 % 7L, e.$1}}), b)))"
            ),
            &args(),
        );
        check(
            &format!(
                "|v: vec[i64], x: vec[f64]| result(for(zip(v, x), dictmerger[u8,i32,{op}], |b, i, e| \
                 merge(b, {{u8(e.$0), i32(e.$0)}})))"
            ),
            &args(),
        );
    }
}

#[test]
fn groups_keep_the_order_of_encounter() {
    for key in ["e.$0 % 7L", "u8(e.$0)", "{e.$0 % 3L, e.$1 > 0.0}"] {
        check(
            &format!(
                "|v: vec[i64], x: vec[f64]| result(for(zip(v, x), groupmerger[?,f64], |b, i, e| merge(b, {{{key}, e.$1}})))"
            ),
            &args(),
        );
    }
    check(
        "|v: vec[i64], x: vec[f64]| tovec(result(for(zip(v, x), groupmerger[i64,vec[i64]], |b, i, e| \
         merge(b, {e.$0 % 5L, slice(v, i, 2L)}))))",
        &args(),
    );
}

#[test]
fn vectors_as_keys() {
    let v = i64s(mixed(60));
    check(
        "|v: vec[i64]| result(for(v, groupmerger[vec[i64],i64], |b, i, n| merge(b, {[n % 3L, n % 2L], n})))",
        std::slice::from_ref(&v),
    );
    check(
        "|v: vec[i64]| result(for(v, dictmerger[{vec[i64],f64},i64,+], |b, i, n| merge(b, {{slice(v, 0L, i % 3L), 0.5}, n})))",
        std::slice::from_ref(&v),
    );
    check(
        "|r: vec[vec[f64]]| result(for(r, dictmerger[vec[f64],i64,+], |b, i, x| merge(b, {slice(x, 0L, 2L), 1L})))",
        &[rows(20)],
    );
}

#[test]
fn reading_dictionaries() {
    let dict = "let d = result(for(v, dictmerger[i64,f64,+], |b, i, n| merge(b, {n % 10L, 0.5})));";
    for read in [
        "{len(d), keyexists(d, 3L), keyexists(d, 77L), optlookup(d, 77L), optlookup(d, 3L), lookup(d, 3L)}",
        "tovec(d)",
        "map(tovec(d), |e| e.$1 * 2.0)",
        "sum(map(v, |n| lookup(d, n % 10L)))",
        "map(filter(v, |n| keyexists(d, n)), |n| lookup(d, n))",
        "{d, d}",
    ] {
        check(&format!("|v: vec[i64]| {dict} {read}"), &[i64s(mixed(50))]);
        check(&format!("|v: vec[i64]| {dict} {read}"), &[i64s([])]);
    }
    let entries = (0..5).map(|i| (Value::I64(i), f64s(rough(i as usize))));
    let given = Value::Dict(std::sync::Arc::new(entries.collect()));
    check("|d: dict[i64,vec[f64]]| {d, len(lookup(d, 3L)), tovec(d)}", &[given]);
}

/// What a key is made of: one scalar, some of each width, more than a word, floats, none.
const KEYS: [&str; 9] = [
    "n",
    "u8(n)",
    "i32(n)",
    "{n, n % 3L}",
    "{i8(n), n > 0L, i32(n), n}",
    "{f32(n % 4L) * 0.5f, n}",
    "f64(n % 3L) / f64(n % 5L)",
    "[n % 2L, n]",
    "n % 1L",
];

#[test]
fn keys_of_every_shape_are_found_or_missed() {
    for key in KEYS {
        check(
            &format!(
                "|v: vec[i64], x: vec[f64]| let d = result(for(filter(v, |n| n > 0L), groupmerger[?,i64], |b, i, n| merge(b, {{{key}, n}}))); \
                 map(v, |n| let k = {key}; let found = optlookup(d, k); \
                 {{if(keyexists(d, k), len(lookup(d, k)), -1L), found.$0, len(found.$1)}})"
            ),
            &args(),
        );
    }
}

#[test]
fn dictionaries_from_outside_are_searched() {
    type Make = fn(i64) -> Value;
    let keys: [(&str, &str, Make); 3] = [
        ("i64", "n", Value::I64),
        ("u8", "u8(n)", |n| Value::U8(n as u8)),
        ("{i64,bool}", "{n, n > 3L}", |n| Value::structure(vec![Value::I64(n), Value::Bool(n > 3)])),
    ];
    for (ty, key, make) in keys {
        for entries in [0, 7] {
            let entries = (0..entries).map(|n| (make(n), Value::F64(n as f64)));
            let given = Value::Dict(std::sync::Arc::new(entries.collect()));
            let text = format!(
                "|d: dict[{ty},f64], v: vec[i64]| map(v, |n| let k = {key}; if(keyexists(d, k), lookup(d, k), -1.0))"
            );
            check(&text, &[given, i64s(mixed(100))]);
        }
    }
}

/// An element from a number.
type Element = fn(u64) -> Value;

/// Vectors of every length up to 20, and each with one element changed, all twice.
fn small_words(element: Element) -> Value {
    let word = |len: u64, changed: u64| {
        Value::vec((0..len).map(|i| element(i * 37 + 5 + u64::from(i == changed))).collect())
    };
    let words = (0..=20).flat_map(|len| (0..=len).map(move |changed| (len, changed)));
    Value::vec(words.clone().chain(words).map(|(len, changed)| word(len, changed)).collect())
}

#[test]
fn vectors_of_integers_are_keys_at_every_length() {
    let elements: [(&str, Element); 5] = [
        ("bool", |x| Value::Bool(x % 2 == 0)),
        ("i8", |x| Value::I8(x as i8)),
        ("u16", |x| Value::U16((x << 8) as u16)),
        ("i32", |x| Value::I32((x << 22) as i32)),
        ("i64", |x| Value::I64((x << 50) as i64)),
    ];
    for (ty, element) in elements {
        let words = small_words(element);
        let Value::Vec(all) = &words else { panic!("a vector") };
        let x = f64s(rough(all.len()));
        check(
            &format!(
                "|w: vec[vec[{ty}]], x: vec[f64]| let d = result(for(zip(w, x), dictmerger[vec[{ty}],f64,+], |b, i, e| merge(b, e))); \
                 {{tovec(d), map(w, |k| lookup(d, k))}}"
            ),
            &[words.clone(), x],
        );
        let given =
            all[..all.len() / 4].iter().zip(0..).map(|(word, number)| (word.clone(), Value::I64(number)));
        let given = Value::Dict(std::sync::Arc::new(given.collect()));
        check(
            &format!(
                "|d: dict[vec[{ty}],i64], w: vec[vec[{ty}]]| map(w, |k| if(keyexists(d, k), lookup(d, k), -1L))"
            ),
            &[given, words],
        );
    }
}

#[test]
fn many_keys_of_every_width_wait() {
    let keys = ["e.$0 * e.$0", "i32(e.$0)", "{e.$0 > 0L, i32(e.$0)}", "{i, i32(e.$0)}", "{e.$0, e.$0 * 2L}"];
    let values =
        ["e.$1", "f32(e.$1)", "i8(e.$0)", "{i8(e.$0), e.$1}", "{e.$1, i, f32(e.$1)}", "{i, i, i, e.$1}"];
    for (key, op) in keys.iter().zip(["+", "*", "min", "max", "+"]) {
        for value in values {
            check(
                &format!(
                    "|v: vec[i64], x: vec[f64]| result(for(zip(v, x), dictmerger[?,?,{op}], |b, i, e| merge(b, {{{key}, {value}}})))"
                ),
                &args(),
            );
        }
    }
}

#[test]
fn the_last_value_of_each_key_stays() {
    for key in KEYS {
        for value in ["e.$1", "{i8(e.$0), e.$1}", "{e.$1, i, f32(e.$1)}", "[e.$1]"] {
            check(
                &format!(
                    "|v: vec[i64], x: vec[f64]| let d = to_dict(result(for(zip(v, x), appender[?], |b, i, e| let n = e.$0; merge(b, {{{key}, {value}}})))); \
                     {{tovec(d), map(v, |n| keyexists(d, {key})), d}}"
                ),
                &args(),
            );
        }
    }
}

#[test]
fn keys_that_have_waited_are_found() {
    for key in ["n", "i32(n)", "{n, n * n}", "{n > 0L, n}"] {
        check(
            &format!(
                "|v: vec[i64], x: vec[f64]| let d = result(for(zip(v, x), dictmerger[?,f64,+], |b, i, e| let n = e.$0; merge(b, {{{key}, e.$1}}))); \
                 result(for(v, appender[?], |b, i, n| merge(b, {{keyexists(d, {key}), lookup(d, {key}), len(tovec(d))}})))"
            ),
            &args(),
        );
    }
    let missing = "|v: vec[i64], x: vec[f64]| lookup(result(for(zip(v, x), dictmerger[i64,f64,max], |b, i, e| merge(b, e))), 1000L)";
    check(missing, &args());
}

#[test]
fn tables_in_loops_and_regions_wait_alone() {
    check(
        "|rows: vec[vec[f64]]| map(rows, |row| tovec(result(for(row, dictmerger[i64,f64,+], |b, i, x| merge(b, {i % 9L, x})))))",
        &[rows(12)],
    );
    check(
        "|v: vec[i64], x: vec[f64]| let d = for(zip(v, x), dictmerger[i64,f64,+], |b, i, e| merge(b, e)); \
         let more = for(x, d, |b, i, e| merge(b, {i, e})); result(merge(more, {3L, 0.5}))",
        &args(),
    );
}
