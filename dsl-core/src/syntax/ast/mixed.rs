//! Comparisons beside bitwise operators, which Weld and Rust group otherwise.
//!
//! `a >= b & c < d` is `(a >= b) & (c < d)` to Weld, where `&` binds looser than comparisons; to Rust, where it binds
//! tighter, it is `a >= (b & c) < d`. The parser keeps such a row as it stands. Inference, which knows what the operands
//! are, tells which grouping is meant.

use proc_macro2::{Span, TokenStream};
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp};

use super::{Expr, Spelling};
use crate::source::shortened;
use crate::syntax::excerpts;

/// A row of operands with comparisons and bitwise operators between them.
///
/// ```
/// # use weldment_core::syntax::{ast::*, parse_text};
/// let body = parse_text("|a: vec[i64], x: i64| x >= 2L & x < 5L").unwrap().closure.body;
/// let ExprKind::Mixed(mixed) = body.kind else { panic!() };
/// assert_eq!((mixed.operands.len(), mixed.operators.len()), (4, 3));
/// ```
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
    ///
    /// ```
    /// # use weldment_core::syntax::{ast::*, parse_text};
    /// let body = parse_text("|x: i64| x >= 2L & x < 5L").unwrap().closure.body;
    /// let ExprKind::Mixed(mixed) = body.kind else { panic!() };
    /// assert!(mixed.is_read(Spelling::Weld) && !mixed.is_read(Spelling::Rust));
    /// ```
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
    ///
    /// ```
    /// # use weldment_core::syntax::{ast::*, parse_text};
    /// let body = parse_text("|x: i64| x & (1L+x) == 0L").unwrap().closure.body;
    /// let ExprKind::Mixed(mixed) = body.kind else { panic!() };
    /// assert_eq!(mixed.written(Spelling::Weld), "x & ((1L + x) == 0L)");
    /// assert_eq!(mixed.written(Spelling::Rust), "(x & (1L + x)) == 0L");
    /// ```
    pub fn written(&self, spelling: Spelling) -> String {
        let operands = self.tokens.iter().map(|tokens| (shortened(&excerpts::text(tokens.clone())), None));
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
///
/// ```
/// # use weldment_core::syntax::ast::*;
/// use weldment_runtime::lang::scalar::{BinaryOp, CompareOp};
/// let (and, less) = (Infix::Bits(BinaryOp::And), Infix::Compare(CompareOp::Lt));
/// assert!(and.rank(Spelling::Weld) < less.rank(Spelling::Weld)); // looser
/// assert!(and.rank(Spelling::Rust) > less.rank(Spelling::Rust));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `==`, `!=`, `<`, `>`, `<=`, `>=`
    Compare(CompareOp),
    /// `|`, `^`, `&`
    Bits(BinaryOp),
}

impl Infix {
    /// How tightly it binds among its like.
    ///
    /// ```
    /// # use weldment_core::syntax::ast::*;
    /// use weldment_runtime::lang::scalar::CompareOp;
    /// let rank = |op| Infix::Compare(op).rank(Spelling::Weld);
    /// assert!(rank(CompareOp::Eq) < rank(CompareOp::Lt));
    /// ```
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
    ///
    /// ```
    /// # use weldment_core::syntax::ast::*;
    /// assert!(!Infix::Bits(weldment_runtime::lang::scalar::BinaryOp::Or).is_comparison());
    /// ```
    pub fn is_comparison(self) -> bool {
        matches!(self, Infix::Compare(_))
    }

    /// The operator in the source.
    ///
    /// ```
    /// # use weldment_core::syntax::ast::*;
    /// assert_eq!(Infix::Bits(weldment_runtime::lang::scalar::BinaryOp::Xor).symbol(), "^");
    /// ```
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
/// ```
/// # use weldment_core::syntax::ast::*;
/// use proc_macro2::Span;
/// use weldment_runtime::lang::scalar::{BinaryOp, CompareOp};
/// let row = [(Infix::Bits(BinaryOp::And), Span::call_site()), (Infix::Compare(CompareOp::Eq), Span::call_site())];
/// let grouped = |spelling| {
///     let letters = ["a", "b", "c"].map(String::from).to_vec();
///     group(letters, &row, spelling, |x, op, _, y| format!("({x} {} {y})", op.symbol()))
/// };
/// assert_eq!(grouped(Spelling::Weld), "(a & (b == c))");
/// assert_eq!(grouped(Spelling::Rust), "((a & b) == c)");
/// ```
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
