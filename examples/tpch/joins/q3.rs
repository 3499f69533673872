//! Q3, shipping priority: two joins, sums by the key of the second, and the ten greatest of them.

use rayon::prelude::*;
use tpchgen::dates::{MIN_GENERATE_DATE, TPCHDate};
use tpchgen::q_and_a::answers_sf1::Q3_ANSWER;
use weldment::{Kernel, weld};

use super::query::Query;
use super::tables::Tables;

/// The 15th of March 1995.
const DAY: i32 = 9204;

/// The key of an order, its revenue, its date and its priority.
type Line = (i64, f64, i32, i32);
type Columns =
    fn(&[i64], &[String], &[i64], &[i64], &[i32], &[i32], &[i64], &[f64], &[f64], &[i32]) -> Vec<Line>;

/// What is still to be shipped of the orders of builders; the largest of these orders. A dictionary keeps what `index_by` is given, so
/// that columns that nobody reads are left out before.
#[rustfmt::skip]
pub(crate) const KERNEL: Kernel<Columns> = weld!(
    |customer: &[i64], segment: &[String], order: &[i64], by: &[i64], date: &[i32], priority: &[i32],
     line_of: &[i64], price: &[f64], discount: &[f64], ship: &[i32]| {
        let builders = zip(customer, segment).filter(|(_, s)| s == "BUILDING").map(|(c, _)| c).index_by(|c| c);
        let open = zip(order, by, date, priority)
            .filter(|(_, _, d, _)| d < DAY)
            .semi_join(builders, |(_, c, _, _)| c)
            .map(|(o, _, d, p)| (o, d, p))
            .index_by(|(o, _, _)| o);
        let revenue = zip(line_of, price, discount, ship)
            .filter(|(_, _, _, s)| s > DAY)
            .semi_join(open, |(o, _, _, _)| o)
            .reduce_by(|(o, _, _, _)| o, |(_, p, d, _)| p * (1.0 - d), +);
        let lines = revenue.tovec().join(open, |(o, _)| o).map(|((o, r), (_, d, p))| (o, r, d, p));
        lines.sort_by_key(|(_, r, d, _)| (-r, d)).take(10)
    }
);

pub(crate) const QUERY: Query<Vec<Line>> = Query {
    name: "Q3: shipping priority",
    heads: &["orderkey", "revenue", "orderdate", "shippriority"],
    kernel: |t| {
        let (c, o, l) = (&t.customer, &t.orders, t.lineitem);
        KERNEL(
            &c.custkey,
            &c.mktsegment,
            &o.orderkey,
            &o.custkey,
            &o.orderdate,
            &o.shippriority,
            &l.orderkey,
            &l.extendedprice,
            &l.discount,
            &l.shipdate,
        )
    },
    by_hand,
    lines: |lines| {
        let day = |days: i32| TPCHDate::new(days - TPCHDate::UNIX_EPOCH_OFFSET + MIN_GENERATE_DATE);
        let line = |&(order, revenue, date, priority): &Line| {
            vec![order.to_string(), format!("{revenue:.2}"), day(date).to_string(), priority.to_string()]
        };
        lines.iter().map(line).collect()
    },
    specified: Q3_ANSWER,
};

/// Keys of customers and orders are numbers, so that whoever is looked for stands in a table by key. Each thread has a sum for each open
/// order.
fn by_hand(t: &Tables<'_>) -> Vec<Line> {
    const NONE: u32 = u32::MAX;
    let (customer, orders, lineitem) = (&t.customer, &t.orders, t.lineitem);
    let most = |keys: &[i64]| keys.iter().max().map_or(0, |key| *key as usize + 1);
    let mut is_builder = vec![false; most(&customer.custkey)];
    for (&key, segment) in customer.custkey.iter().zip(&customer.mktsegment) {
        is_builder[key as usize] = segment == "BUILDING";
    }
    let mut place = vec![NONE; most(&orders.orderkey)];
    let mut open = Vec::new();
    for (row, (&date, &by)) in orders.orderdate.iter().zip(&orders.custkey).enumerate() {
        if date < DAY && is_builder[by as usize] {
            place[orders.orderkey[row] as usize] = open.len() as u32;
            open.push(row);
        }
    }
    let rows = lineitem.shipdate.len();
    let piece = rows.div_ceil(rayon::current_num_threads()).max(1);
    let of_piece = |piece_number: usize| {
        let mut sums = vec![0.0; open.len()];
        let from = piece_number * piece;
        for row in from..rows.min(from + piece) {
            if lineitem.shipdate[row] > DAY {
                let place = place[lineitem.orderkey[row] as usize];
                if place != NONE {
                    sums[place as usize] += lineitem.extendedprice[row] * (1.0 - lineitem.discount[row]);
                }
            }
        }
        sums
    };
    let sums = (0..rows.div_ceil(piece)).into_par_iter().map(of_piece).reduce_with(|mut a, b| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    });
    let sums = sums.unwrap_or_default();
    let line = |(&row, sum): (&usize, f64)| {
        (orders.orderkey[row], sum, orders.orderdate[row], orders.shippriority[row])
    };
    let mut lines: Vec<Line> = open.iter().zip(sums).filter(|(_, sum)| *sum > 0.0).map(line).collect();
    let order = |a: &Line, b: &Line| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2));
    if lines.len() > 10 {
        lines.select_nth_unstable_by(10, order);
        lines.truncate(10);
    }
    lines.sort_by(order);
    lines
}
