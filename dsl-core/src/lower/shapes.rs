//! Arrays made of vectors.

use super::Lower;
use super::view::{Axis, View};
use crate::infer::typed::{ArrayOp, Expr};
use crate::ir::{BinaryOp, CompareOp, Loc, Op, Value, Zip};

impl Lower {
    /// One of the functions that give a vector a shape; `None` if `op` is not one.
    pub(super) fn of_vector(&mut self, op: &ArrayOp, args: &[Expr], loc: Loc) -> Option<View> {
        match op {
            ArrayOp::Shaped | ArrayOp::Cycled | ArrayOp::Restacked(_) | ArrayOp::Like => {}
            _ => return None,
        }
        let vector = self.value(&args[0]);
        Some(match op {
            ArrayOp::Cycled => {
                let extents = self.extents(&args[1], loc);
                self.cycled(vector, extents, loc)
            }
            ArrayOp::Restacked(order) => {
                let like = self.array(&args[1]);
                self.restacked(vector, &like, order, loc)
            }
            ArrayOp::Like => {
                let like = self.array(&args[1]);
                self.with_axes(vector, like.axes, loc)
            }
            _ => {
                let extents = self.extents(&args[1], loc);
                self.shaped(vector, extents, loc)
            }
        })
    }

    /// `vector`, row by row, as an array.
    pub(super) fn shaped(&mut self, vector: Value, extents: Vec<Value>, loc: Loc) -> View {
        self.with_axes(vector, extents.into_iter().map(Axis::of_extent).collect(), loc)
    }

    /// `vector`, row by row, as an array of these axes.
    fn with_axes(&mut self, vector: Value, mut axes: Vec<Axis>, loc: Loc) -> View {
        for axis in &mut axes {
            axis.extent = Some(self.extent_of(axis, loc));
        }
        let extents = axes.iter().filter_map(|axis| axis.extent).collect();
        let vector = self.builder.push(Op::Shape(vector, extents), loc);
        View::of_vector(vector, axes)
    }

    /// `vector`, whose elements are in the order of the axes of `like` in this order, with these axes.
    fn restacked(&mut self, vector: Value, like: &View, order: &[usize], loc: Loc) -> View {
        let count = like.axes.len();
        let axes = order.iter().map(|&axis| like.axes[axis]).collect();
        let lines = self.with_axes(vector, axes, loc);
        let back: Vec<usize> =
            (0..count).map(|axis| order.iter().position(|&of| of == axis).expect("each is there")).collect();
        Lower::permute_array(lines, &back)
    }

    /// `vector`, from its start again where it ends.
    fn cycled(&mut self, vector: Value, extents: Vec<Value>, loc: Loc) -> View {
        let one = self.builder.constant(1i64, loc);
        let length = self.builder.push(Op::Len(vector), loc);
        // Of nothing only an array without points is made.
        let least = self.builder.binary(BinaryOp::Max, length, one, loc);
        let points = extents.iter().fold(one, |points, &extent| {
            let points = self.builder.binary(BinaryOp::Mul, points, extent, loc);
            self.builder.binary(BinaryOp::Min, points, least, loc)
        });
        let some = self.builder.binary(BinaryOp::Min, points, one, loc);
        let is_short = self.builder.compare(CompareOp::Lt, length, some, loc);
        let wanted = self.builder.push(Op::Select(is_short, one, length), loc);
        let length = self.builder.push(Op::ZipLen(Zip::Extents, vec![length, wanted]), loc);
        let axes: Vec<Axis> = extents.iter().copied().map(Axis::of_extent).collect();
        let modulus = self.builder.binary(BinaryOp::Max, length, one, loc);
        self.computed(axes, loc, |this, positions| {
            let place = match positions {
                [place] => *place,
                _ => this.builder.push(Op::Linearize(positions.to_vec(), extents), loc),
            };
            let place = this.builder.binary(BinaryOp::Rem, place, modulus, loc);
            let place = this.builder.push(Op::CheckIndex(place, length), loc);
            this.builder.push(Op::At(vector, place), loc)
        })
    }
}
