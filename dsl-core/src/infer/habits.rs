//! What Rust's iterators, slices, maps and numbers have as methods, and how it is said here.

/// What to write instead of the method or function `name`, where the language says it in another way.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "broadcast" => {
            "vectors need none: `v.map(|x| x + y)` has y for each element; an array repeats axes of extent 1"
        }
        "first_n" => "the first n elements are `v.take(n)`",
        "first" => "the first element is `v[0]`",
        "last" => "the last element is `v[len(v) - 1]`",
        "nth" => "an element of a vector is `v[i]`",
        "get" => "an element of a vector is `v[i]`; a key that may be missing is `optlookup(d, k)`",
        "windows" => {
            "write `(0..len(v) - n + 1).map(|i| slice(v, i, n))`; of two neighbours, `zip(v.take(len(v) - 1), v.skip(1))`"
        }
        "chunks" => "write `(0..(len(v) + n - 1) / n).map(|i| slice(v, i * n, n))`",
        "concat" | "extend" => {
            "one vector after another is `a.chain(b)`, and all of a vector `vectors.flatten()`"
        }
        "position" => {
            "write `v.enumerate().filter(|(_, x)| x == wanted).map(|(i, _)| i)[0]`, which faults if there is none"
        }
        "find" => "write `v.filter(|x| …)[0]`, which faults if there is none",
        "filter_map" => "write `v.filter(|x| …).map(|x| …)`",
        "for_each" => {
            "functions have no effects: `v.map(|x| …)`, or `for(v, builder, |b, i, x| …)` with a builder"
        }
        "average" => "it is `v.mean()`",
        "push" | "append" | "insert" => {
            "values do not change: collect with a builder, as in `merge(appender[f64], x)`"
        }
        "sorted" | "sort_unstable" => "write `sort(v, |a, b| compare(a, b))`",
        "cmp" | "partial_cmp" | "total_cmp" => "write `compare(a, b)`: -1, 0 or 1",
        "unwrap" | "expect" | "unwrap_or" => {
            "there is no `Option`: leave it out; what has no value is a fault"
        }
        "contains_key" => "write `keyexists(d, k)`",
        "ln" => "the natural logarithm is `log(x)`",
        "powf" => "write `pow(x, y)`, both of one type",
        "recip" => "write `1.0 / x`",
        "is_finite" => "write `abs(x) < f64::INFINITY`",
        "is_infinite" => "write `abs(x) == f64::INFINITY`",
        "wrapping_add" | "wrapping_sub" | "wrapping_mul" | "wrapping_neg" => {
            "integers wrap already: write the operator"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::instead_of;

    #[test]
    fn what_the_language_has_is_no_habit() {
        for name in super::super::sugar::NAMES {
            assert_eq!(instead_of(name), None, "{name}");
        }
        assert!(instead_of("windows").is_some());
    }
}
