//! Sorts, iterations, branches, and foreign functions.

use expect_test::expect;

use super::{check, kernel};

#[test]
fn a_comparator_is_a_closure_that_can_fault() {
    check(
        "program(v0: vec[{i64,f64}], v1: vec[i64]) {
           v2: vec[{i64,f64}] = sort v0 by (v3: {i64,f64}, v4: {i64,f64}) {
             v5: i64 = field v3, 0
             v10: i64 = len v1
             v11: i64 = check_index v5, v10 @0
             v6: i64 = at v1, v11
             v7: i64 = field v4, 0
             v12: i64 = check_index v7, v10
             v8: i64 = at v1, v12
             v9: i32 = order v6, v8
             return v9
           }
           return v2
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: &[(i64, f64)],
                v1: &[i64],
            ) -> Result<Vec<(i64, f64)>, lang::fault::Fault> {
                let v2: Vec<(i64, f64)> = ops::sort::sort(
                    cx,
                    v0,
                    |&v3, &v4| {
                        let v5: i64 = v3.0;
                        let v10: i64 = v1.len() as i64;
                        let v11: i64 = ops::checked::index(v5, v10, 3, 14)?;
                        let v6: i64 = v1[v11 as usize];
                        let v7: i64 = v4.0;
                        let v12: i64 = ops::checked::index(v7, v10, 0, 0)?;
                        let v8: i64 = v1[v12 as usize];
                        let v9: i32 = lang::order::compare(&v6, &v8);
                        Ok(v9)
                    },
                )?;
                Ok(v2)
            }
        "#]],
    );
}

#[test]
fn an_iteration_is_a_loop_over_its_state() {
    check(
        "program(v0: i64) {
           v1: i32 = const 0
           v2: i64, v3: i32 = iterate (v4: i64 = v0, v5: i32 = v1) {
             v7: i64 = const 2
             v8: i64 = rem v4, v7
             v9: i64 = const 0
             v10: bool = eq v8, v9
             v11: i64 = if v10 {
               v12: i64 = div v4, v7
               yield v12
             } else {
               v13: i64 = const 3
               v14: i64 = mul v13, v4
               yield v14
             }
             v17: i32 = const 1
             v18: i32 = add v5, v17
             v20: bool = gt v4, v7
             yield v11, v18, v20
           }
           v21: {i64,i32} = struct {v2, v3}
           return v21
         }",
        expect![[r#"
            fn run(
                cx: &exec::context::Context,
                v0: i64,
            ) -> Result<(i64, i32), lang::fault::Fault> {
                let (mut v4, mut v5) = (v0, 0i32);
                let (v2, v3): (i64, i32) = loop {
                    cx.poll()?;
                    let v8: i64 = v4.wrapping_rem(2i64);
                    let v10: bool = v8 == 0i64;
                    let v11: i64 = if v10 {
                        let v12: i64 = v4.wrapping_div(2i64);
                        v12
                    } else {
                        let v14: i64 = 3i64.wrapping_mul(v4);
                        v14
                    };
                    let v18: i32 = v5.wrapping_add(1i32);
                    let v20: bool = v4 > 2i64;
                    let next = (v11, v18);
                    if !v20 {
                        break next;
                    }
                    (v4, v5) = next;
                };
                let v21: (i64, i32) = (v2, v3);
                Ok(v21)
            }
        "#]],
    );
}

#[test]
fn a_foreign_function_is_called_beside_the_kernel() {
    expect![[r#"
        const KERNEL: K = {
            {
                use primitive::{f64, i64};
                fn foreign0(arg0: f64, arg1: i64) -> f64 {
                    let mut result = 0.0f64;
                    hypotenuse(&arg0, &arg1, &mut result);
                    result
                }
                {
                    fn run(
                        cx: &exec::context::Context,
                        v0: f64,
                    ) -> Result<f64, lang::fault::Fault> {
                        let v2: f64 = foreign0(v0, 3i64);
                        Ok(v2)
                    }
                    fn call(v0: f64) -> f64 {
                        api::kernel::unwrap(run(exec::context::Context::ambient(), v0))
                    }
                    static INFO: api::kernel::KernelInfo = api::kernel::KernelInfo::new(
                        "source",
                        "explanation",
                    );
                    const KERNEL: api::kernel::Kernel<fn(f64) -> f64> = api::kernel::Signature::<
                        (api::kernel::Own<f64>,),
                        f64,
                    >::kernel(call, run, &INFO);
                    KERNEL
                }
            }
        };
    "#]]
    .assert_eq(&kernel(
        r#"program(v0: f64) {
           v1: i64 = const 3
           v2: f64 = call "hypotenuse"(v0, v1)
           return v2
         }"#,
    ));
}
