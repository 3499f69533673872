//! Look-ups in a dictionary whose few keys stand in the program: a comparison with each of them.
//!
//! ```text
//! d = region { sink #0 = bucket_reduce by (x, y) { return y } i64 -> f64; merge #0, a, x; merge #0, b, y }
//! key_exists d, k    is    or (eq k, a), (eq k, b)
//! opt_lookup d, k    is    struct {that, select (eq k, b), y, (select (eq k, a), x, 0)}
//! lookup d, a        is    x, where all keys are constants
//! ```
//! Any other `lookup` stays: whether it faults would be asked in front of it, and again in front of the one that is left to fault, without end.

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value;

use super::shapes::Rule;
use crate::constants::{self, MAX_KEYS};
use crate::ir::local::Replacement;
use crate::ir::{Defs, Op, Program, Reducer, SinkKind, Stmt, Value};

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
    if !is_compared {
        return None;
    }
    if let Op::Lookup(..) = stmt.op {
        let value = known_value(program, defs, &entries, key)?;
        return Some(Replacement { stmts: Vec::new(), values: vec![value] });
    }
    if !is_asked && !of_value.is_scalars() {
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
    let result = match found {
        Some(found) => {
            let ty = program.ty(stmt.results[0]).clone();
            let name = match &ty {
                Type::Struct(fields) => fields.name().cloned(),
                _ => None,
            };
            program.append(Op::Struct(vec![there, found], name), loc, &mut stmts)
        }
        None => there,
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

/// The value of a key that is there, where all keys are constants.
fn known_value(program: &Program, defs: &Defs, entries: &[[Value; 2]], key: Value) -> Option<Value> {
    let constant = |value: Value| match defs.op(program, value) {
        Some(Op::Const(constant)) => Some(*constant),
        _ => None,
    };
    let key = constant(key)?;
    let mut found = None;
    for &[other, value] in entries {
        if constant(other)? == key {
            found = Some(value);
        }
    }
    found
}
