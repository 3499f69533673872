//! What `weld!` asks, what a derive answers, and what comes of both.

use std::str::FromStr;

use expect_test::{Expect, expect};
use proc_macro2::TokenStream;
use quote::quote;

use crate::{derive, expand};

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).expect("tokens")
}

fn expanded(program: &str, answers: Option<&str>) -> String {
    expand::expand(tokens(program), quote!(weldment), answers.map(tokens)).to_string()
}

/// The function that does the work, of a program whose questions were answered so.
fn check(program: &str, answers: &str, expected: Expect) {
    let kernel = expanded(program, Some(answers));
    let shortened =
        kernel.replace("weldment :: __private :: rt :: ", "").replace("weldment :: __private :: ", "");
    let file = syn::parse_str(&format!("const KERNEL: K = {shortened};")).expect("an expression");
    let text = prettyplease::unparse(&file);
    let kernel = text.lines().take_while(|line| !line.contains("static INFO"));
    expected.assert_eq(&(kernel.collect::<Vec<_>>().join("\n") + "\n"));
}

const POINT: &str = "{ Point { struct __weld_Point_1<> { x: f64, y: f64 } } [] }";

#[test]
fn a_program_without_structs_asks_nothing() {
    let kernel = expanded("|v: &[(f64, i64)]| v.map(|(x, _)| x * f64::MAX).sum()", None);
    assert!(kernel.contains("mod kernel") && !kernel.contains("__weld_collect"), "{kernel}");
}

#[test]
fn each_struct_is_asked_once() {
    let question =
        expanded("|v: &[Point], w: &[m::Row]| zip(v, w).map(|(p, _)| Point { x: p.y, ..p })", None);
    let asked = "@ next [weldment :: __private :: weld] [{ Point } { m :: Row }] [] weldment ;";
    assert!(question.contains(asked), "{question}");
    let named_inside = expanded("struct Point { x: f64 } |v: &[Point]| v.map(|p| p.x)", None);
    assert!(!named_inside.contains("__weld_collect"), "{named_inside}");
}

#[test]
fn structs_are_read_in_place_and_made_in_their_place() {
    check(
        "|p: &[Point], dx: f64| p.map(|p| Point { x: p.x + dx, ..p })",
        &format!("{{ Point }} {POINT}"),
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
                    fn call(v0: &[__Struct0], v1: f64) -> Vec<__Struct0> {
                        api::kernel::unwrap(run(exec::context::Context::ambient(), v0, v1))
                    }
        "#]],
    );
}

#[test]
fn a_struct_inside_is_found_through_the_outer_one() {
    let segment = "struct __weld_Segment_2<> { id: i64, ends: (Point, Point) }";
    let answer = format!("{{ Segment }} {{ Segment {{ {segment} }} [{{ Point }} {POINT}] }}");
    let kernel = expanded("|s: &[Segment]| s.map(|s| s.ends.1)", Some(&answer));
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
    let error = expanded("|v: &[Point]| v", Some("{ Point } { 7 }"));
    assert!(error.contains("this is no struct that derives `Weld`"), "{error}");
}

fn derived(item: &str) -> String {
    derive::expand(tokens(item)).to_string()
}

#[test]
fn a_derive_tells_the_fields_as_they_are_written() {
    let item =
        derived("pub struct Segment<T> { pub ends: Pair<T>, at: (m::Point, Vec<Pair<f64>>), r#type: i64 }");
    for part in [
        "[{ Pair } { m :: Point }] []",
        "[# [doc (hidden)] # [macro_export]] [pub] Segment __weld_Segment_",
        "< T > { ends : Pair < T > , at : (m :: Point , Vec < Pair < f64 > >) , r#type : i64 }",
        "[T :] (Segment < T >) [T] [] { ends : Pair < T > , at :",
        "Part < 1usize > for Segment < T > where { type Type = m :: Point ; }",
        "Part < 2usize > for Segment < T > where { type Type = Pair < f64 > ; }",
    ] {
        assert!(item.contains(part), "no {part} in\n{item}");
    }
    let private = derived("struct Pair(f64, f64);");
    assert!(!private.contains("macro_export"), "{private}");
    assert!(derived("#[weld(crate = other)] struct A(f64);").contains("other :: __weld_collect"));
    assert!(
        derived("#[weld(path = other)] struct A(f64);").contains("the only one is `#[weld(crate = path)]`")
    );
}
