//! What `weld!` says to a mistake: each file of `tests/ui` holds one, and beside it stands the error.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the `.stderr` files anew; read the difference as a user would.

#[test]
fn errors() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
