//! What workloads are run by: which of them runs, on how many threads, and what was measured.

use crate::args::Args;
use crate::clock::Clock;
use crate::contest::Contest;
use crate::measure;
use crate::peers::Peers;
use crate::table::Row;

/// What the workloads hand their contests to.
pub(crate) struct Bench<'a> {
    args: &'a Args,
    /// Which workload runs; while there is none, they are only asked for their names.
    running: Option<&'a str>,
    names: Vec<String>,
    /// The engines of others.
    pub(crate) peers: Peers,
    rows: Vec<Row>,
    errors: Vec<String>,
}

impl<'a> Bench<'a> {
    /// What asks workloads for their names, or runs the one that is `running`.
    pub(crate) fn new(args: &'a Args, running: Option<&'a str>) -> Bench<'a> {
        let peers = Peers { python: args.peers.clone() };
        Bench { args, running, names: Vec::new(), peers, rows: Vec::new(), errors: Vec::new() }
    }

    /// The names of the workloads that the command line chooses.
    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
    }

    /// The rows of the workload that ran.
    ///
    /// # Errors
    /// The contestants that do not agree.
    pub(crate) fn into_rows(self) -> Result<Vec<Row>, String> {
        if self.errors.is_empty() { Ok(self.rows) } else { Err(self.errors.join("\n")) }
    }

    /// `full`, times the scale of this run.
    pub(crate) fn rows(&self, full: usize) -> usize {
        ((full as f64 * self.args.scale) as usize).max(1)
    }

    /// How much of the full input there is.
    pub(crate) fn scale(&self) -> f64 {
        self.args.scale
    }

    /// Whether the workload of this name is to run.
    pub(crate) fn wants(&mut self, name: &str) -> bool {
        if self.running.is_none() && name.contains(&self.args.only) {
            self.names.push(name.to_string());
        }
        self.running == Some(name)
    }

    /// Compares the results of all contestants, and measures them, on each number of threads.
    pub(crate) fn contest(&mut self, contest: &Contest<'_>) {
        for &threads in &self.args.threads {
            eprintln!("{} on {threads} threads", contest.name);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("the threads can be started");
            if let Err(error) = pool.install(|| contest.agree()) {
                self.errors.push(error);
                return;
            }
            if !self.args.check {
                let (clock, rounds) = (Clock::of(threads), self.args.rounds as usize);
                let measured = pool.install(|| measure::measure(contest, clock, rounds));
                self.rows.extend(Row::of(contest, threads, &measured));
            }
        }
    }
}
