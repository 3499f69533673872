//! Shapes of whole loops.

use crate::analysis::equal::{Lengths, places};
use crate::ir::{BodyId, Def, Defs, Keep, Loop, Op, Program, Sink, SinkKind, Stmt, Value};

/// A vector made by a loop over `i < n` that merges into it once per iteration, unconditionally: element i is
/// a function of i. Over several extents it is the elements of an array, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct MapLoop {
    /// Where the loop stands: its body and the number of the statement.
    pub place: (BodyId, usize),
    /// The loop's index variables.
    pub indices: Vec<Value>,
    /// The loop's extents.
    pub extents: Vec<Value>,
    /// The loop's body.
    pub body: BodyId,
    /// The sink.
    pub sink: Sink,
    /// The number of the merge among the statements of the body.
    pub merge: usize,
    /// What is merged.
    pub value: Value,
    /// Whether the vector is to be written to memory.
    pub keep: Keep,
}

impl MapLoop {
    /// The loop over one extent that makes `vector`, if it has this shape.
    pub fn extract(program: &Program, defs: &Defs, vector: Value) -> Option<MapLoop> {
        MapLoop::of_points(program, defs, vector).filter(|map| map.extents.len() == 1)
    }

    /// The loop that makes `vector`, if it has this shape.
    pub fn of_points(program: &Program, defs: &Defs, vector: Value) -> Option<MapLoop> {
        let Some(Def::Stmt { body, index, result }) = defs.def(vector) else { return None };
        let Op::Loop(inner) = &program.bodies[body].stmts[index].op else { return None };
        let SinkKind::Collect { keep, .. } = inner.sinks[result].kind else { return None };
        let sink = inner.sinks[result].sink;
        if inner.extents.is_empty() {
            return None;
        }
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
                indices: program.bodies[inner.body].params.clone(),
                extents: inner.extents.clone(),
                body: inner.body,
                sink,
                merge,
                value: values[0],
                keep,
            }),
            _ => None,
        })
    }
}

/// A loop that does nothing but copy a whole vector.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentityLoop {
    /// The vector copied.
    pub vector: Value,
}

impl IdentityLoop {
    /// `loop i < len v { collect at v, i }`: one sink, and no more iterations and no fewer than elements.
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
