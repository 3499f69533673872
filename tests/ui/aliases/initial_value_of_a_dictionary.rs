use weldment::weld;

fn main() {
    let kernel = weld!(type Counts = dictmerger[i64, i64, +];
        |v: vec[i64]| result(for(v, Counts(v), |b, i, x| merge(b, {x, 1L}))));
    let _ = kernel;
}
