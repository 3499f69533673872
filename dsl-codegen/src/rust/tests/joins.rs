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
                cx: &exec::context::Context,
                v0: &[i64],
                v1: &[f64],
                v2: &[i64],
            ) -> Result<f64, lang::fault::Fault> {
                #[inline(always)]
                fn loop22(
                    cx: &exec::context::Context,
                    v21: usize,
                    s0: &mut store::table::last_wins::LastWins<i64, f64>,
                    v23: &[i64],
                    v24: &[f64],
                ) -> Result<(), lang::fault::Fault> {
                    for v22 in 0..v21 {
                        exec::cpu::prefetch_element(v23, v22);
                        exec::cpu::prefetch_element(v24, v22);
                        let v10: i64 = v23[v22];
                        let v11: f64 = v24[v22];
                        s0.add(cx, v10, v11)?;
                    }
                    Ok(())
                }
                #[inline(always)]
                fn loop30(
                    v29: usize,
                    v6: &store::dict::Dict<i64, f64>,
                    a0: &mut [f64; 16],
                    v31: &[i64],
                ) -> Result<(), lang::fault::Fault> {
                    for v30 in 0..v29 {
                        let v15: i64 = v31[v30];
                        let at16 = v6.get(&v15);
                        let v16: bool = at16.is_some();
                        if v16 {
                            let v17: f64 = *ops::checked::found(at16, v6, 3, 14)?;
                            a0[v30 % 16] += v17;
                        }
                    }
                    Ok(())
                }
                let v3: i64 = v0.len() as i64;
                let v4: i64 = v1.len() as i64;
                let v5: i64 = ops::checked::zip_len(&[v3, v4], 0, 0)?;
                let t0 = <store::table::last_wins::LastWins<i64, f64>>::new();
                let t0 = exec::drive::states(
                    cx,
                    v5,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Any,
                    },
                    t0,
                    |_| <store::table::last_wins::LastWins<i64, f64>>::new(),
                    |s0, chunk| {
                        let v19 = chunk.start;
                        let v20 = chunk.end;
                        let v21: usize = v20 - v19;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop22(cx, v21, s0, &v0[v19..][..v21], &v1[v19..][..v21]),
                        )?;
                        Ok(())
                    },
                    |t0, s0| {
                        t0.merge(cx, s0)?;
                        Ok(())
                    },
                )?;
                let v6: store::dict::Dict<i64, f64> = t0.into_dict(cx)?;
                let v12: i64 = v2.len() as i64;
                let a1 = -0.0f64;
                let a1 = exec::drive::totals(
                    cx,
                    v12,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Any,
                    },
                    a1,
                    |chunk| {
                        let v27 = chunk.start;
                        let v28 = chunk.end;
                        let mut a0 = [-0.0f64; 16];
                        let v29: usize = v28 - v27;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop30(v29, &v6, &mut a0, &v2[v27..][..v29]),
                        )?;
                        let v33: f64 = store::reduce::lanes::lanes(
                            store::reduce::lanes::Add,
                            a0,
                        );
                        let a2 = v33;
                        Ok(a2)
                    },
                    |a1, a2| {
                        let v34: f64 = a2;
                        *a1 += v34;
                        Ok(())
                    },
                )?;
                let v35: f64 = a1;
                let v13: f64 = 0.0f64 + v35;
                Ok(v13)
            }
        "#]],
    );
}
