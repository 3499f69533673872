//! Vectors whose rows lie one after the other.

use expect_test::expect;

use super::check;

#[test]
fn a_row_is_made_in_the_memory_of_the_one_before() {
    check(
        "program(v0: vec[f64], v1: i64) {
           v2: i64 = len v0
           v3: vec[vec[f64]], v4: i64 = loop v5 < v2 {
             sink #0 = collect vec[f64]
             sink #1 = reduce + i64
             v6: f64 = at v0, v5
             v7: vec[f64] = loop v8 < v1 {
               sink #2 = collect f64
               v9: f64 = cast v8
               v10: f64 = mul v6, v9
               merge #2, v10
             }
             merge #0, v7
             v11: i64 = len v7
             merge #1, v11
           }
           v12: i64 = check_index v4, v2
           v13: vec[f64] = at v3, v12
           return v13
         }",
        expect![[r#"
            fn run(
                cx: &context::Context,
                v0: &[f64],
                v1: i64,
            ) -> Result<Vec<f64>, fault::Fault> {
                let v2: i64 = v0.len() as i64;
                let (v3, v4): (builders::rows::Ragged<f64>, i64) = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut builders::rows::Part<f64>,
                        s1_0: &mut i64,
                        c0_5: &[f64],
                        v1: i64,
                    ) -> Result<(), fault::Fault> {
                        cx.outer_strips(
                            n,
                            #[inline(always)]
                            |strip, n| {
                                let c0_5 = &c0_5[strip..strip + n];
                                for k5 in 0..n {
                                    let v6: f64 = c0_5[k5];
                                    let v7: Vec<f64> = {
                                        let mut s2 = s0.released_for(cx, v1 as usize)?;
                                        {
                                            #[inline(always)]
                                            fn loop8(
                                                cx: &context::Context,
                                                first: usize,
                                                n: usize,
                                                s2: &mut Vec<f64>,
                                                v6: f64,
                                            ) -> Result<(), fault::Fault> {
                                                #[inline(always)]
                                                fn row(v8: i64, v6: f64) -> f64 {
                                                    let v9 = v8 as f64;
                                                    let v10 = v6 * v9;
                                                    v10
                                                }
                                                {
                                                    for k8 in 0..n / 16 {
                                                        let mut b2 = [0.0f64; 16];
                                                        for lane in 0..16 {
                                                            let v10 = row((first + k8 * 16 + lane) as i64, v6);
                                                            b2[lane] = v10;
                                                        }
                                                        builders::collect::push_block(cx, s2, b2)?;
                                                    }
                                                }
                                                for lane in 0..n % 16 {
                                                    let v10 = row((first + n / 16 * 16 + lane) as i64, v6);
                                                    builders::collect::push(cx, s2, v10)?;
                                                }
                                                Ok(())
                                            }
                                            cx.strips(
                                                v1 as usize,
                                                #[inline(always)]
                                                |first, n| loop8(cx, first, n, &mut s2, v6),
                                            )?;
                                        }
                                        s2
                                    };
                                    let v11: i64 = v7.len() as i64;
                                    s0.push(cx, v7)?;
                                    *s1_0 = s1_0.wrapping_add(v11);
                                }
                                Ok(())
                            },
                        )?;
                        Ok(())
                    }
                    let (t0, t1_0) = drive::run(
                        cx,
                        v2,
                        drive::Plan {
                            chunk: 2048,
                            task: drive::Task::Any,
                        },
                        (Vec::<builders::rows::Part<f64>>::new(), 0i64),
                        |_| builders::rows::Part::<f64>::new(),
                        |s0, chunk| {
                            let mut s1_0 = 0i64;
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    cx,
                                    chunk.end - chunk.start,
                                    s0,
                                    &mut s1_0,
                                    &v0[chunk.start..chunk.end],
                                    v1,
                                ),
                            )?;
                            Ok(s1_0)
                        },
                        |(_, t1_0), p1_0| {
                            *t1_0 = t1_0.wrapping_add(p1_0);
                            Ok(())
                        },
                        |(t0, _), s0| {
                            t0.push(s0);
                            Ok(())
                        },
                    )?;
                    (
                        builders::rows::Ragged::join(cx, t0)?,
                        fold::finish(fold::Add, None, t1_0),
                    )
                };
                let v12: i64 = checked::index(v4, v2, 0, 0)?;
                let v13: &[f64] = &v3[v12 as usize][..];
                copy::slice(cx, v13)
            }
        "#]],
    );
}
