//! The table.

use std::time::Duration;

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
    /// In seconds, of each round.
    times: Vec<f64>,
    /// How large the ratio to the first contestant may be.
    target: Option<f64>,
    /// How many there are to read and write.
    bytes: usize,
    /// The most bytes that were allocated at a time.
    peak: Option<usize>,
}

impl Row {
    /// The rows of one contest, in the order of its contestants.
    pub(crate) fn of(contest: &Contest<'_>, threads: usize, measured: &[Measured]) -> Vec<Row> {
        let row = |one: &Measured| Row {
            workload: contest.name.clone(),
            threads,
            by: one.name.to_string(),
            times: one.times.iter().map(Duration::as_secs_f64).collect(),
            target: contest.target.filter(|_| OURS.contains(&one.name)),
            bytes: contest.bytes,
            peak: one.peak,
        };
        measured.iter().map(row).collect()
    }

    /// Adds the rounds of the same contestant in another process.
    pub(crate) fn add(&mut self, other: Row) {
        self.times.extend(other.times);
        self.peak = self.peak.max(other.peak);
    }

    /// Of four parts of the rounds, so many took less.
    fn quartile(&self, part: usize) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times[(times.len() - 1) * part / 4]
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

    /// Adds the rows of one workload; ratios are to the first on as many threads.
    pub(crate) fn add(&mut self, rows: &[Row]) {
        for row in rows {
            let ms = |seconds: f64| format!("{:.2}", seconds * 1e3);
            let mark = rows.iter().find(|mark| mark.threads == row.threads).expect("itself, if no other");
            let (median, ratio) = (row.quartile(2), row.quartile(2) / mark.quartile(2));
            self.table.add_row([
                row.workload.clone(),
                row.threads.to_string(),
                row.by.clone(),
                ms(median),
                format!("{} – {}", ms(row.quartile(1)), ms(row.quartile(3))),
                format!("{ratio:.2}"),
                row.target.map_or(String::new(), |target| {
                    format!("{target:.2}{}", if ratio <= target { "" } else { " missed" })
                }),
                format!("{:.1}", row.bytes as f64 / median / 1e9),
                row.peak.map_or(String::new(), |peak| format!("{:.1}", peak as f64 / 1e6)),
            ]);
        }
    }

    /// The rows.
    pub(crate) fn text(&self) -> String {
        self.table.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(by: &str, threads: usize, times: &[f64]) -> Row {
        let target = OURS.contains(&by).then_some(1.0);
        let (workload, times) = ("sum".to_string(), times.to_vec());
        Row { workload, threads, by: by.to_string(), times, target, bytes: 8_000_000, peak: Some(1) }
    }

    #[test]
    fn rounds_of_all_processes_count() {
        let mut ours = row(OURS[0], 1, &[0.003, 0.001]);
        ours.add(row(OURS[0], 1, &[0.0015]));
        let mut results = Results::new(true);
        results.add(&[row("hand", 1, &[0.001; 3]), ours, row("hand", 2, &[0.5])]);
        let text = results.text();
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert!(
            lines[0].contains("| hand  |   1.00 |     1.00 – 1.00 |  1.00 |             |  8.0 |"),
            "{text}"
        );
        assert!(
            lines[1].contains("| weld! |   1.50 |     1.00 – 1.50 |  1.50 | 1.00 missed |  5.3 |"),
            "{text}"
        );
        assert!(lines[2].contains("| 2       | hand  | 500.00 | 500.00 – 500.00 |  1.00 |"), "{text}");
    }
}
