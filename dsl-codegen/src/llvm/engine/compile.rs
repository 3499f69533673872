//! Compiling loop programs, and running them.

use std::path::PathBuf;
use std::sync::Arc;

use weldment_core::source::Positions;
use weldment_runtime::api::args::Arguments;
use weldment_runtime::api::element::Element;
use weldment_runtime::api::output::Output;
use weldment_runtime::exec::context::Context;
use weldment_runtime::exec::options::Options;
use weldment_runtime::lang::fault::{Fault, Position};
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::code_generator::OPTIONS;
use super::error::EngineError;
use super::host::version_text;
use super::jit::Jit;
use super::level::Level;
use super::object_cache::{Folder, Kept};
use super::optimize::{self, Listing};
use super::target;
use crate::backend::{self, Backend, CacheStatus, Call, Code, Given, Source, Unsupported};
use crate::cache::Shared;
use crate::foreign::{Callee, Callees};
use crate::imp::{self, Imp};
use crate::llvm::emit::{check, emit};
use crate::llvm::layout;
use crate::llvm::print::accepts::{NAME, accepts};
use crate::llvm::print::entry::{MAIN, print};
use crate::llvm::print::module::{Emitted, Target, foreign_names};
use crate::llvm::runtime::{self, Symbol};
use crate::loops::LoopProgram;

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// How much LLVM does.
    pub level: Level,
    /// The foreign functions that the program may call: there are no others.
    pub foreign: Callees,
    /// A folder that keeps what LLVM makes of programs, for processes that come later; made with mode 700 if it is not there. It
    /// must be of that mode and the effective user's, and no link: else nothing is kept, and [`Compiled::cache_status`] says why.
    pub cache: Option<PathBuf>,
    /// The file of the key that kept code is proved by, outside the folder; made with mode 600 if it is not there. If not given, it is
    /// `weldment/cache.key` in `$XDG_STATE_HOME`, or in `~/.local/state`.
    pub cache_key: Option<PathBuf>,
}

/// A program that is compiled and linked. Cheap to clone; equal programs share their code.
#[derive(Clone, Debug)]
pub struct Compiled {
    code: Arc<Code>,
    origin: Arc<Origin>,
    status: CacheStatus,
}

/// What a program was compiled from.
#[derive(Debug)]
struct Origin {
    params: Vec<Type>,
    result: Type,
    text: String,
    level: Level,
}

/// LLVM as an executor: it compiles programs for the CPU at hand, unless the process has done so before, and keeps them in the folder
/// that the user names.
///
/// ```
/// use weldment_codegen::backend::Backend;
/// use weldment_codegen::{imp, llvm::{Level, Llvm}};
/// assert_eq!(Llvm { level: Level::Quick }.target(), imp::Target::LLVM);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Llvm {
    /// How much LLVM does.
    pub level: Level,
}

impl Backend for Llvm {
    fn name(&self) -> &str {
        NAME
    }

    fn target(&self) -> imp::Target {
        imp::Target::LLVM
    }

    fn accepts(&self, program: &Imp) -> Result<(), Unsupported> {
        accepts(program)
    }

    fn compile(&self, source: &Source<'_>) -> Result<Arc<dyn backend::Compiled>, EngineError> {
        Ok(Arc::new(compiled(source, self.level)?))
    }
}

/// Compiles `program` for the CPU at hand, unless the process has done so before.
///
/// # Errors
/// If LLVM is not as it should be, a foreign function is missing, or the program uses what is not supported yet.
pub fn compile(
    program: &LoopProgram,
    positions: &Positions,
    options: &EngineOptions,
) -> Result<Compiled, EngineError> {
    let EngineOptions { level, foreign, cache, cache_key } = options;
    let program = imp::build(program, imp::Target::LLVM);
    check(&program, positions)?;
    let (cache, cache_key) = (cache.as_deref(), cache_key.as_deref());
    compiled(&Source { program: &program, positions, foreign, cache, cache_key }, *level)
}

/// As [`compile`], of a program that was accepted.
fn compiled(source: &Source<'_>, level: Level) -> Result<Compiled, EngineError> {
    static CACHE: Shared<Code> = Shared::new();
    let host = target::host()?;
    let emitted = print(source.program, source.positions, source.foreign, &Target::host())?;
    let Emitted { text, types, foreign } = emitted;
    let called = called(&foreign, source.foreign)?;
    let key = format!(
        "{} {level:?} {OPTIONS:?} {:?} {} {} {}\n{text}",
        env!("CARGO_PKG_VERSION"),
        layout::header(),
        host.cpu,
        host.features,
        version_text(host)
    );
    // An object knows foreign functions by their names and types, which stand in the text; linked code has their addresses.
    let linked_key = format!("{called:?} {key}");
    let symbols =
        || runtime::symbols().into_iter().chain(called.iter().flat_map(symbols_of)).collect::<Vec<_>>();
    let link = |object: &[u8]| Jit::link(object, &symbols())?.code(MAIN, types.clone());
    let compile = || optimize::object(host, &text, level);
    let (code, status) = match source.cache {
        None => (CACHE.get_or_make(linked_key, || link(&compile()?))?, CacheStatus::Off),
        Some(folder) => {
            let mut status = CacheStatus::InProcess;
            let make = || {
                let folder = Folder::open(folder, source.cache_key);
                let (code, became) = kept_or_new(folder, &key, link, compile)?;
                status = became;
                Ok(code)
            };
            (CACHE.get_or_make(linked_key, make)?, status)
        }
    };
    let (params, result) = source.signature();
    Ok(Compiled { code, origin: Arc::new(Origin { params, result, text, level }), status })
}

/// The LLVM IR or assembly of `program`, without linking or running it.
///
/// # Errors
/// As for [`compile`], but foreign functions may be missing.
pub fn listing(
    program: &LoopProgram,
    positions: &Positions,
    options: &EngineOptions,
    listing: Listing,
) -> Result<String, EngineError> {
    let text = emit(program, positions, &options.foreign, &Target::host())?.text;
    optimize::listing(target::host()?, &text, options.level, listing)
}

/// What `link` makes of the object that `folder` keeps for `key`, or else of the one that `compile` gives, which is kept then if
/// there is a folder to keep it.
fn kept_or_new<T>(
    folder: Result<Folder, String>,
    key: &str,
    link: impl Fn(&[u8]) -> Result<T, EngineError>,
    compile: impl FnOnce() -> Result<Vec<u8>, EngineError>,
) -> Result<(T, CacheStatus), EngineError> {
    let folder = match folder {
        Ok(folder) => folder,
        Err(reason) => return Ok((link(&compile()?)?, CacheStatus::NotKept(reason))),
    };
    let kept = Kept::new(&folder, key);
    if let Some(object) = kept.load()
        && let Ok(linked) = link(&object)
    {
        return Ok((linked, CacheStatus::Found));
    }
    let object = compile()?;
    let status = kept.save(&object).map_or_else(CacheStatus::NotKept, |()| CacheStatus::Kept);
    Ok((link(&object)?, status))
}

/// What is called by the names of `foreign`, which are in the program with their places.
fn called<'f>(
    foreign: &'f [(String, Position)],
    callees: &Callees,
) -> Result<Vec<(&'f str, Callee)>, EngineError> {
    let find = |(name, position): &'f (String, Position)| match callees.get(name) {
        Some(&callee) => Ok((name.as_str(), callee)),
        None => Err(EngineError::foreign(name, *position)),
    };
    foreign.iter().map(find).collect()
}

/// A foreign function for the linker, and its shim.
fn symbols_of((name, callee): &(&str, Callee)) -> impl Iterator<Item = Symbol> + use<> {
    let addresses = [Some(callee.function().addr()), callee.shim().map(|shim| shim as usize)];
    let symbols = foreign_names(name).into_iter().zip(addresses);
    symbols.filter_map(|(name, address)| Some(Symbol::new(name, address?)))
}

impl Compiled {
    /// Runs the program on one value per parameter.
    ///
    /// # Errors
    /// The fault that ends the run.
    ///
    /// # Panics
    /// If the number or the types of `args` are not the program's.
    pub fn run(&self, args: &[Value], options: &Options) -> Result<Value, Fault> {
        backend::run(self, self.signature(), args, &Context::new(options))
    }

    /// Runs the program on arguments that are read in place, and gives its result without a copy where that can be.
    ///
    /// # Errors
    /// The fault that ends the run.
    ///
    /// # Panics
    /// If the types are not the program's.
    pub fn call<A: Arguments, R: Element>(&self, args: &A, options: &Options) -> Result<R, Fault> {
        backend::call(self, self.signature(), args, &Context::new(options))
    }

    /// Runs the program as [`Compiled::call`] does, and writes its result to the memory that the vectors of `out` have, where
    /// that suffices.
    ///
    /// # Errors
    /// The fault that ends the run. `out` has no elements then, and zeros for numbers.
    ///
    /// # Panics
    /// If the types are not the program's.
    pub fn call_into<A: Arguments, O: Output + ?Sized>(
        &self,
        out: &mut O,
        args: &A,
        options: &Options,
    ) -> Result<(), Fault> {
        backend::call_into(self, self.signature(), out, args, options)
    }

    fn signature(&self) -> (&[Type], &Type) {
        (&self.origin.params, &self.origin.result)
    }

    /// What became of the program in the folder that keeps compiled programs.
    pub fn cache_status(&self) -> &CacheStatus {
        &self.status
    }

    /// The types of the parameters.
    pub fn params(&self) -> &[Type] {
        &self.origin.params
    }

    /// The type of the result.
    pub fn result(&self) -> &Type {
        &self.origin.result
    }

    /// The LLVM IR or assembly.
    ///
    /// # Errors
    /// If LLVM cannot print it; it has compiled it before.
    pub fn listing(&self, listing: Listing) -> Result<String, EngineError> {
        optimize::listing(target::host()?, &self.origin.text, self.origin.level, listing)
    }
}

impl backend::Compiled for Compiled {
    fn run(&self, call: Call<'_>) -> Result<Given, Fault> {
        self.code.run(call)
    }

    fn cache_status(&self) -> &CacheStatus {
        &self.status
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::{env, fs, process};

    use super::*;

    const TEXT: &str = "define i64 @main(i64 %x) { %y = mul i64 %x, 3 ret i64 %y }";

    #[test]
    fn code_that_is_kept_is_linked_without_compiling() {
        let [folder, secret] = ["kept", "key"]
            .map(|name| env::temp_dir().join(format!("weldment-engine-{}-{name}", process::id())));
        let _ = fs::remove_dir_all(&folder);
        let open = || Folder::open(&folder, Some(&secret));
        let compiled = Cell::new(0);
        let run = |key: &str| {
            let link = |object: &[u8]| Jit::link(object, &[]).inspect(|jit| _ = jit.lookup(c"main").unwrap());
            let compile = || {
                compiled.set(compiled.get() + 1);
                optimize::object(target::host()?, TEXT, Level::Full)
            };
            let before = compiled.get();
            let (_, status) = kept_or_new(open(), key, link, compile).unwrap();
            let is_found = compiled.get() == before;
            assert_eq!(status, if is_found { CacheStatus::Found } else { CacheStatus::Kept });
            compiled.get()
        };
        assert_eq!((run("quick"), run("quick"), run("quick")), (1, 1, 1));
        assert_eq!((run("full"), run("quick"), run("full")), (2, 2, 2), "other options are another key");
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        for file in files {
            let whole = fs::read(&file).unwrap();
            fs::write(&file, &whole[..whole.len() / 2]).unwrap();
        }
        assert_eq!((run("quick"), run("quick")), (3, 3), "compiled once more, and kept");
        // An object that is whole and none is compiled, too.
        Kept::new(&open().unwrap(), "full").save(b"no object").unwrap();
        assert_eq!((run("full"), run("full")), (4, 4));
        fs::remove_dir_all(&folder).unwrap();
        fs::remove_file(&secret).unwrap();
    }
}
