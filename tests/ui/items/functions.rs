use weldment::weld;

fn main() {
    let _ = weld! {
        fn discount(p: f64, d: f64) -> f64 { p * (1.0 - d * rate) }
        |p: &[f64], rate: f64| p.map(|p| discount(p, 0.5)).sum()
    };
    let _ = weld! {
        fn half(x: f64) -> f64 { x / 2 }
        |v: &[i64]| v.map(|x| half(x)).sum()
    };
    let _ = weld! {
        fn unused(x: i64) -> f64 { x }
        |x: f64| x
    };
}
