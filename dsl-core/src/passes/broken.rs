//! A pass that breaks a program is a mistake of the compiler, and is reported, not a panic: who meets it is
//! somebody else's build.

use std::fmt;

use crate::ir::{Program, VerifyError};

/// A pass has made an unsound program of a sound one.
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let breaks = Pass {
///     name: "breaks",
///     summary: "forget the result",
///     run: |program, _| {
///         program.bodies[program.entry.unwrap()].results.clear();
///         Changed::Yes
///     },
/// };
/// let mut program = from_text("|x: i64| x").unwrap().program;
/// let broken = run_pass(&breaks, &mut program, &mut Cx::default()).unwrap_err();
/// assert!(broken.pass == "breaks" && broken.to_string().contains("please report it"));
/// ```
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
