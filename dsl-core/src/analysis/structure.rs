//! The structure of a program: how many loops it runs, how many intermediates it writes to memory.

use std::collections::{HashMap, HashSet};

use crate::ir::{BodyId, Defs, Keep, Loc, Loop, Merges, Op, Program, SinkDecl, SinkKind, Value};
use crate::report::{Left, Materialized};

/// What is left to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// Every `loop` with index variables, and every `for`.
    pub loops: usize,
    /// Collect, bucket and scatter sinks whose value is not part of the result.
    pub materialized: usize,
}

impl Structure {
    /// The structure of `program`.
    pub fn of(program: &Program) -> Structure {
        let mut structure = Structure::default();
        let Some(entry) = program.entry else { return structure };
        let part = parts_of_result(program);
        program.for_each_stmt(entry, &mut |stmt| match &stmt.op {
            Op::For { .. } => structure.loops += 1,
            Op::Loop(inner) => {
                structure.loops += usize::from(!inner.extents.is_empty());
                structure.materialized += stored_by(program, inner, &stmt.results, &part).count();
            }
            _ => {}
        });
        structure
    }
}

/// The intermediates of `program` and their values, in program order: what it writes to memory that is not part of the result.
pub fn stored(program: &Program) -> Vec<(Value, Materialized<Loc>)> {
    let mut stored = Vec::new();
    let Some(entry) = program.entry else { return stored };
    let part = parts_of_result(program);
    program.for_each_stmt(entry, &mut |stmt| {
        if let Op::Loop(inner) = &stmt.op {
            let decls = stored_by(program, inner, &stmt.results, &part);
            let told = |decl: &SinkDecl| Materialized { what: decl.kind.to_string(), at: decl.loc };
            stored.extend(decls.map(|(decl, result)| (result, told(decl))));
        }
    });
    stored
}

/// The vectors that `program` writes to memory although `inline` says that they are not, and whether each is part of the result.
pub fn inlined(program: &Program) -> Vec<(Materialized<Loc>, bool)> {
    let mut inlined = Vec::new();
    let Some(entry) = program.entry else { return inlined };
    let part = parts_of_result(program);
    program.for_each_stmt(entry, &mut |stmt| {
        let Op::Loop(inner) = &stmt.op else { return };
        for (decl, result) in inner.sinks.iter().zip(&stmt.results) {
            if matches!(decl.kind, SinkKind::Collect { keep: Keep::Inlined, .. }) {
                let told = Materialized { what: decl.kind.to_string(), at: decl.loc };
                inlined.push((told, part.contains(result)));
            }
        }
    });
    inlined
}

/// Every `loop` with index variables and every `for` of `program`, with what it makes, outer before inner.
pub fn loops(program: &Program) -> Vec<(Vec<Value>, Left)> {
    let mut left = Vec::new();
    if let Some(entry) = program.entry {
        loops_in(program, entry, None, &mut left);
    }
    left
}

fn loops_in(program: &Program, body: BodyId, inside: Option<Loc>, left: &mut Vec<(Vec<Value>, Left)>) {
    for stmt in &program.bodies[body].stmts {
        let is_loop = match &stmt.op {
            Op::For { .. } => true,
            Op::Loop(inner) => !inner.extents.is_empty(),
            _ => false,
        };
        if is_loop {
            left.push((stmt.results.clone(), Left { at: stmt.loc, inside }));
        }
        let inside = if is_loop { Some(stmt.loc) } else { inside };
        stmt.op.for_each_body(|inner| loops_in(program, inner, inside, left));
    }
}

/// The first op that reads what the sink at `at` makes other than by an index.
pub fn reader_of(program: &Program, at: Loc) -> Option<Loc> {
    let mut made = Vec::new();
    let entry = program.entry?;
    program.for_each_stmt(entry, &mut |stmt| {
        if let Op::Loop(inner) = &stmt.op {
            let sinks = inner.sinks.iter().zip(&stmt.results).filter(|(decl, _)| decl.loc == at);
            made.extend(sinks.map(|(_, &result)| result));
        }
    });
    let mut reader = None;
    program.for_each_stmt(entry, &mut |stmt| {
        let is_whole = !matches!(stmt.op, Op::At(..) | Op::Len(_) | Op::Struct(..) | Op::Field(..));
        stmt.op.for_each_operand(|value| {
            if is_whole && made.contains(&value) {
                reader.get_or_insert(stmt.loc);
            }
        });
    });
    reader
}

/// The sinks of a loop that are not part of the result. Those that nothing is merged into are empty, and cost no memory.
fn stored_by<'a>(
    program: &'a Program,
    inner: &'a Loop,
    results: &'a [Value],
    part: &'a HashSet<Value>,
) -> impl Iterator<Item = (&'a SinkDecl, Value)> {
    let merges = Merges::of(program, inner);
    let sinks = inner.sinks.iter().zip(results).filter(move |(decl, result)| {
        is_stored(decl, **result, part) && !merges.places(decl.sink).is_empty()
    });
    sinks.map(|(decl, &result)| (decl, result))
}

/// Whether what a sink makes is written to memory though it is not part of the result.
pub(super) fn is_stored(decl: &SinkDecl, result: Value, part: &HashSet<Value>) -> bool {
    !matches!(decl.kind, SinkKind::Reduce { .. }) && !part.contains(&result)
}

/// The values that the result consists of, through structs, branches, and what is merged into the vectors and
/// dictionaries in it.
pub(super) fn parts_of_result(program: &Program) -> HashSet<Value> {
    let Some(entry) = program.entry else { return HashSet::new() };
    let defs = Defs::of(program);
    let mut next = program.bodies[entry].results.clone();
    let mut merges = HashMap::new();
    let mut parts: HashSet<Value> = next.iter().copied().collect();
    while let Some(part) = next.pop() {
        let mut add = |value: Value| {
            if parts.insert(value) {
                next.push(value);
            }
        };
        let Some(stmt) = defs.stmt(program, part) else { continue };
        let number = stmt.results.iter().position(|&result| result == part).unwrap_or(0);
        match &stmt.op {
            Op::Struct(values, _) | Op::Vector(values) => values.iter().copied().for_each(add),
            Op::Select(_, x, y) => [*x, *y].into_iter().for_each(add),
            Op::Shape(vector, _) => add(*vector),
            Op::If { then, els, .. } => {
                add(program.bodies[*then].results[number]);
                add(program.bodies[*els].results[number]);
            }
            Op::Iterate { init, body } => {
                add(init[number]);
                add(program.bodies[*body].results[number]);
            }
            Op::Loop(inner) => {
                let merges = merges.entry(inner.body).or_insert_with(|| Merges::of(program, inner));
                merges.values(inner.sinks[number].sink).iter().copied().for_each(add);
            }
            _ => {}
        }
    }
    parts
}
