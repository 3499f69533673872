//! Linearity: a builder is used exactly once on each path.
//!
//! Every builder carries a token. A use takes the builder out of its variable; what comes back from `merge` and
//! `for` carries the same token, so that branches and loop functions can be asked whether they return what
//! they were given. A variable can be used only in the body that binds it: a loop's function runs many times.

use std::collections::HashMap;

use proc_macro2::Span;

use super::typed::{Expr, ExprKind, Iter, IterKind, Local, Program};
use crate::diagnostic::{Diagnostic, Kind, position};

/// Which builder: a number of its own for each new builder, and for each builder parameter of a loop.
type Token = u32;

/// The builders in the value of an expression.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Value,
    Builder(Token),
    Struct(Vec<Shape>),
}

/// The builders in a variable.
#[derive(Clone, Debug)]
enum Slot {
    Value,
    Free(Token),
    Used(Span),
    Struct(Vec<Slot>),
}

/// A variable that holds builders.
#[derive(Clone, Debug)]
struct Holding {
    slot: Slot,
    /// The number of loop functions around the place that binds it.
    depth: usize,
}

/// The check of one program.
struct Linear<'a> {
    program: &'a Program,
    holdings: HashMap<Local, Holding>,
    tokens: Token,
    /// For each loop function around the place at hand: its name, and the tokens of its own builders.
    loops: Vec<(&'static str, Vec<Token>)>,
}

type Checked<T> = Result<T, Diagnostic>;

/// Refuses programs that use a builder twice, or not at all.
///
/// ```
/// # use weldment_core::infer::{infer, linear};
/// # use weldment_core::syntax::parse_text;
/// use weldment_core::diagnostic::Kind;
/// let typed = |text| infer(&parse_text(text).unwrap()).unwrap();
/// assert!(linear::check(&typed("|x: i64| result(merge(merger[i64,+], x))")).is_ok());
/// let twice = typed("|x: i64| { let b = merge(merger[i64,+], x); (result(b), result(b)) }");
/// assert_eq!(linear::check(&twice).unwrap_err()[0].kind, Kind::Linearity);
/// ```
pub fn check(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut linear = Linear { program, holdings: HashMap::new(), tokens: 0, loops: Vec::new() };
    linear.expr(&program.body).map(|_| ()).map_err(|error| vec![error])
}

impl Linear<'_> {
    fn expr(&mut self, expr: &Expr) -> Checked<Shape> {
        match &expr.kind {
            ExprKind::Local(_) => self.take(expr),
            ExprKind::Field(x, index) => match place(expr) {
                Some(_) => self.take(expr),
                None => self.part(x, *index),
            },
            ExprKind::Let { local, value, body } => {
                let shape = self.expr(value)?;
                self.bind(*local, &shape);
                let result = self.expr(body)?;
                self.all_used(*local)?;
                Ok(result)
            }
            ExprKind::If { cond, then, els } => self.branches(cond, then, els),
            ExprKind::And(x, y) | ExprKind::Or(x, y) => {
                self.expr(x)?;
                self.lazy(y)
            }
            ExprKind::Struct(fields) => {
                let shapes = fields.iter().map(|field| self.expr(field)).collect::<Checked<Vec<_>>>()?;
                let plain = shapes.iter().all(|shape| *shape == Shape::Value);
                Ok(if plain && !fields.is_empty() { Shape::Value } else { Shape::Struct(shapes) })
            }
            ExprKind::Builder { init, func, .. } => {
                if let Some(init) = init {
                    self.expr(init)?;
                }
                if let Some(func) = func {
                    self.nested("reduce", Vec::new(), |this| this.expr(&func.body))?;
                }
                Ok(Shape::Builder(self.token()))
            }
            ExprKind::Merge(builder, value) => {
                let shape = self.expr(builder)?;
                self.expr(value)?;
                Ok(shape)
            }
            ExprKind::Result(builder) => {
                let shape = self.expr(builder)?;
                let own = |(_, own): &(_, Vec<Token>)| matches!(shape, Shape::Builder(t) if own.contains(&t));
                if self.loops.iter().any(own) {
                    let message = "`result` inside the loop that merges into the builder";
                    let (name, _) = self.loops.iter().find(|&around| own(around)).expect("found above");
                    return Err(error(expr.span, message).help(format!(
                        "return the builder from the function, and call `result` on what the `{name}` gives"
                    )));
                }
                Ok(Shape::Value)
            }
            ExprKind::For { iters, builder, params, body } => {
                self.iters(iters)?;
                let shape = self.expr(builder)?;
                let own = self.fresh(&shape);
                self.repeated("for", &own, params[0], body)?;
                Ok(shape)
            }
            ExprKind::Iterate { init, param, body } => {
                let shape = self.expr(init)?;
                let own = self.fresh(&shape);
                self.repeated("iterate", &own, *param, body)?;
                Ok(shape)
            }
            ExprKind::Fold { iters, init, body, .. } => {
                self.iters(iters)?;
                self.expr(init)?;
                self.nested("fold", Vec::new(), |this| this.expr(body))?;
                Ok(Shape::Value)
            }
            ExprKind::Sort { vector, comparator, .. } => {
                self.expr(vector)?;
                self.nested("sort", Vec::new(), |this| this.expr(comparator))?;
                Ok(Shape::Value)
            }
            _ => {
                let mut parts = Vec::new();
                // Cloning keeps `for_each_part` the one list of parts.
                expr.clone().for_each_part(&mut |part| parts.push(part.clone()));
                for part in &parts {
                    self.expr(part)?;
                }
                Ok(Shape::Value)
            }
        }
    }

    fn iters(&mut self, iters: &[Iter]) -> Checked<()> {
        iters.iter().try_for_each(|iter| match &iter.kind {
            IterKind::All(x) => self.values(&[x]),
            IterKind::Strided { vector, start, end, stride } => self.values(&[vector, start, end, stride]),
            IterKind::Range { start, end, stride } => self.values(&[start, end, stride]),
            IterKind::Span { start, end } => self.values(&[start, end]),
        })
    }

    fn values(&mut self, exprs: &[&Expr]) -> Checked<()> {
        exprs.iter().try_for_each(|expr| self.expr(expr).map(|_| ()))
    }

    fn token(&mut self) -> Token {
        self.tokens += 1;
        self.tokens
    }

    /// The shape with a new token for each builder.
    fn fresh(&mut self, shape: &Shape) -> Shape {
        match shape {
            Shape::Value => Shape::Value,
            Shape::Builder(_) => Shape::Builder(self.token()),
            Shape::Struct(fields) => Shape::Struct(fields.iter().map(|field| self.fresh(field)).collect()),
        }
    }

    fn bind(&mut self, local: Local, shape: &Shape) {
        if self.program.locals[local].ty.has_builder() {
            self.holdings.insert(local, Holding { slot: slot_of(shape), depth: self.loops.len() });
        }
    }

    /// Runs `part` inside a loop's function.
    fn nested<R>(
        &mut self,
        name: &'static str,
        own: Vec<Token>,
        part: impl FnOnce(&mut Self) -> Checked<R>,
    ) -> Checked<R> {
        self.loops.push((name, own));
        let result = part(self);
        self.loops.pop();
        result
    }

    /// The function of a `for` or an `iterate`: it takes builders of shape `own` and returns them, beside whether
    /// to go on if it is that of an `iterate`.
    fn repeated(&mut self, name: &'static str, own: &Shape, param: Local, body: &Expr) -> Checked<()> {
        let mut tokens = Vec::new();
        collect_tokens(own, &mut tokens);
        let wanted = match (name, own) {
            ("iterate", Shape::Value) => Shape::Value,
            ("iterate", own) => Shape::Struct(vec![own.clone(), Shape::Value]),
            _ => own.clone(),
        };
        let returned = self.nested(name, tokens, |this| {
            this.bind(param, own);
            let returned = this.expr(body)?;
            if returned == wanted {
                this.all_used(param)?;
            }
            Ok(returned)
        })?;
        if returned == wanted {
            return Ok(());
        }
        let article = if name == "iterate" { "an" } else { "a" };
        let message =
            format!("the function of {article} `{name}` returns another builder than the one it was given");
        Err(error(last(body).span, message).help("return the builder parameter, or what `merge` makes of it"))
    }

    /// A part of a value that is no variable: the other parts are dropped.
    fn part(&mut self, of: &Expr, index: u32) -> Checked<Shape> {
        match self.expr(of)? {
            Shape::Struct(mut fields) => {
                let part = fields.remove(index as usize);
                let mut dropped = Vec::new();
                fields.iter().for_each(|field| collect_tokens(field, &mut dropped));
                if dropped.is_empty() {
                    Ok(part)
                } else {
                    Err(dropped_error(of.span, "another builder of this"))
                }
            }
            _ => Ok(Shape::Value),
        }
    }

    /// An operand that may not run cannot use builders.
    fn lazy(&mut self, expr: &Expr) -> Checked<Shape> {
        let before = self.holdings.clone();
        let shape = self.expr(expr)?;
        self.same_uses(&before, expr.span, "is used only if the left side lets the right side run")?;
        Ok(shape)
    }

    fn branches(&mut self, cond: &Expr, then: &Expr, els: &Expr) -> Checked<Shape> {
        self.expr(cond)?;
        let before = self.holdings.clone();
        let first = self.expr(then)?;
        let after = std::mem::replace(&mut self.holdings, before);
        let second = self.expr(els)?;
        self.same_uses(&after, els.span, "is used in one branch of the `if` and dropped in the other")?;
        if first != second {
            let message = "the branches of an `if` return different builders";
            return Err(error(last(els).span, message)
                .help("both branches return the same builders in the same places"));
        }
        Ok(first)
    }

    /// Requires the variables that exist on both sides to be used equally.
    fn same_uses(&self, other: &HashMap<Local, Holding>, span: Span, what: &str) -> Checked<()> {
        let mut locals: Vec<_> = other.keys().copied().collect();
        locals.sort();
        for local in locals {
            let Some(here) = self.holdings.get(&local) else { continue };
            if !same_use(&here.slot, &other[&local].slot) {
                let name = &self.program.locals[local].name;
                return Err(error(span, format!("the builder `{name}` {what}"))
                    .help(format!("use it on both sides: `if c {{ merge({name}, x) }} else {{ {name} }}`")));
            }
        }
        Ok(())
    }

    /// Takes the builders out of a variable, or out of a part of it.
    fn take(&mut self, expr: &Expr) -> Checked<Shape> {
        let Some((local, path)) = place(expr) else { return Ok(Shape::Value) };
        let info = &self.program.locals[local];
        if !expr.ty.has_builder() {
            return Ok(Shape::Value);
        }
        let name = &info.name;
        let Some(holding) = self.holdings.get_mut(&local) else { return Ok(Shape::Value) };
        if holding.depth != self.loops.len() {
            let (inside, _) = self.loops.last().expect("deeper than where it is bound");
            let message = format!("the builder `{name}` comes from outside of this `{inside}`");
            return Err(error(expr.span, message)
                .help("a loop merges into its own builder: start the loop with this one"));
        }
        let mut slot = &mut holding.slot;
        for index in path {
            slot = match slot {
                Slot::Struct(fields) => &mut fields[index as usize],
                _ => break,
            };
        }
        take_slot(slot, expr.span).map_err(|first| {
            let message = format!("the builder `{name}` is used a second time");
            let first = position(first);
            error(expr.span, message)
                .help("use what `merge` and `for` return; to go on with the value, call `result` once")
                .note(format!("it was first used at {first}"))
        })
    }

    /// Requires that nothing is left in a variable whose scope ends.
    fn all_used(&mut self, local: Local) -> Checked<()> {
        let Some(holding) = self.holdings.remove(&local) else { return Ok(()) };
        match unused(&holding.slot) {
            false => Ok(()),
            true => {
                let info = &self.program.locals[local];
                let what = if info.name == "_" {
                    "a builder here".to_string()
                } else {
                    format!("the builder `{}`", info.name)
                };
                Err(dropped_error(info.span, &what))
            }
        }
    }
}

/// The expression whose value `expr` gives: for a place to blame.
fn last(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Let { body, .. } => last(body),
        _ => expr,
    }
}

/// The variable and the fields, if `expr` is a variable or a part of one.
fn place(expr: &Expr) -> Option<(Local, Vec<u32>)> {
    match &expr.kind {
        ExprKind::Local(local) => Some((*local, Vec::new())),
        ExprKind::Field(of, index) => {
            let (local, mut path) = place(of)?;
            path.push(*index);
            Some((local, path))
        }
        _ => None,
    }
}

fn slot_of(shape: &Shape) -> Slot {
    match shape {
        Shape::Value => Slot::Value,
        Shape::Builder(token) => Slot::Free(*token),
        Shape::Struct(fields) => Slot::Struct(fields.iter().map(slot_of).collect()),
    }
}

/// Takes all builders out of `slot`, or gives the place where one of them was taken before.
fn take_slot(slot: &mut Slot, span: Span) -> Result<Shape, Span> {
    match slot {
        Slot::Value => Ok(Shape::Value),
        Slot::Used(first) => Err(*first),
        Slot::Free(token) => {
            let shape = Shape::Builder(*token);
            *slot = Slot::Used(span);
            Ok(shape)
        }
        Slot::Struct(fields) => {
            let fields = fields.iter_mut().map(|field| take_slot(field, span)).collect::<Result<_, _>>()?;
            Ok(Shape::Struct(fields))
        }
    }
}

fn unused(slot: &Slot) -> bool {
    match slot {
        Slot::Value | Slot::Used(_) => false,
        Slot::Free(_) => true,
        Slot::Struct(fields) => fields.iter().any(unused),
    }
}

fn same_use(a: &Slot, b: &Slot) -> bool {
    match (a, b) {
        (Slot::Struct(a), Slot::Struct(b)) => a.iter().zip(b).all(|(a, b)| same_use(a, b)),
        (Slot::Used(_), Slot::Used(_)) | (Slot::Value, Slot::Value) | (Slot::Free(_), Slot::Free(_)) => true,
        _ => false,
    }
}

fn collect_tokens(shape: &Shape, tokens: &mut Vec<Token>) {
    match shape {
        Shape::Value => {}
        Shape::Builder(token) => tokens.push(*token),
        Shape::Struct(fields) => fields.iter().for_each(|field| collect_tokens(field, tokens)),
    }
}

fn dropped_error(span: Span, what: &str) -> Diagnostic {
    error(span, format!("{what} is dropped"))
        .help("every builder ends in `result`, or is returned from the function of a `for`")
}

fn error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Kind::Linearity, span, message)
}
