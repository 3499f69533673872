//! Control statements, loops and sinks.

use weldment_runtime::fault::FaultKind;
use weldment_runtime::scalar::{BinaryOp, CompareOp};
use weldment_runtime::types::Type;

use super::*;
use crate::ir::Entity;

fn collect(ty: Type) -> SinkKind {
    SinkKind::Collect { ty, hint: None }
}

#[test]
fn several_extents_iterate_row_major() {
    let build = Build::program(&[], |build, _| {
        let (n, m) = (build.constant(2i64), build.constant(3i64));
        build.looped(&[n, m], collect(Type::I64), |build, indices, sink| {
            let ten = build.constant(10i64);
            let tens = build.op(Type::I64, Op::Binary(BinaryOp::Mul, indices[0], ten));
            let x = build.op(Type::I64, Op::Binary(BinaryOp::Add, tens, indices[1]));
            build.merge(sink, &[x]);
        })
    });
    check(&build, &[], i64s(&[0, 1, 2, 10, 11, 12]));
}

#[test]
fn pieces_collect_in_order() {
    let build =
        Build::program(&[Type::vec(Type::I64)], |build, params| build.over(params[0], collect(Type::I64)));
    check_cut(&build, &[i64s(&[3, 1, 2, 5, 4])], &cut(2, 2), i64s(&[3, 1, 2, 5, 4]));
}

#[test]
fn a_branch_not_taken_does_not_fault() {
    let build = Build::program(&[Type::I64], |build, params| {
        let zero = build.constant(0i64);
        let cond = build.op(Type::BOOL, Op::Compare(CompareOp::Eq, params[0], zero));
        let then = build.body(&[], |_, _| vec![zero]);
        let els = build.body(&[], |build, _| {
            let sixty = build.constant(60i64);
            vec![build.op(Type::I64, Op::Binary(BinaryOp::Div, sixty, params[0]))]
        });
        build.op(Type::I64, Op::If { cond, then, els })
    });
    check(&build, &[Value::I64(0)], Value::I64(0));
    check(&build, &[Value::I64(7)], Value::I64(8));
}

#[test]
fn iterate_runs_once_before_it_asks() {
    // Doubles until 100 is reached, and counts.
    let build = Build::program(&[Type::I64], |build, params| {
        let zero = build.constant(0i64);
        let body = build.body(&[Type::I64, Type::I64], |build, state| {
            let double = build.op(Type::I64, Op::Binary(BinaryOp::Add, state[0], state[0]));
            let one = build.constant(1i64);
            let count = build.op(Type::I64, Op::Binary(BinaryOp::Add, state[1], one));
            let limit = build.constant(100i64);
            let again = build.op(Type::BOOL, Op::Compare(CompareOp::Lt, double, limit));
            vec![double, count, again]
        });
        let state = build.stmt(&[Type::I64, Type::I64], Op::Iterate { init: vec![params[0], zero], body });
        build.op(Type::structure([Type::I64, Type::I64]), Op::Struct(state))
    });
    check(&build, &[Value::I64(200)], pair(Value::I64(400), Value::I64(1)));
    check(&build, &[Value::I64(3)], pair(Value::I64(192), Value::I64(6)));
}

#[test]
fn a_loop_fills_all_its_sinks() {
    let build = Build::program(&[Type::vec(Type::I64)], |build, params| {
        let n = build.len(params[0]);
        let sinks = [Sink::from_index(0), Sink::from_index(1)];
        build.program.sinks = 2;
        let body = build.body(&[Type::I64], |build, indices| {
            let x = build.at(params[0], indices[0]);
            build.merge(sinks[1], &[x]);
            build.merge(sinks[0], &[indices[0]]);
            build.merge(sinks[0], &[x]);
            Vec::new()
        });
        let kinds = [collect(Type::I64), reduce(ReduceOp::Add, Type::I64)];
        let sinks = sinks.into_iter().zip(kinds).map(|(sink, kind)| ir::SinkDecl { sink, kind }).collect();
        let types = [Type::vec(Type::I64), Type::I64];
        let results = build.stmt(&types, Op::Loop(Loop { extents: vec![n], body, sinks }));
        build.op(Type::structure(types), Op::Struct(results))
    });
    check(&build, &[i64s(&[7, 8])], pair(i64s(&[0, 7, 1, 8]), Value::I64(15)));
}

/// Groups its elements by a key of `ty` that `key` makes of an index.
fn group_program(ty: Type, key: impl FnOnce(&mut Build, ir::Value) -> ir::Value) -> Build {
    Build::program(&[Type::vec(Type::F64)], |build, params| {
        let n = build.len(params[0]);
        let kind = SinkKind::BucketCollect { key: ty, value: Type::F64 };
        build.looped(&[n], kind, |build, indices, sink| {
            let element = build.at(params[0], indices[0]);
            let key = key(build, element);
            build.merge(sink, &[key, element]);
        })
    })
}

#[test]
fn groups_keep_arrival_and_dictionaries_first_insertion() {
    let build = group_program(Type::I64, |build, x| {
        build.op(Type::I64, Op::Cast(weldment_runtime::types::Scalar::I64, x))
    });
    let groups = [(Value::I64(2), f64s(&[2.5, 2.1])), (Value::I64(1), f64s(&[1.5]))];
    check_cut(&build, &[f64s(&[2.5, 1.5, 2.1])], &cut(1, 1), dict(groups));
}

#[test]
fn zeros_are_one_key_and_so_are_nans() {
    let build = group_program(Type::F64, |_, x| x);
    let groups =
        [(Value::F64(-0.0), f64s(&[-0.0, 0.0])), (Value::F64(f64::NAN), f64s(&[f64::NAN, f64::NAN]))];
    check(&build, &[f64s(&[-0.0, f64::NAN, 0.0, -f64::NAN])], dict(groups));
}

#[test]
fn vectors_are_keys() {
    let build = group_program(Type::vec(Type::F64), |build, x| {
        let zero = build.constant(0.0);
        build.op(Type::vec(Type::F64), Op::Vector(vec![zero, x]))
    });
    let groups = [(f64s(&[0.0, 4.0]), f64s(&[4.0, 4.0])), (f64s(&[0.0, 1.0]), f64s(&[1.0]))];
    check(&build, &[f64s(&[4.0, 1.0, 4.0])], dict(groups));
}

#[test]
fn the_first_fault_in_sequence_is_the_one_reported() {
    let build = Build::program(&[Type::vec(Type::I64), Type::vec(Type::I64)], |build, params| {
        let n = build.len(params[0]);
        build.looped(&[n], collect(Type::I64), |build, indices, sink| {
            let divisor = build.at(params[0], indices[0]);
            let hundred = build.constant(100i64);
            let quotient = build.op(Type::I64, Op::Binary(BinaryOp::Div, hundred, divisor));
            let found = build.op(Type::I64, Op::Lookup(params[1], quotient));
            build.merge(sink, &[found]);
        })
    });
    let table = i64s(&[0; 51]);
    let outside = "index out of bounds: index 100 of a vector of 51 (at 1:5)";
    check_fault(&build, &[i64s(&[2, 1, 0]), table.clone()], FaultKind::IndexOutOfBounds, outside);
    let divided = "division by zero: 100 / 0 (at 1:4)";
    check_fault(&build, &[i64s(&[2, 0, 1]), table], FaultKind::DivisionByZero, divided);
}

#[test]
fn sort_is_stable_and_its_comparator_captures() {
    let row = Type::structure([Type::I64, Type::I64]);
    let build = Build::program(&[Type::vec(row.clone()), Type::I64], |build, params| {
        let comparator = build.body(&[row.clone(), row.clone()], |build, rows| {
            let key = |build: &mut Build, row| {
                let key = build.op(Type::I64, Op::Field(row, 0));
                build.op(Type::I64, Op::Binary(BinaryOp::Mul, key, params[1]))
            };
            let (a, b) = (key(build, rows[0]), key(build, rows[1]));
            vec![build.op(Type::I32, Op::Order(a, b))]
        });
        build.op(Type::vec(row.clone()), Op::Sort { vector: params[0], comparator })
    });
    let rows = |pairs: &[(i64, i64)]| {
        Value::vec(pairs.iter().map(|&(a, b)| pair(Value::I64(a), Value::I64(b))).collect())
    };
    let args = |sign| [rows(&[(2, 0), (1, 1), (2, 2), (1, 3)]), Value::I64(sign)];
    check(&build, &args(1), rows(&[(1, 1), (1, 3), (2, 0), (2, 2)]));
    check(&build, &args(-1), rows(&[(2, 0), (2, 2), (1, 1), (1, 3)]));
}

struct Doubler;

impl crate::interp::Foreign for Doubler {
    fn has(&self, symbol: &str) -> bool {
        symbol == "double"
    }

    fn call(&self, _symbol: &str, args: &[Value], _result: &Type) -> Value {
        Value::I64(args[0].as_integer().unwrap() as i64 * 2)
    }
}

#[test]
fn foreign_functions_come_with_the_options() {
    let call = |symbol: &str| {
        Build::program(&[Type::I64], |build, params| {
            build.op(Type::I64, Op::Call { symbol: symbol.into(), args: params.to_vec() })
        })
    };
    let options = InterpOptions { foreign: Some(std::sync::Arc::new(Doubler)), ..InterpOptions::default() };
    check_cut(&call("double"), &[Value::I64(21)], &options, Value::I64(42));
    assert!(crate::interp::unresolved(&call("double").program, &options).is_none());
    let triple = call("triple");
    assert_eq!(crate::interp::unresolved(&triple.program, &options).unwrap().0, "triple");
}
