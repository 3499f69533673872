use weldment::weld;

fn main() {
    let above = weld!(
        type floats = vec[f64];
        #[expect(materialized = 0)]
        |v: floats|
            let w = result(for(v, appender[f64], |b, i, x| if(x > 0.0, merge(b, x), b)));
            result(for(w, merger[f64, +], |b, i, x| merge(b, x - lookup(w, 0L))))
    );
    let _: f64 = above(&[1.0, 2.0]);
}
