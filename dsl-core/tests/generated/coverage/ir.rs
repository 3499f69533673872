//! What the IR of programs has held: every op and sink, each operator on each kind of value, and every cast.

use std::collections::BTreeSet;

use weldment_core::ir::{Empty, Op, Program, Reducer, SinkKind};
use weldment_runtime::lang::conversion::HalfFn;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, MathFn, UnaryOp};
use weldment_runtime::lang::types::{Scalar, Type};

use super::{Coverage, names, want};

names! { SINKS, sink_name(SinkKind):
    "collect" SinkKind::Collect { hint: None, .. },
    "collect with a hint" SinkKind::Collect { hint: Some(_), .. },
    "reduce" SinkKind::Reduce { init: None, empty: Empty::Identity, reducer: Reducer::Op(_), .. },
    "reduce or fault" SinkKind::Reduce { init: None, empty: Empty::Fault, reducer: Reducer::Op(_), .. },
    "reduce from a value" SinkKind::Reduce { init: Some(_), reducer: Reducer::Op(_), .. },
    "reduce by a function" SinkKind::Reduce { reducer: Reducer::Func(_), .. },
    "bucket_collect" SinkKind::BucketCollect { .. },
    "bucket_reduce" SinkKind::BucketReduce { reducer: Reducer::Op(_), .. },
    "bucket_reduce by a function" SinkKind::BucketReduce { reducer: Reducer::Func(_), .. },
    "scatter" SinkKind::Scatter { .. },
}

/// Sinks that an operator folds.
const FOLDING: [&str; 4] = ["reduce", "reduce from a value", "bucket_reduce", "scatter"];

/// Kinds of values that operators fold.
const FOLDED: [&str; 4] = ["integers", "floats", "structs of numbers", "structs in structs"];

/// Kinds of keys.
const KEYS: [&str; 8] =
    ["bools", "integers", "floats", "bytes", "vectors", "vectors of others", "structs", "structs of others"];

/// Types of values that are made of others.
const MADE: [&str; 8] = [
    "vec of scalars",
    "vec of vec",
    "vec of struct",
    "vec of dict",
    "struct of scalars",
    "struct of others",
    "dict of scalars",
    "dict of others",
];

impl Coverage {
    /// Counts what `program` holds.
    pub(super) fn ir(&mut self, program: &Program) {
        let entry = program.entry.expect("an entry");
        program.for_each_stmt(entry, &mut |stmt| {
            self.count("op", stmt.op.variant());
            match &stmt.op {
                Op::Unary(op, _) => self.count("unary", op.name()),
                Op::Binary(op, ..) => self.count("binary", op.name()),
                Op::Compare(op, ..) => self.count("compare", op.name()),
                Op::Math(function, _) => self.count("math", function.name()),
                Op::Half(function, _) => self.count("half", function.name()),
                Op::Cast(to, of) => self.count("cast", &format!("{} to {to}", program.ty(*of))),
                Op::Loop(inner) => inner.sinks.iter().for_each(|decl| self.sink(&decl.kind)),
                _ => {}
            }
            for &result in &stmt.results {
                self.ty(program.ty(result));
            }
        });
    }

    fn sink(&mut self, kind: &SinkKind) {
        let name = sink_name(kind);
        self.count("sink", name);
        match kind {
            SinkKind::BucketCollect { key, .. } | SinkKind::BucketReduce { key, .. } => {
                self.count("keys", key_kind(key));
            }
            _ => {}
        }
        match kind {
            SinkKind::Reduce { ty, reducer: Reducer::Op(op), .. }
            | SinkKind::BucketReduce { value: ty, reducer: Reducer::Op(op), .. }
            | SinkKind::Scatter { ty, op, .. } => {
                self.count("fold", &format!("{name} {op} {}", folded(ty)));
                self.count("fold", &format!("{name} {}", folded(ty)));
            }
            _ => {}
        }
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Scalar(scalar) => self.count("type", scalar.name()),
            _ => self.count("type", made(ty)),
        }
    }
}

/// What [`Coverage::ir`] should count.
pub(super) fn wanted(wanted: &mut BTreeSet<String>) {
    want(wanted, "op", Op::VARIANTS.iter().copied());
    want(wanted, "sink", SINKS.iter().copied());
    want(wanted, "unary", UnaryOp::ALL.iter().map(|op| op.name()));
    want(wanted, "binary", BinaryOp::ALL.iter().map(|op| op.name()));
    want(wanted, "compare", CompareOp::ALL.iter().map(|op| op.name()));
    want(wanted, "math", MathFn::ALL.iter().map(|function| function.name()));
    want(wanted, "half", HalfFn::ALL.iter().map(|function| function.name()));
    want(wanted, "type", Scalar::ALL.iter().map(|scalar| scalar.name()));
    want(wanted, "type", MADE);
    want(wanted, "keys", KEYS);
    for from in Scalar::ALL {
        for to in Scalar::ALL {
            // A number is not cast to what it is.
            if from != to && (to != Scalar::Bool || !from.is_float()) {
                want(wanted, "cast", [&format!("{from} to {to}")[..]]);
            }
        }
    }
    for (sink, op) in FOLDING.iter().flat_map(|sink| ReduceOp::ALL.map(|op| (sink, op))) {
        for kind in &FOLDED[..3] {
            want(wanted, "fold", [&format!("{sink} {op} {kind}")[..]]);
        }
        want(wanted, "fold", [&format!("{sink} {}", FOLDED[3])[..]]);
    }
}

fn folded(ty: &Type) -> &'static str {
    match ty {
        Type::Scalar(scalar) if scalar.is_float() => FOLDED[1],
        Type::Struct(fields) if fields.iter().all(|field| field.as_scalar().is_some()) => FOLDED[2],
        Type::Struct(_) => FOLDED[3],
        _ => FOLDED[0],
    }
}

fn key_kind(ty: &Type) -> &'static str {
    match ty {
        Type::Scalar(Scalar::Bool) => KEYS[0],
        Type::Scalar(scalar) if scalar.is_float() => KEYS[2],
        Type::Scalar(_) => KEYS[1],
        Type::Vec(element) => match **element {
            Type::Scalar(Scalar::I8 | Scalar::U8) => KEYS[3],
            Type::Scalar(_) => KEYS[4],
            _ => KEYS[5],
        },
        Type::Struct(fields) if fields.iter().all(|field| field.as_scalar().is_some()) => KEYS[6],
        _ => KEYS[7],
    }
}

fn made(ty: &Type) -> &'static str {
    match ty {
        Type::Vec(element) => match **element {
            Type::Vec(_) => MADE[1],
            Type::Struct(_) => MADE[2],
            Type::Dict(..) => MADE[3],
            Type::Scalar(_) => MADE[0],
        },
        Type::Dict(key, value) if key.is_scalars() && value.is_scalars() => MADE[6],
        Type::Dict(..) => MADE[7],
        ty if ty.is_scalars() => MADE[4],
        _ => MADE[5],
    }
}
