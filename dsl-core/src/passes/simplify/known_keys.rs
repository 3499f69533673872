//! Look-ups in a dictionary whose few keys stand in the program: a comparison with each of them.
//!
//! ```text
//! d = region { sink #0 = bucket_reduce by (x, y) { return y } i64 -> f64; merge #0, a, x; merge #0, b, y }
//! key_exists d, k    is    or (eq k, a), (eq k, b)
//! opt_lookup d, k    is    struct {that, select (eq k, b), y, (select (eq k, a), x, 0)}
//! lookup d, k        is    if that { that value } else { lookup d, k }, which faults
//! ```

use std::collections::BTreeSet;

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value;

use super::shapes::Rule;
use crate::constants::{self, MAX_KEYS};
use crate::ir::local::Replacement;
use crate::ir::{Defs, Loc, Op, Program, Reducer, SinkKind, Stmt, Value};

/// All rules on such look-ups.
pub(super) const RULES: &[Rule] = &[(
    "key_exists d, k = k == a || k == b, where d has the keys a and b; so opt_lookup and lookup",
    known_key,
)];

fn known_key(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let (Op::Lookup(dict, key) | Op::OptLookup(dict, key) | Op::KeyExists(dict, key)) = stmt.op else {
        return None;
    };
    let entries = entries(program, defs, dict)?;
    let Type::Dict(of_key, of_value) = program.ty(dict).clone() else { return None };
    let is_compared = of_key.is_text() || of_key.as_scalar().is_some_and(|scalar| !scalar.is_float());
    let is_asked = matches!(stmt.op, Op::KeyExists(..));
    let faults = || {
        matches!(stmt.op, Op::Lookup(..))
            && (is_missing(program, defs, &entries, key) || is_left(program, defs, stmt, key))
    };
    if !is_compared || !is_asked && !of_value.is_scalars() || faults() {
        return None;
    }
    let (loc, mut stmts) = (stmt.loc, Vec::new());
    let mut there = program.append(Op::Const(Const::Bool(false)), loc, &mut stmts);
    let mut found = match is_asked {
        true => None,
        false => Some(constants::append(program, &of_value, &value::Value::zero(&of_value), loc, &mut stmts)),
    };
    for [other, value] in entries {
        let is = program.append(Op::Compare(CompareOp::Eq, key, other), loc, &mut stmts);
        there = program.append(Op::Binary(BinaryOp::Or, there, is), loc, &mut stmts);
        found = found.map(|found| program.append(Op::Select(is, value, found), loc, &mut stmts));
    }
    let result = match (&stmt.op, found) {
        (Op::OptLookup(..), Some(found)) => {
            let ty = program.ty(stmt.results[0]).clone();
            let name = match &ty {
                Type::Struct(fields) => fields.name().cloned(),
                _ => None,
            };
            program.append(Op::Struct(vec![there, found], name), loc, &mut stmts)
        }
        (Op::Lookup(..), Some(found)) => {
            let whole = stmt_or_fault(program, stmt, [there, found], loc);
            let result = whole.results[0];
            stmts.push(whole);
            result
        }
        _ => there,
    };
    Some(Replacement { stmts, values: vec![result] })
}

/// The keys and values of a dictionary, in the order in which the last of equal keys wins, if they are few and stand in the program.
fn entries(program: &Program, defs: &Defs, dict: Value) -> Option<Vec<[Value; 2]>> {
    let Op::Loop(region) = defs.op(program, dict)? else { return None };
    let ([], [decl]) = (&region.extents[..], &region.sinks[..]) else { return None };
    let SinkKind::BucketReduce { reducer: Reducer::Func(func), .. } = decl.kind else { return None };
    let of_func = &program.bodies[func];
    let is_last = of_func.stmts.is_empty() && of_func.results.first() == of_func.params.get(1);
    let stmts = &program.bodies[region.body].stmts;
    if !is_last || stmts.len() > MAX_KEYS {
        return None;
    }
    let merged = |stmt: &Stmt| match &stmt.op {
        Op::Merge { sink, values } if *sink == decl.sink => <[Value; 2]>::try_from(&values[..]).ok(),
        _ => None,
    };
    stmts.iter().map(merged).collect()
}

/// Whether it is the look-up that is left for a key that is not there: what it stands in has been decided by comparisons with the key, or with what the
/// key is computed of.
fn is_left(program: &Program, defs: &Defs, stmt: &Stmt, key: Value) -> bool {
    let Some(mut body) = defs.body_of(stmt.results[0]) else { return false };
    let parts = computed_of(program, defs, key);
    while let Some((around, number)) = defs.holder(body) {
        if let Some(Stmt { op: Op::If { cond, .. }, .. }) = program.bodies[around].stmts.get(number)
            && computed_of(program, defs, *cond)
                .iter()
                .any(|&value| is_comparison(program, defs, value, &parts))
        {
            return true;
        }
        body = around;
    }
    false
}

fn is_comparison(program: &Program, defs: &Defs, value: Value, parts: &BTreeSet<Value>) -> bool {
    let Some(Op::Compare(CompareOp::Eq, a, b)) = defs.op(program, value) else { return false };
    let is_part =
        |value: &Value| parts.contains(value) && !matches!(defs.op(program, *value), Some(Op::Const(_)));
    is_part(a) || is_part(b)
}

/// `value`, and the scalars that it is computed of.
fn computed_of(program: &Program, defs: &Defs, value: Value) -> BTreeSet<Value> {
    let (mut next, mut parts) = (vec![value], BTreeSet::new());
    while let Some(value) = next.pop() {
        if parts.insert(value)
            && let Some(
                op @ (Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Cast(..) | Op::Select(..)),
            ) = defs.op(program, value)
        {
            op.for_each_operand(|operand| next.push(operand));
        }
    }
    parts
}

/// Whether it is known that no entry has this key, so that the look-up faults.
fn is_missing(program: &Program, defs: &Defs, entries: &[[Value; 2]], key: Value) -> bool {
    let constant = |value: Value| match defs.op(program, value) {
        Some(Op::Const(constant)) => Some(*constant),
        _ => None,
    };
    let key = constant(key);
    entries.iter().all(|&[other, _]| key.is_some() && constant(other).is_some_and(|other| Some(other) != key))
}

/// What `found` is if it is `there`, else the look-up `stmt`, which faults.
fn stmt_or_fault(program: &mut Program, stmt: &Stmt, [there, found]: [Value; 2], loc: Loc) -> Stmt {
    let then = program.add_body(Vec::new(), Vec::new(), vec![found]);
    let missed = program.fresh(program.ty(found).clone());
    let missing = Stmt { results: vec![missed], op: stmt.op.clone(), loc };
    let els = program.add_body(Vec::new(), vec![missing], vec![missed]);
    let result = program.fresh(program.ty(found).clone());
    Stmt { results: vec![result], op: Op::If { cond: there, then, els }, loc }
}
