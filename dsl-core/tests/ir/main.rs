//! Tests of the IR on its text form: parsing and printing, verification.

mod filetest;
mod text;
mod verify;
