//! A loop over columns with a loop inside that reduces the rows of each, and whether blocks of columns pay.

use std::collections::BTreeSet;

use weldment_runtime::lang::scalar::Const;

use crate::analysis::cost;
use crate::analysis::effects::Effects;
use crate::analysis::stride::{Stride, Strides};
use crate::extract::NestedReduction;
use crate::ir::{BodyId, Defs, Loc, Op, Program, Reducer, SinkKind};
use crate::passes::candidate::{Candidate, Reason};

const ACROSS: Reason = Reason::new(
    "this is read otherwise than along columns, so that several columns would be read no better than one",
);
const ROWS_VARY: Reason = Reason::new("the number of rows depends on the column");
const FEW_ROWS: Reason =
    Reason::new("the rows are few, so that they stay in the cache from column to column");
const LARGE: Reason = Reason::new("the reduction of a column is large, and would be written out for several");
const REGISTERS: Reason = Reason::new("two columns would have more accumulators than the limit");
const BUILDERS: Reason = Reason::new("the rows are merged into a builder around");
const SHOWS: Reason = Reason::new("`dbg` shows what is computed column by column");
const COSTLY: Reason = Reason::new("what is computed for a column before its rows is large, or calls out");

/// A loop that reduces along columns, in a loop over the columns.
pub(super) struct Columns {
    /// The loop over the columns, and the reduction in it.
    pub(super) nest: NestedReduction,
    /// What is read otherwise than along columns.
    across: Option<Loc>,
}

/// How to take columns together.
pub(super) struct Rewrite {
    /// The number of columns in a block.
    pub(super) width: usize,
    /// Whether there is one block and nothing else.
    pub(super) is_whole: bool,
    /// The numbers of the statements for a column that its reduction needs.
    pub(super) setup: BTreeSet<usize>,
}

impl Columns {
    /// The loops inside a loop of `body` that reduce along columns.
    pub(super) fn candidates(program: &Program, defs: &Defs, body: BodyId) -> Vec<Columns> {
        let mut candidates = Vec::new();
        for nest in NestedReduction::all(program, body) {
            let inner = nest.reduction(program);
            let reads = Reads::of(program, defs, nest.outer, inner.body);
            if inner.extents.len() == 1 && reads.along_columns {
                candidates.push(Columns { nest, across: reads.across });
            }
        }
        candidates
    }
}

/// What a reduction reads.
struct Reads {
    /// Something along columns.
    along_columns: bool,
    /// The first that changes with column and row, but not along columns.
    across: Option<Loc>,
}

impl Reads {
    fn of(program: &Program, defs: &Defs, outer: BodyId, inner: BodyId) -> Reads {
        let [mut columns, mut rows] =
            [outer, inner].map(|body| Strides::new(program, defs, program.bodies[body].params[0]));
        let mut reads = Reads { along_columns: false, across: None };
        program.for_each_stmt(inner, &mut |stmt| {
            let Op::At(vector, index) = stmt.op else { return };
            let by_column = [columns.of(vector), columns.of(index)];
            let by_row = [rows.of(vector), rows.of(index)];
            let same = [Stride::By(0); 2];
            if by_column == same || by_row == same {
                return;
            }
            // Neighbours in one vector, or each row in a vector of its own.
            let far = matches!(by_row, [Stride::By(0), Stride::Fixed | Stride::By(..=-2 | 2..)])
                || matches!(by_row, [Stride::Unknown, Stride::By(0)]);
            if far && by_column == [Stride::By(0), Stride::By(1)] {
                reads.along_columns = true;
            } else {
                reads.across.get_or_insert(stmt.loc);
            }
        });
        reads
    }
}

impl Candidate for Columns {
    const RULE: &'static str = "column-to-row";
    type Rewrite = Rewrite;

    /// The place of the reduction.
    fn loc(&self, program: &Program) -> Loc {
        self.nest.loc(program)
    }

    fn plan(&self, program: &Program, defs: &Defs) -> Result<Rewrite, Reason> {
        let inner = self.nest.reduction(program);
        if let Some(loc) = self.across {
            return Err(ACROSS.at(loc));
        }
        let constant = |value| match defs.op(program, value) {
            Some(Op::Const(Const::I64(number))) => Some(*number),
            _ => None,
        };
        if constant(inner.extents[0]).is_some_and(|rows| rows < cost::MIN_ROWS) {
            return Err(FEW_ROWS);
        }
        let mut strides = Strides::new(program, defs, program.bodies[self.nest.outer].params[0]);
        if strides.of(inner.extents[0]) != Stride::By(0) {
            return Err(ROWS_VARY);
        }
        let own = |sink| inner.sinks.iter().any(|decl| decl.sink == sink);
        let effects = Effects::of_body(program, defs, inner.body);
        if effects.shows {
            return Err(SHOWS);
        }
        if !effects.merges.into_iter().all(own) {
            return Err(BUILDERS);
        }
        let folds = inner.sinks.iter().filter_map(|decl| match decl.kind {
            SinkKind::Reduce { reducer: Reducer::Func(func), .. } => Some(func),
            _ => None,
        });
        if cost::of_bodies(program, folds.chain([inner.body])) > cost::MAX_PASTED {
            return Err(LARGE);
        }
        let setup = self.nest.setup(program, defs);
        let before = || setup.iter().map(|&number| &program.bodies[self.nest.outer].stmts[number]);
        let effects = Effects::of_stmts(program, defs, before());
        if effects.calls || !effects.merges.is_empty() || cost::of_stmts(program, before()) > cost::MAX_PASTED
        {
            return Err(COSTLY);
        }
        let accumulators = cost::accumulators(inner.sinks.iter().map(|decl| &decl.kind)).max(1);
        let most = cost::MAX_COLUMNS.min(cost::MAX_ACCUMULATORS / accumulators);
        if most < 2 {
            return Err(REGISTERS);
        }
        let number = constant(self.nest.extent).and_then(|number| usize::try_from(number).ok());
        let is_whole = number.is_some_and(|number| number <= most);
        Ok(Rewrite { width: number.filter(|_| is_whole).unwrap_or(most), is_whole, setup })
    }
}
