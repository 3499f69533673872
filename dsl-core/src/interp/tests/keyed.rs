//! The order of reductions by key and by index: segments, each left to right.

use super::order::{BIG, BY_DIFFERENCE};
use super::*;

/// Merges the second parameter's elements by the keys in the first.
pub(super) fn by_key(reducer: &str, value: &str) -> String {
    format!(
        "program(v0: vec[i64], v1: vec[{value}]) {{
           v2: i64 = len v0
           v3: i64 = len v1
           v4: i64 = zip_len v2, v3
           v5: dict[i64,{value}] = loop v6 < v4 {{
             sink #0 = bucket_reduce {reducer} i64 -> {value}
             v7: i64 = at v0, v6
             v11: {value} = at v1, v6
             merge #0, v7, v11
           }}
           return v5
         }}"
    )
}

pub(super) fn of_7(value: Value) -> Value {
    dict([(Value::I64(7), value)])
}

#[test]
fn a_bucket_has_one_partial_per_key_and_segment() {
    let args = [i64s(&[7, 7, 5, 7, 7]), f64s(&[BIG, 1.0, -0.0, 1.0, 1.0])];
    let sums = |x: f64| dict([(Value::I64(7), Value::F64(x)), (Value::I64(5), Value::F64(-0.0))]);
    // Left to right, without lanes: the ones are lost one by one.
    check(&by_key("+", "f64"), &args, sums(BIG));
    // The second segment's ones add up before they meet BIG.
    check_cut(&by_key("+", "f64"), &args, &cut(1, 3), sums(BIG + 2.0));
}

#[test]
fn a_segment_is_rounded_up_to_whole_chunks() {
    // Rounded up from 3 to 4, the segments are BIG + 1 + 1 + 1 and 1 + 1 + 1 + 1.
    let args = [i64s(&[7; 8]), f64s(&[BIG, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])];
    check_cut(&by_key("+", "f64"), &args, &cut(2, 3), of_7(Value::F64(BIG + 4.0)));
}

#[test]
fn functions_fold_buckets_segment_by_segment() {
    let args = [i64s(&[7; 4]), i64s(&[10, 1, 2, 3])];
    check(&by_key(BY_DIFFERENCE, "i64"), &args, of_7(Value::I64(4)));
    check_cut(&by_key(BY_DIFFERENCE, "i64"), &args, &cut(2, 2), of_7(Value::I64(10)));
}

#[test]
fn a_nested_bucket_is_one_segment() {
    let text = "program(v0: vec[f64]) {
        v1: i64 = const 1
        v2: i64 = const 7
        v3: i64 = len v0
        v4: vec[dict[i64,f64]] = loop v5 < v1 {
          sink #0 = collect dict[i64,f64]
          v6: dict[i64,f64] = loop v7 < v3 {
            sink #1 = bucket_reduce + i64 -> f64
            v8: f64 = at v0, v7
            merge #1, v2, v8
          }
          merge #0, v6
        }
        return v4
      }";
    let sums = Value::vec(vec![of_7(Value::F64(BIG))]);
    check_cut(text, &[f64s(&[BIG, 1.0, 1.0, 1.0])], &cut(2, 2), sums);
}

/// Adds the elements of its second parameter into element 1 of its first.
const SCATTER: &str = "program(v0: vec[f64], v1: vec[f64]) {
    v2: i64 = const 1
    v3: i64 = len v1
    v4: vec[f64] = loop v5 < v3 {
      sink #0 = scatter + f64 init v0
      v6: f64 = at v1, v5
      merge #0, v2, v6 @8
    }
    return v4
  }";

#[test]
fn scatter_adds_partials_to_the_element_segment_by_segment() {
    let args = [f64s(&[-0.0, BIG]), f64s(&[1.0, 1.0])];
    check(SCATTER, &args, f64s(&[-0.0, BIG + 2.0]));
    check_cut(SCATTER, &args, &cut(1, 1), f64s(&[-0.0, BIG]));
}

#[test]
fn scatter_outside_the_vector_faults() {
    let text = "index out of bounds: index 1 of a vector of 1 (at 1:8)";
    check_fault(SCATTER, &[f64s(&[0.0]), f64s(&[1.0])], FaultKind::IndexOutOfBounds, text);
}
