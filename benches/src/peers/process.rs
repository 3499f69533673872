//! A process that runs an engine: requests and answers are lines of JSON, columns are files.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::task::{Input, Task};
use crate::clock::Clock;
use crate::contest::{Answer, Column};

pub(super) struct Process {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: TempDir,
}

impl Process {
    /// Starts the engine, and hands it the columns.
    pub(super) fn start(
        python: &Path,
        engine: &str,
        threads: usize,
        task: &Task<'_>,
    ) -> Result<Process, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/engines.py");
        let mut command = Command::new(python);
        command.arg(script).arg(engine).arg(threads.to_string());
        // Threads of NumPy's that have nothing to do would turn round for so long that whose turn comes next has no core for
        // its own. So many processor cycles as the binary logarithm, of which this is the least.
        command.env("OPENBLAS_THREAD_TIMEOUT", "4");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", python.display()))?;
        let requests = child.stdin.take().expect("it is piped");
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        let folder = TempDir::new().map_err(|error| error.to_string())?;
        let mut process = Process { child, requests, answers, folder };
        let mut columns = Map::new();
        for (name, input) in &task.columns {
            let path = process.folder.path().join(name);
            let ty = write(*input, &path).map_err(|error| format!("{}: {error}", path.display()))?;
            columns.insert((*name).to_string(), json!({ "type": ty, "path": path }));
        }
        let given: Map<String, Value> =
            task.given.iter().map(|(name, number)| ((*name).to_string(), json!(number))).collect();
        process.ask(&json!({ "load": columns, "query": task.query, "with": given }))?;
        for (name, _) in &task.columns {
            let _ = std::fs::remove_file(process.folder.path().join(name));
        }
        Ok(process)
    }

    /// The time of one run.
    pub(super) fn time(&mut self, clock: Clock) -> Result<Duration, String> {
        let clock = match clock {
            Clock::Cpu => "cpu",
            Clock::Wall => "wall",
        };
        let answer = self.ask(&json!({ "time": clock }))?;
        let seconds = answer["seconds"].as_f64().ok_or("there are no seconds in the answer")?;
        Ok(Duration::from_secs_f64(seconds))
    }

    /// The columns of the result.
    pub(super) fn answer(&mut self) -> Result<Answer, String> {
        let answer = self.ask(&json!({ "answer": self.folder.path() }))?;
        let columns = answer["columns"].as_array().ok_or("there are no columns in the answer")?;
        columns.iter().map(|column| read(&column[0], &column[1])).collect()
    }

    fn ask(&mut self, request: &Value) -> Result<Value, String> {
        let mut line = String::new();
        let asked = writeln!(self.requests, "{request}").and_then(|()| self.requests.flush());
        asked.and_then(|()| self.answers.read_line(&mut line)).map_err(|error| error.to_string())?;
        // Why it ended, it has said on the standard error.
        serde_json::from_str(&line).map_err(|_| "the engine has ended".to_string())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has nothing to finish.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes a column, and gives the type as NumPy calls it.
fn write(input: Input<'_>, path: &Path) -> std::io::Result<&'static str> {
    let mut file = BufWriter::new(File::create(path)?);
    let ty = match input {
        Input::U8(column) => file.write_all(column).map(|()| "u1"),
        Input::I32(column) => column.iter().try_for_each(|x| file.write_all(&x.to_le_bytes())).map(|()| "i4"),
        Input::I64(column) => column.iter().try_for_each(|x| file.write_all(&x.to_le_bytes())).map(|()| "i8"),
        Input::F64(column) => column.iter().try_for_each(|x| file.write_all(&x.to_le_bytes())).map(|()| "f8"),
    }?;
    file.flush()?;
    Ok(ty)
}

/// Reads a column of a result, and removes its file.
fn read(ty: &Value, path: &Value) -> Result<Column, String> {
    let path = PathBuf::from(path.as_str().ok_or("a column has no path")?);
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let _ = std::fs::remove_file(&path);
    let (numbers, _) = bytes.as_chunks::<8>();
    match ty.as_str() {
        Some("f8") => Ok(Column::Floats(numbers.iter().map(|x| f64::from_le_bytes(*x)).collect())),
        Some("i8") => Ok(Column::Integers(numbers.iter().map(|x| i64::from_le_bytes(*x)).collect())),
        _ => Err(format!("a column is of the unknown type {ty}")),
    }
}
