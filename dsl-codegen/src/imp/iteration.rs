//! What a loop reads at its own position, and what it adds up.

use std::collections::BTreeMap;

use weldment_core::analysis::cost;
use weldment_core::ir::Value;

use super::{Block, For, Imp, Prefetch, RegId, Stmt, Stride};

impl Block {
    /// Visits every statement in the block and in those inside it, to change it.
    pub(crate) fn for_each_stmt_mut(&mut self, visit: &mut impl FnMut(&mut Stmt)) {
        for stmt in &mut self.stmts {
            visit(stmt);
            stmt.for_each_block_mut(|block| block.for_each_stmt_mut(visit));
        }
    }

    /// The columns of which element `index` is read, in order of first use.
    pub(crate) fn columns_at(&self, index: Value) -> Vec<Value> {
        let mut columns = self.strides_at(index);
        columns.retain(|&(_, stride)| stride == Stride::One);
        columns.into_iter().map(|(column, _)| column).collect()
    }

    /// The columns that are read at position `index`, by their strides, in order of first use.
    pub(crate) fn strides_at(&self, index: Value) -> Vec<(Value, Stride)> {
        let mut columns = Vec::new();
        self.for_each_stmt(&mut |stmt| match stmt {
            Stmt::Load { column, index: at, stride, .. }
                if *at == index && !columns.contains(&(*column, *stride)) =>
            {
                columns.push((*column, *stride));
            }
            _ => {}
        });
        columns
    }
}

impl For {
    /// Whether a number is accumulated that fits no lane. One after the other, that is two instructions for each. In several
    /// accumulators at a time, as LLVM would have it of integers, it is more registers than there are.
    pub(crate) fn adds_up_wide(&self, imp: &Imp) -> bool {
        let is_wide = |reg: RegId| cost::has_wide(&imp.regs[reg].ty.into());
        self.body.stmts.iter().any(|stmt| matches!(stmt, Stmt::Accumulate { reg, .. } if is_wide(*reg)))
    }

    /// The columns that it reads at its position, and those of which it asks for keys or memory.
    pub(crate) fn columns(&self) -> Vec<Value> {
        let mut columns = self.body.columns_at(self.index);
        if let Some(hints) = &self.hints {
            let mentioned =
                hints.prefetch.iter().copied().chain(hints.hash_ahead.iter().map(|ahead| ahead.0));
            for column in mentioned {
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
        }
        columns
    }

    /// Has it read other columns.
    pub(crate) fn read_instead(&mut self, columns: &BTreeMap<Value, Value>) {
        let rename = |value: &mut Value| *value = columns.get(value).copied().unwrap_or(*value);
        let index = self.index;
        self.body.for_each_stmt_mut(&mut |stmt| match stmt {
            Stmt::Load { column, index: at, .. } if *at == index => rename(column),
            Stmt::Prefetch {
                what: Prefetch::Block { column, .. } | Prefetch::Element { column } | Prefetch::Row { column },
                ..
            } => rename(column),
            _ => {}
        });
        if let Some(hints) = &mut self.hints {
            hints.prefetch.iter_mut().for_each(rename);
            hints.hash_ahead.iter_mut().for_each(|ahead| rename(&mut ahead.0));
        }
    }

    /// The iterations of the blocks that it is to run in.
    pub(crate) fn block(&self) -> Option<u32> {
        self.hints.as_ref()?.block
    }
}
