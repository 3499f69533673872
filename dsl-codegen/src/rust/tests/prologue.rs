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
                cx: &context::Context,
                v0: &[i64],
                v1: &[f64],
            ) -> Result<Vec<f64>, fault::Fault> {
                let v2: i64 = v0.len() as i64;
                let v12: i64 = v1.len() as i64;
                let v3: Vec<f64> = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut builders::places::Part<'_, f64>,
                        c0_4: &[i64],
                        v1: &[f64],
                    ) -> Result<(), fault::Fault> {
                        let v12 = v1.len() as i64;
                        let s0 = &mut s0.cursor();
                        let c0_4 = &c0_4[..n];
                        for k4 in 0..n {
                            let v5: i64 = c0_4[k4];
                            let v6: f64 = {
                                let mut s1_0 = [-0.0f64; 16];
                                let mut o1_0 = -0.0f64;
                                {
                                    for k7 in 0..v5 as usize {
                                        if k7 == 16 {
                                            break;
                                        }
                                        let v7 = k7 as i64;
                                        let v8: i64 = v5.wrapping_add(v7);
                                        let v11: i64 = checked::index(v8, v12, 3, 14)?;
                                        let v10: f64 = v1[v11 as usize];
                                        {
                                            let value = v10;
                                            o1_0 += value;
                                            s1_0[k7] = value;
                                        }
                                    }
                                }
                                if v5 as usize > 16 {
                                    cx.row_strips(
                                        v5 as usize - 16,
                                        #[inline(always)]
                                        |first, n| {
                                            let first = first + 16;
                                            for k7 in 0..n {
                                                let v7 = (first + k7) as i64;
                                                let v8: i64 = v5.wrapping_add(v7);
                                                let v11: i64 = checked::index(v8, v12, 3, 14)?;
                                                let v10: f64 = v1[v11 as usize];
                                                s1_0[k7 % 16] += v10;
                                            }
                                            Ok(())
                                        },
                                    )?;
                                    o1_0 = fold::lanes(fold::Add, s1_0);
                                }
                                fold::finish(fold::Add, None, o1_0)
                            };
                            s0.push(v6);
                        }
                        Ok(())
                    }
                    let x0 = builders::places::Exact::<f64>::new(&cx.results(), v2)?;
                    drive::states(
                        cx,
                        v2,
                        drive::Plan {
                            chunk: 1024,
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
                                    v1,
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
                Ok(v3)
            }
        "#]],
    );
}
