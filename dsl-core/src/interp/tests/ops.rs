//! Ops that only compute: structures, dictionaries, iterators, comparisons and their faults.

use std::slice::from_ref;

use weldment_runtime::fault::FaultKind;
use weldment_runtime::scalar::{BinaryOp, CompareOp, MathFn, UnaryOp};
use weldment_runtime::types::{Scalar, Type};

use super::*;

/// The program of one op on its parameters.
fn op_program(params: &[Type], result: Type, op: impl FnOnce(&[ir::Value]) -> Op) -> Build {
    Build::program(params, |build, params| {
        let op = op(params);
        build.op(result, op)
    })
}

fn floats() -> Type {
    Type::vec(Type::F64)
}

#[test]
fn scalar_ops_are_the_runtimes() {
    let build = op_program(&[Type::I64], Type::I64, |p| Op::Unary(UnaryOp::Neg, p[0]));
    check(&build, &[Value::I64(i64::MIN)], Value::I64(i64::MIN));
    let build = op_program(&[Type::F64], Type::I32, |p| Op::Cast(Scalar::I32, p[0]));
    check(&build, &[Value::F64(-1e20)], Value::I32(i32::MIN));
    let build = op_program(&[Type::F64], Type::BOOL, |p| Op::Math(MathFn::IsNan, vec![p[0]]));
    check(&build, &[Value::F64(f64::NAN)], Value::Bool(true));
    let build = op_program(&[Type::F64; 3], Type::F64, |p| Op::Math(MathFn::MulAdd, p.to_vec()));
    check(&build, &[Value::F64(2.0), Value::F64(3.0), Value::F64(0.5)], Value::F64(6.5));
}

#[test]
fn division_faults_show_their_operands() {
    let build = op_program(&[Type::I64; 2], Type::I64, |p| Op::Binary(BinaryOp::Div, p[0], p[1]));
    let args = [Value::I64(i64::MIN), Value::I64(-1)];
    let text = "overflow: -9223372036854775808 / -1 (at 1:1)";
    check_fault(&build, &args, FaultKind::Overflow, text);
}

#[test]
fn select_takes_either() {
    let build = op_program(&[Type::BOOL, floats(), floats()], floats(), |p| Op::Select(p[0], p[1], p[2]));
    let args = |cond| [Value::Bool(cond), f64s(&[1.0]), f64s(&[])];
    check(&build, &args(true), f64s(&[1.0]));
    check(&build, &args(false), f64s(&[]));
}

fn check_compare(op: CompareOp, a: &Value, b: &Value, expected: bool) {
    let build = op_program(&[floats(), floats()], Type::BOOL, |p| Op::Compare(op, p[0], p[1]));
    check(&build, &[a.clone(), b.clone()], Value::Bool(expected));
}

#[test]
fn vectors_compare_lexicographically_and_nan_is_unordered() {
    check_compare(CompareOp::Lt, &f64s(&[1.0]), &f64s(&[1.0, 0.0]), true);
    check_compare(CompareOp::Gt, &f64s(&[2.0]), &f64s(&[1.0, 0.0]), true);
    check_compare(CompareOp::Eq, &f64s(&[0.0]), &f64s(&[-0.0]), true);
    let nan = f64s(&[f64::NAN]);
    check_compare(CompareOp::Eq, &nan, &nan, false);
    check_compare(CompareOp::Ne, &nan, &nan, true);
    check_compare(CompareOp::Le, &nan, &nan, false);
}

#[test]
fn order_is_minus_one_zero_or_one_and_zero_beside_nan() {
    let build = op_program(&[Type::F64, Type::F64], Type::I32, |p| Op::Order(p[0], p[1]));
    let order =
        |a: f64, b: f64, expected| check(&build, &[Value::F64(a), Value::F64(b)], Value::I32(expected));
    order(1.0, 2.0, -1);
    order(2.0, 1.0, 1);
    order(0.0, -0.0, 0);
    order(f64::NAN, 1.0, 0);
}

#[test]
fn lookup_is_checked() {
    let build = op_program(&[floats(), Type::I64], Type::F64, |p| Op::Lookup(p[0], p[1]));
    check(&build, &[f64s(&[1.5, 2.5]), Value::I64(1)], Value::F64(2.5));
    for (index, text) in [
        (2, "index out of bounds: index 2 of a vector of 2 (at 1:1)"),
        (-1, "index out of bounds: index -1 of a vector of 2 (at 1:1)"),
    ] {
        check_fault(&build, &[f64s(&[1.5, 2.5]), Value::I64(index)], FaultKind::IndexOutOfBounds, text);
    }
}

#[test]
fn slice_clamps_its_size_and_checks_its_start() {
    let build = op_program(&[floats(), Type::I64, Type::I64], floats(), |p| Op::Slice(p[0], p[1], p[2]));
    let args = |start, size| [f64s(&[1.0, 2.0, 3.0]), Value::I64(start), Value::I64(size)];
    check(&build, &args(1, 1), f64s(&[2.0]));
    check(&build, &args(1, i64::MAX), f64s(&[2.0, 3.0]));
    check(&build, &args(3, 5), f64s(&[]));
    let text = "index out of bounds: slice from 4 of size 0 of a vector of 3 (at 1:1)";
    check_fault(&build, &args(4, 0), FaultKind::IndexOutOfBounds, text);
    let text = "index out of bounds: slice from -1 of size 2 of a vector of 3 (at 1:1)";
    check_fault(&build, &args(-1, 2), FaultKind::IndexOutOfBounds, text);
    let text = "index out of bounds: slice from 0 of size -1 of a vector of 3 (at 1:1)";
    check_fault(&build, &args(0, -1), FaultKind::IndexOutOfBounds, text);
}

#[test]
fn dictionaries_answer_by_key() {
    let ty = Type::dict(Type::F64, floats());
    let table = dict([(Value::F64(0.0), f64s(&[7.0])), (Value::F64(f64::NAN), f64s(&[8.0]))]);
    let args = |key| [table.clone(), Value::F64(key)];

    let lookup = op_program(&[ty.clone(), Type::F64], floats(), |p| Op::Lookup(p[0], p[1]));
    check(&lookup, &args(-0.0), f64s(&[7.0]));
    check(&lookup, &args(-f64::NAN), f64s(&[8.0]));
    let text = "key not found: not among the 2 keys of the dictionary (at 1:1)";
    check_fault(&lookup, &args(1.0), FaultKind::KeyNotFound, text);

    let exists = op_program(&[ty.clone(), Type::F64], Type::BOOL, |p| Op::KeyExists(p[0], p[1]));
    check(&exists, &args(-0.0), Value::Bool(true));
    check(&exists, &args(1.0), Value::Bool(false));

    let found = Type::structure([Type::BOOL, floats()]);
    let optional = op_program(&[ty.clone(), Type::F64], found, |p| Op::OptLookup(p[0], p[1]));
    check(&optional, &args(0.0), pair(Value::Bool(true), f64s(&[7.0])));
    check(&optional, &args(1.0), pair(Value::Bool(false), f64s(&[])));

    let pairs = Type::vec(Type::structure([Type::F64, floats()]));
    let to_vec = op_program(from_ref(&ty), pairs, |p| Op::ToVec(p[0]));
    let expected = [pair(Value::F64(0.0), f64s(&[7.0])), pair(Value::F64(f64::NAN), f64s(&[8.0]))];
    check(&to_vec, from_ref(&table), Value::vec(expected.to_vec()));

    let len = op_program(&[ty], Type::I64, |p| Op::Len(p[0]));
    check(&len, &[table], Value::I64(2));
}

fn iter_program() -> Build {
    op_program(&[Type::I64; 4], Type::I64, |p| Op::IterLen {
        len: p[0],
        start: p[1],
        end: p[2],
        stride: p[3],
    })
}

fn four(a: i64, b: i64, c: i64, d: i64) -> [Value; 4] {
    [a, b, c, d].map(Value::I64)
}

#[test]
fn iterators_count_their_steps() {
    check(&iter_program(), &four(10, 2, 8, 3), Value::I64(2));
    check(&iter_program(), &four(10, 10, 10, 1), Value::I64(0));
    let text = "bad iterator: iter from 2 to 8 by 4 over a vector of 10 (at 1:1)";
    check_fault(&iter_program(), &four(10, 2, 8, 4), FaultKind::BadIterator, text);
    for (len, start, end, stride) in [(10, 0, 11, 1), (10, -1, 1, 1), (10, 3, 2, 1), (10, 0, 2, 0)] {
        let fault = iter_program().run(&four(len, start, end, stride), &InterpOptions::default());
        assert_eq!(fault.unwrap_err().kind, FaultKind::BadIterator);
    }
}

#[test]
fn ranges_may_start_below_zero_but_not_outgrow_an_index() {
    let build =
        op_program(&[Type::I64; 3], Type::I64, |p| Op::RangeLen { start: p[0], end: p[1], stride: p[2] });
    check(&build, &[-4, 4, 2].map(Value::I64), Value::I64(4));
    let text = "bad iterator: rangeiter from -9223372036854775808 to 9223372036854775807 by 1 (at 1:1)";
    check_fault(&build, &[i64::MIN, i64::MAX, 1].map(Value::I64), FaultKind::BadIterator, text);
}

#[test]
fn a_zip_of_different_lengths_faults() {
    let build = op_program(&[Type::I64; 3], Type::I64, |p| Op::ZipLen(p.to_vec()));
    check(&build, &[3, 3, 3].map(Value::I64), Value::I64(3));
    let text = "zip length mismatch: 3 and 4 (at 1:1)";
    check_fault(&build, &[3, 3, 4].map(Value::I64), FaultKind::ZipLengthMismatch, text);
}

#[test]
fn an_assertion_is_true_or_a_fault() {
    let build = op_program(&[Type::BOOL], Type::BOOL, |p| Op::Assert(p[0]));
    check(&build, &[Value::Bool(true)], Value::Bool(true));
    check_fault(&build, &[Value::Bool(false)], FaultKind::AssertionFailed, "assertion failed (at 1:1)");
}

#[test]
fn what_is_serialized_comes_back() {
    let ty = Type::structure([Type::I32, floats()]);
    let build = Build::program(from_ref(&ty), |build, params| {
        let bytes = build.op(Type::vec(Type::Scalar(Scalar::U8)), Op::Serialize(params[0]));
        build.op(ty.clone(), Op::Deserialize(bytes))
    });
    let value = pair(Value::I32(-3), f64s(&[0.5, f64::NAN]));
    check(&build, from_ref(&value), value.clone());
}

#[test]
fn bytes_that_do_not_fit_fault() {
    let bytes = Type::vec(Type::Scalar(Scalar::U8));
    let build = op_program(&[bytes], Type::I32, |p| Op::Deserialize(p[0]));
    let of = |len| Value::vec(vec![Value::U8(0); len]);
    let text = "deserialize error: too few bytes for i32 (at 1:1)";
    check_fault(&build, &[of(3)], FaultKind::DeserializeError, text);
    let text = "deserialize error: bytes left after i32: 1 (at 1:1)";
    check_fault(&build, &[of(5)], FaultKind::DeserializeError, text);
}
