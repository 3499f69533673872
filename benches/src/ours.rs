//! We as contestants: a kernel as it was emitted, and the same program on LLVM.

use weldment::{Arguments, Element, Kernel};

use crate::contest::{Answer, Contest};
use crate::repeat::thousandfold;

/// The names of our two executors, which the targets are for.
pub(crate) const OURS: [&str; 2] = ["weld!", "llvm"];

impl<'d> Contest<'d> {
    /// Lets `kernel` take part, called by `call` with `args`, and the same program on LLVM, where that is built in.
    #[must_use]
    pub(crate) fn ours<F, A, R>(
        self,
        kernel: &'d Kernel<F>,
        args: A,
        call: impl Fn(&Kernel<F>, A) -> R + Sync + 'd,
        answer: impl Fn(R) -> Answer + Copy + Sync + 'd,
    ) -> Contest<'d>
    where
        F: Sync,
        A: Arguments + Copy + Sync + 'd,
        R: Element + 'd,
    {
        self.each(kernel, args, call, answer, |call| call())
    }

    /// As [`Contest::ours`], with a thousand calls.
    #[must_use]
    pub(crate) fn repeated<F, A, R>(
        self,
        kernel: &'d Kernel<F>,
        args: A,
        call: impl Fn(&Kernel<F>, A) -> R + Sync + 'd,
        answer: impl Fn(R) -> Answer + Copy + Sync + 'd,
    ) -> Contest<'d>
    where
        F: Sync,
        A: Arguments + Copy + Sync + 'd,
        R: Element + 'd,
    {
        self.each(kernel, args, call, answer, |call| thousandfold(call))
    }

    /// Lets both take part by what `often` makes of a call.
    fn each<F, A, R>(
        self,
        kernel: &'d Kernel<F>,
        args: A,
        call: impl Fn(&Kernel<F>, A) -> R + Sync + 'd,
        answer: impl Fn(R) -> Answer + Copy + Sync + 'd,
        often: fn(&dyn Fn() -> R) -> R,
    ) -> Contest<'d>
    where
        F: Sync,
        A: Arguments + Copy + Sync + 'd,
        R: Element + 'd,
    {
        let contest = self.with(OURS[0], move || often(&|| call(kernel, args)), answer);
        #[cfg(feature = "llvm")]
        let contest = contest.llvm(kernel, args, answer, often);
        contest
    }

    #[cfg(feature = "llvm")]
    fn llvm<F, A, R>(
        self,
        kernel: &Kernel<F>,
        args: A,
        answer: impl Fn(R) -> Answer + Copy + Sync + 'd,
        often: fn(&dyn Fn() -> R) -> R,
    ) -> Contest<'d>
    where
        F: Sync,
        A: Arguments + Copy + Sync + 'd,
        R: Element + 'd,
    {
        use weldment::{CompileOptions, ToProgram};

        let program = kernel.program().compile(&CompileOptions::default());
        let program = program.expect("LLVM compiles what `weld!` accepts");
        let call = move || program.call::<A, R>(args).expect("the inputs are valid");
        self.with(OURS[1], move || often(&call), answer)
    }
}
