//! The programs of `tests/it/pairs`, in Weld's spelling, and those of `dsl-core/filetests/pipeline`, on arguments that are made
//! up by their types.

use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use weldment_core::front;
use weldment_core::ir::{self, Program};
use weldment_core::lower::Lowered;
use weldment_core::source::Positions;
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::lang::value::{DictValue, Value};

use crate::judge::Judge;

/// Files in a folder of the workspace whose names end in `ending`.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join(folder);
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    files.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    let text = |path: &std::path::PathBuf| fs::read_to_string(path).expect("a text");
    files.iter().map(|path| (path.display().to_string(), text(path))).collect()
}

/// The string literals that are programs.
fn programs(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => programs(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<syn::LitStr>(&literal.to_string()).map(|text| text.value());
                found.extend(text.ok().filter(|text| text.trim_start().starts_with('|')));
            }
            _ => {}
        }
    }
}

/// Numbers that are always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }

    fn value(&mut self, ty: &Type, length: u64) -> Value {
        match ty {
            Type::Scalar(Scalar::Bool) => Value::Bool(self.next(2) == 0),
            Type::Scalar(scalar @ (Scalar::F32 | Scalar::F64)) => {
                let x = match self.next(12) {
                    0 => f64::NAN,
                    1 => -0.0,
                    _ => (self.next(2000) as f64 - 700.0) / 128.0,
                };
                if *scalar == Scalar::F32 { Value::F32(x as f32) } else { Value::F64(x) }
            }
            Type::Scalar(scalar) => Const::from_i128(*scalar, i128::from(self.next(12)) - 2).into(),
            Type::Vec(element) => Value::vec((0..length).map(|_| self.value(element, length / 3)).collect()),
            Type::Struct(fields) => {
                Value::structure(fields.iter().map(|field| self.value(field, length)).collect())
            }
            Type::Dict(key, value) => {
                let pairs = (0..length).map(|_| (self.value(key, 3), self.value(value, 3)));
                Value::Dict(pairs.collect::<DictValue>().into())
            }
        }
    }
}

fn check(name: &str, lowered: Lowered, failures: &mut Vec<String>) {
    let program: &Program = &lowered.program;
    let params = &program.bodies[program.entry.expect("an entry")].params;
    let types: Vec<Type> = params.iter().map(|&param| program.ty(param).clone()).collect();
    let judge = match Judge::of(lowered) {
        Ok(judge) => judge,
        Err(failure) => return failures.push(format!("{name}: {failure}")),
    };
    for length in [0, 1, 41] {
        let mut numbers = Numbers(length);
        let args: Vec<Value> = types.iter().map(|ty| numbers.value(ty, length)).collect();
        if let Err(failure) = judge.check(&args) {
            failures.push(format!("{name}: on {length} elements: {failure}"));
            return;
        }
    }
}

fn report(checked: usize, failures: &[String]) {
    assert!(failures.is_empty(), "{} of {checked} fail\n{}", failures.len(), failures.join("\n\n"));
}

#[test]
fn programs_of_pairs_come_to_the_same() {
    let (mut checked, mut failures) = (0, Vec::new());
    for (path, text) in files("tests/it/pairs", "rs") {
        let mut found = Vec::new();
        programs(text.parse().expect("tokens"), &mut found);
        for program in found {
            if let Ok(lowered) = front::from_text(&program) {
                checked += 1;
                check(&format!("{path}\n{program}"), lowered, &mut failures);
            }
        }
    }
    report(checked, &failures);
    assert!(checked > 100, "only {checked} programs were found");
}

#[test]
fn programs_of_the_pipeline_come_to_the_same() {
    let (mut checked, mut failures) = (0, Vec::new());
    for (path, text) in files("dsl-core/filetests/pipeline", "ir") {
        let text = text.split_once("\n---").map_or(text.as_str(), |(before, _)| before);
        let program = ir::parse(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let lowered =
            Lowered { program, positions: Positions::new(), ..front::from_text("|| 0").expect("a program") };
        checked += 1;
        check(&path, lowered, &mut failures);
    }
    report(checked, &failures);
    assert!(checked > 20, "only {checked} programs were found");
}
