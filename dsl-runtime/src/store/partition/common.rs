//! The tables of most kernels, which are compiled here and not with each of them.
//!
//! Of a function that is not in line, rustc takes the instance that a dependency has. So what a merge seldom comes to is not in line, and
//! has its instances here: a kernel brings the loop over its rows alone.

use super::radix::RadixPartitions;
use super::slab::Slab;
use super::write_combining::Row;
use super::{Combine, Context, Dict, Exact, Fault, Key, Partial, PartitionedTable, Segmented};
use crate::store::reduce::lanes::{Add, Max, Min};

type Table<K, V, H> = PartitionedTable<K, V, H>;

/// What is called of a table, but not for each merge.
#[expect(dead_code, reason = "who calls them names them; here they are made")]
#[expect(clippy::type_complexity, reason = "they are what the functions have")]
struct Instances<K: Copy, V: Copy, H: Copy, C> {
    insert: fn(&mut Table<K, V, H>, &Context, usize, K, V, C) -> Result<(), Fault>,
    make_room: fn(&mut RadixPartitions<K, V, H>, &Context, usize, C) -> Result<Slab<Row<K, V>>, Fault>,
    expect: fn(&mut Table<K, V, H>, &Context, usize) -> Result<(), Fault>,
    merge: fn(&mut Table<K, V, H>, &Context, Table<K, V, H>, C) -> Result<(), Fault>,
    merge_segment: fn(&mut Table<K, V, H>, &Context, Table<K, V, H>, V, C) -> Result<(), Fault>,
    into_dict: fn(Table<K, V, H>, &Context, C) -> Result<Dict<K, V>, Fault>,
}

impl<K, V, H, C> Instances<K, V, H, C>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Partial<V>,
    C: Combine<V>,
{
    const fn new() -> Instances<K, V, H, C> {
        Instances {
            insert: PartitionedTable::insert,
            make_room: RadixPartitions::make_room,
            expect: PartitionedTable::expect,
            merge: PartitionedTable::merge,
            merge_segment: PartitionedTable::merge_segment,
            into_dict: PartitionedTable::into_dict,
        }
    }
}

#[used]
static COUNTS: Instances<i64, i64, Exact<i64>, Add> = Instances::new();

#[used]
static SUMS: Instances<i64, f64, Segmented<f64>, Add> = Instances::new();

#[used]
static PAIR_COUNTS: Instances<(i64, i64), i64, Exact<i64>, Add> = Instances::new();

#[used]
static PAIR_SUMS: Instances<(i64, i64), f64, Segmented<f64>, Add> = Instances::new();

#[used]
static LEAST: Instances<i64, f64, Exact<f64>, Min> = Instances::new();

#[used]
static GREATEST: Instances<i64, f64, Exact<f64>, Max> = Instances::new();
