//! What loops merge into: the kinds of sinks, and what all that walks, types and names them needs to know of each.

use std::fmt;

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::Type;

use super::entity::{BodyId, Loc, Sink, Value};

/// A sink and what it does with what is merged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SinkDecl {
    /// Its id, which `merge` names.
    pub sink: Sink,
    /// What it does.
    pub kind: SinkKind,
    /// The user's token, which may be another than the loop's: where a reduction of nothing faults.
    pub loc: Loc,
}

/// What a sink does with the values merged into it, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SinkKind {
    /// The merged values as a vector.
    Collect {
        /// Of each element.
        ty: Type,
        /// A hint of the length, without meaning.
        hint: Option<Value>,
        /// Whether the vector is to be written to memory.
        keep: Keep,
    },
    /// A fold of the merged values.
    Reduce {
        /// Of the merged values and of the result.
        ty: Type,
        /// How two values become one.
        reducer: Reducer,
        /// What the fold starts with, counted once; without it the identity.
        init: Option<Value>,
        /// What no merge at all gives when there is no `init`.
        empty: Empty,
        /// Which values are combined first, where the reducer is an operator.
        order: Order,
    },
    /// A dictionary from key to the vector of merged values.
    BucketCollect {
        /// Of the keys.
        key: Type,
        /// Of the merged values.
        value: Type,
    },
    /// A dictionary from key to the fold of the merged values.
    BucketReduce {
        /// Of the keys.
        key: Type,
        /// Of the merged values.
        value: Type,
        /// How two values become one.
        reducer: Reducer,
    },
    /// A copy of a vector with the merged values folded in, by index; faults on an index outside.
    Scatter {
        /// Of the elements.
        ty: Type,
        /// How the element and the merged value become one.
        op: ReduceOp,
        /// The vector to start from.
        init: Value,
    },
}

/// Whether a collected vector is to be written to memory. It changes no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Keep {
    /// Where it is cheaper than to compute its elements where they are read.
    #[default]
    Auto,
    /// `store`: it is, if anything reads it.
    Stored,
    /// `inline`: it is not, whatever that costs.
    Inlined,
}

impl Keep {
    /// Those that the user asks for, by the names of the functions.
    pub const ASKED: [(&str, Keep); 2] = [("store", Keep::Stored), ("inline", Keep::Inlined)];
}

/// How a reduction combines two values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reducer {
    /// An operator on scalars, or field by field on structs of scalars.
    Op(ReduceOp),
    /// An associative function `(a, b) -> c` on the merged type.
    Func(BodyId),
}

/// In which order a reduction by an operator combines what is merged in one chunk. It shows in the bits of sums and products of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// In lanes, of which the innermost index of the loop chooses one; the lanes are folded in the end.
    Lanes,
    /// One value after the other.
    InOrder,
}

/// What a reduction of nothing gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Empty {
    /// The operator's identity.
    Identity,
    /// The fault EmptyReduction.
    Fault,
}

/// The kinds of sinks, without what is in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// A vector of what is merged.
    Collect,
    /// One value.
    Reduce,
    /// A dictionary of groups.
    BucketCollect,
    /// A dictionary of reductions.
    BucketReduce,
    /// A vector, by index.
    Scatter,
}

impl Making {
    /// Every kind.
    pub const ALL: [Making; 5] =
        [Making::Collect, Making::Reduce, Making::BucketCollect, Making::BucketReduce, Making::Scatter];

    /// Its name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            Making::Collect => "collect",
            Making::Reduce => "reduce",
            Making::BucketCollect => "bucket_collect",
            Making::BucketReduce => "bucket_reduce",
            Making::Scatter => "scatter",
        }
    }
}

impl SinkDecl {
    /// Whether it gives what is merged, scalars or structs of them, as a vector.
    pub fn collects_scalars(&self) -> bool {
        matches!(&self.kind, SinkKind::Collect { ty, .. } if ty.is_scalars())
    }
}

impl SinkKind {
    /// What it makes.
    pub fn making(&self) -> Making {
        match self {
            SinkKind::Collect { .. } => Making::Collect,
            SinkKind::Reduce { .. } => Making::Reduce,
            SinkKind::BucketCollect { .. } => Making::BucketCollect,
            SinkKind::BucketReduce { .. } => Making::BucketReduce,
            SinkKind::Scatter { .. } => Making::Scatter,
        }
    }

    /// The type of the value that a loop binds for this sink.
    pub fn result_type(&self) -> Type {
        match self {
            SinkKind::Collect { ty, .. } | SinkKind::Scatter { ty, .. } => Type::vec(ty.clone()),
            SinkKind::Reduce { ty, .. } => ty.clone(),
            SinkKind::BucketCollect { key, value } => Type::dict(key.clone(), Type::vec(value.clone())),
            SinkKind::BucketReduce { key, value, .. } => Type::dict(key.clone(), value.clone()),
        }
    }

    /// The types of the values that a merge into this sink takes.
    pub fn merge_types(&self) -> Vec<Type> {
        match self {
            SinkKind::Collect { ty, .. } | SinkKind::Reduce { ty, .. } => vec![ty.clone()],
            SinkKind::BucketCollect { key, value } | SinkKind::BucketReduce { key, value, .. } => {
                vec![key.clone(), value.clone()]
            }
            SinkKind::Scatter { ty, .. } => vec![Type::I64, ty.clone()],
        }
    }

    /// Whether a merge into it may fault, or that nothing was merged.
    pub fn can_fault(&self) -> bool {
        match self {
            SinkKind::Scatter { .. } | SinkKind::Reduce { init: None, empty: Empty::Fault, .. } => true,
            SinkKind::Collect { .. }
            | SinkKind::Reduce { .. }
            | SinkKind::BucketCollect { .. }
            | SinkKind::BucketReduce { .. } => false,
        }
    }

    /// What it begins with; of one that collects, the length that is expected.
    pub fn init(&self) -> Option<&Value> {
        match self {
            SinkKind::Collect { hint: init, .. } | SinkKind::Reduce { init, .. } => init.as_ref(),
            SinkKind::Scatter { init, .. } => Some(init),
            SinkKind::BucketReduce { .. } | SinkKind::BucketCollect { .. } => None,
        }
    }

    /// The same, to change it.
    pub fn init_mut(&mut self) -> Option<&mut Value> {
        match self {
            SinkKind::Collect { hint: init, .. } | SinkKind::Reduce { init, .. } => init.as_mut(),
            SinkKind::Scatter { init, .. } => Some(init),
            SinkKind::BucketReduce { .. } | SinkKind::BucketCollect { .. } => None,
        }
    }

    /// Has it begin with `value`, where it can; with nothing, where it need not begin with something.
    pub fn begin_with(&mut self, value: Option<Value>) {
        match self {
            SinkKind::Collect { hint: init, .. } | SinkKind::Reduce { init, .. } => *init = value,
            SinkKind::Scatter { init, .. } => *init = value.unwrap_or(*init),
            SinkKind::BucketReduce { .. } | SinkKind::BucketCollect { .. } => {}
        }
    }

    /// The function that combines two values, if it is one.
    pub fn function(&self) -> Option<&BodyId> {
        match self {
            SinkKind::Reduce { reducer, .. } | SinkKind::BucketReduce { reducer, .. } => match reducer {
                Reducer::Func(function) => Some(function),
                Reducer::Op(_) => None,
            },
            SinkKind::Collect { .. } | SinkKind::BucketCollect { .. } | SinkKind::Scatter { .. } => None,
        }
    }

    /// The same, to change it.
    pub fn function_mut(&mut self) -> Option<&mut BodyId> {
        match self {
            SinkKind::Reduce { reducer, .. } | SinkKind::BucketReduce { reducer, .. } => match reducer {
                Reducer::Func(function) => Some(function),
                Reducer::Op(_) => None,
            },
            SinkKind::Collect { .. } | SinkKind::BucketCollect { .. } | SinkKind::Scatter { .. } => None,
        }
    }
}

/// What it makes, in words for users.
impl fmt::Display for SinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.result_type())?;
        match self {
            SinkKind::Collect { .. } | SinkKind::BucketCollect { .. } => Ok(()),
            SinkKind::Reduce { reducer, .. } | SinkKind::BucketReduce { reducer, .. } => match reducer {
                Reducer::Op(op) => write!(f, " by {op}"),
                Reducer::Func(_) => write!(f, " by a function"),
            },
            SinkKind::Scatter { op, .. } => write!(f, " by index and {op}"),
        }
    }
}
