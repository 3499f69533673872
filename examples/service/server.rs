//! Connections: a formula is a line, and its answer the lines up to one of nothing but a dot.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::formula::{Answer, answer};
use crate::limits::LENGTH;
use crate::table::Table;

/// The line behind an answer.
pub(crate) const END: &str = ".";

/// How long a client may say nothing.
const PATIENCE: Duration = Duration::from_secs(60);

/// Serves so many clients, each on a thread of its own.
pub(crate) fn serve(listener: &TcpListener, table: &Table, clients: usize) {
    thread::scope(|scope| {
        for stream in listener.incoming().take(clients) {
            let Ok(stream) = stream else { continue };
            // A client that goes away is none of the others' business.
            scope.spawn(move || _ = converse(&stream, table));
        }
    });
}

/// Answers the formulas of a client until there are no more.
fn converse(mut stream: &TcpStream, table: &Table) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream);
    loop {
        let mut line = Vec::new();
        // One byte more than is allowed tells that it is too long, however long it is.
        if lines.by_ref().take(LENGTH + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.len() as u64 > LENGTH {
            return write!(stream, "error: a formula has at most {LENGTH} bytes\n{END}\n");
        }
        let begin = Instant::now();
        let answer = match std::str::from_utf8(&line) {
            Ok(text) => answer(text.trim_end(), table, stream),
            Err(error) => Answer::Told(format!("error: a formula is UTF-8: {error}")),
        };
        let time = begin.elapsed();
        match answer {
            Answer::Told(answer) => write!(stream, "{}\n(in {time:.1?})\n{END}\n", answer.trim_end())?,
            Answer::Nobody => {
                println!("A client has gone; its formula was stopped {time:.1?} after it came.");
                return Ok(());
            }
        }
    }
}
