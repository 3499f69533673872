//! The whole of a kernel, and what must not be in it; `tests/printed.rs` shows how each statement is printed.

use expect_test::expect;
use quote::quote;
use weldment_core::ir;
use weldment_core::source::Positions;

use super::{About, Outside, Paths, emit};
use crate::loops::{self, Options};

/// The kernel, as a constant.
fn kernel(source: &str) -> String {
    let program = ir::parse(&format!("weldment ir 1\n{source}")).expect("the test parses");
    ir::verify(&program).expect("the test is well formed");
    let program = loops::build(&program, &Options::default());
    let paths = Paths::new(quote!(weldment));
    let about = About { source: "source".to_owned(), explanation: "explanation".to_owned(), depends: None };
    let outside = Outside::default();
    let kernel = emit(
        &super::Versions { general: &program, known: &[] },
        &Positions::new(),
        &[],
        &paths,
        &outside,
        &[],
        &about,
    )
    .expect("the test can be emitted");
    // Paths are shortened for the reader.
    let shortened = kernel
        .to_string()
        .replace("weldment :: __private :: rt :: ", "")
        .replace("weldment :: __private :: ", "");
    let file = syn::parse_str(&format!("const KERNEL: K = {shortened};")).expect("an expression");
    prettyplease::unparse(&file)
}

#[test]
fn a_kernel_is_a_module_and_its_constant() {
    expect![[r#"
        const KERNEL: K = {
            mod kernel {
                fn run(
                    cx: &exec::context::Context,
                    v0: &[f64],
                    v1: f64,
                ) -> Result<f64, lang::fault::Fault> {
                    let v3: f64 = 2i64 as f64;
                    let v4: f64 = v1 + v3;
                    Ok(v4)
                }
                static INFO: api::kernel::KernelInfo = api::kernel::KernelInfo::new(
                    "source",
                    "explanation",
                );
                fn call(v0: &[f64], v1: f64) -> f64 {
                    api::kernel::unwrap(run(exec::context::Context::ambient(), v0, v1))
                }
                pub(super) const KERNEL: api::kernel::Kernel<fn(&[f64], f64) -> f64> = api::kernel::Signature::<
                    (api::param::Ref<[f64]>, api::param::Own<f64>),
                    f64,
                >::kernel(call, run, &INFO);
            }
            kernel::KERNEL
        };
    "#]]
    .assert_eq(&kernel(
        "program(v0: vec[f64], v1: f64) {
           v2: i64 = const 2
           v3: f64 = cast v2
           v4: f64 = add v1, v3
           return v4
         }",
    ));
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
                    static INFO: api::kernel::KernelInfo = api::kernel::KernelInfo::new(
                        "source",
                        "explanation",
                    );
                    fn call(v0: f64) -> f64 {
                        api::kernel::unwrap(run(exec::context::Context::ambient(), v0))
                    }
                    const KERNEL: api::kernel::Kernel<fn(f64) -> f64> = api::kernel::Signature::<
                        (api::param::Own<f64>,),
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

/// The kernel of a map of `body`, which makes `result` of v4.
fn mapped(body: &str, result: &str) -> String {
    kernel(&format!(
        "program(v0: vec[f64]) {{
           v1: i64 = len v0
           v2: vec[f64] = loop v3 < v1 {{
             sink #0 = collect f64
             v4: f64 = at v0, v3
             {body}
             merge #0, {result}
           }}
           return v2
         }}"
    ))
}

#[test]
fn a_foreign_call_that_an_angle_depends_on_is_made_once() {
    let kernel = mapped("v5: f64 = call \"wave\"(v4) v6: f64 = sin v5", "v6");
    assert!(!kernel.contains("is_near"), "{kernel}");
    assert_eq!(kernel.matches("Float::sin(").count(), 1, "{kernel}");
}

#[test]
fn only_a_function_that_waits_for_another_begins_a_stage() {
    let apart = "v5: f64 = log v4 v6: f64 = sqrt v5 v7: f64 = exp v4 v8: f64 = add v6, v7";
    let foreign = "v5: f64 = log v4 v6: f64 = call \"wave\"(v5) v8: f64 = exp v6";
    let waiting = "v5: f64 = log v4 v8: f64 = exp v5";
    let stages = |body| mapped(body, "v8").matches("fn row").count();
    assert_eq!([stages(waiting), stages(apart), stages(foreign)], [2, 0, 0]);
}
