//! What does not fit: elements to a shape, an index to a domain.

use std::fmt;

use crate::lang::domain::{Domain, MOST_POINTS};

/// There is not one element for each point, or not the number of axes that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeError {
    shape: Vec<usize>,
    why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    /// There are so many elements.
    Elements(usize),
    /// There are more points than an array can have.
    TooLarge,
    /// So many axes are wanted.
    #[cfg(feature = "ndarray")]
    Axes(usize),
}

impl ShapeError {
    pub(super) fn check<const N: usize>(elements: usize, domain: &Domain<N>) -> Result<(), ShapeError> {
        match elements == domain.len() {
            true => Ok(()),
            false => Err(ShapeError { shape: domain.shape().into(), why: Why::Elements(elements) }),
        }
    }

    pub(super) fn too_large(shape: &[usize]) -> ShapeError {
        ShapeError { shape: shape.into(), why: Why::TooLarge }
    }

    #[cfg(feature = "ndarray")]
    pub(super) fn other_axes(shape: &[usize], wanted: usize) -> ShapeError {
        ShapeError { shape: shape.into(), why: Why::Axes(wanted) }
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ShapeError { shape, why } = self;
        match why {
            Why::Elements(elements) => {
                write!(f, "an array of shape {shape:?} cannot be made of {elements} elements")
            }
            Why::TooLarge => write!(f, "an array of shape {shape:?} has more than {MOST_POINTS} elements"),
            #[cfg(feature = "ndarray")]
            Why::Axes(axes) => write!(f, "an array of shape {shape:?} has not {axes} axes"),
        }
    }
}

impl std::error::Error for ShapeError {}

/// Told of an index that is no point.
#[cold]
#[track_caller]
pub(super) fn outside<const N: usize>(point: &[i64; N], domain: &Domain<N>) -> ! {
    panic!("{point:?} is outside of an array over {domain}")
}
