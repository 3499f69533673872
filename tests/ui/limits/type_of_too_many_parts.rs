use weldment::weld;

fn main() {
    let kernel = weld!(
        type A = (i64, i64, i64, i64, i64, i64, i64, i64);
        type B = (A, A, A, A, A, A, A, A);
        type C = (B, B, B, B, B, B, B, B);
        |rows: &[(C, C, C, C, C, C, C, C)]| rows.count()
    );
    let _ = kernel;
}
