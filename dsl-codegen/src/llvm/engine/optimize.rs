//! IR text to object code: parse, verify, optimise, generate.

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{FileType, TargetMachine, TargetTriple};

use super::error::EngineError;
use super::host::Host;
use super::level::Level;
use super::machine::Machine;
use super::pipeline;

/// What text to print of a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Listing {
    /// The LLVM IR before LLVM optimises it.
    Emitted,
    /// The LLVM IR after LLVM has optimised it.
    Optimized,
    /// The assembly for the CPU at hand.
    Assembly,
}

/// The object code of a module given as text.
pub(crate) fn object(host: &Host, text: &str, level: Level) -> Result<Vec<u8>, EngineError> {
    let context = Context::create();
    let (module, machine) = optimized(&context, host, text, level)?;
    generate(&machine, &module, FileType::Object)
}

/// A module given as text, printed as `listing` says.
pub(crate) fn listing(
    host: &Host,
    text: &str,
    level: Level,
    listing: Listing,
) -> Result<String, EngineError> {
    if listing == Listing::Emitted {
        return Ok(text.to_owned());
    }
    let context = Context::create();
    let (module, machine) = optimized(&context, host, text, level)?;
    match listing {
        Listing::Assembly => {
            let bytes = generate(&machine, &module, FileType::Assembly)?;
            Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned())
        }
        Listing::Emitted | Listing::Optimized => Ok(module.print_to_string().to_string()),
    }
}

fn optimized<'ctx>(
    context: &'ctx Context,
    host: &Host,
    text: &str,
    level: Level,
) -> Result<(Module<'ctx>, Machine), EngineError> {
    let module = parse(context, text)?;
    let machine = Machine::of(host, codegen_level(level))?;
    module.set_triple(&TargetTriple::create(&host.triple));
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    // An invalid module makes later stages abort the process, so it must not get any further.
    module.verify().map_err(|e| EngineError::internal(format_args!("the emitted module is invalid: {e}")))?;
    module
        .run_passes(pipeline::passes(level), &machine, pass_options())
        .map_err(|e| EngineError::internal(format_args!("optimising: {e}")))?;
    Ok((module, machine))
}

/// The module written in `text`. LLVM's parser checks every type, so a slip of the emitter ends here, as an error.
fn parse<'ctx>(context: &'ctx Context, text: &str) -> Result<Module<'ctx>, EngineError> {
    // The lexer wants a zero after the last byte of the buffer.
    let mut bytes = Vec::with_capacity(text.len() + 1);
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
    let buffer = MemoryBuffer::create_from_memory_range(&bytes[..text.len()], "weldment");
    context
        .create_module_from_ir(buffer)
        .map_err(|e| EngineError::internal(format_args!("the emitted text does not parse: {e}")))
}

fn generate(machine: &TargetMachine, module: &Module<'_>, file: FileType) -> Result<Vec<u8>, EngineError> {
    let buffer = machine
        .write_to_memory_buffer(module, file)
        .map_err(|e| EngineError::internal(format_args!("generating code: {e}")))?;
    Ok(buffer.as_slice().to_vec())
}

fn codegen_level(level: Level) -> OptimizationLevel {
    match level {
        Level::None | Level::Quick => OptimizationLevel::None,
        Level::Full => OptimizationLevel::Aggressive,
    }
}

fn pass_options() -> PassBuilderOptions {
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_slp_vectorization(true);
    options.set_loop_unrolling(true);
    options.set_loop_interleaving(true);
    options
}
