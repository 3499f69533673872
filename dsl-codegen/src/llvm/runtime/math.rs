//! The functions of numbers that are no operations of the module: those of huge angles, remainders, and powers of integers.

use std::ffi::CStr;

use weldment_runtime::lang::num::{Float, Number};
use weldment_runtime::math_functions;

use super::{Function, PURE};

/// The function of both widths, which is a method of `Float`.
macro_rules! of_floats {
    ($functions:ident $name:ident($($arg:ident),*) $wide:literal $narrow:literal) => {
        extern "C" fn wide($($arg: f64),*) -> f64 { Float::$name($($arg),*) }
        extern "C" fn narrow($($arg: f32),*) -> f32 { Float::$name($($arg),*) }
        $functions.push(Function::new(c_name(concat!("weldment_", stringify!($name), "_f64\0")), "double", $wide, PURE, wide as *const ()));
        $functions.push(Function::new(c_name(concat!("weldment_", stringify!($name), "_f32\0")), "float", $narrow, PURE, narrow as *const ()));
    };
}

/// Those of the table that compute what is beyond the limit of a trace.
macro_rules! beyond_limits {
    ([$functions:ident] $($variant:ident $name:ident $arity:tt $how:ident $(($($part:ident),*))? $(as $of:ident::$method:ident)?;)*) => {
        $(beyond_limits!($how $functions $name);)*
    };
    (angle $functions:ident $name:ident) => {{ of_floats!($functions $name(x) "double" "float"); }};
    ($how:ident $functions:ident $name:ident) => {};
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
    let of_integers = |name, address| Function::new(name, "i64", "i64, i64", PURE, address);
    let mut functions = vec![
        of_integers(c"weldment_power_i64", signed_power as *const ()),
        of_integers(c"weldment_power_u64", unsigned_power as *const ()),
    ];
    math_functions!(beyond_limits functions);
    of_floats!(functions remainder(x, y) "double, double" "float, float");
    functions
}
