use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[[f64; 3]]| len(v));
    println!("{}", kernel(&[[1.0; 3]]));
}
