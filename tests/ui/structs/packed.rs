use weldment::Weld;

#[derive(Weld)]
#[repr(C, packed)]
struct Row {
    at: u8,
    x: f64,
}

fn main() {
    let row = Row { at: 1, x: 2.0 };
    println!("{} {}", { row.at }, { row.x });
}
