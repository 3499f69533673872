//! Arrays that are computed a few rows at a time by the loop that reads them: [`Window`]s, where both loops run over points.

use weldment_core::analysis::windows::Window;
use weldment_core::ir::Value;

use super::{Block, Nest, Schedule, Step};

/// So many points are a part of a loop that computes what it reads: some rows, so that few are computed twice.
pub const WINDOW_CHUNK: u64 = 1 << 17;

/// Those of `windows` that are, in `body`. Their readers run in parts of `chunk` points.
pub(super) fn settle(mut windows: Vec<Window>, body: &mut Block, chunk: u64) -> Vec<Window> {
    windows.retain(|window| settle_in(window, body, chunk));
    windows
}

fn settle_in(window: &Window, block: &mut Block, chunk: u64) -> bool {
    let is_made =
        block.steps.iter().any(|step| matches!(step, Step::Nest(nest) if gives(nest, &window.made)));
    block.steps.iter_mut().any(|step| match step {
        Step::Nest(nest) if is_made && gives(nest, &window.reader) => {
            nest.schedule = Schedule::Points { chunk };
            true
        }
        Step::If { then, els, .. } => settle_in(window, then, chunk) || settle_in(window, els, chunk),
        Step::Iterate { body, .. } => settle_in(window, body, chunk),
        _ => false,
    })
}

/// Whether a nest over points gives these.
fn gives(nest: &Nest, results: &[Value]) -> bool {
    let gives = nest.stores.iter().map(|store| store.result);
    matches!(nest.schedule, Schedule::Points { .. }) && gives.eq(results.iter().copied())
}
