use weldment::weld;

fn main() {
    let kernel = weld!(|| len(result(appender)));
    let _ = kernel();
}
