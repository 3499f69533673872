//! Who reads what: how often each value is read, and each sink is merged into.
//!
//! [`Uses`] is a snapshot: it describes the program at the moment it was taken.

use super::entity::{BodyId, Entity, Sink, Value};
use super::op::{Op, Program};

/// How often each value is read and each sink is merged into.
///
/// ```
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: vec[f64]) { v1: i64 = len v0 v2: f64 = loop v3 < v1 {
/// #     sink #0 = reduce + f64 v4: f64 = at v0, v3 merge #0, v4 } return v2 }").unwrap();
/// // v1: i64 = len v0   v2: f64 = loop v3 < v1 { … v4: f64 = at v0, v3   merge #0, v4 }
/// let v = Value::from_index;
/// let uses = Uses::of(&program);
/// assert_eq!((uses.count(v(0)), uses.merges(Sink::from_index(0))), (2, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Uses {
    values: Vec<u32>,
    sinks: Vec<u32>,
}

impl Uses {
    /// The uses in the whole program.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: vec[f64]) { v1: i64 = len v0 v2: f64 = loop v3 < v1 {
    /// #     sink #0 = reduce + f64 v4: f64 = at v0, v3 merge #0, v4 } return v2 }").unwrap();
    /// // v1: i64 = len v0   v2: f64 = loop v3 < v1 { … v4: f64 = at v0, v3   merge #0, v4 }
    /// let v = Value::from_index;
    /// assert_eq!(Uses::of(&program).count(v(0)), 2);
    /// ```
    pub fn of(program: &Program) -> Uses {
        let mut uses = Uses { values: vec![0; program.values.len()], sinks: vec![0; program.sinks] };
        if let Some(entry) = program.entry {
            uses.add(program, entry);
        }
        uses
    }

    /// The uses in `body` and in the bodies inside it.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: vec[f64]) { v1: i64 = len v0 v2: f64 = loop v3 < v1 {
    /// #     sink #0 = reduce + f64 v4: f64 = at v0, v3 merge #0, v4 } return v2 }").unwrap();
    /// # let entry = program.entry.unwrap();
    /// // v1: i64 = len v0   v2: f64 = loop v3 < v1 { … v4: f64 = at v0, v3   merge #0, v4 }
    /// let v = Value::from_index;
    /// let body = program.bodies[entry].stmts[1].op.bodies()[0];
    /// let uses = Uses::within(&program, body);
    /// assert_eq!((uses.count(v(0)), uses.count(v(1))), (1, 0));
    /// ```
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
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: vec[f64]) { v1: i64 = len v0 v2: f64 = loop v3 < v1 {
    /// #     sink #0 = reduce + f64 v4: f64 = at v0, v3 merge #0, v4 } return v2 }").unwrap();
    /// // … return v2
    /// let v = Value::from_index;
    /// assert_eq!(Uses::of(&program).count(v(2)), 1); // results count
    /// ```
    pub fn count(&self, value: Value) -> u32 {
        self.values.get(value.index()).copied().unwrap_or(0)
    }

    /// Whether nothing reads `value`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// let v = Value::from_index;
    /// let program = parse("weldment ir 1 program(v0: i64) { v1: i64 = neg v0 return v0 }").unwrap();
    /// assert!(Uses::of(&program).is_unused(v(1)));
    /// ```
    pub fn is_unused(&self, value: Value) -> bool {
        self.count(value) == 0
    }

    /// How many merges into `sink` are written (not how many happen).
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: vec[f64]) { v1: i64 = len v0 v2: f64 = loop v3 < v1 {
    /// #     sink #0 = reduce + f64 v4: f64 = at v0, v3 merge #0, v4 } return v2 }").unwrap();
    /// // loop v3 < v1 { sink #0 = reduce + f64 … merge #0, v4 }
    /// assert_eq!(Uses::of(&program).merges(Sink::from_index(0)), 1);
    /// ```
    pub fn merges(&self, sink: Sink) -> u32 {
        self.sinks.get(sink.index()).copied().unwrap_or(0)
    }
}
