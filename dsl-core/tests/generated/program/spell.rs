//! How a program is spelt: as Weld writes it, as Rust does, or each part in either way.
//!
//! Nothing here is read from the tape, so that one program can be had in every spelling. Whatever the spelling, it
//! lowers to the same IR.

use weldment_runtime::lang::types::{Scalar, Type};

use super::Outside;

/// How a program is spelt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Spelling {
    /// `map(v, |x| {f64(x.$0), 1L})`
    Weld,
    /// `v.iter().map(|x| (x.0 as f64, 1i64)).collect()`
    Rust,
    /// Each part in one of the two, as this number says.
    Mixed(u16),
}

/// Writes the parts of a program.
pub(super) struct Speller {
    spelling: Spelling,
    state: u64,
    /// Types that may be written by a name.
    aliases: Vec<(String, Type)>,
    /// The comparison that was written last.
    compared: String,
    /// Whether the foreign function of one parameter is declared by its signature.
    pub(super) declares: bool,
}

/// A step from a value to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// The field of a tuple.
    Number(usize),
    /// The field of a struct with a name.
    Member(String),
    /// The element of a fixed array.
    Element(usize),
}

impl Speller {
    pub(super) fn new(spelling: Spelling) -> Speller {
        let seed = match spelling {
            Spelling::Weld | Spelling::Rust => 0,
            Spelling::Mixed(seed) => seed.into(),
        };
        let mut speller =
            Speller { spelling, state: seed, aliases: Vec::new(), compared: String::new(), declares: false };
        speller.declares = speller.is_rust();
        speller
    }

    /// The foreign functions that are declared, if there are any.
    pub(super) fn externs(&self, has_foreign: bool) -> &'static str {
        match has_foreign && self.declares {
            true => "extern { fn weldment_half = by_value::half(f64) -> f64; } ",
            false => "",
        }
    }

    /// A half of the float `x`, by the foreign function.
    pub(super) fn half(&mut self, x: &str) -> String {
        match self.declares {
            true => self.call("weldment_half", &[x.to_owned()]),
            false => format!("cudf[weldment_half, f64]({x})"),
        }
    }

    /// Lets `ty` be written as `name` from here on.
    pub(super) fn alias(&mut self, name: &str, ty: &Type) {
        self.aliases.push((name.to_owned(), ty.clone()));
    }

    /// Whether to do what is done one time in `many`.
    pub(super) fn one_in(&mut self, many: u64) -> bool {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)).is_multiple_of(many)
    }

    /// Whether the next part is spelt as in Rust.
    pub(super) fn is_rust(&mut self) -> bool {
        match self.spelling {
            Spelling::Weld => false,
            Spelling::Rust => true,
            Spelling::Mixed(_) => self.one_in(2),
        }
    }

    /// `f(a, b)`, `a.f(b)`
    pub(super) fn call(&mut self, function: &str, args: &[String]) -> String {
        match args {
            [receiver, rest @ ..] if self.is_rust() => {
                format!("{}.{function}({})", operand(receiver), rest.join(", "))
            }
            _ => format!("{function}({})", args.join(", ")),
        }
    }

    /// [`Speller::call`] of what takes the elements of a vector one by one, with what Rust would need for that.
    pub(super) fn over_elements(&mut self, function: &str, args: &[String], collects: bool) -> String {
        if !self.is_rust() {
            return format!("{function}({})", args.join(", "));
        }
        let noise = ["", ".iter()", ".into_iter()", ".iter().copied()", ".iter().cloned()"];
        let before = self.one_of(&noise);
        let after =
            if collects { self.one_of(&["", ".collect()", ".collect::<Vec<_>>()", ".to_vec()"]) } else { "" };
        format!("{}{before}.{function}({}){after}", operand(&args[0]), args[1..].join(", "))
    }

    fn one_of<'s>(&mut self, choices: &[&'s str]) -> &'s str {
        let last = choices.len() - 1;
        let at = (0..last).find(|at| self.one_in((choices.len() - at) as u64));
        choices[at.unwrap_or(last)]
    }

    /// `x.$0.$1`, `x.0.1`, `x.member`
    pub(super) fn path(&mut self, of: &str, steps: &[Step]) -> String {
        let mut path = if steps.is_empty() { of.to_owned() } else { operand(of) };
        for step in steps {
            match step {
                Step::Member(name) => path += &format!(".{name}"),
                Step::Element(number) => path += &format!("[{number}]"),
                Step::Number(number) if self.is_rust() => path += &format!(".{number}"),
                Step::Number(number) => path += &format!(".${number}"),
            }
        }
        path
    }

    /// A variable, or a part of one.
    pub(super) fn variable(&mut self, name: &str, steps: &[Step]) -> String {
        let path = self.path(name, steps);
        match self.is_rust() && self.one_in(12) {
            true => format!("({}{path})", self.one_of(&["*", "&", "&&"])),
            false => path,
        }
    }

    /// `(a < b)`
    pub(super) fn comparison(&mut self, a: &str, operator: &str, b: &str) -> String {
        self.compared = format!("({a} {operator} {b})");
        self.compared.clone()
    }

    /// The bool `expr`, which was written last, beside a bitwise operator. A comparison needs no parentheses there if the
    /// program is known to be in Weld's spelling, as it is by the literal.
    pub(super) fn beside_bits(&mut self, expr: String) -> String {
        match inside(&expr) {
            Some(bare) if expr == self.compared && self.spelling == Spelling::Weld => {
                format!("@(row: 1L) {bare}")
            }
            _ => expr,
        }
    }

    /// `x.$0`, `x.0`
    pub(super) fn field(&mut self, of: &str, number: usize) -> String {
        self.path(of, &[Step::Number(number)])
    }

    /// `{a, b}`, `(a, b)`
    pub(super) fn tuple(&mut self, fields: &[String]) -> String {
        let last = if fields.len() == 1 { "," } else { "" };
        let fields = fields.join(", ");
        if self.is_rust() { format!("({fields}{last})") } else { format!("{{{fields}{last}}}") }
    }

    /// `if(c, a, b)`, `(if c { a } else { b })`
    pub(super) fn choice(&mut self, cond: &str, then: &str, els: &str) -> String {
        if !self.is_rust() {
            let note = if self.one_in(12) { "@(predicate: true) " } else { "" };
            return format!("{note}if({cond}, {then}, {els})");
        }
        let cond = match inside(cond) {
            // After `if (a,` comes Weld's form.
            Some(bare) if !bare.contains('{') && !bare.starts_with('(') && !bare.starts_with("let ") => bare,
            _ => cond,
        };
        let els = match inside(els) {
            Some(chained) if chained.starts_with("if ") => format!("else {chained}"),
            _ => format!("else {{ {} }}", block(els)),
        };
        format!("(if {} {{ {} }} {els})", parenthesised_if_it_has_braces(cond), block(then))
    }

    /// `(let pattern: ty = value; body)`
    pub(super) fn binding(&mut self, pattern: &str, ty: &Type, value: &str, body: &str) -> String {
        let ty = if self.one_in(6) { format!(": {}", self.ty(ty)) } else { String::new() };
        let body = if body.starts_with("(let ") { block(body) } else { body };
        let note = if self.one_in(10) { " /* a note */" } else { "" };
        format!("(let {pattern}{ty} = {value};{note} {body})")
    }

    /// The first of `params`, with its type, as what comes from outside, if it is to be that: `const a: f64; `, `[a: vec[i64]] `.
    pub(super) fn outside(
        &mut self,
        params: &mut Vec<String>,
        begins_with_scalar: bool,
    ) -> (Option<Outside>, String) {
        let (is_given, is_constant) = (self.one_in(6), self.one_in(2));
        // A struct that is taken apart begins with its name.
        let is_name = params[0]
            .split_once(':')
            .is_some_and(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
        if !is_given || !is_name {
            return (None, String::new());
        }
        let given = params.remove(0);
        let name = given.split(':').next().expect("a name").to_owned();
        match is_constant && begins_with_scalar {
            true => (Some(Outside::Constant(name)), format!("const {given}; ")),
            false => (Some(Outside::Capture(name)), format!("[{given}] ")),
        }
    }

    /// `|a, b| body`, `|a, b| { body }`
    pub(super) fn closure(&mut self, params: &[String], result: Option<&Type>, body: &str) -> String {
        let mut bars = format!("|{}|", params.join(", "));
        if let Some(result) = result {
            bars += &format!(" -> {}", self.ty(result));
        }
        match self.is_rust() && (result.is_some() || self.one_in(2) || body.starts_with("(let ")) {
            true => format!("{bars} {{ {} }}", block(body)),
            false => format!("{bars} {}", block(body)),
        }
    }

    /// The type of what is merged, which need not be said.
    pub(super) fn builder_ty(&mut self, ty: &Type) -> String {
        match self.one_in(8) {
            true => if self.is_rust() { "_" } else { "?" }.to_owned(),
            false => self.ty(ty),
        }
    }

    /// `appender[T]`, `appender`
    pub(super) fn appender(&mut self, element: &Type) -> String {
        match self.one_in(4) {
            true => "appender".to_owned(),
            false => format!("appender[{}]", self.builder_ty(element)),
        }
    }

    /// `T(x)`, `(x as T)`
    pub(super) fn cast(&mut self, to: &str, x: &str) -> String {
        if self.is_rust() { format!("({} as {to})", operand(x)) } else { format!("{to}({x})") }
    }

    /// What says of an integer that it is of type `ty`.
    pub(super) fn suffix(&mut self, ty: Scalar) -> &'static str {
        match (self.is_rust(), ty) {
            (false, Scalar::I8) => "c",
            (false, Scalar::I16) => "si",
            (false, Scalar::I32) => "",
            (false, Scalar::I64) => "L",
            _ => ty.name(),
        }
    }

    /// `lookup(v, i)`, `v[i]`
    pub(super) fn lookup(&mut self, of: &str, at: &str) -> String {
        match self.is_rust() {
            // A range between brackets is taken for a part of a vector, though it may be a key.
            true if at.starts_with("(0L..") || self.one_in(8) => format!("{}.lookup({at})", operand(of)),
            true => format!("{}[{at}]", operand(of)),
            false => format!("lookup({of}, {at})"),
        }
    }

    /// `deserialize[T](bytes)`, `deserialize::<T>(bytes)`
    pub(super) fn deserialize(&mut self, ty: &Type, bytes: &str) -> String {
        match self.is_rust() {
            true => format!("deserialize::<{}>({bytes})", self.ty(ty)),
            false => format!("deserialize[{}]({bytes})", self.ty(ty)),
        }
    }

    /// `expr` with its type behind it, sometimes. A range or zip with a type is a vector, and not what it was.
    pub(super) fn ascribed(&mut self, expr: String, ty: &Type) -> String {
        let may_be = self.spelling != Spelling::Rust && ty.element().is_none() && !expr.starts_with('@');
        match may_be && self.one_in(24) {
            true => format!("({}: {})", operand(&expr), self.ascription(ty)),
            false => expr,
        }
    }

    /// `ty`, where a `<` behind it would be a comparison.
    fn ascription(&mut self, ty: &Type) -> String {
        let text = self.ty(ty);
        if ty.user_name().is_some_and(|name| !name.args.is_empty()) { "?".to_owned() } else { text }
    }

    /// `vec[{i64,f64}]`, `Vec<(i64, f64)>`
    pub(super) fn ty(&mut self, ty: &Type) -> String {
        let names: Vec<String> =
            self.aliases.iter().filter(|alias| alias.1 == *ty).map(|alias| alias.0.clone()).collect();
        if let Some(name) = names.first().filter(|_| self.one_in(2)) {
            return name.clone();
        }
        let note = if self.spelling != Spelling::Rust && self.one_in(60) { "@(size: 8) " } else { "" };
        let is_rust = self.is_rust();
        note.to_owned()
            + &match ty {
                Type::Scalar(scalar) => scalar.name().to_owned(),
                Type::Vec(element) if is_rust => format!("Vec<{}>", self.ty(element)),
                Type::Vec(element) => format!("vec[{}]", self.ty(element)),
                Type::Dict(key, value) if is_rust => format!("Dict<{}, {}>", self.ty(key), self.ty(value)),
                Type::Dict(key, value) => format!("dict[{}, {}]", self.ty(key), self.ty(value)),
                Type::Struct(_) if let Some(temporal) = ty.as_temporal() => temporal.name().to_owned(),
                Type::Struct(_) if let Some(scale) = ty.as_fixed() => scale.name().to_owned(),
                Type::Struct(_) if let Some(half) = ty.as_half() => half.name().to_owned(),
                Type::Struct(_) if let Some(size) = ty.as_size() => size.name().to_owned(),
                Type::Struct(_) if let Some(column) = ty.as_column() => column.to_string(),
                Type::Struct(_) if ty.is_text() => if is_rust { "String" } else { "str" }.to_owned(),
                Type::Struct(fields) if fields.as_option().is_some() => match is_rust {
                    true => format!("Option<{}>", self.ty(&fields[1])),
                    false => format!("option[{}]", self.ty(&fields[1])),
                },
                Type::Struct(fields) if let Some((element, len)) = fields.as_fixed_array() => {
                    format!("[{}; {len}]", self.ty(element))
                }
                Type::Struct(fields) => match ty.user_name() {
                    Some(name) if name.args.is_empty() => name.of.clone(),
                    Some(name) => {
                        let args: Vec<String> = name.args.iter().map(|arg| self.ty(arg)).collect();
                        format!("{}<{}>", name.of, args.join(", "))
                    }
                    None => {
                        let last = if fields.len() == 1 { "," } else { "" };
                        let fields: Vec<String> = fields.iter().map(|field| self.ty(field)).collect();
                        let fields = fields.join(", ");
                        if is_rust { format!("({fields}{last})") } else { format!("{{{fields}{last}}}") }
                    }
                },
            }
    }

    /// The type of a parameter of the program.
    pub(super) fn param(&mut self, ty: &Type) -> String {
        match ty {
            Type::Scalar(_) => self.ty(ty),
            _ if !self.is_rust() => self.ty(ty),
            Type::Vec(element) => format!("&[{}]", self.ty(element)),
            ty if ty.is_scalars() => self.ty(ty),
            ty if ty.is_text() => "&str".to_owned(),
            _ => format!("&{}", self.ty(ty)),
        }
    }
}

/// `expr` as it may stand before a dot or a bracket: in parentheses, unless it is a name or a call.
fn operand(expr: &str) -> String {
    let mut depth = 0;
    let is_plain = expr.starts_with(|first: char| first.is_ascii_alphabetic())
        && expr.chars().all(|c| {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            depth > 0 || c.is_ascii_alphanumeric() || "_.$)]".contains(c)
        });
    if is_plain || inside(expr).is_some() { expr.to_owned() } else { format!("({expr})") }
}

/// What stands between the parentheses, if one pair is around all of `expr`, which is no tuple.
fn inside(expr: &str) -> Option<&str> {
    let bare = expr.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0;
    for c in bare.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            // The bars of a closure hold commas, too, but no closure stands alone in parentheses.
            ',' if depth == 0 => return None,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    Some(bare)
}

/// `body` as it may stand in a block, where `let` needs no parentheses.
fn block(body: &str) -> &str {
    inside(body).filter(|bare| bare.starts_with("let ")).unwrap_or(body)
}

fn parenthesised_if_it_has_braces(cond: &str) -> String {
    let is_safe = !cond.contains('{') || inside(cond).is_some();
    if is_safe { cond.to_owned() } else { format!("({cond})") }
}
