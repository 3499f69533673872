//! What a page is about.

use weldment_core::explain::Stage;
use weldment_core::history::History;
use weldment_core::ir::Line;
use weldment_runtime::lang::fault::Position;

/// A program and what was found out of it.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// What the program is called.
    pub title: &'a str,
    /// The program as it was written.
    pub source: &'a str,
    /// What the optimiser made of it, and how its loops run.
    pub history: &'a History,
    /// The loop IR.
    pub loops: Vec<Line<Position>>,
    /// What was emitted: stages `rust`, `llvm` and `asm`, as far as they could be had.
    pub code: Vec<Stage>,
}
