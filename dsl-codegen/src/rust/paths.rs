//! Every path that emitted code names, in one list.
//!
//! All go through the hidden module `__private` of the facade, which is found by the `$crate` that the macro
//! was given: users' types and renamed crates are no concern of emitted code. `__private::rt` is the runtime.

use proc_macro2::TokenStream;
use quote::quote;

use super::structs::Structs;

/// The absolute paths of emitted code, and the names of the user's structs.
///
/// ```
/// # use weldment_codegen::{loops, rust::*};
/// # use weldment_core::front::from_text;
/// # let lowered = from_text("|x: i64| x + 1").unwrap();
/// # let loops = loops::build(&lowered.program, &loops::Options::default());
/// // |x: i64| x + 1
/// let run = function(&loops, &lowered.positions, &Paths::new("::renamed".parse().unwrap())).unwrap();
/// let run: String = run.to_string().split_whitespace().collect();
/// assert!(run.contains("::renamed::__private::rt::context::Context"));
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    root: TokenStream,
    structs: Structs,
}

macro_rules! paths {
    ($($name:ident: $($path:ident)::+;)*) => {
        impl Paths {
            $(
                pub(super) fn $name(&self) -> TokenStream {
                    let root = &self.root;
                    quote!(#root::__private::$($path)::+)
                }
            )*
        }
    };
}

paths! {
    clone: Clone;
    from_fn: from_fn;
    none: None;
    ok: Ok;
    option: Option;
    primitive: primitive;
    result: Result;
    some: Some;
    vec: Vec;
    zip: zip;

    fault: rt::fault::Fault;

    context: rt::context::Context;
    dispatch: rt::cpu::dispatch;
    prefetch: rt::cpu::prefetch;
    prefetch_element: rt::cpu::prefetch_element;
    prefetch_row: rt::cpu::prefetch_row;

    element: rt::element::Element;
    cloned: rt::structure::Cloned;
    part_type: rt::structure::Part;
    plain: rt::structure::Plain;

    kernel: rt::kernel::Kernel;
    kernel_info: rt::kernel::KernelInfo;
    kernel_own: rt::kernel::Own;
    kernel_ref: rt::kernel::Ref;
    kernel_signature: rt::kernel::Signature;
    kernel_unwrap: rt::kernel::unwrap;

    float: rt::num::Float;
    integer: rt::num::Integer;
    number: rt::num::Number;
    select: rt::num::select;

    compare: rt::order::compare;
    compare_op: rt::scalar::CompareOp;
    holds: rt::order::holds;

    checked: rt::checked;
    copy: rt::copy;
    deserialize: rt::bytes::deserialize;
    serialize: rt::bytes::serialize;
    sort: rt::sort::sort;
    sort_by_key: rt::sort::sort_by_key;

    extremes: rt::extremes;
    fold: rt::fold;

    drive_open: rt::drive::open;
    drive_run: rt::drive::run;
    drive_states: rt::drive::states;
    drive_totals: rt::drive::totals;
    plan: rt::drive::Plan;
    unit: rt::drive::Unit;

    concat: rt::builders::collect::concat;
    at_most: rt::builders::places::AtMost;
    exact: rt::builders::places::Exact;
    several: rt::builders::several::Several;
    keep: rt::builders::collect::keep;
    push: rt::builders::collect::push;
    push_block: rt::builders::collect::push_block;
    of_any_length: rt::builders::collect::of_any_length;
    with_capacity: rt::builders::collect::with_capacity;
    part: rt::builders::places::Part;
    rows: rt::builders::rows::Rows;
    rows_part: rt::builders::rows::Part;

    dict: rt::dict::Dict;
    groups: rt::builders::group::Groups;
    group_units: rt::builders::group::Units;
    rounding: rt::builders::scatter::Rounding;
    scatter: rt::builders::scatter::Scatter;
    scatter_part: rt::builders::scatter::Part;
    buckets: rt::builders::buckets::Buckets;
    by_segment: rt::builders::buckets::BySegment;
    exactly: rt::builders::buckets::Exactly;
    latest: rt::builders::latest::Latest;
    many: rt::builders::buckets::Many;
    keys_ahead: rt::builders::table::KeysAhead;
    table: rt::builders::table::Table;
}

impl Paths {
    /// The paths from the facade on, which `root` names: `$crate`, or `::weldment`.
    ///
    /// ```
    /// # use weldment_codegen::{loops, rust::*};
    /// # use weldment_core::front::from_text;
    /// # let lowered = from_text("|x: i64| x + 1").unwrap();
    /// # let loops = loops::build(&lowered.program, &loops::Options::default());
    /// // |x: i64| x + 1
    /// let paths = Paths::new("$crate".parse().unwrap()); // as the facade's own macro does
    /// assert!(function(&loops, &lowered.positions, &paths).is_ok());
    /// ```
    pub fn new(root: TokenStream) -> Paths {
        Paths { root, structs: Structs::default() }
    }

    /// The structs that the program knows.
    pub fn structs(&self) -> &Structs {
        &self.structs
    }

    /// These paths, for a program that knows `structs`.
    pub fn with_structs(self, structs: Structs) -> Paths {
        Paths { structs, ..self }
    }
}
