//! Results that are written again and again, and who writes them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use weldment::{Arguments, Array, Element, Fault, Kernel};

use crate::contest::{Answer, Column, Contest};
use crate::cpu::dispatch;
use crate::ours::OURS;

/// So many points are one piece of work by hand.
const POINTS: usize = 1 << 16;

/// Elements that can be compared.
pub(super) trait Number: Element + Copy + Default + Send + Sync {
    fn column(numbers: &[Self]) -> Column;
}

impl Number for f64 {
    fn column(numbers: &[f64]) -> Column {
        Column::Floats(numbers.to_vec())
    }
}

impl Number for u8 {
    fn column(numbers: &[u8]) -> Column {
        Column::Integers(numbers.iter().map(|&x| i64::from(x)).collect())
    }
}

/// An array that is written to again and again, or its elements.
#[derive(Debug)]
pub(super) struct Out<T, const N: usize>(Mutex<(Vec<T>, Array<T, N>)>);

impl<T: Number, const N: usize> Default for Out<T, N> {
    fn default() -> Self {
        Out(Mutex::new((Vec::new(), Array::new(Vec::new(), [0; N]).expect("no elements"))))
    }
}

impl<T: Number, const N: usize> Out<T, N> {
    fn get(&self) -> MutexGuard<'_, (Vec<T>, Array<T, N>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the loop by hand take part, which writes elements.
    pub(super) fn by_hand<'d>(
        &'d self,
        contest: Contest<'d>,
        run: &'d (impl Fn(&mut Vec<T>) + Sync),
    ) -> Contest<'d> {
        self.by("hand", contest, run)
    }

    /// Lets somebody take part who writes elements.
    pub(super) fn by<'d>(
        &'d self,
        name: &'static str,
        contest: Contest<'d>,
        run: &'d (impl Fn(&mut Vec<T>) + Sync),
    ) -> Contest<'d> {
        contest.with(name, || run(&mut self.get().0), |()| -> Answer { vec![T::column(&self.get().0)] })
    }

    /// Lets `kernel` take part, and the same program on LLVM, which writes to `other`.
    pub(super) fn ours<'d, F: Sync, A: Arguments + Copy + Sync + 'd>(
        &'d self,
        contest: Contest<'d>,
        other: &'d Out<T, N>,
        kernel: &'d Kernel<F>,
        args: A,
        call: impl Fn(&Kernel<F>, &mut Array<T, N>, A) -> Result<(), Fault> + Sync + 'd,
    ) -> Contest<'d> {
        let answer = |out: &Out<T, N>| -> Answer { vec![T::column(out.get().1.as_slice())] };
        let contest = contest.with(
            OURS[0],
            move || call(kernel, &mut self.get().1, args).expect("nothing can fail"),
            move |()| answer(self),
        );
        #[cfg(feature = "llvm")]
        let contest = {
            use weldment::{CompileOptions, ToProgram};
            let program = kernel.program().compile(&CompileOptions::default());
            let program = program.expect("LLVM compiles what `weld!` accepts");
            contest.with(
                OURS[1],
                move || program.call_into::<A, _>(&mut other.get().1, args).expect("nothing can fail"),
                move |()| answer(other),
            )
        };
        #[cfg(not(feature = "llvm"))]
        let _ = other;
        contest
    }
}

/// Writes `rows` rows of `columns` elements, some of them at a time on each thread.
pub(super) fn rows<T: Number>(
    to: &mut Vec<T>,
    rows: usize,
    columns: usize,
    row: impl Fn(usize, &mut [T]) + Sync,
) {
    let at_a_time = (POINTS / columns).max(1);
    chunks(
        to,
        [rows, columns],
        at_a_time,
        #[inline(always)]
        |first, to| to.chunks_exact_mut(columns).enumerate().for_each(|(i, to)| row(first + i, to)),
    );
}

/// Writes so many rows of so many elements, `at_a_time` of them on each thread: `chunk` is told the first of them.
pub(super) fn chunks<T: Number>(
    to: &mut Vec<T>,
    [rows, columns]: [usize; 2],
    at_a_time: usize,
    chunk: impl Fn(usize, &mut [T]) + Sync,
) {
    to.resize(rows * columns, T::default());
    to.par_chunks_mut(at_a_time * columns).enumerate().for_each(|(number, to)| {
        dispatch(
            #[inline(always)]
            || chunk(number * at_a_time, to),
        );
    });
}
