//! What a code is: the number that names a rule of the language in messages, documentation and searches.

use std::fmt;

use super::entry::Example;
use super::kind::Kind;
use super::table::Code;

impl Code {
    /// The code that is written as `text`, in either case.
    ///
    /// ```
    /// use weldment_core::diagnostic::Code;
    /// assert_eq!(Code::from_name("w0201"), Some(Code::UnknownName));
    /// assert_eq!(Code::from_name("E0308"), None);
    /// ```
    pub fn from_name(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.to_string().eq_ignore_ascii_case(text))
    }

    /// Which kind of rule it is.
    pub fn kind(self) -> Kind {
        match self.entry().number / 100 {
            1 => Kind::Parse,
            2 => Kind::Name,
            3 => Kind::Type,
            4 => Kind::Linearity,
            5 => Kind::Unsupported,
            6 => Kind::Claim,
            7 => Kind::Foreign,
            _ => Kind::Internal,
        }
    }

    /// The rule in a few words: lower case, no full stop.
    pub fn title(self) -> &'static str {
        self.entry().title
    }

    /// What the rule is and why, in sentences.
    pub fn explanation(self) -> &'static str {
        self.entry().explanation
    }

    /// A program that breaks the rule and one that does not; `None` where no program alone breaks it.
    pub fn example(self) -> Option<Example> {
        self.entry().example
    }

    /// Title, explanation and example as a section of Markdown, as `weldment error` prints it.
    ///
    /// ```
    /// let text = weldment_core::diagnostic::Code::UnknownName.to_markdown();
    /// assert!(text.starts_with("### W0201: a name that is not known here\n"));
    /// ```
    pub fn to_markdown(self) -> String {
        let mut text = format!("### {self}: {}\n\n{}\n", self.title(), self.explanation());
        if let Some(Example { wrong, right }) = self.example() {
            text.push_str(&format!("\nWrong:\n\n```text\n{wrong}\n```\n\nRight:\n\n```text\n{right}\n```\n"));
        }
        text
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "W{:04}", self.entry().number)
    }
}
