use weldment::Weld;

#[derive(Weld)]
union Bits {
    x: f64,
    bits: u64,
}

fn main() {
    let _ = Bits { x: 1.0 };
}
