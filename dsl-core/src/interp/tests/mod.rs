//! The rules of the language, one test each, on programs built by hand.

mod control;
mod ops;
mod order;

use weldment_runtime::fault::{Fault, FaultKind, Position};
use weldment_runtime::reduce::ReduceOp;
use weldment_runtime::types::Type;
use weldment_runtime::value::Value;

use super::{InterpOptions, run};
use crate::ir::{self, Body, BodyId, Const, Empty, Loc, Loop, Op, Program, Reducer, Sink, SinkKind};
use crate::source::Positions;

/// A program under construction. Each statement is given a place of its own: line 1, and its number as column.
#[derive(Default)]
struct Build {
    program: Program,
    positions: Positions,
    under_way: Vec<Body>,
}

impl Build {
    /// The program whose entry has `params` and gives what `fill` gives.
    fn program(params: &[Type], fill: impl FnOnce(&mut Build, &[ir::Value]) -> ir::Value) -> Build {
        let mut build = Build::default();
        let entry = build.body(params, |build, params| vec![fill(build, params)]);
        build.program.entry = Some(entry);
        build
    }

    fn value(&mut self, ty: &Type) -> ir::Value {
        self.program.values.push(ir::ValueInfo { ty: ty.clone() })
    }

    fn body(
        &mut self,
        params: &[Type],
        fill: impl FnOnce(&mut Build, &[ir::Value]) -> Vec<ir::Value>,
    ) -> BodyId {
        let params: Vec<ir::Value> = params.iter().map(|ty| self.value(ty)).collect();
        self.under_way.push(Body { params: params.clone(), ..Body::default() });
        let results = fill(self, &params);
        let body = self.under_way.pop().unwrap();
        self.program.bodies.push(Body { results, ..body })
    }

    /// Adds a statement that binds one value per type.
    fn stmt(&mut self, types: &[Type], op: Op) -> Vec<ir::Value> {
        let results: Vec<ir::Value> = types.iter().map(|ty| self.value(ty)).collect();
        let column = self.positions.len() as u32 + 1;
        let loc: Loc = self.positions.push(Position { line: 1, column });
        self.under_way.last_mut().unwrap().stmts.push(ir::Stmt { results: results.clone(), op, loc });
        results
    }

    fn op(&mut self, ty: Type, op: Op) -> ir::Value {
        self.stmt(&[ty], op)[0]
    }

    fn constant(&mut self, constant: impl Into<Const>) -> ir::Value {
        let constant = constant.into();
        self.op(constant.scalar().into(), Op::Const(constant))
    }

    fn len(&mut self, vector: ir::Value) -> ir::Value {
        self.op(Type::I64, Op::Len(vector))
    }

    fn at(&mut self, vector: ir::Value, index: ir::Value) -> ir::Value {
        let ty = self.program.values[vector].ty.element().unwrap().clone();
        self.op(ty, Op::At(vector, index))
    }

    fn merge(&mut self, sink: Sink, values: &[ir::Value]) {
        self.stmt(&[], Op::Merge { sink, values: values.to_vec() });
    }

    /// A loop into one sink.
    fn looped(
        &mut self,
        extents: &[ir::Value],
        kind: SinkKind,
        fill: impl FnOnce(&mut Build, &[ir::Value], Sink),
    ) -> ir::Value {
        let sink = ir::Entity::from_index(self.program.sinks);
        self.program.sinks += 1;
        let indices = vec![Type::I64; extents.len()];
        let body = self.body(&indices, |build, indices| {
            fill(build, indices, sink);
            Vec::new()
        });
        let ty = match &kind {
            SinkKind::Reduce { ty, .. } => ty.clone(),
            SinkKind::Collect { ty, .. } | SinkKind::Scatter { ty, .. } => Type::vec(ty.clone()),
            SinkKind::BucketCollect { key, value } => Type::dict(key.clone(), Type::vec(value.clone())),
            SinkKind::BucketReduce { key, value, .. } => Type::dict(key.clone(), value.clone()),
        };
        let sinks = vec![ir::SinkDecl { sink, kind }];
        self.op(ty, Op::Loop(Loop { extents: extents.to_vec(), body, sinks }))
    }

    fn for_each(&mut self, extent: ir::Value, fill: impl FnOnce(&mut Build, ir::Value)) {
        let body = self.body(&[Type::I64], |build, indices| {
            fill(build, indices[0]);
            Vec::new()
        });
        self.stmt(&[], Op::For { extent, body });
    }

    /// A loop over `vector` that merges every element into a sink.
    fn over(&mut self, vector: ir::Value, kind: SinkKind) -> ir::Value {
        let n = self.len(vector);
        self.looped(&[n], kind, |build, indices, sink| {
            let element = build.at(vector, indices[0]);
            build.merge(sink, &[element]);
        })
    }

    fn run(&self, args: &[Value], options: &InterpOptions) -> Result<Value, Fault> {
        run(&self.program, &self.positions, args, options)
    }
}

/// The fold by an operator from its identity.
fn reduce(op: ReduceOp, ty: Type) -> SinkKind {
    SinkKind::Reduce { ty, reducer: Reducer::Op(op), init: None, empty: Empty::Identity }
}

/// Pieces of `piece` iterations, segments of `segment`.
fn cut(piece: u64, segment: u64) -> InterpOptions {
    InterpOptions { piece: Some(piece), segment: Some(segment), ..InterpOptions::default() }
}

fn check(build: &Build, args: &[Value], expected: Value) {
    check_cut(build, args, &InterpOptions::default(), expected);
}

fn check_cut(build: &Build, args: &[Value], options: &InterpOptions, expected: Value) {
    let got = build.run(args, options).expect("no fault");
    assert!(got.same_bits(&expected), "expected {expected:?}, got {got:?}");
}

fn check_fault(build: &Build, args: &[Value], kind: FaultKind, text: &str) {
    let fault = build.run(args, &InterpOptions::default()).expect_err("a fault");
    assert_eq!((fault.kind, fault.to_string().as_str()), (kind, text));
}

fn f64s(elements: &[f64]) -> Value {
    Value::vec(elements.iter().map(|&x| Value::F64(x)).collect())
}

fn i64s(elements: &[i64]) -> Value {
    Value::vec(elements.iter().map(|&x| Value::I64(x)).collect())
}

fn pair(a: Value, b: Value) -> Value {
    Value::structure(vec![a, b])
}

fn dict(pairs: impl IntoIterator<Item = (Value, Value)>) -> Value {
    Value::Dict(std::sync::Arc::new(pairs.into_iter().collect()))
}
