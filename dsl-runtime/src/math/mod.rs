//! The functions of floats, each written once: a list of IEEE operations on `f64` with its coefficients.
//!
//! A function here is generic over [`Real`], the operations that it may use: no branch, no table, nothing but
//! arithmetic that IEEE rounds exactly, choices by comparison, and shifts and sums of a float's bits. There are two kinds
//! of `Real`. On `f64` a function runs; loops over it become vector code on every instruction set. On that of
//! [`trace`] it writes down its operations, which the LLVM emitter prints into the module. So all executors compute the
//! same bits, and because no operation is a fused multiply-add, so do all CPUs.
//!
//! Functions of `f32` are those of `f64`, rounded: off by 0.5000001 ulp at most.
//!
//! Measured on a million arguments of each interval that the tests name, the largest errors are, in ulps: `exp` 0.92, `exp2` 0.95,
//! `log` 0.81, `log2` 0.82, `log10` 0.70, `erf` 1.11, `sin` 0.79, `cos` 0.77, `asin` 0.82, `acos` 0.88, `atan` 0.92, `sinh` 0.96,
//! `cosh` 0.95, `tanh` 1.10, `tan` 0.82, `pow` 0.75, `atan2` 0.67, `cbrt` 0.501, `hypot` 0.501 (0.75 where the length is
//! subnormal).
//!
//! Functions here have no closures, nor call what has: those are put in place only if the compiler likes to, and where it does
//! not, a loop has no vectors.
//!
//! Coefficients are minimax: they make the largest error over the interval as small as it can be.

pub mod functions;
mod real;
pub mod trace;

mod exact;
mod polynomial;

mod angle;
mod direction;
mod erf;
mod exp;
mod hyperbolic;
mod inverse;
mod log;
mod pow;
mod roots;

pub use angle::{LARGEST_ANGLE, cos, sin, tan};
pub use direction::atan2;
pub use erf::erf;
pub use exp::{exp, exp2};
pub use hyperbolic::{cosh, sinh, tanh};
pub use inverse::{acos, asin, atan};
pub use log::{log, log2, log10};
pub use pow::pow;
pub use real::{Bits, Real, Test};
pub use roots::{cbrt, hypot};
