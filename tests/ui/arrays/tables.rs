use weldment::weld;

fn main() {
    let _ = weld! {
        axis Vertex;
        axis Edge;
        |to: &Array<i32; Vertex, 2>, f: &Array<f64; Edge>| f.stencil(|c| c.to(to, 0)[0] + c[0])
    };
}
