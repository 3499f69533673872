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
                cx: &exec::context::Context,
                v0: &[f64],
                v1: f64,
            ) -> Result<Vec<f64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop14(
                    v13: usize,
                    v1: f64,
                    s0: &mut store::vector::exact::Part<'_, f64>,
                    v15: &[f64],
                ) {
                    let s0 = &mut s0.cursor();
                    let v19: usize = v13 % 16;
                    let v20: usize = v13 - v19;
                    let blocks15 = v15[..v20].as_chunks::<16>().0;
                    for block in 0..v20 / 16 {
                        let block15 = &blocks15[block];
                        exec::cpu::prefetch(blocks15, block);
                        let mut a0 = false;
                        #[inline(always)]
                        fn row38(v39: f64, v1: f64) -> bool {
                            let v40: f64 = v39 * v1;
                            let v41: f64 = lang::num::Number::absolute(v40);
                            let v42: bool = v41 <= 1647099.0f64;
                            let v43: bool = !v42;
                            v43
                        }
                        for lane in 0..16 {
                            let v43 = row38(block15[lane], v1);
                            a0 |= v43;
                        }
                        let v44: bool = a0;
                        if v44 {
                            #[inline(always)]
                            fn row14(v28: f64, v1: f64) -> f64 {
                                let v29: f64 = v28 * v1;
                                let v30: f64 = lang::num::Float::sin(v29);
                                let v31: f64 = lang::num::Float::exp(v28);
                                let v32: f64 = v30 * v31;
                                v32
                            }
                            let mut b0 = [0.0f64; 16];
                            for lane in 0..16 {
                                let v32 = row14(block15[lane], v1);
                                b0[lane] = v32;
                            }
                            s0.push_block(b0);
                        } else {
                            #[inline(always)]
                            fn row45(v46: f64, v1: f64) -> f64 {
                                let v47: f64 = v46 * v1;
                                let v48: f64 = lang::num::Float::near_sin(v47);
                                let v49: f64 = lang::num::Float::exp(v46);
                                let v50: f64 = v48 * v49;
                                v50
                            }
                            let mut b0 = [0.0f64; 16];
                            for lane in 0..16 {
                                let v50 = row45(block15[lane], v1);
                                b0[lane] = v50;
                            }
                            s0.push_block(b0);
                        }
                    }
                    let rest15 = &v15[v20..v13];
                    for lane in 0..v13 - v20 {
                        let v22: f64 = rest15[lane];
                        let v23: f64 = v22 * v1;
                        let v24: f64 = lang::num::Float::sin(v23);
                        let v25: f64 = lang::num::Float::exp(v22);
                        let v26: f64 = v24 * v25;
                        s0.push(v26);
                    }
                }
                let v2: i64 = v0.len() as i64;
                let v10: usize = v2 as usize;
                let x0 = store::vector::exact::Exact::<f64>::new(&cx.results(), v10 as i64)?;
                exec::drive::states(
                    cx,
                    v2,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Any,
                    },
                    (),
                    |task| x0.part(task),
                    |s0, chunk| {
                        let v11 = chunk.start;
                        let v12 = chunk.end;
                        let v13: usize = v12 - v11;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop14(v13, v1, s0, &v0[v11..][..v13]),
                        );
                        Ok(())
                    },
                    |(), s0| {
                        s0.done();
                        Ok(())
                    },
                )?;
                let v3: Vec<f64> = x0.finish();
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
