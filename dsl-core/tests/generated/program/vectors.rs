//! Vectors, and what loops run over.

use weldment_runtime::types::{Scalar, Type};

use super::Generator;

impl Generator<'_> {
    /// A vector of `element`s.
    pub(super) fn vector(&mut self, element: &Type) -> String {
        let this = Type::vec(element.clone());
        if matches!(element, Type::Struct(_)) && self.tape.pick(4) == 3 {
            return self.of_special_elements(element);
        }
        match self.tape.pick(13) {
            0 | 1 => self.over_vector("map", |this| this.expr(element)),
            2 => {
                let vector = self.expr(&this);
                let closure = self.function(element, |this, _| this.bool());
                self.sugar("filter", &vector, &closure)
            }
            3 => self.over_vector("flat_map", |generator| generator.expr(&this)),
            4 => format!("flatten({})", self.expr(&Type::vec(this))),
            5 => {
                let vector = self.expr(&this);
                format!("slice({vector}, {}, {})", self.index(), self.tape.pick(4))
            }
            6 => self.sorted(element),
            7 | 8 => self.appended(element),
            9 if self.is_reducible(element) => self.scattered(element),
            10 => {
                let key = self.key_ty();
                format!("lookup({}, {})", self.expr(&Type::dict(key.clone(), this)), self.leaf(&key))
            }
            11 => {
                let (source, over) = self.source();
                let closure = self.function(&over, |this, _| this.expr(element));
                format!("map({source}, {closure})")
            }
            _ => self.of_special_elements(element),
        }
    }

    /// What makes vectors of some types only.
    fn of_special_elements(&mut self, element: &Type) -> String {
        match element {
            Type::Scalar(Scalar::I64) => self.range(),
            Type::Scalar(Scalar::U8) => {
                let ty = self.ty(2);
                format!("serialize({})", self.expr(&ty))
            }
            Type::Struct(fields) => match &fields[..] {
                [Type::Scalar(Scalar::I64), of] if self.tape.pick(2) == 0 => {
                    format!("enumerate({})", self.expr(&Type::vec(of.clone())))
                }
                [key, value] if self.is_dict(key, value) && self.tape.pick(2) == 0 => {
                    format!("tovec({})", self.expr(&Type::dict(key.clone(), value.clone())))
                }
                [_, _, ..] => {
                    let parts: Vec<String> =
                        fields.iter().map(|field| self.expr(&Type::vec(field.clone()))).collect();
                    format!("zip({})", parts.join(", "))
                }
                _ => self.leaf(&Type::vec(element.clone())),
            },
            _ => self.leaf(&Type::vec(element.clone())),
        }
    }

    fn range(&mut self) -> String {
        let end = match self.tape.pick(3) {
            0 => format!("{}L", self.tape.pick(7)),
            1 => format!("(abs({}) % 6L)", self.expr(&Type::Scalar(Scalar::I64))),
            _ => {
                let vector = Type::vec(self.ty(0));
                format!("len({})", self.leaf(&vector))
            }
        };
        match self.tape.pick(3) {
            0 => format!("(0L..{end})"),
            1 => format!("rangeiter(0L, {end}, 1L)"),
            _ => {
                let stride = self.tape.pick(4);
                format!("rangeiter({}L, {end} * {stride}L, {stride}L)", stride * self.tape.pick(2))
            }
        }
    }

    fn sorted(&mut self, element: &Type) -> String {
        let vector = self.expr(&Type::vec(element.clone()));
        let order = self.scoped(|this| {
            let (a, b) = (this.bind(element), this.bind(element));
            let body = match (this.is_ordered(element), this.tape.pick(4)) {
                (true, 0 | 1) => format!("compare({a}, {b})"),
                (true, 2) => format!("compare({b}, {a})"),
                _ => this.expr(&Type::Scalar(Scalar::I32)),
            };
            format!("|{a}, {b}| {body}")
        });
        self.sugar("sort", &vector, &order)
    }

    fn is_ordered(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(scalar) => *scalar != Scalar::Bool,
            Type::Vec(element) => self.is_ordered(element),
            Type::Struct(fields) => fields.iter().all(|field| self.is_ordered(field)),
            Type::Dict(..) => false,
        }
    }

    /// What a `for` runs over, and the type of its elements.
    pub(super) fn source(&mut self) -> (String, Type) {
        match self.tape.pick(7) {
            0..3 => {
                let element = self.ty(1);
                (self.expr(&Type::vec(element.clone())), element)
            }
            3 => {
                let (a, b) = (self.ty(1), self.ty(0));
                let parts = match self.tape.pick(3) {
                    // Of equal lengths.
                    0 | 1 => {
                        let vector = self.leaf(&Type::vec(a.clone()));
                        let closure = self.function(&a, |this, _| this.expr(&b));
                        format!("{vector}, map({vector}, {closure})")
                    }
                    _ => {
                        format!("{}, {}", self.expr(&Type::vec(a.clone())), self.expr(&Type::vec(b.clone())))
                    }
                };
                (format!("zip({parts})"), Type::structure([a, b]))
            }
            4 | 5 => {
                let element = self.ty(1);
                let vector = self.leaf(&Type::vec(element.clone()));
                let (start, stride) = (self.tape.pick(2), 1 + self.tape.pick(2));
                let end = match self.tape.pick(3) {
                    0 => format!("{}L", start + stride * self.tape.pick(3)),
                    1 => format!("len({vector})"),
                    _ => self.expr(&Type::Scalar(Scalar::I64)),
                };
                (format!("iter({vector}, {start}L, {end}, {stride}L)"), element)
            }
            _ => (self.range(), Type::Scalar(Scalar::I64)),
        }
    }
}
