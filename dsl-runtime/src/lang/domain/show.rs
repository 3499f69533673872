//! `{:?}` of arrays: nested brackets, columns below each other, and of large ones the ends of each axis.

use std::fmt;

use super::owned::Array;
use super::view::{ArrayView, ArrayViewMut};

/// Of arrays of more elements than this, only so many are shown at the ends of each axis.
const ALL: usize = 1000;
const ENDS: u64 = 3;

/// Where a row is continued on another line.
const WIDTH: usize = 100;

/// What is written behind `array(`.
const INDENT: usize = "array(".len();

struct Printer<'a, T, const N: usize> {
    array: &'a ArrayView<'a, T, N>,
    /// Of each axis the offsets that are shown; none for those between.
    shown: [Vec<Option<u64>>; N],
    width: usize,
    precision: Option<usize>,
}

impl<T: fmt::Debug, const N: usize> Printer<'_, T, N> {
    fn text(&self, offsets: [u64; N]) -> String {
        let mut point = [0; N];
        for axis in 0..N {
            point[axis] = self.array.domain().ranges()[axis].coordinate(offsets[axis]);
        }
        match self.precision {
            Some(precision) => format!("{:.precision$?}", self.array[point]),
            None => format!("{:?}", self.array[point]),
        }
    }

    /// Visits the elements that are shown.
    fn each(&self, axis: usize, offsets: [u64; N], visit: &mut dyn FnMut([u64; N])) {
        if axis == N {
            return visit(offsets);
        }
        for &offset in self.shown[axis].iter().flatten() {
            let mut inner = offsets;
            inner[axis] = offset;
            self.each(axis + 1, inner, visit);
        }
    }

    fn write(&self, axis: usize, offsets: [u64; N], out: &mut String) {
        if axis == N {
            let text = self.text(offsets);
            *out += &" ".repeat(self.width.saturating_sub(text.chars().count()));
            *out += &text;
            return;
        }
        let indent = "\n".to_owned() + &" ".repeat(INDENT + axis + 1);
        out.push('[');
        for (number, offset) in self.shown[axis].iter().enumerate() {
            if number > 0 {
                let line = out.len() - out.rfind('\n').map_or(0, |end| end + 1);
                match axis + 1 == N {
                    true if line + 2 + self.width > WIDTH => *out += &(",".to_owned() + &indent),
                    true => *out += ", ",
                    // An empty line between matrices.
                    false => *out += &(",".to_owned() + &"\n".repeat(N - axis - 2) + &indent),
                }
            }
            match offset {
                None => *out += "...",
                Some(offset) => {
                    let mut inner = offsets;
                    inner[axis] = *offset;
                    self.write(axis + 1, inner, out);
                }
            }
        }
        out.push(']');
    }
}

/// As numpy shows arrays, with what is not told by the brackets behind them:
///
/// ```
/// use weldment_runtime::lang::domain::{Domain, Range};
/// use weldment_runtime::store::array::Array;
///
/// let table = Array::new(vec![1, 20, 3, 4], [2, 2])?;
/// assert_eq!(format!("{table:?}"), "array([[ 1, 20],\n       [ 3,  4]])");
/// let moved = Array::over(vec![0.5, 1.0], Domain::new([Range::new(5, 2, 2).unwrap()]).unwrap())?;
/// assert_eq!(format!("{moved:?}"), "array([0.5, 1.0], domain 5..8 step 2)");
/// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
/// ```
impl<T: fmt::Debug, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.view(), f)
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for ArrayView<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(self, f)
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for ArrayViewMut<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.view(), f)
    }
}

fn print<T: fmt::Debug, const N: usize>(
    array: &ArrayView<'_, T, N>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let domain = array.domain();
    let shown = domain.ranges().map(|range| match range.extent() {
        extent if domain.len() > ALL && extent > 2 * ENDS => {
            (0..ENDS).map(Some).chain([None]).chain((extent - ENDS..extent).map(Some)).collect()
        }
        extent => (0..extent).map(Some).collect(),
    });
    let mut printer = Printer { array, shown, width: 0, precision: f.precision() };
    let mut width = 0;
    printer.each(0, [0; N], &mut |offsets| width = width.max(printer.text(offsets).chars().count()));
    printer.width = width;
    let mut text = "array(".to_owned();
    match domain.is_empty() {
        true => text += "[]",
        false => printer.write(0, [0; N], &mut text),
    }
    f.write_str(&text)?;
    match (domain.is_empty() && N > 1, domain.is_plain()) {
        (true, true) => write!(f, ", shape {:?}", domain.shape())?,
        (_, false) => write!(f, ", domain {domain}")?,
        _ => {}
    }
    f.write_str(")")
}
