use weldment::Weld;

struct Inner {
    x: f64,
}

#[derive(Weld)]
struct Outer {
    inner: Inner,
}

fn main() {
    println!("{}", Outer { inner: Inner { x: 1.0 } }.inner.x);
}
