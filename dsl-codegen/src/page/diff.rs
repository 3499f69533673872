//! What a pass changed, line by line.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Unchanged lines beside a change that are shown with it.
const CONTEXT: usize = 3;
/// Fewer unchanged lines than this are not folded.
const FOLD: usize = 4;

/// Some lines of a text that was changed, by their numbers from 0: those after the change, but for what was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Hunk {
    /// The same before and after.
    Same(Range<usize>),
    /// The same, and far from any change.
    Folded(Range<usize>),
    /// Only before the change.
    Removed(Range<usize>),
    /// Only after it.
    Added(Range<usize>),
}

/// The lines of `after`, and those of `before` that are not in it where they were.
pub(super) fn diff(before: &[&str], after: &[&str]) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, before, after) {
        match op {
            DiffOp::Equal { new_index, len, .. } => {
                let head = if new_index == 0 { 0 } else { CONTEXT };
                let tail = if new_index + len == after.len() { 0 } else { CONTEXT };
                if len >= head + tail + FOLD {
                    let (start, end) = (new_index + head, new_index + len - tail);
                    hunks.push(Hunk::Same(new_index..start));
                    hunks.push(Hunk::Folded(start..end));
                    hunks.push(Hunk::Same(end..new_index + len));
                } else {
                    hunks.push(Hunk::Same(new_index..new_index + len));
                }
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                hunks.push(Hunk::Removed(old_index..old_index + old_len))
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                hunks.push(Hunk::Added(new_index..new_index + new_len))
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                hunks.push(Hunk::Removed(old_index..old_index + old_len));
                hunks.push(Hunk::Added(new_index..new_index + new_len));
            }
        }
    }
    hunks.retain(|hunk| !lines(hunk).is_empty());
    hunks
}

/// How many lines were added, and how many removed.
pub(super) fn counts(hunks: &[Hunk]) -> (usize, usize) {
    let count =
        |is: fn(&Hunk) -> bool| hunks.iter().filter(|hunk| is(hunk)).map(|hunk| lines(hunk).len()).sum();
    (count(|hunk| matches!(hunk, Hunk::Added(_))), count(|hunk| matches!(hunk, Hunk::Removed(_))))
}

fn lines(hunk: &Hunk) -> &Range<usize> {
    match hunk {
        Hunk::Same(lines) | Hunk::Folded(lines) | Hunk::Removed(lines) | Hunk::Added(lines) => lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_stands_between_what_stayed() {
        let hunks = diff(&["a", "b", "c"], &["a", "x", "y", "c"]);
        assert_eq!(hunks, [Hunk::Same(0..1), Hunk::Removed(1..2), Hunk::Added(1..3), Hunk::Same(3..4)]);
        assert_eq!(counts(&hunks), (2, 1));
    }

    #[test]
    fn what_is_far_from_changes_is_folded() {
        let before: Vec<String> = (0..30).map(|line| line.to_string()).collect();
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        let mut after = before.clone();
        after.remove(15);
        let hunks = diff(&before, &after);
        let expected = [
            Hunk::Folded(0..12),
            Hunk::Same(12..15),
            Hunk::Removed(15..16),
            Hunk::Same(15..18),
            Hunk::Folded(18..29),
        ];
        assert_eq!(hunks, expected);
    }

    #[test]
    fn nothing_changed_is_one_run() {
        assert_eq!(diff(&["a"], &["a"]), [Hunk::Same(0..1)]);
        assert_eq!(diff(&[], &[]), []);
    }
}
