//! Views of arrays: chosen by bytes, and as the text of a program.

use super::model::Model;

/// A number, and whether the program knows it or gets it as an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) i64, pub(crate) bool);

/// A coordinate of the array that is referred to: an index, if there is one, times a constant, and a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) index: Option<usize>,
    pub(crate) scale: i64,
    pub(crate) plus: Number,
}

/// What stands between brackets for an axis.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    All,
    At(Number),
    Range(Option<Number>, Option<Number>, Option<Number>),
}

/// A view of an array, or of two.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Slice(Vec<Part>),
    Take(Vec<Number>),
    Drop(Vec<Number>),
    Rotate(Vec<Number>),
    Shift(Vec<Number>),
    MoveTo(Vec<Number>),
    Spread(Vec<Number>),
    /// These axes, or all.
    Reverse(Vec<usize>),
    Permute(Vec<usize>),
    Diagonal,
    /// A new axis in this place, of so many positions; the others have these extents.
    Repeat(usize, Number, Vec<Number>),
    Broadcast(Vec<Number>),
    Reshape(Vec<Number>),
    Pad(Vec<Number>, Number),
    Stack(usize, usize),
    Overwrite(usize),
    Fuse(usize),
    /// The elements of the array in these ranges of the first axes, and of the other one elsewhere.
    Where(Vec<Part>, usize),
    /// What is at this place along each axis.
    Reference(Vec<Place>),
}

/// The bytes that choose; behind the last one all are 0.
pub(crate) struct Tape<'t>(pub(crate) &'t [u8]);

impl Tape<'_> {
    pub(crate) fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    pub(crate) fn below(&mut self, below: usize) -> usize {
        self.next() as usize % below
    }

    /// A number from `low` to `high`.
    fn number(&mut self, low: i64, high: i64) -> Number {
        let byte = self.next();
        Number(low + i64::from(byte >> 1) % (high - low + 1), byte & 1 == 1)
    }

    /// Mostly `number`, and else one near it.
    fn near(&mut self, number: i64) -> Number {
        let byte = self.next();
        let away = [-1, 1, 2].get((byte >> 1) as usize % 24).unwrap_or(&0);
        Number((number + away).max(0), byte & 1 == 1)
    }

    /// A number for each of the first axes.
    fn numbers(&mut self, axes: usize, low: i64, high: i64) -> Vec<Number> {
        (0..1 + self.below(axes)).map(|_| self.number(low, high)).collect()
    }
}

impl Op {
    /// A view of the last of `arrays`.
    pub(crate) fn choose(tape: &mut Tape<'_>, arrays: &[Model]) -> Op {
        let of = arrays.last().expect("one at least");
        let axes = of.axes.len();
        let extents = |tape: &mut Tape<'_>| -> Vec<Number> {
            of.axes.iter().map(|axis| tape.near(axis.extent as i64)).collect()
        };
        match tape.below(22) {
            0..3 => Op::slice(tape, of),
            3 => Op::Take(tape.numbers(axes, -6, 6)),
            4 => Op::Drop(tape.numbers(axes, -6, 6)),
            5 => Op::Rotate(tape.numbers(axes, -7, 7)),
            6 => Op::Shift(tape.numbers(axes, -4, 4)),
            7 => Op::MoveTo(tape.numbers(axes, -4, 4)),
            8 => Op::Spread(tape.numbers(axes, 0, 3)),
            9 => Op::Reverse((0..axes).filter(|_| tape.below(2) == 1).collect()),
            10 => {
                let mut left: Vec<usize> = (0..axes).collect();
                Op::Permute((0..axes).map(|_| left.remove(tape.below(left.len()))).collect())
            }
            11 if axes > 1 => Op::Diagonal,
            12 if axes < 4 => Op::Repeat(tape.below(axes + 1), tape.number(0, 3), extents(tape)),
            13 => {
                let mut shape = extents(tape);
                for (number, axis) in shape.iter_mut().zip(&of.axes) {
                    if axis.extent == 1 {
                        *number = tape.number(0, 4);
                    }
                }
                Op::Broadcast(shape)
            }
            14 => {
                let all = of.elements.len() as i64;
                let first = tape.number(1, 4);
                let rest = tape.near(all / first.0);
                match tape.below(3) {
                    0 => Op::Reshape(vec![tape.near(all)]),
                    1 => Op::Reshape(vec![first, rest]),
                    _ => Op::Reshape(vec![rest, tape.near(1), first]),
                }
            }
            15 => {
                let widths = (0..axes).map(|_| tape.number(-1, 2)).collect();
                Op::Pad(widths, tape.number(-9, 9))
            }
            20 | 21 => Op::reference(tape, of),
            number => {
                let alike: Vec<usize> =
                    (0..arrays.len()).filter(|&at| arrays[at].axes.len() == axes).collect();
                let other = alike[tape.below(alike.len())];
                match number {
                    16 => Op::Stack(tape.below(axes), other),
                    17 => Op::Overwrite(other),
                    18 => Op::Fuse(other),
                    _ => Op::Where(Op::ranges(tape, of), other),
                }
            }
        }
    }

    /// Ranges and coordinates along the first axes.
    fn ranges(tape: &mut Tape<'_>, of: &Model) -> Vec<Part> {
        let count = 1 + tape.below(of.axes.len());
        let part = |axis: &super::model::Axis| {
            let said = tape.next();
            let mut near = || {
                let number = tape.number(-1, 5);
                Number(axis.lower + axis.step * number.0, number.1)
            };
            match said % 4 {
                0 => Part::All,
                1 => Part::At(near()),
                _ => {
                    let start = (said & 4 == 4).then(&mut near);
                    let end = (said & 8 == 8).then(near);
                    let step = start.filter(|_| said & 16 == 16).map(|_| tape.number(1, 3));
                    if start.is_none() && end.is_none() { Part::All } else { Part::Range(start, end, step) }
                }
            }
        };
        of.axes[..count].iter().map(part).collect()
    }

    /// Each index stands for one coordinate; along one of several axes there may be a number alone.
    fn reference(tape: &mut Tape<'_>, of: &Model) -> Op {
        let axes = of.axes.len();
        let fixed = if axes > 1 && tape.below(3) == 2 { Some(tape.below(axes)) } else { None };
        let mut left: Vec<usize> = (0..axes - usize::from(fixed.is_some())).collect();
        let place = |(number, axis): (usize, &super::model::Axis)| {
            if fixed == Some(number) {
                let position = tape.number(-1, axis.extent as i64);
                let plus = Number(axis.lower + axis.step * position.0, position.1);
                return Place { index: None, scale: 0, plus };
            }
            let index = Some(left.remove(tape.below(left.len())));
            let scale = [1, 1, -1, 2, -2, 3, -3][tape.below(7)];
            Place { index, scale, plus: tape.number(-4, 4) }
        };
        Op::Reference(of.axes.iter().enumerate().map(place).collect())
    }

    fn slice(tape: &mut Tape<'_>, of: &Model) -> Op {
        let mut left = of.axes.len();
        let part = |axis: &super::model::Axis| {
            let (low, high) = (axis.lower, axis.behind());
            match tape.below(4) {
                0 if left > 1 => {
                    left -= 1;
                    let position = tape.number(-1, axis.extent as i64);
                    Part::At(Number(low + axis.step * position.0, position.1))
                }
                1 => Part::All,
                _ => {
                    let said = tape.next();
                    let mut near = |base: i64, inwards: i64| {
                        let steps = tape.number(-1, 5);
                        Number(base + inwards * axis.step * steps.0, steps.1)
                    };
                    let start = (said & 1 == 1).then(|| near(low, 1));
                    let end = (said & 2 == 2).then(|| near(high, -1));
                    let step = (said & 4 == 4 || axis.step > 1 && said & 8 == 8).then(|| {
                        let step = tape.number(0, 3);
                        Number(axis.step * step.0 + i64::from(said >> 4 == 15), step.1)
                    });
                    if start.is_none() && end.is_none() && step.is_none() {
                        return Part::All;
                    }
                    Part::Range(start, end, step)
                }
            }
        };
        Op::Slice(of.axes.iter().map(part).collect())
    }

    /// The indices of a reference.
    fn indices(&self) -> std::ops::Range<usize> {
        match self {
            Op::Reference(places) => 0..places.iter().filter(|place| place.index.is_some()).count(),
            _ => 0..0,
        }
    }

    /// The numbers alone.
    pub(crate) fn numbers(&self, numbers: &[Number]) -> Vec<i64> {
        numbers.iter().map(|number| number.0).collect()
    }

    /// The view of the array with this name, in the language. Arguments of the program are named here.
    pub(crate) fn text(&self, array: &str, names: &[String], args: &mut Vec<i64>) -> String {
        let mut write = |number: &Number| match *number {
            Number(number, false) => format!("({number}L)"),
            Number(number, true) => {
                args.push(number);
                format!("k{}", args.len())
            }
        };
        let point = |list: String, axes: usize| if axes == 1 { list } else { format!("({list})") };
        let counts = |axes: &[usize]| axes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        if let Op::Slice(parts) | Op::Where(parts, _) = self {
            let mut optional = |number: &Option<Number>| number.iter().map(&mut write).collect::<String>();
            let part = |part: &Part| match part {
                Part::All => "..".to_owned(),
                Part::At(number) => optional(&Some(*number)),
                Part::Range(low, high, step) => {
                    let (low, high, step) = (optional(low), optional(high), optional(step));
                    let step = if step.is_empty() { step } else { format!(" step {step}") };
                    format!("{low}..{high}{step}")
                }
            };
            let ranges = parts.iter().map(part).collect::<Vec<_>>().join(", ");
            return match self {
                Op::Where(_, other) => {
                    format!("where_domain(({ranges}), {array}, {})", names[*other])
                }
                _ => format!("{array}[{ranges}]"),
            };
        }
        if let Op::Reference(places) = self {
            let place = |place: &Place| {
                let plus = write(&place.plus);
                place.index.map_or(plus.clone(), |index| match place.scale {
                    1 => format!("i{index} + {plus}"),
                    scale => format!("({scale}) * i{index} + {plus}"),
                })
            };
            let places: Vec<String> = places.iter().map(place).collect();
            let indices = self.indices().map(|index| format!("i{index}")).collect::<Vec<_>>().join(", ");
            let goal = point(places.join(", "), places.len());
            return format!("reference({array}, |{indices}| {goal})");
        }
        let mut list = |numbers: &[Number]| numbers.iter().map(&mut write).collect::<Vec<_>>().join(", ");
        match self {
            Op::Take(numbers) => format!("take({array}, {})", list(numbers)),
            Op::Drop(numbers) => format!("drop({array}, {})", list(numbers)),
            Op::Rotate(numbers) => format!("rotate({array}, {})", list(numbers)),
            Op::Shift(numbers) => format!("shift({array}, {})", list(numbers)),
            Op::MoveTo(numbers) => format!("move_to({array}, {})", list(numbers)),
            Op::Spread(numbers) => format!("spread({array}, {})", list(numbers)),
            Op::Reverse(axes) if axes.is_empty() => format!("reverse({array})"),
            Op::Reverse(axes) => format!("reverse({array}, {})", point(counts(axes), axes.len())),
            Op::Permute(order) => match order.is_sorted_by(|a, b| a > b) {
                true => format!("transpose({array})"),
                false => format!("permute({array}, [{}])", counts(order)),
            },
            Op::Diagonal => format!("diagonal({array})"),
            Op::Repeat(axis, times, shape) => {
                let mut shape = shape.clone();
                shape.insert(*axis, *times);
                format!("broadcast(expand({array}, {axis}), ({}))", list(&shape))
            }
            Op::Broadcast(shape) => format!("broadcast({array}, {})", point(list(shape), shape.len())),
            Op::Reshape(shape) => format!("reshape({array}, {})", point(list(shape), shape.len())),
            Op::Pad(widths, value) => {
                let (widths, value) = (point(list(widths), widths.len()), list(&[*value]));
                format!("pad({array}, {widths}, {value})")
            }
            Op::Stack(axis, other) => format!("stack({axis}, {array}, {})", names[*other]),
            Op::Overwrite(other) => format!("overwrite({array}, {})", names[*other]),
            Op::Fuse(other) => format!("fuse({array}, {})", names[*other]),
            Op::Slice(_) | Op::Where(..) | Op::Reference(_) => unreachable!("they are above"),
        }
    }
}
