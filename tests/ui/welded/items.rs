use weldment::welded;

#[welded]
fn gives_nothing(x: f64) {
    x;
}

#[welded]
fn wrong(v: &[f64]) -> f64 {
    v.map(|x| x + 1).sum()
}

#[welded]
fn for_kernels(v: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    v.map(f).smu()
}

#[welded]
struct Row {
    x: f64,
}

#[welded]
fn assert_eq(x: f64) -> f64 {
    x
}

#[welded]
fn mean(v: &[f64]) -> f64 {
    v[0]
}

#[welded(rename = other)]
fn other(x: f64) -> f64 {
    x
}

#[welded]
fn around(n: i64) -> i64 {
    if n < 2 { n } else { around(n - 1) }
}

#[welded]
fn captures(x: f64) -> f64 {
    x * rate
}

fn main() {}
