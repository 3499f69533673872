//! TPC-H at scale factor 1, columns in memory: the queries of the example `tpch`.

use weldment::Dict;

use crate::contest::{Answer, Column, Contest};
use crate::run::Bench;

// The example's own loops and kernels, of which not all are needed here.
#[allow(dead_code)]
#[path = "../../../../examples/tpch/answers.rs"]
mod answers;
use crate::cpu;
#[allow(dead_code)]
#[path = "../../../../examples/tpch/data.rs"]
mod data;
#[path = "../../../../examples/tpch/hand.rs"]
mod hand;
#[allow(dead_code)]
#[path = "../../../../examples/tpch/kernels.rs"]
mod kernels;

/// The columns of `lineitem` that the queries read.
#[derive(Clone, Copy)]
pub struct Lineitem<'d> {
    /// A capital letter.
    pub returnflag: &'d [u8],
    /// A capital letter.
    pub linestatus: &'d [u8],
    /// How many pieces.
    pub quantity: &'d [f64],
    /// The price of all of them, before discount and tax.
    pub extendedprice: &'d [f64],
    /// From 0.0 to 0.1.
    pub discount: &'d [f64],
    /// From 0.0 to 0.08.
    pub tax: &'d [f64],
    /// Days since 1970-01-01.
    pub shipdate: &'d [i32],
}

pub(crate) fn run(bench: &mut Bench<'_>) {
    let (q6, q1) = ("TPC-H Q6", "TPC-H Q1");
    if !bench.wants(q6) && !bench.wants(q1) {
        return;
    }
    let table = data::Lineitem::generate(bench.scale());
    let columns = Lineitem {
        returnflag: &table.returnflag,
        linestatus: &table.linestatus,
        quantity: &table.quantity,
        extendedprice: &table.extendedprice,
        discount: &table.discount,
        tax: &table.tax,
        shipdate: &table.shipdate,
    };
    let Lineitem { returnflag, linestatus, quantity, extendedprice, discount, tax, shipdate } = columns;
    if bench.wants(q6) {
        let args = (extendedprice, discount, quantity, shipdate);
        let answer = |revenue: f64| vec![Column::Floats(vec![revenue])];
        let contest = Contest::new(q6, data::Q6_ROW_BYTES * table.rows(), Some(1.05))
            .with("hand", || hand::q6(&table), answer)
            .ours(&kernels::Q6, args, |kernel, (p, d, q, s)| kernel(p, d, q, s), answer)
            .and(bench.guests.q6(columns));
        bench.contest(&contest);
    }
    if bench.wants(q1) {
        let args = (returnflag, linestatus, quantity, extendedprice, discount, tax, shipdate);
        let contest = Contest::new(q1, data::Q1_ROW_BYTES * table.rows(), Some(1.2))
            .with("hand", || hand::q1(&table), q1_answer)
            .ours(
                &kernels::Q1,
                args,
                |kernel, (f, l, q, p, d, t, s)| kernel(f, l, q, p, d, t, s),
                |groups| q1_answer(lines(&groups)),
            )
            .and(bench.guests.q1(columns));
        bench.contest(&contest);
    }
}

/// Sums by flag and status, in any order: quantity, price, discounted price, charge, discount, and the number of rows.
pub type Q1Lines = Vec<((u8, u8), answers::Q1Sums)>;

fn lines(groups: &Dict<(u8, u8), answers::Q1Sums>) -> Q1Lines {
    groups.iter().map(|(key, sums)| (*key, *sums)).collect()
}

/// The lines of Q1 in the order of the keys, a column for each of their parts and sums.
pub fn q1_answer(mut lines: Q1Lines) -> Answer {
    lines.sort_by_key(|(key, _)| *key);
    let floats =
        |of: fn(&answers::Q1Sums) -> f64| Column::Floats(lines.iter().map(|(_, sums)| of(sums)).collect());
    vec![
        Column::Integers(lines.iter().map(|((flag, _), _)| i64::from(*flag)).collect()),
        Column::Integers(lines.iter().map(|((_, status), _)| i64::from(*status)).collect()),
        floats(|sums| sums.0),
        floats(|sums| sums.1),
        floats(|sums| sums.2),
        floats(|sums| sums.3),
        floats(|sums| sums.4),
        Column::Integers(lines.iter().map(|(_, sums)| sums.5).collect()),
    ]
}
