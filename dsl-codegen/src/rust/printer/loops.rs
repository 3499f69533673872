//! Loops on one thread, and prefetches.
//!
//! ```text
//! for v3 in 0..v2 { … }                                             // one iteration after the other
//! cx.strips(v2, #[inline(always)] |v3, n| { let v4 = v3 + n; … })?; // strips
//! for block in 0..v2 / 16 { let block5 = &blocks5[block]; … }      // blocks
//! ```

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use weldment_core::ir::{Entity, Value};
use weldment_runtime::exec::context::{OUTER_STRIP, ROW_STRIP, ROWS_STRIP};

use super::{BlockLoop, Printer, Tail, braces, variable};
use crate::imp::walk::Use;
use crate::imp::{Block, For, Lanes, Prefetch, Stmt, Stride};

impl Printer<'_> {
    pub(super) fn for_loop(&mut self, inner: &For) -> TokenStream {
        match (inner.end, inner.step) {
            (Some(end), _) => self.strips(inner, end),
            (None, 1) if inner.tail => self.tail(inner),
            (None, 1) => self.one_by_one(inner),
            (None, _) => self.blocks(inner),
        }
    }

    fn one_by_one(&mut self, inner: &For) -> TokenStream {
        let index = variable(inner.index);
        let number = self.number(inner);
        let before = self.hashes(inner);
        let stmts = self.in_closure([], |this| this.stmts(&inner.body));
        let [from, to] = inner.range.map(|position| self.name(position));
        let Some((few, exit)) = &inner.exit else {
            let index = if number.is_empty() { self.position_pattern(inner.index) } else { quote!(#index) };
            let body = braces([number, stmts]);
            return quote!(#before for #index in #from..#to #body);
        };
        let exit = braces([self.in_closure([], |this| this.stmts(exit))]);
        let few = Literal::u32_unsuffixed(*few);
        let leave = quote! {
            if #index == #few {
                break;
            }
        };
        let body = braces([leave, number, stmts]);
        quote! {
            for #index in #from..#to #body
            if #to > #few #exit
        }
    }

    /// Counted from 0, and over slices that are as long, so that the compiler sees how few there are and that no index is outside:
    ///
    /// ```text
    /// let rest5 = &v5[v7..v8];
    /// for lane in 0..v8 - v7 { let v10 = rest5[lane]; a1[lane % 16] += v10; }
    /// ```
    ///
    /// Iterations of a block again read its columns as the block does.
    fn tail(&mut self, inner: &For) -> TokenStream {
        let columns = inner.body.columns_at(inner.index);
        let block = self.block.as_ref().filter(|block| {
            block.first == inner.range[0] && columns.iter().all(|column| block.columns.contains(column))
        });
        let width = block.map(|block| Literal::u32_unsuffixed(block.width));
        let tail = Tail { index: inner.index, is_block: width.is_some() };
        let around = self.tail.replace(tail);
        let reads_lane = self.reads_lane.replace(false);
        let stmts = self.in_closure([], |this| this.stmts(&inner.body));
        self.tail = around;
        let reads_lane = self.reads_lane.replace(reads_lane);
        let (cuts, count) = match width {
            Some(width) => (TokenStream::new(), quote!(#width)),
            None => {
                let [from, to] = inner.range.map(|position| self.name(position));
                let cut = |column: Value| {
                    let (rest, column) = (rest(column), variable(column));
                    quote!(let #rest = &#column[#from..#to];)
                };
                (columns.into_iter().map(cut).collect(), quote!(#to - #from))
            }
        };
        let (index, number) = (variable(inner.index), self.number(inner));
        let is_read = !number.is_empty() || self.is_named(inner.index);
        let position = match is_read {
            true => {
                let from = self.name(inner.range[0]);
                quote!(let #index = #from + lane;)
            }
            false => TokenStream::new(),
        };
        let lane = if is_read || reads_lane { quote!(lane) } else { quote!(_) };
        let body = braces([position, number, stmts]);
        quote!(#cuts for #lane in 0..#count #body)
    }

    /// The element of a column that a [`Stmt::Load`] reads.
    pub(super) fn element(&self, column: Value, index: Value, stride: Stride) -> TokenStream {
        match self.tail {
            Some(tail) if tail.index == index && stride == Stride::One => {
                let part = if tail.is_block { column_block(column) } else { rest(column) };
                self.reads_lane.set(true);
                quote!(#part[lane])
            }
            _ => {
                let (column, index) = (self.name(column), strided(stride, self.name(index)));
                quote!(#column[#index])
            }
        }
    }

    /// What binds a position: its variable, if what is printed reads it.
    pub(super) fn position_pattern(&self, position: Value) -> TokenStream {
        if self.is_named(position) { variable(position).into_token_stream() } else { quote!(_) }
    }

    /// `let v2 = (v9 + v3) as i64;`
    fn number(&self, inner: &For) -> TokenStream {
        let Some(number) = inner.number else { return TokenStream::new() };
        let (name, index) = (variable(number.value), variable(inner.index));
        let at = self.sum(number.first, quote!(#index));
        quote!(let #name = #at as i64;)
    }

    /// `(v9 + index)`, or `index`.
    pub(super) fn sum(&self, first: Value, index: TokenStream) -> TokenStream {
        if self.imp.known_position(first) == Some(0) {
            return index;
        }
        let first = self.name(first);
        quote!((#first + #index))
    }

    fn strips(&mut self, inner: &For, end: Value) -> TokenStream {
        let method = match inner.step as usize {
            OUTER_STRIP => quote!(outer_strips),
            ROWS_STRIP => quote!(rows_strips),
            ROW_STRIP => quote!(row_strips),
            _ => quote!(strips),
        };
        let (start, end, count, ok) =
            (variable(inner.index), variable(end), self.name(inner.range[1]), self.p.ok());
        let stmts = self.in_closure([], |this| this.stmts(&inner.body));
        let body = braces([quote!(let #end = #start + n;), stmts, quote!(#ok(()))]);
        // Compiled for the CPU at hand only where it is inlined into what is.
        quote!(cx.#method(#count, #[inline(always)] |#start, n| #body)?;)
    }

    /// A loop of blocks of iterations, whose lanes read columns in column_blocks.
    fn blocks(&mut self, inner: &For) -> TokenStream {
        let mut columns = Vec::new();
        self.chunked(&inner.body, &mut columns);
        let (step, count) = (Literal::u32_unsuffixed(inner.step), self.name(inner.range[1]));
        let (cuts, bindings): (Vec<_>, Vec<_>) = columns
            .iter()
            .map(|&column| {
                let (column_blocks, column_block, column) =
                    (column_blocks(column), column_block(column), variable(column));
                (
                    quote!(let #column_blocks = #column[..#count].as_chunks::<#step>().0;),
                    quote!(let #column_block = &#column_blocks[block];),
                )
            })
            .unzip();
        let strided = self.strided_blocks(inner);
        let (index, number) = (variable(inner.index), self.number(inner));
        let around = self.block.replace(BlockLoop { first: inner.index, width: inner.step, columns });
        let stmts = self.in_closure([], |this| this.stmts(&inner.body));
        self.block = around;
        let position = match self.is_named(inner.index) || !number.is_empty() {
            true => quote!(let #index = block * #step;),
            false => TokenStream::new(),
        };
        let is_counted = !position.is_empty() || !bindings.is_empty() || !strided.is_empty();
        let block = if is_counted { quote!(block) } else { quote!(_) };
        let body = braces([bindings.into_iter().collect(), strided, position, number, stmts]);
        quote!(#(#cuts)* for #block in 0..#count / #step #body)
    }

    /// `let block5 = span::<_, 31>(v5, block * 32);`: what the lanes of a block span of columns that are read in strides.
    fn strided_blocks(&self, inner: &For) -> TokenStream {
        let mut columns = Vec::new();
        inner.body.for_each_stmt(&mut |stmt| {
            if let Stmt::Lanes(Lanes { index, body, .. }) = stmt {
                columns.extend(body.strides_at(*index));
            }
        });
        let of_column = |(column, stride): (Value, Stride)| {
            let width = u64::from(inner.step);
            let first = match stride {
                Stride::One => return TokenStream::new(),
                Stride::Times(times) => width * u64::from(times),
                Stride::Parts { by, .. } => width / u64::from(by),
            };
            let (name, column, of) = (column_block(column), variable(column), self.p.span());
            let [span, first] = [stride.span(width), first].map(Literal::u64_unsuffixed);
            quote!(let #name = #of::<_, #span>(#column, block * #first);)
        };
        columns.into_iter().map(of_column).collect()
    }

    /// The columns that lanes in `block` read, in order of first use.
    fn chunked(&self, block: &Block, columns: &mut Vec<Value>) {
        let mut known: BTreeSet<Value> = columns.iter().copied().collect();
        block.for_each_stmt(&mut |stmt| match stmt {
            Stmt::Lanes(Lanes { index, body, .. }) => {
                for column in body.columns_at(*index) {
                    if known.insert(column) {
                        columns.push(column);
                    }
                }
            }
            Stmt::Prefetch { what: Prefetch::Block { column, .. }, .. } if known.insert(*column) => {
                columns.push(*column);
            }
            _ => {}
        });
    }

    pub(super) fn prefetch(&mut self, what: &Prefetch, index: Value) -> TokenStream {
        match what {
            Prefetch::Block { column, .. } => {
                let (prefetch, column_blocks) = (self.p.prefetch(), column_blocks(*column));
                quote!(#prefetch(#column_blocks, block);)
            }
            Prefetch::Element { column } => {
                let (prefetch, column, index) =
                    (self.p.prefetch_element(), variable(*column), self.name(index));
                quote!(#prefetch(#column, #index);)
            }
            Prefetch::Row { column } => {
                let (prefetch, column, index) = (self.p.prefetch_row(), variable(*column), self.name(index));
                quote!(#prefetch(#column, #index);)
            }
            Prefetch::Place { dict } => {
                let (dict, key) = (self.name(*dict), self.borrow(index));
                quote!(#dict.prefetch_place(#key);)
            }
            Prefetch::Found { dict } => {
                let (dict, key) = (self.name(*dict), self.borrow(index));
                quote!(#dict.prefetch_found(#key);)
            }
            // What Rust writes next to each other, the CPU sees coming.
            Prefetch::Written { .. } => TokenStream::new(),
        }
    }

    /// What holds the hashes of the next rows' keys, before the loop that asks for them.
    fn hashes(&mut self, inner: &For) -> TokenStream {
        let mut tokens = TokenStream::new();
        for stmt in &inner.body.stmts {
            if let Stmt::Do { store, action: crate::imp::Action::HashAhead, args, .. } = stmt {
                let (name, keys) = (format_ident!("h{}", store.index()), self.p.hash_prefetch());
                tokens.extend(quote!(let mut #name = #keys::new();));
                self.hashed.insert(*store, args[1]);
            }
        }
        tokens
    }
}

/// A column in column_blocks.
fn column_blocks(column: Value) -> Ident {
    format_ident!("blocks{}", column.index())
}

/// The column_block of the block at hand.
pub(super) fn column_block(column: Value) -> Ident {
    format_ident!("block{}", column.index())
}

/// The number of the element that `stride` says of a position.
pub(super) fn strided(stride: Stride, position: TokenStream) -> TokenStream {
    let number = Literal::u32_unsuffixed;
    match stride {
        Stride::One => position,
        Stride::Times(times) => {
            let times = number(times);
            quote!(#position * #times)
        }
        // As a shift: lints know better of a quotient.
        Stride::Parts { by, ahead } => {
            let bits = number(by.trailing_zeros());
            let position = match ahead {
                0 => position,
                _ => {
                    let ahead = number(ahead);
                    quote!((#position + #ahead))
                }
            };
            quote!(#position >> #bits)
        }
    }
}

/// What is left of a column behind the blocks.
fn rest(column: Value) -> Ident {
    format_ident!("rest{}", column.index())
}

/// What `stmt` reads.
pub(super) fn reads(stmt: &Stmt) -> Vec<Value> {
    stmt.values(Use::Read)
}
