//! The rules of the language, one test each, on programs in IR text.

mod control;
mod keyed;
mod ops;
mod order;

use weldment_runtime::lang::fault::{Fault, FaultKind, Position};
use weldment_runtime::lang::value::Value;

use super::{InterpOptions, run};
use crate::ir::{self, Program};
use crate::source::Positions;

/// The program that `text` is, without its first line.
fn program(text: &str) -> Program {
    let program = ir::parse(&format!("weldment ir {}\n{text}", ir::print::VERSION)).expect("a program");
    if let Err(errors) = ir::verify(&program) {
        panic!("{errors:?}");
    }
    program
}

/// The program that merges each element of its only parameter into `sink`.
fn over(element: &str, result: &str, sink: &str) -> String {
    format!(
        "program(v0: vec[{element}]) {{
           v1: i64 = len v0
           v2: {result} = loop v3 < v1 {{
             sink #0 = {sink}
             v4: {element} = at v0, v3
             merge #0, v4
           }}
           return v2
         }}"
    )
}

/// Runs with a table in which the place `@7` is line 1, column 7.
fn run_text(text: &str, args: &[Value], options: &InterpOptions) -> Result<Value, Fault> {
    let mut positions = Positions::new();
    for column in 0..10 {
        positions.push(Position { line: 1, column });
    }
    run(&program(text), &positions, args, options)
}

/// Chunks of `chunk` iterations, segments of `segment`.
fn cut(chunk: u64, segment: u64) -> InterpOptions {
    InterpOptions { chunk: Some(chunk), segment: Some(segment), ..InterpOptions::default() }
}

fn check(text: &str, args: &[Value], expected: Value) {
    check_cut(text, args, &InterpOptions::default(), expected);
}

fn check_cut(text: &str, args: &[Value], options: &InterpOptions, expected: Value) {
    let got = run_text(text, args, options).expect("no fault");
    assert!(got.same_bits(&expected), "expected {expected:?}, got {got:?}");
}

fn check_fault(text: &str, args: &[Value], kind: FaultKind, expected: &str) {
    let fault = run_text(text, args, &InterpOptions::default()).expect_err("a fault");
    assert_eq!((fault.kind, fault.to_string().as_str()), (kind, expected));
}

fn f64s(elements: &[f64]) -> Value {
    Value::vec(elements.iter().map(|&x| Value::F64(x)).collect())
}

fn i64s(elements: &[i64]) -> Value {
    Value::vec(elements.iter().map(|&x| Value::I64(x)).collect())
}

fn pair(a: Value, b: Value) -> Value {
    Value::structure(vec![a, b])
}

fn dict(pairs: impl IntoIterator<Item = (Value, Value)>) -> Value {
    Value::Dict(std::sync::Arc::new(pairs.into_iter().collect()))
}
