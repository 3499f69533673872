//! Foreign functions at run time: C functions `void name(A1*, …, T*)` of the process.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::path::Path;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use weldment_core::interp::Foreign;
use weldment_core::ir::{Loc, Op, Program};
use weldment_runtime::scalar::Const;
use weldment_runtime::types::{Scalar, Type};
use weldment_runtime::value::Value;

/// Loads the shared library at `path` for the rest of the process, so that programs compiled from then on find its
/// functions: `cudf[name, T](a, …)` calls the C function `void name(A *, …, T *)`, which reads its arguments through all
/// pointers but the last, and writes its result through that one. It is taken as pure.
///
/// # Errors
/// What the system says of a library that cannot be loaded.
///
/// # Safety
/// The library runs code of its own while it is loaded. A program calls its functions with the types that the program
/// writes: they must be those that the functions have.
///
/// ```
/// // SAFETY: there is no such library, so that nothing runs.
/// let error = unsafe { weldment::load_library("libno_such_thing.so") }.unwrap_err();
/// assert!(error.to_string().contains("libno_such_thing.so"));
/// ```
pub unsafe fn load_library(path: impl AsRef<Path>) -> std::io::Result<()> {
    // SAFETY: as the caller promises.
    let library = unsafe { Library::open(Some(path.as_ref()), RTLD_NOW | RTLD_GLOBAL) };
    // Closing it would leave compiled programs without their functions.
    library.map(std::mem::forget).map_err(std::io::Error::other)
}

/// The largest number of arguments of a function that the interpreter calls.
const MAX_ARGS: usize = 8;

/// What of the foreign functions that `program` calls the interpreter cannot call.
pub(super) fn beyond(program: &Program) -> Option<(&'static str, Loc)> {
    let mut first = None;
    program.for_each_stmt(program.entry?, &mut |stmt| {
        let Op::Call { args, .. } = &stmt.op else { return };
        let mut values = args.iter().chain(&stmt.results);
        let what = match values.all(|&value| program.ty(value).as_scalar().is_some()) {
            true if args.len() <= MAX_ARGS => return,
            true => "of more than eight arguments",
            false => "on vectors, structs or dictionaries: LLVM does",
        };
        first = first.or(Some((what, stmt.loc)));
    });
    first
}

/// The functions of the process, called on scalars.
pub(super) struct Symbols;

impl Symbols {
    fn find(symbol: &str) -> Option<*const c_void> {
        // SAFETY: the address is only looked up; it is called by `call`, which says what it relies on.
        let found = unsafe { Library::this().get::<*const c_void>(symbol.as_bytes()) };
        found.ok().map(|symbol| symbol.as_raw_ptr().cast_const())
    }
}

impl Foreign for Symbols {
    fn has(&self, symbol: &str) -> bool {
        Symbols::find(symbol).is_some_and(|function| !function.is_null())
    }

    fn call(&self, symbol: &str, args: &[Value], result: &Type) -> Value {
        let function = Symbols::find(symbol).expect("it was there when the program was compiled");
        let scalar = result.as_scalar().expect("the compiler has seen to scalars");
        let bits = |arg: &Value| arg.as_const().expect("the compiler has seen to scalars").bits();
        // Little-endian: the low end of a cell comes first.
        let mut cells: Vec<u64> = args.iter().map(bits).collect();
        cells.push(0);
        let places: Vec<*mut u64> = cells.iter_mut().map(|cell| &raw mut *cell).collect();
        // SAFETY: the user vouches for the function's type; each pointer is to a value of its own, at the start of an
        // aligned cell that is as large as any scalar.
        unsafe { call(function, &places) };
        from_cell(scalar, cells[args.len()]).into()
    }
}

/// Calls `function` with these arguments.
///
/// # Safety
/// It is a C function of as many pointers, and may be called with these.
unsafe fn call(function: *const c_void, places: &[*mut u64]) {
    type P = *mut u64;
    macro_rules! by_number {
        ($($number:literal: $($place:ident)*;)*) => {
            match *places {
                $([$($place),*] => {
                    // SAFETY: as the caller promises.
                    let function: extern "C" fn($(by_number!(@pointer $place)),*) =
                        unsafe { std::mem::transmute(function) };
                    function($($place),*);
                })*
                _ => unreachable!("the compiler has counted the arguments"),
            }
        };
        (@pointer $place:ident) => { P };
    }
    by_number! {
        1: a;
        2: a b;
        3: a b c;
        4: a b c d;
        5: a b c d e;
        6: a b c d e f;
        7: a b c d e f g;
        8: a b c d e f g h;
        9: a b c d e f g h i;
    }
}

/// The value of type `ty` at the start of `cell`.
fn from_cell(ty: Scalar, cell: u64) -> Const {
    match ty {
        Scalar::F32 => Const::F32(f32::from_bits(cell as u32)),
        Scalar::F64 => Const::F64(f64::from_bits(cell)),
        Scalar::Bool => Const::Bool(cell as u8 != 0),
        Scalar::I8 => Const::I8(cell as i8),
        Scalar::I16 => Const::I16(cell as i16),
        Scalar::I32 => Const::I32(cell as i32),
        Scalar::I64 => Const::I64(cell as i64),
        Scalar::U8 => Const::U8(cell as u8),
        Scalar::U16 => Const::U16(cell as u16),
        Scalar::U32 => Const::U32(cell as u32),
        Scalar::U64 => Const::U64(cell),
    }
}
