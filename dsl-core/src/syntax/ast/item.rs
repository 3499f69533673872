//! Functions and constants that stand in front of a program, names for those of libraries, and what comes from outside.

use proc_macro2::TokenStream;

use super::{Closure, Expr, Ident, Type};

/// `fn NAME<T: Float>(PARAM: TYPE, …) -> RESULT { BODY }`
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: Ident,
    /// The paths that name it as well, as the program writes them: `norm`, `linalg::norm`.
    pub paths: Vec<String>,
    /// Whether it is one of a library, `#[welded]`: checked where it is defined, it sees nothing of the program but others
    /// of its kind, and what goes wrong in it does so at its call.
    pub is_welded: bool,
    /// The types that its parameters and its result may have.
    pub generics: Vec<TypeParam>,
    /// Parameters, result and body; the types of all parameters and of the result are written.
    pub closure: Closure,
}

/// `T: Float`, a parameter of a function that stands for a type.
#[derive(Clone, Debug)]
pub struct TypeParam {
    /// The name.
    pub name: Ident,
    /// Which types it may be.
    pub bound: Bound,
}

/// Which types a type parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// All.
    Any,
    /// `Float`: f32 and f64.
    Float,
    /// `Int`: the integers.
    Int,
    /// `Number`: both.
    Number,
}

impl Bound {
    /// The bounds that have a name.
    pub const NAMED: [Bound; 3] = [Bound::Float, Bound::Int, Bound::Number];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Any => "_",
            Bound::Float => "Float",
            Bound::Int => "Int",
            Bound::Number => "Number",
        }
    }
}

/// `const NAME: TYPE = VALUE;`
#[derive(Clone, Debug)]
pub struct Constant {
    /// The name.
    pub name: Ident,
    /// The paths that name it as well: `RATE`, `shop::RATE`.
    pub paths: Vec<String>,
    /// Whether it is one of a library, as a function may be.
    pub is_welded: bool,
    /// The type.
    pub ty: Type,
    /// The value, which sees nothing but items.
    pub value: Expr,
}

/// An item of a library.
#[derive(Clone, Debug)]
pub enum Welded {
    /// `#[welded] fn …`
    Function(Function),
    /// `#[welded] const …`
    Constant(Constant),
}

impl Welded {
    /// The name.
    pub fn name(&self) -> &Ident {
        match self {
            Welded::Function(of) => &of.name,
            Welded::Constant(of) => &of.name,
        }
    }

    /// The paths that name it as well.
    pub fn paths(&self) -> &[String] {
        match self {
            Welded::Function(of) => &of.paths,
            Welded::Constant(of) => &of.paths,
        }
    }

    /// The same, to be added to.
    pub fn paths_mut(&mut self) -> &mut Vec<String> {
        match self {
            Welded::Function(of) => &mut of.paths,
            Welded::Constant(of) => &mut of.paths,
        }
    }
}

/// `use PATH as NAME;`: what the program finds at a path, under a name of its own.
#[derive(Clone, Debug)]
pub struct Use {
    /// Where it is found.
    pub path: Ident,
    /// What it is called: the last name of the path, or what stands behind `as`.
    pub name: Ident,
}

/// `fn NAME = PATH(TYPE, …) -> TYPE;` in an `extern` block: a function of the Rust around a kernel. A program that is text calls what its
/// compiler has under that name.
#[derive(Clone, Debug)]
pub struct Extern {
    /// The name, by which a function of the program calls it as a foreign one.
    pub name: Ident,
    /// Where it is found: at its name, or at what stands behind `=`.
    pub path: Ident,
}

/// Where a parameter comes from that the caller of a kernel does not give: the Rust around it. Of a program that is text it is a
/// parameter like others.
#[derive(Clone, Debug)]
pub enum Outside {
    /// `const shop::RATE: f64;`, or no more than `shop::RATE` where `weld!` finds that the program has nothing of that name: the
    /// constant at that path.
    Constant,
    /// `[rate = self.rate()]`: the value of an expression, which is evaluated once.
    Capture(TokenStream),
}
