//! Every path that emitted code names, in one list.
//!
//! All go through the hidden module `__private` of the facade, which is found by the `$crate` that the macro
//! was given: users' types and renamed crates are no concern of emitted code. `__private::rt` is the runtime.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, TokenStreamExt};
use syn::Token;
use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::half::Half;

use super::structs::Structs;

/// The absolute paths of emitted code, and the names of the user's structs.
#[derive(Clone, Debug)]
pub struct Paths {
    root: TokenStream,
    structs: Structs,
}

/// A path of emitted code, which becomes tokens only where it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<'p> {
    root: &'p TokenStream,
    /// What comes behind the root.
    segments: &'static [&'static str],
}

impl ToTokens for Path<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.root.to_tokens(tokens);
        for segment in self.segments {
            <Token![::]>::default().to_tokens(tokens);
            tokens.append(Ident::new(segment, Span::call_site()));
        }
    }
}

macro_rules! paths {
    ($($name:ident: $($path:ident)::+;)*) => {
        impl Paths {
            $(
                pub(super) fn $name(&self) -> Path<'_> {
                    Path { root: &self.root, segments: &["__private", $(stringify!($path)),+] }
                }
            )*
        }
    };
}

paths! {
    arc: Arc;
    boxed: Box;
    clone: Clone;
    array_from_fn: from_fn;
    none: None;
    ok: Ok;
    option: Option;
    primitive: primitive;
    result: Result;
    some: Some;
    vec: Vec;
    zip: zip;

    fault: rt::lang::fault::Fault;

    context: rt::exec::context::Context;
    dispatch: rt::exec::cpu::dispatch;
    prefetch: rt::exec::cpu::prefetch;
    prefetch_element: rt::exec::cpu::prefetch_element;
    prefetch_row: rt::exec::cpu::prefetch_row;

    date: rt::api::time::Date;
    element: rt::api::element::Element;
    fixed: rt::api::fixed::Fixed;
    f16: rt::api::half::f16;
    bf16: rt::api::half::bf16;
    length_of_time: rt::api::time::Span;
    timestamp: rt::api::time::Timestamp;
    cloned: rt::api::structure::Cloned;
    part_type: rt::api::structure::Part;
    plain: rt::api::structure::Plain;

    bound: rt::api::bound::Bound;
    kernel: rt::api::kernel::Kernel;
    kernel_lent: rt::api::param::Lent;
    kernel_info: rt::api::kernel::KernelInfo;
    kernel_own: rt::api::param::Own;
    kernel_slice: rt::api::param::Slice;
    kernel_ref: rt::api::param::Ref;
    kernel_signature: rt::api::kernel::Signature;
    kernel_unwrap: rt::api::kernel::unwrap;
    kernel_view: rt::api::param::View;

    float: rt::lang::num::Float;
    integer: rt::lang::num::Integer;
    number: rt::lang::num::Number;
    select: rt::lang::num::select;

    compare: rt::lang::order::compare;
    compare_op: rt::lang::scalar::CompareOp;
    holds: rt::lang::order::holds;

    half: rt::lang::half;
    checked: rt::ops::checked;
    copy: rt::ops::copy;
    ranked: rt::ops::ranked::ranked;
    strings: rt::store::column::Strings;
    strings_of: rt::store::column::strings_of;
    nullable: rt::store::column::Nullable;
    nullable_of: rt::store::column::nullable_of;
    text: rt::lang::text;
    text_of: rt::lang::text::of;
    text_bytes: rt::key::parts::TextBytes;
    text_part: rt::lang::text::Part;
    text_of_bytes: rt::lang::text::of_bytes;
    string: String;
    deserialize: rt::api::serialize::deserialize;
    serialize: rt::api::serialize::serialize;
    sort: rt::ops::sort::sort;
    span: rt::ops::span::of;
    sort_by_kept_key: rt::ops::sort::sort_by_kept_key;
    sort_by_key_taken: rt::ops::sort::sort_by_key_taken;
    sort_taken: rt::ops::sort::sort_taken;
    sort_by_key: rt::ops::sort::sort_by_key;
    sort_keys: rt::ops::sort::sort_keys;
    show: rt::ops::dbg::show;
    write: rt::ops::write;

    min_max: rt::store::reduce::min_max;
    reduce_lanes: rt::store::reduce::lanes;
    row: rt::store::reduce::row::Row;

    drive_open: rt::exec::drive::open;
    drive_run: rt::exec::drive::run;
    drive_states: rt::exec::drive::states;
    drive_totals: rt::exec::drive::totals;
    plan: rt::exec::drive::Plan;
    task: rt::exec::drive::Task;

    concat: rt::store::vector::growable::concat;
    at_most: rt::store::vector::exact::AtMost;
    columns: rt::store::vector::columns::Columns;
    columns_chunk: rt::store::vector::columns::ColumnsChunk;
    exact: rt::store::vector::exact::Exact;
    fixed_fan_out: rt::store::vector::fixed_fan_out::FixedFanOut;
    extend: rt::store::vector::growable::extend;
    keep: rt::store::vector::growable::keep;
    push: rt::store::vector::growable::push;
    push_block: rt::store::vector::growable::push_block;
    of_any_length: rt::store::vector::growable::of_any_length;
    with_capacity: rt::store::vector::growable::with_capacity;
    part: rt::store::vector::exact::Part;
    ragged: rt::store::vector::ragged::Ragged;
    state: rt::store::vector::state::State;
    ragged_part: rt::store::vector::ragged::Part;

    array: rt::store::array::Array;
    array_rows: rt::store::array::Rows;
    array_view: rt::store::array::ArrayView;
    dict: rt::store::dict::Dict;
    groups: rt::store::table::group::Groups;
    group_tasks: rt::store::table::group::Tasks;
    rounding: rt::store::scatter::Rounding;
    scatter: rt::store::scatter::Scatter;
    scatter_part: rt::store::scatter::Part;
    partitioned_table: rt::store::partition::PartitionedTable;
    segmented: rt::store::partition::Segmented;
    exact_partial: rt::store::partition::Exact;
    last_wins: rt::store::table::last_wins::LastWins;
    shared_partitions: rt::store::partition::SharedPartitions;
    hash_prefetch: rt::store::table::hashed::HashPrefetch;
    table: rt::store::table::hashed::Table;
}

impl Paths {
    /// The paths from the facade on, which `root` names: `$crate`, or `::weldment`.
    pub fn new(root: TokenStream) -> Paths {
        Paths { root, structs: Structs::default() }
    }

    /// The structs that the program knows.
    pub fn structs(&self) -> &Structs {
        &self.structs
    }

    /// The type of dates or of times.
    pub(super) fn temporal(&self, temporal: Temporal) -> Path<'_> {
        match temporal {
            Temporal::Date => self.date(),
            Temporal::Timestamp => self.timestamp(),
            Temporal::Span => self.length_of_time(),
        }
    }

    /// The type of floats of 16 bits.
    pub(super) fn float_of_16_bits(&self, half: Half) -> Path<'_> {
        match half {
            Half::F16 => self.f16(),
            Half::Bf16 => self.bf16(),
        }
    }

    /// These paths, for a program that knows `structs`.
    pub fn with_structs(self, structs: Structs) -> Paths {
        Paths { structs, ..self }
    }
}
