//! The functions of numbers that are no single instruction: the ones every executor calls.

use weldment_runtime::num::{Float, Number};

use super::{Function, PURE, function};

macro_rules! unary {
    ($($name:ident)*) => {
        vec![$(
            {
                extern "C" fn wide(x: f64) -> f64 { Float::$name(x) }
                function!(concat!("weldment_", stringify!($name), "_f64"), "double", "double", PURE, wide as extern "C" fn(f64) -> f64)
            },
            {
                extern "C" fn narrow(x: f32) -> f32 { Float::$name(x) }
                function!(concat!("weldment_", stringify!($name), "_f32"), "float", "float", PURE, narrow as extern "C" fn(f32) -> f32)
            },
        )*]
    };
}

macro_rules! binary {
    ($($of:ident $name:ident)*) => {
        vec![$(
            {
                extern "C" fn wide(x: f64, y: f64) -> f64 { $of::$name(x, y) }
                function!(concat!("weldment_", stringify!($name), "_f64"), "double", "double, double", PURE, wide as extern "C" fn(f64, f64) -> f64)
            },
            {
                extern "C" fn narrow(x: f32, y: f32) -> f32 { $of::$name(x, y) }
                function!(concat!("weldment_", stringify!($name), "_f32"), "float", "float, float", PURE, narrow as extern "C" fn(f32, f32) -> f32)
            },
        )*]
    };
}

extern "C" fn signed_power(x: i64, y: i64) -> i64 {
    x.power(y)
}

extern "C" fn unsigned_power(x: u64, y: u64) -> u64 {
    x.power(y)
}

/// The functions: of floats in both widths, and the powers of integers, which narrower types share.
pub(super) fn functions() -> Vec<Function> {
    let mut functions =
        unary!(exp log sin cos tan asin acos atan sinh cosh tanh erf log2 log10 exp2 cbrt);
    functions.extend(binary!(Number power Float hypot Float atan2 Float remainder));
    functions.push(function!("weldment_power_i64", "i64", "i64, i64", PURE, signed_power as extern "C" fn(i64, i64) -> i64));
    functions.push(function!("weldment_power_u64", "i64", "i64, i64", PURE, unsigned_power as extern "C" fn(u64, u64) -> u64));
    functions
}
