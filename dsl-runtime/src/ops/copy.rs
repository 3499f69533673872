//! Copies of values that a program stores and still needs, counted before they are made.

use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::lang::tuples::for_tuples;
use crate::store::dict::Dict;
use crate::store::vector::growable::with_capacity;

/// A type whose values say how much memory they hold elsewhere.
///
/// ```
/// use weldment_runtime::ops::copy::Heap;
/// assert_eq!((1i64, vec![vec![0.5, 1.5], vec![]]).heap(), 2 * size_of::<Vec<f64>>() + 16);
/// ```
pub trait Heap {
    /// Whether values may hold memory elsewhere.
    const HOLDS: bool;

    /// The bytes that a copy of this value allocates.
    ///
    /// ```
    /// # use weldment_runtime::ops::copy::Heap;
    /// assert_eq!((7i64.heap(), vec![7i64; 3].heap()), (0, 24));
    /// ```
    fn heap(&self) -> usize;
}

/// A copy of `value`.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::ops::copy;
/// use weldment_runtime::exec::options::Options;
/// let row = (1, vec![0.5; 100]);
/// assert_eq!(copy::value(Context::ambient(), &row), Ok(row.clone()));
/// assert!(copy::value(&Context::new(&Options::new().memory_limit(799)), &row).is_err());
/// ```
pub fn value<T: Heap + Clone>(cx: &Context, value: &T) -> Result<T, Fault> {
    if cx.memory_limit().is_some() {
        cx.charge(value.heap())?;
    }
    Ok(value.clone())
}

/// A vector of the elements of `slice`.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::ops::copy;
/// assert_eq!(copy::slice(Context::ambient(), &[1, 2]), Ok(vec![1, 2]));
/// ```
pub fn slice<T: Heap + Clone>(cx: &Context, slice: &[T]) -> Result<Vec<T>, Fault> {
    if cx.memory_limit().is_some() {
        cx.charge(slice.heap())?;
    }
    let mut vector = Vec::new();
    vector.try_reserve_exact(slice.len()).map_err(|_| Fault::memory(size_of_val(slice)))?;
    vector.extend_from_slice(slice);
    Ok(vector)
}

/// The vector of `elements`.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::ops::copy;
/// assert_eq!(copy::vector(Context::ambient(), [1, 2]), Ok(vec![1, 2]));
/// ```
pub fn vector<T, const N: usize>(cx: &Context, elements: [T; N]) -> Result<Vec<T>, Fault> {
    let mut vector = with_capacity(cx, N)?;
    vector.extend(elements);
    Ok(vector)
}

/// The pairs of `dict`, in order of first insertion.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::ops::copy;
/// use weldment_runtime::store::dict::Dict;
/// let dict: Dict<i64, bool> = [(7, true), (3, false)].into_iter().collect();
/// assert_eq!(copy::pairs(Context::ambient(), &dict), Ok(vec![(7, true), (3, false)]));
/// ```
pub fn pairs<K: Heap + Clone, V: Heap + Clone>(
    cx: &Context,
    dict: &Dict<K, V>,
) -> Result<Vec<(K, V)>, Fault> {
    let bytes = dict.len().saturating_mul(size_of::<(K, V)>());
    if cx.memory_limit().is_some() {
        cx.charge(bytes.saturating_add(elsewhere(dict.keys())).saturating_add(elsewhere(dict.values())))?;
    }
    let mut vector = Vec::new();
    vector.try_reserve_exact(dict.len()).map_err(|_| Fault::memory(bytes))?;
    vector.extend(dict.iter().map(|(key, value)| (key.clone(), value.clone())));
    Ok(vector)
}

/// What `elements` hold besides themselves.
fn elsewhere<T: Heap>(elements: &[T]) -> usize {
    if T::HOLDS { elements.iter().map(T::heap).fold(0, usize::saturating_add) } else { 0 }
}

macro_rules! scalar {
    ($($ty:ident)*) => {$(
        impl Heap for $ty {
            const HOLDS: bool = false;

            #[inline(always)]
            fn heap(&self) -> usize {
                0
            }
        }
    )*};
}

scalar!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl<T: Heap> Heap for [T] {
    const HOLDS: bool = true;

    fn heap(&self) -> usize {
        size_of_val(self).saturating_add(elsewhere(self))
    }
}

impl<T: Heap> Heap for Vec<T> {
    const HOLDS: bool = true;

    fn heap(&self) -> usize {
        self.as_slice().heap()
    }
}

impl<T: Heap + ?Sized> Heap for &T {
    const HOLDS: bool = T::HOLDS;

    fn heap(&self) -> usize {
        (**self).heap()
    }
}

impl<K: Key, V: Heap> Heap for Dict<K, V> {
    const HOLDS: bool = true;

    fn heap(&self) -> usize {
        self.room().saturating_add(elsewhere(self.keys())).saturating_add(elsewhere(self.values()))
    }
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        impl<$($name: Heap),*> Heap for ($($name,)*) {
            const HOLDS: bool = false $(|| $name::HOLDS)*;

            #[inline]
            fn heap(&self) -> usize {
                0usize $(.saturating_add(self.$index.heap()))*
            }
        }
    };
}

for_tuples!(tuple);
