//! The surface syntax tree: what the parser gives, for both spellings of the language.
//!
//! Nothing is resolved yet. A method call is a call whose first argument is the receiver; sugar such as `map`
//! is a call by name; what a name means is decided when types are inferred.

mod attributes;
mod builder;
mod item;
mod mixed;
mod pattern;
mod ty;

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, UnaryOp};
use weldment_runtime::lang::types::Scalar;

pub use self::attributes::{Attributes, Claim, Versions};
pub use self::builder::{Builder, BuilderKind, BuilderType};
pub(crate) use self::builder::{Built, Start, Under};
pub use self::item::{Bound, Constant, Extern, Function, Outside, TypeParam, Use, Welded};
pub use self::mixed::{Infix, Mixed, group};
pub use self::pattern::{Arm, Match, NamedPattern, Pattern, RangePattern};
pub use self::ty::{Axes, AxisName, NamedType, Type, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::source::Excerpts;

/// A whole program: items, attributes, captures, then a closure.
#[derive(Clone, Debug)]
pub struct Program {
    /// `use shop::discount;`
    pub uses: Vec<Use>,
    /// `struct Point { x: f64, y: f64 }`, `enum Side: u8 { Buy, Sell }`
    pub structs: Vec<Struct>,
    /// `axis Cell;`
    pub axes: Vec<Ident>,
    /// `type row = {i64, f64};`
    pub aliases: Vec<Alias>,
    /// `macro square(x) = (x * x);`
    pub macros: Vec<Macro>,
    /// `fn norm(v: &[f64]) -> f64 { … }`
    pub functions: Vec<Function>,
    /// `const RATE: f64 = 0.19;`
    pub constants: Vec<Constant>,
    /// Where the first parameters of the closure come from, which its caller does not give: one for each of them, constants first.
    pub outside: Vec<Outside>,
    /// `extern { fn score(f64) -> f64; }`
    pub externs: Vec<Extern>,
    /// The closure that is the program.
    pub closure: Closure,
    /// The parameters that are declared `const`: their numbers among those that the caller gives, and the word.
    pub wanted: Vec<(usize, Span)>,
    /// How it is spelt, for the most part.
    pub spelling: Spelling,
    /// What it says of its own optimisation.
    pub attributes: Attributes,
    /// What stands at the places of its expressions, for messages.
    pub excerpts: Excerpts,
    /// How many tokens it is written in.
    pub size: usize,
    /// The warnings that its syntax gives.
    pub warnings: Vec<Diagnostic>,
}

impl Program {
    /// Adds `constants` of the Rust around it, each by its path, as its first parameters.
    pub fn read_outside(&mut self, constants: Vec<Ident>) {
        self.outside.splice(0..0, constants.iter().map(|_| Outside::Constant));
        let param = |name| Param { pattern: Pattern::Name(name), ty: None };
        self.closure.params.splice(0..0, constants.into_iter().map(param));
    }
}

/// The two spellings of the language. They may be mixed; advice is given in that of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// `&[f64]`, `(a, b)`, `x as f64`
    #[default]
    Rust,
    /// `vec[f64]`, `{a, b}`, `f64(x)`
    Weld,
}

/// `struct NAME<PARAMS> { FIELD: TYPE }`, or `struct NAME(TYPE);`, whose fields are named `0`, `1` and so on. An `enum NAME: TYPE { VARIANT = NUMBER }` is the
/// struct of its number.
#[derive(Clone, Debug)]
pub struct Struct {
    /// The name, unlike that of any other struct.
    pub name: Ident,
    /// The name that errors show.
    pub shown: String,
    /// The paths that name it as well, as the program writes them: `Point`, `geometry::Point`.
    pub paths: Vec<String>,
    /// How many lifetimes it has: one that has any borrows what it holds, `struct Cols<'a> { … }`.
    pub lifetimes: usize,
    /// The parameters: types that a field may have.
    pub params: Vec<Ident>,
    /// The fields, in order. An enum has its number.
    pub fields: Vec<(Ident, Type)>,
    /// The variants of an enum, with their numbers; a struct has none.
    pub variants: Vec<(Ident, i128)>,
    /// Whose it is.
    pub origin: Origin,
}

/// Whose a struct is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The program's own: to others it is the tuple of its fields.
    #[default]
    Program,
    /// One of Rust, to be taken and returned as such: `weld!` has been told so by its derive.
    Rust,
    /// The language's: an `Option`. It is made and taken apart by words of its own.
    Language,
    /// One of Rust that borrows what it holds: a parameter of the program is one, and no other value of it comes in or goes out.
    Lent,
    /// One that a `#[welded]` function has brought along, and that the program does not name: no value of it goes out.
    Library,
}

/// `type NAME = TYPE;`
#[derive(Clone, Debug)]
pub struct Alias {
    /// The new name.
    pub name: Ident,
    /// What it stands for.
    pub ty: Type,
}

/// `macro NAME(PARAMS) = BODY;`
#[derive(Clone, Debug)]
pub struct Macro {
    /// The name.
    pub name: Ident,
    /// The parameters, substituted unevaluated.
    pub params: Vec<Ident>,
    /// The body.
    pub body: Expr,
}

/// A name as it was written, with the macro expansion it comes from.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The text.
    pub name: String,
    /// 0 in the user's text; each expansion of a macro gives the names of its body a number of its own, so
    /// that they neither capture nor are captured.
    pub mark: u32,
    /// Where it stands.
    pub span: Span,
}

/// `let pattern: type = value;`
#[derive(Clone, Debug)]
pub struct Binding {
    /// What the value is bound to.
    pub pattern: Pattern,
    /// The type of the value, if written.
    pub ty: Option<Type>,
    /// What is bound.
    pub value: Expr,
}

/// `|params| -> result body`
#[derive(Clone, Debug)]
pub struct Closure {
    /// The parameters.
    pub params: Vec<Param>,
    /// The type after `->`.
    pub result: Option<Type>,
    /// The body.
    pub body: Box<Expr>,
    /// The bars.
    pub span: Span,
}

/// `pattern: type`
#[derive(Clone, Debug)]
pub struct Param {
    /// What the argument is bound to.
    pub pattern: Pattern,
    /// The type, if written.
    pub ty: Option<Type>,
}

/// An expression and where it stands. `span` is the token to blame: an operator, a name, an opening bracket.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The token to blame.
    pub span: Span,
}

/// Which coordinates of an axis: `start..end step step`, each of which may be left out.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The first; the lower bound of the axis if left out.
    pub start: Option<Expr>,
    /// The first that is not among them; behind the last of the axis if left out.
    pub end: Option<Expr>,
    /// From one to the next; 1 if left out.
    pub step: Option<Expr>,
}

impl Slice {
    /// The expressions in it.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        [&self.start, &self.end, &self.step].into_iter().flatten()
    }
}

/// The kinds of expression.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the doc of a variant names its fields")]
pub enum ExprKind {
    /// A literal with a type of its own: `1L`, `2.5f`, `true`, `b'x'`, `f64::MAX`.
    Const(Const),
    /// An integer literal without suffix, a directly preceding minus included: i32 unless its context needs
    /// another integer type.
    Integer(i128),
    /// A float literal without suffix, as text that parses as either type, a directly preceding minus included: f64
    /// unless its context needs f32.
    Float(String),
    /// A lone operator, as an argument: `+`, `*`, `min` or `max`.
    Operator(ReduceOp),
    /// `"text"` (vec[i8]) or `b"bytes"` (vec[u8]): the bytes, and the element type.
    Bytes(Vec<u8>, Scalar),
    /// A name.
    Name(Ident),
    /// `name::path`: a constant of the type that an alias names.
    Path(Ident, String),
    /// `let pattern: type = value; … body`: any number of bindings, each visible in those after it and in the body.
    Let(Vec<Binding>, Box<Expr>),
    /// A closure, as an argument or applied in place.
    Closure(Closure),
    /// `-x` or `!x`
    Unary(UnaryOp, Box<Expr>),
    /// `x + y` and the like, `&`, `|`, `^` included.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x < y` and the like.
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `a >= b & c < d`: comparisons beside bitwise operators, which the two spellings group otherwise.
    Mixed(Box<Mixed>),
    /// `x && y`
    And(Box<Expr>, Box<Expr>),
    /// `x || y`
    Or(Box<Expr>, Box<Expr>),
    /// `start..end`
    Range(Box<Expr>, Box<Expr>),
    /// `..`, `a..`, `a..b step 2`, among the indices of an array.
    Slice(Box<Slice>),
    /// `x: type`
    Ascribe(Box<Expr>, Type),
    /// `x as type` or `type(x)`; that of an alias is a call until names are resolved.
    Cast(Box<Expr>, Type),
    /// `if(c, a, b)` or `if c { a } else { b }`
    If { cond: Box<Expr>, then: Box<Expr>, els: Box<Expr> },
    /// `Some(x)`, or `None`.
    Option(Option<Box<Expr>>),
    /// `match x { 0 => a, _ => b }`, or `if let Some(x) = o { a } else { b }`.
    Match(Box<Match>),
    /// `{a, b}` or `(a, b)`
    Struct(Vec<Expr>),
    /// `[a, b]`
    Vector(Vec<Expr>),
    /// `Point { x: a, y, ..rest }`
    Named { name: Ident, fields: Vec<(Ident, Expr)>, rest: Option<Box<Expr>> },
    /// `x.$0` or `x.0`, by the spelling.
    Field(Box<Expr>, u32, Spelling),
    /// `p.x`
    Member(Box<Expr>, Ident),
    /// `v[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `f(args)` where `f` is not a plain name: a closure in parentheses.
    Apply(Box<Expr>, Rc<[Expr]>),
    /// `name(args)`, or `receiver.name(args)`. The language's own constructs are calls too: `merge`, `result`,
    /// `len`, `lookup`, `select`, `iterate`, `sort`, `zip`, …
    Call {
        /// What is called.
        name: Ident,
        /// The type in `name::<T>(args)`.
        turbofish: Option<Box<Type>>,
        /// The arguments, a receiver first.
        args: Rc<[Expr]>,
        /// Whether it was written as a method, for messages.
        is_method: bool,
    },
    /// One of the arguments of a macro, in the place of a parameter. No parser gives it.
    Argument(Rc<[Expr]>, usize),
    /// A new builder.
    Builder(Builder),
    /// `for(iters, builder, function)`
    For {
        /// What it runs over; several are a zip.
        iters: Vec<Iter>,
        /// What is merged into.
        builder: Box<Expr>,
        /// Of builder, index and element; gives the builder.
        function: Box<Expr>,
    },
    /// `deserialize[T](bytes)`
    Deserialize(Type, Box<Expr>),
    /// `cudf[symbol, T](args)`
    Cudf {
        /// The foreign function.
        symbol: Ident,
        /// Of what it gives.
        ty: Type,
        /// What it is given.
        args: Vec<Expr>,
    },
}

/// What a `for` runs over; several of them are a zip.
#[derive(Clone, Debug)]
pub struct Iter {
    /// What it is.
    pub kind: IterKind,
    /// The token to blame.
    pub span: Span,
}

/// The kinds of iterator.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the doc of a variant names its fields")]
pub enum IterKind {
    /// A whole vector, or an expression that is decided later: a range, a macro parameter, `zip(…)`.
    All(Expr),
    /// `iter(vector, start, end, stride)`
    Strided { vector: Expr, start: Expr, end: Expr, stride: Expr },
    /// `rangeiter(start, end, stride)`
    Range { start: Expr, end: Expr, stride: Expr },
}
