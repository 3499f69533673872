//! IR text in, formatted Rust out.

use expect_test::{Expect, expect};
use quote::quote;
use weldment_core::ir;
use weldment_core::source::Positions;

use super::{About, Paths, emit};
use crate::loops::{self, Options};

fn emitted(source: &str) -> String {
    let program = ir::parse(&format!("weldment ir 1\n{source}")).expect("the test parses");
    ir::verify(&program).expect("the test is well formed");
    let program = loops::build(&program, &Options::default());
    let paths = Paths::new(quote!(weldment));
    let about = About { source: "source".to_owned(), explanation: "explanation".to_owned() };
    let kernel = emit(&program, &Positions::new(), &[], &paths, &about).expect("the test can be emitted");
    // Paths are shortened for the reader.
    let shortened = kernel
        .to_string()
        .replace("weldment :: __private :: rt :: ", "")
        .replace("weldment :: __private :: ", "");
    let file = syn::parse_str(&format!("const KERNEL: K = {shortened};")).expect("an expression");
    prettyplease::unparse(&file)
}

fn check(source: &str, expected: Expect) {
    expected.assert_eq(&emitted(source));
}

#[test]
fn a_guarded_float_sum() {
    check(
        "program(v0: vec[f64], v1: vec[i32]) {
           v2: i64 = len v0
           v3: i64 = len v1
           v4: i64 = zip_len v2, v3
           v5: f64 = const 0.5
           v6: i32 = const 3
           v7: f64 = loop v8 < v4 {
             sink #0 = reduce + f64
             v9: f64 = at v0, v8
             v10: i32 = at v1, v8
             v11: bool = lt v10, v6
             if v11 {
               v15: f64 = mul v9, v5
               merge #0, v15
             }
           }
           return v7
         }",
        expect![[r#"
            const KERNEL: K = {
                mod kernel {
                    fn run(
                        cx: &context::Context,
                        v0: &[f64],
                        v1: &[i32],
                    ) -> Result<f64, fault::Fault> {
                        let v2: i64 = v0.len() as i64;
                        let v3: i64 = v1.len() as i64;
                        let v4: i64 = checked::zip_len(&[v2, v3], 0u32, 0u32)?;
                        let v5: f64 = 0.5f64;
                        let v6: i32 = 3i32;
                        let v7: f64 = {
                            #[inline(always)]
                            fn nest0(
                                n: usize,
                                s0_0: &mut [f64; 16],
                                c0_8: &[f64],
                                c1_8: &[i32],
                                v6: i32,
                                v5: f64,
                            ) {
                                #[inline(always)]
                                fn row(v9: f64, v10: i32, v6: i32, v5: f64) -> (f64, bool) {
                                    let v11 = v10 < v6;
                                    let v15 = v9 * v5;
                                    (v15, v11)
                                }
                                let (chunks0, c0_8) = c0_8[..n].as_chunks::<16>();
                                let (chunks1, c1_8) = c1_8[..n].as_chunks::<16>();
                                for k8 in 0..n / 16 {
                                    let chunk0 = &chunks0[k8];
                                    let chunk1 = &chunks1[k8];
                                    for lane in 0..16 {
                                        let (v15, v11) = row(chunk0[lane], chunk1[lane], v6, v5);
                                        s0_0[lane] += if v11 { v15 } else { -0.0f64 };
                                    }
                                }
                                for lane in 0..n % 16 {
                                    let (v15, v11) = row(c0_8[lane], c1_8[lane], v6, v5);
                                    s0_0[lane % 16] += if v11 { v15 } else { -0.0f64 };
                                }
                            }
                            let t0_0 = drive::totals(
                                cx,
                                v4,
                                drive::Plan {
                                    piece: 16384,
                                    unit: drive::Unit::Any,
                                },
                                -0.0f64,
                                |piece| {
                                    let mut s0_0 = [-0.0f64; 16];
                                    cpu::dispatch(
                                        cx.level(),
                                        #[inline(always)]
                                        |_| nest0(
                                            piece.end - piece.start,
                                            &mut s0_0,
                                            &v0[piece.start..piece.end],
                                            &v1[piece.start..piece.end],
                                            v6,
                                            v5,
                                        ),
                                    );
                                    Ok(fold::lanes(fold::Add, s0_0))
                                },
                                |t0_0, p0_0| {
                                    *t0_0 += p0_0;
                                    Ok(())
                                },
                            )?;
                            fold::finish(fold::Add, None, t0_0)
                        };
                        Ok(v7)
                    }
                    fn call(v0: &[f64], v1: &[i32]) -> f64 {
                        kernel::unwrap(run(context::Context::ambient(), v0, v1))
                    }
                    static INFO: kernel::KernelInfo = kernel::KernelInfo::new(
                        "source",
                        "explanation",
                    );
                    pub(super) const KERNEL: kernel::Kernel<fn(&[f64], &[i32]) -> f64> = kernel::Signature::<
                        (kernel::Ref<[f64]>, kernel::Ref<[i32]>),
                        f64,
                    >::kernel(call, run, &INFO);
                }
                kernel::KERNEL
            };
        "#]],
    );
}
