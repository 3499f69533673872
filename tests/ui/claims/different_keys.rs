use weldment::weld;

fn main() {
    let sums = weld!(
        #[expect(loops = 1)]
        |day: &[i32], hour: &[i32], v: &[f64]| {
            (zip(day, v).reduce_by(|x| x.0, |x| x.1, +), zip(hour, v).reduce_by(|x| x.0, |x| x.1, +))
        }
    );
    let _ = sums(&[1], &[2], &[1.0]).0.len();
}
