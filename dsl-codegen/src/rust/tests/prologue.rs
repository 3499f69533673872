//! Loops whose first iterations are folded in order, and those that hold them.

use expect_test::expect;

use super::check;

#[test]
fn rows_that_are_mostly_short_ask_when_they_are_long() {
    check(
        "program(v0: vec[i64], v1: vec[f64]) {
           v2: i64 = len v0
           v12: i64 = len v1
           v3: vec[f64] = loop v4 < v2 {
             sink #0 = collect f64
             v5: i64 = at v0, v4
             v6: f64 = loop v7 < v5 {
               sink #1 = reduce + f64
               v8: i64 = add v5, v7
               v11: i64 = check_index v8, v12 @0
               v10: f64 = at v1, v11
               merge #1, v10
             }
             merge #0, v6
           }
           return v3
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[i64],
                v1: &[f64],
            ) -> Result<Vec<f64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop17(
                    cx: &exec::context::Context,
                    v16: usize,
                    v1: &[f64],
                    s0: &mut store::vector::exact::Part<'_, f64>,
                    v18: &[i64],
                ) -> Result<(), lang::fault::Fault> {
                    let s0 = &mut s0.cursor();
                    let v12: i64 = v1.len() as i64;
                    for v17 in 0..v16 {
                        let v5: i64 = v18[v17];
                        let v19: usize = v5 as usize;
                        let mut a0 = [-0.0f64; 16];
                        let mut a1 = -0.0f64;
                        for v21 in 0..v19 {
                            if v21 == 16 {
                                break;
                            }
                            let v7 = v21 as i64;
                            let v8: i64 = v5.wrapping_add(v7);
                            let v11: i64 = ops::checked::index(v8, v12, 3, 14)?;
                            let v10: f64 = v1[v11 as usize];
                            a1 += v10;
                            a0[v21 % 16] = v10;
                        }
                        if v19 > 16 {
                            let v28: usize = v19 - 16;
                            cx.row_strips(
                                v28,
                                #[inline(always)]
                                |v36, n| {
                                    let v37 = v36 + n;
                                    let v38: usize = v37 - v36;
                                    let v39: usize = 16 + v36;
                                    for v30 in 0..v38 {
                                        let v31 = (v39 + v30) as i64;
                                        let v32: i64 = v5.wrapping_add(v31);
                                        let v33: i64 = ops::checked::index(v32, v12, 3, 14)?;
                                        let v34: f64 = v1[v33 as usize];
                                        a0[v30 % 16] += v34;
                                    }
                                    Ok(())
                                },
                            )?;
                            let v35: f64 = store::reduce::lanes::lanes(
                                store::reduce::lanes::Add,
                                a0,
                            );
                            a1 = v35;
                        }
                        let v23: f64 = a1;
                        let v6: f64 = 0.0f64 + v23;
                        s0.push(v6);
                    }
                    Ok(())
                }
                let v2: i64 = v0.len() as i64;
                let v12: i64 = v1.len() as i64;
                let v13: usize = v2 as usize;
                let x0 = store::vector::exact::Exact::<f64>::new(&cx.results(), v13 as i64)?;
                exec::drive::states(
                    cx,
                    v2,
                    exec::drive::Plan {
                        chunk: 1024,
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
                            |_| loop17(cx, v16, v1, s0, &v0[v14..][..v16]),
                        )?;
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
