//! What generated programs have held: every op, sink, type and fault must occur.

use std::collections::BTreeMap;

use weldment_core::ir::{Empty, Op, Program, Reducer, SinkKind};
use weldment_runtime::fault::{Fault, FaultKind};
use weldment_runtime::reduce::ReduceOp;
use weldment_runtime::scalar::{BinaryOp, CompareOp, MathFn, UnaryOp};
use weldment_runtime::types::{Scalar, Type};

/// A name for each variant of an enum, and the list of them: a new variant has no name, and does not compile.
macro_rules! names {
    ($all:ident, $name:ident($ty:ty): $($word:literal $pattern:pat,)*) => {
        const $all: &[&str] = &[$($word),*];
        fn $name(of: &$ty) -> &'static str {
            match of {
                $($pattern => $word,)*
            }
        }
    };
}

names! { OPS, op_name(Op):
    "const" Op::Const(_),
    "unary" Op::Unary(..),
    "binary" Op::Binary(..),
    "compare" Op::Compare(..),
    "order" Op::Order(..),
    "math" Op::Math(..),
    "cast" Op::Cast(..),
    "select" Op::Select(..),
    "struct" Op::Struct(..),
    "field" Op::Field(..),
    "vector" Op::Vector(_),
    "len" Op::Len(_),
    "at" Op::At(..),
    "check_index" Op::CheckIndex(..),
    "lookup" Op::Lookup(..),
    "slice" Op::Slice(..),
    "sort" Op::Sort { .. },
    "to_vec" Op::ToVec(_),
    "key_exists" Op::KeyExists(..),
    "opt_lookup" Op::OptLookup(..),
    "serialize" Op::Serialize(_),
    "deserialize" Op::Deserialize(_),
    "assert" Op::Assert(_),
    "call" Op::Call { .. },
    "iter_len" Op::IterLen { .. },
    "range_len" Op::RangeLen { .. },
    "zip_len" Op::ZipLen(_),
    "if" Op::If { .. },
    "iterate" Op::Iterate { .. },
    "loop" Op::Loop(_),
    "merge" Op::Merge { .. },
    "for" Op::For { .. },
}

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

/// How often each thing has occurred.
#[derive(Debug, Default)]
pub(crate) struct Coverage(BTreeMap<String, usize>);

impl Coverage {
    fn count(&mut self, kind: &str, name: &str) {
        *self.0.entry(format!("{kind} {name}")).or_default() += 1;
    }

    /// Counts what `program` holds.
    pub(crate) fn program(&mut self, program: &Program) {
        let entry = program.entry.expect("an entry");
        program.for_each_stmt(entry, &mut |stmt| {
            self.count("op", op_name(&stmt.op));
            match &stmt.op {
                Op::Unary(op, _) => self.count("unary", op.name()),
                Op::Binary(op, ..) => self.count("binary", op.name()),
                Op::Compare(op, ..) => self.count("compare", op.name()),
                Op::Math(function, _) => self.count("math", function.name()),
                Op::Cast(to, _) => self.count("cast to", to.name()),
                Op::Loop(inner) => {
                    for decl in &inner.sinks {
                        self.count("sink", sink_name(&decl.kind));
                        if let SinkKind::Reduce { reducer: Reducer::Op(op), .. }
                        | SinkKind::BucketReduce { reducer: Reducer::Op(op), .. }
                        | SinkKind::Scatter { op, .. } = &decl.kind
                        {
                            self.count("operator", op.name());
                        }
                    }
                }
                _ => {}
            }
            for &result in &stmt.results {
                self.ty(program.ty(result));
            }
        });
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Scalar(scalar) => self.count("type", scalar.name()),
            Type::Vec(_) => self.count("type", "vec"),
            Type::Struct(_) => self.count("type", "struct"),
            Type::Dict(..) => self.count("type", "dict"),
        }
    }

    /// Counts how a run ended.
    pub(crate) fn fault(&mut self, fault: &Fault) {
        self.count("fault", fault.kind.name());
    }

    /// Asserts that everything has occurred.
    ///
    /// # Panics
    /// With what has not.
    pub(crate) fn assert_complete(&self) {
        let mut wanted = Vec::new();
        let mut want = |kind: &str, names: &mut dyn Iterator<Item = &'static str>| {
            wanted.extend(names.map(|name| format!("{kind} {name}")));
        };
        want("op", &mut OPS.iter().copied());
        want("sink", &mut SINKS.iter().copied());
        want("unary", &mut UnaryOp::ALL.iter().map(|op| op.name()));
        want("binary", &mut BinaryOp::ALL.iter().map(|op| op.name()));
        want("compare", &mut CompareOp::ALL.iter().map(|op| op.name()));
        want("math", &mut MathFn::ALL.iter().map(|function| function.name()));
        want("operator", &mut ReduceOp::ALL.iter().map(|op| op.name()));
        want("cast to", &mut Scalar::ALL.iter().map(|scalar| scalar.name()));
        want("type", &mut Scalar::ALL.iter().map(|scalar| scalar.name()));
        want("type", &mut ["vec", "struct", "dict"].into_iter());
        // The interpreter has no limits, and nobody cancels it.
        let own = |kind: &&FaultKind| {
            !matches!(kind, FaultKind::MemoryLimit | FaultKind::Cancelled | FaultKind::BadArguments)
        };
        want("fault", &mut FaultKind::ALL.iter().filter(own).map(|kind| kind.name()));

        let missing: Vec<&String> = wanted.iter().filter(|name| !self.0.contains_key(*name)).collect();
        assert!(missing.is_empty(), "no generated program held {missing:?}; there were {:#?}", self.0);
    }
}
