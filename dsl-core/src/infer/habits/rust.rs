//! What Rust's iterators, slices, maps and numbers have as methods and functions, and how it is said here.

/// Names, and what to write instead of any of them.
pub(super) const HABITS: &[(&[&str], &str)] = &[
    (
        &["broadcast"],
        "vectors need none: `v.map(|x| x + y)` has y for each element; an array repeats axes of extent 1",
    ),
    (&["first_n"], "the first n elements are `v.take(n)`"),
    (&["top_k", "nlargest", "topk"], "the largest are `v.k_largest(k)`, or `v.k_largest_by_key(k, |x| …)`"),
    (&["bottom_k", "nsmallest"], "the smallest are `v.k_smallest(k)`, or `v.k_smallest_by_key(k, |x| …)`"),
    (&["nth"], "an element of a vector is `v[i]`"),
    (
        &["concat", "extend"],
        "one vector after another is `a.chain(b)`, and all of a vector `vectors.flatten()`; of texts they are `a + b` and `texts.concat()`",
    ),
    (&["find_map"], "write `v.filter_map(|x| …).first()`, an `Option`"),
    (&["rposition"], "write `v.rev().position(|x| …)`, which counts from the end"),
    (&["none"], "write `!v.any(|x| …)`"),
    (
        &["for_each"],
        "functions have no effects: `v.map(|x| …)`, or `for(v, builder, |b, i, x| …)` with a builder",
    ),
    (
        &["print", "println", "eprint", "eprintln", "printf", "debug", "inspect", "tap"],
        "write `dbg(x)` or `x.dbg()`: it is x, and shows it on stderr while the program runs",
    ),
    (&["average"], "it is `v.mean()`"),
    (
        &["push", "append", "insert"],
        "values do not change: collect with a builder, as in `merge(appender[f64], x)`",
    ),
    (&["is_sorted"], "write `zip(v.take(len(v) - 1), v.skip(1)).all(|(a, b)| a <= b)`"),
    (&["sorted", "sort_unstable"], "write `sort(v, |a, b| compare(a, b))`"),
    (&["cmp", "partial_cmp", "total_cmp"], "write `compare(a, b)`: -1, 0 or 1"),
    (
        &["unwrap", "expect"],
        "of an `Option` it is `o.or_fault()`, or `o.unwrap_or(x)` with a value in its place; of anything else leave it out: \
             what has no value is a fault",
    ),
    (&["unwrap_or_else"], "write `o.unwrap_or(x)`: x is computed only where there is no value"),
    (&["unwrap_or_default"], "say the value: `o.unwrap_or(0)`"),
    (&["or_else"], "write `o.or(p)`: p is computed only where there is no value"),
    (&["map_or", "map_or_else"], "write `o.map(|x| …).unwrap_or(y)`"),
    (&["is_some_and"], "write `o.map(|x| …).unwrap_or(false)`"),
    (&["is_none_or"], "write `o.map(|x| …).unwrap_or(true)`"),
    (
        &["ok_or", "ok_or_else"],
        "there is no `Result`: `o.or_fault()` ends the program where there is no value",
    ),
    (&["as_ref", "as_deref"], "leave it out: values are not moved"),
    (&["char_indices"], "the characters of a text are `s.chars()`, each a text"),
    (
        &["char_length", "character_length", "char_count"],
        "how many characters a text has is `s.chars().count()`, and its bytes `s.len()`",
    ),
    (&["lcase", "casefold"], "write `s.to_lowercase()`, or `s.to_ascii_lowercase()` for letters from A to Z"),
    (&["ucase"], "write `s.to_uppercase()`, or `s.to_ascii_uppercase()` for letters from A to Z"),
    (&["replacen"], "`s.replace(from, to)` replaces each: for the first one alone, `s.split_once(from)`"),
    (&["replace_all", "str_replace"], "write `s.replace(from, to)`"),
    (
        &["ilike"],
        "compare in lower case: `s.to_lowercase().like(\"%part%\")`, where the pattern is in lower case",
    ),
    (
        &["rlike", "regexp_like", "regexp_matches"],
        "there are no regular expressions: `s.like(\"a%b_\")`, where `%` is any text and `_` any character",
    ),
    (&["split_ascii_whitespace"], "write `s.split_whitespace()`"),
    (&["lstrip", "ltrim", "trim_left"], "write `s.trim_start()`"),
    (&["rstrip", "rtrim", "trim_right"], "write `s.trim_end()`"),
    (&["string_agg", "group_concat", "listagg"], "write `texts.join(\", \")`"),
    (&["contains_key"], "write `keyexists(d, k)`"),
    (&["not"], "write `!x`"),
    (&["int"], "write `x as i64`"),
    (&["float"], "write `x as f64`"),
    (&["str"], "write `x.to_string()`"),
    (&["ln"], "the natural logarithm is `log(x)`"),
    (&["powf"], "write `pow(x, y)`, both of one type"),
    (&["recip"], "write `1.0 / x`"),
    (&["is_finite"], "write `abs(x) < f64::INFINITY`"),
    (&["is_infinite"], "write `abs(x) == f64::INFINITY`"),
    (
        &["wrapping_add", "wrapping_sub", "wrapping_mul", "wrapping_neg"],
        "integers wrap already: write the operator",
    ),
];
