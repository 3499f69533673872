//! Which elements of a column a loop loads: all, every second one, or each for some iterations.

/// Which element of its column a [`Stmt::Load`](super::Stmt::Load) of the iteration at position `p` takes.
///
/// ```
/// use weldment_codegen::imp::Stride;
/// let elements = |stride: Stride| [0, 1, 2, 3].map(|p| stride.element(p));
/// assert_eq!(elements(Stride::One), [0, 1, 2, 3]);
/// assert_eq!(elements(Stride::Times(2)), [0, 2, 4, 6]);
/// assert_eq!(elements(Stride::Parts { by: 2, ahead: 1 }), [0, 1, 1, 2]);
/// assert_eq!(Stride::Times(2).span(4), 7);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stride {
    /// `p`.
    #[default]
    One,
    /// `p * n`.
    Times(u32),
    /// `(p + ahead) / by`, where `by` is a power of two.
    Parts {
        /// So many iterations load the same element.
        by: u32,
        /// The first one is loaded by so many fewer; less than `by`.
        ahead: u32,
    },
}

impl Stride {
    /// The element of the iteration at `position`.
    pub const fn element(self, position: u64) -> u64 {
        match self {
            Stride::One => position,
            Stride::Times(times) => position * times as u64,
            Stride::Parts { by, ahead } => (position + ahead as u64) / by as u64,
        }
    }

    /// From the first to the last element of `count` iterations, of which there are some.
    pub const fn span(self, count: u64) -> u64 {
        self.element(count - 1) + 1
    }
}
