//! `near_angles`: where an iteration takes sines, cosines or tangents, a block asks whether all its angles are near, and runs a version
//! without branches if they are.
//!
//! # Before / After
//! ```text
//! for k in 0..m by 16 { lanes p at k x 16 { x = load c[p]; y = sin x; … } }
//! ```
//! ```text
//! for k in 0..m by 16 {
//!   start a1
//!   lanes q at k x 16 { z = load c[q]; s = abs z; g = le s, 1647099.0; h = not g; a1 |= h }
//!   f = read a1
//!   if f { lanes p … y = sin x … } cold then else { lanes r … w = sin v near … }
//! }
//! ```
//!
//! # Declines when
//! An angle comes of a foreign function, which may do more than give a value, and so runs once.
//!
//! # Order
//! Behind `blocks`, before `fission`.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{CompareOp, Const, MathFn, Op, UnaryOp, Value};
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::math::LARGEST_ANGLE;

use super::pass::{Pass, each_block};
use crate::imp::copy::copy_of;
use crate::imp::make::{ANY, FLAG};
use crate::imp::{AccOp, Block, Imp, Known, Lane, Lanes, RegId, Side, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "near-angles", is_for: |target| target.near_split, run };

fn run(imp: &mut Imp, _: &Target) {
    each_block(imp, &mut |imp, block| {
        let is_wanted = |stmt: &Stmt| match stmt {
            Stmt::Lanes(lanes) => slice(&lanes.body).is_some(),
            _ => false,
        };
        if !block.stmts.iter().any(is_wanted) {
            return;
        }
        for stmt in std::mem::take(&mut block.stmts) {
            match stmt {
                Stmt::Lanes(lanes) if slice(&lanes.body).is_some() => rewrite(imp, lanes, block),
                stmt => block.stmts.push(stmt),
            }
        }
    });
}

/// The angles of an iteration.
pub(super) fn angles(body: &Block) -> Vec<Value> {
    let angle = |stmt: &Stmt| match stmt {
        Stmt::Let { op: Op::Math(function, args), known: Known::Nothing, .. } if function.is_of_angle() => {
            Some(args[0])
        }
        _ => None,
    };
    body.stmts.iter().filter_map(angle).collect()
}

/// The statements that compute the angles, if there are any and none is foreign.
fn slice(body: &Block) -> Option<Vec<Stmt>> {
    let mut needed: BTreeSet<Value> = angles(body).into_iter().collect();
    if needed.is_empty() {
        return None;
    }
    let mut slice = Vec::new();
    for stmt in body.stmts.iter().rev() {
        match stmt {
            Stmt::Let { result, op, .. } if needed.contains(result) => {
                if matches!(op, Op::Call(..)) {
                    return None;
                }
                op.for_each_operand(|operand| _ = needed.insert(operand));
                slice.push(stmt.clone());
            }
            Stmt::Load { result, .. } if needed.contains(result) => slice.push(stmt.clone()),
            _ => {}
        }
    }
    slice.reverse();
    Some(slice)
}

fn rewrite(imp: &mut Imp, lanes: Lanes, out: &mut Block) {
    let far = imp.flag();
    out.stmts.push(Stmt::Start(far));
    out.stmts.push(Stmt::Lanes(test(imp, &lanes, far)));
    let is_far = imp.value(FLAG);
    out.stmts.push(Stmt::Read { result: is_far, reg: far, fold: ANY });
    let whole = Block { stmts: vec![Stmt::Lanes(lanes)], results: Vec::new() };
    let mut near = copy_of(imp, &whole, BTreeMap::new());
    near.for_each_stmt_mut(&mut |stmt| {
        if let Stmt::Let { op: Op::Math(function, _), known, .. } = stmt
            && function.is_of_angle()
        {
            *known = Known::Near;
        }
    });
    out.stmts.push(Stmt::If {
        results: Vec::new(),
        cond: is_far,
        then: whole,
        els: near,
        cold: Some(Side::Then),
    });
}

/// The lanes that set `far` where an angle is not near.
fn test(imp: &mut Imp, lanes: &Lanes, far: RegId) -> Lanes {
    let stmts = slice(&lanes.body).unwrap_or_default();
    let mut body = Block { stmts, results: angles(&lanes.body) };
    for angle in std::mem::take(&mut body.results) {
        let Some(ty) = imp.values[angle].ty.as_scalar() else { continue };
        let limit = imp.constant(match ty {
            Scalar::F32 => Const::F32(LARGEST_ANGLE as f32),
            _ => Const::F64(LARGEST_ANGLE),
        });
        let mut wide = |body: &mut Block, ty: Type, op: Op| {
            let result = body.bind(imp, ty, op);
            imp.values[result].width = lanes.width;
            result
        };
        let size = wide(&mut body, ty.into(), Op::Math(MathFn::Abs, vec![angle]));
        let is_near = wide(&mut body, FLAG, Op::Compare(CompareOp::Le, size, limit));
        let is_far = wide(&mut body, FLAG, Op::Unary(UnaryOp::Not, is_near));
        let op = AccOp::Or;
        body.stmts.push(Stmt::Accumulate { reg: far, lane: Lane::Zero, op, value: is_far, mask: None });
    }
    let whole = Block { stmts: vec![Stmt::Lanes(Lanes { body, ..lanes.clone() })], results: Vec::new() };
    let mut copy = copy_of(imp, &whole, BTreeMap::new());
    match copy.stmts.pop() {
        Some(Stmt::Lanes(lanes)) => lanes,
        _ => unreachable!("a copy of lanes is lanes"),
    }
}
