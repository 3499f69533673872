use weldment::weld;

fn main() {
    let _ = weld! {
        const RATE: f64 = 1;
        |v: &[f64]| v.map(|x| x * RATE).sum()
    };
    let _ = weld! {
        const TAPS: &[f64] = [0.25, 0.5, 0.25];
        |v: &[f64]| v.map(|x| x * TAPS).sum()
    };
}
