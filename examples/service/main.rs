//! A service that runs formulas of its users: a client sends the text of one over the columns of a table, and is sent what it comes to, or
//! what is wrong with it, with a caret below the place. Formulas are compiled while the service runs; what they may take is limited.
//!
//! ```sh
//! cargo run --release --example service --features llvm      # compiled by LLVM, see the README
//! cargo run --release --example service --features program   # interpreted: slower, and needs no LLVM
//! cargo run --release --example service --features llvm -- --listen 127.0.0.1:7878
//! ```
//!
//! As it is, it serves two clients of its own, prints what they send and are sent, and ends; the exit code is 1 if an answer is not as it
//! should be. With `--listen` it serves whoever comes, `nc 127.0.0.1 7878` for one.

mod client;
mod formula;
mod limits;
mod server;
mod table;

use std::net::TcpListener;
use std::process::ExitCode;
use std::thread;

use table::{ROWS, Table};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        [] => demonstrate(),
        ["--listen", address] => listen(address),
        _ => Err("there is nothing but `--listen ADDRESS`".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bound(address: &str) -> Result<TcpListener, String> {
    TcpListener::bind(address).map_err(|error| format!("cannot listen at {address}: {error}"))
}

fn listen(address: &str) -> Result<(), String> {
    let listener = bound(address)?;
    let table = Table::of(ROWS);
    println!("{ROWS} rows of {}; a formula is one line, send it to {address}", table::described());
    server::serve(&listener, &table, usize::MAX);
    Ok(())
}

/// Serves two clients, of which the second goes away before it has its answer.
fn demonstrate() -> Result<(), String> {
    let listener = bound("127.0.0.1:0")?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let table = Table::of(ROWS);
    println!("{ROWS} rows of {}\n", table::described());
    thread::scope(|scope| {
        scope.spawn(|| server::serve(&listener, &table, 2));
        let asked = client::ask(address);
        asked.and(client::leave_early(address))
    })
}
