use weldment::Weld;

#[derive(Weld)]
struct Step {
    next: fn(f64) -> f64,
}

fn main() {
    println!("{}", (Step { next: f64::sqrt }.next)(4.0));
}
