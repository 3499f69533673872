use weldment::weld;

fn main() {
    let kernel = weld!(
        macro eight(a) = a + a + a + a + a + a + a + a;
        |x: i64| eight(eight(eight(eight(eight(eight(x))))))
    );
    let _ = kernel;
}
