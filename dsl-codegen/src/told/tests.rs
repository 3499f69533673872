//! What `weld!` asks, what a derive and `#[welded]` answer, and what comes of both.

use std::str::FromStr;

use expect_test::{Expect, expect};
use proc_macro2::TokenStream;

use crate::{derive, expand, welded};

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).expect("tokens")
}

/// What `weld!` expands to, of a program whose questions to these paths were answered so.
fn expanded(program: &str, answers: Option<(&str, &str)>) -> String {
    let asked =
        answers.map(|(paths, answers)| format!("@weld1 [{answers}] [] [{paths}]")).unwrap_or_default();
    expand::weld(tokens(&format!("{asked} weldment; {program}"))).to_string()
}

/// The function that does the work, of a program whose questions to these paths were answered so.
fn check(program: &str, (paths, answers): (&str, &str), expected: Expect) {
    let kernel = expanded(program, Some((paths, answers)));
    let shortened =
        kernel.replace("weldment :: __private :: rt :: ", "").replace("weldment :: __private :: ", "");
    let file = syn::parse_str(&format!("const KERNEL: K = {shortened};")).expect("an expression");
    let text = prettyplease::unparse(&file);
    let kernel = text.lines().take_while(|line| !line.contains("static INFO"));
    expected.assert_eq(&(kernel.collect::<Vec<_>>().join("\n") + "\n"));
}

const POINT: &str = "{ Point__weld_1 Point { struct Point__weld_1<> { x: f64, y: f64 } } }";

#[test]
fn a_kernel_has_no_parameter_that_is_to_be_a_constant() {
    let refused = expanded("|v: &[f64], const n: i64| v[n]", None);
    assert!(refused.contains("a kernel is compiled before its arguments are known [W0337]"), "{refused}");
    // What calls it is fine: around the mistake stands a kernel of the type that was meant.
    assert!(refused.contains("let kernel") && refused.contains("Own < i64 >"), "{refused}");
}

#[test]
fn a_program_that_names_nothing_asks_nothing() {
    let kernel = expanded("|v: &[(f64, i64)]| v.map(|(x, _)| x * f64::MAX).sum()", None);
    assert!(kernel.contains("mod kernel") && !kernel.contains("@ weld1"), "{kernel}");
}

#[test]
fn each_name_is_asked_once() {
    let question = expanded(
        "use m::tax; |v: &[Point], w: &[m::Row]| zip(v, w).map(|(p, r)| Point { x: m::fee(p.y) + tax(r.x) + add(r.y), ..p })",
        None,
    );
    let asked = "m :: tax ! { @ weld1 [] [{ Point } { m :: Row } { m :: fee } { add } { weldment :: __private :: weld }] \
                 [{ m :: tax } { Point } { m :: Row } { m :: fee } { add }] weldment ; use m";
    assert!(question.contains(asked), "{question}");
    let named_inside = expanded("struct Point { x: f64 } |v: &[Point]| v.map(|p| p.x)", None);
    assert!(!named_inside.contains("@ weld1"), "{named_inside}");
}

#[test]
fn structs_are_read_in_place_and_made_in_their_place() {
    check(
        "|p: &[Point], dx: f64| p.map(|p| Point { x: p.x + dx, ..p })",
        ("{ Point }", &format!("{{ Point__weld_1 [{POINT}] }}")),
        expect![[r#"
            const KERNEL: K = {
                type __Struct0 = Point;
                const _: () = {
                    const fn is<T: api::structure::Plain>() {}
                    is::<__Struct0>()
                };
                {
                    use primitive::{f64, usize, i64};
                    fn run(
                        cx: &exec::context::Context,
                        v0: &[__Struct0],
                        v1: f64,
                    ) -> Result<Vec<__Struct0>, lang::fault::Fault> {
                        #[inline(always)]
                        fn loop14(
                            v13: usize,
                            v1: f64,
                            s0: &mut store::vector::exact::Part<'_, __Struct0>,
                            v15: &[__Struct0],
                        ) {
                            let s0 = &mut s0.cursor();
                            {
                                let v15 = &v15[..v13];
                                s0.fill(
                                    v13,
                                    #[inline(always)]
                                    |v14| {
                                        let v4: __Struct0 = v15[v14];
                                        let v5: f64 = v4.x;
                                        let v6: f64 = v5 + v1;
                                        let v7: f64 = v4.y;
                                        let v8: __Struct0 = __Struct0 { x: v6, y: v7 };
                                        v8
                                    },
                                );
                            }
                        }
                        let v2: i64 = v0.len() as i64;
                        let v10: usize = v2 as usize;
                        let x0 = store::vector::exact::Exact::<
                            __Struct0,
                        >::new(&cx.results(), v10 as i64)?;
                        exec::drive::states(
                            cx,
                            v2,
                            exec::drive::Plan {
                                chunk: 16384,
                                task: exec::drive::Task::Any,
                            },
                            (),
                            |task| x0.part(task),
                            |s0, chunk| {
                                let v11 = chunk.start;
                                let v12 = chunk.end;
                                let v13: usize = v12 - v11;
                                exec::cpu::dispatch(
                                    cx.level(),
                                    #[inline(always)]
                                    |_| loop14(v13, v1, s0, &v0[v11..][..v13]),
                                );
                                Ok(())
                            },
                            |(), s0| {
                                s0.done();
                                Ok(())
                            },
                        )?;
                        let v9: Vec<__Struct0> = x0.finish();
                        Ok(v9)
                    }
        "#]],
    );
}

#[test]
fn a_struct_inside_is_found_through_the_outer_one() {
    let segment = "struct Segment__weld_2<> { id: i64, ends: (Point__weld_1, Point__weld_1) }";
    let answer = format!("{{ Segment__weld_2 [{POINT} {{ Segment__weld_2 Segment {{ {segment} }} }}] }}");
    let kernel = expanded("|s: &[Segment]| s.map(|s| s.ends.1)", Some(("{ Segment }", &answer)));
    for item in [
        "type __Struct0 = < __Struct1 as weldment :: __private :: rt :: api :: structure :: Part < 0usize >> :: Type ;",
        "type __Struct1 = Segment ;",
        "let v4 : (__Struct0 , __Struct0 ,) = v3 . ends ; let v5 : __Struct0 = v4 . 1 ; v5 }",
    ] {
        assert!(kernel.contains(item), "no {item} in\n{kernel}");
    }
}

#[test]
fn other_macros_are_no_answers() {
    for answer in ["{ 7 }", "7", "{ Point [7] }", "{ Point [{ Point }] }"] {
        let error = expanded("|v: &[Point]| v", Some(("{ Point }", answer)));
        assert!(
            error.contains("this is neither a struct that derives `Weld` nor `#[welded]`"),
            "{answer}: {error}"
        );
    }
}

#[test]
fn another_version_is_named() {
    let program = "|v: &[f64]| v.map(shop::tax).sum()";
    let told = expanded(program, Some(("{ shop::tax }", "{ @weld2 \"9.1.0\" }")));
    let own = env!("CARGO_PKG_VERSION");
    let message = format!(
        "`shop::tax` is told by weldment 9.1.0, which this weldment {own} does not understand [W0216]"
    );
    assert!(told.contains(&message) && told.contains("`cargo tree -d` shows who depends on which"), "{told}");
    // What follows has the type that was meant.
    assert!(told.contains("let kernel"), "{told}");
    let item = "@weld1 [{ @weld2 \"9.1.0\" }] [] [{ fee }] weldment; { } fn gross(x: f64) -> f64 { fee(x) }";
    let told = welded::told(tokens(item)).to_string();
    assert!(
        told.contains("`fee` is told by weldment 9.1.0") && told.matches("compile_error").count() == 1,
        "{told}"
    );
    // Where those who ask are of different versions.
    let other = "@weld7 [{ new }] [] [{ tax }] weldment; |x: f64| tax(x)";
    for told in [expand::weld(tokens(other)), welded::told(tokens(other)), derive::define(tokens(other))] {
        let told = told.to_string();
        assert!(told.contains("a macro of another version of weldment asks here (`weld7`)"), "{told}");
        assert!(told.contains("[W0216]"), "{told}");
    }
    // A question by another number is answered with the version.
    let defined = of_function("", "fn tax(x: f64) -> f64 { x }");
    assert!(defined.contains(&format!("{{ @ weld1 \"{own}\" }}")), "{defined}");
}

#[test]
fn a_struct_that_only_a_function_knows_does_not_go_out() {
    let make = format!(
        "{{ make__weld_3 [{POINT} {{ make__weld_3 make {{ fn make__weld_3(x: f64) -> Point__weld_1 {{ Point__weld_1 {{ x: x, y: x }} }} }} }}] }}"
    );
    let error = expanded("|v: &[f64]| v.map(|x| make(x))", Some(("{ make }", &make)));
    assert!(error.contains("the result holds `Point`, which the program does not name [W0211]"), "{error}");
    let kernel = expanded("|v: &[f64]| v.map(|x| make(x).y)", Some(("{ make }", &make)));
    assert!(kernel.contains("mod kernel") && !kernel.contains("compile_error"), "{kernel}");
}

fn derived(item: &str) -> String {
    derive::expand(tokens(item)).to_string()
}

#[test]
fn a_derive_tells_the_fields_as_they_are_written() {
    let item =
        derived("pub struct Segment<T> { pub ends: Pair<T>, at: (m::Point, Vec<Pair<f64>>), r#type: i64 }");
    for part in [
        "Pair ! { @ weld1 [] [{ m :: Point } { :: weldment :: __private :: define }] [{ Pair } { m :: Point }] :: weldment ; { pub } \
         Segment Segment__weld_",
        "< T > { ends : Pair < T > , at : (m :: Point , Vec < Pair < f64 > >) , r#type : i64 }",
        "[T :] (Segment < T >) [T] [] { ends : Pair < T > , at :",
        "Part < 1usize > for Segment < T > where { type Type = m :: Point ; }",
        "Part < 2usize > for Segment < T > where { type Type = Pair < f64 > ; }",
    ] {
        assert!(item.contains(part), "no {part} in\n{item}");
    }
    let private = derived("struct Pair(f64, f64);");
    assert!(!private.contains("macro_export") && private.contains("macro_rules"), "{private}");
    assert!(derived("pub struct Pair(f64, f64);").contains("macro_export"));
    assert!(derived("#[weld(crate = other)] struct A(B);").contains("{ other :: __private :: define }"));
    assert!(
        derived("#[weld(path = other)] struct A(f64);").contains("the only one is `#[weld(crate = path)]`")
    );
}

fn of_function(options: &str, item: &str) -> String {
    welded::expand(tokens(options), tokens(item)).to_string()
}

#[test]
fn a_function_tells_its_tokens_by_names_that_nobody_else_has() {
    let item = of_function("", "pub fn tax(x: f64) -> f64 { x * 0.19 }");
    for part in [
        "pub fn tax (arg0 : f64) -> f64",
        "# [macro_export] macro_rules ! tax__weld_",
        "x * 0.19 } } }]",
        "pub use tax__weld_",
    ] {
        assert!(item.contains(part), "no {part} in\n{item}");
    }
    let asked = of_function(
        "crate = other",
        "fn gross(p: &[Sale]) -> f64 { p.map(|p| p.net + m::tax(p.net)).sum() }",
    );
    assert!(
        asked.contains("Sale ! { @ weld1 [] [{ m :: tax } { other :: __private :: welded_told }]"),
        "{asked}"
    );
    let tax = "{ tax__weld_1 [{ tax__weld_1 tax { fn tax__weld_1(x: f64) -> f64 { x * 0.19 } } }] }";
    let answers = format!(
        "@weld1 [{tax} {tax}] [] [{{ m::tax }} {{ fee }}] weldment; {{ kernels }} fn gross(x: f64) -> f64 {{ x + m::tax(x) + fee(x) }}"
    );
    let told = welded::told(tokens(&answers)).to_string();
    let gross = "tax__weld_1 (x : f64) -> f64 { x * 0.19 } } } { gross__weld_";
    assert!(told.contains(gross) && told.contains("{ x + tax__weld_1 (x) + tax__weld_1 (x) }"), "{told}");
    assert!(!told.contains("fn gross ("), "for kernels only: {told}");
}

#[test]
fn constants_are_told_too() {
    let rate = of_function("", "pub const RATE: f64 = 0.19;");
    assert!(rate.contains("pub const RATE : f64 = 0.19 ;") && rate.contains("const RATE__weld_"), "{rate}");
    let taps = of_function("", "const TAPS: &[f64] = [0.25, RATE, m::K];");
    assert!(taps.starts_with("RATE ! { @ weld1 [] [{ m :: K }"), "{taps}");
    let answers = "{ RATE__weld_1 [{ RATE__weld_1 RATE { const RATE__weld_1: f64 = 0.19; } }] }";
    let kernel = expanded("use m::RATE; |x: f64| x * RATE + m::RATE", Some(("{ m::RATE }", answers)));
    assert!(
        kernel
            .contains("\"#[welded] const m::RATE: f64 = 0.19;\\nuse m::RATE; |x: f64| x * RATE + m::RATE\""),
        "{kernel}"
    );
}

#[test]
fn a_kernel_is_told_as_the_function_that_its_program_is() {
    let told = |item: &str| of_function("", item);
    let norm =
        told("pub static NORM: Kernel<fn(&[f64]) -> f64> = weld!(#[expect(loops = 1)] |v: &[f64]| v.sum());");
    assert!(norm.contains("pub static NORM : Kernel < fn (& [f64]) -> f64 > = weld ! (# [expect"), "{norm}");
    assert!(
        norm.contains("NORM { fn NORM__weld_") && norm.contains("(v : & [f64]) -> f64 { v . sum () }"),
        "{norm}"
    );
    let pair =
        told("static P: Kernel<fn() -> (f64, Vec<f64>)> = a::weld!(|| -> (f64, Vec<f64>) { (1.0, [2.0]) });");
    assert!(pair.contains("() -> (f64 , Vec < f64 >) { (1.0 , [2.0]) }"), "{pair}");
    // Its mistakes are those of the kernel.
    let wrong = told("static K: Kernel<fn(f64) -> f64> = weld!(|x: f64| x * y);");
    assert!(!wrong.contains("compile_error") && wrong.contains("K { } }]"), "{wrong}");
}

#[test]
fn a_mistake_is_told_once() {
    let wrong = of_function("", "fn norm<T: Float>(v: &[T]) -> T { v.map(|x| x * y).sum() }");
    assert_eq!(wrong.matches("compile_error").count(), 1, "{wrong}");
    assert!(wrong.contains("fn norm < T : :: weldment :: Float >"), "{wrong}");
    let answer = "{ norm__weld_1 [{ norm__weld_1 norm { } }] }";
    assert!(wrong.contains("norm { } }]"), "{wrong}");
    let kernel = expanded("|v: &[f64]| norm(v)", Some(("{ norm }", answer)));
    assert!(!kernel.contains("compile_error") && kernel.contains("unreachable"), "{kernel}");
}

#[test]
fn only_items_of_the_language_are_welded() {
    for (options, item, error) in [
        ("", "struct A { x: f64 }", "only functions, constants and kernels are `#[welded]`"),
        ("", "unsafe fn f(x: f64) -> f64 { x }", "only functions, constants and kernels are `#[welded]`"),
        ("", "fn f(x: f64) { x }", "the function `f` gives nothing"),
        ("", "fn f(x: f64) -> f64 { y }", "`y` is not known here"),
        ("", "fn f(x: f64) -> f64 { f(x) }", "`f` is recursive"),
        ("", "const K: f64 = K + 1.0;", "`K` is recursive"),
        ("", "const K: f64 = 1;", "expected `f64`, found an integer"),
        ("", "static K: f64 = 1.0;", "a `#[welded]` static is a kernel"),
        ("", "static K: F = weld!(|x: f64| x);", "the type of this kernel does not say what it gives"),
        (
            "",
            "static K: Kernel<fn(f64) -> f64> = weld!([y] |x: f64| x * y);",
            "a kernel that is `#[welded]` is one closure",
        ),
        ("", "fn f(&self) -> f64 { 1.0 }", "needs a type"),
        ("", "fn vec(x: f64) -> f64 { x }", "would take the place of the macro `vec!`"),
        ("", "fn mean(x: &[f64]) -> f64 { 1.0 }", "the language has a function `mean`"),
        ("rename = x", "fn f(x: f64) -> f64 { x }", "`#[welded]` has no such option"),
        ("", "fn f<T: Clone>(x: T) -> T { x }", "there is no bound `Clone`"),
        ("kernels", "fn f(x: f64) -> f64 { y }", "`y` is not known here"),
        ("", "fn f<T: Int>(x: T) -> T { x / y }", "`y` is not known here"),
    ] {
        let expanded = of_function(options, item);
        assert!(expanded.contains(error) && expanded.contains("compile_error"), "{item}: {expanded}");
    }
}
