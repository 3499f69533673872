//! `fission`: an iteration whose functions of mathematics wait for each other runs in stages, each for all lanes of a block.
//!
//! Each such function is a hundred operations or more, and a CPU looks no further ahead than some hundred: where one takes what
//! another gives, it finds too little to do side by side, within an iteration and beyond. So a block runs the first of them for all
//! of its lanes, and then the next. Functions that do not wait for each other run side by side anyway, and stay in one stage.
//!
//! # Before / After
//! ```text
//! lanes p at k x 16 { x = load c[p]; y = log x; z = erf y; a0[p] += z }
//! ```
//! ```text
//! lanes p at k x 16 { x = load c[p]; y = log x }
//! lanes q at k x 16 { z = erf y; a0[q] += z }
//! ```
//! Every lane sees the operations of its iteration, so that the results have the same bits.
//!
//! # Declines when
//! The body does more than to compute scalars and merge them; or the lanes hardly ever run.
//!
//! # Order
//! Behind `near_angles`.

use std::collections::HashSet;

use weldment_core::ir::{Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::pass::Pass;
use crate::imp::{Block, Imp, Lanes, Number, Side, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "fission", is_for: |target| target.fission, run };

fn run(imp: &mut Imp, _: &Target) {
    let funcs: Vec<_> = imp.funcs.ids().collect();
    for func in funcs {
        let mut body = std::mem::take(&mut imp.funcs[func].body);
        rewrite(imp, &mut body);
        imp.funcs[func].body = body;
    }
}

fn rewrite(imp: &mut Imp, block: &mut Block) {
    for stmt in std::mem::take(&mut block.stmts) {
        match stmt {
            Stmt::Lanes(lanes) => match cuts(imp, &lanes.body) {
                Some(cuts) => stages(imp, lanes, &cuts, block),
                None => block.stmts.push(Stmt::Lanes(lanes)),
            },
            Stmt::If { results, cond, mut then, mut els, cold } => {
                if cold != Some(Side::Then) {
                    rewrite(imp, &mut then);
                }
                if cold != Some(Side::Else) {
                    rewrite(imp, &mut els);
                }
                block.stmts.push(Stmt::If { results, cond, then, els, cold });
            }
            mut stmt => {
                stmt.for_each_block_mut(|inner| rewrite(imp, inner));
                block.stmts.push(stmt);
            }
        }
    }
}

/// The statements before which a stage begins, but for the first: a long function stands in a stage after those that it waits for.
pub(super) fn cuts(imp: &Imp, body: &Block) -> Option<Vec<usize>> {
    let mut cuts = Vec::new();
    // What waits for a long function of the stage at hand.
    let mut late: HashSet<Value> = HashSet::new();
    for (at, stmt) in body.stmts.iter().enumerate() {
        match stmt {
            Stmt::Load { .. } | Stmt::Accumulate { .. } | Stmt::Do { .. } => {}
            Stmt::Let { result, op, .. } if is_arithmetic(op) && imp.values[*result].ty.is_scalars() => {
                let is_long = is_long(&imp.values[*result].ty, op);
                let mut waits = false;
                op.for_each_operand(|operand| waits |= late.contains(&operand));
                if is_long && waits {
                    cuts.push(at);
                    late.clear();
                }
                if is_long || waits {
                    late.insert(*result);
                }
            }
            _ => return None,
        }
    }
    (!cuts.is_empty()).then_some(cuts)
}

/// Whether `op` makes a scalar of scalars, wherever it stands.
fn is_arithmetic(op: &Op) -> bool {
    matches!(
        op,
        Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Math(..)
            | Op::Cast(..)
            | Op::Half(..)
            | Op::Select(..)
    )
}

/// Whether `op`, which gives a `ty`, is a function that takes a polynomial or more.
pub(super) fn is_long(ty: &Type, op: &Op) -> bool {
    let is_float = ty.as_scalar().is_some_and(Scalar::is_float);
    matches!(op, Op::Math(function, _) if is_float && !function.is_exact())
}

/// The stages of `lanes`. Each has a position of its own, and merges stand in the last.
fn stages(imp: &mut Imp, lanes: Lanes, cuts: &[usize], out: &mut Block) {
    let Lanes { index, number, first, width, apart, body } = lanes;
    let is_merge = |stmt: &Stmt| matches!(stmt, Stmt::Accumulate { .. } | Stmt::Do { .. });
    let (mut merges, mut stages) = (Vec::new(), vec![Vec::new()]);
    for (at, stmt) in body.stmts.into_iter().enumerate() {
        if cuts.contains(&at) {
            stages.push(Vec::new());
        }
        match is_merge(&stmt) {
            true => merges.push(stmt),
            false => stages.last_mut().expect("the first stage").push(stmt),
        }
    }
    stages.last_mut().expect("the first stage").extend(merges);
    let last = stages.len() - 1;
    for (stage, mut stmts) in stages.into_iter().enumerate() {
        // The last stage keeps the names that merges have.
        let (own, own_number) = if stage == last {
            (index, number)
        } else {
            let own = wide(imp, index, width);
            let number = number.map(|number| Number { value: wide(imp, number.value, width), ..number });
            (own, number)
        };
        for stmt in &mut stmts {
            stmt.for_each_value_mut(|_, value| {
                if *value == index {
                    *value = own;
                }
                if let (Some(old), Some(new)) = (number, own_number)
                    && *value == old.value
                {
                    *value = new.value;
                }
            });
        }
        let body = Block { stmts, results: Vec::new() };
        let reads_number =
            own_number.filter(|number| body.stmts.iter().any(|stmt| reads(stmt, number.value)));
        out.stmts.push(Stmt::Lanes(Lanes { index: own, number: reads_number, first, width, apart, body }));
    }
}

fn reads(stmt: &Stmt, value: Value) -> bool {
    let mut found = false;
    stmt.for_each_value(|_, read| found |= read == value);
    found
}

fn wide(imp: &mut Imp, like: Value, width: u32) -> Value {
    let mut info = imp.values[like].clone();
    info.width = width;
    imp.values.push(info)
}
