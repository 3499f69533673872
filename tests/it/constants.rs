//! Programs that are told constants give the bits of the programs that take them, on every executor and any number of threads.

use weldment::{CompileOptions, Date, Element, Executor, Fault, Form, Options, Program, Type, Value};

use crate::executors::same;

const EXECUTORS: &[Executor] = &[
    Executor::Interpreter,
    #[cfg(feature = "llvm")]
    Executor::Llvm,
];

/// Runs the program that takes all of `args`, and the one to which the parameters `told`, by name and number, are constants. They must
/// come to the same; what that is.
fn agree(text: &str, told: &[(&str, usize)], args: &[Value]) -> Result<Value, Fault> {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let constants: Vec<(&str, Value)> = told.iter().map(|&(name, at)| (name, args[at].clone())).collect();
    let knowing = program.with_constants(&constants).unwrap_or_else(|error| panic!("{text}: {error}"));
    let is_left = |at: &usize| told.iter().all(|(_, number)| number != at);
    let left: Vec<Value> = (0..args.len()).filter(is_left).map(|at| args[at].clone()).collect();
    for optimize in [false, true] {
        let compile = |program: &Program, executor: &Executor| {
            let options =
                CompileOptions { executor: executor.clone(), optimize, ..CompileOptions::default() };
            program.compile(&options).unwrap_or_else(|error| panic!("{text}: {error}"))
        };
        let expected = compile(&program, &Executor::Interpreter).run(args);
        for executor in EXECUTORS {
            let (general, knowing) = (compile(&program, executor), compile(&knowing, executor));
            for threads in [1, 2, 3] {
                let options = Options::new().threads(threads);
                let (a, b) = (general.run_with(&options, args), knowing.run_with(&options, &left));
                let way = format!("{text} on {executor:?}, {threads} threads, optimised: {optimize}");
                assert!(same(&a, &expected), "{way}: {a:?} for {expected:?}");
                assert!(same(&b, &expected), "{way}, knowing: {b:?} for {expected:?}");
            }
        }
    }
    let compiled = CompileOptions { executor: Executor::Interpreter, ..CompileOptions::default() };
    program.compile(&compiled).unwrap().run(args)
}

/// Numbers of very different sizes, whose sum shows the order in which they are added.
fn uneven(count: usize) -> Value {
    let of = |i: usize| ((i * 7919) % 1013) as f64 * 10f64.powi((i % 31) as i32 - 15) - 0.37 * (i % 7) as f64;
    Value::vec((0..count).map(|i| Value::F64(of(i))).collect())
}

fn floats(values: &[f64]) -> Value {
    Value::vec(values.iter().map(|&x| Value::F64(x)).collect())
}

const FILTER: &str = "|v: &[f64], taps: &[f64]| \
    (0..len(v) - len(taps) + 1).map(|i| (0..len(taps)).map(|k| v[i + k] * taps[k]).sum())";

const TAPS: [f64; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0627];

#[test]
fn a_filter_of_five_taps() {
    for count in [0, 3, 4, 5, 6, 100, 40_000] {
        let made = agree(FILTER, &[("taps", 1)], &[uneven(count), floats(&TAPS)]);
        let of = |value: Value| if let Value::Vec(elements) = value { elements.len() } else { 0 };
        match made {
            Ok(made) => assert_eq!(of(made), (count + 1).saturating_sub(5)),
            Err(fault) => assert!(count < 4, "{fault}"),
        }
    }
    for taps in [&[][..], &[-0.0], &[f64::NAN, 1.0], &[1.0; 17], &[0.1; 64]] {
        agree(FILTER, &[("taps", 1)], &[uneven(300), floats(taps)]).unwrap();
        agree(FILTER, &[("taps", 1)], &[floats(&[-0.0; 70]), floats(taps)]).unwrap();
    }
}

#[test]
fn the_taps_are_literals_and_their_loop_is_gone() {
    let general = Program::parse(FILTER).unwrap();
    let knowing = general.with_constants(&[("taps", floats(&TAPS))]).unwrap();
    let (before, after) = (general.explain().unwrap().report, knowing.explain().unwrap().report);
    assert_eq!((before.loops.after, after.loops.after), (2, 1), "{after}");
    assert_eq!(after.materialized.after, 0, "{after}");
    let written = knowing.emit(Form::Ir).unwrap();
    assert!(TAPS.iter().all(|tap| written.contains(&format!("const {tap}"))), "{written}");
    assert!(!written.contains("vector"), "nothing reads the vector of the taps any more: {written}");
    assert!(
        after.to_string().starts_with("constant at 1:13: `taps` is [0.0625, 0.25, 0.375, 0.25, 0.0627]\n")
    );
}

/// A constant makes an iteration cheaper, and loops one or none: the chunks, and the lanes, of sums must not change with that.
#[test]
fn sums_round_as_without() {
    let long = || uneven(50_001);
    for n in [0, 1, 2, 3, 4, 5, 16, 17] {
        let n = Value::I64(n);
        for text in [
            // The chunks of a sum follow from what the loop in it costs.
            "|v: &[f64], n: i64| (0..len(v) - n).map(|i| (0..n).map(|k| v[i + k] * 0.3).sum()).sum()",
            "|v: &[f64], n: i64| (0..len(v) - n).map(|i| (0..n).map(|k| v[i + k].sin()).sum()).fold(1.0, |a, b| a * 0.99 + b)",
            // The innermost index chooses the lane of an outer sum.
            "|v: &[f64], n: i64| v.flat_map(|x| (0..n).map(|k| x * k as f64)).sum()",
            "|v: &[f64], n: i64| result(for(v, merger[f64,+], |b, i, x| for(rangeiter(0L, n, 1L), b, |b, j, y| merge(b, x * f64(y)))))",
            // A loop of one iteration holds one that is cut if it stands alone.
            "|v: &[f64], n: i64| (0..n).map(|k| v.map(|x| x * (k as f64 + 0.1)).sum()).sum()",
            "|v: &[f64], n: i64| result(for(rangeiter(0L, n, 1L), merger[f64,+], |b, i, k| for(v, b, |b, j, x| merge(b, x))))",
            // A branch that is not taken leaves a lone loop.
            "|v: &[f64], n: i64| result({ let b = merger[f64,+]; let b = if(n > 2L, merge(b, 0.5), b); for(v, b, |b, i, x| merge(b, x)) })",
            "|v: &[f64], n: i64| (if n > 2 { v.filter(|x| x > 1.0) } else { v.map(|x| x * 0.1) }).sum()",
            "|v: &[f64], n: i64| { let k = if n == 3 { v.map(|x| x * 3.0).sum() } else { 1.0 }; v.map(|x| x * k / (n as f64 + 1.0)).sum() }",
            // Keys.
            "|v: &[f64], n: i64| v.map(|x| (x as i64 % (n + 1), x * n as f64)).reduce_by(|r| r.0, |r| r.1, +)",
            "|v: &[f64], n: i64| result(for(v, dictmerger[i64,f64,+], |b, i, x| merge(b, {i % (n + 1L), x * f64(n)})))",
        ] {
            agree(text, &[("n", 1)], &[long(), n.clone()]).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        }
    }
}

#[test]
fn constants_of_every_type() {
    let pair = Value::structure(vec![Value::I64(3), floats(&[0.5, 0.25])]);
    let some = |value| Value::structure(vec![Value::Bool(true), value]);
    let none = Value::structure(vec![Value::Bool(false), Value::F64(0.0)]);
    let day = Element::to_value(&Date::new(1994, 2, 28).unwrap());
    let array = {
        let parts = [0, 0, 1, 1, 2, 2].map(Value::I64);
        Value::of_fields(
            &Type::array(Type::F64, 2),
            [vec![floats(&[1.0, 2.0, 3.0, 4.0])], parts.to_vec()].concat(),
        )
    };
    for (ty, use_of, value) in [
        ("u8", "k as f64", Value::U8(200)),
        ("bool", "if k { 1.0 } else { 2.0 }", Value::Bool(false)),
        ("f32", "k as f64", Value::F32(f32::MIN_POSITIVE)),
        ("(i64, Vec<f64>)", "k.1[0] + k.0 as f64", pair),
        ("Option<f64>", "k.unwrap_or(x)", some(Value::F64(0.75))),
        ("Option<f64>", "k.unwrap_or(x)", none),
        ("&str", "len(k) as f64 + if k == \"elm é\" { 1.0 } else { 0.0 }", Value::text("elm é")),
        ("&str", "len(k) as f64", Value::text("")),
        ("Date", "if k < Date(1994, 3, 1) { x } else { 0.0 }", day),
        ("[f64; 3]", "k[1] * x", Value::structure([1.0, 2.0, 4.0].map(Value::F64).to_vec())),
        ("&[Vec<f64>]", "k.map(|row| row.sum()).sum() + x", Value::vec(vec![floats(&[1.0]), floats(&[])])),
        ("&[f64]", "k.sum() * x", floats(&[0.5; 64])),
        ("usize", "k as f64", Value::structure(vec![Value::I64(7)])),
        ("&Array<f64, 2>", "k[1, 0] * x + k.sum()", array),
    ] {
        let text = format!("|v: &[f64], k: {ty}| v.map(|x| {use_of})");
        agree(&text, &[("k", 1)], &[uneven(100), value]).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    }
    let text = "enum Side: u8 { Buy, Sell } struct Order { side: Side, at: f64 } \
        |v: &[f64], o: Order| v.map(|x| match o.side { Side::Buy => x, Side::Sell => o.at })";
    let order = Value::structure(vec![Value::structure(vec![Value::U8(1)]), Value::F64(2.5)]);
    agree(text, &[("o", 1)], &[uneven(100), order]).unwrap();
}

#[test]
fn faults_stand_where_they_stood() {
    let text = "|v: &[i64], k: i64, d: i64| v[k] / d";
    for (k, d) in [(0, 2), (5, 2), (-1, 1), (1, 0)] {
        let args = [Value::vec(vec![Value::I64(7), Value::I64(9)]), Value::I64(k), Value::I64(d)];
        let made = agree(text, &[("d", 2), ("k", 1)], &args);
        assert_eq!(made.is_ok(), k == 0, "{made:?}");
    }
}

#[test]
fn constants_are_told_one_after_the_other() {
    let program =
        Program::parse("|a: i64, b: i64, (c, _): (i64, i64), d: i64| a * 1000 + b * 100 + c * 10 + d")
            .unwrap();
    let program = program.with_constants(&[("b", Value::I64(2))]).unwrap();
    let program = program.with_constants(&[("d", Value::I64(4)), ("a", Value::I64(1))]).unwrap();
    assert_eq!(program.params().len(), 1);
    let pair = Value::structure(vec![Value::I64(3), Value::I64(0)]);
    let made = program.compile(&CompileOptions::default()).unwrap().run(&[pair]).unwrap();
    assert!(made.same_bits(&Value::I64(1234)), "{made}");
    let error = program.with_constants(&[("b", Value::I64(2))]).unwrap_err();
    assert!(error.message.contains("constants already: `b`, `d`, `a`"), "{error}");
}
