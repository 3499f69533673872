use weldment::weld;

fn main() {
    let kernel = weld!(type Bins = vecmerger[i64, +];
        |v: vec[i64]| result(for(v, Bins, |b, i, x| merge(b, {x, 1L}))));
    let _ = kernel;
}
