//! What items of the language become beside what they tell, and which are refused.

use std::str::FromStr;

use proc_macro2::TokenStream;

fn tokens(text: &str) -> TokenStream {
    TokenStream::from_str(text).expect("tokens")
}

fn expanded(options: &str, item: &str) -> String {
    super::expand(tokens(options), tokens(item)).to_string()
}

#[test]
fn a_generic_function_has_an_instance_for_each_combination_of_its_types() {
    let two = expanded(
        "for(T = [i32, u8], U = [f32])",
        "pub fn f<T: Int, U: Float>(x: T, y: U) -> U { (x as U) * y }",
    );
    for part in [
        "pub trait f__weld_T : :: weldment :: __private :: rt :: api :: instance :: Instance { }",
        "impl f__weld_T for :: weldment :: __private :: primitive :: u8 { }",
        "pub fn f < T : f__weld_T , U : f__weld_U > (arg0 : T , arg1 : U) -> U",
        "`f` is no function of Rust for `{Self}`",
        "`T` stands for i32, u8",
    ] {
        assert!(two.contains(part), "no {part} in\n{two}");
    }
    assert_eq!(two.matches("fn instance").count(), 2);
    let all = expanded(
        "for(i32, i64, f64, f32)",
        "fn f<T: Number, U: Number>(x: T, y: U) -> f64 { (x as f64) + (y as f64) }",
    );
    assert_eq!(all.matches("fn instance").count(), 16);
    let half = expanded("for(U = [i32])", "fn f<T: Float, U: Int>(x: T, n: U) -> T { x + (n as T) }");
    assert!(half.contains("fn f < T : :: weldment :: Float , U : f__weld_U >"), "{half}");
    assert_eq!(half.matches("fn instance").count(), 2);
    let for_kernels = expanded("", "fn f<T: Int>(x: T) -> T { x }");
    assert!(!for_kernels.contains("arg0"), "{for_kernels}");
}

#[test]
fn lists_of_types_are_refused_that_no_instances_come_of() {
    let number = "fn f<T: Number>(x: T) -> T { x }";
    let two = "fn f<T: Number, U: Number>(x: T, y: U) -> T { x }";
    for (options, item, error) in [
        ("for(Vec<f64>)", number, "`Vec < f64 >` is no scalar type"),
        ("for(T)", number, "`T` is no scalar type"),
        ("for(bool)", number, "`T: Number` is a number, and `bool` is none"),
        ("for(i32)", "fn f<T: Float>(x: T) -> T { x }", "`T: Float` is a float, and `i32` is none"),
        ("for(f64)", "fn f<T: Int>(x: T) -> T { x }", "`T: Int` is an integer, and `f64` is none"),
        ("for(i32, i64, i32)", number, "`i32` is listed twice"),
        ("for()", number, "`for` lists no types"),
        ("for(T = [])", number, "no types are listed for `T`"),
        ("for(T = [i32], T = [i64])", number, "the types of `T` are listed twice"),
        ("for(V = [i32])", number, "`f` has no type parameter `V`"),
        ("for(T = i32)", number, "expected the types of a type parameter"),
        ("for(T = [i32], i64)", two, "expected the types of a type parameter"),
        ("for(T = [i32])", two, "`for` does not say which types `U` stands for"),
        (
            "for(i8, i16, i32, i64, u8)",
            two,
            "these are 25 combinations of types, and a function is one of Rust for at most 16",
        ),
        (
            "for(i32)",
            "fn f(x: f64) -> f64 { x }",
            "`f` has no type parameter of which `for` could list the types",
        ),
        ("for(i32)", "const K: i32 = 1;", "`K` is a constant"),
        ("for(i32)", "static K: Kernel<fn(f64) -> f64> = weld!(|x: f64| x);", "`K` is a kernel"),
        ("for(i32)", "fn f<T>(x: T, g: impl Fn(T) -> T) -> T { g(x) }", "`f` takes a function or a builder"),
        ("for(i32), kernels", number, "leave out one of them"),
        ("for", number, "the options are `crate = path`, `kernels` and `for(i32, i64)`"),
    ] {
        let expanded = expanded(options, item);
        assert!(expanded.contains(error) && expanded.contains("[W0515]"), "{options} {item}: {expanded}");
    }
}
