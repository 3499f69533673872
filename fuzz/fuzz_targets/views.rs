//! Chains of views of arrays give what the reference of the guide says: plain and optimised, interpreted and compiled, and where
//! the views of the runtime have the same.
//!
//! The bytes choose two arrays of one to three axes, with any lower bounds, steps, and up to 5 elements along each, and then
//! views.
#![no_main]

mod executors;
#[path = "views/host.rs"]
mod host;
#[path = "views/model.rs"]
mod model;
#[path = "views/op.rs"]
mod op;

use libfuzzer_sys::fuzz_target;
use weldment::{FaultKind, Value};
use weldment_core::front;
use weldment_core::interp::{self, InterpOptions};

use executors::Sums;
use model::{Axis, Model};
use op::{Op, Tape};

/// How many elements an array has at most: each view may double them.
const MOST_ELEMENTS: usize = 1000;

fuzz_target!(|input: &[u8]| {
    let mut tape = Tape(input);
    let axes = 1 + tape.below(3);
    let mut arrays = vec![array(&mut tape, axes, 1)];
    // Another one of mostly the same shape.
    let axes = if tape.below(4) == 3 { 1 + tape.below(3) } else { axes };
    let mut second = array(&mut tape, axes, -1);
    if tape.below(2) == 1 && axes == arrays[0].axes.len() {
        second.axes.clone_from(&arrays[0].axes);
        second.elements = arrays[0].elements.iter().map(|element| -element).collect();
    }
    arrays.insert(0, second);

    let mut names = vec!["b".to_owned(), "a".to_owned()];
    let (mut lets, mut numbers, mut fault) = (String::new(), Vec::new(), None);
    while !tape.0.is_empty() && names.len() < 10 && fault.is_none() {
        let op = Op::choose(&mut tape, &arrays);
        let before = arrays.last().expect("one at least");
        let after = before.apply(&op, &arrays);
        host::check(before, &op, &after);
        let text = op.text(&names[names.len() - 1], &names, &mut numbers);
        match after {
            Ok(array) if array.elements.len() > MOST_ELEMENTS => break,
            // Where a reference without points begins is not said.
            Ok(array) if array.elements.is_empty() && matches!(op, Op::Reference(_)) => break,
            Ok(array) => arrays.push(array),
            Err(kind) => fault = Some(kind),
        }
        names.push(format!("v{}", names.len() - 1));
        lets += &format!("let {} = {text}; ", names[names.len() - 1]);
    }
    let params: String = (1..=numbers.len()).map(|number| format!(", k{number}: i64")).collect();
    let [b, a] = [0, 1].map(|number: usize| arrays[number].axes.len());
    let last = &names[names.len() - 1];
    let source = format!(
        "|a: array[i64, {a}], b: array[i64, {b}]{params}| {lets}({last}, sum(map({last}, |x| x * 3L)))"
    );
    let mut args = vec![host::value(&arrays[1]), host::value(&arrays[0])];
    args.extend(numbers.into_iter().map(Value::I64));
    check(&source, &args, fault.map_or_else(|| Ok(&arrays[arrays.len() - 1]), Err));
});

/// An array whose elements are all different.
fn array(tape: &mut Tape<'_>, axes: usize, sign: i64) -> Model {
    let axis = |tape: &mut Tape<'_>| {
        let (lower, step) = (tape.below(9) as i64 - 4, 1 + tape.below(3) as i64);
        Axis::new(lower, step, tape.below(6))
    };
    let mut next = 0;
    Model::of((0..axes).map(|_| axis(tape)).collect(), |_| {
        next += sign;
        next
    })
}

/// The program comes to this array, and the sum of three times its elements; or to a fault of this kind.
fn check(source: &str, args: &[Value], expected: Result<&Model, FaultKind>) {
    let lowered = front::from_text(source)
        .unwrap_or_else(|errors| panic!("{} at {}\n{source}", errors[0], errors[0].position()));
    proc_macro2::extra::invalidate_current_thread_spans();
    let plain = interp::run(&lowered.program, &lowered.positions, args, &InterpOptions::default());
    match (&plain, expected) {
        (Ok(got), Ok(array)) => {
            let sum = array.elements.iter().map(|element| element * 3).sum();
            let wanted = Value::structure(vec![host::value(array), Value::I64(sum)]);
            assert!(got.same_bits(&wanted), "{source}\non {args:?}\n{got:?}\ninstead of {wanted:?}");
        }
        (Err(fault), Err(kind)) if fault.kind == kind => {}
        (got, wanted) => panic!("{source}\non {args:?}\n{got:?}\ninstead of {wanted:?}"),
    }
    executors::check(source, &lowered, args, Sums::Exact);
}
