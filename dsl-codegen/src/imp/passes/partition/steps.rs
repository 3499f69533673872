//! The steps of axes and slices, which are 1 for most of them.

use std::collections::HashSet;

use weldment_core::ir::{BinaryOp, Op, SpanPart, Value};

use crate::imp::{Imp, Stmt};

/// Numbers of which is taken that they are 1.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// What positions are multiplied by.
    factors: HashSet<Value>,
    /// What distances are divided by, both for the quotient and for the rest. The number of an iteration is no distance.
    divisors: HashSet<Value>,
}

impl Steps {
    pub(super) fn of(imp: &Imp) -> Steps {
        let mut steps = Steps::default();
        let (mut quotients, mut rests, mut numbers) = (HashSet::new(), HashSet::new(), HashSet::new());
        for func in imp.funcs.ids() {
            imp.funcs[func].body.for_each_stmt(&mut |stmt| match stmt {
                Stmt::Let { result, op: Op::Span(part, span), .. } => {
                    steps.factors.extend((*part == SpanPart::Stride).then_some(*result));
                    steps.factors.insert(span[4]);
                }
                Stmt::Let { op: Op::Position(_, _, step, _), .. } => _ = steps.factors.insert(*step),
                Stmt::Let { op: Op::Binary(BinaryOp::Div, x, y), .. } => _ = quotients.insert((*x, *y)),
                Stmt::Let { op: Op::Binary(BinaryOp::Rem, x, y), .. } => _ = rests.insert((*x, *y)),
                Stmt::For(inner) => numbers.extend(inner.number.map(|number| number.value)),
                _ => {}
            });
        }
        let both = quotients.intersection(&rests).filter(|(x, _)| !numbers.contains(x));
        steps.divisors.extend(both.map(|&(_, step)| step));
        for of in [&mut steps.factors, &mut steps.divisors] {
            of.retain(|&step| imp.values[step].constant.is_none());
        }
        steps
    }

    pub(super) fn multiplies(&self, step: Value) -> bool {
        self.factors.contains(&step)
    }

    pub(super) fn divides(&self, step: Value) -> bool {
        self.divisors.contains(&step)
    }
}
