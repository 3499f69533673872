use weldment::Weld;

const SIZE: usize = 3;

#[derive(Weld)]
struct Point {
    at: [f64; SIZE],
}

fn main() {
    println!("{}", Point { at: [1.0; 3] }.at.len());
}
