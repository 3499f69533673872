//! Q16, parts and suppliers: how many suppliers offer the parts of a brand, a type and a size, without those that were complained of.

use std::collections::HashMap;

use memchr::memmem::Finder;
use tpchgen::q_and_a::answers_sf1::Q16_ANSWER;
use weldment::{Kernel, weld};

use super::query::Query;
use super::tables::Tables;

/// The brand, the type and the size of parts, and how many offer them.
type Line = ((String, String, i32), i64);
type Columns = fn(&[i64], &[String], &[String], &[i32], &[i64], &[i64], &[i64], &[String]) -> Vec<Line>;

/// Kinds of parts are numbered, so that texts are looked at once for each part, and offers are pairs of numbers.
#[rustfmt::skip]
pub(crate) const KERNEL: Kernel<Columns> = weld!(
    |part: &[i64], brand: &[String], ty: &[String], size: &[i32], offered: &[i64], offered_by: &[i64],
     supplier: &[i64], comment: &[String]| {
        let complained_of = zip(supplier, comment)
            .filter(|(_, c)| c.like("%Customer%Complaints%"))
            .map(|(s, _)| s)
            .index_by(|s| s);
        let wanted = zip(part, brand, ty, size)
            .filter(|(_, b, t, s)| {
                let is_wanted = match s { 3 | 9 | 14 | 19 | 23 | 36 | 45 | 49 => true, _ => false };
                is_wanted && b != "Brand#45" && !t.starts_with("MEDIUM POLISHED")
            })
            .map(|(p, b, t, s)| (p, (b, t, s)));
        let (numbers, kinds) = wanted.map(|(_, kind)| kind).encode();
        let kind_of = zip(wanted.map(|(p, _)| p), numbers).to_dict();
        let counts = zip(offered, offered_by)
            .anti_join(complained_of, |(_, s)| s)
            .join(kind_of, |(p, _)| p)
            .map(|((_, s), kind)| (kind, s))
            .distinct()
            .reduce_by(|(kind, _)| kind, |_| 1i64, +);
        counts.tovec().map(|(kind, n)| (kinds[kind], n)).sort_by_key(|((b, t, s), n)| (-n, b, t, s))
    }
);

pub(crate) const QUERY: Query<Vec<Line>> = Query {
    name: "Q16: parts and suppliers",
    heads: &["p_brand", "p_type", "p_size", "supplier_cnt"],
    kernel: |t| {
        let (p, o, s) = (&t.part, &t.partsupp, &t.supplier);
        KERNEL(&p.partkey, &p.brand, &p.ty, &p.size, &o.partkey, &o.suppkey, &s.suppkey, &s.comment)
    },
    by_hand,
    lines: |lines| {
        let line =
            |((brand, ty, size), n): &Line| vec![brand.clone(), ty.clone(), size.to_string(), n.to_string()];
        lines.iter().map(line).collect()
    },
    specified: Q16_ANSWER,
};

/// In the same steps; what is known of a part or a supplier stands in a table by key.
fn by_hand(t: &Tables<'_>) -> Vec<Line> {
    const NONE: u32 = u32::MAX;
    const SIZES: [i32; 8] = [3, 9, 14, 19, 23, 36, 45, 49];
    let most = |keys: &[i64]| keys.iter().max().map_or(0, |key| *key as usize + 1);
    let (customer, complaints) = (Finder::new("Customer"), Finder::new("Complaints"));
    let mut is_complained_of = vec![false; most(&t.supplier.suppkey)];
    for (&key, comment) in t.supplier.suppkey.iter().zip(&t.supplier.comment) {
        let behind = customer.find(comment.as_bytes()).map(|at| &comment.as_bytes()[at + "Customer".len()..]);
        is_complained_of[key as usize] = behind.is_some_and(|rest| complaints.find(rest).is_some());
    }
    let mut numbers = HashMap::new();
    let mut kinds = Vec::new();
    let mut kind_of = vec![NONE; most(&t.part.partkey)];
    for (row, &key) in t.part.partkey.iter().enumerate() {
        let (brand, ty, size) = (t.part.brand[row].as_str(), t.part.ty[row].as_str(), t.part.size[row]);
        if SIZES.contains(&size) && brand != "Brand#45" && !ty.starts_with("MEDIUM POLISHED") {
            kind_of[key as usize] = *numbers.entry((brand, ty, size)).or_insert_with(|| {
                kinds.push((brand, ty, size));
                kinds.len() as u32 - 1
            });
        }
    }
    let offers = t.partsupp.partkey.iter().zip(&t.partsupp.suppkey);
    let offers =
        offers.filter(|(part, by)| kind_of[**part as usize] != NONE && !is_complained_of[**by as usize]);
    let mut offers: Vec<(u32, u32)> =
        offers.map(|(part, by)| (kind_of[*part as usize], *by as u32)).collect();
    offers.sort_unstable();
    offers.dedup();
    let mut counts = vec![0i64; kinds.len()];
    offers.iter().for_each(|(kind, _)| counts[*kind as usize] += 1);
    let mut lines: Vec<_> = kinds.into_iter().zip(counts).filter(|(_, count)| *count > 0).collect();
    lines.sort_unstable_by_key(|(kind, count)| (-count, *kind));
    let owned = |((brand, ty, size), count): ((&str, &str, i32), i64)| {
        ((brand.to_owned(), ty.to_owned(), size), count)
    };
    lines.into_iter().map(owned).collect()
}
