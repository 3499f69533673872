//! The table.

use comfy_table::{CellAlignment, Table, presets};

use crate::contest::Contest;
use crate::measure::Measured;
use crate::ours::OURS;

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

    /// Adds the rows of one contest; the ratio is to the first contestant.
    pub(crate) fn add(&mut self, contest: &Contest<'_>, threads: usize, measured: &[Measured]) {
        let Some(mark) = measured.first() else { return };
        for one in measured {
            let ms = |time: std::time::Duration| format!("{:.2}", time.as_secs_f64() * 1e3);
            let ratio = one.median.as_secs_f64() / mark.median.as_secs_f64();
            let target = contest.target.filter(|_| OURS.contains(&one.name));
            self.table.add_row([
                contest.name.clone(),
                threads.to_string(),
                one.name.to_string(),
                ms(one.median),
                format!("{} – {}", ms(one.quartiles.0), ms(one.quartiles.1)),
                format!("{ratio:.2}"),
                target.map_or(String::new(), |target| {
                    format!("{target:.2}{}", if ratio <= target { "" } else { " missed" })
                }),
                format!("{:.1}", contest.bytes as f64 / one.median.as_secs_f64() / 1e9),
                one.peak.map_or(String::new(), |peak| format!("{:.1}", peak as f64 / 1e6)),
            ]);
        }
    }

    /// The rows.
    pub(crate) fn text(&self) -> String {
        self.table.to_string()
    }
}
