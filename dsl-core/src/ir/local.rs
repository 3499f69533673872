//! Local rewriting: each statement by itself, with a view of what its operands are.
//!
//! [`rewrite_stmts`] offers every statement to a rule, outer before inner. What the rule gives replaces the
//! statement as soon as its body has been walked; the values it stands for are substituted everywhere when the
//! walk is over.
//!
//! A rule may also change the bodies that its statement holds; it must then give a replacement. In the rest of
//! the walk nobody finds the old statement by the values it bound.

use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::Type;

use super::defs::Defs;
use super::entity::{BodyId, Value};
use super::op::{Op, Program, Stmt};
use super::rewrite::Subst;

/// What a statement becomes.
///
/// ```
/// # use weldment_core::ir::*;
/// # use weldment_core::ir::local::*;
/// let mut program = parse("weldment ir 1 program(v0: i64) {
///     v1: i64 = neg v0 v2: i64 = neg v1 return v2 }").unwrap();
/// // -(-x) is x.
/// rewrite_stmts(&mut program, |program, defs, stmt| match (&stmt.op, Facts { program, defs }) {
///     (Op::Unary(UnaryOp::Neg, x), facts) => match facts.op(*x)? {
///         Op::Unary(UnaryOp::Neg, inner) => Some(Replacement::values(vec![*inner])),
///         _ => None,
///     },
///     _ => None,
/// });
/// assert_eq!(program.bodies[program.entry.unwrap()].results, [Value::from_index(0)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// Statements in its place.
    pub stmts: Vec<Stmt>,
    /// What stands for each value that it bound.
    pub values: Vec<Value>,
}

impl Replacement {
    /// Values that are bound already, and no statement.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::ir::local::*;
    /// let replacement = Replacement::values(vec![Value::from_index(0)]);
    /// assert!(replacement.stmts.is_empty());
    /// ```
    pub fn values(values: Vec<Value>) -> Replacement {
        Replacement { stmts: Vec::new(), values }
    }

    /// The same results from another op.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::ir::local::*;
    /// let program = parse("weldment ir 1 program(v0: i64) { v1: i64 = sub v0, v0 return v1 }").unwrap();
    /// let stmt = &program.bodies[program.entry.unwrap()].stmts[0];
    /// let replacement = Replacement::op(stmt, Op::Const(Const::I64(0)));
    /// assert_eq!((replacement.stmts[0].loc, replacement.values), (stmt.loc, stmt.results.clone()));
    /// ```
    pub fn op(stmt: &Stmt, op: Op) -> Replacement {
        Replacement::stmt(Stmt { results: stmt.results.clone(), op, loc: stmt.loc })
    }

    /// One statement, whose results stand for the old ones.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::ir::local::*;
    /// let mut program = parse("weldment ir 1 program(v0: i64) { v1: i64 = sub v0, v0 return v1 }").unwrap();
    /// let zero = program.stmt(Op::Const(Const::I64(0)), Loc::NONE);
    /// let replacement = Replacement::stmt(zero.clone());
    /// assert_eq!((&replacement.values, &replacement.stmts[..]), (&zero.results, &[zero.clone()][..]));
    /// ```
    pub fn stmt(stmt: Stmt) -> Replacement {
        Replacement { values: stmt.results.clone(), stmts: vec![stmt] }
    }
}

/// Offers every statement of `program` to `rule`; whether it took any.
///
/// ```
/// # use weldment_core::ir::*;
/// # use weldment_core::ir::local::*;
/// let mut program = parse("weldment ir 1 program(v0: i64) { v1: i64 = sub v0, v0 return v1 }").unwrap();
/// let changed = rewrite_stmts(&mut program, |_, _, stmt| match stmt.op {
///     Op::Binary(BinaryOp::Sub, x, y) if x == y => Some(Replacement::op(stmt, Op::Const(Const::I64(0)))),
///     _ => None,
/// });
/// assert!(changed && program.to_string().contains("v1: i64 = const 0"));
/// ```
pub fn rewrite_stmts(
    program: &mut Program,
    mut rule: impl FnMut(&mut Program, &Defs, &Stmt) -> Option<Replacement>,
) -> bool {
    let Some(entry) = program.entry else { return false };
    let mut walk = Walk {
        defs: Defs::remembering_merges(program),
        rule: &mut rule,
        subst: Subst::new(),
        changed: false,
    };
    walk.body(program, entry);
    program.substitute_everywhere(&walk.subst);
    walk.changed
}

/// Applies `rule` as [`rewrite_stmts`] does, again and again until it applies nowhere. Whether it did at all.
///
/// ```
/// # use weldment_core::ir::*;
/// # use weldment_core::ir::local::*;
/// let mut program = parse("weldment ir 1 program(v0: i64) {
///     v1: i64 = sub v0, v0 v2: i64 = neg v1 return v2 }").unwrap();
/// let changed = rewrite_to_fixpoint(&mut program, |program, defs, stmt| match stmt.op {
///     Op::Binary(BinaryOp::Sub, x, y) if x == y => Some(Replacement::op(stmt, Op::Const(Const::I64(0)))),
///     Op::Unary(UnaryOp::Neg, x) => {
///         (Facts { program, defs }.integer(x) == Some(0)).then(|| Replacement::values(vec![x]))
///     }
///     _ => None,
/// });
/// assert!(changed && !program.to_string().contains("neg")); // what one round made, the next one saw
/// ```
pub fn rewrite_to_fixpoint(
    program: &mut Program,
    mut rule: impl FnMut(&mut Program, &Defs, &Stmt) -> Option<Replacement>,
) -> bool {
    let mut changed = false;
    while rewrite_stmts(program, &mut rule) {
        changed = true;
    }
    changed
}

struct Walk<'a, R> {
    defs: Defs,
    rule: &'a mut R,
    subst: Subst,
    changed: bool,
}

impl<R: FnMut(&mut Program, &Defs, &Stmt) -> Option<Replacement>> Walk<'_, R> {
    fn body(&mut self, program: &mut Program, id: BodyId) {
        let mut stmts = Vec::new();
        let mut changed = false;
        for index in 0..program.bodies[id].stmts.len() {
            let stmt = program.bodies[id].stmts[index].clone();
            if let Some(replacement) = (self.rule)(program, &self.defs, &stmt) {
                debug_assert_eq!(stmt.results.len(), replacement.values.len());
                self.subst.insert_all(&stmt.results, &replacement.values);
                if !stmt.op.bodies().is_empty() {
                    self.defs.forget(&stmt.results);
                }
                let merges = |stmt: &Stmt| stmt.op.holds_bodies() || matches!(stmt.op, Op::Merge { .. });
                if merges(&stmt) || replacement.stmts.iter().any(merges) {
                    self.defs.forget_merges();
                }
                stmts.extend(replacement.stmts);
                changed = true;
            } else {
                stmt.op.for_each_body(|inner| self.body(program, inner));
                stmts.push(stmt);
            }
        }
        if changed {
            // Now, not at the end: a rule may have taken merges out of bodies that stand in `stmts`, and whoever
            // counts them next must find them where they are now.
            program.put_stmts(id, stmts);
            self.changed = true;
        }
    }
}

/// A program and its bindings, as rules look at them.
///
/// ```
/// # use weldment_core::ir::*;
/// # use weldment_core::ir::local::*;
/// # let program = parse("weldment ir 1 program(v0: i64) { v1: i64 = const 7 v2: {i64, i64} = struct {v0, v1}
/// #     v3: vec[i64] = vector [v1, v1] v4: i64 = field v2, 0 return v4 }").unwrap();
/// # let defs = Defs::of(&program);
/// // v1: i64 = const 7   v2: {i64,i64} = struct {v0, v1}   v3: vec[i64] = vector [v1, v1]
/// let v = Value::from_index;
/// let facts = Facts { program: &program, defs: &defs };
/// assert_eq!((facts.integer(v(1)), facts.fields(v(2))), (Some(7), Some(&[v(0), v(1)][..])));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its bindings.
    pub defs: &'a Defs,
}

impl<'a> Facts<'a> {
    /// The op that binds `value`, unless a parameter does.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::ir::local::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = const 7 v2: {i64, i64} = struct {v0, v1}
    /// #     v3: vec[i64] = vector [v1, v1] v4: i64 = field v2, 0 return v4 }").unwrap();
    /// # let defs = Defs::of(&program);
    /// // program(v0: i64) { v1: i64 = const 7 …
    /// let v = Value::from_index;
    /// let facts = Facts { program: &program, defs: &defs };
    /// assert_eq!((facts.op(v(1)), facts.op(v(0))), (Some(&Op::Const(Const::I64(7))), None));
    /// ```
    pub fn op(&self, value: Value) -> Option<&'a Op> {
        self.defs.op(self.program, value)
    }

    /// The type of `value`.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::ir::local::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = const 7 v2: {i64, i64} = struct {v0, v1}
    /// #     v3: vec[i64] = vector [v1, v1] v4: i64 = field v2, 0 return v4 }").unwrap();
    /// # let defs = Defs::of(&program);
    /// // v2: {i64,i64} = struct {v0, v1}
    /// let v = Value::from_index;
    /// assert_eq!(Facts { program: &program, defs: &defs }.ty(v(2)).to_string(), "{i64,i64}");
    /// ```
    pub fn ty(&self, value: Value) -> &'a Type {
        self.program.ty(value)
    }

    /// The constant that `value` is, if it is one.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::ir::local::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = const 7 v2: {i64, i64} = struct {v0, v1}
    /// #     v3: vec[i64] = vector [v1, v1] v4: i64 = field v2, 0 return v4 }").unwrap();
    /// # let defs = Defs::of(&program);
    /// // v1: i64 = const 7
    /// let v = Value::from_index;
    /// assert_eq!(Facts { program: &program, defs: &defs }.constant(v(1)), Some(Const::I64(7)));
    /// ```
    pub fn constant(&self, value: Value) -> Option<Const> {
        match self.op(value)? {
            Op::Const(constant) => Some(*constant),
            _ => None,
        }
    }

    /// The integer (or bool) constant that `value` is, if it is one.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::ir::local::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = const 7 v2: {i64, i64} = struct {v0, v1}
    /// #     v3: vec[i64] = vector [v1, v1] v4: i64 = field v2, 0 return v4 }").unwrap();
    /// # let defs = Defs::of(&program);
    /// // program(v0: i64) { v1: i64 = const 7 …
    /// let v = Value::from_index;
    /// let facts = Facts { program: &program, defs: &defs };
    /// assert_eq!((facts.integer(v(1)), facts.integer(v(0))), (Some(7), None));
    /// ```
    pub fn integer(&self, value: Value) -> Option<i128> {
        self.constant(value)?.as_integer()
    }

    /// The components of `value`, if it was made as a struct.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::ir::local::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = const 7 v2: {i64, i64} = struct {v0, v1}
    /// #     v3: vec[i64] = vector [v1, v1] v4: i64 = field v2, 0 return v4 }").unwrap();
    /// # let defs = Defs::of(&program);
    /// // v2: {i64,i64} = struct {v0, v1}   v4: i64 = field v2, 0
    /// let v = Value::from_index;
    /// assert_eq!(Facts { program: &program, defs: &defs }.fields(v(2)), Some(&[v(0), v(1)][..]));
    /// ```
    pub fn fields(&self, value: Value) -> Option<&'a [Value]> {
        match self.op(value)? {
            Op::Struct(fields, _) => Some(fields),
            _ => None,
        }
    }

    /// The elements of `value`, if it was made as a vector.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::ir::local::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = const 7 v2: {i64, i64} = struct {v0, v1}
    /// #     v3: vec[i64] = vector [v1, v1] v4: i64 = field v2, 0 return v4 }").unwrap();
    /// # let defs = Defs::of(&program);
    /// // v3: vec[i64] = vector [v1, v1]
    /// let v = Value::from_index;
    /// assert_eq!(Facts { program: &program, defs: &defs }.elements(v(3)), Some(&[v(1), v(1)][..]));
    /// ```
    pub fn elements(&self, value: Value) -> Option<&'a [Value]> {
        match self.op(value)? {
            Op::Vector(elements) => Some(elements),
            _ => None,
        }
    }
}
