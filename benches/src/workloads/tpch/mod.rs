//! TPC-H at scale factor 1, columns in memory: the queries of the example `tpch`.

use weldment::Dict;

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::peers::{Input, Task};

// The example's own loops and kernels, of which not all are needed here: links, which `cargo package` follows.
#[allow(dead_code)]
mod answers;
#[allow(dead_code)]
mod data;
mod hand;
#[allow(dead_code)]
mod kernels;
mod q3;

use crate::cpu;

pub(crate) fn run(bench: &mut Bench<'_>) {
    q3::run(bench, bench.scale());
    let (q6, q1) = ("TPC-H Q6", "TPC-H Q1");
    if !bench.wants(q6) && !bench.wants(q1) {
        return;
    }
    let table = data::Lineitem::generate(bench.scale());
    let data::Lineitem { returnflag, linestatus, quantity, extendedprice, discount, tax, shipdate, .. } =
        &table;
    let columns = vec![
        ("flag", Input::U8(returnflag)),
        ("status", Input::U8(linestatus)),
        ("quantity", Input::F64(quantity)),
        ("price", Input::F64(extendedprice)),
        ("discount", Input::F64(discount)),
        ("tax", Input::F64(tax)),
        ("ship", Input::I32(shipdate)),
    ];
    let task = |query| Task { query, columns: columns.clone(), given: vec![] };
    if bench.wants(q6) {
        let args = (&extendedprice[..], &discount[..], &quantity[..], &shipdate[..]);
        let answer = |revenue: f64| vec![Column::Floats(vec![revenue])];
        let contest = Contest::new(q6, data::Q6_ROW_BYTES * table.rows(), Some(1.05))
            .with("hand", || hand::q6(&table), answer)
            .ours(&kernels::Q6, args, |kernel, (p, d, q, s)| kernel(p, d, q, s), answer)
            .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task("q6"), |sum| sum);
        bench.contest(&contest);
    }
    if bench.wants(q1) {
        let args = (
            &returnflag[..],
            &linestatus[..],
            &quantity[..],
            &extendedprice[..],
            &discount[..],
            &tax[..],
            &shipdate[..],
        );
        let contest = Contest::new(q1, data::Q1_ROW_BYTES * table.rows(), Some(1.2))
            .with("hand", || hand::q1(&table), q1_answer)
            .ours(
                &kernels::Q1,
                args,
                |kernel, (f, l, q, p, d, t, s)| kernel(f, l, q, p, d, t, s),
                |groups| q1_answer(lines(&groups)),
            )
            .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task("q1"), |columns| {
                by_flags(&columns)
            });
        bench.contest(&contest);
    }
}

/// Sums by flag and status, in any order: quantity, price, discounted price, charge, discount, and the number of rows.
type Q1Lines = Vec<((u8, u8), answers::Q1Sums)>;

fn lines(groups: &Dict<(u8, u8), answers::Q1Sums>) -> Q1Lines {
    groups.iter().map(|(key, sums)| (*key, *sums)).collect()
}

/// The lines of Q1 in the order of the keys, a column for each of their parts and sums.
fn q1_answer(mut lines: Q1Lines) -> Answer {
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

/// The columns of Q1 in the order of the keys.
fn by_flags(columns: &Answer) -> Answer {
    let [Column::Integers(flags), Column::Integers(statuses), ..] = &columns[..] else {
        return columns.clone();
    };
    let mut order: Vec<usize> = (0..flags.len()).collect();
    order.sort_by_key(|&row| (flags[row], statuses[row]));
    let ordered = |column: &Column| match column {
        Column::Integers(column) => Column::Integers(order.iter().map(|&row| column[row]).collect()),
        Column::Floats(column) => Column::Floats(order.iter().map(|&row| column[row]).collect()),
    };
    columns.iter().map(ordered).collect()
}
