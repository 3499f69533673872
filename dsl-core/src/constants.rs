//! Constants in place of parameters: partial evaluation, by which a program is specialised to values that are known when it is compiled.
//!
//! A constant is bound where the program begins, and the value is that of the parameter, so that no op knows of it. See
//! [`passes::optimize`](crate::passes::optimize) for when that happens, and why: the bits of the program stay.

use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value;

use crate::ir::{Loc, Loop, Op, Program, Reducer, SinkDecl, SinkKind, Stmt, Value};
use crate::source::shortened;

/// How many elements a vector may have that is a constant.
pub const MAX_ELEMENTS: usize = 64;

/// How many keys a dictionary may have that is one: a look-up compares with each of them.
pub const MAX_KEYS: usize = 8;

/// How many bytes a text may have that is one.
pub const MAX_TEXT: usize = 1024;

/// How many scalars a constant may consist of, through vectors and structs.
pub const MAX_SCALARS: usize = 4096;

/// A parameter and the value that stands in its place.
#[derive(Clone, Debug)]
pub struct Constant {
    /// The number of the parameter.
    pub param: usize,
    /// What it is called.
    pub name: String,
    /// The value, which has its type.
    pub value: value::Value,
    /// Where the parameter stands.
    pub at: Loc,
}

impl Constant {
    /// The value, short enough for a message. `program` is the one that has the parameter.
    pub fn shown(&self, program: &Program) -> String {
        let entry = program.entry.expect("a program has an entry");
        show(program.ty(program.bodies[entry].params[self.param]), &self.value)
    }
}

/// `value`, of type `ty`, short enough for a message.
pub fn show(ty: &Type, value: &value::Value) -> String {
    match (value.as_text().filter(|_| ty.is_text()), value.fields()) {
        (Some(text), _) => shortened(&format!("{text:?}")),
        (None, Some([size])) if ty.as_size().is_some() => size.to_string(),
        _ => shortened(&value.to_string()),
    }
}

/// What is in `ty` that no constant consists of, if there is something.
pub fn refused_type(ty: &Type) -> Option<&'static str> {
    if ty.is_view() { Some("an `ArrayView`") } else { ty.parts().find_map(refused_type) }
}

/// What is in `ty` that no parameter consists of which is declared `const`, if there is something: besides, a dictionary, which may be large, and which
/// each call would have to compare with those that the program was compiled for.
pub fn refused_where_declared(ty: &Type) -> Option<&'static str> {
    let inside = || ty.parts().find_map(refused_where_declared);
    if let Type::Dict(..) = ty { Some("a dictionary") } else { refused_type(ty).or_else(inside) }
}

/// What is too large in `value`, of type `ty`, for a constant, if something is.
pub fn too_large(ty: &Type, value: &value::Value) -> Option<String> {
    let mut scalars = 0;
    let of_part = vector_too_large(ty, value, &mut scalars);
    let of_all = || {
        let all = format!("it consists of {scalars} scalars, and a constant of {MAX_SCALARS} at most");
        (scalars > MAX_SCALARS).then_some(all)
    };
    of_part.or_else(of_all)
}

/// The vector, dictionary or text in `value` that is too long; counts the scalars.
fn vector_too_large(ty: &Type, value: &value::Value, scalars: &mut usize) -> Option<String> {
    match (ty, value) {
        (Type::Vec(of), value::Value::Vec(elements)) => {
            if elements.len() > MAX_ELEMENTS {
                let len = elements.len();
                return Some(format!(
                    "a vector in it has {len} elements, and one of a constant {MAX_ELEMENTS} at most"
                ));
            }
            elements.iter().find_map(|element| vector_too_large(of, element, scalars))
        }
        (Type::Dict(of_key, of_value), value::Value::Dict(entries)) => {
            if entries.len() > MAX_KEYS {
                let len = entries.len();
                return Some(format!(
                    "a dictionary in it has {len} keys, and one of a constant {MAX_KEYS} at most"
                ));
            }
            entries.iter().find_map(|(key, value)| {
                let of_key = vector_too_large(of_key, key, scalars);
                of_key.or_else(|| vector_too_large(of_value, value, scalars))
            })
        }
        (ty, value) if ty.is_text() => {
            let len = value.as_text().map_or(0, |text| text.len());
            *scalars += len;
            (len > MAX_TEXT)
                .then(|| format!("a text in it has {len} bytes, and one of a constant {MAX_TEXT} at most"))
        }
        (ty, value) => match value.fields() {
            Some(fields) => {
                ty.parts().zip(fields).find_map(|(ty, field)| vector_too_large(ty, field, scalars))
            }
            None => {
                *scalars += 1;
                None
            }
        },
    }
}

/// Makes `constants` of parameters of `program`: it takes the others.
///
/// # Panics
/// If a value is not of the type of its parameter, or of one that no constant has.
pub fn bind(program: &mut Program, constants: &[Constant]) {
    if constants.is_empty() {
        return;
    }
    let entry = program.entry.expect("a program has an entry");
    let params = program.bodies[entry].params.clone();
    let mut stmts = Vec::new();
    for Constant { param, value, at, .. } in constants {
        let ty = program.ty(params[*param]).clone();
        append(program, &ty, value, *at, &mut stmts);
        // The last statement is the one of the whole value: it binds what the parameter was.
        let whole = stmts.last_mut().expect("a value is made by a statement");
        whole.results = vec![params[*param]];
    }
    let is_left = |number: &usize| constants.iter().all(|constant| constant.param != *number);
    let entry = &mut program.bodies[entry];
    entry.params = (0..params.len()).filter(is_left).map(|number| params[number]).collect();
    entry.stmts.splice(0..0, stmts);
}

/// `value`, by new statements at the end of `out`, of which the last binds it.
pub(crate) fn append(
    program: &mut Program,
    ty: &Type,
    value: &value::Value,
    at: Loc,
    out: &mut Vec<Stmt>,
) -> Value {
    let op = match (ty, value) {
        (Type::Dict(of_key, of_value), value::Value::Dict(entries)) => {
            let entries: Vec<[Value; 2]> = entries
                .iter()
                .map(|(key, value)| {
                    [(of_key, key), (of_value, value)].map(|(ty, part)| append(program, ty, part, at, out))
                })
                .collect();
            dictionary(program, (of_key, of_value), &entries, at)
        }
        (Type::Vec(of), value::Value::Vec(elements)) => {
            Op::Vector(elements.iter().map(|element| append(program, of, element, at, out)).collect())
        }
        (Type::Struct(types), value) => {
            let fields = value.fields().expect("a struct has fields").iter().zip(types.iter());
            let fields = fields.map(|(field, ty)| append(program, ty, field, at, out)).collect();
            Op::Struct(fields, types.name().cloned())
        }
        (ty, value) => Op::Const(value.as_const().unwrap_or_else(|| panic!("no constant is a {ty}"))),
    };
    let stmt = match &op {
        Op::Vector(elements) if elements.is_empty() => program.stmt_typed(op, vec![ty.clone()], at),
        _ => program.stmt(op, at),
    };
    let made = stmt.results[0];
    out.push(stmt);
    made
}

/// The dictionary of these entries.
fn dictionary(program: &mut Program, (key, value): (&Type, &Type), entries: &[[Value; 2]], at: Loc) -> Op {
    let [former, latter] = [(); 2].map(|()| program.fresh(value.clone()));
    let last = program.add_body(vec![former, latter], Vec::new(), vec![latter]);
    let kind =
        SinkKind::BucketReduce { key: key.clone(), value: value.clone(), reducer: Reducer::Func(last) };
    let sink = program.fresh_sink();
    let merge = |entry: &[Value; 2]| Stmt {
        results: Vec::new(),
        op: Op::Merge { sink, values: entry.to_vec() },
        loc: at,
    };
    let body = program.add_body(Vec::new(), entries.iter().map(merge).collect(), Vec::new());
    Op::Loop(Loop { extents: Vec::new(), body, sinks: vec![SinkDecl { sink, kind, loc: at }] })
}

#[cfg(test)]
mod tests {
    use weldment_runtime::lang::value::Value as Datum;

    use super::*;
    use crate::front::from_text;
    use crate::ir::verify;

    fn constant(param: usize, value: Datum) -> Constant {
        Constant { param, name: "k".to_owned(), value, at: Loc::NONE }
    }

    #[test]
    fn a_constant_stands_where_the_program_begins() {
        let mut program = from_text("|v: &[f64], k: (i64, Option<f64>)| v[k.0]").unwrap().program;
        let option = Datum::structure(vec![Datum::Bool(false), Datum::F64(0.0)]);
        bind(&mut program, &[constant(1, Datum::structure(vec![Datum::I64(2), option]))]);
        assert_eq!(verify(&program), Ok(()));
        let text = crate::ir::renumber(&program).to_string();
        assert!(text.contains("program(v0: vec[f64]) {\n  v1: i64 = const 2\n"), "{text}");
    }

    #[test]
    fn what_is_too_large_is_told() {
        let (ty, ones) = (Type::vec(Type::I64), |count| Datum::vec(vec![Datum::I64(1); count]));
        assert_eq!(too_large(&ty, &ones(64)), None);
        assert!(too_large(&ty, &ones(65)).is_some_and(|why| why.contains("65 elements")));
        let (rows, ty) = (Datum::vec(vec![ones(64); 64]), Type::vec(ty));
        assert_eq!(too_large(&ty, &rows), None);
        let two = (Type::structure([ty.clone(), Type::I64]), Datum::structure(vec![rows, Datum::I64(1)]));
        assert!(too_large(&two.0, &two.1).is_some_and(|why| why.contains("4097 scalars")));
        let text = |len| too_large(&Type::text(), &Datum::text(&"a".repeat(len)));
        assert!(text(1024).is_none() && text(1025).is_some_and(|why| why.contains("1025 bytes")));
    }

    #[test]
    fn each_call_would_look_at_a_dictionary() {
        let dicts = Type::vec(Type::dict(Type::I64, Type::F64));
        assert_eq!((refused_type(&dicts), refused_where_declared(&dicts)), (None, Some("a dictionary")));
        assert_eq!(refused_where_declared(&Type::vec(Type::array(Type::F64, 2))), None);
        let view = Type::view(Type::F64, 2);
        assert_eq!([refused_type(&view), refused_where_declared(&view)], [Some("an `ArrayView`"); 2]);
    }

    #[test]
    fn a_dictionary_is_a_region_that_merges_its_entries() {
        let mut program =
            from_text("|v: &[i64], d: &Dict<i64, (f64, i64)>| v.map(|x| d[x])").unwrap().program;
        let value = |x| Datum::structure(vec![Datum::F64(x), Datum::I64(1)]);
        let dict = [(Datum::I64(5), value(0.5)), (Datum::I64(3), value(1.5))].into_iter().collect();
        let dict = Datum::Dict(std::sync::Arc::new(dict));
        assert_eq!(too_large(program.ty(program.bodies[program.entry.unwrap()].params[1]), &dict), None);
        bind(&mut program, &[constant(1, dict)]);
        assert_eq!(verify(&program), Ok(()));
        let text = crate::ir::renumber(&program).to_string();
        assert_eq!(text.matches("merge #0, ").count(), 2, "{text}");
        let keys = |count| (0..count).map(|key| (Datum::I64(key), Datum::Bool(true))).collect();
        let is_too_large = |count| {
            too_large(&Type::dict(Type::I64, Type::BOOL), &Datum::Dict(std::sync::Arc::new(keys(count))))
        };
        assert!(is_too_large(8).is_none() && is_too_large(9).is_some_and(|why| why.contains("9 keys")));
    }
}
