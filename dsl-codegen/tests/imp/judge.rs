//! What low-level code must come to.

use std::sync::Arc;

use weldment_codegen::imp::effects::of_func;
use weldment_codegen::imp::{self, Combine, Imp, Target};
use weldment_codegen::loops::{self, Options};
use weldment_core::interp::{self, Foreign};
use weldment_core::ir::{Locations, Program};
use weldment_core::lower::Lowered;
use weldment_core::passes;
use weldment_core::source::Positions;
use weldment_runtime::lang::fault::{Fault, FaultKind};
use weldment_runtime::lang::scalar;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

/// How loops are cut: the iterations of a chunk and of a segment, and the chunks of another task.
type Cut = (Option<u64>, Option<u64>, Option<u64>);

const CUTS: [Cut; 4] =
    [(None, None, None), (Some(1), Some(4), Some(1)), (Some(3), Some(5), Some(2)), (Some(3), Some(5), None)];

const TARGETS: [(&str, Target); 4] =
    [("rust", Target::RUST), ("llvm", Target::LLVM), ("blocks", BLOCKS), ("plain", PLAIN)];

/// More steps than that are too many.
const STEPS: u64 = 20_000;

/// Blocks, and nothing that only one of both asks for.
const BLOCKS: Target = Target {
    blocks: true,
    interchange: true,
    lockstep: true,
    count_steps: true,
    distribute: true,
    extend: true,
    ..PLAIN
};

/// One iteration after the other.
const PLAIN: Target = Target {
    interchange: false,
    lockstep: false,
    count_steps: false,
    distribute: false,
    look_ahead: false,
    skip_blocks: false,
    extend: false,
    blocks: false,
    small_blocks: false,
    fission: false,
    near_split: false,
    fill: false,
    merge_each: false,
    reserve: false,
    widen_exact: false,
    prefetch_written: false,
    scopes: false,
    packed_keys: false,
    owned: false,
    dispatch: false,
    ragged: false,
};

/// A program with its low-level code for each target.
pub(crate) struct Judge {
    /// As optimised.
    program: Program,
    positions: Positions,
    codes: Vec<(&'static str, Imp)>,
}

impl Judge {
    /// The low-level code of a program, which the verifier accepts, and which prints and parses to the same text; else what is wrong with it.
    pub(crate) fn of(lowered: Lowered) -> Result<Judge, String> {
        let Lowered { mut program, positions, .. } = lowered;
        passes::optimize(&mut program, &passes::Options::default())
            .map_err(|broken| format!("{broken:?}"))?;
        let looped = loops::build(&program, &Options::default());
        let mut codes = Vec::new();
        for (name, target) in TARGETS {
            let code = imp::build(&looped, target);
            let context = |message: String| format!("{message}\nfor {name}:\n{code}");
            check_text(&code).map_err(context)?;
            imp::verify(&code).map_err(|errors| {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                context(errors.join("\n"))
            })?;
            codes.push((name, code));
        }
        Ok(Judge { program, positions, codes })
    }

    /// What is wrong with what the code comes to on `args`.
    pub(crate) fn check(&self, args: &[Value]) -> Result<(), String> {
        let expected = CUTS.map(|cut| meant(&self.program, &self.positions, args, cut));
        // Made-up arguments may ask for loops that do not end.
        if expected
            .iter()
            .any(|outcome| outcome.as_ref().is_err_and(|fault| fault.kind == FaultKind::Cancelled))
        {
            return Ok(());
        }
        for (name, code) in &self.codes {
            let context = |message: String| format!("{message}\nfor {name}:\n{code}");
            for (cut, expected) in CUTS.into_iter().zip(&expected) {
                let got = std::panic::catch_unwind(|| run(code, &self.positions, args, cut));
                let got = got.map_err(|panic| context(format!("{cut:?}: {}", said(&panic))))?;
                if !is_same(&got, expected, faults_between(code)) {
                    return Err(context(format!(
                        "{cut:?}: {got:?}\ninstead of {expected:?}\n{}",
                        self.program
                    )));
                }
            }
        }
        Ok(())
    }
}

fn check_text(code: &Imp) -> Result<(), String> {
    let text = imp::print(code, Locations::Shown);
    let again = imp::parse(&text).map_err(|error| error.to_string())?;
    let again = imp::print(&again, Locations::Shown);
    if again == text { Ok(()) } else { Err(format!("printed and parsed it is\n{again}")) }
}

fn run(code: &Imp, positions: &Positions, args: &[Value], cut: Cut) -> Result<Value, Fault> {
    let (chunk, segment, chunks_of_task) = cut;
    let options =
        crate::interp::InterpOptions { chunk, segment, chunks_of_task, foreign: Some(Arc::new(Functions)) };
    crate::interp::run(code, positions, args, &options)
}

fn meant(program: &Program, positions: &Positions, args: &[Value], cut: Cut) -> Result<Value, Fault> {
    let foreign: Option<Arc<dyn Foreign>> = Some(Arc::new(Functions));
    let (chunk, segment, steps) = (cut.0, cut.1, Some(STEPS));
    let options = interp::InterpOptions { chunk, segment, foreign, steps, ..Default::default() };
    interp::run(program, positions, args, &options)
}

/// Whether a function by which a store combines can fault. A chunk or segment is combined with those before it as soon as it is
/// done, and by the interpreter of the core at the end, so that another fault may be the first.
fn faults_between(code: &Imp) -> bool {
    code.stores.ids().any(|store| match code.stores[store].combine {
        Combine::Func(func) => of_func(code, func).faults,
        _ => false,
    })
}

fn is_same(got: &Result<Value, Fault>, expected: &Result<Value, Fault>, any_fault: bool) -> bool {
    match (got, expected) {
        (Ok(got), Ok(expected)) => got.same_bits(expected),
        (Err(got), Err(expected)) => got == expected || any_fault,
        _ => false,
    }
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
}

/// The foreign functions that generated programs call, and any other of one scalar, which is cast.
struct Functions;

impl Foreign for Functions {
    fn has(&self, _: &str) -> bool {
        true
    }

    fn call(&self, symbol: &str, args: &[Value], ty: &Type) -> Value {
        match (symbol, args) {
            ("weldment_half", [Value::F64(x)]) => Value::F64(x / 2.0),
            ("weldment_blend", [Value::Bool(c), Value::I64(a), Value::F32(b)]) => {
                Value::F32(if *c { *a as f32 } else { *b })
            }
            (_, [x]) => match (x.as_const(), ty.as_scalar()) {
                (Some(x), Some(ty)) => scalar::cast(ty, x).into(),
                _ => x.clone(),
            },
            _ => panic!("`{symbol}` takes no {args:?}"),
        }
    }
}
