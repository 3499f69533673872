//! The table that formulas are over: what was sold, a column for each thing that is known of it.

use weldment::{Arguments, Type};

/// The columns, as the program of a formula takes them.
pub(crate) type Columns<'t> = (&'t [String], &'t [f64], &'t [i32], &'t [f64]);

/// What formulas call them.
const NAMES: [&str; 4] = ["region", "price", "quantity", "discount"];

/// How many rows there are. The interpreter takes some hundred times as long for each.
pub(crate) const ROWS: usize = if cfg!(feature = "llvm") { 1_000_000 } else { 20_000 };

pub(crate) struct Table {
    region: Vec<String>,
    price: Vec<f64>,
    quantity: Vec<i32>,
    discount: Vec<f64>,
}

impl Table {
    /// So many rows, always the same ones.
    pub(crate) fn of(rows: usize) -> Table {
        let regions = ["north", "east", "south", "west"];
        // A different number below a bound for each column of a row.
        let number = |row: usize, column: u64, below: u64| {
            ((row as u64 * 4 + column).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) % below
        };
        Table {
            region: (0..rows).map(|row| regions[number(row, 0, 4) as usize].to_owned()).collect(),
            price: (0..rows).map(|row| 0.25 * (1 + number(row, 1, 400)) as f64).collect(),
            quantity: (0..rows).map(|row| 1 + number(row, 2, 9) as i32).collect(),
            discount: (0..rows).map(|row| number(row, 3, 5) as f64 / 16.0).collect(),
        }
    }

    /// The columns where they lie: no formula copies them.
    pub(crate) fn columns(&self) -> Columns<'_> {
        (&self.region, &self.price, &self.quantity, &self.discount)
    }
}

/// The names of the columns with their types, as parameters of a program.
pub(crate) fn params() -> Vec<(&'static str, Type)> {
    NAMES.into_iter().zip(Columns::types()).collect()
}

/// The same for people.
pub(crate) fn described() -> String {
    let columns: Vec<String> = params().iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    columns.join(", ")
}
