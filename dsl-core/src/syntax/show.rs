//! The tree as an S-expression, for tests: `a + b * 2L` is `(+ a (* b 2i64))`.

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, UnaryOp};

use super::ast::{
    Arm, Axes, AxisName, Builder, BuilderType, Closure, Expr, ExprKind, Ident, Iter, IterKind, Pattern,
    Program, Type, TypeKind, TypeParam,
};

/// A program: its items, one a line, then its closure.
pub(crate) fn program(program: &Program) -> String {
    let mut out = String::new();
    for item in &program.structs {
        let mut names = vec![item.name.name.as_str()];
        names.extend(item.paths.iter().map(String::as_str));
        let params: Vec<&str> = item.params.iter().map(|param| param.name.as_str()).collect();
        let params = if params.is_empty() { String::new() } else { format!("<{}>", params.join(",")) };
        let fields: Vec<String> =
            item.fields.iter().map(|(field, of)| format!(" ({} {})", field.name, ty(of))).collect();
        let variants: Vec<String> =
            item.variants.iter().map(|(variant, number)| format!(" (= {} {number})", variant.name)).collect();
        out += &format!("(struct {}{params}{}{})\n", names.join(","), fields.concat(), variants.concat());
    }
    for axis in &program.axes {
        out += &format!("(axis {})\n", axis.name);
    }
    for alias in &program.aliases {
        out += &format!("(type {} {})\n", alias.name.name, ty(&alias.ty));
    }
    for item in &program.macros {
        let params: Vec<&str> = item.params.iter().map(|param| param.name.as_str()).collect();
        out += &format!("(macro {} ({}) {})\n", item.name.name, params.join(" "), expr(&item.body));
    }
    for item in &program.functions {
        let generic = |param: &TypeParam| format!("{}:{}", param.name.name, param.bound.name());
        let generics: Vec<String> = item.generics.iter().map(generic).collect();
        let generics = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(",")) };
        let names: Vec<&str> =
            std::iter::once(&item.name.name).chain(&item.paths).map(String::as_str).collect();
        let what = if item.is_welded { "welded" } else { "fn" };
        out += &format!("({what} {}{generics} {})\n", names.join(","), closure(&item.closure));
    }
    for item in &program.constants {
        let names: Vec<&str> =
            std::iter::once(&item.name.name).chain(&item.paths).map(String::as_str).collect();
        out += &format!("(const {} {} {})\n", names.join(","), ty(&item.ty), expr(&item.value));
    }
    out + &closure(&program.closure)
}

/// An expression.
pub(crate) fn expr(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Const(value) => constant(*value),
        ExprKind::Integer(value) => value.to_string(),
        ExprKind::Float(text) => format!("{:?}", text.parse::<f64>().expect("the parser has read it")),
        ExprKind::Operator(op) => op.to_string(),
        ExprKind::Bytes(bytes, element) => format!("{}:{element}", bytes.escape_ascii()),
        ExprKind::Name(name) => name.name.clone(),
        ExprKind::Path(name, path) => format!("{}::{path}", name.name),
        ExprKind::Let(bindings, body) => bindings.iter().rev().fold(self::expr(body), |body, binding| {
            let bound = pattern(&binding.pattern) + &ascription(binding.ty.as_ref());
            format!("(let {bound} {} {body})", self::expr(&binding.value))
        }),
        ExprKind::Closure(function) => closure(function),
        ExprKind::Unary(UnaryOp::Neg, x) => list("-", [&**x]),
        ExprKind::Unary(UnaryOp::Not, x) => list("!", [&**x]),
        ExprKind::Binary(op, x, y) => list(binary(*op), [&**x, y]),
        ExprKind::Compare(op, x, y) => list(compare(*op), [&**x, y]),
        ExprKind::Mixed(mixed) => {
            let row = mixed.operands.iter().zip(mixed.operators.iter().map(Some).chain([None]));
            let row = row.map(|(operand, next)| {
                next.map_or(self::expr(operand), |(infix, _)| {
                    format!("{} {}", self::expr(operand), infix.symbol())
                })
            });
            format!("(row {})", row.collect::<Vec<_>>().join(" "))
        }
        ExprKind::And(x, y) => list("&&", [&**x, y]),
        ExprKind::Or(x, y) => list("||", [&**x, y]),
        ExprKind::Range(x, y) => list("..", [&**x, y]),
        ExprKind::Slice(slice) => {
            let part = |part: &Option<Expr>| part.as_ref().map_or("_".to_owned(), self::expr);
            format!("(.. {} {} {})", part(&slice.start), part(&slice.end), part(&slice.step))
        }
        ExprKind::Ascribe(x, annotation) => format!("(: {} {})", self::expr(x), ty(annotation)),
        ExprKind::Cast(x, to) => format!("(as {} {})", self::expr(x), ty(to)),
        ExprKind::If { cond, then, els } => list("if", [&**cond, then, els]),
        ExprKind::Option(None) => "none".to_owned(),
        ExprKind::Option(Some(x)) => list("some", [&**x]),
        ExprKind::Match(choice) => {
            let arm = |arm: &Arm| {
                let guard =
                    arm.guard.as_ref().map_or(String::new(), |guard| format!("if {} ", self::expr(guard)));
                format!(" ({} {guard}{})", pattern(&arm.pattern), self::expr(&arm.body))
            };
            let arms: Vec<String> = choice.arms.iter().map(arm).collect();
            format!("(match {}{})", self::expr(&choice.of), arms.concat())
        }
        ExprKind::Struct(fields) => list("struct", fields),
        ExprKind::Vector(elements) => list("vector", elements),
        ExprKind::Named { name, fields, rest } => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(field, value)| format!(" ({} {})", field.name, self::expr(value)))
                .collect();
            let rest = rest.as_ref().map_or(String::new(), |rest| format!(" (.. {})", self::expr(rest)));
            format!("({}{}{rest})", name.name, fields.concat())
        }
        ExprKind::Member(x, name) => format!("(.{} {})", name.name, self::expr(x)),
        ExprKind::Field(x, index, _) => format!("(.{index} {})", self::expr(x)),
        ExprKind::Index(x, index) => list("index", [&**x, index]),
        ExprKind::Apply(function, args) => list("apply", std::iter::once(&**function).chain(args.iter())),
        ExprKind::Call { name, turbofish, args, is_method } => {
            let dot = if *is_method { "." } else { "" };
            let turbofish =
                turbofish.as_ref().map_or(String::new(), |turbofish| format!("::<{}>", ty(turbofish)));
            list(&format!("{dot}{}{turbofish}", name.name), args.iter())
        }
        ExprKind::Argument(args, at) => self::expr(&args[*at]),
        ExprKind::Builder(new) => builder(new),
        ExprKind::For { iters, builder, function } => {
            let iters: Vec<String> = iters.iter().map(iter).collect();
            format!("(for ({}) {} {})", iters.join(" "), self::expr(builder), self::expr(function))
        }
        ExprKind::Deserialize(annotation, bytes) => {
            format!("(deserialize {} {})", ty(annotation), self::expr(bytes))
        }
        ExprKind::Cudf { symbol, ty: result, args } => {
            list(&format!("cudf {} {}", symbol.name, ty(result)), args)
        }
    }
}

fn list<'a>(head: &str, items: impl IntoIterator<Item = &'a Expr>) -> String {
    let mut out = format!("({head}");
    for item in items {
        out += " ";
        out += &expr(item);
    }
    out + ")"
}

fn closure(function: &Closure) -> String {
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| pattern(&param.pattern) + &ascription(param.ty.as_ref()))
        .collect();
    let result = function.result.as_ref().map_or(String::new(), |result| format!(" -> {}", ty(result)));
    format!("(fn ({}){result} {})", params.join(" "), expr(&function.body))
}

fn pattern(bound: &Pattern) -> String {
    match bound {
        Pattern::Name(name) => name.name.clone(),
        Pattern::Ignore(_) => "_".to_string(),
        Pattern::Struct(fields, _) => {
            format!("({})", fields.iter().map(pattern).collect::<Vec<_>>().join(" "))
        }
        Pattern::Elements(all, _) => {
            format!("[{}]", all.iter().map(pattern).collect::<Vec<_>>().join(" "))
        }
        Pattern::Named(named) => {
            let field = |(field, bound): &(Ident, Pattern)| format!(" ({} {})", field.name, pattern(bound));
            let fields: Vec<String> = named.fields.iter().map(field).collect();
            let rest = if named.is_partial { " .." } else { "" };
            format!("({}{}{rest})", named.name.name, fields.concat())
        }
        Pattern::At(name, of) => format!("(@ {} {})", name.name, pattern(of)),
        Pattern::Value(value) => expr(value),
        Pattern::Range(range) => {
            let part = |part: &Option<Expr>| part.as_ref().map_or("_".to_owned(), expr);
            let dots = if range.is_closed { "..=" } else { ".." };
            format!("({dots} {} {})", part(&range.start), part(&range.end))
        }
        Pattern::Option(None, _) => "none".to_owned(),
        Pattern::Option(Some(value), _) => format!("(some {})", pattern(value)),
        Pattern::Or(parts) => format!("(| {})", parts.iter().map(pattern).collect::<Vec<_>>().join(" ")),
    }
}

fn ascription(annotation: Option<&Type>) -> String {
    annotation.map_or(String::new(), |annotation| format!(":{}", ty(annotation)))
}

fn iter(iter: &Iter) -> String {
    match &iter.kind {
        IterKind::All(vector) => expr(vector),
        IterKind::Strided { vector, start, end, stride } => list("iter", [vector, start, end, stride]),
        IterKind::Range { start, end, stride } => list("rangeiter", [start, end, stride]),
    }
}

fn builder(new: &Builder) -> String {
    let argument = new.init.as_ref().map_or(String::new(), |init| format!("({})", expr(init)));
    builder_type(&new.ty) + &argument
}

fn builder_type(of: &BuilderType) -> String {
    let op = of.op.map(|op| op.to_string());
    let parts: Vec<String> = of.types().map(ty).chain(op).collect();
    format!("{}[{}]", of.kind.name(), parts.join(","))
}

/// A type, in Weld's spelling.
pub(crate) fn ty(annotation: &Type) -> String {
    match &annotation.kind {
        TypeKind::Infer => "?".to_string(),
        TypeKind::Scalar(scalar) => scalar.to_string(),
        TypeKind::Size(size) => size.name().to_string(),
        TypeKind::Text => "str".to_string(),
        TypeKind::Fixed(scale) => scale.name().to_string(),
        TypeKind::Reference { of, is_taken: true, .. } => format!("&{}", ty(of)),
        TypeKind::Reference { of, is_taken: false, .. } => ty(of),
        TypeKind::Vec(element) => format!("vec[{}]", ty(element)),
        TypeKind::FixedArray(element, len) => format!("[{};{len}]", ty(element)),
        TypeKind::Option(value) => format!("option[{}]", ty(value)),
        TypeKind::Array(element, axes) => format!("array[{}{}]", ty(element), self::axes(axes)),
        TypeKind::View(element, axes) => format!("view[{}{}]", ty(element), self::axes(axes)),
        TypeKind::Dict(key, value) => format!("dict[{},{}]", ty(key), ty(value)),
        TypeKind::Struct(fields) => format!("{{{}}}", fields.iter().map(ty).collect::<Vec<_>>().join(",")),
        TypeKind::Name(named) if named.args.is_empty() => named.name.name.clone(),
        TypeKind::Name(named) => {
            format!("{}<{}>", named.name.name, named.args.iter().map(ty).collect::<Vec<_>>().join(","))
        }
        TypeKind::Builder(builder) => builder_type(builder),
        TypeKind::Function(params, result) => {
            let params: Vec<String> = params.iter().map(ty).collect();
            format!("fn({})->{}", params.join(","), ty(result))
        }
    }
}

fn constant(value: Const) -> String {
    match value {
        Const::Bool(value) => value.to_string(),
        Const::F32(value) => format!("{value:?}f32"),
        Const::F64(value) => format!("{value:?}f64"),
        _ => format!("{}{}", value.as_integer().expect("not a float"), value.scalar()),
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Min => "min",
        BinaryOp::Max => "max",
    }
}

fn compare(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}

fn axes(axes: &Axes) -> String {
    let Some(names) = &axes.names else { return format!(",{}", axes.count) };
    let names = names.iter().map(|name| match name {
        AxisName::Axis(name) => name.name.clone(),
        AxisName::Extent(extent) => extent.to_string(),
    });
    format!(";{}", names.collect::<Vec<_>>().join(","))
}
