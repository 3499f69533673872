//! What the guide shows of the command and of programs in files is what happens.
//!
//! `UPDATE_EXPECT=1 cargo test -p weldment-cli --test guide` writes what commands print into the chapters anew.

mod command;
mod consoles;
mod programs;
