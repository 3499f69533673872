//! Hints: what is to become of a loop.

use std::fmt;

use crate::imp::Hints;

impl fmt::Display for Hints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |name: &str, number: Option<u32>| number.map(|number| format!("{name} {number}"));
        let mut parts: Vec<String> = Vec::new();
        parts.extend(number("block", self.block));
        parts.extend(number("rows", self.rows));
        parts.extend(self.feeds.map(|store| format!("feeds {store}")));
        parts.extend(number("in_order", self.prologue));
        parts.extend(self.prefetch.iter().map(|column| format!("prefetch {column}")));
        parts.extend(self.hash_ahead.iter().map(|(column, store)| format!("hash_ahead {column} {store}")));
        parts.extend(self.compared.iter().map(|(reg, lanes)| format!("compared {reg} x {lanes}")));
        parts.extend(number("strip", self.strip));
        parts.extend(self.reserve.iter().map(|store| format!("reserve {store}")));
        parts.extend(self.row.map(|points| format!("row {points}")));
        write!(f, " hints ({})", parts.join(", "))
    }
}
