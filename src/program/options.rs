//! How programs are compiled.

/// How to compile a program.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// What runs the program.
    pub executor: Executor,
    /// The number of iterations in a piece of a split loop, in place of what the loop's cost says. It is part of
    /// the order in which floats are added.
    pub piece: Option<u64>,
    /// The number of iterations in a segment of a split loop, rounded up to whole pieces, in place of
    /// max(2^18, n/64).
    pub segment: Option<u64>,
    /// Whether the optimiser runs; without it float sums may round differently, and nothing else changes.
    pub optimize: bool,
}

impl Default for CompileOptions {
    fn default() -> CompileOptions {
        CompileOptions { executor: Executor::default(), piece: None, segment: None, optimize: true }
    }
}

/// What runs a program. Without a choice it is LLVM where that is built in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Executor {
    /// The reference interpreter: slow, and obvious.
    #[cfg_attr(not(feature = "llvm"), default)]
    Interpreter,
    /// LLVM compiles the program for the CPU at hand.
    #[cfg(feature = "llvm")]
    #[default]
    Llvm,
}
