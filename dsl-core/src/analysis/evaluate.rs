//! What statements give of which everything is known: scalars, vectors, and the loops over them.
//!
//! It shares no code with the interpreter, which is the oracle for it. A sink notes what is merged into it, and where; what that comes to
//! is worked out behind the loop, by chunks and lanes, in the order that all executors share. Few steps are allowed, so that a loop
//! is one segment.
//!
//! It knows no dictionaries, no bytes of values and no foreign functions. Where a statement needs one, faults, or takes more than it may, nothing is
//! known of it.

use std::collections::{BTreeMap, HashMap};

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{self, Const};
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::lang::value::Value as Datum;

use super::cost;
use crate::ir::{BodyId, Empty, Loop, Op, Order, Program, Reducer, Sink, SinkKind, Stmt, Value};

/// What may be spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Statements and runs of bodies.
    pub(crate) steps: u64,
    /// Bytes of all vectors and merged values that there ever are.
    pub(crate) bytes: u64,
}

/// What `stmts`, which read nothing but what they bind, give for `results`. Outermost loops are split into chunks, if `is_split`.
pub(crate) fn evaluate<'a>(
    program: &'a Program,
    stmts: &[&'a Stmt],
    results: &[Value],
    is_split: bool,
    limits: Limits,
) -> Option<Vec<Datum>> {
    let (values, merges, indices) = (HashMap::new(), HashMap::new(), Vec::new());
    let depth = usize::from(!is_split);
    let mut evaluator = Evaluator { program, left: limits, values, merges, indices, depth };
    evaluator.stmts(stmts.iter().copied())?;
    evaluator.all(results)
}

struct Evaluator<'a> {
    program: &'a Program,
    left: Limits,
    values: HashMap<Value, Datum>,
    /// Of the loops under way.
    merges: HashMap<Sink, Merges>,
    /// Of the loops and `for`s under way, outermost first, counted from the start of the chunk.
    indices: Vec<u64>,
    /// How many loops and functions are under way.
    depth: usize,
}

/// What was merged into a sink.
#[derive(Default)]
struct Merges {
    /// How many indices there are around the loop.
    around: usize,
    /// The chunk under way.
    chunk: u64,
    merged: Vec<Merge>,
}

struct Merge {
    chunk: u64,
    /// The innermost index of the sink's loop: it chooses the lane.
    index: u64,
    /// Where a scatter puts the value.
    place: Option<Datum>,
    value: Datum,
}

impl<'a> Evaluator<'a> {
    fn stmts(&mut self, stmts: impl ExactSizeIterator<Item = &'a Stmt>) -> Option<()> {
        self.left.steps = self.left.steps.checked_sub(1 + stmts.len() as u64)?;
        for stmt in stmts {
            let values = self.stmt(stmt)?;
            self.values.extend(stmt.results.iter().copied().zip(values));
        }
        Some(())
    }

    fn body(&mut self, body: BodyId, args: impl IntoIterator<Item = Datum>) -> Option<Vec<Datum>> {
        let body = &self.program.bodies[body];
        self.values.extend(body.params.iter().copied().zip(args));
        self.stmts(body.stmts.iter())?;
        self.all(&body.results)
    }

    /// Runs a comparator or a reducing function, in which no loop is split.
    fn function(&mut self, body: BodyId, a: Datum, b: Datum) -> Option<Datum> {
        self.depth += 1;
        let result = self.body(body, [a, b])?.pop();
        self.depth -= 1;
        result
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Option<Vec<Datum>> {
        match &stmt.op {
            Op::If { cond, then, els } => self.body(*if self.truth(*cond)? { then } else { els }, []),
            Op::Iterate { init, body } => {
                let mut state = self.all(init)?;
                loop {
                    state = self.body(*body, state)?;
                    if state.pop()?.as_integer()? == 0 {
                        return Some(state);
                    }
                }
            }
            Op::Loop(looped) => self.run(looped),
            Op::For { extent, body } => {
                let extent = self.extent(*extent)?;
                self.iterate(*body, &[extent], &[])?;
                Some(Vec::new())
            }
            Op::Merge { sink, values } => {
                self.merge(*sink, values)?;
                Some(Vec::new())
            }
            Op::Sort { vector, comparator } => {
                let vector = self.vector(*vector)?.to_vec();
                self.store(vector.len(), self.program.ty(stmt.results[0]).element()?)?;
                Some(vec![Datum::vec(self.sorted(&vector, *comparator)?)])
            }
            op => Some(vec![self.op(op, self.program.ty(stmt.results[0]))?]),
        }
    }

    /// What an op without bodies gives, of type `ty`.
    fn op(&mut self, op: &Op, ty: &Type) -> Option<Datum> {
        Some(match op {
            Op::Const(value) => (*value).into(),
            Op::Unary(op, x) => scalar::unary(*op, self.scalar(*x)?).into(),
            Op::Binary(op, x, y) => scalar::binary(*op, self.scalar(*x)?, self.scalar(*y)?).ok()?.into(),
            Op::Compare(op, x, y) => Datum::Bool(op.holds(self.get(*x)?.order(self.get(*y)?))),
            Op::Order(x, y) => Datum::I32(self.get(*x)?.total_order(self.get(*y)?) as i32),
            Op::Math(function, args) => {
                let args: Option<Vec<Const>> = args.iter().map(|&arg| self.scalar(arg)).collect();
                scalar::math(*function, &args?).into()
            }
            Op::Cast(to, x) => scalar::cast(*to, self.scalar(*x)?).into(),
            Op::Half(function, x) => function.apply(self.scalar(*x)?).into(),
            Op::Select(cond, then, els) => self.get(*if self.truth(*cond)? { then } else { els })?.clone(),
            Op::Struct(fields, _) => Datum::structure(self.all(fields)?),
            Op::Field(value, number) => field(self.get(*value)?, *number as usize)?.clone(),
            Op::Vector(elements) => {
                self.store(elements.len(), ty.element()?)?;
                Datum::vec(self.all(elements)?)
            }
            Op::Len(vector) => Datum::I64(self.vector(*vector)?.len() as i64),
            Op::At(vector, index) => {
                let index = usize::try_from(self.integer(*index)?).ok()?;
                self.vector(*vector)?.get(index)?.clone()
            }
            Op::CheckIndex(index, length) | Op::AssumeIndex(index, length) => {
                let index = self.integer(*index)?;
                (0..self.integer(*length)?).contains(&index).then_some(Datum::I64(index as i64))?
            }
            Op::Slice(vector, start, size) => {
                let (start, size) = (self.integer(*start)?, self.integer(*size)?);
                let rest = self.vector(*vector)?.get(usize::try_from(start).ok()?..)?;
                let slice = rest[..rest.len().min(usize::try_from(size).ok()?)].to_vec();
                self.store(slice.len(), ty.element()?)?;
                Datum::vec(slice)
            }
            Op::Cut(vector, start, end) => {
                let place = |value: Value| usize::try_from(self.integer(value)?).ok();
                let part = self.vector(*vector)?.get(place(*start)?..place(*end)?)?.to_vec();
                self.store(part.len(), ty.element()?)?;
                Datum::vec(part)
            }
            Op::Units(units, _) => Datum::I64(i64::try_from(self.integer(*units)?).ok()?),
            Op::Assert(cond) => self.truth(*cond)?.then_some(Datum::Bool(true))?,
            Op::IterLen(len, start, end, stride) => {
                let (start, end) = (self.integer(*start)?, self.integer(*end)?);
                let is_inside = 0 <= start && end <= self.integer(*len)?;
                is_inside.then(|| steps(start, end, self.integer(*stride)?))??
            }
            Op::RangeLen(start, end, stride) => {
                steps(self.integer(*start)?, self.integer(*end)?, self.integer(*stride)?)?
            }
            Op::ZipLen(_, lengths) => {
                let lengths: Vec<i128> =
                    lengths.iter().map(|&len| self.integer(len)).collect::<Option<_>>()?;
                lengths.iter().all(|len| *len == lengths[0]).then_some(Datum::I64(lengths[0] as i64))?
            }
            _ => return None,
        })
    }

    fn run(&mut self, looped: &'a Loop) -> Option<Vec<Datum>> {
        let extents: Option<Vec<u64>> = looped.extents.iter().map(|&extent| self.extent(extent)).collect();
        let around = self.indices.len();
        for decl in &looped.sinks {
            self.merges.insert(decl.sink, Merges { around, ..Merges::default() });
        }
        let is_split = self.depth == 0;
        self.depth += 1;
        match extents?.split_first() {
            // A region, which runs once.
            None => _ = self.body(looped.body, [])?,
            Some((&n, inner)) => {
                let chunk = if is_split { cost::chunk_len(self.program, looped) } else { n };
                for i in 0..n {
                    self.indices.push(i % chunk);
                    self.iterate(looped.body, inner, &[Datum::I64(i as i64)])?;
                    self.indices.pop();
                    for decl in &looped.sinks {
                        self.merges.get_mut(&decl.sink)?.chunk = (i + 1) / chunk;
                    }
                }
            }
        }
        self.depth -= 1;
        looped.sinks.iter().map(|decl| self.result(decl.sink, &decl.kind)).collect()
    }

    /// Runs `body` for every index below the `extents`, innermost fastest, behind the `outer` ones.
    fn iterate(&mut self, body: BodyId, extents: &[u64], outer: &[Datum]) -> Option<()> {
        let Some((&n, inner)) = extents.split_first() else {
            return self.body(body, outer.iter().cloned()).map(drop);
        };
        for i in 0..n {
            self.indices.push(i);
            self.iterate(body, inner, &[outer, &[Datum::I64(i as i64)]].concat())?;
            self.indices.pop();
        }
        Some(())
    }

    fn merge(&mut self, sink: Sink, values: &[Value]) -> Option<()> {
        let value = self.get(*values.last()?)?.clone();
        self.store(1, self.program.ty(*values.last()?))?;
        let place = if values.len() > 1 { Some(self.get(values[0])?.clone()) } else { None };
        let merges = self.merges.get_mut(&sink)?;
        let index = self.indices[merges.around..].last().copied().unwrap_or(0);
        merges.merged.push(Merge { chunk: merges.chunk, index, place, value });
        Some(())
    }

    /// What was merged into `sink` comes to.
    fn result(&mut self, sink: Sink, kind: &SinkKind) -> Option<Datum> {
        let merged = self.merges.remove(&sink)?.merged;
        match kind {
            SinkKind::Collect { .. } => {
                Some(Datum::vec(merged.into_iter().map(|merge| merge.value).collect()))
            }
            SinkKind::Reduce { ty, reducer: Reducer::Op(op), init, empty, order } => {
                let start = match (init, empty) {
                    (Some(init), _) => self.get(*init)?.clone(),
                    (None, Empty::Identity) => filled(ty, &|ty| op.identity(ty))?,
                    // The identity would hide that there were NaNs alone.
                    (None, Empty::Fault) if !merged.is_empty() => filled(ty, &|ty| op.neutral(ty))?,
                    (None, Empty::Fault) => return None,
                };
                let merged = merged.iter().map(|merge| match order {
                    Order::Lanes => Merged::of(merge),
                    Order::InOrder => Merged { index: 0, ..Merged::of(merge) },
                });
                folded(*op, &start, &merged.collect::<Vec<_>>())
            }
            SinkKind::Reduce { reducer: Reducer::Func(body), init, .. } => {
                let mut totals = Vec::new();
                totals.extend(init.and_then(|init| self.get(init).cloned()));
                for chunk in merged.chunk_by(|a, b| a.chunk == b.chunk) {
                    totals.push(self.reduced(*body, chunk.iter().map(|merge| merge.value.clone()))?);
                }
                self.reduced(*body, totals)
            }
            SinkKind::Scatter { ty, op, init } => {
                let mut elements = self.vector(*init)?.to_vec();
                self.store(elements.len(), ty)?;
                let mut by_place: BTreeMap<usize, Vec<Merged<'_>>> = BTreeMap::new();
                for merge in &merged {
                    let place = usize::try_from(merge.place.as_ref()?.as_integer()?).ok()?;
                    by_place.entry(place).or_default().push(Merged {
                        chunk: 0,
                        index: 0,
                        value: &merge.value,
                    });
                }
                for (place, merged) in by_place {
                    let element = elements.get_mut(place)?;
                    *element = folded(*op, element, &merged)?;
                }
                Some(Datum::vec(elements))
            }
            SinkKind::BucketCollect { .. } | SinkKind::BucketReduce { .. } => None,
        }
    }

    /// The values, combined in order by a function; of none, nothing is known.
    fn reduced(&mut self, body: BodyId, values: impl IntoIterator<Item = Datum>) -> Option<Datum> {
        let mut values = values.into_iter();
        let first = values.next()?;
        values.try_fold(first, |total, value| self.function(body, total, value))
    }

    /// A merge sort of halves, the first of which is the shorter: which elements are compared, and in which order, is part of the meaning.
    fn sorted(&mut self, elements: &[Datum], comparator: BodyId) -> Option<Vec<Datum>> {
        if elements.len() < 2 {
            return Some(elements.to_vec());
        }
        let (left, right) = elements.split_at(elements.len() / 2);
        let mut left = self.sorted(left, comparator)?.into_iter().peekable();
        let mut right = self.sorted(right, comparator)?.into_iter().peekable();
        let mut sorted = Vec::with_capacity(elements.len());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let order = self.function(comparator, a.clone(), b.clone())?;
            sorted.extend(if order.as_integer()? > 0 { right.next() } else { left.next() });
        }
        sorted.extend(left.chain(right));
        Some(sorted)
    }

    /// Counts the bytes of `count` values of type `ty`.
    fn store(&mut self, count: usize, ty: &Type) -> Option<()> {
        self.left.bytes = self.left.bytes.checked_sub(cost::bytes(ty).saturating_mul(count as u64))?;
        Some(())
    }

    fn get(&self, name: Value) -> Option<&Datum> {
        self.values.get(&name)
    }

    fn all(&self, names: &[Value]) -> Option<Vec<Datum>> {
        names.iter().map(|&name| self.get(name).cloned()).collect()
    }

    fn scalar(&self, name: Value) -> Option<Const> {
        self.get(name)?.as_const()
    }

    fn integer(&self, name: Value) -> Option<i128> {
        self.get(name)?.as_integer()
    }

    fn truth(&self, name: Value) -> Option<bool> {
        Some(self.integer(name)? != 0)
    }

    fn vector(&self, name: Value) -> Option<&[Datum]> {
        match self.get(name)? {
            Datum::Vec(elements) => Some(elements),
            _ => None,
        }
    }

    /// The number of iterations that `extent` stands for, if so many steps are left.
    fn extent(&self, extent: Value) -> Option<u64> {
        let extent = u64::try_from(self.integer(extent)?).ok()?;
        (extent <= self.left.steps).then_some(extent)
    }
}

/// A merge, or a field of it.
struct Merged<'a> {
    chunk: u64,
    index: u64,
    value: &'a Datum,
}

impl Merged<'_> {
    fn of(merge: &Merge) -> Merged<'_> {
        Merged { chunk: merge.chunk, index: merge.index, value: &merge.value }
    }
}

/// `start op total`, field by field: each chunk is folded in lanes, the lanes in order, and then the chunks.
fn folded(op: ReduceOp, start: &Datum, merged: &[Merged<'_>]) -> Option<Datum> {
    if let Datum::Struct(fields) = start {
        let fold_field = |(number, start)| {
            let parts =
                merged.iter().map(|merge| Some(Merged { value: field(merge.value, number)?, ..*merge }));
            folded(op, start, &parts.collect::<Option<Vec<_>>>()?)
        };
        return Some(Datum::structure(fields.iter().enumerate().map(fold_field).collect::<Option<_>>()?));
    }
    let start = start.as_const()?;
    let neutral = op.neutral(start.scalar());
    let apply = |a, b| scalar::binary(op.binary(), a, b).ok();
    let mut total = neutral;
    for chunk in merged.chunk_by(|a, b| a.chunk == b.chunk) {
        let mut lanes = vec![neutral; ReduceOp::lanes(start.scalar())];
        for merge in chunk {
            let lane = (merge.index % lanes.len() as u64) as usize;
            lanes[lane] = apply(lanes[lane], merge.value.as_const()?)?;
        }
        total = apply(total, lanes.into_iter().try_fold(neutral, apply)?)?;
    }
    apply(start, total).map(Datum::from)
}

/// A value of type `ty`, of scalars and structs, whose scalars `of` gives.
fn filled(ty: &Type, of: &dyn Fn(Scalar) -> Const) -> Option<Datum> {
    match ty {
        Type::Struct(fields) => {
            let fields: Option<Vec<Datum>> = fields.iter().map(|field| filled(field, of)).collect();
            Some(Datum::structure(fields?))
        }
        _ => Some(of(ty.as_scalar()?).into()),
    }
}

fn field(value: &Datum, number: usize) -> Option<&Datum> {
    match value {
        Datum::Struct(fields) => fields.get(number),
        _ => None,
    }
}

/// The number of steps from `start` to `end`, if the stride fits.
fn steps(start: i128, end: i128, stride: i128) -> Option<Datum> {
    let fits = start <= end && stride > 0 && (end - start) % stride == 0;
    // The widest range by 1 has more steps than an index can count.
    if fits { i64::try_from((end - start) / stride).ok().map(Datum::I64) } else { None }
}
