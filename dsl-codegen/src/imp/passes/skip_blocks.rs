//! `skip-blocks`: a loop that looks for the element that comes first in an order by a number, as `argmin` and `max_by_key` do, leaves out blocks
//! in which no number is better than the best so far. What is asked of a block, its least number, is computed side by side; to choose among
//! elements is a step for each that waits for the one before.
//!
//! # Preconditions
//! The loop does nothing but choose, by a function that keeps what it has unless the other's number is better, and what it computes is total.
//!
//! # Before / After
//! ```text
//! for p in 0..n { x = load c[p]; k = abs x; e = struct k, x; do merge #0, e }
//! ```
//! ```text
//! start a0
//! for s to e in 0..n by 256 poll {
//!   m = sub e, s
//!   d = slice c, s, m
//!   start a1
//!   for p in 0..m { x = load d[p]; k = abs x; a1[p] better min= k }
//!   l = read a1 fold min; b = read a0
//!   if not (b < inf and b <= l) cold {
//!     for p in 0..m { x = load d[p]; k = abs x; e = struct k, x; do merge #0, e }
//!     a0 min= l
//!   }
//! }
//! ```
//! A block with nothing but NaN is not better than a number; as long as there was no number below infinity, none is left out. So it is what the
//! loop has chosen before.
//!
//! # Declines when
//! The loop is inside of another; it does something else as well than to choose, its order is one of structs, the number is one of a text or another vector, or what is merged is an element as it is read.
//!
//! # Order
//! Behind `outline`, so that a function has all of its blocks, and before `blocks`.

use std::collections::{BTreeMap, HashMap, HashSet};

use weldment_core::ir::{BinaryOp, CompareOp, Const, Op, ReduceOp, UnaryOp, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::pass::{Pass, each_for};
use super::strips;
use crate::imp::copy::copy_of;
use crate::imp::effects::of_stmt;
use crate::imp::walk::Use;
use crate::imp::{
    AccOp, Action, Block, Combine, For, Func, Hints, Imp, Lane, Param, RegId, Side, Stmt, Strategy, Target,
};

pub(super) const PASS: Pass = Pass { name: "skip-blocks", is_for: |target| target.skip_blocks, run };

/// In a block of so many, few of those that are random hold a better element.
const BLOCK: u32 = 256;

/// What is looked at side by side.
const WIDTH: u32 = 16;

fn run(imp: &mut Imp, _: &Target) {
    let mut outer = HashSet::new();
    for func in imp.funcs.ids() {
        loops_outside(&imp.funcs[func].body, &mut outer);
    }
    each_for(
        imp,
        |inner| outer.contains(&inner.index) && only_merges(inner),
        |imp, inner, out| match choices(imp, &inner) {
            Some(choices) => skipping(imp, inner, &choices, out),
            None => out.stmts.push(Stmt::For(inner)),
        },
    );
}

/// The loops that no other one holds, by their positions: inside of another, most are of few elements.
fn loops_outside(block: &Block, found: &mut HashSet<Value>) {
    for stmt in &block.stmts {
        match stmt {
            // A loop over strips holds the one that is cut.
            Stmt::For(inner) if inner.end.is_some() => loops_outside(&inner.body, found),
            Stmt::For(inner) => _ = found.insert(inner.index),
            Stmt::If { .. } | Stmt::Split(_) => stmt.for_each_block(|inner| loops_outside(inner, found)),
            _ => {}
        }
    }
}

/// Whether a loop computes elements and merges them as a whole, and does nothing else.
fn only_merges(inner: &For) -> bool {
    let mut merges = 0;
    let is_plain = |stmt: &Stmt| match stmt {
        Stmt::Let { .. } | Stmt::Load { .. } => true,
        Stmt::Do { action: Action::Merge, args, mask: None, .. } if args.len() == 1 => {
            merges += 1;
            true
        }
        _ => false,
    };
    let runs_one_by_one =
        inner.step == 1 && inner.end.is_none() && inner.exit.is_none() && inner.block().is_none();
    runs_one_by_one && inner.body.stmts.iter().all(is_plain) && merges > 0
}

/// Which of two elements is kept.
struct Order {
    /// The field that is compared.
    field: u32,
    ty: Scalar,
    /// The least or the greatest.
    op: ReduceOp,
}

/// One of the elements that a loop chooses.
struct Choice {
    order: Order,
    /// The number of an element.
    number: Value,
}

/// What `inner` chooses, if it does nothing else.
fn choices(imp: &Imp, inner: &For) -> Option<Vec<Choice>> {
    let mut choices = Vec::new();
    for stmt in &inner.body.stmts {
        let Stmt::Do { store, args, .. } = stmt else {
            let effects = of_stmt(imp, stmt);
            if effects.faults || effects.context {
                return None;
            }
            continue;
        };
        let store = &imp.stores[*store];
        let (Strategy::Boxed, Combine::Func(func)) = (store.strategy, store.combine) else { return None };
        let order = order_of(imp, &imp.funcs[func])?;
        let number = inner.body.stmts.iter().find_map(|stmt| match stmt {
            Stmt::Let { result, op: Op::Struct(parts, _), .. } if *result == args[0] => {
                parts.get(order.field as usize).copied()
            }
            _ => None,
        });
        choices.push(Choice { order, number: number? });
    }
    let numbers = choices.iter().map(|choice| choice.number).collect();
    computing(&inner.body, numbers).iter().all(|stmt| is_scalar(imp, stmt)).then_some(choices)
}

/// The order of a function that keeps `a` unless the number of `b` is better: less or greater, where that of `a` is that or NaN.
fn order_of(imp: &Imp, func: &Func) -> Option<Order> {
    let [Param::Value(a), Param::Value(b)] = func.params[..] else { return None };
    let [result] = func.body.results[..] else { return None };
    let mut ops = HashMap::new();
    for stmt in &func.body.stmts {
        let Stmt::Let { result, op, .. } = stmt else { return None };
        ops.insert(*result, op);
    }
    let is = |value: Value, constant: Const| imp.values[value].constant == Some(constant);
    let op_of = |value: Value| ops.get(&value).copied();
    let Some(&Op::Select(cond, yes, no)) = op_of(result) else { return None };
    let (keeps, is_number) = match *op_of(cond)? {
        // `select(select(keeps, false, b == b), b, a)`
        Op::Select(keeps, never, is_number) if (yes, no) == (b, a) && is(never, Const::Bool(false)) => {
            (keeps, Some(is_number))
        }
        Op::Compare(..) if (yes, no) == (a, b) => (cond, None),
        _ => return None,
    };
    let Some(&Op::Compare(order, x, y)) = op_of(keeps) else { return None };
    let op = match order {
        CompareOp::Le => ReduceOp::Min,
        CompareOp::Ge => ReduceOp::Max,
        _ => return None,
    };
    let (Op::Field(of_x, field), Op::Field(of_y, other)) = (op_of(x)?, op_of(y)?) else { return None };
    let ty = imp.values[x].ty.as_scalar()?;
    // A float that is no number would take the place of one, and be taken from it, if nobody asked for that.
    let asks = match is_number.and_then(op_of) {
        Some(&Op::Compare(CompareOp::Eq, one, same)) => one == same && one == y,
        _ => is_number.is_none() && !ty.is_float(),
    };
    let is_number = !matches!(ty, Scalar::Bool | Scalar::I128);
    ((*of_x, *of_y, field) == (a, b, other) && asks && is_number).then_some(Order { field: *field, ty, op })
}

fn skipping(imp: &mut Imp, mut inner: For, choices: &[Choice], out: &mut Block) {
    let (strip, loc) = ([imp.position(), imp.position()], inner.loc);
    let mut body = Block::default();
    let range = strips::cut(imp, &mut inner, strip, BLOCK, &mut body);
    let orders = choices.iter().map(|choice| &choice.order);
    let reg = |imp: &mut Imp, lanes| {
        let new = |order: &Order| imp.reg(order.ty, lanes, order.op.identity(order.ty));
        orders.clone().map(new).collect::<Vec<RegId>>()
    };
    let (best, lanes) = (reg(imp, 1), reg(imp, WIDTH));
    out.stmts.extend(best.iter().map(|&reg| Stmt::Start(reg)));
    body.stmts.extend(lanes.iter().map(|&reg| Stmt::Start(reg)));
    let looked = looked_at(imp, &inner, choices, &lanes);
    body.stmts.push(Stmt::For(looked));
    let mut then = Block { stmts: vec![Stmt::For(inner)], results: Vec::new() };
    let mut is_wanted = None;
    for (order, (&best, &lanes)) in orders.zip(best.iter().zip(&lanes)) {
        let [found, so_far] = [lanes, best].map(|reg| {
            let result = imp.value(order.ty.into());
            body.stmts.push(Stmt::Read { result, reg, fold: order.op });
            result
        });
        let is_over = is_over(imp, &mut body, order, found, so_far);
        let wants = body.bind(imp, Type::BOOL, Op::Unary(UnaryOp::Not, is_over));
        is_wanted = Some(match is_wanted {
            Some(others) => body.bind(imp, Type::BOOL, Op::Binary(BinaryOp::Or, others, wants)),
            None => wants,
        });
        let op = AccOp::Reduce(order.op);
        then.stmts.push(Stmt::Accumulate { reg: best, lane: Lane::Zero, op, value: found, mask: None });
    }
    let Some(cond) = is_wanted else { unreachable!("a loop that chooses something") };
    let (results, els, cold) = (Vec::new(), Block::default(), Some(Side::Then));
    body.stmts.push(Stmt::If { results, cond, then, els, cold });
    out.stmts.push(Stmt::For(For::in_strips(strip, range, BLOCK, body, loc)));
}

/// Whether nothing in a block, of which the best is `found`, comes before what is known `so_far`.
fn is_over(imp: &mut Imp, body: &mut Block, order: &Order, found: Value, so_far: Value) -> Value {
    let (keeps, better) = match order.op {
        ReduceOp::Max => (CompareOp::Ge, CompareOp::Gt),
        _ => (CompareOp::Le, CompareOp::Lt),
    };
    let start = imp.constant(order.op.identity(order.ty));
    let is_known = body.bind(imp, Type::BOOL, Op::Compare(better, so_far, start));
    let is_kept = body.bind(imp, Type::BOOL, Op::Compare(keeps, so_far, found));
    body.bind(imp, Type::BOOL, Op::Binary(BinaryOp::And, is_known, is_kept))
}

/// A copy of `inner` that puts the best of the numbers into `lanes`.
fn looked_at(imp: &mut Imp, inner: &For, choices: &[Choice], lanes: &[RegId]) -> For {
    let mut looked = inner.clone();
    let numbers = choices.iter().map(|choice| choice.number).collect();
    looked.body.stmts = computing(&inner.body, numbers).into_iter().cloned().collect();
    for (Choice { order, number }, &reg) in choices.iter().zip(lanes) {
        // By comparison no number is NaN, and either zero will do.
        let op = if order.ty.is_float() { AccOp::Better(order.op) } else { AccOp::Reduce(order.op) };
        let lane = Lane::Of(looked.index);
        looked.body.stmts.push(Stmt::Accumulate { reg, lane, op, value: *number, mask: None });
    }
    looked.hints = Some(Box::new(Hints { block: Some(WIDTH), ..Hints::default() }));
    let whole = Block { stmts: vec![Stmt::For(looked)], results: Vec::new() };
    let mut copy = copy_of(imp, &whole, BTreeMap::new());
    match copy.stmts.pop() {
        Some(Stmt::For(looked)) => looked,
        _ => unreachable!("a copy of a loop is a loop"),
    }
}

/// The statements of `body` that compute these values, in order.
fn computing(body: &Block, mut wanted: HashSet<Value>) -> Vec<&Stmt> {
    let mut stmts: Vec<&Stmt> = body
        .stmts
        .iter()
        .rev()
        .filter(|stmt| {
            let is_wanted = stmt.values(Use::Bind).iter().any(|value| wanted.contains(value));
            if is_wanted {
                wanted.extend(stmt.values(Use::Read));
            }
            is_wanted
        })
        .collect();
    stmts.reverse();
    stmts
}

/// Whether a statement computes a scalar of scalars, or reads a part of an element that consists of them.
fn is_scalar(imp: &Imp, stmt: &Stmt) -> bool {
    let ty = |value: &Value| &imp.values[*value].ty;
    match stmt {
        Stmt::Load { result, .. } => ty(result).is_scalars(),
        Stmt::Let { result, op: Op::Field(of, _), .. } => ty(result).is_scalars() && ty(of).is_scalars(),
        stmt => {
            let all = stmt.values(Use::Bind).into_iter().chain(stmt.values(Use::Read));
            all.into_iter().all(|value| ty(&value).as_scalar().is_some())
        }
    }
}

#[cfg(test)]
mod tests {
    use weldment_core::front::from_text;
    use weldment_core::passes;

    use crate::imp::{Target, build};
    use crate::loops;

    #[track_caller]
    fn check(text: &str, skips: bool) {
        let mut program = from_text(text).expect("the test is well formed").program;
        passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
        let printed = build(&loops::build(&program, &loops::Options::default()), Target::LLVM).to_string();
        assert_eq!(printed.contains("by 256 poll"), skips, "{text}\n{printed}");
    }

    #[test]
    fn blocks_are_skipped_where_the_order_is_that_of_a_number() {
        check("|v: &[f64]| v.argmin()", true);
        check("|v: &[f64]| (v.argmin(), v.max_by_key(|x| x * 0.5))", true);
        check("|v: &[(i64, f64)]| v.min_by_key(|(n, _)| n)", true);
        check("|v: &[i64]| v.map(|n| (n, n * 2)).reduce(|a, b| if a.0 <= b.0 { a } else { b })", true);
        check("|v: &[((i64, Date), f64)]| v.max_by_key(|((n, _), x)| x * n as f64)", true);
    }

    #[test]
    fn others_are_looked_at_one_by_one() {
        // Elements that are not put together in the loop.
        check("|v: &[(i64, f64)]| v.reduce(|a, b| if a.0 <= b.0 { a } else { b })", false);
        // NaN is not less than what comes behind it, and takes the place of what was before.
        check("|v: &[f64]| v.map(|x| (x, x * 2.0)).reduce(|a, b| if a.0 <= b.0 { a } else { b })", false);
        // The last of equals.
        check("|v: &[i64]| v.map(|n| (n, n * 2)).reduce(|a, b| if a.0 < b.0 { a } else { b })", false);
        // Whether it is chosen depends on something else, too.
        check(
            "|v: &[f64]| v.map(|x| (x, x - x)).reduce(|a, b| select(!(a.0 <= b.0) && b.1 == b.1, b, a))",
            false,
        );
        check("|v: &[i64]| v.map(|n| (n, n * 2)).reduce(|a, b| if a.0 <= b.1 { a } else { b })", false);
        check("|v: &[(i64, i64)]| v.min_by_key(|(m, n)| (m, n))", false);
        check("|v: &[String]| v.min_by_key(|s| s.len())", false);
        check("|v: &[i64], w: &[i64]| v.map(|x| w.map(|y| (x - y) / x).argmin())", false);
        check("|v: &[f64]| (v.argmin(), v.map(|x| x / 3.0))", false);
    }
}
