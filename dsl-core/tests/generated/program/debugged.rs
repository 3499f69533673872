//! `dbg`, now and then: what a program gives is the same with it.

use weldment_runtime::lang::types::Type;

use super::Generator;

/// Of so many expressions one is shown, by and large: what shows something is fused less.
const RARE: usize = 149;

impl Generator<'_> {
    /// `expr`, which may be shown. It has a name then, since what is shown behind it is how it is written, and that differs from
    /// spelling to spelling.
    pub(super) fn debugged(&mut self, expr: String, ty: &Type) -> String {
        if !self.tape.once_in(RARE) || holds_dict(ty) {
            return expr;
        }
        let name = self.name();
        let shown = self.spell.call("dbg", std::slice::from_ref(&name));
        self.spell.binding(&name, ty, &expr, &shown)
    }
}

fn holds_dict(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => false,
        Type::Vec(element) => holds_dict(element),
        Type::Struct(fields) => fields.iter().any(holds_dict),
        Type::Dict(..) => true,
    }
}
