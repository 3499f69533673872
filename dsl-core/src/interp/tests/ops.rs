//! Ops that only compute: structures, dictionaries, iterators, comparisons and their faults.

use std::slice::from_ref;

use super::*;

/// The program of one op, at the place `@1`, on the parameters v0, v1, …
fn op(params: &[&str], result: &str, op: &str) -> String {
    let params: Vec<String> = params.iter().enumerate().map(|(i, ty)| format!("v{i}: {ty}")).collect();
    format!("program({}) {{ v9: {result} = {op} @1 return v9 }}", params.join(", "))
}

#[test]
fn scalar_ops_are_the_runtimes() {
    check(&op(&["i64"], "i64", "neg v0"), &[Value::I64(i64::MIN)], Value::I64(i64::MIN));
    check(&op(&["f64"], "i32", "cast v0"), &[Value::F64(-1e20)], Value::I32(i32::MIN));
    check(&op(&["f64"], "bool", "is_nan v0"), &[Value::F64(f64::NAN)], Value::Bool(true));
    let args = [2.0, 3.0, 0.5].map(Value::F64);
    check(&op(&["f64"; 3], "f64", "mul_add v0, v1, v2"), &args, Value::F64(6.5));
}

#[test]
fn division_faults_show_their_operands() {
    let args = [Value::I64(i64::MIN), Value::I64(-1)];
    let text = "overflow: -9223372036854775808 / -1 (at 1:1)";
    check_fault(&op(&["i64"; 2], "i64", "div v0, v1"), &args, FaultKind::Overflow, text);
}

#[test]
fn select_takes_either() {
    let select = op(&["bool", "vec[f64]", "vec[f64]"], "vec[f64]", "select v0, v1, v2");
    let args = |cond| [Value::Bool(cond), f64s(&[1.0]), f64s(&[])];
    check(&select, &args(true), f64s(&[1.0]));
    check(&select, &args(false), f64s(&[]));
}

fn check_compare(name: &str, a: &[f64], b: &[f64], expected: bool) {
    let compare = op(&["vec[f64]"; 2], "bool", &format!("{name} v0, v1"));
    check(&compare, &[f64s(a), f64s(b)], Value::Bool(expected));
}

#[test]
fn vectors_compare_lexicographically_and_nan_is_unordered() {
    check_compare("lt", &[1.0], &[1.0, 0.0], true);
    check_compare("gt", &[2.0], &[1.0, 0.0], true);
    check_compare("eq", &[0.0], &[-0.0], true);
    check_compare("eq", &[f64::NAN], &[f64::NAN], false);
    check_compare("ne", &[f64::NAN], &[f64::NAN], true);
    check_compare("le", &[f64::NAN], &[f64::NAN], false);
}

#[test]
fn order_is_minus_one_zero_or_one_and_puts_nan_last() {
    const NAN: f64 = f64::NAN;
    let order = op(&["f64"; 2], "i32", "order v0, v1");
    let cases =
        [(1.0, 2.0, -1), (2.0, 1.0, 1), (0.0, -0.0, 0), (NAN, 1.0, 1), (1.0, NAN, -1), (NAN, -NAN, 0)];
    for (a, b, expected) in cases {
        check(&order, &[a, b].map(Value::F64), Value::I32(expected));
    }
}

#[test]
fn an_index_is_checked() {
    let check_index = op(&["i64", "i64"], "i64", "check_index v0, v1");
    let args = |index| [Value::I64(index), Value::I64(2)];
    check(&check_index, &args(1), Value::I64(1));
    let text = "index out of bounds: index 2 of a vector of 2 (at 1:1)";
    check_fault(&check_index, &args(2), FaultKind::IndexOutOfBounds, text);
    let text = "index out of bounds: index -1 of a vector of 2 (at 1:1)";
    check_fault(&check_index, &args(-1), FaultKind::IndexOutOfBounds, text);
}

#[test]
fn slice_clamps_its_size_and_checks_its_start() {
    let slice = op(&["vec[f64]", "i64", "i64"], "vec[f64]", "slice v0, v1, v2");
    let args = |start, size| [f64s(&[1.0, 2.0, 3.0]), Value::I64(start), Value::I64(size)];
    check(&slice, &args(1, 1), f64s(&[2.0]));
    check(&slice, &args(1, i64::MAX), f64s(&[2.0, 3.0]));
    check(&slice, &args(3, 5), f64s(&[]));
    for (start, size) in [(4, 0), (-1, 2), (0, -1)] {
        let text =
            format!("index out of bounds: slice from {start} of size {size} of a vector of 3 (at 1:1)");
        check_fault(&slice, &args(start, size), FaultKind::IndexOutOfBounds, &text);
    }
}

const TABLE: &str = "dict[f64,vec[f64]]";

/// The dictionary of two keys, and the key to ask for.
fn table_and(key: f64) -> [Value; 2] {
    let table = [(Value::F64(0.0), f64s(&[7.0])), (Value::F64(f64::NAN), f64s(&[8.0]))];
    [dict(table), Value::F64(key)]
}

#[test]
fn dictionaries_look_up_keys() {
    let lookup = op(&[TABLE, "f64"], "vec[f64]", "lookup v0, v1");
    check(&lookup, &table_and(-0.0), f64s(&[7.0]));
    check(&lookup, &table_and(-f64::NAN), f64s(&[8.0]));
    let text = "key not found: not among the 2 keys of the dictionary (at 1:1)";
    check_fault(&lookup, &table_and(1.0), FaultKind::KeyNotFound, text);
}

#[test]
fn dictionaries_tell_whether_a_key_exists() {
    let exists = op(&[TABLE, "f64"], "bool", "key_exists v0, v1");
    check(&exists, &table_and(-0.0), Value::Bool(true));
    check(&exists, &table_and(1.0), Value::Bool(false));
}

#[test]
fn a_missing_key_may_give_the_zero_value() {
    let optional = op(&[TABLE, "f64"], "{bool,vec[f64]}", "opt_lookup v0, v1");
    check(&optional, &table_and(0.0), pair(Value::Bool(true), f64s(&[7.0])));
    check(&optional, &table_and(1.0), pair(Value::Bool(false), f64s(&[])));
}

#[test]
fn dictionaries_become_vectors_of_pairs() {
    let [table, _] = table_and(0.0);
    let expected = [pair(Value::F64(0.0), f64s(&[7.0])), pair(Value::F64(f64::NAN), f64s(&[8.0]))];
    check(&op(&[TABLE], "vec[{f64,vec[f64]}]", "to_vec v0"), from_ref(&table), Value::vec(expected.into()));
    check(&op(&[TABLE], "i64", "len v0"), &[table], Value::I64(2));
}

#[test]
fn iterators_count_their_steps() {
    let iter = op(&["i64"; 4], "i64", "iter_len v0, v1, v2, v3");
    check(&iter, &[10, 2, 8, 3].map(Value::I64), Value::I64(2));
    check(&iter, &[10, 10, 10, 1].map(Value::I64), Value::I64(0));
    for [start, end, stride] in [[2, 8, 4], [0, 11, 1], [-1, 1, 1], [3, 2, 1], [0, 2, 0]] {
        let text =
            format!("bad iterator: iter from {start} to {end} by {stride} over a vector of 10 (at 1:1)");
        check_fault(&iter, &[10, start, end, stride].map(Value::I64), FaultKind::BadIterator, &text);
    }
}

#[test]
fn ranges_may_start_below_zero_but_not_outgrow_an_index() {
    let range = op(&["i64"; 3], "i64", "range_len v0, v1, v2");
    check(&range, &[-4, 4, 2].map(Value::I64), Value::I64(4));
    let text = "bad iterator: rangeiter from -9223372036854775808 to 9223372036854775807 by 1 (at 1:1)";
    check_fault(&range, &[i64::MIN, i64::MAX, 1].map(Value::I64), FaultKind::BadIterator, text);
}

#[test]
fn a_zip_of_different_lengths_faults() {
    let zip = op(&["i64"; 3], "i64", "zip_len v0, v1, v2");
    check(&zip, &[3, 3, 3].map(Value::I64), Value::I64(3));
    let text = "zip length mismatch: 3 and 4 (at 1:1)";
    check_fault(&zip, &[3, 3, 4].map(Value::I64), FaultKind::ZipLengthMismatch, text);
}

#[test]
fn an_assertion_is_true_or_a_fault() {
    let assert = op(&["bool"], "bool", "assert v0");
    check(&assert, &[Value::Bool(true)], Value::Bool(true));
    let text = "assertion failed (at 1:1)";
    check_fault(&assert, &[Value::Bool(false)], FaultKind::AssertionFailed, text);
}

#[test]
fn what_is_serialized_comes_back() {
    let text = "program(v0: {i32,vec[f64]}) {
        v1: vec[u8] = serialize v0
        v2: {i32,vec[f64]} = deserialize v1
        return v2
      }";
    let value = pair(Value::I32(-3), f64s(&[0.5, f64::NAN]));
    check(text, from_ref(&value), value.clone());
}

#[test]
fn bytes_that_do_not_fit_fault() {
    let deserialize = op(&["vec[u8]"], "i32", "deserialize v0");
    let bytes = |len| [Value::vec(vec![Value::U8(0); len])];
    let text = "deserialize error: too few bytes for i32 (at 1:1)";
    check_fault(&deserialize, &bytes(3), FaultKind::DeserializeError, text);
    let text = "deserialize error: bytes left after i32: 1 (at 1:1)";
    check_fault(&deserialize, &bytes(5), FaultKind::DeserializeError, text);
}
