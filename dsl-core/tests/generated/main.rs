//! Properties of generated programs: the front end takes them, printing and parsing IR gives the same program, and no
//! pass changes what the interpreter gives, but for the rounding of sums and products of floats.
//!
//! There are 1500 programs, always the same; `WELDMENT_CASES=5000 cargo test -p weldment-core --test generated` goes on
//! from there.

mod cases;
mod coverage;
mod program;
mod rounded;
mod spelled;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use weldment_core::front;
use weldment_core::interp::{self, Foreign, InterpOptions};
use weldment_core::ir::print::{Locations, print};
use weldment_core::ir::{self, BinaryOp, Op, Program, parse, verify};
use weldment_core::lower::Lowered;
use weldment_core::passes::{Changed, Cx, Options, PASSES, optimize_with, run_pass};
use weldment_core::source::Positions;
use weldment_runtime::fault::{Fault, FaultKind};
use weldment_runtime::types::Type;
use weldment_runtime::value::Value;

use cases::for_each_program;
use coverage::Coverage;
use program::{Folds, Generated, Limits};

const LIMITS: Limits = Limits { folds: Folds::Exact, foreign: true, spelling: None };

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
}

impl Running<'_> {
    fn run(&self, program: &Program, cut: Option<u64>) -> Outcome {
        let functions = Arc::new(Functions::default());
        let options = InterpOptions {
            piece: cut,
            segment: cut.map(|cut| cut + 2),
            foreign: Some(functions.clone()),
            ..InterpOptions::default()
        };
        let result = interp::run(program, self.positions, self.args, &options);
        Outcome { result, calls: functions.calls.load(Ordering::Relaxed) }
    }

    /// Whether `program` still does what the plain one did.
    fn check(&self, what: &str, program: &Program, plain: &Outcome) -> Result<(), String> {
        self.compare(what, program, &self.run(program, None), plain)
    }

    /// Whether what `program` did is what the plain one did: a value stays itself, with no more foreign calls, and a
    /// fault some fault. Only where nobody uses what the faulting op gives, it may be gone, and its fault with it; but
    /// never an `assert`.
    fn compare(&self, what: &str, program: &Program, got: &Outcome, plain: &Outcome) -> Result<(), String> {
        let holds = match (&got.result, &plain.result) {
            (Ok(value), Ok(wanted)) => (self.is_same)(value, wanted) && got.calls <= plain.calls,
            (Err(_), wanted) => wanted.is_err(),
            (Ok(_), Err(fault)) => !self.may_raise(program, fault),
        };
        match holds {
            true => Ok(()),
            false => Err(format!("{what} gives {got:?}\ninstead of {plain:?}\n{program}")),
        }
    }

    /// Whether `program` holds an op that would raise `fault` where it was raised.
    fn may_raise(&self, program: &Program, fault: &Fault) -> bool {
        let mut found = fault.kind == FaultKind::AssertionFailed;
        program.for_each_stmt(program.entry.expect("an entry"), &mut |stmt| {
            let raises = match fault.kind {
                FaultKind::IndexOutOfBounds => {
                    matches!(stmt.op, Op::CheckIndex(..) | Op::Slice(..) | Op::Merge { .. })
                }
                FaultKind::KeyNotFound => matches!(stmt.op, Op::Lookup(..)),
                FaultKind::ZipLengthMismatch => matches!(stmt.op, Op::ZipLen(_)),
                FaultKind::BadIterator => matches!(stmt.op, Op::IterLen { .. } | Op::RangeLen { .. }),
                FaultKind::DivisionByZero | FaultKind::Overflow => {
                    matches!(stmt.op, Op::Binary(BinaryOp::Div | BinaryOp::Rem, ..))
                }
                FaultKind::EmptyReduction => matches!(stmt.op, Op::Loop(_)),
                FaultKind::DeserializeError => matches!(stmt.op, Op::Deserialize(_)),
                FaultKind::AssertionFailed => matches!(stmt.op, Op::Assert(_)),
                FaultKind::MemoryLimit | FaultKind::Cancelled | FaultKind::BadArguments => false,
            };
            found |= raises && self.positions.get(stmt.loc) == fault.position;
        });
        found
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

fn check_program(generated: &Generated, coverage: &mut Coverage) -> Result<(), String> {
    let lowered = front::from_text(&generated.text())
        .map_err(|errors| format!("{}: {}", errors[0].position(), errors[0].message))?;
    let Lowered { program: plain, positions, .. } = lowered;
    let params =
        plain.bodies[plain.entry.expect("an entry")].params.iter().map(|&param| plain.ty(param).to_string());
    let wanted: Vec<String> = generated.params.iter().map(Type::to_string).collect();
    assert_eq!(params.collect::<Vec<_>>(), wanted, "{}", generated.text());
    verify(&plain).map_err(|errors| format!("{errors:?}\n{plain}"))?;
    coverage.program(generated, &plain);
    check_text(&plain)?;

    let running = Running { positions: &positions, args: &generated.args, is_same: Value::same_bits };
    let expected = running.run(&plain, None);
    if let Err(fault) = &expected.result {
        coverage.fault(fault);
    }
    running.compare("cut into pieces it", &plain, &running.run(&plain, Some(3)), &expected)?;

    for pass in PASSES {
        let mut program = plain.clone();
        let changed = run_pass(pass, &mut program, &mut Cx::new(&Options::default()));
        if changed.map_err(|broken| broken.to_string())? == Changed::Yes {
            running.check(pass.name, &program, &expected)?;
        }
    }
    let mut stages = Vec::new();
    let (mut program, mut before) = (plain.clone(), plain.clone());
    let report = optimize_with(&mut program, &Options::default(), |pass, changed, program| {
        if changed == Changed::Yes {
            coverage.pass(pass, &before, program);
            before = program.clone();
            stages.push((pass.name, program.clone()));
        }
    })
    .map_err(|broken| broken.to_string())?;
    coverage.fused(&report);
    for (name, stage) in &stages {
        running.check(&format!("{name}, among the others,"), stage, &expected)?;
    }
    check_text(&ir::renumber(&program))
}

#[test]
fn generated_programs_mean_the_same_after_every_pass() {
    let coverage = RefCell::new(Coverage::default());
    for_each_program(1500, LIMITS, |generated| check_program(generated, &mut coverage.borrow_mut()));
    coverage.into_inner().assert_complete();
}
