//! Folds by a function.

use expect_test::expect;

use super::check;

#[test]
fn a_fold_by_a_function_keeps_an_option() {
    check(
        "program(v0: vec[{f64,i64}], v1: {f64,i64}) {
           v2: i64 = len v0
           v3: {f64,i64} = loop v4 < v2 {
             sink #0 = reduce by (v5: {f64,i64}, v6: {f64,i64}) {
               v7: f64 = field v5, 0
               v8: f64 = field v6, 0
               v9: bool = gt v7, v8
               v10: {f64,i64} = select v9, v5, v6
               return v10
             } {f64,i64} init v1
             v11: {f64,i64} = at v0, v4
             merge #0, v11
           }
           return v3
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[(f64, i64)],
                v1: (f64, i64),
            ) -> Result<(f64, i64), lang::fault::Fault> {
                #[inline(always)]
                fn reduce0(v5: (f64, i64), v6: (f64, i64)) -> (f64, i64) {
                    let v7: f64 = v5.0;
                    let v8: f64 = v6.0;
                    let v9: bool = v7 > v8;
                    let v10: (f64, i64) = if v9 { v5 } else { v6 };
                    v10
                }
                #[inline(always)]
                fn loop16(v15: usize, s0: &mut Option<(f64, i64)>, v17: &[(f64, i64)]) {
                    for v16 in 0..v15 {
                        let v11: (f64, i64) = v17[v16];
                        *s0 = Some(
                            match s0.take() {
                                Some(before) => reduce0(before, v11),
                                None => v11,
                            },
                        );
                    }
                }
                let v2: i64 = v0.len() as i64;
                let t0 = Some(v1);
                let t0 = exec::drive::totals(
                    cx,
                    v2,
                    exec::drive::Plan {
                        chunk: 16384,
                        task: exec::drive::Task::Any,
                    },
                    t0,
                    |chunk| {
                        let v13 = chunk.start;
                        let v14 = chunk.end;
                        let mut s0 = None::<(f64, i64)>;
                        let v15: usize = v14 - v13;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop16(v15, &mut s0, &v0[v13..][..v15]),
                        );
                        Ok(s0)
                    },
                    |t0, s0| {
                        if let Some(part) = s0 {
                            *t0 = Some(
                                match t0.take() {
                                    Some(before) => reduce0(before, part),
                                    None => part,
                                },
                            );
                        }
                        Ok(())
                    },
                )?;
                let v3: (f64, i64) = ops::checked::not_empty(t0, 0, 0)?;
                Ok(v3)
            }
        "#]],
    );
}
