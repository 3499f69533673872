//! Tests of the IR: its text form, its verifier, and its passes, one at a time and all together.

mod agree;
mod execute;
mod filetest;
mod folded;
mod malformed;
mod passes;
#[path = "../generated/promise.rs"]
mod promise;
mod text;
mod verify;
