//! What executors make of programs.

use std::fmt;

use weldment_runtime::lang::fault::Fault;

use super::call::{Call, Given};

/// A program that is ready to run, on many threads at once.
pub trait Compiled: fmt::Debug + Send + Sync {
    /// Runs it once.
    ///
    /// # Errors
    /// The fault that ends the run.
    fn run(&self, call: Call<'_>) -> Result<Given, Fault>;

    /// What became of it in the folder that keeps compiled programs.
    fn cache_status(&self) -> &CacheStatus {
        &CacheStatus::Off
    }
}

/// What became of a program in the folder that keeps what is made of programs.
///
/// ```
/// use weldment_codegen::backend::CacheStatus;
/// assert_ne!(CacheStatus::Off, CacheStatus::NotKept("the folder is not the user's".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheStatus {
    /// No folder was asked to keep it, or the executor keeps none.
    Off,
    /// The process had compiled the program before, and did not look into the folder.
    InProcess,
    /// Its code was in the folder.
    Found,
    /// It was compiled, and its code is in the folder now.
    Kept,
    /// It was compiled, and its code is not in the folder, for this reason. Lines after the first are advice.
    NotKept(String),
}
