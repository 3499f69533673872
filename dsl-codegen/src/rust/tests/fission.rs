//! Iterations whose functions wait for each other.

use expect_test::expect;

use super::{check, kernel};

#[test]
fn a_function_that_waits_for_another_begins_a_stage() {
    check(
        "program(v0: vec[f64], v1: f64) {
           v2: i64 = len v0
           v3: vec[f64] = loop v4 < v2 {
             sink #0 = collect f64
             v5: f64 = at v0, v4
             v6: f64 = log v5
             v7: f64 = exp v5
             v8: f64 = mul v6, v1
             v9: f64 = erf v8
             v10: f64 = add v9, v7
             v11: f64 = mul v10, v5
             merge #0, v11
           }
           return v3
         }",
        expect![[r#"
            fn run(
                cx: &context::Context,
                v0: &[f64],
                v1: f64,
            ) -> Result<Vec<f64>, fault::Fault> {
                let v2: i64 = v0.len() as i64;
                let v3: Vec<f64> = {
                    #[inline(always)]
                    fn nest0(
                        n: usize,
                        s0: &mut builders::places::Part<'_, f64>,
                        c0_4: &[f64],
                        v1: f64,
                    ) {
                        let s0 = &mut s0.cursor();
                        #[inline(always)]
                        fn row(v5: f64, v1: f64) -> f64 {
                            let v6 = num::Float::log(v5);
                            let v7 = num::Float::exp(v5);
                            let v8 = v6 * v1;
                            let v9 = num::Float::erf(v8);
                            let v10 = v9 + v7;
                            let v11 = v10 * v5;
                            v11
                        }
                        #[inline(always)]
                        fn stage0(v5: f64, v1: f64) -> (f64, f64) {
                            let v6 = num::Float::log(v5);
                            let v7 = num::Float::exp(v5);
                            let v8 = v6 * v1;
                            (v7, v8)
                        }
                        #[inline(always)]
                        fn stage1(v8: f64, v7: f64, v5: f64) -> f64 {
                            let v9 = num::Float::erf(v8);
                            let v10 = v9 + v7;
                            let v11 = v10 * v5;
                            v11
                        }
                        let (blocks0, c0_4) = c0_4[..n].as_chunks::<16>();
                        {
                            for k4 in 0..n / 16 {
                                cpu::prefetch(blocks0, k4);
                                let block0 = &blocks0[k4];
                                let mut b0 = [0.0f64; 16];
                                let mut a7 = [0.0f64; 16];
                                let mut a8 = [0.0f64; 16];
                                for lane in 0..16 {
                                    let (v7, v8) = stage0(block0[lane], v1);
                                    a7[lane] = v7;
                                    a8[lane] = v8;
                                }
                                for lane in 0..16 {
                                    let v11 = stage1(a8[lane], a7[lane], block0[lane]);
                                    b0[lane] = v11;
                                }
                                s0.push_block(b0);
                            }
                        }
                        for lane in 0..n % 16 {
                            let v11 = row(c0_4[lane], v1);
                            s0.push(v11);
                        }
                    }
                    let x0 = builders::places::Exact::<f64>::new(&cx.results(), v2)?;
                    drive::states(
                        cx,
                        v2,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Any,
                        },
                        (),
                        |task| x0.part(task),
                        |s0, chunk| {
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    chunk.end - chunk.start,
                                    s0,
                                    &v0[chunk.start..chunk.end],
                                    v1,
                                ),
                            );
                            Ok(())
                        },
                        |(), s0| {
                            s0.done();
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

#[test]
fn functions_that_do_not_wait_for_each_other_stay_together() {
    let kernel = kernel(
        "program(v0: vec[f64]) {
           v1: i64 = len v0
           v2: vec[f64] = loop v3 < v1 {
             sink #0 = collect f64
             v4: f64 = at v0, v3
             v5: f64 = log v4
             v6: f64 = sqrt v5
             v7: f64 = exp v4
             v8: f64 = add v6, v7
             merge #0, v8
           }
           return v2
         }",
    );
    assert!(!kernel.contains("stage"), "{kernel}");
}

#[test]
fn a_foreign_call_stays_where_it_stands() {
    let kernel = kernel(
        "program(v0: vec[f64]) {
           v1: i64 = len v0
           v2: vec[f64] = loop v3 < v1 {
             sink #0 = collect f64
             v4: f64 = at v0, v3
             v5: f64 = log v4
             v6: f64 = call \"wave\"(v5)
             v7: f64 = exp v6
             merge #0, v7
           }
           return v2
         }",
    );
    assert!(!kernel.contains("stage"), "{kernel}");
}
