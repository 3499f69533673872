//! Reduction operators on values: neutral values, and the folds whose order is part of a program's meaning.
//!
//! `+`, `*`, `min` and `max` reduce scalars, and structs of scalars field by field. Within a chunk, values go
//! to lanes by their index; the lanes fold in order, then the chunks in order, then `init op total`.

use crate::lang::num::Number;
use crate::lang::tuples::for_tuples;

/// `+`; wraps on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Add;

/// `*`; wraps on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mul;

/// `min`, which ignores NaN beside a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Min;

/// `max`, which ignores NaN beside a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Max;

/// A reduction operator on values of type `T`.
pub trait Operator<T>: Copy {
    /// What a reduction of nothing gives: 0, 1, the type's largest or smallest value, infinities for floats.
    fn identity(self) -> T;
    /// What accumulators start with: it leaves every value alone, bit for bit, on either side. The identity, but
    /// −0.0 for float `+`, and for float `min` and `max` NaN, so that NaNs alone give NaN.
    fn neutral(self) -> T;
    /// `a op b`.
    fn apply(self, a: T, b: T) -> T;
}

/// The fold of lanes, from lane 0 on.
///
/// The loop is written in sequence on purpose: a fold by halves is compiled to narrower vectors, and for
/// floats it would be another result. It counts, since the iterator over an array is a good deal more to compile.
#[inline(always)]
pub fn lanes<T: Copy, O: Operator<T>, const L: usize>(op: O, lanes: [T; L]) -> T {
    let mut total = op.neutral();
    let mut lane = 0;
    while lane < L {
        total = op.apply(total, lanes[lane]);
        lane += 1;
    }
    total
}

/// The end of a reduction: `init op total`.
#[inline(always)]
pub fn finish<T, O: Operator<T>>(op: O, init: Option<T>, total: T) -> T {
    op.apply(init.unwrap_or_else(|| op.identity()), total)
}

/// `Operator` for scalars: per operator its method, then identity and neutral value of each kind of type.
macro_rules! scalars {
    ($op:ident $method:ident; $($ty:ident)*; $identity:expr, $neutral:expr) => {$(
        impl Operator<$ty> for $op {
            #[inline(always)]
            fn identity(self) -> $ty {
                $identity as $ty
            }
            #[inline(always)]
            fn neutral(self) -> $ty {
                $neutral as $ty
            }
            #[inline(always)]
            fn apply(self, a: $ty, b: $ty) -> $ty {
                a.$method(b)
            }
        }
    )*};
}

macro_rules! each {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => { $(each!($kind $ty);)* };
    (Truth $ty:ident) => {};
    (Float $ty:ident) => {
        scalars!(Add add; $ty; 0.0, -0.0);
        scalars!(Mul mul; $ty; 1.0, 1.0);
        scalars!(Min least; $ty; $ty::INFINITY, $ty::NAN);
        scalars!(Max greatest; $ty; $ty::NEG_INFINITY, $ty::NAN);
    };
    // The extremes of integers are the type's own.
    ($kind:ident $ty:ident) => {
        scalars!(Add add; $ty; 0, 0);
        scalars!(Mul mul; $ty; 1, 1);
        scalars!(Min least; $ty; $ty::MAX, $ty::MAX);
        scalars!(Max greatest; $ty; $ty::MIN, $ty::MIN);
    };
}

crate::scalar_types!(each);

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        #[allow(unused_variables, clippy::unused_unit)]
        impl<Op: Copy $(+ Operator<$name>)*, $($name),*> Operator<($($name,)*)> for Op {
            #[inline(always)]
            fn identity(self) -> ($($name,)*) {
                ($(Operator::<$name>::identity(self),)*)
            }
            #[inline(always)]
            fn neutral(self) -> ($($name,)*) {
                ($(Operator::<$name>::neutral(self),)*)
            }
            #[inline(always)]
            fn apply(self, a: ($($name,)*), b: ($($name,)*)) -> ($($name,)*) {
                ($(Operator::<$name>::apply(self, a.$index, b.$index),)*)
            }
        }
    };
}

for_tuples!(tuple);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::reduce::ReduceOp;
    use crate::lang::scalar::Const;

    fn check_agrees<T, O: Operator<T>>(op: O, same: ReduceOp, sample: T)
    where
        T: Copy + Into<Const>,
    {
        let ty = sample.into().scalar();
        assert_eq!(op.identity().into(), same.identity(ty));
        assert_eq!(op.neutral().into(), same.neutral(ty));
        assert_eq!(op.apply(op.neutral(), sample).into(), sample.into());
        assert_eq!(op.apply(sample, op.neutral()).into(), sample.into());
    }

    #[test]
    fn constants_agree_with_the_tables_and_leave_values_alone() {
        macro_rules! check {
            ($($ty:ident)*) => {$(
                for sample in [0 as $ty, 1 as $ty, 100 as $ty, <$ty>::MIN, <$ty>::MAX] {
                    check_agrees(Add, ReduceOp::Add, sample);
                    check_agrees(Mul, ReduceOp::Mul, sample);
                    check_agrees(Min, ReduceOp::Min, sample);
                    check_agrees(Max, ReduceOp::Max, sample);
                }
            )*};
        }
        check!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        for sample in [-0.0, f64::INFINITY, f64::NEG_INFINITY] {
            check_agrees(Add, ReduceOp::Add, sample);
            check_agrees(Min, ReduceOp::Min, sample);
            check_agrees(Max, ReduceOp::Max, sample);
        }
    }

    #[test]
    fn a_neutral_value_keeps_a_nan_and_the_identity_does_not() {
        assert!(Min.apply(f64::NAN, Operator::<f64>::neutral(Min)).is_nan());
        assert_eq!(finish(Min, None, f64::NAN), f64::INFINITY);
    }

    #[test]
    fn lanes_fold_from_the_first_on() {
        // Any other order gives another sum.
        let sum = lanes(Add, [1e16, 1.0, -1e16, 1.0]);
        assert_eq!(sum, ((1e16 + 1.0) - 1e16) + 1.0);
        assert_eq!(lanes(Add, [-0.0f64; 16]).to_bits(), (-0.0f64).to_bits());
        assert_eq!(lanes(Min, [(3, 2.0), (1, f64::NAN)]), (1, 2.0));
    }

    #[test]
    fn structs_of_many_fields_fold_field_by_field() {
        let wide = (1i8, 1u8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, 1i8, (2.0, (7,)));
        assert_eq!(Add.apply(wide, Add.neutral()).12, (2.0, (7,)));
        assert_eq!(Add.apply(wide, wide).12, (4.0, (14,)));
        Operator::<()>::apply(Add, (), ());
    }
}
