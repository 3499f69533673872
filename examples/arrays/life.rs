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
            let row = |i: usize| &w[i * m..][..m];
            let (above, here, below) = (row((i + rows - 1) % rows), row(i), row((i + 1) % rows));
            let out = &mut next.as_mut_slice()[i * m..][..m];
            let cell = |left: usize, j: usize, right: usize| {
                let beside = here[left] + here[right];
                let sum = [above, below].map(|row| row[left] + row[j] + row[right]);
                let around = beside + sum[0] + sum[1];
                u8::from(around == 3 || around == 2 && here[j] == 1)
            };
            out[0] = cell(m - 1, 0, 1);
            out[m - 1] = cell(m - 2, m - 1, 0);
            let inner = out.iter_mut().enumerate().skip(1).take(m - 2);
            inner.for_each(|(j, out)| *out = cell(j - 1, j, j + 1));
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
