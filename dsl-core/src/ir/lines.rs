//! Text by lines, each with the place in the source that it is about.

use super::entity::Loc;

/// A line of a program's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<P> {
    /// The line, without its end.
    pub text: String,
    /// What it was made from, if that is one place.
    pub at: Option<P>,
}

impl<P: Copy> Line<P> {
    /// The same line with another name for its place.
    pub fn map<Q>(&self, place: impl Fn(P) -> Q) -> Line<Q> {
        Line { text: self.text.clone(), at: self.at.map(place) }
    }
}

/// `text` by lines; `marks` are byte offsets into it, in order, and what the lines that hold them are about. The first
/// mark of a line counts.
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
