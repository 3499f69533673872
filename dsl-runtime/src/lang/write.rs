//! Functions that give new texts, whole ones of others, or of numbers. Each says how long its text will be before it writes it, so that memory is
//! asked for once, and the run can refuse it.

mod debug;
mod joined;
mod letters;
mod replaced;
mod shown;
mod written;

pub use self::debug::{Quoted, debug_f32, debug_f64, quoted};
pub use self::joined::{Joined, joined};
pub use self::letters::{Lowercase, Uppercase, lowercase, uppercase};
pub use self::replaced::{Replaced, replaced};
pub use self::shown::{
    Shown, shown_date, shown_f32, shown_f64, shown_fixed, shown_i64, shown_i128, shown_span, shown_timestamp,
    shown_u64,
};
pub use self::written::Written;
use super::types::{Scalar, Type};

/// A function that gives the bytes of a new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WriteFn {
    /// `text, part, by`: the text with `by` in place of each `part`. See [`replaced()`].
    Replaced,
    /// `text`: in lower case. See [`lowercase`].
    Lowercase,
    /// `text`: in upper case. See [`uppercase`].
    Uppercase,
    /// `number`: as Rust shows an i64.
    ShownI64,
    /// `number`: as Rust shows a u64.
    ShownU64,
    /// `number`: as Rust shows an i128.
    ShownI128,
    /// `number`: as Rust shows an f32.
    ShownF32,
    /// `number`: as Rust shows an f64.
    ShownF64,
    /// `days`: the date that is so many days after 1970-01-01.
    ShownDate,
    /// `micros`: the moment that is so many microseconds after the beginning of 1970.
    ShownTimestamp,
    /// `micros`: the length of time of so many microseconds.
    ShownSpan,
    /// `units, digits`: the decimal number of so many units, with so many digits behind the point.
    ShownFixed,
    /// `number`: as Rust's `{:?}` shows an f32.
    DebugF32,
    /// `number`: as Rust's `{:?}` shows an f64.
    DebugF64,
    /// `text`: between quotes, as Rust's `{:?}` shows it. See [`quoted`].
    Quoted,
    /// `parts, separator`: the parts in order, with the separator between each two. See [`joined()`].
    Joined,
}

impl WriteFn {
    /// Each of them.
    pub const ALL: [WriteFn; 16] = [
        WriteFn::Replaced,
        WriteFn::Lowercase,
        WriteFn::Uppercase,
        WriteFn::ShownI64,
        WriteFn::ShownU64,
        WriteFn::ShownI128,
        WriteFn::ShownF32,
        WriteFn::ShownF64,
        WriteFn::ShownDate,
        WriteFn::ShownTimestamp,
        WriteFn::ShownSpan,
        WriteFn::ShownFixed,
        WriteFn::DebugF32,
        WriteFn::DebugF64,
        WriteFn::Quoted,
        WriteFn::Joined,
    ];

    /// The name of the op, and of the function here.
    pub fn name(self) -> &'static str {
        match self {
            WriteFn::Replaced => "replaced",
            WriteFn::Lowercase => "lowercase",
            WriteFn::Uppercase => "uppercase",
            WriteFn::ShownI64 => "shown_i64",
            WriteFn::ShownU64 => "shown_u64",
            WriteFn::ShownI128 => "shown_i128",
            WriteFn::ShownF32 => "shown_f32",
            WriteFn::ShownF64 => "shown_f64",
            WriteFn::ShownDate => "shown_date",
            WriteFn::ShownTimestamp => "shown_timestamp",
            WriteFn::ShownSpan => "shown_span",
            WriteFn::ShownFixed => "shown_fixed",
            WriteFn::DebugF32 => "debug_f32",
            WriteFn::DebugF64 => "debug_f64",
            WriteFn::Quoted => "quoted",
            WriteFn::Joined => "joined",
        }
    }

    /// Its place in [`WriteFn::ALL`], by which compiled code calls it.
    ///
    /// ```
    /// # use weldment_runtime::lang::write::WriteFn;
    /// assert!(WriteFn::ALL.iter().all(|&function| WriteFn::ALL[function.number()] == function));
    /// ```
    pub fn number(self) -> usize {
        self as usize
    }

    /// The types of what it takes: texts, or one number, of a decimal number also how many digits; or a vector of texts and a text.
    ///
    /// ```
    /// # use weldment_runtime::lang::{types::Type, write::WriteFn};
    /// assert_eq!((WriteFn::Replaced.takes().len(), WriteFn::ShownF64.takes()), (3, vec![Type::F64]));
    /// ```
    pub fn takes(self) -> Vec<Type> {
        let text = || Type::vec(Scalar::U8.into());
        let texts = |count| vec![text(); count];
        match self {
            WriteFn::Replaced => texts(3),
            WriteFn::Lowercase | WriteFn::Uppercase | WriteFn::Quoted => texts(1),
            WriteFn::Joined => vec![Type::vec(text()), text()],
            WriteFn::ShownI64 | WriteFn::ShownTimestamp | WriteFn::ShownSpan => vec![Type::I64],
            WriteFn::ShownFixed => vec![Type::I64, Type::I64],
            WriteFn::ShownU64 => vec![Scalar::U64.into()],
            WriteFn::ShownI128 => vec![Scalar::I128.into()],
            WriteFn::ShownF32 | WriteFn::DebugF32 => vec![Scalar::F32.into()],
            WriteFn::ShownF64 | WriteFn::DebugF64 => vec![Type::F64],
            WriteFn::ShownDate => vec![Type::I32],
        }
    }
}
