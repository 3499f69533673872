//! How two values of one key of a table become one.

use super::reduce::lanes::Operator;

/// How two values become one, as a type: what is compiled for a table is compiled once for each of them, so that emitted code
/// names a reduction operator and no closures, each of which is a type of its own.
///
/// ```
/// use weldment_runtime::store::combine::Combine;
/// use weldment_runtime::store::reduce::lanes::Max;
/// let mut entry = (2, 0.5);
/// Max.combine(&mut entry, (1, 1.5));
/// assert_eq!(entry, (2, 1.5));
/// ```
pub trait Combine<V>: Copy + Send + Sync {
    /// `into` becomes what the two of them come to.
    fn combine(self, into: &mut V, value: V);
}

impl<V: Copy, O: Operator<V> + Send + Sync> Combine<V> for O {
    #[inline(always)]
    fn combine(self, into: &mut V, value: V) {
        *into = self.apply(*into, value);
    }
}
