//! Target machines: LLVM's code generator for the host. Making one takes as long as a twentieth of what a small program takes
//! altogether, so that one that is done with waits for the next program.
//!
//! This file may use `unsafe` because a target machine goes from thread to thread. What makes it sound: it refers to nothing that
//! belongs to a thread, and whoever takes it out of the list is the only one who has it.
#![allow(unsafe_code)]

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use inkwell::OptimizationLevel;
use inkwell::targets::{CodeModel, RelocMode, Target, TargetMachine, TargetTriple};

use super::error::{EngineError, environment};
use super::host::Host;

/// As many wait at most: programs are compiled by few threads at once.
const WAITING: usize = 4;

static IDLE: Mutex<Vec<(OptimizationLevel, Idle)>> = Mutex::new(Vec::new());

/// A target machine that nobody uses.
struct Idle(TargetMachine);

// SAFETY: a target machine refers to nothing of the thread that made it, and is used by one thread at a time.
unsafe impl Send for Idle {}

/// A target machine for the host, which waits for the next program when it is dropped.
pub(crate) struct Machine {
    level: OptimizationLevel,
    /// There until it is dropped.
    machine: Option<TargetMachine>,
}

impl Machine {
    /// One that generates code for the host as `level` says.
    pub(crate) fn of(host: &Host, level: OptimizationLevel) -> Result<Machine, EngineError> {
        let waiting = {
            let mut idle = idle();
            idle.iter().position(|(of, _)| *of == level).map(|place| idle.swap_remove(place).1.0)
        };
        let machine = match waiting {
            Some(machine) => machine,
            None => new(host, level)?,
        };
        Ok(Machine { level, machine: Some(machine) })
    }
}

impl Deref for Machine {
    type Target = TargetMachine;

    fn deref(&self) -> &TargetMachine {
        self.machine.as_ref().expect("it is there until it is dropped")
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // One that a panic has left in the middle of something is not used again.
        let machine = self.machine.take().filter(|_| !std::thread::panicking());
        let mut idle = idle();
        if let Some(machine) = machine
            && idle.len() < WAITING
        {
            idle.push((self.level, Idle(machine)));
        }
    }
}

fn idle() -> MutexGuard<'static, Vec<(OptimizationLevel, Idle)>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn new(host: &Host, level: OptimizationLevel) -> Result<TargetMachine, EngineError> {
    let triple = TargetTriple::create(&host.triple);
    Target::from_triple(&triple)
        .map_err(|e| environment(format_args!("LLVM has no code generator for {}: {e}", host.triple)))?
        .create_target_machine(&triple, &host.cpu, &host.features, level, RelocMode::PIC, CodeModel::Default)
        .ok_or_else(|| {
            environment(format_args!("LLVM has no target machine for {} on {}", host.cpu, host.triple))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::engine::target::host;

    #[test]
    fn threads_use_machines_one_after_the_other() {
        let host = host().unwrap();
        let text = "define i64 @f(i64 %x) {\n  ret i64 %x\n}\n";
        let object = || crate::llvm::engine::optimize::object(host, text, crate::llvm::Level::Full).unwrap();
        let first = object();
        let others = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| [object(), object()])).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(others.iter().all(|other| *other == first));
        assert!(idle().len() <= WAITING);
    }
}
