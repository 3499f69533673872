//! What engines are asked to compute.

/// A column that an engine reads.
#[derive(Clone, Copy)]
pub(crate) enum Input<'d> {
    U8(&'d [u8]),
    I32(&'d [i32]),
    I64(&'d [i64]),
    F64(&'d [f64]),
}

/// What the engines have to do: a query by its name in `engines.py`, over columns by their names there, and its numbers.
#[derive(Clone)]
pub(crate) struct Task<'d> {
    pub(crate) query: &'static str,
    pub(crate) columns: Vec<(&'static str, Input<'d>)>,
    pub(crate) given: Vec<(&'static str, f64)>,
}
