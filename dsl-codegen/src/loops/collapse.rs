//! Coalescing: the last two indices of a loop over points, of which nothing is asked but where elements are that lie as the points do, become
//! one, and that and the one before, if they can. Rows may be short, as of the colours of a pixel, and then are long; where one index is
//! left, what runs is what would for a vector.
//!
//! ```text
//! v5 = loop i < n, j < m { sink #0 = collect f64; k = linearize [i, j] [n, m]; x = at v, k; merge #0, …x… }
//! ```
//! ```text
//! t = mul n, m
//! v5 = loop k < t { sink #0 = collect f64; x = at v, k; merge #0, …x… }
//! ```
//! Only loops that collect: the order of sums is by rows.
//!
//! Where more is asked of the index before the last one, such as whether there is a pixel beside this one, rows become *rows of groups*: a loop
//! over `i < n, j < m, c < s` one over `i < n, p < m · s`, in which `j = div p, s` and `c = rem p, s`. The pass `partition` of the low-level code
//! knows what these two are, and divides nothing.

mod axis;
mod groups;

use std::collections::{BTreeSet, HashMap};

use weldment_core::analysis::windows::Window;
use weldment_core::ir::rewrite::Subst;
use weldment_core::ir::{
    BinaryOp, BodyId, Def, Defs, Loc, Loop, Op, Program, Sink, SinkKind, Stmt, Value, ValueInfo,
};
use weldment_runtime::lang::types::Type;

use axis::{Axis, is_same};

/// Coalesces the loops of `program`. Those that make or read `windows` keep their rows.
pub(super) fn collapse(program: &mut Program, windows: &[Window]) {
    let entry = program.entry.expect("a program has an entry");
    let (mut collects, mut loops) = (BTreeSet::new(), Vec::new());
    for body in program.bodies_within(entry) {
        for stmt in &program.bodies[body].stmts {
            let Op::Loop(inner) = &stmt.op else { continue };
            for decl in &inner.sinks {
                collects.extend(matches!(decl.kind, SinkKind::Collect { .. }).then_some(decl.sink));
            }
            let has_rows =
                windows.iter().any(|window| [&window.made, &window.reader].contains(&&stmt.results));
            loops.push((body, inner.body, if has_rows { 2 } else { 1 }));
        }
    }
    let outermost = outermost(program, entry);
    let mut coalescing = Coalescing { program, collects, products: HashMap::new() };
    for (holder, body, least) in loops {
        while coalescing.join(holder, body, least) {}
        if outermost.contains(&holder) {
            coalescing.group(holder, body);
        }
    }
}

/// The bodies that no loop is around, nor a function.
fn outermost(program: &Program, body: BodyId) -> BTreeSet<BodyId> {
    let mut bodies = BTreeSet::from([body]);
    for stmt in &program.bodies[body].stmts {
        if let Op::If { .. } | Op::Iterate { .. } = stmt.op {
            stmt.op.for_each_body(|inner| bodies.extend(outermost(program, inner)));
        }
    }
    bodies
}

struct Coalescing<'p> {
    program: &'p mut Program,
    /// The sinks that collect.
    collects: BTreeSet<Sink>,
    /// The products of extents that are there.
    products: HashMap<[Value; 2], Value>,
}

impl Coalescing<'_> {
    /// Makes one of the last two indices of the loop in `holder` whose body is `body`, if it has more than `least`.
    fn join(&mut self, holder: BodyId, body: BodyId, least: usize) -> bool {
        let Some((axes, loc)) = self.axes(holder, body).filter(|(axes, _)| axes.len() > least) else {
            return false;
        };
        let [.., a, b] = axes[..] else { return false };
        if !self.are_elements(&axes) {
            return false;
        }
        let extent = self.product([a.extent, b.extent], loc);
        let index = self.program.values.push(ValueInfo { ty: Type::I64 });
        self.join_places(a, b, index, extent, loc);
        self.join_loops([holder, body], &axes, index, extent);
        true
    }

    /// Makes rows of groups of the last two indices of a loop that has others.
    fn group(&mut self, holder: BodyId, body: BodyId) {
        let Some((axes, loc)) = self.axes(holder, body).filter(|(axes, _)| axes.len() > 2) else { return };
        let [.., a, b] = axes[..] else { return };
        if !groups::are_groups(self.program, &axes, &self.collects) {
            return;
        }
        let extent = self.product([a.extent, b.extent], loc);
        let index = self.program.values.push(ValueInfo { ty: Type::I64 });
        self.join_loops([holder, body], &axes, index, extent);
        let program = &mut *self.program;
        for body in program.bodies_within(a.body) {
            for stmt in &mut program.bodies[body].stmts {
                if let Op::Linearize(at, extents) = &mut stmt.op
                    && let ([.., within], [.., size]) = (&at[..], &mut extents[..])
                    && *within == b.index
                {
                    *size = b.extent;
                }
            }
        }
        let bind = |result, op| Stmt { results: vec![result], op: Op::Binary(op, index, b.extent), loc };
        let parts = [bind(a.index, BinaryOp::Div), bind(b.index, BinaryOp::Rem)];
        program.bodies[a.body].stmts.splice(0..0, parts);
    }

    /// The number in `holder` of the loop with this body.
    fn number(&self, holder: BodyId, body: BodyId) -> Option<usize> {
        self.program.bodies[holder]
            .stmts
            .iter()
            .position(|stmt| matches!(&stmt.op, Op::Loop(inner) if inner.body == body))
    }

    /// The indices of the loop in `holder` whose body is `body`, with those of loops that are all that it holds, if the points of the last two can
    /// be counted; and where it is written.
    fn axes(&self, holder: BodyId, body: BodyId) -> Option<(Vec<Axis>, Loc)> {
        let stmt = &self.program.bodies[holder].stmts[self.number(holder, body)?];
        let Op::Loop(Loop { extents, .. }) = &stmt.op else { return None };
        let indices = self.program.bodies[body].params.iter().zip(extents);
        let mut axes: Vec<Axis> = indices.map(|(&index, &extent)| Axis { body, index, extent }).collect();
        let mut body = body;
        while let [Stmt { op: Op::For { extent, body: within }, .. }] = self.program.bodies[body].stmts[..]
            && !axes.iter().any(|axis| axis.index == extent)
        {
            axes.push(Axis { body: within, index: self.program.bodies[within].params[0], extent });
            body = within;
        }
        let &[.., a, b] = &axes[..] else { return None };
        // As many points as an array has can be counted, and so can those of a loop that makes one.
        (extents.len() > 1 || self.reads_elements(a, b)).then_some((axes, stmt.loc))
    }

    fn reads_elements(&self, a: Axis, b: Axis) -> bool {
        let mut reads = false;
        self.program.for_each_stmt(b.body, &mut |stmt| {
            reads |= matches!(&stmt.op, Op::Linearize(at, _) if place(at, a, b).is_some());
        });
        reads
    }

    /// Whether nothing else is done with the last two indices than to find elements of arrays that have as many along the second one.
    fn are_elements(&self, axes: &[Axis]) -> bool {
        let (program, &[.., a, b]) = (&*self.program, axes) else { return false };
        let defs = &Defs::of(program);
        let is_own = |value: &Value| [a.index, b.index].contains(value);
        let is_index = |value: &Value| axes.iter().any(|axis| axis.index == *value);
        let mut are_elements = true;
        program.for_each_stmt(b.body, &mut |stmt| {
            are_elements &= match &stmt.op {
                Op::Linearize(at, extents) if at.iter().any(is_own) => {
                    let is_along = |place: usize| is_same(program, defs, extents[place + 1], b.extent);
                    let is_pair = at.iter().filter(|value| is_own(value)).count() == 2;
                    is_pair && place(at, a, b).is_some_and(is_along) && !extents.iter().any(is_index)
                }
                Op::Merge { sink, values } => self.collects.contains(sink) && !values.iter().any(is_own),
                op => {
                    let mut is_free = true;
                    op.for_each_operand(|operand| is_free &= !is_own(&operand));
                    is_free
                }
            };
        });
        let results = |body: BodyId| program.bodies[body].results.iter();
        are_elements && !program.bodies_within(b.body).into_iter().flat_map(results).any(is_own)
    }

    /// Makes `index` of the two, of which there are `extent`, where elements are.
    fn join_places(&mut self, a: Axis, b: Axis, index: Value, extent: Value, loc: Loc) {
        let mut extents_of = Vec::new();
        self.program.for_each_stmt(b.body, &mut |stmt| {
            if let Op::Linearize(at, extents) = &stmt.op
                && let Some(place @ 1..) = place(at, a, b)
            {
                extents_of.push([extents[place], extents[place + 1]]);
            }
        });
        extents_of.into_iter().for_each(|pair| _ = self.product(pair, loc));
        let mut subst = Subst::new();
        for body in self.program.bodies_within(b.body) {
            self.program.bodies[body].stmts.retain_mut(|stmt| {
                let Op::Linearize(at, extents) = &mut stmt.op else { return true };
                let Some(place) = place(at, a, b) else { return true };
                if at.len() == 2 {
                    subst.insert(stmt.results[0], index);
                    return false;
                }
                // How many there are along the leading axis has no part in where an element is.
                let pair = [extents[place], extents[place + 1]];
                let both = if place == 0 { extent } else { self.products[&pair] };
                at.splice(place..place + 2, [index]);
                extents.splice(place..place + 2, [both]);
                true
            });
        }
        self.program.substitute(b.body, &subst);
    }

    /// Runs over `index`, below `extent`, in place of the last two of `axes`, in the loop in `holder` whose body is `body`.
    fn join_loops(&mut self, [holder, body]: [BodyId; 2], axes: &[Axis], index: Value, extent: Value) {
        let [ref around @ .., a, b] = *axes else { return };
        if a.body != b.body {
            self.program.bodies[a.body].stmts = self.program.take_stmts(b.body);
        } else {
            self.program.bodies[a.body].params.pop();
        }
        let indices = self.program.bodies[a.body].params.len();
        self.program.bodies[a.body].params[indices - 1] = index;
        if a.body == body {
            let number = self.number(holder, body).expect("the loop is there");
            let Op::Loop(inner) = &mut self.program.bodies[holder].stmts[number].op else { return };
            inner.extents.truncate(indices);
            inner.extents[indices - 1] = extent;
        } else if let [.., last] = around
            && let [Stmt { op: Op::For { extent: own, .. }, .. }] =
                &mut self.program.bodies[last.body].stmts[..]
        {
            *own = extent;
        }
    }

    /// The product of two extents, behind both of them.
    fn product(&mut self, extents: [Value; 2], loc: Loc) -> Value {
        if let Some(&known) = self.products.get(&extents) {
            return known;
        }
        let defs = Defs::of(self.program);
        let [x, y] = extents.map(|extent| match defs.def(extent).expect("an extent is bound") {
            Def::Param(body, _) => (body, 0),
            Def::Stmt { body, index, .. } => (body, index + 1),
        });
        let (body, at) = match x.0 == y.0 {
            true => (x.0, x.1.max(y.1)),
            false if defs.encloses(x.0, y.0) => y,
            false => x,
        };
        let mut made = Vec::new();
        let product = self.program.append(Op::Binary(BinaryOp::Mul, extents[0], extents[1]), loc, &mut made);
        self.program.bodies[body].stmts.splice(at..at, made);
        self.products.insert(extents, product);
        product
    }
}

/// At which of `indices` the two of a loop are, one behind the other.
fn place(indices: &[Value], a: Axis, b: Axis) -> Option<usize> {
    indices.windows(2).position(|pair| pair == [a.index, b.index])
}
