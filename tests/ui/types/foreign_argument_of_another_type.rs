use weldment::weld;

fn halve(x: &f64, half: &mut f64) {
    *half = x / 2.0;
}

fn main() {
    let wrong: f64 = weld!(|x: f64, k: i64| cudf[halve, f64](x) + cudf[halve, f64](k))(1.0, 2);
    println!("{wrong}");
}
