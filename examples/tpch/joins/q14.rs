//! Q14, promotion effect: which part of a month's revenue comes from parts that are promoted.

use rayon::prelude::*;
use tpchgen::q_and_a::answers_sf1::Q14_ANSWER;
use weldment::{Kernel, weld};

use super::query::Query;
use super::tables::Tables;

/// The first of September and of October 1995.
const FROM: i32 = 9374;
const TO: i32 = 9404;

type Columns = fn(&[i64], &[String], &[i64], &[f64], &[f64], &[i32]) -> f64;

/// Only of a month's lines the parts are looked up. Both sums come from one loop over the lines.
#[rustfmt::skip]
pub(crate) const KERNEL: Kernel<Columns> = weld!(
    |part: &[i64], ty: &[String], part_of: &[i64], price: &[f64], discount: &[f64], ship: &[i32]| {
        let promoted = zip(part, ty).filter(|(_, t)| t.starts_with("PROMO")).map(|(p, _)| p).index_by(|p| p);
        let (of_promoted, all) = zip(part_of, price, discount, ship)
            .filter(|(_, _, _, s)| s >= FROM && s < TO)
            .left_join(promoted, |(p, _, _, _)| p)
            .map(|((_, p, d, _), promoted)| {
                let revenue = p * (1.0 - d);
                (if promoted.is_some() { revenue } else { 0.0 }, revenue)
            })
            .sum();
        100.0 * of_promoted / all
    }
);

pub(crate) const QUERY: Query<f64> = Query {
    name: "Q14: promotion effect",
    heads: &["promo_revenue"],
    kernel: |t| {
        let (p, l) = (&t.part, t.lineitem);
        KERNEL(&p.partkey, &p.ty, &l.partkey, &l.extendedprice, &l.discount, &l.shipdate)
    },
    by_hand,
    lines: |percent| vec![vec![format!("{percent:.2}")]],
    specified: Q14_ANSWER,
};

/// A bool for each part, by key.
fn by_hand(t: &Tables<'_>) -> f64 {
    const PIECE: usize = 1 << 16;
    let lineitem = t.lineitem;
    let mut is_promoted = vec![false; t.part.partkey.iter().max().map_or(0, |key| *key as usize + 1)];
    for (&key, ty) in t.part.partkey.iter().zip(&t.part.ty) {
        is_promoted[key as usize] = ty.starts_with("PROMO");
    }
    let of_piece = |piece: usize| {
        let mut sums = (0.0, 0.0);
        for row in piece * PIECE..lineitem.shipdate.len().min((piece + 1) * PIECE) {
            if (FROM..TO).contains(&lineitem.shipdate[row]) {
                let revenue = lineitem.extendedprice[row] * (1.0 - lineitem.discount[row]);
                sums.1 += revenue;
                if is_promoted[lineitem.partkey[row] as usize] {
                    sums.0 += revenue;
                }
            }
        }
        sums
    };
    let pieces: Vec<(f64, f64)> =
        (0..lineitem.shipdate.len().div_ceil(PIECE)).into_par_iter().map(of_piece).collect();
    let (promoted, all) = pieces.iter().fold((0.0, 0.0), |sum, piece| (sum.0 + piece.0, sum.1 + piece.1));
    100.0 * promoted / all
}
