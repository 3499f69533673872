use weldment::{Dict, Weld, weld};

#[derive(Clone, Weld)]
struct Index {
    rows: Dict<i64, i64>,
}

fn main() {
    let kernel = weld!(|v: &[Index]| v.group_by(|i| i));
    println!("{}", kernel(&[Index { rows: Dict::new() }]).len());
}
