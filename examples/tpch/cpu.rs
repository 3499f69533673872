//! Code for the CPU at hand: the hand-written loops are compiled three times, as the kernels are.
//!
//! The one file of this example with `unsafe`. The invariant: a function that is compiled for instructions
//! beyond the target's baseline is called only by [`dispatch`], and only after the CPU was asked for each of
//! them.

#![expect(
    unsafe_code,
    reason = "functions compiled for features of the CPU at hand are called after checking for them"
)]

/// Runs `body` as compiled for the best instructions of this CPU. `body` must carry `#[inline(always)]` where it
/// stands as the argument; otherwise it is compiled once, for the baseline.
#[inline(always)]
pub(crate) fn dispatch<R>(body: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") {
            if has!("avx512f") && has!("avx512dq") && has!("avx512bw") && has!("avx512vl") {
                // SAFETY: every feature that `on_avx512` enables has just been found.
                return unsafe { on_avx512(body) };
            }
            // SAFETY: every feature that `on_avx2` enables has just been found.
            return unsafe { on_avx2(body) };
        }
    }
    body()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,avx512f,avx512dq,avx512bw,avx512vl")]
#[inline(never)]
fn on_avx512<R>(body: impl FnOnce() -> R) -> R {
    body()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2")]
#[inline(never)]
fn on_avx2<R>(body: impl FnOnce() -> R) -> R {
    body()
}
