//! What a loop reads around its points, for the report.

use std::fmt;

use weldment_runtime::lang::fault::Position;

use crate::analysis::stencils::{self, Around, Origin};
use crate::ir::Program;
use crate::source::Positions;

/// What a loop reads of one array around each point, at constant offsets.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// # let mut lowered = from_text("|u: &Array<f64, 1>| u.stencil(|c| c[-1] + c[1])").unwrap();
/// // |u: &Array<f64, 1>| u.stencil(|c| c[-1] + c[1])
/// let stencils = optimise(&mut lowered.program, &lowered.positions)?.report.stencils;
/// assert_eq!((stencils[0].array.as_str(), &stencils[0].offsets), ("u", &vec![vec![-1], vec![1]]));
/// assert_eq!(stencils[0].to_string(), "stencil at 1:23: reads u at [-1] [1]");
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stencil<P = Position> {
    /// The loop.
    pub at: P,
    /// The array, as the program calls it, or what makes it.
    pub array: String,
    /// How many elements away, along each axis of the array, in order.
    pub offsets: Vec<Vec<i64>>,
}

impl Stencil {
    /// Those of `program`, which is optimised.
    pub(crate) fn all(program: &Program, positions: &Positions) -> Vec<Stencil> {
        let named = |Around { at, array, offsets }: Around| Stencil {
            at: positions.get(at),
            array: match array {
                Origin::Param(number) => positions.param(number),
                Origin::Made(loc) => positions.excerpt(loc).unwrap_or_else(|| "an array".to_owned()),
            },
            offsets: offsets.into_iter().collect(),
        };
        stencils::of(program).into_iter().map(named).collect()
    }
}

impl<P: fmt::Display> fmt::Display for Stencil<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stencil at {}: reads {} at", self.at, self.array)?;
        self.offsets.iter().try_for_each(|offset| write!(f, " {offset:?}"))
    }
}
