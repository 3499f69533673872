//! The text of an LLVM module under construction: its functions, and what they declare and refer to.
//!
//! No part of LLVM is needed for it: what is known of the machine comes in as a [`Target`].

use std::collections::{BTreeMap, HashMap};

use weldment_core::ir::Value;
use weldment_core::source::Positions;
use weldment_runtime::exec::cpu::{self, Level};
use weldment_runtime::lang::fault::Position;
use weldment_runtime::lang::types::Type;

use super::builder::Operand;
use super::val::Val;
use crate::foreign::Callees;
use crate::imp::{FuncId, Imp};
use crate::llvm::runtime::abi::Function;

/// The number of the first loop's metadata, behind that of all functions.
const LOOPS: usize = 5;

/// What the text of a module depends on besides the program: all that is known of the machine it is for. Vectors are as wide as
/// the loop IR says, and LLVM splits them; where a vector and a table have their parts is as in this process, which runs the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Whether loops prefetch what they read and write next, which some CPUs see by themselves.
    pub prefetches: bool,
    /// Whether the widest vectors are read and written as two halves, so that loops which wait for memory take narrower ones.
    pub halves_vectors: bool,
}

/// The text of a module, and what it refers to by number.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The IR text.
    pub text: String,
    /// The types that the runtime is told of.
    pub types: Vec<Type>,
    /// The foreign functions that the linker is to be given, and where each is called first.
    pub foreign: Vec<(String, Position)>,
}

impl Target {
    /// The machine at hand.
    pub fn host() -> Target {
        // From then on it is known how far ahead the CPU is to be asked.
        Level::detect();
        Target { prefetches: cpu::prefetch_distance() > 0, halves_vectors: cpu::halves_wide_vectors() }
    }
}

/// A module under construction.
pub(super) struct Emitter<'a> {
    pub(super) imp: &'a Imp,
    pub(super) positions: &'a Positions,
    /// What is known of foreign functions.
    pub(super) callees: &'a Callees,
    pub(super) target: Target,
    /// The constants, which every function can read.
    pub(super) constants: HashMap<Value, Val>,
    pub(super) functions: Vec<String>,
    /// The names of loops that are functions, by their headers and the constants in them: those that are called in several places, as
    /// the edges of a row before and behind its interior are, stand once.
    pub(super) loop_functions: HashMap<(FuncId, String), String>,
    /// What is defined, with its number.
    pub(super) globals: HashMap<String, usize>,
    /// By name, so that the text does not depend on chance.
    pub(super) declarations: BTreeMap<String, String>,
    /// By name: the declaration, and where the function is called first.
    pub(super) foreign: BTreeMap<String, (String, Position)>,
    /// Functions that may be called in many places, by name.
    pub(super) library: BTreeMap<String, String>,
    pub(super) types: Vec<Type>,
    pub(super) names: usize,
    /// Whether memory is given back before the run ends: what an address referred to may be another block later.
    pub(super) has_scopes: bool,
    /// The attributes of the loops that have some.
    pub(super) loops: Vec<&'static str>,
    /// How many loops are split.
    pub(super) splits: usize,
}

/// What the foreign function `symbol` and its shim are called in IR text.
pub(crate) fn foreign_names(symbol: &str) -> [String; 2] {
    ["foreign", "shim"].map(|what| format!("{what}.{symbol}"))
}

impl Emitter<'_> {
    /// Declares a function of the runtime.
    pub(super) fn declare_runtime(&mut self, function: Function) {
        let Function { name, result, params, attributes, .. } = function;
        let result = match name {
            "weldment_alloc" => "noalias ptr",
            _ => result,
        };
        self.declare(name, format!("declare {result} @{name}({}) {attributes}", params.join(", ")));
    }

    pub(super) fn declare(&mut self, name: &str, declaration: String) {
        self.declarations.entry(name.to_owned()).or_insert(declaration);
    }

    /// Declares a foreign function that is called at `position`.
    pub(super) fn declare_foreign(&mut self, name: &str, declaration: String, position: Position) {
        self.foreign.entry(name.to_owned()).or_insert((declaration, position));
    }

    /// Adds a global and gives its address.
    pub(super) fn global(&mut self, definition: String) -> Operand {
        let next = self.globals.len();
        let number = self.globals.entry(definition).or_insert(next);
        format!("@g{number}")
    }

    /// A name for a function that has not been given yet.
    pub(super) fn function_name(&mut self, about: &str) -> String {
        self.names += 1;
        match about.starts_with("nest") {
            true => about.to_owned(),
            false => format!("{about}{}", self.names),
        }
    }

    /// The name of a loop as a function, of which that is known where it is called; and whether it is to be written.
    pub(super) fn loop_function(&mut self, func: FuncId, known: String) -> (String, bool) {
        let about = &self.imp.funcs[func].name;
        if let Some(name) = self.loop_functions.get(&(func, known.clone())) {
            return (name.clone(), false);
        }
        let name = self.function_name(&about.clone());
        self.loop_functions.insert((func, known), name.clone());
        (name, true)
    }

    /// The number by which the runtime knows `ty`.
    pub(super) fn type_number(&mut self, ty: &Type) -> usize {
        self.types.iter().position(|known| known == ty).unwrap_or_else(|| {
            self.types.push(ty.clone());
            self.types.len() - 1
        })
    }

    /// The attributes of one loop whose body is not to be copied: it has an identity, which no other loop may share.
    pub(super) fn never_unrolled(&mut self) -> String {
        self.attributes("!2, !3")
    }

    /// The same of one that is no loop over lanes.
    pub(super) fn never_in_lanes(&mut self) -> String {
        self.attributes("!2")
    }

    fn attributes(&mut self, attributes: &'static str) -> String {
        self.loops.push(attributes);
        format!(", !llvm.loop !{}", LOOPS + self.loops.len() - 1)
    }

    /// An address that is aligned and not null, for vectors without elements.
    pub(super) fn nowhere(&self) -> Operand {
        "inttoptr (i64 64 to ptr)".to_owned()
    }

    pub(super) fn finish(self) -> Emitted {
        let mut text = String::new();
        for (number, ty) in self.types.iter().enumerate() {
            text.push_str(&format!("; type {number}: {ty}\n"));
        }
        let mut globals: Vec<(String, usize)> = self.globals.into_iter().collect();
        globals.sort_unstable_by_key(|&(_, number)| number);
        for (global, number) in globals {
            text.push_str(&format!("@g{number} = private unnamed_addr {global}\n"));
        }
        for declaration in
            self.declarations.values().chain(self.foreign.values().map(|(declaration, _)| declaration))
        {
            text.push_str(declaration);
            text.push('\n');
        }
        for function in self.functions.iter().chain(self.library.values()) {
            text.push('\n');
            text.push_str(function);
        }
        text.push_str(
            "\n!0 = !{!\"branch_weights\", i32 1, i32 2000}\n!1 = !{}\n\
             !2 = !{!\"llvm.loop.vectorize.enable\", i1 false}\n!3 = !{!\"llvm.loop.unroll.disable\"}\n\
             !4 = !{!\"branch_weights\", i32 64, i32 1}\n",
        );
        for (number, attributes) in (LOOPS..).zip(&self.loops) {
            text.push_str(&format!("!{number} = distinct !{{!{number}, {attributes}}}\n"));
        }
        let foreign = self.foreign.into_iter().map(|(name, (_, position))| (name, position)).collect();
        Emitted { text, types: self.types, foreign }
    }
}
