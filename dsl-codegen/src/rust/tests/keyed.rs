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
                cx: &exec::context::Context,
                v0: &[u8],
                v1: &[f64],
            ) -> Result<store::dict::Dict<u8, (f64, i64)>, lang::fault::Fault> {
                #[inline(always)]
                fn loop15(
                    cx: &exec::context::Context,
                    v14: usize,
                    s0: &mut store::table::hashed::Table<u8, (f64, i64)>,
                    v16: &[u8],
                    v17: &[f64],
                ) -> Result<(), lang::fault::Fault> {
                    let s0 = &mut s0.cursor(cx)?;
                    for v15 in 0..v14 {
                        exec::cpu::prefetch_element(v17, v15);
                        let v7: u8 = v16[v15];
                        let v8: f64 = v17[v15];
                        let v10: (f64, i64) = (v8, 1i64);
                        let entry = s0.entry(cx, &v7)?;
                        entry.0 += v10.0;
                        entry.1 = entry.1.wrapping_add(v10.1);
                    }
                    Ok(())
                }
                let v2: i64 = v0.len() as i64;
                let v3: i64 = v1.len() as i64;
                let v4: i64 = ops::checked::zip_len(&[v2, v3], 0, 0)?;
                let t0 = <store::table::hashed::Table<u8, (f64, i64)>>::new((-0.0f64, 0i64));
                let t0 = exec::drive::states(
                    cx,
                    v4,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Segment(None),
                    },
                    t0,
                    |_| <store::table::hashed::Table<u8, (f64, i64)>>::new((-0.0f64, 0i64)),
                    |s0, chunk| {
                        let v12 = chunk.start;
                        let v13 = chunk.end;
                        let v14: usize = v13 - v12;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop15(cx, v14, s0, &v0[v12..][..v14], &v1[v12..][..v14]),
                        )?;
                        Ok(())
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
                let v5: store::dict::Dict<u8, (f64, i64)> = t0.into_dict();
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
                cx: &exec::context::Context,
                v0: &[i64],
                v1: &[f64],
            ) -> Result<store::dict::Dict<i64, f64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop13(
                    cx: &exec::context::Context,
                    v12: usize,
                    s0: &mut store::partition::PartitionedTable<
                        i64,
                        f64,
                        store::partition::Segmented<f64>,
                    >,
                    v14: &[i64],
                    v15: &[f64],
                ) -> Result<(), lang::fault::Fault> {
                    {
                        let v14 = &v14[..v12];
                        let v15 = &v15[..v12];
                        s0.each(
                            cx,
                            zip(zip(0..v12, v14), v15),
                            #[inline(always)]
                            |((v13, &v7), &v8)| {
                                exec::cpu::prefetch_element(v14, v13);
                                exec::cpu::prefetch_element(v15, v13);
                                (v7, v8)
                            },
                            |entry, value| {
                                *entry += value;
                            },
                        )?;
                    }
                    Ok(())
                }
                let v2: i64 = v0.len() as i64;
                let v3: i64 = v1.len() as i64;
                let v4: i64 = ops::checked::zip_len(&[v2, v3], 0, 0)?;
                let x0 = <store::partition::SharedPartitions>::default();
                let t0 = <store::partition::PartitionedTable<
                    i64,
                    f64,
                    store::partition::Segmented<f64>,
                >>::new();
                let t0 = exec::drive::states(
                    cx,
                    v4,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Segment(None),
                    },
                    t0,
                    |_| <store::partition::PartitionedTable<
                        i64,
                        f64,
                        store::partition::Segmented<f64>,
                    >>::beside(&x0),
                    |s0, chunk| {
                        let v10 = chunk.start;
                        let v11 = chunk.end;
                        let v12: usize = v11 - v10;
                        s0.expect(cx, v12)?;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop13(cx, v12, s0, &v0[v10..][..v12], &v1[v10..][..v12]),
                        )?;
                        Ok(())
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
                let v5: store::dict::Dict<i64, f64> = t0
                    .into_dict(
                        cx,
                        |entry, value| {
                            *entry += value;
                        },
                    )?;
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
                cx: &exec::context::Context,
                v0: &[Vec<u8>],
            ) -> Result<store::dict::Dict<Vec<u8>, i64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop10(
                    cx: &exec::context::Context,
                    v9: usize,
                    s0: &mut store::table::hashed::Table<Vec<u8>, i64>,
                    v11: &[Vec<u8>],
                ) -> Result<(), lang::fault::Fault> {
                    let mut h0 = store::table::hashed::HashPrefetch::new();
                    for v10 in 0..v9 {
                        h0.prefetch(s0, v11, v10);
                        let v4: &[u8] = &v11[v10][..];
                        let entry = s0.entry_prefetched(cx, v4, &h0, v10)?;
                        *entry = entry.wrapping_add(1i64);
                    }
                    Ok(())
                }
                let v1: i64 = v0.len() as i64;
                let t0 = <store::table::hashed::Table<Vec<u8>, i64>>::new(0i64);
                let t0 = exec::drive::open(
                    cx,
                    v1,
                    16384,
                    t0,
                    || <store::table::hashed::Table<Vec<u8>, i64>>::new(0i64),
                    |s0, chunk| {
                        let v7 = chunk.start;
                        let v8 = chunk.end;
                        let v9: usize = v8 - v7;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop10(cx, v9, s0, &v0[v7..][..v9]),
                        )?;
                        Ok(())
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
                let v2: store::dict::Dict<Vec<u8>, i64> = t0.into_dict();
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
                cx: &exec::context::Context,
                v0: &[Vec<u8>],
                v1: &[f64],
            ) -> Result<Vec<(Vec<u8>, Vec<f64>)>, lang::fault::Fault> {
                #[inline(always)]
                fn loop14(
                    cx: &exec::context::Context,
                    v13: usize,
                    s0: &mut store::table::group::Groups<Vec<u8>, f64>,
                    v15: &[Vec<u8>],
                    v16: &[f64],
                ) -> Result<(), lang::fault::Fault> {
                    for v14 in 0..v13 {
                        exec::cpu::prefetch_row(v15, v14);
                        let v7: &[u8] = &v15[v14][..];
                        let v8: f64 = v16[v14];
                        s0.push(cx, v7, v8)?;
                    }
                    Ok(())
                }
                let v2: i64 = v0.len() as i64;
                let v3: i64 = v1.len() as i64;
                let v4: i64 = ops::checked::zip_len(&[v2, v3], 0, 0)?;
                let t0 = store::table::group::Tasks::new();
                let t0 = exec::drive::states(
                    cx,
                    v4,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Any,
                    },
                    t0,
                    |_| <store::table::group::Groups<Vec<u8>, f64>>::new(),
                    |s0, chunk| {
                        let v11 = chunk.start;
                        let v12 = chunk.end;
                        let v13: usize = v12 - v11;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop14(cx, v13, s0, &v0[v11..][..v13], &v1[v11..][..v13]),
                        )?;
                        Ok(())
                    },
                    |t0, s0| {
                        t0.merge(cx, s0)?;
                        Ok(())
                    },
                )?;
                let v5: store::dict::Dict<Vec<u8>, Vec<f64>> = t0.into_dict(cx)?;
                let v9: Vec<(Vec<u8>, Vec<f64>)> = ops::copy::pairs(cx, &v5)?;
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
                cx: &exec::context::Context,
                v0: &[u32],
                v1: &[f64],
            ) -> Result<Vec<f64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop12(
                    cx: &exec::context::Context,
                    v11: usize,
                    s0: &mut store::scatter::Part<f64>,
                    v13: &[u32],
                ) -> Result<(), lang::fault::Fault> {
                    let s0 = &mut s0.cursor();
                    let v17: usize = v11 % 8;
                    let v18: usize = v11 - v17;
                    let blocks13 = v13[..v18].as_chunks::<8>().0;
                    for block in 0..v18 / 8 {
                        let block13 = &blocks13[block];
                        let v19 = block * 8;
                        exec::cpu::prefetch(blocks13, block);
                        #[inline(always)]
                        fn row20(v21: u32) -> i64 {
                            let v22: i64 = v21 as i64;
                            v22
                        }
                        let mut w22 = [0i64; 8];
                        for lane in 0..8 {
                            let v22 = row20(block13[lane]);
                            w22[lane] = v22;
                        }
                        let v23 = s0
                            .all(
                                from_fn::<
                                    _,
                                    8,
                                    _,
                                >(#[inline(always)] |lane| (w22[lane], 1.0f64)),
                                |entry, value| {
                                    *entry += value;
                                },
                            );
                        if !v23 {
                            let v25: usize = v19 + 8;
                            for lane in 0..8 {
                                let v27: u32 = block13[lane];
                                let v28: i64 = v27 as i64;
                                let element = s0.at(cx, v28, 3, 14)?;
                                *element += 1.0f64;
                            }
                        }
                    }
                    let rest13 = &v13[v18..v11];
                    for lane in 0..v11 - v18 {
                        let v31: u32 = rest13[lane];
                        let v32: i64 = v31 as i64;
                        let element = s0.at(cx, v32, 3, 14)?;
                        *element += 1.0f64;
                    }
                    Ok(())
                }
                let v2: i64 = v0.len() as i64;
                let v33: Vec<f64> = ops::copy::slice(cx, v1)?;
                let x0 = store::scatter::Scatter::new(
                    store::reduce::lanes::Add,
                    v33,
                    store::scatter::Rounding::Rounds,
                );
                exec::drive::states(
                    cx,
                    v2,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Segment(None),
                    },
                    (),
                    |task| x0.part(cx, task),
                    |s0, chunk| {
                        let v9 = chunk.start;
                        let v10 = chunk.end;
                        let v11: usize = v10 - v9;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop12(cx, v11, s0, &v0[v9..][..v11]),
                        )?;
                        Ok(())
                    },
                    |(), s0| {
                        x0.merge(cx, s0);
                        Ok(())
                    },
                )?;
                let v3: Vec<f64> = x0.finish();
                Ok(v3)
            }
        "#]],
    );
}
