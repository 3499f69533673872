//! From loop IR to the text of an LLVM module.

use weldment_core::source::Positions;

use super::engine::error::EngineError;
use super::print::accepts::{NAME, accepts};
use super::print::entry::print;
use super::print::module::{Emitted, Target};
use crate::foreign::Callees;
use crate::imp::{self, Imp};
use crate::loops::LoopProgram;

/// The text of `program` for `target`.
///
/// # Errors
/// What the LLVM executor does not support yet.
///
/// ```
/// # use weldment_codegen::{llvm::*, loops};
/// # use weldment_core::front::from_text;
/// # let lowered = from_text("|v: &[f64]| v.sum()").unwrap();
/// # let loops = loops::build(&lowered.program, &loops::Options::default());
/// // |v: &[f64]| v.sum()
/// let emitted = emit(&loops, &lowered.positions, &Default::default(), &Target::host())?;
/// assert!(emitted.text.contains("define i32 @weldment_main(ptr %frame,"));
/// # Ok::<(), EngineError>(())
/// ```
pub fn emit(
    program: &LoopProgram,
    positions: &Positions,
    callees: &Callees,
    target: &Target,
) -> Result<Emitted, EngineError> {
    let imp = imp::build(program, imp::Target::LLVM);
    check(&imp, positions)?;
    print(&imp, positions, callees, target)
}

/// Whether the executor takes `imp`.
pub(crate) fn check(imp: &Imp, positions: &Positions) -> Result<(), EngineError> {
    accepts(imp).map_err(|what| EngineError::unsupported(NAME, &what, positions.get(what.loc)))
}
