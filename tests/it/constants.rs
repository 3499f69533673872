//! Programs that are told constants give the bits of the programs that take them, on every executor and any number of threads.

use std::sync::Arc;

use weldment::{Array, CompileOptions, Date, Element, Executor, Fault, Form, Options, Program, Type, Value};

use crate::executors::same;

const EXECUTORS: &[Executor] = &[
    Executor::Interpreter,
    #[cfg(feature = "llvm")]
    Executor::Llvm,
];

/// Runs the program that takes all of `args`, and the one to which the parameters `told`, by name and number, are constants, as they are
/// written and optimised. They must come to the same; what that is.
fn agree(text: &str, told: &[(&str, usize)], args: &[Value]) -> Result<Value, Fault> {
    let plain = agree_if(false, text, told, args);
    let optimised = agree_if(true, text, told, args);
    assert_eq!(plain.is_ok(), optimised.is_ok(), "{text}");
    optimised
}

/// The same, of programs that are optimised or not.
fn agree_if(optimize: bool, text: &str, told: &[(&str, usize)], args: &[Value]) -> Result<Value, Fault> {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let constants: Vec<(&str, Value)> = told.iter().map(|&(name, at)| (name, args[at].clone())).collect();
    let knowing = program.with_constants(&constants).unwrap_or_else(|error| panic!("{text}: {error}"));
    let is_left = |at: &usize| told.iter().all(|(_, number)| number != at);
    let left: Vec<Value> = (0..args.len()).filter(is_left).map(|at| args[at].clone()).collect();
    let compile = |program: &Program, executor: &Executor| {
        let options = CompileOptions { executor: executor.clone(), optimize, ..CompileOptions::default() };
        program.compile(&options).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    let expected = compile(&program, &Executor::Interpreter).run(args);
    for executor in EXECUTORS {
        let (general, knowing) = (compile(&program, executor), compile(&knowing, executor));
        // The interpreter has one thread, and has run the one already.
        let threads = if *executor == Executor::Interpreter { 1..=1 } else { 1..=3 };
        for threads in threads {
            let options = Options::new().threads(threads);
            let way = format!("{text} on {executor:?}, {threads} threads, optimised: {optimize}");
            if *executor != Executor::Interpreter {
                let got = general.run_with(&options, args);
                assert!(same(&got, &expected), "{way}: {got:?} for {expected:?}");
            }
            let got = knowing.run_with(&options, &left);
            assert!(same(&got, &expected), "{way}, knowing: {got:?} for {expected:?}");
        }
    }
    expected
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
    let long = || uneven(17_001);
    for n in [0, 1, 3, 17] {
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
            agree_if(true, text, &[("n", 1)], &[long(), n.clone()])
                .unwrap_or_else(|fault| panic!("{text}: {fault}"));
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
fn few_keys_are_compared() {
    let dict = |entries: &[(Value, Value)]| Value::Dict(Arc::new(entries.iter().cloned().collect()));
    let wanted = Value::vec([7, 1, 4, -3, 7, 9].map(Value::I64).to_vec());
    let rates = dict(&[(Value::I64(7), Value::F64(0.5)), (Value::I64(-3), Value::F64(1.5))]);
    for text in [
        "|v: &[i64], d: &Dict<i64, f64>| (v.map(|x| d.get(x).unwrap_or(9.0)), v.filter(|x| keyexists(d, x)).map(|x| d[x]).sum(), d.len(), d.tovec())",
        "|v: &[i64], d: &Dict<i64, f64>| v.map(|x| d[x])",
        "|v: &[i64], d: &Dict<i64, f64>| v.group_by(|x| d.get(x)).tovec()",
    ] {
        for rates in [&rates, &dict(&[])] {
            _ = agree(text, &[("d", 1)], &[wanted.clone(), rates.clone()]);
        }
    }
    let words = Value::vec(["elm", "", "oak", "elm"].map(Value::text).to_vec());
    let codes = dict(&[(Value::text("elm"), Value::structure(vec![Value::I64(3), Value::Bool(true)]))]);
    let text = "|v: &[str], d: &Dict<str, (i64, bool)>| v.map(|w| d.get(w).map(|(k, _)| k).unwrap_or(-1))";
    let found = agree(text, &[("d", 1)], &[words, codes]);
    assert_eq!(found.unwrap().to_string(), "[3, -1, -1, 3]");
    // Of these, no keys are compared: two floats may be one key and not be equal, and a vector is not chosen by numbers.
    let floats = dict(&[
        (Value::F64(f64::NAN), Value::vec(vec![Value::I64(1)])),
        (Value::F64(0.0), Value::vec(vec![])),
    ]);
    let wanted = Value::vec([f64::NAN, -0.0, 1.0].map(Value::F64).to_vec());
    let text =
        "|v: &[f64], d: &Dict<f64, Vec<i64>>| v.map(|x| d.get(x).map(|found| found.len()).unwrap_or(-1))";
    let found = agree(text, &[("d", 1)], &[wanted, floats]);
    assert_eq!(found.unwrap().to_string(), "[1, 0, -1]");
}

/// No table is left of a dictionary whose keys are compared.
#[test]
fn a_dictionary_of_few_keys_is_gone() {
    let program =
        Program::parse("|v: &[i64], d: &Dict<i64, f64>| v.map(|x| d.get(x).unwrap_or(0.0)).sum()").unwrap();
    let rates =
        [(1, 0.5), (5, 2.0)].map(|(key, rate)| (Value::I64(key), Value::F64(rate))).into_iter().collect();
    let knowing = program.with_constants(&[("d", Value::Dict(Arc::new(rates)))]).unwrap();
    let ir = knowing.emit(Form::Ir).unwrap();
    assert!(!ir.contains("lookup") && !ir.contains("bucket") && ir.contains("select"), "{ir}");
}

/// What is looked up for a key that is not there is looked up once, whatever is done with it.
#[test]
fn a_key_that_is_not_among_few_is_missed_once() {
    let pairs = [(1i64, [2, 3]), (3, [5, 6])]
        .map(|(key, pair)| (Value::I64(key), Value::structure(pair.map(Value::I64).to_vec())));
    let dict = Value::Dict(Arc::new(pairs.into_iter().collect()));
    for (of, is_missing) in [
        ("v.map(|k| d[k].0 * d[k].1 - d[k].0)", false),
        ("v.map(|k| { let p = d[k + 1 - 1]; if k > 2 { p.0 } else { v.map(|x| x * p.1).sum() } })", false),
        ("v.map(|k| d[if d[k].0 == 2 { 1 } else { 3 }].1 + d[k].0)", false),
        ("v.map(|k| d[k + 1].0 * d[k].1)", true),
        ("v.map(|k| d[5].0 + k)", true),
        ("v.map(|k| if k > 2 { 0 } else { d[5].0 + d[k].1 })", true),
    ] {
        let text = format!("|v: &[i64], d: &Dict<i64, (i64, i64)>| {of}");
        let v = Value::vec([1, 3, 1].map(Value::I64).to_vec());
        let made = agree(&text, &[("d", 1)], &[v, dict.clone()]);
        assert_eq!(made.is_err(), is_missing, "{text}: {made:?}");
    }
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

#[test]
fn what_cannot_be_a_constant_is_told() {
    let program = "|v: &[f64], k: i64, name: &str, (a, b): (i64, i64), d: &Dict<i64, f64>| \
        (v[k], len(name), a + b, len(d))";
    let program = Program::parse(program).unwrap();
    let told = |constants: &[(&str, Value)]| {
        let error = program.with_constants(constants).unwrap_err();
        format!("{}: {}", error.position, error.message)
    };
    let two = || Value::I64(2);
    for (constants, message) in [
        (
            &[("n", two())][..],
            "0:0: the program has no parameter `n`\nhelp: its parameters are `v`, `k`, `name`, `d`",
        ),
        (&[("nam", two())], "0:0: the program has no parameter `nam`\nhelp: did you mean `name`?"),
        (&[("k", two()), ("k", two())], "1:13: `k` is given twice\nhelp: give one of the two values"),
        (
            &[("k", Value::I32(2))],
            "1:13: `k` is of type i64, and its value of type i32\nhelp: give a value of that type",
        ),
        (
            &[("name", Value::vec(vec![]))],
            "1:21: `name` is of type str, and its value is []\nhelp: give a value of that type",
        ),
        (
            &[("v", floats(&[1.0; 65]))],
            "1:2: the value of `v` is too large: a vector in it has 65 elements, and one of a constant 64 at most\n\
             help: give it to each call",
        ),
        (
            &[("d", Value::Dict(Arc::new((0..9).map(|key| (Value::I64(key), Value::F64(0.5))).collect())))],
            "1:53: the value of `d` is too large: a dictionary in it has 9 keys, and one of a constant 8 at most\n\
             help: give it to each call",
        ),
    ] {
        assert_eq!(told(constants), message);
    }
    let array = Element::to_value(&Array::new(vec![1.0, 2.0], [2]).unwrap());
    let lent =
        Program::parse("|a: ArrayView<f64, 1>| a[1]").unwrap().with_constants(&[("a", array)]).unwrap_err();
    assert!(lent.message.contains("no constant is or holds an `ArrayView`"), "{lent}");
    let nothing = Program::parse("|| 1").unwrap().with_constants(&[("k", two())]).unwrap_err();
    assert!(nothing.message.ends_with("help: it takes no parameter that has a name"), "{nothing}");
}

/// Parameters that are declared `const`.
#[cfg(feature = "llvm")]
mod declared {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use weldment::backend::imp::{Imp, Target};
    use weldment::backend::{Backend, BackendError, Call, Compiled, Given, Source, Unsupported};

    use super::*;

    const SUMS: &str = "|v: &[f64], const n: i64, scale: f64| \
        (0..len(v) - n + 1).map(|i| (0..n).map(|k| v[i + k]).sum() * scale)";

    fn compiled(text: &str, executor: Executor) -> weldment::Executable {
        let options = CompileOptions { executor, ..CompileOptions::default() };
        Program::parse(text).unwrap().compile(&options).unwrap()
    }

    #[test]
    fn the_first_values_have_variants() {
        let plain = compiled(&SUMS.replace("const ", ""), Executor::Interpreter);
        let [interpreted, compiled] = [Executor::Interpreter, Executor::Llvm].map(|on| compiled(SUMS, on));
        let v = uneven(3000);
        for n in (0..17).chain([3, 16]) {
            let args = [v.clone(), Value::I64(n), Value::F64(0.3)];
            let expected = plain.run(&args);
            assert!(same(&interpreted.run(&args), &expected));
            for threads in [1, 2, 3] {
                let got = compiled.run_with(&Options::new().threads(threads), &args);
                assert!(same(&got, &expected), "{n}: {got:?} for {expected:?}");
            }
        }
        assert_eq!((interpreted.variants(), compiled.variants()), (0, 16));
        // Of Rust's values, those behind the one that is left out, too.
        let sums: Vec<f64> = compiled.call::<(&[f64], i64, f64), _>((&[1.0, 2.0, 4.0], 2, 0.5)).unwrap();
        assert_eq!(sums, [1.5, 3.0]);
        let mut out = vec![0.0; 2];
        compiled.call_into::<(&[f64], i64, f64), _>(&mut out[..], (&[1.0, 2.0, 4.0], 2, 2.0)).unwrap();
        assert_eq!(out, [6.0, 12.0]);
    }

    #[test]
    fn a_value_that_is_no_constant_runs_the_program_as_it_is() {
        let text = "|const taps: &[f64], v: &[f64]| v.map(|x| taps.map(|t| t * x).sum())";
        let (plain, sums) =
            (compiled(&text.replace("const ", ""), Executor::Interpreter), compiled(text, Executor::Llvm));
        for (count, variants) in [(64, 1), (65, 1), (3, 2), (1000, 2)] {
            let args = [uneven(count), uneven(50)];
            assert!(same(&sums.run(&args), &plain.run(&args)));
            let (taps, v) = (vec![0.5; count], vec![2.0; 3]);
            let made = sums.call::<(&[f64], &[f64]), Vec<f64>>((&taps, &v)).unwrap();
            assert_eq!(made, [count as f64; 3]);
            // The taps of the two calls differ.
            assert_eq!(sums.variants(), 2 * variants, "{count}");
        }
    }

    #[test]
    fn signs_of_zeros_are_told_apart() {
        let of = compiled("|const k: f64, x: f64| 1.0 / (k * x)", Executor::Llvm);
        for (k, expected) in [(0.0, f64::INFINITY), (-0.0, f64::NEG_INFINITY), (0.0, f64::INFINITY)] {
            assert_eq!(of.call::<(f64, f64), f64>((k, 2.0)).unwrap(), expected);
        }
        assert!((0..3).all(|_| of.call::<(f64, f64), f64>((f64::NAN, 2.0)).unwrap().is_nan()));
        assert_eq!(of.variants(), 3);
    }

    /// Counts what it compiles; what it makes gives the sum of its arguments, times the number of these.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    #[derive(Debug)]
    struct Sum;

    impl Compiled for Sum {
        fn run(&self, call: Call<'_>) -> Result<Given, Fault> {
            let args = call.args();
            let sum = args.iter().filter_map(Value::as_integer).sum::<i128>() * args.len() as i128;
            Ok(call.give(Value::I64(i64::try_from(sum).expect("small"))))
        }
    }

    impl Backend for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        fn target(&self) -> Target {
            Target::default()
        }

        fn accepts(&self, _: &Imp) -> Result<(), Unsupported> {
            Ok(())
        }

        fn compile(&self, _: &Source<'_>) -> Result<Arc<dyn Compiled>, BackendError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Arc::new(Sum))
        }
    }

    #[test]
    fn a_variant_is_compiled_once_and_takes_the_others() {
        let backend = Arc::new(Counting::default());
        let text = "|a: i64, const n: i64, b: i64, const m: i64| a + n + b + m";
        let sum = compiled(text, Executor::Custom(backend.clone()));
        assert_eq!(backend.0.load(Ordering::Relaxed), 1);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for n in 0..30 {
                        let made = sum.call::<(i64, i64, i64, i64), i64>((1000, n % 15, 100, 7)).unwrap();
                        assert_eq!(made, 2200);
                    }
                });
            }
        });
        assert_eq!((backend.0.load(Ordering::Relaxed), sum.variants()), (16, 15));
        for (m, made) in [(8, 2200), (9, 4 * (1000 + 1 + 100 + 9)), (8, 2200)] {
            assert_eq!(sum.call::<(i64, i64, i64, i64), i64>((1000, 1, 100, m)).unwrap(), made);
        }
        assert_eq!(backend.0.load(Ordering::Relaxed), 17);
        // The same program, compiled again, has the variants that it had.
        let again = compiled(text, Executor::Custom(backend));
        assert_eq!(again.variants(), 16);
    }

    #[test]
    fn the_report_says_which_are_to_be_constants() {
        let program = Program::parse(SUMS).unwrap();
        let report = program.explain().unwrap().report.to_string();
        assert!(
            report.starts_with("constant at 1:19: `n`, in a variant for each of its first values\n"),
            "{report}"
        );
        let knowing = program.with_constants(&[("n", Value::I64(3))]).unwrap();
        let report = knowing.explain().unwrap().report.to_string();
        assert!(report.starts_with("constant at 1:19: `n` is 3\nloops"), "{report}");
    }
}
