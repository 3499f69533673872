//! The engines of others as contestants, each in a process of its own: `benches/peers/engines.py` runs the queries. ndarray alone is
//! built in, behind a feature.
//!
//! That keeps their builds, which take longer than all of ours, and their threads out of this process; and they still take
//! turns with everybody else.

#[cfg(feature = "ndarray")]
pub(crate) mod array;
mod process;
mod task;

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use crate::clock::Clock;
use crate::contest::{Answer, Contest, Side};

use process::Process;
pub(crate) use task::{Input, Task};

/// Where the engines are.
pub(crate) struct Peers {
    /// A Python that has them; without one nobody takes part.
    pub(crate) python: Option<PathBuf>,
}

/// One engine, and its task. The process is started when it is needed, with as many threads as there are then.
struct Peer<'d, A> {
    engine: &'static str,
    python: PathBuf,
    task: Task<'d>,
    /// Brings the rows, which engines give in an order of their own, into that of the others.
    answer: A,
    process: Mutex<Option<(usize, Process)>>,
}

impl<'d> Contest<'d> {
    /// Lets `engines` take part with `task`, if there is a Python that has them.
    #[must_use]
    pub(crate) fn peers(
        mut self,
        peers: &Peers,
        engines: &[&'static str],
        task: &Task<'d>,
        answer: impl Fn(Answer) -> Answer + Copy + Sync + 'd,
    ) -> Contest<'d> {
        for &engine in peers.python.iter().flat_map(|_| engines) {
            let python = peers.python.clone().expect("there is one");
            let side = Peer { engine, python, task: task.clone(), answer, process: Mutex::new(None) };
            self = self.and(engine, side);
        }
        self
    }
}

impl<A> Peer<'_, A> {
    /// What `work` gives with the process, which has as many threads as the pool that this is called in.
    fn with<R>(&self, work: impl FnOnce(&mut Process) -> Result<R, String>) -> R {
        let threads = rayon::current_num_threads();
        let mut process = self.process.lock().expect("nobody panics with the lock");
        if process.as_ref().is_none_or(|(of, _)| *of != threads) {
            // Two at a time would hold the data twice.
            *process = None;
            let started = Process::start(&self.python, self.engine, threads, &self.task);
            *process = Some((threads, started.unwrap_or_else(|error| panic!("{}: {error}", self.engine))));
        }
        let (_, process) = process.as_mut().expect("it was just started");
        work(process).unwrap_or_else(|error| panic!("{}: {error}", self.engine))
    }
}

impl<A: Fn(Answer) -> Answer> Side for Peer<'_, A> {
    fn time(&self, clock: Clock) -> Duration {
        self.with(|process| process.time(clock))
    }

    fn answer(&self) -> Answer {
        (self.answer)(self.with(Process::answer))
    }

    fn is_here(&self) -> bool {
        false
    }
}
