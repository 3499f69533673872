use weldment::weld;

fn main() {
    let kernel = weld!(|k: i64| result(merge(dictmerger[i64, i64, +](k), {k, 1L})));
    let _ = kernel;
}
