//! How many loops and intermediates the optimiser leaves.

use weldment_core::front;
use weldment_core::passes::{Options, optimize};

use crate::cases;
use crate::measure::alone;
use crate::table::{Case, Left};

fn check(case: &Case) -> Result<(), String> {
    let mut program = front::from_text(case.text).expect("the macro accepts it").program;
    let report = optimize(&mut program, &Options::default()).expect("no pass breaks a program");
    let said = |left: &Left| (left.before, left.after);
    let found = [report.loops, report.materialized].map(|change| (change.before, change.after));
    if found != [said(&case.loops), said(&case.stored)] {
        return Err(format!("{} {}: {found:?}\n{program}\n{report:?}", case.number, case.what));
    }
    Ok(())
}

#[test]
fn the_loops_and_intermediates_that_should_be_left_are_left() {
    let _alone = alone();
    let failures: Vec<String> = cases::all().filter_map(|case| check(case).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn no_more_is_left_than_the_rules_leave() {
    for case in cases::all() {
        for left in [&case.loops, &case.stored] {
            assert!(left.after <= left.limit, "{} {}", case.number, case.what);
        }
    }
}
