//! A generator of well-typed programs, as source text in both spellings, with arguments for them.
//!
//! It is driven by a [`Tape`] of numbers, so that shrinking the tape shrinks the program: the first choice is the
//! simplest everywhere, and a tape at its end makes it for ever. A program holds each construct of the language with
//! some probability, faults included, and always ends, soon. How it is spelt is chosen apart from what it says.

mod any;
mod arrays;
mod builders;
mod carried;
mod data;
mod debugged;
mod dictionaries;
mod fed;
mod fixed;
mod folds;
mod halves;
mod items;
mod known;
mod literals;
mod meshes;
mod nested;
mod options;
mod scalars;
mod scope;
mod shapes;
mod spell;
mod stencils;
pub(crate) mod structs;
mod tables;
mod tape;
mod texts;
mod times;
mod vectors;
mod wide;

use weldment_runtime::lang::types::{Column, Scalar, Size, Type};
use weldment_runtime::lang::value::Value;

use data::{is_reducible, is_taken_apart};
use items::Callable;
use scope::Variable;
use spell::Speller;
use structs::Struct;
use tape::Tape;

pub(crate) use spell::Spelling;

/// What a program may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// What sums and products of floats depend on.
    pub(crate) folds: Folds,
    /// Whether there are the foreign functions `weldment_half`, from f64 to f64, and `weldment_blend`, from bool, i64
    /// and f32 to f32.
    pub(crate) foreign: bool,
    /// How all programs are spelt; `None` if each is in a way of its own.
    pub(crate) spelling: Option<Spelling>,
}

/// What sums and products of floats depend on. Each user of the generator wants one of them.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Folds {
    /// On their terms only: summands are cut to small whole numbers, and factors to powers of two. Floats have few bits
    /// behind the point.
    Exact,
    /// On the order of their terms by some roundings only: summands are not negative, and factors near one. Floats have
    /// as many bits as there are.
    Rounded,
    /// On the order of their terms. Floats have as many bits as there are.
    Free,
}

/// A program and arguments for it.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    /// The structs that it names.
    pub(crate) structs: Vec<Struct>,
    /// The types of its parameters.
    pub(crate) params: Vec<Type>,
    /// Where the first of them comes from, if its caller does not give it.
    #[allow(dead_code, reason = "a program that is text takes it as an argument")]
    pub(crate) outside: Option<Outside>,
    /// The type of its result.
    pub(crate) result: Type,
    /// What it says, but for the structs, in one line.
    pub(crate) source: String,
    pub(crate) args: Vec<Value>,
}

/// What a constant is called that is a variable of this name to the generator: in Rust it is written in capitals, and a name that emitted
/// code has for a variable would be taken for the constant.
pub(crate) fn constant_name(name: &str) -> String {
    format!("OF_RUST_{}", name.to_uppercase())
}

/// `source` with the name `to` wherever `from` stands.
fn renamed(source: &str, from: &str, to: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut renamed = String::new();
    let mut rest = source;
    while let Some(start) = rest.find(is_part) {
        let (before, word) = rest.split_at(start);
        let (word, behind) = word.split_at(word.find(|c| !is_part(c)).unwrap_or(word.len()));
        renamed += before;
        renamed += if word == from { to } else { word };
        rest = behind;
    }
    renamed + rest
}

/// What the Rust around a kernel gives, by its name.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "only emitted Rust has something around it")]
pub(crate) enum Outside {
    /// `const a: f64;`
    Constant(String),
    /// `[a: f64]`
    Capture(String),
}

impl Generated {
    /// The whole program as text. What stands behind its structs is a line of its own, so that the columns are those
    /// of [`Generated::source`].
    pub(crate) fn text(&self) -> String {
        let structs: Vec<String> = self.structs.iter().map(Struct::item).collect();
        format!("{}\n{}", structs.join(" "), self.source)
    }
}

/// The program that `tape` chooses.
pub(crate) fn generate(tape: &[u16], limits: Limits) -> Generated {
    let mut tape = Tape::new(tape);
    let own = match tape.pick(4) {
        0 => Spelling::Weld,
        1 => Spelling::Rust,
        _ => Spelling::Mixed(tape.pick(1 << 16) as u16),
    };
    let mut generator = Generator {
        tape,
        limits,
        spell: Speller::new(limits.spelling.unwrap_or(own)),
        structs: Vec::new(),
        callables: Vec::new(),
        scope: Vec::new(),
        names: 0,
        fuel: 0,
        depth: 0,
        runs: 1,
        longest: 5,
        names_axes: false,
        names_enum: false,
    };
    generator.program()
}

struct Generator<'t> {
    tape: Tape<'t>,
    limits: Limits,
    spell: Speller,
    structs: Vec<Struct>,
    callables: Vec<Callable>,
    /// The variables that may be read, innermost last.
    scope: Vec<Variable>,
    /// How many names there are.
    names: usize,
    /// How many more expressions may be other than leaves.
    fuel: usize,
    depth: usize,
    /// How often what is being written runs, by and large.
    runs: usize,
    /// How long vectors are at most, by and large: the longest argument, or a literal.
    longest: usize,
    /// Whether the program declares axes.
    names_axes: bool,
    /// Whether it declares the enum.
    names_enum: bool,
}

/// A type with sizes in place of numbers, where it is that of a number or of a vector of them, and the argument as one of it.
fn as_sizes(ty: &Type, arg: &Value, size: Size) -> (Type, Value) {
    match (ty, arg) {
        (&Type::I64, number) => (Type::size(size), Value::structure(vec![number.clone()])),
        (Type::Vec(element), Value::Vec(elements)) if **element == Type::I64 => {
            let elements = elements.iter().map(|number| Value::structure(vec![number.clone()]));
            (Type::vec(Type::size(size)), Value::vec(elements.collect()))
        }
        _ => (ty.clone(), arg.clone()),
    }
}

/// A column as Arrow has it in place of a vector of texts, with offsets of this type, or of scalars that may be missing, and the argument as one of it.
fn as_column(ty: &Type, arg: &Value, offset: Scalar) -> (Type, Value) {
    let (Type::Vec(element), Value::Vec(rows)) = (ty, arg) else { return (ty.clone(), arg.clone()) };
    let column = match element.as_option().and_then(Type::as_scalar) {
        Some(scalar) => Column::Nullable(scalar),
        None if element.is_text() => Column::Strings(offset),
        None => return (ty.clone(), arg.clone()),
    };
    (Type::column(column), Value::of_rows(column, rows))
}

/// The enum of a program that has one.
const KIND: &str = "enum Kind: i8 { Low = -3, None, Zero = 0, High = b'H' } ";

/// How deep expressions nest.
const MAX_DEPTH: usize = 7;

/// How often anything but a leaf runs, by and large. Without a bound, a program of a few loops inside of each other
/// takes longer than thousands of others.
const MAX_RUNS: usize = 20_000;

impl Generator<'_> {
    fn program(&mut self) -> Generated {
        self.declare_structs();
        let items = self.aliases() + &self.callables();
        self.fuel = 8 + self.tape.pick(60);
        let (mut params, mut types, mut args) = (Vec::new(), Vec::new(), Vec::new());
        // One at most: fields are read in the order of the patterns, and those of `let`s behind all of them.
        let mut apart = None;
        for number in 0..1 + self.tape.pick(4) {
            let ty = match self.tape.pick(4) {
                _ if number == 0 && self.limits.folds == Folds::Rounded => Type::vec(self.float_ty()),
                3 => self.ty(2),
                _ => Type::vec(self.ty(1)),
            };
            args.push(self.value(&ty));
            params.push(match is_taken_apart(&ty) {
                true if self.tape.pick(3) == 2 && apart.is_none() => {
                    let (names, whole) = (self.bind_fields(&ty), self.name());
                    apart = Some((types.len(), names));
                    whole
                }
                _ => self.bind(&ty),
            });
            types.push(ty);
        }
        let (result, mut body) = self.result();
        if let Some((number, names)) = apart {
            let (pattern, inside) = self.taken_apart(&types[number], &params[number], &names, body);
            (params[number], body) = (pattern, inside);
        }
        let versions = self.versions(&params, &types, &args);
        // What comes from outside may be a size or a column; the program has it as the number or the vector that it is.
        for (ty, arg) in types.iter_mut().zip(&mut args).skip(1) {
            if self.tape.by_place(&[false, true, false]) {
                // There is no version of a `usize` that is negative.
                let is_negative = arg.as_integer().is_some_and(|number| number < 0);
                let size = match self.tape.of(&Size::ALL) {
                    _ if is_negative && !versions.is_empty() => Size::Isize,
                    size => size,
                };
                (*ty, *arg) = as_sizes(ty, arg, size);
            } else if self.tape.by_place(&[true, true, true, false]) {
                let offset = self.tape.by_place(&[Scalar::I64, Scalar::I32]);
                (*ty, *arg) = as_column(ty, arg, offset);
            }
        }
        for (param, ty) in params.iter_mut().zip(&types) {
            *param += &format!(": {}", self.spell.param(ty));
        }
        let shown = if self.spell.one_in(6) { Some(&result) } else { None };
        let (outside, given) = self.spell.outside(&mut params, types[0].as_scalar().is_some());
        let closure = self.spell.closure(&params, shown, &body);
        // Constants are items, which stand before attributes; captures stand behind them.
        let said = match &outside {
            Some(Outside::Capture(_)) => versions + &given,
            _ => given + &versions,
        };
        let structs = std::mem::take(&mut self.structs);
        let externs = self.spell.externs(self.limits.foreign);
        let named = if self.names_enum { KIND } else { "" };
        let mut source = format!("{named}{}{externs}{items}{said}{closure}", self.axes());
        if let Some(Outside::Constant(name)) = &outside {
            source = renamed(&source, name, &constant_name(name));
        }
        Generated { structs, params: types, outside, result, source, args }
    }

    /// Versions for values of an integer, the argument mostly among them. The first parameter may come from outside, which has none.
    fn versions(&mut self, params: &[String], types: &[Type], args: &[Value]) -> String {
        let mut integers = (1..params.len()).filter_map(|number| Some((number, args[number].as_integer()?)));
        let is_number =
            |&(number, _): &(usize, i128)| types[number].as_scalar().is_some_and(Scalar::is_integer);
        let Some((number, value)) = integers.rfind(is_number) else { return String::new() };
        match self.tape.pick(4) {
            2 => format!("#[versions({} = [{value}])] ", params[number]),
            3 => format!("#[versions({} = [1, 0])] ", params[number]),
            _ => String::new(),
        }
    }

    /// The type of the result, and the result.
    fn result(&mut self) -> (Type, String) {
        if self.limits.folds != Folds::Rounded {
            return self.any_result();
        }
        let ty = self.ty(2);
        // A fold that rounds, and another value.
        let folded = self.float_ty();
        let fold = match self.tape.pick(3) {
            2 => self.folded(&folded),
            _ => self.sum_of_some(&folded),
        };
        let fields = [fold, self.expr(&ty)];
        let result = Type::structure([folded, ty]);
        let made = self.make(&result, &fields);
        (result, made)
    }

    /// Most often an expression of any type.
    fn any_result(&mut self) -> (Type, String) {
        let nested = self.tape.pick(12);
        if nested > 9 {
            let element = self.ty(1);
            let body = self.stored_rows(&element);
            return (Type::vec(element), body);
        }
        if nested > 7 {
            return self.shaped();
        }
        if nested < 6 {
            let result = self.ty(2);
            let body = self.expr(&result);
            return (result, body);
        }
        let element = self.reducible_ty();
        let body = match nested {
            6 => self.for_each_key(&element),
            _ => self.along_columns(&element),
        };
        (Type::vec(element), body)
    }

    /// An expression of type `ty`, in parentheses where it needs them.
    fn expr(&mut self, ty: &Type) -> String {
        if self.fuel == 0 || self.depth == MAX_DEPTH || self.runs > MAX_RUNS {
            return self.leaf(ty);
        }
        self.fuel -= 1;
        self.depth += 1;
        let expr = match self.tape.pick(16) {
            0..3 => self.leaf(ty),
            3..13 => match self.expanded(ty) {
                Some(expanded) => expanded,
                None => match ty {
                    Type::Scalar(scalar) => self.scalar(*scalar),
                    Type::Vec(element) => self.vector(element),
                    Type::Struct(_) if ty.is_text() => self.text(),
                    Type::Struct(_) if let Some(temporal) = ty.as_temporal() => self.time(temporal),
                    Type::Struct(_) if let Some(scale) = ty.as_fixed() => self.fixed(scale),
                    Type::Struct(_) if let Some(half) = ty.as_half() => self.half(half),
                    Type::Struct(fields) => self.structure(ty, fields),
                    Type::Dict(key, value) => self.dict(key, value),
                },
            },
            _ => self.of_any_type(ty),
        };
        self.depth -= 1;
        let expr = self.debugged(expr, ty);
        self.spell.ascribed(expr, ty)
    }

    fn structure(&mut self, ty: &Type, fields: &[Type]) -> String {
        match self.tape.pick(7) {
            1 | 2 | 5 | 6 if is_reducible(ty) => return self.folded(ty),
            3 if is_taken_apart(ty) && ty.as_fixed_array().is_none() => {
                if let Some(results) = self.results_of_one_loop(ty, fields) {
                    return results;
                }
            }
            4 if let Some((element, len)) = ty.as_fixed_array() => return self.mapped_array(element, len),
            4 => {
                if let Some(updated) = self.updated(ty) {
                    return updated;
                }
            }
            _ => {}
        }
        let fields: Vec<String> = fields.iter().map(|field| self.expr(field)).collect();
        self.make(ty, &fields)
    }

    /// What a function gives for each element of a fixed array.
    fn mapped_array(&mut self, element: &Type, len: usize) -> String {
        let from = Type::Scalar(self.number());
        let array = self.expr(&Type::fixed_array(from.clone(), len));
        let function = self.function(&from, None, |this| this.expr(element));
        self.spell.call("map", &[array, function])
    }

    fn bool(&mut self) -> String {
        self.expr(&Type::BOOL)
    }

    /// An index that is often inside a short vector.
    fn index(&mut self) -> String {
        match self.tape.pick(3) {
            0 => "0".to_owned(),
            1 => {
                let any = self.expr(&Type::I64);
                format!("({} % 3L)", self.spell.call("abs", &[any]))
            }
            _ => {
                let (index, ty) = (self.expr(&Type::I64), self.integer());
                // A literal of no type of its own would be of any.
                if ty == Scalar::I64 { index } else { self.spell.cast(ty.name(), &index) }
            }
        }
    }
}
