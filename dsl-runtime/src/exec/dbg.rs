//! What `dbg(x)` shows while a program runs.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use crate::lang::fault::Position;

/// An evaluation of `dbg(x)`: what [`Options::on_dbg`](crate::exec::options::Options::on_dbg) is given. It displays as the line that is
/// written to stderr otherwise.
///
/// ```
/// use weldment_runtime::exec::options::Options;
/// let options = Options::new().on_dbg(|dbg| println!("line {}: {}", dbg.position.line, dbg.text));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dbg<'d> {
    /// The file, as rustc names it; empty for a program that is text.
    pub file: &'d str,
    /// Where in it, or in the text, `dbg` stands.
    pub position: Position,
    /// What is shown: `x + 1 = 4`.
    pub text: &'d str,
}

/// Who is told of evaluations of `dbg`.
pub(crate) type DbgFn = Arc<dyn Fn(&Dbg<'_>) + Send + Sync>;

impl<'d> Dbg<'d> {
    pub(crate) fn new(file: &'d str, position: Position, text: &'d str) -> Dbg<'d> {
        Dbg { file, position, text }
    }

    /// Writes the line to stderr, at once and whole. Where that cannot be written to, nothing is shown: the program does not
    /// depend on it.
    pub(crate) fn print(&self) {
        let line = format!("{self}\n");
        io::stderr().lock().write_all(line.as_bytes()).ok();
    }
}

impl fmt::Display for Dbg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.file {
            "" => write!(f, "[{}] {}", self.position, self.text),
            file => write!(f, "[{file}:{}] {}", self.position, self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_with_its_place() {
        let position = Position { line: 3, column: 9 };
        assert_eq!(Dbg::new("", position, "x = 1").to_string(), "[3:9] x = 1");
        assert_eq!(Dbg::new("src/main.rs", position, "x = 1").to_string(), "[src/main.rs:3:9] x = 1");
    }
}
