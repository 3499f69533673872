//! Programs some of whose parameters are constants.

use std::sync::Arc;

use weldment_codegen::backend;
use weldment_core::constants::{self, Constant};
use weldment_core::diagnostic::{Code, nearest};
use weldment_runtime::lang::fault::Position;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::variants::{Ready, Variants};
use super::{CompileError, CompileOptions, Compiled, Executor, Program, Source, guarded};

impl Program {
    /// The same program, to which these parameters are constants: it takes the others, in their order. What follows from a constant
    /// is known when it is compiled: short inner loops over `0..n` are written out, branches on it are taken, and the taps of a filter stand in
    /// the code.
    ///
    /// Results have the bits of the program that takes all of them. For that, the constants come after the fusions: how loops are fused,
    /// and how they are cut, shows in sums of floats. What the program claims by `#[expect(…)]`, and its [warnings](Program::warnings), are about the program
    /// as it is written. Each variant is compiled for itself; [`Program::explain`] names its constants.
    ///
    /// Constants are scalars, texts of up to 1024 bytes, dates and times, options, enums, and tuples, structs, fixed arrays, arrays and
    /// vectors of these, of up to 64 elements each and 4096 scalars in all, and dictionaries of up to 8
    /// keys, in which a look-up is a comparison with each of them.
    ///
    /// # Errors
    /// A name that no parameter has, or that is given twice; a value of another type than the parameter, of one that no constant
    /// has, or that is too large.
    ///
    /// ```
    /// use weldment::{CompileOptions, Program, Value};
    ///
    /// let text = "|v: &[f64], taps: &[f64], scale: f64| \
    ///             (0..len(v) - len(taps) + 1).map(|i| (0..len(taps)).map(|k| v[i + k] * taps[k]).sum() * scale)";
    /// let filter = Program::parse(text)?;
    /// let taps = Value::vec(vec![Value::F64(0.25), Value::F64(0.5), Value::F64(0.25)]);
    /// let smooth = filter.with_constants(&[("taps", taps)])?;
    /// assert_eq!(smooth.params().len(), 2); // `v` and `scale`
    /// let smooth = smooth.compile(&CompileOptions::default())?;
    /// assert_eq!(smooth.call::<(&[f64], f64), Vec<f64>>((&[1.0, 2.0, 5.0, 2.0], 2.0))?, [5.0, 7.0]);
    ///
    /// let error = filter.with_constants(&[("tap", Value::F64(0.5))]).unwrap_err();
    /// assert!(error.message.contains("the program has no parameter `tap`"));
    /// let error = filter.with_constants(&[("scale", Value::I64(2))]).unwrap_err();
    /// assert!(error.message.contains("`scale` is of type f64, and its value of type i64"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_constants(&self, constants: &[(&str, Value)]) -> Result<Program, CompileError> {
        let mut told = Vec::new();
        for (name, value) in constants {
            let constant = self.constant(name, value)?;
            if told.iter().any(|other: &Constant| other.param == constant.param) {
                let message = format!("`{name}` is given twice\nhelp: give one of the two values");
                return Err(CompileError::new(
                    Code::Constant,
                    message,
                    self.source.positions.get(constant.at),
                ));
            }
            told.push(constant);
        }
        Ok(self.knowing(told))
    }

    /// The program that takes what is left.
    pub(super) fn knowing(&self, told: Vec<Constant>) -> Program {
        let numbers: Vec<usize> = told.iter().map(|constant| constant.param).collect();
        let is_left = |number: &usize| !numbers.contains(number);
        let params =
            (0..self.params.len()).filter(is_left).map(|number| self.params[number].clone()).collect();
        // To the program as it is written, the numbers are those of all its parameters.
        let left = self.left();
        let told = told.into_iter().map(|constant| Constant { param: left[constant.param], ..constant });
        let source = Source {
            #[cfg(feature = "html")]
            text: self.source.text.clone(),
            program: self.source.program.clone(),
            positions: self.source.positions.without_params(&numbers),
            constants: self.source.constants.iter().cloned().chain(told).collect(),
            compiled: Compiled::default(),
        };
        Program { source: Arc::new(source), params, ..self.clone() }
    }

    /// The program, which was `compiled` as it is, with its variants if it has parameters that are declared `const`.
    pub(super) fn ready(&self, options: &CompileOptions, compiled: Arc<dyn backend::Compiled>) -> Ready {
        let wanted = self.source.positions.wanted_params();
        if wanted.is_empty() || options.executor == Executor::Interpreter {
            return Ready { compiled, variants: None };
        }
        // A source of its own: that of `self` keeps what this is part of.
        let (program, options, numbers) = (self.knowing(Vec::new()), options.clone(), wanted.clone());
        let compile = move |values: &[Value]| {
            let names = program.source.positions.wanted();
            let constants = numbers
                .iter()
                .zip(values)
                .zip(names)
                .map(|((&param, value), (name, at))| Constant { param, name, value: value.clone(), at });
            let knowing = program.knowing(constants.collect());
            guarded(|| knowing.compile_anew(&options)).ok()
        };
        let variants = Arc::new(Variants::new(compiled, self.params.clone(), wanted, compile));
        Ready { compiled: variants.clone(), variants: Some(variants) }
    }

    /// The parameters of the program as it is written that are none of its constants.
    fn left(&self) -> Vec<usize> {
        let Source { program, constants, .. } = &*self.source;
        let entry = &program.bodies[program.entry.expect("a lowered program has an entry")];
        let is_left = |number: &usize| constants.iter().all(|constant| constant.param != *number);
        (0..entry.params.len()).filter(is_left).collect()
    }

    /// The parameter `name` as a constant of this value, by its number among those that are left.
    fn constant(&self, name: &str, value: &Value) -> Result<Constant, CompileError> {
        let positions = &self.source.positions;
        let Some((param, at)) = positions.param_named(name) else {
            let advice = self.names_near(name);
            let message = format!("the program has no parameter `{name}`\nhelp: {advice}");
            return Err(CompileError::new(Code::UnknownName, message, Position::default()));
        };
        let refused = |message| Err(CompileError::new(Code::Constant, message, positions.get(at)));
        let ty = &self.params[param];
        // Of an array that is lent, the program knows more than its callers.
        let Source { program, .. } = &*self.source;
        let entry = &program.bodies[program.entry.expect("a lowered program has an entry")];
        if let Some(what) = constants::refused_type(program.ty(entry.params[self.left()[param]])) {
            return refused(format!(
                "`{name}` is of type {ty}, and no constant is or holds {what}\nhelp: give it to each call"
            ));
        }
        if !value.has_type(ty) {
            let found = type_of(value).map_or_else(
                || format!("its value is {value}"),
                |found| format!("its value of type {found}"),
            );
            return refused(format!(
                "`{name}` is of type {ty}, and {found}\nhelp: give a value of that type"
            ));
        }
        if let Some(why) = constants::too_large(ty, value) {
            return refused(format!("the value of `{name}` is too large: {why}\nhelp: give it to each call"));
        }
        Ok(Constant { param, name: name.to_owned(), value: value.clone(), at })
    }

    /// Advice for who has written `name` in place of a parameter's.
    fn names_near(&self, name: &str) -> String {
        let positions = &self.source.positions;
        if let Some(near) = nearest(name, positions.param_names()) {
            return format!("did you mean `{near}`?");
        }
        let names: Vec<String> = positions.param_names().map(|name| format!("`{name}`")).collect();
        let constants = self.source.constants.iter().map(|constant| format!("`{}`", constant.name));
        let constants: Vec<String> = constants.collect();
        match (&names[..], &constants[..]) {
            ([], []) => "it takes no parameter that has a name".to_owned(),
            (names, []) => format!("its parameters are {}", names.join(", ")),
            ([], constants) => format!("all of them are constants already: {}", constants.join(", ")),
            (names, constants) => {
                format!(
                    "its parameters are {}; constants already: {}",
                    names.join(", "),
                    constants.join(", ")
                )
            }
        }
    }
}

/// The type of a value, as far as it tells one: that of an empty vector's elements is not known.
fn type_of(value: &Value) -> Option<Type> {
    match value {
        Value::Vec(elements) => elements.first().and_then(type_of).map(Type::vec),
        Value::Struct(fields) => {
            Some(Type::structure(fields.iter().map(type_of).collect::<Option<Vec<_>>>()?))
        }
        Value::Array(parts) => {
            let Some(Value::Vec(elements)) = parts.first() else { return None };
            Some(Type::array(elements.first().and_then(type_of)?, parts.len() / 3))
        }
        Value::Dict(dict) => {
            let (key, value) = dict.iter().next()?;
            Some(Type::dict(type_of(key)?, type_of(value)?))
        }
        scalar => scalar.scalar().map(Type::from),
    }
}
