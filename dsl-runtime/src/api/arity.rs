//! From no parameter to as many as a kernel takes: the one list behind the implementations of kernels.

/// `$each! { }`, `$each! { A a }`, `$each! { A a B b }`, and so on: a type and a name for each parameter.
macro_rules! for_each_arity {
    ($each:ident) => {
        for_each_arity!($each () A a B b C c D d E e G g H h I i J j K k L l M m N n O o P p Q q S s T t U u V v W w X x Y y Z z);
    };
    ($each:ident ($($done:tt)*)) => {
        $each! { $($done)* }
    };
    ($each:ident ($($done:tt)*) $ty:ident $arg:ident $($rest:tt)*) => {
        $each! { $($done)* }
        for_each_arity!($each ($($done)* $ty $arg) $($rest)*);
    };
}

pub(super) use for_each_arity;
