//! `weld!` from tokens to tokens: parse, check, lower, optimise, decide, emit; and what stands in for a kernel
//! when that fails.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use weldment_core::constants::Constant;
use weldment_core::diagnostic::{Code, Diagnostic, in_order};
use weldment_core::explain;
/// How much stack [`weld`] may take, in bytes.
pub use weldment_core::guard::STACK;
use weldment_core::lower::Lowered;
use weldment_core::passes::{self, Broken};
use weldment_core::report::Report;
use weldment_core::syntax::ast::{self, Origin};
use weldment_core::syntax::names;
use weldment_core::{claims, front, guard, ir, syntax};
use weldment_runtime::lang::types::{Column, Fields, Name, Scalar, Type, UserName};

use crate::errors::compile_error;
use crate::rust::{self, About, Lent, Outside, Paths, Structs, Taken};
use crate::told::{self, Heard, Told};
use crate::{dump, halves, loops, text};

/// How many parameters a function may have to be a kernel.
const MAX_PARAMS: usize = 24;

/// How many fields a tuple may have to go in and out of a kernel.
const MAX_FIELDS: usize = 24;

/// The expansion of `weld!`, whose `input` is the path of the facade, and the program behind a semicolon.
///
/// A program that names what the user has elsewhere expands to a question to each of the names; their answers are in front of the
/// facade in the expansion that follows, see `told`.
///
/// Mistakes of the user become errors at their tokens, one error per mistake: around them stands a kernel of the
/// type that was meant, as far as it is known, so that calls of it are fine. A panic is a mistake of ours, and an error
/// at the program's first token.
pub fn weld(input: TokenStream) -> TokenStream {
    match told::heard(input.clone()) {
        Ok(Some(heard)) => return expand(&heard, true),
        Ok(None) => {}
        Err(error) => return compile_error(&error),
    }
    let mut tokens = input.into_iter();
    let facade = tokens.by_ref().take_while(|token| !told::is(token, ';')).collect();
    expand(&Heard::nothing(facade, tokens.collect()), false)
}

/// The kernel of `program`, which names nothing but what is `heard`.
pub(crate) fn known(heard: &Heard, program: TokenStream) -> TokenStream {
    expand(&heard.before(program), true)
}

/// The mistakes in `program`, which names nothing but what is `heard`.
pub(crate) fn mistakes(heard: &Heard, program: TokenStream) -> Vec<Diagnostic> {
    let place = first(&program);
    let mistakes = guard::catch(|| {
        let mut syntax = syntax::parse_tokens(program)?;
        heard.told()?.add_to(&mut syntax);
        front::from_ast(&syntax)
    });
    let internal = |message| Err(vec![Diagnostic::new(Code::Internal, place, message)]);
    mistakes.unwrap_or_else(internal).err().unwrap_or_default()
}

fn expand(heard: &Heard, has_asked: bool) -> TokenStream {
    let Heard { facade, rest: input, .. } = heard;
    let internal = |message| vec![Diagnostic::new(Code::Internal, first(input), message)];
    let syntax = guard::catch(|| syntax::parse_tokens(input.clone()));
    let syntax = syntax.unwrap_or_else(|message| Err(internal(message)));
    if let (Ok(program), false) = (&syntax, has_asked) {
        match guard::catch(|| question(program, input, facade)) {
            Ok(Some(question)) => return question,
            Ok(None) => {}
            Err(message) => return compile_error(&internal(message)[0]),
        }
    }
    let known = guard::catch(|| heard.told()).unwrap_or_else(|message| Err(internal(message)));
    let (known, syntax) = match known {
        Ok(known) => (known, syntax),
        Err(mistakes) => (Told::default(), Err(mistakes)),
    };
    let paths = Paths::new(facade.clone()).with_structs(known.structs.clone());
    let expanded = syntax.and_then(|syntax| {
        guard::catch(|| kernel(input.clone(), syntax, &known, &paths))
            .unwrap_or_else(|message| Err(internal(message)))
    });
    match expanded {
        Ok(made) if made.broken.is_empty() => made.kernel,
        // The kernel is fine, and only not as it is claimed to be.
        Ok(Made { kernel, broken }) => {
            let errors = broken.iter().map(compile_error);
            quote!({ #(#errors;)* #kernel })
        }
        Err(errors) => {
            let mut errors: Vec<_> = errors.iter().map(compile_error).collect();
            // The type of an expression that is a compile error agrees with whatever its surroundings need.
            let last = errors.pop().unwrap_or_else(|| quote!(::core::unreachable!()));
            let value = match guard::catch(|| stand_in(input.clone(), &paths, &last)).ok().flatten() {
                Some(kernel) => kernel,
                None => last,
            };
            quote!({ #(#errors;)* #value })
        }
    }
}

/// What `program` expands to if it names what it does not define: a question to each of the names.
fn question(program: &ast::Program, input: &TokenStream, facade: &TokenStream) -> Option<TokenStream> {
    let named = front::undefined(program);
    let paths = told::paths(&named, input);
    let question = told::question(&paths, "weld", facade, input)?;
    let alone = named.iter().zip(&paths).filter(|(found, _)| found.is_alone);
    let checks: TokenStream = alone.map(|(_, path)| told::check(path, "Known", facade)).collect();
    Some(quote!({ #checks #question }))
}

/// The first token's place.
fn first(input: &TokenStream) -> Span {
    input.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

/// A kernel, and the claims about it that do not hold.
struct Made {
    kernel: TokenStream,
    broken: Vec<Diagnostic>,
}

/// A parameter `array[T, N]` takes a view: Weld's spelling has no references, so that any array can be handed over.
fn take_views(syntax: &mut ast::Program) {
    for ty in syntax.closure.params.iter_mut().filter_map(|param| param.ty.as_mut()) {
        if let ast::TypeKind::Array(element, axes) = &ty.kind
            && axes.is_bracketed
        {
            ty.kind = ast::TypeKind::View(element.clone(), axes.clone());
        }
    }
}

/// What is lent to a kernel, inside of a slice or a tuple too, it reads where it lies. A result that lends something is an error.
fn take_references(syntax: &mut ast::Program) {
    let params = syntax.closure.params.iter_mut().filter_map(|param| param.ty.as_mut());
    let aliases = syntax.aliases.iter_mut().map(|alias| &mut alias.ty);
    params.chain(aliases).chain(&mut syntax.closure.result).for_each(ast::Type::take_references);
}

fn kernel(
    input: TokenStream,
    mut syntax: ast::Program,
    known: &Told,
    paths: &Paths,
) -> Result<Made, Vec<Diagnostic>> {
    let first = first(&input);
    if let Some(&(_, word)) = syntax.wanted.first() {
        let error =
            Diagnostic::new(Code::Constant, word, "a kernel is compiled before its arguments are known");
        return Err(vec![error.help(
            "leave out `const`; a kernel knows a literal in its place, a constant of Rust, and the values that \
             `#[versions(n = [3, 5])]` names; a program that is text, `Program::parse`, has such parameters",
        )]);
    }
    known.add_to(&mut syntax);
    let constants = front::constants(&syntax);
    syntax.read_outside(constants.clone());
    let outside = Outside::of(&syntax).with_functions(known.opaque());
    let params = &syntax.closure.params[syntax.outside.len()..];
    if let Some(param) = params.get(MAX_PARAMS) {
        return Err(vec![too_many(param, params.len())]);
    }
    take_views(&mut syntax);
    take_references(&mut syntax);
    let mut lowered = front::from_ast(&syntax)?;
    check_fields(&syntax.closure, &lowered, &known.structs)?;
    halves::check(&syntax.closure, &lowered)?;
    let text = text::text(input.clone())
        .behind(&declared(&constants, &lowered.program))
        .behind(&told::text(known, &input));
    let dumped = dump::folder().map(|folder| (folder, lowered.program.clone()));
    let internal = |broken| vec![Diagnostic::new(Code::Internal, first, format!("internal error: {broken}"))];
    let versions: Vec<rust::Version> = lowered
        .versions
        .iter()
        .map(|constants| version(&lowered, constants))
        .collect::<Result<_, _>>()
        .map_err(internal)?;
    let mut explanation = explain::optimise(&mut lowered.program, &lowered.positions).map_err(internal)?;
    tell_versions(&mut explanation.report, &versions, &lowered.program);
    let checked = claims::check(&syntax.attributes, &lowered, &explanation.report);
    let (claimed, broken) =
        checked.map_or_else(|broken| (Vec::new(), broken), |warnings| (warnings, Vec::new()));
    let warnings = in_order(syntax.warnings.into_iter().chain(claimed).collect());
    let Lowered { program, positions, spans, lent, .. } = lowered;
    let loops = loops::build_and_explain(&program, &positions, &mut explanation);
    let unsupported = |unsupported: Vec<rust::Unsupported>| {
        let diagnostic = |unsupported: &rust::Unsupported| {
            let span = spans.get(ir::Entity::index(unsupported.loc)).copied();
            let message = format!("not supported yet: {}", unsupported.what);
            Diagnostic::new(Code::ForeignValues, span.unwrap_or_else(Span::call_site), message)
                .help(unsupported.help)
        };
        unsupported.iter().map(diagnostic).collect::<Vec<_>>()
    };
    if let Some((folder, plain)) = dumped {
        let rust = rust::function(&loops, &positions, paths).map_err(unsupported)?;
        let kernel = dump::Kernel { first, text: &text, plain, positions: &positions, rust };
        dump::write(&folder, kernel).map_err(|message| {
            let help = format!("name a folder that can be written in `{}`, or unset it", dump::VARIABLE);
            vec![Diagnostic::new(Code::Dump, first, message).help(help)]
        })?;
    }
    let explanation = explanation.to_string();
    let about = About { source: text.text, explanation, depends: Some(dump::VARIABLE) };
    let kernel = rust::emit(
        &rust::Versions { general: &loops, known: &versions },
        &positions,
        &spans,
        paths,
        &outside,
        &lent,
        &about,
    )
    .map_err(unsupported)?;
    let kernel = if warnings.is_empty() {
        kernel
    } else {
        let warnings = warnings.iter().map(warning);
        quote!({ #(#warnings)* #kernel })
    };
    Ok(Made { kernel, broken })
}

/// The program that was `lowered` with `constants` in place of parameters.
fn version(lowered: &Lowered, constants: &[Constant]) -> Result<rust::Version, Broken> {
    let mut program = lowered.program.clone();
    let options = passes::Options { constants: constants.to_vec(), ..Default::default() };
    passes::optimize(&mut program, &options)?;
    let program = loops::build(&program, &loops::Options::default());
    Ok(rust::Version { program, constants: constants.to_vec() })
}

/// Says of each parameter that has versions which these are; `program` has all parameters.
fn tell_versions(report: &mut Report, versions: &[rust::Version], program: &ir::Program) {
    for known in &mut report.constants {
        let of_param = versions.iter().flat_map(|version| &version.constants);
        let mut values: Vec<String> = Vec::new();
        for constant in of_param.filter(|constant| constant.name == known.name) {
            // Each stands there once for each combination.
            let shown = constant.shown(program);
            if !values.contains(&shown) {
                values.push(shown);
            }
        }
        known.value = Some(format!("{} in versions of their own", values.join(", ")));
    }
}

/// The constants of Rust that the program reads, as it would declare them: to a text they are its first parameters.
fn declared(constants: &[ast::Ident], program: &ir::Program) -> String {
    let params = &program.bodies[program.entry.expect("a lowered program has an entry")].params;
    let of =
        |(name, &value): (&ast::Ident, &ir::Value)| format!("const {}: {};\n", name.name, program.ty(value));
    constants.iter().zip(params).map(of).collect()
}

/// The warning as an item that is deprecated for the reason to warn, and its use where that stands: a macro has no other
/// way to warn. Lints speak of the use, and of the crate that wrote it.
fn warning(warning: &Diagnostic) -> TokenStream {
    let note = warning.to_string();
    let name = match warning.code {
        Code::BlockOfOne => "BLOCK_OF_ONE",
        _ => "MATERIALIZED",
    };
    let (name, used) = (Ident::new(name, Span::call_site()), Ident::new(name, warning.span));
    quote! {
        {
            #[deprecated(note = #note)]
            const #name: () = ();
            #used
        };
    }
}

/// The error of a program with more parameters than a kernel can have; `first` is the first of them.
fn too_many(first: &ast::Param, found: usize) -> Diagnostic {
    let message = format!("a kernel takes at most {MAX_PARAMS} parameters, found {found}");
    Diagnostic::new(Code::TooManyParameters, first.pattern.span(), message)
        .help("put some together in a tuple, `(a, b): (f64, f64)`, or columns in a vector of tuples, `&[(f64, i32)]`")
}

/// Refuses structs with more fields than Rust's tuples can have here.
fn check_fields(closure: &ast::Closure, lowered: &Lowered, structs: &Structs) -> Result<(), Vec<Diagnostic>> {
    let Lowered { program, lent, .. } = lowered;
    let entry = &program.bodies[program.entry.expect("a lowered program has an entry")];
    let values_of = |number: usize| {
        let (_, name) = lent.iter().find(|(of, _)| *of == number)?;
        Some(structs.find(&name.of)?.of.fields.len())
    };
    let places = closure.params.iter().enumerate();
    let places = places.flat_map(|(number, param)| {
        std::iter::repeat_n(param.pattern.span(), values_of(number).unwrap_or(1))
    });
    let params = entry.params.iter().copied().zip(places);
    let results = entry.results.iter().map(|&value| (value, closure.body.span));
    let too_wide = |(value, span)| {
        let found = widest(program.ty(value));
        let message = format!("a tuple has at most {MAX_FIELDS} fields in a kernel, found {found}");
        let error = Diagnostic::new(Code::TooManyFields, span, message).help("nest tuples in tuples");
        (found > MAX_FIELDS).then_some(error)
    };
    let errors: Vec<Diagnostic> = params.chain(results).filter_map(too_wide).collect();
    if errors.is_empty() { Ok(()) } else { Err(in_order(errors)) }
}

/// The largest number of fields of a struct inside `ty`.
fn widest(ty: &Type) -> usize {
    let own = match ty {
        Type::Struct(fields) if fields.name().is_none() => fields.len(),
        _ => 0,
    };
    ty.parts().map(widest).fold(own, usize::max)
}

/// A kernel that takes the parameters of the program, if they can be read, and gives `error`.
fn stand_in(input: TokenStream, paths: &Paths, error: &TokenStream) -> Option<TokenStream> {
    let mut program =
        syntax::parse_tokens(input.clone()).or_else(|_| syntax::parse_tokens(head(input))).ok()?;
    take_references(&mut program);
    let scope = Scope { structs: paths.structs(), aliases: &program.aliases, params: &[] };
    let is_bound = program.outside.iter().any(|outside| matches!(outside, ast::Outside::Capture(_)));
    let called = &program.closure.params[program.outside.len()..];
    let taken = called.iter().enumerate().map(|(number, param)| scope.taken(param.ty.as_ref()?, number));
    let params = taken.collect::<Option<Vec<_>>>()?;
    if params.len() > MAX_PARAMS {
        return None;
    }
    let result = program.closure.result.as_ref().and_then(|ty| scope.value_type(ty));
    Some(rust::stand_in(paths, &params, result.as_ref(), is_bound, error))
}

/// The program up to the bars around its parameters, and any body: what can be read when the body or an attribute cannot.
fn head(input: TokenStream) -> TokenStream {
    let is =
        |token: &TokenTree, symbol| matches!(token, TokenTree::Punct(punct) if punct.as_char() == symbol);
    let is_bar = |token: &TokenTree| is(token, '|');
    let mut tokens: Vec<_> = input.into_iter().collect();
    while let Some(at) = tokens.iter().position(|token| is(token, '#') || is_bar(token))
        && is(&tokens[at], '#')
    {
        tokens.drain(at..tokens.len().min(at + 2));
    }
    let bars = tokens.iter().enumerate().filter(|(_, token)| is_bar(token)).map(|(i, _)| i + 1);
    let end = bars.take(2).last().unwrap_or(0);
    tokens.into_iter().take(end).chain(quote!(0)).collect()
}

/// Whether something is lent inside of what owns all that it holds.
fn lent_inside(ty: &Type) -> bool {
    let owns = matches!(ty, Type::Dict(..)) || ty.user_name().is_some() || ty.as_array().is_some();
    ty.parts().any(|part| owns && rust::lends(part) || lent_inside(part))
}

/// The column as Arrow has it that is written so.
fn column(named: &ast::NamedType) -> Option<Column> {
    let arg = named.args.first().map(|arg| &arg.kind);
    match (names::column(&named.name.name)?, arg) {
        (Column::STRINGS, None) => Some(Column::Strings(Scalar::I64)),
        (Column::STRINGS, Some(&ast::TypeKind::Scalar(offset @ (Scalar::I32 | Scalar::I64)))) => {
            Some(Column::Strings(offset))
        }
        (Column::NULLABLE, Some(&ast::TypeKind::Scalar(value))) => Some(Column::Nullable(value)),
        _ => None,
    }
}

/// What the names in a type mean.
#[derive(Clone, Copy)]
struct Scope<'a> {
    structs: &'a Structs,
    /// An alias may only use those before it, so that none is followed for ever.
    aliases: &'a [ast::Alias],
    /// The parameters of the struct that the type stands in.
    params: &'a [(&'a str, Type)],
}

impl<'a> Scope<'a> {
    /// The parameter `number` of a kernel, if `ty` spells a type of such.
    fn taken(self, ty: &ast::Type, number: usize) -> Option<Taken> {
        let ty = self.value_type(ty)?;
        match ty.user_name().filter(|_| self.is_lent(&ty)) {
            Some(name) => {
                Some(Taken::Lent(Lent { name: name.clone(), fields: ty.fields()?.to_vec(), number }))
            }
            None => (!self.is_lent_inside(&ty) && !lent_inside(&ty)).then_some(Taken::Value(ty)),
        }
    }

    /// Whether `ty` is a struct that borrows.
    fn is_lent(self, ty: &Type) -> bool {
        let definition = ty.user_name().and_then(|name| self.structs.find(&name.of));
        definition.is_some_and(|definition| definition.of.origin == Origin::Lent)
    }

    fn is_lent_inside(self, ty: &Type) -> bool {
        ty.parts().any(|part| self.is_lent(part) || self.is_lent_inside(part))
    }

    /// The type that `ty` spells, if it is one of values.
    fn value_type(self, ty: &ast::Type) -> Option<Type> {
        ty.to_value(&|named| {
            let ast::NamedType { name, args } = named;
            if let Some((_, ty)) = self.params.iter().find(|(param, _)| *param == name.name) {
                return Some(ty.clone());
            }
            if let Some(at) = self.aliases.iter().position(|alias| alias.name.name == name.name) {
                return Scope { aliases: &self.aliases[..at], ..self }.value_type(&self.aliases[at].ty);
            }
            if let (Some(column), None) = (column(named), self.find(name)) {
                return Some(Type::column(column));
            }
            self.struct_type(name, args.iter().map(|arg| self.value_type(arg)).collect::<Option<_>>()?)
        })
    }

    /// The definition of the struct that `name` names.
    fn find(self, name: &ast::Ident) -> Option<&'a ast::Struct> {
        let is_it = |of: &ast::Struct| of.name.name == name.name || of.paths.contains(&name.name);
        self.structs.definitions().iter().map(|definition| &definition.of).find(|of| is_it(of))
    }

    /// The struct that `name` names, applied to `args`.
    fn struct_type(self, name: &ast::Ident, args: Vec<Type>) -> Option<Type> {
        let of = self.find(name)?;
        let params: Vec<_> =
            of.params.iter().map(|param| &param.name[..]).zip(args.iter().cloned()).collect();
        let within = Scope { aliases: &[], params: &params, ..self };
        let fields: Fields = of.fields.iter().map(|(_, ty)| within.value_type(ty)).collect::<Option<_>>()?;
        let is_whole = params.len() == of.params.len() && args.len() == params.len();
        is_whole.then(|| {
            Type::Struct(fields.named(Some(Name::User(UserName { of: of.name.name.clone(), args }).into())))
        })
    }
}

#[cfg(test)]
mod tests {
    use weldment_core::diagnostic::{Example, Kind};

    use super::*;

    fn codes(text: &str) -> Vec<Code> {
        guard::on_large_stack(|| codes_here(text))
    }

    fn codes_here(text: &str) -> Vec<Code> {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let paths = Paths::new(quote!(::weldment));
        let known = Told::default();
        match syntax::parse_tokens(tokens.clone()).and_then(|syntax| kernel(tokens, syntax, &known, &paths)) {
            Ok(made) => made.broken.iter().map(|error| error.code).collect(),
            Err(errors) => errors.iter().map(|error| error.code).collect(),
        }
    }

    #[test]
    fn examples_of_the_table_are_right_and_wrong_as_kernels_too() {
        // Tokens are read by rustc, and it resolves foreign functions.
        let in_kernels = |code: &&Code| **code != Code::NoTokens && code.kind() != Kind::Foreign;
        for code in Code::ALL.iter().filter(in_kernels) {
            let example = code.example().filter(|example| !example.is_derive());
            let Some(Example { wrong, right }) = example else { continue };
            assert_eq!(codes(wrong), [*code], "{wrong}");
            assert_eq!(codes(right), [], "{right}");
        }
    }

    #[test]
    fn a_kernel_chooses_between_its_versions() {
        let text = "#[versions(n = [2, -1], m = [3, 4])] |v: &[f64], n: i64, m: usize| v.map(|x| (0..n).map(|k| x).sum()).take(m)";
        let kernel = weld(format!("::weldment; {text}").parse().expect("tokens")).to_string();
        let all = [("2", "3"), ("2", "4"), ("- 1", "3"), ("- 1", "4")];
        for (number, (n, m)) in all.into_iter().enumerate() {
            let chosen = format!("if v1 == {n} && v2 == {m} {{ return run{number} (cx , v0) ; }}");
            assert!(kernel.contains(&chosen), "{chosen} in {kernel}");
        }
        let captured = "#[versions(k = [1])] [k: i64] |n: i64| n + k";
        assert_eq!(codes(captured), [Code::Constant], "{captured}");
        for told in ["`n` is 2, -1 in versions of their own", "`m` is 3, 4 in versions of their own"] {
            assert!(kernel.contains(told), "{told} in {kernel}");
        }
    }

    #[test]
    fn any_number_of_lets_expands() {
        let text = format!("|x: f64| {{ {}x }}", "let x = x * 0.5 + 1.0; ".repeat(10_000));
        let kernel = weld(format!("::weldment; {text}").parse().expect("tokens")).to_string();
        assert!(kernel.contains("KERNEL"), "{kernel:.300}");
    }
}
