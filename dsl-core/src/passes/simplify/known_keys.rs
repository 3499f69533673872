//! Look-ups in a dictionary whose few keys stand in the program: a comparison with each of them.
//!
//! ```text
//! d = region { sink #0 = bucket_reduce by (x, y) { return y } i64 -> f64; merge #0, a, x; merge #0, b, y }
//! key_exists d, k    is    or (eq k, a), (eq k, b)
//! opt_lookup d, k    is    struct {that, select (eq k, b), y, (select (eq k, a), x, 0)}
//! lookup d, k        is    if that { that value } else { lookup d, k }, which faults
//! ```

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value;

use super::shapes::Rule;
use crate::constants::{self, MAX_KEYS};
use crate::ir::local::Replacement;
use crate::ir::{BodyId, Defs, Loc, Op, Program, Reducer, SinkKind, Stmt, Value};

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
    if !is_compared || !is_asked && !of_value.is_scalars() || is_left(program, defs, stmt) {
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

/// Whether it is the look-up that is left for a key that is not there.
fn is_left(program: &Program, defs: &Defs, stmt: &Stmt) -> bool {
    let Some(body) = defs.body_of(stmt.results[0]) else { return false };
    let is_branch = |body: BodyId| {
        let (around, number) = defs.holder(body)?;
        Some(matches!(program.bodies[around].stmts.get(number)?.op, Op::If { els, .. } if els == body))
    };
    matches!(stmt.op, Op::Lookup(..))
        && program.bodies[body].stmts.len() == 1
        && is_branch(body) == Some(true)
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
