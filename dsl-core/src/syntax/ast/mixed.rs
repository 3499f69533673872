//! Comparisons beside bitwise operators, which Weld and Rust group otherwise.
//!
//! `a >= b & c < d` is `(a >= b) & (c < d)` to Weld, where `&` binds looser than comparisons; to Rust, where it binds
//! tighter, it is `a >= (b & c) < d`. The parser keeps such a row as it stands. Inference, which knows what the operands
//! are, tells which grouping is meant.

use proc_macro2::{Span, TokenStream};
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp};

use super::{Expr, Spelling};
use crate::source::shortened;
use crate::syntax::excerpts::print;

/// A row of operands with comparisons and bitwise operators between them.
#[derive(Clone, Debug)]
pub struct Mixed {
    /// One more than there are operators.
    pub operands: Vec<Expr>,
    /// What stands between two operands, and where.
    pub operators: Vec<(Infix, Span)>,
    /// The tokens of each operand, for messages.
    pub tokens: Vec<TokenStream>,
}

impl Mixed {
    /// Whether `spelling` reads the row at all: comparisons do not chain.
    pub fn is_read(&self, spelling: Spelling) -> bool {
        let chained = |side: Option<Infix>, infix: Infix| {
            infix.is_comparison() && side.is_some_and(|side| side.rank(spelling) == infix.rank(spelling))
        };
        let mut is_read = true;
        group(vec![None; self.operands.len()], &self.operators, spelling, |x, infix, _, _| {
            is_read &= !chained(x, infix);
            Some(infix)
        });
        is_read
    }

    /// The row as `spelling` groups it, with the parentheses that say so in both.
    pub fn written(&self, spelling: Spelling) -> String {
        let operands = self.tokens.iter().map(|tokens| (shortened(&print::text(tokens.clone())), None));
        let side = |(text, own): (String, Option<Infix>), infix: Infix| match own {
            Some(own) if own.is_comparison() != infix.is_comparison() => format!("({text})"),
            _ => text,
        };
        let (text, _) = group(operands.collect(), &self.operators, spelling, |x, infix, _, y| {
            (format!("{} {} {}", side(x, infix), infix.symbol(), side(y, infix)), Some(infix))
        });
        text
    }
}

/// An operator that the two spellings rank differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `==`, `!=`, `<`, `>`, `<=`, `>=`
    Compare(CompareOp),
    /// `|`, `^`, `&`
    Bits(BinaryOp),
}

impl Infix {
    /// How tightly it binds among its like.
    pub fn rank(self, spelling: Spelling) -> u8 {
        let (bits, comparisons) = match spelling {
            Spelling::Weld => (0, 3),
            Spelling::Rust => (2, 0),
        };
        match self {
            Infix::Bits(BinaryOp::Or) => bits,
            Infix::Bits(BinaryOp::Xor) => bits + 1,
            Infix::Bits(_) => bits + 2,
            Infix::Compare(CompareOp::Eq | CompareOp::Ne) => comparisons,
            Infix::Compare(_) => comparisons + 1,
        }
    }

    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        matches!(self, Infix::Compare(_))
    }

    /// The operator in the source.
    pub fn symbol(self) -> &'static str {
        match self {
            Infix::Compare(CompareOp::Eq) => "==",
            Infix::Compare(CompareOp::Ne) => "!=",
            Infix::Compare(CompareOp::Lt) => "<",
            Infix::Compare(CompareOp::Gt) => ">",
            Infix::Compare(CompareOp::Le) => "<=",
            Infix::Compare(CompareOp::Ge) => ">=",
            Infix::Bits(BinaryOp::Or) => "|",
            Infix::Bits(BinaryOp::Xor) => "^",
            Infix::Bits(_) => "&",
        }
    }
}

/// What `combine` makes of a row, operator by operator: the tighter ones first, and of equals the left one.
///
/// # Panics
/// If there are not one more operands than operators.
pub fn group<T>(
    operands: Vec<T>,
    operators: &[(Infix, Span)],
    spelling: Spelling,
    mut combine: impl FnMut(T, Infix, Span, T) -> T,
) -> T {
    let mut operands = operands.into_iter();
    let mut values: Vec<T> = operands.next().into_iter().collect();
    let mut waiting: Vec<(Infix, Span)> = Vec::new();
    // What waits binds looser than what comes behind it.
    let mut reduce = |values: &mut Vec<T>, waiting: &mut Vec<(Infix, Span)>, loosest: u8| {
        while let Some((infix, span)) = waiting.pop_if(|(infix, _)| infix.rank(spelling) >= loosest) {
            let (y, x) = (values.pop().expect("an operand"), values.pop().expect("an operand"));
            values.push(combine(x, infix, span, y));
        }
    };
    for (&(infix, span), operand) in operators.iter().zip(operands) {
        reduce(&mut values, &mut waiting, infix.rank(spelling));
        waiting.push((infix, span));
        values.push(operand);
    }
    reduce(&mut values, &mut waiting, 0);
    values.pop().expect("a row has an operand")
}
