//! Which vectors of vectors only the program itself reads, row by row, so that an emitter may keep the elements of all rows one
//! after the other, in place of a vector for each row.
//!
//! It is decided here rather than by a pass because the elements need not lie in *one* vector for that: what the chunks
//! of a split loop append stays where it is. Offsets into one vector of all elements would have to wait for all
//! chunks, and then move every element once more.

use std::collections::{BTreeSet, HashMap, HashSet};

use weldment_core::ir::{Op, Program, Sink, SinkKind, Value};

use super::{Block, LoopProgram, Step, StoreKind, facts};

/// The vectors of vectors that loops collect and of which nobody reads but rows and how many there are. A row may be read
/// as anything: it is a slice.
pub(super) fn find(program: &Program) -> BTreeSet<Value> {
    let Some(entry) = program.entry else { return BTreeSet::new() };
    let mut collected = BTreeSet::new();
    let mut reads: HashMap<Value, usize> = HashMap::new();
    let mut reads_by_row: HashMap<Value, usize> = HashMap::new();
    program.for_each_stmt(entry, &mut |stmt| match &stmt.op {
        Op::Loop(inner) => {
            for (decl, &result) in inner.sinks.iter().zip(&stmt.results) {
                if matches!(&decl.kind, SinkKind::Collect { ty, .. } if ty.element().is_some()) {
                    collected.insert(result);
                }
            }
        }
        Op::At(of, _) | Op::Len(of) => *reads_by_row.entry(*of).or_default() += 1,
        _ => {}
    });
    program.for_each_read(entry, &mut |value| *reads.entry(value).or_default() += 1);
    collected.retain(|value| reads.get(value) == reads_by_row.get(value));
    collected
}

/// The stores that make rows for another store, with that store: both in one block, or the merge in a branch of it.
pub(crate) fn makers(program: &LoopProgram) -> HashMap<Sink, Sink> {
    fn visit_merges(
        block: &Block,
        made: &HashMap<Value, Sink>,
        keeps: &impl Fn(Sink) -> bool,
        makers: &mut HashMap<Sink, Sink>,
    ) {
        for step in &block.steps {
            match step {
                Step::Merge(merge) if keeps(merge.sink) => {
                    if let Some(&maker) = made.get(&merge.values[0]) {
                        makers.insert(maker, merge.sink);
                    }
                }
                Step::If { then, els, .. } => {
                    visit_merges(then, made, keeps, makers);
                    visit_merges(els, made, keeps, makers);
                }
                _ => {}
            }
        }
    }
    fn visit(block: &Block, keeps: &impl Fn(Sink) -> bool, makers: &mut HashMap<Sink, Sink>) {
        let made = block.steps.iter().flat_map(|step| match step {
            Step::Nest(nest) => nest.stores.as_slice(),
            _ => &[],
        });
        let made = made.filter(|store| matches!(store.kind, StoreKind::Collect { .. }));
        let made: HashMap<Value, Sink> = made.map(|store| (store.result, store.sink)).collect();
        if !made.is_empty() {
            visit_merges(block, &made, keeps, makers);
        }
        for step in &block.steps {
            facts::for_each_block(step, &mut |inner| visit(inner, keeps, makers));
        }
    }
    let mut keeps = HashSet::new();
    facts::for_each_step(&program.body, &mut |step| {
        if let Step::Nest(nest) = step {
            let rows = nest.stores.iter().filter(|store| program.rows.contains(&store.result));
            keeps.extend(rows.map(|store| store.sink));
        }
    });
    let mut makers = HashMap::new();
    visit(&program.body, &|sink| keeps.contains(&sink), &mut makers);
    makers
}

#[cfg(test)]
mod tests {
    use weldment_core::front::from_text;

    use crate::loops::{Options, build};

    /// How many vectors of the program, which is not optimised, are read row by row.
    fn check(text: &str, expected: usize) {
        let lowered = from_text(text).expect("the test is well formed");
        let loops = build(&lowered.program, &Options::default());
        assert_eq!(loops.rows.len(), expected, "{text}\n{loops}");
        assert_eq!(loops.to_string().matches("collect rows").count(), expected, "{loops}");
    }

    const ROWS: &str = "let rows = n.map(|k| n.filter(|x| x > k));";

    #[test]
    fn rows_that_are_read_are_found() {
        check(&format!("|n: &[i64]| {{ {ROWS} (rows.map(|r| r.sum()), len(rows)) }}"), 1);
        check(&format!("|n: &[i64]| {{ {ROWS} n.map(|i| rows[i][i]) }}"), 1);
        check(&format!("|n: &[i64]| {{ {ROWS} rows[1] }}"), 1);
        check(
            "|n: &[i64]| { let rows = n.map(|k| n.map(|x| (x, n))); rows.map(|r| r.map(|p| p.1[0]).sum()) }",
            1,
        );
        check("|n: &[i64]| { let rows = n.map(|k| n); rows.map(|r| r.sum()) }", 1);
        // The outer rows are read; an inner one is merged, which takes it whole.
        check("|n: &[i64]| { let deep = n.map(|k| n.map(|j| n.map(|i| i + j))); deep[0][1][2] }", 1);
    }

    #[test]
    fn vectors_that_are_more_than_rows_are_left() {
        check(&format!("|n: &[i64]| {{ {ROWS} rows }}"), 0);
        check(&format!("|n: &[i64]| {{ {ROWS} (rows.map(|r| r.sum()), rows) }}"), 0);
        check(&format!("|n: &[i64]| {{ {ROWS} sort(rows, |a, b| compare(a, b))[0] }}"), 0);
        check(&format!("|n: &[i64]| {{ {ROWS} slice(rows, 1, 2)[0] }}"), 0);
        check(&format!("|n: &[i64]| {{ {ROWS} len(serialize(rows)) }}"), 0);
        check(&format!("|n: &[i64]| {{ {ROWS} rows == rows }}"), 0);
        check(&format!("|n: &[i64]| {{ {ROWS} let s = (rows, 1); s.0[0] }}"), 0);
        check(&format!("|n: &[i64]| {{ {ROWS} iterate((rows, 0), |s| ((s.0, s.1 + 1), s.1 < 3)).0[0] }}"), 0);
        check(
            &format!("|n: &[i64]| {{ {ROWS} let some = if len(n) > 3 {{ rows }} else {{ [n] }}; some[0] }}"),
            0,
        );
        check("|n: &[i64]| n.map(|k| k + 1)[0]", 0);
        check("|n: &[Vec<i64>]| n[0][0]", 0);
    }
}
