//! IR text in, loop IR text out.

use expect_test::{Expect, expect};
use weldment_core::{ir, passes};

use super::{Options, build};

fn check(source: &str, expected: Expect) {
    let program = ir::parse(&format!("weldment ir 1\n{source}")).expect("the test parses");
    ir::verify(&program).expect("the test is well formed");
    expected.assert_eq(&build(&program, &Options::default()).to_string());
}

#[test]
fn a_guarded_float_sum_is_predicated_and_blocked() {
    check(
        "program(v0: vec[f64], v1: vec[i32]) {
           v2: i64 = len v0
           v3: i64 = len v1
           v4: i64 = zip_len v2, v3
           v5: f64 = const 0.5
           v6: i32 = const 3
           v7: f64 = loop v8 < v4 {
             sink #0 = reduce + f64
             v9: f64 = at v0, v8
             v10: i32 = at v1, v8
             v11: bool = lt v10, v6
             v12: bool = if v11 {
               v13: bool = ge v9, v5
               yield v13
             } else {
               v14: bool = const false
               yield v14
             }
             if v12 {
               v15: f64 = mul v9, v5
               merge #0, v15
             }
           }
           return v7
         }",
        expect![[r#"
            program(v0: vec[f64], v1: vec[i32]) {
              v2: i64 = len v0
              v3: i64 = len v1
              v4: i64 = zip_len v2, v3
              v5: f64 = const 0.5
              v6: i32 = const 3
              nest 0 in chunks of 16384 {
                store #0 -> v7: accumulate + f64 in 16 lanes
                over v8 < v4 by 16 columns v0, v1 prefetch v0, v1 {
                  v9: f64 = at v0, v8
                  v10: i32 = at v1, v8
                  v11: bool = lt v10, v6
                  v13: bool = ge v9, v5
                  v14: bool = const false
                  v12: bool = and v11, v13
                  v15: f64 = mul v9, v5
                  merge #0, v15 lane v8 if v12
                }
              }
              return v7
            }
        "#]],
    );
}

#[test]
fn a_guarded_collect_and_a_faulting_guard_keep_their_branches() {
    check(
        "program(v0: vec[i64]) {
           v1: i64 = len v0
           v2: i64 = const 3
           v3: vec[i64], v4: i64 = loop v5 < v1 {
             sink #0 = collect i64
             sink #1 = reduce + i64
             v6: i64 = at v0, v5
             v7: bool = lt v6, v2
             if v7 {
               merge #0, v6
             }
             if v7 {
               v8: i64 = div v2, v6
               merge #1, v8
             }
           }
           v9: {vec[i64],i64} = struct {v3, v4}
           return v9
         }",
        expect![[r#"
            program(v0: vec[i64]) {
              v1: i64 = len v0
              v2: i64 = const 3
              nest 0 in chunks of 16384 {
                store #0 -> v3: collect i64 at most
                store #1 -> v4: accumulate + i64 in 1 lanes
                over v5 < v1 columns v0 {
                  v6: i64 = at v0, v5
                  v7: bool = lt v6, v2
                  if v7 {
                    merge #0, v6 lane v5
                  }
                  if v7 {
                    v8: i64 = div v2, v6
                    merge #1, v8 lane v5
                  }
                }
              }
              v9: {vec[i64],i64} = struct {v3, v4}
              return v9
            }
        "#]],
    );
}

#[test]
fn a_matrix_times_a_vector_blocks_the_inner_loop() {
    check(
        "program(v0: vec[vec[f64]], v1: vec[f64]) {
           v2: i64 = len v0
           v3: vec[f64] = loop v4 < v2 {
             sink #0 = collect f64
             v5: vec[f64] = at v0, v4
             v6: i64 = len v5
             v7: i64 = len v1
             v8: i64 = zip_len v6, v7
             v9: f64 = loop v10 < v8 {
               sink #1 = reduce + f64
               v11: f64 = at v5, v10
               v12: f64 = at v1, v10
               v13: f64 = mul v11, v12
               merge #1, v13
             }
             merge #0, v9
           }
           return v3
         }",
        expect![[r#"
            program(v0: vec[vec[f64]], v1: vec[f64]) {
              v2: i64 = len v0
              nest 0 in chunks of 128 {
                store #0 -> v3: collect f64 exact
                over v4 < v2 columns v0 prefetch v0 {
                  v5: vec[f64] = at v0, v4
                  v6: i64 = len v5
                  v7: i64 = len v1
                  v8: i64 = zip_len v6, v7
                  v14: i64 = const 16
                  v15: bool = le v8, v14
                  v9: f64 = if v15 {
                    nest 1 of few {
                      store #2 -> v16: accumulate + f64 in 1 lanes
                      over v18 < v8 columns v5, v1 {
                        v19: f64 = at v5, v18
                        v20: f64 = at v1, v18
                        v21: f64 = mul v19, v20
                        merge #2, v21 lane v18
                      }
                    }
                    yield v16
                  } else {
                    nest 2 serial {
                      store #1 -> v17: accumulate + f64 in 16 lanes
                      over v10 < v8 by 16 columns v5, v1 prefetch v5 {
                        v11: f64 = at v5, v10
                        v12: f64 = at v1, v10
                        v13: f64 = mul v11, v12
                        merge #1, v13 lane v10
                      }
                    }
                    yield v17
                  }
                  merge #0, v9 lane v4
                }
              }
              return v3
            }
        "#]],
    );
}

#[test]
fn exact_leaves_follow_float_leaves_into_lanes_and_flags_count_what_is_guarded() {
    check(
        "program(v0: vec[f32], v1: bool) {
           v2: i64 = len v0
           v3: i64 = const 1
           v4: {f32,i64}, v5: f32, v6: i64 = loop v7 < v2 {
             sink #0 = reduce + {f32,i64}
             sink #1 = reduce max f32 or fault
             sink #2 = reduce min i64 or fault
             v8: f32 = at v0, v7
             v9: {f32,i64} = struct {v8, v7}
             merge #0, v9
             if v1 {
               merge #1, v8
             }
             merge #2, v7
           }
           return v5
         }",
        expect![[r#"
            program(v0: vec[f32], v1: bool) {
              v2: i64 = len v0
              v3: i64 = const 1
              nest 0 in chunks of 16384 {
                store #0 -> v4: accumulate + {f32,i64} in 32, 16 lanes
                store #1 -> v5: accumulate max f32 in 1 lanes or fault by flag
                store #2 -> v6: accumulate min i64 in 16 lanes or fault by extent
                over v7 < v2 by 32 columns v0 prefetch v0 {
                  v8: f32 = at v0, v7
                  v9: {f32,i64} = struct {v8, v7}
                  merge #0, v9 lane v7
                  merge #1, v8 lane v7 if v1 compared in 32
                  merge #2, v7 lane v7
                }
              }
              return v5
            }
        "#]],
    );
}

#[test]
fn several_indices_are_loops_inside_each_other() {
    check(
        "program(v0: i64, v1: i64) {
           v2: f64, v3: vec[i64] = loop v4 < v0, v5 < v1 {
             sink #0 = reduce + f64
             sink #1 = collect i64
             v6: f64 = cast v5
             merge #0, v6
             merge #1, v4
           }
           return v2
         }",
        expect![[r#"
            program(v0: i64, v1: i64) {
              nest 0 in chunks of 2048 {
                store #0 -> v2: accumulate + f64 in 16 lanes
                store #1 -> v3: collect i64
                over v4 < v0 {
                  for v5 < v1 {
                    v6: f64 = cast v5
                    merge #0, v6 lane v5
                    merge #1, v4 lane v5
                  }
                }
              }
              return v2
            }
        "#]],
    );
}

#[test]
fn a_region_merges_into_lane_zero_outside_its_loops() {
    check(
        "program(v0: vec[f64], v1: f64) {
           v2: i64 = len v0
           v3: f64 = region {
             sink #0 = reduce + f64
             merge #0, v1
             for v4 < v2 {
               v5: f64 = at v0, v4
               merge #0, v5
             }
           }
           return v3
         }",
        expect![[r#"
            program(v0: vec[f64], v1: f64) {
              v2: i64 = len v0
              nest 0 serial {
                store #0 -> v3: accumulate + f64 in 16 lanes
                once {
                  merge #0, v1
                  for v4 < v2 by 16 columns v0 {
                    v5: f64 = at v0, v4
                    merge #0, v5 lane v4
                  }
                }
              }
              return v3
            }
        "#]],
    );
}

#[test]
fn tables_with_narrow_keys_are_indexed_directly() {
    check(
        "program(v0: vec[{u8,u8}], v1: vec[i64]) {
           v2: i64 = len v0
           v3: i64 = len v1
           v4: i64 = zip_len v2, v3
           v5: dict[{u8,u8},i64], v6: dict[i64,vec[i64]] = loop v7 < v4 {
             sink #0 = bucket_reduce + {u8,u8} -> i64
             sink #1 = bucket_collect i64 -> i64
             v8: {u8,u8} = at v0, v7
             v9: i64 = at v1, v7
             merge #0, v8, v9
             merge #1, v9, v7
           }
           return v5
         }",
        expect![[r#"
            program(v0: vec[{u8,u8}], v1: vec[i64]) {
              v2: i64 = len v0
              v3: i64 = len v1
              v4: i64 = zip_len v2, v3
              nest 0 in chunks of 16384 {
                store #0 -> v5: table direct 16 {u8,u8} -> i64 reduce +
                store #1 -> v6: table hash i64 -> i64 group
                over v7 < v4 columns v0, v1 {
                  v8: {u8,u8} = at v0, v7
                  v9: i64 = at v1, v7
                  merge #0, v8, v9 lane v7
                  merge #1, v9, v7 lane v7
                }
              }
              return v5
            }
        "#]],
    );
}

/// The length of the first store of `text`, as it is printed.
fn length(text: &str) -> String {
    let mut program = weldment_core::front::from_text(text).unwrap().program;
    passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
    let loops = build(&program, &Options::default()).to_string();
    let store = loops.lines().find(|line| line.contains("store #")).expect("a store");
    store.split("i64").last().expect("the type of its elements").trim().to_owned()
}

#[test]
fn merges_of_an_iteration_are_counted() {
    let each = |body: &str| length(&format!("|v: vec[i64]| result(for(v, appender[i64], |b, i, x| {body}))"));
    assert_eq!(each("merge(merge(b, x), i)"), "exact 2 each");
    assert_eq!(each("if(x > 0L, merge(merge(b, x), i), merge(merge(b, i), x))"), "exact 2 each");
    assert_eq!(
        each("for(rangeiter(0L, 300L, 1L), merge(b, x), |c, j, y| merge(merge(c, y), x))"),
        "exact 601 each"
    );
    assert_eq!(each("if(x > 0L, merge(b, x), b)"), "at most");
}

#[test]
fn lengths_that_depend_on_values_are_unknown() {
    let each = |body: &str| length(&format!("|v: vec[i64]| result(for(v, appender[i64], |b, i, x| {body}))"));
    assert_eq!(each("for(rangeiter(0L, max(0L, x), 1L), b, |c, j, y| merge(c, y))"), "");
    assert_eq!(each("if(x > 0L, merge(merge(b, x), i), merge(b, x))"), "");
    assert_eq!(each("if(x > 0L, for(rangeiter(0L, 300L, 1L), b, |c, j, y| merge(c, y)), b)"), "");
}

#[test]
fn a_fold_by_key_that_gives_its_second_argument_keeps_the_last_value() {
    let store = |by: &str| {
        let text = format!("|v: &[(i64, f64)]| v.reduce_by(|e| e.0, |e| e.1, {by})");
        let program = weldment_core::front::from_text(&text).expect("the test is well formed").program;
        let loops = build(&program, &Options::default()).to_string();
        loops.lines().find(|line| line.contains("store")).map(|line| line.trim().to_owned())
    };
    assert_eq!(store("|a, b| b").unwrap(), "store #0 -> v8: table hash i64 -> f64 last");
    for by in ["|a, b| a", "|a, b| -b", "|a, b| if(a == a, b, b)"] {
        assert!(store(by).unwrap().contains("table hash i64 -> f64 fold"), "{by}");
    }
}

#[test]
fn sums_of_small_integers_have_narrow_lanes() {
    check(
        "program(v0: vec[u8], v1: u8) {
           v2: i64 = len v0
           v3: i64 = const 3
           v4: i64 = const 1
           v5: i64, v6: i64 = loop v7 < v2 {
             sink #0 = reduce + i64
             sink #1 = reduce + i64
             v8: u8 = at v0, v7
             v9: i64 = cast v8
             v10: i64 = mul v9, v3
             v11: bool = lt v8, v1
             if v11 {
               merge #0, v10
             }
             v12: i64 = select v11, v4, v9
             merge #1, v12
           }
           v13: i64 = add v5, v6
           return v13
         }",
        expect![[r#"
            program(v0: vec[u8], v1: u8) {
              v2: i64 = len v0
              v3: i64 = const 3
              v4: i64 = const 1
              nest 0 in chunks of 16384 {
                store #0 -> v5: accumulate + i64 in 32 lanes of i32
                store #1 -> v6: accumulate + i64 in 32 lanes of i32
                over v7 < v2 by 32 columns v0 prefetch v0 {
                  v8: u8 = at v0, v7
                  v11: bool = lt v8, v1
                  v14: i32 = cast v8
                  v15: i32 = const 3
                  v16: i32 = mul v14, v15
                  v17: i32 = const 1
                  v18: i32 = select v11, v17, v14
                  merge #0, v16 lane v7 if v11
                  merge #1, v18 lane v7
                }
              }
              v13: i64 = add v5, v6
              return v13
            }
        "#]],
    );
}

/// Near misses: 2^16 sums of two bytes each are too many, 32 bits are no small number, and columns of 8 bytes are read in the
/// blocks that they have anyway.
/// The loops of a program that is not optimised.
fn built(text: &str) -> String {
    let lowered = weldment_core::front::from_text(text).expect("the test is well formed");
    build(&lowered.program, &Options::default()).to_string()
}

#[test]
fn words_are_asked_for_ahead_where_nothing_else_is_a_key_of_their_table() {
    let keys = |body: &str| {
        let loops = built(&format!("|words: &[Vec<u8>], wide: &[Vec<i32>]| {body}"));
        loops.matches(" prefetch keys v").count()
    };
    let made = |merges: &str| format!("result(for(words, dictmerger[Vec<u8>,i64,+], |b, i, word| {merges}))");
    assert_eq!(keys("words.reduce_by(|word| word, |_| 1, +)"), 1);
    assert_eq!(keys(&made("merge(b, (word, 1L))")), 1);
    assert_eq!(keys(&made("merge(if len(word) > 3 { merge(b, (word, 1L)) } else { b }, (word, 1L))")), 1);
    assert_eq!(keys(&made("merge(merge(b, (word, 1L)), (slice(word, 0, 1), 1L))")), 0);
    // It would ask for those that are not merged by, too.
    assert_eq!(keys(&made("if len(word) > 3 { merge(b, (word, 1L)) } else { b }")), 0);
    // These are in another index, and the groups of others in none until the end.
    assert_eq!(keys("wide.reduce_by(|row| row, |_| 1, +)"), 0);
    assert_eq!(keys("words.group_by(|word| word)"), 0);
}

#[test]
fn short_rows_fold_in_order_before_they_go_on_if_they_run_one_by_one() {
    let loops = |body: &str| {
        let loops = built(&format!("|rows: &[Vec<i32>], x: &[f64], y: &[Vec<f64>]| {body}"));
        (loops.contains("the first 16 in order"), loops.contains("in 1 lane"))
    };
    let of_rows = |inner: &str| loops(&format!("rows.map(|row| result(for(row, {inner})))"));
    assert_eq!(of_rows("merger[f64,+], |b, i, at| merge(b, x[i64(at)])"), (true, false));
    assert_eq!(of_rows("merger[(f64,f64),*], |b, i, at| merge(b, (x[i64(at)], 2.0))"), (true, false));
    // These run in blocks, for which the first ones in order would be a loss.
    assert_eq!(loops("y.map(|row| row.sum())"), (false, true));
    assert_eq!(loops("rows.map(|row| (row.sum(), row.fold(0, |a, b| max(a, b))))"), (false, true));
}

#[test]
fn sums_that_are_not_small_keep_wide_lanes() {
    let narrow = |ty: &str, chunk: u64, value: &str| {
        let source = format!(
            "weldment ir 1 program(v0: vec[{ty}], v1: vec[f64]) {{
               v2: i64 = len v0
               v3: i64 = loop v4 < v2 {{
                 sink #0 = reduce + i64
                 v5: {ty} = at v0, v4
                 v6: i64 = cast v5
                 {value}
               }}
               return v3
             }}"
        );
        let program = ir::parse(&source).expect("the test parses");
        build(&program, &Options { chunk: Some(chunk), ..Options::default() })
            .to_string()
            .contains("lanes of i32")
    };
    let (once, product) = ("merge #0, v6", "v7: i64 = mul v6, v6 merge #0, v7");
    assert!(narrow("u8", 1 << 23, once) && !narrow("u8", 1 << 24, once));
    assert!(narrow("u8", 1 << 15, product) && !narrow("u8", 1 << 16, product));
    assert!(narrow("u16", 1 << 15, once) && !narrow("u16", 1 << 16, once));
    assert!(narrow("i16", (1 << 16) - 1, once) && !narrow("i16", 1 << 16, once));
    assert!(!narrow("i16", 16384, product) && !narrow("i32", 1, once) && !narrow("i64", 1, once));
    assert!(!narrow("u8", 1, "v7: i64 = const 3 merge #0, v7"));
    let other = "v7: f64 = at v1, v4 v8: f64 = const 0.5 v9: bool = lt v7, v8 if v9 { merge #0, v6 }";
    assert!(!narrow("u8", 1, other));
    assert!(!narrow("u8", 1, "v7: i64 = neg v6 merge #0, v7"));
}
