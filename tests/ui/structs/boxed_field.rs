use weldment::Weld;

#[derive(Weld)]
struct Node {
    weight: Box<f64>,
}

fn main() {
    println!("{}", Node { weight: Box::new(1.0) }.weight);
}
