//! One iteration of a loop that runs in blocks, as a function: from what it reads to what it merges.
//!
//! Where an iteration takes sines, cosines or tangents, there is a second function, without branches, for angles that are not huge, and a
//! third that tells whether all are such. A block asks the third for each of its iterations, and then runs the second or,
//! rarely, the first:
//!
//! ```text
//! fn row(v3: f64) -> f64 { let v5 = Float::sin(v3); v5 }
//! fn near_row(v3: f64) -> f64 { let v5 = Float::near_sin(v3); v5 }
//! fn is_near(v3: f64) -> bool { Float::is_near(v3) }
//! ```

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use weldment_core::ir::{Const, MathFn, Op, Value};
use weldment_runtime::types::Type;

use super::block::one_or_tuple;
use super::run::{is_column, reads_index};
use super::{Emitter, names, types};
use crate::loops::{Loop, Merge, Step};

/// One iteration of a loop that runs in blocks.
pub(super) struct Row<'a> {
    /// The values read from columns, with the column.
    pub(super) reads: Vec<(Value, Value)>,
    /// The values that merges take, each once.
    pub(super) outputs: Vec<Value>,
    pub(super) merges: Vec<&'a Merge>,
    /// Whether there is more to it than reading.
    pub(super) computes: bool,
}

impl<'a> Row<'a> {
    pub(super) fn of(inner: &'a Loop, consts: &HashMap<Value, Const>) -> Row<'a> {
        let mut row =
            Row { reads: Vec::new(), outputs: Vec::new(), merges: Vec::new(), computes: reads_index(inner) };
        for step in &inner.body.steps {
            match step {
                Step::Bind { result, op: Op::At(vector, index), .. } if is_column(inner, *vector, *index) => {
                    row.reads.push((*result, *vector));
                }
                Step::Merge(merge) => {
                    for &value in merge.values.iter().chain(&merge.guard) {
                        if !row.outputs.contains(&value) && !consts.contains_key(&value) {
                            row.outputs.push(value);
                        }
                    }
                    row.merges.push(merge);
                }
                Step::Bind { op: Op::Const(_), .. } => {}
                _ => row.computes = true,
            }
        }
        row
    }

    /// `v4`, or `(v4, v6)`: what it merges.
    fn values(&self) -> TokenStream {
        let values = self.outputs.iter().map(|&output| names::value(output));
        one_or_tuple(values.map(|value| quote!(#value)).collect())
    }
}

/// Which function of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Angles {
    /// For all angles.
    Any,
    /// For angles that are near.
    Near,
}

/// The function that tells whether all angles of an iteration are near.
pub(super) struct IsNear {
    pub(super) item: TokenStream,
    /// Of the values read from columns, those that it takes.
    reads: Vec<(Value, Value)>,
    inputs: Vec<Value>,
    takes_index: bool,
}

impl Emitter<'_> {
    /// The function of one iteration.
    pub(super) fn row(
        &mut self,
        inner: &Loop,
        row: &Row<'_>,
        inputs: &[Value],
        angles: Angles,
    ) -> TokenStream {
        let outputs = row.outputs.iter().map(|&output| types::owned(self.p, self.ty(output)));
        let (outputs, values) = (one_or_tuple(outputs.collect()), row.values());
        let takes = (reads_index(inner), &row.reads[..], inputs);
        let body = (outputs, values);
        self.iteration(&angles.row(), inner, takes, angles, &inner.body.steps, body)
    }

    /// `let (v4, v6) = row(…);`, or what it reads if there is no more to it.
    pub(super) fn row_call(
        &self,
        inner: &Loop,
        row: &Row<'_>,
        inputs: &[Value],
        angles: Angles,
        element: &dyn Fn(Value) -> TokenStream,
        position: TokenStream,
    ) -> TokenStream {
        if !row.computes {
            let binds = row.reads.iter().map(|&(value, vector)| {
                let (value, element) = (names::value(value), element(vector));
                quote!(let #value = #element;)
            });
            return quote!(#(#binds)*);
        }
        let (name, outputs) = (angles.row(), row.values());
        let args = arguments((reads_index(inner), &row.reads, inputs), element, position);
        quote!(let #outputs = #name(#args);)
    }

    /// The function that tells whether all angles are near; `None` where there are none.
    pub(super) fn is_near(&mut self, inner: &Loop, row: &Row<'_>, inputs: &[Value]) -> Option<IsNear> {
        let angles: Vec<Value> = inner.body.steps.iter().filter_map(angle).collect();
        if angles.is_empty() {
            return None;
        }
        let mut needed: HashSet<Value> = angles.iter().copied().collect();
        for step in inner.body.steps.iter().rev() {
            match step {
                Step::Bind { result, op, .. } if needed.contains(result) => match op {
                    Op::At(vector, index) if is_column(inner, *vector, *index) => {}
                    // It may do more than give a value, and so runs once.
                    Op::Call { .. } => return None,
                    op => op.for_each_operand(&mut |operand| {
                        needed.insert(operand);
                    }),
                },
                _ => {}
            }
        }
        let reads: Vec<_> = row.reads.iter().copied().filter(|(value, _)| needed.contains(value)).collect();
        let inputs: Vec<_> = inputs.iter().copied().filter(|input| needed.contains(input)).collect();
        let takes_index = needed.contains(&inner.index);
        let float = self.p.float();
        let angles = angles.iter().map(|&angle| self.operand(angle));
        let body = (quote!(bool), quote!(#(#float::is_near(#angles))&*));
        let takes = (takes_index, &reads[..], &inputs[..]);
        let name = format_ident!("is_near");
        let steps = inner
            .body
            .steps
            .iter()
            .filter(|step| matches!(step, Step::Bind { result, .. } if needed.contains(result)));
        let item = self.iteration(&name, inner, takes, Angles::Near, steps, body);
        Some(IsNear { item, reads, inputs, takes_index })
    }

    /// A function of what `takes` says, with those of its steps that compute.
    pub(super) fn iteration<'a>(
        &mut self,
        name: &Ident,
        inner: &Loop,
        takes: Takes<'_>,
        angles: Angles,
        steps: impl IntoIterator<Item = &'a Step>,
        (output, values): (TokenStream, TokenStream),
    ) -> TokenStream {
        let (takes_index, reads, inputs) = takes;
        let mut scope = self.function_scope(inputs);
        scope.bind(inner.index, &Type::I64);
        let mut params = Vec::new();
        if takes_index {
            let index = names::value(inner.index);
            params.push(quote!(#index: i64));
        }
        for &(value, _) in reads {
            scope.bind(value, self.ty(value));
            let (name, ty) = (names::value(value), types::owned(self.p, self.ty(value)));
            params.push(quote!(#name: #ty));
        }
        params.extend(self.parameters(inputs));
        self.angles = angles;
        let mut binds = TokenStream::new();
        for step in steps {
            match step {
                Step::Bind { result, op, loc } if !scope.is_bound(*result) => {
                    let search = self.search_for_all(&scope, *result, op);
                    let bound = self.op(&scope, *result, op, *loc);
                    scope.bind_to(*result, self.ty(*result), &bound);
                    let (name, value) = (names::value(*result), bound.value);
                    binds.extend(quote!(#search let #name = #value;));
                }
                _ => {}
            }
        }
        self.angles = Angles::Any;
        let allow = super::allow_parameters(params.len());
        quote! {
            #allow
            #[inline(always)]
            fn #name(#(#params),*) -> #output {
                #binds
                #values
            }
        }
    }
}

impl IsNear {
    /// `near &= is_near(…);`
    pub(super) fn call(&self, element: &dyn Fn(Value) -> TokenStream, position: TokenStream) -> TokenStream {
        let args = arguments((self.takes_index, &self.reads, &self.inputs), element, position);
        quote!(near &= is_near(#args);)
    }
}

impl Angles {
    fn row(self) -> Ident {
        match self {
            Angles::Any => format_ident!("row"),
            Angles::Near => format_ident!("near_row"),
        }
    }
}

/// What a function of an iteration takes: whether the index, which values read from columns, what else.
pub(super) type Takes<'a> = (bool, &'a [(Value, Value)], &'a [Value]);

/// What is handed to it: `element` says how an element of a column, or of what stands for one, is read.
pub(super) fn arguments(
    (takes_index, reads, inputs): Takes<'_>,
    element: &dyn Fn(Value) -> TokenStream,
    position: TokenStream,
) -> TokenStream {
    let index = takes_index.then(|| quote!((first + #position) as i64,));
    let reads = reads.iter().map(|&(_, vector)| element(vector));
    let inputs = inputs.iter().map(|&input| names::value(input));
    quote!(#index #(#reads,)* #(#inputs),*)
}

/// How a loop over lanes reads what stands in these arrays.
pub(super) fn in_lane(column: impl Fn(Value) -> Ident) -> impl Fn(Value) -> TokenStream {
    move |vector| {
        let column = column(vector);
        quote!(#column[lane])
    }
}

/// The angle whose sine or cosine a step takes.
fn angle(step: &Step) -> Option<Value> {
    match step {
        Step::Bind { op: Op::Math(MathFn::Sin | MathFn::Cos | MathFn::Tan, args), .. } => Some(args[0]),
        _ => None,
    }
}
