//! Control statements, loops and sinks.

use weldment_runtime::lang::types::Type;

use super::*;
use crate::interp::{Foreign, unresolved};

#[test]
fn several_extents_iterate_row_major() {
    let text = "program() {
        v0: i64 = const 2
        v1: i64 = const 3
        v2: i64 = const 10
        v3: vec[i64] = loop v4 < v0, v5 < v1 {
          sink #0 = collect i64
          v6: i64 = mul v4, v2
          v7: i64 = add v6, v5
          merge #0, v7
        }
        return v3
      }";
    check(text, &[], i64s(&[0, 1, 2, 10, 11, 12]));
}

#[test]
fn chunks_collect_in_order() {
    let text = over("i64", "vec[i64]", "collect i64");
    check_cut(&text, &[i64s(&[3, 1, 2, 5, 4])], &cut(2, 2), i64s(&[3, 1, 2, 5, 4]));
}

#[test]
fn a_branch_not_taken_does_not_fault() {
    let text = "program(v0: i64) {
        v1: i64 = const 0
        v2: i64 = const 60
        v3: bool = eq v0, v1
        v4: i64 = if v3 {
          yield v1
        } else {
          v5: i64 = div v2, v0
          yield v5
        }
        return v4
      }";
    check(text, &[Value::I64(0)], Value::I64(0));
    check(text, &[Value::I64(7)], Value::I64(8));
}

#[test]
fn iterate_runs_once_before_it_asks() {
    // Doubles until 100 is reached, and counts.
    let text = "program(v0: i64) {
        v1: i64 = const 0
        v2: i64 = const 1
        v3: i64 = const 100
        v4: i64, v5: i64 = iterate (v6: i64 = v0, v7: i64 = v1) {
          v8: i64 = add v6, v6
          v9: i64 = add v7, v2
          v10: bool = lt v8, v3
          yield v8, v9, v10
        }
        v11: {i64,i64} = struct {v4, v5}
        return v11
      }";
    check(text, &[Value::I64(200)], pair(Value::I64(400), Value::I64(1)));
    check(text, &[Value::I64(3)], pair(Value::I64(192), Value::I64(6)));
}

#[test]
fn a_loop_fills_all_its_sinks() {
    let text = "program(v0: vec[i64]) {
        v1: i64 = len v0
        v2: vec[i64], v3: i64 = loop v4 < v1 {
          sink #0 = collect i64
          sink #1 = reduce + i64
          v5: i64 = at v0, v4
          merge #1, v5
          merge #0, v4
          merge #0, v5
        }
        v6: {vec[i64],i64} = struct {v2, v3}
        return v6
      }";
    check(text, &[i64s(&[7, 8])], pair(i64s(&[0, 7, 1, 8]), Value::I64(15)));
}

/// Groups the elements by a key of type `ty` that `key` computes from `v4`.
fn groups(ty: &str, key: &str) -> String {
    format!(
        "program(v0: vec[f64]) {{
           v1: i64 = len v0
           v2: dict[{ty},vec[f64]] = loop v3 < v1 {{
             sink #0 = bucket_collect {ty} -> f64
             v4: f64 = at v0, v3
             v5: {ty} = {key}
             merge #0, v5, v4
           }}
           return v2
         }}"
    )
}

#[test]
fn groups_keep_arrival_and_dictionaries_first_insertion() {
    let expected = [(Value::I64(2), f64s(&[2.5, 2.1])), (Value::I64(1), f64s(&[1.5]))];
    check_cut(&groups("i64", "cast v4"), &[f64s(&[2.5, 1.5, 2.1])], &cut(1, 1), dict(expected));
}

#[test]
fn zeros_are_one_key_and_so_are_nans() {
    let expected =
        [(Value::F64(-0.0), f64s(&[-0.0, 0.0])), (Value::F64(f64::NAN), f64s(&[f64::NAN, f64::NAN]))];
    let elements = f64s(&[-0.0, f64::NAN, 0.0, -f64::NAN]);
    check(&groups("f64", "add v4, v4"), &[elements], dict(expected));
}

#[test]
fn vectors_are_keys() {
    let expected = [(f64s(&[4.0, 4.0]), f64s(&[4.0, 4.0])), (f64s(&[1.0, 1.0]), f64s(&[1.0]))];
    check(&groups("vec[f64]", "vector [v4, v4]"), &[f64s(&[4.0, 1.0, 4.0])], dict(expected));
}

#[test]
fn the_first_fault_in_sequence_is_the_one_reported() {
    let text = "program(v0: vec[i64], v1: vec[i64]) {
        v2: i64 = len v0
        v3: i64 = const 100
        v4: vec[i64] = loop v5 < v2 {
          sink #0 = collect i64
          v6: i64 = at v0, v5
          v7: i64 = div v3, v6 @1
          v9: i64 = len v1
          v10: i64 = check_index v7, v9 @2
          v8: i64 = at v1, v10
          merge #0, v8
        }
        return v4
      }";
    let table = i64s(&[0; 51]);
    let outside = "index out of bounds: index 100 of a vector of 51 (at 1:2)";
    check_fault(text, &[i64s(&[2, 1, 0]), table.clone()], FaultKind::IndexOutOfBounds, outside);
    let divided = "division by zero: 100 / 0 (at 1:1)";
    check_fault(text, &[i64s(&[2, 0, 1]), table], FaultKind::DivisionByZero, divided);
}

#[test]
fn sort_is_stable_and_its_comparator_captures() {
    let text = "program(v0: vec[{i64,i64}], v1: i64) {
        v2: vec[{i64,i64}] = sort v0 by (v3: {i64,i64}, v4: {i64,i64}) {
          v5: i64 = field v3, 0
          v6: i64 = mul v5, v1
          v7: i64 = field v4, 0
          v8: i64 = mul v7, v1
          v9: i32 = order v6, v8
          return v9
        }
        return v2
      }";
    let rows = |pairs: &[(i64, i64)]| {
        Value::vec(pairs.iter().map(|&(a, b)| pair(Value::I64(a), Value::I64(b))).collect())
    };
    let args = |sign| [rows(&[(2, 0), (1, 1), (2, 2), (1, 3)]), Value::I64(sign)];
    check(text, &args(1), rows(&[(1, 1), (1, 3), (2, 0), (2, 2)]));
    check(text, &args(-1), rows(&[(2, 0), (2, 2), (1, 1), (1, 3)]));
}

struct Doubler;

impl Foreign for Doubler {
    fn has(&self, symbol: &str) -> bool {
        symbol == "double"
    }

    fn call(&self, _symbol: &str, args: &[Value], _result: &Type) -> Value {
        Value::I64(args[0].as_integer().unwrap() as i64 * 2)
    }
}

#[test]
fn foreign_functions_come_with_the_options() {
    let foreign = Some(std::sync::Arc::new(Doubler) as std::sync::Arc<dyn Foreign>);
    let options = InterpOptions { foreign, ..InterpOptions::default() };
    let double = "program(v0: i64) { v1: i64 = call \"double\"(v0) return v1 }";
    check_cut(double, &[Value::I64(21)], &options, Value::I64(42));
    assert!(unresolved(&program(double), &options).is_none());
}

#[test]
fn a_foreign_function_that_is_not_there_is_named() {
    let text = "program(v0: bool) {
        v1: i64 = const 1
        v2: i64 = if v0 {
          v3: i64 = call \"triple\"(v1) @3
          yield v3
        } else {
          v4: i64 = call \"half\"(v1) @4
          yield v4
        }
        return v2
      }";
    let (program, options) = (program(text), InterpOptions::default());
    let (symbol, loc) = unresolved(&program, &options).expect("no function is given");
    assert_eq!((symbol, loc.to_string().as_str()), ("triple", "@3"));
}

/// One never ends; the other runs no statement, but many iterations.
#[test]
fn a_run_ends_after_so_many_steps() {
    let endless = "program() {
        v0: bool = const true
        v1: i64 = const 0
        v2: i64 = iterate (v3: i64 = v1) {
          yield v3, v0
        }
        return v2
      }";
    let empty = "program(v0: i64) {
        loop v1 < v0 {
        }
        return v0
      }";
    let options = InterpOptions { steps: Some(2000), ..InterpOptions::default() };
    for (text, args) in [(endless, vec![]), (empty, vec![Value::I64(2000)])] {
        let fault = run_text(text, &args, &options).expect_err("it is stopped");
        assert_eq!(
            (fault.kind, fault.to_string().as_str()),
            (FaultKind::Cancelled, "cancelled: after 2000 steps")
        );
    }
    check_cut(empty, &[Value::I64(1900)], &options, Value::I64(1900));
}
