//! What makes a value of any type.

use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;
use super::data::is_taken_apart;
use super::spell::Step;

impl Generator<'_> {
    pub(super) fn of_any_type(&mut self, ty: &Type) -> String {
        match self.tape.pick(15) {
            0 => self.bound(ty),
            1 | 2 => {
                let (cond, then) = (self.bool(), self.expr(ty));
                let els = match self.tape.pick(3) {
                    2 => {
                        let (cond, then, els) = (self.bool(), self.expr(ty), self.leaf(ty));
                        self.spell.choice(&cond, &then, &els)
                    }
                    _ => self.expr(ty),
                };
                self.spell.choice(&cond, &then, &els)
            }
            3 => {
                let (cond, then, els) = (self.bool(), self.expr(ty), self.expr(ty));
                self.selected(ty, &cond, &then, &els)
            }
            4 => {
                let (other, of, number) = (self.ty(1), self.expr(ty), self.tape.pick(2));
                let mut fields = vec![self.expr(&other)];
                fields.insert(number, of);
                let fields = self.spell.tuple(&fields);
                self.spell.field(&fields, number)
            }
            5 => {
                let (vector, index) = (self.expr(&Type::vec(ty.clone())), self.index());
                self.spell.lookup(&vector, &index)
            }
            6 => self.looked_up(ty),
            7 => self.iterated(ty),
            8 => {
                let param = self.ty(1);
                let arg = self.expr(&param);
                let result = if self.tape.pick(3) == 2 { Some(ty) } else { None };
                let function = self.function(&param, result, |this| this.expr(ty));
                format!("({function})({arg})")
            }
            9 => {
                let value = self.expr(ty);
                let bytes = self.spell.call("serialize", &[value]);
                self.spell.deserialize(ty, &bytes)
            }
            10 => self.by_function(ty),
            12.. => {
                let expr = self.expr(ty);
                self.in_known_branch(expr, ty)
            }
            _ => match self.tape.pick(3) {
                0 => {
                    let (held, then) = (format!("assert({})", self.bool()), self.expr(ty));
                    let els = self.leaf(ty);
                    self.spell.choice(&held, &then, &els)
                }
                1 => {
                    let (held, then) = (self.bool(), self.expr(ty));
                    format!("(let _ = assert({held}); {then})")
                }
                _ => {
                    let bytes = self.leaf(&Type::vec(Type::Scalar(Scalar::U8)));
                    self.spell.deserialize(ty, &bytes)
                }
            },
        }
    }

    /// `let pattern = value; body`
    fn bound(&mut self, ty: &Type) -> String {
        let bound = self.ty(1);
        let value = self.expr(&bound);
        self.scoped(|this| {
            if is_taken_apart(&bound) && this.tape.pick(2) == 1 {
                let (names, whole) = (this.bind_fields(&bound), this.name());
                let body = this.expr(ty);
                let (pattern, body) = this.taken_apart(&bound, &whole, &names, body);
                return this.spell.binding(&pattern, &bound, &value, &body);
            }
            let name = this.bind_over(&bound);
            let body = this.expr(ty);
            this.spell.binding(&name, &bound, &value, &body)
        })
    }

    /// `iterate({init, 0}, |s| {{next, s.$1 + 1}, more}).$0`
    fn iterated(&mut self, ty: &Type) -> String {
        let (init, steps, s) = (self.expr(ty), 1 + self.tape.pick(3), self.name());
        // Each step may square how many elements there are: of four, four steps make more than there is memory for.
        let steps = if ty.is_scalars() { steps } else { 1 };
        let body = self.repeated(steps, |this| {
            this.bind_part(&s, Step::Number(0), ty);
            let (next, count) = (this.expr(ty), this.spell.field(&s, 1));
            let next = this.spell.tuple(&[next, format!("{count} + 1")]);
            let few = format!("{} < {steps}", this.spell.field(&s, 1));
            let more = match this.tape.pick(3) {
                0 => format!("({} && {few})", this.bool()),
                _ => few,
            };
            this.spell.tuple(&[next, more])
        });
        let init = self.spell.tuple(&[init, "0".to_owned()]);
        let function = self.spell.closure(&[s], None, &body);
        self.spell.field(&format!("iterate({init}, {function})"), 0)
    }
}
