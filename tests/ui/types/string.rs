use weldment::weld;

fn main() {
    let kernel = weld!(|names: &[String]| len(names));
    let _ = kernel;
}
