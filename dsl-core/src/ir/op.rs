//! What the IR consists of: a program is nested *bodies* of statements; a statement binds values to an [`Op`], of which
//! [`ops`](super::ops) is the table; loops merge into [`sink`](super::sink)s.
//!
//! All values are pure. The only effects are merges into the sinks of an enclosing loop, and faults.
//! Indices, lengths and extents are `i64`.

use weldment_runtime::lang::types::Type;

use super::entity::{Arena, BodyId, Loc, Value};
use super::fixed_order::FixedOrder;

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
    /// The order in which floats are combined, where that may not follow from what the program is now. Text does not tell it.
    pub fixed_order: Option<FixedOrder>,
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

/// What [`Op::ZipLen`] compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zip {
    /// The numbers of steps of iterators.
    Lengths,
    /// The extents of axes of arrays.
    Extents,
    /// The extent of an axis of an argument, and that which its type says.
    Arguments,
    /// How many keys a dictionary has, and how many elements there are, each of which has a key of its own.
    Keys,
}

/// What [`Op::Span`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpanPart {
    /// The position of the first coordinate.
    Start,
    /// The positions from one coordinate to the next.
    Stride,
}

impl SpanPart {
    /// Each of them.
    pub const ALL: [SpanPart; 2] = [SpanPart::Start, SpanPart::Stride];

    /// The name of the op.
    pub fn name(self) -> &'static str {
        match self {
            SpanPart::Start => "span_start",
            SpanPart::Stride => "span_stride",
        }
    }
}

impl Zip {
    /// Each of them.
    pub const ALL: [Zip; 4] = [Zip::Lengths, Zip::Extents, Zip::Arguments, Zip::Keys];

    /// The name of the op.
    pub fn name(self) -> &'static str {
        match self {
            Zip::Lengths => "zip_len",
            Zip::Extents => "zip_extent",
            Zip::Arguments => "zip_argument",
            Zip::Keys => "zip_keys",
        }
    }
}

pub use super::ops::Op;
pub use super::sink::{Empty, Keep, Making, Order, Reducer, SinkDecl, SinkKind};
pub use weldment_runtime::lang::reduce::ReduceOp;
pub use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, MathFn, UnaryOp};
pub use weldment_runtime::lang::text::TextFn;
pub use weldment_runtime::lang::write::WriteFn;
