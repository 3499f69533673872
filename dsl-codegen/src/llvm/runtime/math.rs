//! The functions of numbers that are no single instruction: the ones every executor calls.

use weldment_runtime::lang::num::{Float, Number};

use super::{Function, abi};

/// A function of so many floats, in both widths.
macro_rules! of_floats {
    ($of:ident $name:ident ($($x:ident)*)) => {{
        extern "C" fn narrow($($x: f32),*) -> f32 { $of::$name($($x),*) }
        extern "C" fn wide($($x: f64),*) -> f64 { $of::$name($($x),*) }
        abi! {
            concat!("weldment_", stringify!($name), "_f32") => narrow, ($(of_floats!(f32 $x)),*) -> f32, PURE;
            concat!("weldment_", stringify!($name), "_f64") => wide, ($(of_floats!(f64 $x)),*) -> f64, PURE;
        }
    }};
    ($ty:ident $x:ident) => { $ty };
}

/// The same for each of these.
macro_rules! each {
    ($x:tt $($of:ident $name:ident)*) => { [$(of_floats!($of $name $x)),*].into_iter().flatten() };
}

extern "C" fn signed_power(x: i64, y: i64) -> i64 {
    x.power(y)
}

extern "C" fn unsigned_power(x: u64, y: u64) -> u64 {
    x.power(y)
}

/// The functions: of floats in both widths, and the powers of integers, which narrower types share.
pub(super) fn table() -> Vec<Function> {
    let mut functions = abi! {
        "weldment_power_i64" => signed_power, (i64, i64) -> i64, PURE;
        "weldment_power_u64" => unsigned_power, (u64, u64) -> u64, PURE;
    };
    functions.extend(each! { (x)
        Float exp Float log Float sin Float cos Float tan Float asin Float acos Float atan Float sinh Float cosh Float tanh Float erf
        Float log2 Float log10 Float exp2 Float cbrt
    });
    functions.extend(each! { (x y) Number power Float hypot Float atan2 Float remainder });
    functions
}
