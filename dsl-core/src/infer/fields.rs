//! The fields of structs while types are inferred, and which struct it is that has them.

use std::ops::Deref;
use std::rc::Rc;

use weldment_runtime::lang::types as value;

use super::ty::Ty;

/// The types of the fields of a struct, and which struct it is, if it has a name.
///
/// ```
/// use weldment_core::infer::{fields::Fields, ty::Ty};
/// let fields: Fields = [Ty::I64, Ty::BOOL].into_iter().collect();
/// assert_eq!((fields.len(), &fields[1], fields.name()), (2, &Ty::BOOL, None));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fields {
    types: Rc<[Ty]>,
    named: Option<Rc<Named>>,
}

/// A struct with a name, as a type: the definition, applied to arguments.
///
/// ```
/// # use weldment_core::{infer::{infer, ty::Ty}, syntax::parse_text};
/// let program = infer(&parse_text("struct Id<T> { at: T } |id: Id<i64>| id.at").unwrap()).unwrap();
/// let Ty::Struct(fields) = &program.locals[program.params[0].0].ty else { panic!("a struct") };
/// let named = fields.name().unwrap();
/// assert_eq!((&*named.shown, &*named.args, &*named.members), ("Id", &[Ty::I64][..], &["at".to_string()][..]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The name of its definition, unlike that of any other.
    pub name: String,
    /// The name that errors show.
    pub shown: String,
    /// What its parameters are.
    pub args: Vec<Ty>,
    /// The names of its fields.
    pub members: Rc<[String]>,
    /// Whether it is a struct of Rust.
    pub is_rust: bool,
}

impl Fields {
    /// Of the struct `named`.
    ///
    /// ```
    /// use weldment_core::infer::{fields::{Fields, Named}, ty::Ty};
    /// let (name, members) = ("Id".to_string(), ["at".to_string()].into());
    /// let named = Named { name: name.clone(), shown: name, args: vec![], members, is_rust: false };
    /// assert_eq!(Fields::named([Ty::I64], named).member("at"), Some(0));
    /// ```
    pub fn named(types: impl IntoIterator<Item = Ty>, named: Named) -> Fields {
        Fields { types: types.into_iter().collect(), named: Some(Rc::new(named)) }
    }

    /// Which struct it is; `None` if it has no name.
    ///
    /// ```
    /// # use weldment_core::infer::{fields::Fields, ty::Ty};
    /// let pair: Fields = [Ty::I64, Ty::I64].into_iter().collect();
    /// assert_eq!(pair.name(), None);
    /// ```
    pub fn name(&self) -> Option<&Named> {
        self.named.as_deref()
    }

    /// What the parameters of the struct are, if it has a name.
    pub(super) fn args(&self) -> &[Ty] {
        self.name().map_or(&[], |named| &named.args)
    }

    /// The number of the field with this name.
    ///
    /// ```
    /// # use weldment_core::{infer::{infer, ty::Ty}, syntax::parse_text};
    /// let program = infer(&parse_text("struct P { x: f64, y: f64 } |p: P| p.y").unwrap()).unwrap();
    /// let Ty::Struct(fields) = &program.locals[program.params[0].0].ty else { panic!("a struct") };
    /// assert_eq!((fields.member("y"), fields.member("z")), (Some(1), None));
    /// ```
    pub fn member(&self, name: &str) -> Option<usize> {
        self.name()?.members.iter().position(|member| member == name)
    }

    /// Whether the fields have names, and no numbers.
    pub(super) fn has_members(&self) -> bool {
        self.name().is_some_and(|named| !named.members.contains(&"0".to_owned()))
    }

    /// How advice writes the first field of a value.
    pub(super) fn first(&self) -> &str {
        self.name().and_then(|named| named.members.first()).map_or("0", String::as_str)
    }

    /// These fields and arguments, each as `each` says.
    pub(super) fn map(&self, each: impl Fn(&Ty) -> Ty) -> Fields {
        let named = self.named.as_ref().map(|named| {
            let args = named.args.iter().map(&each).collect();
            Rc::new(Named { args, ..(**named).clone() })
        });
        Fields { types: self.types.iter().map(each).collect(), named }
    }

    /// As a type of values. Only structs of Rust keep their names: elsewhere, one is as good as a tuple.
    pub(super) fn to_value(&self) -> Option<value::Fields> {
        let types: value::Fields = self.types.iter().map(Ty::to_value).collect::<Option<_>>()?;
        let Some(named) = self.name().filter(|named| named.is_rust) else { return Some(types) };
        let args = named.args.iter().map(Ty::to_value).collect::<Option<_>>()?;
        Some(types.named(Some(value::Name { of: named.name.clone(), args }.into())))
    }
}

impl Deref for Fields {
    type Target = [Ty];

    fn deref(&self) -> &[Ty] {
        &self.types
    }
}

impl FromIterator<Ty> for Fields {
    fn from_iter<I: IntoIterator<Item = Ty>>(types: I) -> Fields {
        Fields { types: types.into_iter().collect(), named: None }
    }
}
