use weldment::weld;

fn main() {
    let kernel = weld!(|x: u8| x == 'a');
    println!("{}", kernel(1));
}
