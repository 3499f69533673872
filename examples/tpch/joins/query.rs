//! What the queries with joins have in common: both forms are run, compared and timed alike.

use std::hint::black_box;

use super::super::report;
use super::tables::Tables;

/// A query as a kernel and by hand.
pub(crate) struct Query<R> {
    /// Its number and its name.
    pub(crate) name: &'static str,
    /// What the specification calls its columns.
    pub(crate) heads: &'static [&'static str],
    pub(crate) kernel: fn(&Tables<'_>) -> R,
    pub(crate) by_hand: fn(&Tables<'_>) -> R,
    /// A result as the specification prints it: a cell for each column of each line.
    pub(crate) lines: fn(&R) -> Vec<Vec<String>>,
    /// What the specification has at scale factor 1.
    pub(crate) specified: &'static str,
}

/// The seconds that a query takes as a kernel and by hand.
pub(crate) struct Times {
    pub(crate) name: &'static str,
    pub(crate) kernel: f64,
    pub(crate) by_hand: f64,
}

impl<R> Query<R> {
    /// Runs both forms, compares what they print with each other and, if it is known, with the specification, prints the first lines, and times both.
    pub(crate) fn run(&self, tables: &Tables<'_>, is_specified: bool) -> Result<Times, String> {
        let (lines, by_hand) = ((self.lines)(&(self.kernel)(tables)), (self.lines)(&(self.by_hand)(tables)));
        self.print(&lines);
        self.agree(&lines, &by_hand, "the hand-written loop")?;
        if is_specified {
            let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect();
            let specified: Vec<Vec<String>> = self.specified.trim().lines().skip(1).map(cells).collect();
            self.agree(&lines, &specified, "the specification")?;
        }
        let [kernel, by_hand] = report::measure([&mut || _ = black_box((self.kernel)(tables)), &mut || {
            _ = black_box((self.by_hand)(tables))
        }]);
        Ok(Times { name: self.name, kernel, by_hand })
    }

    fn agree(&self, found: &[Vec<String>], other: &[Vec<String>], whose: &str) -> Result<(), String> {
        if found == other {
            return Ok(());
        }
        let differs = found.iter().zip(other).position(|(found, other)| found != other);
        let at = differs.unwrap_or(found.len().min(other.len()));
        Err(format!(
            "{}: line {} of the kernel is {:?}, that of {whose} {:?}",
            self.name,
            at + 1,
            found.get(at),
            other.get(at)
        ))
    }

    fn print(&self, lines: &[Vec<String>]) {
        const SHOWN: usize = 5;
        println!("\n{}\n", self.name);
        let heads: Vec<String> = self.heads.iter().map(|head| (*head).to_owned()).collect();
        let shown: Vec<&Vec<String>> = [&heads].into_iter().chain(lines.iter().take(SHOWN)).collect();
        let width = |column: usize| shown.iter().map(|line| line[column].len()).max().unwrap_or(0);
        for line in &shown {
            let cells = line.iter().enumerate().map(|(i, cell)| format!("{cell:>width$}", width = width(i)));
            println!("    {}", cells.collect::<Vec<_>>().join("  "));
        }
        if lines.len() > SHOWN {
            println!("    … {} lines", lines.len());
        }
    }
}
