//! Counts: when only the length of a collected vector is read, its elements are counted instead of stored.
//! (The length of a map is its extent; `simplify` knows that.) Where every iteration merges equally often there is nothing
//! to count either: `len p` is `n * k`, and the loop goes.
//!
//! Only of a vector that is not stored: the length of one that is stands beside its elements, and tied to them, so that
//! what proves indices by it goes on holding whatever becomes of the loop. So where p has a twin that is stored, merged
//! into by the same loop in step with it, `len p` is the length of the twin.

use std::collections::HashMap;

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{BinaryOp, Const};
use weldment_runtime::lang::types::Type;

use crate::analysis::equal::{Length, Lengths};
use crate::analysis::{bounds, merges};
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Defs, Keep, Loc, Loop, Op, Program, Sink, SinkDecl, SinkKind, Stmt, Uses, Value};
use crate::passes::Cx;

/// The name of the rule in the report.
const RULE: &str = "count";

/// How many merges an iteration may have for the length of a vector to be a product.
///
/// No run has a vector of 2^56 elements, since each takes a byte at least and addresses have no more bits: so many times
/// that many is still an `i64`.
const MAX_EACH: u32 = 64;

/// How the length of a vector is found.
enum Counted {
    /// Its merges are counted when the loop runs.
    Merges,
    /// Every one of `extent` iterations merges so often.
    Product { extent: Value, each: u32 },
    /// It is that of another vector of the loop, which is stored.
    Twin(Value),
}

/// Counts, as far as there is fuel, every vector made in `bodies` of which only the length is read. Whether there was one.
pub(super) fn count_all(
    program: &mut Program,
    cx: &mut Cx,
    defs: &Defs,
    uses: &Uses,
    bodies: impl Iterator<Item = BodyId>,
) -> bool {
    // What becomes of one is nothing to the others, so that their lengths can all be replaced in the end.
    let mut counts = HashMap::new();
    for body in bodies {
        let counted = counted_in(program, defs, uses, body);
        if !counted.is_empty() {
            count_in(program, cx, body, &counted, &mut counts);
        }
    }
    replace_lengths(program, &counts);
    !counts.is_empty()
}

/// The vectors made in `body` of which only the length is read.
fn counted_in(program: &Program, defs: &Defs, uses: &Uses, body: BodyId) -> HashMap<Value, Counted> {
    let stmts = &program.bodies[body].stmts;
    let mut counted = HashMap::new();
    if !stmts.iter().any(|stmt| matches!(stmt.op, Op::Loop(_))) {
        return counted;
    }
    // How many there are of each, and whether somebody reads one.
    let mut lengths: HashMap<Value, (u32, bool)> = HashMap::new();
    program.for_each_stmt(body, &mut |stmt| {
        if let Op::Len(vector) = stmt.op {
            let (lengths, is_read) = lengths.entry(vector).or_default();
            *lengths += 1;
            *is_read |= !uses.is_unused(stmt.results[0]);
        }
    });
    for stmt in stmts {
        let Op::Loop(inner) = &stmt.op else { continue };
        let vectors = inner.sinks.iter().zip(&stmt.results).filter(|(decl, _)| collects(decl));
        let (mut unstored, mut stored) = (Vec::new(), Vec::new());
        for (decl, &vector) in vectors {
            match lengths.get(&vector) {
                // A length that nobody reads is dead, and with it the vector.
                Some(&(lengths, is_read)) if lengths == uses.count(vector) => {
                    unstored.extend(is_read.then_some((decl.sink, vector)));
                }
                _ => stored.extend((!uses.is_unused(vector)).then_some(vector)),
            }
        }
        if unstored.is_empty() {
            continue;
        }
        let known = Lengths::new(program, defs);
        for (sink, vector) in unstored {
            let twin = stored.iter().find(|&&twin| known.of_vector(twin) == known.of_vector(vector));
            let how = twin.map(|&twin| Counted::Twin(twin)).or_else(|| product(program, defs, inner, sink));
            counted.insert(vector, how.unwrap_or(Counted::Merges));
        }
    }
    counted
}

fn collects(decl: &SinkDecl) -> bool {
    matches!(decl.kind, SinkKind::Collect { keep: Keep::Auto | Keep::Inlined, .. })
}

/// How often `inner` merges into `sink`, if each iteration merges once or never, or equally often and there are as many as a vector has
/// elements. Then another number of iterations, that of a range, may be such that the product wraps, where counting would
/// never end, and what depends on the length would go on with a wrong one.
fn product(program: &Program, defs: &Defs, inner: &Loop, sink: Sink) -> Option<Counted> {
    let [extent] = inner.extents[..] else { return None };
    let each = merges::exactly(program, defs, inner.body, sink).filter(|&each| each <= MAX_EACH)?;
    if each <= 1 {
        return Some(Counted::Product { extent, each });
    }
    let lengths = Lengths::new(program, defs);
    let mut known = bounds::implied(program, defs, extent).into_iter();
    let is_stored = known.any(|number| matches!(lengths.of_value(number), Length::Of(_)));
    is_stored.then_some(Counted::Product { extent, each })
}

/// Makes a number of merges of each of the vectors `counted`, which are made in `body`, and adds it to `counts`.
fn count_in(
    program: &mut Program,
    cx: &mut Cx,
    body: BodyId,
    counted: &HashMap<Value, Counted>,
    counts: &mut HashMap<Value, Value>,
) {
    let mut stmts = Vec::new();
    for mut stmt in program.take_stmts(body) {
        let loc = stmt.loc;
        let mut behind = Vec::new();
        for vector in stmt.results.clone() {
            let Op::Loop(inner) = &mut stmt.op else { break };
            let number =
                stmt.results.iter().position(|&result| result == vector).expect("a result that is left");
            let Some(how) = counted.get(&vector) else { continue };
            if !cx.allows() {
                continue;
            }
            cx.fuse(RULE, loc, None);
            let count = match *how {
                Counted::Product { extent, each } => multiply(program, extent, each, loc, &mut stmts),
                Counted::Twin(twin) => {
                    // It goes at once, for with it here its length would be the one to which others are simplified.
                    stmt.results.remove(number);
                    let unstored = inner.sinks.remove(number).sink;
                    program.drop_merges(inner.body, &[unstored]);
                    program.append(Op::Len(twin), loc, &mut behind)
                }
                Counted::Merges => {
                    let counter = program.fresh_sink();
                    let one = program.append(Op::Const(Const::I64(1)), loc, &mut stmts);
                    let kind = SinkKind::reduce(Type::I64, ReduceOp::Add);
                    let decl = SinkDecl { sink: counter, kind, loc };
                    let collected = std::mem::replace(&mut inner.sinks[number], decl);
                    count_merges(program, inner.body, collected.sink, counter, one);
                    let count = program.fresh(Type::I64);
                    stmt.results[number] = count;
                    count
                }
            };
            counts.insert(vector, count);
        }
        stmts.push(stmt);
        stmts.extend(behind);
    }
    program.put_stmts(body, stmts);
}

/// `extent * each`. That of nothing is 0 at once, since what indices are proved by goes on being known as that.
fn multiply(program: &mut Program, extent: Value, each: u32, loc: Loc, stmts: &mut Vec<Stmt>) -> Value {
    if each == 1 {
        return extent;
    }
    let factor = program.append(Op::Const(Const::I64(each.into())), loc, stmts);
    match each {
        0 => factor,
        _ => program.append(Op::Binary(BinaryOp::Mul, extent, factor), loc, stmts),
    }
}

/// Reads the count wherever the length of a vector that is counted was read.
fn replace_lengths(program: &mut Program, counts: &HashMap<Value, Value>) {
    let Some(entry) = program.entry.filter(|_| !counts.is_empty()) else { return };
    let mut subst = Subst::new();
    for body in program.bodies_within(entry) {
        program.bodies[body].stmts.retain(|stmt| match stmt.op {
            Op::Len(vector) => match counts.get(&vector) {
                Some(&count) => {
                    subst.insert(stmt.results[0], count);
                    false
                }
                None => true,
            },
            _ => true,
        });
    }
    program.substitute_everywhere(&subst);
}

/// Merges `one` into `counter` wherever something is merged into `counted`.
fn count_merges(program: &mut Program, body: BodyId, counted: Sink, counter: Sink, one: Value) {
    for body in program.bodies_within(body) {
        for stmt in &mut program.bodies[body].stmts {
            if let Op::Merge { sink, values } = &mut stmt.op
                && *sink == counted
            {
                *sink = counter;
                *values = vec![one];
            }
        }
    }
}
