//! How long the compiler takes, phase by phase, and how that grows with the program.
//!
//! ```sh
//! cargo bench -p weldment-codegen                                  # as an optimised macro
//! cargo bench -p weldment-codegen --profile dev                    # as cargo builds macros by default
//! cargo bench -p weldment-codegen -- maps sums                     # some shapes only
//! cargo bench -p weldment-codegen -- maps 10 100                   # of these sizes
//! cargo bench -p weldment-codegen -- kernels                       # expansions of real kernels only
//! ```
//!
//! Times are the least of several runs. The exponent between two sizes is the logarithm of how much longer the larger one
//! takes, to the base of how much larger it is: 1 is linear, 2 quadratic.

mod kernels;
mod phases;
mod shapes;
mod table;

use shapes::SHAPES;

/// The sizes of the programs, in loops.
const SIZES: [usize; 3] = [10, 100, 1000];

fn main() {
    // `cargo bench` passes `--bench`.
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let sizes: Vec<usize> = wanted.iter().filter_map(|wanted| wanted.parse().ok()).collect();
    let names: Vec<String> = wanted.into_iter().filter(|wanted| wanted.parse::<usize>().is_err()).collect();
    let sizes = if sizes.is_empty() { SIZES.to_vec() } else { sizes };
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    weldment_core::guard::on_large_stack(|| {
        for shape in SHAPES.iter().filter(|shape| is_wanted(shape.name)) {
            let measured: Vec<_> =
                sizes.iter().map(|&size| phases::measure(&(shape.program)(size))).collect();
            table::print(&format!("{}: {}", shape.name, shape.summary), &sizes, &measured);
        }
        if is_wanted("kernels") {
            kernels::print();
        }
    });
}
