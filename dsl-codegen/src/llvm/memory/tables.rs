//! The tables of a run: each lives as long as the run does, and those that a loop is done with are used again.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ptr::{self, NonNull};
use std::sync::{Mutex, MutexGuard, PoisonError};

use weldment_runtime::mem::budget::Charge;
use weldment_runtime::store::partition::SharedPartitions;

use crate::llvm::runtime::table::Table;

/// The tables of a run.
#[derive(Default)]
pub(crate) struct Tables(Mutex<State>);

#[derive(Default)]
struct State {
    /// By address.
    all: HashMap<usize, Box<Table>>,
    /// Those of `all` that may be used anew.
    spare: Vec<Spare>,
    /// By loop, and for each store of it by an address of its own.
    shared_partitions: HashMap<(u64, usize), SharedPartitions>,
}

/// A table that nobody uses.
struct Spare(NonNull<Table>);

// SAFETY: whoever has it has the table alone.
unsafe impl Send for Spare {}

impl Tables {
    /// Keeps `table` until the run ends. The address stays good.
    pub(crate) fn keep(&self, table: Table) -> *mut Table {
        let mut table = Box::new(table);
        let address = ptr::from_mut(&mut *table);
        self.state().all.insert(address.addr(), table);
        address
    }

    /// Frees a table that is kept, and nobody uses any more.
    pub(crate) fn free(&self, table: NonNull<Table>) {
        self.state().all.remove(&table.addr().get());
    }

    /// Leaves a table to whoever wants one that is made like it.
    ///
    /// # Safety
    /// It is kept here, and nobody uses it any more.
    pub(crate) unsafe fn release(&self, table: NonNull<Table>) {
        self.state().spare.push(Spare(table));
    }

    /// A table that was left, of those that are `fit`. It is emptied here, since those who leave one wait for each other.
    pub(crate) fn take(&self, run: &impl Charge, fit: impl Fn(&Table) -> bool) -> Option<*mut Table> {
        let mut taken = {
            let spare = &mut self.state().spare;
            // SAFETY: nobody else uses a table that was left, and the run still has it.
            let place = spare.iter().position(|spare| fit(unsafe { spare.0.as_ref() }))?;
            spare.swap_remove(place)
        };
        // SAFETY: as above.
        unsafe { taken.0.as_mut() }.empty(run);
        Some(taken.0.as_ptr())
    }

    /// Frees what the tables take that were left, and what those of this loop share, which has ended.
    pub(crate) fn end_loop(&self, run: &impl Charge, of_loop: u64) {
        let spare = {
            let mut state = self.state();
            state.shared_partitions.retain(|of, _| of.0 != of_loop);
            std::mem::take(&mut state.spare)
        };
        for mut table in spare {
            // SAFETY: nobody else uses a table that was left, and the run still has it.
            unsafe { table.0.as_mut() }.clear(run);
        }
    }

    /// What the tables of a loop share that are known by `address`.
    pub(crate) fn shared_partitions(&self, of_loop: u64, address: usize) -> SharedPartitions {
        self.state().shared_partitions.entry((of_loop, address)).or_default().clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use weldment_runtime::exec::context::Context;
    use weldment_runtime::exec::options::Options;
    use weldment_runtime::lang::types::Type;

    use super::*;
    use crate::llvm::runtime::table::{KeyShape, Sizes};

    #[test]
    fn tables_that_are_left_are_used_again() {
        let context = Context::new(&Options::new().memory_limit(100_000));
        let (run, tables) = (&context, Tables::default());
        let (shape, sizes) = (KeyShape::of(&Type::I64), Sizes { key: 8, value: 4 });
        let made =
            |value: usize| tables.take(run, |spare| spare.is_made_of(&shape, Sizes { value, ..sizes }, &[]));
        let table = tables.keep(Table::new(run, shape.clone(), sizes, &[]).unwrap());
        let seven = 7i64;
        let key = (&raw const seven).cast();
        // SAFETY: nobody else has the table, and the key is there.
        unsafe {
            (*table).entry(run, key).unwrap();
            tables.release(NonNull::new(table).unwrap());
            assert_eq!((made(8), made(4), made(4)), (None, Some(table), None));
            assert_eq!(((*table).len, (*table).find(key)), (0, None));
            tables.release(NonNull::new(table).unwrap());
        }
        tables.end_loop(run, 0);
        assert!(made(4).is_none() && run.charge(100_000).is_ok());
    }
}
