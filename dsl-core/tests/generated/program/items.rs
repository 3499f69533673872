//! What stands before a program: names of types, macros, and functions.

use weldment_runtime::lang::types::Type;

use super::{Generator, Variable};

/// A macro or a function: what it takes and gives, though nobody writes that down of a macro.
#[derive(Clone)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) params: Vec<Type>,
    pub(super) result: Type,
    is_welded: bool,
}

impl Generator<'_> {
    /// `type row1 = {i64,f64};`
    pub(super) fn aliases(&mut self) -> String {
        let mut items = String::new();
        for number in 0..[0, 0, 1, 2][self.tape.pick(4)] {
            let (name, ty) = (format!("row{number}"), self.ty(2));
            items += &format!("type {name} = {}; ", self.spell.ty(&ty));
            self.spell.alias(&name, &ty);
        }
        items
    }

    /// `macro twice1(a) = (a + a);`, `fn twice1(a: f64) -> f64 { a + a }`
    pub(super) fn callables(&mut self) -> String {
        let mut items = String::new();
        for number in 0..[0, 0, 1, 2][self.tape.pick(4)] {
            let form = self.tape.by_place(&[0, 1, 2, 3]);
            let name = format!("twice{number}");
            let params: Vec<Type> = (0..1 + self.tape.pick(2)).map(|_| self.ty(1)).collect();
            let result = Type::Scalar(self.number());
            let names: Vec<String> = params.iter().map(|_| self.name()).collect();
            self.scope.clear();
            for (name, ty) in names.iter().zip(&params) {
                self.names += 1;
                let binding = self.names;
                self.scope.push(Variable { name: name.clone(), path: Vec::new(), ty: ty.clone(), binding });
            }
            let fuel = std::mem::replace(&mut self.fuel, 3);
            // A `#[welded]` function sees none of those that the program has, but others of its kind.
            let is_welded = form == 3;
            let (declares, callables) = (self.spell.declares, self.callables.clone());
            self.spell.declares &= !is_welded;
            self.callables.retain(|callable| callable.is_welded || !is_welded);
            let body = self.scalar(result.as_scalar().expect("a number"));
            (self.spell.declares, self.callables) = (declares, callables);
            self.fuel = fuel;
            self.scope.clear();
            items += &match form {
                0 | 1 => format!("macro {name}({}) = {body}; ", names.join(", ")),
                _ => {
                    let welded = if is_welded { "#[welded] " } else { "" };
                    let param = |(name, ty)| format!("{name}: {}", self.spell.param(ty));
                    let typed: Vec<String> = names.iter().zip(&params).map(param).collect();
                    let (typed, gives) = (typed.join(", "), self.spell.ty(&result));
                    format!("{welded}fn {name}({typed}) -> {gives} {{ {body} }} ")
                }
            };
            self.callables.push(Callable { name, params, result, is_welded });
        }
        items
    }

    /// A call of a macro or a function that gives a `ty`.
    pub(super) fn expanded(&mut self, ty: &Type) -> Option<String> {
        let fitting: Vec<Callable> =
            self.callables.iter().filter(|defined| defined.result == *ty).cloned().collect();
        if fitting.is_empty() || self.tape.pick(4) < 3 {
            return None;
        }
        let chosen = &fitting[self.tape.pick(fitting.len())];
        let args: Vec<String> = chosen.params.iter().map(|param| self.expr(param)).collect();
        Some(self.spell.call(&chosen.name, &args))
    }
}
