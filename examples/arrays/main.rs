//! Programs over arrays, each beside a plain loop: sweeps over grids, a multigrid cycle, matrices, the Game of Life, limited
//! diffusion, tridiagonal systems on columns, and sums over the edges of a mesh.
//!
//! ```sh
//! cargo run --release --example arrays
//! cargo run --release --example arrays -- --size 512 --threads 1
//! ```
//!
//! Kernel and loop have to give the same bits; the exit code is 1 if they do not. The loops are written to be read: those of `benches`
//! are as fast as can be.

mod columns;
mod compared;
mod diffusion;
mod life;
mod matrices;
mod mesh;
mod multigrid;
mod sweeps;
mod timed;

use std::process::ExitCode;

use clap::Parser;

use compared::Compared;

/// Programs over arrays beside loops by hand.
#[derive(Parser)]
struct Args {
    /// The extent of each axis of a grid.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(8..=8192))]
    size: u32,
    /// The number of threads; 0 is one per core. The loops by hand always run on one.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(args.threads).build() {
        Ok(pool) => pool,
        Err(error) => {
            eprintln!("error: cannot start {} threads: {error}", args.threads);
            return ExitCode::FAILURE;
        }
    };
    let size = args.size as usize;
    let programs: [fn(usize) -> Vec<Compared>; 7] =
        [sweeps::run, multigrid::run, matrices::run, life::run, diffusion::run, columns::run, mesh::run];
    // Kernels run on the pool that they are called in.
    let all: Vec<Compared> = pool.install(|| programs.iter().flat_map(|run| run(size)).collect());
    println!("{:<44} {:>10} {:>10} {:>7}", "program", "kernel", "by hand", "ratio");
    all.iter().for_each(|compared| println!("{compared}"));
    if all.iter().all(|compared| compared.is_equal) {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: a kernel and the loop by hand differ");
    ExitCode::FAILURE
}
