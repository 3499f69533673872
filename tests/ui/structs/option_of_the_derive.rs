use weldment::Weld;

#[derive(Weld)]
#[weld(rename = "row")]
struct Row {
    x: f64,
}

fn main() {
    println!("{}", Row { x: 1.0 }.x);
}
