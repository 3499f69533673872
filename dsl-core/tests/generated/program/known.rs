//! Branches whose condition is known when the program is compiled: what stands in the one that is taken becomes part of what is
//! around it, whatever passes have made of both by then.

use weldment_runtime::lang::types::Type;

use super::Generator;

impl Generator<'_> {
    /// `expr`, of type `ty`, in a branch that is taken or not.
    pub(super) fn in_known_branch(&mut self, expr: String, ty: &Type) -> String {
        let other = if self.tape.pick(3) == 2 { self.expr(ty) } else { self.leaf(ty) };
        let [then, els] = if self.tape.pick(4) < 3 { [expr, other] } else { [other, expr] };
        if self.tape.pick(6) == 5 {
            return format!("select({}, {then}, {els})", self.known());
        }
        self.known_choice(&then, &els)
    }

    /// `then`, or `els`: mostly the first.
    pub(super) fn known_choice(&mut self, then: &str, els: &str) -> String {
        let known = self.known();
        if self.tape.pick(3) < 2 {
            return self.spell.choice(&known, then, els);
        }
        let name = self.name();
        let body = self.spell.choice(&name, then, els);
        self.spell.binding(&name, &Type::BOOL, &known, &body)
    }

    /// A condition: a literal, or a comparison of literals, most of which hold.
    fn known(&mut self) -> String {
        let conditions = [
            "true",
            "(1L < 2L)",
            "(0.5 < 1.5)",
            "(2L == 2L)",
            "(!(3L < 2L))",
            "(1L <= 2L && 2L <= 3L)",
            "false",
            "(2L < 1L)",
        ];
        self.tape.of(&conditions).to_owned()
    }
}
