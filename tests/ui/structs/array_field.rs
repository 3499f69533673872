use weldment::Weld;

#[derive(Weld)]
struct Point {
    at: [f64; 3],
}

fn main() {
    println!("{}", Point { at: [1.0; 3] }.at.len());
}
