//! Programs, types, patterns, closures, `if`, `for` and builders, in both spellings.

use super::{check_expressions, check_programs, check_types};

#[test]
fn programs() {
    check_programs(&[
        ("|| 1", "(fn () 1)"),
        ("| | 1", "(fn () 1)"),
        ("|x, y: i64,| x", "(fn (x y:i64) x)"),
        ("|x: i64| -> i64 { x }", "(fn (x:i64) -> i64 x)"),
        ("|x: i64| -> {i64, i64} {x, x}", "(fn (x:i64) -> {i64,i64} (struct x x))"),
        ("(|x: i64| x)", "(fn (x:i64) x)"),
        (
            "type row = {i64, f64}; type rows = vec[row]; |x: rows| x",
            "(type row {i64,f64})\n(type rows vec[row])\n(fn (x:rows) x)",
        ),
        (
            "macro one() = 1; macro twice(x) = (x + x); |x: i64| twice(x) + one()",
            "(macro one () 1)\n(macro twice (x) (+ x x))\n(fn (x:i64) (+ (twice x) (one)))",
        ),
        ("macro m(f) = |x| f(x); |x: i64| x", "(macro m (f) (fn (x) (f x)))\n(fn (x:i64) x)"),
        (
            "const K: f64 = 0.5; fn f<T: Int, U>(x: T, g: impl Fn(T, U) -> bool) -> {T, U} {x, x} |x: i64| x",
            "(fn f<T:Int,U:_> (fn (x:T g:fn(T,U)->bool) -> {T,U} (struct x x)))\n(const K f64 0.5)\n(fn (x:i64) x)",
        ),
        (
            "|x: i64| { const K: i64 = 2; fn f(y: i64) -> i64 { y } f(x) * K }",
            "(fn (x:i64) (let K:i64 2 (let f (fn (y:i64) -> i64 y) (* (f x) K))))",
        ),
    ]);
}

#[test]
fn types() {
    check_types(&[
        ("?", "?"),
        ("_", "?"),
        ("bool", "bool"),
        ("vec[vec[i8]]", "vec[vec[i8]]"),
        ("Option<i8>", "option[i8]"),
        ("option[{i8,option[bool]}]", "option[{i8,option[bool]}]"),
        ("std::option::Option<vec[Option<Vec<i8>>]>", "option[vec[option[vec[i8]]]]"),
        ("&[f64]", "vec[f64]"),
        ("&[&[f64]]", "vec[vec[f64]]"),
        ("&&[f64]", "vec[f64]"),
        ("&[Vec<f64>]", "vec[vec[f64]]"),
        ("Vec<Vec<f64>>", "vec[vec[f64]]"),
        ("&Vec<(i64, u8)>", "vec[{i64,u8}]"),
        ("std::vec::Vec<f64>", "vec[f64]"),
        ("Vec<vec[&[i64]]>", "vec[vec[vec[i64]]]"),
        ("dict[i64, vec[f64],]", "dict[i64,vec[f64]]"),
        ("Dict<i64, Vec<f64>>", "dict[i64,vec[f64]]"),
        ("&weldment::Dict<i64, f64,>", "dict[i64,f64]"),
        ("{i64, {f32, bool},}", "{i64,{f32,bool}}"),
        ("{i64}", "{i64}"),
        ("(i64, (f32, bool))", "{i64,{f32,bool}}"),
        ("(i64,)", "{i64}"),
        ("(i64)", "i64"),
        ("&(i64, Vec<f64>)", "{i64,vec[f64]}"),
        ("&i64", "i64"),
        ("row", "row"),
        ("&[Point]", "vec[Point]"),
        ("&[geometry::Point]", "vec[geometry::Point]"),
        ("Vec<std::string::String>", "vec[str]"),
        ("&str", "str"),
        ("appender[i64]", "appender[i64]"),
        ("appender", "appender[?]"),
        ("merger[{i64, f64}, +]", "merger[{i64,f64},+]"),
        ("merger[i64,min]", "merger[i64,min]"),
        ("dictmerger[i64, row, *]", "dictmerger[i64,row,*]"),
        ("groupmerger[(i64, i64), ?]", "groupmerger[{i64,i64},?]"),
        ("vecmerger[f64,max]", "vecmerger[f64,max]"),
    ]);
}

#[test]
fn patterns() {
    check_programs(&[
        ("|(a, b): (i64, i64)| a", "(fn ((a b):{i64,i64}) a)"),
        ("|&a, &(b, _), ((c), (&d, (e, f,)),)| a", "(fn (a (b _) (c (d (e f)))) a)"),
        ("|(a)| a", "(fn (a) a)"),
        ("|(a,)| a", "(fn ((a)) a)"),
        ("|_, _x| 1", "(fn (_ _x) 1)"),
        ("|in_, r, b, ref, use, self| 1", "(fn (in_ r b ref use self) 1)"),
        ("|map, sum, compare, filter| map(sum)", "(fn (map sum compare filter) (map sum))"),
    ]);
    check_expressions(&[("let (a, &b) = x; a", "(let (a b) x a)"), ("let _ = x; 1", "(let _ x 1)")]);
}

#[test]
fn lets() {
    check_expressions(&[
        ("let a = 1; let b: i64 = a; a + b", "(let a 1 (let b:i64 a (+ a b)))"),
        ("let a: vec[i64]=[]; a", "(let a:vec[i64] (vector) a)"),
        ("let a: Vec<i64>=[]; a", "(let a:vec[i64] (vector) a)"),
        ("let f = |x| x + 1; f(2)", "(let f (fn (x) (+ x 1)) (f 2))"),
        ("let a = let b = 1; b; a", "(let a (let b 1 b) a)"),
        ("{let a = 1; a, 2}", "(struct (let a 1 a) 2)"),
    ]);
}

#[test]
fn braces_are_blocks_only_where_one_can_stand() {
    check_expressions(&[
        // After a closure's bars or result type.
        ("f(|x| {x})", "(f (fn (x) x))"),
        ("f(|x| {x,})", "(f (fn (x) (struct x)))"),
        ("f(|x| {x, x})", "(f (fn (x) (struct x x)))"),
        ("f(|x| -> i64 {x})", "(f (fn (x) -> i64 x))"),
        ("f(|x| { let y = x; y * y })", "(f (fn (x) (let y x (* y y))))"),
        ("f(|x| { let y = x; y, y })", "(f (fn (x) (struct (let y x y) y)))"),
        ("f(|x| {x, x}.$0)", "(f (fn (x) (.0 (struct x x))))"),
        ("f(|x| {x} + 1)", "(f (fn (x) (+ x 1)))"),
        ("f(|x| {{x}})", "(f (fn (x) (struct x)))"),
        ("f(|x| ({x}))", "(f (fn (x) (struct x)))"),
        ("f(|| {x})", "(f (fn () x))"),
        // After a condition and `else`.
        ("if c {a} else {b}", "(if c a b)"),
        ("if c {a,} else {b, b}", "(if c (struct a) (struct b b))"),
        ("if c { let d = a; d } else { {b} }", "(if c (let d a d) (struct b))"),
        // Elsewhere.
        ("let a = {b}; a", "(let a (struct b) a)"),
        ("if(c, {a}, {b})", "(if c (struct a) (struct b))"),
        ("f({a})", "(f (struct a))"),
        ("{{a}, {b, c}}", "(struct (struct a) (struct b c))"),
    ]);
}

#[test]
fn conditions() {
    check_expressions(&[
        ("if(c, a, b)", "(if c a b)"),
        ("match o { Some(x) => x, None => 1 }", "(match o ((some x) x) (none 1))"),
        ("match o { None => { 1 } Some((a, b)) => { a } }", "(match o (none 1) ((some (a b)) a))"),
        (
            "match v.first() { Some(_) => {a, b}, _ => c }.0",
            "(.0 (match (.first v) ((some _) (struct a b)) (_ c)))",
        ),
        ("match o { None => 1, _ => 2, } + 3", "(+ (match o (none 1) (_ 2)) 3)"),
        ("match o { None => if c {a} else {b} Some(x) => x }", "(match o (none (if c a b)) ((some x) x))"),
        ("if let Some(x) = o {x} else {y}", "(match o ((some x) x) (_ y))"),
        (
            "if let None = o {x} else if c {y} else if let Some(z) = p {z} else {w}",
            "(match o (none x) (_ (if c y (match p ((some z) z) (_ w)))))",
        ),
        (
            "match x { -1 | 0 => a, 1..=9 | 20.. => b, ..0 => c }",
            "(match x ((| -1 0) a) ((| (..= 1 9) (.. 20 _)) b) ((.. _ 0) c))",
        ),
        (
            "match x { n @ (1 | 2) if n > k => n, K => 1, _ => 2, }",
            "(match x ((@ n (| 1 2)) if (> n k) n) (K 1) (_ 2))",
        ),
        (
            "match p { P { x: 0, y, .. } => y, Q(true, _) => 1 }",
            "(match p ((P (x 0) (y y) ..) y) ((Q (0 true) (1 _)) 1))",
        ),
        (
            "match (a, b) { (b\"x\", i64::MAX) | (_, a::K) => 1, (_) if (c) => 2 }",
            "(match (struct a b) ((| (x:u8 9223372036854775807i64) (_ a::K)) 1) (_ if c 2))",
        ),
        ("Some(x).map(Some)", "(.map (some x) (fn (x) (some x)))"),
        ("f(None, Some(None),)", "(f none (some none))"),
        ("if (c, a, b,)", "(if c a b)"),
        ("if(c, a, b).$0 + 1", "(+ (.0 (if c a b)) 1)"),
        ("if (c) {a} else {b}", "(if c a b)"),
        ("if (c) && d {a} else {b}", "(if (&& c d) a b)"),
        ("if (x).0 > 1 {a} else {b}", "(if (> (.0 x) 1) a b)"),
        ("if (x) as i64 == 1 || y {a} else {b}", "(if (|| (== (as x i64) 1) y) a b)"),
        ("if (|x| x)(c) {a} else {b}", "(if (apply (fn (x) x) c) a b)"),
        ("if x == {1, 2} {a} else {b}", "(if (== x (struct 1 2)) a b)"),
        ("if f(x) {a} else if d {b} else if (e) {c} else {g}", "(if (f x) a (if d b (if e c g)))"),
        ("if c {a} else if(d, x, y)", "(if c a (if d x y))"),
        ("if c {a} else {b} + 1", "(+ (if c a b) 1)"),
        ("if(if(a, b, c), if(d, e, f), |x| x)", "(if (if a b c) (if d e f) (fn (x) x))"),
        ("if(let a = x; a, b, c)", "(if (let a x a) b c)"),
        ("select(c, a, b)", "(select c a b)"),
    ]);
}

#[test]
fn loops() {
    check_expressions(&[
        ("for(v, appender, |b, i, x| merge(b, x))", "(for (v) appender[?] (fn (b i x) (merge b x)))"),
        ("for(v, b, f,)", "(for (v) b f)"),
        ("for(0..n, b, f)", "(for ((.. 0 n)) b f)"),
        ("for(iter(v), b, f)", "(for (v) b f)"),
        ("for(iter(v, 0L, n, 2L), b, f)", "(for ((iter v 0i64 n 2i64)) b f)"),
        ("for(rangeiter(0L, n, 1L,), b, f)", "(for ((rangeiter 0i64 n 1i64)) b f)"),
        ("for(zip(v), b, f)", "(for (v) b f)"),
        (
            "for(zip(v, iter(w), iter(u, 0, 1, 2), rangeiter(0, 1, 2), 0..n,), b, f)",
            "(for (v w (iter u 0 1 2) (rangeiter 0 1 2) (.. 0 n)) b f)",
        ),
        // Something behind it makes it an ordinary call.
        ("for(zip(v, w).map(f), b, f)", "(for ((.map (zip v w) f)) b f)"),
        ("for(iter(v).map(f), b, f)", "(for ((.map (iter v) f)) b f)"),
        ("for(zip(iter(v).map(f), w), b, f)", "(for ((.map (iter v) f) w) b f)"),
        ("for(zip(v, zip(w, u)), b, f)", "(for (v (zip w u)) b f)"),
        ("result(for(v, b, f)).len()", "(.len (result (for (v) b f)))"),
        ("for(v, b, |b, (i, x)| {b})", "(for (v) b (fn (b (i x)) b))"),
    ]);
}

#[test]
fn builders() {
    check_expressions(&[
        ("appender", "appender[?]"),
        ("appender(n)", "appender[?](n)"),
        ("appender[i64]", "appender[i64]"),
        ("appender[{i64,f64}](len(v))", "appender[{i64,f64}]((len v))"),
        ("merger[i64,+]", "merger[i64,+]"),
        ("merger[?,*](1)", "merger[?,*](1)"),
        ("merger[f64,min](x)", "merger[f64,min](x)"),
        ("merger[Vec<f64>, max]", "merger[vec[f64],max]"),
        ("dictmerger[i64,f64,+]", "dictmerger[i64,f64,+]"),
        ("groupmerger[i64,f64]", "groupmerger[i64,f64]"),
        ("vecmerger[i64,+](v)", "vecmerger[i64,+](v)"),
        ("{appender[i64], merger[i64,max]}", "(struct appender[i64] merger[i64,max])"),
        ("merge(merge(appender, a), b)", "(merge (merge appender[?] a) b)"),
    ]);
}

#[test]
fn calls_with_types() {
    check_expressions(&[
        ("deserialize[{i64,vec[f64]}](b)", "(deserialize {i64,vec[f64]} b)"),
        ("deserialize::<(i64, Vec<f64>)>(b)", "(deserialize {i64,vec[f64]} b)"),
        ("cudf[tally, f64](a, b)", "(cudf tally f64 a b)"),
        ("cudf[exp, vec[f64]]()", "(cudf exp vec[f64])"),
        ("serialize(a)", "(serialize a)"),
    ]);
}

#[test]
fn weld_and_rust_mix() {
    check_programs(&[
        (
            "type pair = {i64, f64}; |v: &[pair], k: f64| -> dict[i64, f64] \
             result(for(v.iter().filter(|&(a, _)| a > 0), dictmerger[i64,f64,+], \
             |b, i, x| if x.1 > k { merge(b, {x.$0, x.1 as f64}) } else { b }))",
            "(type pair {i64,f64})\n(fn (v:vec[pair] k:f64) -> dict[i64,f64] \
             (result (for ((.filter (.iter v) (fn ((a _)) (> a 0)))) dictmerger[i64,f64,+] \
             (fn (b i x) (if (> (.1 x) k) (merge b (struct (.0 x) (as (.1 x) f64))) b)))))",
        ),
        (
            "|rows: &[Vec<f64>]| rows.map(|row| { let m = row.sum() / f64(len(row)); {m, row.map(|x| x - m).sum()} })",
            "(fn (rows:vec[vec[f64]]) (.map rows (fn (row) (let m (/ (.sum row) (as (len row) f64)) \
             (struct m (.sum (.map row (fn (x) (- x m)))))))))",
        ),
    ]);
}
