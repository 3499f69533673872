//! The executor: prints C, has it compiled, and runs that.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use weldment::Fault;
use weldment::backend::imp::{Imp, Target};
use weldment::backend::{Backend, BackendError, Call, Code, Compiled, Given, Source, Unsupported};

use crate::{library, printer};

/// The executor, with the modules that it has compiled: programs that are cut otherwise often have the same.
#[derive(Default)]
pub(crate) struct C {
    compiled: Mutex<HashMap<String, Arc<Code>>>,
}

#[derive(Debug)]
struct Program(Arc<Code>);

impl Compiled for Program {
    fn run(&self, call: Call<'_>) -> Result<Given, Fault> {
        self.0.run(call)
    }
}

impl Backend for C {
    fn name(&self) -> &str {
        "c"
    }

    fn target(&self) -> Target {
        Target::default()
    }

    fn accepts(&self, program: &Imp) -> Result<(), Unsupported> {
        match printer::refused(program) {
            Some((what, loc)) => Err(Unsupported::new(what, loc)),
            None => Ok(()),
        }
    }

    fn compile(&self, source: &Source<'_>) -> Result<Arc<dyn Compiled>, BackendError> {
        let module = printer::print(source.program, source.positions, source.foreign);
        let known = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(&module.text).cloned();
        let code = match found {
            Some(code) => code,
            None => {
                let code = Arc::new(library::code(&module, module.types.clone(), source.foreign)?);
                known().insert(module.text, code.clone());
                code
            }
        };
        Ok(Arc::new(Program(code)))
    }
}
