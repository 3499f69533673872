//! The types of ops: what each op wants of its operands, and what it binds.
//!
//! One function, [`infer`], answers both questions, so that the builder and the verifier cannot disagree.
//! It looks at the types of the op's own operands and of the results of the bodies it holds; whether those
//! bodies are themselves sound is the verifier's business.

use weldment_runtime::lang::types::{Fields, Scalar, Type};

use super::entity::{BodyId, Value};
use super::op::{BinaryOp, Empty, Loop, MathFn, Op, Program, Reducer, SinkKind, UnaryOp};

/// What is known of the types an op binds.
#[derive(Clone, Debug, PartialEq)]
pub enum Typing {
    /// Exactly these.
    Known(Vec<Type>),
    /// One, which whoever makes the op declares: an empty vector, `deserialize`, a foreign call.
    Declared,
}

/// The types that `op` binds, or what is wrong with its operands.
pub fn infer(program: &Program, op: &Op) -> Result<Typing, String> {
    let ty = |value: Value| &program.values[value].ty;
    let one = |ty: Type| Ok(Typing::Known(vec![ty]));
    match op {
        Op::Const(constant) => one(constant.scalar().into()),
        Op::Unary(op, x) => {
            let scalar = scalar(ty(*x))?;
            let fits = match op {
                UnaryOp::Neg => scalar != Scalar::Bool,
                UnaryOp::Not => !scalar.is_float(),
            };
            require(fits, || format!("`{}` does not exist on {scalar}", op.name()))?;
            one(scalar.into())
        }
        Op::Binary(op, x, y) => {
            let scalar = scalar(same(ty(*x), ty(*y))?)?;
            let fits = match op {
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => !scalar.is_float(),
                BinaryOp::Shl | BinaryOp::Shr => scalar.is_integer(),
                _ => scalar != Scalar::Bool,
            };
            require(fits, || format!("`{}` does not exist on {scalar}", op.name()))?;
            one(scalar.into())
        }
        Op::Compare(_, x, y) => {
            comparable(same(ty(*x), ty(*y))?)?;
            one(Type::BOOL)
        }
        Op::Order(x, y) => {
            comparable(same(ty(*x), ty(*y))?)?;
            one(Type::I32)
        }
        Op::Math(function, args) => {
            require(args.len() == function.arity(), || {
                format!("`{}` takes {} arguments, not {}", function.name(), function.arity(), args.len())
            })?;
            let scalar = scalar(ty(args[0]))?;
            for &arg in args {
                same(ty(args[0]), ty(arg))?;
            }
            let fits = scalar.is_float() || scalar.is_integer() && function.takes_integers();
            require(fits, || format!("`{}` does not exist on {scalar}", function.name()))?;
            one(if *function == MathFn::IsNan { Type::BOOL } else { scalar.into() })
        }
        Op::Cast(to, x) => {
            let from = scalar(ty(*x))?;
            require(!from.is_float() || *to != Scalar::Bool, || format!("{from} does not cast to bool"))?;
            one((*to).into())
        }
        Op::Select(cond, x, y) => {
            want(ty(*cond), &Type::BOOL)?;
            one(same(ty(*x), ty(*y))?.clone())
        }

        Op::Struct(fields, name) => {
            let types: Fields = fields.iter().map(|&field| ty(field).clone()).collect();
            one(Type::Struct(types.named(name.clone())))
        }
        Op::Field(x, number) => {
            let fields = ty(*x).fields().ok_or_else(|| format!("{} is not a struct", ty(*x)))?;
            let field = fields.get(*number as usize);
            one(field.ok_or_else(|| format!("{} has no field {number}", ty(*x)))?.clone())
        }
        Op::Vector(elements) => match elements.split_first() {
            None => Ok(Typing::Declared),
            Some((&first, rest)) => {
                for &element in rest {
                    same(ty(first), ty(element))?;
                }
                one(Type::vec(ty(first).clone()))
            }
        },
        Op::Len(x) => {
            let fits = matches!(ty(*x), Type::Vec(_) | Type::Dict(..));
            require(fits, || format!("{} has no length", ty(*x)))?;
            one(Type::I64)
        }
        Op::At(vector, index) => {
            want(ty(*index), &Type::I64)?;
            one(element(ty(*vector))?.clone())
        }
        Op::CheckIndex(index, length) => {
            want(ty(*index), &Type::I64)?;
            want(ty(*length), &Type::I64)?;
            one(Type::I64)
        }
        Op::Lookup(x, found) => {
            let (key, value) = dict(ty(*x))?;
            want(ty(*found), key)?;
            one(value.clone())
        }
        Op::Slice(vector, start, size) => {
            element(ty(*vector))?;
            want(ty(*start), &Type::I64)?;
            want(ty(*size), &Type::I64)?;
            one(ty(*vector).clone())
        }
        Op::Sort { vector, comparator } => {
            let element = element(ty(*vector))?;
            function(program, *comparator, element, &Type::I32)?;
            one(ty(*vector).clone())
        }
        Op::ToVec(x) => {
            let (key, value) = dict(ty(*x))?;
            one(Type::vec(Type::structure([key.clone(), value.clone()])))
        }
        Op::KeyExists(x, key) => {
            want(ty(*key), dict(ty(*x))?.0)?;
            one(Type::BOOL)
        }
        Op::OptLookup(x, key) => {
            let (key_type, value) = dict(ty(*x))?;
            want(ty(*key), key_type)?;
            one(Type::structure([Type::BOOL, value.clone()]))
        }
        Op::Serialize(_) => one(Type::vec(Scalar::U8.into())),
        Op::Deserialize(bytes) => {
            want(ty(*bytes), &Type::vec(Scalar::U8.into()))?;
            Ok(Typing::Declared)
        }
        Op::Assert(cond) => {
            want(ty(*cond), &Type::BOOL)?;
            one(Type::BOOL)
        }
        Op::Call { .. } => Ok(Typing::Declared),

        Op::IterLen { len, start, end, stride } => {
            for &value in [len, start, end, stride] {
                want(ty(value), &Type::I64)?;
            }
            one(Type::I64)
        }
        Op::RangeLen { start, end, stride } => {
            for &value in [start, end, stride] {
                want(ty(value), &Type::I64)?;
            }
            one(Type::I64)
        }
        Op::ZipLen(lengths) => {
            require(!lengths.is_empty(), || "`zip_len` of nothing".to_owned())?;
            for &length in lengths {
                want(ty(length), &Type::I64)?;
            }
            one(Type::I64)
        }

        Op::If { cond, then, els } => {
            want(ty(*cond), &Type::BOOL)?;
            let (then, els) = (results(program, *then), results(program, *els));
            require(then == els, || format!("branches give {} and {}", list(&then), list(&els)))?;
            Ok(Typing::Known(then))
        }
        Op::Iterate { init, body } => {
            let state: Vec<Type> = init.iter().map(|&value| ty(value).clone()).collect();
            let params = params(program, *body);
            require(params == state, || format!("body takes {}, not {}", list(&params), list(&state)))?;
            let given = results(program, *body);
            let fits = given.split_last().is_some_and(|(go, next)| *go == Type::BOOL && next == state);
            require(fits, || format!("body gives {}, not {} and bool", list(&given), list(&state)))?;
            Ok(Typing::Known(state))
        }
        Op::Loop(inner) => infer_loop(program, inner),
        Op::Merge { .. } => Ok(Typing::Known(Vec::new())),
        Op::For { extent, body } => {
            want(ty(*extent), &Type::I64)?;
            indices(program, *body, 1)?;
            Ok(Typing::Known(Vec::new()))
        }
    }
}

/// The types that `op` binds; `None` if they are not derivable from it, or if it is ill-typed.
pub fn result_types(program: &Program, op: &Op) -> Option<Vec<Type>> {
    match infer(program, op) {
        Ok(Typing::Known(types)) => Some(types),
        Ok(Typing::Declared) | Err(_) => None,
    }
}

impl SinkKind {
    /// The type of the value that a loop binds for this sink.
    pub fn result_type(&self) -> Type {
        match self {
            SinkKind::Collect { ty, .. } | SinkKind::Scatter { ty, .. } => Type::vec(ty.clone()),
            SinkKind::Reduce { ty, .. } => ty.clone(),
            SinkKind::BucketCollect { key, value } => Type::dict(key.clone(), Type::vec(value.clone())),
            SinkKind::BucketReduce { key, value, .. } => Type::dict(key.clone(), value.clone()),
        }
    }

    /// The types of the values that a merge into this sink takes.
    pub fn merge_types(&self) -> Vec<Type> {
        match self {
            SinkKind::Collect { ty, .. } | SinkKind::Reduce { ty, .. } => vec![ty.clone()],
            SinkKind::BucketCollect { key, value } | SinkKind::BucketReduce { key, value, .. } => {
                vec![key.clone(), value.clone()]
            }
            SinkKind::Scatter { ty, .. } => vec![Type::I64, ty.clone()],
        }
    }
}

fn infer_loop(program: &Program, inner: &Loop) -> Result<Typing, String> {
    let ty = |value: Value| &program.values[value].ty;
    for &extent in &inner.extents {
        want(ty(extent), &Type::I64)?;
    }
    indices(program, inner.body, inner.extents.len())?;
    for sink in &inner.sinks {
        let context = |message: String| format!("sink {}: {message}", sink.sink);
        infer_sink(program, &sink.kind).map_err(context)?;
    }
    Ok(Typing::Known(inner.sinks.iter().map(|sink| sink.kind.result_type()).collect()))
}

fn infer_sink(program: &Program, kind: &SinkKind) -> Result<(), String> {
    let ty = |value: Value| &program.values[value].ty;
    match kind {
        SinkKind::Collect { hint, .. } => hint.map_or(Ok(()), |hint| want(ty(hint), &Type::I64)),
        SinkKind::Reduce { ty: element, reducer, init, empty } => {
            reduces(program, reducer, element)?;
            if let Some(init) = init {
                want(ty(*init), element)?;
            }
            let named = init.is_some() || *empty == Empty::Fault || matches!(reducer, Reducer::Op(_));
            require(named, || "a function has no identity: give `init` or `or fault`".to_owned())
        }
        SinkKind::BucketCollect { key, .. } => comparable(key),
        SinkKind::BucketReduce { key, value, reducer } => {
            comparable(key)?;
            reduces(program, reducer, value)
        }
        SinkKind::Scatter { ty: element, op, init } => {
            reduces(program, &Reducer::Op(*op), element)?;
            want(ty(*init), &Type::vec(element.clone()))
        }
    }
}

fn reduces(program: &Program, reducer: &Reducer, ty: &Type) -> Result<(), String> {
    match reducer {
        Reducer::Op(op) => {
            let numbers = ty.leaves().is_some_and(|leaves| leaves.iter().all(|leaf| *leaf != Scalar::Bool));
            require(numbers, || format!("`{op}` does not reduce {ty}"))
        }
        Reducer::Func(body) => function(program, *body, ty, ty),
    }
}

/// That `body` is a function of two `arg`s that gives a `result`.
fn function(program: &Program, body: BodyId, arg: &Type, result: &Type) -> Result<(), String> {
    let (params, results) = (params(program, body), results(program, body));
    require(params.len() == 2 && params.iter().all(|param| param == arg), || {
        format!("function takes {}, not two {arg}", list(&params))
    })?;
    let fits = results.len() == 1 && results[0] == *result;
    require(fits, || format!("function gives {}, not {result}", list(&results)))
}

/// That `body` takes `number` indices and gives nothing.
fn indices(program: &Program, body: BodyId, number: usize) -> Result<(), String> {
    let (params, results) = (params(program, body), results(program, body));
    let fits = params.len() == number && params.iter().all(|param| *param == Type::I64);
    require(fits, || format!("body takes {}, not {number} indices", list(&params)))?;
    require(results.is_empty(), || "the body of a loop has no results".to_owned())
}

fn params(program: &Program, body: BodyId) -> Vec<Type> {
    program.bodies[body].params.iter().map(|&param| program.values[param].ty.clone()).collect()
}

fn results(program: &Program, body: BodyId) -> Vec<Type> {
    program.bodies[body].results.iter().map(|&result| program.values[result].ty.clone()).collect()
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

fn want(found: &Type, wanted: &Type) -> Result<(), String> {
    require(found == wanted, || format!("expected {wanted}, found {found}"))
}

fn same<'a>(a: &'a Type, b: &Type) -> Result<&'a Type, String> {
    require(a == b, || format!("operands of different types, {a} and {b}")).map(|()| a)
}

fn scalar(ty: &Type) -> Result<Scalar, String> {
    ty.as_scalar().ok_or_else(|| format!("{ty} is not a scalar"))
}

fn element(ty: &Type) -> Result<&Type, String> {
    ty.element().ok_or_else(|| format!("{ty} is not a vector"))
}

fn dict(ty: &Type) -> Result<(&Type, &Type), String> {
    match ty {
        Type::Dict(key, value) => Ok((key, value)),
        _ => Err(format!("{ty} is not a dictionary")),
    }
}

fn comparable(ty: &Type) -> Result<(), String> {
    fn holds(ty: &Type) -> bool {
        match ty {
            Type::Scalar(_) => true,
            Type::Vec(element) => holds(element),
            Type::Struct(fields) => fields.iter().all(holds),
            Type::Dict(..) => false,
        }
    }
    require(holds(ty), || format!("{ty} does not compare"))
}

fn list(types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(Type::to_string).collect();
    format!("({})", types.join(", "))
}
