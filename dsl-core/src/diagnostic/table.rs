//! The table of diagnostics: number, name, title, what the rule is, a program that breaks it and one that does not.
//!
//! Where the rule is one of `derive(Weld)`, the two are items of Rust. The hundreds are the kind. Numbers are never used twice: what is dropped leaves a gap.

use super::entry::{Example, codes};

codes! {
    // Tokens and grammar.
    101 Expected "something else was expected here"
        "The grammar does not allow this token in this place. The message says what may stand here instead."
        "|v: &[f64]| v.map(|x| x *).sum()" => "|v: &[f64]| v.map(|x| x * x).sum()";
    102 NoClosure "a program is a closure"
        "A program begins with its parameters between bars, `|x: &[f64]|`, or with `||` if it has none. Before them \
         stand only items: `fn`, `const`, `struct`, `type`, `macro` and `axis`."
        "1 + 2" => "|| 1 + 2";
    103 TooDeep "nested or chained too far"
        "Brackets, closures and operators nest at most 4096 levels deep, and at most 500 operators or methods \
         follow each other, so that no program can exhaust the compiler's stack. Once macros are expanded it is 12288 levels, \
         where a `map` and the like count as several. Functions nest at most 128 levels deep, branches 640. Name the parts \
         with `let`, of which there may be any number. Types nest at most 256 levels deep, those that their names stand for \
         included."
        "|| (||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||\
         (||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||\
         (||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||\
         (||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||(||\
         (|| 1)()\
         )())())())())())())())())())())())())())())())())())())())())())())())())())())())())())())())()\
         )())())())())())())())())())())())())())())())())())())())())())())())())())())())())())())())()\
         )())())())())())())())())())())())())())())())())())())())())())())())())())())())())())())())()\
         )())())())())())())())())())())())())())())())())())())())())())())())())())())())())())())())()" => "|| (|| 1)()";
    104 NoTokens "the text cannot be read as tokens"
        "A bracket, a comment or a string does not end, or a character has no meaning. It concerns programs that are \
         text: in `weld!` rustc says so first."
        "|v: &[f64]| sum(map(v, |x| x * 2.0)" => "|v: &[f64]| sum(map(v, |x| x * 2.0))";
    105 BadLiteral "this is not a literal of the language"
        "Numbers are written as in Rust or as in Weld: `1`, `1L` and `1i64` (i64), `1c` (i8), `1si` (i16), `1.0`, `1.0f` \
         (f32), `0xff`, `0b11`. `1` is the integer and `1.0` the float that its place needs: i32 and f64, if nothing says more."
        "|| 1.5L" => "|| 1L";
    106 OutOfRange "a literal does not fit its type"
        "A literal without suffix takes its type from where it stands; where nothing decides, an integer is an i32 and a \
         float an f64. A value that its type does not hold is refused, and never wrapped or made infinite."
        "|| 300u8" => "|| 300u16";
    107 NoCharacters "there are no characters"
        "Text is bytes. A byte is `b'x'`, of type u8, and a string is a vector of bytes, `vec[i8]`."
        "|| 'x'" => "|| b'x'";
    108 Chained "comparisons and ranges do not chain"
        "`a < b < c` would compare a bool with c, which is never meant."
        "|x: f64| 0.0 < x < 1.0" => "|x: f64| 0.0 < x && x < 1.0";
    109 BitsBesideComparison "bitwise operators beside a comparison need parentheses"
        "In Weld `a & b == c` is `a & (b == c)`, in Rust it is `(a & b) == c`. A program in Weld's spelling means the former, \
         where the types allow no other reading, as in `x >= 2L & x < 5L`. Otherwise parentheses say which is meant."
        "|x: i64| x & 1L == 0L" => "|x: i64| (x & 1L) == 0L";
    110 NeedsParentheses "this needs parentheses here"
        "A closure or a `let` reaches as far to the right as it can. Inside of an operator it stands in parentheses."
        "|x: f64| 1.0 + let y = x; y" => "|x: f64| 1.0 + (let y = x; y)";
    111 NoValue "a block ends with its value"
        "Programs have no effects: an expression whose value nobody takes would do nothing. A block holds `let`s and \
         then one expression, without `;` behind it."
        "|v: &[f64]| { v.sum(); }" => "|v: &[f64]| { v.sum() }";
    112 NoElse "an `if` has no `else`"
        "An `if` is a value, so it has one on both sides. Inside of a loop the other side is the builder as it was."
        "|x: f64| if x > 0.0 { x }" => "|x: f64| if x > 0.0 { x } else { 0.0 }";
    113 NoStatements "control flow of Rust that there is not"
        "A program is one expression: there is no `while`, `loop`, `return`, `?` or `for … in`. Choose \
         with `if` and `match`, run over vectors with `map`, `fold` or `for(…)`, and repeat with `iterate`."
        "|x: f64| { return x; }" => "|x: f64| { x }";
    114 NoMutation "variables and arguments cannot be changed"
        "There is no `mut` and no assignment. Bind each new value with `let`, which may hide the old one, or collect \
         values in a builder."
        "|x: f64| { let mut y = x; y }" => "|x: f64| { let y = x; let y = y + 1.0; y }";
    115 NoPlaceHere "a part of Rust that has no place in a program"
        "`move` and lifetimes mean nothing here: a program captures nothing from the Rust around it, closures inside of it read its \
         variables, and slices are read in place. Comments begin \
         with `//`, and `#[expect(…)]` and `#[warn(…)]`, the only attributes, stand right before the program's closure."
        "|v: &'a [f64]| v.sum()" => "|v: &[f64]| v.sum()";
    116 NoUsize "inside of a program a size is an i64"
        "Parameters, fields of structs and results that are declared may be `usize`. Inside of a program they are i64, as lengths and indices are, \
         and `x as usize` is one; there are no constants and functions of `usize`, and a dictionary that comes from outside has i64 in it."
        "|d: &Dict<usize, f64>| d[1]" => "|d: &Dict<i64, f64>| d[1]";
    117 MacroOfRust "macros of Rust cannot be called here"
        "A program is compiled by this crate and not by rustc, so it knows none of Rust's macros. Nothing is printed from \
         within a program: make what is to be seen part of its result."
        "|x: f64| vec![x, x]" => "|x: f64| [x, x]";
    118 OpenRange "a range needs a start and an end"
        "`a..b` are the integers from a up to and without b. There are no open ranges, and none that include their end."
        "|n: i64| (n..).sum()" => "|n: i64| (0L..n).sum()";
    119 NoOperator "there is no such operator"
        "A power is `pow(a, b)`."
        "|x: f64| x ** 2.0" => "|x: f64| pow(x, 2.0)";
    120 RangeAsIndex "an index is one number"
        "A vector is indexed by an integer. A part of it is a vector of its own: `slice(v, start, length)`."
        "|v: &[f64]| v[1..3]" => "|v: &[f64]| slice(v, 1, 2)";
    121 NoFixedLength "the length of an array is a number"
        "The length of an array, `[T; 3]`, is a number from 1 to 64, since each of its elements is a field of it. One of any other length is a \
         vector: `&[T]`, `Vec<T>`. A literal lists its elements; n equal ones are a `map` over a range."
        "|n: i64| [0.0; n]" => "|n: i64| (0L..n).map(|_| 0.0)";
    122 NoSuchGeneric "there is no such generic type"
        "The types are scalars, tuples, structs, `&[T]`, `Vec<T>`, `Option<T>` and `Dict<K, V>`."
        "|v: &[Box<f64>]| len(v)" => "|v: &[f64]| len(v)";
    123 KeywordAsValue "a type or a keyword is no value"
        "The names of types and of the language's own functions cannot be variables; functions are called."
        "|v: &[f64]| len + 1L" => "|v: &[f64]| len(v) + 1L";
    124 KeywordAsName "a keyword of Weld cannot be a name"
        "Upstream Weld's keywords are reserved, so that its programs mean the same here."
        "|len: f64| len" => "|length: f64| length";
    125 LateItem "this must stand before the program's closure"
        "Items, which are `fn`, `const`, `struct`, `type`, `macro` and `axis`, come first, then the closure that is the program."
        "|x: f64| macro twice(a) = a + a; twice(x)" => "macro twice(a) = a + a; |x: f64| twice(x)";
    126 NoInitialValue "this builder takes no initial value"
        "`appender` takes the expected size, `merger` an initial value and `vecmerger` a vector; dictionaries start \
         empty."
        "|k: i64| result(merge(dictmerger[i64, i64, +](k), {k, 1L}))"
            => "|k: i64| result(merge(dictmerger[i64, i64, +], {k, 1L}))";

    127 UnknownAttribute "there is no such attribute or claim"
        "Before its closure a program may say what is expected of the optimiser, `#[expect(loops = 1, materialized = 0)]`, \
         ask for warnings, `#[warn(materialized)]`, and for versions for values of its parameters, `#[versions(n = [3, 5])]`."
        "#[expects(loops = 1)] |v: &[f64]| v.sum()" => "#[expect(loops = 1)] |v: &[f64]| v.sum()";
    128 ClaimedTwice "a claim is made twice"
        "A number of loops or of intermediates is claimed once, a warning is asked for once, and each version is named once."
        "#[expect(loops = 1, loops = 1)] |v: &[f64]| v.sum()" => "#[expect(loops = 1)] |v: &[f64]| v.sum()";
    129 BlockOfOne "braces around one expression are a block"
        "A warning, in programs that hold nothing of Rust's spelling. To Weld `|x| {x}` gives a struct of one field. Here what stands in braces \
         behind a closure's bars is a block, as in Rust, and gives x. `|x| {x,}` gives the struct, and `|x| x` the value.";

    130 Arms "a `match` does not say once what it is for each case"
        "A `match` has an arm for every value, each of which is the first for some of them: what no arm is for has no result, and an arm that is never \
         taken is a mistake. An arm with a condition is passed over where that does not hold, so that another is for the same values. An `if let` has a \
         pattern that does not match every value."
        "|v: &[f64]| match v.first() { Some(x) => x }" => "|v: &[f64]| match v.first() { Some(x) => x, None => 0.0 }";
    131 Refutable "a pattern that does not match every value"
        "What `let` and a parameter bind is bound in any case. Whether an `Option` has a value, or a value is equal to another, is asked by \
         `match` and `if let`, which say what it is otherwise."
        "|v: &[f64]| { let Some(x) = v.first(); x }" => "|v: &[f64]| { let x = v.first().or_fault(); x }";
    132 BadPattern "this is not a pattern"
        "The pattern of an arm is a name, `_`, a literal, a constant, a range of integers, a struct of patterns, `Some(…)` or `None`, or alternatives of \
         these, `A | B`, which bind the same names, or none where the arm has a condition. A name in capitals is a constant. Floats are compared in a \
         condition, `x if x < 0.5`."
        "|x: f64| match x { 0.5 => 1, _ => 2 }" => "|x: f64| match x { y if y <= 0.5 => 1, _ => 2 }";
    133 BadEnum "this is not an enum of a program"
        "An enum says which of its variants a value is, by a number of the integer type behind its name: `enum Side: u8 { Buy, Sell = 7 }`. Variants hold no data and have \
         different numbers, one of them 0, as in Rust the number before it plus 1 where none is written."
        "enum Side: u8 { Buy = 1, Sell = 2 } |s: Side| s == Side::Buy" => "enum Side: u8 { Unknown, Buy, Sell } |s: Side| s == Side::Buy";

    // Names.
    201 UnknownName "a name that is not known here"
        "A program sees its parameters, what it captures, and what `let` and closures bind around the place. Of the Rust around it, it reads by \
         itself only constants, whose names are in capitals: make a variable a parameter, or capture it, `[k] |v: &[f64]| …`."
        "|v: &[f64]| v.map(|x| x * k).sum()" => "|v: &[f64], k: f64| v.map(|x| x * k).sum()";
    202 UnknownFunction "there is no such function or method"
        "Functions and methods are those of the language, and in `weld!` those that are `#[welded]`; any function is also a method of its first \
         argument, one of a path by a `use` in front of the program. Where `weld!` calls a function `f` that it does not know, it asks a macro of \
         that name, so that rustc says \"cannot find macro `f` in this scope\": put `#[welded]` before the function, or `fn f(…) -> … { … }` before \
         the program's closure; one that stays a function of Rust needs `#[welded(opaque)]`, or to be declared there, `extern { fn f(f64) -> f64; }`."
        "|v: &[f64]| v.smu()" => "|v: &[f64]| v.sum()";
    203 UnknownType "a type that is not known"
        "A type is a scalar, a tuple, a vector, a dictionary, a name that a `type` item gives to one of these, or a struct: \
         one that the program defines or, in `weld!`, one of Rust that derives `Weld`."
        "|orders: &[Order]| orders.map(|o| o.0).sum()"
            => "struct Order { price: f64 } |orders: &[Order]| orders.map(|o| o.price).sum()";
    204 UnknownPath "there is nothing of this name"
        "Paths are those of constants, `f64::MAX`, `i64::MIN`, `f64::consts::PI` and the like, and in `weld!` those of structs, of constants and of \
         `#[welded]` functions. Functions of the language stand alone, without a path."
        "|x: f64| x * f64::PI" => "|x: f64| x * f64::consts::PI";
    205 DefinedTwice "a name is defined twice"
        "Each type and each function, constant or `macro` has a name of its own. Variables may hide each other, items may not."
        "macro f(a) = a; macro f(a) = a + a; |x: f64| f(x)" => "macro f(a) = a; macro g(a) = a + a; |x: f64| g(f(x))";
    206 Recursive "a definition contains itself"
        "Functions and macros are expanded in place and types are finite, so neither may contain itself. Repeat with `iterate`; keep a \
         tree in vectors, with indices for its edges."
        "macro f(a) = f(a - 1L); |x: i64| f(x)" => "|x: i64| iterate(x, |a| {a - 1L, a > 1L})";
    207 NoJumps "there is no `break` or `continue`"
        "A loop visits every element. Choose among them with `filter`, or end an `iterate` by its bool."
        "|v: &[f64]| v.map(|x| if x > 0.0 { x } else { continue })" => "|v: &[f64]| v.filter(|x| x > 0.0)";
    208 FieldTwice "a field is named twice"
        "The fields of a struct have different names, and a value of it, or a pattern, names each of them once."
        "struct P { x: f64, y: f64 } |a: f64| P { x: a, y: a, x: 1.0 }"
            => "struct P { x: f64, y: f64 } |a: f64| P { x: a, y: 1.0 }";
    209 NotDerived "no struct that derives `Weld`, and no `#[welded]` function"
        "A struct of Rust becomes a type of programs by `#[derive(Weld)]`, and a function one of the language by `#[welded]`. Both make a macro \
         of the same name, by which it tells its tokens to `weld!`. Here a macro of this name answered something else.";
    210 TypeParameter "type parameters of the Rust around are not known"
        "A program is compiled before Rust's types are known, so it sees no type parameters of the function around it: a name of one \
         capital is taken for one. Name the type, and write one kernel for each, by `macro_rules!` if there are many. A struct that \
         derives `Weld` needs a name of more than one letter."
        "|v: &[T]| v.map(|x| x * x).sum()" => "|v: &[f64]| v.map(|x| x * x).sum()";
    211 UnnamedStruct "the result holds a struct that the program does not name"
        "A `#[welded]` function brings along the structs that it works with. What goes out of the kernel is a struct of Rust, which is found \
         by a path in the program: write it in the type of the result, `|v: &[f64]| -> Vec<shop::Point> { … }`.";
    212 LentStruct "a struct that borrows stands where it cannot"
        "A struct with a lifetime that derives `Weld` is a parameter of a kernel by itself, `|s: &Sales|`: it is one parameter for each of its fields, and its columns \
         stay where they are. What kernels give, and what stands in vectors and tuples, owns its data: give the columns, `(s.price, s.day)`, or hold them in a struct of `Vec`s.";
    214 OwnPath "a path that only works where it is written"
        "What is `#[welded]` stands in programs elsewhere, where a path to a function of Rust would mean something else, or nothing. So it calls functions that are \
         `#[welded(opaque)]`, by paths from the root of the crate, `crate::shop::score(x)`; to those of other crates, a `pub use` in this one makes such a path.";
    216 Versions "two versions of weldment do not understand each other"
        "What derives `Weld` or is `#[welded]` tells its tokens to `weld!` in a form that may change with the version. Here the crate that defines it and the one that \
         names it depend on two versions whose forms differ. Let them depend on one: `cargo tree -d` shows who depends on which.";

    // Types.
    301 Mismatch "a value has another type than its place needs"
        "Nothing is converted silently. Both sides of an operator, both branches of an `if` and all elements of a vector \
         have one type; a cast is written `x as f64` or `f64(x)`."
        "|v: &[f64], n: i64| v.sum() / n" => "|v: &[f64], n: i64| v.sum() / (n as f64)";
    302 Infinite "a type would contain itself"
        "What is inferred here would be a vector or struct that holds values of its own type, and types are finite."
        "|n: i64| iterate([], |v| {[v], n > 0L}).count()" => "|n: i64| iterate([n], |v| {v.map(|x| x + 1L), false}).count()";
    303 NotInferred "the type of a value is not known"
        "Types are inferred from the parameters and from how values are used. Where both leave one open, say it."
        "|| []" => "|| [1.0]";
    304 Untyped "a parameter of the program or of a function, or a constant, needs a type"
        "The parameters of a program are where its types come from; functions and constants say theirs, as in Rust. Those of \
         closures need none."
        "|v| v.sum()" => "|v: &[f64]| v.sum()";
    305 ArgumentCount "a call with too many or too few arguments"
        "The message quotes the form of the call. The receiver of a method is its first argument."
        "|v: &[f64]| len(v, v)" => "|v: &[f64]| len(v)";
    306 FunctionArity "a function with too many or too few parameters"
        "What calls the function decides how many parameters it has. An element that is a struct is one parameter: take \
         it apart with a pattern."
        "|v: &[f64], w: &[f64]| zip(v, w).map(|x, y| x * y)" => "|v: &[f64], w: &[f64]| zip(v, w).map(|(x, y)| x * y)";
    307 PatternFields "a pattern has too many or too few names"
        "A pattern names every field of the struct that it takes apart; `_` stands for those that are not needed. That of a \
         struct with a name may end with `..` instead: `P { x, .. }`."
        "|p: (f64, f64)| { let (x, y, z) = p; x }" => "|p: (f64, f64)| { let (x, _) = p; x }";
    308 NoField "there is no such field"
        "The fields of a tuple are numbered from 0: `x.0`, or `x.$0` in Weld's spelling. Those of a struct that the program \
         defines, or that derives `Weld`, have their names, and no numbers but those of Weld's `.$0`. Only structs have fields."
        "|p: (f64, f64)| p.2" => "|p: (f64, f64)| p.1";
    309 Operand "an operator or function does not take this type"
        "Arithmetic takes numbers, `&`, `|`, `^` and `!` take bools and integers, shifts and indices integers, and functions \
         such as `sqrt` floats. Operators work on scalars: apply them to the elements of a vector with `map`."
        "|v: &[f64]| v * 2.0" => "|v: &[f64]| v.map(|x| x * 2.0)";
    310 NotComparable "values of this type cannot be compared"
        "Scalars, vectors and structs of them compare, element by element. There is no order on bools, and dictionaries \
         do not compare at all: compare their pairs."
        "|a: bool, b: bool| a < b" => "|a: bool, b: bool| !a && b";
    311 BadCast "there is no such cast"
        "Scalars cast to scalars, except floats to bool. What holds scalars is cast element by element."
        "|x: f64| x as bool" => "|x: f64| x != 0.0";
    312 NotReducible "these values cannot be merged by an operator"
        "`+`, `*`, `min` and `max` merge numbers, and structs of numbers field by field."
        "|v: &[bool]| v.sum()" => "|v: &[bool]| v.map(|x| x as i64).sum()";
    313 BadKey "this cannot be the key of a dictionary"
        "A key is a scalar, or a vector or struct of what can be a key; it holds no dictionary."
        "|d: &Dict<Dict<i64, i64>, i64>| len(d)" => "|d: &Dict<Vec<(i64, i64)>, i64>| len(d)";
    314 NeedsBuilder "a builder is needed here"
        "`merge`, `result` and `for` work on builders: what `appender[f64]`, `merger[f64, +]` and the like make, and what \
         `merge` and `for` return."
        "|v: &[f64]| result(v)" => "|v: &[f64]| result(for(v, merger[f64, +], |b, i, x| merge(b, x)))";
    315 NeedsCollection "a vector or a dictionary is needed here"
        "Loops run over vectors and ranges, `len` and indices take vectors and dictionaries. The pairs of a dictionary are \
         the vector `tovec(d)`."
        "|d: &Dict<i64, f64>| d.map(|(k, x)| x)" => "|d: &Dict<i64, f64>| tovec(d).map(|(k, x)| x)";
    316 NeedsFunction "a function is needed here"
        "`map`, `filter`, `for` and the like take a closure. Only `reduce_by` takes an operator."
        "|v: &[f64], k: f64| v.map(k)" => "|v: &[f64], k: f64| v.map(|x| x * k)";
    317 FunctionAsValue "a function or an operator is not a value"
        "Functions are expanded where they are used: they cannot be stored or returned. A `let` gives one a name, to be called or passed on."
        "|x: f64| { let f = (|a| a + 1.0, x); x }" => "|x: f64| { let f = |a| a + 1.0; f(f(x)) }";
    318 ValueCalled "a value is called like a function"
        "A variable of this name hides the function, or a `*` is missing."
        "|x: f64, y: f64| x(y)" => "|x: f64, y: f64| x * y";
    319 ForeignType "a type of Rust that the language does not have"
        "Characters are passed as bytes or code points, and the widest integers are `i128` and `u64`."
        "|name: &[char]| len(name)" => "|name: &str| len(name)";
    320 BuilderParameter "a builder cannot be a parameter of the program"
        "Builders live inside of one program. Make the builder there, and give its initial value as a parameter."
        "|b: appender[f64]| result(b)" => "|x: f64| result(merge(appender[f64], x))";
    321 TooManyParameters "a kernel has too many parameters"
        "A kernel takes at most 24. Put some together in a tuple, or columns of one length in a vector of tuples."
        "|a: i8, b: i8, c: i8, d: i8, e: i8, f: i8, g: i8, h: i8, i: i8, j: i8, k: i8, l: i8, m: i8, n: i8, o: i8, p: i8, q: i8, r: i8, \
         s: i8, t: i8, u: i8, v: i8, w: i8, x: i8, y: i8| a"
            => "|a: (i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8), b: i8| a.0";
    322 TooManyFields "a tuple has too many fields"
        "A tuple that goes into a kernel or comes out of it has at most 24 fields. Nest tuples in tuples."
        "|x: i8| (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x)"
            => "|x: i8| ((x, x, x, x, x, x, x, x, x, x, x, x), (x, x, x, x, x, x, x, x, x, x, x, x, x))";
    323 MissingFields "a field has no value"
        "A value of a struct has a value for every field. Those that are not written are taken from another value of the \
         same struct, which stands last: `..other`."
        "struct P { x: f64, y: f64 } |a: f64| P { x: a }.x" => "struct P { x: f64, y: f64 } |a: f64| P { x: a, y: 0.0 }.x";
    324 NamedFields "the fields of this struct have names"
        "Values of a struct are made as it is defined: `P { x: a }` of `struct P { x: f64 }`, and `P(a)` of \
         `struct P(f64);`."
        "struct P { x: f64 } |a: f64| P(a).x" => "struct P { x: f64 } |a: f64| P { x: a }.x";
    325 TypeArguments "a type with too many or too few types between `<` and `>`"
        "A generic struct is used with one type for each of its parameters, and what has no parameters stands alone."
        "struct Pair<T> { a: T, b: T } |p: Pair| p.a" => "struct Pair<T> { a: T, b: T } |p: Pair<f64>| p.a";
    326 Axes "an array has no such axis"
        "An array has as many axes as its type says, at most 8, counted from 0. An element has an index for each; fewer indices \
         give the array of what is left, `a[i]` a row of a matrix. The number of an axis is a literal, as the types depend on it."
        "|a: array[f64, 2]| a[0, 0, 0]" => "|a: array[f64, 2]| a[0, 0]";
    327 Spaces "arrays of different axes do not run together"
        "What is computed element by element of several arrays needs arrays of as many axes, of equal extents. Numbers are \
         combined with each element; nothing else is repeated by itself. A vector becomes an array by `shaped`."
        "|a: array[f64, 2], b: array[f64, 1]| a + b" => "|a: array[f64, 2], b: array[f64, 2]| a + b";
    329 CursorAsValue "a cursor is not a value"
        "A cursor is the place at which a stencil stands: the compiler knows it, and it is neither stored, nor chosen by an `if`, nor \
         returned. Read from it, `c[-1, 0]`, or give it to a function."
        "|a: &Array<f64, 1>| a.stencil(|c| c)" => "|a: &Array<f64, 1>| a.stencil(|c| c[0] + c[1])";
    330 Offset "what a stencil reads outside is not said"
        "Without a policy a stencil has a point where all that it reads is inside, which is known from its offsets: they are \
         constants then, and nothing that is read is missing. With a policy, `clamp`, `wrap` or `pad(value)`, it has the points of its \
         array, and offsets may be any integers."
        "|a: &Array<f64, 1>, k: i64| a.stencil(|c| c[k] - c[0])" => "|a: &Array<f64, 1>, k: i64| a.stencil(clamp, |c| c[k] - c[0])";
    331 NotAffine "`reference` reads at coordinates that are no affine ones"
        "What `reference` gives is no copy: each coordinate at which it reads is a number, or one index of the point, times a \
         constant, and a number. All else is computed of elements that are read by index."
        "|a: &Array<f64, 1>| a.reference(|i, j| i + j)" => "|a: &Array<f64, 1>, n: i64| array((n, n), |i, j| a[i + j])";
    332 Outside "what is read is outside for one of the points"
        "Of all points of an array one is the first and one the last along each axis. What is next to it is not there, so that the \
         program would end in the fault IndexOutOfBounds. Read by `get`, or by a stencil, which has the points from which all is inside."
        "|a: &Array<f64, 1>| array(domain(a), |i| a[i + 1] - a[i])" => "|a: &Array<f64, 1>| a.stencil(|c| c[1] - c[0])";
    333 Location "a cursor stands at other axes"
        "Where axes have names, a cursor stands at some of them, and reads what is at some. A table takes it from its own first axis to \
         that of its entries; it reads where both are the same."
        "axis Vertex; axis Edge; |t: array[i32; Vertex, 2], f: array[f64; Edge]| f.stencil(|c| c.to(t, 0)[0] + c[0])"
            => "axis Vertex; axis Edge; |t: array[i32; Vertex, 2], f: array[f64; Edge]| f.stencil(|c| c.to(t, 0)[0] + c.to(t, 1)[0])";
    334 GroupAsValue "a group of `aggregate` is not a value"
        "The parameter of the last function of `aggregate` names a group, of which only results are kept: `g.count()`, `g.sum(|x| …)` and the \
         like. A dictionary of the elements themselves is what `group_by` makes."
        "|v: &[(i64, f64)]| v.aggregate(|r| r.0, |g| g)"
            => "|v: &[(i64, f64)]| v.aggregate(|r| r.0, |g| (g.count(), g.sum(|r| r.1)))";
    335 BadOption "this is not in an `Option`"
        "An `Option` holds scalars, vectors, other options and structs of these: where there is no value, zero stands in its place, or \
         the vector without elements. Dictionaries and arrays are empty instead. A struct that derives `Weld` is in one if it holds scalars only."
        "|d: &Dict<i64, f64>| Some(d).is_some()" => "|d: &Dict<i64, f64>| Some(tovec(d)).is_some()";
    336 NoTime "the calendar has no such date or time"
        "A date is a year, a month from 1 to 12 and a day that the month has, `Date(1994, 2, 28)`; a `Timestamp` has an hour to 23, a minute \
         and a second to 59 besides, in UTC. `trunc` takes what begins, `\"month\"`."
        "|d: Date| d < Date(1994, 2, 29)" => "|d: Date| d < Date(1994, 2, 28)";
    337 Constant "this cannot be a constant"
        "`Program::with_constants` puts values in place of parameters when a program is compiled, and for a parameter that is declared `const` it is \
         compiled anew for the first values that it is called with. Constants are scalars, texts, dates and options, and structs, arrays and vectors of \
         these, of 64 elements at most; of dictionaries, those of up to 8 keys that are given by `with_constants`. Only parameters of the program itself \
         are declared so, and only in text: a kernel of `weld!` is compiled before there are arguments. What is known to rustc already is a literal \
         there, or a constant of Rust, and `#[versions(n = [3, 5])]` names values of integers and bools that a kernel chooses by."
        "|const rates: &Dict<i64, f64>| len(rates)" => "|rates: &Dict<i64, f64>| len(rates)";

    338 NoFixed "this is no decimal number"
        "A `Fixed<S>` has S digits behind the point, 0 to 18, and is an i64 of units of the last one. `Fixed::<2>(\"12.34\")` is a constant of it: \
         digits, behind a sign or none, and behind the point no more than the type has, but for zeros."
        "|x: Fixed<2>| x + Fixed::<2>(\"0.005\")" => "|x: Fixed<2>| x + Fixed::<2>(\"0.01\")";

    // Linearity: every builder is used exactly once on each path.
    401 UsedTwice "a builder is used a second time"
        "`merge` and `for` use their builder up and return it with more in it. Go on with what they return; to have the \
         value twice, call `result` once and use its value twice."
        "|x: f64| { let b = appender[f64]; let c = merge(b, x); let d = merge(b, x); (result(c), result(d)) }"
            => "|x: f64| { let b = appender[f64]; let c = merge(b, x); let d = merge(c, x); result(d) }";
    402 Dropped "a builder is dropped"
        "What was merged into it would be lost. Every builder ends in `result`, or is returned from the function of a \
         loop."
        "|x: f64| { let b = merge(appender[f64], x); x }" => "|x: f64| { let b = merge(appender[f64], x); result(b) }";
    403 OneSided "a builder is used on one path only"
        "Whichever way an `if` goes, the builder must have been used. The branch that adds nothing returns it as it is."
        "|x: f64| { let b = appender[f64]; if x > 0.0 { result(merge(b, x)) } else { [x] } }"
            => "|x: f64| { let b = appender[f64]; result(if x > 0.0 { merge(b, x) } else { b }) }";
    404 OtherBranch "the branches of an `if` return different builders"
        "Both branches return the same builders in the same places, or make new ones there. One from outside cannot change \
         places with another, or with one that a branch makes."
        "|x: f64| { let a = appender[f64]; let b = appender[f64]; let t = if x > 0.0 { {a, b} } else { {b, a} }; result(t.0) }"
            => "|x: f64| { let a = appender[f64]; result(if x > 0.0 { merge(a, x) } else { a }) }";
    405 OuterBuilder "a loop uses a builder from outside of it"
        "The function of a loop runs many times, and may use a builder from outside not even twice. Start the loop with \
         the builder: the function then gets it as its first parameter. `iterate` carries it in its state."
        "|v: &[f64]| { let b = appender[f64]; v.map(|x| result(merge(b, x))) }"
            => "|v: &[f64]| { let b = appender[f64]; result(for(v, b, |b, i, x| merge(b, x))) }";
    406 NotTheOwn "a loop's function returns another builder than its own"
        "The function of a loop returns the builder it was given, with what it merged; so a loop is one sequence of \
         merges."
        "|v: &[f64]| result(for(v, appender[f64], |b, i, x| merge(appender[f64], x)))"
            => "|v: &[f64]| result(for(v, appender[f64], |b, i, x| merge(b, x)))";
    407 EarlyResult "`result` inside of the loop that merges"
        "The value of a builder is known when the loop has ended. Call `result` once, on what the loop gives."
        "|v: &[i64]| result(for(v, appender[i64], |b, i, x| { let w = result(b); merge(appender[i64], len(w)) }))"
            => "|v: &[i64]| result(for(v, appender[i64], |b, i, x| merge(b, x)))";
    408 Stored "a builder cannot be stored or returned"
        "Vectors, dictionaries and results hold values. Take the builder's value first: `result(…)`."
        "|x: f64| merge(appender[f64], x)" => "|x: f64| result(merge(appender[f64], x))";

    // What is not supported.
    501 Vectorising "vectorising is the compiler's work"
        "`simd`, `simditer` and `fringeiter` of upstream Weld are not part of the language: programs \
         are written for one element at a time, and the compiler vectorises."
        "|v: &[f64]| result(for(simditer(v), merger[f64, +], |b, i, x| merge(b, x)))"
            => "|v: &[f64]| result(for(v, merger[f64, +], |b, i, x| merge(b, x)))";
    502 ForeignValues "a foreign function of other values than scalars"
        "In `weld!` foreign functions take and give scalars: structs and vectors lie differently in C."
        "|v: &[f64]| cudf[norm, f64](v)" => "|v: &[f64]| v.map(|x| cudf[norm, f64](x)).sum()";
    503 Executor "the executor does not support this"
        "The program is right, but what should run it cannot. The message says what: the interpreter calls foreign functions on \
         scalars only, for one.";
    504 NoLlvm "there is no LLVM"
        "This build holds no LLVM, or finds another one than LLVM 22. Enable the feature `llvm`, and install the package that \
         the message names.";

    505 TooLarge "a program expands to too much"
        "Macros copy their arguments and types their parts, so a short program can stand for one without end. 262144 \
         expressions, types and copies more than are written are refused. Bind with `let` what repeats: it is computed once, and copied \
         as a name."
        "macro eight(a) = a + a + a + a + a + a + a + a; |x: i64| eight(eight(eight(eight(eight(eight(x))))))"
            => "macro eight(a) = (let b = a; b + b + b + b + b + b + b + b); |x: i64| eight(eight(eight(x)))";
    506 TooManyParts "a type of too many parts"
        "A type is made of at most 4096 scalars, vectors and structs, since every value of it holds them all. Many values \
         of one type are a vector."
        "type A = {i64,i64,i64,i64,i64,i64,i64,i64}; type B = {A,A,A,A,A,A,A,A}; type C = {B,B,B,B,B,B,B,B}; \
         |x: {C,C,C,C,C,C,C,C}| 1L" => "type A = {i64,i64,i64,i64,i64,i64,i64,i64}; |x: &[A]| len(x)";

    507 OnlyStructs "only structs and enums of numbers derive `Weld`"
        "An enum that derives `Weld` says with `#[repr(u8)]`, or another integer of fixed size, which numbers its variants are; they hold no data, and one of them has the number 0, \
         which stands where there is no value. Of other enums, values differ in their fields, and nothing says what a union holds: keep an enum that says which, and a field \
         for each value that there may be, in a struct."
        "#[derive(Weld)] enum Side { Buy, Sell }" => "#[derive(Weld)] #[repr(u8)] enum Side { Buy, Sell }";
    508 StructParameters "a struct with a constant as parameter"
        "The parameters of a struct that derives `Weld` are types, and lifetimes if it borrows. A vector has any length, and an array says its own."
        "#[derive(Weld)] struct Row<const N: usize> { cells: [f64; N] }" => "#[derive(Weld)] struct Row { cells: Vec<f64> }";
    509 PackedStruct "a packed struct cannot derive `Weld`"
        "Kernels read fields in place, by reference, and those of a packed struct may lie where no reference may point."
        "#[derive(Weld)] #[repr(packed)] struct Row { at: u8, x: f64 }" => "#[derive(Weld)] struct Row { at: u8, x: f64 }";
    510 NoFields "a struct without fields cannot derive `Weld`"
        "A value of it would hold nothing, and a vector of them no more than its length."
        "#[derive(Weld)] struct Nothing;" => "#[derive(Weld)] struct Something { x: f64 }";
    511 FieldType "a field of a type that is no data of its own"
        "Fields are scalars, tuples, `Vec<T>`, `Dict<K, V>` and structs that derive `Weld`. References, pointers, functions \
         and types that only rustc can find are none of these."
        "#[derive(Weld)] struct Row { cells: &'static [f64] }" => "#[derive(Weld)] struct Row { cells: Vec<f64> }";
    512 DeriveOption "the derive has no such option"
        "The only option of `derive(Weld)` is `#[weld(crate = path)]`, for where the facade goes by another name than \
         `::weldment`."
        "#[derive(Weld)] #[weld(rename = other)] struct Row { x: f64 }"
        => "#[derive(Weld)] #[weld(crate = ::other)] struct Row { x: f64 }";
    513 Dump "what became of a kernel cannot be written"
        "`WELDMENT_DUMP` names a folder for what became of each kernel, and the file there cannot be written. The program is \
         right: name another folder, or unset the variable.";
    514 Dimensions "there is no iteration over dimensions"
        "`nditer(v, start, end, stride, shape, strides)` of upstream Weld visits a vector as an array of several dimensions: it \
         reads the element at `start` plus each coordinate of step k, the last running fastest, times its stride. Over one \
         dimension that is `iter(v, start, end, stride)`; over two it is a loop in a loop that computes the index."
        "|v: &[f64]| result(for(nditer(v, 0L, 4L, 1L, [2L, 2L], [1L, 2L]), appender[f64], |b, i, x| merge(b, x)))"
            => "|v: &[f64]| result(for(rangeiter(0L, 2L, 1L), appender[f64], |b, _, i| for(rangeiter(0L, 2L, 1L), b, \
                |b, _, j| merge(b, lookup(v, i + j * 2L)))))";
    515 WeldedItem "this cannot be `#[welded]`"
        "`#[welded]` stands before a function whose body is of the language, `#[welded] pub fn name(x: f64) -> f64 { … }`, a constant or a kernel. Beside the item it makes a \
         macro of the same name, by which kernels find it, so that it cannot be called as a macro of Rust's prelude, or as a function of the language. Structs derive `Weld`. \
         `#[welded(for(i32, i64))]` lists the scalars for which a function with type parameters is one of Rust: types that its bounds take, each once, in at most 16 \
         combinations. `#[welded(opaque)]` stands before a function of Rust, of scalars, that kernels call as it is.";
    516 NoFeature "a type of Rust that a feature has"
        "Floats of 16 bits, `f16` and `bf16`, are types of the crate `half` in Rust, which weldment takes and gives by its feature `half`. Programs that are text need none.";

    // Claims about the optimisation.
    601 Materialized "more is written to memory than is claimed"
        "`#[expect(materialized = 0)]` claims how many vectors and dictionaries are written to memory that are not part of the \
         result, and `#[warn(materialized)]` asks for a warning of each. The message names what keeps one from being fused \
         with what reads it."
        "#[expect(materialized = 0)] |v: &[f64]| { let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0]) }"
            => "#[expect(materialized = 0)] |v: &[f64], y: f64| { let w = v.filter(|x| x > 0.0); w.map(|x| x - y) }";
    602 LoopsLeft "more loops are left than is claimed"
        "`#[expect(loops = 1)]` claims how many loops are left once everything is fused, those inside of others included. The \
         message names what keeps a loop from being fused with one before it."
        "#[expect(loops = 1)] |v: &[f64]| { let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0]) }"
            => "#[expect(loops = 1)] |v: &[f64], y: f64| { let w = v.filter(|x| x > 0.0); w.map(|x| x - y) }";
    603 FewerLeft "fewer loops, intermediates or windows are left than is claimed"
        "A claim is an equality: one that is too lax would not notice when the program gets worse again."
        "#[expect(loops = 2)] |v: &[f64]| v.map(|x| x * x).sum()" => "#[expect(loops = 1)] |v: &[f64]| v.map(|x| x * x).sum()";
    604 WindowsLeft "more arrays are computed row by row where they are read than is claimed"
        "`#[expect(windows = 1)]` claims how many arrays are not written to memory since the loop that reads them computes the \
         rows that it needs, though each element is read several times and is dear."
        "#[expect(windows = 0)] |p: array[f64, 2]| { let r = p.map(|x| exp(x)); r.stencil(|c| c[-1, 0] + c[1, 0]) }"
            => "#[expect(windows = 1)] |p: array[f64, 2]| { let r = p.map(|x| exp(x)); r.stencil(|c| c[-1, 0] + c[1, 0]) }";
    605 NotInlined "a vector is written to memory, where `inline` says that it is not"
        "`v.inline()` says that no element of v is written to memory, whatever it costs to compute it where it is read. The message names \
         what needs the vector."
        "|v: &[f64]| { let w = v.filter(|x| x > 0.0).inline(); w.map(|x| x - w[0]) }"
            => "|v: &[f64]| { let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0]) }";

    // Foreign functions of programs at run time.
    701 ForeignRefused "a foreign function, and none is allowed"
        "A program that is text could call any function of the process, `system` and `abort` included, so it may call none unless \
         whoever compiles it says which: `CompileOptions::foreign` is a table of functions, `ForeignFunctions`. The command allows \
         the functions of a shared library by `--library FILE`, and those of its own process by `--foreign`."
        "|x: f64| cudf[bessel, f64](x)" => "|x: f64| x.sin() / x";
    702 ForeignUnknown "a foreign function that is not in the table"
        "A program at run time calls the functions of the table `CompileOptions::foreign` and no others: those registered by \
         name, and what the libraries in it define themselves. What a library takes from other libraries is not its own."
        "|x: f64| cudf[bessle, f64](x)" => "|x: f64| cudf[bessel, f64](x)";
    703 ForeignSignature "a foreign function is called with other types than it has"
        "A function in the table is registered with the types of its parameters and of its result. Arguments are not converted: \
         cast them, and write the type that the function gives in the brackets."
        "|x: f64| cudf[bessel, f32](x)" => "|x: f64| cudf[bessel, f64](x) as f32";
    704 ForeignPath "a path to a foreign function"
        "In `weld!`, `cudf[path::name, T](…)` is the function that the path leads to. At run time there are no modules: \
         functions are in the table by name."
        "|x: f64| cudf[math::bessel, f64](x)" => "|x: f64| cudf[bessel, f64](x)";

    // Ours.
    901 Internal "the compiler made a mistake"
        "No rule of the language is broken. Please report the message together with the program.";
}
