//! Where the ops of a program stand in its source, and what stands there.
//!
//! The IR names places by opaque [`Loc`]s; the front end fills this table with what they mean, and it is
//! looked at only when a fault is reported or a stage is explained.

use std::collections::BTreeMap;
use std::ops::Range;

use weldment_runtime::lang::fault::Position;

use crate::ir::{Entity, Loc};

/// The place of each [`Loc`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    places: Vec<Position>,
    /// Of foreign calls.
    parts: BTreeMap<Loc, Vec<Loc>>,
    excerpts: Excerpts,
    params: Vec<Param>,
}

/// A parameter of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Param {
    /// What it is called, if it has a name.
    name: Option<String>,
    /// Where it stands.
    at: Loc,
    /// Whether it is declared `const`.
    is_wanted: bool,
}

impl Positions {
    /// The empty table.
    pub fn new() -> Positions {
        Positions::default()
    }

    /// Adds a place and gives its name.
    pub fn push(&mut self, position: Position) -> Loc {
        self.places.push(position);
        Loc::from_index(self.places.len() - 1)
    }

    /// The place of `loc`; line 0 if it is not in the table, as [`Loc::NONE`] never is.
    pub fn get(&self, loc: Loc) -> Position {
        self.places.get(loc.index()).copied().unwrap_or_default()
    }

    /// The place of part `number` of the foreign call at `loc`: an argument, or behind them the type of the result. `loc`
    /// itself where that is not known.
    pub fn part(&self, loc: Loc, number: usize) -> Loc {
        self.parts.get(&loc).and_then(|parts| parts.get(number)).copied().unwrap_or(loc)
    }

    /// Says where the parts of the foreign call at `loc` stand.
    pub(crate) fn set_parts(&mut self, loc: Loc, parts: Vec<Loc>) {
        self.parts.insert(loc, parts);
    }

    /// What stands at `loc`, short enough for a message, if that is known.
    pub fn excerpt(&self, loc: Loc) -> Option<String> {
        self.excerpts.at(self.get(loc)).map(shortened)
    }

    /// What the parameter with this number is called.
    pub fn param(&self, number: usize) -> String {
        self.param_name(number).map_or_else(|| format!("argument {}", number + 1), str::to_owned)
    }

    /// The name of the parameter with this number, if it has one.
    pub fn param_name(&self, number: usize) -> Option<&str> {
        self.params.get(number)?.name.as_deref()
    }

    /// The number of the parameter with this name, and where it stands.
    pub fn param_named(&self, name: &str) -> Option<(usize, Loc)> {
        let number = self.params.iter().position(|param| param.name.as_deref() == Some(name))?;
        Some((number, self.params[number].at))
    }

    /// The names of the parameters, of those that have one.
    pub fn param_names(&self) -> impl Iterator<Item = &str> {
        self.params.iter().filter_map(|param| param.name.as_deref())
    }

    /// The parameters that are declared `const`: what they are called, and where they stand.
    pub fn wanted(&self) -> impl Iterator<Item = (String, Loc)> {
        let wanted = self.params.iter().enumerate().filter(|(_, param)| param.is_wanted);
        wanted.map(|(number, param)| (self.param(number), param.at))
    }

    /// The numbers of these parameters.
    pub fn wanted_params(&self) -> Vec<usize> {
        (0..self.params.len()).filter(|&number| self.params[number].is_wanted).collect()
    }

    /// The same of a program without the parameters that have these numbers.
    pub fn without_params(&self, numbers: &[usize]) -> Positions {
        let left = (0..self.params.len()).filter(|number| !numbers.contains(number));
        Positions { params: left.map(|number| self.params[number].clone()).collect(), ..self.clone() }
    }

    /// The same places, with what stands there.
    pub(crate) fn with_excerpts(self, excerpts: Excerpts) -> Positions {
        Positions { excerpts, ..self }
    }

    /// Adds a parameter, which stands at `at`.
    pub(crate) fn push_param(&mut self, name: &str, at: Loc, is_wanted: bool) {
        let name = Some(name.to_owned()).filter(|name| name != "_");
        self.params.push(Param { name, at, is_wanted });
    }

    /// Says of a parameter that it is to be a constant, as if it were declared `const`.
    pub(crate) fn want(&mut self, number: usize) {
        self.params[number].is_wanted = true;
    }

    /// The number of places.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// What stands at the places of a program: a text of the whole program, which depends on its tokens alone and not on how
/// they are set, and which part of it is the expression at each place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpts {
    text: String,
    /// Sorted by place; where two expressions would stand at one place there is none.
    parts: Vec<(Position, Range<usize>)>,
}

impl Excerpts {
    /// Those of `text`, with the part for each place.
    pub(crate) fn new(text: String, mut parts: Vec<(Position, Range<usize>)>) -> Excerpts {
        let key = |position: &Position| (position.line, position.column);
        parts.sort_by_key(|(position, _)| key(position));
        parts.dedup();
        let is_alone = |at: usize| {
            let differs = |other: Option<&(Position, Range<usize>)>| other.is_none_or(|o| o.0 != parts[at].0);
            differs(at.checked_sub(1).and_then(|before| parts.get(before))) && differs(parts.get(at + 1))
        };
        let parts = (0..parts.len()).filter(|&at| is_alone(at)).map(|at| parts[at].clone()).collect();
        Excerpts { text, parts }
    }

    /// The expression at `position`.
    pub(crate) fn at(&self, position: Position) -> Option<&str> {
        let key = (position.line, position.column);
        let at = self.parts.binary_search_by_key(&key, |(place, _)| (place.line, place.column)).ok()?;
        self.text.get(self.parts[at].1.clone())
    }
}

/// The most characters of an excerpt in a message.
const SHORT: usize = 40;

/// `text`, or its beginning and its end if it is long.
pub(crate) fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= SHORT {
        return text.to_owned();
    }
    let (head, tail) = (SHORT / 2, SHORT - SHORT / 2 - 1);
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    format!("{}…{}", start.trim_end(), end.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_place_has_line_zero() {
        let mut positions = Positions::new();
        let place = Position { line: 3, column: 7 };
        let loc = positions.push(place);
        assert_eq!(positions.get(loc), place);
        assert_eq!(positions.get(Loc::NONE), Position::default());
    }

    #[test]
    fn a_long_excerpt_is_cut_in_its_middle() {
        assert_eq!(shortened("v.sum()"), "v.sum()");
        let short = shortened(&format!("first {} last", "é".repeat(100)));
        assert!(short.starts_with("first é") && short.ends_with("é last"), "{short}");
        assert_eq!(short.chars().count(), SHORT);
    }

    #[test]
    fn a_place_of_two_expressions_shows_none() {
        let place = |column| Position { line: 1, column };
        let parts =
            vec![(place(1), 0..1), (place(2), 0..1), (place(2), 2..3), (place(3), 2..3), (place(3), 2..3)];
        let excerpts = Excerpts::new("a b".to_owned(), parts);
        assert_eq!([1, 2, 3].map(|column| excerpts.at(place(column))), [Some("a"), None, Some("b")]);
    }
}
