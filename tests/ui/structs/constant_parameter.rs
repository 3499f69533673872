use weldment::Weld;

#[derive(Weld)]
struct Row<const N: usize> {
    cells: Vec<f64>,
}

fn main() {
    println!("{}", Row::<3> { cells: vec![1.0] }.cells.len());
}
