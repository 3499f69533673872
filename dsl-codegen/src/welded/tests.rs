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
        ("for", number, "the options are `crate = path`, `kernels`, `for(i32, i64)` and `opaque`"),
    ] {
        let expanded = expanded(options, item);
        assert!(expanded.contains(error) && expanded.contains("[W0515]"), "{options} {item}: {expanded}");
    }
}

#[test]
fn an_opaque_function_stays_as_it_is_and_tells_its_signature() {
    let score = expanded(
        "opaque",
        "/// Docs.\n pub(crate) const fn score(x: f64, n: u8) -> i64 { x as i64 + [n as i64][0] }",
    );
    assert!(score.contains("pub (crate) const fn score (x : f64 , n : u8) -> i64 { x as i64 +"), "{score}");
    assert!(
        score.contains("score { extern fn score__weld_") && score.contains("(x : f64 , n : u8) -> i64 ; }"),
        "{score}"
    );
    // What is no name of the language is left out.
    let pattern = expanded("opaque", "fn f(_: f64, mut for_: u8) -> f64 { for_ += 1; 0.5 }");
    assert!(pattern.contains("(f64 , u8) -> f64 ; }"), "{pattern}");
    for (item, error) in [
        ("fn f(v: &[f64]) -> f64 { v[0] }", "an opaque function on a value of type `&[f64]` [W0502]"),
        ("fn f(x: f64) -> Vec<f64> { vec![x] }", "an opaque function on a value of type `Vec<f64>` [W0502]"),
        ("fn f(n: usize) -> f64 { 0.5 }", "an opaque function on a value of type `usize` [W0502]"),
        ("fn f(x: f64) { drop(x) }", "the function `f` gives nothing [W0111]"),
        ("fn f<T: Copy>(x: T) -> T { x }", "`f` has type parameters, of which kernels know nothing [W0515]"),
        ("fn f(&self) -> f64 { 1.0 }", "`f` is a method, which kernels do not find [W0515]"),
        (
            "unsafe fn f(x: f64) -> f64 { x }",
            "only functions are opaque, and such as can be called safely as they stand [W0515]",
        ),
        ("const K: f64 = 1.0;", "only functions are opaque"),
        ("fn sum(x: f64) -> f64 { x }", "the language has a function `sum` [W0515]"),
    ] {
        let refused = expanded("opaque", item);
        assert!(refused.contains(error) && refused.contains("compile_error"), "{item}: {refused}");
        // rustc goes on with the item, and callers are told no more.
        assert!(refused.contains(item.split(' ').next().unwrap()), "{refused}");
    }
    for option in ["kernels", "for(f64)"] {
        let both = expanded(&format!("opaque, {option}"), "fn f(x: f64) -> f64 { x }");
        assert!(both.contains("leave out `kernels` and `for`"), "{both}");
    }
}

#[test]
fn what_is_told_names_functions_of_rust_from_the_root_of_their_crate() {
    let told = |path: &str| {
        let score = "{ score__weld_1 [{ score__weld_1 score { extern fn score__weld_1(x: f64) -> f64; } }] }";
        let item = format!(
            "@weld1 [{score}] [] [{{ {path} }}] weldment; {{ }} pub fn twice(x: f64) -> f64 {{ {path}(x) * 2.0 }}"
        );
        super::told(tokens(&item)).to_string()
    };
    let right = told("crate::shop::score");
    assert!(right.contains("-> f64 ; } { $ crate :: shop :: score } }"), "{right}");
    assert!(right.contains("{ score__weld_1 (x) * 2.0 }") && !right.contains("compile_error"), "{right}");
    for path in ["score", "self::score", "super::score", "shop::score", "::other::score"] {
        let wrong = told(path);
        let error = format!(
            "`{path}` is a function of Rust, which other modules and crates do not find at this path [W0214]"
        );
        assert!(
            wrong.contains(&error) && wrong.contains("`crate::score(…)`, with the modules between"),
            "{wrong}"
        );
        // As a function of Rust it is fine, and nobody is told more of it.
        assert!(
            wrong.contains("pub fn twice (arg0 : f64) -> f64") && wrong.contains("twice { } }]"),
            "{wrong}"
        );
    }
    let foreign = "static K: Kernel<fn(f64) -> f64> = weld!(|x: f64| cudf[self::score, f64](x));";
    assert!(
        expanded("", foreign)
            .contains("`self::score` would be looked up where the function is used, and not here [W0214]")
    );
}
