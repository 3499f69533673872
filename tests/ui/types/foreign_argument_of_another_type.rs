use weldment::weld;

mod scores {
    pub fn weighted(x: &f64, weight: &i32, result: &mut f64) {
        *result = x * f64::from(*weight);
    }
}

fn main() {
    let argument = weld!(|v: &[f64]| v.map(|x| cudf[scores::weighted, f64](x, 3.0)).sum());
    let result = weld!(|v: &[f64]| v.map(|x| cudf[scores::weighted, i64](x, 3)).sum());
    let number = weld!(|v: &[f64]| v.map(|x| cudf[scores::weighted, f64](x)).sum());
    let missing = weld!(|v: &[f64]| v.map(|x| cudf[scores::weighed, f64](x, 3)).sum());
}
