//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Workloads by kernels, by LLVM and by hand.
#[derive(Debug, Parser)]
pub struct Args {
    /// Run only the workloads whose name contains this.
    #[arg(default_value = "")]
    pub only: String,
    /// The numbers of threads.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2])]
    pub threads: Vec<usize>,
    /// How much of the full input there is.
    #[arg(long, default_value_t = 1.0, value_parser = scale)]
    pub scale: f64,
    /// How many processes run each workload, one after the other.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub processes: u32,
    /// How many rounds count in each process.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Compare the results, and measure nothing.
    #[arg(long)]
    pub check: bool,
    /// Let polars, DuckDB, DataFusion, NumPy and numba take part, which this Python has: see benches/README.md.
    #[arg(long, value_name = "PYTHON")]
    pub peers: Option<PathBuf>,
    /// Print the table for a document.
    #[arg(long)]
    pub markdown: bool,
    /// Run the workload of just this name in this process, and print its rows as JSON: how the others are run.
    #[arg(long, value_name = "WORKLOAD", hide = true)]
    pub alone: Option<String>,
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if scale > 0.0 && scale <= 10.0 => Ok(scale),
        _ => Err("the scale is a number above 0, and 10 at most".to_string()),
    }
}
