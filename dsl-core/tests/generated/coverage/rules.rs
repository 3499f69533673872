//! Which rules have fired, of passes that have several: those of fusions as the report names them, and others as what a
//! pass has changed shows them. Where two of these fire at once, one may hide the other.

use std::collections::BTreeSet;

use weldment_core::ir::{Defs, Loc, Op, Program, Reducer, SinkKind};
use weldment_core::passes::Pass;
use weldment_core::report::Report;

use super::{Coverage, want};

/// What the report names.
const FUSED: [&str; 10] = [
    "push",
    "share",
    "pull",
    "branch",
    "count",
    "siblings",
    "group-by-reduce",
    "conditional-reduce",
    "same key",
    "column-to-row",
];

/// What is told from the programs before and after a pass.
const SEEN: [&str; 5] =
    ["listed key", "sorts", "vectors of fields", "reductions of fields", "fields that nobody reads"];

/// What should fire.
pub(super) fn wanted(wanted: &mut BTreeSet<String>) {
    want(wanted, "rule", FUSED.into_iter().chain(SEEN));
}

impl Coverage {
    /// Counts the fusions in `report`.
    pub(crate) fn fused(&mut self, report: &Report<Loc>) {
        report.fused.iter().for_each(|fused| self.count("rule", fused.rule));
    }

    /// Counts what else `pass` has done.
    pub(super) fn rules(&mut self, pass: &Pass, before: &Program, after: &Program) {
        let [was, is] = [before, after].map(Parts::of);
        let seen = match pass.name {
            // No other rule of the pass takes a look-up away, but with the branch around it.
            "simplify" => [was.ifs == is.ifs && is.listed < was.listed, false, false, false, false],
            // Sorted vectors are not kept as columns. Reductions of fields are more than before, and what reduces fewer
            // fields is one reduction still.
            "struct-of-arrays" => [
                false,
                was.sorted != is.sorted,
                was.collects + usize::from(was.sorted != is.sorted) * is.sorted.len() < is.collects,
                was.reductions < is.reductions,
                was.reductions == is.reductions && was.by_function != is.by_function,
            ],
            _ => return,
        };
        SEEN.iter().zip(seen).filter(|(_, fired)| *fired).for_each(|(rule, _)| self.count("rule", rule));
    }
}

/// What the rules change.
#[derive(Default)]
struct Parts {
    ifs: usize,
    /// Look-ups of a key from the list of the dictionary itself.
    listed: usize,
    /// The types of what is sorted.
    sorted: Vec<String>,
    collects: usize,
    reductions: usize,
    /// The types of what is reduced by functions.
    by_function: Vec<String>,
}

impl Parts {
    fn of(program: &Program) -> Parts {
        let (mut parts, defs) = (Parts::default(), Defs::of(program));
        program.for_each_stmt(program.entry.expect("an entry"), &mut |stmt| match &stmt.op {
            Op::If { .. } => parts.ifs += 1,
            &(Op::Lookup(dict, key) | Op::OptLookup(dict, key) | Op::KeyExists(dict, key)) => {
                let listed = || {
                    let Op::Field(entry, 0) = defs.op(program, key)? else { return None };
                    let Op::At(list, _) = defs.op(program, *entry)? else { return None };
                    (*defs.op(program, *list)? == Op::ToVec(dict)).then_some(())
                };
                parts.listed += usize::from(listed().is_some());
            }
            Op::Sort { vector, .. } => parts.sorted.push(program.ty(*vector).to_string()),
            Op::Loop(inner) => {
                for decl in &inner.sinks {
                    match &decl.kind {
                        SinkKind::Collect { .. } => parts.collects += 1,
                        SinkKind::Reduce { ty, reducer, .. } => {
                            parts.reductions += 1;
                            if let Reducer::Func(_) = reducer {
                                parts.by_function.push(ty.to_string());
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        });
        parts
    }
}
