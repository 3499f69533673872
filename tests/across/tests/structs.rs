//! Programs on structs of another crate, found by every sort of path.
#![forbid(unsafe_code)]
#![deny(warnings)]

use joined::{Kernel, weld};
use weldment_across::prelude::*;
use weldment_across::{Account, Pair, Point};

/// Of each path.
type Lengths = fn(&[Path]) -> Vec<f64>;

static LENGTHS: Kernel<Lengths> = weld!(|paths: &[Path]| paths.map(|p| zip(
    slice(p.points, 0, len(p.points) - 1),
    slice(p.points, 1, len(p.points))
)
.map(|(a, b)| hypot(a.x - b.x, a.y - b.y))
.sum()));

fn path() -> Path {
    Path::new(vec![Point { x: 0.0, y: 0.0 }, Point { x: 3.0, y: 4.0 }, Point { x: 3.0, y: 5.0 }])
}

#[test]
fn a_struct_is_found_where_its_name_is() {
    assert_eq!(LENGTHS(&[path()]), [6.0]);
    let by_path = weld!(|p: &[weldment_across::Point]| p.map(|p| p.x).sum());
    let renamed = weld!(|p: &[Location]| p.map(|p| p.x).sum());
    let global = weld!(|p: &[::weldment_across::Point]| p.map(|p| p.x).sum());
    let points = path().points;
    assert_eq!([by_path(&points), renamed(&points), global(&points)], [6.0; 3]);
}

#[test]
fn structs_inside_need_no_name_here() {
    let ends = weld!(|paths: &[weldment_across::shapes::Path]| paths.map(|p| p.ends));
    assert_eq!(ends(&[path()]), [Pair(Point { x: 0.0, y: 0.0 }, Point { x: 3.0, y: 5.0 })]);
    let last = weld!(|paths: &[Path]| paths.map(|p| p.ends.1));
    assert_eq!(last(&[path()]), [Point { x: 3.0, y: 5.0 }]);
}

#[test]
fn whole_structs_move_with_their_private_fields() {
    let long = weld!(|paths: &[Path]| paths.filter(|p| len(p.points) > 2));
    assert_eq!(long(&[path()])[0].length(), 3.0);
    let accounts: Vec<Account> = (0..40).map(|id| Account::new(id, id as f64)).collect();
    let last = weld!(|a: &[Account]| a.filter(|a| a.id > 37));
    assert_eq!(last(&accounts), accounts[38..]);
    let found = weld!(|a: &[Account], id: i64| optlookup(a.map(|a| (a.id, a)).to_dict(), id));
    assert_eq!(found(&accounts, 7), (true, accounts[7]));
    assert_eq!(found(&accounts, 70), (false, Account::new(0, 0.0)));
    let highest = weld!(|a: &[Account]| a.reduce(|a, b| if a.id < b.id { b } else { a }));
    assert_eq!(highest(&accounts), accounts[39]);
    let sorted = weld!(|a: &[Account]| a.sort_by_key(|a| -a.id)[0]);
    assert_eq!(sorted(&accounts), accounts[39]);
}

#[test]
fn two_names_are_one_type() {
    let both = weld!(|p: &[Point], q: &[Location]| zip(p, q).map(|(p, q)| if p.x < q.x { p } else { q }));
    assert_eq!(both(&path().points, &path().points), path().points);
    let swapped = weld!(|v: &[Pair<Location>]| v.map(|Pair(a, b)| Pair(b, a)));
    assert_eq!(swapped(&[path().ends])[0].0, path().ends.1);
}

#[test]
fn macros_of_a_crate_name_its_structs() {
    macro_rules! sum_of {
        ($field:ident of $ty:ty) => {
            weld!(|v: &[$ty]| v.map(|p| p.$field).sum())
        };
    }
    assert_eq!(sum_of!(y of Point)(&path().points), 9.0);
    assert_eq!(sum_of!(y of weldment_across::Point)(&path().points), 9.0);
    assert_eq!(weldment_across::distances!(&path().points[..2]), 5.0);
}
