//! Properties of generated programs: the front end takes them, printing and parsing IR gives the same program, and no
//! pass changes what the interpreter gives, but for the rounding of sums and products of floats.
//!
//! There are 2600 programs, always the same; `WELDMENT_CASES=5000 cargo test -p weldment-core --test generated` goes on
//! from there.

mod cases;
mod coverage;
mod program;
mod promise;
mod rounded;
mod spelled;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use weldment_core::front;
use weldment_core::interp::{self, Foreign, Instead, InterpOptions};
use weldment_core::ir::print::{Locations, print};
use weldment_core::ir::{self, Program, parse, verify};
use weldment_core::lower::Lowered;
use weldment_core::passes::{Changed, Cx, Options, PASSES, optimize_with, run_pass};
use weldment_core::source::Positions;
use weldment_runtime::exec::context::Context;
use weldment_runtime::exec::options as run;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use cases::for_each_program;
use coverage::Coverage;
use program::{Folds, Generated, Limits};

const LIMITS: Limits = Limits { folds: Folds::Exact, foreign: true, spelling: None };

/// As for users, but that steps over vectors of any length are done in pairs.
const OPTIONS: Options =
    Options { constants: Vec::new(), fuel: None, stop_after: None, least_paired: Some(0) };

/// How much a program may run, so that many can be tried: several times what any does.
const WORK: u64 = 50_000_000;

/// How much may run behind a fault: what stands for values may make a loop run for ever.
const STEPS: u64 = 100_000;

/// The foreign functions that programs call; their calls are counted.
#[derive(Default)]
struct Functions {
    calls: AtomicUsize,
}

impl Foreign for Functions {
    fn has(&self, symbol: &str) -> bool {
        matches!(symbol, "weldment_half" | "weldment_blend")
    }

    fn call(&self, symbol: &str, args: &[Value], _: &Type) -> Value {
        self.calls.fetch_add(1, Ordering::Relaxed);
        match args {
            [Value::F64(x)] => Value::F64(x / 2.0),
            [Value::Bool(c), Value::I64(a), Value::F32(b)] => Value::F32(if *c { *a as f32 } else { *b }),
            _ => panic!("`{symbol}` takes no {args:?}"),
        }
    }
}

/// A program with what is needed to run it.
struct Running<'a> {
    plain: &'a Program,
    positions: &'a Positions,
    args: &'a [Value],
    /// Whether a value may stand for the one that the plain program gives.
    is_same: fn(&Value, &Value) -> bool,
}

/// What a run gave.
#[derive(Debug)]
struct Outcome {
    result: Result<Value, Fault>,
    /// How often it called the foreign function.
    calls: usize,
    /// What `dbg` has shown, in order of the texts.
    shown: Vec<String>,
}

impl Running<'_> {
    fn run(&self, program: &Program, cut: Option<u64>) -> Outcome {
        self.run_with(program, cut, InterpOptions { steps: Some(WORK), ..InterpOptions::default() })
    }

    fn run_with(&self, program: &Program, cut: Option<u64>, options: InterpOptions) -> Outcome {
        let functions = Arc::new(Functions::default());
        let options = InterpOptions {
            chunk: cut,
            segment: cut.map(|cut| cut + 2),
            foreign: Some(functions.clone()),
            ..options
        };
        let shown = Arc::new(Mutex::new(Vec::new()));
        let to = shown.clone();
        let show = run::Options::new().on_dbg(move |dbg| to.lock().expect("no panic").push(dbg.to_string()));
        let cx = Context::new(&show);
        let result = interp::run_in(&cx, program, self.positions, self.args, &options);
        let mut shown = std::mem::take(&mut *shown.lock().expect("no panic"));
        shown.sort();
        Outcome { result, calls: functions.calls.load(Ordering::Relaxed), shown }
    }

    /// How many foreign calls are left of `program` without dead code: a pass may leave that to the one that removes it.
    fn calls_needed(&self, program: &Program) -> usize {
        let dead_code = PASSES.iter().find(|pass| pass.name == "dead-code").expect("it is a pass");
        let mut program = program.clone();
        run_pass(dead_code, &mut program, &mut Cx::new(&OPTIONS)).expect("it leaves a program");
        self.run(&program, None).calls
    }

    /// Whether `program` still does what the plain one did.
    fn check(&self, what: &str, program: &Program, plain: &Outcome) -> Result<(), String> {
        self.compare(what, program, &self.run(program, None), plain)
    }

    /// Whether what `program` did is what is promised, where the plain one did `plain`, and with no more foreign calls than that needs.
    fn compare(&self, what: &str, program: &Program, got: &Outcome, plain: &Outcome) -> Result<(), String> {
        let go_on = |instead: &Instead| {
            let options = InterpOptions {
                steps: Some(STEPS),
                instead: Some(instead.clone()),
                ..InterpOptions::default()
            };
            self.run_with(self.plain, None, options).result
        };
        let calls_more =
            plain.result.is_ok() && got.calls > plain.calls && self.calls_needed(program) > plain.calls;
        if plain.result.is_ok() && got.shown != plain.shown {
            return Err(format!("{what} shows something else: {got:?}\ninstead of {plain:?}\n{program}"));
        }
        match promise::check(&got.result, &plain.result, self.is_same, go_on) {
            Ok(()) if !calls_more => Ok(()),
            held => Err(format!(
                "{what} gives {}: {got:?}\ninstead of {plain:?}\n{program}",
                held.err().unwrap_or_else(|| "more calls".to_owned())
            )),
        }
    }
}

/// Printing and parsing give the same program, with locations and without.
fn check_text(program: &Program) -> Result<(), String> {
    for locations in [Locations::Hidden, Locations::Shown] {
        let text = print(program, locations);
        let again = parse(&text).map_err(|error| format!("{error}\n{text}"))?;
        if print(&again, locations) != text {
            return Err(format!("printed and parsed it is\n{again}\ninstead of\n{text}"));
        }
    }
    Ok(())
}

fn check_program(generated: &Generated, coverage: &Mutex<Coverage>) -> Result<(), String> {
    let coverage = || coverage.lock().unwrap_or_else(PoisonError::into_inner);
    let lowered = front::from_text(&generated.text())
        .map_err(|errors| format!("{}: {}", errors[0].position(), errors[0].message))?;
    let Lowered { program: plain, positions, .. } = lowered;
    let params =
        plain.bodies[plain.entry.expect("an entry")].params.iter().map(|&param| plain.ty(param).to_string());
    let wanted: Vec<String> = generated.params.iter().map(Type::to_string).collect();
    assert_eq!(params.collect::<Vec<_>>(), wanted, "{}", generated.text());
    verify(&plain).map_err(|errors| format!("{errors:?}\n{plain}"))?;
    coverage().program(generated, &plain);
    check_text(&plain)?;

    let running =
        Running { plain: &plain, positions: &positions, args: &generated.args, is_same: Value::same_bits };
    let expected = running.run(&plain, None);
    if let Err(fault) = &expected.result {
        coverage().fault(fault);
    }
    running.compare("cut into chunks it", &plain, &running.run(&plain, Some(3)), &expected)?;

    for pass in PASSES {
        let mut program = plain.clone();
        let changed = run_pass(pass, &mut program, &mut Cx::new(&OPTIONS));
        if changed.map_err(|broken| format!("{broken}\n{}", broken.program))? == Changed::Yes {
            running.check(pass.name, &program, &expected)?;
        }
    }
    // Each pass has to do with what any other leaves: the first is another for each program.
    let (later, sooner) = PASSES.split_at(generated.source.len() % PASSES.len());
    let mut program = plain.clone();
    for pass in sooner.iter().chain(later) {
        let changed = run_pass(pass, &mut program, &mut Cx::new(&OPTIONS));
        if changed.map_err(|broken| format!("out of order, {broken}\n{}", broken.program))? == Changed::Yes {
            running.check(&format!("{}, out of order,", pass.name), &program, &expected)?;
        }
    }
    let mut stages = Vec::new();
    let (mut program, mut before) = (plain.clone(), plain.clone());
    let report = optimize_with(&mut program, &OPTIONS, |pass, changed, program| {
        if changed == Changed::Yes {
            coverage().pass(pass, &before, program);
            before = program.clone();
            stages.push((pass.name, program.clone()));
        }
    })
    .map_err(|broken| broken.to_string())?;
    coverage().fused(&report);
    for (name, stage) in &stages {
        running.check(&format!("{name}, among the others,"), stage, &expected)?;
    }
    check_text(&ir::renumber(&program))
}

#[test]
fn generated_programs_mean_the_same_after_every_pass() {
    let coverage = Mutex::new(Coverage::default());
    for_each_program(2600, None, LIMITS, |generated| check_program(generated, &coverage));
    coverage.into_inner().expect("no panic").assert_complete();
}
