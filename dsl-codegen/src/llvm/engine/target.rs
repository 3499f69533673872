//! Finding out which machine we run on.

use std::sync::OnceLock;

use inkwell::OptimizationLevel;
use inkwell::support::get_llvm_version;
use inkwell::targets::{InitializationConfig, Target, TargetMachine};

use super::code_generator;
use super::error::{EngineError, environment};
use super::host::Host;
use super::machine::Machine;

/// The major version of LLVM whose IR text and interfaces we use.
const MAJOR: u32 = 22;

/// The machine we run on; found out once.
pub(crate) fn host() -> Result<&'static Host, EngineError> {
    static HOST: OnceLock<Result<Host, EngineError>> = OnceLock::new();
    HOST.get_or_init(detect).as_ref().map_err(EngineError::clone)
}

fn detect() -> Result<Host, EngineError> {
    let version = get_llvm_version();
    if version.0 != MAJOR {
        let (major, minor, patch) = version;
        return Err(environment(format_args!(
            "LLVM {MAJOR} is needed, but the library loaded is LLVM {major}.{minor}.{patch}"
        )));
    }
    Target::initialize_native(&InitializationConfig::default())
        .map_err(|e| environment(format_args!("LLVM has no code generator for this machine: {e}")))?;
    code_generator::set_options();
    let mut host = Host {
        triple: TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned(),
        cpu: TargetMachine::get_host_cpu_name().to_string(),
        features: TargetMachine::get_host_cpu_features().to_string(),
        data_layout: String::new(),
        version,
    };
    let machine = Machine::of(&host, OptimizationLevel::Aggressive)?;
    host.data_layout = machine.get_target_data().get_data_layout().as_str().to_string_lossy().into_owned();
    Ok(host)
}
