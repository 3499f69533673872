//! Reductions, and the whole of a kernel.

use expect_test::expect;

use super::{check, kernel};

#[test]
fn a_kernel_is_a_module_and_its_constant() {
    expect![[r#"
        const KERNEL: K = {
            mod kernel {
                fn run(
                    cx: &exec::context::Context,
                    v0: &[f64],
                    v1: f64,
                ) -> Result<f64, lang::fault::Fault> {
                    let v3: f64 = 2i64 as f64;
                    let v4: f64 = v1 + v3;
                    Ok(v4)
                }
                fn call(v0: &[f64], v1: f64) -> f64 {
                    api::kernel::unwrap(run(exec::context::Context::ambient(), v0, v1))
                }
                static INFO: api::kernel::KernelInfo = api::kernel::KernelInfo::new(
                    "source",
                    "explanation",
                );
                pub(super) const KERNEL: api::kernel::Kernel<fn(&[f64], f64) -> f64> = api::kernel::Signature::<
                    (api::kernel::Ref<[f64]>, api::kernel::Own<f64>),
                    f64,
                >::kernel(call, run, &INFO);
            }
            kernel::KERNEL
        };
    "#]]
    .assert_eq(&kernel(
        "program(v0: vec[f64], v1: f64) {
           v2: i64 = const 2
           v3: f64 = cast v2
           v4: f64 = add v1, v3
           return v4
         }",
    ));
}

#[test]
fn a_guarded_float_sum_runs_in_lanes() {
    check(
        "program(v0: vec[f64], v1: vec[i32]) {
           v2: i64 = len v0
           v3: i64 = len v1
           v4: i64 = zip_len v2, v3 @0
           v5: f64 = const 0.5
           v6: i32 = const 3
           v7: f64 = loop v8 < v4 {
             sink #0 = reduce + f64
             v9: f64 = at v0, v8
             v10: i32 = at v1, v8
             v11: bool = lt v10, v6
             if v11 {
               v15: f64 = mul v9, v5
               merge #0, v15
             }
           }
           return v7
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[f64],
                v1: &[i32],
            ) -> Result<f64, lang::fault::Fault> {
                #[inline(always)]
                fn loop20(v19: usize, a0: &mut [f64; 16], v21: &[f64], v22: &[i32]) {
                    let v31: usize = v19 % 16;
                    let v32: usize = v19 - v31;
                    let mut a3 = *a0;
                    let blocks21 = v21[..v32].as_chunks::<16>().0;
                    let blocks22 = v22[..v32].as_chunks::<16>().0;
                    for block in 0..v32 / 16 {
                        let block21 = &blocks21[block];
                        let block22 = &blocks22[block];
                        exec::cpu::prefetch(blocks21, block);
                        exec::cpu::prefetch(blocks22, block);
                        #[inline(always)]
                        fn row20(v39: f64, v40: i32) -> (bool, f64) {
                            let v41: bool = v40 < 3i32;
                            let v42: f64 = v39 * 0.5f64;
                            (v41, v42)
                        }
                        for lane in 0..16 {
                            let (v41, v42) = row20(block21[lane], block22[lane]);
                            a3[lane] += if v41 { v42 } else { -0.0f64 };
                        }
                    }
                    *a0 = a3;
                    let rest21 = &v21[v32..v19];
                    let rest22 = &v22[v32..v19];
                    for lane in 0..v19 - v32 {
                        let v34: f64 = rest21[lane];
                        let v35: i32 = rest22[lane];
                        let v36: bool = v35 < 3i32;
                        let v37: f64 = v34 * 0.5f64;
                        a0[lane % 16] += if v36 { v37 } else { -0.0f64 };
                    }
                }
                let v2: i64 = v0.len() as i64;
                let v3: i64 = v1.len() as i64;
                let v4: i64 = ops::checked::zip_len(&[v2, v3], 3, 14)?;
                let a1 = -0.0f64;
                let a1 = exec::drive::totals(
                    cx,
                    v4,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Any,
                    },
                    a1,
                    |chunk| {
                        let v17 = chunk.start;
                        let v18 = chunk.end;
                        let mut a0 = [-0.0f64; 16];
                        let v19: usize = v18 - v17;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop20(v19, &mut a0, &v0[v17..][..v19], &v1[v17..][..v19]),
                        );
                        let v24: f64 = store::reduce::lanes::lanes(
                            store::reduce::lanes::Add,
                            a0,
                        );
                        let a2 = v24;
                        Ok(a2)
                    },
                    |a1, a2| {
                        let v25: f64 = a2;
                        *a1 += v25;
                        Ok(())
                    },
                )?;
                let v26: f64 = a1;
                let v7: f64 = 0.0f64 + v26;
                Ok(v7)
            }
        "#]],
    );
}

#[test]
fn a_maximum_without_identity_and_a_count_share_a_loop() {
    check(
        "program(v0: vec[f32]) {
           v1: i64 = len v0
           v2: i64 = const 1
           v3: f32, v4: i64 = loop v5 < v1 {
             sink #0 = reduce max f32 or fault
             sink #1 = reduce + i64
             v6: f32 = at v0, v5
             v7: bool = is_nan v6
             if v7 {
             } else {
               merge #0, v6
               merge #1, v2
             }
           }
           v8: {f32,i64} = struct {v3, v4}
           return v8
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[f32],
            ) -> Result<(f32, i64), lang::fault::Fault> {
                #[inline(always)]
                fn loop14(
                    v13: usize,
                    a0: &mut f32,
                    a1: &mut bool,
                    a2: &mut [i64; 16],
                    v15: &[f32],
                ) {
                    let v29: usize = v13 % 32;
                    let v30: usize = v13 - v29;
                    let mut a7 = [f32::NEG_INFINITY; 32];
                    let mut a8 = *a1;
                    let mut a9 = *a2;
                    let blocks15 = v15[..v30].as_chunks::<32>().0;
                    for block in 0..v30 / 32 {
                        let block15 = &blocks15[block];
                        exec::cpu::prefetch(blocks15, block);
                        #[inline(always)]
                        fn row14(v36: f32) -> (f32, bool) {
                            let v37: bool = lang::num::Float::is_nan(v36);
                            let v38: bool = !v37;
                            (v36, v38)
                        }
                        for part in 0..2 {
                            for within in 0..16 {
                                let lane = part * 16 + within;
                                let (v36, v38) = row14(block15[lane]);
                                a7[lane] = store::reduce::min_max::Extreme::better_if(
                                    store::reduce::lanes::Max,
                                    v38,
                                    a7[lane],
                                    v36,
                                );
                                a8 |= v38;
                                a9[within] = a9[within]
                                    .wrapping_add(lang::num::select(v38, 1i64, 0i64));
                            }
                        }
                    }
                    let (v40, v41) = store::reduce::min_max::finalize(
                            store::reduce::lanes::Max,
                            a0,
                            a7,
                        )
                        .map_or((false, f32::NEG_INFINITY), |open| (true, open));
                    if v40 {
                        let mut a10 = false;
                        let blocks15 = v15[..v30].as_chunks::<32>().0;
                        for block in 0..v30 / 32 {
                            let block15 = &blocks15[block];
                            #[inline(always)]
                            fn row42(v48: f32) -> (f32, bool) {
                                let v49: bool = lang::num::Float::is_nan(v48);
                                let v50: bool = !v49;
                                (v48, v50)
                            }
                            for lane in 0..32 {
                                let (v48, v50) = row42(block15[lane]);
                                a10
                                    |= store::reduce::min_max::Extreme::same(
                                        store::reduce::lanes::Min,
                                        v48,
                                        v41,
                                    ) & v50;
                            }
                        }
                        let v51: bool = a10;
                        if v51 {
                            *a0 = lang::num::Number::greatest(*a0, v41);
                        }
                    }
                    *a1 = a8;
                    *a2 = a9;
                    let rest15 = &v15[v30..v13];
                    for lane in 0..v13 - v30 {
                        let v32: f32 = rest15[lane];
                        let v33: bool = lang::num::Float::is_nan(v32);
                        let v34: bool = !v33;
                        *a0 = lang::num::Number::greatest(
                            *a0,
                            if v34 { v32 } else { f32::NAN },
                        );
                        *a1 |= v34;
                        a2[lane % 16] = a2[lane % 16]
                            .wrapping_add(lang::num::select(v34, 1i64, 0i64));
                    }
                }
                let v1: i64 = v0.len() as i64;
                let a3 = f32::NAN;
                let a4 = false;
                let a5 = 0i64;
                let (a3, a4, a5) = exec::drive::totals(
                    cx,
                    v1,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Any,
                    },
                    (a3, a4, a5),
                    |chunk| {
                        let v11 = chunk.start;
                        let v12 = chunk.end;
                        let mut a0 = f32::NAN;
                        let mut a1 = false;
                        let mut a2 = [0i64; 16];
                        let v13: usize = v12 - v11;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop14(v13, &mut a0, &mut a1, &mut a2, &v0[v11..][..v13]),
                        );
                        let v19: i64 = store::reduce::lanes::lanes(
                            store::reduce::lanes::Add,
                            a2,
                        );
                        let a6 = v19;
                        Ok((a0, a1, a6))
                    },
                    |(a3, a4, a5), (a0, a1, a6)| {
                        let v17: f32 = a0;
                        *a3 = lang::num::Number::greatest(*a3, v17);
                        let v18: bool = a1;
                        *a4 |= v18;
                        let v20: i64 = a6;
                        *a5 = a5.wrapping_add(v20);
                        Ok(())
                    },
                )?;
                let v3: f32 = a3;
                let v22: bool = a4;
                let v23: bool = !v22;
                ops::checked::not_empty((!v23).then_some(()), 0, 0)?;
                let v24: i64 = a5;
                let v4: i64 = 0i64.wrapping_add(v24);
                let v8: (f32, i64) = (v3, v4);
                Ok(v8)
            }
        "#]],
    );
}

#[test]
fn rows_are_summed_where_they_stand() {
    check(
        "program(v0: vec[vec[f64]]) {
           v1: i64 = len v0
           v2: vec[f64] = loop v3 < v1 {
             sink #0 = collect f64
             v4: vec[f64] = at v0, v3
             v5: i64 = len v4
             v6: f64 = loop v7 < v5 {
               sink #1 = reduce + f64
               v8: f64 = at v4, v7
               merge #1, v8
             }
             merge #0, v6
           }
           return v2
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[Vec<f64>],
            ) -> Result<Vec<f64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop29(v38: usize, a1: &mut [f64; 16], v39: &[f64]) {
                    let v51: usize = v38 % 16;
                    let v52: usize = v38 - v51;
                    let mut a2 = *a1;
                    let blocks39 = v39[..v52].as_chunks::<16>().0;
                    for block in 0..v52 / 16 {
                        let block39 = &blocks39[block];
                        exec::cpu::prefetch(blocks39, block);
                        for lane in 0..16 {
                            let v56 = block39[lane];
                            a2[lane] += v56;
                        }
                    }
                    *a1 = a2;
                    let rest39 = &v39[v52..v38];
                    for lane in 0..v38 - v52 {
                        let v54: f64 = rest39[lane];
                        a1[lane % 16] += v54;
                    }
                }
                #[inline(always)]
                fn loop42(
                    cx: &exec::context::Context,
                    v16: usize,
                    s0: &mut store::vector::exact::Part<'_, f64>,
                    v18: &[Vec<f64>],
                ) -> Result<(), lang::fault::Fault> {
                    let s0 = &mut s0.cursor();
                    cx.outer_strips(
                        v16,
                        #[inline(always)]
                        |v42, n| {
                            let v43 = v42 + n;
                            let v44: usize = v43 - v42;
                            let v45: &[Vec<f64>] = &v18[v42..][..v44];
                            for v17 in 0..v44 {
                                exec::cpu::prefetch_row(v45, v17);
                                let v4: &[f64] = &v45[v17][..];
                                let v5: i64 = v4.len() as i64;
                                let v10: bool = v5 <= 16i64;
                                let v6: f64 = if v10 {
                                    let v19: usize = v5 as usize;
                                    let mut a0 = -0.0f64;
                                    let v22: &[f64] = &v4[..v19];
                                    for v21 in 0..v19 {
                                        let v8: f64 = v22[v21];
                                        a0 += v8;
                                    }
                                    let v24: f64 = a0;
                                    let v11: f64 = 0.0f64 + v24;
                                    v11
                                } else {
                                    let v27: usize = v5 as usize;
                                    let mut a1 = [-0.0f64; 16];
                                    let v30: &[f64] = &v4[..v27];
                                    cx.strips(
                                        v27,
                                        #[inline(always)]
                                        |v36, n| {
                                            let v37 = v36 + n;
                                            let v38: usize = v37 - v36;
                                            loop29(v38, &mut a1, &v30[v36..][..v38]);
                                            Ok(())
                                        },
                                    )?;
                                    let v32: f64 = store::reduce::lanes::lanes(
                                        store::reduce::lanes::Add,
                                        a1,
                                    );
                                    let v12: f64 = 0.0f64 + v32;
                                    v12
                                };
                                s0.push(v6);
                            }
                            Ok(())
                        },
                    )?;
                    Ok(())
                }
                let v1: i64 = v0.len() as i64;
                let v13: usize = v1 as usize;
                let x0 = store::vector::exact::Exact::<f64>::new(&cx.results(), v13 as i64)?;
                exec::drive::states(
                    cx,
                    v1,
                    exec::drive::Plan {
                        chunk: 2048,
                        task: exec::drive::Task::Any,
                    },
                    (),
                    |task| x0.part(task),
                    |s0, chunk| {
                        let v14 = chunk.start;
                        let v15 = chunk.end;
                        let v16: usize = v15 - v14;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop42(cx, v16, s0, &v0[v14..][..v16]),
                        )?;
                        Ok(())
                    },
                    |(), s0| {
                        s0.done();
                        Ok(())
                    },
                )?;
                let v2: Vec<f64> = x0.finish();
                Ok(v2)
            }
        "#]],
    );
}
