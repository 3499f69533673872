//! Who computes the same thing in which ways, and whether they come to the same result.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use crate::clock::Clock;

/// A column of a result.
#[derive(Clone, Debug)]
pub(crate) enum Column {
    /// Numbers that must be equal.
    Integers(Vec<i64>),
    /// Numbers that may differ by rounding.
    Floats(Vec<f64>),
}

/// A result in a form in which the results of all contestants can be compared: columns, rows in one order.
pub(crate) type Answer = Vec<Column>;

/// One who takes part.
pub(crate) struct Contestant<'d> {
    /// The name, as it stands in the table.
    pub(crate) name: &'static str,
    pub(crate) side: Box<dyn Side + Sync + 'd>,
}

/// How often and how fast a computation can be run, whatever its result is.
pub(crate) trait Side {
    /// The time of one run.
    fn time(&self, clock: Clock) -> Duration;

    /// The result.
    fn answer(&self) -> Answer;

    /// Whether it runs in this process, so that what it allocates is known.
    fn is_here(&self) -> bool {
        true
    }
}

struct Computation<F, A> {
    run: F,
    answer: A,
}

impl<R, F: Fn() -> R, A: Fn(R) -> Answer> Side for Computation<F, A> {
    fn time(&self, clock: Clock) -> Duration {
        let start = clock.now();
        let result = black_box((self.run)());
        let time = clock.since(start);
        // Not counted: who gets a result keeps it.
        drop(result);
        time
    }

    fn answer(&self) -> Answer {
        (self.answer)((self.run)())
    }
}

/// One computation over one input, and those who do it. The first is the mark: the best that we can write by hand.
pub(crate) struct Contest<'d> {
    /// What is computed, as it stands in the table.
    pub(crate) name: String,
    /// How many bytes everybody has to read and write at least.
    pub(crate) bytes: usize,
    /// How long we may take, in times of the mark.
    pub(crate) target: Option<f64>,
    /// By how much floats may differ, relative to the larger of two, or to `unit` where that is more.
    pub(crate) tolerance: f64,
    /// What smaller numbers are differences of.
    pub(crate) unit: f64,
    /// Who takes part.
    pub(crate) contestants: Vec<Contestant<'d>>,
}

impl<'d> Contest<'d> {
    /// A contest without contestants, whose floats agree but for the order of additions.
    pub(crate) fn new(name: impl Into<String>, bytes: usize, target: Option<f64>) -> Contest<'d> {
        Contest { name: name.into(), bytes, target, tolerance: 1e-10, unit: 0.0, contestants: Vec::new() }
    }

    /// Lets one take part who computes with `run`; `answer` brings the result into the form in which it is compared, and is
    /// not timed.
    #[must_use]
    pub(crate) fn with<R: 'd>(
        self,
        name: &'static str,
        run: impl Fn() -> R + Sync + 'd,
        answer: impl Fn(R) -> Answer + Sync + 'd,
    ) -> Contest<'d> {
        self.and(name, Computation { run, answer })
    }

    /// Lets one more take part.
    #[must_use]
    pub(crate) fn and(mut self, name: &'static str, side: impl Side + Sync + 'd) -> Contest<'d> {
        self.contestants.push(Contestant { name, side: Box::new(side) });
        self
    }

    /// Whether all come to the result of the first; if not, who does not, and where.
    ///
    /// # Errors
    /// Who differs, and where.
    pub(crate) fn agree(&self) -> Result<(), String> {
        let Some((mark, others)) = self.contestants.split_first() else { return Ok(()) };
        let wanted = mark.side.answer();
        for other in others {
            if let Some(difference) = difference(&wanted, &other.side.answer(), |a, b| self.close(a, b)) {
                let Contest { name, .. } = self;
                return Err(format!("{name}: {} and {} differ: {difference}", mark.name, other.name));
            }
        }
        Ok(())
    }

    fn close(&self, a: f64, b: f64) -> bool {
        let size = a.abs().max(b.abs()).max(self.unit);
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= self.tolerance * size
    }
}

/// Where `found` is not `wanted`.
fn difference(wanted: &Answer, found: &Answer, close: impl Fn(f64, f64) -> bool) -> Option<String> {
    if wanted.len() != found.len() {
        return Some(format!("{} columns, {} columns", wanted.len(), found.len()));
    }
    let mut text = String::new();
    for (number, columns) in wanted.iter().zip(found).enumerate() {
        let at = match columns {
            (Column::Integers(wanted), Column::Integers(found)) => {
                first(wanted, found, |wanted, found| wanted == found)
            }
            (Column::Floats(wanted), Column::Floats(found)) => {
                first(wanted, found, |wanted, found| close(*wanted, *found))
            }
            _ => Some("integers, floats".to_string()),
        };
        if let Some(at) = at {
            write!(text, "column {number}: {at}").expect("a String takes all that is written");
            return Some(text);
        }
    }
    None
}

fn first<T: std::fmt::Debug>(wanted: &[T], found: &[T], same: impl Fn(&T, &T) -> bool) -> Option<String> {
    if wanted.len() != found.len() {
        return Some(format!("{} rows, {} rows", wanted.len(), found.len()));
    }
    let row = wanted.iter().zip(found).position(|(wanted, found)| !same(wanted, found))?;
    Some(format!("row {row}: {:?}, {:?}", wanted[row], found[row]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(found: Vec<f64>) -> Result<(), String> {
        let contest = Contest::new("doubling", 0, None)
            .with("hand", || vec![2.0, 4.0], |x| vec![Column::Floats(x)])
            .with("other", move || found.clone(), |x| vec![Column::Floats(x)]);
        contest.agree()
    }

    #[test]
    fn rounding_is_no_difference() {
        contest(vec![2.0, 4.0 * (1.0 + 1e-12)]).unwrap();
    }

    #[test]
    fn differences_are_named() {
        let error = contest(vec![2.0, 4.5]).unwrap_err();
        assert_eq!(error, "doubling: hand and other differ: column 0: row 1: 4.0, 4.5");
        let error = contest(vec![2.0]).unwrap_err();
        assert_eq!(error, "doubling: hand and other differ: column 0: 2 rows, 1 rows");
    }
}
