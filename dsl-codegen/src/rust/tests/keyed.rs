//! Sinks with keys and indices.

use expect_test::expect;

use super::check;

#[test]
fn sums_by_a_narrow_key_are_a_table_per_segment() {
    check(
        "program(v0: vec[u8], v1: vec[f64]) {
           v2: i64 = len v0
           v3: i64 = len v1
           v4: i64 = zip_len v2, v3
           v5: dict[u8,{f64,i64}] = loop v6 < v4 {
             sink #0 = bucket_reduce + u8 -> {f64,i64}
             v7: u8 = at v0, v6
             v8: f64 = at v1, v6
             v9: i64 = const 1
             v10: {f64,i64} = struct {v8, v9}
             merge #0, v7, v10
           }
           return v5
         }",
        expect![[r#"
            fn run(
                cx: &context::Context,
                v0: &[u8],
                v1: &[f64],
            ) -> Result<dict::Dict<u8, (f64, i64)>, fault::Fault> {
                let v2: i64 = v0.len() as i64;
                let v3: i64 = v1.len() as i64;
                let v4: i64 = checked::zip_len(&[v2, v3], 0, 0)?;
                let v5: dict::Dict<u8, (f64, i64)> = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut builders::table::Table<u8, (f64, i64)>,
                        c0_6: &[u8],
                        c1_6: &[f64],
                    ) -> Result<(), fault::Fault> {
                        let s0 = &mut s0.cursor(cx)?;
                        let c0_6 = &c0_6[..n];
                        let c1_6 = &c1_6[..n];
                        for k6 in 0..n {
                            cpu::prefetch_element(c1_6, k6);
                            let v7: u8 = c0_6[k6];
                            let v8: f64 = c1_6[k6];
                            let v10: (f64, i64) = (v8, 1i64);
                            let entry = s0.entry(cx, &v7)?;
                            entry.0 += v10.0;
                            entry.1 = entry.1.wrapping_add(v10.1);
                        }
                        Ok(())
                    }
                    let t0 = drive::states(
                        cx,
                        v4,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Segment(None),
                        },
                        builders::table::Table::<u8, (f64, i64)>::new((-0.0f64, 0i64)),
                        |_| builders::table::Table::<u8, (f64, i64)>::new((-0.0f64, 0i64)),
                        |s0, chunk| {
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    cx,
                                    chunk.end - chunk.start,
                                    s0,
                                    &v0[chunk.start..chunk.end],
                                    &v1[chunk.start..chunk.end],
                                ),
                            )
                        },
                        |t0, s0| {
                            t0.merge(
                                cx,
                                s0,
                                |total, part| {
                                    total.0 += part.0;
                                    total.1 = total.1.wrapping_add(part.1);
                                    Ok(())
                                },
                            )?;
                            Ok(())
                        },
                    )?;
                    t0.into_dict()
                };
                Ok(v5)
            }
        "#]],
    );
}

#[test]
fn sums_by_a_wide_key_go_to_buckets() {
    check(
        "program(v0: vec[i64], v1: vec[f64]) {
           v2: i64 = len v0
           v3: i64 = len v1
           v4: i64 = zip_len v2, v3
           v5: dict[i64,f64] = loop v6 < v4 {
             sink #0 = bucket_reduce + i64 -> f64
             v7: i64 = at v0, v6
             v8: f64 = at v1, v6
             merge #0, v7, v8
           }
           return v5
         }",
        expect![[r#"
            fn run(
                cx: &context::Context,
                v0: &[i64],
                v1: &[f64],
            ) -> Result<dict::Dict<i64, f64>, fault::Fault> {
                let v2: i64 = v0.len() as i64;
                let v3: i64 = v1.len() as i64;
                let v4: i64 = checked::zip_len(&[v2, v3], 0, 0)?;
                let v5: dict::Dict<i64, f64> = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut builders::buckets::PartitionedTable<
                            i64,
                            f64,
                            builders::buckets::Segmented<f64>,
                        >,
                        c0_6: &[i64],
                        c1_6: &[f64],
                    ) -> Result<(), fault::Fault> {
                        s0.expect(cx, n)?;
                        let c0_6 = &c0_6[..n];
                        let c1_6 = &c1_6[..n];
                        s0.each(
                            cx,
                            zip(zip(0..n, c0_6), c1_6),
                            #[inline(always)]
                            |((lane, &e0_6), &e1_6)| {
                                cpu::prefetch_element(c0_6, lane);
                                cpu::prefetch_element(c1_6, lane);
                                let v7 = e0_6;
                                let v8 = e1_6;
                                (v7, v8)
                            },
                            |entry, value| {
                                *entry += value;
                            },
                        )?;
                        Ok(())
                    }
                    let x0 = <builders::buckets::SharedPartitions>::default();
                    let t0 = drive::states(
                        cx,
                        v4,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Segment(None),
                        },
                        <builders::buckets::PartitionedTable<
                            i64,
                            f64,
                            builders::buckets::Segmented<f64>,
                        >>::new(),
                        |_| <builders::buckets::PartitionedTable<
                            i64,
                            f64,
                            builders::buckets::Segmented<f64>,
                        >>::beside(&x0),
                        |s0, chunk| {
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    cx,
                                    chunk.end - chunk.start,
                                    s0,
                                    &v0[chunk.start..chunk.end],
                                    &v1[chunk.start..chunk.end],
                                ),
                            )
                        },
                        |t0, s0| {
                            t0.merge_segment(
                                cx,
                                s0,
                                -0.0f64,
                                |entry, value| {
                                    *entry += value;
                                },
                            )?;
                            Ok(())
                        },
                    )?;
                    t0.into_dict(
                        cx,
                        |entry, value| {
                            *entry += value;
                        },
                    )?
                };
                Ok(v5)
            }
        "#]],
    );
}

#[test]
fn words_are_hashed_some_rows_ahead() {
    check(
        "program(v0: vec[vec[u8]]) {
           v1: i64 = len v0
           v2: dict[vec[u8],i64] = loop v3 < v1 {
             sink #0 = bucket_reduce + vec[u8] -> i64
             v4: vec[u8] = at v0, v3
             v5: i64 = const 1
             merge #0, v4, v5
           }
           return v2
         }",
        expect![[r#"
            fn run(
                cx: &context::Context,
                v0: &[Vec<u8>],
            ) -> Result<dict::Dict<Vec<u8>, i64>, fault::Fault> {
                let v1: i64 = v0.len() as i64;
                let v2: dict::Dict<Vec<u8>, i64> = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut builders::table::Table<Vec<u8>, i64>,
                        c0_3: &[Vec<u8>],
                    ) -> Result<(), fault::Fault> {
                        let c0_3 = &c0_3[..n];
                        let mut h0 = builders::table::HashPrefetch::new();
                        for k3 in 0..n {
                            h0.prefetch(s0, c0_3, k3);
                            let v4: &[u8] = &c0_3[k3][..];
                            let entry = s0.entry_prefetched(cx, v4, &h0, k3)?;
                            *entry = entry.wrapping_add(1i64);
                        }
                        Ok(())
                    }
                    let t0 = drive::open(
                        cx,
                        v1,
                        16384,
                        builders::table::Table::<Vec<u8>, i64>::new(0i64),
                        || builders::table::Table::<Vec<u8>, i64>::new(0i64),
                        |s0, chunk| {
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    cx,
                                    chunk.end - chunk.start,
                                    s0,
                                    &v0[chunk.start..chunk.end],
                                ),
                            )
                        },
                        |_, ()| { Ok(()) },
                        |_| true,
                        |t0, s0| {
                            t0.merge(
                                cx,
                                s0,
                                |total, part| {
                                    *total = total.wrapping_add(part);
                                    Ok(())
                                },
                            )?;
                            Ok(())
                        },
                    )?;
                    t0.into_dict()
                };
                Ok(v2)
            }
        "#]],
    );
}

#[test]
fn groups_are_made_in_the_end() {
    check(
        "program(v0: vec[vec[u8]], v1: vec[f64]) {
           v2: i64 = len v0
           v3: i64 = len v1
           v4: i64 = zip_len v2, v3
           v5: dict[vec[u8],vec[f64]] = loop v6 < v4 {
             sink #0 = bucket_collect vec[u8] -> f64
             v7: vec[u8] = at v0, v6
             v8: f64 = at v1, v6
             merge #0, v7, v8
           }
           v9: vec[{vec[u8],vec[f64]}] = to_vec v5
           return v9
         }",
        expect![[r#"
            fn run(
                cx: &context::Context,
                v0: &[Vec<u8>],
                v1: &[f64],
            ) -> Result<Vec<(Vec<u8>, Vec<f64>)>, fault::Fault> {
                let v2: i64 = v0.len() as i64;
                let v3: i64 = v1.len() as i64;
                let v4: i64 = checked::zip_len(&[v2, v3], 0, 0)?;
                let v5: dict::Dict<Vec<u8>, Vec<f64>> = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut builders::group::Groups<Vec<u8>, f64>,
                        c0_6: &[Vec<u8>],
                        c1_6: &[f64],
                    ) -> Result<(), fault::Fault> {
                        let c0_6 = &c0_6[..n];
                        let c1_6 = &c1_6[..n];
                        for k6 in 0..n {
                            cpu::prefetch_row(c0_6, k6);
                            let v7: &[u8] = &c0_6[k6][..];
                            let v8: f64 = c1_6[k6];
                            s0.push(cx, v7, v8)?;
                        }
                        Ok(())
                    }
                    let t0 = drive::states(
                        cx,
                        v4,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Any,
                        },
                        builders::group::Tasks::new(),
                        |_| builders::group::Groups::<Vec<u8>, f64>::new(),
                        |s0, chunk| {
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    cx,
                                    chunk.end - chunk.start,
                                    s0,
                                    &v0[chunk.start..chunk.end],
                                    &v1[chunk.start..chunk.end],
                                ),
                            )
                        },
                        |t0, s0| {
                            t0.merge(cx, s0)?;
                            Ok(())
                        },
                    )?;
                    t0.into_dict(cx)?
                };
                let v9: Vec<(Vec<u8>, Vec<f64>)> = copy::pairs(cx, &v5)?;
                Ok(v9)
            }
        "#]],
    );
}

#[test]
fn a_scatter_works_on_a_copy_of_what_it_starts_from() {
    check(
        "program(v0: vec[u32], v1: vec[f64]) {
           v2: i64 = len v0
           v3: vec[f64] = loop v4 < v2 {
             sink #0 = scatter + f64 init v1
             v7: u32 = at v0, v4
             v5: i64 = cast v7
             v6: f64 = const 1.0
             merge #0, v5, v6 @0
           }
           return v3
         }",
        expect![[r#"
            fn run(
                cx: &context::Context,
                v0: &[u32],
                v1: &[f64],
            ) -> Result<Vec<f64>, fault::Fault> {
                let v2: i64 = v0.len() as i64;
                let v3: Vec<f64> = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut builders::scatter::Part<f64>,
                        c0_4: &[u32],
                    ) -> Result<(), fault::Fault> {
                        let s0 = &mut s0.cursor();
                        let c0_4 = &c0_4[..n];
                        #[inline(always)]
                        fn row(v7: u32) -> i64 {
                            let v5 = v7 as i64;
                            v5
                        }
                        let (blocks0, c0_4) = c0_4[..n].as_chunks::<8>();
                        for k4 in 0..n / 8 {
                            cpu::prefetch(blocks0, k4);
                            let block0 = &blocks0[k4];
                            let mut rows = [(0i64, 0.0f64); 8];
                            for lane in 0..8 {
                                let v5 = row(block0[lane]);
                                rows[lane] = (v5, 1.0f64);
                            }
                            if !s0
                                .all(
                                    rows,
                                    |entry, value| {
                                        *entry += value;
                                    },
                                )
                            {
                                for lane in 0..8 {
                                    let v5 = row(block0[lane]);
                                    s0.one(
                                        cx,
                                        (v5, 1.0f64),
                                        |entry, value| {
                                            *entry += value;
                                        },
                                        3,
                                        14,
                                    )?;
                                }
                            }
                        }
                        for lane in 0..n % 8 {
                            let v5 = row(c0_4[lane]);
                            s0.one(
                                cx,
                                (v5, 1.0f64),
                                |entry, value| {
                                    *entry += value;
                                },
                                3,
                                14,
                            )?;
                        }
                        Ok(())
                    }
                    let x0 = builders::scatter::Scatter::new(
                        fold::Add,
                        copy::slice(cx, v1)?,
                        builders::scatter::Rounding::Rounds,
                    );
                    drive::states(
                        cx,
                        v2,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Segment(None),
                        },
                        (),
                        |task| x0.part(cx, task),
                        |s0, chunk| {
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    cx,
                                    chunk.end - chunk.start,
                                    s0,
                                    &v0[chunk.start..chunk.end],
                                ),
                            )
                        },
                        |(), s0| {
                            x0.merge(cx, s0);
                            Ok(())
                        },
                    )?;
                    x0.finish()
                };
                Ok(v3)
            }
        "#]],
    );
}
