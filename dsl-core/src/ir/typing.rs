//! The types of ops: what each op wants of its operands, and what it binds.
//!
//! One function, [`infer`], answers both questions, so that the builder and the verifier cannot disagree.
//! It looks at the types of the op's own operands and of the results of the bodies it holds; whether those
//! bodies are themselves sound is the verifier's business.

use std::sync::Arc;

use weldment_runtime::lang::text::TextFn;
use weldment_runtime::lang::types::{Fields, MOST_FIXED, Name, Scalar, Type};
use weldment_runtime::lang::write::WriteFn;

use super::entity::{BodyId, Value};
use super::op::{BinaryOp, Empty, Loop, MathFn, Op, Order, Program, Reducer, SinkKind, UnaryOp};

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
    match op {
        Op::Sort { vector, comparator } => {
            let element = element(ty(*vector))?;
            function(program, *comparator, element, &Type::I32)?;
            one(ty(*vector).clone())
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
        straight => straight.typing(&Rules(program)),
    }
}

/// The rules for the column of types in the table of ops.
pub(super) struct Rules<'a>(&'a Program);

impl Rules<'_> {
    fn ty(&self, value: Value) -> &Type {
        &self.0.values[value].ty
    }

    fn scalar(&self, value: Value) -> Result<Scalar, String> {
        let ty = self.ty(value);
        ty.as_scalar().ok_or_else(|| format!("{ty} is not a scalar"))
    }

    /// The type of both.
    fn same(&self, a: Value, b: Value) -> Result<&Type, String> {
        let (a, b) = (self.ty(a), self.ty(b));
        require(a == b, || format!("operands of different types, {a} and {b}")).map(|()| a)
    }

    fn dict(&self, value: Value) -> Result<(&Type, &Type), String> {
        match self.ty(value) {
            Type::Dict(key, value) => Ok((key, value)),
            ty => Err(format!("{ty} is not a dictionary")),
        }
    }

    /// Whatever its operands are.
    pub(super) fn gives(&self, ty: impl Into<Type>) -> Result<Typing, String> {
        one(ty.into())
    }

    /// Operands of these types.
    pub(super) fn takes<const N: usize>(
        &self,
        operands: [(&Value, Type); N],
        result: Type,
    ) -> Result<Typing, String> {
        for (operand, wanted) in operands {
            want(self.ty(*operand), &wanted)?;
        }
        one(result)
    }

    /// An i64 of some.
    pub(super) fn integers(&self, operands: &[Value]) -> Result<Typing, String> {
        for &operand in operands {
            want(self.ty(operand), &Type::I64)?;
        }
        one(Type::I64)
    }

    pub(super) fn unary(&self, op: UnaryOp, x: &Value) -> Result<Typing, String> {
        let scalar = self.scalar(*x)?;
        let fits = match op {
            UnaryOp::Neg => scalar != Scalar::Bool,
            UnaryOp::Not => !scalar.is_float(),
        };
        require(fits, || format!("`{}` does not exist on {scalar}", op.name()))?;
        one(scalar.into())
    }

    pub(super) fn binary(&self, op: BinaryOp, x: &Value, y: &Value) -> Result<Typing, String> {
        self.same(*x, *y)?;
        let scalar = self.scalar(*x)?;
        let fits = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => !scalar.is_float(),
            BinaryOp::Shl | BinaryOp::Shr => scalar.is_integer(),
            _ => scalar != Scalar::Bool,
        };
        require(fits, || format!("`{}` does not exist on {scalar}", op.name()))?;
        one(scalar.into())
    }

    pub(super) fn compared(&self, x: &Value, y: &Value, result: Type) -> Result<Typing, String> {
        comparable(self.same(*x, *y)?)?;
        one(result)
    }

    pub(super) fn math(&self, function: MathFn, args: &[Value]) -> Result<Typing, String> {
        require(args.len() == function.arity(), || {
            format!("`{}` takes {} arguments, not {}", function.name(), function.arity(), args.len())
        })?;
        let scalar = self.scalar(args[0])?;
        for &arg in args {
            self.same(args[0], arg)?;
        }
        let fits = scalar.is_float() || scalar.is_integer() && function.takes_integers();
        require(fits, || format!("`{}` does not exist on {scalar}", function.name()))?;
        one(if function == MathFn::IsNan { Type::BOOL } else { scalar.into() })
    }

    pub(super) fn text(&self, function: TextFn, args: &[Value]) -> Result<Typing, String> {
        self.called(function.name(), &function.takes(), args)?;
        one(function.gives())
    }

    pub(super) fn written(&self, function: WriteFn, args: &[Value]) -> Result<Typing, String> {
        self.called(function.name(), &function.takes(), args)?;
        one(Type::vec(Scalar::U8.into()))
    }

    /// That a function of the runtime is called with what it takes.
    fn called(&self, name: &str, takes: &[Type], args: &[Value]) -> Result<(), String> {
        require(args.len() == takes.len(), || format!("`{name}` takes {} values", takes.len()))?;
        args.iter().zip(takes).try_for_each(|(&arg, wanted)| want(self.ty(arg), wanted))
    }

    pub(super) fn cast(&self, to: Scalar, x: &Value) -> Result<Typing, String> {
        let from = self.scalar(*x)?;
        require(!from.is_float() || to != Scalar::Bool, || format!("{from} does not cast to bool"))?;
        one(to.into())
    }

    pub(super) fn select(&self, cond: &Value, x: &Value, y: &Value) -> Result<Typing, String> {
        want(self.ty(*cond), &Type::BOOL)?;
        one(self.same(*x, *y)?.clone())
    }

    pub(super) fn structure(&self, fields: &[Value], name: &Option<Arc<Name>>) -> Result<Typing, String> {
        let types: Fields = fields.iter().map(|&field| self.ty(field).clone()).collect();
        let ty = Type::Struct(types.named(name.clone()));
        if matches!(name.as_deref(), Some(Name::Array)) {
            let again = ty.as_array().map(|(element, axes)| Type::array(element.clone(), axes));
            require(again.as_ref() == Some(&ty), || "these are no parts of an array".to_owned())?;
        }
        if matches!(name.as_deref(), Some(Name::Option)) {
            let again = ty.as_option().map(|value| Type::option(value.clone()));
            require(again.as_ref() == Some(&ty), || "these are no parts of an option".to_owned())?;
        }
        if matches!(name.as_deref(), Some(Name::FixedArray)) {
            let again = ty.as_fixed_array().map(|(element, len)| Type::fixed_array(element.clone(), len));
            let is_one = fields.len() <= MOST_FIXED && again.as_ref() == Some(&ty);
            require(is_one, || "these are no elements of a fixed array".to_owned())?;
        }
        if matches!(name.as_deref(), Some(Name::Text)) {
            require(ty == Type::text(), || "these are no parts of a text".to_owned())?;
        }
        require(ty.as_lent().is_none(), || "a program lends nothing".to_owned())?;
        if let Some(column) = ty.as_column() {
            require(ty == Type::column(column), || "these are no parts of a column".to_owned())?;
        }
        if let Some(size) = ty.as_size() {
            require(ty == Type::size(size), || "this is no number of a size".to_owned())?;
        }
        if let Some(scale) = ty.as_fixed() {
            require(ty == Type::fixed(scale), || "these are no units of a decimal number".to_owned())?;
        }
        if let Some(half) = ty.as_half() {
            require(ty == Type::half(half), || "these are no 16 bits".to_owned())?;
        }
        if let Some(temporal) = ty.as_temporal() {
            require(ty == Type::temporal(temporal), || "this is no number of a date or a time".to_owned())?;
        }
        one(ty)
    }

    pub(super) fn field(&self, x: &Value, number: u32) -> Result<Typing, String> {
        let ty = self.ty(*x);
        let fields = ty.fields().ok_or_else(|| format!("{ty} is not a struct"))?;
        let field = fields.get(number as usize);
        one(field.ok_or_else(|| format!("{ty} has no field {number}"))?.clone())
    }

    pub(super) fn vector(&self, elements: &[Value]) -> Result<Typing, String> {
        let Some((&first, rest)) = elements.split_first() else { return Ok(Typing::Declared) };
        for &element in rest {
            self.same(first, element)?;
        }
        one(Type::vec(self.ty(first).clone()))
    }

    pub(super) fn len(&self, x: &Value) -> Result<Typing, String> {
        let ty = self.ty(*x);
        require(matches!(ty, Type::Vec(_) | Type::Dict(..)), || format!("{ty} has no length"))?;
        one(Type::I64)
    }

    pub(super) fn at(&self, vector: &Value, index: &Value) -> Result<Typing, String> {
        want(self.ty(*index), &Type::I64)?;
        one(element(self.ty(*vector))?.clone())
    }

    pub(super) fn slice(&self, vector: &Value, start: &Value, size: &Value) -> Result<Typing, String> {
        element(self.ty(*vector))?;
        self.takes([(start, Type::I64), (size, Type::I64)], self.ty(*vector).clone())
    }

    pub(super) fn ranked(&self, vector: &Value, place: &Value) -> Result<Typing, String> {
        let number = element(self.ty(*vector))?;
        require(number.as_scalar().is_some_and(|scalar| scalar != Scalar::Bool), || {
            format!("{number} is not a number")
        })?;
        self.takes([(place, Type::I64)], Type::structure([number.clone(), number.clone()]))
    }

    /// What `result` makes of the type of values, of a dictionary and a key of it.
    pub(super) fn keyed(
        &self,
        dict: &Value,
        key: &Value,
        result: impl Fn(Type) -> Type,
    ) -> Result<Typing, String> {
        let (wanted, value) = self.dict(*dict)?;
        want(self.ty(*key), wanted)?;
        one(result(value.clone()))
    }

    pub(super) fn to_vec(&self, dict: &Value) -> Result<Typing, String> {
        let (key, value) = self.dict(*dict)?;
        one(Type::vec(Type::structure([key.clone(), value.clone()])))
    }

    pub(super) fn of_bytes(&self, bytes: &Value) -> Result<Typing, String> {
        want(self.ty(*bytes), &Type::vec(Scalar::U8.into()))?;
        Ok(Typing::Declared)
    }

    pub(super) fn declared(&self) -> Result<Typing, String> {
        Ok(Typing::Declared)
    }

    pub(super) fn shape(&self, vector: &Value, extents: &[Value]) -> Result<Typing, String> {
        element(self.ty(*vector))?;
        self.lengths(extents)?;
        one(self.ty(*vector).clone())
    }

    pub(super) fn linear(&self, indices: &[Value], extents: &[Value]) -> Result<Typing, String> {
        require(indices.len() == extents.len(), || "an index for each extent".to_owned())?;
        self.lengths(indices)?;
        self.lengths(extents)
    }

    pub(super) fn span(&self, numbers: &[Value]) -> Result<Typing, String> {
        require(numbers.len() == 6, || "a span is told by 6 numbers".to_owned())?;
        self.integers(numbers)
    }

    pub(super) fn lengths(&self, lengths: &[Value]) -> Result<Typing, String> {
        require(!lengths.is_empty(), || "no lengths".to_owned())?;
        self.integers(lengths)
    }
}

fn one(ty: Type) -> Result<Typing, String> {
    Ok(Typing::Known(vec![ty]))
}

/// The types that `op` binds; `None` if they are not derivable from it, or if it is ill-typed.
pub fn result_types(program: &Program, op: &Op) -> Option<Vec<Type>> {
    match infer(program, op) {
        Ok(Typing::Known(types)) => Some(types),
        Ok(Typing::Declared) | Err(_) => None,
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
        SinkKind::Reduce { ty: element, reducer, init, empty, order } => {
            reduces(program, reducer, element)?;
            let is_ordered = *order == Order::Lanes || matches!(reducer, Reducer::Op(_));
            require(is_ordered, || "a function folds in order as it is".to_owned())?;
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

fn element(ty: &Type) -> Result<&Type, String> {
    ty.element().ok_or_else(|| format!("{ty} is not a vector"))
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
