//! Arrays as the reference of the guide tells of them, and nothing more: all elements, and where each comes from.

use weldment::FaultKind;

use super::op::{Number, Op, Part, Place};

/// The coordinates `lower + position * step` of so many positions. One coordinate has no next one: its step is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) lower: i64,
    pub(crate) step: i64,
    pub(crate) extent: usize,
}

impl Axis {
    pub(crate) fn new(lower: i64, step: i64, extent: usize) -> Axis {
        Axis { lower, step: if extent > 1 { step } else { 1 }, extent }
    }

    fn coordinate(self, position: usize) -> i64 {
        self.lower + self.step * position as i64
    }

    fn position(self, coordinate: i64) -> Option<usize> {
        (0..self.extent).find(|&position| self.coordinate(position) == coordinate)
    }

    /// The coordinate behind the last one.
    pub(crate) fn behind(self) -> i64 {
        self.lower + self.step * (self.extent as i64 - 1) + 1
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    pub(crate) axes: Vec<Axis>,
    /// Row by row.
    pub(crate) elements: Vec<i64>,
}

/// Why there is no array.
type Result<T> = std::result::Result<T, FaultKind>;

impl Model {
    /// The array over `axes` with what `element` gives for each position.
    pub(crate) fn of(axes: Vec<Axis>, mut element: impl FnMut(&[usize]) -> i64) -> Model {
        let count: usize = axes.iter().map(|axis| axis.extent).product();
        let mut positions = vec![0; axes.len()];
        let mut elements = Vec::new();
        for _ in 0..count {
            elements.push(element(&positions));
            for (axis, position) in axes.iter().zip(&mut positions).rev() {
                *position += 1;
                if *position < axis.extent {
                    break;
                }
                *position = 0;
            }
        }
        Model { axes, elements }
    }

    fn element(&self, positions: &[usize]) -> i64 {
        let row = |at, (axis, &position): (&Axis, &usize)| {
            assert!(position < axis.extent, "{positions:?} of {self:?}");
            at * axis.extent + position
        };
        self.elements[self.axes.iter().zip(positions).fold(0, row)]
    }

    /// With other coordinates along the axes, and at each position what is `from` there.
    fn view(&self, axes: Vec<Axis>, from: impl Fn(&[usize]) -> Vec<usize>) -> Model {
        Model::of(axes, |positions| self.element(&from(positions)))
    }

    /// As `axes` says the first axes, and at each position along each of them what is `from` there.
    fn along(
        &self,
        numbers: &[i64],
        one: impl Fn(Axis, i64) -> (Axis, Box<dyn Fn(usize) -> usize>),
    ) -> Model {
        let mut axes = self.axes.clone();
        let mut maps = Vec::new();
        for (axis, &number) in axes.iter_mut().zip(numbers) {
            let (into, map) = one(*axis, number);
            *axis = into;
            maps.push(map);
        }
        self.view(axes, |positions| {
            let moved =
                |(axis, &position): (usize, &usize)| maps.get(axis).map_or(position, |map| map(position));
            positions.iter().enumerate().map(moved).collect()
        })
    }

    /// What `op` makes of the array; `others` are those that there are.
    pub(crate) fn apply(&self, op: &Op, others: &[Model]) -> Result<Model> {
        let axes = || self.axes.clone();
        Ok(match op {
            Op::Slice(parts) => return self.slice(parts),
            Op::Take(numbers) => self.along(&op.numbers(numbers), |of, k| keep(of, k, false)),
            Op::Drop(numbers) => self.along(&op.numbers(numbers), |of, k| keep(of, k, true)),
            Op::Rotate(numbers) => self.along(&op.numbers(numbers), |of, by| {
                (of, Box::new(move |position| (position as i64 + by).rem_euclid(of.extent as i64) as usize))
            }),
            Op::Shift(numbers) => self.along(&op.numbers(numbers), |of, by| {
                (Axis { lower: of.lower + by, ..of }, Box::new(|position| position))
            }),
            Op::MoveTo(numbers) => self.along(&op.numbers(numbers), |of, to| {
                (Axis::new(to, 1, of.extent), Box::new(|position| position))
            }),
            Op::Spread(numbers) => {
                let numbers = op.numbers(numbers);
                if numbers.iter().any(|&by| by < 1) {
                    return Err(FaultKind::ShapeMismatch);
                }
                self.along(&numbers, |of, by| {
                    (Axis::new(of.lower * by, of.step * by, of.extent), Box::new(|position| position))
                })
            }
            Op::Reverse(named) => self.view(axes(), |positions| {
                let turned = |(axis, &position): (usize, &usize)| {
                    let is_turned = named.is_empty() || named.contains(&axis);
                    if is_turned { self.axes[axis].extent - 1 - position } else { position }
                };
                positions.iter().enumerate().map(turned).collect()
            }),
            Op::Permute(order) => {
                let axes = order.iter().map(|&axis| self.axes[axis]).collect();
                self.view(axes, |positions| {
                    let mut own = vec![0; order.len()];
                    for (&axis, &position) in order.iter().zip(positions) {
                        own[axis] = position;
                    }
                    own
                })
            }
            Op::Diagonal => {
                let (first, second) = (self.axes[0], self.axes[1]);
                let mut axes = axes();
                axes.remove(0);
                axes[0] = Axis::new(first.lower, first.step, first.extent.min(second.extent));
                self.view(axes, |positions| [&positions[..1], positions].concat())
            }
            Op::Repeat(axis, times, shape) => {
                let stretched = self.broadcast(shape)?;
                let mut axes = stretched.axes.clone();
                axes.insert(*axis, Axis::new(0, 1, times.0 as usize));
                stretched.view(axes, |positions| {
                    let mut own = positions.to_vec();
                    own.remove(*axis);
                    own
                })
            }
            Op::Broadcast(shape) => return self.broadcast(shape),
            Op::Reshape(shape) => {
                let axes: Vec<Axis> = shape.iter().map(|number| Axis::new(0, 1, number.0 as usize)).collect();
                if axes.iter().map(|axis| axis.extent).product::<usize>() != self.elements.len() {
                    return Err(FaultKind::ShapeMismatch);
                }
                Model { axes, elements: self.elements.clone() }
            }
            Op::Pad(widths, value) => {
                let widths: Vec<i64> = widths.iter().map(|width| width.0.max(0)).collect();
                let wider = |(axis, width): (&Axis, &i64)| {
                    Axis::new(axis.lower - width * axis.step, axis.step, axis.extent + 2 * *width as usize)
                };
                let axes = self.axes.iter().zip(&widths).map(wider).collect();
                Model::of(axes, |positions| {
                    let own = self.axes.iter().zip(&widths).zip(positions);
                    let own = own.map(|((axis, &width), &position)| {
                        position.checked_sub(width as usize).filter(|&position| position < axis.extent)
                    });
                    own.collect::<Option<Vec<usize>>>().map_or(value.0, |own| self.element(&own))
                })
            }
            Op::Stack(axis, other) => return self.stack(*axis, &others[*other]),
            Op::Fuse(other) => return self.fuse(&others[*other]),
            Op::Where(ranges, other) => return self.elsewhere(ranges, &others[*other]),
            Op::Reference(places) => self.reference(places),
            Op::Overwrite(other) => {
                let part = &others[*other];
                Model::of(axes(), |positions| {
                    part.at(&self.point(positions)).unwrap_or_else(|| self.element(positions))
                })
            }
        })
    }

    /// The coordinates at these positions.
    fn point(&self, positions: &[usize]) -> Vec<i64> {
        self.axes.iter().zip(positions).map(|(axis, &position)| axis.coordinate(position)).collect()
    }

    /// The element at these coordinates, if there is one.
    fn at(&self, point: &[i64]) -> Option<i64> {
        let positions = self.axes.iter().zip(point).map(|(axis, &coordinate)| axis.position(coordinate));
        positions.collect::<Option<Vec<usize>>>().map(|positions| self.element(&positions))
    }

    /// All points of both, which are those of some ranges.
    fn fuse(&self, other: &Model) -> Result<Model> {
        let there: Vec<&Model> =
            [self, other].into_iter().filter(|array| !array.elements.is_empty()).collect();
        if there.is_empty() {
            return Ok(self.clone());
        }
        let mut axes = Vec::new();
        for number in 0..self.axes.len() {
            let of = there.iter().map(|array| array.axes[number]);
            let mut all: Vec<i64> =
                of.flat_map(|axis| (0..axis.extent).map(move |position| axis.coordinate(position))).collect();
            all.sort_unstable();
            all.dedup();
            axes.push(progression(&all).ok_or(FaultKind::ShapeMismatch)?);
        }
        let whole = Model::of(axes, |_| 0);
        let mut is_wrong = false;
        let fused = Model::of(whole.axes.clone(), |positions| {
            let point = whole.point(positions);
            let found: Vec<i64> = there.iter().filter_map(|array| array.at(&point)).collect();
            is_wrong |= found.len() != 1;
            found.first().copied().unwrap_or(0)
        });
        if is_wrong { Err(FaultKind::ShapeMismatch) } else { Ok(fused) }
    }

    /// These elements at coordinates in the ranges, and those of `other` at the same positions elsewhere.
    fn elsewhere(&self, ranges: &[Part], other: &Model) -> Result<Model> {
        if self.axes.iter().zip(&other.axes).any(|(axis, of)| axis.extent != of.extent) {
            return Err(FaultKind::ShapeMismatch);
        }
        let is_in = |(part, coordinate): (&Part, i64)| match part {
            Part::All => true,
            Part::At(number) => coordinate == number.0,
            Part::Range(low, high, step) => {
                let is_on = |low: Number| {
                    coordinate >= low.0 && (coordinate - low.0) % step.map_or(1, |step| step.0) == 0
                };
                low.is_none_or(is_on) && high.is_none_or(|high| coordinate < high.0)
            }
        };
        Ok(Model::of(self.axes.clone(), |positions| {
            let is_inside = ranges.iter().zip(self.point(positions)).all(is_in);
            if is_inside { self.element(positions) } else { other.element(positions) }
        }))
    }

    /// At each point what this has at these places of it, and the points for which it has them all.
    fn reference(&self, places: &[Place]) -> Model {
        let mut axes = vec![Axis::new(0, 1, 0); places.iter().filter(|place| place.index.is_some()).count()];
        for (axis, place) in self.axes.iter().zip(places) {
            let Some(index) = place.index else { continue };
            let away = (0..axis.extent).map(|position| axis.coordinate(position) - place.plus.0);
            let mut all: Vec<i64> =
                away.filter(|away| away % place.scale == 0).map(|away| away / place.scale).collect();
            all.sort_unstable();
            axes[index] = progression(&all).expect("a part of a range is one");
        }
        let point = |at: &[i64]| -> Vec<i64> {
            let place = |place: &Place| place.index.map_or(0, |index| place.scale * at[index]) + place.plus.0;
            places.iter().map(place).collect()
        };
        let is_there = self
            .axes
            .iter()
            .zip(places)
            .all(|(axis, place)| place.index.is_some() || axis.position(place.plus.0).is_some());
        if !is_there {
            axes[0].extent = 0;
        }
        let whole = Model::of(axes, |_| 0);
        Model::of(whole.axes.clone(), |positions| {
            self.at(&point(&whole.point(positions))).expect("there is such an element")
        })
    }

    fn broadcast(&self, shape: &[Number]) -> Result<Model> {
        let mut axes = self.axes.clone();
        for (axis, number) in axes.iter_mut().zip(shape) {
            match axis.extent {
                1 => *axis = Axis::new(axis.lower, 1, number.0 as usize),
                extent if extent as i64 != number.0 => return Err(FaultKind::ShapeMismatch),
                _ => {}
            }
        }
        Ok(self.view(axes, |positions| {
            let own = |(axis, &position): (&Axis, &usize)| if axis.extent == 1 { 0 } else { position };
            self.axes.iter().zip(positions).map(own).collect()
        }))
    }

    fn slice(&self, parts: &[Part]) -> Result<Model> {
        // Which positions of each axis, and whether there is one for them.
        let (mut axes, mut kept) = (Vec::new(), Vec::new());
        for (axis, part) in self.axes.iter().zip(parts) {
            let there = |coordinate| axis.position(coordinate).ok_or(FaultKind::IndexOutOfBounds);
            kept.push(match part {
                Part::At(number) => vec![there(number.0)?],
                Part::All => {
                    axes.push(*axis);
                    (0..axis.extent).collect()
                }
                Part::Range(low, high, step) => {
                    let low = low.map_or(axis.lower, |number| number.0);
                    let high = high.map_or(axis.behind(), |number| number.0);
                    let step = step.map_or(1, |number| number.0);
                    let step = usize::try_from(step).ok().filter(|&step| step > 0);
                    let coordinates = (low..high).step_by(step.ok_or(FaultKind::IndexOutOfBounds)?);
                    let positions: Vec<usize> = coordinates.map(there).collect::<Result<_>>()?;
                    axes.push(Axis::new(low, step.unwrap_or(1) as i64, positions.len()));
                    positions
                }
            });
        }
        Ok(self.view(axes, |positions| {
            let mut positions = positions.iter();
            let own = kept.iter().zip(parts).map(|(kept, part)| match part {
                Part::At(_) => kept[0],
                _ => kept[*positions.next().expect("one for each axis that is left")],
            });
            own.collect()
        }))
    }

    fn stack(&self, along: usize, other: &Model) -> Result<Model> {
        let mut axes = self.axes.clone();
        for (number, (axis, of)) in axes.iter_mut().zip(&other.axes).enumerate() {
            if number == along {
                *axis = Axis::new(axis.lower, axis.step, axis.extent + of.extent);
            } else if axis != of {
                return Err(FaultKind::ShapeMismatch);
            }
        }
        let first = self.axes[along].extent;
        Ok(Model::of(axes, |positions| match positions[along].checked_sub(first) {
            None => self.element(positions),
            Some(behind) => {
                let mut own = positions.to_vec();
                own[along] = behind;
                other.element(&own)
            }
        }))
    }
}

/// The range of these coordinates, if they are one.
fn progression(coordinates: &[i64]) -> Option<Axis> {
    let (lower, next) = (coordinates.first().copied().unwrap_or(0), coordinates.get(1));
    let axis = Axis::new(lower, next.map_or(1, |next| next - lower), coordinates.len());
    coordinates.iter().enumerate().all(|(position, &of)| axis.coordinate(position) == of).then_some(axis)
}

/// The first k positions of an axis, of a negative number the last ones; or all others, if `drops`.
fn keep(of: Axis, k: i64, drops: bool) -> (Axis, Box<dyn Fn(usize) -> usize>) {
    let count = k.unsigned_abs().min(of.extent as u64) as usize;
    let kept = match (drops, k < 0) {
        (false, false) => 0..count,
        (false, true) => of.extent - count..of.extent,
        (true, false) => count..of.extent,
        (true, true) => 0..of.extent - count,
    };
    let into = Axis::new(of.coordinate(kept.start), of.step, kept.len());
    (into, Box::new(move |position| kept.start + position))
}
