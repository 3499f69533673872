//! Numbers, strings, bytes and constants.

use super::{check_advice, check_errors, check_expressions};

#[test]
fn integers() {
    check_expressions(&[
        ("0", "0"),
        ("42", "42"),
        ("007", "7"),
        ("1_000", "1000"),
        ("2147483648", "2147483648"),
        ("-2147483648", "-2147483648"),
        ("0x1f", "31"),
        ("0xFFc", "4092"),
        ("0b101", "5"),
        ("0o17", "15"),
        ("1L", "1i64"),
        ("1l", "1i64"),
        ("1c", "1i8"),
        ("1C", "1i8"),
        ("1si", "1i16"),
        ("0x1fsi", "31i16"),
        ("0b11si", "3i16"),
        ("0b11c", "3i8"),
        ("0xdeadbeefL", "3735928559i64"),
        ("0xdeadbeefl", "3735928559i64"),
        ("1i8", "1i8"),
        ("1u8", "1u8"),
        ("1_u16", "1u16"),
        ("0xffu32", "255u32"),
        ("0b1i64", "1i64"),
        ("18446744073709551615u64", "18446744073709551615u64"),
        ("9223372036854775807L", "9223372036854775807i64"),
        ("-9223372036854775808L", "-9223372036854775808i64"),
        ("-128c", "-128i8"),
        ("-32768si", "-32768i16"),
        ("-0u8", "0u8"),
        ("- 128c", "-128i8"),
    ]);
}

#[test]
fn floats() {
    check_expressions(&[
        ("1.0", "1.0"),
        ("1.", "1.0"),
        ("2.5", "2.5"),
        ("1e5", "100000.0"),
        ("1E5", "100000.0"),
        ("0.125e2", "12.5"),
        ("6e-2", "0.06"),
        ("6e+2", "600.0"),
        ("1_0.2_5", "10.25"),
        ("1.0f", "1.0f32"),
        ("1.0F", "1.0f32"),
        ("1f", "1.0f32"),
        ("12f", "12.0f32"),
        ("25e-1f", "2.5f32"),
        ("1e3F", "1000.0f32"),
        ("2.0f32", "2.0f32"),
        ("2f32", "2.0f32"),
        ("2f64", "2.0f64"),
        ("2.5_f64", "2.5f64"),
        ("-2.5", "-2.5"),
        ("-0.0", "-0.0"),
        ("0.1f", "0.1f32"),
        ("1e-400", "0.0"),
    ]);
}

#[test]
fn strings_and_bytes() {
    check_expressions(&[
        ("true", "true"),
        ("false", "false"),
        ("\"ab\"", "ab:i8"),
        ("\"\"", ":i8"),
        (r#""a\n\"\\\x41\u{e9}""#, r#"a\n\"\\A\xc3\xa9:i8"#),
        ("\"é\"", r"\xc3\xa9:i8"),
        ("\"a\nb\"", r"a\nb:i8"),
        ("\"a # b // c\"", "a # b // c:i8"),
        (r##"r#"a\n"b"#"##, r#"a\\n\"b:i8"#),
        ("b\"ab\\xff\"", r"ab\xff:u8"),
        ("br\"\\x\"", r"\\x:u8"),
        ("b'x'", "120u8"),
        ("b'\\''", "39u8"),
        ("b'#'", "35u8"),
    ]);
}

#[test]
fn constants_by_path() {
    check_expressions(&[
        ("i64::MAX", "9223372036854775807i64"),
        ("i8::MIN", "-128i8"),
        ("u64::MAX", "18446744073709551615u64"),
        ("u8::MIN", "0u8"),
        ("std::i32::MAX", "2147483647i32"),
        ("f64::MAX", "1.7976931348623157e308f64"),
        ("f64::MIN", "-1.7976931348623157e308f64"),
        ("f64::INFINITY", "inff64"),
        ("-f64::INFINITY", "(- inff64)"),
        ("f32::NEG_INFINITY", "-inff32"),
        ("f64::NAN", "NaNf64"),
        ("f64::EPSILON", "2.220446049250313e-16f64"),
        ("f32::MIN_POSITIVE", "1.1754944e-38f32"),
        ("f64::consts::PI", "3.141592653589793f64"),
        ("std::f64::consts::PI", "3.141592653589793f64"),
        ("core::f32::consts::FRAC_PI_2", "1.5707964f32"),
        ("f64::consts::E.log()", "(.log 2.718281828459045f64)"),
    ]);
    check_advice(&[
        (
            "|| i64::MOX",
            "1:4 name: there is nothing called `i64::MOX`",
            "there are `i64::MIN` and `i64::MAX`",
        ),
        (
            "|| bool::MAX",
            "1:4 name: there is nothing called `bool::MAX`",
            "the values of `bool` are `true` and `false`",
        ),
        ("|| f64::PI", "1:4 name: there is nothing called `f64::PI`", "write `f64::consts::PI`"),
        (
            "|| f32::PO",
            "1:4 name: there is nothing called `f32::PO`",
            "there are `MAX`, `MIN`, `INFINITY`, `NEG_INFINITY`, `NAN`, `EPSILON`, `MIN_POSITIVE`, \
             and `consts::PI` and the like",
        ),
        (
            "|| f64::sqrt(2.0)",
            "1:4 name: there is nothing called `f64::sqrt`",
            "functions stand alone: `sqrt(…)`; a cast is `f64(x)`",
        ),
        (
            "|| std::mem::swap(a, b)",
            "1:4 name: there is nothing called `std::mem::swap`",
            "paths are those of constants, such as `f64::MAX`, and of functions and structs of Rust, which only `weld!` finds",
        ),
    ]);
}

#[test]
fn numbers_are_checked_against_their_suffix() {
    check_errors(&[
        ("|| 128c", "1:4 parse: `128c` is out of range for `i8`"),
        ("|| -129c", "1:5 parse: `-129c` is out of range for `i8`"),
        ("|| 32768si", "1:4 parse: `32768si` is out of range for `i16`"),
        ("|| 0xffffsi", "1:4 parse: `0xffffsi` is out of range for `i16`"),
        ("|| 9223372036854775808L", "1:4 parse: `9223372036854775808L` is out of range for `i64`"),
        ("|| -(9223372036854775808L)", "1:6 parse: `9223372036854775808L` is out of range for `i64`"),
        ("|| 256u8", "1:4 parse: `256u8` is out of range for `u8`"),
        ("|| -1u8", "1:5 parse: `-1u8` is out of range for `u8`"),
        ("|| 1e999", "1:4 parse: `1e999` is out of range for `f64`"),
        ("|| 1e39f", "1:4 parse: `1e39f` is out of range for `f32`"),
        (
            "|| 999999999999999999999999999999999999999",
            "1:4 parse: `999999999999999999999999999999999999999` is out of range for every integer type",
        ),
        ("|| 1.5L", "1:4 parse: `1.5L` is not an integer, but `L` makes an i64"),
        ("|| 1e5u8", "1:4 parse: `1e5u8` is not an integer, but `u8` makes a u8"),
        ("|| 0b1f", "1:4 parse: `0b1f` is an integer, but `f` makes an f32"),
        ("|| 0x", "1:4 parse: this is not a number"),
        ("|| 0x_", "1:4 parse: this is not a number"),
        ("|| 1e", "1:4 parse: `1e` is not a number"),
        ("|| 12abc", "1:4 parse: a number cannot end in `abc`"),
        ("|| 1bool", "1:4 parse: a number cannot end in `bool`"),
        ("|| \"a\"c", "1:4 parse: a string or byte cannot end in `c`"),
        ("|| c\"a\"", "1:4 parse: `c\"a\"` is not a literal of the language"),
    ]);
    check_advice(&[
        (
            "|| 'x'",
            "1:4 parse: there are no characters",
            "write `b'x'` for a byte (u8), or `\"x\"` for a text",
        ),
        ("|| .5", "1:4 parse: expected an expression, found `.`", "a number begins with a digit: `0.5`"),
    ]);
}
