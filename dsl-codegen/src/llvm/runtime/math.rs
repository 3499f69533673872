//! The functions of numbers that are no single instruction: the ones every executor calls.

use std::ffi::CStr;

use weldment_runtime::lang::num::{Float, Number};

use super::{Function, PURE};

macro_rules! unary {
    ($($name:ident)*) => {
        vec![$(
            {
                extern "C" fn wide(x: f64) -> f64 { Float::$name(x) }
                Function::new(c_name(concat!("weldment_", stringify!($name), "_f64\0")), "double", "double", PURE, wide as *const ())
            },
            {
                extern "C" fn narrow(x: f32) -> f32 { Float::$name(x) }
                Function::new(c_name(concat!("weldment_", stringify!($name), "_f32\0")), "float", "float", PURE, narrow as *const ())
            },
        )*]
    };
}

macro_rules! binary {
    ($($of:ident $name:ident)*) => {
        vec![$(
            {
                extern "C" fn wide(x: f64, y: f64) -> f64 { $of::$name(x, y) }
                Function::new(c_name(concat!("weldment_", stringify!($name), "_f64\0")), "double", "double, double", PURE, wide as *const ())
            },
            {
                extern "C" fn narrow(x: f32, y: f32) -> f32 { $of::$name(x, y) }
                Function::new(c_name(concat!("weldment_", stringify!($name), "_f32\0")), "float", "float, float", PURE, narrow as *const ())
            },
        )*]
    };
}

/// # Panics
/// If `name` does not end in its only zero.
fn c_name(name: &'static str) -> &'static CStr {
    CStr::from_bytes_with_nul(name.as_bytes()).expect("a name ends in a zero")
}

extern "C" fn signed_power(x: i64, y: i64) -> i64 {
    x.power(y)
}

extern "C" fn unsigned_power(x: u64, y: u64) -> u64 {
    x.power(y)
}

/// The functions: of floats in both widths, and the powers of integers, which narrower types share.
pub(super) fn functions() -> Vec<Function> {
    let mut functions = unary!(exp log sin cos tan asin acos atan sinh cosh tanh erf log2 log10 exp2 cbrt);
    functions.extend(binary!(Number power Float hypot Float atan2 Float remainder));
    functions.push(Function::new(c"weldment_power_i64", "i64", "i64, i64", PURE, signed_power as *const ()));
    functions.push(Function::new(
        c"weldment_power_u64",
        "i64",
        "i64, i64",
        PURE,
        unsigned_power as *const (),
    ));
    functions
}
