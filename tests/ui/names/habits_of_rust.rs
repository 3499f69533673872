use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], w: &[(i64, f64)], d: &Dict<i64, f64>, x: f64, n: i64| {
        let parts = (v.take(n), v.skip(n), v.first(), v.last(), v.nth(n), v.get(n), v.rev());
        let pieces = (v.windows(n), v.chunks(n), v.step_by(n), v.chain(v), v.contains(x));
        let found = (v.position(|y| y == x), v.find(|y| y > x), v.filter_map(|y| y), v.for_each(|y| y));
        let made = (v.scan(0.0, |s, y| s + y), v.partition(|y| y > x), w.unzip(), v.is_empty(), v.mean());
        let more = (v.dot(v), v.push(x), v.sorted(), x.cmp(x), v.first().unwrap(), d.contains_key(n));
        let last = (d.keys(), d.values(), x.ln(), x.powi(2), x.clamp(0.0, 1.0), x.recip(), x.is_finite());
        (x.is_infinite(), n.wrapping_add(n))
    });
    let _ = kernel;
}
