//! The opaque function of the cases: nobody knows what it does, and its calls are counted.
//!
//! There are two of it, by the same text: one in scope of the kernels, and one in a library for programs at run time.
// As text they are a crate, whose functions are public.
#![allow(unsafe_code, unreachable_pub)]

use std::sync::Once;

use weldment::{CompileOptions, Executor, Program};

use crate::library;

macro_rules! text_and_items {
    ($($items:tt)*) => {
        $($items)*
        /// The functions as text.
        const SOURCE: &str = stringify!($($items)*);
    };
}

text_and_items! {
    static CALLS: std::sync::atomic::AtomicI64 = std::sync::atomic::AtomicI64::new(0);

    #[unsafe(no_mangle)]
    pub extern "C" fn weldment_case_successor(x: &i64, result: &mut i64) {
        CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        *result = x.wrapping_add(1);
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn weldment_case_calls(result: &mut i64) {
        *result = CALLS.load(std::sync::atomic::Ordering::Relaxed);
    }
}

/// Makes the functions known to programs at run time.
pub(crate) fn load() {
    static LOADED: Once = Once::new();
    // SAFETY: the library runs nothing when it is loaded, and the cases call its functions by their types.
    LOADED.call_once(|| unsafe { library::load("fusion_opaque", SOURCE) });
}

/// How often the function was called so far: by kernels, and by programs at run time.
pub(crate) fn calls() -> i64 {
    let options = CompileOptions { executor: Executor::Interpreter, ..CompileOptions::default() };
    let program = Program::parse("|| cudf[weldment_case_calls, i64]()").unwrap().compile(&options).unwrap();
    let mut by_kernels = 0;
    weldment_case_calls(&mut by_kernels);
    by_kernels + program.call::<(), i64>(()).unwrap()
}
