//! Runs loops of which everything is known, such as those over literals, and puts what they give in their place.
//!
//! `analysis::evaluate` runs them, and folds a sum of floats in the order in which every executor would fold it.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: f64) {
//!   v1: f64 = const 0.1
//!   v2: f64 = const 0.2
//!   v3: f64 = const 0.3
//!   v4: vec[f64] = vector [v1, v2, v3]
//!   v5: i64 = const 3
//!   v6: f64 = loop v7 < v5 {
//!     sink #0 = reduce + f64
//!     v8: f64 = at v4, v7
//!     v9: f64 = mul v8, v8
//!     merge #0, v9
//!   }
//!   v10: f64 = add v6, v0
//!   return v10
//! }
//! ```
//! ```text
//! program(v0: f64) {
//!   v1: f64 = const 0.14
//!   v2: f64 = add v1, v0
//!   return v2
//! }
//! ```
//!
//! **Declines when** the loop reads a parameter, or what is computed from one; calls a foreign function; merges into
//! a loop around; needs a dictionary, or the bytes of a value; faults, so that the fault happens when the program runs; takes many steps or
//! much memory; or gives more than a few numbers, or a vector that is known to be as long as something that is not known, since
//! that may prove indices. A vector of which a loop reads the elements is left to `fuse-vertical`, which need not store it.
//!
//! **Order**: after `fold-constants`, which finds extents; before the passes that would first fuse what is gone then.

use std::collections::HashSet;

use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value;

use super::{Changed, Pass};
use crate::analysis::effects::Effects;
use crate::analysis::equal::{Length, Lengths};
use crate::analysis::evaluate::{Limits, evaluate};
use crate::ir::local::{Replacement, rewrite_to_fixpoint};
use crate::ir::{Def, Defs, Loc, Op, Program, Stmt, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "fold-loops",
    summary: "run loops of which everything is known",
    run: |program, cx| {
        let (mut given, mut indexed) = (HashSet::new(), None);
        Changed::from(rewrite_to_fixpoint(program, |program, defs, stmt| {
            let constants = fold(program, defs, stmt, &mut given, &mut indexed)?;
            cx.allows().then(|| constants.in_place_of(program, stmt))
        }))
    },
};

/// What running a loop may take, and what it reads.
const LIMITS: Limits = Limits { steps: 10_000, bytes: 1 << 20 };

/// How many statements there may be, those in bodies not counted.
const STATEMENTS: usize = 256;

/// How many scalars it may give.
const SCALARS: usize = 64;

/// What a loop gives.
struct Constants(Vec<value::Value>);

/// What a loop gives, if it can be known. What is found to depend on a parameter is added to `given`: it stays so; and `indexed`
/// are the vectors of which something reads elements, once they are known: there will not be more.
fn fold(
    program: &Program,
    defs: &Defs,
    stmt: &Stmt,
    given: &mut HashSet<Value>,
    indexed: &mut Option<HashSet<Value>>,
) -> Option<Constants> {
    let is_loop = match &stmt.op {
        Op::Loop(looped) => !looped.extents.is_empty(),
        Op::Iterate { .. } | Op::Sort { .. } => true,
        _ => false,
    };
    if !is_loop {
        return None;
    }
    let mut known = Known { program, defs, given, stmts: Vec::new(), bound: HashSet::new() };
    known.add(stmt)?;
    let is_pure = known.stmts.iter().all(|stmt| is_pure(program, defs, stmt));
    let indexed = indexed.get_or_insert_with(|| read_by_index(program, defs));
    if !is_pure || stmt.results.iter().any(|made| indexed.contains(made)) || !is_measured(program, defs, stmt)
    {
        return None;
    }
    let is_split = !is_inner(program, defs, stmt);
    Constants::of(evaluate(program, &known.stmts, &stmt.results, is_split, LIMITS)?)
}

/// What a statement needs, and nothing that is known only when the program runs.
struct Known<'a> {
    program: &'a Program,
    defs: &'a Defs,
    /// What depends on a parameter.
    given: &'a mut HashSet<Value>,
    /// Operands before their uses.
    stmts: Vec<&'a Stmt>,
    bound: HashSet<Value>,
}

impl<'a> Known<'a> {
    /// Adds `stmt` and what it needs; `None` if that is too much, or a parameter.
    fn add(&mut self, stmt: &'a Stmt) -> Option<()> {
        let (program, defs) = (self.program, self.defs);
        let inside = stmt.op.bodies();
        let is_inside = |value| {
            let body = defs.body_of(value);
            body.is_some_and(|body| inside.iter().any(|&outer| defs.encloses(outer, body)))
        };
        let mut reads = Vec::new();
        program.for_each_read_of(stmt, &mut |value| reads.push(value));
        for read in reads {
            if self.bound.contains(&read) || is_inside(read) {
                continue;
            }
            if !self.given.contains(&read) {
                match (defs.stmt(program, read), defs.def(read)) {
                    (Some(stmt), _) => _ = self.add(stmt),
                    (None, Some(Def::Param(..))) => _ = self.given.insert(read),
                    (None, _) => {}
                }
            }
            if self.given.contains(&read) {
                self.given.extend(&stmt.results);
            }
            if !self.bound.contains(&read) {
                return None;
            }
        }
        self.bound.extend(&stmt.results);
        self.stmts.push(stmt);
        (self.stmts.len() <= STATEMENTS).then_some(())
    }
}

/// Whether the statement gives the same wherever it runs: nothing in it calls, or merges into what is outside.
fn is_pure(program: &Program, defs: &Defs, stmt: &Stmt) -> bool {
    let effects = Effects::of_stmt(program, defs, stmt);
    !effects.calls && effects.merges.is_empty()
}

/// The vectors of which something reads elements, and those that an `if` chooses such a vector from: that they are made by a loop over
/// several indices may be why the elements are there.
fn read_by_index(program: &Program, defs: &Defs) -> HashSet<Value> {
    let (mut indexed, mut next) = (HashSet::new(), Vec::new());
    if let Some(entry) = program.entry {
        program.for_each_stmt(entry, &mut |stmt| {
            if let Op::At(vector, _) = stmt.op {
                next.push(vector);
            }
        });
    }
    while let Some(vector) = next.pop() {
        if indexed.insert(vector)
            && let Some(Def::Stmt { result, .. }) = defs.def(vector)
            && let Some(&Op::If { then, els, .. }) = defs.op(program, vector)
        {
            next.extend([then, els].map(|branch| program.bodies[branch].results[result]));
        }
    }
    indexed
}

/// Whether the vectors and numbers that `made` binds are as long or as large as a constant says, or as they are themselves.
/// What is as long as something else may be the only proof that an index is in bounds there.
fn is_measured(program: &Program, defs: &Defs, made: &Stmt) -> bool {
    let lengths = Lengths::new(program, defs);
    made.results.iter().all(|&result| {
        let length = match program.ty(result) {
            Type::Vec(_) => lengths.of_vector(result),
            _ => lengths.of_value(result),
        };
        match length {
            Length::Const(_) => true,
            Length::Of(value) | Length::Value(value) => made.results.contains(&value),
        }
    })
}

/// Whether a loop stands where it is not split.
fn is_inner(program: &Program, defs: &Defs, stmt: &Stmt) -> bool {
    let mut body = stmt.results.first().and_then(|&result| defs.body_of(result));
    while let Some((holder, index)) = body.and_then(|body| defs.holder(body)) {
        match program.bodies[holder].stmts[index].op {
            Op::If { .. } | Op::Iterate { .. } => body = Some(holder),
            _ => return true,
        }
    }
    false
}

impl Constants {
    /// These values, if they are few and no dictionaries.
    fn of(values: Vec<value::Value>) -> Option<Constants> {
        let mut scalars = 0;
        for value in &values {
            scalars += count(value)?;
        }
        (scalars <= SCALARS).then_some(Constants(values))
    }

    fn in_place_of(&self, program: &mut Program, stmt: &Stmt) -> Replacement {
        let mut replacement = Replacement { stmts: Vec::new(), values: Vec::new() };
        for (value, &result) in self.0.iter().zip(&stmt.results) {
            let ty = program.ty(result).clone();
            let value = write(program, value, &ty, stmt.loc, &mut replacement.stmts);
            replacement.values.push(value);
        }
        replacement
    }
}

/// The number of scalars in `value`; `None` if it holds a dictionary.
fn count(value: &value::Value) -> Option<usize> {
    match value {
        value::Value::Vec(parts) => parts.iter().map(count).sum(),
        value::Value::Struct(parts) | value::Value::Array(parts) => parts.iter().map(count).sum(),
        value::Value::Dict(_) => None,
        _ => Some(1),
    }
}

/// Writes statements that give `value`, of type `ty`, and tells the value that they bind.
fn write(program: &mut Program, value: &value::Value, ty: &Type, loc: Loc, stmts: &mut Vec<Stmt>) -> Value {
    let op = match (value, ty) {
        (value::Value::Vec(elements), Type::Vec(element)) => {
            Op::Vector(elements.iter().map(|value| write(program, value, element, loc, stmts)).collect())
        }
        (value::Value::Struct(values) | value::Value::Array(values), Type::Struct(fields)) => {
            let fields_and_types = values.iter().zip(fields.iter());
            let written = fields_and_types.map(|(value, ty)| write(program, value, ty, loc, stmts)).collect();
            Op::Struct(written, fields.name().cloned())
        }
        (scalar, _) => Op::Const(scalar.as_const().expect("dictionaries are not folded")),
    };
    let stmt = program.stmt_typed(op, vec![ty.clone()], loc);
    let value = stmt.results[0];
    stmts.push(stmt);
    value
}
