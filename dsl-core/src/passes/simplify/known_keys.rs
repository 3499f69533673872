//! Look-ups in a dictionary whose few keys stand in the program: a comparison with each of them.
//!
//! ```text
//! d = region { sink #0 = bucket_reduce by (x, y) { return y } i64 -> f64; merge #0, a, x; merge #0, b, y }
//! key_exists d, k    is    or (eq k, a), (eq k, b)
//! opt_lookup d, k    is    struct {that, select (eq k, b), y, (select (eq k, a), x, 0)}
//! lookup d, a        is    x, where all keys are constants
//! lookup d, k        is    if that { that value } else { lookup d, c }, where they are, and c is a constant that is not among them
//! ```
//! What is left to fault is a look-up of a constant that is missing, which no rule changes; of anything else, it would be compared once more where it
//! stands, without end. So `lookup` stays where keys are texts, or not all constants.

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};
use weldment_runtime::lang::types::{Scalar, Type};
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
    if !is_compared {
        return None;
    }
    let of_value = of_value.is_scalars().then_some(of_value.as_ref());
    let (loc, mut stmts) = (stmt.loc, Vec::new());
    let result = match stmt.op {
        Op::KeyExists(..) => compared(program, &entries, key, loc, &mut stmts),
        Op::OptLookup(..) => {
            let found = selected(program, &entries, key, of_value?, loc, &mut stmts);
            let name = program.ty(stmt.results[0]).struct_name().cloned();
            let there = compared(program, &entries, key, loc, &mut stmts);
            program.append(Op::Struct(vec![there, found], name), loc, &mut stmts)
        }
        _ => match Key::of(program, defs, &entries, key, of_key.as_scalar()?)? {
            Key::Known(value) => value,
            Key::Missing(missing) => {
                let found = selected(program, &entries, key, of_value?, loc, &mut stmts);
                let there = compared(program, &entries, key, loc, &mut stmts);
                let then = program.add_body(Vec::new(), Vec::new(), vec![found]);
                let mut missed = Vec::new();
                let missing = program.append(Op::Const(missing), loc, &mut missed);
                let faults = program.append(Op::Lookup(dict, missing), loc, &mut missed);
                let els = program.add_body(Vec::new(), missed, vec![faults]);
                program.append(Op::If { cond: there, then, els }, loc, &mut stmts)
            }
        },
    };
    Some(Replacement { stmts, values: vec![result] })
}

/// Whether an entry has the key.
fn compared(
    program: &mut Program,
    entries: &[[Value; 2]],
    key: Value,
    loc: Loc,
    stmts: &mut Vec<Stmt>,
) -> Value {
    let mut there = program.append(Op::Const(Const::Bool(false)), loc, stmts);
    for &[other, _] in entries {
        let is = program.append(Op::Compare(CompareOp::Eq, key, other), loc, stmts);
        there = program.append(Op::Binary(BinaryOp::Or, there, is), loc, stmts);
    }
    there
}

/// The value of the entry that has the key, and zero if there is none.
fn selected(
    program: &mut Program,
    entries: &[[Value; 2]],
    key: Value,
    ty: &Type,
    loc: Loc,
    stmts: &mut Vec<Stmt>,
) -> Value {
    let mut found = constants::append(program, ty, &value::Value::zero(ty), loc, stmts);
    for &[other, value] in entries {
        let is = program.append(Op::Compare(CompareOp::Eq, key, other), loc, stmts);
        found = program.append(Op::Select(is, value, found), loc, stmts);
    }
    found
}

/// What is known of a key that is to be there, where all keys are constants.
enum Key {
    /// The value of the entry that has it.
    Known(Value),
    /// That this one is missing, whichever it is.
    Missing(Const),
}

impl Key {
    fn of(program: &Program, defs: &Defs, entries: &[[Value; 2]], key: Value, scalar: Scalar) -> Option<Key> {
        let constant = |value: Value| match defs.op(program, value) {
            Some(Op::Const(constant)) => Some(*constant),
            _ => None,
        };
        let keys: Vec<Const> = entries.iter().map(|&[key, _]| constant(key)).collect::<Option<_>>()?;
        match constant(key) {
            Some(key) => {
                let last = keys.iter().rposition(|&other| other == key)?;
                Some(Key::Known(entries[last][1]))
            }
            None => {
                let mut candidates = (0..=MAX_KEYS as i128).map(|number| Const::from_i128(scalar, number));
                candidates.find(|key| !keys.contains(key)).map(Key::Missing)
            }
        }
    }
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
