//! The sugar: `map`, `filter`, `sum` and the rest, defined once as macros over `for` and builders.
//!
//! The table is `sugar.weld`, in the language itself. `min` and `max` of one argument are `least` and
//! `greatest` there, because with two arguments they are operators.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::syntax::ast::Macro;
use crate::syntax::parse_prelude;

/// The text of the table, a definition to a line.
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
    static PARSED: RefCell<HashMap<&'static str, Macro>> = RefCell::default();
}

/// The definition of a sugar. Only what is used is parsed: all of the table takes longer than to compile a small program.
pub(super) fn definition(name: &str) -> Option<Macro> {
    let is_of = |line: &&str| {
        let rest = line.strip_prefix("macro ").and_then(|line| line.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with('('))
    };
    let line = TABLE.lines().find(is_of)?;
    PARSED.with_borrow_mut(|parsed| Some(parsed.entry(line).or_insert_with(|| parse_prelude(line)).clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_defines_one_macro() {
        for line in TABLE.lines() {
            let defined = parse_prelude(line);
            let found = definition(&defined.name.name).expect(line);
            assert_eq!((&found.name.name, found.params.len()), (&defined.name.name, defined.params.len()));
        }
        assert!(definition("no_such_word").is_none() && definition("").is_none());
    }
}
