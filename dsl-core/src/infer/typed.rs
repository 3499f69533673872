//! The typed tree: what inference gives and lowering takes.
//!
//! Names are resolved to [`Local`]s, sugar and macros are expanded, patterns are taken apart, and every
//! expression has a type without variables.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, MathFn, UnaryOp};
use weldment_runtime::lang::types::{Scalar, Type, UserName};

use super::builtins::Scheme;
use super::ty::Ty;
use crate::ir::{Arena, Empty, Entity, Keep};

/// A variable of the program. Prints as `x7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local(u32);

impl Entity for Local {
    fn from_index(index: usize) -> Local {
        Local(index as u32)
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct LocalInfo {
    /// The name as written; `_` where there is none.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Where it is bound.
    pub span: Span,
}

/// A typed program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Every variable.
    pub locals: Arena<Local, LocalInfo>,
    /// The parameters and their types.
    pub params: Vec<(Local, Type)>,
    /// Of the parameters that are written, by their numbers, those that are structs that borrow: each is as many of `params` as it has fields.
    pub lent: Vec<(usize, UserName)>,
    /// The parameters that are declared `const`.
    pub constants: Vec<Local>,
    /// The body.
    pub body: Expr,
    /// The type of the result.
    pub result: Type,
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// The token to blame.
    pub span: Span,
}

/// Whether a cursor may be known to be so far away while compiling. Sums of such offsets do not wrap, however many a program has.
pub(crate) fn is_near(offset: i64) -> bool {
    offset.unsigned_abs() <= 1 << 32
}

impl Expr {
    /// The number that this is, made of literals alone, if a cursor may be so far from its point.
    pub fn offset(&self) -> Option<i64> {
        self.constant().filter(|&offset| is_near(offset))
    }

    /// The number that this is, made of literals alone.
    pub fn constant(&self) -> Option<i64> {
        match &self.kind {
            ExprKind::Integer(number) => i64::try_from(*number).ok(),
            ExprKind::Const(constant) => constant.as_integer().and_then(|number| i64::try_from(number).ok()),
            ExprKind::Unary(UnaryOp::Neg, x) => x.constant()?.checked_neg(),
            ExprKind::Binary(op, x, y) => {
                let (x, y) = (x.constant()?, y.constant()?);
                match op {
                    BinaryOp::Add => x.checked_add(y),
                    BinaryOp::Sub => x.checked_sub(y),
                    BinaryOp::Mul => x.checked_mul(y),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The kinds of expression: the language without sugar.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the doc of a variant names its fields")]
pub enum ExprKind {
    /// A constant.
    Const(Const),
    /// An integer literal, of the expression's type.
    Integer(i128),
    /// What leaves every value alone that a reduction by an operator merges with it, of the expression's type, a number.
    Neutral(ReduceOp),
    /// A float literal, as text: until all types are known, when it becomes `Const`.
    Float(String),
    /// A string: bytes as `vec[i8]` or `vec[u8]`.
    Bytes(Vec<u8>, Scalar),
    /// The value of the expression's type that is zero, or holds nothing: what stands in an option without value.
    Zero,
    /// A variable.
    Local(Local),
    /// Binds variables, each in those after it and in the body.
    Let(Vec<(Local, Expr)>, Box<Expr>),
    /// `-x`, `!x`
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A comparison.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// A math function.
    Math(MathFn, Vec<Expr>),
    /// `&&`
    And(Box<Expr>, Box<Expr>),
    /// `||`
    Or(Box<Expr>, Box<Expr>),
    /// To the expression's type.
    Cast(Box<Expr>),
    /// Lazy choice.
    If { cond: Box<Expr>, then: Box<Expr>, els: Box<Expr> },
    /// A struct.
    Struct(Vec<Expr>),
    /// A vector.
    Vector(Vec<Expr>),
    /// A field.
    Field(Box<Expr>, u32),
    /// A field by its name: until all types are known, when it becomes `Field`.
    Member(Box<Expr>, String),
    /// One of the language's own functions from values to a value.
    Builtin(&'static Scheme, Vec<Expr>),
    /// A vector or an array, and whether it is to be written to memory.
    Keep(Keep, Box<Expr>),
    /// Of a vector by any integer, or of a dictionary by key.
    Lookup(Box<Expr>, Box<Expr>),
    /// An array: what the body gives for each point of the iterators, of which there is one kind of them.
    Fill {
        /// What it runs over; several are a zip.
        iters: Vec<Iter>,
        /// Point and element.
        params: [Local; 2],
        /// The element of the array.
        body: Box<Expr>,
    },
    /// One of the functions of arrays.
    OfArray(ArrayOp, Vec<Expr>),
    /// One of the functions that put arrays together.
    Pieces(PiecesOp, Vec<Expr>),
    /// An array: what the body gives for each point at which cursors on arrays stand.
    Stencil {
        /// The arrays.
        arrays: Vec<Expr>,
        /// What is read outside of them.
        policy: Policy,
        /// The value for outside, of the policy that has one.
        pad: Option<Box<Expr>>,
        /// The cursors.
        params: Vec<Local>,
        /// The element.
        body: Box<Expr>,
    },
    /// What is asked of a cursor, which is the first argument.
    OfCursor(CursorOp, Vec<Expr>),
    /// The cursor, where the cursors given stand, on the array of what the function gives for each point.
    Lift(Rc<Lifted>, Vec<Expr>),
    /// The text of a scalar, a date or a time; of a text, it.
    Shown(Box<Expr>),
    /// A value that is shown, behind what it is written as, each time that this is evaluated.
    Dbg(String, Box<Expr>),
    /// `deserialize`, to the expression's type.
    Deserialize(Box<Expr>),
    /// A foreign function.
    Call {
        /// Its name, or a path to it.
        symbol: String,
        /// What it is given.
        args: Vec<Expr>,
        /// Where the type of what it gives stands.
        result: Span,
    },
    /// `sort` by a comparator.
    Sort {
        /// What is sorted.
        vector: Box<Expr>,
        /// What the comparator takes.
        params: [Local; 2],
        /// An i32: negative, zero or positive.
        comparator: Box<Expr>,
    },
    /// `iterate`
    Iterate {
        /// The first state.
        init: Box<Expr>,
        /// The state, in the body.
        param: Local,
        /// The next state and whether to go on, as a struct.
        body: Box<Expr>,
    },
    /// `fold`
    Fold {
        /// What is folded; several are a zip.
        iters: Vec<Iter>,
        /// What the fold starts with.
        init: Box<Expr>,
        /// What has been folded so far, and an element.
        params: [Local; 2],
        /// What is folded with that element.
        body: Box<Expr>,
    },
    /// The first element for which a function holds.
    Search {
        /// What is searched; several are a zip.
        iters: Vec<Iter>,
        /// What is asked of it.
        asked: Sought,
        /// An element.
        param: Local,
        /// Whether this is one.
        body: Box<Expr>,
    },
    /// A new builder of the expression's type.
    Builder {
        /// What it starts with; of an `appender`, a hint of the length.
        init: Option<Box<Expr>>,
        /// How values are combined, where that is not by an operator of the type.
        func: Option<Box<Func>>,
        /// What a reduction of nothing gives.
        empty: Empty,
    },
    /// `for`
    For {
        /// What it runs over; several are a zip.
        iters: Vec<Iter>,
        /// What is merged into.
        builder: Box<Expr>,
        /// Builder, index and element.
        params: [Local; 3],
        /// The builder after one step.
        body: Box<Expr>,
    },
    /// `merge`
    Merge(Box<Expr>, Box<Expr>),
    /// `result`
    Result(Box<Expr>),
}

/// What is asked of the first element for which a function holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// Whether there is one.
    Whether,
    /// Its position, and [`NOWHERE`](Sought::NOWHERE) if there is none.
    Position,
}

impl Sought {
    /// The position of no element.
    pub const NOWHERE: i64 = i64::MAX;
}

/// What is asked of an array, or made one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrayOp {
    /// At some of the coordinates, of which numbers follow as the subscripts say.
    Slice(Rc<[Subscript]>),
    /// The first along some axes, or the last.
    Take,
    /// All but the first along some axes, or the last.
    Drop,
    /// The other way round along these axes.
    Reverse(Rc<[usize]>),
    /// Turned along some axes.
    Rotate,
    /// With these axes in place of its own.
    Permute(Rc<[usize]>),
    /// With coordinates that are moved.
    Shift,
    /// With coordinates from these on, in steps of 1.
    MoveTo,
    /// With a new axis.
    Expand(usize),
    /// With axes of extent 1 repeated.
    Broadcast,
    /// At coordinates that are affine in its own; what they are moved by when the program runs follows.
    Reference(Rc<[Coordinate]>),
    /// With coordinates that are multiplied.
    Spread,
    /// Along some axes of extents that are said.
    Checked(Rc<[Option<i64>]>),
    /// Row by row in another shape.
    Reshape,
    /// Where the first two axes have the same position.
    Diagonal,
    /// The vector of the elements, row by row.
    Flat,
    /// The vector, row by row, as an array of the shape that follows.
    Shaped,
    /// The vector, from its start again where it ends, as an array of the shape that follows.
    Cycled,
    /// The vector, whose elements are in the order of these axes, as an array with the axes of that which follows.
    Restacked(Rc<[usize]>),
    /// The vector, row by row, as an array with the axes of that which follows.
    Like,
    /// The element at coordinates that follow, or else a value.
    Get,
    /// Of coordinates, the place of the element row by row.
    Place,
    /// The extents of all axes.
    Shape,
    /// The extent of this axis.
    Extent(usize),
    /// The lower bound of this axis.
    Lower(usize),
}

/// A coordinate that is read: `plus + index * scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// Which coordinate of the point, if it is made of one.
    pub index: Option<usize>,
    /// What that is multiplied by.
    pub scale: i64,
    /// What is added.
    pub plus: i64,
    /// Whether a number is added, too, that is known when the program runs.
    pub is_moved: bool,
}

/// How arrays are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PiecesOp {
    /// One after the other along this axis.
    Stack(usize),
    /// An array, widths of a margin around it for each axis, and what the margin holds.
    Pad,
    /// An array, and one that holds where it has coordinates of the first.
    Overwrite,
    /// Side by side and between each other: each point is one of theirs.
    Fuse,
}

/// What a stencil reads outside of its arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Nothing: it has a point where all that it reads is inside.
    Domain,
    /// The nearest element inside.
    Clamp,
    /// As if the array went on from its other end.
    Wrap,
    /// A value.
    Pad,
}

/// What is asked of a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorOp {
    /// The element so many positions away.
    Deref,
    /// The cursor so many positions away.
    Shift,
    /// Whether there is an element so many positions away.
    Exists,
    /// The coordinates at which it stands.
    At,
    /// Along this axis at the coordinate that a table holds where it stands, by the coordinate in the row.
    To(usize),
    /// The same, by the position in the row.
    Slot(usize),
    /// What the table holds there.
    Entry(usize),
    /// At these coordinates.
    Seek,
}

/// A function of cursors, for an array that is read where it is computed.
#[derive(Clone, Debug)]
pub struct Lifted {
    /// Its cursors.
    pub params: Vec<Local>,
    /// The element.
    pub body: Expr,
    /// What else the body reads.
    pub captures: Vec<Local>,
}

/// What stands for an axis between brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscript {
    /// A coordinate.
    At,
    /// A range, and which of its parts are written.
    Range {
        /// Its first coordinate.
        start: bool,
        /// What is behind it.
        end: bool,
        /// From one to the next.
        step: bool,
    },
}

/// A function of two values.
#[derive(Clone, Debug)]
pub struct Func {
    /// Its parameters.
    pub params: [Local; 2],
    /// Its body.
    pub body: Expr,
}

/// What a `for` runs over.
#[derive(Clone, Debug)]
pub struct Iter {
    /// What it is.
    pub kind: IterKind,
    /// The token to blame.
    pub span: Span,
}

/// The kinds of iterator.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the doc of a variant names its fields")]
pub enum IterKind {
    /// A whole vector.
    All(Expr),
    /// A whole array.
    Array(Expr),
    /// The arrays of these axes, one for each point of the other axes of an array.
    Lines(Expr, Rc<[usize]>),
    /// The points of an array.
    Domain(Expr),
    /// The points of a shape: an extent, or a struct of some.
    Points(Expr),
    /// `iter(vector, start, end, stride)`
    Strided { vector: Expr, start: Expr, end: Expr, stride: Expr },
    /// `rangeiter(start, end, stride)`
    Range { start: Expr, end: Expr, stride: Expr },
    /// `start..end`: empty where the end is before the start.
    Span { start: Expr, end: Expr },
}
