//! The table `lineitem` in memory, column by column: what `dbgen` writes, without the detour over files.

use std::sync::LazyLock;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use tpchgen::distribution::Distributions;
use tpchgen::generators::LineItemGenerator;
use tpchgen::text::TextPool;

/// The columns that the queries read: `orderkey` and `partkey` those with joins, the others Q1 and Q6.
#[derive(Default)]
pub(crate) struct Lineitem {
    pub(crate) orderkey: Vec<i64>,
    pub(crate) partkey: Vec<i64>,
    pub(crate) returnflag: Vec<u8>,
    pub(crate) linestatus: Vec<u8>,
    pub(crate) quantity: Vec<f64>,
    pub(crate) extendedprice: Vec<f64>,
    pub(crate) discount: Vec<f64>,
    pub(crate) tax: Vec<f64>,
    /// Days since 1970-01-01.
    pub(crate) shipdate: Vec<i32>,
}

/// What Q6 reads of each row: three floats and a date.
pub(crate) const Q6_ROW_BYTES: usize = 3 * 8 + 4;

/// What Q1 reads of each row: two flags, four floats and a date.
pub(crate) const Q1_ROW_BYTES: usize = 2 + 4 * 8 + 4;

/// Comments are drawn from this text where nobody reads them, so it is far shorter than the 300 MiB that the
/// specification asks for and that would take longer to write than all the rows.
pub(crate) static TEXT: LazyLock<TextPool> =
    LazyLock::new(|| TextPool::new(1 << 16, Distributions::static_default()));

impl Lineitem {
    /// Generates the table of a scale factor on all threads of the rayon pool: six million rows per unit.
    pub(crate) fn generate(scale: f64) -> Lineitem {
        // A part is a run of orders; the generator jumps to where it begins.
        let parts = ((scale * 24.0) as i32).clamp(1, 24_000);
        let bar = ProgressBar::new(parts as u64).with_style(
            ProgressStyle::with_template("{bar:40} {percent:>3} % of lineitem, {eta} left")
                .expect("the template is well formed"),
        );
        let columns: Vec<Lineitem> = (1..=parts)
            .into_par_iter()
            .map(|part| {
                let columns = Lineitem::part(scale, part, parts);
                bar.inc(1);
                columns
            })
            .collect();
        bar.finish_and_clear();
        Lineitem::concat(&columns)
    }

    pub(crate) fn rows(&self) -> usize {
        self.shipdate.len()
    }

    fn part(scale: f64, part: i32, parts: i32) -> Lineitem {
        let mut columns = Lineitem::default();
        let distributions = Distributions::static_default();
        let rows =
            LineItemGenerator::new_with_distributions_and_text_pool(scale, part, parts, distributions, &TEXT);
        for row in rows.iter() {
            columns.orderkey.push(row.l_orderkey);
            columns.partkey.push(row.l_partkey);
            columns.returnflag.push(row.l_returnflag.as_bytes()[0]);
            columns.linestatus.push(row.l_linestatus.as_bytes()[0]);
            columns.quantity.push(row.l_quantity as f64);
            columns.extendedprice.push(row.l_extendedprice.as_f64());
            columns.discount.push(row.l_discount.as_f64());
            columns.tax.push(row.l_tax.as_f64());
            columns.shipdate.push(row.l_shipdate.to_unix_epoch());
        }
        columns
    }

    fn concat(parts: &[Lineitem]) -> Lineitem {
        fn column<T: Copy>(parts: &[Lineitem], of: impl Fn(&Lineitem) -> &Vec<T>) -> Vec<T> {
            let mut all = Vec::with_capacity(parts.iter().map(Lineitem::rows).sum());
            parts.iter().for_each(|part| all.extend_from_slice(of(part)));
            all
        }
        Lineitem {
            orderkey: column(parts, |part| &part.orderkey),
            partkey: column(parts, |part| &part.partkey),
            returnflag: column(parts, |part| &part.returnflag),
            linestatus: column(parts, |part| &part.linestatus),
            quantity: column(parts, |part| &part.quantity),
            extendedprice: column(parts, |part| &part.extendedprice),
            discount: column(parts, |part| &part.discount),
            tax: column(parts, |part| &part.tax),
            shipdate: column(parts, |part| &part.shipdate),
        }
    }
}
