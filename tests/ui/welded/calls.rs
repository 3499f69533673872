use weldment::{Weld, weld, welded};

#[derive(Clone, Copy, Weld)]
struct Point {
    x: f64,
    y: f64,
}

mod shop {
    use weldment::{Weld, welded};

    #[derive(Clone, Copy, Weld)]
    pub struct Corner {
        pub at: f64,
    }

    #[welded]
    pub fn corner(x: f64) -> Corner {
        Corner { at: x }
    }

    #[welded]
    pub fn sum_of<T: Float>(v: &[T]) -> T {
        v.sum()
    }
}

#[welded]
fn area(p: Point) -> f64 {
    p.x * p.y
}

#[welded]
fn chosen(v: &[f64], f: impl Fn(f64) -> bool) -> Vec<f64> {
    v.filter(f)
}

fn main() {
    let _ = weld!(|p: &[Point]| p.map(|p| area(p, 2.0)).sum());
    let _ = weld!(|v: &[f64]| v.map(|x| area(x)).sum());
    let _ = weld!(|v: &[f64]| chosen(v, |x| x + 1.0));
    let _ = weld!(|v: &[i64]| shop::sum_of(v));
    let _ = weld!(|v: &[f64]| v.map(|x| shop::corner(x)));
    let _ = weld!(|v: &[f64]| chosen + 1.0);
    let _: f64 = area(1.0);
}
