//! Loops that take sines and cosines.

use expect_test::expect;

use super::{check, kernel};

#[test]
fn a_block_is_asked_for_huge_angles_before_it_runs() {
    check(
        "program(v0: vec[f64], v1: f64) {
           v2: i64 = len v0
           v3: vec[f64] = loop v4 < v2 {
             sink #0 = collect f64
             v5: f64 = at v0, v4
             v6: f64 = mul v5, v1
             v7: f64 = sin v6
             v8: f64 = exp v5
             v9: f64 = mul v7, v8
             merge #0, v9
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
                            let v6 = v5 * v1;
                            let v7 = num::Float::sin(v6);
                            let v8 = num::Float::exp(v5);
                            let v9 = v7 * v8;
                            v9
                        }
                        #[inline(always)]
                        fn near_row(v5: f64, v1: f64) -> f64 {
                            let v6 = v5 * v1;
                            let v7 = num::Float::near_sin(v6);
                            let v8 = num::Float::exp(v5);
                            let v9 = v7 * v8;
                            v9
                        }
                        #[inline(always)]
                        fn is_near(v5: f64, v1: f64) -> bool {
                            let v6 = v5 * v1;
                            num::Float::is_near(v6)
                        }
                        let (blocks0, c0_4) = c0_4[..n].as_chunks::<16>();
                        {
                            for k4 in 0..n / 16 {
                                cpu::prefetch(blocks0, k4);
                                let block0 = &blocks0[k4];
                                let mut b0 = [0.0f64; 16];
                                let mut near = true;
                                for lane in 0..16 {
                                    near &= is_near(block0[lane], v1);
                                }
                                if near {
                                    for lane in 0..16 {
                                        let v9 = near_row(block0[lane], v1);
                                        b0[lane] = v9;
                                    }
                                } else {
                                    for lane in 0..16 {
                                        let v9 = row(block0[lane], v1);
                                        b0[lane] = v9;
                                    }
                                }
                                s0.push_block(b0);
                            }
                        }
                        for lane in 0..n % 16 {
                            let v9 = row(c0_4[lane], v1);
                            s0.push(v9);
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
fn a_foreign_call_that_an_angle_depends_on_is_made_once() {
    let source = "program(v0: vec[f64]) {
           v1: i64 = len v0
           v2: vec[f64] = loop v3 < v1 {
             sink #0 = collect f64
             v4: f64 = at v0, v3
             v5: f64 = call \"wave\"(v4)
             v6: f64 = sin v5
             merge #0, v6
           }
           return v2
         }";
    let kernel = kernel(source);
    assert!(!kernel.contains("is_near"), "{kernel}");
    assert_eq!(kernel.matches("Float::sin(").count(), 1, "{kernel}");
}
