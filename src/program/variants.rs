//! Variants of a program for the values of its `const` parameters, compiled when it is called.

use std::fmt;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use weldment_codegen::backend::{self, Call, Compiled, Given};
use weldment_core::constants::{MAX_ELEMENTS, too_large};
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

/// How many variants of one program there are.
const MOST: usize = 16;

/// What a program was compiled to.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    pub(super) compiled: Arc<dyn Compiled>,
    /// The same, if it has parameters that are declared `const`.
    pub(super) variants: Option<Arc<Variants>>,
}

/// The program for these values of its `const` parameters, if it can be compiled.
type Compile = dyn Fn(&[Value]) -> Option<Arc<dyn Compiled>> + Send + Sync;

/// A program that takes some parameters as constants, where the values allow it.
pub(super) struct Variants {
    /// What takes all parameters.
    general: Arc<dyn Compiled>,
    compile: Box<Compile>,
    /// The numbers of the parameters that are declared `const`, and of the others.
    wanted: Vec<usize>,
    others: Vec<usize>,
    /// The types of all parameters, and of the others.
    params: Vec<Type>,
    left: Vec<Type>,
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
    /// Those of a program with these parameters, some of which, `wanted`, are declared `const`.
    pub(super) fn new(
        general: Arc<dyn Compiled>,
        params: Vec<Type>,
        wanted: Vec<usize>,
        compile: impl Fn(&[Value]) -> Option<Arc<dyn Compiled>> + Send + Sync + 'static,
    ) -> Variants {
        let others: Vec<usize> = (0..params.len()).filter(|number| !wanted.contains(number)).collect();
        let left = others.iter().map(|&number| params[number].clone()).collect();
        Variants {
            general,
            compile: Box::new(compile),
            wanted,
            others,
            params,
            left,
            known: RwLock::default(),
        }
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
            too_large(&self.params[number], &value).is_none().then_some(value)
        };
        self.wanted.iter().map(value).collect()
    }
}

impl Compiled for Variants {
    fn run(&self, call: Call<'_>) -> Result<Given, Fault> {
        let variant = self.values(&call).and_then(|values| self.of(values));
        let compiled = variant.and_then(|Variant { values, compiled }| {
            compiled.get_or_init(|| (self.compile)(&values)).clone()
        });
        match compiled {
            Some(compiled) => compiled.run(call.of_some(&self.left, &self.others)),
            None => self.general.run(call),
        }
    }

    fn cache_status(&self) -> &backend::CacheStatus {
        self.general.cache_status()
    }
}

impl fmt::Debug for Variants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Variants { general, wanted, known, .. } = self;
        f.debug_struct("Variants")
            .field("general", general)
            .field("wanted", wanted)
            .field("known", known)
            .finish_non_exhaustive()
    }
}
