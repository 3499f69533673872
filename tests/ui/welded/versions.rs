//! An item that another version of weldment has defined.

use weldment::{weld, welded};

macro_rules! tax {
    (@weld1 [$($told:tt)*] [{ $($next:tt)* } $($more:tt)*] $($rest:tt)*) => {
        $($next)* ! { @weld1 [$($told)* { @weld9 "9.0.0" }] [$($more)*] $($rest)* }
    };
}

#[welded]
fn fee(x: f64) -> f64 {
    tax(x) * 0.5
}

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| tax(x)).sum());
    println!("{}", kernel(&[1.0]));
}
