//! How a loop runs: cut into chunks and segments if it is split, in one of each otherwise.
//!
//! A loop is split if it stands inside no other loop, `for` or function; a region without index variables
//! runs once and is never cut. Several index variables run row-major, and the outermost one is cut. All
//! combining of chunks and segments comes after the last iteration.

use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::value::Value;

use super::machine::Machine;
use super::options::InterpOptions;
use super::sinks::OpenSink;
use crate::analysis::cost;
use crate::ir::{BodyId, Entity, Loop, Op, Sink, Stmt};

/// Runs `looped` and gives the value of each sink.
pub(super) fn run(machine: &mut Machine<'_>, looped: &Loop) -> Result<Vec<Value>, Fault> {
    let extents: Vec<u64> = looped.extents.iter().map(|&extent| machine.extent(extent)).collect();
    let is_split = machine.depth == 0;
    for decl in &looped.sinks {
        let mut open = OpenSink::new(machine, &decl.kind)?;
        open.reserve(machine, merges_at_least(machine, looped, decl.sink, &extents))?;
        machine.open[decl.sink.index()] = Some(open);
    }

    machine.depth += 1;
    if let Some((&n, inner)) = extents.split_first() {
        let cut = match is_split {
            true => Cut::split(n, || cost::chunk_len(machine.program, looped), machine.options),
            false => Cut::whole(n),
        };
        let mut start = 0;
        while start < n {
            let end = n.min(start.saturating_add(cut.chunk));
            for i in start..end {
                machine.counters.push(i - start);
                run_inner(machine, looped.body, inner, &[Value::I64(i as i64)])?;
                machine.counters.pop();
            }
            let cx = machine.cx;
            for open in open_sinks(machine, looped) {
                open.end_chunk(cx)?;
                if end == n || end % cut.segment == 0 {
                    open.end_segment();
                }
            }
            if is_split {
                machine.cx.report(end, n);
            }
            start = end;
        }
    } else {
        machine.body(looped.body, &[])?;
        let cx = machine.cx;
        for open in open_sinks(machine, looped) {
            open.end_chunk(cx)?;
            open.end_segment();
        }
    }
    machine.depth -= 1;

    let mut results = Vec::new();
    for decl in &looped.sinks {
        let open = machine.open[decl.sink.index()].take().expect("opened above");
        results.push(open.finish(machine, &decl.kind.result_type(), decl.loc)?);
    }
    Ok(results)
}

/// Runs the index variables after those in `indices`, and in the innermost one the body.
fn run_inner(
    machine: &mut Machine<'_>,
    body: BodyId,
    extents: &[u64],
    indices: &[Value],
) -> Result<(), Fault> {
    let Some((&n, inner)) = extents.split_first() else {
        return machine.body(body, indices).map(|_| ());
    };
    for i in 0..n {
        machine.counters.push(i);
        run_inner(machine, body, inner, &[indices, &[Value::I64(i as i64)]].concat())?;
        machine.counters.pop();
    }
    Ok(())
}

/// How often `looped` merges into `sink` at least: what stands in its body under no condition merges in each iteration.
fn merges_at_least(machine: &Machine<'_>, looped: &Loop, sink: Sink, extents: &[u64]) -> usize {
    let is_merge = |stmt: &&Stmt| matches!(&stmt.op, Op::Merge { sink: this, .. } if *this == sink);
    let merges = machine.program.bodies[looped.body].stmts.iter().filter(is_merge).count();
    extents.iter().fold(merges, |merges, &n| merges.saturating_mul(usize::try_from(n).unwrap_or(usize::MAX)))
}

fn open_sinks<'m>(machine: &'m mut Machine<'_>, looped: &Loop) -> impl Iterator<Item = &'m mut OpenSink> {
    let sinks: Vec<usize> = looped.sinks.iter().map(|decl| decl.sink.index()).collect();
    machine
        .open
        .iter_mut()
        .enumerate()
        .filter(move |(i, _)| sinks.contains(i))
        .filter_map(|(_, open)| open.as_mut())
}

/// Into what a loop is cut, in iterations of its outermost index.
#[derive(Debug, PartialEq)]
struct Cut {
    /// The length of a chunk.
    chunk: u64,
    /// The length of a segment: a multiple of `chunk`.
    segment: u64,
}

impl Cut {
    /// How a split loop of `n` iterations is cut, which by its cost has chunks of `chunk`.
    fn split(n: u64, chunk: impl FnOnce() -> u64, options: &InterpOptions) -> Cut {
        let chunk = options.chunk.unwrap_or_else(chunk).max(1);
        let segment = options.segment.unwrap_or((1 << 18).max(n / 64)).max(1);
        Cut { chunk, segment: segment.div_ceil(chunk).saturating_mul(chunk) }
    }

    /// One chunk that is one segment.
    fn whole(n: u64) -> Cut {
        Cut { chunk: n.max(1), segment: n.max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_cut(n: u64, chunk: Option<u64>, segment: Option<u64>, expected: (u64, u64)) {
        let cut = Cut::split(n, || 16384, &InterpOptions { chunk, segment, ..InterpOptions::default() });
        assert_eq!((cut.chunk, cut.segment), expected);
    }

    #[test]
    fn segments_are_whole_chunks() {
        check_cut(1000, None, None, (16384, 1 << 18));
        check_cut(1000, Some(3), Some(10), (3, 12));
        check_cut(1000, Some(3), Some(12), (3, 12));
        check_cut(1000, Some(16384), Some(1), (16384, 16384));
    }

    #[test]
    fn a_segment_of_a_long_loop_is_a_64th_of_it() {
        check_cut(1 << 26, None, None, (16384, 1 << 20));
    }
}
