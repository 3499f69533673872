use weldment::weld;

#[allow(non_camel_case_types)]
struct point {
    x: f64,
}

fn main() {
    let kernel = weld!(|points: &[point]| points.map(|p| p.x).sum());
    println!("{}", kernel(&[point { x: 1.0 }]));
}
