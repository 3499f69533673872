//! Whether a type satisfies a check, and what is said if it does not.

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::Scalar;

use super::check::Outcome;
use super::condition::Check;
use super::ty::{Axes, Ty};
use super::typed::Expr;
use super::{Infer, Typed, cursors, enums, forms, halves, no_fixed, no_texts, no_times};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Bound, Spelling};

/// Which scalars an operator or a function takes.
#[derive(Clone, Copy)]
enum Need {
    Number,
    Integer,
    Bits,
    Float,
}

impl Need {
    fn name(self) -> &'static str {
        match self {
            Need::Number => "a number",
            Need::Integer => "an integer",
            Need::Bits => "a bool or an integer",
            Need::Float => "a float",
        }
    }

    fn fits(self, scalar: Scalar) -> bool {
        match self {
            Need::Number => scalar != Scalar::Bool,
            Need::Integer => scalar.is_integer(),
            Need::Bits => !scalar.is_float(),
            Need::Float => scalar.is_float(),
        }
    }
}

impl Infer<'_> {
    /// Decides `check`, if its type is known.
    pub(super) fn decide(&mut self, check: &Check) -> Typed<Outcome> {
        let (ty, span) = check.subject();
        if !self.allows(ty, span) {
            return Ok(Outcome::Done);
        }
        match check {
            Check::Number(ty, what, span) => self.scalar(ty, Need::Number, &format!("`{what}`"), "x", *span),
            Check::Integer(ty, what, span) => {
                self.scalar(ty, Need::Integer, &format!("`{what}`"), "x", *span)
            }
            Check::Bits(ty, what, span) => self.scalar(ty, Need::Bits, &format!("`{what}`"), "x", *span),
            Check::Index(ty, written, span) => self.scalar(ty, Need::Integer, "an index", written, *span),
            Check::Float(ty, what, written, span) => {
                self.scalar(ty, Need::Float, &format!("`{what}`"), written, *span)
            }
            Check::Bound(ty, bound, what, span) => match bound {
                Bound::Any => Ok(Outcome::Done),
                Bound::Float => self.scalar(ty, Need::Float, what, "x", *span),
                Bound::Int => self.scalar(ty, Need::Integer, what, "x", *span),
                Bound::Number => self.scalar(ty, Need::Number, what, "x", *span),
            },
            Check::Comparable(ty, span) => self.comparable(ty, *span, false),
            Check::Ordered(ty, span) => self.comparable(ty, *span, true),
            Check::Cast(from, to, span) => self.cast(from, *to, *span),
            Check::Narrowed(from, to, span) => self.narrowed(from, *to, *span),
            Check::Shown(ty, span) => self.is_shown(ty, *span),
            Check::Dbg(ty, span) => self.shows(ty, *span),
            Check::Reducible(ty, op, span) => self.reducible(ty, *op, *span),
            Check::Key(ty, span) => self.storable(ty, *span, true),
            Check::Optional(ty, span) => self.optional(ty, *span),
            Check::Value(ty, span) => self.storable(ty, *span, false),
            Check::Field { of, number, field, span } => self.field(of, *number, field, *span),
            Check::Member { of, name, field, span } => self.member(of, name, field, *span),
            Check::Lookup { of, key, value, span } => self.lookup(of, key, value, *span),
            Check::Outside { ty, name, is_constant, span } => {
                self.outside_type(ty, name, *is_constant, *span)
            }
            Check::Len(ty, span) => match self.unifier.seen(ty) {
                Ty::Var(_) => Ok(Outcome::Wait),
                Ty::Vec(_) | Ty::Dict(..) => Ok(Outcome::Done),
                other => {
                    let found = self.unifier.show(&other);
                    let message = format!("`len` needs a vector or a dictionary, found `{found}`");
                    let error = Diagnostic::new(Code::NeedsCollection, *span, message);
                    Err(match other {
                        Ty::Array(..) => error
                            .help("an axis has an extent, `extent(a, 0)`; all points are `len(a.flat())`"),
                        _ => error,
                    })
                }
            },
        }
    }

    /// What `name` is needs a type, and a constant of Rust that of a scalar.
    fn outside_type(&mut self, ty: &Ty, name: &str, is_constant: bool, span: Span) -> Typed<Outcome> {
        match self.unifier.seen(ty) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Scalar(_) => Ok(Outcome::Done),
            _ if !is_constant => Ok(Outcome::Done),
            other => {
                let found = self.unifier.show(&other);
                let message = format!("a constant of Rust is a scalar to a program, found `{found}`");
                Err(Diagnostic::new(Code::Operand, span, message).help(captured_instead(name)))
            }
        }
    }

    /// `what` needs a scalar of some kind; advice writes the operand as `written`.
    fn scalar(&mut self, ty: &Ty, need: Need, what: &str, written: &str, span: Span) -> Typed<Outcome> {
        let other = match self.unifier.seen(ty) {
            Ty::Var(_) => return Ok(Outcome::Wait),
            Ty::Scalar(scalar) if need.fits(scalar) => return Ok(Outcome::Done),
            other => other,
        };
        let found = self.unifier.show(&other);
        let message = format!("{what} needs {}, found `{found}`", need.name());
        let error = Diagnostic::new(Code::Operand, span, message);
        let cast = |to| format!("convert it: `{}`", self.cast_of(written, to));
        Err(match (other, need) {
            (Ty::Scalar(scalar), Need::Float) if scalar.is_integer() => error.help(cast(Scalar::F64)),
            (Ty::Scalar(Scalar::Bool), Need::Number) => error.help(cast(Scalar::I64)),
            (Ty::Scalar(scalar), Need::Bits) if scalar.is_float() && what == "`^`" => {
                error.help("`^` is the exclusive or of bits: a power is `pow(x, 2.0)`, and a square `x * x`")
            }
            (Ty::Scalar(scalar), Need::Integer | Need::Bits) if scalar.is_float() => {
                error.help(format!("{}, which rounds towards zero", cast(Scalar::I64)))
            }
            (Ty::Vec(_), Need::Integer) if what == "an index" => {
                error.help("for the elements at many places: `indices.map(|i| v[i])`")
            }
            (Ty::Vec(_), _) => error.help(
                "apply it to each element: `v.map(|x| …)`, \
                 or to the elements of two vectors: `zip(v, w).map(|(x, y)| …)`",
            ),
            (Ty::Struct(fields), _) if fields.as_option().is_some() => {
                error.help(format!("{}; or apply it where there is one: `o.map(|x| …)`", forms::TAKE_VALUE))
            }
            (Ty::Struct(fields), _) if fields.as_enum().is_some() => error.help(enums::INSTEAD),
            (Ty::Struct(fields), _) if fields.is_text() => error.help(no_texts::READ),
            (Ty::Struct(fields), _) if fields.as_fixed_array().is_some() => {
                error.help("apply it to the elements: `p.map(|x| …)`, or of two `zip(p, q).map(|(x, y)| …)`")
            }
            (Ty::Struct(fields), _) if fields.as_temporal().is_some() => error.help(no_times::INSTEAD),
            (Ty::Struct(fields), _) if fields.as_fixed().is_some() => error.help(no_fixed::INSTEAD),
            (Ty::Struct(fields), _) if let Some(half) = fields.as_half() => {
                error.help(self.read_half(half, written))
            }
            (Ty::Struct(fields), _) if fields.name().is_some() => {
                error.help(format!("apply it to the fields: `x.{}`", fields.first()))
            }
            (Ty::Struct(_), _) => {
                error.help("apply it to the fields, `x.0`, or take them apart: `|(a, b)| …`")
            }
            (Ty::Array(..), _) => error.help("apply it to each element: `a.map(|x| …)`"),
            (Ty::Cursor(_), _) => error.help("read from it: `c[0, 0]` is the element where it stands"),
            (Ty::Dict(..), _) => error.help("apply it to the values: `tovec(d).map(|(k, x)| …)`"),
            (other, _) if other.has_builder() => error.help("take its value first: `result(…)`"),
            _ => error,
        })
    }

    fn comparable(&mut self, ty: &Ty, span: Span, ordered: bool) -> Typed<Outcome> {
        match self.unifier.seen(ty) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Array(..) if ordered => {
                Err(Diagnostic::new(Code::NotComparable, span, "arrays have no order")
                    .help("compare element by element: `zip(a, b).map(|(x, y)| x < y)`"))
            }
            Ty::Array(element, _) => {
                self.check(Check::Comparable((*element).clone(), span))?;
                Ok(Outcome::Done)
            }
            Ty::Scalar(Scalar::Bool) if ordered => {
                Err(Diagnostic::new(Code::NotComparable, span, "`bool` has no order")
                    .help(format!("compare with `==`, or cast: `{}`", self.cast_of("x", Scalar::I32))))
            }
            Ty::Scalar(_) => Ok(Outcome::Done),
            Ty::Vec(element) => {
                self.check(if ordered {
                    Check::Ordered((*element).clone(), span)
                } else {
                    Check::Comparable((*element).clone(), span)
                })?;
                Ok(Outcome::Done)
            }
            Ty::Struct(fields) if let Some(half) = fields.as_half() => {
                let message = format!("`{}`s are not compared", half.name());
                let error = Diagnostic::new(Code::NotComparable, span, message);
                Err(error.help(self.read_half(half, "x")))
            }
            Ty::Struct(fields) => {
                // There is an order on whether there is a value, if none on bools.
                let fields = fields.as_option().map_or(&fields[..], std::slice::from_ref);
                for field in fields.iter().cloned() {
                    self.check(if ordered {
                        Check::Ordered(field, span)
                    } else {
                        Check::Comparable(field, span)
                    })?;
                }
                Ok(Outcome::Done)
            }
            other => {
                let message = format!("`{}` cannot be compared", self.unifier.show(&other));
                let error = Diagnostic::new(Code::NotComparable, span, message);
                Err(match other {
                    Ty::Dict(..) => error.help("compare their pairs, in order: `tovec(a) == tovec(b)`"),
                    _ => error.help("take its value first: `result(…)`"),
                })
            }
        }
    }

    fn reducible(&mut self, ty: &Ty, op: ReduceOp, span: Span) -> Typed<Outcome> {
        match self.unifier.seen(ty) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Scalar(scalar) if scalar != Scalar::Bool => Ok(Outcome::Done),
            Ty::Struct(fields) if fields.as_option().is_some() => {
                let found = self.unifier.show(&Ty::Struct(fields));
                let message = format!("expected numbers or a struct of numbers, found `{found}`");
                Err(Diagnostic::new(Code::NotReducible, span, message).help(
                    "leave out those without value, `.flatten().sum()`, or say what they count as: `.map(|o| o.unwrap_or(x)).sum()`",
                ))
            }
            Ty::Struct(fields) if fields.as_enum().is_some() => {
                let found = self.unifier.show(&Ty::Struct(fields.clone()));
                let message = format!("expected numbers or a struct of numbers, found `{found}`");
                Err(Diagnostic::new(Code::NotReducible, span, message).help(enums::INSTEAD))
            }
            Ty::Struct(fields) if fields.is_text() => {
                let message = "expected numbers or a struct of numbers, found `str`";
                Err(Diagnostic::new(Code::NotReducible, span, message).help(no_texts::REDUCED))
            }
            Ty::Struct(fields) if let Some(half) = fields.as_half() => {
                let message = format!("expected numbers or a struct of numbers, found `{}`", half.name());
                let error = Diagnostic::new(Code::NotReducible, span, message);
                Err(error.help(self.read_halves(half)))
            }
            Ty::Struct(fields) if fields.as_size().is_some() => {
                let message = "operators do not reduce a struct with a size in it";
                Err(Diagnostic::new(Code::NotReducible, span, message)
                    .help("reduce the fields, where a size is an i64: `v.map(|x| x.n).sum()`"))
            }
            Ty::Struct(fields) => {
                if let Some(error) =
                    fields.as_temporal().and_then(|temporal| no_times::not_reduced(temporal, op, span))
                {
                    return Err(error);
                }
                if let Some(error) =
                    fields.as_fixed().and_then(|scale| no_fixed::not_reduced(scale, op, span))
                {
                    return Err(error);
                }
                for field in fields.iter() {
                    self.check(Check::Reducible(field.clone(), op, span))?;
                }
                Ok(Outcome::Done)
            }
            other => {
                let found = self.unifier.show(&other);
                let error = Diagnostic::new(
                    Code::NotReducible,
                    span,
                    format!("expected numbers or a struct of numbers, found `{found}`"),
                );
                Err(match other {
                    Ty::Scalar(_) => error.help(format!(
                        "cast them, `{}`; or count: `v.filter(|x| …).count()`",
                        self.cast_of("x", Scalar::I64)
                    )),
                    Ty::Vec(_) => error.help("for all numbers of all vectors, `flatten` them first"),
                    _ => error,
                })
            }
        }
    }

    fn storable(&mut self, ty: &Ty, span: Span, key: bool) -> Typed<Outcome> {
        let again = |ty: &Ty| if key { Check::Key(ty.clone(), span) } else { Check::Value(ty.clone(), span) };
        match self.unifier.seen(ty) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Dict(..) if !key => Ok(Outcome::Done),
            Ty::Dict(..) => {
                Err(Diagnostic::new(Code::BadKey, span, "a dictionary cannot be a key of a dictionary")
                    .help("a key is a scalar, or a vector or struct of what can be one"))
            }
            Ty::Array(..) if key => {
                Err(Diagnostic::new(Code::BadKey, span, "an array cannot be a key of a dictionary")
                    .help("take its elements, `a.flat()`, or a number that tells it from others"))
            }
            Ty::Struct(fields) if key && let Some(half) = fields.as_half() => {
                let message = format!("{} cannot be a key of a dictionary", halves::one(half));
                let error = Diagnostic::new(Code::BadKey, span, message);
                Err(error.help(self.read_half(half, "x")))
            }
            Ty::Cursor(_) => Err(cursors::as_value(span)),
            builder @ Ty::Builder(_) => {
                let found = self.unifier.show(&builder);
                Err(Diagnostic::new(
                    Code::Stored,
                    span,
                    format!("a builder cannot be stored or returned, found `{found}`"),
                )
                .help("take its value first: `result(…)`"))
            }
            of_values => {
                for part in of_values.parts() {
                    self.check(again(part))?;
                }
                Ok(Outcome::Done)
            }
        }
    }

    fn field(
        &mut self,
        of: &Ty,
        (index, spelling): (u32, Spelling),
        field: &Ty,
        span: Span,
    ) -> Typed<Outcome> {
        match self.unifier.seen(of) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Struct(fields) if fields.as_option().is_some() => {
                let found = self.unifier.show(&Ty::Struct(fields));
                let error = Diagnostic::new(Code::NoField, span, format!("`{found}` has no fields"));
                Err(error.help(forms::TAKE_VALUE))
            }
            Ty::Struct(fields) if fields.as_enum().is_some() => Err(enums::no_fields(&fields, span)),
            Ty::Struct(fields) if fields.is_text() => Err(no_texts::no_fields(span)),
            Ty::Struct(fields) if let Some(scale) = fields.as_fixed() => {
                Err(no_fixed::no_fields(scale, span))
            }
            Ty::Struct(fields) if let Some(half) = fields.as_half() => Err(self.no_parts(half, span)),
            Ty::Struct(fields) if let Some(temporal) = fields.as_temporal() => {
                Err(no_times::no_fields(temporal, span))
            }
            Ty::Struct(fields) if fields.as_fixed_array().is_some() => {
                let found = self.unifier.show(&Ty::Struct(fields));
                let error = Diagnostic::new(Code::NoField, span, format!("`{found}` has no fields"));
                Err(error.help(format!("an element of it is `x[{index}]`")))
            }
            // As in Rust. Weld's structs have no names, so its `.$0` takes the field at that place.
            Ty::Struct(fields) if spelling == Spelling::Rust && fields.has_members() => {
                Err(self.no_member(&fields, &index.to_string(), span))
            }
            Ty::Struct(fields) => match fields.get(index as usize) {
                Some(found) => match self.unifier.unify(field, found) {
                    Ok(()) => Ok(Outcome::Done),
                    Err(_) => Err(self.differ(span, field, found, "…")),
                },
                None => {
                    let found = self.unifier.show(&Ty::Struct(fields.clone()));
                    Err(Diagnostic::new(
                        Code::NoField,
                        span,
                        format!("there is no field {index} in `{found}`"),
                    )
                    .help(match fields.len() {
                        0 => "it has no fields".to_string(),
                        1 => "its only field is `.0`".to_string(),
                        n => format!("its fields are `.0` to `.{}`", n - 1),
                    }))
                }
            },
            other => {
                let found = self.unifier.show(&other);
                let error = Diagnostic::new(
                    Code::NoField,
                    span,
                    format!("only structs have fields, found `{found}`"),
                );
                Err(match other {
                    Ty::Array(..) => error.help("an element of an array is `a[i, j]`"),
                    Ty::Cursor(_) => error.help("read from it: `c[0, 0]` is the element where it stands"),
                    Ty::Vec(_) => error.help("an element of a vector is `v[i]`"),
                    Ty::Dict(..) => error.help("the value of a key is `lookup(d, key)`"),
                    Ty::Scalar(_) => error.help(format!("it is one value: leave `.{index}` out")),
                    _ => error.help("take its value first: `result(…)`"),
                })
            }
        }
    }

    fn lookup(&mut self, of: &Ty, key: &Expr, value: &Ty, span: Span) -> Typed<Outcome> {
        let (found, found_key) = match self.unifier.seen(of) {
            Ty::Var(_) => return Ok(Outcome::Wait),
            Ty::Vec(element) => {
                self.check(Check::Index(key.ty.clone(), self.written(key), key.span))?;
                ((*element).clone(), None)
            }
            Ty::Dict(key, value) => ((*value).clone(), Some(key)),
            Ty::Struct(ref fields) if let Some((element, len)) = fields.as_fixed_array() => {
                self.check(Check::Index(key.ty.clone(), self.written(key), key.span))?;
                self.check_constant_index(of, len, key)?;
                (element.clone(), None)
            }
            Ty::Array(element, Axes { count: axes, names }) => {
                let indices = match self.unifier.seen(&key.ty) {
                    Ty::Struct(indices) => indices.to_vec(),
                    _ => vec![key.ty.clone()],
                };
                if indices.len() > axes {
                    let message = format!("{} indices of {}", indices.len(), forms::of_axes(axes));
                    let error = Diagnostic::new(Code::Axes, key.span, message);
                    return Err(error.help("an element has an index for each axis, `a[i, j]`"));
                }
                let written = if indices.len() == 1 { self.written(key) } else { "i".to_owned() };
                for index in &indices {
                    self.check(Check::Index(index.clone(), written.clone(), key.span))?;
                }
                {
                    let left: Vec<usize> = (indices.len()..axes).collect();
                    let names = self.names_at(names.as_ref(), &left);
                    (Ty::named((*element).clone(), axes - indices.len(), names), None)
                }
            }
            other => {
                let found = self.unifier.show(&other);
                let error = Diagnostic::new(
                    Code::NeedsCollection,
                    span,
                    format!("expected a vector or a dictionary, found `{found}`"),
                );
                return Err(match other {
                    Ty::Struct(fields) if fields.as_option().is_some() => error.help(forms::TAKE_VALUE),
                    Ty::Struct(fields) if fields.is_text() => error.help(no_texts::PARTS),
                    Ty::Struct(fields) if fields.as_temporal().is_some() => error.help(no_times::INSTEAD),
                    Ty::Struct(fields) if fields.as_fixed().is_some() => error.help(no_fixed::INSTEAD),
                    Ty::Struct(fields) if let Some(half) = fields.as_half() => {
                        error.help(self.read_half(half, "x"))
                    }
                    Ty::Struct(fields) if fields.name().is_some() => {
                        error.help(format!("a field of it is `x.{}`", fields.first()))
                    }
                    Ty::Struct(_) => error.help("the fields of a struct are `.0`, `.1`, …"),
                    Ty::Scalar(_) => error.help("it is one value: leave the index out"),
                    _ => error.help("take its value first: `result(…)`"),
                });
            }
        };
        if let Some(found_key) = found_key {
            self.expect(key, &found_key)?;
        }
        match self.unifier.unify(value, &found) {
            Ok(()) => Ok(Outcome::Done),
            Err(_) => Err(self.differ(span, value, &found, "…")),
        }
    }
}

/// What to do with the constant `name` of Rust, which is no scalar.
pub(super) fn captured_instead(name: &str) -> String {
    format!(
        "capture it, `[values = &{name}] |v: &[f64]| …`, or make it `#[welded]` and name it, `use {name};`"
    )
}
