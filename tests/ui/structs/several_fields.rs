use weldment::Weld;

#[derive(Weld)]
struct Order {
    name: String,
    at: [f64; 65],
    price: f64,
    line: (i64, Vec<char>),
}

fn main() {
    println!("{}", Order { name: String::new(), at: [0.0; 65], price: 1.0, line: (1, vec![]) }.price);
}
