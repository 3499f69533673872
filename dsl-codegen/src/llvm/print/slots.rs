//! How stores are kept where something is done with them: what the printer knows of each.

use weldment_runtime::lang::types::Type;

use super::builder::Operand;
use crate::imp::{Combine, Packing, StoreId};

/// How a store is kept where something is done with it.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// What has joined, and the part at hand.
    Boxed { joined: Option<FoldBox>, part: Option<FoldBox> },
    /// The block that the elements of positions go to.
    Exact { block: Operand },
    /// A block in which each iteration has several elements; the number of the next one is on the stack.
    FixedFanOut { block: Operand, next: Operand },
    /// What places the parts of a block of at most so many elements.
    Placed { placed: Operand, block: Operand },
    /// A block that grows.
    Growing(Growing),
    /// A vector that parts append to, or a table that they join: nothing yet.
    Parts,
    /// A table.
    Table(TableSlot),
    /// The vector itself, or a part of what is added to it.
    Scatter { whole: Option<Operand>, block: Operand, len: Operand },
}

/// A block that grows: where its address, its length and its capacity are.
#[derive(Clone, Debug)]
pub(super) struct Growing {
    pub(super) store: StoreId,
    pub(super) block: Operand,
    pub(super) len: Operand,
    pub(super) capacity: Operand,
}

/// Nothing yet, or one value: a flag and the value in memory.
#[derive(Clone, Debug)]
pub(super) struct FoldBox {
    pub(super) some: Operand,
    pub(super) place: Operand,
}

/// A table that is open for merging.
#[derive(Clone, Debug)]
pub(super) struct TableSlot {
    /// Where it is.
    pub(super) table: Operand,
    /// Of a direct table, where its slots are; they never move.
    pub(super) direct: Option<Operand>,
    /// Of a direct table, the variable that says where its values are: they move when a key is inserted, and only then. Each row would
    /// load it otherwise, since the row before has written.
    pub(super) values: Option<Operand>,
    /// The hash of the key that is at hand, where it was made ahead.
    pub(super) hash: Option<Operand>,
    pub(super) key: Type,
    pub(super) value: Type,
    pub(super) combine: Combine,
    /// If it has a plan.
    pub(super) small: Option<SmallTable>,
}

impl TableSlot {
    /// The type of the dictionary's values.
    pub(super) fn item(&self) -> Type {
        match self.combine {
            Combine::Append => Type::vec(self.value.clone()),
            _ => self.value.clone(),
        }
    }
}

/// What is known of a table of words, on the stack.
#[derive(Clone, Debug)]
pub(super) struct SmallTable {
    pub(super) slots: Operand,
    pub(super) mask: Operand,
    pub(super) buffers: Operand,
    pub(super) parts: Packing,
}
