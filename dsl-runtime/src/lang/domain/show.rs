//! How arrays print: nested brackets, columns below each other, and of large ones the ends of each axis.

use std::fmt;

use super::Range;

/// Of arrays of more elements than this, only so many are shown at the ends of each axis.
const ALL: u64 = 1000;
const ENDS: u64 = 3;

/// Where a row is continued on another line.
const WIDTH: usize = 100;

/// What is written behind `array(`.
const INDENT: usize = "array(".len();

/// An array that prints by `{:?}`, of any number of axes.
pub(crate) struct Shown<'a> {
    /// The coordinates along each axis.
    pub(crate) ranges: &'a [Range],
    /// Prints the element at these positions.
    pub(crate) element: &'a dyn Fn(&[u64], &mut fmt::Formatter<'_>) -> fmt::Result,
}

/// The element at some positions, for a format string.
struct Element<'a>(&'a Shown<'a>, &'a [u64]);

impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0.element)(self.1, f)
    }
}

struct Printer<'a> {
    array: &'a Shown<'a>,
    /// Of each axis the positions that are shown; none for those between.
    shown: Vec<Vec<Option<u64>>>,
    width: usize,
    precision: Option<usize>,
}

impl Printer<'_> {
    fn text(&self, positions: &[u64]) -> String {
        let element = Element(self.array, positions);
        match self.precision {
            Some(precision) => format!("{element:.precision$?}"),
            None => format!("{element:?}"),
        }
    }

    /// The most characters that an element takes of those that are shown behind `positions`.
    fn widest(&self, positions: &mut Vec<u64>) -> usize {
        let Some(shown) = self.shown.get(positions.len()) else {
            return self.text(positions).chars().count();
        };
        let mut widest = 0;
        for &position in shown.iter().flatten() {
            positions.push(position);
            widest = widest.max(self.widest(positions));
            positions.pop();
        }
        widest
    }

    fn write(&self, positions: &mut Vec<u64>, out: &mut String) {
        let axis = positions.len();
        let Some(shown) = self.shown.get(axis) else {
            let text = self.text(positions);
            *out += &" ".repeat(self.width.saturating_sub(text.chars().count()));
            *out += &text;
            return;
        };
        let axes = self.shown.len();
        let indent = "\n".to_owned() + &" ".repeat(INDENT + axis + 1);
        out.push('[');
        for (number, position) in shown.iter().enumerate() {
            if number > 0 {
                let line = out.len() - out.rfind('\n').map_or(0, |end| end + 1);
                match axis + 1 == axes {
                    true if line + 2 + self.width > WIDTH => *out += &(",".to_owned() + &indent),
                    true => *out += ", ",
                    // An empty line between matrices.
                    false => *out += &(",".to_owned() + &"\n".repeat(axes - axis - 2) + &indent),
                }
            }
            match position {
                None => *out += "...",
                Some(position) => {
                    positions.push(*position);
                    self.write(positions, out);
                    positions.pop();
                }
            }
        }
        out.push(']');
    }
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, is_plain) = (super::points(self.ranges).unwrap_or(u64::MAX), super::is_plain(self.ranges));
        let shown = self.ranges.iter().map(|range| match range.extent() {
            extent if len > ALL && extent > 2 * ENDS => {
                (0..ENDS).map(Some).chain([None]).chain((extent - ENDS..extent).map(Some)).collect()
            }
            extent if len > 0 => (0..extent).map(Some).collect(),
            _ => Vec::new(),
        });
        let mut printer = Printer { array: self, shown: shown.collect(), width: 0, precision: f.precision() };
        let mut text = "array(".to_owned();
        if len == 0 {
            text += "[]";
        } else {
            printer.width = printer.widest(&mut Vec::new());
            printer.write(&mut Vec::new(), &mut text);
        }
        f.write_str(&text)?;
        if !is_plain {
            f.write_str(", domain ")?;
            super::write(self.ranges, f)?;
        } else if len == 0 && self.ranges.len() > 1 {
            let shape: Vec<u64> = self.ranges.iter().map(|range| range.extent()).collect();
            write!(f, ", shape {shape:?}")?;
        }
        f.write_str(")")
    }
}
