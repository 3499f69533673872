//! The IR on one screen: a program is nested *bodies* of statements; a statement binds values to an [`Op`].
//!
//! All values are pure. The only effects are merges into the sinks of an enclosing loop, and faults.
//! Indices, lengths and extents are `i64`.

use std::sync::Arc;

use weldment_runtime::lang::types::{Name, Scalar, Type};

use super::entity::{Arena, BodyId, Loc, Sink, Value};

/// A program: the body `entry`, whose parameters are the program's and whose one result is its result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// What is known of each value.
    pub values: Arena<Value, ValueInfo>,
    /// Every body; one that nothing refers to any more is garbage.
    pub bodies: Arena<BodyId, Body>,
    /// The number of sinks that exist; the next new sink has this number.
    pub sinks: usize,
    /// The outermost body.
    pub entry: Option<BodyId>,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueInfo {
    /// Its type.
    pub ty: Type,
}

/// Parameters, statements in order, and results.
///
/// A body sees the values bound before it in the bodies around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Bound on entry: the program's parameters, a loop's indices, the state of an `iterate`, the two
    /// arguments of a reducing function or comparator.
    pub params: Vec<Value>,
    /// The statements, in order.
    pub stmts: Vec<Stmt>,
    /// What the body gives to the op that holds it.
    pub results: Vec<Value>,
}

/// A statement: binds `results` to what `op` gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The values bound; how many is fixed by the op.
    pub results: Vec<Value>,
    /// What is computed.
    pub op: Op,
    /// The user's token.
    pub loc: Loc,
}

/// An operation. Unless it says otherwise it binds one value, and that value's type tells what is not written here.
#[expect(missing_docs, reason = "the doc of a variant names its fields")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A scalar constant.
    Const(Const),
    /// `-x` (numbers) or `!x` (bool and integers).
    Unary(UnaryOp, Value),
    /// Two scalars of one type. `Div` and `Rem` of integers fault on zero and on MIN / −1.
    Binary(BinaryOp, Value, Value),
    /// Two values of one type, of any type that compares; gives bool.
    Compare(CompareOp, Value, Value),
    /// `compare(a, b)`: −1, 0 or 1 as i32, in the total order, which puts NaN last.
    Order(Value, Value),
    /// A function of one, two or three floats (`Abs`, `Signum` and `Pow` also of integers).
    Math(MathFn, Vec<Value>),
    /// To another scalar type.
    Cast(Scalar, Value),
    /// `condition, then, else`; both evaluated already.
    Select(Value, Value, Value),

    /// A struct of fields, and its name, if its type has one.
    Struct(Vec<Value>, Option<Arc<Name>>),
    /// A field of a struct.
    Field(Value, u32),
    /// A vector of these elements.
    Vector(Vec<Value>),
    /// The length of a vector or dictionary.
    Len(Value),
    /// `vector, index`: unchecked, in bounds by construction (see the verifier).
    At(Value, Value),
    /// `index, length`: the index, or a fault where it is not below the length. What it gives is in bounds for
    /// [`Op::At`], and stands between the check and every read that rests on it.
    CheckIndex(Value, Value),
    /// `dictionary, key`: faults on a key that is missing.
    Lookup(Value, Value),
    /// `vector, start, size`: faults on start outside 0..=len or size < 0, clamps a size that is too long.
    Slice(Value, Value, Value),
    /// A stable sort by a comparator body `(a, b) -> i32`.
    Sort { vector: Value, comparator: BodyId },
    /// A dictionary as a vector of {key, value}.
    ToVec(Value),
    /// `dictionary, key`: bool.
    KeyExists(Value, Value),
    /// `dictionary, key`: {bool, value}, the zero value where the key is missing.
    OptLookup(Value, Value),
    /// Any value as bytes (`vec[u8]`).
    Serialize(Value),
    /// Bytes as a value of the result's type; faults.
    Deserialize(Value),
    /// True, or a fault. Never dead.
    Assert(Value),
    /// A foreign function, pure but opaque.
    Call { symbol: String, args: Vec<Value> },

    /// The steps of `iter(v, start, end, stride)` over a vector of length `len`; faults with BadIterator.
    IterLen { len: Value, start: Value, end: Value, stride: Value },
    /// The steps of `rangeiter(start, end, stride)`; faults with BadIterator.
    RangeLen { start: Value, end: Value, stride: Value },
    /// The common value of these lengths; faults with ZipLengthMismatch.
    ZipLen(Vec<Value>),

    /// Binds one value per result of the branches, which have equal types.
    If { cond: Value, then: BodyId, els: BodyId },
    /// Do-while: the body takes the state and gives the next state and a bool that says whether to go on.
    /// Binds the last state.
    Iterate { init: Vec<Value>, body: BodyId },
    /// A loop into sinks; binds one value per sink.
    Loop(Loop),

    /// Merges into a sink of an enclosing loop: one value, or key and value for a bucket sink, or index and
    /// value for scatter. Binds nothing.
    Merge { sink: Sink, values: Vec<Value> },
    /// Runs its body, which has one parameter, for each index below `extent`. Binds nothing; stands inside a
    /// loop whose sinks its body merges into.
    For { extent: Value, body: BodyId },
}

/// A loop over a rectangular iteration space, or, without extents, a region that runs once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loop {
    /// One extent per index variable, outermost first; none for a region.
    pub extents: Vec<Value>,
    /// One parameter per extent; no results; may merge into the sinks below, and into those of loops around.
    pub body: BodyId,
    /// Where the body merges to, in the order of the loop's results.
    pub sinks: Vec<SinkDecl>,
}

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

/// How a reduction combines two values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reducer {
    /// An operator on scalars, or field by field on structs of scalars.
    Op(ReduceOp),
    /// An associative function `(a, b) -> c` on the merged type.
    Func(BodyId),
}

/// What a reduction of nothing gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Empty {
    /// The operator's identity.
    Identity,
    /// The fault EmptyReduction.
    Fault,
}

pub use weldment_runtime::lang::reduce::ReduceOp;
pub use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, MathFn, UnaryOp};
