//! Which loops read along vectors, and from where on.

use std::collections::{HashMap, HashSet};

use weldment_runtime::lang::types::Type;

use crate::analysis::cost;
use crate::analysis::equal::Lengths;
use crate::analysis::stride::{Stride, Strides};
use crate::ir::{BinaryOp, BodyId, Def, Defs, Loop, Op, Program, SinkKind, Stmt, UnaryOp, Uses, Value};

/// An innermost loop that reads along vectors.
pub(super) struct Spans {
    /// The body in which the loop stands, and its number there.
    pub(super) body: BodyId,
    pub(super) number: usize,
    /// How many iterations it has, and its body.
    pub(super) extent: Value,
    pub(super) inner: BodyId,
    pub(super) spans: Vec<Span>,
    /// Whether something that it reads may be there by what the extent is.
    pub(super) rests_on_extent: bool,
}

/// What one check in the loop is of: elements one after the other.
pub(super) struct Span {
    /// What is checked, and what comes of it, in the loop.
    pub(super) index: Value,
    pub(super) checked: Value,
    /// The length that it is checked against.
    pub(super) length: Value,
    /// The statements in the loop that compute what is checked, in order.
    pub(super) computed: Vec<Stmt>,
    /// The vectors that are read there, which have that length.
    pub(super) vectors: Vec<Value>,
}

/// The vectors that something reads, or whose length it asks, and those that they have their lengths from: it may rest on how
/// many elements a loop makes, which nobody knows of one of two loops.
fn rest_on(program: &Program, defs: &Defs) -> HashSet<Value> {
    let (mut next, mut vectors) = (Vec::new(), HashSet::new());
    if let Some(entry) = program.entry {
        program.for_each_stmt(entry, &mut |stmt| {
            if let Op::At(vector, _) | Op::Len(vector) = stmt.op {
                next.push(vector);
            }
        });
    }
    while let Some(vector) = next.pop() {
        if !vectors.insert(vector) {
            continue;
        }
        let Some(Def::Stmt { result, .. }) = defs.def(vector) else { continue };
        match defs.op(program, vector) {
            Some(&Op::Sort { vector, .. }) => next.push(vector),
            Some(Op::If { then, els, .. }) => {
                next.extend([then, els].map(|&branch| program.bodies[branch].results[result]));
            }
            Some(Op::Loop(inner)) => {
                if let SinkKind::Scatter { init, .. } = inner.sinks[result].kind {
                    next.push(init);
                }
            }
            _ => {}
        }
    }
    vectors
}

/// What the report says of it.
pub(super) fn words(found: &Spans) -> String {
    let vectors: HashSet<Value> = found.spans.iter().flat_map(|span| span.vectors.iter().copied()).collect();
    match vectors.len() {
        1 => "that what it reads along a vector is there is checked once, before the loop".to_owned(),
        count => {
            format!("that what it reads along {count} vectors is there is checked once, before the loop")
        }
    }
}

/// The loops that read along vectors, of each body in program order.
pub(super) fn all(program: &Program, entry: BodyId) -> Vec<Vec<Spans>> {
    let bodies = program.bodies_within(entry);
    let bodies = bodies.into_iter().map(|body| (body, candidates_in(program, body)));
    let bodies: Vec<_> = bodies.filter(|(_, candidates)| !candidates.is_empty()).collect();
    if bodies.is_empty() {
        return Vec::new();
    }
    let (defs, uses) = (Defs::of(program), Uses::of(program));
    let lengths = rest_on(program, &defs);
    let of_body = |(body, candidates): (BodyId, Vec<(usize, Value, BodyId)>)| -> Vec<Spans> {
        let rests = |&(number, ..): &(usize, Value, BodyId)| {
            let results = &program.bodies[body].stmts[number].results;
            results.iter().any(|result| lengths.contains(result))
        };
        let found = candidates.into_iter().filter(|found| !rests(found)).map(|(number, extent, inner)| {
            let spans = spans(program, &defs, &uses, inner);
            let rests_on_extent = !spans.is_empty() && rests_on_extent(program, &defs, inner);
            Spans { body, number, extent, inner, spans, rests_on_extent }
        });
        found.filter(|found| !found.spans.is_empty()).collect()
    };
    bodies.into_iter().map(of_body).collect()
}

/// The cheap loops of `body` over one index that hold no loops: their numbers, extents and bodies.
fn candidates_in(program: &Program, body: BodyId) -> Vec<(usize, Value, BodyId)> {
    let stmts = program.bodies[body].stmts.iter().enumerate();
    let loops = stmts.filter_map(|(number, stmt)| match &stmt.op {
        Op::Loop(Loop { extents, body: inner, .. }) => match extents[..] {
            [extent] => Some((number, extent, *inner)),
            _ => None,
        },
        _ => None,
    });
    let candidates = loops.filter(|&(_, _, inner)| {
        let mut holds = false;
        program.for_each_stmt(inner, &mut |stmt| {
            holds |= matches!(stmt.op, Op::Loop(_) | Op::For { .. } | Op::Iterate { .. } | Op::Sort { .. });
        });
        !holds && cost::of_body(program, inner) <= cost::MAX_VERSIONED
    });
    candidates.collect()
}

/// The checks in the loop of `inner` of an index that grows by one.
fn spans(program: &Program, defs: &Defs, uses: &Uses, inner: BodyId) -> Vec<Span> {
    let mut checks = Vec::new();
    program.for_each_stmt(inner, &mut |stmt| {
        if let Op::CheckIndex(index, length) = stmt.op {
            checks.push((index, length, stmt.results[0]));
        }
    });
    let mut strides = Strides::new(program, defs, program.bodies[inner].params[0]);
    let is_inside = |value: Value| defs.body_of(value).is_some_and(|body| defs.encloses(inner, body));
    let lengths = Lengths::new(program, defs);
    let mut reads = reads_at(program, inner);
    let spans = checks.into_iter().filter_map(|(index, length, checked)| {
        let vectors = reads.remove(&checked)?;
        // Each read of it is one of these.
        let only_reads = uses.count(checked) as usize == vectors.len();
        let along =
            |vector: &Value| !is_inside(*vector) && lengths.of_vector(*vector) == lengths.of_value(length);
        if strides.of(index) != Stride::By(1) || is_inside(length) || !only_reads {
            return None;
        }
        if !vectors.iter().all(along) {
            return None;
        }
        let mut computed = Computed { program, defs, inner, stmts: Vec::new(), known: HashSet::new() };
        computed.add(index)?;
        let mut vectors = vectors;
        vectors.sort();
        vectors.dedup();
        Some(Span { index, checked, length, computed: computed.stmts, vectors })
    });
    spans.collect()
}

/// Whether `inner` reads at an index that is neither its own nor checked there against the length of what is read.
fn rests_on_extent(program: &Program, defs: &Defs, inner: BodyId) -> bool {
    let lengths = Lengths::new(program, defs);
    let own = program.bodies[inner].params[0];
    let mut rests = false;
    program.for_each_stmt(inner, &mut |stmt| {
        let Op::At(vector, at) = stmt.op else { return };
        let is_checked = match defs.op(program, at) {
            Some(&(Op::CheckIndex(_, length) | Op::AssumeIndex(_, length))) => {
                defs.body_of(at).is_some_and(|body| defs.encloses(inner, body))
                    && lengths.of_value(length) == lengths.of_vector(vector)
            }
            _ => false,
        };
        rests |= at != own && !is_checked;
    });
    rests
}

/// The vectors that are read at each index in `inner`, once for each read.
fn reads_at(program: &Program, inner: BodyId) -> HashMap<Value, Vec<Value>> {
    let mut reads: HashMap<Value, Vec<Value>> = HashMap::new();
    program.for_each_stmt(inner, &mut |stmt| {
        if let Op::At(vector, index) = stmt.op {
            reads.entry(index).or_default().push(vector);
        }
    });
    reads
}

/// What an index is computed by in its loop.
struct Computed<'a> {
    program: &'a Program,
    defs: &'a Defs,
    inner: BodyId,
    stmts: Vec<Stmt>,
    known: HashSet<Value>,
}

impl Computed<'_> {
    /// Adds what `value` is computed by; nothing if it is anything but sums and products of numbers.
    fn add(&mut self, value: Value) -> Option<()> {
        let is_inside = self.defs.body_of(value).is_some_and(|body| self.defs.encloses(self.inner, body));
        let is_index = self.program.bodies[self.inner].params[0] == value;
        if !is_inside || is_index || !self.known.insert(value) {
            return Some(());
        }
        let stmt = self.defs.stmt(self.program, value)?;
        match stmt.op {
            // Narrower numbers wrap sooner: what is cast from them need not grow by one.
            _ if *self.program.ty(value) != Type::I64 => return None,
            Op::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, x, y) => {
                self.add(x)?;
                self.add(y)?;
            }
            Op::Unary(UnaryOp::Neg, x) => self.add(x)?,
            Op::Const(_) => {}
            _ => return None,
        }
        self.stmts.push(stmt.clone());
        Some(())
    }
}
