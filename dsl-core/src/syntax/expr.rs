//! Expressions: `let` chains and closures at the outside, then operators by precedence.

use proc_macro2::Span;
use weldment_runtime::scalar::{BinaryOp, CompareOp, UnaryOp};

use super::ast::{Expr, ExprKind, TypeKind};
use super::input::{Input, Parsed};
use super::{control, literal, postfix, types};
use crate::diagnostic::{Code, Diagnostic};

/// Any expression.
pub(super) fn expression(input: &mut Input<'_>) -> Parsed<Expr> {
    input.deeper(|input| {
        let mut bindings = Vec::new();
        control::annotations(input)?;
        let span = input.span();
        while input.take_word("let").is_some() {
            bindings.push(control::binding(input)?);
            control::annotations(input)?;
        }
        let body = if input.at("|") { control::closure(input)? } else { operators(input)? };
        if bindings.is_empty() {
            return Ok(body);
        }
        Ok(Expr { kind: ExprKind::Let(bindings, Box::new(body)), span })
    })
}

/// An expression that does not begin with `let` or a closure's bars.
pub(super) fn operators(input: &mut Input<'_>) -> Parsed<Expr> {
    let first = operand(input)?;
    Ok(climb(input, first, Level::Range)?.expr)
}

/// The expression that begins with `first`, which has been parsed already.
pub(super) fn operators_after(input: &mut Input<'_>, first: Expr) -> Parsed<Expr> {
    let first = postfix::postfixes(input, first)?;
    let first = suffixes(input, first)?;
    Ok(climb(input, first, Level::Range)?.expr)
}

/// The levels of precedence, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Range,
    Or,
    And,
    Equality,
    Order,
    BitOr,
    BitXor,
    BitAnd,
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

    fn is_comparison(self) -> bool {
        matches!(self, Level::Equality | Level::Order)
    }

    fn is_bitwise(self) -> bool {
        matches!(self, Level::BitOr | Level::BitXor | Level::BitAnd)
    }
}

/// What an operator makes of its two sides.
#[derive(Clone, Copy)]
enum Operator {
    Range,
    Or,
    And,
    Compare(CompareOp),
    Binary(BinaryOp),
}

const OPERATORS: [(&str, Level, Operator); 19] = [
    ("..", Level::Range, Operator::Range),
    ("||", Level::Or, Operator::Or),
    ("&&", Level::And, Operator::And),
    ("==", Level::Equality, Operator::Compare(CompareOp::Eq)),
    ("!=", Level::Equality, Operator::Compare(CompareOp::Ne)),
    ("<", Level::Order, Operator::Compare(CompareOp::Lt)),
    (">", Level::Order, Operator::Compare(CompareOp::Gt)),
    ("<=", Level::Order, Operator::Compare(CompareOp::Le)),
    (">=", Level::Order, Operator::Compare(CompareOp::Ge)),
    ("|", Level::BitOr, Operator::Binary(BinaryOp::Or)),
    ("^", Level::BitXor, Operator::Binary(BinaryOp::Xor)),
    ("&", Level::BitAnd, Operator::Binary(BinaryOp::And)),
    ("<<", Level::Shift, Operator::Binary(BinaryOp::Shl)),
    (">>", Level::Shift, Operator::Binary(BinaryOp::Shr)),
    ("+", Level::Sum, Operator::Binary(BinaryOp::Add)),
    ("-", Level::Sum, Operator::Binary(BinaryOp::Sub)),
    ("*", Level::Product, Operator::Binary(BinaryOp::Mul)),
    ("/", Level::Product, Operator::Binary(BinaryOp::Div)),
    ("%", Level::Product, Operator::Binary(BinaryOp::Rem)),
];

/// An expression with its outermost operator, unless that is in parentheses.
struct Side {
    expr: Expr,
    level: Level,
    symbol: &'static str,
}

impl From<Expr> for Side {
    fn from(expr: Expr) -> Side {
        Side { expr, level: Level::Operand, symbol: "" }
    }
}

/// `left`, and the operators behind it that bind at least as tightly as `loosest`.
fn climb(input: &mut Input<'_>, mut left: Side, loosest: Level) -> Parsed<Side> {
    for length in 0.. {
        let Some((symbol, level, operator)) = operator(input).filter(|(_, level, _)| *level >= loosest)
        else {
            break;
        };
        input.check_chain(length)?;
        let span = input.span();
        check_comparison(&left, symbol, level, span)?;
        check_bitwise(&left, symbol, level)?;
        if input.at("**") {
            let error = Diagnostic::new(Code::NoOperator, span, "there is no operator `**`");
            return Err(error.help("write `pow(a, b)` for a power, or `a * *b` for a product"));
        }
        input.take(symbol);
        if level == Level::Range && (input.is_end() || input.at(",") || input.at(";")) {
            let error = Diagnostic::new(Code::OpenRange, span, "a range needs an end");
            return Err(error.help("a whole vector needs no range; `0..len(v)` are its indices"));
        }
        let right = operand(input)?;
        let right = climb(input, right, level.tighter())?;
        check_bitwise(&right, symbol, level)?;
        let expr = Expr { kind: combine(operator, left.expr, right.expr), span };
        left = Side { expr, level, symbol };
    }
    Ok(left)
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
        Operator::Compare(op) => ExprKind::Compare(op, left, right),
        Operator::Binary(op) => ExprKind::Binary(op, left, right),
    }
}

/// Comparisons and ranges do not chain.
fn check_comparison(left: &Side, symbol: &str, level: Level, span: Span) -> Parsed<()> {
    if left.level != level {
        return Ok(());
    }
    if level.is_comparison() {
        let error = Diagnostic::new(Code::Chained, span, "comparisons do not chain");
        let first = left.symbol;
        return Err(
            error.help(format!("write `a {first} b && b {symbol} c`, or put one of them in parentheses"))
        );
    }
    if level == Level::Range {
        return Err(Diagnostic::new(Code::Chained, span, "ranges do not chain")
            .help("a range is `start..end`; with a stride it is `(0..n).map(|i| start + i * stride)`"));
    }
    Ok(())
}

/// In Weld `a & b == c` is `a & (b == c)`, in Rust it is `(a & b) == c`: neither is chosen here.
fn check_bitwise(side: &Side, symbol: &str, level: Level) -> Parsed<()> {
    if !level.is_comparison() || !side.level.is_bitwise() {
        return Ok(());
    }
    let bitwise = side.symbol;
    let message = format!(
        "`{bitwise}` beside `{symbol}` needs parentheses: Weld and Rust disagree on which comes first"
    );
    let advice = format!("write `(a {bitwise} b) {symbol} c` or `a {bitwise} (b {symbol} c)`");
    Err(Diagnostic::new(Code::BitsBesideComparison, side.expr.span, message).help(advice))
}

fn operand(input: &mut Input<'_>) -> Parsed<Side> {
    let first = unary(input)?;
    suffixes(input, first)
}

/// Ascriptions and casts, which bind tighter than any operator with two sides.
fn suffixes(input: &mut Input<'_>, mut expr: Expr) -> Parsed<Side> {
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
            let (TypeKind::Scalar(_) | TypeKind::Name(_)) = ty.kind else {
                let message = format!("expected a scalar type after `as`, found {found}");
                return Err(Diagnostic::new(Code::Expected, ty.span, message)
                    .help("`x: type` says what type `x` has"));
            };
            expr = Expr { kind: ExprKind::Cast(Box::new(expr), ty), span };
        } else {
            break;
        }
    }
    Ok(expr.into())
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
