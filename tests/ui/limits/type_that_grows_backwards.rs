use weldment::weld;

fn main() {
    let kernel = weld!(|x: i64| {
        let (a, b, c, d, e) = ([], [], [], [], []);
        let _ = [a[0], (b[0], b[0], b[0], b[0], b[0], b[0], b[0], b[0])];
        let _ = [b[0], (c[0], c[0], c[0], c[0], c[0], c[0], c[0], c[0])];
        let _ = [c[0], (d[0], d[0], d[0], d[0], d[0], d[0], d[0], d[0])];
        let _ = [d[0], (e[0], e[0], e[0], e[0], e[0], e[0], e[0], e[0])];
        let _ = [e[0], x];
        len([a, a])
    });
    let _ = kernel;
}
