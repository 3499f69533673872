//! Object code in the process: LLVM's ORC linker, which inkwell does not wrap.
//!
//! This file may use `unsafe` because it talks to LLVM's C interface. What makes it sound: every handle is made,
//! used and disposed of by one [`Jit`]; LLVM's objects are not touched after the call that consumes them; and the
//! addresses that come out are good as long as the `Jit` lives.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use llvm_sys::orc2::lljit::{
    LLVMOrcCreateLLJIT, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFile, LLVMOrcLLJITGetExecutionSession,
    LLVMOrcLLJITGetGlobalPrefix, LLVMOrcLLJITGetMainJITDylib, LLVMOrcLLJITLookup,
    LLVMOrcLLJITMangleAndIntern, LLVMOrcLLJITRef,
};
use llvm_sys::orc2::{
    LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
    LLVMOrcCSymbolMapPair, LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess,
    LLVMOrcDisposeMaterializationUnit, LLVMOrcExecutionSessionSetErrorReporter, LLVMOrcJITDylibAddGenerator,
    LLVMOrcJITDylibDefine,
};

use weldment_runtime::lang::types::Type;

use super::error::EngineError;
use crate::backend::{Code, Entry};
use crate::llvm::runtime::Symbol;

/// Linked code. Dropping it unloads the code.
#[derive(Debug)]
pub(crate) struct Jit {
    handle: LLVMOrcLLJITRef,
    /// What LLVM reported besides the error it returned: the names of missing symbols, for one. Boxed, since LLVM
    /// holds its address.
    reports: Box<Mutex<Vec<String>>>,
}

// SAFETY: LLJIT guards its session with locks, and after construction we only look up symbols and dispose.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

impl Jit {
    /// Links `object` against `symbols`, and against what the process exports: LLVM calls functions of C such as `memcpy`.
    pub(crate) fn link(object: &[u8], symbols: &[Symbol]) -> Result<Jit, EngineError> {
        let mut handle = ptr::null_mut();
        // SAFETY: a null builder asks for the defaults; the handle is written on success.
        check(unsafe { LLVMOrcCreateLLJIT(&mut handle, ptr::null_mut()) })?;
        let jit = Jit { handle, reports: Box::default() };
        // SAFETY: the session ends before the box is dropped, see `drop`.
        unsafe {
            let context = ptr::from_ref::<Mutex<Vec<String>>>(&jit.reports).cast_mut().cast::<c_void>();
            LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(handle), report, context);
        }
        jit.define(symbols)?;
        jit.search_process()?;
        jit.add(object)?;
        Ok(jit)
    }

    /// The address of an exported function. It is good as long as `self` lives.
    pub(crate) fn lookup(&self, name: &CStr) -> Result<usize, EngineError> {
        let mut address = 0u64;
        // SAFETY: the handle is live and the name ends in a zero.
        match check(unsafe { LLVMOrcLLJITLookup(self.handle, &mut address, name.as_ptr()) }) {
            Ok(()) => Ok(address as usize),
            Err(mut error) => {
                for report in self.reports.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                    error.message.push_str(&format!("\nnote: {report}"));
                }
                Err(error)
            }
        }
    }

    /// The code whose entry is exported as `name`, which refers to `types`. It is that of a module that was emitted.
    pub(crate) fn code(self, name: &CStr, types: Vec<Type>) -> Result<Code, EngineError> {
        let address = self.lookup(name)?;
        // SAFETY: emitted modules define their entry with this signature, and the verifier has checked the program.
        unsafe {
            let entry = std::mem::transmute::<usize, Entry>(address);
            Ok(Code::new(entry, types, self))
        }
    }

    fn define(&self, symbols: &[Symbol]) -> Result<(), EngineError> {
        let generic = LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
            | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8;
        let mut pairs: Vec<LLVMOrcCSymbolMapPair> = symbols
            .iter()
            .map(|symbol| LLVMOrcCSymbolMapPair {
                // SAFETY: the handle is live and the name ends in a zero; the entry is consumed below.
                Name: unsafe { LLVMOrcLLJITMangleAndIntern(self.handle, symbol.name.as_ptr()) },
                Sym: LLVMJITEvaluatedSymbol {
                    Address: symbol.address as u64,
                    Flags: LLVMJITSymbolFlags { GenericFlags: generic, TargetFlags: 0 },
                },
            })
            .collect();
        // SAFETY: the task takes over the pairs' names, and the library takes over the task unless it reports an
        // error, in which case the task is still ours.
        unsafe {
            let task = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            let error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(self.handle), task);
            if !error.is_null() {
                LLVMOrcDisposeMaterializationUnit(task);
            }
            check(error)
        }
    }

    fn search_process(&self) -> Result<(), EngineError> {
        let mut generator = ptr::null_mut();
        // SAFETY: without a filter nothing is called back; the library takes over the generator.
        unsafe {
            check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                &mut generator,
                LLVMOrcLLJITGetGlobalPrefix(self.handle),
                None,
                ptr::null_mut(),
            ))?;
            LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(self.handle), generator);
        }
        Ok(())
    }

    fn add(&self, object: &[u8]) -> Result<(), EngineError> {
        // SAFETY: the buffer is a copy of the bytes, which the linker takes over in any case.
        check(unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                object.as_ptr().cast::<c_char>(),
                object.len(),
                c"weldment".as_ptr(),
            );
            LLVMOrcLLJITAddObjectFile(self.handle, LLVMOrcLLJITGetMainJITDylib(self.handle), buffer)
        })
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: the handle is live and not used again. An error while unloading leaves nothing to be done.
        let _ = check(unsafe { LLVMOrcDisposeLLJIT(self.handle) });
    }
}

/// Called by LLVM, perhaps on another thread, with an error that it hands over.
extern "C" fn report(context: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: the context is the `reports` of a live `Jit`.
    let reports = unsafe { &*context.cast::<Mutex<Vec<String>>>() };
    if let Some(message) = message(error) {
        reports.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }
}

/// LLVM's error as ours; consumes it.
fn check(error: LLVMErrorRef) -> Result<(), EngineError> {
    match message(error) {
        None => Ok(()),
        Some(message) => Err(EngineError::internal(format_args!("linking: {message}"))),
    }
}

/// The text of an error, which is consumed; nothing if it is a success.
fn message(error: LLVMErrorRef) -> Option<String> {
    if error.is_null() {
        return None;
    }
    // SAFETY: a non-null error is live until its message is taken, and the message until it is disposed of.
    unsafe {
        let text = LLVMGetErrorMessage(error);
        let message = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(text);
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::engine::level::Level;
    use crate::llvm::engine::optimize::object;
    use crate::llvm::engine::target::host;

    extern "C" fn twice(x: i64) -> i64 {
        2 * x
    }

    fn link(text: &str) -> Result<Jit, EngineError> {
        let symbol = Symbol::new("weldment_twice", twice as extern "C" fn(i64) -> i64 as usize);
        Jit::link(&object(host()?, text, Level::Full)?, &[symbol])
    }

    #[test]
    fn code_calls_back_and_is_called() {
        let jit = link(
            "declare i64 @weldment_twice(i64)\n\
             define i64 @main(i64 %x) { %y = call i64 @weldment_twice(i64 %x) %z = add i64 %y, 1 ret i64 %z }\n",
        )
        .unwrap();
        let address = jit.lookup(c"main").unwrap();
        // SAFETY: the text above gives `main` this signature, and `jit` lives.
        let main: extern "C" fn(i64) -> i64 = unsafe { std::mem::transmute(address) };
        assert_eq!(main(20), 41);
    }

    #[test]
    fn a_missing_symbol_is_an_error() {
        let jit = link(
            "declare void @nowhere_to_be_found()\ndefine void @main() { call void @nowhere_to_be_found() ret void }",
        );
        let error = jit.unwrap().lookup(c"main").unwrap_err();
        assert!(error.message.contains("nowhere_to_be_found"), "{error}");
    }

    /// Whatever LLVM makes of the operations on 128 bits: what it calls for them need not be exported by the process.
    #[test]
    fn what_is_called_for_128_bits_is_among_the_symbols() {
        let operation =
            |name: &str, op: &str| format!("define i128 @{name}(i128 %x, i128 %y) {{ {op} ret i128 %z }}\n");
        let mut text = ["sdiv", "srem", "udiv", "urem", "mul", "shl", "ashr"]
            .map(|op| operation(op, &format!("%z = {op} i128 %x, %y")))
            .concat();
        for float in ["float", "double"] {
            for (to, from) in [("sitofp", "fptosi"), ("uitofp", "fptoui")] {
                let op = format!(
                    "%f = {to} i128 %x to {float} %g = fmul {float} %f, %f %z = {from} {float} %g to i128"
                );
                text += &operation(&format!("{to}.{float}"), &op);
            }
            let suffix = if float == "float" { "f32" } else { "f64" };
            text += &format!("declare i128 @llvm.fptosi.sat.i128.{suffix}({float})\n");
            let op = format!(
                "%f = sitofp i128 %x to {float} %z = call i128 @llvm.fptosi.sat.i128.{suffix}({float} %f)"
            );
            text += &operation(&format!("saturated.{float}"), &op);
        }
        let symbols: Vec<String> = crate::llvm::runtime::symbols()
            .iter()
            .map(|symbol| symbol.name.to_str().expect("names are words").to_owned())
            .collect();
        let mut called = 0;
        for level in [Level::None, Level::Full] {
            let object = object(host().unwrap(), &text, level).unwrap();
            // Names stand in the object one behind the other, a zero between each two.
            for name in object.split(|&byte| byte == 0).filter(|name| name.starts_with(b"__")) {
                let name = str::from_utf8(name).expect("names are words");
                assert!(symbols.iter().any(|symbol| symbol == name), "`{name}` is called");
                called += 1;
            }
        }
        assert!(called >= 8, "only {called} functions are called");
    }

    #[test]
    fn text_that_is_wrong_is_an_error() {
        assert!(link("define i64 @f() { ret i32 0 }").is_err());
        assert!(link("define i64 @f() { br label %nowhere }").is_err());
    }
}
