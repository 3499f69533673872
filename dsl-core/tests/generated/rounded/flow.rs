//! Where what a sum or product has rounded goes.

use std::collections::{HashMap, HashSet};

use weldment_core::ir::{
    BinaryOp, BodyId, Loop, MathFn, Op, Program, ReduceOp, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value,
};
use weldment_runtime::lang::types::{Scalar, Type};

/// What a program does with sums and products of floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Flow {
    /// There are none.
    Exact,
    /// It keeps them, or computes from them what has no greater relative error.
    Rounded(Precision),
    /// It may do something else where they are rounded otherwise, or make the error greater.
    Discrete,
}

/// The smallest type among what is rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Precision {
    Single,
    Double,
}

impl Flow {
    /// What `program` does.
    pub(super) fn of(program: &Program) -> Flow {
        let entry = program.entry.expect("an entry");
        let mut merges: HashMap<Sink, Vec<&[Value]>> = HashMap::new();
        program.for_each_stmt(entry, &mut |stmt| {
            if let Op::Merge { sink, values } = &stmt.op {
                merges.entry(*sink).or_default().push(values);
            }
        });
        let mut trace = Trace { program, merges, rounded: HashSet::new(), is_discrete: false };
        // What goes around a loop is found the next time.
        loop {
            let before = trace.rounded.len();
            program.for_each_stmt(entry, &mut |stmt| trace.stmt(stmt));
            if trace.rounded.len() == before {
                return trace.flow();
            }
        }
    }
}

struct Trace<'a> {
    program: &'a Program,
    /// What is merged into each sink.
    merges: HashMap<Sink, Vec<&'a [Value]>>,
    rounded: HashSet<Value>,
    is_discrete: bool,
}

impl Trace<'_> {
    fn flow(&self) -> Flow {
        let is_single = |value: &Value| holds(self.program.ty(*value), |scalar| scalar == Scalar::F32);
        match (self.is_discrete, self.rounded.is_empty()) {
            (true, _) => Flow::Discrete,
            (false, true) => Flow::Exact,
            _ if self.rounded.iter().any(is_single) => Flow::Rounded(Precision::Single),
            _ => Flow::Rounded(Precision::Double),
        }
    }

    /// Whether one of these is rounded.
    fn any(&self, values: &[Value]) -> bool {
        values.iter().any(|value| self.rounded.contains(value))
    }

    /// Has `value` rounded, if there are floats in it.
    fn mark(&mut self, value: Value) {
        if holds(self.program.ty(value), Scalar::is_float) {
            self.rounded.insert(value);
        }
    }

    /// `to` is as much rounded as `from`.
    fn pass_on(&mut self, from: &[Value], to: Value) {
        if self.any(from) {
            self.mark(to);
        }
    }

    /// What is rounded here would show.
    fn look_at(&mut self, values: &[Value]) {
        self.is_discrete |= self.any(values);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.op {
            Op::Loop(inner) => return self.sinks(inner, &stmt.results),
            Op::If { then, els, .. } => {
                for (number, &result) in stmt.results.iter().enumerate() {
                    let branches = [*then, *els].map(|body| self.program.bodies[body].results[number]);
                    self.pass_on(&branches, result);
                }
                return;
            }
            Op::Iterate { init, body } => {
                let body = &self.program.bodies[*body];
                for (number, &result) in stmt.results.iter().enumerate() {
                    let from = [init[number], body.results[number]];
                    self.pass_on(&from, body.params[number]);
                    self.pass_on(&from, result);
                }
                return;
            }
            Op::Merge { .. } | Op::For { .. } => return,
            _ => {}
        }
        let result = stmt.results[0];
        match &stmt.op {
            Op::Unary(_, x) | Op::Field(x, _) | Op::ToVec(x) | Op::At(x, _) | Op::Slice(x, ..) => {
                self.pass_on(&[*x], result);
            }
            Op::Select(_, x, y)
            | Op::Binary(BinaryOp::Mul | BinaryOp::Div | BinaryOp::Min | BinaryOp::Max, x, y) => {
                self.pass_on(&[*x, *y], result);
            }
            Op::Struct(parts, _) | Op::Vector(parts) => self.pass_on(parts, result),
            Op::Math(MathFn::Abs | MathFn::Sqrt | MathFn::Cbrt, args) => self.pass_on(args, result),
            Op::Cast(to, x) if to.is_float() => self.pass_on(&[*x], result),
            Op::Lookup(dict, key) | Op::OptLookup(dict, key) => {
                self.look_at(&[*key]);
                self.pass_on(&[*dict], result);
            }
            Op::KeyExists(_, key) => self.look_at(&[*key]),
            Op::Sort { vector, comparator } => {
                for &param in &self.program.bodies[*comparator].params {
                    self.pass_on(&[*vector], param);
                }
                self.pass_on(&[*vector], result);
            }
            Op::Len(_) => {}
            // Sums and differences may cancel; the others take steps, or are steep somewhere.
            other => other.for_each_operand(|value| self.look_at(&[value])),
        }
    }

    fn sinks(&mut self, inner: &Loop, results: &[Value]) {
        for (SinkDecl { sink, kind, .. }, &result) in inner.sinks.iter().zip(results) {
            let merges = self.merges.get(sink).cloned().unwrap_or_default();
            for values in &merges {
                let (value, key) = values.split_last().expect("a merge has a value");
                self.look_at(key);
                self.pass_on(&[*value], result);
                for param in params(self.program, kind) {
                    self.pass_on(&[*value], param);
                }
            }
            match kind {
                SinkKind::Reduce { reducer: Reducer::Op(op), init, .. } => {
                    self.fold(*op, result);
                    self.pass_on(init.as_slice(), result);
                }
                SinkKind::Scatter { op, init, .. } => {
                    self.fold(*op, result);
                    self.pass_on(&[*init], result);
                }
                SinkKind::BucketReduce { reducer: Reducer::Op(op), .. } => self.fold(*op, result),
                SinkKind::Reduce { reducer: Reducer::Func(body), init, .. } => {
                    self.function(*body, init.as_slice(), result);
                }
                SinkKind::BucketReduce { reducer: Reducer::Func(body), .. } => {
                    self.function(*body, &[], result);
                }
                SinkKind::Collect { .. } | SinkKind::BucketCollect { .. } => {}
            }
        }
    }

    /// `result` is a fold by `op`.
    fn fold(&mut self, op: ReduceOp, result: Value) {
        if matches!(op, ReduceOp::Add | ReduceOp::Mul) {
            self.mark(result);
        }
    }

    /// `result` is a fold by a function that starts with `init`.
    fn function(&mut self, body: BodyId, init: &[Value], result: Value) {
        let body = &self.program.bodies[body];
        for &param in &body.params {
            self.pass_on(init, param);
            self.pass_on(&body.results, param);
        }
        self.pass_on(init, result);
        self.pass_on(&body.results, result);
    }
}

/// The parameters of the function that a sink folds by.
fn params<'a>(program: &'a Program, kind: &SinkKind) -> impl Iterator<Item = Value> + use<'a> {
    kind.function().copied().into_iter().flat_map(|body| program.bodies[body].params.iter().copied())
}

/// Whether a value of type `ty` may hold such a scalar.
fn holds(ty: &Type, is: fn(Scalar) -> bool) -> bool {
    match ty {
        Type::Scalar(scalar) => is(*scalar),
        Type::Vec(element) => holds(element, is),
        Type::Struct(fields) => fields.iter().any(|field| holds(field, is)),
        // Keys are looked at where they are merged.
        Type::Dict(_, value) => holds(value, is),
    }
}

#[test]
fn the_flow_of_what_is_rounded() {
    let flow = |text: &str| {
        Flow::of(&weldment_core::front::from_text(text).unwrap_or_else(|errors| panic!("{errors:?}")).program)
    };
    assert_eq!(flow("|v: &[f64]| (v.max(), v.map(|x| x * 0.1), v.count())"), Flow::Exact);
    assert_eq!(flow("|v: &[i64]| v.sum()"), Flow::Exact);
    assert_eq!(flow("|v: &[f64]| (v.sum() * 2.0, v.filter(|x| x > 1.0))"), Flow::Rounded(Precision::Double));
    assert_eq!(flow("|v: &[f32]| v.sum()"), Flow::Rounded(Precision::Single));
    assert_eq!(flow("|v: &[f64]| v.sum() as f32"), Flow::Rounded(Precision::Single));
    assert_eq!(
        flow("|v: &[i64]| v.reduce_by(|x| x, |x| f64(x), +).tovec()"),
        Flow::Rounded(Precision::Double)
    );
    for discrete in [
        "if v.sum() > 1.0 { 1 } else { 2 }",
        "v.sum() as i64",
        "v.sum() - 1.0",
        "v.map(|x| v.map(|y| x * y).sum()).sort_by_key(|x| x)",
        "(0..3).fold((0.0,), |s, i| (v.sum() * s.0,)).0 < 1.0",
        "v.map(|x| v.sum()).reduce_by(|x| x, |x| 1, +)",
        "sin(v.sum())",
        "serialize(v.sum())",
    ] {
        assert_eq!(flow(&format!("|v: &[f64]| {discrete}")), Flow::Discrete, "{discrete}");
    }
}
