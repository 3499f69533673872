//! From the text of a formula to its answer.

use std::net::TcpStream;

use weldment::{CompileError, CompileOptions, Dict, Element, Executable, FaultKind, Program};

use crate::limits::{Stopped, limited};
use crate::table::{self, Columns, Table};

/// What becomes of a formula.
pub(crate) enum Answer {
    /// What it comes to, or what is wrong with it.
    Told(String),
    /// It was stopped because nobody waits for it.
    Nobody,
}

/// The answer of the formula in `text`. The client is asked whether it still waits.
///
/// The last programs of a process are kept with what they were compiled to, so that a formula that comes again only runs. Foreign
/// functions are refused unless the options name them, and these do not: a formula reads the columns and nothing else.
pub(crate) fn answer(text: &str, table: &Table, client: &TcpStream) -> Answer {
    let refused = |error: CompileError| error.render("formula", text);
    let compiled = Program::parse_body(&table::params(), text)
        .and_then(|program| Ok((program.compile(&CompileOptions::default())?, program)));
    let (compiled, program) = match compiled {
        Ok(compiled) => compiled,
        Err(error) => return Answer::Told(refused(error)),
    };
    let formula = Formula { text, compiled: &compiled, table, client };
    let of_known_type = formula
        .run(|x: &f64| x.to_string())
        .or_else(|| formula.run(|x: &i64| x.to_string()))
        .or_else(|| formula.run(|x: &i32| x.to_string()))
        .or_else(|| formula.run(|x: &bool| x.to_string()))
        .or_else(|| formula.run(|v: &Vec<f64>| listed(v.iter().map(f64::to_string))))
        .or_else(|| formula.run(|v: &Vec<i64>| listed(v.iter().map(i64::to_string))))
        .or_else(|| formula.run(|v: &Vec<String>| listed(v.iter().cloned())))
        .or_else(|| formula.run(|d: &Dict<String, f64>| listed(d.iter().map(|(k, x)| format!("{k}: {x}")))))
        .or_else(|| formula.run(|d: &Dict<String, i64>| listed(d.iter().map(|(k, x)| format!("{k}: {x}")))));
    of_known_type.unwrap_or_else(|| {
        let message =
            "error: a formula gives a number, a bool, several numbers or texts, or a number for each text";
        Answer::Told(format!("{message}\n = note: this one gives `{}`", program.result()))
    })
}

/// A formula that compiles.
struct Formula<'f> {
    text: &'f str,
    compiled: &'f Executable,
    table: &'f Table,
    client: &'f TcpStream,
}

impl Formula<'_> {
    /// The answer, if the result is an `R`.
    fn run<R: Element>(&self, show: impl Fn(&R) -> String) -> Option<Answer> {
        self.compiled.check::<Columns<'_>, R>().ok()?;
        let (result, stopped) =
            limited(self.client, |options| self.compiled.call_with::<_, R>(options, self.table.columns()));
        Some(match (result, stopped) {
            (Ok(result), _) => Answer::Told(show(&result)),
            (Err(fault), Some(Stopped::Gone)) if fault.kind == FaultKind::Cancelled => Answer::Nobody,
            (Err(fault), Some(Stopped::TimeUp)) if fault.kind == FaultKind::Cancelled => {
                Answer::Told("stopped: it took too long".to_owned())
            }
            (Err(fault), _) => Answer::Told(fault.render("formula", self.text)),
        })
    }
}

/// The first of them, and how many there are.
fn listed(all: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 5;
    let count = all.len();
    let mut shown: Vec<String> = all.take(SHOWN).collect();
    if count > SHOWN {
        shown.push(format!("… {count} in all"));
    }
    shown.join(", ")
}
