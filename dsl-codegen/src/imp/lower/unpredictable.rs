//! Selections of which nothing foretells what they choose.
//!
//! A step of a search goes on below or above, as an element says that it has just read. A branch on that is wrong every second time, and
//! costs more than all else of the step; but compilers make branches of selections that wait for memory in loops. Those of an
//! `iterate` have this hint, by which they stay instructions that choose.

use std::collections::HashSet;

use weldment_core::ir::{Op, Value};

use crate::loops::facts::for_each_operand;
use crate::loops::{Block, Step};

/// The selections in the body of an `iterate` that depend on what a step reads there. Loops inside have steps of their own.
pub(super) fn selections(body: &Block) -> HashSet<Value> {
    let mut found = Found::default();
    found.block(body);
    found.selections
}

#[derive(Default)]
struct Found {
    /// What depends on what was read.
    read: HashSet<Value>,
    selections: HashSet<Value>,
}

impl Found {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            match step {
                Step::Bind { result, op, .. } => {
                    let mut depends = matches!(op, Op::At(..) | Op::Lookup(..));
                    for_each_operand(step, &mut |operand| depends |= self.read.contains(&operand));
                    if depends {
                        self.read.insert(*result);
                    }
                    if matches!(op, Op::Select(cond, ..) if self.read.contains(cond)) {
                        self.selections.insert(*result);
                    }
                }
                Step::If { results, cond, then, els } => {
                    self.block(then);
                    self.block(els);
                    for (result, (yes, no)) in results.iter().zip(then.results.iter().zip(&els.results)) {
                        if [cond, yes, no].into_iter().any(|value| self.read.contains(value)) {
                            self.read.insert(*result);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
