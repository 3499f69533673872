//! The verifier accepts what is sound and says what is not.

use weldment_core::ir::{parse, verify};

use crate::filetest::check_folder;

#[test]
fn verify_says_what_is_wrong() {
    check_folder("verify", |input| match verify(&parse(input).unwrap()) {
        Ok(()) => "sound\n".to_owned(),
        Err(errors) => errors.iter().map(|error| format!("{error}\n")).collect(),
    });
}
