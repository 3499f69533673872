//! Vectors whose rows lie one after the other.

use expect_test::expect;

use super::check;

#[test]
fn a_row_is_made_in_the_memory_of_the_one_before() {
    check(
        "program(v0: vec[f64], v1: i64) {
           v2: i64 = len v0
           v3: vec[vec[f64]], v4: i64 = loop v5 < v2 {
             sink #0 = collect vec[f64]
             sink #1 = reduce + i64
             v6: f64 = at v0, v5
             v7: vec[f64] = loop v8 < v1 {
               sink #2 = collect f64
               v9: f64 = cast v8
               v10: f64 = mul v6, v9
               merge #2, v10
             }
             merge #0, v7
             v11: i64 = len v7
             merge #1, v11
           }
           v12: i64 = check_index v4, v2
           v13: vec[f64] = at v3, v12
           return v13
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[f64],
                v1: i64,
            ) -> Result<Vec<f64>, lang::fault::Fault> {
                #[inline(always)]
                fn loop22(
                    cx: &exec::context::Context,
                    v31: usize,
                    v29: usize,
                    v6: f64,
                    s1: &mut Vec<f64>,
                ) -> Result<(), lang::fault::Fault> {
                    let v43: usize = v31 % 16;
                    let v44: usize = v31 - v43;
                    for block in 0..v44 / 16 {
                        let v50 = block * 16;
                        #[inline(always)]
                        fn row22(v51: i64, v6: f64) -> f64 {
                            let v53: f64 = v51 as f64;
                            let v54: f64 = v6 * v53;
                            v54
                        }
                        let mut b1 = [0.0f64; 16];
                        for lane in 0..16 {
                            let v54 = row22((v29 + (v50 + lane)) as i64, v6);
                            b1[lane] = v54;
                        }
                        store::vector::growable::push_block(cx, s1, b1)?;
                    }
                    for lane in 0..v31 - v44 {
                        let v45 = v44 + lane;
                        let v46 = (v29 + v45) as i64;
                        let v48: f64 = v46 as f64;
                        let v49: f64 = v6 * v48;
                        store::vector::growable::push(cx, s1, v49)?;
                    }
                    Ok(())
                }
                #[inline(always)]
                fn loop34(
                    cx: &exec::context::Context,
                    v17: usize,
                    v1: i64,
                    a0: &mut i64,
                    s0: &mut store::vector::ragged::Part<f64>,
                    v19: &[f64],
                ) -> Result<(), lang::fault::Fault> {
                    cx.outer_strips(
                        v17,
                        #[inline(always)]
                        |v34, n| {
                            let v35 = v34 + n;
                            let v36: usize = v35 - v34;
                            let v37: &[f64] = &v19[v34..][..v36];
                            for v18 in 0..v36 {
                                let v6: f64 = v37[v18];
                                let v20: usize = v1 as usize;
                                let mut s1 = s0.released_for(cx, v20)?;
                                cx.strips(
                                    v20,
                                    #[inline(always)]
                                    |v29, n| {
                                        let v30 = v29 + n;
                                        let v31: usize = v30 - v29;
                                        loop22(cx, v31, v29, v6, &mut s1)?;
                                        Ok(())
                                    },
                                )?;
                                let v7: Vec<f64> = s1;
                                let v11: i64 = v7.len() as i64;
                                s0.push(cx, v7)?;
                                *a0 = a0.wrapping_add(v11);
                            }
                            Ok(())
                        },
                    )?;
                    Ok(())
                }
                let v2: i64 = v0.len() as i64;
                let t0 = Vec::<store::vector::ragged::Part<f64>>::new();
                let a1 = 0i64;
                let (a1, t0) = exec::drive::run(
                    cx,
                    v2,
                    exec::drive::Plan {
                        chunk: 2048,
                        task: exec::drive::Task::Any,
                    },
                    (a1, t0),
                    |_| store::vector::ragged::Part::<f64>::new(),
                    |s0, chunk| {
                        let v15 = chunk.start;
                        let v16 = chunk.end;
                        let mut a0 = 0i64;
                        let v17: usize = v16 - v15;
                        exec::cpu::dispatch(
                            cx.level(),
                            #[inline(always)]
                            |_| loop34(cx, v17, v1, &mut a0, s0, &v0[v15..][..v17]),
                        )?;
                        Ok(a0)
                    },
                    |(a1, _), a0| {
                        let v25: i64 = a0;
                        *a1 = a1.wrapping_add(v25);
                        Ok(())
                    },
                    |(_, t0), s0| {
                        t0.push(s0);
                        Ok(())
                    },
                )?;
                let v3: store::vector::ragged::Ragged<f64> = store::vector::ragged::Ragged::join(
                    cx,
                    t0,
                )?;
                let v26: i64 = a1;
                let v4: i64 = 0i64.wrapping_add(v26);
                let v12: i64 = ops::checked::index(v4, v2, 0, 0)?;
                let v13: &[f64] = &v3[v12 as usize][..];
                let v56: Vec<f64> = ops::copy::slice(cx, v13)?;
                Ok(v56)
            }
        "#]],
    );
}
