//! The table.

use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

use crate::contest::Contest;
use crate::measure::Measured;
use crate::ours::OURS;

/// What one contestant of one workload took on so many threads.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Row {
    workload: String,
    threads: usize,
    by: String,
    /// In seconds, as are the quartiles.
    median: f64,
    quartiles: (f64, f64),
    /// To the first contestant.
    ratio: f64,
    /// How large the ratio may be.
    target: Option<f64>,
    /// How many there are to read and write.
    bytes: usize,
    /// The most bytes that were allocated at a time.
    peak: Option<usize>,
}

impl Row {
    /// The rows of one contest, in the order of its contestants.
    pub(crate) fn of<'m>(
        contest: &'m Contest<'_>,
        threads: usize,
        measured: &'m [Measured],
    ) -> impl Iterator<Item = Row> + use<'m> {
        measured.iter().map(move |one| Row {
            workload: contest.name.clone(),
            threads,
            by: one.name.to_string(),
            median: one.median.as_secs_f64(),
            quartiles: (one.quartiles.0.as_secs_f64(), one.quartiles.1.as_secs_f64()),
            ratio: one.median.as_secs_f64() / measured[0].median.as_secs_f64(),
            target: contest.target.filter(|_| OURS.contains(&one.name)),
            bytes: contest.bytes,
            peak: one.peak,
        })
    }
}

/// The table while it grows.
pub(crate) struct Results {
    table: Table,
}

impl Results {
    /// An empty table; `markdown` for one that stands in a document.
    pub(crate) fn new(markdown: bool) -> Results {
        let mut table = Table::new();
        table.load_style(if markdown { presets::ASCII_MARKDOWN } else { presets::NOTHING });
        table.set_header([
            "workload",
            "threads",
            "by",
            "ms",
            "quartiles",
            "ratio",
            "target",
            "GB/s",
            "peak MB",
        ]);
        for column in 3..9 {
            table
                .column_mut(column)
                .expect("there are nine columns")
                .set_cell_alignment(CellAlignment::Right);
        }
        Results { table }
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, row: &Row) {
        let ms = |seconds: f64| format!("{:.2}", seconds * 1e3);
        self.table.add_row([
            row.workload.clone(),
            row.threads.to_string(),
            row.by.clone(),
            ms(row.median),
            format!("{} – {}", ms(row.quartiles.0), ms(row.quartiles.1)),
            format!("{:.2}", row.ratio),
            row.target.map_or(String::new(), |target| {
                format!("{target:.2}{}", if row.ratio <= target { "" } else { " missed" })
            }),
            format!("{:.1}", row.bytes as f64 / row.median / 1e9),
            row.peak.map_or(String::new(), |peak| format!("{:.1}", peak as f64 / 1e6)),
        ]);
    }

    /// The rows.
    pub(crate) fn text(&self) -> String {
        self.table.to_string()
    }
}
