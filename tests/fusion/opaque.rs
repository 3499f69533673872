//! The opaque function of the cases: nobody knows what it does, and its calls are counted.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicI64, Ordering};

use weldment::{Foreign, ForeignFunctions, Type};

static CALLS: AtomicI64 = AtomicI64::new(0);

pub(crate) extern "C" fn weldment_case_successor(x: &i64, result: &mut i64) {
    CALLS.fetch_add(1, Ordering::Relaxed);
    *result = x.wrapping_add(1);
}

/// The function for programs at run time; kernels have it in scope.
pub(crate) fn foreign() -> Foreign {
    let (functions, function) = (ForeignFunctions::new(), weldment_case_successor as *const ());
    // SAFETY: the function has these types, and writes its result alone.
    unsafe { functions.symbol("weldment_case_successor", &[Type::I64], Type::I64, function) }.into()
}

/// How often the function was called so far.
pub(crate) fn calls() -> i64 {
    CALLS.load(Ordering::Relaxed)
}
