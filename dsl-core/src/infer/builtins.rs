//! The table of the language's own functions: how each is called, what it takes and gives, and what it becomes.
//!
//! Functions from values to a value are whole in their row. Others take functions and builders, and are typed by
//! `infer/call.rs`. Math functions have a table of their own, `math::functions` of the runtime, and sugar
//! is macros.

use weldment_runtime::lang::text::TextFn;
use weldment_runtime::lang::types::Scalar;
use weldment_runtime::lang::write::WriteFn;

use crate::ir::{Op, Value, Zip};
use crate::syntax::ast::Ident;

/// One of the language's own functions.
pub(super) struct Builtin {
    name: &'static str,
    /// The arguments, as errors name them.
    pub(super) form: &'static [&'static str],
    /// Of what is a function from values to a value.
    pub(super) scheme: Option<Scheme>,
}

/// The types of a function from values to a value, and its op.
#[derive(Debug)]
pub struct Scheme {
    pub(crate) params: &'static [Param],
    pub(super) gives: Gives,
    /// The op of these arguments.
    pub(crate) op: fn(&[Value]) -> Op,
}

/// What an argument has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Param {
    Is(Scalar),
    /// Anything but a builder.
    Stored,
    /// What can be compared.
    Ordered,
    /// What has a length.
    Sized,
    Vector,
    /// A vector of numbers, which `quantile` needs.
    Numbers,
    /// A vector of u8.
    Bytes,
    /// An integer of any type, which becomes an i64.
    Index,
    /// Of the same type as the argument before.
    Same,
    Dict,
    /// A key of the dictionary before.
    Key,
}

/// What a function gives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Gives {
    Scalar(Scalar),
    /// The type of the argument with this number.
    Argument(usize),
    Bytes,
    /// A vector of the pairs of the dictionary.
    Pairs,
    /// Whether there is a value of the dictionary, and it.
    Found,
    /// Two elements of the first argument, a vector.
    Two,
    /// What the function of texts does.
    Text(TextFn),
}

/// The functions.
static BUILTINS: [Builtin; 22] = {
    use Param::{Dict, Index, Is, Key, Ordered, Same, Sized, Stored, Vector};
    const BOOL: Gives = Gives::Scalar(Scalar::Bool);
    const I32: Gives = Gives::Scalar(Scalar::I32);
    const I64: Gives = Gives::Scalar(Scalar::I64);
    [
        of_others("merge", &["builder", "value"]),
        of_others("result", &["builder"]),
        of_values("len", &["vector"], &[Sized], I64, |v| Op::Len(v[0])),
        of_others("lookup", &["vector", "index"]),
        of_values("slice", &["vector", "start", "size"], &[Vector, Index, Index], Gives::Argument(0), |v| {
            Op::Slice(v[0], v[1], v[2])
        }),
        of_values(
            "select",
            &["condition", "then", "else"],
            &[Is(Scalar::Bool), Stored, Same],
            Gives::Argument(1),
            |v| Op::Select(v[0], v[1], v[2]),
        ),
        of_others("iterate", &["initial", "|state| {next, go_on}"]),
        of_others("sort", &["vector", "|a, b| compare(a, b)"]),
        of_others("reduce", &["v", "|a, b| …"]),
        of_others("powi", &["x", "n"]),
        of_others("fold", &["v", "initial", "|acc, x| …"]),
        of_others("aggregate", &["v", "|x| key", "|g| (g.count(), g.sum(|x| …))"]),
        of_values("compare", &["a", "b"], &[Ordered, Same], I32, |v| Op::Order(v[0], v[1])),
        of_values("tovec", &["dictionary"], &[Dict], Gives::Pairs, |v| Op::ToVec(v[0])),
        of_values("keyexists", &["dictionary", "key"], &[Dict, Key], BOOL, |v| Op::KeyExists(v[0], v[1])),
        of_values("optlookup", &["dictionary", "key"], &[Dict, Key], Gives::Found, |v| {
            Op::OptLookup(v[0], v[1])
        }),
        of_values("serialize", &["value"], &[Stored], Gives::Bytes, |v| Op::Serialize(v[0])),
        of_values("assert", &["condition"], &[Is(Scalar::Bool)], BOOL, |v| Op::Assert(v[0])),
        of_others("store", &["vector"]),
        of_others("inline", &["vector"]),
        of_others("min", &["a", "b"]),
        of_others("max", &["a", "b"]),
    ]
};

/// A function of one text.
macro_rules! of_text {
    ($name:literal, $function:ident) => {
        of_values($name, &["text"], &[Param::Bytes], Gives::Text(TextFn::$function), |v| {
            Op::Text(TextFn::$function, v.to_vec())
        })
    };
}

/// What the table of sugar calls, and no program.
static OF_SUGAR: [Builtin; 23] = {
    const I64: Param = Param::Is(Scalar::I64);
    const NUMBER: Gives = Gives::Scalar(Scalar::I64);
    [
        // The number of keys, where each element has a key of its own.
        of_values("key_each", &["keys", "elements"], &[I64, I64], NUMBER, |v| {
            Op::ZipLen(Zip::Keys, vec![v[0], v[1]])
        }),
        // The index, which is known to be below the length.
        of_values("inside", &["index", "length"], &[I64, I64], NUMBER, |v| Op::AssumeIndex(v[0], v[1])),
        // The elements from the first index up to the second one, which are known to be in this order and inside.
        of_values("cut", &["vector", "start", "end"], &[Param::Vector, I64, I64], Gives::Argument(0), |v| {
            Op::Cut(v[0], v[1], v[2])
        }),
        of_values("ranked", &["numbers", "place"], &[Param::Numbers, I64], Gives::Two, |v| {
            Op::Ranked(v[0], v[1])
        }),
        of_values(
            "found_at",
            &["text", "part", "from"],
            &[Param::Bytes, Param::Bytes, I64],
            Gives::Text(TextFn::Find),
            |v| Op::Text(TextFn::Find, v.to_vec()),
        ),
        of_values(
            "found_last",
            &["text", "part"],
            &[Param::Bytes, Param::Bytes],
            Gives::Text(TextFn::FindLast),
            |v| Op::Text(TextFn::FindLast, v.to_vec()),
        ),
        of_values("word_at", &["text", "from"], &[Param::Bytes, I64], Gives::Text(TextFn::Word), |v| {
            Op::Text(TextFn::Word, v.to_vec())
        }),
        of_values(
            "is_like",
            &["text", "pattern"],
            &[Param::Bytes, Param::Bytes],
            Gives::Text(TextFn::Like),
            |v| Op::Text(TextFn::Like, v.to_vec()),
        ),
        of_values(
            "replaced",
            &["text", "part", "by"],
            &[Param::Bytes, Param::Bytes, Param::Bytes],
            Gives::Bytes,
            |v| Op::Write(WriteFn::Replaced, v.to_vec()),
        ),
        of_values("lowercase", &["text"], &[Param::Bytes], Gives::Bytes, |v| {
            Op::Write(WriteFn::Lowercase, v.to_vec())
        }),
        of_values("uppercase", &["text"], &[Param::Bytes], Gives::Bytes, |v| {
            Op::Write(WriteFn::Uppercase, v.to_vec())
        }),
        of_values(
            "read_fixed",
            &["text", "digits"],
            &[Param::Bytes, I64],
            Gives::Text(TextFn::ToFixed),
            |v| Op::Text(TextFn::ToFixed, v.to_vec()),
        ),
        // Units of a decimal number, as an i64.
        of_values("units", &["units", "digits"], &[Param::Is(Scalar::I128), I64], NUMBER, |v| {
            Op::Units(v[0], v[1])
        }),
        of_text!("is_text", IsText),
        of_text!("trimmed", Trimmed),
        of_text!("read_i64", ToI64),
        of_text!("read_u64", ToU64),
        of_text!("read_i128", ToI128),
        of_text!("read_f32", ToF32),
        of_text!("read_f64", ToF64),
        of_text!("read_date", ToDate),
        of_text!("read_moment", ToTimestamp),
        of_values("steps", &["start", "end", "stride"], &[I64, I64, I64], NUMBER, |v| {
            Op::RangeLen(v[0], v[1], v[2])
        }),
    ]
};

const fn of_values(
    name: &'static str,
    form: &'static [&'static str],
    params: &'static [Param],
    gives: Gives,
    op: fn(&[Value]) -> Op,
) -> Builtin {
    Builtin { name, form, scheme: Some(Scheme { params, gives, op }) }
}

const fn of_others(name: &'static str, form: &'static [&'static str]) -> Builtin {
    Builtin { name, form, scheme: None }
}

/// The names of the functions.
#[doc(hidden)]
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().map(|builtin| builtin.name)
}

/// The function that `name` calls. Those that only the table of sugar may call, which knows what they take for granted, are no users'.
pub(super) fn called(name: &Ident, is_users: bool) -> Option<&'static Builtin> {
    let of_sugar = OF_SUGAR.iter().find(|builtin| !is_users && builtin.name == name.name);
    of_sugar.or_else(|| find(&name.name))
}

/// What makes units of 128 bits an i64, which only the compiler calls.
pub(super) fn units() -> &'static Scheme {
    let builtin = OF_SUGAR.iter().find(|builtin| builtin.name == "units");
    builtin.and_then(|builtin| builtin.scheme.as_ref()).expect("in the table")
}

/// The function `name`.
pub(super) fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}
