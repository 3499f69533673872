//! Arrays: made of points, of vectors and of other arrays, and read by points, by rows and as vectors.

use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

/// An array while a program is generated: how it is written, and its axes.
pub(super) struct Made {
    pub(super) text: String,
    pub(super) axes: usize,
}

impl Generator<'_> {
    /// A vector of `element`s by way of an array.
    pub(super) fn of_array(&mut self, element: &Type) -> String {
        let made = self.array(element);
        let array = self.name();
        let read = self.read_array(&array, made.axes, element);
        format!("(let {array} = {}; {read})", made.text)
    }

    /// A vector that is read of an array.
    fn read_array(&mut self, array: &str, axes: usize, element: &Type) -> String {
        match self.tape.pick(7) {
            0 => self.spell.call("flat", &[array.to_owned()]),
            6 if axes > 1 => {
                // The last along an axis, or what it begins with, or the sum of all.
                let axis = self.tape.pick(axes);
                let init = self.leaf(element);
                let last = self.for_each(|this| {
                    // It has to be associative, as the last one is, and what depends on neither.
                    let other = if this.tape.pick(3) == 2 { Some(this.expr(element)) } else { None };
                    let (acc, x) = (this.bind(element), this.bind(element));
                    let body = other.unwrap_or_else(|| x.clone());
                    this.spell.closure(&[acc, x], None, &body)
                });
                let is_integer = matches!(element, Type::Scalar(scalar) if scalar.is_integer());
                let folded = match self.tape.pick(if is_integer { 3 } else { 2 }) {
                    2 => self.spell.call("sum", &[array.to_owned(), axis.to_string()]),
                    0 => self.spell.call("fold", &[array.to_owned(), axis.to_string(), init, last]),
                    _ => {
                        let first = "|p, q| p".to_owned();
                        self.spell.call("reduce", &[array.to_owned(), axis.to_string(), first])
                    }
                };
                self.spell.call("flat", &[folded])
            }
            1 => {
                let point = self.point(axes);
                let rest = format!("{array}[{point}]");
                format!("[{rest}, {rest}]")
            }
            2 if axes > 1 => {
                let row = self.tape.pick(3);
                let row = format!("{array}[{row}L]");
                let row = if axes > 2 { format!("{row}[0L]") } else { row };
                self.spell.call("flat", &[row])
            }
            3 => {
                let closure = self.function(element, None, |this| this.bool());
                self.spell.over_elements("filter", &[array.to_owned(), closure], true)
            }
            4 => {
                let copy = self.spell.over_elements("map", &[array.to_owned(), "|x| x".to_owned()], false);
                let twice = format!("zip({array}, {copy})");
                let first = self.spell.over_elements("map", &[twice, "|p| p.$0".to_owned()], false);
                self.spell.call("flat", &[first])
            }
            _ => {
                let extent = self.tape.pick(axes);
                let number = self.tape.of(&["extent", "lower"]);
                let number = self.spell.call(number, &[array.to_owned(), format!("{extent}")]);
                let shape = self.spell.call("shape", &[array.to_owned()]);
                let sum = if axes == 1 { shape } else { format!("{shape}.$0") };
                let flat = self.spell.call("flat", &[array.to_owned()]);
                self.spell.call("slice", &[flat, "0L".to_owned(), format!("({number} + {sum}) % 3L")])
            }
        }
    }

    /// An index for each axis, as they stand between brackets.
    fn point(&mut self, axes: usize) -> String {
        let indices: Vec<String> = (0..axes).map(|_| format!("{}L", self.tape.pick(3))).collect();
        indices.join(", ")
    }

    /// Some elements of an array, at other coordinates.
    fn view(&mut self, element: &Type) -> Made {
        let of = self.array(element);
        let (array, axes) = (self.name(), of.axes);
        let a = || array.clone();
        let number = self.tape.pick(4);
        let signed = |number: usize| if number == 3 { "-1L".to_owned() } else { format!("{number}L") };
        let (text, axes) = match self.tape.pick(10) {
            0 => {
                let name = self.tape.of(&["take", "drop", "rotate", "shift", "move_to"]);
                (self.spell.call(name, &[a(), signed(number)]), axes)
            }
            1 => {
                let args = if number == 3 { vec![a()] } else { vec![a(), (number % axes).to_string()] };
                (self.spell.call("reverse", &args), axes)
            }
            2 => (self.spell.call("transpose", &[a()]), axes),
            3 => {
                let order: Vec<String> = (0..axes).map(|axis| ((axis + 1) % axes).to_string()).collect();
                (self.spell.call("permute", &[a(), format!("[{}]", order.join(", "))]), axes)
            }
            4 if axes < 4 => {
                let inserted = self.spell.call("expand", &[a(), "0".to_owned()]);
                let extents: Vec<String> =
                    (0..axes).map(|axis| self.spell.call("extent", &[a(), axis.to_string()])).collect();
                let shape = format!("(2L, {})", extents.join(", "));
                (self.spell.call("broadcast", &[inserted, shape]), axes + 1)
            }
            5 if axes > 1 => (self.spell.call("diagonal", &[a()]), axes - 1),
            6 => {
                let flat = self.spell.call("flat", &[a()]);
                let all = self.spell.call("len", &[flat]);
                (self.spell.call("reshape", &[a(), format!("(1L, {all})")]), 2)
            }
            7 if axes > 1 => (format!("{array}[.., {}]", signed(number)), axes - 1),
            8 => {
                // Its coordinates do not begin at 0.
                let moved = self.spell.call("shift", &[a(), "1L".to_owned()]);
                (format!("{moved}[1L..]"), axes)
            }
            _ => {
                let ranges = ["..", "1L..", "..2L", "0L..2L", "0L..3L step 2L", "2L..1L", "0L.. step 2L"];
                (format!("{array}[{}]", self.tape.of(&ranges)), axes)
            }
        };
        Made { text: format!("(let {array} = {}; {text})", of.text), axes }
    }

    pub(super) fn array(&mut self, element: &Type) -> Made {
        match self.tape.pick(12) {
            11 => self.named(element),
            6 | 7 => self.view(element),
            8 => self.stencil(element),
            9 | 10 => self.put_together(element),
            0 | 1 => self.array_of_points(element),
            2 => {
                let vector = self.name();
                let of = self.leaf(&Type::vec(element.clone()));
                let length = self.spell.call("len", std::slice::from_ref(&vector));
                let (axes, shape) = match self.tape.pick(4) {
                    0 => (1, length),
                    1 => (2, format!("({length}, 1L)")),
                    2 => (3, format!("(1L, {length}, 1L)")),
                    _ => (2, format!("({}L, 2L)", self.tape.pick(3))),
                };
                let shaped = self.spell.call("shaped", &[vector.clone(), shape]);
                let text = self.spell.binding(&vector, &Type::vec(element.clone()), &of, &shaped);
                Made { text, axes }
            }
            3 => {
                let over = self.ty(0);
                let of = self.array_of_points(&over);
                let closure = self.function(&over, None, |this| this.expr(element));
                let mapped = self.spell.over_elements("map", &[of.text, closure], false);
                let text = match self.tape.by_place(&["", "store", ""]) {
                    "" => mapped,
                    store => self.spell.call(store, &[mapped]),
                };
                Made { text, axes: of.axes }
            }
            4 if matches!(element, Type::Scalar(scalar) if *scalar != Scalar::Bool) => {
                let of = self.array_of_points(element);
                let array = self.name();
                let text = match self.tape.pick(3) {
                    0 => format!("({array} + {array})"),
                    1 => format!("(-{array})"),
                    _ => format!("({array} * {})", self.leaf(element)),
                };
                let text = format!("(let {array} = {}; {text})", of.text);
                Made { text, axes: of.axes }
            }
            _ => {
                let of = self.array_of_points(&Type::I64);
                let array = self.name();
                let function = self.over_points(of.axes, element);
                let domain = format!("domain({array})");
                let text = self.spell.call("array", &[domain, function]);
                Made { text: format!("(let {array} = {}; {text})", of.text), axes: of.axes }
            }
        }
    }

    /// `array(shape, |i, j| …)`
    pub(super) fn array_of_points(&mut self, element: &Type) -> Made {
        if *element == Type::I64 && self.tape.pick(4) == 3 {
            let extent = self.extent();
            return Made { text: self.spell.call("iota", &[extent]), axes: 1 };
        }
        let axes = 1 + self.tape.pick(3);
        let extents: Vec<String> = (0..axes).map(|_| self.extent()).collect();
        let shape = if axes == 1 { extents[0].clone() } else { format!("({})", extents.join(", ")) };
        let function = self.over_points(axes, element);
        Made { text: self.spell.call("array", &[shape, function]), axes }
    }

    fn extent(&mut self) -> String {
        match self.tape.pick(8) {
            0..4 => format!("{}L", 1 + self.tape.pick(3)),
            4 => "0L".to_owned(),
            5 => {
                let vector = Type::vec(self.ty(0));
                let vector = self.leaf(&vector);
                self.spell.call("len", &[vector])
            }
            _ => {
                let any = self.expr(&Type::I64);
                format!("({any} % 4L)")
            }
        }
    }

    /// A function of a point, by its coordinates or as it is.
    fn over_points(&mut self, axes: usize, element: &Type) -> String {
        // Most extents are 3 at most.
        let times = self.longest * 3usize.pow(axes as u32 - 1);
        self.repeated(times, |this| {
            if axes > 1 && this.tape.pick(4) == 3 {
                let point = this.bind(&Type::structure(vec![Type::I64; axes]));
                let body = this.expr(element);
                return this.spell.closure(&[point], None, &body);
            }
            let coordinates: Vec<String> = (0..axes).map(|_| this.bind(&Type::I64)).collect();
            let body = this.expr(element);
            this.spell.closure(&coordinates, None, &body)
        })
    }
}
