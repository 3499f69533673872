//! Structs of the language are tuples in Rust: the macro that implements a trait for all of them.

/// Calls `$implement` with the indices and names of the fields of the tuples of 0 to 24 fields: `()`, `(0 A)`,
/// `(0 A 1 B)` and so on.
macro_rules! for_tuples {
    ($implement:ident) => {
        $crate::lang::tuples::for_tuples!(@ $implement () 0 A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I 9 J 10 K 11 L 12 M 13 N 14 O
            15 P 16 Q 17 R 18 S 19 T 20 U 21 V 22 W 23 X);
    };
    (@ $implement:ident ($($done:tt)*)) => {
        $implement!($($done)*);
    };
    (@ $implement:ident ($($done:tt)*) $index:tt $name:ident $($rest:tt)*) => {
        $implement!($($done)*);
        $crate::lang::tuples::for_tuples!(@ $implement ($($done)* $index $name) $($rest)*);
    };
}

pub(crate) use for_tuples;
