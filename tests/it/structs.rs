//! Structs of Rust in programs: read by name, made by name, taken and returned as themselves, alike on every executor.

use weldment::{Dict, Kernel, Weld, weld};

use crate::every_way::agree;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
pub(crate) struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Segment {
    a: Point,
    b: Point,
    id: i64,
}

/// Fields of many sizes, which Rust puts in another order.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Mixed {
    flag: bool,
    wide: f64,
    byte: u8,
    word: i32,
    small: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Pair<T> {
    left: T,
    right: T,
}

/// Structs in every place that a field has for them.
#[derive(Clone, Debug, PartialEq, Weld)]
struct Outer<T>
where
    T: Copy,
{
    pair: Pair<T>,
    list: Vec<Pair<Point>>,
    tuple: (Range, Vec<Range>),
    dict: Dict<Key, Totals>,
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Range(i64, i64);

#[derive(Clone, Debug, PartialEq, Weld)]
struct Named {
    name: Vec<u8>,
    points: Vec<Point>,
    weight: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Key {
    class: u8,
    is_open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Totals {
    sum: f64,
    count: i64,
}

fn points(n: i64) -> Vec<Point> {
    (0..n).map(|i| Point { x: (i * 37 % 11) as f64 * 0.1, y: (i * 53 % 7) as f64 - 3.0 }).collect()
}

fn segments(n: i64) -> Vec<Segment> {
    let points = points(n + 1);
    (0..n).map(|i| Segment { a: points[i as usize], b: points[i as usize + 1], id: i % 5 }).collect()
}

fn mixed(n: i64) -> Vec<Mixed> {
    let one = |i: i64| Mixed {
        flag: i % 3 == 0,
        wide: i as f64 * 1.5,
        byte: i as u8,
        word: -(i as i32),
        small: i as f32 / 3.0,
    };
    (0..n).map(one).collect()
}

static LENGTHS: Kernel<fn(&[Segment]) -> f64> = weld!(|s: &[Segment]| s
    .map(|s| ((s.a.x - s.b.x) * (s.a.x - s.b.x) + (s.a.y - s.b.y) * (s.a.y - s.b.y)).sqrt())
    .sum());

#[test]
fn fields_are_read_by_name() {
    let (p, q) = (Point { x: 1.0, y: 2.0 }, Point { x: 4.0, y: 6.0 });
    assert_eq!(LENGTHS(&[Segment { a: p, b: q, id: 1 }]), 5.0);
    let (s, m) = (&segments(40)[..], &mixed(40)[..]);
    agree!(s; |s: &[Segment]| s.map(|s| s.a.x * s.b.y).sum());
    agree!(s; |s: &[Segment]| s.filter(|s| s.id == 2).map(|s| s.a));
    agree!(m; |m: &[Mixed]| m.filter(|m| m.flag).map(|m| (m.byte, m.word, m.small)));
    agree!(m; |m: &[Mixed]| m.filter(|m| m.flag));
    agree!(m; |m: &[Mixed]| (m.map(|m| m.wide).sum(), m.map(|m| m.word).min(), len(m)));
    agree!(m[7]; |m: Mixed| m.wide + f64(m.small));
    assert_eq!(agree!(p, q; |p: Point, q: Point| (q, p)), (q, p));
}

#[test]
fn results_are_the_structs_themselves() {
    let p = &points(40)[..];
    let moved: Vec<Point> = agree!(p, 0.5; |p: &[Point], dx: f64| p.map(|p| Point { x: p.x + dx, ..p }));
    assert_eq!(moved[1], Point { x: p[1].x + 0.5, y: p[1].y });
    let made: Vec<Segment> = agree!(p; |p: &[Point]| zip(p, p).filter(|(a, _)| a.x > 0.4)
        .map(|(a, b)| Segment { a, b: Point { x: b.y, y: b.x }, id: 7 }));
    assert_eq!(made[0].b, Point { x: made[0].a.y, y: made[0].a.x });
    let one: Point = agree!(p; |p: &[Point]| Point { y: p.map(|p| p.y).sum(), x: p.map(|p| p.x).max() });
    assert_eq!(one.x, 1.0);
    let nested: (Vec<Point>, Point) = agree!(p; |p: &[Point]| (p.filter(|p| p.y > 0.0), p[3]));
    assert_eq!(nested.1, p[3]);
    let all: Vec<Point> = agree!(p; |p: &[Point]| p);
    assert_eq!(all, p);
    let chosen: Point =
        agree!(p, true; |p: &[Point], c: bool| if c { p[1] } else { Point { x: 0.0, y: 0.0 } });
    assert_eq!(chosen, p[1]);
    agree!(p; |p: &[Point]| p.map(|p| if p.x > 0.5 { p } else { Point { x: -p.x, ..p } }));
    agree!(p; |p: &[Point]| p.map(|p| select(p.x > 0.5, p, Point { x: -p.x, ..p })));
    agree!(p; |p: &[Point]| p.map(|p| [p, Point { x: p.y, y: p.x }]));
    agree!(p; |p: &[Point]| iterate(p[0], |s| {Point { x: s.x + 1.0, y: s.y * 0.5 }, s.x < 5.0}));
}

#[test]
fn programs_may_only_make_structs() {
    let x = &[0.5, 1.5, 2.5][..];
    let made: Vec<Point> = agree!(x; |x: &[f64]| x.filter(|x| x > 1.0).map(|x| Point { x, y: -x }));
    assert_eq!(made, [Point { x: 1.5, y: -1.5 }, Point { x: 2.5, y: -2.5 }]);
    let same: bool = agree!(1.0; |x: f64| Point { x, y: x } == Point { y: 1.0, x: 1.0 });
    assert!(same);
}

#[test]
fn structs_are_wider_than_tuples() {
    macro_rules! wide {
        ($($field:ident)*; $ty:ty) => {
            #[derive(Clone, Copy, Debug, PartialEq, Weld)]
            struct Wide { $($field: $ty,)* last: i64 }

            impl Wide {
                fn new(n: i64) -> Wide {
                    Wide { $($field: n as $ty,)* last: n }
                }
            }
        };
    }
    wide!(a b c d e f g h i j k l m n o p q r s t u v w x y z; f32);
    let rows: Vec<Wide> = (0..40).map(Wide::new).collect();
    let rows = &rows[..];
    let kernel = weld!(|r: &[Wide]| (r.map(|r| r.c * r.z).sum(), r.filter(|r| r.last > 38)));
    assert_eq!(kernel(rows).1, rows[39..]);
    agree!(rows; |r: &[Wide]| r.map(|r| r.c * r.z).sum());
    let turned = weld!(|r: &[Wide]| r.map(|r| Wide { a: r.z, last: 0, ..r }));
    assert_eq!(turned(rows)[7], Wide { last: 0, ..rows[7] });
}

#[test]
fn kernels_tell_the_structs_they_name() {
    let kernel =
        weld!(|s: &[Segment], p: &[shapes::deep::Point]| (s.map(|s| s.id).sum(), p.map(|p| p.lat).sum()));
    let source = kernel.source();
    // The program is as it was written, and the structs are in front of it.
    let structs: Vec<&str> = source.lines().take(3).collect();
    assert_eq!(
        structs,
        [
            "struct Point { x: f64, y: f64 }",
            "struct Segment { a: Point, b: Point, id: i64 }",
            "struct shapes::deep::Point { lat: f32 }",
        ]
    );
    let program =
        "|s: &[Segment], p: &[shapes::deep::Point]| (s.map(|s| s.id).sum(), p.map(|p| p.lat).sum())";
    assert_eq!(source.lines().nth(3), Some(program));
    assert!(kernel.explain().contains("== report"));
}

#[test]
fn mistakes_in_structs_are_found() {
    for (source, message) in [
        ("struct A { x: f64 } struct A { y: f64 } || 1", "the type `A` is defined twice"),
        ("struct A { x: f64 } type A = f64; || 1", "the type `A` is defined twice"),
        ("struct A { x: vec[A] } || 1", "the type `A` contains itself"),
        ("struct A { x: B } struct B { x: A } || 1", "the type `A` contains itself"),
        ("struct A { x: Bee } || 1", "the type `Bee` is not known"),
        ("struct A { x: f64, x: f64 } || 1", "the field `x` is named twice in its struct"),
        ("struct A<T> { x: T } |a: A| a.x", "`A` takes 1 type between `<` and `>`, found 0"),
        ("struct A(f64); || A(1.0, 2.0)", "`A` has 1 field, found 2"),
        ("struct A { x: f64 } || A(1.0)", "the fields of `A` have names"),
        ("struct A { x: f64 } || A { x: 1.0, x: 2.0 }", "the field `x` is named twice here"),
        ("struct A { x: f64, y: f64, z: f64 } || A { x: 1.0 }", "the fields `y`, `z` of `A` have no value"),
        ("struct A { x: f64 } |a: A| { let A { x, x } = a; x }", "the field `x` is named twice here"),
        ("struct A { x: f64 } struct B { x: f64 } |a: A, b: B| a == b", "expected `A`, found `B`"),
        ("struct A<T> { x: T } |a: A<f64>, b: A<i64>| a == b", "expected `A<f64>`, found `A<i64>`"),
        ("struct A { x: f64 } |a: A| a + a", "`+` needs a number, found `A`"),
        ("struct A { x: f64 } |a: vec[A]| a.x", "only structs have fields, found `vec[A]`"),
        ("struct A { x: f64 } |a: (f64, A)| a.x", "there is no field `x`: fields have numbers"),
    ] {
        let error = weldment::Program::parse(source).expect_err(source);
        assert!(error.message.starts_with(message), "{source}\n{error}");
    }
}

#[test]
fn structs_without_field_names() {
    let r: Vec<Range> = (0..20).map(|i| Range(i, i * i % 13)).collect();
    let r = &r[..];
    let widths: Vec<i64> = agree!(r; |r: &[Range]| r.map(|r| r.1 - r.0));
    assert_eq!(widths[2], 2);
    let turned: Vec<Range> = agree!(r; |r: &[Range]| r.map(|Range(a, b)| Range(b, a)));
    assert_eq!(turned[2], Range(4, 2));
    agree!(r; |r: &[Range]| r.map(|r| Range { 0: r.0 + 1, ..r }));
}

#[test]
fn generic_structs() {
    let pairs: Vec<Pair<f64>> = points(20).iter().map(|p| Pair { left: p.x, right: p.y }).collect();
    let pairs = &pairs[..];
    agree!(pairs; |p: &[Pair<f64>]| p.map(|p| p.left * p.right).sum());
    let turned: Vec<Pair<f64>> =
        agree!(pairs; |p: &[Pair<f64>]| p.map(|p| Pair { left: p.right, right: p.left }));
    assert_eq!(turned[3].left, pairs[3].right);
    let counted: Vec<Pair<i64>> =
        agree!(pairs; |p: &[Pair<f64>]| p.map(|p| Pair { left: i64(p.left), right: 1L }));
    assert_eq!(counted[3].right, 1);
    let ends: Vec<Pair<Point>> =
        agree!(&segments(9)[..]; |s: &[Segment]| s.map(|s| Pair { left: s.a, right: s.b }));
    assert_eq!(ends[2].right, segments(9)[2].b);
    agree!(&ends[..]; |p: &[Pair<Point>]| p.map(|p| p.left.x - p.right.x).sum());
    let of_pairs = [Pair { left: pairs[0], right: pairs[1] }];
    agree!(&of_pairs[..]; |p: &[Pair<Pair<f64>>]| p.map(|p| p.right));
}

#[test]
fn structs_in_structs_of_any_type() {
    let (p, q) = (Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 });
    let outer = |n: i64| Outer {
        pair: Pair { left: n, right: n * n },
        list: vec![Pair { left: p, right: q }; n as usize],
        tuple: (Range(n, -n), vec![Range(1, n)]),
        dict: [(Key { class: n as u8, is_open: true }, Totals { sum: 0.5, count: n })].into_iter().collect(),
    };
    let all: Vec<Outer<i64>> = (0..5).map(outer).collect();
    let all = &all[..];
    let lists: Vec<Vec<Pair<Point>>> = agree!(all; |v: &[Outer<i64>]| v.map(|o| o.list));
    assert_eq!(lists[2], all[2].list);
    agree!(all; |v: &[Outer<i64>]| v.map(|o| o.list.map(|p| p.right)));
    agree!(all; |v: &[Outer<i64>]| v.map(|o| (o.tuple.0, o.tuple.1[0].1)));
    let pairs: Vec<Pair<i64>> = agree!(all; |v: &[Outer<i64>]| v.map(|o| o.pair));
    assert_eq!(pairs[3].right, 9);
    agree!(all; |v: &[Outer<i64>]| v.map(|o| tovec(o.dict).map(|(k, t)| (k, t.count))));
    let kept: Vec<Outer<i64>> = agree!(all; |v: &[Outer<i64>]| v.filter(|o| o.pair.right > 3));
    assert_eq!(kept, all[2..]);
    let turned: Vec<Outer<f64>> = agree!(all; |v: &[Outer<i64>]| v.map(|o| Outer { pair: Pair { left: 0.5, right: 1.5 }, list: o.list,
            tuple: o.tuple, dict: o.dict }));
    assert_eq!(turned[1].list, all[1].list);
}

#[test]
fn structs_with_vectors() {
    let rows: Vec<Named> = (0..9)
        .map(|i| Named { name: vec![b'a' + i as u8; i as usize % 4], points: points(i), weight: i as f64 })
        .collect();
    let rows = &rows[..];
    agree!(rows; |r: &[Named]| r.map(|r| len(r.name)).sum());
    agree!(rows; |r: &[Named]| r.map(|r| r.points.map(|p| p.x * r.weight).sum()));
    let kept: Vec<Named> = agree!(rows; |r: &[Named]| r.filter(|r| r.weight > 3.0));
    assert_eq!(kept[0], rows[4]);
    let made: Vec<Named> =
        agree!(rows; |r: &[Named]| r.map(|r| Named { points: r.points.filter(|p| p.x > 0.3), ..r }));
    assert_eq!(made.len(), rows.len());
    agree!(rows; |r: &[Named]| r.flat_map(|r| r.points).map(|p| p.y).sum());
    agree!(&rows[3]; |r: &Named| (r.weight, r.points[1]));
    agree!(&vec![points(3), points(5)]; |v: &[Vec<Point>]| v.map(|p| p.map(|p| p.x).sum()));
}

#[test]
fn dictionaries_of_structs() {
    let (s, m) = (&segments(40)[..], &mixed(40)[..]);
    let by_key: Dict<Key, Totals> = agree!(m; |m: &[Mixed]| result(for(m, dictmerger[Key,Totals,+], |b, i, m|
        merge(b, {Key { class: m.byte % 3u8, is_open: m.flag }, Totals { sum: m.wide, count: 1L }}))));
    assert_eq!(by_key[&Key { class: 0, is_open: true }].count, 14);
    let groups: Dict<Point, Vec<Segment>> = agree!(s; |s: &[Segment]| s.group_by(|s| s.a));
    assert_eq!(groups.keys()[0], s[0].a);
    agree!(s; |s: &[Segment]| s.reduce_by(|s| Key { class: u8(s.id), is_open: s.a.x > s.b.x }, |s| s.a.x, max));
    let d = &by_key;
    let found: Totals = agree!(d; |d: &Dict<Key, Totals>| d[Key { class: 1u8, is_open: false }]);
    assert_eq!(found, d[&Key { class: 1, is_open: false }]);
    agree!(d; |d: &Dict<Key, Totals>| optlookup(d, Key { class: 9u8, is_open: false }));
    agree!(d; |d: &Dict<Key, Totals>| tovec(d).map(|(k, t)| (k.class, t.sum / f64(t.count))));
    agree!(d; |d: &Dict<Key, Totals>| d);
}

#[test]
fn reductions_of_structs() {
    let (p, s) = (&points(40)[..], &segments(40)[..]);
    let sum: Point = agree!(p; |p: &[Point]| result(for(p, merger[Point,+], |b, i, p| merge(b, p))));
    assert_eq!(sum.y, p.iter().map(|p| p.y).sum::<f64>());
    agree!(p; |p: &[Point]| result(for(p, merger[Point,min](Point { x: 0.5, y: 0.5 }), |b, i, p| if(p.x > 0.0, merge(b, p), b))));
    agree!(p; |p: &[Point]| p.reduce(|a, b| if a.x < b.x { b } else { a }));
    agree!(p; |p: &[Point]| p.fold(Totals { sum: 0.0, count: 0 }, |t, p| Totals { sum: t.sum + p.x, count: t.count + 1 }));
    agree!(p, p; |p: &[Point], q: &[Point]| result(for(p, vecmerger[Point,+](q), |b, i, p| merge(b, {i % 7L, p}))));
    agree!(s; |s: &[Segment]| result(for(s, merger[Segment,max], |b, i, s| merge(b, s))));
}

#[test]
fn structs_compare_and_sort() {
    let (p, s) = (&points(40)[..], &segments(20)[..]);
    let sorted: Vec<Point> = agree!(p; |p: &[Point]| sort(p, |a, b| compare(a.y, b.y)));
    assert!(sorted.is_sorted_by_key(|p| p.y));
    agree!(p; |p: &[Point]| sort(p, |a, b| compare(a, b)));
    agree!(p; |p: &[Point]| p.sort_by_key(|p| p.x));
    let odd = &[Point { x: f64::NAN, y: 1.0 }, Point { x: 0.0, y: f64::NAN }, Point { x: -0.0, y: 2.0 }][..];
    let sorted: Vec<Point> = agree!(odd; |p: &[Point]| sort(p, |a, b| compare(a, b)));
    assert_eq!(sorted.iter().map(|p| p.x.is_nan()).collect::<Vec<_>>(), [false, false, true]);
    assert!(sorted[1].y.is_nan());
    let turns: Vec<i32> = agree!(odd; |p: &[Point]| p.map(|q| compare(q, p[1])));
    assert_eq!(turns, [1, 0, -1]);
    agree!(s; |s: &[Segment]| s.filter(|s| s.a < s.b).count());
    agree!(p; |p: &[Point]| p.filter(|q| q == Point { x: 0.1, y: -1.0 }).count());
    agree!(p; |p: &[Point]| serialize(p));
    let back: Vec<Point> = agree!(p; |p: &[Point]| deserialize[Vec<Point>](serialize(p)));
    assert_eq!(back, p);
}

#[test]
fn patterns_take_structs_apart() {
    let (p, s) = (&points(20)[..], &segments(20)[..]);
    agree!(p; |p: &[Point]| p.map(|Point { x, y }| x * y).sum());
    agree!(s; |s: &[Segment]| s.map(|Segment { a: Point { x, .. }, id, .. }| x * f64(id)).sum());
    agree!(p; |p: &[Point]| { let Point { x, y: b } = p[2]; x - b });
}

mod shapes {
    use weldment::Weld;

    #[derive(Clone, Copy, Debug, PartialEq, Weld)]
    pub(crate) struct Circle {
        pub(crate) centre: super::Point,
        pub(crate) r: f64,
    }

    pub(crate) mod deep {
        #[derive(Clone, Copy, Debug, PartialEq, weldment::Weld)]
        pub(crate) struct Square {
            pub(crate) side: f64,
        }

        /// Like the one outside, and another type.
        #[derive(Clone, Copy, Debug, PartialEq, weldment::Weld)]
        pub(crate) struct Point {
            pub(crate) lat: f32,
        }
    }

    pub(crate) use deep::Square as Quad;
}

#[test]
fn structs_of_other_modules_and_names() {
    use shapes::{Quad, deep};
    let circles: Vec<shapes::Circle> =
        points(20).iter().map(|&centre| shapes::Circle { centre, r: centre.x + 1.0 }).collect();
    let circles = &circles[..];
    agree!(circles; |c: &[shapes::Circle]| c.map(|c| c.r * c.centre.x).sum());
    // Its centre is of a type that is named nowhere in the program.
    let centres: Vec<Point> = agree!(circles; |c: &[shapes::Circle]| c.map(|c| c.centre));
    assert_eq!(centres[3], circles[3].centre);
    agree!(circles; |c: &[shapes::Circle]| c.map(|c| shapes::Circle { centre: Point { x: c.r, y: 0.0 }, ..c }));
    let quads = &[Quad { side: 2.0 }, Quad { side: 3.0 }];
    agree!(&quads[..]; |q: &[Quad]| q.map(|q| q.side * q.side).sum());
    agree!(&quads[..]; |q: &[deep::Square]| q.map(|q| Quad { side: q.side + 1.0 }));
    let both: Vec<(Point, deep::Point)> = vec![(Point { x: 1.0, y: 2.0 }, deep::Point { lat: 3.0 })];
    agree!(&both[..]; |v: &[(Point, deep::Point)]| v.map(|(p, q)| p.x + f64(q.lat)));
    agree!(&both[..]; |v: &[(Point, deep::Point)]| v.map(|(p, q)| (deep::Point { lat: f32(p.x) }, Point { x: 0.0, y: f64(q.lat) })));
}

#[test]
fn structs_inside_functions() {
    #[derive(Clone, Copy, Debug, PartialEq, Weld)]
    struct Local {
        v: i64,
        of: Point,
    }
    let v = [Local { v: 3, of: Point { x: 1.0, y: 2.0 } }, Local { v: 4, of: Point { x: 0.0, y: 1.0 } }];
    let kept: Vec<Local> = agree!(&v[..]; |v: &[Local]| v.filter(|l| l.of.y > 1.5));
    assert_eq!(kept, v[..1]);
}

#[test]
fn structs_with_a_layout_or_an_end_of_their_own() {
    #[derive(Clone, Copy, Debug, PartialEq, Weld)]
    #[repr(C, align(32))]
    struct Aligned {
        a: u8,
        b: f64,
        c: u16,
    }
    #[derive(Clone, Debug, PartialEq, Weld)]
    struct Closing {
        bytes: Vec<u8>,
    }
    impl Drop for Closing {
        fn drop(&mut self) {
            self.bytes.clear();
        }
    }
    let rows: Vec<Aligned> = (0..20).map(|i| Aligned { a: i, b: f64::from(i) * 0.5, c: 7 }).collect();
    let turned: Vec<Aligned> = agree!(&rows[..]; |r: &[Aligned]| r.map(|r| Aligned { a: r.a + 1, ..r }));
    assert_eq!(turned[3], Aligned { a: 4, ..rows[3] });
    let open = [Closing { bytes: vec![1, 2] }, Closing { bytes: vec![] }];
    let kept: Vec<Closing> = agree!(&open[..]; |v: &[Closing]| v.filter(|c| len(c.bytes) > 1));
    assert_eq!(kept, open[..1]);
}

#[test]
fn raw_names_of_fields() {
    #[derive(Clone, Copy, Debug, PartialEq, Weld)]
    struct Raw {
        r#type: i64,
        len: i64,
        result: f64,
    }
    let v = [Raw { r#type: 1, len: 2, result: 0.5 }];
    let got: Vec<Raw> =
        agree!(&v[..]; |v: &[Raw]| v.map(|r| Raw { r#type: r.len, len: r.r#type, result: r.result }));
    assert_eq!(got, [Raw { r#type: 2, len: 1, result: 0.5 }]);
}

#[test]
fn rust_values_go_through_executables() {
    let program = weldment::Program::parse(
        "struct P { x: f64, y: f64 } |p: vec[P], dx: f64| p.map(|q| P { x: q.x + dx, ..q })",
    )
    .unwrap();
    let executors = [
        weldment::Executor::Interpreter,
        #[cfg(feature = "llvm")]
        weldment::Executor::Llvm,
    ];
    let (p, m, rows) = (points(40), mixed(40), vec![Named { name: vec![1], points: points(2), weight: 1.0 }]);
    for executor in executors {
        let options = weldment::CompileOptions { executor, ..Default::default() };
        let exe = program.compile(&options).unwrap();
        let moved = exe.call::<(&[Point], f64), Vec<Point>>((&p, 1.0)).unwrap();
        assert_eq!(moved[5], Point { x: p[5].x + 1.0, y: p[5].y });
        // To a program, a struct is the tuple of its fields.
        let tuples: Vec<(f64, f64)> = p.iter().map(|p| (p.x, p.y)).collect();
        let same = exe.call::<(&[(f64, f64)], f64), Vec<Point>>((&tuples, 1.0)).unwrap();
        assert_eq!(same, moved);
        let mixed_up = weldment::Program::parse("|m: vec[{bool,f64,u8,i32,f32}]| m.filter(|m| m.0)").unwrap();
        let got = mixed_up.compile(&options).unwrap().call::<(&[Mixed],), Vec<Mixed>>((&m,)).unwrap();
        assert_eq!(got, m.iter().copied().filter(|m| m.flag).collect::<Vec<_>>());
        let whole = weldment::Program::parse("|r: vec[{vec[u8],vec[{f64,f64}],f64}]| r").unwrap();
        let got = whole.compile(&options).unwrap().call::<(&Vec<Named>,), Vec<Named>>((&rows,)).unwrap();
        assert_eq!(got, rows);
        let one = weldment::Program::parse("|p: {f64,f64}| p.0 + p.1").unwrap().compile(&options).unwrap();
        assert_eq!(one.call::<(Point,), f64>((p[1],)).unwrap(), p[1].x + p[1].y);
        assert_eq!(one.call::<(&Point,), f64>((&p[1],)).unwrap(), p[1].x + p[1].y);
    }
}
