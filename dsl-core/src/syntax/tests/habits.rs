//! What Rust, other languages and upstream Weld say, and this language says otherwise.

use super::{check_advice, check_errors};

const LENGTHS: &str = "use i64: lengths and indices are i64";
const ITERATE: &str = "write `iterate(initial, |state| {next, go_on})`, which runs at least once";
const FOR: &str =
    "write `for(v, builder, |b, i, x| …)`, or `v.map(|x| …)`, `v.fold(init, |acc, x| …)` and the like";
const NO_ASSIGNMENT: &str =
    "variables cannot be assigned to: bind a new one with `let`, or collect with a builder";

#[test]
fn operators_of_others() {
    check_advice(&[
        (
            "|x: i64| x > 1 and x < 3",
            "1:16 parse: expected the end of the program, found `and`",
            "write `&&`",
        ),
        ("|x: i64| f(x > 1 OR x < 3)", "1:18 parse: expected `,` or `)`, found `OR`", "write `||`"),
        (
            "|v: &[i64]| 3 in v",
            "1:15 parse: expected the end of the program, found `in`",
            "write `v.contains(x)`",
        ),
        (
            "|v: &[i64]| v.map(x => x + 1)",
            "1:21 parse: expected `,` or `)`, found `=>`",
            "a function is written `|x| …`",
        ),
        (
            "|x: i64| if x > 1 and x < 3 { 1 } else { 2 }",
            "1:19 parse: expected an operator or `{`, found `and`",
            "write `&&`",
        ),
        ("|c: bool| not c", "1:11 parse: expected an expression, found `not`", "write `!x`"),
    ]);
    // Who calls a variable so may.
    for text in [
        "|not: i64| not as f64",
        "|a: &Array<i64, 1>, not: i64| a[0..not step 2]",
        "|not: bool| if not { 1 } else { 2 }",
    ] {
        crate::front::from_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    }
    check_errors(&[
        ("|x: i64| match x { 1 -> 2, _ => 3 }", "1:22 parse: expected `=>`, found `->`"),
        ("|x: i64| match x { 1 or 2 => 2, _ => 3 }", "1:22 parse: expected `=>`, found `or`"),
    ]);
}

#[test]
fn statements_of_rust() {
    check_advice(&[
        ("|x: i64| usize(x)", "1:10 parse: there is no `usize`", LENGTHS),
        ("|| usize::MAX", "1:4 parse: there is no `usize`", LENGTHS),
        (
            "|| let mut x = 3; x",
            "1:8 parse: variables cannot be changed",
            "leave out `mut`, and bind each new value with `let`",
        ),
        (
            "|(a, mut b)| a",
            "1:6 parse: variables cannot be changed",
            "leave out `mut`, and bind each new value with `let`",
        ),
        (
            "|v: &mut [i64]| v",
            "1:6 parse: arguments cannot be changed",
            "leave out `mut`; what a program computes is its result",
        ),
        ("|v: &[i64]| for x in v { x }", "1:13 parse: there is no `for … in`", FOR),
        ("|v: &[i64]| for (a, b) in v { x }", "1:13 parse: there is no `for … in`", FOR),
        ("|v: &[i64]| for(x in v)", "1:13 parse: there is no `for … in`", FOR),
        (
            "|x: i64| return x",
            "1:10 parse: there is no `return`",
            "the last expression is the value; choose with `if c { a } else { b }`",
        ),
        ("|x: i64| while x > 0 { x }", "1:10 parse: there is no `while`", ITERATE),
        ("|x: i64| loop { x }", "1:10 parse: there is no `loop`", ITERATE),
        (
            "|x: i64| f(move |y| x)",
            "1:12 parse: closures inside of a program read its variables by themselves",
            "leave out `move`",
        ),
        (
            "|x: i64| lookup(d, x)? + 1",
            "1:22 parse: there is no `?` operator",
            "of an `Option`, `o.and_then(|x| …)` goes on where there is a value, and `o.or_fault()` ends the program where there is none; a fault ends it by itself",
        ),
        (
            "|x: i64| if x > 0 { 1 }",
            "1:10 parse: this `if` has no `else`",
            "an `if` is a value: say with `else { … }` what it is otherwise",
        ),
        (
            "|x: i64| { x; }",
            "1:13 parse: a block ends with its value",
            "leave out the `;`; the values of other expressions would be lost, so bind them with `let`",
        ),
        ("|x: i64| x = 3", "1:12 parse: expected the end of the program, found `=`", NO_ASSIGNMENT),
        ("|x: i64| f(x += 3)", "1:14 parse: expected `,` or `)`, found `+=`", NO_ASSIGNMENT),
        (
            "|v: &[i64]| vec![1]",
            "1:13 parse: macros of Rust cannot be called here",
            "a vector is written `[a, b]`",
        ),
        (
            "|v: &[i64]| println!(\"a\")",
            "1:13 parse: macros of Rust cannot be called here",
            "write `dbg(x)`: it is x, and shows it on stderr while the program runs",
        ),
        (
            "|v: &[i64]| format!(\"a\")",
            "1:13 parse: macros of Rust cannot be called here",
            "join texts: `\"n = \" + n.to_string()`, and many by `texts.join(\", \")`",
        ),
        (
            "|v: &[i64]| own!(v)",
            "1:13 parse: macros of Rust cannot be called here",
            "call functions: `name(…)`",
        ),
        (
            "|| #[inline] 1",
            "1:4 parse: attributes and doc comments have no place here",
            "comments begin with `//`; `#[expect(…)]` and `#[warn(…)]` stand right before the program's closure",
        ),
    ]);
}

#[test]
fn expressions_of_rust() {
    check_advice(&[
        ("|| 0..=3", "1:5 parse: ranges do not include their end", "write `a..b + 1`"),
        ("|| ..3", "1:4 parse: a range needs a start", "write `0..n`"),
        (
            "|| f(a..)",
            "1:7 parse: a range needs an end",
            "a whole vector needs no range; `0..len(v)` are its indices",
        ),
        ("|| [0; 3]", "1:6 parse: a vector lists its elements", "`n` times `x` is `map(0..n, |_| x)`"),
        (
            "|| a**b",
            "1:5 parse: there is no operator `**`",
            "write `pow(a, b)` for a power, or `a * *b` for a product",
        ),
        (
            "|| x.1e5",
            "1:6 parse: expected the number of a field, found `1e5`",
            "the fields of a struct are `.0`, `.1`, …",
        ),
        (
            "|| x.0L",
            "1:6 parse: expected the number of a field, found `0L`",
            "the fields of a struct are `.0`, `.1`, …",
        ),
        (
            "|| x as vec[i64]",
            "1:9 parse: expected a scalar type after `as`, found `vec`",
            "`x: type` says what type `x` has",
        ),
        ("|| a + |x| x", "1:8 parse: a closure needs parentheses here", "write `(|a| …)`"),
        ("|| a + let x = 3; x", "1:8 parse: a `let` needs parentheses here", "write `(let a = …; b)`"),
        ("|| i64 + 1", "1:4 parse: `i64` is a type, not a value", "a cast is written `i64(x)` or `x as i64`"),
    ]);
}

#[test]
fn types_of_rust() {
    let slices = "a vector of `T` is `&[T]`, `Vec<T>` or `vec[T]`; `[T; 3]` is an array of three";
    let length = "the length of an array is a number from 1 to 64";
    let lengths = "`[f64; 3]` is an array of three; one of any length is a vector: `&[T]`, `Vec<T>`";
    check_advice(&[
        ("|v: [i64]| v", "1:5 parse: expected a type, found `[`", slices),
        ("|v: [i64; N]| v", &format!("1:11 parse: {length}"), lengths),
        ("|v: &[i64; 0]| v", &format!("1:12 parse: {length}"), lengths),
        ("|v: &'a [i64]| v", "1:6 parse: lifetimes are not written here", "leave the lifetime out"),
        (
            "|v: &[Box<i64>]| v",
            "1:7 parse: there is no type `Box<…>`",
            "of what lies behind one, programs read slices and texts, `&[Box<[f64]>]` and `&[Arc<str>]`; write the type that is in it",
        ),
        (
            "|v: &[Rc<str>]| v",
            "1:7 parse: there is no type `Rc<…>`",
            "an `Rc` stays on its thread, and programs run on several: write `Arc<str>`, or give them `&[&str]`",
        ),
        (
            "|{a, b}: (i64, i64)| a",
            "1:2 parse: expected a pattern, found `{`",
            "take a struct apart with `(a, b)`",
        ),
    ]);
}

#[test]
fn keywords_of_weld_are_reserved() {
    check_advice(&[
        (
            "|len: i64| 1",
            "1:2 parse: `len` is a keyword of Weld and cannot be a name",
            "use another one, such as `len_`",
        ),
        (
            "|| let result = 1; result",
            "1:8 parse: `result` is a keyword of Weld and cannot be a name",
            "use another one, such as `result_`",
        ),
        (
            "macro merge(a) = a; || 1",
            "1:7 parse: `merge` is a keyword of Weld and cannot be a name",
            "use another one, such as `merge_`",
        ),
        (
            "macro m(a, log) = a; || 1",
            "1:12 parse: `log` is a keyword of Weld and cannot be a name",
            "use another one, such as `log_`",
        ),
        (
            "type vec = i64; || 1",
            "1:6 parse: `vec` is a keyword of Weld and cannot be a name",
            "use another one, such as `vec_`",
        ),
        (
            "|| map(v, exp)",
            "1:11 parse: `exp` is a keyword of Weld and cannot be a variable",
            "a call needs parentheses: `exp(…)`",
        ),
        (
            "|| vec(1)",
            "1:4 parse: `vec` is a keyword of Weld and cannot be a variable",
            "a vector is written `[a, b]`",
        ),
        (
            "|| dict[i64, i64]",
            "1:4 parse: `dict` is a keyword of Weld and cannot be a variable",
            "dictionaries are made by `to_dict`, `dictmerger` and `groupmerger`",
        ),
    ]);
    check_errors(&[
        ("|| 1 + macro", "1:8 parse: `macro` must stand before the program's closure"),
        ("|| else", "1:4 parse: expected an expression, found `else`"),
        ("|| in(1)", "1:4 parse: expected an expression, found `in`"),
        ("|as| 1", "1:2 parse: expected a name, found `as`"),
        ("|| _ + 1", "1:4 parse: expected an expression, found `_`"),
        ("|x: len| x", "1:5 parse: expected a type, found `len`"),
    ]);
}

#[test]
fn vectorising_by_hand_is_out_of_scope() {
    let help = "write the program for one element at a time";
    let message = |place: &str, word: &str| {
        format!("{place} unsupported: `{word}` is not supported: vectorising is the compiler's work")
    };
    check_advice(&[
        ("|x: simd[i64]| x", &message("1:5", "simd"), help),
        ("|v: vec[i64]| for(simditer(v), appender, f)", &message("1:19", "simditer"), help),
        ("|v: vec[i64]| for(zip(v, fringeiter(v)), appender, f)", &message("1:26", "fringeiter"), help),
    ]);
}

#[test]
fn iteration_over_dimensions_is_said_to_be_that() {
    let message =
        "unsupported: `nditer` is not supported: it goes through a vector by strides in several dimensions";
    let help = "over one dimension write `iter(v, start, end, stride)`; over two a loop in a loop that computes the index: \
                `for(rangeiter(0L, rows, 1L), b, |b, _, i| for(rangeiter(0L, columns, 1L), b, \
                |b, _, j| merge(b, lookup(v, start + i * row_stride + j * column_stride))))`";
    check_advice(&[
        (
            "|v: vec[i64], shape: vec[i64], strides: vec[i64]| \
             result(for(nditer(v, 0L, 24L, 1L, shape, strides), appender, |b, i, x| merge(b, x)))",
            &format!("1:62 {message}"),
            help,
        ),
        (
            "|nditer: i64| 1",
            "1:2 parse: `nditer` is a keyword of Weld and cannot be a name",
            "use another one, such as `nditer_`",
        ),
    ]);
}
