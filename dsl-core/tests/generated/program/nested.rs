//! Reductions inside of loops, in the shapes that passes and emitters look for: for each key, along columns, and of rows that are
//! stored.

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::Type;

use super::Generator;

/// How many elements are enough for a table of what is reduced for each key to pay.
const MANY: usize = 700;

/// How many columns there are at most.
const COLUMNS: usize = 20;

impl Generator<'_> {
    /// For each of several keys, what the elements with that key are reduced to.
    pub(super) fn for_each_key(&mut self, element: &Type) -> String {
        let (key, keys) = match self.tape.pick(4) {
            3 => {
                let key = self.key_ty();
                let keys = self.expr(&Type::vec(key.clone()));
                (key, keys)
            }
            _ => {
                let (vector, _) = self.some_vector();
                let number = self.spell.call("len", &[vector]);
                (Type::I64, format!("rangeiter(0L, {number}, 1L)"))
            }
        };
        let function = self.for_each(|this| {
            // Mostly the key is compared only.
            let wanted = if this.tape.pick(4) == 3 { this.bind(&key) } else { this.name() };
            let mut times = this.longest;
            let (source, over) = match this.tape.pick(4) {
                0 if this.affords(MANY) => {
                    times = MANY;
                    (format!("rangeiter(0L, {MANY}L, 1L)"), Type::I64)
                }
                3 => this.source(),
                _ => this.some_vector(),
            };
            let reduced = this.reduced(element, &source, times, |this, b, op| {
                let (i, x) = (this.bind(&Type::I64), this.bind(&over));
                let compared = match this.tape.pick(3) {
                    0 => this.leaf(&key),
                    1 if key == Type::I64 => format!("({} % 3L)", this.leaf(&key)),
                    _ => this.expr(&key),
                };
                let test = format!("({compared} == {wanted})");
                let cond = match this.tape.pick(4) {
                    2 => format!("({test} && {})", this.bool()),
                    3 => format!("({} && {test})", this.bool()),
                    _ => test,
                };
                let value = this.merged(op, element);
                let merged = this.spell.call("merge", &[b.to_owned(), value]);
                ([i, x], this.spell.choice(&cond, &merged, b))
            });
            this.spell.closure(&[wanted], None, &reduced)
        });
        self.spell.over_elements("map", &[keys, function], true)
    }

    /// What each column is reduced to of rows that lie one behind the other.
    pub(super) fn along_columns(&mut self, element: &Type) -> String {
        // All of them are sorted.
        if !self.affords(8 * COLUMNS * self.longest) {
            return self.leaf(&Type::vec(element.clone()));
        }
        let (all, rows, column) = (self.name(), self.name(), self.name());
        let (counted, _) = self.some_vector();
        let number = self.spell.call("len", &[counted]);
        let columns = match self.tape.pick(3) {
            2 => {
                let any = self.expr(&Type::I64);
                format!("({} % {COLUMNS}L)", self.spell.call("abs", &[any]))
            }
            _ => format!("{}L", 2 + self.tape.pick(COLUMNS - 2)),
        };
        let width = self.name();
        let body = match element.as_scalar() {
            Some(ty) if ty.is_integer() && self.tape.pick(3) == 2 => {
                self.down_columns(element, &all, [&rows, &width])
            }
            _ => self.column_by_column(element, &all, [&rows, &column, &width]),
        };
        // Sorted, it is stored, and not computed where it is read.
        let order = self.spell.call("compare", &["b".to_owned(), "a".to_owned()]);
        let order = self.spell.closure(&["a".to_owned(), "b".to_owned()], None, &order);
        let numbers = format!("rangeiter(0L, {rows} * {width}, 1L)");
        let numbers = self.spell.over_elements("sort", &[numbers, order], true);
        let body = self.spell.binding(&all, &Type::vec(Type::I64), &numbers, &body);
        let body = self.spell.binding(&width, &Type::I64, &columns, &body);
        self.spell.binding(&rows, &Type::I64, &number, &body)
    }

    /// The sums of the columns of `all` as an array of `rows` rows, of what is made of its elements.
    fn down_columns(&mut self, element: &Type, all: &str, [rows, width]: [&str; 2]) -> String {
        let function = self.function(&Type::I64, None, |this| this.near(element));
        let shaped = self.spell.call("shaped", &[all.to_owned(), format!("({rows}, {width})")]);
        let mapped = self.spell.over_elements("map", &[shaped, function], false);
        let sums = self.spell.call("sum", &[mapped, "0".to_owned()]);
        self.spell.call("flat", &[sums])
    }

    /// What a loop over the rows makes of each column.
    fn column_by_column(&mut self, element: &Type, all: &str, [rows, column, width]: [&str; 3]) -> String {
        let function = self.repeated(COLUMNS, |this| {
            let source = format!("rangeiter(0L, {rows}, 1L)");
            let reduced = this.reduced(element, &source, this.longest, |this, b, op| {
                let (i, row) = (this.name(), this.name());
                let at = this.spell.lookup(all, &format!("({row} * {width} + {column})"));
                let x = this.bind(&Type::I64);
                let value = this.merged(op, element);
                let merged = this.spell.call("merge", &[b.to_owned(), value]);
                let update = match this.tape.pick(3) {
                    2 => {
                        let cond = this.bool();
                        this.spell.choice(&cond, &merged, b)
                    }
                    _ => merged,
                };
                ([i, row], this.spell.binding(&x, &Type::I64, &at, &update))
            });
            this.spell.closure(&[column.to_owned()], None, &reduced)
        });
        let over = format!("rangeiter(0L, {width}, 1L)");
        self.spell.over_elements("map", &[over, function], true)
    }

    /// Each element's neighbour before it, by an index of which it is not known that it is inside.
    pub(super) fn neighbours(&mut self, element: &Type) -> String {
        let (all, at) = (self.name(), self.name());
        let vector = self.leaf(&Type::vec(element.clone()));
        let length = self.spell.call("len", std::slice::from_ref(&all));
        let before = self.spell.lookup(&all, &format!("({at} - 1L)"));
        let function = self.spell.closure(&[at], None, &before);
        let body = self.spell.over_elements(
            "map",
            &[format!("rangeiter(1L, max({length}, 1L), 1L)"), function],
            true,
        );
        self.spell.binding(&all, &Type::vec(element.clone()), &vector, &body)
    }

    /// Rows that are stored, for they are read again when it is known how long they are together.
    pub(super) fn stored_rows(&mut self, element: &Type) -> String {
        let row = Type::vec(element.clone());
        let rows = self.name();
        let (source, over) = self.some_vector();
        let (b, i) = (self.name(), self.name());
        let make = self.for_each(|this| {
            let x = this.bind(&over);
            // Without a condition, most are computed where they are read.
            let cond = match this.tape.pick(3) {
                2 => this.bool(),
                _ => format!("({i} % 4L < 3L)"),
            };
            let made = this.expr(&row);
            let merged = this.spell.call("merge", &[b.clone(), made]);
            let update = this.spell.choice(&cond, &merged, &b);
            this.spell.closure(&[b, i, x], None, &update)
        });
        let builder = format!("appender[{}]", self.spell.builder_ty(&row));
        let made = self.spell.call("result", &[format!("for({source}, {builder}, {make})")]);
        let (b, i, r) = (self.name(), self.name(), self.name());
        let add = self.spell.call("len", std::slice::from_ref(&r));
        let add = self.spell.call("merge", &[b.clone(), add]);
        let add = self.spell.closure(&[b, i, r], None, &add);
        let builder = format!("merger[{}, +]", self.spell.builder_ty(&Type::I64));
        let lengths = self.spell.call("result", &[format!("for({rows}, {builder}, {add})")]);
        let (length, read) = self.scoped(|this| {
            let length = this.bind(&Type::I64);
            let read = this.for_each(|this| {
                let r = this.bind(&row);
                let own = this.spell.call("len", std::slice::from_ref(&r));
                let cond = format!("({own} * 2L < {length})");
                let (then, els) = (this.expr(element), this.expr(element));
                let body = this.spell.choice(&cond, &then, &els);
                this.spell.closure(&[r], None, &body)
            });
            (length, read)
        });
        let body = self.spell.over_elements("map", &[rows.clone(), read], true);
        let body = self.spell.binding(&length, &Type::I64, &lengths, &body);
        self.spell.binding(&rows, &Type::vec(row), &made, &body)
    }

    /// A vector, of which it is best not known how long it is: mostly a variable. And the type of its elements.
    pub(super) fn some_vector(&mut self) -> (String, Type) {
        let of = self.scope.iter().filter(|variable| variable.ty.element().is_some());
        let types: Vec<Type> = of.map(|variable| variable.ty.clone()).collect();
        let vector =
            if types.is_empty() { Type::vec(Type::I64) } else { types[self.tape.pick(types.len())].clone() };
        let element = vector.element().expect("a vector").clone();
        (self.leaf(&vector), element)
    }

    /// `result(for(source, merger, |b, i, x| update))`, which runs so many `times` and whose `update` gives the names of i
    /// and x too.
    pub(super) fn reduced(
        &mut self,
        element: &Type,
        source: &str,
        times: usize,
        update: impl FnOnce(&mut Self, &str, ReduceOp) -> ([String; 2], String),
    ) -> String {
        let (op, b) = (self.operator(), self.name());
        let builder = format!("merger[{}, {op}]", self.spell.builder_ty(element));
        let closure = self.repeated(times, |this| {
            let ([i, x], update) = update(this, &b, op);
            this.spell.closure(&[b, i, x], None, &update)
        });
        self.spell.call("result", &[format!("for({source}, {builder}, {closure})")])
    }
}
