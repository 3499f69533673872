//! What programs have of the Rust around them, constants and captures, in every way to run these.

use std::panic::{AssertUnwindSafe, catch_unwind};

use weldment::{
    Array, Bound, CompileOptions, Executable, Executor, ForeignFunctions, Kernel, Options, ToProgram, Weld,
    weld,
};

use crate::every_way::agree;

mod shop {
    pub(crate) const RATE: f64 = 0.25;
    pub(crate) static LIMIT: i64 = 3;

    pub(crate) fn tag(b: u8, by: i64) -> i64 {
        i64::from(b) * by
    }

    pub(crate) mod deep {
        pub(crate) const STEP: u8 = 7;
    }
}

const SCALE: f32 = 1.5;
const IS_SIGNED: bool = true;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Point {
    x: f64,
    y: f64,
}

/// How good numbers are.
type Score<'a> = dyn Fn(&[f64]) -> f64 + 'a;

/// What captures are taken from: no program sees `self`.
struct Model {
    rate: f64,
    weights: Vec<f64>,
    origin: Point,
}

impl Model {
    fn scorer(&self) -> impl Fn(&[f64]) -> f64 {
        weld!([rate = self.rate, w = &self.weights] |v: &[f64]| zip(v, w).map(|(x, y)| x * y * rate).sum())
            .into_fn()
    }

    fn moved(&self, points: &[Point]) -> Vec<Point> {
        let origin = self.origin;
        weld!([origin: Point] |points: &[Point]| points.map(|p| Point { x: p.x - origin.x, y: p.y - origin.y }))(
            points,
        )
    }
}

fn model() -> Model {
    Model { rate: 0.5, weights: (0..50).map(f64::from).collect(), origin: Point { x: 1.0, y: 2.0 } }
}

#[test]
fn constants_of_rust_are_read_where_they_are_named() {
    let v: Vec<f64> = (0..40).map(|i| f64::from(i) * 0.75 - 9.0).collect();
    let (sum, count) = agree!([&v[..]] given [shop::RATE, shop::LIMIT, IS_SIGNED];
    |v: &[f64]| {
        let rated = v.filter(|x| x > shop::RATE).map(|x| x * shop::RATE);
        (rated.sum() * (shop::LIMIT as f64), if IS_SIGNED { len(v) } else { shop::LIMIT })
    });
    let rated = v.iter().filter(|x| **x > shop::RATE).map(|x| x * shop::RATE);
    assert_eq!((sum, count), (rated.sum::<f64>() * 3.0, 40));
}

#[test]
fn items_of_a_program_read_them_too_and_it_may_declare_them() {
    let got = agree!([7u8] given [SCALE, shop::deep::STEP];
        const shop::deep::STEP: u8;
        fn scaled(x: f32) -> f32 { x * SCALE }
        |n: u8| (n * shop::deep::STEP, scaled(2.0)));
    assert_eq!(got, (49, 3.0));
}

#[test]
fn a_kernel_that_reads_them_is_a_constant() {
    static RATED: Kernel<fn(f64) -> f64> = weld!(|x: f64| x * shop::RATE);
    assert_eq!(RATED(8.0), 2.0);
    assert_eq!(RATED.source(), "const shop::RATE: f64;\n|x: f64| x * shop::RATE");
}

#[test]
fn captures_are_what_they_were_where_the_kernel_was_made() {
    let v: Vec<f64> = (0..50).map(|i| f64::from(i % 7)).collect();
    let mut k = 2.0;
    let w = vec![1.5; 50];
    let got = agree!([&v[..]] given [k, &w[..]]; [k, &w] |v: &[f64]| zip(v, w).map(|(x, y)| x * y * k));
    assert_eq!(got, v.iter().map(|x| x * 1.5 * 2.0).collect::<Vec<_>>());
    let scaled = weld!([k] |x: f64| x * k);
    k += 1.0;
    assert_eq!((scaled(1.0), k), (2.0, 3.0));
}

#[test]
fn anything_that_a_parameter_is_can_be_captured() {
    let grid = Array::from_fn([4, 3], |[i, j]| (i * 3 + j) as f64).unwrap();
    let point = Point { x: 0.5, y: -1.0 };
    let names = [b"ab".to_vec(), b"c".to_vec()];
    let got = agree!([2i64] given [&grid, point, &names[..]];
        [grid: &Array<f64, 2> = &grid, point: Point, names = &names[..]] |n: i64|
            (grid[n, 1] + point.x * point.y, names.map(|s| len(s: &[u8])).sum() + n));
    assert_eq!(got, (6.5, 5));
}

#[test]
fn captures_come_from_expressions_and_kernels_of_them_are_functions() {
    let model = model();
    let v = vec![2.0; 50];
    assert_eq!(model.scorer()(&v), model.weights.iter().sum::<f64>());
    assert_eq!(model.moved(&[Point { x: 3.0, y: 3.0 }]), [Point { x: 2.0, y: 1.0 }]);
    let scorers: [Box<Score<'_>>; 2] =
        [Box::new(model.scorer()), Box::new(weld!([rate = model.rate] |v: &[f64]| v.sum() * rate).into_fn())];
    assert_eq!(scorers.map(|score| score(&v)), [1225.0, 50.0]);
}

#[test]
fn a_capture_is_hidden_by_a_parameter_and_hides_a_constant() {
    let x = 2.0;
    assert_eq!(weld!([x] |y: f64| { let f = |x| x * 10.0; f(y) + x })(1.0), 12.0);
    assert_eq!(weld!([SCALE = x * 2.0] |y: f64| y * SCALE)(2.0), 8.0);
}

#[test]
fn their_faults_have_the_places_of_the_source() {
    let k = 0i64;
    let quotient: Bound<fn(i64) -> i64, _, _> = weld!([k] |x: i64| x / k);
    let fault = quotient.try_call(3).unwrap_err();
    assert_eq!(fault.detail, "3 / 0");
    assert_eq!(quotient.program().params().len(), 2);
    assert_eq!(quotient.source(), "[k] |x: i64| x / k");
    assert!(quotient.explain().contains("loops: 0 before"), "{}", quotient.explain());
    assert_eq!(format!("{quotient:?}"), "Bound(\"[k] |x: i64| x / k\")");
}

fn rated(x: f64) -> f64 {
    assert!(x >= 0.0, "no rate for {x}");
    x * 0.5
}

/// The kernel of `program`, compiled once more by each executor, with the functions that it declares.
fn again(kernel: &impl ToProgram) -> Vec<Executable> {
    let functions = ForeignFunctions::new()
        .function("rated", rated as fn(f64) -> f64)
        .function("tag", shop::tag as fn(u8, i64) -> i64);
    compiled(kernel, &functions)
}

/// The same with these functions.
fn compiled(kernel: &impl ToProgram, functions: &ForeignFunctions) -> Vec<Executable> {
    let compile = |executor| {
        let foreign = functions.clone().into();
        let options = CompileOptions { executor, foreign, ..CompileOptions::default() };
        kernel.program().compile(&options).unwrap()
    };
    let executors = [
        Executor::Interpreter,
        #[cfg(feature = "llvm")]
        Executor::Llvm,
    ];
    executors.into_iter().map(compile).collect()
}

#[test]
fn functions_of_rust_are_called_by_their_signatures() {
    let kernel = weld! {
        extern { fn rated(price: f64) -> f64; fn tag = shop::tag(u8, i64) -> i64; }
        fn twice(x: f64) -> f64 { rated(x) + x.rated() }
        #[expect(loops = 2, materialized = 0)]
        |v: &[f64], b: &[u8]| (v.map(rated).map(twice).sum(), b.map(|b| b.tag(3)))
    };
    let (v, b): (Vec<f64>, Vec<u8>) = ((0..5000).map(f64::from).collect(), (0..100).collect());
    let expected = (v.iter().map(|x| x * 0.5).sum::<f64>(), (0..100).map(|b| b * 3).collect::<Vec<i64>>());
    assert_eq!(kernel(&v, &b), expected);
    assert_eq!(kernel.with(&Options::new().threads(2)).call(&v, &b), Ok(expected.clone()));
    for again in again(&kernel) {
        assert_eq!(again.call::<(&[f64], &[u8]), (f64, Vec<i64>)>((&v, &b)).unwrap(), expected);
    }
}

#[test]
fn a_panic_in_one_goes_on_in_the_caller_and_leaves_the_kernel_as_it_was() {
    let kernel = weld! { extern { fn rated(f64) -> f64; } |v: &[f64]| v.map(rated) };
    let mut v = vec![1.0; 100_000];
    v[77_777] = -3.0;
    let told = |run: &dyn Fn()| {
        let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    for threads in [1, 2] {
        let options = Options::new().threads(threads);
        assert_eq!(told(&|| drop(kernel.with(&options).call(&v))), "no rate for -3");
        assert_eq!(kernel.with(&options).call(&[4.0]), Ok(vec![2.0]));
    }
    for again in again(&kernel) {
        assert_eq!(told(&|| drop(again.call::<(&[f64],), Vec<f64>>((&v,)))), "no rate for -3");
        assert_eq!(again.call::<(&[f64],), Vec<f64>>((&[4.0],)).unwrap(), [2.0]);
    }
}

/// As [`rated`], but that it tells its signature.
#[weldment::welded(opaque)]
fn told_rate(price: f64) -> f64 {
    rated(price)
}

mod other {
    /// Of the same name as one of the `shop`, which is declared.
    #[weldment::welded(opaque)]
    pub(super) fn told_rate(n: i64) -> i64 {
        n + 100
    }
}

/// In terms of one.
#[weldment::welded]
fn twice_told(x: f64) -> f64 {
    crate::outside::told_rate(x) + x
}

#[test]
fn functions_of_rust_that_tell_their_signatures_are_called_without_declarations() {
    let kernel = weld! {
        use told_rate as r;
        #[expect(loops = 2, materialized = 0)]
        |v: &[f64], b: &[i64]| (v.map(told_rate).map(twice_told).map(|x| x.r()).sum(), b.map(|n| other::told_rate(n)))
    };
    let (v, b): (Vec<f64>, Vec<i64>) = ((0..5000).map(f64::from).collect(), vec![1, 2]);
    let expected = (v.iter().map(|x| x * 0.5 * 1.5 * 0.5).sum::<f64>(), vec![101, 102]);
    assert_eq!(kernel(&v, &b), expected);
    assert_eq!(twice_told(4.0), 6.0);
    // In text they are foreign functions by the last of their names; of two of one name, the second has another one.
    let source = kernel.source();
    assert_eq!(source.matches("#[welded(opaque)] fn ").count(), 2, "{source}");
    let second = source.split("fn told_rate__weld_").nth(1).expect("a name of its own");
    let second = format!("told_rate__weld_{}", second.split(',').next().unwrap());
    let table = ForeignFunctions::new()
        .function("told_rate", rated as fn(f64) -> f64)
        .function(&second, (|n| n + 100) as fn(i64) -> i64);
    for again in compiled(&kernel, &table) {
        assert_eq!(again.call::<(&[f64], &[i64]), (f64, Vec<i64>)>((&v, &b)).unwrap(), expected);
    }
}
