//! The reference interpreter as what runs a program.

use std::sync::Arc;

use weldment_codegen::backend::{Call, Compiled, Given};
use weldment_codegen::foreign::Callees;
use weldment_core::diagnostic::Code;
use weldment_core::guard;
use weldment_core::interp::{self, InterpOptions};
use weldment_core::ir;
use weldment_core::source::Positions;
use weldment_runtime::lang::fault::Fault;

use super::foreign::{Interpreted, beyond};
use super::{CompileError, CompileOptions};

/// A program that is interpreted.
#[derive(Debug)]
pub(super) struct Interpreter {
    program: ir::Program,
    positions: Positions,
    cut: InterpOptions,
}

impl Interpreter {
    /// `program`, if it calls only foreign functions that it can.
    pub(super) fn new(
        program: ir::Program,
        positions: Positions,
        callees: Callees,
        options: &CompileOptions,
    ) -> Result<Interpreter, CompileError> {
        if let Some((what, loc)) = beyond(&program) {
            let message = format!("the interpreter does not call foreign functions {what}");
            return Err(CompileError::new(Code::Executor, message, positions.get(loc)));
        }
        let cut = InterpOptions {
            chunk: options.chunk,
            segment: options.segment,
            foreign: Some(Arc::new(Interpreted(callees))),
            ..InterpOptions::default()
        };
        Ok(Interpreter { program, positions, cut })
    }
}

impl Compiled for Interpreter {
    fn run(&self, call: Call<'_>) -> Result<Given, Fault> {
        let Interpreter { program, positions, cut } = self;
        let (context, args) = (call.context(), call.args());
        // It recurses into programs.
        let value = guard::on_large_stack(|| interp::run_in(context, program, positions, &args, cut))?;
        Ok(call.give(value))
    }
}
