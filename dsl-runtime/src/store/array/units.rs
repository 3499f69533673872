//! How elements are copied from some places to others: cut into units of loops that read and write what lies close together.
//!
//! Along the axis whose steps are shortest where is read, and along that whose steps are shortest where is written, a unit takes so
//! many elements that the lines of memory it touches stay in a near cache. Units share no element, so that threads share them.

use super::places::Places;

/// How many elements a unit has, about.
const ELEMENTS: usize = 1 << 14;

/// How many elements next to each other are read, at least, where they are not written in their order: so many that the CPU sees what
/// comes, and so few that what is next to what is written stays in the caches (the workload `a·2 + b transposed`).
const ACROSS: usize = 256;

/// An axis along which is copied: from one element to the next, where is read and where is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) count: usize,
    pub(super) from: isize,
    pub(super) to: isize,
}

/// All of a copy.
#[derive(Debug)]
pub(super) struct Units {
    /// Axes whose coordinates have units of their own.
    outer: Vec<Axis>,
    /// Those of the loops of a unit, and how many of their elements one has.
    tiled: [(Axis, usize); 2],
    first: [isize; 2],
}

/// The loops of a unit: elements of `axes[0]` around those of `axes[1]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) from: isize,
    pub(super) to: isize,
    pub(super) axes: [Axis; 2],
}

impl Units {
    /// From the places of some points to those of as many others, with the same extents.
    pub(super) fn new<const N: usize>(from: &Places<N>, to: &Places<N>) -> Units {
        let mut outer: Vec<Axis> = (0..N)
            .map(|axis| Axis {
                count: from.domain.ranges()[axis].extent() as usize,
                from: from.strides[axis],
                to: to.strides[axis],
            })
            .filter(|axis| axis.count != 1)
            .collect();
        outer.sort_by_key(|axis| std::cmp::Reverse(axis.to.unsigned_abs()));
        outer.dedup_by(|inner, around| {
            let count = inner.count as isize;
            let is_one =
                around.from == inner.from.wrapping_mul(count) && around.to == inner.to.wrapping_mul(count);
            if is_one {
                *around = Axis { count: around.count * inner.count, ..*inner };
            }
            is_one
        });
        let none = Axis { count: 1, from: 0, to: 0 };
        let row = outer.pop().unwrap_or(none);
        let closest = (0..outer.len()).rev().min_by_key(|&axis| outer[axis].from.unsigned_abs());
        let tiled = match closest {
            Some(axis) if outer[axis].from.unsigned_abs() < row.from.unsigned_abs() => {
                let across = outer.remove(axis);
                let narrow = across.count.min(ACROSS.max(ELEMENTS / row.count.max(1))).max(1);
                [(row, ELEMENTS / narrow), (across, narrow)]
            }
            _ => {
                let long = row.count.clamp(1, ELEMENTS);
                [(outer.pop().unwrap_or(none), ELEMENTS / long), (row, long)]
            }
        };
        Units { outer, tiled, first: [from.first, to.first] }
    }

    /// The number of units.
    pub(super) fn count(&self) -> usize {
        let tiles = self.tiled.iter().map(|(axis, tile)| axis.count.div_ceil(*tile));
        self.outer.iter().map(|axis| axis.count).chain(tiles).product()
    }

    /// How many elements a unit has at most.
    pub(super) fn elements(&self) -> usize {
        self.tiled.iter().map(|(axis, tile)| axis.count.min(*tile).max(1)).product()
    }

    pub(super) fn unit(&self, number: usize) -> Unit {
        let mut rest = number;
        let mut next = |count: usize| {
            let position = rest % count;
            rest /= count;
            position
        };
        let [mut from, mut to] = self.first;
        let mut skip = |axis: &Axis, position: usize| {
            from += position as isize * axis.from;
            to += position as isize * axis.to;
        };
        let mut axes = self.tiled.map(|(axis, _)| axis);
        for ((axis, tile), part) in self.tiled.iter().zip(&mut axes).rev() {
            let start = next(axis.count.div_ceil(*tile)) * tile;
            skip(axis, start);
            part.count = (axis.count - start).min(*tile);
        }
        for axis in self.outer.iter().rev() {
            skip(axis, next(axis.count));
        }
        Unit { from, to, axes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::domain::Domain;

    /// Each place is written once, by what stands where the same point was.
    #[track_caller]
    fn check<const N: usize>(from: Places<N>, to: Places<N>) {
        let units = Units::new(&from, &to);
        let mut copied = Vec::new();
        for number in 0..units.count() {
            let Unit { from, to, axes: [around, inner] } = units.unit(number);
            assert!(around.count * inner.count <= units.elements());
            for i in 0..around.count as isize {
                for j in 0..inner.count as isize {
                    let place = |start, around, inner| start + i * around + j * inner;
                    copied.push((place(to, around.to, inner.to), place(from, around.from, inner.from)));
                }
            }
        }
        let points = from.domain.points().zip(to.domain.points());
        let mut expected: Vec<_> = points.map(|(a, b)| (to.of(b).unwrap(), from.of(a).unwrap())).collect();
        copied.sort_unstable();
        expected.sort_unstable();
        assert_eq!(copied, expected);
    }

    #[test]
    fn every_element_is_copied_once() {
        let rows = |shape| Places::contiguous(Domain::of_shape(shape).unwrap());
        // Nothing here is unsafe, and Miri is slow.
        let (several, long) = if cfg!(miri) { ([4, 5, 6], 70) } else { ([40, 50, 60], 70_000) };
        for shape in [[2, 3, 4], [1, 1, 1], [0, 3, 4], [3, 0, 4], [5, 1, 70], several] {
            let plain = rows(shape);
            check(plain, plain);
            for order in [[0, 2, 1], [2, 1, 0], [1, 2, 0]] {
                let turned = plain.permute(order).unwrap();
                check(turned, Places::contiguous(turned.domain));
                check(Places::contiguous(turned.domain), turned.reverse(1));
            }
            check(Places { strides: [0, 7, 0], ..plain }, plain.reverse(2));
        }
        let row = Places::contiguous(Domain::of_shape([long]).unwrap());
        check(Places { strides: [3], ..row }, row.reverse(0));
        check(
            Places::contiguous(Domain::of_shape([]).unwrap()),
            Places::contiguous(Domain::of_shape([]).unwrap()),
        );
    }

    #[test]
    fn units_are_neither_one_element_nor_everything() {
        let rows = Places::contiguous(Domain::of_shape([4096, 4096]).unwrap());
        let units = Units::new(&rows.transpose(), &rows);
        assert_eq!((units.count(), units.elements()), (1024, ELEMENTS));
        let thin = Places::contiguous(Domain::of_shape([1 << 20, 3]).unwrap());
        assert!(Units::new(&thin.transpose(), &Places::contiguous(thin.transpose().domain)).count() < 1000);
    }
}
