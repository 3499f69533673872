//! The table of ops: of each without bodies its operands, its name in IR text, its type, whether it can fault, whether it
//! allocates, and what it costs.
//!
//! A row makes a variant of [`Op`], whose fields are the operands. It also makes its visits, its text, its parser, its typing and
//! its cost, so that a new op is a row here, and a match arm of the interpreter and of each printer. `ops/define.rs` says how;
//! what a field can be is a `Part`. Ops that hold bodies or merge are listed below the table and done by hand.
//!
//! * The name is a word, with the brackets around a list if it has any; or it is that of the first field.
//! * The type is a rule of `Rules`, with what it is given. It names the values, and `typing` says what is wrong with them.
//! * `total` or `faults`: whether there are operands on which it ends the program.
//! * `allocates`, or nothing: whether it takes memory for what it gives.
//! * The cost is a number, or a rule of `Costs`.

#[macro_use]
mod define;
mod cost;
mod part;

use std::sync::Arc;

use weldment_runtime::lang::conversion::HalfFn;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, MathFn, UnaryOp};
use weldment_runtime::lang::text::TextFn;
use weldment_runtime::lang::types::{Name, Scalar, Type};
use weldment_runtime::lang::write::WriteFn;

use self::cost::Costs;
pub(super) use self::part::Writing;
use self::part::{Part, Reading};
use super::entity::{BodyId, Sink, Value};
use super::lex::Token;
use super::op::{Loop, Program, SpanPart, Zip};
use super::parse::{Parser, Result};
use super::typing::{Rules, Typing};

ops! {
    /// An operation. Unless it says otherwise it binds one value, and that value's type tells what is not written here.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let v = Value::from_index;
    /// let (x, y) = (v(0), v(1));
    /// let op = Op::Binary(BinaryOp::Add, x, y);
    /// assert!(op.reads(x) && op.reads(y) && op.name() == "add");
    /// ```
    #[expect(missing_docs, reason = "the doc of a variant names its fields")]
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum Op;

    straight {
        /// A scalar constant.
        Const(constant: Const)
            "const" => gives(constant.scalar()), total, 0;
        /// `-x` (numbers) or `!x` (bool and integers).
        Unary(op: UnaryOp, x: Value)
            UnaryOp => unary(*op, x), total, 1;
        /// Two scalars of one type. `Div` and `Rem` of integers fault on zero and on MIN / −1.
        Binary(op: BinaryOp, x: Value, y: Value)
            BinaryOp => binary(*op, x, y), faults, binary(*op, *x);
        /// Two values of one type, of any type that compares; gives bool.
        Compare(op: CompareOp, x: Value, y: Value)
            CompareOp => compared(x, y, Type::BOOL), total, compared(*x);
        /// `compare(a, b)`: −1, 0 or 1 as i32, in the total order, which puts NaN last.
        Order(x: Value, y: Value)
            "order" => compared(x, y, Type::I32), total, compared(*x);
        /// A function of one, two or three floats (`Abs`, `Signum` and `Pow` also of integers).
        Math(function: MathFn, args: Vec<Value>)
            MathFn => math(*function, args), total, math(*function);
        /// To another scalar type.
        Cast(to: Scalar, x: Value)
            "cast" => cast(*to, x), total, 1;
        /// To or from the bits of a float of 16 bits.
        Half(function: HalfFn, x: Value)
            HalfFn => takes([(x, function.takes().into())], function.gives().into()), total, 4;
        /// `units, digits`: the units of a decimal number with so many digits behind the point, from i128 to i64; faults with Overflow.
        Units(units: Value, digits: Value)
            "units" => takes([(units, Type::from(Scalar::I128)), (digits, Type::I64)], Type::I64), faults, 2;
        /// `condition, then, else`; both evaluated already.
        Select(cond: Value, then: Value, els: Value)
            "select" => select(cond, then, els), total, 1;

        /// A struct of fields, and its name, if its type has one.
        Struct(fields: Vec<Value>, name: Option<Arc<Name>>)
            "struct" "{" "}" => structure(fields, name), total, 0;
        /// A field of a struct.
        Field(x: Value, number: u32)
            "field" => field(x, *number), total, 0;
        /// A vector of these elements.
        Vector(elements: Vec<Value>)
            "vector" "[" "]" => vector(elements), total allocates, 32;
        /// The length of a vector or dictionary.
        Len(x: Value)
            "len" => len(x), total, 0;
        /// `vector, index`: unchecked, in bounds by construction (see the verifier).
        At(vector: Value, index: Value)
            "at" => at(vector, index), total, element(*vector);
        /// `index, length`: the index, or a fault where it is not below the length. What it gives is in bounds for
        /// [`Op::At`], and stands between the check and every read that rests on it.
        CheckIndex(index: Value, length: Value)
            "check_index" => takes([(index, Type::I64), (length, Type::I64)], Type::I64), faults, 2;
        /// `index, length`: the index, which is below the length wherever this is reached: so lowering has made it, in a way
        /// that no proof follows. What rests on it rests on this statement. It is checked by the interpreter alone.
        AssumeIndex(index: Value, length: Value)
            "assume_index" => takes([(index, Type::I64), (length, Type::I64)], Type::I64), total, 0;
        /// `dictionary, key`: faults on a key that is missing.
        Lookup(dict: Value, key: Value)
            "lookup" => keyed(dict, key, |value| value), faults, 32;
        /// `vector, start, size`: faults on start outside 0..=len or size < 0, clamps a size that is too long.
        Slice(vector: Value, start: Value, size: Value)
            "slice" => slice(vector, start, size), faults, 16;
        /// `vector, start, end`: the elements from start up to end, of which 0 <= start <= end <= len vector holds wherever this is reached: so who made
        /// the vector has promised. It is checked by the interpreter alone.
        Cut(vector: Value, start: Value, end: Value)
            "cut" => slice(vector, start, end), total, 2;
        /// `vector, place`: {the number that has this place in ascending order, the one behind it}; of the last one both are the
        /// same. NaN is last, −0.0 is 0.0, and a place outside is the nearest one. Faults with EmptyReduction.
        Ranked(vector: Value, place: Value)
            "ranked" => ranked(vector, place), faults allocates, 1024;
        /// A function of texts, which are vectors of bytes here.
        Text(function: TextFn, args: Vec<Value>)
            TextFn => text(*function, args), total, 64;
        /// A function that gives the bytes of a new text.
        Write(function: WriteFn, args: Vec<Value>)
            WriteFn => written(*function, args), total allocates, 256;
        /// True; shows a text, which `dbg` has made of a value, wherever it is evaluated and as often. Never dead. Who is shown it may end
        /// the run.
        Dbg(text: Value)
            "dbg" => takes([(text, Type::vec(Scalar::U8.into()))], Type::BOOL), faults, 1024;
        /// A dictionary as a vector of {key, value}.
        ToVec(dict: Value)
            "to_vec" => to_vec(dict), total allocates, 1024;
        /// `dictionary, key`: bool.
        KeyExists(dict: Value, key: Value)
            "key_exists" => keyed(dict, key, |_| Type::BOOL), total, 32;
        /// `dictionary, key`: {bool, value}, the zero value where the key is missing.
        OptLookup(dict: Value, key: Value)
            "opt_lookup" => keyed(dict, key, |value| Type::structure([Type::BOOL, value])), total allocates, 32;
        /// Any value as bytes (`vec[u8]`).
        Serialize(x: Value)
            "serialize" => gives(Type::vec(Type::from(Scalar::U8))), total allocates, 1024;
        /// Bytes as a value of the result's type; faults.
        Deserialize(bytes: Value)
            "deserialize" => of_bytes(bytes), faults allocates, 1024;
        /// True, or a fault. Never dead.
        Assert(cond: Value)
            "assert" => takes([(cond, Type::BOOL)], Type::BOOL), faults, 2;
        /// `symbol, arguments`: a foreign function, pure but opaque.
        Call(symbol: String, args: Vec<Value>)
            "call" "(" ")" => declared(), total, 64;

        /// `len, start, end, stride`: the steps of `iter(v, start, end, stride)` over a vector of length `len`; faults with
        /// BadIterator.
        IterLen(len: Value, start: Value, end: Value, stride: Value)
            "iter_len" => integers(&[*len, *start, *end, *stride]), faults, 2;
        /// `start, end, stride`: the steps of `rangeiter(start, end, stride)`; faults with BadIterator.
        RangeLen(start: Value, end: Value, stride: Value)
            "range_len" => integers(&[*start, *end, *stride]), faults, 2;
        /// The common value of these lengths or extents; faults with ZipLengthMismatch, ShapeMismatch, BadArguments or
        /// DuplicateKey.
        ZipLen(of: Zip, lengths: Vec<Value>)
            Zip => lengths(lengths), faults, 2;

        /// The first of the extents of an array, of all of which there can be one; faults with ShapeMismatch.
        CheckExtents(extents: Vec<Value>)
            "check_extents" => lengths(extents), faults, 8;
        /// `vector, extents`: the vector, which has an element for each point of that shape; faults with ShapeMismatch. What
        /// it gives may be read at what [`Op::Linearize`] makes of indices below these extents.
        Shape(vector: Value, extents: Vec<Value>)
            "shape" "[" "]" => shape(vector, extents), faults, 8;
        /// `indices, extents`: the position of an element in an array that lies row by row. The indices are below the extents by
        /// construction.
        Linearize(indices: Vec<Value>, extents: Vec<Value>)
            "linearize" "[" "]" => linear(indices, extents), total, linear(indices);
        /// `start, end, stride, lower, step, extent`: how many coordinates there are from `start` on, in strides, before `end`.
        /// Faults with IndexOutOfBounds unless there are none, or all are coordinates of an axis.
        SpanLen(numbers: Vec<Value>)
            "span_len" => span(numbers), faults, 16;
        /// Of the same numbers: the position of the first coordinate, or how many positions lie from one to the next. Means
        /// something only where `span_len` has not faulted.
        Span(part: SpanPart, numbers: Vec<Value>)
            SpanPart => span(numbers), total, 16;
        /// `coordinate, lower, step, extent`: the position of a coordinate along an axis; faults with IndexOutOfBounds.
        Position(coordinate: Value, lower: Value, step: Value, extent: Value)
            "position" => integers(&[*coordinate, *lower, *step, *extent]), faults, 4;
    }

    bodies {
        /// A stable sort by a comparator body `(a, b) -> i32`.
        Sort { vector: Value, comparator: BodyId },
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
}
