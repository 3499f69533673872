//! What differs between targets: which passes run, and which strategies a store may have.
//!
//! Each flag names the benchmark that keeps it. A target that has none of its own gets all of them off.

/// A target. The default is the plainest code.
///
/// ```
/// use weldment_codegen::imp::Target;
/// assert!(Target::RUST.blocks && !Target::default().blocks);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Straight loops run in blocks of iterations side by side, [`Lanes`](super::Lanes) (`sums`).
    pub blocks: bool,
    /// Reductions of columns run row by row, side by side (`arrays`).
    pub interchange: bool,
    /// Steps that are as many for all iterations of a loop go side by side (`brought`).
    pub lockstep: bool,
    /// Steps that are counted are loops, whose state is in registers (`scans`).
    pub count_steps: bool,
    /// What a row comes to is put into long functions of mathematics for many rows at a time (`brought`).
    pub distribute: bool,
    /// Keys that dictionaries are searched for are looked for some iterations ahead (`joins`).
    pub look_ahead: bool,
    /// Long functions of mathematics that wait for each other run in lanes of their own (`options`).
    pub fission: bool,
    /// Blocks whose angles are all near run in a version for these (`angles`).
    pub near_split: bool,
    /// A loop that only writes one vector is a call of its store (`outputs`).
    pub fill: bool,
    /// Iterations that load the same element of a column are a block of their own: the compiler makes vectors of a loop over such blocks,
    /// and gathers where a block has several elements (`arrays`).
    pub small_blocks: bool,
    /// A loop that only merges into one table is a call of its store (`groups`).
    pub merge_each: bool,
    /// Of the elements of a loop the one that comes first in an order is looked for in blocks that may hold it (`vocabulary`).
    pub skip_blocks: bool,
    /// A loop that only appends the elements of a vector copies them (`vocabulary`).
    pub extend: bool,
    /// Vectors that grow make room once for all iterations of a loop (`filters`).
    pub reserve: bool,
    /// Accumulators for which the order does not matter have as many lanes as a block (`sums`).
    pub widen_exact: bool,
    /// What loops in blocks write is prefetched (`outputs`).
    pub prefetch_written: bool,
    /// Memory of the run that a strip of a loop has taken for itself is given back when the strip ends (`brought`).
    pub scopes: bool,
    /// Tables whose keys and values are few words hold them packed; others are plain hash tables (`groups`).
    pub packed_keys: bool,
    /// Values have owners, and what takes a value moves or clones it.
    pub owned: bool,
    /// Functions are compiled for each level of CPUs.
    pub dispatch: bool,
    /// Rows that are read one by one only lie one after the other (`sparse`).
    pub ragged: bool,
}

impl Target {
    /// Rust, compiled by rustc.
    pub const RUST: Target = Target {
        blocks: true,
        interchange: true,
        lockstep: true,
        count_steps: true,
        distribute: true,
        look_ahead: true,
        fission: true,
        near_split: true,
        fill: true,
        small_blocks: true,
        merge_each: true,
        skip_blocks: true,
        extend: true,
        reserve: false,
        widen_exact: false,
        prefetch_written: false,
        scopes: false,
        packed_keys: false,
        owned: true,
        dispatch: true,
        ragged: true,
    };

    /// LLVM, for the CPU at hand.
    pub const LLVM: Target = Target {
        blocks: true,
        interchange: true,
        lockstep: true,
        count_steps: true,
        distribute: true,
        look_ahead: true,
        fission: false,
        near_split: false,
        fill: false,
        small_blocks: false,
        merge_each: false,
        skip_blocks: true,
        extend: true,
        reserve: true,
        widen_exact: true,
        prefetch_written: true,
        scopes: true,
        packed_keys: true,
        owned: false,
        dispatch: false,
        ragged: false,
    };
}
