//! The order of reductions: lanes, pieces, segments, initial values.
//!
//! `BIG + 1.0 == BIG`, so what a one meets before `BIG` is cancelled shows in the sum.

use weldment_runtime::fault::FaultKind;
use weldment_runtime::scalar::BinaryOp;
use weldment_runtime::types::{Scalar, Type};

use super::*;

const BIG: f64 = 1e16;

fn f32_ty() -> Type {
    Type::Scalar(Scalar::F32)
}

/// `BIG` first, `-BIG` last, ones between: 0 from left to right.
fn cancelling(len: usize) -> Vec<f64> {
    let mut elements = vec![1.0; len];
    elements[0] = BIG;
    elements[len - 1] = -BIG;
    elements
}

fn sum_program() -> Build {
    Build::program(&[Type::vec(Type::F64)], |build, params| {
        build.over(params[0], reduce(ReduceOp::Add, Type::F64))
    })
}

#[test]
fn a_float_sum_has_16_lanes() {
    // Elements 0 and 16 share a lane and cancel there.
    check(&sum_program(), &[f64s(&cancelling(17))], Value::F64(15.0));
    // Elements 0 and 15 do not; lanes fold in order.
    check(&sum_program(), &[f64s(&cancelling(16))], Value::F64(0.0));
}

#[test]
fn a_narrow_float_sum_has_32_lanes() {
    let build = Build::program(&[Type::vec(f32_ty())], |build, params| {
        build.over(params[0], reduce(ReduceOp::Add, f32_ty()))
    });
    let f32s = |elements: Vec<f64>| Value::vec(elements.iter().map(|&x| Value::F32(x as f32)).collect());
    check(&build, &[f32s(cancelling(33))], Value::F32(31.0));
    check(&build, &[f32s(cancelling(17))], Value::F32(0.0));
}

#[test]
fn products_have_lanes_too() {
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        build.over(params[0], reduce(ReduceOp::Mul, Type::F64))
    });
    // From left to right the product would stay infinite.
    let mut elements = vec![1.0; 18];
    elements[0] = 1e300;
    elements[1] = 1e300;
    elements[16] = 1e-300;
    let expected = elements[0] * elements[16] * 1e300;
    check(&build, &[f64s(&elements)], Value::F64(expected));
}

#[test]
fn pieces_fold_one_after_the_other() {
    let elements = f64s(&[BIG, 1.0, 1.0, -BIG, 1.0, 1.0]);
    // As one piece, every element has a lane of its own and the last two ones survive.
    check(&sum_program(), std::slice::from_ref(&elements), Value::F64(2.0));
    check_cut(&sum_program(), &[elements], &cut(3, 3), Value::F64(0.0));
}

#[test]
fn lanes_count_from_the_start_of_the_piece() {
    // In the second piece of 17, BIG is in lane 0, so it comes before the one and before its opposite.
    let mut elements = vec![0.0; 34];
    elements[17] = BIG;
    elements[18] = 1.0;
    elements[32] = -BIG;
    check_cut(&sum_program(), &[f64s(&elements)], &cut(17, 17), Value::F64(0.0));
    // Counted from the loop's start, -BIG is in lane 0 and BIG in lane 1.
    check(&sum_program(), &[f64s(&elements)], Value::F64(1.0));
}

#[test]
fn the_lane_of_a_merge_in_a_for_is_the_fors_index() {
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        let (rows, n) = (build.constant(2i64), build.len(params[0]));
        build.looped(&[rows], reduce(ReduceOp::Add, Type::F64), |build, _, sink| {
            build.for_each(n, |build, j| {
                let element = build.at(params[0], j);
                build.merge(sink, &[element]);
            });
        })
    });
    check(&build, &[f64s(&cancelling(17))], Value::F64(30.0));
}

#[test]
fn the_lane_of_a_merge_in_a_space_is_its_innermost_index() {
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        let (rows, n) = (build.constant(2i64), build.len(params[0]));
        build.looped(&[rows, n], reduce(ReduceOp::Add, Type::F64), |build, indices, sink| {
            let element = build.at(params[0], indices[1]);
            build.merge(sink, &[element]);
        })
    });
    check(&build, &[f64s(&cancelling(17))], Value::F64(30.0));
    // Pieces are pieces of the outermost index: one row each.
    check_cut(&build, &[f64s(&cancelling(17))], &cut(1, 1), Value::F64(30.0));
}

#[test]
fn a_merge_into_an_outer_sink_takes_the_inner_loops_lane() {
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        let (rows, n) = (build.constant(1i64), build.len(params[0]));
        build.looped(&[rows], reduce(ReduceOp::Add, Type::F64), |build, _, outer| {
            build.looped(&[n], reduce(ReduceOp::Add, Type::F64), |build, indices, inner| {
                let element = build.at(params[0], indices[0]);
                build.merge(outer, &[element]);
                build.merge(inner, &[element]);
            });
        })
    });
    check(&build, &[f64s(&cancelling(17))], Value::F64(15.0));
}

#[test]
fn a_nested_loop_is_one_piece() {
    let elements = f64s(&[BIG, 1.0, 1.0, -BIG, 1.0, 1.0]);
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        let rows = build.constant(1i64);
        build.looped(&[rows], SinkKind::Collect { ty: Type::F64, hint: None }, |build, _, sink| {
            let sum = build.over(params[0], reduce(ReduceOp::Add, Type::F64));
            build.merge(sink, &[sum]);
        })
    });
    check_cut(&build, &[elements], &cut(3, 3), f64s(&[2.0]));
}

#[test]
fn a_loop_in_a_comparator_is_one_piece() {
    let elements = f64s(&[BIG, 1.0, 1.0, -BIG, 1.0, 1.0]);
    let ty = Type::vec(Type::F64);
    let build = Build::program(&[Type::vec(ty.clone())], |build, params| {
        // The sum is 2 as one piece, 0 in pieces of 3; so only then would the longer vector stay first.
        let comparator = build.body(&[ty.clone(), ty.clone()], |build, pair| {
            let sums = [0, 1].map(|i| build.over(pair[i], reduce(ReduceOp::Add, Type::F64)));
            vec![build.op(Type::I32, Op::Order(sums[0], sums[1]))]
        });
        build.op(Type::vec(ty.clone()), Op::Sort { vector: params[0], comparator })
    });
    let (one, both) = (f64s(&[1.0]), vec![elements.clone(), f64s(&[1.0])]);
    check_cut(&build, &[Value::vec(both)], &cut(3, 3), Value::vec(vec![one, elements]));
}

#[test]
fn a_loop_in_an_if_is_split() {
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        let cond = build.constant(true);
        let then = build.body(&[], |build, _| vec![build.over(params[0], reduce(ReduceOp::Add, Type::F64))]);
        let els = build.body(&[], |build, _| vec![build.constant(0.0)]);
        build.op(Type::F64, Op::If { cond, then, els })
    });
    check_cut(&build, &[f64s(&[BIG, 1.0, 1.0, -BIG, 1.0, 1.0])], &cut(3, 3), Value::F64(0.0));
}

#[test]
fn a_loop_in_an_iterate_is_split() {
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        let zero = build.constant(0.0);
        let body = build.body(&[Type::F64], |build, _| {
            let sum = build.over(params[0], reduce(ReduceOp::Add, Type::F64));
            vec![sum, build.constant(false)]
        });
        build.op(Type::F64, Op::Iterate { init: vec![zero], body })
    });
    check_cut(&build, &[f64s(&[BIG, 1.0, 1.0, -BIG, 1.0, 1.0])], &cut(3, 3), Value::F64(0.0));
}

/// A region that merges `before`, then the elements of its parameter in a `for`.
fn region_program(before: &[f64]) -> Build {
    Build::program(&[Type::vec(Type::F64)], |build, params| {
        build.looped(&[], reduce(ReduceOp::Add, Type::F64), |build, _, sink| {
            for &x in before {
                let x = build.constant(x);
                build.merge(sink, &[x]);
            }
            let n = build.len(params[0]);
            build.for_each(n, |build, j| {
                let element = build.at(params[0], j);
                build.merge(sink, &[element]);
            });
        })
    })
}

#[test]
fn merges_of_a_region_outside_any_for_share_lane_0() {
    check(&region_program(&[BIG, 1.0, -BIG, 1.0]), &[f64s(&[])], Value::F64(1.0));
    // Element 0 of the `for` joins them there, element 1 does not.
    check(&region_program(&[BIG]), &[f64s(&[-BIG, 1.0])], Value::F64(1.0));
    check(&region_program(&[BIG]), &[f64s(&[1.0, -BIG])], Value::F64(0.0));
}

#[test]
fn a_for_in_a_region_is_not_cut() {
    let elements = f64s(&[BIG, 1.0, 1.0, -BIG, 1.0, 1.0]);
    check_cut(&region_program(&[]), &[elements], &cut(3, 3), Value::F64(2.0));
}

#[test]
fn a_region_in_a_loop_begins_at_lane_0_again() {
    let build = Build::program(&[], |build, _| {
        let n = build.constant(3i64);
        build.looped(&[n], SinkKind::Collect { ty: Type::F64, hint: None }, |build, _, outer| {
            let sum = build.looped(&[], reduce(ReduceOp::Add, Type::F64), |build, _, sink| {
                let (big, one) = (build.constant(BIG), build.constant(2i64));
                build.merge(sink, &[big]);
                build.for_each(one, |build, j| {
                    // 0 in lane 0 and -BIG in lane 1; then the one in lane 2 would come too late.
                    let is_last = build.op(Type::F64, Op::Cast(Scalar::F64, j));
                    let minus = build.constant(-BIG);
                    let x = build.op(Type::F64, Op::Binary(BinaryOp::Mul, is_last, minus));
                    build.merge(sink, &[x]);
                });
                let one = build.constant(1.0);
                build.merge(sink, &[one]);
            });
            build.merge(outer, &[sum]);
        })
    });
    check(&build, &[], f64s(&[0.0, 0.0, 0.0]));
}

#[test]
fn the_initial_value_comes_last_and_once() {
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        let init = Some(build.constant(BIG));
        let reducer = Reducer::Op(ReduceOp::Add);
        let kind = SinkKind::Reduce { ty: Type::F64, reducer, init, empty: Empty::Identity };
        build.over(params[0], kind)
    });
    // From left to right each one would be lost.
    check(&build, &[f64s(&[1.0, 1.0])], Value::F64(BIG + 2.0));
    check_cut(&build, &[f64s(&[1.0, 1.0])], &cut(1, 1), Value::F64(BIG + 2.0));
}

#[test]
fn lanes_begin_at_negative_zero_and_the_sum_at_zero() {
    check(&sum_program(), &[f64s(&[])], Value::F64(0.0));
    check(&sum_program(), &[f64s(&[-0.0])], Value::F64(0.0));
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        let init = Some(build.constant(-0.0));
        let reducer = Reducer::Op(ReduceOp::Add);
        let kind = SinkKind::Reduce { ty: Type::F64, reducer, init, empty: Empty::Identity };
        build.over(params[0], kind)
    });
    check(&build, &[f64s(&[])], Value::F64(-0.0));
    check(&build, &[f64s(&[-0.0])], Value::F64(-0.0));
}

#[test]
fn structs_fold_leaf_by_leaf() {
    let row = Type::structure([Type::F64, Type::structure([f32_ty(), Type::I64])]);
    let build = Build::program(&[Type::vec(row.clone())], |build, params| {
        build.over(params[0], reduce(ReduceOp::Add, row.clone()))
    });
    let value = |x: f64, n| pair(Value::F64(x), pair(Value::F32(x as f32), Value::I64(n)));
    let rows: Vec<Value> = cancelling(17).into_iter().map(|x| value(x, 1)).collect();
    // 16 lanes keep the ones, 32 do not.
    check(&build, &[Value::vec(rows)], pair(Value::F64(15.0), pair(Value::F32(0.0), Value::I64(17))));
}

#[test]
fn min_of_nan_and_numbers_is_the_number() {
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        build.over(params[0], reduce(ReduceOp::Min, Type::F64))
    });
    check(&build, &[f64s(&[f64::NAN, 0.0, -0.0, f64::NAN])], Value::F64(-0.0));
    check(&build, &[f64s(&[])], Value::F64(f64::INFINITY));
}

fn max_program(init: Option<i64>) -> Build {
    Build::program(&[Type::vec(Type::I64)], |build, params| {
        let init = init.map(|init| build.constant(init));
        let reducer = Reducer::Op(ReduceOp::Max);
        build.over(params[0], SinkKind::Reduce { ty: Type::I64, reducer, init, empty: Empty::Fault })
    })
}

#[test]
fn a_reduction_of_nothing_faults_unless_it_has_an_initial_value() {
    check_fault(&max_program(None), &[i64s(&[])], FaultKind::EmptyReduction, "empty reduction (at 1:4)");
    check(&max_program(Some(-7)), &[i64s(&[])], Value::I64(-7));
    check(&max_program(None), &[i64s(&[i64::MIN])], Value::I64(i64::MIN));
}

/// Folds by `a - b`, which is not associative and so shows the order.
fn difference_program(init: Option<i64>) -> Build {
    Build::program(&[Type::vec(Type::I64)], |build, params| {
        let init = init.map(|init| build.constant(init));
        let func = build.body(&[Type::I64, Type::I64], |build, params| {
            vec![build.op(Type::I64, Op::Binary(BinaryOp::Sub, params[0], params[1]))]
        });
        let reducer = Reducer::Func(func);
        build.over(params[0], SinkKind::Reduce { ty: Type::I64, reducer, init, empty: Empty::Fault })
    })
}

#[test]
fn functions_fold_left_to_right_in_a_piece_and_over_pieces() {
    let elements = i64s(&[10, 1, 2, 3, 4]);
    check(&difference_program(None), std::slice::from_ref(&elements), Value::I64(0));
    // (10 - 1) - (2 - 3) - 4
    check_cut(&difference_program(None), std::slice::from_ref(&elements), &cut(2, 2), Value::I64(6));
    // 100 - (10 - 1) - (2 - 3) - 4
    check_cut(&difference_program(Some(100)), &[elements], &cut(2, 2), Value::I64(88));
}

#[test]
fn a_function_of_nothing_gives_its_initial_value_or_a_fault() {
    check(&difference_program(Some(5)), &[i64s(&[])], Value::I64(5));
    let text = "empty reduction (at 1:5)";
    check_fault(&difference_program(None), &[i64s(&[])], FaultKind::EmptyReduction, text);
}

/// Sums the elements of its second parameter by the keys in its first.
fn by_key_program() -> Build {
    Build::program(&[Type::vec(Type::I64), Type::vec(Type::F64)], |build, params| {
        let n = build.len(params[0]);
        let reducer = Reducer::Op(ReduceOp::Add);
        let kind = SinkKind::BucketReduce { key: Type::I64, value: Type::F64, reducer };
        build.looped(&[n], kind, |build, indices, sink| {
            let key = build.at(params[0], indices[0]);
            let value = build.at(params[1], indices[0]);
            build.merge(sink, &[key, value]);
        })
    })
}

#[test]
fn a_bucket_has_one_partial_per_key_and_segment() {
    let args = [i64s(&[7, 7, 5, 7, 7]), f64s(&[BIG, 1.0, -0.0, 1.0, 1.0])];
    let by_key = |x: f64| dict([(Value::I64(7), Value::F64(x)), (Value::I64(5), Value::F64(-0.0))]);
    // Left to right, without lanes: the ones are lost one by one.
    check(&by_key_program(), &args, by_key(BIG));
    // The second segment's ones add up before they meet BIG.
    check_cut(&by_key_program(), &args, &cut(1, 3), by_key(BIG + 2.0));
}

#[test]
fn a_segment_is_rounded_up_to_whole_pieces() {
    // Rounded up from 3 to 4, the segments are BIG + 1 + 1 + 1 and 1 + 1 + 1 + 1.
    let args = [i64s(&[7; 8]), f64s(&[BIG, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])];
    let sum = dict([(Value::I64(7), Value::F64(BIG + 4.0))]);
    check_cut(&by_key_program(), &args, &cut(2, 3), sum);
}

#[test]
fn a_nested_bucket_is_one_segment() {
    let build = Build::program(&[Type::vec(Type::F64)], |build, params| {
        let (rows, n) = (build.constant(1i64), build.len(params[0]));
        let ty = Type::dict(Type::I64, Type::F64);
        build.looped(&[rows], SinkKind::Collect { ty, hint: None }, |build, _, outer| {
            let reducer = Reducer::Op(ReduceOp::Add);
            let kind = SinkKind::BucketReduce { key: Type::I64, value: Type::F64, reducer };
            let sums = build.looped(&[n], kind, |build, indices, sink| {
                let key = build.constant(7i64);
                let value = build.at(params[0], indices[0]);
                build.merge(sink, &[key, value]);
            });
            build.merge(outer, &[sums]);
        })
    });
    let sums = dict([(Value::I64(7), Value::F64(BIG))]);
    let elements = f64s(&[BIG, 1.0, 1.0, 1.0]);
    check_cut(&build, &[elements], &cut(2, 2), Value::vec(vec![sums]));
}

#[test]
fn functions_fold_buckets_segment_by_segment() {
    let build = Build::program(&[Type::vec(Type::I64)], |build, params| {
        let n = build.len(params[0]);
        let func = build.body(&[Type::I64, Type::I64], |build, params| {
            vec![build.op(Type::I64, Op::Binary(BinaryOp::Sub, params[0], params[1]))]
        });
        let kind = SinkKind::BucketReduce { key: Type::BOOL, value: Type::I64, reducer: Reducer::Func(func) };
        build.looped(&[n], kind, |build, indices, sink| {
            let key = build.constant(true);
            let value = build.at(params[0], indices[0]);
            build.merge(sink, &[key, value]);
        })
    });
    let of = |x| dict([(Value::Bool(true), Value::I64(x))]);
    check(&build, &[i64s(&[10, 1, 2, 3])], of(4));
    check_cut(&build, &[i64s(&[10, 1, 2, 3])], &cut(2, 2), of(10));
}

/// Adds the elements of its second parameter into element 1 of its first.
fn scatter_program() -> Build {
    Build::program(&[Type::vec(Type::F64), Type::vec(Type::F64)], |build, params| {
        let n = build.len(params[1]);
        let kind = SinkKind::Scatter { ty: Type::F64, op: ReduceOp::Add, init: params[0] };
        build.looped(&[n], kind, |build, indices, sink| {
            let index = build.constant(1i64);
            let value = build.at(params[1], indices[0]);
            build.merge(sink, &[index, value]);
        })
    })
}

#[test]
fn scatter_adds_partials_to_the_element_segment_by_segment() {
    let args = [f64s(&[-0.0, BIG]), f64s(&[1.0, 1.0])];
    check(&scatter_program(), &args, f64s(&[-0.0, BIG + 2.0]));
    check_cut(&scatter_program(), &args, &cut(1, 1), f64s(&[-0.0, BIG]));
}

#[test]
fn scatter_outside_the_vector_faults() {
    let text = "index out of bounds: index 1 of a vector of 1 (at 1:4)";
    check_fault(&scatter_program(), &[f64s(&[0.0]), f64s(&[1.0])], FaultKind::IndexOutOfBounds, text);
}
