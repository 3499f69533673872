//! Structs of scalars, taken apart into their leaves and put together again.

use weldment_core::ir::{Loc, Op, Value};
use weldment_runtime::lang::types::Type;

use crate::imp::{Block, Imp, Stmt};

/// The scalar leaves of `value`. What `out` has made a struct of is not read from that.
pub(super) fn apart(imp: &mut Imp, out: &mut Block, value: Value) -> Vec<Value> {
    let mut leaves = Vec::new();
    walk(imp, out, value, &mut leaves);
    leaves
}

fn walk(imp: &mut Imp, out: &mut Block, value: Value, leaves: &mut Vec<Value>) {
    let Type::Struct(fields) = imp.values[value].ty.clone() else {
        leaves.push(value);
        return;
    };
    let made_of = out.stmts.iter().rev().find_map(|stmt| match stmt {
        Stmt::Let { result, op: Op::Struct(parts, _), .. } if *result == value => Some(parts.clone()),
        _ => None,
    });
    for (number, field) in fields.iter().enumerate() {
        let part = match &made_of {
            Some(parts) => parts[number],
            None => out.bind(imp, field.clone(), Op::Field(value, number as u32)),
        };
        walk(imp, out, part, leaves);
    }
}

/// Binds `result`, of type `ty`, to the value with these leaves.
pub(super) fn together(
    imp: &mut Imp,
    out: &mut Block,
    result: Value,
    leaves: &mut dyn Iterator<Item = Value>,
) {
    let Type::Struct(fields) = imp.values[result].ty.clone() else {
        unreachable!("a scalar is bound where it is made")
    };
    let name = fields.name().cloned();
    let parts = fields.iter().map(|field| match field {
        Type::Struct(_) => {
            let part = imp.value(field.clone());
            together(imp, out, part, leaves);
            part
        }
        _ => leaves.next().expect("one for each leaf"),
    });
    let parts = parts.collect();
    out.let_(result, Op::Struct(parts, name), Loc::NONE);
}
