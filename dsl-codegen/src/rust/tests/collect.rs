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
            fn run(cx: &context::Context, v0: &[i64]) -> Result<Vec<i64>, fault::Fault> {
                let v1: i64 = v0.len() as i64;
                let v2: Vec<i64> = {
                    #[inline(always)]
                    fn nest0(
                        n: usize,
                        s0: &mut builders::places::Part<'_, i64>,
                        c0_3: &[i64],
                    ) -> Result<(), fault::Fault> {
                        let s0 = &mut s0.cursor();
                        let c0_3 = &c0_3[..n];
                        for k3 in 0..n {
                            let v4: i64 = c0_3[k3];
                            let v6: i64 = checked::div(10i64, v4, 3, 14)?;
                            s0.push(v6);
                        }
                        Ok(())
                    }
                    let x0 = builders::places::Exact::<i64>::new(&cx.results(), v1)?;
                    drive::states(
                        cx,
                        v1,
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
            fn run(cx: &context::Context, v0: &[i32]) -> Result<Vec<i32>, fault::Fault> {
                let v1: i64 = v0.len() as i64;
                let v2: Vec<i32> = {
                    #[inline(always)]
                    fn nest0(
                        n: usize,
                        s0: &mut builders::places::Part<'_, i32>,
                        c0_3: &[i32],
                    ) {
                        let s0 = &mut s0.cursor();
                        #[inline(always)]
                        fn row(v4: i32) -> (i32, bool) {
                            let v6 = v4 > -10i32;
                            (v4, v6)
                        }
                        let (blocks0, c0_3) = c0_3[..n].as_chunks::<32>();
                        {
                            for k3 in 0..n / 32 {
                                cpu::prefetch(blocks0, k3);
                                let block0 = &blocks0[k3];
                                let mut b0 = [0i32; 32];
                                let mut m0 = [false; 32];
                                for lane in 0..32 {
                                    let (v4, v6) = row(block0[lane]);
                                    b0[lane] = v4;
                                    m0[lane] = v6;
                                }
                                s0.push_kept(b0, m0);
                            }
                        }
                        for lane in 0..n % 32 {
                            let (v4, v6) = row(c0_3[lane]);
                            if v6 {
                                s0.push(v4);
                            }
                        }
                    }
                    let x0 = builders::places::AtMost::<i32>::new(&cx.results(), v1)?;
                    drive::states(
                        cx,
                        v1,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Short,
                        },
                        (),
                        |task| x0.part(cx, task),
                        |s0, chunk| {
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    chunk.end - chunk.start,
                                    s0,
                                    &v0[chunk.start..chunk.end],
                                ),
                            );
                            Ok(())
                        },
                        |(), s0| {
                            x0.merge(s0);
                            Ok(())
                        },
                    )?;
                    x0.finish(cx)
                };
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
            fn run(cx: &context::Context, v0: &[i64]) -> Result<Vec<i64>, fault::Fault> {
                let v1: i64 = v0.len() as i64;
                let v2: Vec<i64> = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut Vec<i64>,
                        c0_3: &[i64],
                    ) -> Result<(), fault::Fault> {
                        cx.outer_strips(
                            n,
                            #[inline(always)]
                            |strip, n| {
                                let c0_3 = &c0_3[strip..strip + n];
                                for k3 in 0..n {
                                    let v4: i64 = c0_3[k3];
                                    let v6: i64 = num::Number::greatest(0i64, v4);
                                    cx.strips(
                                        v6 as usize,
                                        #[inline(always)]
                                        |first, n| {
                                            for k9 in 0..n {
                                                let v9 = (first + k9) as i64;
                                                let v10: i64 = v9.wrapping_mul(v4);
                                                builders::collect::push(cx, s0, v10)?;
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
                    let t0 = drive::states(
                        cx,
                        v1,
                        drive::Plan {
                            chunk: 2048,
                            task: drive::Task::Any,
                        },
                        Vec::<Vec<i64>>::new(),
                        |_| Vec::<i64>::new(),
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
                        |t0, s0| {
                            t0.push(s0);
                            Ok(())
                        },
                    )?;
                    builders::collect::concat(&cx.results(), t0)?
                };
                Ok(v2)
            }
        "#]],
    );
}
