//! Structs with names: what a program declares, and how values of them are made and taken apart.

use weldment_runtime::lang::types::{Fields, Name, Type, UserName};

use super::Generator;
use super::spell::{Speller, Spelling, Step};

/// A struct that a program declares.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub(crate) name: String,
    /// Whether it has a parameter, `T`.
    pub(crate) is_generic: bool,
    /// Whether its fields have numbers for names.
    pub(crate) is_tuple: bool,
    pub(crate) fields: Vec<(String, Member)>,
}

/// The type of a field.
#[derive(Clone, Debug)]
pub(crate) enum Member {
    Of(Type),
    /// The parameter.
    Param,
    /// A vector of it.
    Params,
}

impl Struct {
    /// The type, with `arg` as the parameter if it has one.
    fn applied(&self, arg: &Type) -> Type {
        let types: Fields = self.fields.iter().map(|(_, member)| member.ty(arg)).collect();
        let args = if self.is_generic { vec![arg.clone()] } else { Vec::new() };
        Type::Struct(types.named(Some(Name::User(UserName { of: self.name.clone(), args }).into())))
    }

    /// `struct S1<T> { a: T, b: Vec<i64> }`, as both Rust and programs have it.
    pub(crate) fn item(&self) -> String {
        let mut speller = Speller::new(Spelling::Rust);
        let ty = |member: &Member| match member {
            Member::Of(ty) => speller.ty(ty),
            Member::Param => "T".to_owned(),
            Member::Params => "Vec<T>".to_owned(),
        };
        let types: Vec<String> = self.fields.iter().map(|(_, member)| member).map(ty).collect();
        let param = if self.is_generic { "<T>" } else { "" };
        if self.is_tuple {
            return format!("struct {}{param}({});", self.name, types.join(", "));
        }
        let fields: Vec<String> =
            self.fields.iter().zip(types).map(|((name, _), ty)| format!("{name}: {ty}")).collect();
        format!("struct {}{param} {{ {} }}", self.name, fields.join(", "))
    }

    fn step(&self, field: usize) -> Step {
        match self.is_tuple {
            true => Step::Number(field),
            false => Step::Member(self.fields[field].0.clone()),
        }
    }

    /// A value of it, whose fields are these.
    pub(crate) fn literal(&self, fields: &[String]) -> String {
        if self.is_tuple {
            return format!("{}({})", self.name, fields.join(", "));
        }
        let named = self.fields.iter().zip(fields).map(|((name, _), value)| format!("{name}: {value}"));
        format!("{} {{ {} }}", self.name, named.collect::<Vec<_>>().join(", "))
    }
}

impl Member {
    fn ty(&self, arg: &Type) -> Type {
        match self {
            Member::Of(ty) => ty.clone(),
            Member::Param => arg.clone(),
            Member::Params => Type::vec(arg.clone()),
        }
    }
}

/// Names of fields, some of which are functions, too.
const MEMBERS: [&str; 6] = ["a", "b", "len", "count", "sum", "x"];

impl Generator<'_> {
    /// Declares some structs.
    pub(super) fn declare_structs(&mut self) {
        for number in 0..[0, 0, 1, 2, 3][self.tape.pick(5)] {
            let (is_generic, is_tuple) = (self.tape.pick(3) == 2, self.tape.pick(3) == 2);
            let mut fields = Vec::new();
            for field in 0..1 + self.tape.pick(3) {
                let member = match self.tape.pick(6) {
                    0..=3 => Member::Of(Type::Scalar(self.number())),
                    4 if is_generic => Member::Params,
                    5 => Member::Of(self.ty(1)),
                    _ if is_generic => Member::Param,
                    _ => Member::Of(self.ty(1)),
                };
                let name = MEMBERS[(field * 2 + self.tape.pick(2)) % MEMBERS.len()];
                fields.push((if is_tuple { field.to_string() } else { name.to_owned() }, member));
            }
            if is_generic {
                // A parameter is used somewhere.
                fields[0].1 = Member::Param;
            }
            let name = format!("S{}", number + 1);
            self.structs.push(Struct { name, is_generic, is_tuple, fields });
        }
    }

    /// The type of a declared struct that `fits`; `None` if there is none.
    pub(super) fn named_ty(&mut self, fits: impl Fn(&Type) -> bool) -> Option<Type> {
        if self.structs.is_empty() {
            return None;
        }
        let chosen = self.structs[self.tape.pick(self.structs.len())].clone();
        let arg = if chosen.is_generic { self.ty(0) } else { Type::I64 };
        Some(chosen.applied(&arg)).filter(fits)
    }

    /// The declaration of the struct `ty`, if that has a name.
    pub(super) fn declaration(&self, ty: &Type) -> Option<&Struct> {
        let name = ty.user_name()?;
        self.structs.iter().find(|declared| declared.name == name.of)
    }

    /// The way to a field of `ty`.
    pub(super) fn step(&self, ty: &Type, field: usize) -> Step {
        match self.declaration(ty) {
            Some(declared) => declared.step(field),
            None if ty.as_fixed_array().is_some() => Step::Element(field),
            None => Step::Number(field),
        }
    }

    /// The value of the struct `ty` whose fields are these.
    pub(super) fn make(&mut self, ty: &Type, fields: &[String]) -> String {
        if ty.as_option().is_some() {
            return self.spell.choice(&fields[0], &format!("Some({})", fields[1]), "None");
        }
        match self.declaration(ty) {
            Some(declared) => declared.literal(fields),
            // Where nothing wants an array a list is a vector.
            None if ty.as_fixed_array().is_some() => {
                format!("([{}]: {})", fields.join(", "), self.spell.ty(ty))
            }
            None => self.spell.tuple(fields),
        }
    }

    /// `S1 { a: …, ..rest }`
    pub(super) fn updated(&mut self, ty: &Type) -> Option<String> {
        let declared = self.declaration(ty).filter(|declared| !declared.is_tuple)?;
        let (name, (field, _)) = (declared.name.clone(), declared.fields[0].clone());
        let (value, rest) = (self.expr(&ty.fields()?[0]), self.expr(ty));
        Some(format!("{name} {{ {field}: {value}, ..{rest} }}"))
    }

    /// The pattern that binds the fields of a value of type `ty` to these names, `None` to none, and in Weld's spelling
    /// the name of the whole and the `let`s before `body`.
    pub(super) fn taken_apart(
        &mut self,
        ty: &Type,
        whole: &str,
        names: &[Option<String>],
        body: String,
    ) -> (String, String) {
        if !self.spell.is_rust() {
            let mut lets = body;
            for (field, name) in names.iter().enumerate().rev() {
                let Some(name) = name else { continue };
                let step = self.step(ty, field);
                let value = self.spell.path(whole, &[step]);
                lets = self.spell.binding(name, &ty.fields().expect("a struct")[field], &value, &lets);
            }
            return (whole.to_owned(), lets);
        }
        let borrow = if self.spell.one_in(4) { "&" } else { "" };
        let bound: Vec<String> =
            names.iter().map(|name| name.clone().unwrap_or_else(|| "_".to_owned())).collect();
        if ty.as_fixed_array().is_some() {
            return (format!("{borrow}[{}]", bound.join(", ")), body);
        }
        let Some(declared) = self.declaration(ty) else {
            return (format!("{borrow}({})", tuple(&bound)), body);
        };
        let name = declared.name.clone();
        if declared.is_tuple {
            return (format!("{borrow}{name}({})", bound.join(", ")), body);
        }
        let mut fields = Vec::new();
        for ((field, _), name) in declared.fields.iter().zip(names) {
            fields.extend(name.as_ref().map(|name| format!("{field}: {name}")));
        }
        if fields.len() < names.len() {
            fields.push("..".to_owned());
        }
        (format!("{borrow}{name} {{ {} }}", fields.join(", ")), body)
    }
}

/// The fields of a pattern; that of one field ends in a comma.
fn tuple(fields: &[String]) -> String {
    let last = if fields.len() == 1 { "," } else { "" };
    format!("{}{last}", fields.join(", "))
}
