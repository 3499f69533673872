//! Shapes of whole loops.

use crate::analysis::equal::{Lengths, places};
use crate::ir::{BodyId, Def, Defs, Loop, Op, Program, Sink, SinkKind, Stmt, Value};

/// A vector made by a loop over `i < n` that merges into it once per iteration, unconditionally: element i is
/// a function of i.
///
/// ```
/// # use weldment_core::extract::*;
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: vec[f64]) {
/// #     v1: i64 = len v0 v2: vec[f64] = loop v3 < v1 {
/// #     sink #0 = collect f64 v4: f64 = at v0, v3 merge #0, v4 } return v2 }").unwrap();
/// # let defs = Defs::of(&program);
/// // v2: vec[f64] = loop v3 < v1 { sink #0 = collect f64   v4: f64 = at v0, v3   merge #0, v4 }
/// let v = Value::from_index;
/// let map = MapLoop::extract(&program, &defs, v(2)).unwrap();
/// assert_eq!((map.index, map.extent, map.value, map.merge), (v(3), v(1), v(4), 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MapLoop {
    /// Where the loop stands: its body and the number of the statement.
    pub place: (BodyId, usize),
    /// The loop's index variable.
    pub index: Value,
    /// The loop's extent.
    pub extent: Value,
    /// The loop's body.
    pub body: BodyId,
    /// The sink.
    pub sink: Sink,
    /// The number of the merge among the statements of the body.
    pub merge: usize,
    /// What is merged.
    pub value: Value,
}

impl MapLoop {
    /// The loop that makes `vector`, if it has this shape.
    ///
    /// ```
    /// # use weldment_core::extract::*;
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: vec[f64]) {
    /// #     v1: i64 = len v0 v2: vec[f64] = loop v3 < v1 {
    /// #     sink #0 = collect f64 v4: f64 = at v0, v3 merge #0, v4 } return v2 }").unwrap();
    /// # let defs = Defs::of(&program);
    /// // v2: vec[f64] = loop v3 < v1 { sink #0 = collect f64   v4: f64 = at v0, v3   merge #0, v4 }
    /// let v = Value::from_index;
    /// assert!(MapLoop::extract(&program, &defs, v(2)).is_some());
    /// assert!(MapLoop::extract(&program, &defs, v(0)).is_none()); // a parameter
    /// ```
    pub fn extract(program: &Program, defs: &Defs, vector: Value) -> Option<MapLoop> {
        let Some(Def::Stmt { body, index, result }) = defs.def(vector) else { return None };
        let Op::Loop(inner) = &program.bodies[body].stmts[index].op else { return None };
        let SinkKind::Collect { .. } = inner.sinks[result].kind else { return None };
        let sink = inner.sinks[result].sink;
        let [extent] = inner.extents[..] else { return None };
        let once = [(inner.body, 1)];
        let is_map = match defs.remembered_merges(program, inner) {
            Some(merges) => merges.places(sink) == once,
            None => places(program, inner.body, sink) == once,
        };
        if !is_map {
            return None;
        }
        let stmts = &program.bodies[inner.body].stmts;
        stmts.iter().enumerate().find_map(|(merge, stmt)| match &stmt.op {
            Op::Merge { sink: into, values } if *into == sink => Some(MapLoop {
                place: (body, index),
                index: program.bodies[inner.body].params[0],
                extent,
                body: inner.body,
                sink,
                merge,
                value: values[0],
            }),
            _ => None,
        })
    }
}

/// A loop that does nothing but copy a whole vector.
///
/// ```
/// # use weldment_core::extract::*;
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: vec[f64]) {
/// #     v1: i64 = len v0 v2: vec[f64] = loop v3 < v1 {
/// #     sink #0 = collect f64 v4: f64 = at v0, v3 merge #0, v4 } return v2 }").unwrap();
/// # let defs = Defs::of(&program);
/// # let stmts = &program.bodies[program.entry.unwrap()].stmts;
/// // v2: vec[f64] = loop v3 < v1 { sink #0 = collect f64   v4: f64 = at v0, v3   merge #0, v4 }
/// let v = Value::from_index;
/// assert_eq!(IdentityLoop::extract(&program, &defs, &stmts[1]), Some(IdentityLoop { vector: v(0) }));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct IdentityLoop {
    /// The vector copied.
    pub vector: Value,
}

impl IdentityLoop {
    /// `loop i < len v { collect at v, i }`: one sink, and no more iterations and no fewer than elements.
    ///
    /// ```
    /// # use weldment_core::extract::*;
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: vec[f64]) {
    /// #     v1: i64 = len v0 v2: vec[f64] = loop v3 < v1 {
    /// #     sink #0 = collect f64 v4: f64 = at v0, v3 merge #0, v4 } return v2 }").unwrap();
    /// # let defs = Defs::of(&program);
    /// # let stmts = &program.bodies[program.entry.unwrap()].stmts;
    /// // v1: i64 = len v0   v2: vec[f64] = loop v3 < v1 { … v4: f64 = at v0, v3   merge #0, v4 }
    /// assert!(IdentityLoop::extract(&program, &defs, &stmts[0]).is_none());
    /// assert!(IdentityLoop::extract(&program, &defs, &stmts[1]).is_some());
    /// ```
    pub fn extract(program: &Program, defs: &Defs, stmt: &Stmt) -> Option<IdentityLoop> {
        let Op::Loop(Loop { extents, body, sinks }) = &stmt.op else { return None };
        let ([extent], [decl]) = (&extents[..], &sinks[..]) else { return None };
        let SinkKind::Collect { .. } = decl.kind else { return None };
        let body = &program.bodies[*body];
        let [at, merge] = &body.stmts[..] else { return None };
        let (Op::At(vector, index), Op::Merge { sink, values }) = (&at.op, &merge.op) else { return None };
        let copies = *sink == decl.sink && values[..] == at.results[..] && *index == body.params[0];
        let lengths = Lengths::new(program, defs);
        let whole = lengths.of_value(*extent) == lengths.of_vector(*vector);
        (copies && whole).then_some(IdentityLoop { vector: *vector })
    }
}
