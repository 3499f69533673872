//! What LLVM calls by itself for integers of 128 bits: division, and conversions from and to floats, under the names that they have in
//! compiler-rt and in libgcc.
//!
//! A process need not export these functions: Rust links its own, and hides them. So compiled code is linked to functions of Rust, whose
//! operators are those functions. How they pass 128 bits is what LLVM and rustc agree on, and need not be what C says.

macro_rules! table {
    ($($symbol:literal ($($x:ident: $ty:ty),*) -> $result:ty { $body:expr })*) => {
        vec![$({
            extern "C" fn function($($x: $ty),*) -> $result {
                $body
            }
            let function: extern "C" fn($($ty),*) -> $result = function;
            ($symbol, function as usize)
        }),*]
    };
}

/// The functions, by name, and where they are. Compiled code has checked what it divides, and that what it makes an integer of is in range; of unsigned
/// integers are those that LLVM knows not to be negative.
pub(super) fn functions() -> Vec<(&'static str, usize)> {
    table! {
        "__divti3" (x: i128, y: i128) -> i128 { x.checked_div(y).unwrap_or_default() }
        "__modti3" (x: i128, y: i128) -> i128 { x.checked_rem(y).unwrap_or_default() }
        "__udivti3" (x: u128, y: u128) -> u128 { x.checked_div(y).unwrap_or_default() }
        "__umodti3" (x: u128, y: u128) -> u128 { x.checked_rem(y).unwrap_or_default() }
        "__multi3" (x: i128, y: i128) -> i128 { x.wrapping_mul(y) }
        "__floattisf" (x: i128) -> f32 { x as f32 }
        "__floattidf" (x: i128) -> f64 { x as f64 }
        "__floatuntisf" (x: u128) -> f32 { x as f32 }
        "__floatuntidf" (x: u128) -> f64 { x as f64 }
        "__fixsfti" (x: f32) -> i128 { x as i128 }
        "__fixdfti" (x: f64) -> i128 { x as i128 }
        "__fixunssfti" (x: f32) -> u128 { x as u128 }
        "__fixunsdfti" (x: f64) -> u128 { x as u128 }
    }
}
