//! The foreign functions that a program at run time may call: none, or those of one table.
//!
//! A program is text, which may come from anywhere, and `cudf[name, T](…)` in it names a function of the machine. Which
//! functions that may be is therefore said by whoever compiles the program. All that is foreign goes through the one table
//! here: functions of Rust, whose types the compiler of Rust vouches for, and addresses, libraries and the process, for which
//! the caller does.
#![allow(unsafe_code)]

mod function;

mod library;

mod resolve;

mod interpreted;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use weldment_codegen::foreign::Callee;
use weldment_runtime::lang::types::Type;

use library::Library;

pub use function::ScalarFunction;
pub(super) use interpreted::{Interpreted, beyond};
pub(super) use resolve::resolve;

/// Which foreign functions a program at run time may call.
///
/// ```
/// use weldment::{CompileOptions, ErrorCode, Foreign, ForeignFunctions, Program};
///
/// let program = Program::parse("|x: f64| cudf[half, f64](x) + 1.0")?;
/// let error = program.compile(&CompileOptions::default()).unwrap_err();
/// assert_eq!(error.code, ErrorCode::ForeignRefused);
///
/// let half: fn(f64) -> f64 = |x| x / 2.0;
/// let foreign = Foreign::from(ForeignFunctions::new().function("half", half));
/// let program = program.compile(&CompileOptions { foreign, ..CompileOptions::default() })?;
/// assert_eq!(program.call::<(f64,), f64>((5.0,))?, 3.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Foreign {
    /// None: a program that calls one does not compile.
    #[default]
    Refused,
    /// Those of a table.
    Registered(Arc<ForeignFunctions>),
}

impl From<ForeignFunctions> for Foreign {
    fn from(functions: ForeignFunctions) -> Foreign {
        Foreign::Registered(Arc::new(functions))
    }
}

/// A table of foreign functions, each found by its name.
///
/// Functions are taken as pure: a program may be compiled to fewer calls than it says, and never to more; and they are called
/// from any thread. Those registered by name come before those of libraries, the libraries in the order in which they were
/// added, and the process comes last.
///
/// ```
/// use weldment::{CompileOptions, ForeignFunctions, Program};
///
/// fn score(x: f64, weight: i32) -> f64 {
///     x * f64::from(weight)
/// }
///
/// let foreign = ForeignFunctions::new().function("score", score as fn(f64, i32) -> f64).into();
/// let options = CompileOptions { foreign, ..CompileOptions::default() };
/// let program = Program::parse("|v: &[f64]| v.map(|x| cudf[score, f64](x, 3)).sum()")?;
/// assert_eq!(program.compile(&options)?.call::<(&[f64],), f64>((&[1.0, 2.5],))?, 10.5);
///
/// // An argument of another type is an error at its token.
/// let program = Program::parse("|v: &[f64]| v.map(|x| cudf[score, f64](x, 3.0)).sum()")?;
/// let error = program.compile(&options).unwrap_err();
/// assert!(error.message.starts_with("argument 2 of `score` is of type i32, not f64"));
/// assert_eq!(error.position.column, 43);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignFunctions {
    named: BTreeMap<String, Registered>,
    libraries: Vec<Library>,
    process: bool,
}

/// A function with the types that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Registered {
    params: Vec<Type>,
    result: Type,
    callee: Callee,
}

impl ForeignFunctions {
    /// The empty table.
    ///
    /// ```
    /// use weldment::{CompileOptions, ErrorCode, ForeignFunctions, Program};
    ///
    /// let options = CompileOptions { foreign: ForeignFunctions::new().into(), ..CompileOptions::default() };
    /// let error = Program::parse("|| cudf[abort, i64]()")?.compile(&options).unwrap_err();
    /// assert_eq!(error.code, ErrorCode::ForeignUnknown);
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn new() -> ForeignFunctions {
        ForeignFunctions::default()
    }

    /// The table with a function of Rust, of up to eight scalars, in place of another with its name. A closure that captures
    /// nothing is one, too, once it has the type `fn`. Its panic goes on in whoever runs the program.
    ///
    /// ```
    /// use weldment::{CompileOptions, ForeignFunctions, Program};
    ///
    /// let clip: fn(i64, i64) -> i64 = |x, most| x.min(most);
    /// let foreign = ForeignFunctions::new().function("clip", clip).into();
    /// let options = CompileOptions { foreign, ..CompileOptions::default() };
    /// let program = Program::parse("|v: &[i64]| v.map(|x| cudf[clip, i64](x, 9L))")?.compile(&options)?;
    /// assert_eq!(program.call::<(&[i64],), Vec<i64>>((&[4, 20],))?, [4, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn function(self, name: impl Into<String>, function: impl ScalarFunction) -> ForeignFunctions {
        let (params, result) = function.types();
        let registered = Registered { params, result, callee: function.callee() };
        self.with(name.into(), registered)
    }

    /// The table with the C function `void name(const A *, …, T *)` at `pointer`, in place of another with its name: it reads
    /// its arguments, of the types `params`, through all pointers but the last, and writes its result there. Calls are checked
    /// against these types. The interpreter calls functions of up to eight scalars; LLVM any, where structs lie as those of C, but
    /// how a vector or a dictionary lies is not told, and may change.
    ///
    /// # Safety
    /// `pointer` is such a function. It may be called from any thread for the rest of the process, writes a whole value of
    /// the type `result` and nothing else, and does not unwind.
    ///
    /// ```
    /// use weldment::{CompileOptions, ForeignFunctions, Program, Type};
    ///
    /// extern "C" fn parity(x: &i64, result: &mut i64) {
    ///     *result = i64::from(x.count_ones() % 2);
    /// }
    ///
    /// let functions = ForeignFunctions::new();
    /// // SAFETY: the function has these types, and does nothing else.
    /// let functions = unsafe { functions.symbol("parity", &[Type::I64], Type::I64, parity as *const ()) };
    /// let options = CompileOptions { foreign: functions.into(), ..CompileOptions::default() };
    /// let odd = Program::parse("|v: &[i64]| v.map(|x| cudf[parity, i64](x)).sum()")?.compile(&options)?;
    /// assert_eq!(odd.call::<(&[i64],), i64>((&[1, 2, 3],))?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn symbol(
        self,
        name: impl Into<String>,
        params: &[Type],
        result: Type,
        pointer: *const (),
    ) -> ForeignFunctions {
        // SAFETY: as the caller promises; calls are checked against the types.
        let callee = unsafe { Callee::of_c(pointer) };
        self.with(name.into(), Registered { params: params.to_vec(), result, callee })
    }

    /// The table with the functions that the shared library at `path` itself defines; what it takes from other libraries is not
    /// among them. It is loaded, for the rest of the process.
    ///
    /// # Errors
    /// What the system says of a library that cannot be loaded.
    ///
    /// # Safety
    /// The library runs code of its own while it is loaded. Programs call whatever it defines as C functions
    /// `void name(const A *, …, T *)`, with the types that the program writes, from any thread: they must be those that the
    /// function has, and it must not unwind.
    ///
    /// ```
    /// use weldment::ForeignFunctions;
    /// // SAFETY: there is no such library, so that nothing runs.
    /// let error = unsafe { ForeignFunctions::new().library("libno_such_thing.so") }.unwrap_err();
    /// assert!(error.to_string().contains("libno_such_thing.so"));
    /// ```
    pub unsafe fn library(mut self, path: impl AsRef<Path>) -> io::Result<ForeignFunctions> {
        // SAFETY: as the caller promises.
        self.libraries.push(unsafe { Library::load(path.as_ref()) }?);
        Ok(self)
    }

    /// The table with every function of the process: what the program itself exports, and the libraries that it is linked
    /// against, the one of C included.
    ///
    /// # Safety
    /// As for [`ForeignFunctions::library`]. Programs can then do whatever the process can, such as run a shell: only
    /// programs of authors that are trusted with that may be compiled so.
    ///
    /// ```
    /// use weldment::{CompileOptions, ForeignFunctions, Program};
    ///
    /// // SAFETY: the programs that are compiled are those that stand here.
    /// let foreign = unsafe { ForeignFunctions::new().process() }.into();
    /// let options = CompileOptions { foreign, ..CompileOptions::default() };
    /// assert!(Program::parse("|x: i64| cudf[abort, i64](x)")?.compile(&options).is_ok());
    /// assert!(Program::parse("|x: i64| cudf[no_such_thing, i64](x)")?.compile(&options).is_err());
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub unsafe fn process(mut self) -> ForeignFunctions {
        self.process = true;
        self
    }

    fn with(mut self, name: String, registered: Registered) -> ForeignFunctions {
        self.named.insert(name, registered);
        self
    }

    /// What a library or the process has by this name, of types that nobody has told.
    fn of_unknown_types(&self, name: &str) -> Option<Callee> {
        let found = self.libraries.iter().find_map(|library| library.symbol(name));
        let found = found.or_else(|| library::of_process(name).filter(|_| self.process))?;
        // SAFETY: as whoever added the library or the process has promised.
        Some(unsafe { Callee::of_c(found) })
    }
}
