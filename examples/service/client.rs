//! Two clients: one that asks, and one that does not wait for its answer.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};

use crate::server::END;

/// Formulas, and what has to be in their answers.
const FORMULAS: [(&str, &str); 13] = [
    ("zip(price, quantity, discount).map(|(p, q, d)| p * q as f64 * (1.0 - d)).sum()", "(in "),
    // Once more: it is compiled already.
    ("zip(price, quantity, discount).map(|(p, q, d)| p * q as f64 * (1.0 - d)).sum()", "(in "),
    ("zip(region, price).reduce_by(|(r, _)| r, |(_, p)| p, +)", "north: "),
    ("zip(region, quantity).filter(|(r, q)| r.ends_with(\"th\") && q > 7).count()", "(in "),
    ("price.filter(|p| p > 99.0)", " in all"),
    ("prise.sum() / price.sun()", "did you mean `price`?"),
    ("zip(price, quantity).map(|(p, q)| p * q).sum()", "error[W03"),
    ("zip(price, quantity", "is not closed"),
    ("quantity.map(|q| 100 / (q - 3)).sum()", "fault: division by zero: 100 / 0"),
    ("price.flat_map(|p| discount.map(|d| p * d))", "fault: memory limit"),
    ("price.map(|p| (0..1000000).map(|i| sin(p * i as f64)).sum()).sum()", "stopped: it took too long"),
    ("cudf[system, i64](price.sum())", "foreign functions are not allowed here"),
    ("(price.sum(), quantity)", "this one gives"),
];

/// Sends all formulas, one after the other, and prints them with their answers.
///
/// # Errors
/// The answer that is not as it should be, or what went wrong with the connection.
pub(crate) fn ask(address: SocketAddr) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect(address).map_err(told)?;
    let mut lines = BufReader::new(stream.try_clone().map_err(told)?).lines();
    for (formula, expected) in FORMULAS {
        println!("> {formula}");
        writeln!(stream, "{formula}").map_err(told)?;
        let answer = lines.by_ref().map_while(Result::ok).take_while(|line| line != END);
        let answer = answer.collect::<Vec<_>>().join("\n");
        println!("{answer}\n");
        if !answer.contains(expected) {
            return Err(format!("`{formula}` is not answered by `{expected}`"));
        }
    }
    Ok(())
}

/// Sends a formula that runs without end, and goes away. The server stops it long before its time is up.
pub(crate) fn leave_early(address: SocketAddr) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let formula = "iterate(0.0, |x| (sin(x), x < 2.0))";
    println!("> {formula}");
    let mut stream = TcpStream::connect(address).map_err(told)?;
    writeln!(stream, "{formula}").map_err(told)
}
