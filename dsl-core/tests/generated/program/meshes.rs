//! Arrays along axes with names, and tables that lead from one to the other.

use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;
use super::arrays::Made;

/// The axes that a program declares.
const AXES: [&str; 2] = ["Cell", "Edge"];

impl Generator<'_> {
    /// `axis Cell; axis Edge;`, if the program names axes.
    pub(super) fn axes(&self) -> String {
        if self.names_axes { AXES.map(|axis| format!("axis {axis}; ")).concat() } else { String::new() }
    }

    /// The type of an array along these axes.
    fn along(&mut self, element: &Type, axes: &str) -> String {
        self.names_axes = true;
        let element = self.spell.ty(element);
        if self.spell.is_rust() {
            format!("Array<{element}; {axes}>")
        } else {
            format!("array[{element}; {axes}]")
        }
    }

    /// An array of which the axes have names, or that is made of such.
    pub(super) fn named(&mut self, element: &Type) -> Made {
        match self.tape.pick(5) {
            0 => self.of_named_axes(element),
            1 => self.along_both(element),
            _ => self.along_table(element),
        }
    }

    /// Any array, along axes with names.
    fn of_named_axes(&mut self, element: &Type) -> Made {
        let of = self.array_of_points(element);
        let array = self.name();
        let names: Vec<&str> = (0..of.axes).map(|_| self.tape.of(&AXES)).collect();
        let ty = self.along(element, &names.join(", "));
        let text = match self.tape.pick(4) {
            0 => array.clone(),
            1 => format!("{array}.transpose().transpose()"),
            2 => format!("{array}.transpose()"),
            _ => format!("{array}[1L..]"),
        };
        Made { text: format!("(let {array}: {ty} = {}; {text})", of.text), axes: of.axes }
    }

    /// Arrays along one axis and along both, together.
    fn along_both(&mut self, element: &Type) -> Made {
        let (both, one) = (self.name(), self.name());
        let types = [self.along(element, "Cell, Edge"), self.along(element, "Edge")];
        let values = [self.leaf(element), self.leaf(element)];
        let extent = 1 + self.tape.pick(3);
        let text = match self.tape.pick(4) {
            0 => format!("array(domain({both}), |i, j| if i < j {{ {both}[i, j] }} else {{ {one}[j] }})"),
            1 => format!("zip({both}, {one}.expand(0)).map(|p| p.$0)"),
            2 => format!("array(domain({both}), |i, j| {one}[j])"),
            _ => format!("stack(0, {both}, {both})"),
        };
        let text = format!(
            "(let {both}: {} = array((2L, {extent}L), |i, j| {}); let {one}: {} = array({extent}L, |i| {}); {text})",
            types[0], values[0], types[1], values[1]
        );
        Made { text, axes: 2 }
    }

    /// What cells read of edges.
    fn along_table(&mut self, element: &Type) -> Made {
        let (table, edges, weights) = (self.name(), self.name(), self.name());
        let entry = Type::Scalar(self.tape.of(&[Scalar::I64, Scalar::I32, Scalar::I8, Scalar::U16]));
        let types =
            [self.along(&entry, "Cell, 2"), self.along(element, "Edge"), self.along(&Type::I64, "Cell, 2")];
        // Some lead out of the edges, and where they are below 0 to none.
        let entries = self.tape.of(&["(i + j) % 3L", "i * j", "i + j - 1L", "1L - i - j"]);
        let entries = self.spell.cast(entry.as_scalar().expect("an integer").name(), &format!("({entries})"));
        let value = self.leaf(element);
        let or = self.leaf(element);
        let body = self.for_each(|this| {
            let x = this.bind(element);
            let body = if this.tape.pick(2) == 1 { this.expr(element) } else { x.clone() };
            this.spell.closure(&[x], None, &body)
        });
        let read = match self.tape.pick(6) {
            0 => format!("{edges}.stencil(|c| c.to({table}, 1L)[0])"),
            1 => format!(
                "{edges}.stencil(|c| neighbours({table}, c).map(|e| e[0]).map({body}).fold({or}, |p, q| q))"
            ),
            2 => format!("{edges}.stencil(|c| lift(|e| e[0], c).to({table}, 0L)[0])"),
            3 => format!(
                "{edges}.stencil(|c| zip(neighbours({table}, c), {weights}[c.at()]).map(|(e, w)| if w > 0L {{ e[0] }} else {{ {or} }})[0L])"
            ),
            4 => format!(
                "array(extent({table}, 0), |v| neighbours({table}, v).map(|e| {edges}[e]).fold({or}, |p, q| q))"
            ),
            _ => format!("{edges}.map({body}).stencil(|c| c.to({table}, 0L)[0])"),
        };
        let text = format!(
            "(let {table}: {} = array((3L, 2L), |i, j| {entries}); let {edges}: {} = array(3L, |i| {value}); \
             let {weights}: {} = array((3L, 2L), |i, j| i - j); {read})",
            types[0], types[1], types[2]
        );
        Made { text, axes: 1 }
    }
}
