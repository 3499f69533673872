//! What rustc shows of a mistake in `weld!` or in its surroundings: each file of `tests/ui` holds one, and beside it stands the error.
//! What the compiler says of each mistake is in `dsl-core/tests/errors`; here is one of each kind, and where rustc has a part.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the `.stderr` files anew; read the difference as a user would.

#[test]
fn errors() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
