//! Which look-ups need no search of their own: another one has looked for the same key in the same dictionary.
//!
//! The usual join asks whether a key is there and, where it is, for its value. Searching once is not a matter of the IR: an
//! op that gives both, as `opt_lookup` does, would have to copy a value that is a vector. What is shared is the place that
//! was found, and that is no value of the language.

use std::collections::{BTreeMap, HashMap};

use weldment_core::ir::{Arena, Op, Value, ValueInfo};
use weldment_runtime::lang::types::Type;

use super::facts::for_each_block;
use super::{Block, Step};

/// The look-ups in `block` that find what an earlier one has found, and that one. It stands in the same block, or in one
/// around with nothing but branches between, so that its place is still at hand.
pub(super) fn shared(values: &Arena<Value, ValueInfo>, block: &Block) -> BTreeMap<Value, Value> {
    let mut shared = BTreeMap::new();
    Searches { values, shared: &mut shared }.block(block, &mut HashMap::new());
    shared
}

/// The dictionary and the key of a look-up.
pub(crate) fn searched(values: &Arena<Value, ValueInfo>, op: &Op) -> Option<(Value, Value)> {
    let (&Op::KeyExists(of, key) | &Op::Lookup(of, key) | &Op::OptLookup(of, key)) = op else { return None };
    matches!(values[of].ty, Type::Dict(..)).then_some((of, key))
}

struct Searches<'a> {
    values: &'a Arena<Value, ValueInfo>,
    shared: &'a mut BTreeMap<Value, Value>,
}

impl Searches<'_> {
    /// Adds those of `block`, before which those of `done` stand.
    fn block(&mut self, block: &Block, done: &mut HashMap<(Value, Value), Value>) {
        for step in &block.steps {
            match step {
                Step::Bind { result, op, .. } => {
                    if let Some(search) = searched(self.values, op) {
                        match done.get(&search) {
                            Some(&first) => _ = self.shared.insert(*result, first),
                            None => _ = done.insert(search, *result),
                        }
                    }
                }
                Step::If { .. } => for_each_block(step, &mut |side| self.block(side, &mut done.clone())),
                step => for_each_block(step, &mut |inner| self.block(inner, &mut HashMap::new())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use weldment_core::front::from_text;

    use crate::loops::{Options, build};

    /// How many look-ups of the program, which is not optimised, find what another one has found.
    fn check(body: &str, expected: usize) {
        let text = format!("|d: &Dict<i64, f64>, e: &Dict<i64, f64>, k: i64, j: i64| {body}");
        let lowered = from_text(&text).expect("the test is well formed");
        let loops = build(&lowered.program, &Options::default());
        assert_eq!(loops.shared_searches.len(), expected, "{text}\n{loops}");
        assert_eq!(loops.to_string().matches("found by").count(), expected, "{loops}");
    }

    #[test]
    fn one_key_in_one_dictionary_is_searched_once() {
        check("if keyexists(d, k) { d[k] } else { 0.0 }", 1);
        check("if keyexists(d, k) { d[k] + optlookup(d, k).1 } else { 0.0 }", 2);
        check("if keyexists(d, k) { if keyexists(e, k) { d[k] + e[k] } else { d[k] } } else { 0.0 }", 3);
        check("(d[k], keyexists(d, k), optlookup(d, k))", 2);
        check("(0..k).map(|i| if keyexists(d, i) { d[i] } else { 0.0 })", 1);
    }

    #[test]
    fn other_keys_and_other_dictionaries_are_searched() {
        check("if keyexists(d, k) { d[j] + e[k] } else { 0.0 }", 0);
    }

    #[test]
    fn what_one_side_has_found_the_other_has_not() {
        check("if k > j { d[k] } else { d[k] * 2.0 }", 0);
        check("(if k > j { d[k] } else { 0.0 }) + d[k]", 0);
    }

    #[test]
    fn what_was_found_does_not_reach_into_loops() {
        check("if keyexists(d, k) { (0..j).map(|_| d[k]).sum() } else { 0.0 }", 0);
        check("if keyexists(d, k) { iterate((j, 0.0), |s| ((s.0, d[k]), false)).1 } else { 0.0 }", 0);
    }
}
