//! Operators, and what stands before and behind their operands.

use super::{check_errors, check_expressions, check_programs};

#[test]
fn operators_bind_by_the_table() {
    check_expressions(&[
        ("a + b * c", "(+ a (* b c))"),
        ("a * b + c", "(+ (* a b) c)"),
        ("a - b - c", "(- (- a b) c)"),
        ("a / b * c % d", "(% (* (/ a b) c) d)"),
        ("a << b + c", "(<< a (+ b c))"),
        ("a & b << c", "(& a (<< b c))"),
        ("a ^ b & c", "(^ a (& b c))"),
        ("a | b ^ c", "(| a (^ b c))"),
        ("a | b & c ^ d >> e", "(| a (^ (& b c) (>> d e)))"),
        ("a < b + c", "(< a (+ b c))"),
        ("a == b < c", "(== a (< b c))"),
        ("a >= b != c", "(!= (>= a b) c)"),
        ("a && b == c", "(&& a (== b c))"),
        ("a || b && c || d", "(|| (|| a (&& b c)) d)"),
        ("a..b || c", "(.. a (|| b c))"),
        ("0..n + 1", "(.. 0 (+ n 1))"),
        ("(a + b) * c", "(* (+ a b) c)"),
        ("(a & b) == c", "(== (& a b) c)"),
        ("a & (b == c)", "(& a (== b c))"),
        ("a & b && c | d", "(&& (& a b) (| c d))"),
        ("a<-b", "(< a (- b))"),
        ("a&&-b", "(&& a (- b))"),
        ("a&&&b", "(&& a b)"),
        ("a|-b", "(| a (- b))"),
        ("a..-1", "(.. a -1)"),
        ("a>=*b", "(>= a b)"),
        ("a * *b", "(* a b)"),
        ("a>>b>c", "(> (>> a b) c)"),
    ]);
}

#[test]
fn ascriptions_and_casts_bind_tighter_than_operators() {
    check_expressions(&[
        ("a: i32 > 0", "(> (: a i32) 0)"),
        ("a as f64 / b as f64", "(/ (as a f64) (as b f64))"),
        ("-a as i64", "(as (- a) i64)"),
        ("-1 as i64", "(as -1 i64)"),
        ("a as i64 as f64: f64", "(: (as (as a i64) f64) f64)"),
        ("a as i64 < b", "(< (as a i64) b)"),
        ("a as i64 << b", "(<< (as a i64) b)"),
        ("f(a: i64, {b: vec[i64], c}: ?)", "(f (: a i64) (: (struct (: b vec[i64]) c) ?))"),
        ("i64(a + 1)", "(as (+ a 1) i64)"),
        ("bool(a,)", "(as a bool)"),
    ]);
}

#[test]
fn signs_bind_looser_than_what_stands_behind() {
    check_expressions(&[
        ("-a.$0", "(- (.0 a))"),
        ("-a.abs()", "(- (.abs a))"),
        ("-1.abs()", "(- (.abs 1))"),
        ("-2.5.abs()", "(- (.abs 2.5))"),
        ("!v[0]", "(! (index v 0))"),
        ("!!a", "(! (! a))"),
        ("--1", "(- -1)"),
        ("- -a", "(- (- a))"),
        ("a - -1", "(- a -1)"),
        ("a -1", "(- a 1)"),
        ("*&&*a", "a"),
        ("&v[0]", "(index v 0)"),
        ("-*a", "(- a)"),
    ]);
}

#[test]
fn fields_have_two_spellings() {
    check_expressions(&[
        ("x.$0", "(.0 x)"),
        ("x.0", "(.0 x)"),
        ("x.$0.$1", "(.1 (.0 x))"),
        ("x.$0.$1.$2.$3", "(.3 (.2 (.1 (.0 x))))"),
        ("x.0.1", "(.1 (.0 x))"),
        ("x.0.1.2", "(.2 (.1 (.0 x)))"),
        ("x.0.1.2.3", "(.3 (.2 (.1 (.0 x))))"),
        ("x.0.$1", "(.1 (.0 x))"),
        ("x.$0.1.$2", "(.2 (.1 (.0 x)))"),
        ("x.$12", "(.12 x)"),
        ("x.0.len()", "(.len (.0 x))"),
        ("x.$0.len()", "(.len (.0 x))"),
        ("x.0.1.len()", "(.len (.1 (.0 x)))"),
        ("x.0..x.1", "(.. (.0 x) (.1 x))"),
        ("x.0[1].2", "(.2 (index (.0 x) 1))"),
        ("{a, b}.$1", "(.1 (struct a b))"),
        ("f(x).$1", "(.1 (f x))"),
        ("(a, b).0", "(.0 (struct a b))"),
    ]);
}

#[test]
fn calls_methods_and_indices() {
    check_expressions(&[
        ("f()", "(f)"),
        ("f(a, b,)", "(f a b)"),
        ("v.iter().map(|x| *x).sum()", "(.sum (.map (.iter v) (fn (x) x)))"),
        ("v.sum::<f64>()", "(.sum::<f64> v)"),
        ("v.collect::<Vec<_>>()", "(.collect::<vec[?]> v)"),
        ("sum::<f64>(v)", "(sum::<f64> v)"),
        ("v[i][j + 1]", "(index (index v i) (+ j 1))"),
        ("lookup(v, i)[j]", "(index (lookup v i) j)"),
        ("(|a, b| a - b)(1, 2)", "(apply (fn (a b) (- a b)) 1 2)"),
        ("(|a| a)(1)(2)", "(apply (apply (fn (a) a) 1) 2)"),
        ("min(v)", "(min v)"),
        ("min(a, b)", "(min a b)"),
        ("v.min().max(w.min())", "(.max (.min v) (.min w))"),
        ("a.if()", "(.if a)"),
        ("map(v, |x| x).count()", "(.count (map v (fn (x) x)))"),
        ("zip(v, w, iter(u), rangeiter(0, 1, 2))", "(zip v w (iter u) (rangeiter 0 1 2))"),
        ("iterate(a, |s| {s, true})", "(iterate a (fn (s) (struct s true)))"),
    ]);
}

#[test]
fn brackets() {
    check_expressions(&[
        ("(a)", "a"),
        ("(a,)", "(struct a)"),
        ("(a, b)", "(struct a b)"),
        ("(a, b,)", "(struct a b)"),
        ("({a})", "(struct a)"),
        ("b + {a}", "(+ b (struct a))"),
        ("[]", "(vector)"),
        ("[a, b,]", "(vector a b)"),
        ("[[a], []]", "(vector (vector a) (vector))"),
        ("(let a = 1; a) + 2", "(+ (let a 1 a) 2)"),
        ("[let a = 1; a, |x| x]", "(vector (let a 1 a) (fn (x) x))"),
    ]);
}

#[test]
fn annotations_mean_nothing() {
    check_expressions(&[
        ("@(a: b) x + @(c: 1L, d: \"e\") y", "(+ x y)"),
        ("@(grain_size: 8) @(a: b) for(v, appender, f)", "(for (v) appender[?] f)"),
        ("for(@(a: b) zip(v, @(a: b) iter(w)), @(a: b) appender, f)", "(for (v w) appender[?] f)"),
        ("@(loopsize: 10, predicate: true,) if(a, b, c)", "(if a b c)"),
        ("@(a: b) let x = @(a: b) 1; @(a: b) x", "(let x 1 x)"),
        ("@() -@(a: f(x, y)) x", "(- x)"),
    ]);
    check_programs(&[("@(a: b) |x: @(a: b) vec[@(a: b) i64]| x", "(fn (x:vec[i64]) x)")]);
}

#[test]
fn neither_comparisons_nor_ranges_chain() {
    check_errors(&[
        ("|| a < b < c", "1:10 parse: comparisons do not chain"),
        ("|| a <= b > c", "1:11 parse: comparisons do not chain"),
        ("|| a == b == c", "1:11 parse: comparisons do not chain"),
        ("|| a != b + 1 != c", "1:15 parse: comparisons do not chain"),
        ("|| 0..1..2", "1:8 parse: ranges do not chain"),
    ]);
}

#[test]
fn bitwise_operators_beside_comparisons_stay_in_a_row() {
    check_expressions(&[
        ("a & b == c", "(row a & b == c)"),
        ("a >= b & c < d | e == f", "(row a >= b & c < d | e == f)"),
        ("a + b & c << d != e && f | g", "(&& (row (+ a b) & (<< c d) != e) (| f g))"),
        ("(a & b) == c", "(== (& a b) c)"),
        ("a & (b == c) | d", "(| (& a (== b c)) d)"),
        ("a | b ^ c & d", "(| a (^ b (& c d)))"),
        ("a < b == c", "(== (< a b) c)"),
    ]);
    check_errors(&[
        ("|| a & b < c < d", "1:14 parse: comparisons do not chain"),
        ("|| a == b < c == d & e", "1:15 parse: comparisons do not chain"),
    ]);
}
