//! A line of the table of diagnostics, and what makes the table of the lines.

/// A program that breaks a rule, and one that does the same without breaking it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// It is refused, with this code alone.
    pub wrong: &'static str,
    /// It compiles.
    pub right: &'static str,
}

impl Example {
    /// Whether it is no program but an item of Rust that derives `Weld`.
    ///
    /// ```
    /// # use weldment_core::diagnostic::Code;
    /// assert!(Code::OnlyStructs.example().unwrap().is_derive());
    /// assert!(!Code::UnknownName.example().unwrap().is_derive());
    /// ```
    pub fn is_derive(&self) -> bool {
        self.wrong.starts_with("#[derive(Weld)]")
    }
}

/// One line of the table.
pub(super) struct Entry {
    pub(super) number: u16,
    pub(super) title: &'static str,
    pub(super) explanation: &'static str,
    pub(super) example: Option<Example>,
}

/// Makes the enumeration and the table from one list.
macro_rules! codes {
    ($($number:literal $name:ident $title:literal $text:literal $($wrong:literal => $right:literal)?;)*) => {
        /// The code of a diagnostic. Prints as `W0301`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// Every code, in the order of their numbers.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            pub(super) fn entry(self) -> $crate::diagnostic::entry::Entry {
                match self {
                    $(Code::$name => $crate::diagnostic::entry::Entry {
                        number: $number,
                        title: $title,
                        explanation: $text,
                        example: None$(.or(Some(Example { wrong: $wrong, right: $right })))?,
                    },)*
                }
            }
        }
    };
}
pub(super) use codes;
