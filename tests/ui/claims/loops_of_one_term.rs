use weldment::weld;

fn main() {
    let kernel = weld!(
        macro centred(v) = (v.map(|x| x - v.sum()));
        #[expect(loops = 1)]
        |v: &[f64]| centred(centred(v))
    );
    println!("{:?}", kernel(&[1.0]));
}
