//! The prices of options by hand in vectors of eight, with the vector functions of the C library.
//!
//! This is what takes a user of vectors of their own there: intrinsics for arithmetic, and exp, log and erf of glibc's libmvec, which
//! are looked up when the benchmark runs. Where there is no such library, or no AVX-512, nobody takes part.

#![expect(unsafe_code, reason = "intrinsics, and functions of a library that is loaded")]

use std::arch::x86_64::{
    __m512d, _mm512_add_pd, _mm512_div_pd, _mm512_loadu_pd, _mm512_mul_pd, _mm512_set1_pd, _mm512_sqrt_pd,
    _mm512_storeu_pd, _mm512_sub_pd,
};
use std::ffi::CStr;
use std::mem::transmute;

use rayon::prelude::*;
use weldment::__private::rt::mem::huge_pages;

use super::{Options, Prices};
use crate::workloads::pieces::PIECE;

/// A function of eight numbers.
#[allow(improper_ctypes_definitions)] // The C library has the same type by the same name.
type Vector = unsafe extern "C" fn(__m512d) -> __m512d;

/// Of which there are these in libmvec. They were found on a CPU that has AVX-512.
#[derive(Clone, Copy)]
pub(super) struct Functions {
    exp: Vector,
    log: Vector,
    erf: Vector,
}

/// How many numbers a vector has.
const LANES: usize = 8;

/// Eight numbers in memory, of each column.
type Block = [[f64; LANES]; 5];

impl Functions {
    pub(super) fn find() -> Option<Functions> {
        if !std::arch::is_x86_feature_detected!("avx512f") {
            return None;
        }
        // SAFETY: the names end in zeros; the library is the C library's own, and stays.
        let library = unsafe { libc::dlopen(c"libmvec.so.1".as_ptr(), libc::RTLD_NOW) };
        if library.is_null() {
            return None;
        }
        let find = |name: &CStr| {
            // SAFETY: as above.
            let function = unsafe { libc::dlsym(library, name.as_ptr()) };
            // SAFETY: functions of these names have this type, by the ABI of vector functions of x86-64.
            (!function.is_null()).then(|| unsafe { transmute::<*mut libc::c_void, Vector>(function) })
        };
        let [exp, log, erf] = [c"_ZGVeN8v_exp", c"_ZGVeN8v_log", c"_ZGVeN8v_erf"].map(find);
        Some(Functions { exp: exp?, log: log?, erf: erf? })
    }
}

/// The prices of calls and puts.
pub(super) fn by_hand(options: &Options, functions: Functions) -> Prices {
    let n = options.price.len();
    let (mut calls, mut puts) = (large(n), large(n));
    let columns = [&options.price, &options.strike, &options.years, &options.rate, &options.volatility];
    calls.par_chunks_mut(PIECE).zip(puts.par_chunks_mut(PIECE)).enumerate().for_each(
        |(piece, (calls, puts))| {
            let columns = columns.map(|column| &column[piece * PIECE..][..calls.len()]);
            let at = |i: usize| columns.map(|column| column.as_chunks::<LANES>().0[i]);
            let (calls, last_calls) = calls.as_chunks_mut::<LANES>();
            let (puts, last_puts) = puts.as_chunks_mut::<LANES>();
            for (i, (call, put)) in calls.iter_mut().zip(puts).enumerate() {
                // SAFETY: the functions were found, so that the CPU has AVX-512.
                unsafe { eight(&at(i), functions, call, put) };
            }
            // Those that do not fill a vector, beside ones.
            let rest = columns.map(|column| {
                let mut block = [1.0; LANES];
                let rest = column.as_chunks::<LANES>().1;
                block[..rest.len()].copy_from_slice(rest);
                block
            });
            let (mut call, mut put) = ([0.0; LANES], [0.0; LANES]);
            // SAFETY: as above.
            unsafe { eight(&rest, functions, &mut call, &mut put) };
            last_calls.copy_from_slice(&call[..last_calls.len()]);
            last_puts.copy_from_slice(&put[..last_puts.len()]);
        },
    );
    (calls, puts)
}

/// So many zeros, in large pages, as ours are: otherwise most of the time would be that of the system, which clears small ones.
fn large(n: usize) -> Vec<f64> {
    let zeros = vec![0.0; n];
    huge_pages::advise_large(zeros.as_ptr().cast(), size_of_val(&zeros[..]));
    zeros
}

/// # Safety
/// The CPU has AVX-512.
#[target_feature(enable = "avx512f")]
unsafe fn eight(block: &Block, functions: Functions, call: &mut [f64; LANES], put: &mut [f64; LANES]) {
    let Functions { exp, log, erf } = functions;
    // SAFETY: each array has as many numbers as are read or written; the functions take any numbers.
    unsafe {
        let [p, k, t, r, v] = block.each_ref().map(|column| _mm512_loadu_pd(column.as_ptr()));
        let number = |x: f64| _mm512_set1_pd(x);
        let (zero, half) = (number(0.0), number(0.5));
        let spread = _mm512_mul_pd(v, _mm512_sqrt_pd(t));
        let drift = _mm512_add_pd(r, _mm512_mul_pd(_mm512_mul_pd(half, v), v));
        let moved = _mm512_add_pd(log(_mm512_div_pd(p, k)), _mm512_mul_pd(drift, t));
        let d1 = _mm512_div_pd(moved, spread);
        let d2 = _mm512_sub_pd(d1, spread);
        let discounted = _mm512_mul_pd(k, exp(_mm512_sub_pd(zero, _mm512_mul_pd(r, t))));
        let root_half = number(std::f64::consts::FRAC_1_SQRT_2);
        let n1 = _mm512_add_pd(half, _mm512_mul_pd(half, erf(_mm512_mul_pd(d1, root_half))));
        let n2 = _mm512_add_pd(half, _mm512_mul_pd(half, erf(_mm512_mul_pd(d2, root_half))));
        let calls = _mm512_sub_pd(_mm512_mul_pd(p, n1), _mm512_mul_pd(discounted, n2));
        let puts = _mm512_sub_pd(_mm512_add_pd(calls, discounted), p);
        _mm512_storeu_pd(call.as_mut_ptr(), calls);
        _mm512_storeu_pd(put.as_mut_ptr(), puts);
    }
}
