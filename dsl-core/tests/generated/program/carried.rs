//! Builders that travel: through closures, structs and the state of `iterate`.

use weldment_runtime::lang::types::Type;

use super::Generator;
use super::builders::Merged;
use super::spell::Step;

impl<'t> Generator<'t> {
    /// `(|c| update)(b)`
    pub(super) fn through_closure(&mut self, b: &str, merged: Merged<'_, 't>) -> String {
        let c = self.name();
        let update = self.update_with(&c, merged);
        let closure = self.spell.closure(&[c], None, &update);
        format!("({closure})({b})")
    }

    /// `let s = {b, value}; update s.$0`, where the value can be read.
    pub(super) fn through_struct(&mut self, b: &str, merged: Merged<'_, 't>) -> String {
        let (s, beside) = (self.name(), self.ty(1));
        let held = self.expr(&beside);
        let update = self.scoped(|this| {
            this.bind_part(&s, Step::Number(1), &beside);
            let part = this.spell.field(&s, 0);
            this.update_with(&part, merged)
        });
        let held = self.spell.tuple(&[b.to_owned(), held]);
        format!("(let {s} = {held}; {update})")
    }

    /// `iterate({b, 0}, |s| {{update s.$0, s.$1 + 1}, s.$1 < 2}).$0`
    pub(super) fn through_iterate(&mut self, b: &str, merged: Merged<'_, 't>) -> String {
        let (s, steps) = (self.name(), self.tape.pick(3));
        let update = self.repeated(1 + steps, |this| {
            this.bind_part(&s, Step::Number(1), &Type::I32);
            let part = this.spell.field(&s, 0);
            this.update_with(&part, merged)
        });
        let (count, again) = (self.spell.field(&s, 1), self.spell.field(&s, 1));
        let next = self.spell.tuple(&[update, format!("{count} + 1")]);
        let body = self.spell.tuple(&[next, format!("{again} < {steps}")]);
        let (init, function) =
            (self.spell.tuple(&[b.to_owned(), "0".to_owned()]), self.spell.closure(&[s], None, &body));
        self.spell.field(&format!("iterate({init}, {function})"), 0)
    }
}
