//! Options of a run: threads, memory, cancelling, progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use weldment_runtime::exec::options::{Cancel, Options};
use weldment_runtime::lang::fault::FaultKind;

use super::{CUTS, Compiled, Cut, Level, on_threads, source};

fn compiled(text: &str) -> Compiled {
    source(text).optimised().compiled(Cut { chunk: 1000, segment: 1000 }, Level::Full)
}

/// That a run of `text` on the numbers below `n` needs `least` bytes at least, and stops where it may not have them.
fn check_limit(text: &str, n: i64, least: u64) {
    let program = compiled(text);
    let numbers: Vec<i64> = (0..n).collect();
    for threads in [1, 3] {
        let run = |limit: u64| {
            program.call::<_, Vec<i64>>(&(&numbers[..],), &on_threads(threads).memory_limit(limit))
        };
        let free = program.call::<_, Vec<i64>>(&(&numbers[..],), &on_threads(threads));
        assert_eq!(run(1 << 32), free, "{text}");
        for limit in [0, least / 2, least - 1] {
            let fault = run(limit).expect_err(text);
            assert_eq!(fault.kind, FaultKind::MemoryLimit, "{text} within {limit}");
            assert!(fault.to_string().starts_with("memory limit: "), "{fault}");
        }
    }
}

#[test]
fn every_kind_of_memory_is_limited() {
    let bytes = 8 * 50_000;
    check_limit("|v: vec[i64]| map(v, |x| x + 1L)", 50_000, bytes);
    check_limit("|v: vec[i64]| filter(v, |x| x >= 0L)", 50_000, bytes);
    check_limit("|v: vec[i64]| flat_map(v, |x| [x, x])", 50_000, 2 * bytes);
    check_limit("|v: vec[i64]| sort(v, |a, b| compare(b, a))", 50_000, bytes);
    check_limit(
        "|v: vec[i64]| result(for(v, vecmerger[i64,+](v), |b, i, x| merge(b, {x, i})))",
        50_000,
        bytes,
    );
    let keys = "|v: vec[i64]| map(tovec(result(for(v, dictmerger[i64,i64,+], |b, i, x| merge(b, {x, i})))), |e| e.$1)";
    check_limit(keys, 50_000, 3 * bytes);
    let groups = "|v: vec[i64]| map(tovec(result(for(v, groupmerger[i64,i64], |b, i, x| merge(b, {x % 10L, i})))), |e| lookup(e.$1, len(e.$1) - 1L))";
    check_limit(groups, 50_000, bytes);
    check_limit("|v: vec[i64]| map(serialize(v), |x| i64(x))", 50_000, 8 * bytes);
}

/// What an iteration makes for itself is given back, however many there are; what leaves it is not.
#[test]
fn what_loops_make_for_themselves_is_given_back() {
    let numbers: Vec<i64> = (0..200_000).collect();
    // The result, and slabs of each thread.
    let room = |threads: u64| 8 * 200_000 + 400_000 * (1 + threads);
    for text in [
        "|v: vec[i64]| [sum(map(v, |x| len(to_string(x * 1000003L))))]",
        "|v: vec[i64]| map(v, |x| { let s = sort(map([5L, 3L, 9L], |y| y * x % 10L), |a, b| compare(a, b)); s[1] })",
        "|v: vec[i64]| map(v, |x| iterate({[x], 0L}, |s| {{map(result(for(s.$0, appender, |b, i, y| merge(merge(b, y), i))), |y| y + 1L), s.$1 + 1L}, s.$1 < 3L}).$0[0])",
        "|v: vec[i64]| result(for(v, vecmerger[i64,+]([0L, 0L, 0L]), |b, i, x| merge(b, {len(to_string(x)) % 3L, 1L})))",
    ] {
        let program = compiled(text);
        for threads in [1, 3] {
            let call = |options: &Options| program.call::<_, Vec<i64>>(&(&numbers[..],), options);
            let limited = on_threads(threads).memory_limit(room(threads as u64));
            assert_eq!(call(&limited), call(&on_threads(threads)), "{text}");
        }
    }
    let kept =
        compiled("|v: vec[i64]| map(sort(map(v, |x| to_string(x)), |a, b| compare(a, b)), |s| len(s))");
    let limited = on_threads(1).memory_limit(room(1));
    let fault = kept.call::<_, Vec<i64>>(&(&numbers[..],), &limited).map_err(|fault| fault.kind);
    assert_eq!(fault, Err(FaultKind::MemoryLimit));
}

/// Groups grow in loops that make texts for themselves, by keys that are hashed and by keys that are numbers of few bits.
#[test]
fn groups_outlive_what_their_loop_makes_for_itself() {
    let numbers: Vec<i64> = (0..20_000).collect();
    for key in ["i64", "u8"] {
        let text = format!(
            "|v: vec[i64]| map(sort(tovec(result(for(v, groupmerger[{key},i64], |b, i, x| merge(b, {{{key}(len(to_string(x)) % 3L), x}})))), |a, b| compare(a.$0, b.$0)), |e| sum(e.$1))"
        );
        let program = compiled(&text);
        let mut expected = [0; 3];
        numbers.iter().for_each(|x| expected[x.to_string().len() % 3] += x);
        for threads in [1, 3] {
            let sums = program.call::<_, Vec<i64>>(&(&numbers[..],), &on_threads(threads));
            assert_eq!(sums, Ok(expected.to_vec()), "{text}");
        }
    }
}

#[test]
fn a_result_that_is_copied_counts() {
    let program = compiled("|v: vec[i64]| v");
    let numbers: Vec<i64> = (0..50_000).collect();
    let run = |limit: u64| program.call::<_, Vec<i64>>(&(&numbers[..],), &Options::new().memory_limit(limit));
    assert_eq!(run(410_000).as_deref(), Ok(&numbers[..]));
    assert_eq!(run(399_999).map_err(|fault| fault.kind), Err(FaultKind::MemoryLimit));
}

#[test]
fn a_run_that_was_out_of_memory_leaves_the_program_as_it_was() {
    let program = compiled("|v: vec[i64]| map(v, |x| x * 2L)");
    let numbers: Vec<i64> = (0..10_000).collect();
    let doubled: Vec<i64> = numbers.iter().map(|x| 2 * x).collect();
    for _ in 0..20 {
        let limited = on_threads(3).memory_limit(1000);
        assert!(program.call::<_, Vec<i64>>(&(&numbers[..],), &limited).is_err());
        assert_eq!(program.call::<_, Vec<i64>>(&(&numbers[..],), &on_threads(3)).as_ref(), Ok(&doubled));
    }
}

#[test]
fn a_cancelled_run_ends() {
    let cancel = Cancel::new();
    cancel.cancel();
    let split = compiled("|v: vec[i64]| sum(map(v, |x| x * x))");
    let endless = compiled("|v: vec[i64]| iterate(0L, |i| {i + 1L, i >= 0L})");
    let inner = compiled(
        "|v: vec[i64]| iterate(0L, |i| {i + result(for(rangeiter(0L, 4000000000000L, 1L), merger[i64,+], |b, j, x| merge(b, x * j ^ i))), false})",
    );
    for program in [split, endless, inner] {
        for threads in [1, 3] {
            let options = on_threads(threads).cancel(&cancel);
            let fault =
                program.call::<_, i64>(&(&[1i64, 2, 3][..],), &options).expect_err("it was cancelled");
            assert_eq!(fault.kind, FaultKind::Cancelled);
        }
    }
}

#[test]
fn a_run_can_be_cancelled_while_it_lasts() {
    let endless = compiled("|v: vec[i64]| sum(map(v, |x| iterate(x, |i| {i ^ 1L, i >= 0L})))");
    for threads in [1, 3] {
        let cancel = Cancel::new();
        let options = on_threads(threads).cancel(&cancel);
        let fault = std::thread::scope(|scope| {
            let run = scope.spawn(|| endless.call::<_, i64>(&(&[1i64, 2, 3][..],), &options));
            cancel.cancel();
            run.join().expect("no panic").expect_err("it never ends by itself")
        });
        assert_eq!(fault.kind, FaultKind::Cancelled);
    }
}

#[test]
fn progress_comes_to_the_end() {
    let program = compiled("|v: vec[i64]| sum(map(v, |x| x * x))");
    let numbers: Vec<i64> = (0..10_000).collect();
    for threads in [1, 3] {
        let done = Arc::new(AtomicU64::new(0));
        let seen = done.clone();
        let options = on_threads(threads).progress(move |progress| {
            assert_eq!(progress.total, 10_000);
            seen.fetch_max(progress.done, Ordering::Relaxed);
        });
        program.call::<_, i64>(&(&numbers[..],), &options).expect("nothing can fault");
        assert_eq!(done.load(Ordering::Relaxed), 10_000);
    }
}

#[test]
fn a_panic_of_the_progress_callback_reaches_the_caller() {
    let program = source("|v: vec[i64]| map(v, |x| x * x)").optimised().compiled(CUTS[0], Level::Full);
    for threads in [1, 3] {
        let options = on_threads(threads).progress(|_| panic!("the caller's own"));
        let run = || program.call::<_, Vec<i64>>(&(&[1i64; 100][..],), &options);
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("a panic");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"the caller's own"));
    }
}
