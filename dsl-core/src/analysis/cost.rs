//! The cost table: what ops cost, and every limit that follows from cost.
//!
//! The unit is about one simple machine instruction on one element. The numbers need not be exact; they must
//! be the same everywhere, for they decide how a loop is cut into chunks, which float results depend on.

use weldment_runtime::lang::types::{Scalar, Type};

use crate::ir::{BinaryOp, BodyId, Loop, MathFn, Op, Program, SinkKind, Stmt, Value};

/// An expression up to this cost may be computed more often than before, in place of a load: one without loop, call,
/// division or transcendental function, and of few ops.
pub const MAX_RECOMPUTED: u64 = 8;

/// An expression of cheap ops alone may be computed several times in one loop, in place of a store and as many loads, up to
/// this cost more than once.
pub const MAX_ADDED: u64 = 64;

/// An op up to this cost is cheap.
pub const MAX_CHEAP: u64 = 4;

/// A state with this many bytes or more and the one that is made of it are more than most caches hold: it is cheaper to compute parts of
/// every second one again than to store it.
pub const LEAST_PAIRED: u64 = 16 << 20;

/// What is computed twice for rows around those of a part of a loop may cost so much, times the number of such rows: less than to write the
/// elements of all rows to memory, and to read them.
pub const MAX_AROUND: u64 = 256;

/// The branches of a value-`if` up to this cost together are both computed.
pub const MAX_PREDICATED: u64 = 16;

/// Where a loop runs in blocks without its branches, the sides of each up to this cost together are both computed.
pub const MAX_PREDICATED_IN_BLOCKS: u64 = 40;

/// The sides of a branch in another loop that merges into accumulators up to this cost together are both computed.
pub const MAX_PREDICATED_ANYWAY: u64 = 8;

/// A loop that runs in blocks up to this cost of an iteration may run once more, to find out about the least or greatest of its
/// floats what comparing has left open.
pub const RESCAN_BUDGET: u64 = 32;

/// A reduction inside a loop is written twice, for few elements without lanes, up to this cost of an iteration.
pub const MAX_SHORT_TRIP: u64 = 24;

/// A consumer up to this cost may be pasted at several merges of its producer.
pub const MAX_PASTED: u64 = 32;

/// A consumer may be pasted at up to so many merges of its producer: of flat maps in a row, each makes as many times more.
pub const MAX_PASTES: usize = 32;

/// The largest consumer that runs in the steps of a scan: what it costs there, one step after the other, is less than to write a vector and
/// to read it again.
pub const MAX_IN_ORDER: u64 = 16;

/// A loop up to this cost is written twice, with its checks and without.
pub const MAX_VERSIONED: u64 = 96;

/// How many reductions into registers one loop may hold.
pub const MAX_ACCUMULATORS: usize = 12;

/// A loop is compared with at most so many of those before it that it could become one with: each of a thousand that depends
/// on the one before cannot.
pub const MAX_SIBLINGS: usize = 64;

/// A loop of constant extent is written out if it has at most this many iterations.
pub const MAX_UNROLLED: i64 = 4;

/// The same of one that reduces, each iteration to a lane of its own: in lanes it is the loop around that runs then.
pub const MAX_UNROLLED_FOLD: i64 = 16;

/// A loop of constant extent is written out up to this cost of all its iterations together.
pub const MAX_UNROLLED_COST: u64 = 64;

/// So many bytes of an element are sorted along with its keys, rather than gathered when it is read.
pub const MAX_SORTED: u64 = 8;

/// The same where all of the sorted elements are written to memory anyway.
pub const MAX_SORTED_WHOLE: u64 = 24;

/// What is reduced for each of up to this many keys is found by comparing every element with every key: two look-ups for an
/// element cost as much as some eight comparisons that run in lanes.
pub const MAX_COMPARED_KEYS: i64 = 8;

/// What is reduced for each key of up to this many elements is found by comparing, too: to put a key into a table costs as
/// much as some thousand comparisons.
pub const MAX_COMPARED_ELEMENTS: i64 = 512;

/// How many columns are reduced in one pass over the rows: a line of the cache holds eight numbers of eight bytes.
pub const MAX_COLUMNS: usize = 8;

/// Fewer rows than these are not read in blocks of columns: a line of each stays in the cache for the next column.
pub const MIN_ROWS: i64 = 64;

/// How many iterations a loop of unknown extent is taken to have.
const TRIPS: u64 = 512;

/// A vector of so many elements at most is a table that stays in the nearest cache.
pub const MAX_TABLE: i64 = 1024;

/// A read from a table at an index that is like any other, its check included.
const NEAR: u64 = 4;

/// A read from memory at an index that is like any other: a line of a cache that is not there.
const RANDOM: u64 = 16;

/// What it takes to write an element to memory, and to begin a loop that does, for each.
const STORE: u64 = 3;

/// The longest chunk of a split loop.
const MAX_CHUNK: u64 = 16384;
/// The longest chunk of the points of an array: some rows of it.
const MAX_CHUNK_OF_POINTS: u64 = 65536;
/// The shortest chunk of a split loop.
const MIN_CHUNK: u64 = 16;
/// Bodies up to this cost run in chunks of the longest length.
const MAX_CHUNK_COST: u64 = 256;

/// What a value takes in a vector, in bytes: of vectors and dictionaries only what refers to them.
pub fn bytes(ty: &Type) -> u64 {
    ty.sum(|ty| match ty {
        Type::Dict(..) => 8,
        ty => ty.as_scalar().map_or(16, |scalar| scalar.size() as u64),
    })
}

/// The cost of one statement, the bodies inside included.
pub fn of_stmt(program: &Program, stmt: &Stmt) -> u64 {
    of_op(program, &stmt.op)
}

/// The cost of these statements, one after the other.
pub fn of_stmts<'a>(program: &Program, stmts: impl IntoIterator<Item = &'a Stmt>) -> u64 {
    stmts.into_iter().fold(0, |cost, stmt| cost.saturating_add(of_stmt(program, stmt)))
}

/// The cost of a body, run once.
pub fn of_body(program: &Program, body: BodyId) -> u64 {
    of_stmts(program, &program.bodies[body].stmts)
}

/// The cost of these bodies, each run once.
pub fn of_bodies(program: &Program, bodies: impl IntoIterator<Item = BodyId>) -> u64 {
    bodies.into_iter().fold(0, |cost, body| cost.saturating_add(of_body(program, body)))
}

/// The number of iterations of the outermost index in one chunk, when the loop is split: a power of two that
/// follows from the static cost of the body alone, or what the program keeps.
pub fn chunk_len(program: &Program, inner: &Loop) -> u64 {
    let fixed = program.fixed_order.as_ref().and_then(|order| order.chunk(&inner.sinks));
    if let Some(chunk) = fixed {
        return chunk;
    }
    let rest = inner.extents.len().saturating_sub(1) as u32;
    let cost = of_body(program, inner.body).saturating_mul(TRIPS.saturating_pow(rest));
    shortened(MAX_CHUNK, cost)
}

/// In what blocks a loop runs which ends when its results are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The number of iterations of the first; each is twice as long as the one before.
    pub first: i64,
    /// Of the longest.
    pub last: i64,
}

/// The blocks of a loop that is divided among threads: the longest is worth that many times.
pub fn blocks_of_split(program: &Program, inner: &Loop) -> Blocks {
    let chunk = chunk_len(program, inner) as i64;
    Blocks { first: chunk / 4, last: chunk * 64 }
}

/// The blocks of a loop that stands in another one.
pub fn blocks_inside(program: &Program, inner: &Loop) -> Blocks {
    let chunk = chunk_len(program, inner) as i64;
    Blocks { first: (chunk / 256).max(1), last: (chunk / 16).max(1) }
}

/// The number of points in one chunk of a loop over several indices whose results are not folded.
pub fn chunk_of_points(program: &Program, inner: &Loop) -> u64 {
    shortened(MAX_CHUNK_OF_POINTS, of_body(program, inner.body))
}

/// `length`, or less where an iteration has a `cost` that is not small.
fn shortened(mut length: u64, cost: u64) -> u64 {
    let mut limit = MAX_CHUNK_COST;
    while cost > limit && length > MIN_CHUNK {
        length /= 2;
        limit = limit.saturating_mul(2);
    }
    length
}

/// What an element that these statements compute costs if it is computed at each of so many reads, at indices that come from memory, and
/// if it is stored once, in order, and then read there. There are taken to be as many reads of each kind as elements, and of the few of a
/// table so many that making it costs nothing.
pub fn of_gather<'a>(
    program: &Program,
    element: impl IntoIterator<Item = &'a Stmt>,
    reads: u64,
    is_table: bool,
) -> (u64, u64) {
    let read = if is_table { NEAR } else { RANDOM };
    let (mut apart, mut in_order) = (0u64, if is_table { 0 } else { STORE });
    for stmt in element {
        let cost = of_stmt(program, stmt);
        if !is_table {
            in_order = in_order.saturating_add(cost);
        }
        apart = apart.saturating_add(if matches!(stmt.op, Op::At(..)) { read } else { cost });
    }
    (reads.saturating_mul(apart), in_order.saturating_add(reads.saturating_mul(read)))
}

/// The cost of an op, the bodies inside included.
fn of_op(program: &Program, op: &Op) -> u64 {
    let bodies = |trips: u64| of_bodies(program, op.bodies()).saturating_mul(trips);
    match op {
        Op::Sort { .. } => bodies(TRIPS * 8).max(TRIPS * 8),
        Op::If { .. } => bodies(1).saturating_add(1),
        Op::Iterate { body, .. } if is_in_blocks(program, *body) => bodies(1),
        Op::Iterate { .. } => bodies(TRIPS).max(TRIPS),
        Op::For { .. } => bodies(TRIPS).max(TRIPS),
        Op::Loop(inner) if inner.extents.is_empty() => bodies(1).saturating_add(16),
        Op::Loop(inner) => bodies(TRIPS.saturating_pow(inner.extents.len() as u32)).max(TRIPS),
        Op::Merge { values, .. } => {
            if values.len() == 1 {
                1
            } else {
                16
            }
        }
        straight => straight.cost(program),
    }
}

/// Whether the steps of an `iterate` are blocks of one loop, which has as many iterations in all of them together as any loop: each step is
/// over no more than a state says.
fn is_in_blocks(program: &Program, step: BodyId) -> bool {
    let step = &program.bodies[step];
    let is_over = |extent: Value| {
        let is = |stmt: &Stmt| matches!(&stmt.op, Op::Loop(inner) if inner.extents == [extent]);
        step.stmts.iter().any(is)
    };
    step.stmts.iter().any(|stmt| {
        let is_block = matches!(stmt.op, Op::Binary(BinaryOp::Min, block, _) if step.params.contains(&block));
        is_block && is_over(stmt.results[0])
    })
}

/// What an op on scalars costs on one of many elements that are computed at a time, which is less than alone where vectors
/// have an instruction for it; `None` where they have none, and for all other ops. `ty` gives the types of operands.
pub fn in_blocks<'a>(op: &Op, ty: impl Fn(Value) -> &'a Type) -> Option<u64> {
    Some(match op {
        Op::Const(_) | Op::Len(_) => 0,
        Op::Unary(..) | Op::Cast(..) | Op::Select(..) => 1,
        Op::Binary(op, x, _) => match (op, ty(*x).as_scalar().is_some_and(Scalar::is_float)) {
            (BinaryOp::Div, true) => 8,
            (BinaryOp::Rem, true) => return None,
            // Of what fits no word it is a call.
            (BinaryOp::Div | BinaryOp::Rem, false) if has_wide(ty(*x)) => return None,
            (BinaryOp::Div | BinaryOp::Rem, false) => 4,
            _ => 1,
        },
        Op::Half(..) => 4,
        Op::Compare(_, x, _) | Op::Order(x, _) => ty(*x).is_scalars().then_some(1)?,
        Op::Math(function, _) => match function {
            MathFn::Abs | MathFn::Signum | MathFn::IsNan => 1,
            MathFn::Floor | MathFn::Ceil | MathFn::Trunc | MathFn::Round | MathFn::Fract => 2,
            MathFn::Sqrt => 8,
            _ => return None,
        },
        Op::Struct(fields, _) => fields.iter().all(|&field| ty(field).is_scalars()).then_some(0)?,
        Op::Field(x, _) => ty(*x).is_scalars().then_some(0)?,
        Op::At(vector, _) => ty(*vector).element()?.is_scalars().then_some(1)?,
        _ => return None,
    })
}

/// Whether `op` takes or gives a number that fits no lane of a vector.
pub fn is_wide<'a>(op: &Op, ty: impl Fn(Value) -> &'a Type) -> bool {
    let mut wide = match op {
        Op::Cast(to, _) => has_wide(&(*to).into()),
        Op::Const(number) => has_wide(&number.scalar().into()),
        _ => false,
    };
    op.for_each_operand(|operand| wide |= has_wide(ty(operand)));
    wide
}

/// Whether there is a number in it that fits no lane of a vector: many of them at a time are as many pairs of registers, more than
/// there are.
pub fn has_wide(ty: &Type) -> bool {
    match ty {
        Type::Scalar(scalar) => scalar.size() > size_of::<u64>(),
        Type::Vec(element) => has_wide(element),
        Type::Struct(fields) => fields.iter().any(has_wide),
        Type::Dict(..) => false,
    }
}

/// How many registers' worth of reductions these sinks keep: scalar leaves of reductions by an operator.
pub fn accumulators<'a>(kinds: impl IntoIterator<Item = &'a SinkKind>) -> usize {
    kinds
        .into_iter()
        .map(|kind| match kind {
            SinkKind::Reduce { ty, .. } => ty.leaves().map_or(1, |leaves| leaves.len()),
            _ => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use weldment_runtime::lang::types::Type;

    use super::*;
    use crate::front::from_text;
    use crate::ir::*;

    #[test]
    fn a_chunk_is_the_shorter_the_more_an_iteration_costs() {
        let chunks = |text: &str| {
            let program = from_text(text).unwrap().program;
            let mut length = None;
            program.for_each_stmt(program.entry.unwrap(), &mut |stmt| {
                if let Op::Loop(inner) = &stmt.op {
                    length.get_or_insert(chunk_len(&program, inner)); // of the outermost
                }
            });
            length.unwrap()
        };
        assert_eq!(chunks("|v: &[f64]| v.map(|x| x + 1.0)"), 16384);
        assert!(chunks("|v: &[Vec<f64>]| v.map(|row| row.map(|x| sin(x)))") < 16384);
    }

    #[test]
    fn costs_alone_and_in_blocks() {
        {
            let program = parse(
                "weldment ir 1 program(v0: i64) {
                v1: i64 = add v0, v0 v2: i64 = div v1, v0 return v2 }",
            )
            .unwrap();
            let body = program.entry.unwrap();
            let stmts = &program.bodies[body].stmts;
            // v1: i64 = add v0, v0   v2: i64 = div v1, v0
            assert_eq!(of_stmts(&program, stmts), 25);
        }
        {
            let program =
                parse("weldment ir 1 program(v0: f64) { v1: f64 = div v0, v0 v2: f64 = sin v1 return v2 }")
                    .unwrap();
            let stmts = &program.bodies[program.entry.unwrap()].stmts;
            // v1: f64 = div v0, v0   v2: f64 = sin v1
            let cost = |number: usize| in_blocks(&stmts[number].op, |value| program.ty(value));
            assert_eq!((cost(0), cost(1)), (Some(8), None));
        }
        {
            let text = "weldment ir 1 program(v0: i64) { v1: i128 = cast v0 v2: i128 = add v1, v1 v3: i128 = div v2, v1 \
                        v4: i64 = add v0, v0 return v3 }";
            let program = parse(text).unwrap();
            let stmts = &program.bodies[program.entry.unwrap()].stmts;
            let ty = |value| program.ty(value);
            let cost = |number: usize| in_blocks(&stmts[number].op, ty);
            assert_eq!([cost(0), cost(1), cost(2)], [Some(1), Some(1), None]);
            let wide: Vec<bool> = stmts.iter().map(|stmt| is_wide(&stmt.op, ty)).collect();
            assert_eq!(wide, [true, true, true, false]);
        }
    }

    #[test]
    fn each_scalar_of_a_reduction_has_a_register() {
        let sum = SinkKind::reduce(Type::F64, ReduceOp::Add);
        let pair = SinkKind::reduce(Type::structure([Type::F64, Type::I64]), ReduceOp::Add);
        assert_eq!(accumulators([&sum, &pair, &SinkKind::collect(Type::F64)]), 3);
    }
}
