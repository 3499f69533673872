//! An executor that is none of the project's own: it prints low-level code as C, has the system's compiler make a library of it, and
//! runs that. It knows what `weldment::backend` tells everyone, and is there to show that this is enough.
//!
//! It takes scalars, vectors and structs of them, loops of every kind, sorts, foreign functions and bytes, and refuses dictionaries.

// Only kernels call it.
#[allow(unused_imports)]
#[path = "../fusion/cases/mod.rs"]
mod cases;
// Shared with other tests, which use more of it.
#[allow(dead_code)]
#[path = "../it/executors.rs"]
mod executors;
#[allow(dead_code)]
#[path = "../fusion/opaque.rs"]
mod opaque;
#[path = "../fusion/size.rs"]
mod size;

mod executor;
mod library;
mod pairs;
mod printer;
mod table;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use weldment::{Cancel, CompileOptions, ErrorCode, Executor, FaultKind, Options, Program, Value};

use executor::C;
use executors::Cut;
use opaque::foreign;

/// A program, and what it is run on.
struct Sample {
    name: &'static str,
    text: &'static str,
    args: Vec<Vec<Value>>,
}

/// How loops are cut: as their cost says, and so that short ones are.
const CUTS: [Cut; 3] = [Cut::COST, Cut::of(3, 5), Cut::of(1, 2)];

/// Numbers of threads.
const THREADS: [usize; 3] = [1, 2, 7];

fn options(executor: &Executor, cut: Cut) -> CompileOptions {
    let Cut { chunk, segment } = cut;
    CompileOptions {
        executor: executor.clone(),
        chunk,
        segment,
        foreign: foreign(),
        ..CompileOptions::default()
    }
}

/// What is wrong with a program that is accepted, or why it is not.
fn check(sample: &Sample, executor: &Executor) -> Result<Vec<String>, String> {
    let Sample { name, text, args } = sample;
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut failures = Vec::new();
    for cut in CUTS {
        let compiled = match program.compile(&options(executor, cut)) {
            Ok(compiled) => compiled,
            Err(error) if error.code == ErrorCode::Executor => {
                assert!(error.position.line > 0, "{name}: {error:?}");
                return Err(error.message);
            }
            Err(error) => return Ok(vec![format!("{name}, {cut:?}: {error}")]),
        };
        for args in args {
            let expected = executors::interpreted(&program, cut, args);
            for threads in THREADS {
                let got = compiled.run_with(&cut.on(threads, None), args);
                if !executors::same(&got, &expected) {
                    failures.push(format!(
                        "{name}, {cut:?}, {threads} threads\n{text}\n     got {got:?}\nexpected {expected:?}"
                    ));
                }
            }
        }
    }
    Ok(failures)
}

/// How many programs are accepted, how many there are, and how many are refused for each reason.
fn check_all(samples: &[Sample]) -> (usize, BTreeMap<String, usize>) {
    let executor = Executor::Custom(Arc::new(C::default()));
    let (next, failures, refused) =
        (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
    // Most of the time goes by in the compiler of C.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(sample) = samples.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match check(sample, &executor) {
                        Ok(found) => failures.lock().unwrap().extend(found),
                        Err(reason) => {
                            let reason = reason.lines().next().unwrap_or_default().to_owned();
                            *refused.lock().unwrap().entry(reason).or_insert(0) += 1;
                        }
                    }
                }
            });
        }
    });
    let (failures, refused) = (failures.into_inner().unwrap(), refused.into_inner().unwrap());
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    (samples.len() - refused.values().sum::<usize>(), refused)
}

/// That all that is accepted comes to what it should, that this is so many at least, and that dictionaries are the only reason for others.
fn report(what: &str, samples: &[Sample], least: usize) {
    let (accepted, refused) = check_all(samples);
    let mut out = std::io::stdout();
    let _ =
        writeln!(out, "\nexecutor c: {accepted} programs of {} {what}, refused {refused:?}", samples.len());
    assert!(accepted >= least, "only {accepted} programs of {}", samples.len());
}

#[test]
fn pairs_come_to_what_the_interpreter_says() {
    report("pairs", &pairs::all().collect::<Vec<_>>(), 130);
}

#[test]
fn cases_of_fusion_come_to_what_the_interpreter_says() {
    report("cases", &table::all().collect::<Vec<_>>(), 55);
}

#[test]
fn what_is_not_taken_is_an_error_with_its_place_and_advice() {
    let program = Program::parse("|v: &[i64]|\n  v.reduce_by(|x| x % 3, |x| x, +)").unwrap();
    let executor = Executor::Custom(Arc::new(C::default()));
    let error = program.compile(&options(&executor, Cut::COST)).unwrap_err();
    assert_eq!((error.code, error.position.line), (ErrorCode::Executor, 2));
    assert!(error.message.starts_with("the executor `c` does not support dictionaries\nhelp: "), "{error}");
}

#[test]
fn runs_are_cancelled_and_limited() {
    let executor = Executor::Custom(Arc::new(C::default()));
    let compile = |text| Program::parse(text).unwrap().compile(&options(&executor, Cut::COST)).unwrap();
    let squares = compile("|n: i64| (0..n).map(|i| i * i)");
    let limited = Options::new().memory_limit(1 << 16);
    assert_eq!(squares.run_with(&limited, &[Value::I64(4)]).unwrap().to_string(), "[0, 1, 4, 9]");
    let fault = squares.run_with(&limited, &[Value::I64(1 << 20)]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::MemoryLimit);

    let endless = compile("|x: i64| iterate(x, |x| (x + 1, true))");
    let cancel = Cancel::new();
    let options = Options::new().cancel(&cancel);
    let fault = thread::scope(|scope| {
        let run = scope.spawn(|| endless.run_with(&options, &[Value::I64(0)]));
        thread::sleep(Duration::from_millis(20));
        cancel.cancel();
        run.join().unwrap().unwrap_err()
    });
    assert_eq!(fault.kind, FaultKind::Cancelled);
}

#[test]
fn rust_values_are_read_in_place_and_results_are_not_copied() {
    let executor = Executor::Custom(Arc::new(C::default()));
    let program = Program::parse("|v: &[f64], k: f64| (v.map(|x| x * k), v.sum())").unwrap();
    let compiled = program.compile(&options(&executor, Cut::COST)).unwrap();
    let v: Vec<f64> = (0..100_000).map(f64::from).collect();
    let mut out = (vec![0.0; v.len()], 0.0);
    let place = out.0.as_ptr();
    compiled.call_into::<(&[f64], f64), _>(&mut out, (&v, 2.0)).unwrap();
    assert_eq!((out.0.as_ptr(), out.0[7], out.1), (place, 14.0, v.iter().sum()));
}

#[test]
fn programs_are_compiled_once_for_each_executor() {
    let program = Program::parse("|x: i64| x * 1001 + 7").unwrap();
    let executors = [(); 2].map(|()| Executor::Custom(Arc::new(C::default())));
    assert!(executors[0] == executors[0].clone() && executors[0] != executors[1]);
    let entry = |executor| format!("{:?}", program.compile(&options(executor, Cut::COST)).unwrap());
    assert_eq!(entry(&executors[0]), entry(&executors[0]));
    assert_ne!(entry(&executors[0]), entry(&executors[1]));
}
