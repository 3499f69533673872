//! The passes: each carries out one schedule, on every loop for which the loop IR asked for it.
//!
//! A pass is a line of [`PASSES`] and a file. It takes away the hint that it has carried out, so that none is left in the end.

mod blocks;
mod contiguous;
mod count_steps;
mod distribute;
mod exact;
mod extend;
mod fill;
mod fission;
mod guard;
mod hash_ahead;
mod interchange;
mod lockstep;
mod look_ahead;
mod merge_each;
mod moving;
mod near_angles;
mod outline;
mod ownership;
mod partition;
mod parts;
mod pass;
mod prefetch;
mod prologue;
mod release_states;
mod rescan;
mod reserve;
mod scatter_rows;
mod scopes;
mod skip_blocks;
mod strips;

pub use rescan::open_ends;

use super::{Imp, Target};
use pass::Pass;

/// Every pass, in order.
pub(crate) const PASSES: [Pass; 26] = [
    interchange::PASS,
    lockstep::PASS,
    distribute::PASS,
    interchange::merged_rows::PASS,
    prologue::PASS,
    count_steps::PASS,
    exact::PASS,
    strips::PASS,
    extend::PASS,
    contiguous::PASS,
    outline::PASS,
    partition::PASS,
    skip_blocks::PASS,
    merge_each::PASS,
    fill::PASS,
    reserve::PASS,
    scatter_rows::PASS,
    blocks::PASS,
    near_angles::PASS,
    fission::PASS,
    look_ahead::PASS,
    hash_ahead::PASS,
    prefetch::PASS,
    ownership::PASS,
    release_states::PASS,
    scopes::PASS,
];

/// Runs all that are for `target`, and shows what each leaves, under its name.
pub(crate) fn run(imp: &mut Imp, target: &Target, show: &mut dyn FnMut(&'static str, &Imp)) {
    for pass in PASSES.iter().filter(|pass| (pass.is_for)(target)) {
        (pass.run)(imp, target);
        show(pass.name, imp);
    }
}
