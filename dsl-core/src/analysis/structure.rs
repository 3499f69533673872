//! The structure of a program: how many loops it runs, how many intermediates it writes to memory.

use crate::ir::{Defs, Op, Program, SinkKind, Value};

/// What is left to run.
///
/// ```
/// # use weldment_core::analysis::structure::Structure;
/// # use weldment_core::front::from_text;
/// use weldment_core::passes::{Options, optimize};
/// let mut program = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap().program;
/// assert_eq!(Structure::of(&program), Structure { loops: 2, materialized: 1 });
/// optimize(&mut program, &Options::default())?;
/// assert_eq!(Structure::of(&program), Structure { loops: 1, materialized: 0 });
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// Every `loop` with index variables, and every `for`.
    pub loops: usize,
    /// Collect, bucket and scatter sinks whose value is not part of the result.
    pub materialized: usize,
}

impl Structure {
    /// The structure of `program`.
    ///
    /// ```
    /// # use weldment_core::analysis::structure::Structure;
    /// # use weldment_core::front::from_text;
    /// let map = from_text("|v: &[f64]| v.map(|x| x * x)").unwrap();
    /// // The vector is the result.
    /// assert_eq!(Structure::of(&map.program), Structure { loops: 1, materialized: 0 });
    /// ```
    pub fn of(program: &Program) -> Structure {
        let mut structure = Structure::default();
        let Some(entry) = program.entry else { return structure };
        let part = parts_of_result(program);
        program.for_each_stmt(entry, &mut |stmt| match &stmt.op {
            Op::For { .. } => structure.loops += 1,
            Op::Loop(inner) => {
                structure.loops += usize::from(!inner.extents.is_empty());
                let stored = inner.sinks.iter().zip(&stmt.results).filter(|(decl, result)| {
                    !matches!(decl.kind, SinkKind::Reduce { .. }) && !part.contains(result)
                });
                structure.materialized += stored.count();
            }
            _ => {}
        });
        structure
    }
}

/// The values that the result consists of, through structs, branches, and what is merged into the vectors and
/// dictionaries in it.
fn parts_of_result(program: &Program) -> Vec<Value> {
    let Some(entry) = program.entry else { return Vec::new() };
    let defs = Defs::of(program);
    let mut parts = program.bodies[entry].results.clone();
    let mut next = 0;
    while let Some(&part) = parts.get(next) {
        next += 1;
        let mut add = |value: Value| {
            if !parts.contains(&value) {
                parts.push(value);
            }
        };
        let Some(stmt) = defs.stmt(program, part) else { continue };
        let number = stmt.results.iter().position(|&result| result == part).unwrap_or(0);
        match &stmt.op {
            Op::Struct(values, _) | Op::Vector(values) => values.iter().copied().for_each(add),
            Op::Select(_, x, y) => [*x, *y].into_iter().for_each(add),
            Op::If { then, els, .. } => {
                add(program.bodies[*then].results[number]);
                add(program.bodies[*els].results[number]);
            }
            Op::Loop(inner) => {
                let into = inner.sinks[number].sink;
                program.for_each_stmt(inner.body, &mut |stmt| match &stmt.op {
                    Op::Merge { sink, values } if *sink == into => values.iter().copied().for_each(&mut add),
                    _ => {}
                });
            }
            _ => {}
        }
    }
    parts
}
