//! Where programs have merged: in which order with nested loops, under which conditions, and how deep.

use std::collections::BTreeSet;

use weldment_core::analysis::merges;
use weldment_core::ir::{BodyId, Loop, Op, Program, Sink, SinkKind};

use super::{Coverage, want};

const PLACES: [&str; 13] = [
    "in a loop",
    "in a region",
    "into several sinks of a loop",
    "at the same places in another order",
    "twice in a body",
    "before a nested loop",
    "inside a nested loop",
    "after a nested loop",
    "before, inside and after a nested loop",
    "inside two nested loops",
    "in one branch",
    "in both branches",
    "inside an iterate",
];

/// What [`Coverage::places`] should count.
pub(super) fn wanted(wanted: &mut BTreeSet<String>) {
    want(wanted, "merge", PLACES);
}

/// What a statement does to a sink.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Merge,
    /// A loop that merges.
    For,
}

impl Coverage {
    /// Counts where the sinks of `program` are merged into.
    pub(super) fn places(&mut self, program: &Program) {
        program.for_each_stmt(program.entry.expect("an entry"), &mut |stmt| {
            let Op::Loop(inner) = &stmt.op else { return };
            self.count("merge", if inner.extents.is_empty() { "in a region" } else { "in a loop" });
            if inner.sinks.len() > 1 {
                self.count("merge", "into several sinks of a loop");
            }
            if is_fed_in_another_order(program, inner) {
                self.count("merge", "at the same places in another order");
            }
            for decl in &inner.sinks {
                self.body(program, inner.body, decl.sink, 0);
            }
        });
    }

    /// Counts where `body`, inside so many nested loops, merges into `sink`.
    fn body(&mut self, program: &Program, body: BodyId, sink: Sink, depth: usize) {
        let mut steps = Vec::new();
        for stmt in &program.bodies[body].stmts {
            let merging: Vec<BodyId> =
                stmt.op.bodies().into_iter().filter(|&inner| merges(program, inner, sink)).collect();
            match &stmt.op {
                Op::Merge { sink: into, .. } if *into == sink => steps.push(Step::Merge),
                // The sink is another's.
                Op::Loop(_) => continue,
                _ if merging.is_empty() => continue,
                Op::For { .. } => {
                    steps.push(Step::For);
                    self.count(
                        "merge",
                        if depth == 0 { "inside a nested loop" } else { "inside two nested loops" },
                    );
                }
                Op::If { .. } => {
                    self.count(
                        "merge",
                        if merging.len() == 2 { "in both branches" } else { "in one branch" },
                    );
                }
                Op::Iterate { .. } => self.count("merge", "inside an iterate"),
                _ => {}
            }
            let deeper = depth + usize::from(matches!(stmt.op, Op::For { .. }));
            merging.into_iter().for_each(|inner| self.body(program, inner, sink, deeper));
        }
        let first = steps.iter().position(|step| *step == Step::For);
        let merged = |steps: &[Step]| steps.contains(&Step::Merge);
        let (before, after) = first.map_or((false, false), |at| (merged(&steps[..at]), merged(&steps[at..])));
        let places = [
            (before, "before a nested loop"),
            (after, "after a nested loop"),
            (before && after, "before, inside and after a nested loop"),
            (steps.windows(2).any(|pair| pair == [Step::Merge; 2]), "twice in a body"),
        ];
        for (_, place) in places.into_iter().filter(|(is_so, _)| *is_so) {
            self.count("merge", place);
        }
    }
}

/// Whether two vectors that `inner` makes get elements in the same bodies, but not the first where the other gets its
/// first: they belong together nowhere, though they look so.
fn is_fed_in_another_order(program: &Program, inner: &Loop) -> bool {
    let made = inner.sinks.iter().filter(|decl| matches!(decl.kind, SinkKind::Collect { .. }));
    let places: Vec<Vec<BodyId>> =
        made.map(|decl| merges::in_order(program, inner.body, decl.sink)).collect();
    let sorted = |places: &[BodyId]| {
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        sorted
    };
    let differ =
        |first: &Vec<BodyId>, second: &Vec<BodyId>| first != second && sorted(first) == sorted(second);
    places.iter().any(|first| places.iter().any(|second| differ(first, second)))
}

/// Whether `body` merges into `sink`.
fn merges(program: &Program, body: BodyId, sink: Sink) -> bool {
    let mut found = false;
    program.for_each_stmt(body, &mut |stmt| {
        found |= matches!(&stmt.op, Op::Merge { sink: into, .. } if *into == sink);
    });
    found
}
