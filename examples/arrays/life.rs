//! Conway's Game of Life on a torus.

use weldment::{Array, Kernel, weld};

use crate::compared::{Compared, compared};

type World = Array<u8, 2>;

/// Of a world after so many generations.
type Life = fn(&World, i64) -> World;

static LIFE: Kernel<Life> = weld!(|w: &Array<u8, 2>, n: i64| {
    times(n, w, |w| w.stencil(wrap, |c| {
        let s = c[-1, -1] + c[-1, 0] + c[-1, 1] + c[0, -1] + c[0, 1] + c[1, -1] + c[1, 0] + c[1, 1];
        if s == 3 || s == 2 && c[0, 0] == 1 { 1u8 } else { 0u8 }
    }))
});

fn by_hand(world: &World, n: usize) -> World {
    let [rows, m] = world.shape();
    let (mut now, mut next) = (world.clone(), world.clone());
    for _ in 0..n {
        let w = now.as_slice();
        for i in 0..rows {
            let (above, below) = ((i + rows - 1) % rows * m, (i + 1) % rows * m);
            for j in 0..m {
                let (left, right) = ((j + m - 1) % m, (j + 1) % m);
                let columns = [left, j, right];
                let around: u8 = columns.iter().map(|column| w[above + column] + w[below + column]).sum();
                let around = around + w[i * m + left] + w[i * m + right];
                let lives = around == 3 || around == 2 && w[i * m + j] == 1;
                next.as_mut_slice()[i * m + j] = u8::from(lives);
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    now
}

pub(crate) fn run(size: usize) -> Vec<Compared> {
    let cell = |[i, j]: [i64; 2]| u8::from((i * i + 3 * j + i * j) % 5 < 2);
    let world = Array::from_fn([size, size], cell).expect("a world that fits");
    vec![compared("10 generations of Life", || LIFE(&world, 10), || by_hand(&world, 10))]
}
