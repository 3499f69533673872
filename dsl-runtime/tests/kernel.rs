//! Kernels as `weld!` expands to them: every place one can stand in, at several arities.

use weldment_runtime::api::kernel::{self, Kernel, KernelInfo, Signature};
use weldment_runtime::api::param::{Own, Ref};
use weldment_runtime::exec::context::Context;
use weldment_runtime::exec::options::Options;
use weldment_runtime::lang::fault::{Fault, FaultKind, Position};

/// What the macro emits, with the body given in Rust.
macro_rules! weld {
    (($($arg:ident: $ty:ty = $param:ty),*) -> $result:ty, |$cx:ident| $body:expr) => {{
        #[allow(clippy::too_many_arguments)]
        fn run($cx: &Context, $($arg: $ty),*) -> Result<$result, Fault> {
            $body
        }
        #[allow(clippy::too_many_arguments)]
        fn call($($arg: $ty),*) -> $result {
            kernel::unwrap(run(Context::ambient(), $($arg),*))
        }
        static INFO: KernelInfo = KernelInfo::new(stringify!($body), "explained");
        Signature::<($($param,)*), $result>::kernel(call, run, &INFO)
    }};
}

macro_rules! sum {
    () => {
        weld!((x: &[f64] = Ref<[f64]>) -> f64, |_cx| Ok(x.iter().sum()))
    };
}

macro_rules! gather {
    () => {
        weld!(
            (x: &[f64] = Ref<[f64]>, at: &[i64] = Ref<[i64]>, scale: f64 = Own<f64>) -> Vec<f64>,
            |_cx| at.iter().map(|&i| match x.get(i as usize) {
                Some(x) => Ok(x * scale),
                None => {
                    let place = Position { line: 2, column: 9 };
                    Err(Fault::new(FaultKind::IndexOutOfBounds, format!("index {i} of a vector of {}", x.len()), place))
                }
            }).collect()
        )
    };
}

type Sum = Kernel<fn(&[f64]) -> f64>;
type Gather = Kernel<fn(&[f64], &[i64], f64) -> Vec<f64>>;

static SUM: Sum = sum!();
const GATHER: Gather = gather!();

struct Model {
    sum: Sum,
    gather: Gather,
}

#[test]
fn a_local_serves_borrows_of_different_lengths() {
    let sum = sum!();
    let long = vec![1.0, 2.0];
    {
        let short = vec![3.0];
        assert_eq!(sum(&short), 3.0);
        assert_eq!(sum.try_call(&short), Ok(3.0));
    }
    {
        let short = vec![4.0];
        assert_eq!(sum.with(&Options::new()).call(&short), Ok(4.0));
    }
    assert_eq!(sum(&long), 3.0);
}

#[test]
fn a_static_a_const_and_a_field_are_called_alike() {
    let (x, at) = (vec![1.0, 2.0], [1, 0, 1]);
    assert_eq!(SUM(&x), 3.0);
    assert_eq!(SUM.try_call(&x), Ok(3.0));
    assert_eq!(GATHER(&x, &at, 2.0), [4.0, 2.0, 4.0]);
    assert_eq!(GATHER.try_call(&x, &at, 1.0), Ok(vec![2.0, 1.0, 2.0]));
    let model = Model { sum: sum!(), gather: GATHER };
    assert_eq!((model.sum)(&x), 3.0);
    assert_eq!(model.gather.with(&Options::new().threads(2)).call(&x, &at, 1.0), Ok(vec![2.0, 1.0, 2.0]));
}

#[test]
fn kernels_are_given_and_returned() {
    fn make() -> Sum {
        sum!()
    }
    fn twice(kernel: &Sum, x: &[f64]) -> f64 {
        kernel(x) + kernel.try_call(x).unwrap()
    }
    fn apply(f: impl Fn(&[f64]) -> f64) -> f64 {
        f(&[5.0])
    }
    assert_eq!(twice(&make(), &[1.0]), 2.0);
    assert_eq!(apply(*make()), 5.0);
    assert_eq!(std::thread::spawn(|| SUM(&[7.0])).join().unwrap(), 7.0);
}

#[test]
fn references_of_other_kinds_pass() {
    type Row = (i64, Vec<f64>);
    type Rows = Kernel<fn(&[Vec<i64>], &Row, (i32, bool)) -> (Vec<Vec<i64>>, f64)>;
    static ROWS: Rows = weld!(
        (v: &[Vec<i64>] = Ref<[Vec<i64>]>, r: &Row = Ref<Row>, t: (i32, bool) = Own<(i32, bool)>) -> (Vec<Vec<i64>>, f64),
        |_cx| Ok((v.to_vec(), r.1[t.0 as usize]))
    );
    assert_eq!(ROWS(&[vec![1], vec![]], &(0, vec![0.5]), (0, true)), (vec![vec![1], vec![]], 0.5));
}

#[test]
fn arities_reach_from_zero_to_two_dozen() {
    let none: Kernel<fn() -> i32> = weld!(() -> i32, |_cx| Ok(3));
    assert_eq!((none(), none.try_call()), (3, Ok(3)));
    let all = weld!(
        (a: &[i64] = Ref<[i64]>, b: i64 = Own<i64>, c: i64 = Own<i64>, d: i64 = Own<i64>, e: i64 = Own<i64>, f: i64 = Own<i64>,
         g: i64 = Own<i64>, h: i64 = Own<i64>, i: i64 = Own<i64>, j: i64 = Own<i64>, k: i64 = Own<i64>, l: i64 = Own<i64>,
         m: i64 = Own<i64>, n: i64 = Own<i64>, o: i64 = Own<i64>, p: i64 = Own<i64>, q: i64 = Own<i64>, r: i64 = Own<i64>,
         s: i64 = Own<i64>, t: i64 = Own<i64>, u: i64 = Own<i64>, v: i64 = Own<i64>, w: i64 = Own<i64>, x: &[i64] = Ref<[i64]>) -> i64,
        |_cx| Ok(a[0] + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w + x[0])
    );
    let sum = 24 * 25 / 2;
    assert_eq!(
        all(&[1], 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, &[24]),
        sum
    );
    let again = all.try_call(
        &[1],
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        12,
        13,
        14,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
        22,
        23,
        &[24],
    );
    assert_eq!(again, Ok(sum));
}

#[test]
fn a_fault_is_a_value_or_a_panic() {
    let fault = GATHER.try_call(&[1.0], &[7], 1.0).unwrap_err();
    assert_eq!(fault.kind, FaultKind::IndexOutOfBounds);
    let panic = std::panic::catch_unwind(|| GATHER(&[1.0], &[7], 1.0)).unwrap_err();
    assert_eq!(
        panic.downcast_ref::<String>().unwrap(),
        "index out of bounds: index 7 of a vector of 1 (at 2:9)"
    );
}

#[test]
fn options_reach_the_program() {
    let threads = weld!(() -> usize, |cx| Ok(cx.threads()));
    assert_eq!(threads.with(&Options::new().threads(5)).call(), Ok(5));
    // Miri does not run rayon's pools.
    #[cfg(not(miri))]
    assert_eq!(threads(), rayon::current_num_threads());
}

#[test]
fn a_kernel_tells_about_itself() {
    let one = weld!(() -> i32, |_cx| Ok(1));
    assert_eq!((one.source(), one.explain()), ("Ok(1)", "explained"));
    assert_eq!(format!("{one:?}"), r#"Kernel("Ok(1)")"#);
}
