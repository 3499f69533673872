//! The sugar: `map`, `filter`, `sum` and the rest, defined once as macros over `for` and builders.
//!
//! The table is `sugar.weld`, in the language itself. `min` and `max` of one argument are `least` and
//! `greatest` there, because with two arguments they are operators.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::syntax::ast::Macro;

/// The text of the table.
const TABLE: &str = include_str!("sugar.weld");

/// Names that a program may call: the sugar that users write, for suggestions.
pub(super) const NAMES: [&str; 108] = [
    "map",
    "filter",
    "flatten",
    "flat_map",
    "sum",
    "product",
    "count",
    "any",
    "all",
    "contains",
    "position",
    "find",
    "take_while",
    "skip_while",
    "mean",
    "var",
    "std",
    "enumerate",
    "zip",
    "min",
    "max",
    "reduce",
    "fold",
    "group_by",
    "reduce_by",
    "sort_by",
    "sort_by_key",
    "argmin",
    "argmax",
    "argsort",
    "chain",
    "histogram",
    "take",
    "drop",
    "skip",
    "step_by",
    "reverse",
    "rev",
    "cumsum",
    "cumprod",
    "cummin",
    "cummax",
    "to_dict",
    "dot",
    "clamp",
    "is_empty",
    "partition",
    "unzip",
    "min_by_key",
    "max_by_key",
    "distinct",
    "n_unique",
    "encode",
    "keys",
    "values",
    "get",
    "index_by",
    "join",
    "left_join",
    "semi_join",
    "anti_join",
    "random",
    "random_bits",
    "windows",
    "chunks",
    "k_smallest",
    "k_smallest_by_key",
    "k_largest",
    "k_largest_by_key",
    "quantile",
    "median",
    "starts_with",
    "ends_with",
    "strip_prefix",
    "strip_suffix",
    "trim",
    "trim_start",
    "trim_end",
    "rfind",
    "split_once",
    "rsplit_once",
    "split_whitespace",
    "chars",
    "repeat",
    "split",
    "lines",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "to_lowercase",
    "to_uppercase",
    "replace",
    "from_utf8",
    "partition_point",
    "search_sorted",
    "times",
    "scan_back",
    "neighbours",
    "iter",
    "rangeiter",
    "filter_map",
    "and_then",
    "or",
    "unwrap_or",
    "is_some",
    "is_none",
    "or_fault",
    "first",
    "last",
];

thread_local! {
    // Trees hold spans, which belong to a thread.
    static PARSED: OnceLock<HashMap<String, Macro>> = const { OnceLock::new() };
}

/// The definition of a sugar.
pub(super) fn definition(name: &str) -> Option<Macro> {
    if !TABLE.contains(&format!("macro {name}(")) {
        return None;
    }
    PARSED.with(|parsed| {
        let table = parsed.get_or_init(|| {
            crate::syntax::parse_prelude(TABLE).into_iter().map(|m| (m.name.name.clone(), m)).collect()
        });
        table.get(name).cloned()
    })
}
