//! TPC-H Q3: two joins, sums by the key of the second, and the ten greatest of them.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::peers::{Input, Task};
use crate::random;
use crate::workloads::joins::index::Index;
use crate::workloads::pieces::pieces;

/// The columns of the three tables that Q3 reads. Dates are days since 1970.
struct Tables {
    customer: Vec<i64>,
    segment: Vec<u8>,
    order: Vec<i64>,
    by: Vec<i64>,
    date: Vec<i32>,
    priority: Vec<i32>,
    line_of: Vec<i64>,
    price: Vec<f64>,
    discount: Vec<f64>,
    ship: Vec<i32>,
}

/// The key of an order, its revenue, its date and its priority.
type Line = (i64, f64, i32, i32);
type Columns = fn(&[i64], &[u8], &[i64], &[i64], &[i32], &[i32], &[i64], &[f64], &[f64], &[i32]) -> Vec<Line>;

/// The first day of 1992, the number of days on which there were orders, and the 15th of March 1995.
const FIRST: i32 = 8035;
const DAYS: i32 = 2406;
const DAY: i32 = 9204;
const BUILDING: u8 = 1;

const Q3: Kernel<Columns> = weld!(
    |customer: &[i64],
     segment: &[u8],
     order: &[i64],
     by: &[i64],
     date: &[i32],
     priority: &[i32],
     line_of: &[i64],
     price: &[f64],
     discount: &[f64],
     ship: &[i32]| {
        let building = zip(customer, segment).filter(|(_, s)| s == 1u8).to_dict();
        let orders = zip(order, by, date, priority)
            .filter(|(_, c, d, _)| d < 9204 && keyexists(building, c))
            .map(|(o, _, d, p)| (o, (d, p)))
            .to_dict();
        let revenue = zip(line_of, price, discount, ship)
            .filter(|(o, _, _, s)| s > 9204 && keyexists(orders, o))
            .reduce_by(|(o, _, _, _)| o, |(_, p, d, _)| p * (1.0 - d), +);
        let lines = tovec(revenue).map(|(o, r)| (o, r, orders[o].0, orders[o].1));
        slice(lines.sort_by_key(|(_, r, d, _)| (-r, d)), 0L, 10L)
    }
);

pub(super) fn run(bench: &mut Bench<'_>, scale: f64) {
    let name = "TPC-H Q3";
    if !bench.wants(name) {
        return;
    }
    let t = &Tables::generate(scale);
    let columns = vec![
        ("customer.customer", Input::I64(&t.customer)),
        ("customer.segment", Input::U8(&t.segment)),
        ("orders.order", Input::I64(&t.order)),
        ("orders.by", Input::I64(&t.by)),
        ("orders.date", Input::I32(&t.date)),
        ("orders.priority", Input::I32(&t.priority)),
        ("t.order", Input::I64(&t.line_of)),
        ("t.price", Input::F64(&t.price)),
        ("t.discount", Input::F64(&t.discount)),
        ("t.ship", Input::I32(&t.ship)),
    ];
    let task = Task { query: "q3", columns, given: vec![] };
    let args = (
        &t.customer[..],
        &t.segment[..],
        &t.order[..],
        &t.by[..],
        &t.date[..],
        &t.priority[..],
        &t.line_of[..],
        &t.price[..],
        &t.discount[..],
        &t.ship[..],
    );
    let bytes = 9 * t.customer.len() + 24 * t.order.len() + 28 * t.line_of.len();
    let contest = Contest::new(name, bytes, None)
        .with("hand", || t.by_hand(), answer)
        .ours(
            &Q3,
            args,
            |kernel, (c, s, o, b, d, p, l, r, f, h)| kernel(c, s, o, b, d, p, l, r, f, h),
            answer,
        )
        .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task, |lines| lines);
    bench.contest(&contest);
}

fn answer(lines: Vec<Line>) -> Answer {
    vec![
        Column::Integers(lines.iter().map(|line| line.0).collect()),
        Column::Floats(lines.iter().map(|line| line.1).collect()),
        Column::Integers(lines.iter().map(|line| line.2.into()).collect()),
        Column::Integers(lines.iter().map(|line| line.3.into()).collect()),
    ]
}

impl Tables {
    /// As many rows as TPC-H has at this scale, with keys, dates and amounts of its ranges.
    fn generate(scale: f64) -> Tables {
        let rows = |full: f64| ((full * scale) as usize).max(10);
        let (customers, orders) = (rows(150_000.0), rows(1_500_000.0));
        let segment = random::column(customers, 81, |rng| rng.u8(0..5));
        let by = random::column(orders, 82, |rng| rng.i64(1..=customers as i64));
        let date = random::column(orders, 83, |rng| FIRST + rng.i32(0..DAYS));
        // Eight keys of each 32 are used.
        let order: Vec<i64> = (0..orders as i64).map(|number| number / 8 * 32 + number % 8 + 1).collect();
        let lines = random::column(orders, 84, |rng| rng.usize(1..=7));
        let order_of: Vec<usize> =
            lines.iter().enumerate().flat_map(|(order, &n)| std::iter::repeat_n(order, n)).collect();
        let delays = random::column(order_of.len(), 85, |rng| rng.i32(1..=121));
        Tables {
            customer: (1..=customers as i64).collect(),
            segment,
            by,
            priority: vec![0; orders],
            line_of: order_of.iter().map(|&row| order[row]).collect(),
            price: random::floats(order_of.len(), 86, 900.0, 105_000.0),
            discount: random::column(order_of.len(), 87, |rng| f64::from(rng.i32(0..=10)) / 100.0),
            ship: order_of.iter().zip(delays).map(|(&row, delay)| date[row] + delay).collect(),
            order,
            date,
        }
    }

    /// The sum of each order that is looked for stands in a column of its own for each thread.
    fn by_hand(&self) -> Vec<Line> {
        let customers = (0..self.customer.len()).filter(|&row| self.segment[row] == BUILDING);
        let customers: Vec<i64> = customers.map(|row| self.customer[row]).collect();
        let customers = Index::of(customers.into_iter());
        let is_looked_for = |row: usize| self.date[row] < DAY && customers.row(self.by[row]).is_some();
        let orders: Vec<usize> =
            (0..self.order.len()).into_par_iter().filter(|&row| is_looked_for(row)).collect();
        let index = Index::of(orders.iter().map(|&row| self.order[row]));
        let piece = self.line_of.len().div_ceil(rayon::current_num_threads()).max(1);
        let sums = pieces(self.line_of.len(), piece).map(|rows| {
            let mut sums = vec![0.0; orders.len()];
            let lines = self.line_of[rows.clone()].iter().zip(&self.price[rows.clone()]);
            let lines = lines.zip(&self.discount[rows.clone()]).zip(&self.ship[rows]);
            for (((&order, price), discount), &ship) in lines {
                if ship > DAY
                    && let Some(row) = index.row(order)
                {
                    sums[row] += price * (1.0 - discount);
                }
            }
            sums
        });
        let add = |mut a: Vec<f64>, b: Vec<f64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let sums = sums.reduce_with(add).unwrap_or_default();
        let lines = orders.iter().zip(sums).filter(|(_, sum)| *sum > 0.0);
        let mut lines: Vec<Line> =
            lines.map(|(&row, sum)| (self.order[row], sum, self.date[row], self.priority[row])).collect();
        let order = |a: &Line, b: &Line| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2));
        if lines.len() > 10 {
            lines.select_nth_unstable_by(10, order);
            lines.truncate(10);
        }
        lines.sort_by(order);
        lines
    }
}
