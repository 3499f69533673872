//! Programs called with Rust values, on every executor.

use std::hint::black_box;

use weldment::{Arguments, CompileOptions, Dict, Element, Executable, Executor, FaultKind, Options, Program};

pub(crate) fn executables(text: &str) -> Vec<Executable> {
    let executors = [
        Executor::Interpreter,
        #[cfg(feature = "llvm")]
        Executor::Llvm,
    ];
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let compile = |executor| program.compile(&CompileOptions { executor, ..CompileOptions::default() });
    executors.into_iter().map(|executor| compile(executor).expect(text)).collect()
}

fn check<A: Arguments + Copy, R: Element + PartialEq + std::fmt::Debug>(text: &str, args: A, expected: R) {
    for executable in executables(text) {
        assert_eq!(executable.call::<A, R>(args).as_ref(), Ok(&expected), "{text}\n{executable:?}");
    }
}

#[test]
fn scalars_go_in_and_out() {
    check("|x: i64, y: f64, c: bool| if(c, f64(x) + y, y)", (2i64, 0.5, true), 2.5);
    check("|a: i8, b: u8, c: i16, d: u16| {b, a, d, c}", (-1i8, 2u8, -3i16, 4u16), (2u8, -1i8, 4u16, -3i16));
    check("|a: u32, b: u64, c: f32| {c, b, a}", (7u32, u64::MAX, 0.5f32), (0.5f32, u64::MAX, 7u32));
    check("|| 7L", (), 7i64);
}

#[test]
fn slices_of_scalars_and_tuples() {
    let (floats, pairs) = (vec![1.5, 2.5], vec![(true, 2.0f64, 3i8), (false, -1.0, 7)]);
    check("|v: vec[f64]| v", (&floats[..],), floats.clone());
    check("|v: vec[f64]| sum(v)", (&floats,), 4.0);
    check("|v: &[(bool, f64, i8)]| v", (&pairs[..],), pairs.clone());
    check("|v: &[(bool, f64, i8)]| v.filter(|x| x.0)", (&pairs,), vec![(true, 2.0, 3i8)]);
    check("|v: &[(bool, f64, i8)]| v.map(|x| x.2).sum()", (&pairs[..],), 10i8);
    check("|v: vec[f64]| len(v)", (&[] as &[f64],), 0i64);
    check("|s: str| s.as_bytes().map(|c| c + 1u8)", ("HAL",), b"IBM".to_vec());
    check("|s: vec[u8]| len(s)", (&b"bytes"[..],), 5i64);
}

#[test]
fn vectors_in_vectors() {
    let rows = vec![vec![1i64, 2], vec![], vec![3]];
    check("|v: &[Vec<i64>]| v.map(|row| row.sum())", (&rows[..],), vec![3i64, 0, 3]);
    check("|v: &[Vec<i64>]| v", (&rows,), rows.clone());
    check("|v: &[Vec<i64>]| v.filter(|row| row.len() < 2)", (&rows[..],), vec![vec![], vec![3i64]]);
    let deep = vec![(1u8, vec![rows.clone(), vec![]])];
    check("|v: &[(u8, Vec<Vec<Vec<i64>>>)]| v", (&deep[..],), deep.clone());
    check("|x: &(f64, Vec<i64>)| {x.1, x.0, x.1}", (&(0.5, vec![4i64]),), (vec![4i64], 0.5, vec![4i64]));
}

#[test]
fn one_block_in_several_vectors() {
    let long: Vec<i64> = (0..5000).collect();
    let doubled: Vec<i64> = long.iter().map(|x| 2 * x).collect();
    let head = doubled[..3000].to_vec();
    check(
        "|v: vec[i64]| let w = map(v, |x| x + x); {slice(w, 0L, 3000L), w, w}",
        (&long[..],),
        (head.clone(), doubled.clone(), doubled.clone()),
    );
    check("|v: vec[i64]| {v, slice(v, 0L, 3000L)}", (&long[..],), (long.clone(), long[..3000].to_vec()));
    check(
        "|v: vec[i64]| let w = map(v, |x| x + x); [w, slice(w, 0L, 3000L), w]",
        (&long[..],),
        vec![doubled.clone(), head, doubled],
    );
}

#[test]
fn dictionaries_go_in_and_out() {
    let dict: Dict<(i64, u8), Vec<f64>> = [((1, 2), vec![0.5]), ((0, 0), vec![])].into_iter().collect();
    check("|d: dict[{i64,u8},vec[f64]]| d", (&dict,), dict.clone());
    check("|d: dict[{i64,u8},vec[f64]]| len(lookup(d, {1L, 2u8}))", (&dict,), 1i64);
    let words: Dict<Vec<i8>, i64> = [(vec![1, 2], 5), (vec![], 6)].into_iter().collect();
    check("|d: dict[vec[i8],i64]| d", (&words,), words.clone());
    let groups: Dict<i64, Vec<i64>> = [(1, vec![1, 4, 7]), (2, vec![5])].into_iter().collect();
    check(
        "|v: &[i64]| result(for(v, groupmerger[i64,i64], |b, i, x| merge(b, {x % 3L, x})))",
        (&[1i64, 5, 4, 7],),
        groups,
    );
    let empty: Dict<u8, f64> = Dict::new();
    check(
        "|v: &[u8]| result(for(v, dictmerger[u8,f64,+], |b, i, x| merge(b, {x, 1.0})))",
        (&[] as &[u8],),
        empty,
    );
    for executable in
        executables("|v: &[u8]| result(for(v, dictmerger[u8,i64,+], |b, i, x| merge(b, {x, 1L})))")
    {
        let counts: Dict<u8, i64> = executable.call((b"banana",)).expect("nothing can fault");
        assert_eq!(counts.keys(), b"ban", "in order of first insertion");
        assert_eq!((counts[&b'a'], counts.get(&b'x')), (3, None));
    }
}

#[test]
fn many_arguments() {
    let text = "|a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64, i: i64, j: i64, k: i64, l: i64, \
                m: i64| {m, l, k, j, i, h, g, f, e, d, c, b, a}";
    type Many = (i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64);
    let args: Many = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    let reversed: Many = (13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
    for executable in executables(text) {
        let result: Many = executable.call(args).expect("nothing can fault");
        assert!(Element::to_value(&result).same_bits(&Element::to_value(&reversed)));
    }
}

#[cfg(feature = "llvm")]
#[test]
fn filters_give_back_the_room_that_they_did_not_need() {
    let v: Vec<f64> = (0..100_000).map(|i| f64::from(i % 100)).collect();
    let filter = Program::parse("|v: &[f64], most: f64| v.filter(|x| x < most)").unwrap();
    let filter =
        filter.compile(&CompileOptions { executor: Executor::Llvm, ..CompileOptions::default() }).unwrap();
    for (most, len) in [(3.0, 3000), (0.0, 0), (100.0, 100_000)] {
        let kept: Vec<f64> = filter.call((&v[..], most)).unwrap();
        assert_eq!((kept.len(), kept.capacity()), (len, len));
    }
    // What the caller gives keeps its room for the next call.
    let mut out: Vec<f64> = Vec::with_capacity(v.len());
    let place = out.as_ptr();
    filter.call_into::<(&[f64], f64), _>(&mut out, (&v[..], 3.0)).unwrap();
    assert_eq!((out.len(), out.capacity(), out.as_ptr()), (3000, v.len(), place));
}

#[test]
fn threads_share_the_conversion_of_options() {
    // Rust keeps them in one byte.
    let v: Vec<Option<bool>> = (0..100_003).map(|i| (i % 7 != 3).then_some(i % 2 == 0)).collect();
    let expected = v.iter().flatten().map(|&x| !x).collect::<Vec<_>>();
    for executable in executables("|v: &[Option<bool>]| v.flatten().map(|x| !x)") {
        for threads in [1, 2, 7] {
            let options = Options::new().threads(threads);
            let turned = executable.call_with::<(&[Option<bool>],), Vec<bool>>(&options, (&v[..],));
            assert_eq!(turned.as_ref(), Ok(&expected), "{threads} threads");
        }
    }
}

/// Options of these values, of which every second one was taken out and still lies in memory.
fn taken_out<T: Copy>(values: &[T]) -> Vec<Option<T>> {
    let mut options: Vec<Option<T>> = values.iter().copied().map(Some).collect();
    for option in options.iter_mut().skip(1).step_by(2) {
        black_box(option.take());
    }
    options
}

#[test]
fn what_lies_behind_none_means_nothing() {
    let v = taken_out(&[3i64, 1, 3, 2, 4]);
    check(
        "|v: &[Option<i64>]| (v.distinct(), sort(v, |a, b| compare(a, b)), v.reduce_by(|x| x, |_| 1L, +).tovec())",
        (&v[..],),
        (
            vec![Some(3i64), None, Some(4)],
            vec![None, None, Some(3i64), Some(3), Some(4)],
            vec![(Some(3i64), 2i64), (None, 2), (Some(4), 1)],
        ),
    );
    check("|v: &[Option<i64>]| v == v.map(|x| x.map(|y| y + 0))", (&v[..],), true);
    let rows = [taken_out(&[2.5f32, 1.0]), vec![Some(2.5), None], taken_out(&[2.5, f32::NAN])];
    check("|rows: &[Vec<Option<f32>>]| rows.n_unique()", (&rows[..],), 1i64);
    check(
        "|rows: &[Vec<Option<f32>>]| (rows[0L] == rows[1L], compare(rows[0L], rows[2L]))",
        (&rows[..],),
        (true, 0i32),
    );
    let bytes = [&[2u8, 0, 0, 0, 0, 0, 0, 0, 1][..], &2.5f32.to_le_bytes(), &[0; 5]].concat();
    check("|v: &[Option<f32>]| serialize(v)", (&rows[0][..],), bytes);
    let many = taken_out(&(0..1000).collect::<Vec<i32>>());
    check("|v: &[Option<i32>]| (v, v.flatten().sum())", (&many[..],), (many.clone(), 249_500i32));
    // In lanes, where each option is compared with one that has zeros.
    let equal = "|v: &[Option<i32>], o: Option<i32>| v.map(|x| if x == o { 1L } else { 0L }).sum()";
    check(equal, (&many[..], None::<i32>), 500i64);
}

#[test]
fn faults_come_back() {
    for executable in executables("|v: &[i64], i: i64| v.map(|x| x / i)") {
        let call = |i: i64| executable.call::<(&[i64], i64), Vec<i64>>((&[4, 6], i));
        assert_eq!(call(2), Ok(vec![2, 3]));
        let fault = call(0).unwrap_err();
        assert_eq!(
            (fault.kind, fault.detail.as_str(), fault.position.column),
            (FaultKind::DivisionByZero, "4 / 0", 33)
        );
    }
}

#[test]
fn other_types_are_an_error_or_a_panic() {
    for executable in executables("|v: &[f64], k: i32| v.map(|x| x * f64(k))") {
        assert_eq!(executable.check::<(&[f64], i32), Vec<f64>>(), Ok(()));
        assert_eq!(executable.check::<(&Vec<f64>, i32), Vec<f64>>(), Ok(()));
        let wrong = [
            executable.check::<(&[f64],), Vec<f64>>(),
            executable.check::<(&[f64], i64), Vec<f64>>(),
            executable.check::<(&[f32], i32), Vec<f64>>(),
            executable.check::<(&[Vec<f64>], i32), Vec<f64>>(),
            executable.check::<(&[f64], i32), f64>(),
            executable.check::<(&[f64], i32), Vec<(f64,)>>(),
        ];
        assert!(wrong.iter().all(Result::is_err), "{wrong:?}");
        let call = || executable.call::<(i32, &[f64]), Vec<f64>>((1, &[1.0]));
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).expect_err("a panic");
        assert_eq!(
            panic.downcast_ref::<String>().map(String::as_str),
            Some(
                "the program is a |vec[f64], i32| -> vec[f64] and cannot be called as a |i32, vec[f64]| -> vec[f64]"
            )
        );
    }
}

#[test]
fn two_dozen_parameters_go_in() {
    let sums = crate::every_way::agree!(1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64, 18i64, 19i64, 20i64, 21i64, 22i64, 23i64, &[24i64, 25][..];
        |a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64, i: i64, j: i64, k: i64, l: i64, m: i64, n: i64, o: i64, p: i64, q: i64, r: i64, s: i64, t: i64, u: i64, v: i64, w: i64, z: &[i64]| z.map(|y| a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w + y));
    assert_eq!(sums, [300, 301]);
}
