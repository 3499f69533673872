//! What data frames, SQL, NumPy and rayon have as methods, and how it is said here. As functions these names are free: one of them may be
//! the user's.

/// Names, and what to write instead of any of them.
pub(super) const HABITS: &[(&[&str], &str)] = &[
    (&["par_iter", "into_par_iter", "par_bridge"], "leave it out: every kernel runs on all threads"),
    (
        &["par_chunks", "par_windows", "par_sort", "par_split"],
        "leave out `par_`: every kernel runs on all threads",
    ),
    (&["array_chunks", "as_chunks", "chunks_exact"], "write `v.chunks(n)`, of which the last may be shorter"),
    (
        &["array_windows", "tuple_windows", "rolling", "moving_average", "rolling_mean"],
        "write `v.windows(n)`, as in `v.windows(n).map(|w| w.mean())`",
    ),
    (
        &["counts", "count_by", "counts_by", "value_counts"],
        "how often each is there is `v.aggregate(|x| x, |g| g.count())`",
    ),
    (&["count_if", "countif", "count_where"], "write `v.filter(|x| …).count()`"),
    (&["sum_by", "sum_if", "sumif"], "write `v.map(|x| …).sum()`, behind a `filter` if not all count"),
    (&["unique", "drop_duplicates"], "each element once, where it first is, is `v.distinct()`"),
    (
        &["dedup"],
        "of elements in order it is `v.distinct()`, which leaves out equal ones that are apart, too",
    ),
    (&["where", "query", "loc", "select_rows"], "the rows for which something holds are `v.filter(|x| …)`"),
    (
        &["apply", "each", "transform", "with_column", "with_columns", "assign"],
        "something of each element is `v.map(|x| …)`, and several values a tuple",
    ),
    (
        &["agg", "summarize", "summarise"],
        "several results of each key are `v.aggregate(|x| key, |g| (g.count(), g.sum(|x| …)))`",
    ),
    (
        &["order_by", "arrange", "sort_values", "sorted_by", "sorted_by_key"],
        "write `v.sort_by_key(|x| …)`, and `.rev()` behind it for the largest first",
    ),
    (&["rank"], "the place of each in order is `v.argsort().argsort()`"),
    (&["head", "limit"], "the first n elements are `v.take(n)`"),
    (&["tail"], "the last n elements are `v.take(-n)`"),
    (&["offset"], "all but the first n elements are `v.skip(n)`"),
    (&["diff"], "from one to the next is `v.windows(2).map(|w| w[1] - w[0])`"),
    (
        &["shift", "lag", "lead", "pct_change"],
        "an element beside the one before is `v.windows(2).map(|w| …)`",
    ),
    (&["cum_sum", "cumulative_sum", "running_sum"], "write `v.cumsum()`"),
    (&["size", "length", "n_rows", "num_rows"], "write `v.len()`"),
    (&["minmax", "min_max"], "write `(v.min(), v.max())`, which is one loop"),
    (&["min_by"], "the least by a key is `v.min_by_key(|x| …)`"),
    (&["max_by"], "the greatest by a key is `v.max_by_key(|x| …)`"),
    (&["percentile"], "write `v.quantile(q)`, with q from 0.0 to 1.0"),
    (&["avg"], "write `v.mean()`"),
    (&["variance"], "write `v.var()`"),
    (&["stddev", "stdev", "std_dev"], "write `v.std()`"),
    (&["clip"], "write `x.clamp(low, high)`"),
    (&["astype", "to_float", "to_int"], "write the type: `x as f64`, `x as i64`"),
    (&["sign"], "write `x.signum()`"),
    (&["abs_diff"], "write `max(x, y) - min(x, y)`"),
    (&["rem_euclid", "modulo"], "write `((x % n) + n) % n`, which is not negative for a positive n"),
    (&["between", "is_between"], "write `low <= x && x <= high`"),
    (&["isin", "is_in"], "write `v.contains(x)`, or `keyexists(d, x)` of a dictionary"),
    (&["is_null", "isnull", "isna"], "write `o.is_none()`"),
    (&["is_not_null", "notnull", "notna"], "write `o.is_some()`"),
    (
        &["fill_null", "fillna", "coalesce", "ifnull"],
        "write `o.unwrap_or(x)`, or `o.or(p)` with another `Option`",
    ),
    (&["drop_nulls", "dropna"], "of a vector of options the values are `v.flatten()`"),
    (&["has", "has_key"], "write `keyexists(d, k)`"),
    (&["items"], "the pairs of a dictionary are `d.tovec()`"),
    (&["to_str", "to_text"], "write `x.to_string()`"),
    (&["substr", "substring"], "write `s.slice(from, length)`, in bytes"),
    (&["upper", "to_upper"], "write `s.to_uppercase()`"),
    (&["to_lower"], "write `s.to_lowercase()`"),
    (&["strip"], "write `s.trim()`"),
];
