//! Reductions, and the whole of a kernel.

use expect_test::expect;

use super::{check, kernel};

#[test]
fn a_kernel_is_a_module_and_its_constant() {
    expect![[r#"
        const KERNEL: K = {
            mod kernel {
                fn run(cx: &context::Context, v0: &[f64], v1: f64) -> Result<f64, fault::Fault> {
                    let v3: f64 = 2i64 as f64;
                    let v4: f64 = v1 + v3;
                    Ok(v4)
                }
                fn call(v0: &[f64], v1: f64) -> f64 {
                    kernel::unwrap(run(context::Context::ambient(), v0, v1))
                }
                static INFO: kernel::KernelInfo = kernel::KernelInfo::new(
                    "source",
                    "explanation",
                );
                pub(super) const KERNEL: kernel::Kernel<fn(&[f64], f64) -> f64> = kernel::Signature::<
                    (kernel::Ref<[f64]>, kernel::Own<f64>),
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
                cx: &context::Context,
                v0: &[f64],
                v1: &[i32],
            ) -> Result<f64, fault::Fault> {
                let v2: i64 = v0.len() as i64;
                let v3: i64 = v1.len() as i64;
                let v4: i64 = checked::zip_len(&[v2, v3], 3, 14)?;
                let v7: f64 = {
                    #[inline(always)]
                    fn nest0(n: usize, s0_0: &mut [f64; 16], c0_8: &[f64], c1_8: &[i32]) {
                        #[inline(always)]
                        fn row(v9: f64, v10: i32) -> (f64, bool) {
                            let v11 = v10 < 3i32;
                            let v15 = v9 * 0.5f64;
                            (v15, v11)
                        }
                        let (blocks0, c0_8) = c0_8[..n].as_chunks::<16>();
                        let (blocks1, c1_8) = c1_8[..n].as_chunks::<16>();
                        let mut l0_0 = *s0_0;
                        {
                            let s0_0 = &mut l0_0;
                            for k8 in 0..n / 16 {
                                cpu::prefetch(blocks0, k8);
                                cpu::prefetch(blocks1, k8);
                                let block0 = &blocks0[k8];
                                let block1 = &blocks1[k8];
                                for lane in 0..16 {
                                    let (v15, v11) = row(block0[lane], block1[lane]);
                                    s0_0[lane] += if v11 { v15 } else { -0.0f64 };
                                }
                            }
                        }
                        *s0_0 = l0_0;
                        for lane in 0..n % 16 {
                            let (v15, v11) = row(c0_8[lane], c1_8[lane]);
                            s0_0[lane % 16] += if v11 { v15 } else { -0.0f64 };
                        }
                    }
                    let t0_0 = drive::totals(
                        cx,
                        v4,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Any,
                        },
                        -0.0f64,
                        |chunk| {
                            let mut s0_0 = [-0.0f64; 16];
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    chunk.end - chunk.start,
                                    &mut s0_0,
                                    &v0[chunk.start..chunk.end],
                                    &v1[chunk.start..chunk.end],
                                ),
                            );
                            Ok(fold::lanes(fold::Add, s0_0))
                        },
                        |t0_0, p0_0| {
                            *t0_0 += p0_0;
                            Ok(())
                        },
                    )?;
                    fold::finish(fold::Add, None, t0_0)
                };
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
            fn run(cx: &context::Context, v0: &[f32]) -> Result<(f32, i64), fault::Fault> {
                let v1: i64 = v0.len() as i64;
                let (v3, v4): (f32, i64) = {
                    #[inline(always)]
                    fn nest0(
                        n: usize,
                        s0_0: &mut f32,
                        s0_seen: &mut bool,
                        s1_0: &mut [i64; 16],
                        c0_5: &[f32],
                    ) {
                        #[inline(always)]
                        fn row(v6: f32) -> (f32, bool) {
                            let v7 = num::Float::is_nan(v6);
                            let v9 = !v7;
                            (v6, v9)
                        }
                        let (blocks0, c0_5) = c0_5[..n].as_chunks::<32>();
                        let mut q0 = [f32::NEG_INFINITY; 32];
                        let mut l0_0 = *s0_0;
                        let mut l0_seen = *s0_seen;
                        let mut l1_0 = *s1_0;
                        {
                            let s0_0 = &mut l0_0;
                            let s0_seen = &mut l0_seen;
                            let s1_0 = &mut l1_0;
                            for k5 in 0..n / 32 {
                                cpu::prefetch(blocks0, k5);
                                let block0 = &blocks0[k5];
                                for part in 0..2 {
                                    for within in 0..16 {
                                        let lane = part * 16 + within;
                                        let (v6, v9) = row(block0[lane]);
                                        q0[lane] = extremes::Extreme::better_if(
                                            fold::Max,
                                            v9,
                                            q0[lane],
                                            v6,
                                        );
                                        *s0_seen |= v9;
                                        s1_0[within] = s1_0[within]
                                            .wrapping_add(num::select(v9, 1i64, 0i64));
                                    }
                                }
                            }
                        }
                        *s0_0 = l0_0;
                        *s0_seen = l0_seen;
                        *s1_0 = l1_0;
                        if let Some(open) = extremes::finalize(fold::Max, s0_0, q0) {
                            let mut found = false;
                            for k5 in 0..n / 32 {
                                let block0 = &blocks0[k5];
                                for part in 0..2 {
                                    for within in 0..16 {
                                        let lane = part * 16 + within;
                                        let (v6, v9) = row(block0[lane]);
                                        found |= extremes::Extreme::same(fold::Max, v6, open) & v9;
                                    }
                                }
                            }
                            if found {
                                *s0_0 = num::Number::greatest(*s0_0, open);
                            }
                        }
                        for lane in 0..n % 32 {
                            let (v6, v9) = row(c0_5[lane]);
                            *s0_0 = num::Number::greatest(
                                *s0_0,
                                if v9 { v6 } else { f32::NAN },
                            );
                            *s0_seen |= v9;
                            s1_0[lane % 16] = s1_0[lane % 16]
                                .wrapping_add(num::select(v9, 1i64, 0i64));
                        }
                    }
                    let (t0_0, t0_seen, t1_0) = drive::totals(
                        cx,
                        v1,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Any,
                        },
                        (f32::NAN, false, 0i64),
                        |chunk| {
                            let mut s0_0 = f32::NAN;
                            let mut s0_seen = false;
                            let mut s1_0 = [0i64; 16];
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    chunk.end - chunk.start,
                                    &mut s0_0,
                                    &mut s0_seen,
                                    &mut s1_0,
                                    &v0[chunk.start..chunk.end],
                                ),
                            );
                            Ok((s0_0, s0_seen, fold::lanes(fold::Add, s1_0)))
                        },
                        |(t0_0, t0_seen, t1_0), (p0_0, p0_seen, p1_0)| {
                            *t0_0 = num::Number::greatest(*t0_0, p0_0);
                            *t0_seen |= p0_seen;
                            *t1_0 = t1_0.wrapping_add(p1_0);
                            Ok(())
                        },
                    )?;
                    (
                        checked::not_empty(t0_seen.then_some(t0_0), 0, 0)?,
                        fold::finish(fold::Add, None, t1_0),
                    )
                };
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
                cx: &context::Context,
                v0: &[Vec<f64>],
            ) -> Result<Vec<f64>, fault::Fault> {
                let v1: i64 = v0.len() as i64;
                let v2: Vec<f64> = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut builders::places::Part<'_, f64>,
                        c0_3: &[Vec<f64>],
                    ) -> Result<(), fault::Fault> {
                        let s0 = &mut s0.cursor();
                        cx.outer_strips(
                            n,
                            #[inline(always)]
                            |strip, n| {
                                let c0_3 = &c0_3[strip..strip + n];
                                for k3 in 0..n {
                                    cpu::prefetch_row(c0_3, k3);
                                    let v4: &[f64] = &c0_3[k3][..];
                                    let v5: i64 = v4.len() as i64;
                                    let v10: bool = v5 <= 16i64;
                                    let v6: f64 = if v10 {
                                        let v11: f64 = {
                                            let mut s2_0 = -0.0f64;
                                            let c4_7 = &v4[..v5 as usize];
                                            for k7 in 0..v5 as usize {
                                                let v8: f64 = c4_7[k7];
                                                s2_0 += v8;
                                            }
                                            fold::finish(fold::Add, None, s2_0)
                                        };
                                        v11
                                    } else {
                                        let v12: f64 = {
                                            let mut s1_0 = [-0.0f64; 16];
                                            {
                                                #[inline(always)]
                                                fn loop7(n: usize, s1_0: &mut [f64; 16], c4_7: &[f64]) {
                                                    let (blocks4, c4_7) = c4_7[..n].as_chunks::<16>();
                                                    let mut l1_0 = *s1_0;
                                                    {
                                                        let s1_0 = &mut l1_0;
                                                        for k7 in 0..n / 16 {
                                                            cpu::prefetch(blocks4, k7);
                                                            let block4 = &blocks4[k7];
                                                            for lane in 0..16 {
                                                                let v8 = block4[lane];
                                                                s1_0[lane] += v8;
                                                            }
                                                        }
                                                    }
                                                    *s1_0 = l1_0;
                                                    for lane in 0..n % 16 {
                                                        let v8 = c4_7[lane];
                                                        s1_0[lane % 16] += v8;
                                                    }
                                                }
                                                cx.strips(
                                                    v5 as usize,
                                                    #[inline(always)]
                                                    |first, n| {
                                                        loop7(n, &mut s1_0, &v4[first..first + n]);
                                                        Ok(())
                                                    },
                                                )?;
                                            }
                                            fold::finish(fold::Add, None, fold::lanes(fold::Add, s1_0))
                                        };
                                        v12
                                    };
                                    s0.push(v6);
                                }
                                Ok(())
                            },
                        )?;
                        Ok(())
                    }
                    let x0 = builders::places::Exact::<f64>::new(&cx.results(), v1)?;
                    drive::states(
                        cx,
                        v1,
                        drive::Plan {
                            chunk: 2048,
                            task: drive::Task::Any,
                        },
                        (),
                        |task| x0.part(task),
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
                            s0.done();
                            Ok(())
                        },
                    )?;
                    x0.finish()
                };
                Ok(v2)
            }
        "#]],
    );
}

#[test]
fn a_fold_by_a_function_keeps_an_option() {
    check(
        "program(v0: vec[{f64,i64}], v1: {f64,i64}) {
           v2: i64 = len v0
           v3: {f64,i64} = loop v4 < v2 {
             sink #0 = reduce by (v5: {f64,i64}, v6: {f64,i64}) {
               v7: f64 = field v5, 0
               v8: f64 = field v6, 0
               v9: bool = gt v7, v8
               v10: {f64,i64} = select v9, v5, v6
               return v10
             } {f64,i64} init v1
             v11: {f64,i64} = at v0, v4
             merge #0, v11
           }
           return v3
         }",
        expect![[r#"
            fn run(
                cx: &context::Context,
                v0: &[(f64, i64)],
                v1: (f64, i64),
            ) -> Result<(f64, i64), fault::Fault> {
                let v2: i64 = v0.len() as i64;
                let v3: (f64, i64) = {
                    #[inline(always)]
                    fn f0(v5: (f64, i64), v6: (f64, i64)) -> (f64, i64) {
                        let v7: f64 = v5.0;
                        let v8: f64 = v6.0;
                        let v9: bool = v7 > v8;
                        let v10: (f64, i64) = if v9 { v5 } else { v6 };
                        v10
                    }
                    #[inline(always)]
                    fn nest0(n: usize, s0: &mut Option<(f64, i64)>, c0_4: &[(f64, i64)]) {
                        let c0_4 = &c0_4[..n];
                        for k4 in 0..n {
                            let v11: (f64, i64) = c0_4[k4];
                            *s0 = Some(
                                match s0.take() {
                                    Some(before) => f0(before, v11),
                                    None => v11,
                                },
                            );
                        }
                    }
                    let t0 = drive::totals(
                        cx,
                        v2,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Any,
                        },
                        Some(v1),
                        |chunk| {
                            let mut s0 = None::<(f64, i64)>;
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    chunk.end - chunk.start,
                                    &mut s0,
                                    &v0[chunk.start..chunk.end],
                                ),
                            );
                            Ok(s0)
                        },
                        |t0, p0| {
                            if let Some(part) = p0 {
                                *t0 = Some(
                                    match t0.take() {
                                        Some(before) => f0(before, part),
                                        None => part,
                                    },
                                );
                            }
                            Ok(())
                        },
                    )?;
                    t0.expect("a fold begins with its initial value")
                };
                Ok(v3)
            }
        "#]],
    );
}
