//! Emitted code in hostile surroundings: whatever a user has named like something it uses, it means its own.

use weldment::weld;

/// Every kind of sink, and most ops, one after the other.
macro_rules! programs {
    () => {{
        let n: &[i64] = &[3, 1, 4, 1, 5];
        let x: &[f64] = &[0.5, 1.5, 2.5, 3.5, 4.5];
        let sums = weld!(|x: &[f64], n: &[i64]| (x.sum(), x.filter(|x| x > 1.0).max(), n.count()));
        ::std::assert_eq!(sums(x, n), (12.5, 4.5, 5));
        let kept = weld!(|n: &[i64]| (n.map(|n| n / 2), n.filter(|n| n > 1), n.flat_map(|n| (0..n).map(|i| i)).sum()));
        ::std::assert!(kept(n) == (::std::vec![1, 0, 2, 0, 2], ::std::vec![3, 4, 5], 19));
        let keyed = weld!(|n: &[i64], x: &[f64]| tovec(result(
            for(zip(n, x), dictmerger[i64,{f64,i64},+], |b, i, e| merge(b, {e.0, {e.1, 1L}})))));
        ::std::assert!(keyed(n, x)[1] == (1, (5.0, 2)));
        let groups = weld!(|n: &[i64]| optlookup(result(for(n, groupmerger[i64,i64], |b, i, e| merge(b, {e, i}))), 1));
        ::std::assert!(groups(n) == (true, ::std::vec![1, 3]));
        let bins = weld!(|n: &[i64]| result(for(n, vecmerger[i64,min]([9, 9]), |b, i, e| merge(b, {e % 2, e}))));
        ::std::assert!(bins(n) == [4, 1]);
        let sorted = weld!(|n: &[i64]| sort(n, |a, b| compare(b, a)));
        ::std::assert!(sorted(n) == [5, 4, 3, 1, 1]);
        let bytes = weld!(|x: f64| deserialize[{f64,vec[u8]}](serialize({x.sqrt(), "ab".map(|c| u8(c))})).1);
        ::std::assert!(bytes(4.0) == [97, 98]);
        let steps = weld!(|n: i64| iterate((n, 0i64), |(n, steps)| ((if n % 2 == 0 { n / 2 } else { 3 * n + 1 }, steps + 1), n > 2)).1);
        ::std::assert!(steps(6) == 8);
        let checked = weld!(|n: &[i64], i: i64| (n[i], slice(n, 1, 2), [1.5f32, i as f32], i64::MIN, f64::NAN < 1.0));
        ::std::assert!(checked(n, 2) == (4, ::std::vec![1, 4], ::std::vec![1.5, 2.0], -9223372036854775808, false));
        ::std::assert!(checked.try_call(n, 5).unwrap_err().to_string().contains("(at "));
    }};
}

/// Types, modules and functions that are called like what emitted code uses.
mod names {
    #![allow(dead_code, non_camel_case_types, non_upper_case_globals)]

    pub(super) mod std {}
    pub(super) mod core {}
    pub(super) mod rt {}
    pub(super) mod kernel {}
    pub(super) struct Vec;
    pub(super) struct Option;
    pub(super) struct Result;
    pub(super) struct Kernel;
    pub(super) struct Clone;
    pub(super) struct bool;
    pub(super) struct u8;
    pub(super) struct i64;
    pub(super) struct f32;
    pub(super) struct f64;
    pub(super) struct usize;
    pub(super) struct Some;
    pub(super) struct None;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) const v0: () = ();
    pub(super) const n: () = ();
    pub(super) const lane: () = ();
    pub(super) const task: () = ();
    pub(super) const chunk: () = ();
    pub(super) const cx: () = ();
    pub(super) const entry: () = ();
    pub(super) const s0: () = ();
    pub(super) static t0: () = ();
    pub(super) fn run() {}
    pub(super) fn call() {}
    pub(super) fn row() {}
    pub(super) fn nest0() {}
    pub(super) static INFO: () = ();
    pub(super) static KERNEL: () = ();
}

/// Methods that every type has by value, and that come before those of what a value refers to.
mod methods {
    #![allow(dead_code)]

    pub(super) trait Everything: Sized {
        fn len(self) {}
        fn iter(self) {}
        fn push(self) {}
        fn take(self) {}
        fn clone(self) {}
        fn to_vec(self) {}
        fn cursor(self) {}
        fn wrapping_add(self) {}
        #[allow(clippy::wrong_self_convention)]
        fn as_chunks(self) {}
        fn finish(self) {}
        fn then_some(self) {}
    }

    impl<T> Everything for T {}
}

#[test]
fn items_of_the_users_are_not_meant() {
    #[allow(unused_imports)]
    use methods::Everything;
    programs!();

    mod inside {
        #[allow(unused_imports)]
        use super::{methods::Everything, weld};

        /// As the macro above, where the names are those of a module, brought in by a glob.
        #[allow(unused_imports)]
        pub(super) fn globs() {
            use super::names::*;
            let sums = weld!(|x: &[f64]| x.filter(|x| x > 1.0).map(|x| x as f32).sum() as i64);
            ::std::assert_eq!(sums(&[0.5, 1.5, 2.5]), 4);
            let kept = weld!(|x: &[i64]| x.filter(|x| x > 1));
            ::std::assert!(kept(&[1, 2, 3]) == [2, 3]);
            let groups = weld!(|n: &[u8]| result(for(n, groupmerger[u8,i64], |b, i, e| merge(b, {e, i}))));
            ::std::assert!(groups(&[7, 8, 7])[&7] == [0, 2]);
            let divided = weld!(|n: &[i64]| n.map(|n| 6 / n).max());
            ::std::assert!(divided.try_call(&[0]).is_err());
        }
    }
    inside::globs();
}

#[test]
fn macros_of_the_users_are_not_meant() {
    #[allow(unused_macros)]
    macro_rules! vec {
        ($($t:tt)*) => {
            ::std::compile_error!("the user's `vec!`")
        };
    }
    #[allow(unused_macros)]
    macro_rules! panic {
        ($($t:tt)*) => {
            ::std::compile_error!("the user's `panic!`")
        };
    }
    programs!();
}

/// The facade under another name, where its own is something else.
mod renamed {
    extern crate weldment as other;

    mod weldment {}
    mod weldment_runtime {}

    static SUM: other::Kernel<fn(&[f64]) -> f64> = other::weld!(|x: &[f64]| x.sum());

    #[test]
    fn the_facade_is_found_by_its_crate() {
        use other::weld;
        assert_eq!(SUM(&[1.0, 2.0]), 3.0);
        let filtered = weld!(|x: &[f64]| x.filter(|x| x > 1.0));
        assert_eq!(filtered(&[1.0, 2.0]), [2.0]);
    }
}

/// A kernel can stand wherever an expression can.
mod places {
    use weldment::{Kernel, weld};

    struct Holder<T>(T);

    impl<T: Copy> Holder<T> {
        const DOUBLE: Kernel<fn(i64) -> i64> = weld!(|n: i64| n * 2);

        fn pair(&self, n: i64) -> (T, i64) {
            (self.0, weld!(|n: i64| n + 1)(n))
        }
    }

    #[test]
    fn in_impls_generic_functions_and_arguments() {
        assert_eq!(Holder::<u8>::DOUBLE.try_call(4), Ok(8));
        assert_eq!(Holder('a').pair(1), ('a', 2));
        type Map = fn(i64) -> i64;
        let kernels: [Kernel<Map>; 2] = [weld!(|n: i64| n - 1), weld!(|n: i64| n / n)];
        assert_eq!(kernels.map(|kernel| kernel.try_call(0).is_ok()), [true, false]);
    }
}

/// Foreign functions are those in scope, whatever they are called.
mod foreign {
    use weldment::weld;

    extern "C" fn hypotenuse(a: &f64, b: &f64, c: &mut f64) {
        *c = a.hypot(*b);
    }

    extern "C" fn run(n: *const i64, is_null: &mut bool) {
        *is_null = n.is_null();
    }

    #[test]
    fn they_take_references_and_pointers() {
        extern "C" fn row(n: &i64, twice: &mut i64) {
            *twice = 2 * n;
        }
        let sum = weld!(|a: &[f64], b: f64| a.map(|a| cudf[hypotenuse, f64](a, b)).sum());
        assert_eq!(sum(&[3.0, 4.0], 0.0), 7.0);
        let both = weld!(|n: &[i64]| n.map(|n| (cudf[run, bool](n), cudf[row, i64](n) + cudf[row, i64](1L))));
        assert_eq!(both(&[1, 2]), [(false, 4), (false, 6)]);
    }

    pub(super) mod scores {
        pub(crate) fn weighted(x: &f64, weight: &i32, result: &mut f64) {
            *result = x * f64::from(*weight);
        }

        pub(crate) fn r#type(x: &f64, result: &mut f64) {
            *result = -x;
        }

        #[test]
        fn of_a_module_around() {
            let norm = super::weld!(|a: f64| cudf[super::norm, f64](a));
            assert_eq!(norm(-2.0), 2.0);
        }
    }

    fn norm(x: &f64, result: &mut f64) {
        *result = x.abs();
    }

    #[test]
    fn paths_lead_to_them() {
        let near = weld!(|a: f64| cudf[scores::weighted, f64](a, 3));
        let far = weld!(|a: f64| cudf[crate::hygiene::foreign::scores::weighted, f64](a, 3));
        let own = weld!(|a: f64| cudf[self::scores::r#type, f64](a) + cudf[norm, f64](a));
        let methods = weld!(|a: &[Half]| a.map(|a| cudf[Half::of, f64](a.x)).sum());
        assert_eq!((near(1.5), far(1.5), own(-1.5)), (4.5, 4.5, 3.0));
        assert_eq!(methods(&[Half { x: 3.0 }]), 1.5);
    }

    #[derive(Clone, Copy, weldment::Weld)]
    struct Half {
        x: f64,
    }

    impl Half {
        fn of(x: &f64, half: &mut f64) {
            *half = x / 2.0;
        }
    }
}

/// A kernel that names structs or foreign functions has no module of its own to hide the names around it.
mod unhidden {
    #![allow(dead_code, unused_imports, unused_macros, non_camel_case_types)]

    use weldment::{Kernel, Weld, weld};

    // What the derives beside these stand for, and what the tests need.
    type Float = ::core::primitive::f64;
    type Int = ::core::primitive::i64;
    type Index = ::core::primitive::usize;
    type Bool = ::core::primitive::bool;

    mod shapes {
        use weldment::Weld;

        #[derive(Clone, Copy, Debug, PartialEq, Weld)]
        pub(super) struct Point {
            pub(super) x: f64,
            pub(super) y: f64,
        }

        #[derive(Clone, Copy, Debug, PartialEq, Weld)]
        pub(super) struct Pair<T>(pub(super) T, pub(super) T);

        #[derive(Clone, Debug, PartialEq, Weld)]
        pub(super) struct Path {
            pub(super) points: Vec<Point>,
            pub(super) ends: Pair<i64>,
            pub(super) is_open: bool,
        }
    }
    use shapes::{Pair, Path, Point};

    struct bool;
    struct i8;
    struct u8;
    struct i32;
    struct i64;
    struct f32;
    struct f64;
    struct usize;
    struct Vec;
    struct Result;
    struct Kernels;
    struct Context;
    enum Option {
        Some,
        None,
    }
    use Option::{None, Some};
    mod std {}
    mod core {}
    mod weldment_runtime {}
    trait Clone {}
    trait Copy {}
    trait Sized {}
    fn drop() {}
    fn run() {}
    fn call() {}
    fn is() {}
    macro_rules! vec {
        ($($t:tt)*) => {
            ::std::compile_error!("the user's `vec!`")
        };
    }
    macro_rules! assert {
        ($($t:tt)*) => {
            ::std::compile_error!("the user's `assert!`")
        };
    }
    macro_rules! panic {
        ($($t:tt)*) => {
            ::std::compile_error!("the user's `panic!`")
        };
    }

    extern "C" fn hypotenuse(a: &Float, b: &Float, c: &mut Float) {
        *c = a.hypot(*b);
    }

    type Move = fn(&[Point], Float) -> ::std::vec::Vec<Point>;
    static MOVED: Kernel<Move> =
        weld!(|p: &[Point], dx: f64| p.filter(|p| p.y > 0.0).map(|p| Point { x: p.x + dx, ..p }));

    #[test]
    fn kernels_of_structs_mean_their_own_names() {
        let points = [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: -4.0 }, Point { x: 5.0, y: 6.0 }];
        ::std::assert!(MOVED(&points, 0.5) == [Point { x: 1.5, y: 2.0 }, Point { x: 5.5, y: 6.0 }]);
        let sums = weld!(|p: &[Point]| (
            p.map(|p| p.x).sum(),
            p.count(),
            p.any(|p| p.y < 0.0),
            p[1].x as i32 as f32
        ));
        ::std::assert!(sums(&points) == (9.0, 3, true, 3.0));
        let pairs =
            weld!(|v: &[Pair<i64>], w: Pair<f64>| (v.map(|p| Pair(p.1, p.0)), w.0 / w.1, v[0].0 / v[0].1));
        let (swapped, ratio, quotient) = pairs(&[Pair(7, 2)], Pair(1.0, 4.0));
        ::std::assert!(swapped == [Pair(2, 7)] && ratio == 0.25 && quotient == 3);
        let keyed = weld!(|p: &[Point]| tovec(p.reduce_by(|p| p.y > 0.0, |p| Pair(p.x, 1.0), +)));
        ::std::assert!(keyed(&points) == [(true, Pair(6.0, 2.0)), (false, Pair(3.0, 1.0))]);
        let paths = weld!(|all: &[Path]| all.filter(|a| a.is_open).map(|a| len(a.points) + a.ends.1));
        let path = Path { points: points.to_vec(), ends: Pair(4, 5), is_open: true };
        ::std::assert!(paths(&[path]) == [8]);
        let sorted = weld!(|p: &[Point]| sort(p, |a, b| compare(b.x, a.x)).map(|p| u8(p.x)));
        ::std::assert!(sorted(&points) == [5, 3, 1]);
        ::std::assert!(weld!(|p: &[Point], i: i64| p[i]).try_call(&points, 9).is_err());
    }

    #[test]
    fn kernels_of_foreign_functions_mean_their_own_names() {
        let sum = weld!(|a: &[f64], b: f64| a.map(|a| cudf[hypotenuse, f64](a, b)).sum() as i64 as f32);
        ::std::assert!(sum(&[3.0, 4.0], 0.0) == 7.0);
        let both = weld!(|p: &[Point]| p.map(|p| Pair(cudf[hypotenuse, f64](p.x, p.y), 1.0)));
        ::std::assert!(both(&[Point { x: 3.0, y: 4.0 }]) == [Pair(5.0, 1.0)]);
    }
}

/// A derive and its kernel among names that neither means.
mod derived {
    #![allow(dead_code, unused_imports, unused_macros)]

    use weldment::{Dict, Weld, weld};

    mod std {}
    mod core {}
    mod rt {}
    struct Result;
    struct Element;
    struct Structure;
    struct Value;
    enum Option {
        Some,
        None,
    }
    use Option::{None, Some};
    trait Clone {}
    trait Copy {}
    trait Sized {}
    trait Part {}
    trait From {}
    fn drop() {}
    macro_rules! vec {
        ($($t:tt)*) => {
            ::std::compile_error!("the user's `vec!`")
        };
    }
    macro_rules! assert {
        ($($t:tt)*) => {
            ::std::compile_error!("the user's `assert!`")
        };
    }

    #[derive(::std::clone::Clone, ::std::marker::Copy, Debug, PartialEq, Weld)]
    struct Id<T>(T);

    #[derive(::std::clone::Clone, Debug, PartialEq, Weld)]
    struct Row {
        id: Id<i64>,
        cells: Vec<f64>,
        counts: Dict<u8, i32>,
    }

    #[test]
    fn a_derive_means_its_own_names() {
        let row = |id: i64| Row { id: Id(id), cells: ::std::vec![0.5; 3], counts: Dict::new() };
        let kept = weld!(|rows: &[Row]| rows.filter(|r| r.id.0 > 1 && len(r.counts) == 0));
        ::std::assert!(kept(&[row(1), row(2)]) == [row(2)]);
        let ids = weld!(|rows: &[Row]| rows.map(|r| Id(r.cells.sum())));
        ::std::assert!(ids(&[row(1)]) == [Id(1.5)]);
    }
}
