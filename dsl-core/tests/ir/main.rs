//! Tests of the IR: its text form, its verifier, and its passes, one at a time and all together.

mod agree;
mod execute;
mod filetest;
mod malformed;
mod passes;
mod text;
mod verify;
