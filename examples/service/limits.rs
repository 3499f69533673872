//! What a formula may take: memory, time, one thread, and nothing once its client has gone.

use std::net::TcpStream;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use weldment::{Cancel, Options};

use crate::table::ROWS;

/// The longest formula, in bytes: it bounds what compiling takes, which is not stopped once it has begun.
pub(crate) const LENGTH: u64 = 1000;

/// The most memory that a formula may hold, its result included: two numbers for each row.
const MEMORY: u64 = 16 * ROWS as u64;

/// How long a formula may run.
const TIME: Duration = Duration::from_secs(1);

/// How often it is asked whether to go on.
const INTERVAL: Duration = Duration::from_millis(5);

/// Why a formula was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// It has run for too long.
    TimeUp,
    /// Nobody waits for the answer.
    Gone,
}

/// What `run` gives with options that hold a formula to the limits, and whether it was stopped. A run that is cancelled ends soon
/// after, wherever it is: within a loop, a sort, or a merge of tables.
pub(crate) fn limited<R>(client: &TcpStream, run: impl FnOnce(&Options) -> R) -> (R, Option<Stopped>) {
    let cancel = Cancel::new();
    // One thread for each formula, so that one user's leaves cores to the others'.
    let options = Options::new().threads(1).memory_limit(MEMORY).cancel(&cancel);
    let (running, is_running) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watcher = scope.spawn(move || {
            let begin = Instant::now();
            loop {
                if is_running.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Disconnected) {
                    return None;
                }
                let stopped = match begin.elapsed() {
                    time if time > TIME => Stopped::TimeUp,
                    _ if has_gone(client) => Stopped::Gone,
                    _ => continue,
                };
                cancel.cancel();
                return Some(stopped);
            }
        });
        let result = run(&options);
        drop(running);
        (result, watcher.join().expect("watching does not panic"))
    })
}

/// Whether the client has closed its end, be it for writing only: there is nothing more to read then. What it has sent meanwhile stays
/// unread.
fn has_gone(client: &TcpStream) -> bool {
    let peeked = client.set_nonblocking(true).and_then(|()| client.peek(&mut [0]));
    let is_blocking = client.set_nonblocking(false).is_ok();
    match peeked {
        Ok(0) => true,
        Ok(_) => !is_blocking,
        Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
    }
}
