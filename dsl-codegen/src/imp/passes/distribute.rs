//! `distribute`: what a row comes to is put into functions of mathematics for many rows at a time (loop distribution).
//!
//! A loop over rows that reduces each of them, and takes the exponential of the sum, computes one exponential after the other: compilers make
//! no vectors of a loop that holds loops. And such a function is so many operations that a CPU, which looks some hundred ahead, does not come
//! to the next row, whose reduction could begin. So the reductions of a panel of rows go first, and what follows goes side by side.
//!
//! # Before / After
//! ```text
//! for p in 0..n { start a0; for q in 0..m { …; a0 += x }; s = read a0 fold +; y = load c[p]; e = exp s; z = sub e, y; do put #0, p, z }
//! ```
//! ```text
//! for b to e in 0..n by 256 poll {
//!   start a1; start a2                        // of 256 lanes
//!   for p in b..e { start a0; for q in 0..m { …; a0 += x }; s = read a0 fold +; a1[p] = s }
//!   d = slice c, b, sub e, b
//!   for r in 0..min (sub e, b), 256 { s = pick a1[r]; y = load d[r]; e = exp s; z = sub e, y; a2[r] = z }
//!   for p in b..e { z = pick a2[p]; do put #0, p, z }
//! }
//! ```
//! Every row computes what it did, in the same order where that shows, so that the bits are the same, and the faults. Checks of places that move
//! are made once before the loop; it stays as it is beside, for where they do not hold.
//!
//! # Declines when
//! No long function follows a loop inside. What comes before that function writes to what is used behind it, too. Both what
//! comes before and what comes behind can fault, so that another fault would be the first. More than scalars, or more than a dozen of
//! them, go from one part to the next.
//!
//! # Order
//! Behind `interchange` and `lockstep`, which have better ways for the loops that they take; before `strips`.
//!
//! # Source
//! Kennedy and Allen, Optimizing Compilers for Modern Architectures, 2001, 6.2: loop distribution.

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::ir::{BinaryOp, Const, Op, Value};
use weldment_runtime::exec::context::ROWS_STRIP;
use weldment_runtime::lang::types::Type;

use super::fission::is_long;
use super::guard::versions;
use super::interchange::hoistable;
use super::lockstep::is_plain;
use super::moving::needed;
use super::pass::{Pass, each_for};
use crate::imp::copy::copy_of;
use crate::imp::effects::{of_stmt, shows};
use crate::imp::walk::{Use, free_values};
use crate::imp::{AccOp, Action, Block, For, Hints, Imp, Lane, Number, RegId, Stmt, Stride, Target};

pub(super) const PASS: Pass = Pass { name: "distribute", is_for: |target| target.distribute, run };

/// So many rows go side by side: a value that is kept takes 2 KiB.
const WIDTH: u32 = ROWS_STRIP as u32;

/// So many values go from one part to the next at most.
const MOST_KEPT: usize = 12;

fn run(imp: &mut Imp, _: &Target) {
    each_for(
        imp,
        |outer| is_plain(outer, |hints| Hints { reserve: hints.reserve.clone(), ..Hints::default() }),
        |imp, outer, out| match long_function(imp, &outer.body.stmts) {
            Some(_) => _ = versions(imp, outer, out, Parts::of, Parts::rewrite),
            None => out.stmts.push(Stmt::For(outer)),
        },
    );
}

/// The body of a loop over rows, in three parts.
struct Parts {
    /// What is the same for all rows.
    before: Vec<Stmt>,
    /// What comes before the first long function behind the loops inside, with these.
    rows: Vec<Stmt>,
    /// What computes scalars from then on, without faults.
    side_by_side: Vec<Stmt>,
    /// All else.
    behind: Vec<Stmt>,
    /// What the first part binds, and another reads.
    of_rows: Vec<Value>,
    /// What the second binds, and the third reads.
    of_side: Vec<Value>,
}

impl Parts {
    fn of(imp: &Imp, outer: &For) -> Option<Parts> {
        if imp.known_position(outer.range[0]) != Some(0) {
            return None;
        }
        let before = hoistable(imp, outer, &outer.body.stmts);
        let stmts: Vec<Stmt> =
            outer.body.stmts.iter().filter(|stmt| !before.contains(stmt)).cloned().collect();
        let long = long_function(imp, &stmts)?;
        let end = stmts[long..].iter().position(|stmt| !may_go_beside(imp, outer, stmt));
        let end = end.map_or(stmts.len(), |end| long + end);
        let [rows, side_by_side, behind] =
            [&stmts[..long], &stmts[long..end], &stmts[end..]].map(<[Stmt]>::to_vec);
        let stays = rows.iter().chain(&behind).any(|stmt| shows(imp, stmt));
        let faults = |stmts: &[Stmt]| stmts.iter().any(|stmt| !appends(stmt) && of_stmt(imp, stmt).faults);
        if stays || shares_state(&rows, &behind) || faults(&rows) && faults(&behind) {
            return None;
        }
        let bound = |stmts: &[Stmt]| -> BTreeSet<Value> {
            stmts.iter().flat_map(|stmt| stmt.values(Use::Bind)).collect()
        };
        let read =
            |parts: &[&[Stmt]]| free_values(imp, &Block { stmts: parts.concat(), results: Vec::new() }, &[]);
        let kept = |bound: BTreeSet<Value>, read: Vec<Value>| -> Vec<Value> {
            read.into_iter().filter(|value| bound.contains(value)).collect()
        };
        let of_rows = kept(bound(&rows), read(&[&side_by_side, &behind]));
        let of_side = kept(bound(&side_by_side), read(&[&behind]));
        let is_scalar = |value: &Value| imp.values[*value].ty.as_scalar().is_some();
        let may_be_kept =
            of_rows.iter().chain(&of_side).all(is_scalar) && of_rows.len() + of_side.len() <= MOST_KEPT;
        may_be_kept.then_some(Parts { before, rows, side_by_side, behind, of_rows, of_side })
    }

    fn rewrite(self, imp: &mut Imp, outer: For, out: &mut Block) {
        let (first, end) = (imp.position(), imp.position());
        let mut body = Block { stmts: self.before, results: Vec::new() };
        let length = body.position(imp, BinaryOp::Sub, end, first);
        let kept: BTreeMap<Value, RegId> =
            self.of_rows.iter().chain(&self.of_side).map(|&value| (value, reg(imp, value))).collect();
        body.stmts.extend(kept.values().map(|&reg| Stmt::Start(reg)));

        let rows = Block { stmts: self.rows, results: self.of_rows.clone() };
        let Hints { prefetch, reserve, .. } = outer.hints.as_deref().cloned().unwrap_or_default();
        let hints = hint(Hints { prefetch, ..Hints::default() });
        let rows = For { range: [first, end], hints, ..over(imp, &outer, rows, &kept, &self.of_rows) };
        body.stmts.push(Stmt::For(rows));

        let (point, zero) = (imp.position(), imp.at(0));
        // It changes nothing; but compilers see that no lane is out of bounds.
        let lanes = imp.at(WIDTH.into());
        let count = body.position(imp, BinaryOp::Min, length, lanes);
        let number = outer.number.map(|number| {
            let first = body.position(imp, BinaryOp::Add, number.first, first);
            Number { value: number.value, first }
        });
        let moved = For { index: point, number, ..outer.clone() };
        let cut = |imp: &mut Imp, body: &mut Block, mut stmts: Vec<Stmt>, results: &[Value]| {
            for stmt in &mut stmts {
                if let Stmt::Load { column, index, .. } = stmt
                    && *index == outer.index
                {
                    (*column, *index) = (body.slice(imp, *column, first, length), point);
                }
            }
            let part = Block { stmts, results: results.to_vec() };
            let part = For { range: [zero, count], ..over(imp, &moved, part, &kept, results) };
            body.stmts.push(Stmt::For(part));
        };
        cut(imp, &mut body, self.side_by_side, &self.of_side);

        if !self.behind.is_empty() {
            // From the first row of a panel on, if they need not know which that is: so rows that are merged go to registers.
            if reserve.is_empty() && reads_columns_alone(imp, &outer, &self.behind) {
                cut(imp, &mut body, self.behind, &[]);
            } else {
                let behind = Block { stmts: self.behind, results: Vec::new() };
                let hints = hint(Hints { reserve, ..Hints::default() });
                let behind = over(imp, &outer, behind, &kept, &[]);
                body.stmts.push(Stmt::For(For { range: [first, end], hints, ..behind }));
            }
        }
        out.stmts.push(Stmt::For(For::in_strips([first, end], outer.range, WIDTH, body, outer.loc)));
    }
}

/// A loop as `outer` over one part of its body, which reads what others have kept, and keeps `results`. All that it binds is new.
fn over(imp: &mut Imp, outer: &For, part: Block, kept: &BTreeMap<Value, RegId>, results: &[Value]) -> For {
    let index = imp.position();
    let mut names = BTreeMap::from([(outer.index, index)]);
    let mut body = Block::default();
    let free = free_values(imp, &part, &[]);
    let number = outer.number.filter(|number| free.contains(&number.value)).map(|number| {
        let value = imp.value(Type::I64);
        names.insert(number.value, value);
        Number { value, ..number }
    });
    for value in free {
        if let Some(&reg) = kept.get(&value) {
            let result = imp.value(imp.values[value].ty.clone());
            names.insert(value, result);
            body.stmts.push(Stmt::Pick { result, reg, position: index });
        }
    }
    let part = copy_of(imp, &part, names);
    body.stmts.extend(part.stmts);
    for (of, value) in results.iter().zip(part.results) {
        let (reg, lane) = (kept[of], Lane::Of(index));
        body.stmts.push(Stmt::Accumulate { reg, lane, op: AccOp::Set, value, mask: None });
    }
    body.stmts = needed(imp, body.stmts);
    For { number, hints: None, ..For::over(index, outer.range, 1, body, outer.loc) }
}

/// `hints`, if they say anything.
fn hint(hints: Hints) -> Option<Box<Hints>> {
    (hints != Hints::default()).then(|| Box::new(hints))
}

fn reg(imp: &mut Imp, value: Value) -> RegId {
    let ty = imp.values[value].ty.as_scalar().expect("what is kept is a scalar");
    imp.reg(ty, WIDTH, Const::from_i128(ty, 0))
}

fn holds_loop(stmt: &Stmt) -> bool {
    let mut found = matches!(stmt, Stmt::For(_));
    stmt.for_each_block(|block| found = found || block.stmts.iter().any(holds_loop));
    found
}

/// The first statement behind a loop inside that is a long function of a scalar.
fn long_function(imp: &Imp, stmts: &[Stmt]) -> Option<usize> {
    let first = stmts.iter().position(holds_loop)?;
    let long = stmts[first + 1..].iter().position(|stmt| is_long_function(imp, stmt))?;
    Some(first + 1 + long)
}

/// Whether the position of the row is read by loads from columns, and by nothing else.
fn reads_columns_alone(imp: &Imp, outer: &For, stmts: &[Stmt]) -> bool {
    let is_load =
        |stmt: &&Stmt| matches!(stmt, Stmt::Load { index, stride: Stride::One, .. } if *index == outer.index);
    let loads = stmts.iter().filter(is_load);
    let mut reads = 0;
    Block { stmts: stmts.to_vec(), results: Vec::new() }
        .for_each_read(imp, &mut |value| reads += usize::from(value == outer.index));
    reads == loads.count()
}

fn is_long_function(imp: &Imp, stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Let { result, op, .. } if is_long(&imp.values[*result].ty, op))
}

/// Whether `stmt` computes a scalar for its row without faults, and of no position.
fn may_go_beside(imp: &Imp, outer: &For, stmt: &Stmt) -> bool {
    let gives_scalars =
        || stmt.values(Use::Bind).iter().all(|&value| imp.values[value].ty.as_scalar().is_some());
    match stmt {
        Stmt::Load { index, stride: Stride::One, .. } => *index == outer.index && gives_scalars(),
        Stmt::Let { op: Op::At(..) | Op::Dbg(_), .. } => false,
        Stmt::Let { .. } => {
            gives_scalars() && !of_stmt(imp, stmt).faults && !stmt.values(Use::Read).contains(&outer.index)
        }
        _ => false,
    }
}

/// Whether all that can happen to `stmt` is that there is no memory, which may as well be told of another row.
fn appends(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Do { action: Action::Put | Action::Append | Action::AppendReserved, .. })
        || matches!(stmt, Stmt::If { then, els, .. } if then.stmts.iter().chain(&els.stmts).all(appends))
}

/// Whether `rows` write to a register or a store that `behind` has to do with: what a row writes there, it reads before the next one.
fn shares_state(rows: &[Stmt], behind: &[Stmt]) -> bool {
    let state = |stmts: &[Stmt]| {
        let (mut regs, mut stores) = (BTreeSet::new(), BTreeSet::new());
        let whole = Block { stmts: stmts.to_vec(), results: Vec::new() };
        whole.for_each_stmt(&mut |stmt| {
            stmt.for_each_reg(|reg, _| _ = regs.insert(reg));
            stmt.for_each_store(|store, _| _ = stores.insert(store));
        });
        (regs, stores)
    };
    let ((regs, stores), (others, other_stores)) = (state(rows), state(behind));
    !regs.is_disjoint(&others) || !stores.is_disjoint(&other_stores)
}
