//! Collects: of known length, of at most that length, and of any.

use expect_test::expect;

use super::check;

#[test]
fn a_division_faults_at_its_token() {
    check(
        "program(v0: vec[i64]) {
           v1: i64 = len v0
           v2: vec[i64] = loop v3 < v1 {
             sink #0 = collect i64
             v4: i64 = at v0, v3
             v5: i64 = const 10
             v6: i64 = div v5, v4 @0
             merge #0, v6
           }
           return v2
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[i64],
            ) -> Result<Vec<i64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop11(
                    v10: usize,
                    s0: &mut store::vector::exact::Part<'_, i64>,
                    v12: &[i64],
                ) -> Result<(), lang::fault::Fault> {
                    let s0 = &mut s0.cursor();
                    for v11 in 0..v10 {
                        let v4: i64 = v12[v11];
                        let v6: i64 = ops::checked::div(10i64, v4, 3, 14)?;
                        s0.push(v6);
                    }
                    Ok(())
                }
                let v1: i64 = v0.len() as i64;
                let v7: usize = v1 as usize;
                let x0 = store::vector::exact::Exact::<i64>::new(&cx.results(), v7 as i64)?;
                exec::drive::states(
                    cx,
                    v1,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Any,
                    },
                    (),
                    |task| x0.part(task),
                    |s0, chunk| {
                        let v8 = chunk.start;
                        let v9 = chunk.end;
                        let v10: usize = v9 - v8;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop11(v10, s0, &v0[v8..][..v10]),
                        )?;
                        Ok(())
                    },
                    |(), s0| {
                        s0.done();
                        Ok(())
                    },
                )?;
                let v2: Vec<i64> = x0.finish();
                Ok(v2)
            }
        "#]],
    );
}

#[test]
fn what_a_guard_keeps_is_pushed_in_blocks() {
    check(
        "program(v0: vec[i32]) {
           v1: i64 = len v0
           v2: vec[i32] = loop v3 < v1 {
             sink #0 = collect i32
             v4: i32 = at v0, v3
             v5: i32 = const -10
             v6: bool = gt v4, v5
             if v6 {
               merge #0, v4
             }
           }
           return v2
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[i32],
            ) -> Result<Vec<i32>, lang::fault::Fault> {
                #[inline(always)]
                fn loop11(
                    v10: usize,
                    s0: &mut store::vector::exact::Part<'_, i32>,
                    v12: &[i32],
                ) {
                    let s0 = &mut s0.cursor();
                    let v16: usize = v10 % 32;
                    let v17: usize = v10 - v16;
                    let blocks12 = v12[..v17].as_chunks::<32>().0;
                    for block in 0..v17 / 32 {
                        let block12 = &blocks12[block];
                        exec::cpu::prefetch(blocks12, block);
                        #[inline(always)]
                        fn row11(v22: i32) -> (i32, bool) {
                            let v23: bool = v22 > -10i32;
                            (v22, v23)
                        }
                        let mut b0 = [0i32; 32];
                        let mut m0 = [false; 32];
                        for lane in 0..32 {
                            let (v22, v23) = row11(block12[lane]);
                            b0[lane] = v22;
                            m0[lane] = v23;
                        }
                        s0.push_kept(b0, m0);
                    }
                    let rest12 = &v12[v17..v10];
                    for lane in 0..v10 - v17 {
                        let v19: i32 = rest12[lane];
                        let v20: bool = v19 > -10i32;
                        if v20 {
                            s0.push(v19);
                        }
                    }
                }
                let v1: i64 = v0.len() as i64;
                let v7: usize = v1 as usize;
                let x0 = store::vector::exact::AtMost::<i32>::new(&cx.results(), v7 as i64)?;
                exec::drive::states(
                    cx,
                    v1,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Short,
                    },
                    (),
                    |task| x0.part(cx, task),
                    |s0, chunk| {
                        let v8 = chunk.start;
                        let v9 = chunk.end;
                        let v10: usize = v9 - v8;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop11(v10, s0, &v0[v8..][..v10]),
                        );
                        Ok(())
                    },
                    |(), s0| {
                        x0.merge(s0);
                        Ok(())
                    },
                )?;
                let v2: Vec<i32> = x0.finish(cx);
                Ok(v2)
            }
        "#]],
    );
}

#[test]
fn inner_loops_push_to_vectors_of_tasks() {
    check(
        "program(v0: vec[i64]) {
           v1: i64 = len v0
           v2: vec[i64] = loop v3 < v1 {
             sink #0 = collect i64
             v4: i64 = at v0, v3
             v5: i64 = const 0
             v6: i64 = max v5, v4
             for v9 < v6 {
               v10: i64 = mul v9, v4
               merge #0, v10
             }
           }
           return v2
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[i64],
            ) -> Result<Vec<i64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop27(
                    cx: &exec::context::Context,
                    v14: usize,
                    s0: &mut Vec<i64>,
                    v16: &[i64],
                ) -> Result<(), lang::fault::Fault> {
                    cx.outer_strips(
                        v14,
                        #[inline(always)]
                        |v27, n| {
                            let v28 = v27 + n;
                            let v29: usize = v28 - v27;
                            let v30: &[i64] = &v16[v27..][..v29];
                            for v15 in 0..v29 {
                                let v4: i64 = v30[v15];
                                let v6: i64 = lang::num::Number::greatest(0i64, v4);
                                let v17: usize = v6 as usize;
                                cx.strips(
                                    v17,
                                    #[inline(always)]
                                    |v22, n| {
                                        let v23 = v22 + n;
                                        let v24: usize = v23 - v22;
                                        for v19 in 0..v24 {
                                            let v9 = (v22 + v19) as i64;
                                            let v10: i64 = v9.wrapping_mul(v4);
                                            store::vector::growable::push(cx, s0, v10)?;
                                        }
                                        Ok(())
                                    },
                                )?;
                            }
                            Ok(())
                        },
                    )?;
                    Ok(())
                }
                let v1: i64 = v0.len() as i64;
                let t0 = Vec::<Vec<i64>>::new();
                let t0 = exec::drive::states(
                    cx,
                    v1,
                    exec::drive::Plan {
                        chunk: 2048,
                        task: exec::drive::Task::Any,
                    },
                    t0,
                    |_| Vec::<i64>::new(),
                    |s0, chunk| {
                        let v12 = chunk.start;
                        let v13 = chunk.end;
                        let v14: usize = v13 - v12;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop27(cx, v14, s0, &v0[v12..][..v14]),
                        )?;
                        Ok(())
                    },
                    |t0, s0| {
                        t0.push(s0);
                        Ok(())
                    },
                )?;
                let v2: Vec<i64> = store::vector::growable::concat(&cx.results(), t0)?;
                Ok(v2)
            }
        "#]],
    );
}
