//! Arguments as values, typed by the kernel that they are for: literals in a rule are of whatever type it takes.

use weldment::{Argument, Kernel, Value};

macro_rules! arities {
    ($($name:ident $($ty:ident $arg:ident)*;)*) => {$(
        #[allow(clippy::too_many_arguments)]
        pub(super) fn $name<$($ty: Argument,)* R>(_: &Kernel<fn($($ty),*) -> R>, $($arg: $ty),*) -> Vec<Value> {
            vec![$($arg.to_value()),*]
        }
    )*};
}

arities! {
    one A a;
    two A a B b;
    three A a B b C c;
    four A a B b C c D d;
    eight A a B b C c D d E e F f G g H h;
}

/// `of!(kernel; argument, …)`
macro_rules! of {
    ($kernel:ident; $a:expr) => {
        $crate::rules::values::one(&$kernel, $a)
    };
    ($kernel:ident; $a:expr, $b:expr) => {
        $crate::rules::values::two(&$kernel, $a, $b)
    };
    ($kernel:ident; $a:expr, $b:expr, $c:expr) => {
        $crate::rules::values::three(&$kernel, $a, $b, $c)
    };
    ($kernel:ident; $a:expr, $b:expr, $c:expr, $d:expr) => {
        $crate::rules::values::four(&$kernel, $a, $b, $c, $d)
    };
    ($kernel:ident; $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr, $h:expr) => {
        $crate::rules::values::eight(&$kernel, $a, $b, $c, $d, $e, $f, $g, $h)
    };
}
pub(super) use of;
