//! Selects the element at one place of a vector that is sorted for it alone, which takes time by its length, and no more.
//!
//! **Preconditions**: the elements are numbers, sorted as they are or the other way round, and nothing but the element is read.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[i64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: i64 = check_index v1, v2
//!   v4: vec[i64] = sort v0 by (v5: i64, v6: i64) {
//!     v7: i32 = order v5, v6
//!     return v7
//!   }
//!   v8: i64 = at v4, v3
//!   return v8
//! }
//! ```
//! ```text
//! program(v0: vec[i64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: i64 = check_index v1, v2
//!   v4: {i64,i64} = ranked v0, v3
//!   v5: i64 = field v4, 0
//!   return v5
//! }
//! ```
//! Floats that are equal may have other bits, and a stable sort keeps them in their order: where the element is a zero or no number, the vector
//! is sorted as it was.
//!
//! **Declines when** the vector is sorted by anything else, or read otherwise; or the element is read in another body, which may run more often.
//!
//! **Order**: after the fixpoint, once: the sort that is left for zeros would be found again.

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};
use weldment_runtime::lang::types::{Scalar, Type};

use super::{Changed, Pass};
use crate::ir::{BodyId, Def, Defs, Loc, Op, Program, Stmt, Uses, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "select-sorted",
    summary: "select the only element that is read of a sorted vector",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let mut found = Vec::new();
        find(program, &Defs::of(program), &Uses::of(program), entry, &mut found);
        let mut changed = Changed::No;
        for element in found {
            if !cx.allows() {
                break;
            }
            let loc = element.apply(program);
            cx.decide("is selected: nothing else is read of what is sorted".to_owned(), loc);
            changed = Changed::Yes;
        }
        changed
    },
};

/// The only element that is read of a sorted vector.
struct Element {
    body: BodyId,
    /// The read.
    element: Value,
    place: Value,
    /// The sort.
    sorted: Value,
    vector: Value,
    descending: bool,
    ty: Scalar,
}

fn find(program: &Program, defs: &Defs, uses: &Uses, body: BodyId, found: &mut Vec<Element>) {
    for stmt in &program.bodies[body].stmts {
        stmt.op.for_each_body(|inner| find(program, defs, uses, inner, found));
        found.extend(Element::of(program, defs, uses, body, stmt));
    }
}

impl Element {
    fn of(program: &Program, defs: &Defs, uses: &Uses, body: BodyId, stmt: &Stmt) -> Option<Element> {
        let Op::At(sorted, place) = stmt.op else { return None };
        let is_here = matches!(defs.def(sorted), Some(Def::Stmt { body: at, .. }) if at == body);
        if !is_here || uses.count(sorted) != 1 {
            return None;
        }
        let &Op::Sort { vector, comparator } = defs.op(program, sorted)? else { return None };
        let comparator = &program.bodies[comparator];
        let (&[a, b], [order]) = (&comparator.params[..], &comparator.stmts[..]) else { return None };
        let &Op::Order(first, second) = &order.op else { return None };
        if order.results != comparator.results {
            return None;
        }
        let descending = match (first, second) {
            _ if (first, second) == (a, b) => false,
            _ if (first, second) == (b, a) => true,
            _ => return None,
        };
        let element = stmt.results[0];
        let ty = program.ty(element).as_scalar().filter(|ty| *ty != Scalar::Bool)?;
        Some(Element { body, element, place, sorted, vector, descending, ty })
    }

    /// Selects it, and says where it is read.
    fn apply(self, program: &mut Program) -> Loc {
        let mut stmts = Vec::new();
        let (mut sort, mut loc) = (None, Loc::NONE);
        for stmt in program.take_stmts(self.body) {
            if stmt.results == [self.sorted] {
                sort = Some(stmt);
            } else if stmt.results == [self.element] {
                loc = stmt.loc;
                let sort = sort.take().expect("it is sorted before it is read");
                self.select(program, sort, stmt, &mut stmts);
            } else {
                stmts.push(stmt);
            }
        }
        program.put_stmts(self.body, stmts);
        loc
    }

    /// Appends what gives the element, in place of `read` of what `sort` gives.
    fn select(&self, program: &mut Program, sort: Stmt, read: Stmt, out: &mut Vec<Stmt>) {
        let loc = read.loc;
        let mut place = self.place;
        if self.descending {
            let len = program.append(Op::Len(self.vector), loc, out);
            let one = program.append(Op::Const(Const::I64(1)), loc, out);
            let last = program.append(Op::Binary(BinaryOp::Sub, len, one), loc, out);
            place = program.append(Op::Binary(BinaryOp::Sub, last, place), loc, out);
        }
        let ranked = program.append(Op::Ranked(self.vector, place), loc, out);
        if !self.ty.is_float() {
            return out.push(Stmt { op: Op::Field(ranked, 0), ..read });
        }
        let number = program.append(Op::Field(ranked, 0), loc, out);
        let zero = program.append_constant(&Type::Scalar(self.ty), |ty| Const::from_i128(ty, 0), loc, out);
        let zero = zero.expect("a float has a zero");
        let is_zero = program.append(Op::Compare(CompareOp::Eq, number, zero), loc, out);
        let is_none = program.append(Op::Compare(CompareOp::Ne, number, number), loc, out);
        let cond = program.append(Op::Binary(BinaryOp::Or, is_zero, is_none), loc, out);
        let element = program.fresh(Type::Scalar(self.ty));
        let again = Stmt { results: vec![element], ..read.clone() };
        let then = program.add_body(Vec::new(), vec![sort, again], vec![element]);
        let els = program.add_body(Vec::new(), Vec::new(), vec![number]);
        out.push(Stmt { op: Op::If { cond, then, els }, ..read });
    }
}
