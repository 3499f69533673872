//! Kinds of mistakes.

/// Which rule of the language a program breaks.
///
/// ```
/// # use weldment_core::diagnostic::*;
/// use weldment_core::front::from_text;
/// let kind = |text| from_text(text).unwrap_err()[0].kind();
/// assert_eq!((kind("|x: i64| x +"), kind("|x: i64| y")), (Kind::Parse, Kind::Name));
/// assert_eq!(kind("|x: i64| x + 0.5"), Kind::Type);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Tokens and grammar, including literals out of range and chained comparisons.
    Parse,
    /// Names that are not bound, macros that are recursive or defined twice.
    Name,
    /// Types and arity, including a parameter without a type and a field that does not exist.
    Type,
    /// A builder used twice, dropped, used after `result`, or swapped for another one.
    Linearity,
    /// Well formed, but not supported.
    Unsupported,
    /// A claim of the program about its own optimisation that does not hold.
    Claim,
    /// A foreign function that the program may not call, or not so.
    Foreign,
    /// No rule is broken: the compiler made a mistake.
    Internal,
}

impl Kind {
    /// The name that tools print.
    ///
    /// ```
    /// # use weldment_core::diagnostic::*;
    /// assert_eq!(Kind::Linearity.name(), "linearity");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Kind::Parse => "parse",
            Kind::Name => "name",
            Kind::Type => "type",
            Kind::Linearity => "linearity",
            Kind::Unsupported => "unsupported",
            Kind::Claim => "claim",
            Kind::Foreign => "foreign",
            Kind::Internal => "internal",
        }
    }
}
