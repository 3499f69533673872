//! Arrays that are read around each point, put together of others, scanned and multiplied.

use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;
use super::arrays::Made;
use super::data::is_ordered;

impl Generator<'_> {
    /// The function of a scan: what it gives for what it gave before, and an element.
    pub(super) fn scan_step(&mut self, element: &Type) -> String {
        self.for_each(|this| {
            let (carry, x) = (this.bind(element), this.bind(element));
            let body = if this.tape.pick(3) == 2 { this.expr(element) } else { x.clone() };
            this.spell.closure(&[carry, x], None, &body)
        })
    }

    /// `a.stencil(policy, |c| …)`
    pub(super) fn stencil(&mut self, element: &Type) -> Made {
        let over = self.ty(0);
        let of = self.array(&over);
        let policy = match self.tape.pick(5) {
            0 | 1 => String::new(),
            2 => "clamp, ".to_owned(),
            3 => "wrap, ".to_owned(),
            _ => format!("pad({}), ", self.leaf(&over)),
        };
        let (cursor, inner) = (self.name(), self.name());
        let reads = [(); 2].map(|()| {
            let away = self.offsets(of.axes);
            match self.tape.pick(4) {
                3 => {
                    let further = self.offsets(of.axes);
                    format!("lift(|{inner}| {inner}[{further}], {cursor})[{away}]")
                }
                2 => format!("{cursor}.shift({away})[{}]", self.offsets(of.axes)),
                _ => format!("{cursor}[{away}]"),
            }
        });
        let body = self.for_each(|this| {
            let names = [(); 2].map(|()| this.bind(&over));
            let body = this.expr(element);
            format!("(let {} = {}; let {} = {}; {body})", names[0], reads[0], names[1], reads[1])
        });
        // One that gives what it reads may be called by its name.
        let function = format!("|{cursor}| {body}");
        let (array, named) = (self.name(), self.name());
        let text = if self.tape.pick(2) == 1 {
            format!("(let {named} = {function}; stencil({}, {policy}{named}))", of.text)
        } else {
            format!("(let {array} = {}; {array}.stencil({policy}{function}))", of.text)
        };
        Made { text, axes: of.axes }
    }

    fn offsets(&mut self, axes: usize) -> String {
        let offsets: Vec<&str> = (0..axes).map(|_| self.tape.of(&["0", "-1", "1", "2"])).collect();
        offsets.join(", ")
    }

    /// An array that others make.
    pub(super) fn put_together(&mut self, element: &Type) -> Made {
        let is_number = matches!(element, Type::Scalar(scalar) if *scalar != Scalar::Bool);
        let of = self.array(element);
        let (a, axes) = (self.name(), of.axes);
        let axis = self.tape.pick(axes);
        let (text, axes) = match self.tape.pick(20) {
            0 => (format!("stack({axis}, {a}, {a}.reverse(), {a})"), axes),
            1 => {
                let widths = vec!["1"; axes].join(", ");
                let widths = if axes == 1 { widths } else { format!("({widths})") };
                (format!("pad({a}, {widths}, {})", self.leaf(element)), axes)
            }
            2 => {
                let part =
                    self.tape.of(&["[1L..]", "[..2L]", "[0L..2L step 2L]", ".shift(1L)", ".move_to(-1L)"]);
                (format!("overwrite({a}, {a}.reverse(){part})"), axes)
            }
            3 => {
                let ranges = self.tape.of(&["1L..2L", "(..1L)", "0L..3L step 2L", "1L"]);
                (format!("where_domain({ranges}, {a}, {a}.reverse())"), axes)
            }
            4 | 7 | 10 => {
                let (init, step) = (self.leaf(element), self.scan_step(element));
                let name = self.tape.of(&["scan", "scan_back", "scan_back"]);
                (self.spell.call(name, &[a.clone(), axis.to_string(), init, step]), axes)
            }
            5 | 8 => {
                let n = self.tape.pick(3);
                let zeros = vec!["0"; axes - 1].join(", ");
                let away = if axes == 1 { "1".to_owned() } else { format!("1, {zeros}") };
                let policy = self.tape.of(&["clamp", "wrap"]);
                let step = format!("|{a}| {a}.stencil({policy}, |c| c[{away}])");
                (self.spell.call("times", &[format!("({n}L)"), a.clone(), step]), axes)
            }
            9 => {
                // Of each row of a table the first entry that is one.
                let table = self.name();
                let row = self.spell.call("neighbours", &[table.clone(), "v".to_owned()]);
                let first = format!("({row}.map(|e| {}))[0L]", self.leaf(element));
                let entries = "array((2L, 2L), |i, j| i * 2L - j)";
                (format!("(let {table} = {entries}; array(2L, |v| {first}))"), 1)
            }
            12 => {
                // A part of it, or all, turned round.
                let names: Vec<String> = (0..axes).map(|number| format!("p{number}")).collect();
                let mut places = names.clone();
                places[axis] = match self.tape.pick(3) {
                    0 => format!("1L - {}", names[axis]),
                    1 => format!("2 * {}", names[axis]),
                    _ => format!("{} * -3 + 1L", names[axis]),
                };
                places.swap(0, axes - 1);
                let place = if axes == 1 { places[0].clone() } else { format!("({})", places.join(", ")) };
                let function = format!("|{}| {place}", names.join(", "));
                (self.spell.call("reference", &[a.clone(), function]), axes)
            }
            13 => {
                let part = self.tape.of(&["[1L..]", "[..1L]", ".spread(2L).shift(1L)", ".shift(2L)"]);
                let first = self.tape.of(&["[..1L]", ".spread(2L)", ""]);
                (format!("fuse({a}{first}, {a}{part})"), axes)
            }
            14 if is_ordered(element) => (self.spell.call("sort", &[a.clone(), axis.to_string()]), axes),
            15 if is_number => {
                let name = self.tape.of(&["cumsum", "cumprod"]);
                (self.spell.call(name, &[a.clone(), axis.to_string()]), axes)
            }
            16 if matches!(element, Type::Scalar(Scalar::F32 | Scalar::F64)) && axes > 1 => {
                let name = self.tape.of(&["mean", "var"]);
                (self.spell.call(name, &[a.clone(), axis.to_string()]), axes - 1)
            }
            16 if *element == Type::I64 => (self.spell.call("argsort", &[a.clone(), axis.to_string()]), axes),
            17 if is_number => {
                let policy = self.tape.of(&["", ", wrap", ", clamp"]);
                (format!("convolve({a}, {a}.take(2L){policy})"), axes)
            }
            18 => {
                // Entries that are missing are faults where they are read.
                let table = self.name();
                let entries = self.tape.of(&["i * j", "1L - i - j", "(i + j) % 2L"]);
                let policy = self.tape.of(&["", "clamp, ", "wrap, "]);
                let zeros = vec!["0"; axes].join(", ");
                let read = match self.tape.pick(3) {
                    0 => format!("c.to({table}, 1L)[{zeros}]"),
                    1 => format!("lift(|x| x[{zeros}], c).to({table}, 0L)[{zeros}]"),
                    _ => format!("neighbours({table}, c).map(|e| e[{zeros}])[0L]"),
                };
                (
                    format!(
                        "(let {table} = array((2L, 2L), |i, j| {entries}); {a}.stencil({policy}|c| {read}))"
                    ),
                    axes,
                )
            }
            19 => {
                let names: Vec<String> = (0..axes).map(|number| format!("p{number}")).collect();
                let point = names.join(", ");
                let goal = if axes == 1 {
                    "p0 * 2L".to_owned()
                } else {
                    format!("({})", point.replacen("p0", "p0 - 1L", 1))
                };
                let policy = self.tape.of(&["", "clamp, ", "wrap, "]);
                let zeros = vec!["0"; axes].join(", ");
                (format!("{a}.stencil({policy}|c| c.seek(|{point}| {goal})[{zeros}])"), axes)
            }
            // Seldom of as many elements.
            11 => (format!("{a}.flat().shaped({}L)", 4 + self.tape.pick(3)), 1),
            6 if is_number && axes == 1 => {
                (format!("outer({a}, {a}, {})", self.tape.of(&["+", "*", "max"])), 2)
            }
            6 if is_number && axes == 2 => {
                let reduced = self.tape.of(&["+, *", "max, +", "|x, y| y, min"]);
                (format!("inner({a}, {a}.transpose(), {reduced})"), 2)
            }
            _ => {
                let names: Vec<String> = (0..axes).map(|number| format!("p{number}")).collect();
                let point = names.join(", ");
                // Moved along all axes, and along the last one in steps, too, or some points from the same.
                let by = self.tape.of(&["+ 1L", "- 1L", "- 2L"]);
                let last =
                    self.tape.of(&["p", "p * 2L", "p / 2L", "p / 2L + p % 2L", "p * 4L", "(p + 3L) / 4L"]);
                let moved = names.iter().enumerate().map(|(axis, name)| match axis + 1 < axes {
                    true => format!("{name} {by}"),
                    false => format!("{} {by}", last.replace('p', name)),
                });
                let moved = format!("({})", moved.collect::<Vec<_>>().join(", "));
                let or = self.leaf(element);
                (format!("array(domain({a}), |{point}| {a}.get({moved}, {or}))"), axes)
            }
        };
        Made { text: format!("(let {a} = {}; {text})", of.text), axes }
    }
}
