//! Literals without suffix take their types from where they stand.

use super::{check_errors, result};
use crate::infer::infer;
use crate::infer::typed::ExprKind;
use crate::syntax::parse_text;
use weldment_runtime::lang::scalar::Const;

/// The constant that is the body of a program.
#[track_caller]
fn constant(text: &str) -> Const {
    let program = parse_text(text).and_then(|program| infer(&program));
    match program.unwrap_or_else(|errors| panic!("{text}: {}", errors[0])).body.kind {
        ExprKind::Const(constant) => constant,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_float_is_what_its_context_needs_and_f64_alone() {
    for (text, expected) in [
        ("|| 1.0", "f64"),
        ("|| {1.5, -2.0, 1e5, [0.5]}", "{f64,f64,f64,vec[f64]}"),
        ("|x: f32| x * 2.0 + 1e2", "f32"),
        ("|x: f32| 2.0 * x < 1.0", "bool"),
        ("|v: &[f32]| v.map(|x| x * 0.5).sum()", "f32"),
        ("|v: &[f32]| v.fold(0.0, |a, x| a + x)", "f32"),
        ("|v: &[f32]| result(for(v, merger[?,+](1.0), |b, i, x| merge(b, x)))", "f32"),
        ("|c: bool, x: f32| if c { x } else { -1.0 }", "f32"),
        ("|x: f32| let a = 1.0; let b = a; [b, x]", "vec[f32]"),
        ("|x: f32| let a = 1.0; let b = [a, 2.5]; pow(x, b[0])", "f32"),
        ("|d: dict[f32, i64]| lookup(d, 1.0)", "i64"),
        ("|x: f32| max(x, 0.0): f32", "f32"),
        ("|| -> f32 { 1.0 }", "f32"),
        ("|x: f32, y: f64| {x + 0.1, y + 0.1}", "{f32,f64}"),
        ("macro half(x) = x * 0.5; |x: f32, y: f64| {half(x), half(y)}", "{f32,f64}"),
        ("|x: f64| let a = 1.0; a.sqrt()", "f64"),
        ("|x: f64| [1.0, 2.0].map(|y| y + 0.5).sum()", "f64"),
        ("|| 1.0f", "f32"),
        ("|| 2.0f64", "f64"),
        ("|| 2f32", "f32"),
        ("|| serialize(1.5)", "vec[u8]"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn a_float_is_rounded_once_from_its_decimals() {
    let single = |decimals: &str| constant(&format!("|| -> f32 {{ {decimals} }}"));
    assert_eq!(single("0.1"), Const::F32(0.1));
    assert_eq!(constant("|| 0.1"), Const::F64(0.1));
    // Below the middle between two f32; as an f64 it would be the middle, which goes to the even one, upwards.
    let decimals = "1.00000017881393432617187499";
    assert_eq!(single(decimals), Const::F32(f32::from_bits(0x3f80_0001)));
    let twice: f64 = decimals.parse().unwrap();
    assert_eq!((twice as f32).to_bits(), 0x3f80_0002);
    assert_eq!(single("1e-60"), Const::F32(0.0));
    assert_eq!(single("3.4028235e38"), Const::F32(f32::MAX));
    let Const::F32(zero) = single("-0.0") else { panic!("an f32") };
    assert!(zero.is_sign_negative());
}

#[test]
fn what_a_float_cannot_be_is_told_at_the_literal() {
    check_errors(&[
        ("|x: f32| x + 1e39", &["14 W0106"]),
        ("|x: f32| x + -3.5e38", &["15 W0106"]),
        ("|x: f32| let a = 1e40; x + a", &["18 W0106"]),
        ("|| 1e400", &["4 W0106"]),
        ("|| 1e39f", &["4 W0106"]),
        ("|x: i64| x + 1.0", &["10 W0301"]),
        ("|x: f32| x + 1.0f64", &["10 W0301"]),
        ("|x: f32, y: f64| let a = 0.5; {x * a, y * a}", &["43 W0301"]),
        ("|| [1, 2.0]", &["5 W0301"]),
        ("|| [2.0, 1]", &["10 W0301"]),
        ("|x: f32| x + 1", &["14 W0301"]),
        ("|v: &[f64]| v[1.0]", &["15 W0309"]),
        ("|x: i64| x & 1.5", &["12 W0309"]),
        ("|| 1.5.0", &["8 W0308"]),
        ("|| 1.5 && true", &["4 W0301"]),
    ]);
}
