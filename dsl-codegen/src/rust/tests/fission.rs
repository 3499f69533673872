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
                cx: &exec::context::Context,
                v0: &[f64],
                v1: f64,
            ) -> Result<Vec<f64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop16(
                    v15: usize,
                    v1: f64,
                    s0: &mut store::vector::exact::Part<'_, f64>,
                    v17: &[f64],
                ) {
                    let s0 = &mut s0.cursor();
                    let v21: usize = v15 % 16;
                    let v22: usize = v15 - v21;
                    let blocks17 = v17[..v22].as_chunks::<16>().0;
                    for block in 0..v22 / 16 {
                        let block17 = &blocks17[block];
                        exec::cpu::prefetch(blocks17, block);
                        #[inline(always)]
                        fn row40(v32: f64, v1: f64) -> (f64, f64, f64) {
                            let v33: f64 = lang::num::Float::log(v32);
                            let v34: f64 = lang::num::Float::exp(v32);
                            let v35: f64 = v33 * v1;
                            (v32, v34, v35)
                        }
                        let mut w32 = [0.0f64; 16];
                        let mut w34 = [0.0f64; 16];
                        let mut w35 = [0.0f64; 16];
                        for lane in 0..16 {
                            let (v32, v34, v35) = row40(block17[lane], v1);
                            w32[lane] = v32;
                            w34[lane] = v34;
                            w35[lane] = v35;
                        }
                        #[inline(always)]
                        fn row16(v35: f64, v34: f64, v32: f64) -> f64 {
                            let v36: f64 = lang::num::Float::erf(v35);
                            let v37: f64 = v36 + v34;
                            let v38: f64 = v37 * v32;
                            v38
                        }
                        let mut b0 = [0.0f64; 16];
                        for lane in 0..16 {
                            let v38 = row16(w35[lane], w34[lane], w32[lane]);
                            b0[lane] = v38;
                        }
                        s0.push_block(b0);
                    }
                    let rest17 = &v17[v22..v15];
                    for lane in 0..v15 - v22 {
                        let v24: f64 = rest17[lane];
                        let v25: f64 = lang::num::Float::log(v24);
                        let v26: f64 = lang::num::Float::exp(v24);
                        let v27: f64 = v25 * v1;
                        let v28: f64 = lang::num::Float::erf(v27);
                        let v29: f64 = v28 + v26;
                        let v30: f64 = v29 * v24;
                        s0.push(v30);
                    }
                }
                let v2: i64 = v0.len() as i64;
                let v12: usize = v2 as usize;
                let x0 = store::vector::exact::Exact::<f64>::new(&cx.results(), v12 as i64)?;
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
                        let v13 = chunk.start;
                        let v14 = chunk.end;
                        let v15: usize = v14 - v13;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop16(v15, v1, s0, &v0[v13..][..v15]),
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
