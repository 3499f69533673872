//! What a log says.

use std::fmt;

use weldment::Timestamp;

/// What a log says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Summary {
    /// The ten pages that are asked for most, and how often: of as many, the one that is first in the alphabet.
    pub(crate) pages: Vec<(String, i64)>,
    /// How many answers were errors of the server, by the hour.
    pub(crate) errors: Vec<(Timestamp, i64)>,
    /// How many seconds half of the answers take at most, and 99 of 100.
    pub(crate) seconds: (f64, f64),
    /// How many users there are.
    pub(crate) users: i64,
    /// How many lines cannot be read.
    pub(crate) unread: i64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<24} {:>8}", "page", "hits")?;
        for (page, hits) in &self.pages {
            writeln!(f, "{page:<24} {hits:>8}")?;
        }
        let errors: Vec<String> =
            self.errors.iter().map(|(at, errors)| format!("{}h {errors}", at.time().as_hours())).collect();
        writeln!(f, "errors by the hour: {}", errors.join(", "))?;
        let (median, most) = self.seconds;
        writeln!(f, "seconds: median {median:.4}, 99 of 100 below {most:.4}")?;
        write!(f, "users: {}, lines that cannot be read: {}", self.users, self.unread)
    }
}
