//! Dictionaries that are made to be searched, and searches.

use expect_test::expect;

use super::check;

#[test]
fn a_join_appends_what_it_searches_and_searches_once() {
    check(
        "program(v0: vec[i64], v1: vec[f64], v2: vec[i64]) {
           v3: i64 = len v0
           v4: i64 = len v1
           v5: i64 = zip_len v3, v4
           v6: dict[i64,f64] = loop v7 < v5 {
             sink #0 = bucket_reduce by (v8: f64, v9: f64) {
               return v9
             } i64 -> f64
             v10: i64 = at v0, v7
             v11: f64 = at v1, v7
             merge #0, v10, v11
           }
           v12: i64 = len v2
           v13: f64 = loop v14 < v12 {
             sink #1 = reduce + f64
             v15: i64 = at v2, v14
             v16: bool = key_exists v6, v15
             if v16 {
               v17: f64 = lookup v6, v15 @0
               merge #1, v17
             }
           }
           return v13
         }",
        expect![[r#"
            fn run(
                cx: &context::Context,
                v0: &[i64],
                v1: &[f64],
                v2: &[i64],
            ) -> Result<f64, fault::Fault> {
                let v3: i64 = v0.len() as i64;
                let v4: i64 = v1.len() as i64;
                let v5: i64 = checked::zip_len(&[v3, v4], 0, 0)?;
                let v6: dict::Dict<i64, f64> = {
                    #[inline(always)]
                    fn nest0(
                        cx: &context::Context,
                        n: usize,
                        s0: &mut builders::latest::LastWins<i64, f64>,
                        c0_7: &[i64],
                        c1_7: &[f64],
                    ) -> Result<(), fault::Fault> {
                        let c0_7 = &c0_7[..n];
                        let c1_7 = &c1_7[..n];
                        for k7 in 0..n {
                            cpu::prefetch_element(c0_7, k7);
                            cpu::prefetch_element(c1_7, k7);
                            let v10: i64 = c0_7[k7];
                            let v11: f64 = c1_7[k7];
                            s0.add(cx, v10, v11)?;
                        }
                        Ok(())
                    }
                    let t0 = drive::states(
                        cx,
                        v5,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Any,
                        },
                        builders::latest::LastWins::<i64, f64>::new(),
                        |_| builders::latest::LastWins::<i64, f64>::new(),
                        |s0, chunk| {
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest0(
                                    cx,
                                    chunk.end - chunk.start,
                                    s0,
                                    &v0[chunk.start..chunk.end],
                                    &v1[chunk.start..chunk.end],
                                ),
                            )
                        },
                        |t0, s0| {
                            t0.merge(cx, s0)?;
                            Ok(())
                        },
                    )?;
                    t0.into_dict(cx)?
                };
                let v12: i64 = v2.len() as i64;
                let v13: f64 = {
                    #[inline(always)]
                    fn nest1(
                        n: usize,
                        s1_0: &mut [f64; 16],
                        c2_14: &[i64],
                        v6: &dict::Dict<i64, f64>,
                    ) -> Result<(), fault::Fault> {
                        let c2_14 = &c2_14[..n];
                        for k14 in 0..n {
                            let v15: i64 = c2_14[k14];
                            let at16 = v6.get(&v15);
                            let v16: bool = at16.is_some();
                            if v16 {
                                let v17: f64 = *checked::found(at16, v6, 3, 14)?;
                                s1_0[k14 % 16] += v17;
                            }
                        }
                        Ok(())
                    }
                    let t1_0 = drive::totals(
                        cx,
                        v12,
                        drive::Plan {
                            chunk: 16384,
                            task: drive::Task::Any,
                        },
                        -0.0f64,
                        |chunk| {
                            let mut s1_0 = [-0.0f64; 16];
                            cpu::dispatch(
                                cx.level(),
                                #[inline(always)]
                                |_| nest1(
                                    chunk.end - chunk.start,
                                    &mut s1_0,
                                    &v2[chunk.start..chunk.end],
                                    &v6,
                                ),
                            )?;
                            Ok(fold::lanes(fold::Add, s1_0))
                        },
                        |t1_0, p1_0| {
                            *t1_0 += p1_0;
                            Ok(())
                        },
                    )?;
                    fold::finish(fold::Add, None, t1_0)
                };
                Ok(v13)
            }
        "#]],
    );
}
