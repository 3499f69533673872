//! The table of functions: what each is called, how many arguments it takes, and what computes it.

/// Hands the table to the macro `$with`, behind what else it is to be given. A row is
///
/// * the variant of `MathFn`, and the name in the language;
/// * the number of arguments;
/// * what computes it: `own`, the function of this name in `math`, a list of operations; `angle`, the same up to
///   `LARGEST_ANGLE`, for which there is a method of its own, and beyond it that of `libm`
///   for each width; `exact`, a few instructions, which each executor has by itself;
/// * the method of numbers that gives it, if that is not the one of this name of `Float`. Then it takes integers as well.
///
/// The methods of `Float`, evaluation, traces, and what compiled code calls all come from here.
#[doc(hidden)]
#[macro_export]
macro_rules! math_functions {
    ($with:ident $($given:tt)*) => {
        $with! {
            [$($given)*]
            Exp exp 1 own;
            Log log 1 own;
            Sqrt sqrt 1 exact;
            Sin sin 1 angle(near_sin, sin, sinf);
            Cos cos 1 angle(near_cos, cos, cosf);
            Tan tan 1 angle(near_tan, tan, tanf);
            Asin asin 1 own;
            Acos acos 1 own;
            Atan atan 1 own;
            Sinh sinh 1 own;
            Cosh cosh 1 own;
            Tanh tanh 1 own;
            Erf erf 1 own;
            Log2 log2 1 own;
            Log10 log10 1 own;
            Exp2 exp2 1 own;
            Cbrt cbrt 1 own;
            Abs abs 1 exact as Number::absolute;
            Floor floor 1 exact;
            Ceil ceil 1 exact;
            Round round 1 exact;
            Trunc trunc 1 exact;
            Fract fract 1 exact;
            Signum signum 1 exact as Number::sign;
            IsNan is_nan 1 exact;
            Pow pow 2 own as Number::power;
            Hypot hypot 2 own;
            Atan2 atan2 2 own;
            MulAdd mul_add 3 exact;
        }
    };
}

macro_rules! define {
    ([] $($variant:ident $name:ident $arity:tt $how:ident $(($($part:ident),*))? $(as $of:ident::$method:ident)?;)*) => {
        /// A function of floats. `Abs`, `Signum` and `Pow` also take integers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum MathFn { $($variant,)* }

        impl MathFn {
            /// Every function.
            pub const ALL: &[MathFn] = &[$(MathFn::$variant,)*];

            /// The name in the language.
            pub fn name(self) -> &'static str {
                match self { $(MathFn::$variant => stringify!($name),)* }
            }

            /// The number of arguments.
            pub fn arity(self) -> usize {
                match self { $(MathFn::$variant => $arity,)* }
            }

            /// Whether it is a few instructions, rather than written in [`math`](crate::math).
            ///
            /// ```
            /// # use weldment_runtime::math::functions::MathFn;
            /// assert!(MathFn::Sqrt.is_exact() && !MathFn::Exp.is_exact());
            /// ```
            pub fn is_exact(self) -> bool {
                match self { $(MathFn::$variant => cell!(is_exact $how),)* }
            }

            /// Whether its argument is an angle, for which there is no good form without branches where it is huge.
            ///
            /// ```
            /// # use weldment_runtime::math::functions::MathFn;
            /// assert!(MathFn::Sin.is_of_angle() && !MathFn::Asin.is_of_angle());
            /// ```
            pub fn is_of_angle(self) -> bool {
                match self { $(MathFn::$variant => cell!(is_of_angle $how),)* }
            }

            /// The method that gives it, of [`Number`](crate::lang::num::Number) if it takes integers and of
            /// [`Float`](crate::lang::num::Float) if not.
            ///
            /// ```
            /// # use weldment_runtime::math::functions::MathFn;
            /// assert_eq!((MathFn::Exp.method(), MathFn::Abs.method()), ("exp", "absolute"));
            /// ```
            pub fn method(self) -> &'static str {
                match self { $(MathFn::$variant => cell!(method $name $($method)?),)* }
            }

            /// Whether integers are accepted besides floats.
            ///
            /// ```
            /// # use weldment_runtime::math::functions::MathFn;
            /// assert!(MathFn::Pow.takes_integers() && !MathFn::Sqrt.takes_integers());
            /// ```
            pub fn takes_integers(self) -> bool {
                match self { $(MathFn::$variant => cell!(takes_integers $($of)?),)* }
            }
        }
    };
}

/// What a cell of the table stands for.
macro_rules! cell {
    (is_exact exact) => {
        true
    };
    (is_exact $how:ident) => {
        false
    };
    (is_of_angle angle) => {
        true
    };
    (is_of_angle $how:ident) => {
        false
    };
    (method $name:ident) => {
        stringify!($name)
    };
    (method $name:ident $method:ident) => {
        stringify!($method)
    };
    (takes_integers) => {
        false
    };
    (takes_integers Number) => {
        true
    };
}

math_functions!(define);

impl MathFn {
    /// The function with this name.
    ///
    /// ```
    /// # use weldment_runtime::math::functions::MathFn;
    /// assert_eq!(MathFn::from_name("mul_add"), Some(MathFn::MulAdd));
    /// assert_eq!(MathFn::from_name("ln"), None); // it is called `log`
    /// ```
    pub fn from_name(name: &str) -> Option<MathFn> {
        MathFn::ALL.iter().copied().find(|function| function.name() == name)
    }
}
