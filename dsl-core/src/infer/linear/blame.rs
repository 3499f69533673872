//! The mistakes that the check finds, each with the other place that it has to do with.

use proc_macro2::Span;

use super::slot::{Shape, Token, Use};
use super::{Linear, text};
use crate::diagnostic::{Code, Diagnostic};
use crate::infer::typed::Local;

impl Linear<'_> {
    /// Tells a mistake with the builders `tokens`, unless one of them has been told of before.
    fn refuse(&mut self, tokens: &[Token], error: Diagnostic) {
        if !tokens.iter().any(|token| self.refused.contains(token)) {
            self.errors.push(error);
        }
        self.refused.extend(tokens);
    }

    /// Builders that were taken out of `local` before are used at `span`.
    pub(super) fn used_again(&mut self, local: Local, span: Span, again: Vec<(Token, Use)>) {
        for (token, first) in again {
            let message = format!("the builder `{}` is used a second time", self.program.locals[local].name);
            let error = Diagnostic::new(Code::UsedTwice, span, message)
                .note(format!("it was first used at {}", text::place(&first)))
                .help("use what `merge` and `for` return; to go on with the value, call `result` once");
            self.refuse(&[token], error);
        }
    }

    /// The builders `tokens` are left over.
    pub(super) fn dropped(&mut self, tokens: &[Token], span: Span, what: &str) {
        for &token in tokens {
            let error = Diagnostic::new(Code::Dropped, span, format!("{what} is dropped"))
                .help("every builder ends in `result`, or is returned from the function of a `for`");
            self.refuse(&[token], error);
        }
    }

    /// The builder of `local` is used `by` one side only; `what` says so for the other, at `span`.
    pub(super) fn one_sided(&mut self, local: Local, token: Token, by: &Use, span: Span, what: &str) {
        let name = &self.program.locals[local].name;
        let error = Diagnostic::new(Code::OneSided, span, format!("the builder `{name}` {what}"));
        let is_there = text::line(by.at) == text::line(span);
        let error = if is_there { error } else { error.note(format!("it is used at {}", text::place(by))) };
        let error =
            error.help(format!("use it on both sides: `if c {{ merge({name}, x) }} else {{ {name} }}`"));
        self.refuse(&[token], error);
    }

    /// The branches of an `if` return `first` and `second` in the same place, among the builders `all`.
    pub(super) fn other_branch(&mut self, span: Span, first: Token, second: Token, all: &[Token]) {
        let (a, b) = (self.described(first), self.described(second));
        let error =
            Diagnostic::new(Code::OtherBranch, span, "the branches of an `if` return different builders")
                .note(format!("the first returns {a}, the second {b}"))
                .help("both branches return the same builders in the same places, or new ones of their own");
        self.refuse(all, error);
    }

    /// The builders of `shape` in `local` are used in a loop at `span`, and come from outside of it.
    pub(super) fn outer(&mut self, local: Local, span: Span, shape: &Shape) {
        let info = &self.program.locals[local];
        let inside = self.loops.last().expect("deeper than where it is bound").name;
        let message = format!("the builder `{}` comes from outside of this `{inside}`", info.name);
        let advice = match inside {
            "for" | "iterate" => "a loop merges into its own builder: start the loop with this one",
            _ => "only `for` and `iterate` merge into builders: start one of them with this one",
        };
        let error = Diagnostic::new(Code::OuterBuilder, span, message)
            .note(format!("it is bound at {}", text::line(info.span)))
            .help(advice);
        self.refuse(&shape.tokens(), error);
    }

    /// The function of a loop was given `own` and returns something else.
    pub(super) fn not_the_own(&mut self, name: &str, span: Span, own: &Shape, returned: &Shape) {
        let article = if name == "iterate" { "an" } else { "a" };
        let message =
            format!("the function of {article} `{name}` returns another builder than the one it was given");
        let error = Diagnostic::new(Code::NotTheOwn, span, message);
        let (own, returned) = (own.tokens(), returned.tokens());
        let error = match own.iter().zip(&returned).find(|(a, b)| a != b) {
            Some((&a, &b)) => {
                error.note(format!("it was given {}, and returns {}", self.described(a), self.described(b)))
            }
            None => error,
        };
        let error = error.help("return the builder parameter, or what `merge` makes of it");
        self.refuse(&[own, returned].concat(), error);
    }

    /// `result` at `span` of a builder of this shape: not inside of the loop that merges into it.
    pub(super) fn check_result(&mut self, shape: &Shape, span: Span) {
        let tokens = shape.tokens();
        let own = |around: &&super::Loop| around.own.iter().any(|token| tokens.contains(token));
        let Some(around) = self.loops.iter().find(own) else { return };
        let name = around.name;
        let error =
            Diagnostic::new(Code::EarlyResult, span, "`result` inside the loop that merges into the builder")
                .note(format!("the loop is the `{name}` at {}", text::line(around.span)))
                .help(format!(
                    "return the builder from the function, and call `result` on what the `{name}` gives"
                ));
        self.refuse(&tokens, error);
    }

    /// The builder, by its name or by where it is made.
    fn described(&self, token: Token) -> String {
        let origin = &self.origins[token];
        let line = text::line(origin.span);
        match &origin.name {
            Some(name) => format!("`{name}` of {line}"),
            None => format!("the one made at {line}"),
        }
    }
}
