//! Rows whose types are erased: code that is monomorphised once, for all tables, moves them in units of four bytes.

use std::any::TypeId;
use std::mem::MaybeUninit;

/// What rows are made of; some of them are not initialised, between two fields.
pub(crate) type Unit = MaybeUninit<u32>;

/// The type of rows, at run time. What holds rows keeps their type, and compares it before it casts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowType {
    id: TypeId,
    units: u32,
}

impl RowType {
    /// Of rows without gaps, which any thread may read and write.
    pub(crate) const fn of<T: Copy + Send + Sync + 'static>() -> RowType {
        const { assert!(align_of::<T>() <= size_of::<Unit>() && size_of::<T>().is_multiple_of(size_of::<Unit>())) };
        RowType { id: TypeId::of::<T>(), units: (size_of::<T>() / size_of::<Unit>()) as u32 }
    }

    /// How many units a row takes.
    #[inline(always)]
    pub(crate) fn units(self) -> usize {
        self.units as usize
    }

    /// # Panics
    /// If rows of this type are not those of `other`.
    #[inline(always)]
    pub(crate) fn expect(self, other: RowType) {
        assert!(self.id == other.id, "rows of another table");
    }
}
