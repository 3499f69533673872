//! Each workload in processes of its own. What the ones before have left in the heap changes times by up to a quarter; and in which
//! pages of the machine a process has its tables changes them by up to a fifth, which is why there are several.

use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};

use crate::args::Args;
use crate::table::Row;
use crate::workloads;

/// Runs the workload called `name` in as many processes as `args` say, and gives the rows of all.
///
/// # Errors
/// That it could not be run; why, the process has said on the standard error.
pub(crate) fn ask(args: &Args, name: &str) -> Result<Vec<Row>, String> {
    let failed = |why: &dyn std::fmt::Display| format!("{name}: {why}");
    let program = std::env::current_exe().map_err(|error| failed(&error))?;
    let mut all = Vec::new();
    for _ in 0..args.processes {
        let mut command = Command::new(&program);
        command.args(arguments(args, name)).stderr(Stdio::inherit());
        let output = command.output().map_err(|error| failed(&error))?;
        if !output.status.success() {
            return Err(failed(&"its process has failed"));
        }
        let rows: Vec<Row> = serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))?;
        match all.is_empty() {
            true => all = rows,
            false => all.iter_mut().zip(rows).for_each(|(one, row): (&mut Row, Row)| one.add(row)),
        }
    }
    Ok(all)
}

/// Runs the workload called `name` in this process, and prints its rows.
pub(crate) fn answer(args: &Args, name: &str) -> ExitCode {
    match workloads::run(args, name) {
        Ok(rows) => {
            println!("{}", serde_json::to_string(&rows).expect("rows are texts and numbers"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What makes a process run `name` as `args` say.
fn arguments(args: &Args, name: &str) -> Vec<OsString> {
    let threads: Vec<String> = args.threads.iter().map(usize::to_string).collect();
    let mut all: Vec<OsString> = vec![
        "--alone".into(),
        name.into(),
        "--threads".into(),
        threads.join(",").into(),
        "--scale".into(),
        args.scale.to_string().into(),
        "--rounds".into(),
        args.rounds.to_string().into(),
    ];
    if let Some(python) = &args.peers {
        all.extend(["--peers".into(), python.into()]);
    }
    all
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn the_process_is_told_all_that_it_needs() {
        let args =
            ["benches", "Q6", "--threads", "1,4", "--scale", "0.5", "--rounds", "3", "--peers", "python"];
        let told = Args::parse_from(args);
        let understood =
            Args::parse_from([OsString::from("benches")].into_iter().chain(arguments(&told, "TPC-H Q6")));
        let expected = Args { only: String::new(), alone: Some("TPC-H Q6".to_string()), ..told };
        assert_eq!(format!("{understood:?}"), format!("{expected:?}"));
    }
}
