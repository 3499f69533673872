//! How programs are interpreted.

use std::fmt;
use std::sync::Arc;

use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::instead::Instead;

/// How to run a program.
#[derive(Clone, Default)]
pub struct InterpOptions {
    /// The number of iterations in a chunk of a split loop; without it, what the cost of the loop says.
    pub chunk: Option<u64>,
    /// The number of iterations in a segment of a split loop, rounded up to whole chunks; without it
    /// 2^18, or a 64th of the loop if that is more.
    pub segment: Option<u64>,
    /// The foreign functions that the program may call.
    pub foreign: Option<Arc<dyn Foreign>>,
    /// How much may run, in statements and in iterations, before the run ends with the fault Cancelled: for programs
    /// of which nobody knows that they end. Without it there is no limit.
    pub steps: Option<u64>,
    /// What stands for values that fault; without it, a fault ends the run.
    pub instead: Option<Instead>,
}

/// Foreign functions, by name.
pub trait Foreign: Send + Sync {
    /// Whether there is a function `symbol`.
    fn has(&self, symbol: &str) -> bool;

    /// What `symbol` gives on `args`: a value of type `result`. Called only for symbols that it has.
    fn call(&self, symbol: &str, args: &[Value], result: &Type) -> Value;
}

impl fmt::Debug for InterpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InterpOptions")
            .field("chunk", &self.chunk)
            .field("segment", &self.segment)
            .field("foreign", &self.foreign.is_some())
            .field("steps", &self.steps)
            .field("instead", &self.instead)
            .finish()
    }
}
