//! A pass that breaks a program is a mistake of the compiler, and is reported, not a panic: who meets it is
//! somebody else's build.

use std::fmt;

use crate::ir::{Program, VerifyError};

/// A pass has made an unsound program of a sound one.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The name of the pass.
    pub pass: &'static str,
    /// What the verifier has found.
    pub errors: Vec<VerifyError>,
    /// What the pass made, as IR text.
    pub program: String,
}

impl Broken {
    pub(super) fn new(pass: &'static str, errors: Vec<VerifyError>, program: &Program) -> Broken {
        Broken { pass, errors, program: program.to_string() }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pass `{}` broke the program; please report it", self.pass)?;
        self.errors.iter().try_for_each(|error| write!(f, "\nnote: {error}"))
    }
}

impl std::error::Error for Broken {}
