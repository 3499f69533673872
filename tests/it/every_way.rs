//! A kernel and its program in every way to run them.

use weldment::{Buffers, Element, Fault, Options, Program, Value};

#[cfg(feature = "llvm")]
use crate::executors::compiled;
use crate::executors::{Cut, emitted_ways, interpreted, same};

/// What a kernel gives, in every way, is what the interpreter gives for the same program.
pub(crate) fn check<R: Element>(
    program: Program,
    args: &[Value],
    run: impl Fn(&Options) -> Result<R, Fault>,
    run_into: impl Fn(&Options, &mut R) -> Result<(), Fault>,
) {
    let (mut out, buffers) = (R::zero(), Buffers::new(1 << 24));
    for cut in [Cut::of(3, 6), Cut::of(5, 7), Cut::COST] {
        let expected = interpreted(&program, cut, args);
        for way in emitted_ways(cut) {
            // In memory of its own, and in that of the result before.
            let fresh = run(&way).map(|value| value.to_value());
            let again = run_into(&way.clone().buffers(&buffers), &mut out).map(|()| out.to_value());
            for mut got in [fresh, again] {
                if let (Err(got), Err(expected)) = (&mut got, &expected) {
                    *got = got.clone().at(expected.position);
                }
                assert!(same(&got, &expected), "{way:?}\n     got {got:?}\nexpected {expected:?}");
            }
        }
        #[cfg(feature = "llvm")]
        compiled(&program, cut, args, |way, got| {
            assert!(same(&got, &expected), "LLVM: {way:?}\n     got {got:?}\nexpected {expected:?}");
        });
    }
}

/// `agree!(args; program)`: the result, which is the same in every way. `agree!([args] given [values]; program)` of a program that has these values
/// from outside: to a text they are its first arguments.
macro_rules! agree {
    ([$($arg:expr),*] given [$($given:expr),*]; $($program:tt)*) => {{
        let kernel = weldment::weld!($($program)*);
        let args = [$(weldment::Argument::to_value(&$given),)* $(weldment::Argument::to_value(&$arg)),*];
        let program = weldment::ToProgram::program(&kernel);
        $crate::every_way::check(
            program,
            &args,
            |options| kernel.with(options).call($($arg),*),
            |options, out| kernel.with(options).call_into(out, $($arg),*),
        );
        kernel.try_call($($arg),*).unwrap()
    }};
    ($($arg:expr),*; $($program:tt)*) => { $crate::every_way::agree!([$($arg),*] given []; $($program)*) };
}
pub(crate) use agree;
