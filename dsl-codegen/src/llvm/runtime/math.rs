//! The functions of numbers that are no few instructions. Modules of LLVM compute most of them by operations of their own, and call
//! those of huge angles, remainders, and powers of integers; other executors call them all.

use weldment_runtime::lang::num::{Float, Number};
use weldment_runtime::math_functions;

use super::abi::{Function, abi};

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

/// Those of the table that are no few instructions.
macro_rules! of_table {
    ([] $($variant:ident $name:ident $arity:tt $how:ident $(($($part:ident),*))? $(as $of:ident::$method:ident)?;)*) => {
        [$(of_table!($how $arity $name $($of $method)?)),*].into_iter().flatten()
    };
    (exact $($row:tt)*) => { Vec::new() };
    ($how:ident 1 $name:ident) => { of_floats!(Float $name (x)) };
    ($how:ident 2 $name:ident) => { of_floats!(Float $name (x y)) };
    ($how:ident 2 $name:ident $of:ident $method:ident) => { of_floats!($of $method (x y)) };
}

extern "C" fn signed_power(x: i64, y: i64) -> i64 {
    x.power(y)
}

extern "C" fn unsigned_power(x: u64, y: u64) -> u64 {
    x.power(y)
}

/// An i128 in memory, aligned to a word: its low half, and its high one.
type Halves = [u64; 2];

extern "C" fn wide_power(x: &Halves, y: &Halves, result: &mut Halves) {
    let whole = |&[low, high]: &Halves| (u128::from(high) << 64 | u128::from(low)) as i128;
    let power = whole(x).power(whole(y));
    *result = [power as u64, (power >> 64) as u64];
}

/// The functions: of floats in both widths, and the powers of integers, which narrower types share.
pub(super) fn table() -> Vec<Function> {
    let mut functions = abi! {
        "weldment_power_i64" => signed_power, (i64, i64) -> i64, PURE;
        "weldment_power_u64" => unsigned_power, (u64, u64) -> u64, PURE;
        "weldment_power_i128" => wide_power, (&Halves, &Halves, &mut Halves) -> (), PLAIN;
    };
    functions.extend(math_functions!(of_table));
    functions.extend(of_floats!(Float remainder (x y)));
    functions
}
