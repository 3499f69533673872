//! The source cut into lines and tokens, so that places of the program can be marked in it.

use std::collections::{BTreeMap, BTreeSet};

use weldment_runtime::lang::fault::Position;

/// Some text of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    /// The place that begins here, if something was made from this token.
    pub(super) at: Option<Position>,
}

/// The lines of `source`, where a token at one of `places` is a piece of its own.
pub(super) fn pieces<'a>(source: &'a str, places: &BTreeSet<Position>) -> Vec<Vec<Piece<'a>>> {
    let mut by_line: BTreeMap<u32, Vec<Position>> = BTreeMap::new();
    for &place in places {
        by_line.entry(place.line).or_default().push(place);
    }
    let cut = |(number, text): (usize, &'a str)| {
        let mut pieces = Vec::new();
        let mut done = 0;
        for &at in by_line.get(&(number as u32 + 1)).into_iter().flatten() {
            let Some(start) = offset(text, at.column).filter(|&start| start >= done) else { continue };
            let end = start + token_length(&text[start..]);
            pieces.push(Piece { text: &text[done..start], at: None });
            pieces.push(Piece { text: &text[start..end], at: Some(at) });
            done = end;
        }
        pieces.push(Piece { text: &text[done..], at: None });
        pieces.retain(|piece| !piece.text.is_empty());
        pieces
    };
    source.lines().enumerate().map(cut).collect()
}

/// The token at a place: `sum`.
pub(super) fn token(source: &str, at: Position) -> &str {
    let line = at.line.checked_sub(1).and_then(|number| source.lines().nth(number as usize));
    let rest = line.and_then(|line| Some(&line[offset(line, at.column)?..])).unwrap_or_default();
    &rest[..token_length(rest)]
}

/// Where the character in this column begins, if the line has it.
fn offset(line: &str, column: u32) -> Option<usize> {
    let (offset, _) = line.char_indices().nth(column.checked_sub(1)? as usize)?;
    Some(offset)
}

/// The length of the token that `text` begins with: a name or number, or an operator of punctuation.
fn token_length(text: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let Some(first) = text.chars().next() else { return 0 };
    if is_word(first) {
        return text.find(|c| !is_word(c)).unwrap_or(text.len());
    }
    let is_operator = |c: char| "+-*/%<>=!&|^".contains(c);
    if is_operator(first) {
        let length = text.find(|c| !is_operator(c)).unwrap_or(text.len());
        // `*-x`, `||!x`: no operator has three characters, and of two only these.
        let two = text.get(..2).filter(|_| length >= 2);
        let is_one = two
            .is_some_and(|two| ["<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "->", "=>"].contains(&two));
        return if is_one { 2 } else { 1 };
    }
    first.len_utf8()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn tokens_at_places_are_pieces() {
        let source = "|v| v\n  .map(|x| x<=-1)";
        let cut = pieces(source, &[place(2, 4), place(2, 13)].into());
        let texts: Vec<Vec<_>> =
            cut.iter().map(|line| line.iter().map(|piece| piece.text).collect()).collect();
        assert_eq!(texts, [vec!["|v| v"], vec!["  .", "map", "(|x| x", "<=", "-1)"]]);
        assert_eq!(cut[1][1].at, Some(place(2, 4)));
        assert_eq!(cut[1][0].at, None);
    }

    #[test]
    fn nothing_is_lost_or_said_twice() {
        let source = "\t\"§\" + añb /* \u{1F600} */ - é\n\n";
        let everywhere = (0..4).flat_map(|line| (0..40).map(move |column| place(line, column))).collect();
        let cut = pieces(source, &everywhere);
        let whole: Vec<String> =
            cut.iter().map(|line| line.iter().map(|piece| piece.text).collect()).collect();
        assert_eq!(whole, source.lines().collect::<Vec<_>>());
    }

    #[test]
    fn a_place_outside_is_no_token() {
        assert_eq!(token("a b", place(1, 3)), "b");
        for nowhere in [place(0, 1), place(1, 0), place(1, 9), place(7, 1)] {
            assert_eq!(token("a b", nowhere), "");
        }
    }
}
