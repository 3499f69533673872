//! How the values of several dictionaries are kept in one.
//!
//! A few are the fields of one struct. Of many, each `WIDEST` in a row are the fields of a struct, and so are these structs.

use weldment_runtime::lang::types::Type;

use crate::ir::{Loc, Op, Program, Reducer, Stmt, Value};
use crate::passes::tuple_reducer::{self, Constants};

/// How many fields a struct has at most.
const WIDEST: usize = 16;

/// The type of the struct, and how it is reduced where `reducers` reduce values of these `types`.
pub(super) fn declare(
    program: &mut Program,
    mut types: Vec<Type>,
    mut reducers: Vec<Reducer>,
    loc: Loc,
) -> (Type, Reducer) {
    loop {
        let wider = types.chunks(WIDEST).map(|fields| Type::structure(fields.iter().cloned()));
        let wider: Vec<Type> = wider.collect();
        let of_each = wider.iter().zip(reducers.chunks(WIDEST));
        reducers = of_each
            .map(|(ty, reducers)| tuple_reducer::of(program, ty, reducers, &Constants::default(), loc))
            .collect();
        types = wider;
        if let ([ty], [reducer]) = (&types[..], &reducers[..]) {
            return (ty.clone(), reducer.clone());
        }
    }
}

/// The struct of these values.
pub(super) fn pack(program: &mut Program, mut values: Vec<Value>, loc: Loc, out: &mut Vec<Stmt>) -> Value {
    loop {
        let wider =
            values.chunks(WIDEST).map(|parts| program.append(Op::Struct(parts.to_vec(), None), loc, out));
        values = wider.collect();
        if let [whole] = values[..] {
            return whole;
        }
    }
}

/// Of the struct of `count` values, the one with this number.
pub(super) fn unpack(
    program: &mut Program,
    whole: Value,
    (mut number, mut count): (usize, usize),
    loc: Loc,
    out: &mut Vec<Stmt>,
) -> Value {
    let mut path = vec![number % WIDEST];
    while count > WIDEST {
        (number, count) = (number / WIDEST, count.div_ceil(WIDEST));
        path.push(number % WIDEST);
    }
    path.into_iter()
        .rev()
        .fold(whole, |whole, field| program.append(Op::Field(whole, field as u32), loc, out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Const, ReduceOp};

    /// Packs so many values, and reads each of them.
    #[track_caller]
    fn check_each_is_found(count: usize) {
        let (mut program, mut out, loc) = (Program::default(), Vec::new(), Loc::NONE);
        let constant = |number| Op::Const(Const::I64(number as i64));
        let values: Vec<Value> =
            (0..count).map(|number| program.append(constant(number), loc, &mut out)).collect();
        let whole = pack(&mut program, values.clone(), loc, &mut out);
        let reducers = vec![Reducer::Op(ReduceOp::Add); count];
        let (ty, _) = declare(&mut program, vec![Type::I64; count], reducers, loc);
        assert_eq!(program.ty(whole), &ty);
        for (number, value) in values.into_iter().enumerate() {
            let read = unpack(&mut program, whole, (number, count), loc, &mut out);
            assert_eq!(found(&out, read), value, "{number} of {count}");
        }
    }

    /// What `value` is, through structs.
    fn found(stmts: &[Stmt], value: Value) -> Value {
        let of = |value| &stmts.iter().find(|stmt| stmt.results == [value]).expect("bound").op;
        match of(value) {
            Op::Field(whole, field) => match of(found(stmts, *whole)) {
                Op::Struct(parts, _) => parts[*field as usize],
                _ => value,
            },
            _ => value,
        }
    }

    #[test]
    fn values_are_found_in_structs_of_structs() {
        for count in [2, WIDEST, WIDEST + 1, 3 * WIDEST + 5, WIDEST * WIDEST, WIDEST * WIDEST + 1] {
            check_each_is_found(count);
        }
    }
}
