//! The guide in `docs`, as tests. Its examples in Rust are the doctests of this package; what else the chapters show is read
//! by means of [`blocks`] and [`chapters`], and compared with what happens.

pub mod blocks;
pub mod chapters;

/// A chapter whose examples in Rust are run.
macro_rules! examples {
    ($($name:ident $file:literal;)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../../docs/src/", $file))]
            mod $name {}
        )*

        /// The chapters with examples in Rust, as paths from `docs/src`.
        pub const IN_RUST: &[&str] = &[$($file),*];
    };
}

examples! {
    introduction "introduction.md";
    start "tutorial/start.md";
    orders "tutorial/orders.md";
    grids "tutorial/arrays.md";
    mistakes "tutorial/mistakes.md";
    habits "tutorial/habits.md";
    loops "tutorial/loops.md";
    running "tutorial/running.md";
    text "tutorial/text.md";
    weld "weld.md";
    types "reference/types.md";
    options "reference/options.md";
    texts "reference/texts.md";
    times "reference/times.md";
    fixed "reference/fixed.md";
    arrays "reference/arrays.md";
    kernels "reference/kernels.md";
    bytes "reference/bytes.md";
    faults "reference/faults.md";
    items "reference/items.md";
    explain "explain.md";
    performance "performance.md";
    executor "executor.md";
    staging "staging.md";
}
