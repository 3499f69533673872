//! Enums: variants are values, keys and numbers, and come in and go out as themselves.

use weldment::{Dict, Weld, welded};

use super::rule;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[repr(u8)]
enum Flag {
    Open,
    Returned = b'R',
    Never = b'N',
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
#[repr(i64)]
enum Wide {
    Least = -9_000_000_000_000_000_000,
    Zero = 0,
    One,
    r#Type = 7,
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Line {
    flag: Flag,
    price: f64,
    wide: Option<Wide>,
}

const FLAGS: [Flag; 5] = [Flag::Returned, Flag::Open, Flag::Never, Flag::Open, Flag::Returned];

fn line(flag: Flag, price: f64, wide: Option<Wide>) -> Line {
    Line { flag, price, wide }
}

#[test]
fn variants_are_chosen_compared_and_cast() {
    rule!(
        weld!(|v: &[Flag], f: Flag| {
            (
                v.map(|x| match x { Flag::Open => 0.5, Flag::Returned | Flag::Never if x == f => 1.0, _ => 2.0 }),
                v.map(|x| (x == f, x < f, x as i64, compare(x, f))),
                if let Flag::Open = f { Flag::Never } else { f },
            )
        });
        (&FLAGS[..], Flag::Never) => (
            vec![2.0f64, 0.5, 1.0, 0.5, 2.0],
            vec![(false, false, 82i64, 1i32), (false, true, 0, -1), (true, false, 78, 0), (false, true, 0, -1), (false, false, 82, 1)],
            Flag::Never,
        ),
        (&[][..], Flag::Open) => (Vec::<f64>::new(), Vec::<(bool, bool, i64, i32)>::new(), Flag::Never),
    );
    rule!(
        weld!(|v: &[Wide]| v.map(|w| match w { Wide::Least => Wide::Type, Wide::Zero => Wide::One, w => w }));
        (&[Wide::Least, Wide::Zero, Wide::One, Wide::Type][..]) => vec![Wide::Type, Wide::One, Wide::One, Wide::Type],
    );
}

#[test]
fn enums_are_keys_and_elements_and_are_sorted() {
    rule!(
        weld!(|v: &[Flag]| (
            v.reduce_by(|x| x, |_| 1i64, +),
            v.group_by(|x| (x, 1u8)).len(),
            v.sort_by_key(|x| x),
            v.filter(|x| x != Flag::Open).last(),
            v.distinct(),
        ));
        (&FLAGS[..]) => (
            [(Flag::Returned, 2i64), (Flag::Open, 2), (Flag::Never, 1)].into_iter().collect::<Dict<_, _>>(),
            3i64,
            vec![Flag::Open, Flag::Open, Flag::Never, Flag::Returned, Flag::Returned],
            Some(Flag::Returned),
            vec![Flag::Returned, Flag::Open, Flag::Never],
        ),
        (&[][..]) => (Dict::<Flag, i64>::new(), 0i64, Vec::<Flag>::new(), None::<Flag>, Vec::<Flag>::new()),
    );
    rule!(
        weld!(|d: &Dict<i64, Flag>, k: i64| (optlookup(d, k), d.tovec().map(|(_, f)| f as i32)));
        (&[(1i64, Flag::Never)].into_iter().collect::<Dict<_, _>>(), 1) => ((true, Flag::Never), vec![78i32]),
        (&[(1i64, Flag::Never)].into_iter().collect::<Dict<_, _>>(), 2) => ((false, Flag::Open), vec![78i32]),
    );
}

#[test]
fn structs_and_options_hold_enums() {
    let lines = [
        line(Flag::Returned, 1.5, Some(Wide::One)),
        line(Flag::Open, 2.0, None),
        line(Flag::Never, 4.0, Some(Wide::Least)),
    ];
    rule!(
        weld!(|lines: &[Line]| (
            lines.map(|l| match (l.flag, l.wide) {
                (Flag::Open, _) => 0.0,
                (_, Some(Wide::One | Wide::Type)) => l.price,
                (Flag::Returned, _) | (_, None) => -1.0,
                (Flag::Never, Some(_)) => -l.price,
            }),
            lines.map(|l| Line { flag: Flag::Open, wide: l.wide.filter(|w| w == Wide::One), ..l }),
            lines.filter(|l| l.flag > Flag::Open).map(|l| l.wide),
        ));
        (&lines[..]) => (
            vec![1.5f64, 0.0, -4.0],
            vec![line(Flag::Open, 1.5, Some(Wide::One)), line(Flag::Open, 2.0, None), line(Flag::Open, 4.0, None)],
            vec![Some(Wide::One), Some(Wide::Least)],
        ),
    );
    rule!(
        weld!(|v: &[Option<Flag>]| (v.flatten(), v.map(|o| o.unwrap_or(Flag::Never)), v.map(|o| o == None), v.distinct()));
        (&[Some(Flag::Never), None, Some(Flag::Open), None][..]) => (
            vec![Flag::Never, Flag::Open],
            vec![Flag::Never, Flag::Never, Flag::Open, Flag::Never],
            vec![false, true, false, true],
            vec![Some(Flag::Never), None, Some(Flag::Open)],
        ),
    );
}

/// What is wanted where nothing else is said.
#[welded]
const USUAL: Flag = Flag::Returned;

#[welded]
fn closed(f: Flag, n: u8) -> Flag {
    match f {
        Flag::Open if n > 0 => USUAL,
        Flag::Open => Flag::Never,
        f => f,
    }
}

#[test]
fn welded_functions_take_and_give_enums() {
    rule!(
        weld!(|v: &[Flag], n: u8| v.map(|f| closed(f, n)));
        (&FLAGS[..3], 1) => vec![Flag::Returned, Flag::Returned, Flag::Never],
        (&FLAGS[..3], 0) => vec![Flag::Returned, Flag::Never, Flag::Never],
    );
    assert_eq!((closed(Flag::Open, 1), closed(Flag::Open, 0)), (Flag::Returned, Flag::Never));
}

#[test]
fn states_functions_and_captures_hold_enums() {
    rule!(
        weld!(
            fn next(f: Flag) -> Flag { match f { Flag::Open => Flag::Returned, _ => Flag::Never } }
            |f: Flag, n: i64| iterate((f, 0), |s| ((next(s.0), s.1 + 1), s.1 + 1 < n))
        );
        (Flag::Open, 1) => (Flag::Returned, 1i64),
        (Flag::Open, 5) => (Flag::Never, 5i64),
    );
    let wanted = Flag::Returned;
    let kernel = weldment::weld!([wanted] |v: &[Flag]| v.filter(|x| x == wanted).count());
    assert_eq!(kernel(&FLAGS), 2);
}
