use weldment::Weld;

#[derive(Weld)]
struct Order {
    line: (f64, usize),
}

fn main() {
    println!("{}", Order { line: (1.0, 2) }.line.1);
}
