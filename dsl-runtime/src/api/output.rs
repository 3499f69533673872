//! What results are written to.

use crate::api::element::Element;
use crate::exec::context::Context;
use crate::exec::options::Options;
use crate::lang::fault::Fault;
use crate::store::array::{Array, ArrayViewMut};

/// What the result of a call is written to, by `call_into`: a value of its type, whose memory is used again; and for an array an
/// [`ArrayViewMut`], for a vector a slice, that have its shape and length.
///
/// | result | written to | memory |
/// |---|---|---|
/// | `R` | `&mut R` | the result is written to that of the vectors in it, as far as it suffices |
/// | `Array<T, N>` | `&mut ArrayViewMut<'_, T, N>` | the result is moved there when it is whole |
/// | `Vec<T>` | `&mut [T]` | the same |
///
/// A view and a slice are not written to if the run ends with a fault, or if the shape is another.
#[diagnostic::on_unimplemented(
    message = "no result is written to a `{Self}`",
    note = "`call_into` writes to a value of the result's type; an array to an `ArrayViewMut`, too, and a vector to a slice"
)]
pub trait Output {
    /// The type of the result.
    type Of: Element;

    /// Writes the result of `run` here.
    ///
    /// # Errors
    /// The fault that ends the run, and [`ShapeMismatch`](crate::lang::fault::FaultKind::ShapeMismatch).
    #[doc(hidden)]
    fn receive(
        &mut self,
        options: &Options,
        run: impl FnOnce(&Context) -> Result<Self::Of, Fault>,
    ) -> Result<(), Fault>;
}

impl<R: Element> Output for R {
    type Of = R;

    fn receive(
        &mut self,
        options: &Options,
        run: impl FnOnce(&Context) -> Result<R, Fault>,
    ) -> Result<(), Fault> {
        let mut cx = Context::filling(options);
        let emptied = cx.take_memory(self);
        run(&cx).map(|result| emptied.becomes(result))
    }
}

/// The coordinates of the result are those of the view then.
impl<T: Element, const N: usize> Output for ArrayViewMut<'_, T, N> {
    type Of = Array<T, N>;

    fn receive(
        &mut self,
        options: &Options,
        run: impl FnOnce(&Context) -> Result<Array<T, N>, Fault>,
    ) -> Result<(), Fault> {
        let cx = Context::passing_on(options);
        let result = run(&cx)?;
        if result.shape() != self.shape() {
            return Err(Fault::other_shape(&result.shape(), &self.shape()));
        }
        let mut elements = result.into_vec();
        self.move_in(&cx, &mut elements);
        cx.recycle(elements);
        Ok(())
    }
}

impl<T: Element> Output for [T] {
    type Of = Vec<T>;

    fn receive(
        &mut self,
        options: &Options,
        run: impl FnOnce(&Context) -> Result<Vec<T>, Fault>,
    ) -> Result<(), Fault> {
        let cx = Context::passing_on(options);
        let mut elements = run(&cx)?;
        if elements.len() != self.len() {
            return Err(Fault::other_shape(&[elements.len()], &[self.len()]));
        }
        let len = self.len();
        let mut all = ArrayViewMut::new(self, [len]).expect("an element for each point");
        all.move_in(&cx, &mut elements);
        cx.recycle(elements);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::fault::FaultKind;
    use crate::mem::pool::Buffers;

    #[test]
    fn what_does_not_fit_leaves_everything_as_it_was() {
        let mut data = [1i64, 2, 3, 4];
        let array = |shape: [usize; 2]| Ok(Array::from_fn(shape, |[i, j]| 10 * i + j).unwrap());
        let mut view = ArrayViewMut::new(&mut data, [2, 2]).unwrap().transpose();
        let fault = view.receive(&Options::new(), |_| array([1, 4])).unwrap_err();
        assert_eq!(fault.kind, FaultKind::ShapeMismatch);
        assert_eq!(fault.detail, "a result of shape [1, 4], to be written to a shape of [2, 2]");
        view.receive(&Options::new(), |_| array([2, 2])).unwrap();
        assert_eq!(data, [0, 10, 1, 11]);
        let slice = &mut data[1..];
        assert!(slice.receive(&Options::new(), |_| Ok(vec![5; 4])).is_err());
        slice.receive(&Options::new(), |_| Ok(vec![5, 6, 7])).unwrap();
        assert_eq!(data, [0, 5, 6, 7]);
    }

    #[test]
    fn nothing_is_left_where_a_run_ends_without_a_result() {
        use std::panic::{AssertUnwindSafe, catch_unwind};
        let array = || Array::from_fn([2, 2], |[i, j]| 10 * i + j).unwrap();
        let mut out = array();
        let fault = || Err(Fault::other_shape(&[1], &[2]));
        assert!(out.receive(&Options::new(), |_| fault()).is_err());
        assert_eq!((out.shape(), out.as_slice()), ([0, 0], &[][..]));
        out = array();
        let panics =
            AssertUnwindSafe(|| out.receive(&Options::new(), |_| panic!("a callback of the user's")));
        assert!(catch_unwind(panics).is_err());
        assert_eq!((out.shape(), out.as_slice()), ([0, 0], &[][..]));
    }

    #[test]
    fn buffers_keep_the_memory_of_what_was_moved() {
        use crate::exec::allocate::Memory;
        let options = Options::new().buffers(&Buffers::new(1 << 20));
        let mut data = vec![0u8; 5000];
        let mut places = Vec::new();
        for byte in [1, 2] {
            let run = |cx: &Context| {
                let mut result = cx.results().vector(5000)?;
                result.resize(5000, byte);
                places.push(result.as_ptr());
                Ok(result)
            };
            data[..].receive(&options, run).unwrap();
            assert_eq!(data, [byte; 5000]);
        }
        assert_eq!(places[0], places[1]);
    }
}
