//! The rewrite: the check before the loop, and the loop twice.

use weldment_runtime::lang::scalar::Const;

use super::spans::Spans;
use crate::ir::rewrite::Copier;
use crate::ir::{BinaryOp, BodyId, CompareOp, Op, Program, Stmt, Value, Zip};

/// Checks once what `found` tells of the statement `original`, and reads slices where it holds: adds to `stmts` what stands
/// for it.
pub(super) fn apply(found: &Spans, program: &mut Program, original: Stmt, stmts: &mut Vec<Stmt>) {
    let loc = original.loc;
    let before = stmts;
    let zero = program.append(Op::Const(Const::I64(0)), loc, before);
    let mut cond = None;
    let mut starts = Vec::new();
    for span in &found.spans {
        // Where the loop begins.
        let mut copier = Copier::new();
        copier.subst.insert(program.bodies[found.inner].params[0], zero);
        before.extend(copier.stmts(program, &span.computed));
        let start = copier.subst.get(span.index);
        starts.push(start);
        // Lengths and extents are no negative numbers, so that the difference does not wrap; and from a start between 0 and
        // it, no index does.
        let last = program.append(Op::Binary(BinaryOp::Sub, span.length, found.extent), loc, before);
        for (low, high) in [(zero, start), (start, last)] {
            let holds = program.append(Op::Compare(CompareOp::Le, low, high), loc, before);
            cond = Some(match cond {
                None => holds,
                Some(cond) => program.append(Op::Binary(BinaryOp::And, cond, holds), loc, before),
            });
        }
    }
    let cond = cond.expect("there is a span");

    let then = {
        let mut stmts = Vec::new();
        let mut copier = Copier::new();
        let mut copy = copier.stmt(program, &original);
        let Op::Loop(inner) = &mut copy.op else { unreachable!("spans are of loops") };
        let (index, body) = (program.bodies[inner.body].params[0], inner.body);
        // All of them have as many elements as the loop has iterations.
        let mut vectors = read_at(program, body, index);
        for (span, &start) in found.spans.iter().zip(&starts) {
            let checked = copier.subst.get(span.checked);
            for &vector in &span.vectors {
                let slice = program.append(Op::Slice(vector, start, found.extent), loc, &mut stmts);
                read_slice(program, body, (vector, checked), (slice, index));
                vectors.push(slice);
            }
            drop_check(program, body, checked);
        }
        // By its length, or their lengths, their reads are known to be within.
        let mut lengths: Vec<Value> =
            vectors.into_iter().map(|vector| program.append(Op::Len(vector), loc, &mut stmts)).collect();
        // What is computed of the index may be within by what the extent was.
        if found.rests_on_extent {
            lengths.push(found.extent);
        }
        inner.extents = match lengths[..] {
            [length] => vec![length],
            _ => vec![program.append(Op::ZipLen(Zip::Lengths, lengths), loc, &mut stmts)],
        };
        let results = copy.results.clone();
        stmts.push(copy);
        program.add_body(Vec::new(), stmts, results)
    };
    let els = {
        let copy = Copier::new().stmt(program, &original);
        let results = copy.results.clone();
        program.add_body(Vec::new(), vec![copy], results)
    };
    before.push(Stmt { results: original.results, op: Op::If { cond, then, els }, loc });
}

/// The vectors from outside that `body` reads at `index`.
fn read_at(program: &Program, body: BodyId, index: Value) -> Vec<Value> {
    let (mut vectors, mut bound) = (Vec::new(), Vec::new());
    program.for_each_stmt(body, &mut |stmt| {
        match stmt.op {
            Op::At(vector, at) if at == index && !vectors.contains(&vector) => vectors.push(vector),
            _ => {}
        }
        bound.extend(&stmt.results);
    });
    vectors.retain(|vector| !bound.contains(vector));
    vectors
}

/// Reads `to` wherever `body` reads `from`: a vector at an index.
fn read_slice(program: &mut Program, body: BodyId, from: (Value, Value), to: (Value, Value)) {
    for inner in program.bodies_within(body) {
        for stmt in &mut program.bodies[inner].stmts {
            if let Op::At(vector, index) = &mut stmt.op
                && (*vector, *index) == from
            {
                (*vector, *index) = to;
            }
        }
    }
}

/// Takes the check out of `body` that gives `checked`, which nobody reads.
fn drop_check(program: &mut Program, body: BodyId, checked: Value) {
    for inner in program.bodies_within(body) {
        program.bodies[inner].stmts.retain(|stmt| stmt.results.first() != Some(&checked));
    }
}
