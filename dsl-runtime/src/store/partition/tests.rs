//! Tests of the reductions by key.

use super::shared::PARTITION_THRESHOLD;
use super::*;
use crate::exec::options::{Options, Testing};
use crate::store::reduce::lanes::Add;
use crate::store::table::hashed::Table;
use crate::store::table::small::RawSmallTable;

/// Neither associative nor commutative: it shows what is combined in which order.
#[derive(Clone, Copy)]
struct Hash;

impl Combine<u64> for Hash {
    fn combine(self, a: &mut u64, b: u64) {
        *a = a.wrapping_mul(31).rotate_left(7) ^ b;
    }
}

/// The product of two matrices, which does not commute.
#[derive(Clone, Copy)]
struct Multiply;

impl Combine<[u32; 4]> for Multiply {
    fn combine(self, a: &mut [u32; 4], b: [u32; 4]) {
        let [x, y, z, w] = *a;
        let dot = |a: [u32; 2], b: [u32; 2]| a[0].wrapping_mul(b[0]).wrapping_add(a[1].wrapping_mul(b[1]));
        let (left, right) = ([b[0], b[2]], [b[1], b[3]]);
        *a = [dot([x, y], left), dot([x, y], right), dot([z, w], left), dot([z, w], right)];
    }
}

/// Keys in no order, about `distinct` of them.
fn keys(merges: usize, distinct: u64) -> impl Iterator<Item = i64> {
    let mut state = 1u64;
    (0..merges).map(move |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) % distinct) as i64 - 5
    })
}

/// Merges by one table for each segment are the oracle.
fn check_held<V, H>(
    [merges, distinct, segment]: [usize; 3],
    cx: &Context,
    value: impl Fn(usize) -> V,
    combine: impl Combine<V>,
) where
    V: Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static,
    H: Partial<V>,
{
    let shared = SharedPartitions::default();
    let (mut table, mut parts) = (Table::new(None), Table::new(None));
    let mut total: PartitionedTable<i64, V, H> = PartitionedTable::new();
    let mut part = PartitionedTable::beside(&shared);
    let fold = |entry: &mut Option<V>, more: Option<V>| {
        match (entry.as_mut(), more) {
            (Some(value), Some(more)) => combine.combine(value, more),
            (_, more) => *entry = more,
        }
        Ok(())
    };
    for (i, key) in keys(merges, distinct as u64).enumerate() {
        if i > 0 && i % segment == 0 {
            total
                .merge(cx, std::mem::replace(&mut part, PartitionedTable::beside(&shared)), combine)
                .unwrap();
            table.merge(cx, std::mem::replace(&mut parts, Table::new(None)), fold).unwrap();
        }
        part.add(cx, key, value(i), combine).unwrap();
        fold(parts.entry(cx, &key).unwrap(), Some(value(i))).unwrap();
    }
    total.merge(cx, part, combine).unwrap();
    table.merge(cx, parts, fold).unwrap();
    let (dict, expected) = (total.into_dict(cx, combine).unwrap(), table.into_dict());
    assert_eq!(dict.keys(), expected.keys());
    assert!(dict.values().iter().map(Some).eq(expected.values().iter().map(Option::as_ref)));
    assert!(dict.keys().iter().all(|key| dict.get(key) == expected[key].as_ref()));
    assert_eq!(dict.get(&-6), None);
}

/// Sums of floats are those of one table for each segment, whichever keys a segment begins with.
#[test]
fn segments_may_begin_with_the_keys_of_others() {
    let cx = Context::new(&Options::new().memory_limit(1 << 40));
    // Keys that all segments have, that come and go, and that are of one segment each.
    let keys: [&dyn Fn(usize) -> i64; 3] =
        [&|i| (i * i % 23) as i64, &|i| (i % 11 + i / 3000 % 4) as i64, &|i| (i / 20) as i64];
    for (kind, key) in keys.into_iter().enumerate() {
        let shared = SharedPartitions::default();
        let mut expected = Table::new(None);
        let mut total: PartitionedTable<i64, f64, Segmented<f64>> = PartitionedTable::new();
        let value = |i: usize| if i.is_multiple_of(7) { -0.0 } else { 1.0 / i as f64 };
        for segment in (0..30_000).step_by(1000) {
            let (mut next, mut own) = (PartitionedTable::beside(&shared), Table::new(None));
            next.expect(&cx, 1000).unwrap();
            for i in segment..segment + 1000 {
                next.add(&cx, key(i), value(i), Add).unwrap();
                let sum: &mut Option<f64> = own.entry(&cx, &key(i)).unwrap();
                *sum = Some(sum.map_or(value(i), |sum| sum + value(i)));
            }
            let sum = |into: &mut Option<f64>, more: Option<f64>| {
                *into = into.map_or(more, |sum| more.map(|more| sum + more));
                Ok(())
            };
            expected.merge(&cx, own, sum).unwrap();
            total.merge_segment(&cx, next, -0.0, Add).unwrap();
        }
        let (dict, expected) = (total.into_dict(&cx, Add).unwrap(), expected.into_dict());
        assert_eq!(dict.keys(), expected.keys(), "{kind}");
        let bits = |value: &f64| value.to_bits();
        assert!(dict.values().iter().map(bits).eq(expected.values().iter().flatten().map(bits)), "{kind}");
        assert!(shared.take::<RawSmallTable>().is_none(), "what is kept is given back");
    }
}

/// What a segment leaves is of its own types.
#[test]
fn tables_of_other_types_do_not_begin_with_the_keys_of_a_segment() {
    let (cx, shared) = (Context::ambient(), SharedPartitions::default());
    let mut total: PartitionedTable<i64, f64, Segmented<f64>> = PartitionedTable::new();
    for _ in 0..2 {
        let mut next = PartitionedTable::beside(&shared);
        next.expect(cx, 1000).unwrap();
        next.add(cx, 7, 0.5, Add).unwrap();
        total.merge_segment(cx, next, -0.0, Add).unwrap();
    }
    let mut other: PartitionedTable<(u8, bool), u64> = PartitionedTable::beside(&shared);
    other.add(cx, (7, true), 3, Add).unwrap();
    let (keys, values) = other.into_columns(cx, Add).unwrap();
    assert_eq!((keys, values), (vec![(7, true)], vec![3]));
}

/// What makes keys many here.
const FEW: usize = 100;

fn check(merges: usize, distinct: usize, segment: usize) {
    let testing = Testing { partition_threshold: Some(FEW), ..Testing::default() };
    for threads in [1, 3] {
        let cx = Context::new(&Options::new().memory_limit(1 << 40).threads(threads).testing(testing));
        let numbers = [merges, distinct, segment];
        check_held::<_, Segmented<_>>(numbers, &cx, |i| i as u64, Hash);
        check_held::<_, Exact<_>>(numbers, &cx, |i| [1, i as u32, 2, 3], Multiply);
    }
}

#[test]
fn few_keys_and_many_come_to_what_a_table_does() {
    check(1000, 10, 1000);
    check(3 * FEW, FEW / 4, FEW);
    check(if cfg!(miri) { 10 } else { 300 } * FEW, 2 * FEW, 400 * FEW);
}

#[test]
fn segments_of_few_and_of_many_keys_are_joined() {
    check(3 * FEW, 3 * FEW, FEW / 3);
    check(60 * FEW, 60 * FEW, 2 * FEW);
    check(if cfg!(miri) { 20 } else { 200 } * FEW, FEW + FEW / 8, 3 * FEW);
}

#[test]
fn all_keys_may_come_before_most_merges() {
    let cx = Context::ambient();
    let mut sums: PartitionedTable<(f64, bool), u64> = PartitionedTable::new();
    let keys = 2 * PARTITION_THRESHOLD;
    for round in 0..8 {
        for key in 0..keys {
            sums.add(cx, (key as f64, round == 9), 1, Add).unwrap();
        }
    }
    let dict = sums.into_dict(cx, Add).unwrap();
    assert_eq!(dict.len(), keys);
    assert!(dict.iter().enumerate().all(|(i, (key, sum))| key.0 == i as f64 && *sum == 8));
}

#[test]
fn what_does_not_fit_the_memory_limit_is_a_fault() {
    let cx = Context::new(&Options::new().memory_limit(40 * PARTITION_THRESHOLD as u64));
    let mut sums: PartitionedTable<i64, i32> = PartitionedTable::new();
    let mut keys = 0..4 * PARTITION_THRESHOLD as i64;
    let fault = keys.find_map(|key| sums.add(&cx, key, 1, Add).err());
    assert_eq!(fault.unwrap().kind, crate::lang::fault::FaultKind::MemoryLimit);
}

#[test]
fn what_was_counted_is_given_back() {
    for keys in [10, 2 * PARTITION_THRESHOLD as i64] {
        let room =
            16 * keys as usize + crate::store::table::index::Index::room_for(&(0..keys).collect::<Vec<_>>());
        let limit = 1 << 40;
        let cx = Context::new(&Options::new().memory_limit(limit));
        let mut sums: PartitionedTable<i64, i64> = PartitionedTable::new();
        (0..keys).for_each(|key| sums.add(&cx, key, 1, Add).unwrap());
        sums.into_dict(&cx, Add).unwrap();
        assert!(cx.charge(limit as usize - room).is_ok() && cx.charge(1).is_err());
    }
}
