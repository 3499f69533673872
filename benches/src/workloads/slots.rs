//! How large tables by hand are.

/// Up to so many bytes, more slots than are needed are faster.
const SPREAD: usize = 4 << 20;

/// Slots of a `T` for so many keys: at most three eighths of them are taken, and a quarter of that where they are small.
pub(crate) fn slots_for<T>(keys: usize) -> usize {
    let least = (keys * 8 / 3).next_power_of_two().max(16);
    let spread = [4 * least, 2 * least];
    spread.into_iter().find(|slots| slots * size_of::<T>() <= SPREAD).unwrap_or(least)
}
