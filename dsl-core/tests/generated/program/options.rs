//! Options, and what else a `match` takes apart: a value under a condition, and another in its place.

use weldment_runtime::lang::types::Type;

use super::Generator;
use super::data::is_optional;

/// The ways in which a value is chosen: by `select`, by a pattern, or out of an option.
const WAYS: [&str; 24] = [
    "filter_map",
    "and_then",
    "select",
    "select",
    "select",
    "of bool",
    "of number",
    "of struct",
    "of enum",
    "unwrap_or",
    "match",
    "if let",
    "map",
    "filter",
    "flatten",
    "and_then",
    "or",
    "filter_map",
    "first",
    "last",
    "find",
    "flattened",
    "is_some",
    "is_none",
];

impl Generator<'_> {
    /// `then` if `cond` holds, or else `els`: chosen by `select`, or by whether there is a value.
    pub(super) fn selected(&mut self, ty: &Type, cond: &str, then: &str, els: &str) -> String {
        let way = self.tape.by_place(&WAYS);
        match way {
            "of bool" => return format!("(match {cond} {{ true => {then}, false => {els} }})"),
            "of number" => {
                let n = self.name();
                let arms = format!("{n} @ (2..=3 | 8..) if {n} < 8 => {then}, 8 | -4 => {els}, _ => {els}");
                return format!("(match select({cond}, 3, -4) {{ {arms} }})");
            }
            "of enum" => {
                self.names_enum = true;
                let kind = self.spell.choice(cond, "Kind::High", "Kind::Low");
                let arms =
                    format!("Kind::None => {els}, Kind::High | Kind::Zero => {then}, Kind::Low => {els}");
                return format!("(match ({kind}) {{ {arms} }})");
            }
            "of struct" => {
                let whole = self.spell.tuple(&[cond.to_owned(), format!("Some({cond})")]);
                let arms = format!("(_, Some(true)) => {then}, (false, _) | (_, None | Some(_)) => {els}");
                return format!("(match {whole} {{ {arms} }})");
            }
            _ if !is_optional(ty) || way == "select" => return format!("select({cond}, {then}, {els})"),
            _ => {}
        }
        let option = self.spell.choice(cond, &format!("Some({then})"), "None");
        self.taken(way, &option, els)
    }

    /// The value of `option`, or else `els`.
    fn taken(&mut self, way: &str, option: &str, els: &str) -> String {
        let x = self.name();
        let list = || format!("[{option}]");
        let closure =
            |this: &mut Self, body: String| this.spell.closure(std::slice::from_ref(&x), None, &body);
        let option = match way {
            "match" => return format!("(match {option} {{ Some({x}) => {x}, _ => {els} }})"),
            "if let" => return format!("(if let Some({x}) = {option} {{ {x} }} else {{ {els} }})"),
            "is_some" | "is_none" => {
                let there = self.spell.call(way, std::slice::from_ref(&x));
                let value = self.spell.call("or_fault", std::slice::from_ref(&x));
                let value = match way {
                    "is_some" => self.spell.choice(&there, &value, els),
                    _ => self.spell.choice(&there, els, &value),
                };
                return format!("(let {x} = {option}; {value})");
            }
            "or" => {
                let filled = self.spell.call("or", &[option.to_owned(), format!("Some({els})")]);
                return self.spell.call("or_fault", &[filled]);
            }
            "map" => {
                let function = closure(self, x.clone());
                self.spell.call("map", &[option.to_owned(), function])
            }
            "filter" => {
                let function = closure(self, "true".to_owned());
                self.spell.call("filter", &[option.to_owned(), function])
            }
            "and_then" => {
                let function = closure(self, format!("Some({x})"));
                self.spell.call("and_then", &[option.to_owned(), function])
            }
            "flatten" => self.spell.call("flatten", &[format!("Some({option})")]),
            "filter_map" => {
                let function = closure(self, x.clone());
                let values = self.spell.call("filter_map", &[list(), function]);
                self.spell.call("first", &[values])
            }
            "flattened" => {
                let values = self.spell.call("flatten", &[list()]);
                self.spell.call("last", &[values])
            }
            "find" => {
                let is_there = self.spell.call("is_some", std::slice::from_ref(&x));
                let function = closure(self, is_there);
                let found = self.spell.call("find", &[list(), function]);
                self.spell.call("flatten", &[found])
            }
            end @ ("first" | "last") => {
                let of = self.spell.call(end, &[list()]);
                self.spell.call("flatten", &[of])
            }
            _ => option.to_owned(),
        };
        self.spell.call("unwrap_or", &[option, els.to_owned()])
    }
}
