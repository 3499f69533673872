use weldment::weld;

fn main() {
    let above = weld!(
        #[expect(loops = 1, materialized = 0)]
        |v: &[f64]| {
            let w = v.filter(|x| x > 0.0);
            w.map(|x| x - w[0])
        }
    );
    let _: Vec<f64> = above(&[1.0, 2.0]);
}
