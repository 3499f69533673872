//! A generator of well-typed programs, as source text in both spellings, with arguments for them.
//!
//! It is driven by a [`Tape`] of numbers, so that shrinking the tape shrinks the program: the first choice is the
//! simplest everywhere, and a tape at its end makes it for ever. A program holds each construct of the language with
//! some probability, faults included, and always ends.

mod builders;
mod cases;
mod data;
mod dictionaries;
mod folds;
mod scalars;
mod tape;
mod vectors;

use weldment_runtime::types::{Scalar, Type};
use weldment_runtime::value::Value;

pub(crate) use cases::for_each_program;
pub(crate) use tape::Tape;

/// What a program may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Whether float sums and products are exact, whichever way they are associated: what is merged is cut to small
    /// whole numbers first.
    pub(crate) exact_folds: bool,
    /// Whether there is a foreign function `half`, from f64 to f64.
    pub(crate) foreign: bool,
}

/// A program and arguments for it.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    pub(crate) source: String,
    pub(crate) args: Vec<Value>,
}

/// The program that `tape` chooses.
pub(crate) fn generate(tape: &[u16], limits: Limits) -> Generated {
    let mut generator =
        Generator { tape: Tape::new(tape), limits, scope: Vec::new(), names: 0, fuel: 0, depth: 0 };
    generator.program()
}

struct Generator<'t> {
    tape: Tape<'t>,
    limits: Limits,
    /// The variables that may be read, innermost last.
    scope: Vec<(String, Type)>,
    /// How many names there are.
    names: usize,
    /// How many more expressions may be other than leaves.
    fuel: usize,
    depth: usize,
}

/// How deep expressions nest.
const MAX_DEPTH: usize = 7;

impl Generator<'_> {
    fn program(&mut self) -> Generated {
        self.fuel = 8 + self.tape.pick(60);
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for _ in 0..1 + self.tape.pick(4) {
            let ty = match self.tape.pick(4) {
                3 => self.ty(2),
                _ => Type::vec(self.ty(1)),
            };
            args.push(self.value(&ty));
            let name = self.bind(&ty);
            params.push(format!("{name}: {ty}"));
        }
        let result = self.ty(2);
        let body = self.expr(&result);
        Generated { source: format!("|{}| {body}", params.join(", ")), args }
    }

    /// A new variable of type `ty`.
    fn bind(&mut self, ty: &Type) -> String {
        self.names += 1;
        let name = format!("x{}", self.names);
        self.scope.push((name.clone(), ty.clone()));
        name
    }

    /// A name for what cannot be read as a value: a builder.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("b{}", self.names)
    }

    /// `write`, with what it binds forgotten afterwards.
    fn scoped<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let len = self.scope.len();
        let result = write(self);
        self.scope.truncate(len);
        result
    }

    /// `|x| body`, with `x` of type `param`.
    fn function(&mut self, param: &Type, body: impl FnOnce(&mut Self, &str) -> String) -> String {
        self.scoped(|this| {
            let name = this.bind(param);
            let body = body(this, &name);
            match this.tape.pick(8) {
                7 => format!("|{name}: {param}| {body}"),
                _ => format!("|{name}| {body}"),
            }
        })
    }

    /// An expression of type `ty`, in parentheses where it needs them.
    fn expr(&mut self, ty: &Type) -> String {
        if self.fuel == 0 || self.depth == MAX_DEPTH {
            return self.leaf(ty);
        }
        self.fuel -= 1;
        self.depth += 1;
        let expr = match self.tape.pick(16) {
            0..3 => self.leaf(ty),
            3..13 => match ty {
                Type::Scalar(scalar) => self.scalar(*scalar),
                Type::Vec(element) => self.vector(element),
                Type::Struct(fields) => self.structure(fields),
                Type::Dict(key, value) => self.dict(key, value),
            },
            _ => self.of_any_type(ty),
        };
        self.depth -= 1;
        expr
    }

    /// A variable or a literal.
    fn leaf(&mut self, ty: &Type) -> String {
        let fitting: Vec<&String> =
            self.scope.iter().rev().filter(|(_, has)| has == ty).map(|(name, _)| name).collect();
        // Variables are the interesting leaves.
        if !fitting.is_empty() && self.tape.pick(5) < 4 {
            return fitting[self.tape.pick(fitting.len())].clone();
        }
        self.literal(ty)
    }

    fn literal(&mut self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) => self.scalar_literal(*scalar),
            Type::Vec(element) => {
                let elements: Vec<String> = (0..=self.tape.pick(3)).map(|_| self.leaf(element)).collect();
                format!("[{}]", elements.join(", "))
            }
            Type::Struct(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| self.leaf(field)).collect();
                braced(&fields)
            }
            Type::Dict(key, value) => self.dict_literal(key, value),
        }
    }

    /// What makes a value of any type.
    fn of_any_type(&mut self, ty: &Type) -> String {
        match self.tape.pick(12) {
            0 => {
                let bound = self.ty(1);
                let value = self.expr(&bound);
                self.scoped(|this| {
                    let name = this.bind(&bound);
                    let body = this.expr(ty);
                    format!("(let {name} = {value}; {body})")
                })
            }
            1 => format!("if({}, {}, {})", self.bool(), self.expr(ty), self.expr(ty)),
            2 => format!("(if ({}) {{ {} }} else {{ {} }})", self.bool(), self.expr(ty), self.expr(ty)),
            3 => format!("select({}, {}, {})", self.bool(), self.expr(ty), self.expr(ty)),
            4 => {
                let other = self.ty(1);
                match self.tape.pick(2) {
                    0 => format!("{{{}, {}}}.$0", self.expr(ty), self.expr(&other)),
                    _ => format!("({}, {}).1", self.expr(&other), self.expr(ty)),
                }
            }
            5 => {
                let vector = self.expr(&Type::vec(ty.clone()));
                match self.tape.pick(2) {
                    0 => format!("lookup({vector}, {})", self.tape.pick(3)),
                    _ => format!("{vector}[{}]", self.index()),
                }
            }
            6 => self.looked_up(ty),
            7 => self.iterated(ty),
            8 => {
                let param = self.ty(1);
                let arg = self.expr(&param);
                let function = self.function(&param, |this, _| this.expr(ty));
                format!("({function})({arg})")
            }
            9 => format!("deserialize[{ty}](serialize({}))", self.expr(ty)),
            10 => self.by_function(ty),
            _ => match self.tape.pick(2) {
                0 => format!("if(assert({}), {}, {})", self.bool(), self.expr(ty), self.leaf(ty)),
                _ => format!("deserialize[{ty}]({})", self.leaf(&Type::vec(Type::Scalar(Scalar::U8)))),
            },
        }
    }

    fn iterated(&mut self, ty: &Type) -> String {
        let (init, steps) = (self.expr(ty), 1 + self.tape.pick(3));
        let state = Type::structure([ty.clone(), Type::Scalar(Scalar::I32)]);
        let function = self.function(&state, |this, s| {
            this.scope.push((format!("{s}.$0"), ty.clone()));
            let next = this.expr(ty);
            let more = match this.tape.pick(3) {
                0 => format!("({} && {s}.$1 < {steps})", this.bool()),
                _ => format!("{s}.$1 < {steps}"),
            };
            format!("{{{{{next}, {s}.$1 + 1}}, {more}}}")
        });
        format!("iterate({{{init}, 0}}, {function}).$0")
    }

    fn structure(&mut self, fields: &[Type]) -> String {
        if self.tape.pick(4) == 3
            && let Some(results) = self.results_of_one_loop(fields)
        {
            return results;
        }
        let fields: Vec<String> = fields.iter().map(|field| self.expr(field)).collect();
        braced(&fields)
    }

    fn bool(&mut self) -> String {
        self.expr(&Type::Scalar(Scalar::Bool))
    }

    /// An index that is often inside a short vector.
    fn index(&mut self) -> String {
        match self.tape.pick(3) {
            0 => "0".to_owned(),
            1 => format!("(abs({}) % 3L)", self.expr(&Type::Scalar(Scalar::I64))),
            _ => self.expr(&Type::Scalar(Scalar::I64)),
        }
    }
}

/// `{a, b}`; `{a,}` is a struct of one field.
fn braced(fields: &[String]) -> String {
    match fields {
        [field] => format!("{{{field},}}"),
        fields => format!("{{{}}}", fields.join(", ")),
    }
}
