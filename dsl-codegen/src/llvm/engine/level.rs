//! How much is done for a program to be fast.

/// How much LLVM does.
///
/// ```
/// # use weldment_codegen::{llvm::*, loops};
/// # use weldment_core::front::from_text;
/// # use weldment_runtime::exec::options::Options; use weldment_runtime::lang::types::Type; use weldment_runtime::lang::value::Value;
/// # let lowered = from_text("|v: &[f64]| v.sum()").unwrap();
/// # let loops = loops::build(&lowered.program, &loops::Options::default());
/// // |v: &[f64]| v.sum()
/// for level in [Level::None, Level::Quick, Level::Full] {
///     let options = EngineOptions { level, ..EngineOptions::default() };
///     let sum = compile(&loops, &lowered.positions, &options)?;
///     assert_eq!(sum.call(&(&[1e16, 1.0, -1e16],), &Options::new()), Ok(0.0)); // the same bits
/// }
/// # Ok::<(), EngineError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Level {
    /// No optimisation: compiles fastest, for programs that run once on little data.
    None,
    /// LLVM's `O1`, with a quick code generator.
    Quick,
    /// As fast as LLVM makes it: the passes of its `O3` that find something in what is emitted.
    #[default]
    Full,
}
