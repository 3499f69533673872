//! Functions of texts: on the bytes of one, which are UTF-8 where nothing else is said.
//!
//! What searches is [`memchr`], and what reads numbers is Rust's own `parse`.

mod like;
mod part;
pub(super) mod search;
mod words;

use super::calendar;
use super::decimal::{self, Scale};
use super::types::{Scalar, Type};
pub use like::like;
pub use part::Part;
pub use words::word;

/// A function of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextFn {
    /// `text, part, from`: where `part` stands for the first time at `from` or behind; −1 if it does not.
    Find,
    /// `text, part`: where `part` stands for the last time; −1 if it does not.
    FindLast,
    /// `text, from`: where the first word at `from` or behind begins and ends, which white space separates; twice the length if there is none.
    Word,
    /// `bytes`: whether they are UTF-8.
    IsText,
    /// `text`: where it begins behind white space, and how many bytes there are up to the white space at its end.
    Trimmed,
    /// `text, pattern`: whether the text is like the pattern.
    Like,
    /// `text`: whether it is an i64, and which.
    ToI64,
    /// `text`: whether it is a u64, and which.
    ToU64,
    /// `text`: whether it is an i128, and which.
    ToI128,
    /// `text`: whether it is an f32, and which.
    ToF32,
    /// `text`: whether it is an f64, and which.
    ToF64,
    /// `text`: whether it is a date, and its days since 1970.
    ToDate,
    /// `text`: whether it is a moment, and its microseconds since 1970.
    ToTimestamp,
    /// `text, digits`: whether it is a decimal number with so many digits behind the point, and its units.
    ToFixed,
}

impl TextFn {
    /// Each of them.
    pub const ALL: [TextFn; 14] = [
        TextFn::Find,
        TextFn::FindLast,
        TextFn::Word,
        TextFn::IsText,
        TextFn::Trimmed,
        TextFn::Like,
        TextFn::ToI64,
        TextFn::ToU64,
        TextFn::ToI128,
        TextFn::ToF32,
        TextFn::ToF64,
        TextFn::ToDate,
        TextFn::ToTimestamp,
        TextFn::ToFixed,
    ];

    /// The name of the op, and of the function here.
    pub fn name(self) -> &'static str {
        match self {
            TextFn::Find => "find",
            TextFn::FindLast => "find_last",
            TextFn::Word => "word",
            TextFn::IsText => "is_text",
            TextFn::Trimmed => "trimmed",
            TextFn::Like => "like",
            TextFn::ToI64 => "to_i64",
            TextFn::ToU64 => "to_u64",
            TextFn::ToI128 => "to_i128",
            TextFn::ToF32 => "to_f32",
            TextFn::ToF64 => "to_f64",
            TextFn::ToDate => "to_date",
            TextFn::ToTimestamp => "to_timestamp",
            TextFn::ToFixed => "to_fixed",
        }
    }

    /// Its place in [`TextFn::ALL`], by which compiled code calls it.
    ///
    /// ```
    /// # use weldment_runtime::lang::text::TextFn;
    /// assert!(TextFn::ALL.iter().all(|&function| TextFn::ALL[function.number()] == function));
    /// ```
    pub fn number(self) -> usize {
        self as usize
    }

    /// The types of what it takes.
    ///
    /// ```
    /// # use weldment_runtime::lang::{text::TextFn, types::Type};
    /// assert_eq!(TextFn::Find.takes().len(), 3);
    /// ```
    pub fn takes(self) -> Vec<Type> {
        let bytes = Type::vec(Scalar::U8.into());
        match self {
            TextFn::Find => vec![bytes.clone(), bytes, Type::I64],
            TextFn::FindLast | TextFn::Like => vec![bytes.clone(), bytes],
            TextFn::Word | TextFn::ToFixed => vec![bytes, Type::I64],
            _ => vec![bytes],
        }
    }

    /// The type of what it gives.
    ///
    /// ```
    /// # use weldment_runtime::lang::{text::TextFn, types::Type};
    /// assert_eq!(TextFn::ToF64.gives().to_string(), "{bool,f64}");
    /// ```
    pub fn gives(self) -> Type {
        let number = |scalar: Scalar| Type::structure([Type::BOOL, scalar.into()]);
        match self {
            TextFn::Find | TextFn::FindLast => Type::I64,
            TextFn::IsText | TextFn::Like => Type::BOOL,
            TextFn::Word | TextFn::Trimmed => Type::structure([Type::I64, Type::I64]),
            TextFn::ToI64 => number(Scalar::I64),
            TextFn::ToU64 => number(Scalar::U64),
            TextFn::ToI128 => number(Scalar::I128),
            TextFn::ToF32 => number(Scalar::F32),
            TextFn::ToF64 => number(Scalar::F64),
            TextFn::ToDate => number(Scalar::I32),
            TextFn::ToTimestamp | TextFn::ToFixed => number(Scalar::I64),
        }
    }
}

/// The text of `bytes`, which programs give whole, or cut between characters. What is no character all the same is replaced, as
/// [`String::from_utf8_lossy`] does.
///
/// ```
/// # use weldment_runtime::lang::text::of_bytes;
/// assert_eq!(of_bytes(b"a\xC3".to_vec()), "a\u{FFFD}");
/// ```
pub fn of_bytes(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The text that `bytes` are, as far as they are one: see [`of_bytes`].
///
/// ```
/// # use weldment_runtime::lang::text::of;
/// assert_eq!((of(b"a\xC3"), of(b"ab")), ("a", "ab"));
/// ```
#[inline]
pub fn of(bytes: &[u8]) -> &str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// [`TextFn::Find`]
///
/// ```
/// # use weldment_runtime::lang::text::find;
/// assert_eq!((find(b"elm elm", b"elm", 1), find(b"elm", b"", 3), find(b"elm", b"ash", 0)), (4, 3, -1));
/// assert_eq!((find(b"elm", b"elm", -5), find(b"elm", b"", 4)), (0, -1));
/// ```
pub fn find(text: &[u8], part: &[u8], from: i64) -> i64 {
    find_by(text, from, |rest| if part.is_empty() { Some(0) } else { search::find(rest, part) })
}

/// Where `find` finds something in the text from `from` on.
#[inline]
fn find_by(text: &[u8], from: i64, find: impl FnOnce(&[u8]) -> Option<usize>) -> i64 {
    let from = from.max(0);
    let rest = usize::try_from(from).ok().and_then(|from| text.get(from..));
    rest.and_then(find).map_or(-1, |at| from + at as i64)
}

/// [`TextFn::FindLast`]
///
/// ```
/// # use weldment_runtime::lang::text::find_last;
/// assert_eq!((find_last(b"elm elm", b"elm"), find_last(b"elm", b""), find_last(b"elm", b"ash")), (4, 3, -1));
/// ```
pub fn find_last(text: &[u8], part: &[u8]) -> i64 {
    let found = if part.is_empty() { Some(text.len()) } else { search::find_last(text, part) };
    found.map_or(-1, |at| at as i64)
}

/// [`TextFn::IsText`]
pub fn is_text(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_ok()
}

/// [`TextFn::Trimmed`]
///
/// ```
/// # use weldment_runtime::lang::text::trimmed;
/// assert_eq!((trimmed("\t a b\u{2003}".as_bytes()), trimmed(b"  ")), ((2, 3), (2, 0)));
/// ```
pub fn trimmed(text: &[u8]) -> (i64, i64) {
    let Ok(whole) = str::from_utf8(text) else { return (0, text.len() as i64) };
    let begun = whole.trim_start();
    ((whole.len() - begun.len()) as i64, begun.trim_end().len() as i64)
}

macro_rules! numbers {
    ($($name:ident $ty:ident $function:ident;)*) => {$(
        #[doc = concat!("[`TextFn::", stringify!($function), "`]: as `parse::<", stringify!($ty), ">()` reads it.")]
        pub fn $name(text: &[u8]) -> (bool, $ty) {
            let read = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
            (read.is_some(), read.unwrap_or_default())
        }
    )*};
}

numbers! {
    to_i64 i64 ToI64;
    to_u64 u64 ToU64;
    to_i128 i128 ToI128;
    to_f32 f32 ToF32;
    to_f64 f64 ToF64;
}

/// [`TextFn::ToDate`]: see [`calendar::read_date`].
pub fn to_date(text: &[u8]) -> (bool, i32) {
    let read = calendar::read_date(text);
    (read.is_some(), read.unwrap_or_default())
}

/// [`TextFn::ToTimestamp`]: see [`calendar::read_timestamp`].
pub fn to_timestamp(text: &[u8]) -> (bool, i64) {
    let read = calendar::read_timestamp(text);
    (read.is_some(), read.unwrap_or_default())
}

/// [`TextFn::ToFixed`]: see [`decimal::read`].
///
/// ```
/// # use weldment_runtime::lang::text::to_fixed;
/// assert_eq!((to_fixed(b"-0.5", 2), to_fixed(b"0.125", 2)), ((true, -50), (false, 0)));
/// ```
pub fn to_fixed(text: &[u8], digits: i64) -> (bool, i64) {
    let scale = u32::try_from(digits).ok().and_then(Scale::new);
    let read = str::from_utf8(text).ok().zip(scale).and_then(|(text, scale)| decimal::read(text, scale).ok());
    (read.is_some(), read.unwrap_or_default())
}
