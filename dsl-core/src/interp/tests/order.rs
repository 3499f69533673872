//! The order of reductions: lanes, chunks, segments, initial values.
//!
//! `BIG + 1.0 == BIG`, so a sum shows which of its ones met `BIG` before it was cancelled.

use super::keyed::{by_key, of_7};
use super::*;

pub(super) const BIG: f64 = 1e16;

/// As one chunk, every element has a lane of its own and the last two ones survive; in chunks of 3, none.
const SIX: [f64; 6] = [BIG, 1.0, 1.0, -BIG, 1.0, 1.0];

/// `BIG` first, `-BIG` last, ones between: 0 from left to right.
fn cancelling(len: usize) -> Vec<f64> {
    let mut elements = vec![1.0; len];
    elements[0] = BIG;
    elements[len - 1] = -BIG;
    elements
}

fn sum() -> String {
    over("f64", "f64", "reduce + f64")
}

#[test]
fn a_float_sum_has_16_lanes() {
    // Elements 0 and 16 share a lane and cancel there.
    check(&sum(), &[f64s(&cancelling(17))], Value::F64(15.0));
    // Elements 0 and 15 do not; lanes fold in order.
    check(&sum(), &[f64s(&cancelling(16))], Value::F64(0.0));
}

#[test]
fn a_narrow_float_sum_has_32_lanes() {
    let narrow = over("f32", "f32", "reduce + f32");
    let f32s = |elements: Vec<f64>| Value::vec(elements.iter().map(|&x| Value::F32(x as f32)).collect());
    check(&narrow, &[f32s(cancelling(33))], Value::F32(31.0));
    check(&narrow, &[f32s(cancelling(17))], Value::F32(0.0));
}

#[test]
fn products_have_lanes_too() {
    // From left to right the product would stay infinite.
    let mut elements = vec![1.0; 18];
    elements[0] = 1e300;
    elements[1] = 1e300;
    elements[16] = 1e-300;
    let expected = elements[0] * elements[16] * 1e300;
    check(&over("f64", "f64", "reduce * f64"), &[f64s(&elements)], Value::F64(expected));
}

#[test]
fn chunks_fold_one_after_the_other() {
    check(&sum(), &[f64s(&SIX)], Value::F64(2.0));
    check_cut(&sum(), &[f64s(&SIX)], &cut(3, 3), Value::F64(0.0));
}

#[test]
fn lanes_count_from_the_start_of_the_chunk() {
    // In the second chunk of 17, BIG is in lane 0, so it comes before the one and before its opposite.
    let mut elements = vec![0.0; 34];
    elements[17] = BIG;
    elements[18] = 1.0;
    elements[32] = -BIG;
    check_cut(&sum(), &[f64s(&elements)], &cut(17, 17), Value::F64(0.0));
    // Counted from the loop's start, -BIG is in lane 0 and BIG in lane 1.
    check(&sum(), &[f64s(&elements)], Value::F64(1.0));
}

#[test]
fn the_lane_of_a_merge_in_a_for_is_the_fors_index() {
    let text = "program(v0: vec[f64]) {
        v1: i64 = const 2
        v2: i64 = len v0
        v3: f64 = loop v4 < v1 {
          sink #0 = reduce + f64
          for v5 < v2 {
            v6: f64 = at v0, v5
            merge #0, v6
          }
        }
        return v3
      }";
    check(text, &[f64s(&cancelling(17))], Value::F64(30.0));
}

#[test]
fn the_lane_of_a_merge_in_a_space_is_its_innermost_index() {
    let text = "program(v0: vec[f64]) {
        v1: i64 = const 2
        v2: i64 = len v0
        v3: f64 = loop v4 < v1, v5 < v2 {
          sink #0 = reduce + f64
          v6: f64 = at v0, v5
          merge #0, v6
        }
        return v3
      }";
    check(text, &[f64s(&cancelling(17))], Value::F64(30.0));
    // Chunks are chunks of the outermost index: one row each.
    check_cut(text, &[f64s(&cancelling(17))], &cut(1, 1), Value::F64(30.0));
}

#[test]
fn a_merge_into_an_outer_sink_takes_the_inner_loops_lane() {
    let text = "program(v0: vec[f64]) {
        v1: i64 = const 1
        v2: i64 = len v0
        v3: f64 = loop v4 < v1 {
          sink #0 = reduce + f64
          v5: f64 = loop v6 < v2 {
            sink #1 = reduce + f64
            v7: f64 = at v0, v6
            merge #0, v7
            merge #1, v7
          }
        }
        return v3
      }";
    check(text, &[f64s(&cancelling(17))], Value::F64(15.0));
}

#[test]
fn a_nested_loop_is_one_chunk() {
    let text = "program(v0: vec[f64]) {
        v1: i64 = const 1
        v2: i64 = len v0
        v3: vec[f64] = loop v4 < v1 {
          sink #0 = collect f64
          v5: f64 = loop v6 < v2 {
            sink #1 = reduce + f64
            v7: f64 = at v0, v6
            merge #1, v7
          }
          merge #0, v5
        }
        return v3
      }";
    check_cut(text, &[f64s(&SIX)], &cut(3, 3), f64s(&[2.0]));
}

#[test]
fn a_loop_in_a_comparator_is_one_chunk() {
    let text = "program(v0: vec[vec[f64]]) {
        v1: vec[vec[f64]] = sort v0 by (v2: vec[f64], v3: vec[f64]) {
          v4: i64 = len v2
          v5: f64 = loop v6 < v4 {
            sink #0 = reduce + f64
            v7: f64 = at v2, v6
            merge #0, v7
          }
          v8: i64 = len v3
          v9: f64 = loop v10 < v8 {
            sink #1 = reduce + f64
            v11: f64 = at v3, v10
            merge #1, v11
          }
          v12: i32 = order v5, v9
          return v12
        }
        return v1
      }";
    // The sum of the longer one is 2; in chunks it would be 0, and it would stay first.
    let args = [Value::vec(vec![f64s(&SIX), f64s(&[1.0])])];
    check_cut(text, &args, &cut(3, 3), Value::vec(vec![f64s(&[1.0]), f64s(&SIX)]));
}

#[test]
fn a_loop_in_an_if_is_split() {
    let text = "program(v0: vec[f64]) {
        v1: bool = const true
        v2: f64 = const 7.0
        v3: f64 = if v1 {
          v4: i64 = len v0
          v5: f64 = loop v6 < v4 {
            sink #0 = reduce + f64
            v7: f64 = at v0, v6
            merge #0, v7
          }
          yield v5
        } else {
          yield v2
        }
        return v3
      }";
    check_cut(text, &[f64s(&SIX)], &cut(3, 3), Value::F64(0.0));
}

#[test]
fn a_loop_in_an_iterate_is_split() {
    let text = "program(v0: vec[f64]) {
        v1: f64 = const 7.0
        v2: f64 = iterate (v3: f64 = v1) {
          v4: i64 = len v0
          v5: f64 = loop v6 < v4 {
            sink #0 = reduce + f64
            v7: f64 = at v0, v6
            merge #0, v7
          }
          v8: bool = const false
          yield v5, v8
        }
        return v2
      }";
    check_cut(text, &[f64s(&SIX)], &cut(3, 3), Value::F64(0.0));
}

/// A region that merges the elements of its second parameter one by one, then those of its first in a `for`.
fn region(before: usize) -> String {
    let fields = vec!["f64"; before].join(",");
    let merges: String =
        (0..before).map(|i| format!("v{}: f64 = field v1, {i} merge #0, v{}\n", 10 + i, 10 + i)).collect();
    format!(
        "program(v0: vec[f64], v1: {{{fields}}}) {{
           v2: i64 = len v0
           v3: f64 = region {{
             sink #0 = reduce + f64
             {merges}
             for v4 < v2 {{
               v5: f64 = at v0, v4
               merge #0, v5
             }}
           }}
           return v3
         }}"
    )
}

fn check_region(before: &[f64], elements: &[f64], expected: f64) {
    let fields = Value::structure(before.iter().map(|&x| Value::F64(x)).collect());
    check_cut(&region(before.len()), &[f64s(elements), fields], &cut(3, 3), Value::F64(expected));
}

#[test]
fn merges_of_a_region_outside_any_for_share_lane_0() {
    check_region(&[BIG, 1.0, -BIG, 1.0], &[], 1.0);
    // Element 0 of the `for` joins them there, element 1 does not.
    check_region(&[BIG], &[-BIG, 1.0], 1.0);
    check_region(&[BIG], &[1.0, -BIG], 0.0);
}

#[test]
fn a_for_in_a_region_is_not_cut() {
    check_region(&[], &SIX, 2.0);
}

#[test]
fn a_region_in_a_loop_begins_at_lane_0_again() {
    let text = "program(v0: vec[f64]) {
        v1: i64 = const 3
        v2: f64 = const 1.0
        v3: f64 = const 1e16
        v4: i64 = len v0
        v5: vec[f64] = loop v6 < v1 {
          sink #0 = collect f64
          v7: f64 = region {
            sink #1 = reduce + f64
            merge #1, v3
            for v8 < v4 {
              v9: f64 = at v0, v8
              merge #1, v9
            }
            merge #1, v2
          }
          merge #0, v7
        }
        return v5
      }";
    // The last one joins lane 0, so -BIG in lane 1 comes after it. In lane 2 the third time, it would survive.
    check(text, &[f64s(&[0.0, -BIG])], f64s(&[0.0, 0.0, 0.0]));
}

#[test]
fn the_initial_value_comes_last_and_once() {
    let text = "program(v0: vec[f64], v1: f64) {
        v2: i64 = len v0
        v3: f64 = loop v4 < v2 {
          sink #0 = reduce + f64 init v1
          v5: f64 = at v0, v4
          merge #0, v5
        }
        return v3
      }";
    // From left to right each one would be lost.
    let args = [f64s(&[1.0, 1.0]), Value::F64(BIG)];
    check(text, &args, Value::F64(BIG + 2.0));
    check_cut(text, &args, &cut(1, 1), Value::F64(BIG + 2.0));
    // Nothing merged gives it unchanged.
    check(text, &[f64s(&[]), Value::F64(-0.0)], Value::F64(-0.0));
    check(text, &[f64s(&[-0.0]), Value::F64(-0.0)], Value::F64(-0.0));
}

#[test]
fn a_sum_begins_at_zero() {
    check(&sum(), &[f64s(&[])], Value::F64(0.0));
    check(&sum(), &[f64s(&[-0.0])], Value::F64(0.0));
}

#[test]
fn structs_fold_leaf_by_leaf() {
    let text = over("{f64,{f32,i64}}", "{f64,{f32,i64}}", "reduce + {f64,{f32,i64}}");
    let value = |x: f64, n| pair(Value::F64(x), pair(Value::F32(x as f32), Value::I64(n)));
    let rows: Vec<Value> = cancelling(17).into_iter().map(|x| value(x, 1)).collect();
    // 16 lanes keep the ones, 32 do not.
    check(&text, &[Value::vec(rows)], pair(Value::F64(15.0), pair(Value::F32(0.0), Value::I64(17))));
}

#[test]
fn min_of_nan_and_numbers_is_the_number() {
    let min = over("f64", "f64", "reduce min f64");
    check(&min, &[f64s(&[f64::NAN, 0.0, -0.0, f64::NAN])], Value::F64(-0.0));
    check(&min, &[f64s(&[])], Value::F64(f64::INFINITY));
}

#[test]
fn min_and_max_of_nans_alone_are_nan_unless_they_begin_with_an_identity() {
    let nans = f64s(&[f64::NAN, f64::NAN]);
    for (op, identity) in [("min", f64::INFINITY), ("max", f64::NEG_INFINITY)] {
        let check_nans = |reduce: &str, expected| {
            check(&over("f64", "f64", reduce), std::slice::from_ref(&nans), Value::F64(expected));
        };
        check_nans(&format!("reduce {op} f64 or fault"), f64::NAN);
        check_nans(&format!("reduce {op} f64"), identity);
        check(&by_key(op, "f64"), &[i64s(&[7, 7]), nans.clone()], of_7(Value::F64(f64::NAN)));
    }
}

#[test]
fn an_expensive_loop_is_cut_into_shorter_chunks() {
    // The cost of a sort makes chunks of 512.
    let text = "program(v0: vec[f64], v1: vec[f64]) {
        v2: i64 = len v0
        v3: f64 = loop v4 < v2 {
          sink #0 = reduce + f64
          v5: vec[f64] = sort v1 by (v6: f64, v7: f64) {
            v8: i32 = order v6, v7
            return v8
          }
          v9: i64 = len v5
          v10: f64 = cast v9
          v11: f64 = at v0, v4
          v12: f64 = add v10, v11
          merge #0, v12
        }
        return v3
      }";
    let mut elements = vec![0.0; 514];
    // BIG and its opposite share lane 1, so in one chunk the one in lane 0 would survive.
    (elements[1], elements[512], elements[513]) = (BIG, 1.0, -BIG);
    let args = [f64s(&elements), f64s(&[])];
    check(text, &args, Value::F64(0.0));
    check_cut(text, &args, &cut(16384, 16384), Value::F64(1.0));
}

#[test]
fn a_reduction_of_nothing_may_fault() {
    let text = "program(v0: vec[i64]) {
        v1: i64 = len v0
        v2: i64 = loop v3 < v1 @5 {
          sink #0 = reduce max i64 or fault @6
          v4: i64 = at v0, v3
          merge #0, v4
        }
        return v2
      }";
    check_fault(text, &[i64s(&[])], FaultKind::EmptyReduction, "empty reduction (at 1:6)");
    // The identity itself is something.
    check(text, &[i64s(&[i64::MIN])], Value::I64(i64::MIN));
}

#[test]
fn a_reduction_of_nothing_with_an_initial_value_gives_it() {
    let text = "program(v0: vec[i64], v1: i64) {
        v2: i64 = len v0
        v3: i64 = loop v4 < v2 {
          sink #0 = reduce max i64 init v1 or fault
          v5: i64 = at v0, v4
          merge #0, v5
        }
        return v3
      }";
    check(text, &[i64s(&[]), Value::I64(-7)], Value::I64(-7));
}

/// `a - b`, which is not associative and so shows the order of the fold.
pub(super) const BY_DIFFERENCE: &str = "by (v8: i64, v9: i64) { v10: i64 = sub v8, v9 return v10 }";

#[test]
fn functions_fold_left_to_right_in_a_chunk_and_over_chunks() {
    let text = over("i64", "i64", &format!("reduce {BY_DIFFERENCE} i64 or fault"));
    let elements = [i64s(&[10, 1, 2, 3, 4])];
    check(&text, &elements, Value::I64(0));
    // (10 - 1) - (2 - 3) - 4
    check_cut(&text, &elements, &cut(2, 2), Value::I64(6));
    check_fault(&text, &[i64s(&[])], FaultKind::EmptyReduction, "empty reduction");
}

#[test]
fn the_initial_value_of_a_function_is_leftmost() {
    let text = format!(
        "program(v0: vec[i64], v1: i64) {{
           v2: i64 = len v0
           v3: i64 = loop v4 < v2 {{
             sink #0 = reduce {BY_DIFFERENCE} i64 init v1
             v5: i64 = at v0, v4
             merge #0, v5
           }}
           return v3
         }}"
    );
    // 100 - (10 - 1) - (2 - 3) - 4
    let args = [i64s(&[10, 1, 2, 3, 4]), Value::I64(100)];
    check_cut(&text, &args, &cut(2, 2), Value::I64(88));
    check(&text, &[i64s(&[]), Value::I64(5)], Value::I64(5));
}
