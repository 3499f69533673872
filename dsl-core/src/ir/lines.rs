//! Text by lines, each with the place in the source that it is about.

use super::entity::Loc;

/// A line of a program's text.
///
/// ```
/// # use weldment_core::ir::*;
/// # use weldment_core::front::from_text;
/// let lowered = from_text("|x: i64|\n  -x").unwrap();
/// let lines = print_lines(&lowered.program);
/// assert_eq!(lines[2].text, "  v1: i64 = neg v0");
/// assert_eq!(lines[2].at.map(|loc| lowered.positions.get(loc).to_string()).unwrap(), "2:3");
/// assert_eq!(lines[4].at, None); // a bracket
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<P> {
    /// The line, without its end.
    pub text: String,
    /// What it was made from, if that is one place.
    pub at: Option<P>,
}

impl<P: Copy> Line<P> {
    /// The same line with another name for its place.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let line = Line { text: "x".into(), at: Some(7) };
    /// assert_eq!(line.map(|place| place + 1), Line { text: "x".into(), at: Some(8) });
    /// ```
    pub fn map<Q>(&self, place: impl Fn(P) -> Q) -> Line<Q> {
        Line { text: self.text.clone(), at: self.at.map(place) }
    }
}

/// `text` by lines; `marks` are byte offsets into it, in order, and what the lines that hold them are about. The first
/// mark of a line counts.
///
/// ```
/// # use weldment_core::ir::*;
/// let [x, y] = [3, 5].map(Loc::from_index);
/// let lines = mark_lines("a\nb c\nd\n", &[(2, x), (4, y)]);
/// assert_eq!(lines.iter().map(|line| line.at).collect::<Vec<_>>(), [None, Some(x), None]);
/// ```
pub fn mark_lines(text: &str, marks: &[(usize, Loc)]) -> Vec<Line<Loc>> {
    let mut marks = marks.iter().filter(|(_, loc)| *loc != Loc::NONE).peekable();
    let mut end = 0;
    let line = |line: &str| {
        end += line.len() + 1;
        let at = marks.next_if(|(offset, _)| *offset < end).map(|(_, loc)| *loc);
        while marks.next_if(|(offset, _)| *offset < end).is_some() {}
        Line { text: line.to_owned(), at }
    };
    text.split_terminator('\n').map(line).collect()
}
