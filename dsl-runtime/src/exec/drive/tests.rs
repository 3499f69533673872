//! Tests of the driver.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::cut::{SHORT, TASK_CHUNKS, TOTALS_CHUNKS};
use super::*;
use crate::exec::options::{Cancel, Options, Testing};
use crate::lang::fault::{FaultKind, Position};

fn context(threads: usize, chunk: u64, segment: Option<u64>) -> Context {
    let testing = Testing { chunk: Some(chunk), segment, force_parallel: true, ..Testing::default() };
    Context::new(&Options::new().threads(threads).testing(testing))
}

fn fault(i: usize) -> Fault {
    Fault::new(FaultKind::AssertionFailed, i.to_string(), Position::default())
}

fn sum(total: &mut usize, chunk: usize) -> Result<(), Fault> {
    *total += chunk;
    Ok(())
}

const ANY: Plan = Plan { chunk: 16384, task: Task::Any };
const SHORT_TASKS: Plan = Plan { chunk: 16384, task: Task::Short };
const SEGMENT: Plan = Plan { chunk: 16384, task: Task::Segment(None) };

/// As [`trace`], of an open loop whose tasks go on or do not.
fn trace_open(
    cx: &Context,
    n: i64,
    goes_on: impl Fn(&Vec<Range<usize>>) -> bool + Sync,
) -> (Vec<Range<usize>>, Vec<Vec<Range<usize>>>) {
    let update = |state: &mut Vec<_>, chunk: Range<usize>| {
        state.push(chunk.clone());
        Ok(chunk)
    };
    let add = |total: &mut (Vec<_>, Vec<_>), chunk| {
        total.0.push(chunk);
        Ok(())
    };
    let merge = |total: &mut (Vec<_>, Vec<_>), state| {
        total.1.push(state);
        Ok(())
    };
    open(cx, n, 16384, (vec![], vec![]), Vec::new, update, add, goes_on, merge).unwrap()
}

/// The chunks, in the order their totals come, and the segments, in the order their states come.
fn trace(cx: &Context, n: i64, plan: Plan) -> (Vec<Range<usize>>, Vec<Vec<Range<usize>>>) {
    run(
        cx,
        n,
        plan,
        (vec![], vec![]),
        |_| vec![],
        |state: &mut Vec<_>, chunk| {
            state.push(chunk.clone());
            Ok(chunk)
        },
        |total, chunk| {
            total.0.push(chunk);
            Ok(())
        },
        |total, state| {
            total.1.push(state);
            Ok(())
        },
    )
    .unwrap()
}

#[test]
fn chunks_and_segments_are_the_same_at_every_number_of_threads() {
    for n in [0, 1, 2, 3, 4, 7, 9, 100] {
        let (chunks, segments) = trace(&context(1, 3, Some(7)), n, SEGMENT);
        assert_eq!(chunks.iter().cloned().flatten().collect::<Vec<_>>(), (0..n as usize).collect::<Vec<_>>());
        assert!(chunks.iter().rev().skip(1).all(|chunk| chunk.len() == 3));
        assert!(segments.iter().rev().skip(1).all(|segment| segment.len() == 3), "7 rounds up to 9");
        assert_eq!(segments.concat(), chunks);
        for threads in [2, 3, 8] {
            let cx = context(threads, 3, Some(7));
            assert_eq!(trace(&cx, n, SEGMENT), (chunks.clone(), segments.clone()));
            for (totals, states) in
                [trace(&cx, n, ANY), trace_open(&cx, n, |_| true), trace_open(&cx, n, |_| false)]
            {
                assert_eq!(totals, chunks);
                assert_eq!(states.concat(), chunks);
            }
        }
    }
}

#[test]
fn one_thread_makes_one_state_where_it_may() {
    assert_eq!(trace(&context(1, 3, None), 100, ANY).1.len(), 1);
    assert_eq!(trace(&context(2, 3, None), 100, ANY).1.len(), 34);
}

#[test]
fn threads_may_go_on_while_others_take_short_rows() {
    let cx = context(3, 1, None);
    let every = (0..300).map(|i| i..i + 1).collect::<Vec<_>>();
    let rounds = if cfg!(miri) { 3 } else { 300 };
    for round in 0..rounds {
        // Of the first tasks some go on, and others do not.
        let goes_on = |state: &Vec<Range<usize>>| state[0].start / 100 == round % 3;
        let (totals, states) = trace_open(&cx, 300, goes_on);
        assert_eq!((&totals, &states.concat()), (&every, &every));
    }
}

#[test]
fn a_thread_goes_on_with_an_open_task() {
    let cx = context(2, 1, None);
    // As long as each thread has a chunk of its own share to run, there are two tasks.
    let begun = std::sync::Barrier::new(2);
    let update = |state: &mut usize, chunk: Range<usize>| {
        if chunk.start.is_multiple_of(500) {
            begun.wait();
        }
        *state += 1;
        Ok(())
    };
    let merge = |all: &mut Vec<usize>, task| {
        all.push(task);
        Ok(())
    };
    let tasks = open(&cx, 1000, 1, vec![], || 0, update, |_, ()| Ok(()), |_| true, merge).unwrap();
    assert_eq!(tasks.iter().sum::<usize>(), 1000);
    // Who is done first takes half of what the other has left, again and again.
    assert!(tasks.len() <= 2 + 2 * 9, "{tasks:?}");
}

#[test]
fn segments_follow_the_rule() {
    let cx = Context::new(&Options::new().threads(2));
    assert_eq!(cut(&cx, 6_000_000, SEGMENT).task, 1 << 18);
    assert_eq!(cut(&cx, 6_000_000, Plan { chunk: 100_000, task: Task::Segment(None) }).task, 300_000);
    assert_eq!(cut(&cx, 1 << 30, SEGMENT).task, 1 << 24);
    assert_eq!(cut(&cx, 50_000_000, SHORT_TASKS).task, SHORT);
    assert_eq!(cut(&cx, 50_000_000, Plan { chunk: 100_000, ..SHORT_TASKS }).task, 100_000);
    assert_eq!(cut(&cx, 16384 * 16, SHORT_TASKS).task, cut(&cx, 16384 * 16, ANY).task);
    assert_eq!(cut(&cx, 1 << 18, SEGMENT).threads, 1, "a single segment is not split");
}

#[test]
fn however_long_a_loop_its_tasks_are_short_and_few_of_them_are_a_wave() {
    for threads in [2, 3, 64] {
        let cx = Context::new(&Options::new().threads(threads));
        let of = |n, task| cut(&cx, n, Plan { chunk: 16384, task });
        // So many chunks that there are eight tasks for each thread are no more than that.
        let few = 16384 * TASK_CHUNKS as i64 * 8 * threads as i64;
        assert_eq!((of(few, Task::Any).tasks(), of(few, Task::Any).wave), (8 * threads, 8 * threads));
        let (any, totals) = (of(i64::MAX, Task::Any), of(i64::MAX, Task::Totals));
        assert_eq!((any.task, any.wave), (16384 * TASK_CHUNKS, 8 * threads));
        assert!(
            totals.task <= 16384 * TOTALS_CHUNKS && totals.task * totals.wave <= 16384 << 12,
            "{totals:?}"
        );
        let segments = of(i64::MAX, Task::Segment(None));
        assert!(segments.tasks() <= segments.wave, "the segments of the rule are one wave");
    }
}

#[test]
fn what_waits_for_a_slow_task_is_bounded() {
    let cx = Context::new(&Options::new().threads(2));
    let plan = Plan { chunk: 1, task: Task::Totals };
    let wave = cut(&cx, i64::MAX, plan);
    let (wave, task) = (wave.wave * wave.task, wave.task);
    let (others, is_slow) = (AtomicUsize::new(0), std::sync::atomic::AtomicBool::new(true));
    let update = |chunk: Range<usize>| {
        if chunk.start == 0 {
            // As long as another thread finds anything to do.
            while others.load(Ordering::Relaxed) < wave - task {
                std::thread::yield_now();
            }
            is_slow.store(false, Ordering::Relaxed);
        } else if is_slow.load(Ordering::Relaxed) {
            assert!(chunk.start < wave, "it belongs to a task of the next wave");
            others.fetch_add(1, Ordering::Relaxed);
        }
        if chunk.start == 3 * wave { Err(fault(chunk.start)) } else { Ok(chunk) }
    };
    let mut next = 0;
    let next = Mutex::new(&mut next);
    let add = |(): &mut (), chunk: Range<usize>| {
        let mut next = next.lock().unwrap();
        assert_eq!(chunk.start, **next);
        **next = chunk.end;
        Ok(())
    };
    assert_eq!(totals(&cx, i64::MAX, plan, (), update, add), Err(fault(3 * wave)));
    assert_eq!(**next.lock().unwrap(), 3 * wave);
}

#[test]
fn totals_that_wait_count_until_they_are_added() {
    // A total of a KiB for each chunk.
    let update = |chunk: Range<usize>| Ok([chunk.start as u64; 128]);
    let add = |sum: &mut u64, total: [u64; 128]| {
        *sum += total[0];
        Ok(())
    };
    let plan = Plan { chunk: 1, task: Task::Any };
    let run = |threads, limit| {
        let cx = Context::new(&Options::new().threads(threads).memory_limit(limit));
        let sum = totals(&cx, 20_000, plan, 0, update, add);
        sum.map(|sum| (sum, cx.charge(limit as usize).is_ok()))
    };
    let expected = Ok((20_000 * 19_999 / 2, true));
    // All of them would be 20 MiB.
    assert_eq!((run(1, 0), run(2, 8 << 20)), (expected.clone(), expected));
    assert_eq!(run(2, 1000).unwrap_err().kind, FaultKind::MemoryLimit);
}

#[test]
fn the_first_fault_in_order_wins() {
    for threads in [1, 2, 3] {
        let cx = context(threads, 3, None);
        for _ in 0..50 {
            let update = |chunk: Range<usize>| match chunk.clone().find(|i| [50, 51, 71, 20].contains(i)) {
                Some(i) => {
                    if i == 20 {
                        std::thread::yield_now();
                    }
                    Err(fault(i))
                }
                None => Ok(chunk),
            };
            assert_eq!(totals(&cx, 100, ANY, (), update, |(), _| Ok(())), Err(fault(20)));
            for goes_on in [true, false] {
                let update = |(): &mut (), chunk| update(chunk);
                let end = open(&cx, 100, 3, (), || (), update, |(), _| Ok(()), |()| goes_on, |(), ()| Ok(()));
                assert_eq!(end, Err(fault(20)));
            }
            // A fault of `add` comes before those of later chunks.
            let add = |(): &mut (), chunk: Range<usize>| match chunk.start {
                9 => Err(fault(9)),
                _ => Ok(()),
            };
            assert_eq!(totals(&cx, 100, ANY, (), update, add), Err(fault(9)));
        }
    }
}

#[test]
fn everything_before_the_fault_is_finished() {
    for threads in [1, 2, 3] {
        let cx = context(threads, 1, None);
        let seen = Mutex::new(vec![]);
        let update = |chunk: Range<usize>| {
            seen.lock().unwrap().push(chunk.start);
            if chunk.start >= 30 { Err(fault(chunk.start)) } else { Ok(()) }
        };
        assert_eq!(totals(&cx, 1000, ANY, (), update, |(), ()| Ok(())), Err(fault(30)));
        let seen = seen.into_inner().unwrap();
        assert!((0..=30).all(|i| seen.contains(&i)));
        assert!(seen.len() < 100, "later ones are skipped");
    }
}

// About rayon's pools, which Miri does not run.
#[test]
#[cfg(not(miri))]
fn loops_nest_inside_a_pool() {
    let cx = context(2, 3, None);
    let inner = || totals(&cx, 100, ANY, 0, |chunk| Ok(chunk.sum::<usize>()), sum).unwrap();
    let outer = || {
        let update = |chunk: Range<usize>| Ok(chunk.map(|_| inner()).sum::<usize>());
        totals(&cx, 20, ANY, 0, update, sum).unwrap()
    };
    assert_eq!(outer(), 20 * 4950);
    let ambient = Context::ambient();
    let update = |chunk: Range<usize>| Ok(chunk.map(|_| outer()).sum::<usize>());
    assert_eq!(totals(ambient, 200, Plan { chunk: 3, ..ANY }, 0, update, sum), Ok(200 * 20 * 4950));
    assert_eq!(rayon::join(outer, outer), (20 * 4950, 20 * 4950));
}

#[test]
fn a_panic_in_the_body_reaches_the_caller() {
    let cx = context(2, 1, None);
    let update = |chunk: Range<usize>| if chunk.start == 5 { panic!("bug") } else { Ok(()) };
    let run = std::panic::AssertUnwindSafe(|| totals(&cx, 100, ANY, (), update, |(), ()| Ok(())));
    assert!(std::panic::catch_unwind(run).is_err());
}

#[test]
fn cancelling_stops_and_progress_counts() {
    for threads in [1, 2] {
        let cancel = Cancel::new();
        let seen = std::sync::Arc::new(AtomicU64::new(0));
        let counter = seen.clone();
        let testing = Testing { chunk: Some(10), force_parallel: true, ..Testing::default() };
        let options = Options::new().threads(threads).cancel(&cancel).testing(testing).progress(move |p| {
            assert_eq!(p.total, 100);
            counter.fetch_max(p.done, Ordering::Relaxed);
        });
        let cx = Context::new(&options);
        let update = |chunk: Range<usize>| Ok(chunk.len());
        assert_eq!(totals(&cx, 100, ANY, 0, update, sum), Ok(100));
        assert_eq!(seen.load(Ordering::Relaxed), 100);
        cancel.cancel();
        let fault = totals(&cx, 100, ANY, 0, update, sum).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Cancelled);
    }
}

// About rayon's pools, which Miri does not run.
#[test]
#[cfg(not(miri))]
fn loops_run_in_jobs_of_the_callers_pool() {
    use rayon::prelude::*;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for threads in [0, 1, 2, 3] {
        let testing = Testing { chunk: Some(3), force_parallel: true, ..Testing::default() };
        let seen = std::sync::Arc::new(AtomicU64::new(0));
        let counter = seen.clone();
        let limited =
            Options::new().threads(threads).testing(testing).memory_limit(1 << 20).progress(move |p| {
                counter.fetch_add(u64::from(p.done == p.total), Ordering::Relaxed);
            });
        let run = || {
            let cx = Context::new(&limited);
            totals(&cx, 100, ANY, 0, |chunk| Ok(chunk.sum::<usize>()), sum).unwrap()
        };
        let sums = pool.install(|| (0..40).into_par_iter().map(|_| run()).sum::<usize>());
        assert_eq!(sums, 40 * 4950);
        assert_eq!(seen.load(Ordering::Relaxed), 40, "each loop tells of its end once");
    }
}

#[test]
fn a_panic_of_the_progress_callback_reaches_the_caller() {
    for threads in [1, 3] {
        let testing = Testing { chunk: Some(3), force_parallel: true, ..Testing::default() };
        let options =
            Options::new().threads(threads).testing(testing).progress(|_| panic!("the caller's own"));
        let cx = Context::new(&options);
        let run = std::panic::AssertUnwindSafe(|| totals(&cx, 100, ANY, 0, |chunk| Ok(chunk.len()), sum));
        let panic = std::panic::catch_unwind(run).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"the caller's own"));
    }
}
