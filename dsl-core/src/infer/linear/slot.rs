//! What the check knows of values and variables: which builders are in them, and what has become of these.

use proc_macro2::Span;

/// Which builder: a number of its own for each new builder, and for each builder parameter of a loop.
pub(super) type Token = usize;

/// The builders in the value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Value,
    Builder(Token),
    Struct(Vec<Shape>),
}

/// Where a builder was used, and in what, as in `merge(b, x)`.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) at: Span,
    pub(super) text: String,
}

/// The builders in a variable.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    Value,
    Free(Token),
    Used(Token, Use),
    Struct(Vec<Slot>),
}

impl Shape {
    /// Adds the builders of the shape to `tokens`.
    pub(super) fn collect(&self, tokens: &mut Vec<Token>) {
        match self {
            Shape::Value => {}
            Shape::Builder(token) => tokens.push(*token),
            Shape::Struct(fields) => fields.iter().for_each(|field| field.collect(tokens)),
        }
    }

    /// The builders of the shape.
    pub(super) fn tokens(&self) -> Vec<Token> {
        let mut tokens = Vec::new();
        self.collect(&mut tokens);
        tokens
    }
}

impl Slot {
    /// A variable that has just been bound to a value of this shape.
    pub(super) fn new(shape: &Shape) -> Slot {
        match shape {
            Shape::Value => Slot::Value,
            Shape::Builder(token) => Slot::Free(*token),
            Shape::Struct(fields) => Slot::Struct(fields.iter().map(Slot::new).collect()),
        }
    }

    /// Takes all builders out. Those that were taken before come with their first use in `again`.
    pub(super) fn take(&mut self, by: &Use, again: &mut Vec<(Token, Use)>) -> Shape {
        match self {
            Slot::Value => Shape::Value,
            Slot::Used(token, first) => {
                again.push((*token, first.clone()));
                Shape::Builder(*token)
            }
            Slot::Free(token) => {
                let token = *token;
                *self = Slot::Used(token, by.clone());
                Shape::Builder(token)
            }
            Slot::Struct(fields) => {
                Shape::Struct(fields.iter_mut().map(|field| field.take(by, again)).collect())
            }
        }
    }

    /// The builders that are still there.
    pub(super) fn free(&self, tokens: &mut Vec<Token>) {
        match self {
            Slot::Value | Slot::Used(..) => {}
            Slot::Free(token) => tokens.push(*token),
            Slot::Struct(fields) => fields.iter().for_each(|field| field.free(tokens)),
        }
    }

    /// A builder that one side has used and the other has not, and its use. On both sides the slot is of one variable.
    pub(super) fn difference<'a>(&'a self, other: &'a Slot) -> Option<(Token, &'a Use)> {
        match (self, other) {
            (Slot::Struct(a), Slot::Struct(b)) => a.iter().zip(b).find_map(|(a, b)| a.difference(b)),
            (Slot::Used(token, by), Slot::Free(_)) | (Slot::Free(_), Slot::Used(token, by)) => {
                Some((*token, by))
            }
            _ => None,
        }
    }

    /// Whether everything is still there.
    pub(super) fn is_free(&self, token: Token) -> bool {
        let mut free = Vec::new();
        self.free(&mut free);
        free.contains(&token)
    }
}
