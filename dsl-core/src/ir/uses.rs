//! Who reads what: how often each value is read, and each sink is merged into.
//!
//! [`Uses`] is a snapshot: it describes the program at the moment it was taken.

use super::entity::{BodyId, Entity, Sink, Value};
use super::op::{Op, Program};

/// How often each value is read and each sink is merged into.
#[derive(Clone, Debug)]
pub struct Uses {
    values: Vec<u32>,
    sinks: Vec<u32>,
}

impl Uses {
    /// The uses in the whole program.
    pub fn of(program: &Program) -> Uses {
        let mut uses = Uses { values: vec![0; program.values.len()], sinks: vec![0; program.sinks] };
        if let Some(entry) = program.entry {
            uses.add(program, entry);
        }
        uses
    }

    /// The uses in `body` and in the bodies inside it.
    pub fn within(program: &Program, body: BodyId) -> Uses {
        let mut uses = Uses { values: vec![0; program.values.len()], sinks: vec![0; program.sinks] };
        uses.add(program, body);
        uses
    }

    fn add(&mut self, program: &Program, body: BodyId) {
        program.for_each_read(body, &mut |value| self.values[value.index()] += 1);
        program.for_each_stmt(body, &mut |stmt| {
            if let Op::Merge { sink, .. } = stmt.op {
                self.sinks[sink.index()] += 1;
            }
        });
    }

    /// How many operands and body results name `value`.
    pub fn count(&self, value: Value) -> u32 {
        self.values.get(value.index()).copied().unwrap_or(0)
    }

    /// Whether nothing reads `value`.
    pub fn is_unused(&self, value: Value) -> bool {
        self.count(value) == 0
    }

    /// How many merges into `sink` are written (not how many happen).
    pub fn merges(&self, sink: Sink) -> u32 {
        self.sinks.get(sink.index()).copied().unwrap_or(0)
    }
}
