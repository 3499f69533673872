//! Programs made at random from a seed, for [`agree`](crate::agree): producers and consumers in all
//! combinations, many of which fault.
//!
//! Every program takes `xs: vec[i64], ys: vec[i64], ws: vec[f64], n: i64`, binds some vectors and numbers, and
//! gives some of them.

use std::fmt::Write;

/// The arguments that every program takes, as expressions: of one length, of several, empty, with zeros.
pub(crate) const ARGUMENTS: &[&str] = &[
    "{[1L, 2L, 3L, 4L, 5L], [5L, -1L, 7L, 2L, 2L], [0.5, 1.25, -3.0, 0.1, 7.7], 2L}",
    "{[3L, 0L, 1L], [2L, 0L, -4L], [0.1, 0.2, 0.3], 0L}",
    "{[4L, 4L], [1L, 2L, 3L, 6L], [1.5], 1L}",
    "{slice([1L], 0L, 0L), slice([1L], 0L, 0L), slice([1.0], 0L, 0L), 3L}",
    "{[2L], slice([1L], 0L, 0L), [0.25], -1L}",
];

/// The program of `seed`.
pub(crate) fn program(seed: u64) -> String {
    let mut maker = Maker { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, names: 0 };
    // The first numbers of neighbouring seeds are alike.
    for _ in 0..8 {
        maker.below(2);
    }
    maker.program()
}

/// What an expression may name.
#[derive(Clone, Default)]
struct Scope {
    numbers: Vec<String>,
    vectors: Vec<String>,
}

struct Maker {
    state: u64,
    names: usize,
}

impl Maker {
    /// A number below `n`, by xorshift.
    fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % n
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn one_of<'a>(&mut self, of: &'a [String]) -> &'a str {
        &of[self.below(of.len() as u64) as usize]
    }

    fn program(&mut self) -> String {
        let mut text = String::from("|xs: vec[i64], ys: vec[i64], ws: vec[f64], n: i64|\n");
        let mut scope = Scope { numbers: vec!["n".into()], vectors: vec!["xs".into(), "ys".into()] };
        let mut bound = Vec::new();
        for _ in 0..2 + self.below(4) {
            let (name, expression) = if self.below(3) > 0 {
                let (name, expression) = (self.name("a"), self.vector(&scope, 3));
                scope.vectors.push(name.clone());
                (name, expression)
            } else {
                let (name, expression) = (self.name("s"), self.number(&scope, 3));
                scope.numbers.push(name.clone());
                (name, expression)
            };
            let _ = writeln!(text, "let {name} = {expression};");
            bound.push(name);
        }
        // The last is always given, the others now and then.
        let last = bound.len() - 1;
        let mut given: Vec<String> = Vec::new();
        for (number, name) in bound.into_iter().enumerate() {
            if number == last || self.below(3) == 0 {
                given.push(name);
            }
        }
        if self.below(3) == 0 {
            given.push(self.float(&scope));
        }
        let _ = write!(text, "{{{},}}", given.join(", "));
        text
    }

    /// A `vec[i64]`.
    fn vector(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return self.one_of(&scope.vectors).to_owned();
        }
        let from = self.vector(scope, depth - 1);
        let x = self.name("x");
        let inner = scope.with(&[&x]);
        match self.below(20) {
            0..=4 => format!("{from}.map(|{x}| {})", self.number(&inner, depth - 1)),
            5..=7 => format!("{from}.filter(|{x}| {})", self.condition(&inner, depth - 1)),
            8 => format!("{from}.flat_map(|{x}| (0L..min(max({x}, 0L), 3L)).map(|j| {}))", {
                self.number(&inner.with(&["j"]), depth - 1)
            }),
            9 => format!("{from}.flat_map(|{x}| {})", self.list(&inner, depth - 1)),
            10 => {
                let (condition, a, b) = (
                    self.condition(&inner, depth - 1),
                    self.list(&inner, depth - 1),
                    self.list(&inner, depth - 1),
                );
                format!("{from}.flat_map(|{x}| if {condition} {{ {a} }} else {{ {b} }})")
            }
            11..=12 => {
                let (other, y) = (self.vector(scope, depth - 1), self.name("y"));
                let element = self.number(&inner.with(&[&y]), depth - 1);
                format!("zip({from}, {other}).map(|({x}, {y})| {element})")
            }
            13 => {
                let k = self.name("k");
                let element = self.number(&inner.with(&[&k]), depth - 1);
                format!("{from}.enumerate().map(|({k}, {x})| {element})")
            }
            14 => {
                let (condition, other) = (self.condition(scope, depth - 1), self.vector(scope, depth - 1));
                format!("(if {condition} {{ {from} }} else {{ {other} }})")
            }
            15 => format!("sort({from}, |p, q| compare(p, q))"),
            16 => format!("result(for({from}, vecmerger[i64,+](xs), |b, i, {x}| merge(b, {{{x} % 2L, i}})))"),
            17 => {
                let (condition, element, other) = (
                    self.condition(&inner, depth - 1),
                    self.number(&inner, depth - 1),
                    self.vector(scope, depth - 1),
                );
                format!(
                    "result(for({other}, for({from}, appender[i64], |b, i, {x}| \
                     if({condition}, merge(merge(b, {element}), i), b)), |b, i, y| merge(b, y + i)))"
                )
            }
            18 => format!(
                "tovec(result(for({from}, dictmerger[i64,i64,+], |b, i, {x}| merge(b, {{{x} % 3L, {}}}))))\
                 .map(|kv| kv.0 + kv.1)",
                self.number(&inner, depth - 1)
            ),
            _ => format!(
                "result(for(iter({from}, 0L, len({from}), 1L), appender[i64], |b, i, {x}| merge(b, {})))",
                self.number(&inner, depth - 1)
            ),
        }
    }

    fn list(&mut self, scope: &Scope, depth: u32) -> String {
        match self.below(3) {
            0 => format!("[{}]", self.number(scope, depth)),
            1 => format!("[{}, {}]", self.number(scope, depth), self.number(scope, depth)),
            _ => self.vector(scope, depth),
        }
    }

    /// An `i64`.
    fn number(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 || self.below(6) == 0 {
            return match self.below(3) {
                0 => format!("{}L", self.below(4)),
                _ => self.one_of(&scope.numbers).to_owned(),
            };
        }
        match self.below(18) {
            0..=5 => {
                let operator = ["+", "-", "*", "+", "*", "-"][self.below(6) as usize];
                format!("({} {operator} {})", self.number(scope, depth - 1), self.number(scope, depth - 1))
            }
            6 => format!("({} / {})", self.number(scope, depth - 1), self.number(scope, depth - 1)),
            7 => format!("({} % 3L)", self.number(scope, depth - 1)),
            8 => format!("min({}, {})", self.number(scope, depth - 1), self.number(scope, depth - 1)),
            9 => format!("cudf[f, i64]({})", self.number(scope, depth - 1)),
            10 => {
                let condition = self.condition(scope, depth - 1);
                let (a, b) = (self.number(scope, depth - 1), self.number(scope, depth - 1));
                format!("(if {condition} {{ {a} }} else {{ {b} }})")
            }
            11..=12 => format!("{}.sum()", self.vector(scope, depth - 1)),
            13 => format!("len({})", self.vector(scope, depth - 1)),
            14 => format!("{}.max()", self.vector(scope, depth - 1)),
            15 => format!("{}.count()", self.vector(scope, depth - 1)),
            16 => format!("{}[{}]", self.vector(scope, depth - 1), self.number(scope, depth - 1)),
            _ => format!(
                "iterate({{{}, 2L}}, |s| {{{{s.0 + s.1, s.1 - 1L}}, s.1 > 0L}}).0",
                self.number(scope, depth - 1)
            ),
        }
    }

    fn condition(&mut self, scope: &Scope, depth: u32) -> String {
        let (a, b) = (self.number(scope, depth), self.number(scope, 0));
        match self.below(8) {
            0 => format!("({a} == {b})"),
            1 => format!("({a} % 2L == 0L)"),
            2 if depth > 0 => format!("({a} > 0L && {})", self.condition(scope, depth - 1)),
            3 if depth > 0 => format!("({a} < 1L || {})", self.condition(scope, depth - 1)),
            4 => format!("!({a} <= {b})"),
            _ => format!("({a} > {b})"),
        }
    }

    /// An `f64`.
    fn float(&mut self, scope: &Scope) -> String {
        let factor = self.number(&scope.with(&[]), 1);
        match self.below(3) {
            0 => format!("ws.map(|w| w * f64({factor})).sum()"),
            1 => "ws.filter(|w| w > 0.2).map(|w| w * w).sum()".to_owned(),
            _ => format!(
                "zip(ws, {}).map(|(w, v)| w * f64(v)).sum()",
                scope.vectors.last().map_or("xs", String::as_str)
            ),
        }
    }
}

impl Scope {
    /// This scope with more numbers, which are named more often than those of outside.
    fn with(&self, numbers: &[&str]) -> Scope {
        let mut scope = self.clone();
        for number in numbers {
            scope.numbers.extend([(*number).to_owned(), (*number).to_owned()]);
        }
        scope
    }
}
