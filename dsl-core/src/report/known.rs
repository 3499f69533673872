//! Parameters that are constants.

use std::fmt;

use weldment_runtime::lang::fault::Position;

/// A parameter that is a constant, or is to be one.
///
/// ```
/// use weldment_core::report::Known;
/// use weldment_runtime::lang::fault::Position;
/// let at = Position { line: 1, column: 14 };
/// let known = Known { name: "n".to_owned(), value: Some("5".to_owned()), at };
/// assert_eq!(known.to_string(), "constant at 1:14: `n` is 5");
/// let wanted = Known { name: "n".to_owned(), value: None, at };
/// assert_eq!(wanted.to_string(), "constant at 1:14: `n`, in a variant for each of its first values");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known<P = Position> {
    /// What the parameter is called.
    pub name: String,
    /// The value. A parameter that is declared `const` has none, as long as it is an argument.
    pub value: Option<String>,
    /// Where the parameter stands.
    pub at: P,
}

impl<P: Copy> Known<P> {
    /// The same with another name for its place.
    pub(super) fn at<Q>(&self, place: impl Fn(P) -> Q) -> Known<Q> {
        Known { name: self.name.clone(), value: self.value.clone(), at: place(self.at) }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Known { name, value, at } = self;
        match value {
            Some(value) => write!(f, "constant at {at}: `{name}` is {value}"),
            None => write!(f, "constant at {at}: `{name}`, in a variant for each of its first values"),
        }
    }
}
