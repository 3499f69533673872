//! How many elements the arguments of a case have.

/// The size of the arguments.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    /// A few elements, for which the result was worked out by hand.
    Small,
    /// As many as this.
    Scaled(usize),
}

impl Size {
    /// These elements, or as many as the size says, each of its index.
    pub(crate) fn elements<T: Copy>(self, small: &[T], scaled: impl Fn(i64) -> T) -> Vec<T> {
        match self {
            Size::Small => small.to_vec(),
            Size::Scaled(n) => (0..n as i64).map(scaled).collect(),
        }
    }

    /// This number, or what the size says.
    pub(crate) fn number(self, small: i64) -> i64 {
        match self {
            Size::Small => small,
            Size::Scaled(n) => n as i64,
        }
    }
}
