//! What a program names without defining it, on its way to `weld!`: the question to each name, and the answer.
//!
//! What derives `Weld` and what is `#[welded]` has, beside itself, a macro of its own name, which travels with the name through
//! modules, crates, renames and globs. A question expands the first of the names, with those behind it and, last, with who wants to
//! know; each adds its answer and expands the next (macros in continuation-passing style):
//!
//! ```text
//! Point! { @weld1 [] [{ shop::tax } { weldment::__private::weld }] [{ Point } { shop::tax }] weldment; program }
//! shop::tax! { @weld1 [{ answer }] [{ weldment::__private::weld }] … }
//! weldment::__private::weld! { @weld1 [{ answer } { answer }] [] … }
//! ```
//!
//! An answer is a name that no other item has, and the definitions of all that can be reached from there, each once and behind those that
//! it needs, where they go by such names:
//!
//! ```text
//! { tax__weld_81ab [{ rate__weld_f00 rate { fn rate__weld_f00(…) … } } { tax__weld_81ab tax { … rate__weld_f00(x) … } }] }
//! ```

mod dollars;

mod opaque;

mod protocol;

mod renamed;

#[cfg(test)]
mod tests;

mod text;

use std::hash::{DefaultHasher, Hash, Hasher};

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use weldment_core::diagnostic::{Code, Diagnostic};
use weldment_core::syntax::ast::{Origin, Welded};
use weldment_core::syntax::names::Undefined;
use weldment_core::syntax::{self, ast};

use self::opaque::is_opaque;
pub(crate) use self::renamed::is;
use self::renamed::{Renaming, find, renamed, spelt};
pub(crate) use self::text::text;
use crate::errors::compile_errors;
use crate::rust::{Definition, Structs};

/// What others have told of the names in a program.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Each behind those of its fields.
    pub(crate) structs: Structs,
    /// Each behind those that it needs.
    pub(crate) welded: Vec<Library>,
}

/// A function or a constant that is `#[welded]`.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) of: Welded,
    /// Its name where it is defined.
    shown: String,
    /// As it was told.
    item: TokenStream,
    /// Where rustc finds it, if it is a function of Rust.
    path: Option<TokenStream>,
}

/// Answers to questions, and what is to be done with them.
#[derive(Clone)]
pub(crate) struct Heard {
    answers: TokenStream,
    /// What was asked, in the order of the answers.
    paths: Vec<TokenStream>,
    pub(crate) facade: TokenStream,
    /// What was to be expanded when all is known.
    pub(crate) rest: TokenStream,
}

/// A definition in an answer.
struct Item {
    /// Its name, unlike that of any other.
    id: Ident,
    shown: Ident,
    item: TokenStream,
    /// Where any crate finds it, if it is a function of Rust that others call.
    path: Option<TokenStream>,
}

/// What was asked, and what was answered.
struct Answered<'a> {
    path: &'a TokenStream,
    id: Ident,
    items: Vec<Item>,
}

/// A macro that answers, yet to be defined.
pub(crate) struct Answer<'a> {
    pub(crate) vis: &'a TokenStream,
    /// Of the item, and so of the macro.
    pub(crate) name: &'a Ident,
    pub(crate) id: &'a Ident,
    /// The definition, where it goes by `id`, and all else by the names that it has there.
    pub(crate) item: &'a TokenStream,
}

/// A question to each of `paths`, after which the macro `then` of the facade is expanded with `rest`. Nothing if there are none.
pub(crate) fn question(
    paths: &[TokenStream],
    then: &str,
    facade: &TokenStream,
    rest: &TokenStream,
) -> Option<TokenStream> {
    let (first, behind) = paths.split_first()?;
    let (then, number) = (Ident::new(then, Span::call_site()), protocol::number());
    Some(quote! {
        #first ! {
            @#number [] [#({ #behind })* { #facade::__private::#then }] [#({ #paths })*] #facade; #rest
        }
    })
}

/// The paths in `input` of what it does not define, as they are written there.
pub(crate) fn paths(named: &[Undefined], input: &TokenStream) -> Vec<TokenStream> {
    named.iter().map(|found| path(&found.path, input)).collect()
}

/// The answers in `tokens`, if they are a call of who wanted to know; an error if another version asked.
pub(crate) fn heard(tokens: TokenStream) -> Result<Option<Heard>, Diagnostic> {
    let mut tokens = tokens.into_iter();
    let is_answer = match (tokens.next(), tokens.next()) {
        (Some(at), Some(number)) if is(&at, '@') => protocol::is_ours(&number)?,
        _ => false,
    };
    Ok(if is_answer { answers_in(tokens) } else { None })
}

/// The same behind the number.
fn answers_in(mut tokens: impl Iterator<Item = TokenTree>) -> Option<Heard> {
    let mut group = || match tokens.next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => Some(group.stream()),
        _ => None,
    };
    let [answers, _, paths] = [group()?, group()?, group()?];
    let facade = tokens.by_ref().take_while(|token| !is(token, ';')).collect();
    let paths = groups(paths).ok()?.into_iter().map(|group| group.stream()).collect();
    Some(Heard { answers, paths, facade, rest: tokens.collect() })
}

/// What `then` makes of the answers in `tokens`, of a macro that only such calls expand.
pub(crate) fn on_answers(tokens: TokenStream, then: fn(&Heard) -> TokenStream) -> TokenStream {
    match heard(tokens) {
        Ok(Some(heard)) => then(&heard),
        Err(error) => compile_errors(&[error]),
        Ok(None) => quote!(::core::compile_error!("this macro is for what `weldment` expands to");),
    }
}

impl Heard {
    /// Nothing was asked.
    pub(crate) fn nothing(facade: TokenStream, rest: TokenStream) -> Heard {
        Heard { answers: TokenStream::new(), paths: Vec::new(), facade, rest }
    }

    /// The same answers, before something else.
    pub(crate) fn before(&self, rest: TokenStream) -> Heard {
        Heard { rest, ..self.clone() }
    }

    /// What was asked, each with the name and the definitions of its answer.
    fn answers(&self) -> Result<Vec<Answered<'_>>, Vec<Diagnostic>> {
        let answers = groups(self.answers.clone())?;
        let answer = |(path, answer): (_, Group)| {
            if let Some(error) = protocol::other(&answer.stream(), &spelt(path), place(path)) {
                return Err(vec![error]);
            }
            let mut tokens = answer.stream().into_iter();
            match (tokens.next(), tokens.next()) {
                (Some(TokenTree::Ident(id)), Some(TokenTree::Group(items))) => {
                    Ok(Answered { path, id, items: items_in(items.stream())? })
                }
                _ => Err(vec![foreign(place(path))]),
            }
        };
        self.paths.iter().zip(answers).map(answer).collect()
    }

    /// What was told, or what is wrong with that: nothing that is not told elsewhere, if there are no errors.
    pub(crate) fn told(&self) -> Result<Told, Vec<Diagnostic>> {
        let mut known = Known::default();
        for Answered { path, id, items } in self.answers()? {
            let place = place(path);
            items
                .into_iter()
                .try_for_each(|item| known.define(item))
                .map_err(|errors| blame(errors, place))?;
            known.find(&id.to_string(), path, place).ok_or_else(|| vec![foreign(place)])?;
        }
        known.structs_of_rust();
        Ok(Told { structs: Structs::new(known.structs), welded: known.welded })
    }

    /// The errors of functions of Rust that an item names by paths which others do not find.
    pub(crate) fn own_paths(&self) -> Vec<Diagnostic> {
        let own = |of: Answered<'_>| {
            let is_own = of.items.iter().any(|item| is_opaque(&item.item) && item.path.is_none());
            if is_own { opaque::path_from_anywhere(of.path).err() } else { None }
        };
        self.answers().unwrap_or_default().into_iter().filter_map(own).collect()
    }

    /// The macro of an item that needs what was told.
    pub(crate) fn answer(&self, of: &Answer<'_>) -> Result<TokenStream, Vec<Diagnostic>> {
        let Answer { vis, name, id, item } = *of;
        let mut renaming = Renaming::new();
        let mut items: Vec<Item> = Vec::new();
        for Answered { path, id, items: told } in self.answers()? {
            renaming.insert(spelt(path), id.to_token_stream());
            for mut item in told {
                if is_opaque(&item.item) && item.path.is_none() {
                    item.path = opaque::path_from_anywhere(path).ok();
                }
                if items.iter().all(|known| known.id != item.id) {
                    items.push(item);
                }
            }
        }
        let item = renamed(item.clone(), &renaming);
        items.push(Item { id: id.clone(), shown: name.clone(), item, path: None });
        let items = items.iter().map(|Item { id, shown, item, path }| {
            let (item, path) = (dollars::hidden(item.clone()), path.iter());
            quote!({ #id #shown { #item } #({ #path })* })
        });
        let answer = quote!(#id [#(#items)*]);
        let is_public = matches!(syn::parse2(vis.clone()), Ok(syn::Visibility::Public(_)));
        let export = is_public.then(|| quote!(#[doc(hidden)] #[macro_export]));
        let definition = protocol::macro_of(id, &answer);
        Ok(quote! {
            #[allow(unused_macros, non_local_definitions)]
            #export
            #definition
            #[doc(hidden)]
            #[allow(unused_imports)]
            #vis use #id as #name;
        })
    }
}

/// What has been told so far.
#[derive(Default)]
struct Known {
    structs: Vec<Definition>,
    welded: Vec<Library>,
}

impl Known {
    /// Adds what `item` defines, unless it is there. One that is empty ends the expansion without an error: its mistakes are reported where it is
    /// defined.
    fn define(&mut self, item: Item) -> Result<(), Vec<Diagnostic>> {
        let Item { id, shown, item, path } = item;
        if item.is_empty() {
            return Err(Vec::new());
        }
        let id = id.to_string();
        let is_known = self.structs.iter().any(|known| known.of.name.name == id)
            || self.welded.iter().any(|known| known.of.name().name == id);
        if is_known {
            return Ok(());
        }
        let shown = shown.to_string().trim_start_matches("r#").to_owned();
        let (structs, welded) = syntax::parse_items(item.clone())?;
        self.structs.extend(structs.into_iter().map(|of| {
            let of = ast::Struct { shown: shown.clone(), origin: Origin::Library, ..of };
            Definition { of, path: None, span: Span::call_site() }
        }));
        self.welded.extend(welded.into_iter().map(|of| {
            let (shown, item, path) = (shown.clone(), item.clone(), path.clone());
            Library { of, shown, item, path }
        }));
        Ok(())
    }

    /// Notes that `id` is found at `path`.
    fn find(&mut self, id: &str, path: &TokenStream, place: Span) -> Option<()> {
        if let Some(known) = self.welded.iter_mut().find(|known| known.of.name().name == id) {
            known.of.paths_mut().push(spelt(path));
            if is_opaque(&known.item) {
                known.path = Some(path.clone());
            }
            return Some(());
        }
        let known = self.structs.iter_mut().find(|known| known.of.name.name == id)?;
        known.of.paths.push(spelt(path));
        if known.path.is_none() {
            known.span = place;
            known.path = Some(path.clone());
        }
        Some(())
    }
}

impl Known {
    /// Marks the structs that Rust finds: at paths of the program, and as fields of those.
    fn structs_of_rust(&mut self) {
        // Each stands behind those of its fields.
        for at in (0..self.structs.len()).rev() {
            let definition = &mut self.structs[at];
            if definition.path.is_some() {
                definition.of.origin = if definition.of.lifetimes > 0 { Origin::Lent } else { Origin::Rust };
            }
            if definition.of.origin == Origin::Lent {
                definition.of.fields.iter_mut().for_each(|(_, ty)| ty.take_references());
            }
            if !matches!(definition.of.origin, Origin::Rust | Origin::Lent) {
                continue;
            }
            let mut names = Vec::new();
            definition.of.fields.iter().for_each(|(_, ty)| named_in(ty, &mut names));
            let inside = self.structs[..at].iter_mut().filter(|inside| names.contains(&inside.of.name.name));
            inside.for_each(|inside| inside.of.origin = Origin::Rust);
        }
    }
}

/// The names in `ty`.
fn named_in(ty: &ast::Type, names: &mut Vec<String>) {
    if let ast::TypeKind::Name(named) = &ty.kind {
        names.push(named.name.name.clone());
    }
    ty.parts().for_each(|part| named_in(part, names));
}

impl Told {
    /// The functions of Rust that the program calls, by the names that it has for them.
    pub(crate) fn opaque(&self) -> impl Iterator<Item = (String, TokenStream)> {
        self.welded.iter().filter_map(|of| Some((of.of.name().name.clone(), of.path.clone()?)))
    }

    /// Adds what was told to the program.
    pub(crate) fn add_to(&self, program: &mut ast::Program) {
        let structs = self.structs.definitions().iter().map(|definition| definition.of.clone());
        program.structs.splice(0..0, structs);
        for known in &self.welded {
            match &known.of {
                Welded::Function(of) => program.functions.push(of.clone()),
                Welded::Constant(of) => program.constants.push(of.clone()),
            }
        }
    }
}

/// An item that compiles if the type `path` derives `Weld`: any, if it is `Known`, or one that owns its data, if it is a `Structure`. A type that
/// does not has no macro to ask, of which rustc says no more than that there is none; but it checks types all the same, and then says what this
/// item needs.
pub(crate) fn check(path: &TokenStream, what: &str, facade: &TokenStream) -> TokenStream {
    let what = Ident::new(what, Span::call_site());
    quote! {
        #[allow(elided_lifetimes_in_paths)]
        const _: () = {
            const fn is<T: #facade::__private::rt::api::structure::#what>() {}
            is::<#path>()
        };
    }
}

/// A name for the macro of an item, unlike that of any other in the crate, for macros share one namespace when they are
/// exported.
pub(crate) fn unique(name: &Ident, item: &TokenStream) -> Ident {
    use syn::ext::IdentExt;
    let mut hasher = DefaultHasher::new();
    let start = name.span().start();
    (start.line, start.column, item.to_string()).hash(&mut hasher);
    std::env::var("CARGO_PKG_NAME").unwrap_or_default().hash(&mut hasher);
    format_ident!("{}__weld_{:016x}", name.unraw(), hasher.finish(), span = Span::call_site())
}

/// The tokens of a path that stands in `input`.
fn path(name: &ast::Ident, input: &TokenStream) -> TokenStream {
    let segments = name.name.split("::").map(|segment| {
        // The crate of a `macro_rules` macro is a token that cannot be made.
        if segment == "$crate"
            && let Some(token) = find(input, segment)
        {
            return token.to_token_stream();
        }
        // In front of the first `::` of a global path.
        if segment.is_empty() {
            return TokenStream::new();
        }
        let mut ident =
            syn::parse_str::<Ident>(segment).or_else(|_| syn::parse_str::<Ident>(&format!("r#{segment}")));
        if let ("crate" | "self" | "super", Err(_)) = (segment, &ident) {
            ident = Ok(Ident::new(segment, name.span));
        }
        let mut ident = ident.unwrap_or_else(|_| Ident::new("_unknown", name.span));
        ident.set_span(name.span);
        ident.to_token_stream()
    });
    quote!(#(#segments)::*)
}

/// Where the last name of `path` stands.
fn place(path: &TokenStream) -> Span {
    path.clone().into_iter().last().map_or_else(Span::call_site, |token| token.span())
}

fn items_in(tokens: TokenStream) -> Result<Vec<Item>, Vec<Diagnostic>> {
    let item = |group: Group| {
        let mut tokens = group.stream().into_iter();
        match (tokens.next(), tokens.next(), tokens.next()) {
            (Some(TokenTree::Ident(id)), Some(TokenTree::Ident(shown)), Some(TokenTree::Group(item))) => {
                let path = tokens.next().and_then(|token| match token {
                    TokenTree::Group(path) => Some(path.stream()),
                    _ => None,
                });
                Ok(Item { id, shown, item: dollars::shown(item.stream()), path })
            }
            _ => Err(vec![foreign(group.span())]),
        }
    };
    groups(tokens)?.into_iter().map(item).collect()
}

fn groups(tokens: TokenStream) -> Result<Vec<Group>, Vec<Diagnostic>> {
    let group = |token| match token {
        TokenTree::Group(group) => Ok(group),
        other => Err(vec![foreign(other.span())]),
    };
    tokens.into_iter().map(group).collect()
}

/// The error of an answer that no derive and no attribute has written.
fn foreign(span: Span) -> Diagnostic {
    let error = Diagnostic::new(
        Code::NotDerived,
        span,
        "this is neither a struct that derives `Weld` nor `#[welded]`",
    );
    error.help(
        "add `#[derive(Weld)]` or `#[welded]` to it, with the version of `weldment` that has this `weld!`",
    )
}

/// The errors of an answer, at the name that it was asked of: of its own tokens the user has written none.
fn blame(errors: Vec<Diagnostic>, place: Span) -> Vec<Diagnostic> {
    errors.into_iter().map(|error| Diagnostic { span: place, ..error }).collect()
}
