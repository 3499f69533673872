//! What no program, argument or option should be: every public entry point answers it with an error, never with a
//! panic.

use std::sync::Arc;

use weldment::__private::rt::exec::options::Testing;
use weldment::{
    Cancel, CompileError, CompileOptions, Dict, DictValue, Element, ErrorCode, ErrorKind, Executable,
    Executor, FaultKind, Form, Options, Program, Value, weld,
};

/// The program `text` is refused for breaking a rule of this kind, at a place inside the text.
fn check_refused(text: &str, kind: ErrorKind) -> CompileError {
    let error = match Program::parse(text) {
        Ok(_) => panic!("a program: {text:.80}"),
        Err(error) => error,
    };
    assert_eq!(error.kind(), kind, "{text:.80}: {error}");
    check_place(text, &error);
    error
}

fn check_place(text: &str, error: &CompileError) {
    let (line, column) = (error.position.line as usize, error.position.column as usize);
    let length = text.split('\n').nth(line.wrapping_sub(1)).map(|line| line.chars().count());
    assert!(length.is_some_and(|length| (1..=length + 1).contains(&column)), "{text:.80}: {error}");
}

#[test]
fn broken_text_is_a_parse_error() {
    #[rustfmt::skip]
    let texts = [
        "", " ", "\n\n", "\u{feff}", "\0", "// nothing", "/*", "/* /* */", "#", "|", "||", "|x|", "|x: i64|", "|x: i64| ",
        "x", "1", "|x: i64| x |", "|x: i64| (x", "|x: i64| x)", "|x: i64| [x)", "|x: i64| {", "|x: i64| x +", "|x: i64| + x",
        "|x: i64| let", "|x: i64| let y", "|x: i64| let y =", "|x: i64| let y = x;", "|x: i64| if", "|x: i64| if x",
        "|x: i64| if(x, 1)", "|x: i64| for(", "|x: i64| x.", "|x: i64| x.$", "|x: i64| x.$99999999999", "|x: vec[| x",
        "|x: i64| \"", "|x: i64| \"\\q\"", "|x: i64| \"\\u{110000}\"", "|x: i64| \"\\u{d800}\"", "|x: i64| \"\\xff\"",
        "|x: i64| '", "|x: i64| r#\"", "|x: i64| b\"\\u{41}\"", "|x: i64| 1e", "|x: i64| 0x", "|x: i64| 0b2",
        "|x: i64| 1z", "|x: i64| 99999999999999999999999999999999999999999", "|x: i64| 128c", "|x: i64| 1e400f64x",
        "|x: i64| 340282366920938463463374607431768211456", "|x: i64| \u{202e}x", "|x: i64| x \\ 1", "|x: i64| \u{1f600}",
        "|x: i64| x; 1", "macro", "macro m", "macro m(x) = x", "type", "type t = ", "type t = i64;", "|x: i64| x === 1",
    ];
    for text in texts {
        check_refused(text, ErrorKind::Parse);
    }
}

#[test]
fn nothing_is_too_deep_or_too_long_for_an_answer() {
    let around = |open: &str, inside: &str, close: &str, times: usize| {
        [&open.repeat(times), inside, &close.repeat(times)].concat()
    };
    for times in [5_000, 100_000] {
        for (open, inside, close) in [
            ("(", "x", ")"),
            ("[", "x", "]"),
            ("{", "x", "}"),
            ("-", "x", ""),
            ("!", "x", ""),
            ("|y: i64| ", "x", ""),
            ("if x > 0L { ", "x", " } else { x }"),
            ("sum([", "x", "])"),
        ] {
            check_refused(&format!("|x: i64| {}", around(open, inside, close, times)), ErrorKind::Parse);
        }
        check_refused(&format!("|x: {}| 1", around("vec[", "i64", "]", times)), ErrorKind::Parse);
        check_refused(&format!("|x: {}i64| x", "&".repeat(times)), ErrorKind::Parse);
        check_refused(&format!("|{}x| x", "&".repeat(times)), ErrorKind::Parse);
    }
    for times in [600, 20_000] {
        for link in [" + x", " * x", ".abs()", " as i64", " && x", " - 1L"] {
            check_refused(&format!("|x: i64| x{}", link.repeat(times)), ErrorKind::Parse);
        }
        check_refused(
            &format!("|x: i64| {}{{ x }}", "if x > 1L { x } else ".repeat(times)),
            ErrorKind::Parse,
        );
    }
}

/// Programs as deep and as long as they may be go through every stage and run, whatever the caller's stack.
#[test]
fn the_deepest_programs_run() {
    let programs = [
        format!("|x: i64| x{}", " + x".repeat(490)),
        format!("|x: i64| {}x", "let x = x * x - 1L; ".repeat(10_000)),
        format!("|x: i64| {}{{ x + 1L }}", "if x < 1L { x } else ".repeat(490)),
        format!("|x: i64| {}x{}", "(".repeat(4000), ")".repeat(4000)),
        format!("|x: i64| [x]{}.sum()", ".map(|y| y + x)".repeat(80)),
        format!("|x: i64| len({}[x]{})", "map(zip(".repeat(1000), ", [x]), |y| y.$0 + y.$1)".repeat(1000)),
        format!("|x: i64| let v = [x, x]; {}x{}", "v.map(|y| ".repeat(15), ").sum()".repeat(15)),
    ];
    for text in programs {
        let program = Program::parse(&text).unwrap_or_else(|error| panic!("{text:.80}: {error}"));
        for form in [Form::Ir, Form::Loops, Form::Imp, Form::Rust] {
            program.emit(form).unwrap_or_else(|error| panic!("{text:.80}: {error}"));
        }
        for (name, executable) in executables(&program, &CompileOptions::default()) {
            let result = executable.run(&[Value::I64(1)]);
            assert!(result.is_ok(), "{name}: {text:.80}: {result:?}");
        }
    }
}

/// What is short and would become endless.
#[test]
fn nothing_expands_without_bound() {
    let level = |of: &dyn Fn(usize) -> String| (1..40).map(of).collect::<String>();
    let twice = level(&|i| format!("macro m{i}(x) = (m{0}(x) + m{0}(x)); ", i - 1));
    let nested = level(&|i| format!("macro m{i}(x) = (m{0}(m{0}(x))); ", i - 1));
    let pairs = level(&|i| format!("macro m{i}(x) = (m{}({{x, x}})); ", i - 1));
    let types = level(&|i| format!("type t{i} = {{t{0},t{0}}}; ", i - 1));
    let values = level(&|i| format!("let a{i} = {{a{0},a{0}}}; ", i - 1));
    let links = ".abs()".repeat(499);
    let programs = [
        (ErrorCode::TooLarge, format!("macro m0(x) = (x + x); {twice}|x: i64| m39(x)")),
        (ErrorCode::TooDeep, format!("macro m0(x) = (x + x); {nested}|x: i64| m39(x)")),
        (ErrorCode::TooManyParts, format!("macro m0(x) = (x); {pairs}|x: i64| m39(x)")),
        (ErrorCode::TooDeep, format!("|x: i64| {}x{}", "[".repeat(300), "]".repeat(300))),
        (ErrorCode::TooManyParts, format!("type t0 = {{i64,i64}}; {types}|x: t39| 1")),
        (ErrorCode::TooManyParts, format!("|x: i64| let a0 = {{x,x}}; {values}1")),
        (ErrorCode::TooDeep, format!("|x: i64| {}x{}", "(".repeat(30), format!("{links})").repeat(30))),
    ];
    for (code, text) in programs {
        let error = check_refused(&text, code.kind());
        // What is behind a limit is not looked at.
        assert_eq!((error.code, &error.others[..]), (code, &[][..]), "{text:.80}");
    }
}

/// The program, compiled by each executor that there is.
fn executables(program: &Program, options: &CompileOptions) -> Vec<(&'static str, Executable)> {
    let executors = [
        ("interpreter", Executor::Interpreter),
        #[cfg(feature = "llvm")]
        ("LLVM", Executor::Llvm),
    ];
    let compile = |executor| program.compile(&CompileOptions { executor, ..options.clone() });
    executors.map(|(name, executor)| (name, compile(executor).expect("it compiles"))).into()
}

fn parse(text: &str) -> Program {
    Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn arguments_that_do_not_fit_are_a_fault() {
    let ragged = || Value::vec(vec![Value::I64(1), Value::F64(1.0)]);
    let nested = || Value::vec(vec![Value::vec(vec![Value::I64(1)]), Value::I64(2)]);
    let dict = |key: Value, value: Value| Value::Dict(Arc::new(DictValue::from_iter([(key, value)])));
    let inner = dict(Value::I64(1), Value::I64(1));
    let cases: Vec<(&str, Vec<Value>)> = vec![
        ("|| 1", vec![Value::I64(1)]),
        ("|x: i64| x", vec![]),
        ("|x: i64| x", vec![Value::I64(1), Value::I64(1)]),
        ("|x: i64| x", vec![Value::I32(1)]),
        ("|x: i64| x", vec![Value::vec(vec![])]),
        ("|x: bool| x", vec![Value::U8(1)]),
        ("|v: vec[i64]| sum(v)", vec![Value::I64(1)]),
        ("|v: vec[i64]| sum(v)", vec![ragged()]),
        ("|v: vec[i64]| sum(v)", vec![Value::structure(vec![Value::I64(1)])]),
        ("|v: vec[vec[i64]]| len(v)", vec![nested()]),
        ("|v: vec[{i64,f64}]| len(v)", vec![Value::vec(vec![Value::structure(vec![Value::I64(1)])])]),
        ("|x: {i64,i64}| x.$0", vec![Value::structure(vec![Value::I64(1); 3])]),
        ("|x: {i64,i64}| x.$0", vec![Value::structure(vec![])]),
        ("|d: dict[i64,i64]| len(d)", vec![dict(Value::F64(1.0), Value::I64(1))]),
        ("|d: dict[i64,i64]| len(d)", vec![dict(Value::I64(1), ragged())]),
        ("|d: dict[i64,i64]| len(d)", vec![dict(inner.clone(), Value::I64(1))]),
        ("|d: dict[i64,i64]| len(d)", vec![Value::vec(vec![inner])]),
    ];
    for (text, args) in cases {
        for (name, executable) in executables(&parse(text), &CompileOptions::default()) {
            let fault = executable.run(&args).expect_err(text);
            assert_eq!(fault.kind, FaultKind::BadArguments, "{name}: {text}: {fault}");
        }
    }
}

#[test]
fn values_of_other_types_are_no_elements() {
    assert!(i64::from_value(&Value::I32(1)).is_none());
    assert!(Vec::<i64>::from_value(&Value::vec(vec![Value::I64(1), Value::F64(1.0)])).is_none());
    assert!(<(i64, f64)>::from_value(&Value::structure(vec![Value::I64(1)])).is_none());
    assert!(Dict::<i64, i64>::from_value(&Value::vec(vec![])).is_none());
}

#[test]
fn odd_options_change_no_result() {
    let args = [Value::vec((0..30_000).map(Value::I64).collect())];
    let program = parse("|v: vec[i64]| {sum(v), len(filter(v, |x| x % 3L == 0L))}");
    let expected = Value::structure(vec![Value::I64(449_985_000), Value::I64(10_000)]);
    let cuts = [None, Some(0), Some(1 << 40), Some(u64::MAX)];
    for cut in cuts {
        let options = CompileOptions { chunk: cut, segment: cut, ..CompileOptions::default() };
        for (name, executable) in executables(&program, &options) {
            for threads in [0, 1, usize::MAX] {
                let testing = Testing {
                    chunk: cut.filter(|cut| *cut > 0),
                    segment: cut,
                    force_parallel: true,
                    ..Testing::default()
                };
                let way = Options::new().threads(threads).testing(testing).memory_limit(u64::MAX);
                let result = executable.run_with(&way, &args).expect("no fault");
                assert!(result.same_bits(&expected), "{name}: {way:?}: {result:?}");
            }
        }
    }
    let kernel = weld!(|v: &[i64]| v.map(|x| x * 2).filter(|x| x > 5).collect());
    let limited = Options::new().memory_limit(0).threads(usize::MAX);
    assert_eq!(
        kernel.with(&limited).call(&[1, 2, 3]).map_err(|fault| fault.kind),
        Err(FaultKind::MemoryLimit)
    );
    assert_eq!(kernel.with(&limited).call(&[]), Ok(vec![]));
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Options::new().cancel(&cancel);
    assert_eq!(kernel.with(&cancelled).call(&[1]).map_err(|fault| fault.kind), Err(FaultKind::Cancelled));
}

/// The text of a loop may be any bytes; lengths that they claim are not believed.
#[test]
fn bytes_that_lie_are_a_fault() {
    let huge = u64::MAX.to_le_bytes();
    let texts = ["i64", "vec[i64]", "vec[vec[u8]]", "dict[i64,vec[f64]]", "{bool,vec[bool]}"];
    for ty in texts {
        let program = parse(&format!("|bytes: vec[u8]| len([deserialize[{ty}](bytes)])"));
        for bytes in [&huge[..], &huge[..3], &[1; 9], &[2; 40]] {
            let arg = Value::vec(bytes.iter().map(|&byte| Value::U8(byte)).collect());
            for (name, executable) in executables(&program, &CompileOptions::default()) {
                let result = executable.run(std::slice::from_ref(&arg));
                let is_right = match &result {
                    Ok(_) => true,
                    Err(fault) => fault.kind == FaultKind::DeserializeError,
                };
                assert!(is_right, "{name}: {ty} of {bytes:?}: {result:?}");
            }
        }
    }
}
