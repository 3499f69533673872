//! Q13, distribution of customers: how many have placed how many orders, those without any as well.

use memchr::memmem::Finder;
use rayon::prelude::*;
use tpchgen::q_and_a::answers_sf1::Q13_ANSWER;
use weldment::{Kernel, weld};

use super::query::Query;
use super::tables::Tables;

/// A number of orders, and how many customers have so many.
type Line = (i64, i64);
type Columns = fn(&[i64], &[i64], &[String]) -> Vec<Line>;

/// Orders with special requests do not count. A customer that has no other is `None` in the join. The keys are stored before they are
/// counted: in a loop with nothing else the CPU looks for several of them at once, and does not wait for memory at each.
#[rustfmt::skip]
pub(crate) const KERNEL: Kernel<Columns> = weld!(
    |customer: &[i64], by: &[i64], comment: &[String]| {
        let counted = zip(by, comment)
            .filter(|(_, c)| !c.like("%special%requests%"))
            .map(|(c, _)| c)
            .store();
        let orders = counted.reduce_by(|c| c, |_| 1i64, +);
        let customers = customer.left_join(orders, |c| c).reduce_by(|(_, n)| n.unwrap_or(0), |_| 1i64, +);
        customers.tovec().sort_by_key(|(orders, customers)| (-customers, -orders))
    }
);

pub(crate) const QUERY: Query<Vec<Line>> = Query {
    name: "Q13: customer distribution",
    heads: &["c_count", "custdist"],
    kernel: |t| KERNEL(&t.customer.custkey, &t.orders.custkey, &t.orders.comment),
    by_hand,
    lines: |lines| lines.iter().map(|(orders, n)| vec![orders.to_string(), n.to_string()]).collect(),
    specified: Q13_ANSWER,
};

/// Each thread has a count for each customer, by key.
fn by_hand(t: &Tables<'_>) -> Vec<Line> {
    let (special, requests) = (Finder::new("special"), Finder::new("requests"));
    let is_special = |comment: &[u8]| {
        special.find(comment).is_some_and(|at| requests.find(&comment[at + "special".len()..]).is_some())
    };
    let most = t.customer.custkey.iter().max().map_or(0, |key| *key as usize + 1);
    let piece = t.orders.custkey.len().div_ceil(rayon::current_num_threads()).max(1);
    let of_piece = |(by, comments): (&[i64], &[String])| {
        let mut counts = vec![0u32; most];
        for (&by, comment) in by.iter().zip(comments) {
            if !is_special(comment.as_bytes()) {
                counts[by as usize] += 1;
            }
        }
        counts
    };
    let counts = t.orders.custkey.par_chunks(piece).zip(t.orders.comment.par_chunks(piece)).map(of_piece);
    let counts = counts.reduce_with(|mut a, b| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    });
    let counts = counts.unwrap_or_else(|| vec![0; most]);
    let mut customers = vec![0i64; counts.iter().max().map_or(1, |most| *most as usize + 1)];
    t.customer.custkey.iter().for_each(|&key| customers[counts[key as usize] as usize] += 1);
    let mut lines: Vec<Line> = (0..).zip(customers).filter(|(_, customers)| *customers > 0).collect();
    lines.sort_by_key(|(orders, customers)| (-customers, -orders));
    lines
}
