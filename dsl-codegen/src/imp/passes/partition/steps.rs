//! The steps of axes and slices, which are 1 for most of them, or as a slice says.

use std::collections::{HashMap, HashSet};

use weldment_core::ir::{BinaryOp, Op, SpanPart, Value};

use super::linear::literal;
use crate::imp::{Imp, Stmt};

/// Numbers of which is taken what they are.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// What positions are multiplied by: 1, or the step of a slice of an axis whose own is 1.
    factors: HashMap<Value, i64>,
    /// What distances are divided by, which is 1, both for the quotient and for the rest. The number of an iteration is no distance.
    divisors: HashSet<Value>,
}

impl Steps {
    pub(super) fn of(imp: &Imp) -> Steps {
        let mut steps = Steps::default();
        let (mut quotients, mut rests, mut numbers) = (HashSet::new(), HashSet::new(), HashSet::new());
        for func in imp.funcs.ids() {
            imp.funcs[func].body.for_each_stmt(&mut |stmt| match stmt {
                Stmt::Let { result, op: Op::Span(part, span), .. } => {
                    let step = literal(imp, span[2]).unwrap_or(1);
                    steps.factors.extend((*part == SpanPart::Stride).then_some((*result, step)));
                    steps.factors.entry(span[4]).or_insert(1);
                }
                Stmt::Let { op: Op::Position(_, _, step, _), .. } => {
                    _ = steps.factors.entry(*step).or_insert(1)
                }
                Stmt::Let { op: Op::Binary(BinaryOp::Div, x, y), .. } => _ = quotients.insert((*x, *y)),
                Stmt::Let { op: Op::Binary(BinaryOp::Rem, x, y), .. } => _ = rests.insert((*x, *y)),
                Stmt::For(inner) => numbers.extend(inner.number.map(|number| number.value)),
                _ => {}
            });
        }
        let both = quotients.intersection(&rests).filter(|(x, _)| !numbers.contains(x));
        steps.divisors.extend(both.map(|&(_, step)| step));
        let is_open = |step: &Value| imp.values[*step].constant.is_none();
        steps.factors.retain(|step, _| is_open(step));
        steps.divisors.retain(is_open);
        steps
    }

    /// What `step` is taken to be where something is multiplied by it.
    pub(super) fn factor(&self, step: Value) -> Option<i64> {
        self.factors.get(&step).copied()
    }

    pub(super) fn divides(&self, step: Value) -> bool {
        self.divisors.contains(&step)
    }
}
