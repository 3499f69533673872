use weldment::weld;

const RATES: [f64; 3] = [0.1, 0.2, 0.3];

fn main() {
    let kernel = weld!(|v: &[i64], w: &[f64]| (v.map(|i| RATES[i] * 2.0).sum(), len(TAPS), FACTORS[(1, 2)] + w[0]));
    let _ = (kernel, RATES);
}
