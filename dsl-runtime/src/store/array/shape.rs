//! What does not fit: elements to a shape, an index to a domain.

use std::fmt;

use crate::lang::domain::{Domain, MOST_POINTS};

/// There is not one element for each point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeError {
    shape: Vec<usize>,
    /// The number of elements, or none if there are more points than an array can have.
    elements: Option<usize>,
}

impl ShapeError {
    pub(super) fn check<const N: usize>(elements: usize, domain: &Domain<N>) -> Result<(), ShapeError> {
        match elements == domain.len() {
            true => Ok(()),
            false => Err(ShapeError { shape: domain.shape().into(), elements: Some(elements) }),
        }
    }

    pub(super) fn too_large(shape: &[usize]) -> ShapeError {
        ShapeError { shape: shape.into(), elements: None }
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ShapeError { shape, elements } = self;
        match elements {
            Some(elements) => write!(f, "an array of shape {shape:?} cannot be made of {elements} elements"),
            None => write!(f, "an array of shape {shape:?} has more than {MOST_POINTS} elements"),
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
