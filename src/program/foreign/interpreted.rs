//! Foreign functions as the interpreter calls them: on scalars, each in a cell of its own.

use weldment_codegen::foreign::Callees;
use weldment_core::interp::Foreign;
use weldment_core::ir::{Loc, Op, Program};
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

/// The largest number of arguments of a function that the interpreter calls.
const MAX_ARGS: usize = 8;

/// What of the foreign functions that `program` calls the interpreter cannot call.
pub(in crate::program) fn beyond(program: &Program) -> Option<(&'static str, Loc)> {
    let mut first = None;
    program.for_each_stmt(program.entry?, &mut |stmt| {
        let Op::Call(_, args) = &stmt.op else { return };
        let mut values = args.iter().chain(&stmt.results);
        let what = match values.all(|&value| program.ty(value).as_scalar().is_some()) {
            true if args.len() <= MAX_ARGS => return,
            true => "of more than eight arguments",
            false => "on vectors, structs or dictionaries: LLVM does",
        };
        first = first.or(Some((what, stmt.loc)));
    });
    first
}

/// The functions that a program may call.
pub(in crate::program) struct Interpreted(pub(in crate::program) Callees);

impl Foreign for Interpreted {
    fn has(&self, symbol: &str) -> bool {
        self.0.contains_key(symbol)
    }

    fn call(&self, symbol: &str, args: &[Value], result: &Type) -> Value {
        let callee = self.0[symbol];
        let scalar = result.as_scalar().expect("the compiler has seen to scalars");
        let bits = |arg: &Value| arg.as_const().expect("the compiler has seen to scalars").bits();
        // Little-endian: the low end of a cell comes first.
        let mut cells: Vec<u128> = args.iter().map(bits).collect();
        cells.push(0);
        let places: Vec<*mut u128> = cells.iter_mut().map(|cell| &raw mut *cell).collect();
        match callee.shim() {
            // SAFETY: the program calls the function by the types that it has; each pointer is to a value of its own, at the
            // start of an aligned cell that is as large as any scalar.
            Some(shim) => unsafe {
                shim(callee.function(), places.as_ptr().cast(), places[args.len()].cast());
            },
            // SAFETY: as above, and whoever has registered the function vouches for its types.
            None => unsafe { call(callee.function(), &places) },
        }
        Const::from_bits(scalar, cells[args.len()]).into()
    }
}

/// Calls `function` with these arguments.
///
/// # Safety
/// It is a C function of as many pointers, and may be called with these.
unsafe fn call(function: *const (), places: &[*mut u128]) {
    type P = *mut u128;
    macro_rules! by_number {
        ($($number:literal: $($place:ident)*;)*) => {
            match *places {
                $([$($place),*] => {
                    // SAFETY: as the caller promises.
                    let function: extern "C" fn($(by_number!(@pointer $place)),*) =
                        unsafe { std::mem::transmute(function) };
                    function($($place),*);
                })*
                _ => unreachable!("the compiler has counted the arguments"),
            }
        };
        (@pointer $place:ident) => { P };
    }
    by_number! {
        1: a;
        2: a b;
        3: a b c;
        4: a b c d;
        5: a b c d e;
        6: a b c d e f;
        7: a b c d e f g;
        8: a b c d e f g h;
        9: a b c d e f g h i;
    }
}
