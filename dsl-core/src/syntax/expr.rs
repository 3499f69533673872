//! Expressions: `let` chains, items and closures at the outside, then operators by precedence.

use proc_macro2::Span;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, UnaryOp};

use super::ast::{Expr, ExprKind, Infix, Mixed, Spelling, TypeKind, group};
use super::input::{Input, Parsed};
use super::{control, items, literal, postfix, types};
use crate::diagnostic::{Code, Diagnostic};

/// Any expression.
pub(super) fn expression(input: &mut Input<'_>) -> Parsed<Expr> {
    input.deeper(|input| {
        let mut bindings = Vec::new();
        control::annotations(input)?;
        let span = input.span();
        loop {
            if input.take_word("let").is_some() {
                bindings.push(control::binding(input)?);
            } else if let Some(item) = items::local(input)? {
                bindings.push(item);
            } else {
                break;
            }
            control::annotations(input)?;
        }
        let body = if control::begins_closure(input) { control::closure(input)? } else { operators(input)? };
        if bindings.is_empty() {
            return Ok(body);
        }
        Ok(Expr { kind: ExprKind::Let(bindings, Box::new(body)), span })
    })
}

/// An expression that begins neither with `let` nor as a closure.
pub(super) fn operators(input: &mut Input<'_>) -> Parsed<Expr> {
    let start = input.clone();
    let first = operand(input)?;
    climb(input, &start, first, Level::Range)
}

/// An expression that is no range: a bound of one.
pub(super) fn bound(input: &mut Input<'_>) -> Parsed<Expr> {
    let start = input.clone();
    let first = operand(input)?;
    climb(input, &start, first, Level::Range.tighter())
}

/// The expression that begins with `first`, which stands from `start` to here.
pub(super) fn operators_after<'a>(input: &mut Input<'a>, start: &Input<'a>, first: Expr) -> Parsed<Expr> {
    let first = postfix::postfixes(input, first)?;
    let first = suffixes(input, first)?;
    climb(input, start, first, Level::Range)
}

/// The levels of precedence, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Range,
    Or,
    And,
    /// Comparisons and bitwise operators, which the two spellings rank differently.
    Row,
    Shift,
    Sum,
    Product,
    Operand,
}

impl Level {
    /// The loosest level that the right side of an operator may have: operators group to the left.
    fn tighter(self) -> Level {
        let levels = OPERATORS.iter().map(|(_, level, _)| *level);
        levels.filter(|level| *level > self).min().unwrap_or(Level::Operand)
    }
}

/// What an operator makes of its two sides.
#[derive(Clone, Copy)]
enum Operator {
    Range,
    Or,
    And,
    Infix(Infix),
    Binary(BinaryOp),
}

const fn compare(op: CompareOp) -> Operator {
    Operator::Infix(Infix::Compare(op))
}

const fn bits(op: BinaryOp) -> Operator {
    Operator::Infix(Infix::Bits(op))
}

const OPERATORS: [(&str, Level, Operator); 19] = [
    ("..", Level::Range, Operator::Range),
    ("||", Level::Or, Operator::Or),
    ("&&", Level::And, Operator::And),
    ("==", Level::Row, compare(CompareOp::Eq)),
    ("!=", Level::Row, compare(CompareOp::Ne)),
    ("<", Level::Row, compare(CompareOp::Lt)),
    (">", Level::Row, compare(CompareOp::Gt)),
    ("<=", Level::Row, compare(CompareOp::Le)),
    (">=", Level::Row, compare(CompareOp::Ge)),
    ("|", Level::Row, bits(BinaryOp::Or)),
    ("^", Level::Row, bits(BinaryOp::Xor)),
    ("&", Level::Row, bits(BinaryOp::And)),
    ("<<", Level::Shift, Operator::Binary(BinaryOp::Shl)),
    (">>", Level::Shift, Operator::Binary(BinaryOp::Shr)),
    ("+", Level::Sum, Operator::Binary(BinaryOp::Add)),
    ("-", Level::Sum, Operator::Binary(BinaryOp::Sub)),
    ("*", Level::Product, Operator::Binary(BinaryOp::Mul)),
    ("/", Level::Product, Operator::Binary(BinaryOp::Div)),
    ("%", Level::Product, Operator::Binary(BinaryOp::Rem)),
];

/// `left`, which begins at `start`, and the operators behind it that bind at least as tightly as `loosest`.
fn climb<'a>(input: &mut Input<'a>, start: &Input<'a>, mut left: Expr, loosest: Level) -> Parsed<Expr> {
    let mut is_range = false;
    for length in 0.. {
        let Some((symbol, level, operator)) = operator(input).filter(|(_, level, _)| *level >= loosest)
        else {
            break;
        };
        if let Operator::Infix(_) = operator {
            left = row(input, start.clone(), left)?;
            continue;
        }
        input.check_chain(length)?;
        let span = input.span();
        if level == Level::Range && is_range {
            return Err(Diagnostic::new(Code::Chained, span, "ranges do not chain")
                .help("a range is `start..end`; with a stride it is `(0..n).map(|i| start + i * stride)`"));
        }
        if input.at("**") {
            let error = Diagnostic::new(Code::NoOperator, span, "there is no operator `**`");
            return Err(error.help("write `pow(a, b)` for a power, or `a * *b` for a product"));
        }
        input.take(symbol);
        if level == Level::Range && (input.is_end() || input.at(",") || input.at(";")) {
            let error = Diagnostic::new(Code::OpenRange, span, "a range needs an end");
            return Err(error.help("a whole vector needs no range; `0..len(v)` are its indices"));
        }
        let right = right_side(input, level)?;
        left = Expr { kind: combine(operator, left, right), span };
        is_range = level == Level::Range;
    }
    Ok(left)
}

/// What stands on the right of an operator of this level.
fn right_side(input: &mut Input<'_>, level: Level) -> Parsed<Expr> {
    let start = input.clone();
    let first = operand(input)?;
    climb(input, &start, first, level.tighter())
}

fn operator(input: &Input<'_>) -> Option<(&'static str, Level, Operator)> {
    let here = input.symbol()?;
    OPERATORS.into_iter().find(|(symbol, ..)| *symbol == here)
}

fn combine(operator: Operator, left: Expr, right: Expr) -> ExprKind {
    let (left, right) = (Box::new(left), Box::new(right));
    match operator {
        Operator::Range => ExprKind::Range(left, right),
        Operator::Or => ExprKind::Or(left, right),
        Operator::And => ExprKind::And(left, right),
        Operator::Infix(Infix::Compare(op)) => ExprKind::Compare(op, left, right),
        Operator::Infix(Infix::Bits(op)) | Operator::Binary(op) => ExprKind::Binary(op, left, right),
    }
}

/// `first`, which begins at `start`, and the comparisons and bitwise operators behind it.
fn row<'a>(input: &mut Input<'a>, start: Input<'a>, first: Expr) -> Parsed<Expr> {
    let mut ends = vec![(start, input.clone())];
    let (mut operands, mut operators) = (vec![first], Vec::new());
    while let Some((symbol, _, Operator::Infix(infix))) = operator(input) {
        input.check_chain(operators.len())?;
        let span = input.span();
        check_comparison(&operators, infix, span)?;
        input.take(symbol);
        let start = input.clone();
        operands.push(right_side(input, Level::Row)?);
        ends.push((start, input.clone()));
        operators.push((infix, span));
    }
    let is_comparison = |(infix, _): &(Infix, Span)| infix.is_comparison();
    let beside = operators.windows(2).find(|two| is_comparison(&two[0]) != is_comparison(&two[1]));
    let Some(beside) = beside else {
        return Ok(group(operands, &operators, Spelling::Rust, |x, infix, span, y| Expr {
            kind: combine(Operator::Infix(infix), x, y),
            span,
        }));
    };
    let span = beside.iter().find(|operator| !is_comparison(operator)).map_or(beside[0].1, |bits| bits.1);
    let tokens = ends.iter().map(|(start, end)| start.tokens_to(end)).collect();
    Ok(Expr { kind: ExprKind::Mixed(Box::new(Mixed { operands, operators, tokens })), span })
}

/// Comparisons do not chain, in neither grouping.
fn check_comparison(before: &[(Infix, Span)], infix: Infix, span: Span) -> Parsed<()> {
    let rank = |infix: Infix| infix.rank(Spelling::Rust);
    let beside =
        before.iter().rev().map(|(infix, _)| *infix).take_while(|before| {
            infix.is_comparison() && before.is_comparison() && rank(*before) >= rank(infix)
        });
    let Some(first) = beside.into_iter().find(|before| rank(*before) == rank(infix)) else { return Ok(()) };
    let (first, second) = (first.symbol(), infix.symbol());
    let error = Diagnostic::new(Code::Chained, span, "comparisons do not chain");
    Err(error.help(format!("write `a {first} b && b {second} c`, or put one of them in parentheses")))
}

fn operand(input: &mut Input<'_>) -> Parsed<Expr> {
    let first = unary(input)?;
    suffixes(input, first)
}

/// Ascriptions and casts, which bind tighter than any operator with two sides.
fn suffixes(input: &mut Input<'_>, mut expr: Expr) -> Parsed<Expr> {
    for length in 0.. {
        let span = input.span();
        input.check_chain(length)?;
        if input.at_symbol(":") {
            input.take(":");
            let ty = types::ty(input)?;
            expr = Expr { kind: ExprKind::Ascribe(Box::new(expr), ty), span };
        } else if input.take_word("as").is_some() {
            let found = input.found();
            let ty = types::ty(input)?;
            let is_named = matches!(
                ty.kind,
                TypeKind::Scalar(_)
                    | TypeKind::Size(_)
                    | TypeKind::Text
                    | TypeKind::Fixed(_)
                    | TypeKind::Name(_)
            );
            if !is_named {
                let message = format!("expected a scalar type after `as`, found {found}");
                return Err(Diagnostic::new(Code::Expected, ty.span, message)
                    .help("`x: type` says what type `x` has"));
            }
            expr = Expr { kind: ExprKind::Cast(Box::new(expr), ty), span };
        } else {
            break;
        }
    }
    Ok(expr)
}

/// Operators with one side. `*x` and `&x` are x.
fn unary(input: &mut Input<'_>) -> Parsed<Expr> {
    control::annotations(input)?;
    let span = input.span();
    if input.take("-").is_some() {
        if let Some(number) = literal::negative(input)? {
            return Ok(number);
        }
        let expr = input.deeper(unary)?;
        return Ok(Expr { kind: ExprKind::Unary(UnaryOp::Neg, Box::new(expr)), span });
    }
    if input.take("!").is_some() {
        let expr = input.deeper(unary)?;
        return Ok(Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(expr)), span });
    }
    if input.take("*").is_some() || input.take("&").is_some() {
        return input.deeper(unary);
    }
    postfix::postfix(input)
}
