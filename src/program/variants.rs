//! Variants of a program for the values of its `const` parameters, compiled when it is called.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use weldment_codegen::backend::{self, Call, Compiled, Given};
use weldment_core::constants::{Constant, MAX_ELEMENTS, too_large};
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::{CompileOptions, Executor, Program, Ready, guarded};

/// How many variants of one program there are.
const MOST: usize = 16;

/// A program that takes some parameters as constants, where the values allow it.
#[derive(Debug)]
pub(super) struct Variants {
    /// What takes all parameters.
    general: Arc<dyn Compiled>,
    program: Program,
    options: CompileOptions,
    /// The numbers of the parameters that are declared `const`, and of the others.
    wanted: Vec<usize>,
    others: Vec<usize>,
    /// The types of the others.
    params: Vec<Type>,
    known: RwLock<Vec<Variant>>,
}

/// The program for these values of its `const` parameters. Who comes first compiles it; it is nothing if that fails, which is a
/// mistake of ours: the program as it is has been compiled.
#[derive(Clone, Debug)]
struct Variant {
    values: Arc<[Value]>,
    compiled: Arc<OnceLock<Option<Arc<dyn Compiled>>>>,
}

impl Variants {
    /// The program, which was `compiled` as it is, with its variants if it has any.
    pub(super) fn ready(program: &Program, options: &CompileOptions, compiled: Arc<dyn Compiled>) -> Ready {
        let wanted = program.source.positions.wanted_params();
        if wanted.is_empty() || options.executor == Executor::Interpreter {
            return Ready { compiled, variants: None };
        }
        let others: Vec<usize> =
            (0..program.params.len()).filter(|number| !wanted.contains(number)).collect();
        let variants = Arc::new(Variants {
            general: compiled,
            // A source of its own: that of `program` keeps what this is part of.
            program: program.knowing(Vec::new()),
            options: options.clone(),
            params: others.iter().map(|&number| program.params[number].clone()).collect(),
            wanted,
            others,
            known: RwLock::default(),
        });
        Ready { compiled: variants.clone(), variants: Some(variants) }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.iter().filter(|variant| matches!(variant.compiled.get(), Some(Some(_)))).count()
    }

    /// The variant for these values, if there is one or may be one more.
    fn of(&self, values: Vec<Value>) -> Option<Variant> {
        let same = |variant: &&Variant| variant.values.iter().zip(&values).all(|(a, b)| a.same_bits(b));
        {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(variant) = known.iter().find(same) {
                return Some(variant.clone());
            }
            if known.len() == MOST {
                return None;
            }
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = known.iter().find(same) {
            return Some(variant.clone());
        }
        if known.len() == MOST {
            return None;
        }
        let variant = Variant { values: values.into(), compiled: Arc::default() };
        known.push(variant.clone());
        Some(variant)
    }

    /// What `call` gives for the parameters that are declared `const`, if these are constants.
    fn values(&self, call: &Call<'_>) -> Option<Vec<Value>> {
        let value = |&number: &usize| {
            if call.len_of_arg(number).is_some_and(|len| len > MAX_ELEMENTS) {
                return None;
            }
            let value = call.arg(number);
            too_large(&self.program.params[number], &value).is_none().then_some(value)
        };
        self.wanted.iter().map(value).collect()
    }

    /// The program that knows these values.
    fn compile(&self, values: &[Value]) -> Option<Arc<dyn Compiled>> {
        let positions = &self.program.source.positions;
        let names = positions.wanted();
        let constant = |((&param, value), (name, at)): ((&usize, &Value), _)| Constant {
            param,
            name,
            value: value.clone(),
            at,
        };
        let constants = self.wanted.iter().zip(values).zip(names).map(constant).collect();
        let knowing = self.program.knowing(constants);
        guarded(|| knowing.compile_anew(&self.options)).ok()
    }
}

impl Compiled for Variants {
    fn run(&self, call: Call<'_>) -> Result<Given, Fault> {
        let variant = self.values(&call).and_then(|values| self.of(values));
        let compiled = variant
            .and_then(|Variant { values, compiled }| compiled.get_or_init(|| self.compile(&values)).clone());
        match compiled {
            Some(compiled) => compiled.run(call.of_some(&self.params, &self.others)),
            None => self.general.run(call),
        }
    }

    fn cache_status(&self) -> &backend::CacheStatus {
        self.general.cache_status()
    }
}
