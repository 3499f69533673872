//! The table of functions: name in the language, and number of arguments.

macro_rules! math_functions {
    ($($variant:ident $name:literal $arity:literal;)*) => {
        /// A function of floats. `Abs`, `Signum` and `Pow` also take integers.
        ///
        /// ```
        /// use weldment_runtime::lang::scalar::{Const, math};
        /// use weldment_runtime::math::functions::MathFn;
        /// assert_eq!(math(MathFn::Sqrt, &[Const::F64(-1.0)]), Const::F64(f64::NAN));
        /// assert_eq!(math(MathFn::Abs, &[Const::I8(-128)]), Const::I8(-128)); // wraps
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum MathFn { $($variant,)* }

        impl MathFn {
            /// Every function.
            pub const ALL: &[MathFn] = &[$(MathFn::$variant,)*];

            /// The name in the language.
            ///
            /// ```
            /// # use weldment_runtime::math::functions::MathFn;
            /// assert_eq!((MathFn::Log.name(), MathFn::IsNan.name()), ("log", "is_nan"));
            /// ```
            pub fn name(self) -> &'static str {
                match self { $(MathFn::$variant => $name,)* }
            }

            /// The number of arguments.
            ///
            /// ```
            /// # use weldment_runtime::math::functions::MathFn;
            /// assert_eq!((MathFn::Exp.arity(), MathFn::Pow.arity(), MathFn::MulAdd.arity()), (1, 2, 3));
            /// ```
            pub fn arity(self) -> usize {
                match self { $(MathFn::$variant => $arity,)* }
            }
        }
    };
}

math_functions! {
    Exp "exp" 1;
    Log "log" 1;
    Sqrt "sqrt" 1;
    Sin "sin" 1;
    Cos "cos" 1;
    Tan "tan" 1;
    Asin "asin" 1;
    Acos "acos" 1;
    Atan "atan" 1;
    Sinh "sinh" 1;
    Cosh "cosh" 1;
    Tanh "tanh" 1;
    Erf "erf" 1;
    Log2 "log2" 1;
    Log10 "log10" 1;
    Exp2 "exp2" 1;
    Cbrt "cbrt" 1;
    Abs "abs" 1;
    Floor "floor" 1;
    Ceil "ceil" 1;
    Round "round" 1;
    Trunc "trunc" 1;
    Fract "fract" 1;
    Signum "signum" 1;
    IsNan "is_nan" 1;
    Pow "pow" 2;
    Hypot "hypot" 2;
    Atan2 "atan2" 2;
    MulAdd "mul_add" 3;
}
