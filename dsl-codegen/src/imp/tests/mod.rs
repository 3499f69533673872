//! Low-level code: its text, its walks, what the verifier refuses, and what it comes to.

mod refused;
mod text;
mod walks;
