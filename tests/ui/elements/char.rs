use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[char]| len(v));
    println!("{}", kernel(&['a']));
}
