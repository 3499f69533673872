//! Blurs a picture by one kernel, and by loops beside it: two stencils, one along rows and one along columns.
//!
//! ```sh
//! cargo run --release --example blur
//! cargo run --release --example blur -- photo.png --output blurred.png
//! ```
//!
//! Pictures are PNG, grey or coloured; what is written has as many channels as what was read, of 8 bits. Without one, one of
//! 1920 × 1080 is drawn. Kernel and loops have to give the same bytes; the exit code is 1 if they do not.

mod kernels;
mod picture;
#[path = "../arrays/timed.rs"]
mod timed;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use weldment::{Array, Options};

use kernels::{BLUR, by_hand};
use picture::Picture;
use timed::timed;

/// A blur of five taps, by a kernel and by hand.
#[derive(Parser)]
struct Args {
    /// The picture, a PNG. Samples of 16 bits are rounded to 8. Without it, one is drawn.
    picture: Option<PathBuf>,
    /// Where to write the blurred picture.
    #[arg(short, long, default_value = "blurred.png")]
    output: PathBuf,
    /// Print what becomes of the kernel.
    #[arg(long)]
    explain: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    if args.explain {
        println!("{}", BLUR.explain());
    }
    let picture = match &args.picture {
        Some(path) => std::fs::read(path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| picture::read(&bytes))
            .map_err(|error| format!("{}: {error}", path.display()))?,
        None => picture::drawn(1080, 1920),
    };
    let [rows, columns, channels] = picture.shape();
    println!("{columns} × {rows} pixels, channels: {channels}");

    // Loops and kernel write to the memory of the run before.
    let mut expected = Vec::new();
    let ((), by_hand) = timed(|| by_hand(&picture, &mut expected));
    println!("{:<22} {:>8.2} ms", "by hand", milliseconds(by_hand));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut blurred = Array::default();
    for threads in [1, cores] {
        let options = Options::new().threads(threads);
        let mut fault = None;
        let ((), kernel) = timed(|| {
            fault = BLUR.with(&options).call_into(&mut blurred, &picture).err();
        });
        if let Some(fault) = fault {
            return Err(fault.to_string());
        }
        let (name, ratio) =
            (format!("kernel, threads: {threads}"), kernel.as_secs_f64() / by_hand.as_secs_f64());
        println!("{name:<22} {:>8.2} ms, {ratio:.2} of it", milliseconds(kernel));
        if blurred.as_slice() != expected {
            return Err("kernel and loops by hand differ".to_owned());
        }
    }
    write(&args.output, &blurred)
}

fn write(path: &PathBuf, picture: &Picture) -> Result<(), String> {
    picture::write(picture)
        .and_then(|bytes| std::fs::write(path, bytes).map_err(|error| error.to_string()))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
