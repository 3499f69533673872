//! The CPU at hand: one check, and one dispatch per chunk of work to code compiled for it.
//!
//! Emitted loops are compiled three times, for the baseline of the target, for AVX2 with FMA and for AVX-512,
//! without any flag of the user's. [`dispatch`] runs a closure in the version that fits. What a program
//! computes does not depend on the choice.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "functions compiled for features of the CPU at hand are called after checking for them"
    )
)]

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

/// Instructions that are known to exist on this CPU.
///
/// A level above the baseline comes from [`Level::detect`] alone, so holding one is proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(Isa);

/// The sets of instructions that code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Isa {
    /// What the target guarantees: SSE2 on x86-64.
    Baseline,
    /// AVX2, FMA, BMI1 and BMI2.
    Avx2,
    /// `Avx2` and AVX-512 F, DQ, BW and VL.
    Avx512,
}

/// Nobody has looked yet.
const UNKNOWN: u8 = u8::MAX;

/// The level of the CPU at hand, or [`UNKNOWN`].
static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

impl Level {
    /// The level every CPU of the target has.
    pub const BASELINE: Level = Level(Isa::Baseline);

    /// The highest level of the CPU at hand.
    #[inline]
    pub fn detect() -> Level {
        match LEVEL.load(Ordering::Relaxed) {
            level if level == Isa::Avx512 as u8 => Level(Isa::Avx512),
            level if level == Isa::Avx2 as u8 => Level(Isa::Avx2),
            UNKNOWN => Level(look()),
            _ => Level::BASELINE,
        }
    }

    /// This level, or `cap` if that is lower: how tests run the code of older CPUs.
    pub fn at_most(self, cap: Isa) -> Level {
        Level(self.0.min(cap))
    }

    /// The level for loops that do next to nothing for what they read and write: no wider than the vectors with which the CPU at hand
    /// reaches memory.
    #[inline]
    pub fn of_streams(self) -> Level {
        if halves_wide_vectors() { self.at_most(Isa::Avx2) } else { self }
    }

    /// The set of instructions.
    pub fn isa(self) -> Isa {
        self.0
    }
}

/// Looks what the CPU at hand has, for [`Level::detect`] and all that goes by it.
#[cold]
#[inline(never)]
fn look() -> Isa {
    let isa = detect();
    BLOCK_PREFETCH_DISTANCE.store(if prefetches_far() { 0 } else { PREFETCH_DISTANCE }, Ordering::Relaxed);
    HALVES_VECTORS.store(isa == Isa::Avx512 && halves_vectors(), Ordering::Relaxed);
    LEVEL.store(isa as u8, Ordering::Relaxed);
    isa
}

fn detect() -> Isa {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") {
            if has!("avx512f") && has!("avx512dq") && has!("avx512bw") && has!("avx512vl") {
                return Isa::Avx512;
            }
            return Isa::Avx2;
        }
    }
    Isa::Baseline
}

/// Whether the CPU sees by itself what a loop reads next, and early enough: asking for it as well made such loops up to a quarter
/// slower on AMD's Zen 4, and faster on Intel's.
fn prefetches_far() -> bool {
    maker().is_none_or(|maker| maker.name != *b"GenuineIntel")
}

/// Of a CPU with vectors of 512 bits, whether it reads and writes them as two halves, as AMD's Zen 4 does: loops that wait for memory took up
/// to a tenth longer with them there.
fn halves_vectors() -> bool {
    maker().is_some_and(|maker| maker.name == *b"AuthenticAMD" && maker.family == 0x19)
}

/// Who made a CPU, and of which family it is.
struct Maker {
    name: [u8; 12],
    family: u32,
}

/// The maker of the CPU at hand, if it can be asked.
fn maker() -> Option<Maker> {
    // Miri cannot ask, and does not wait for memory.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::__cpuid;
        let (maker, version) = (__cpuid(0), __cpuid(1).eax);
        let mut name = [0; 12];
        name.copy_from_slice([maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes).as_flattened());
        // The extended family counts on from the last of four bits.
        let family = match version >> 8 & 0xf {
            0xf => 0xf + (version >> 20 & 0xff),
            family => family,
        };
        Some(Maker { name, family })
    }
    #[cfg(any(not(target_arch = "x86_64"), miri))]
    None
}

/// What [`prefetch_distance`] gives.
static BLOCK_PREFETCH_DISTANCE: AtomicUsize = AtomicUsize::new(0);

/// What [`halves_wide_vectors`] gives.
static HALVES_VECTORS: AtomicBool = AtomicBool::new(false);

/// Whether the CPU at hand reads and writes the widest vectors as two halves. Known from the first [`Level::detect`] on.
#[inline(always)]
pub fn halves_wide_vectors() -> bool {
    HALVES_VECTORS.load(Ordering::Relaxed)
}

/// The prefetch distance, in bytes, of loops in blocks on the CPU at hand: [`PREFETCH_DISTANCE`], or 0 where that is
/// slower. Known from the first [`Level::detect`] on, and 0 before, so that loops can ask each time.
#[inline(always)]
pub fn prefetch_distance() -> usize {
    BLOCK_PREFETCH_DISTANCE.load(Ordering::Relaxed)
}

/// Runs `body` as compiled for `level`; its argument says whether fma is fast.
///
/// `body` must carry `#[inline(always)]` where it stands as the argument. Without it, it is compiled once,
/// for the baseline, and runs at that speed on every CPU. Dispatch once per chunk of work, inside whatever
/// spreads the chunks over threads.
#[inline(always)]
pub fn dispatch<R>(level: Level, body: impl FnOnce(bool) -> R) -> R {
    match level.0 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Level` of `Avx512` is made only where `detect` found every feature that `on_avx512` enables.
        Isa::Avx512 => unsafe { on_avx512(body) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the levels from `Avx2` on are made only where `detect` found every feature that `on_avx2` enables.
        Isa::Avx2 => unsafe { on_avx2(body) },
        _ => on_baseline(body),
    }
}

/// Prefetches what stands [`prefetch_distance`] bytes behind the start of block `at` of `blocks`, if that is anything.
///
/// Loops that read a column once wait for memory; most CPUs see by themselves that they go on, but some not far enough ahead where
/// an iteration does much. Where that is 0, what is asked for is what the loop reads now, which costs next to nothing.
#[inline(always)]
pub fn prefetch<T, const L: usize>(blocks: &[[T; L]], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = blocks.as_ptr().wrapping_add(at).cast::<i8>().wrapping_add(prefetch_distance());
        let mut line = 0;
        while line < size_of::<[T; L]>() {
            // SAFETY: this is a hint, which is good for any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line)) };
            line += LINE;
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (blocks, at);
}

/// Prefetches the cache line [`PREFETCH_DISTANCE`] bytes behind element `at` of a column, if there is one: for loops that also go to
/// other places, which are faster for it on Intel's CPUs and on AMD's Zen 4 alike.
#[inline(always)]
pub fn prefetch_element<T>(column: &[T], at: usize) {
    prefetch_line(column.as_ptr().wrapping_add(at).wrapping_byte_add(PREFETCH_DISTANCE));
}

/// The distance, in rows, at which what a row holds is prefetched.
pub const PREFETCHED_ROWS: usize = 8;

/// Prefetches the first elements of the row that stands [`PREFETCHED_ROWS`] behind row `at`, if there is one. Where they
/// are, the CPU learns too late by itself.
#[inline(always)]
pub fn prefetch_row<T>(rows: &[Vec<T>], at: usize) {
    if let Some(row) = rows.get(at + PREFETCHED_ROWS) {
        prefetch_line(row.as_ptr());
    }
}

/// Prefetches the cache line of `at`, if there is one, to be read or written soon.
#[inline(always)]
pub(crate) fn prefetch_line<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: this is a hint, which is good for any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Prefetches all of `values`.
#[inline(always)]
pub(crate) fn prefetch_all<T>(values: &[T]) {
    let lines = (0..size_of_val(values)).step_by(LINE);
    lines.for_each(|line| prefetch_line(values.as_ptr().cast::<u8>().wrapping_add(line)));
}

/// The prefetch distance of reads, in bytes, where prefetching helps.
pub const PREFETCH_DISTANCE: usize = 2048;

/// The same of what they write: nearer, since lines that wait to be written share the first cache with all that is read.
pub const WRITE_PREFETCH_DISTANCE: usize = 1024;

/// A line of the cache, in bytes.
pub const LINE: usize = 64;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,avx512f,avx512dq,avx512bw,avx512vl")]
#[inline(never)]
fn on_avx512<R>(body: impl FnOnce(bool) -> R) -> R {
    body(true)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2")]
#[inline(never)]
fn on_avx2<R>(body: impl FnOnce(bool) -> R) -> R {
    body(true)
}

#[inline(never)]
fn on_baseline<R>(body: impl FnOnce(bool) -> R) -> R {
    body(cfg!(target_feature = "fma"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_no_wider_than_what_the_cpu_moves_at_once() {
        let level = Level::detect();
        match (level.isa(), halves_wide_vectors()) {
            (Isa::Avx512, true) => assert_eq!(level.of_streams().isa(), Isa::Avx2),
            // Of a CPU that has no such vectors nothing is halved.
            (_, halves) => assert!(!halves && level.of_streams() == level),
        }
        assert_eq!(level.at_most(Isa::Baseline).of_streams(), Level::BASELINE);
    }

    #[test]
    fn every_level_runs_the_body_once_and_gives_its_result() {
        for cap in [Isa::Baseline, Isa::Avx2, Isa::Avx512] {
            let level = Level::detect().at_most(cap);
            assert!(level.isa() <= cap);
            let x: Vec<f64> = (0..100).map(f64::from).collect();
            let mut runs = 0;
            let sum = dispatch(
                level,
                #[inline(always)]
                |_| {
                    runs += 1;
                    x.iter().sum::<f64>()
                },
            );
            assert_eq!((sum, runs), (4950.0, 1));
        }
    }

    #[test]
    fn a_cap_only_lowers() {
        assert_eq!(Level::BASELINE.at_most(Isa::Avx512), Level::BASELINE);
        assert_eq!(Level::detect().at_most(Isa::Avx512), Level::detect());
    }
}
