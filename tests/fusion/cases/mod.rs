//! The cases. Their numbers are those under which the rules of fusion are discussed; a letter tells variants.
//!
//! The limits count the loops and intermediates that the rules leave if each is applied; a literal is a loop to them, and
//! no pass sees what another has left, so that often fewer are left.

mod chains;
mod columns;
mod faults;
mod groups;
mod indices;
mod literals;
mod nested;
mod siblings;

use crate::table::Case;

/// Every case.
pub(crate) fn all() -> impl Iterator<Item = &'static Case> {
    let files = [
        chains::CASES,
        siblings::CASES,
        nested::CASES,
        groups::CASES,
        indices::CASES,
        columns::CASES,
        faults::CASES,
        literals::CASES,
    ];
    files.into_iter().flatten()
}
