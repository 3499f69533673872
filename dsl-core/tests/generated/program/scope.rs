//! Variables: what may be read where.

use weldment_runtime::lang::types::Type;

use super::data::is_taken_apart;
use super::spell::Step;
use super::{Generator, MAX_RUNS};

/// What may be read: a variable, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) path: Vec<Step>,
    pub(super) ty: Type,
    /// Which of all the variables with this name it is.
    pub(super) binding: usize,
}

impl Generator<'_> {
    /// A new variable of type `ty`.
    pub(super) fn bind(&mut self, ty: &Type) -> String {
        self.names += 1;
        let name = format!("x{}", self.names);
        self.bind_as(&name, ty);
        name
    }

    /// A variable of type `ty`, which may hide another.
    pub(super) fn bind_over(&mut self, ty: &Type) -> String {
        if self.tape.pick(8) < 7 || self.scope.is_empty() {
            return self.bind(ty);
        }
        let hidden = self.scope[self.tape.pick(self.scope.len())].name.clone();
        if !hidden.starts_with('x') {
            return self.bind(ty);
        }
        self.bind_as(&hidden, ty);
        hidden
    }

    fn bind_as(&mut self, name: &str, ty: &Type) {
        self.names += 1;
        let binding = self.names;
        let whole = Variable { name: name.to_owned(), path: Vec::new(), ty: ty.clone(), binding };
        let mut parts = vec![whole];
        let mut next = 0;
        while let Some(Variable { path, ty, .. }) = parts.get(next).cloned() {
            let fields = ty.fields().filter(|_| is_taken_apart(&ty)).unwrap_or_default();
            for (number, field) in fields.iter().enumerate() {
                let path = [&path[..], &[self.step(&ty, number)]].concat();
                parts.push(Variable { name: name.to_owned(), path, ty: field.clone(), binding });
            }
            next += 1;
        }
        // The whole is what is read most.
        self.scope.extend(parts.into_iter().rev());
    }

    /// Lets a part of `name`, which is not to be read itself, be read.
    pub(super) fn bind_part(&mut self, name: &str, step: Step, ty: &Type) {
        self.names += 1;
        let binding = self.names;
        self.scope.push(Variable { name: name.to_owned(), path: vec![step], ty: ty.clone(), binding });
    }

    /// A name for what cannot be read as a value: a builder.
    pub(super) fn name(&mut self) -> String {
        self.names += 1;
        format!("b{}", self.names)
    }

    /// `write`, with what it binds forgotten afterwards.
    pub(super) fn scoped<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let len = self.scope.len();
        let result = write(self);
        self.scope.truncate(len);
        result
    }

    /// As [`Generator::scoped`], where what `write` writes runs for each element of a vector.
    pub(super) fn for_each<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        self.repeated(self.longest, write)
    }

    /// As [`Generator::scoped`], where what `write` writes runs so often.
    pub(super) fn repeated<R>(&mut self, times: usize, write: impl FnOnce(&mut Self) -> R) -> R {
        let once = self.runs;
        self.runs = once.saturating_mul(times);
        let result = self.scoped(write);
        self.runs = once;
        result
    }

    /// Whether what runs so often here does not take too long.
    pub(super) fn affords(&self, times: usize) -> bool {
        self.runs.saturating_mul(times) <= MAX_RUNS
    }

    /// `|x| body`, with `x` of type `param` and, if it is said, a body of type `result`.
    pub(super) fn function(
        &mut self,
        param: &Type,
        result: Option<&Type>,
        body: impl FnOnce(&mut Self) -> String,
    ) -> String {
        self.for_each(|this| {
            let shape = this.tape.pick(16);
            let (mut pattern, body) = match param {
                _ if is_taken_apart(param) && shape < 5 => {
                    let names = this.bind_fields(param);
                    let whole = this.name();
                    let body = body(this);
                    this.taken_apart(param, &whole, &names, body)
                }
                _ if shape == 15 => ("_".to_owned(), body(this)),
                _ => (this.bind_over(param), body(this)),
            };
            if shape % 5 == 4 {
                pattern += &format!(": {}", this.spell.ty(param));
            } else if !pattern.starts_with('&') && this.spell.is_rust() && this.spell.one_in(8) {
                pattern.insert(0, '&');
            }
            this.spell.closure(&[pattern], result, &body)
        })
    }

    /// A name for each field of `ty`, or none.
    pub(super) fn bind_fields(&mut self, ty: &Type) -> Vec<Option<String>> {
        let fields = ty.fields().expect("a struct").to_vec();
        fields.iter().map(|field| (self.tape.pick(4) < 3).then(|| self.bind(field))).collect()
    }

    /// A variable or a literal.
    pub(super) fn leaf(&mut self, ty: &Type) -> String {
        let is_hidden = |at: usize, of: &Variable| {
            self.scope[at..].iter().any(|later| later.name == of.name && later.binding != of.binding)
        };
        let seen = self.scope.iter().enumerate().rev().filter(|(at, of)| of.ty == *ty && !is_hidden(*at, of));
        let fitting: Vec<Variable> = seen.map(|(_, variable)| variable.clone()).collect();
        // Variables are the interesting leaves.
        if !fitting.is_empty() && self.tape.pick(5) < 4 {
            let Variable { name, path, .. } = &fitting[self.tape.pick(fitting.len())];
            return self.spell.variable(name, path);
        }
        self.literal(ty)
    }
}
