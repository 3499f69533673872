//! How a mistake or a fault is shown beside the source: as rustc does it, with the line and a caret below the place.

use std::fmt::Write as _;

use super::fault::{Fault, Position};

/// The first line of `message` behind its `label`; below it, the line of `text` at `position` with a caret, unless the line is 0, which
/// is no place; and the other lines of `message` as notes. `name` is that of the text: a file, say.
///
/// ```
/// use weldment_runtime::lang::{fault::Position, snippet::snippet};
/// let shown = snippet("error", "no `k`\nhelp: add it", "prog.weld", "|x: i64|\n  x * k", Position { line: 2, column: 7 });
/// assert_eq!(
///     shown,
///     "error: no `k`\n --> prog.weld:2:7\n  |\n2 |   x * k\n  |       ^\n  = help: add it\n"
/// );
/// ```
pub fn snippet(label: &str, message: &str, name: &str, text: &str, position: Position) -> String {
    let mut lines = message.lines();
    let mut out = format!("{label}: {}\n", lines.next().unwrap_or_default());
    let number = position.line.to_string();
    let margin = " ".repeat(number.len());
    if position.line > 0 {
        write_to(&mut out, format_args!("{margin}--> {name}:{position}\n"));
        let line = text.lines().nth(position.line as usize - 1).unwrap_or_default();
        let (line, before) = window(line, (position.column as usize).saturating_sub(1));
        // Tabs stay tabs, so that the caret stands below its character however wide they are.
        let padding: String = line
            .chars()
            .chain(std::iter::repeat(' '))
            .take(before)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        write_to(&mut out, format_args!("{margin} |\n{number} | {line}\n{margin} | {padding}^\n"));
    }
    for note in lines {
        write_to(&mut out, format_args!("{margin} = {note}\n"));
    }
    out
}

impl Fault {
    /// The fault beside the line of `text` that it comes from, with a caret below its place. `text` is the source of the program, called
    /// `name`: the file of a kernel, or what was given to `Program::parse`.
    ///
    /// ```
    /// use weldment_runtime::lang::fault::{Fault, FaultKind, Position};
    /// let fault = Fault::new(FaultKind::DivisionByZero, "7 / 0", Position { line: 1, column: 20 });
    /// assert_eq!(
    ///     fault.render("share.weld", "|a: i64, b: i64| a / b"),
    ///     "\
    /// fault: division by zero: 7 / 0
    ///  --> share.weld:1:20
    ///   |
    /// 1 | |a: i64, b: i64| a / b
    ///   |                    ^
    /// "
    /// );
    /// ```
    pub fn render(&self, name: &str, text: &str) -> String {
        let message = self.clone().at(Position::default()).to_string();
        snippet("fault", &message, name, text, self.position)
    }
}

/// How many characters of a source line are shown at most, and how many of them before the one that is meant.
const SHOWN: usize = 140;
const SHOWN_BEFORE: usize = 70;

/// What to show of a line that may be very long, and how many characters of that stand before the one that `before`
/// others of the line stand before.
fn window(line: &str, before: usize) -> (String, usize) {
    let length = line.chars().count();
    if length <= SHOWN {
        return (line.to_owned(), before);
    }
    let start = before.saturating_sub(SHOWN_BEFORE).min(length - SHOWN);
    let mut shown: String = line.chars().skip(start).take(SHOWN).collect();
    let cut = if start > 0 { "…" } else { "" };
    shown.insert_str(0, cut);
    if start + SHOWN < length {
        shown.push('…');
    }
    (shown, before - start + cut.chars().count())
}

fn write_to(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string does not fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::fault::FaultKind;

    fn shown(text: &str, line: u32, column: u32) -> String {
        snippet("error", "m", "prog.weld", text, Position { line, column })
    }

    #[test]
    fn the_caret_counts_characters_and_keeps_tabs() {
        let text = shown("\té x", 1, 4);
        assert!(text.ends_with("1 | \té x\n  | \t  ^\n"), "{text}");
        // Behind the end of the text, where something is missing.
        let text = shown("ab", 1, 3);
        assert!(text.ends_with("1 | ab\n  |   ^\n"), "{text}");
    }

    #[test]
    fn a_line_that_the_text_has_not_is_empty() {
        assert!(shown("ab", 7, 1).ends_with("7 | \n  | ^\n"));
    }

    #[test]
    fn a_long_line_is_cut_around_the_caret() {
        let line = format!("{}é!{}", "a".repeat(1000), "b".repeat(1000));
        let text = shown(&line, 1, 1002);
        let lines: Vec<&str> = text.lines().skip(3).collect();
        let excerpt: Vec<char> = lines[0].chars().collect();
        assert_eq!(excerpt.len(), "1 | ".len() + SHOWN + 2, "{text}");
        assert_eq!(excerpt[lines[1].chars().count() - 1], '!', "{text}");
        assert!(lines[0].starts_with("1 | …a") && lines[0].ends_with("b…"), "{text}");
        // Near the end of the line, and behind it.
        let text = shown(&line, 1, 2003);
        let lines: Vec<&str> = text.lines().skip(3).collect();
        let is_behind = lines[1].chars().count() == lines[0].chars().count() + 1;
        assert!(lines[0].ends_with('b') && is_behind, "{text}");
    }

    #[test]
    fn a_fault_without_a_place_has_no_line() {
        let fault = Fault::new(FaultKind::MemoryLimit, "", Position::default());
        assert_eq!(fault.render("prog.weld", "x"), "fault: memory limit\n");
    }
}
