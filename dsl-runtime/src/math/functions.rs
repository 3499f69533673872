//! The table of functions: name in the language, and number of arguments.

macro_rules! math_functions {
    ($($variant:ident $name:literal $arity:literal;)*) => {
        /// A function of floats. `Abs`, `Signum` and `Pow` also take integers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum MathFn { $($variant,)* }

        impl MathFn {
            /// Every function.
            pub const ALL: &[MathFn] = &[$(MathFn::$variant,)*];

            /// The name in the language.
            pub fn name(self) -> &'static str {
                match self { $(MathFn::$variant => $name,)* }
            }

            /// The number of arguments.
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
