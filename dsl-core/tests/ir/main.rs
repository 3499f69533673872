//! Tests of the IR on its text form: parsing and printing, verification, passes.

mod filetest;
mod fusion;
mod passes;
mod text;
mod verify;
