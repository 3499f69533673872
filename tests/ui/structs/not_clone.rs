use weldment::{Weld, weld};

#[derive(Weld)]
struct Row {
    name: Vec<u8>,
}

fn main() {
    let kernel = weld!(|r: &[Row]| r.filter(|r| len(r.name) > 1));
    println!("{}", kernel(&[Row { name: vec![] }]).len());
}
