//! What a row of the table of ops makes.

/// Defines the enum of ops by the rows of the table, and what can be read off a row as methods of it.
macro_rules! ops {
    (
        $(#[$about:meta])*
        pub enum $Op:ident;
        straight {$(
            $(#[$doc:meta])*
            $variant:ident($first:ident: $first_part:ty $(, $field:ident: $part:ty)*)
                $name:tt $($open:literal $close:literal)?
                => $rule:ident($($operand:expr),*), $fault:ident $($memory:ident)?, $cost:tt $(($($priced:expr),*))?;
        )*}
        bodies {$(
            $(#[$about_bodies:meta])*
            $holder:ident $fields:tt,
        )*}
    ) => {
        $(#[$about])*
        pub enum $Op {
            $($(#[$doc])* $variant($first_part $(, $part)*),)*
            $($(#[$about_bodies])* $holder $fields,)*
        }

        impl $Op {
            /// Every op, by its name in Rust.
            #[doc(hidden)]
            pub const VARIANTS: &'static [&'static str] =
                &[$(stringify!($variant),)* $(stringify!($holder),)*];

            /// Which of `VARIANTS` this is.
            #[doc(hidden)]
            pub fn variant(&self) -> &'static str {
                match self {
                    $($Op::$variant(..) => stringify!($variant),)*
                    $($Op::$holder { .. } => stringify!($holder),)*
                }
            }

            /// Whether there are operands on which the op, apart from its bodies, can fault; loops aside, of which it depends
            /// on the sinks. Faults of the machinery do not count.
            ///
            /// ```
            /// # use weldment_core::ir::*;
            /// let v = Value::from_index;
            /// assert!(Op::Lookup(v(0), v(1)).can_fault() && !Op::At(v(0), v(1)).can_fault());
            /// ```
            pub fn can_fault(&self) -> bool {
                match self {
                    $($Op::$variant(..) => cell!(fault $fault),)*
                    _ => false,
                }
            }

            /// Whether the op takes memory for what it gives, if that is more than scalars or read from bytes. Those that
            /// hold bodies are asked elsewhere.
            ///
            /// ```
            /// # use weldment_core::ir::*;
            /// let x = Value::from_index(0);
            /// assert!(Op::Vector(vec![x]).allocates() && !Op::Len(x).allocates());
            /// ```
            pub fn allocates(&self) -> bool {
                match self {
                    $($Op::$variant(..) => cell!(memory $($memory)?),)*
                    _ => false,
                }
            }

            /// The word that begins the text of an op without bodies.
            #[expect(unused_variables, reason = "only some are named by their first field")]
            pub(super) fn word(&self) -> &'static str {
                match self {
                    $($Op::$variant($first, ..) => cell!(name $name $first),)*
                    _ => unreachable!("{self:?} holds bodies or merges"),
                }
            }

            /// Visits what the op reads; nothing of one that holds bodies.
            pub(super) fn for_each_value(&self, visit: &mut impl FnMut(&Value)) {
                match self {
                    $($Op::$variant($first $(, $field)*) => {
                        $first.for_each_value(visit);
                        $($field.for_each_value(visit);)*
                    })*
                    _ => {}
                }
            }

            /// Visits what the op reads, to change it; nothing of one that holds bodies.
            pub(super) fn for_each_value_mut(&mut self, visit: &mut impl FnMut(&mut Value)) {
                match self {
                    $($Op::$variant($first $(, $field)*) => {
                        $first.for_each_value_mut(visit);
                        $($field.for_each_value_mut(visit);)*
                    })*
                    _ => {}
                }
            }

            /// Writes the fields of the op behind its name; of one that holds bodies none.
            pub(super) fn write(&self, out: &mut Writing<'_>) {
                match self {
                    $($Op::$variant($first $(, $field)*) => {
                        out.brackets = cell!(brackets $($open $close)?);
                        $first.write(out);
                        $($field.write(out);)*
                    })*
                    _ => {}
                }
            }

            /// What an op without bodies binds, or what is wrong with its operands.
            #[expect(unused_variables, reason = "a rule takes what it needs")]
            pub(super) fn typing(&self, rules: &Rules<'_>) -> std::result::Result<Typing, String> {
                match self {
                    $($Op::$variant($first $(, $field)*) => rules.$rule($($operand),*),)*
                    _ => unreachable!("{self:?} holds bodies or merges"),
                }
            }

            /// What an op without bodies costs, as [`cost`](crate::analysis::cost) counts.
            #[expect(unused_variables, reason = "a rule takes what it needs")]
            pub(crate) fn cost(&self, program: &Program) -> u64 {
                let costs = Costs(program);
                match self {
                    $($Op::$variant($first $(, $field)*) => cell!(cost costs $cost $(($($priced),*))?),)*
                    _ => unreachable!("{self:?} holds bodies or merges"),
                }
            }
        }

        impl Parser<'_> {
            /// What stands behind `token`, the name of an op without bodies, which binds `results`.
            #[doc(hidden)]
            pub fn straight(&mut self, token: Token<'_>, results: &[Value]) -> Result<$Op> {
                $(
                    if cell!(is $name token) {
                        let brackets = cell!(brackets $($open $close)?);
                        let mut from = Reading { parser: self, word: token.text, results, brackets, is_first: true };
                        return Ok($Op::$variant(Part::read(&mut from)? $(, <$part>::read(&mut from)?)*));
                    }
                )*
                Err(self.error_at(token, format!("expected an op, found `{}`", token.text)))
            }
        }
    };
}

/// What a cell of the table stands for.
macro_rules! cell {
    (fault total) => { false };
    (fault faults) => { true };
    (memory) => { false };
    (memory allocates) => { true };
    (name $name:literal $first:ident) => { $name };
    (name $family:ident $first:ident) => { $first.name() };
    (is $name:literal $token:ident) => { $token.text == $name };
    (is $family:ident $token:ident) => { $family::ALL.iter().any(|op| op.name() == $token.text) };
    (brackets) => { ["", ""] };
    (brackets $open:literal $close:literal) => { [$open, $close] };
    (cost $costs:ident $cost:literal) => { $cost };
    (cost $costs:ident $rule:ident($($operand:expr),*)) => { $costs.$rule($($operand),*) };
}
