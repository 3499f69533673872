use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], shape: &[i64], strides: &[i64]| {
        result(for(nditer(v, 0L, 24L, 1L, shape, strides), appender[f64], |b, i, x| merge(b, x)))
    });
    let _ = kernel;
}
