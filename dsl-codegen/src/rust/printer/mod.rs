//! Prints low-level code as Rust.
//!
//! Each statement is a statement, each function a function, which is `#[inline(always)]`: the compiler knows of its parameters,
//! and of nothing else, that they do not overlap. What a store does is a method of the runtime's.
//!
//! | in the code | in Rust |
//! |---|---|
//! | value `v7` | `v7`; constants where they are read |
//! | position | a `usize` |
//! | register `a0` | `a0: [T; L]`, `T` of one lane; as a parameter `&mut` of it |
//! | store `#2` | its part or itself `s2`; what all its parts share `x2`; what has joined `t2` |
//!
//! A function gives a `Result` where it can fault, and takes the context where it uses it, as [`effects`](crate::imp::effects) says.

mod func;
mod lanes;
mod literals;
mod loops;
mod merge;
mod op;
mod printed;
mod split;
mod stmt;
mod store;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, TokenStreamExt, format_ident, quote};
use syn::Token;
use weldment_core::ir::{Entity, Loc, Value};
use weldment_core::source::Positions;
use weldment_runtime::lang::fault::Position;
use weldment_runtime::lang::types::Type;

pub(super) use self::printed::Foreign;
use self::printed::Printed;
use super::paths::Paths;
use super::{Unsupported, types};
use crate::imp::walk::Use;
use crate::imp::{
    AccOp, Action, Arg, Block, FuncId, Imp, Info, Known, Param, RegId, Stmt, StoreId, Strategy,
};

/// What printing knows.
pub(super) struct Printer<'a> {
    imp: &'a Imp,
    pub(super) positions: &'a Positions,
    /// The user's tokens, as far as there are any.
    spans: &'a [Span],
    pub(super) p: &'a Paths,
    /// The vectors whose rows lie one after the other.
    ragged: BTreeSet<Value>,
    /// The look-ups that search for others as well.
    searched: BTreeSet<Value>,
    /// Positions that nobody reads but a vector that knows where it is.
    unread: HashSet<Value>,
    /// The positions that what was printed reads.
    named: RefCell<HashSet<Value>>,
    /// Whether what was printed of the tail at hand reads the number of its iteration.
    reads_lane: Cell<bool>,
    /// What lanes bind and other statements read: it is in arrays.
    carried: HashSet<Value>,
    /// The functions printed so far.
    funcs: BTreeMap<FuncId, Printed>,
    /// What the function at hand captures, and so borrows.
    captured: HashSet<Value>,
    /// The registers and stores that are held by reference where something is printed.
    behind: HashSet<Place>,
    /// The registers that change behind the statement that makes them a variable.
    changing: HashSet<RegId>,
    /// The registers that are variables already where something is printed.
    declared: HashSet<RegId>,
    /// The loop over blocks around what is printed.
    block: Option<BlockLoop>,
    /// The tail that is printed.
    tail: Option<Tail>,
    /// The tables whose merges are by keys that were hashed ahead, with the position of the row.
    hashed: BTreeMap<StoreId, Value>,
    /// The bytes that are part of the program.
    literals: HashMap<Value, Vec<u8>>,
    /// The foreign functions called so far.
    pub(super) foreign: Vec<Foreign>,
    pub(super) unsupported: Vec<Unsupported>,
}

/// A loop over blocks.
struct BlockLoop {
    /// The position of a block's first iteration.
    first: Value,
    width: u32,
    /// The columns that are there as blocks.
    columns: Vec<Value>,
}

/// Iterations one by one, fewer than a block, or those of a block again.
#[derive(Clone, Copy)]
struct Tail {
    index: Value,
    /// Whether they are those of the block at hand.
    is_block: bool,
}

/// A place in the program as the last arguments of what can fault: line and column.
#[derive(Clone, Copy)]
struct Numbers(Position);

impl ToTokens for Numbers {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append(Literal::u32_unsuffixed(self.0.line));
        <Token![,]>::default().to_tokens(tokens);
        tokens.append(Literal::u32_unsuffixed(self.0.column));
    }
}

/// What is held in a variable or behind a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Reg(RegId),
    Store(StoreId),
}

impl<'a> Printer<'a> {
    pub(super) fn new(imp: &'a Imp, positions: &'a Positions, spans: &'a [Span], p: &'a Paths) -> Self {
        let stores = imp.stores.ids().map(|store| &imp.stores[store]);
        let ragged = stores.filter(|store| store.strategy == Strategy::Ragged).map(|store| store.result);
        let mut searched = BTreeSet::new();
        for func in imp.funcs.ids() {
            imp.funcs[func].body.for_each_stmt(&mut |stmt| {
                if let Stmt::Let { result, known: Known::Shared(first), .. } = stmt
                    && result != first
                {
                    searched.insert(*first);
                }
            });
        }
        Printer {
            imp,
            positions,
            spans,
            p,
            ragged: ragged.collect(),
            searched,
            unread: unread(imp),
            named: RefCell::default(),
            reads_lane: Cell::new(false),
            carried: carried(imp),
            funcs: BTreeMap::new(),
            captured: HashSet::new(),
            behind: HashSet::new(),
            changing: changing(imp),
            declared: HashSet::new(),
            block: None,
            tail: None,
            hashed: BTreeMap::new(),
            literals: HashMap::new(),
            foreign: Vec::new(),
            unsupported: Vec::new(),
        }
    }

    fn info(&self, value: Value) -> &'a Info {
        &self.imp.values[value]
    }

    pub(super) fn ty(&self, value: Value) -> &'a Type {
        &self.info(value).ty
    }

    /// The value where it is read: its variable, or the constant. To be asked for only where it is printed, since a position is
    /// bound where it has been.
    pub(super) fn name(&self, value: Value) -> TokenStream {
        let info = self.info(value);
        match info.constant {
            Some(constant) if info.position => {
                let number = constant.as_integer().and_then(|number| u64::try_from(number).ok());
                let number = Literal::u64_unsuffixed(number.unwrap_or(0));
                quote!(#number)
            }
            Some(constant) => types::constant(constant),
            None => {
                if info.position {
                    self.named.borrow_mut().insert(value);
                }
                variable(value).into_token_stream()
            }
        }
    }

    /// Whether the position has been read by what was printed so far.
    fn is_named(&self, position: Value) -> bool {
        self.named.borrow().contains(&position)
    }

    /// The value where a method of it is called: a sign would come after the call.
    fn operand(&self, value: Value) -> TokenStream {
        let tokens = self.name(value);
        let is_negated = self.info(value).constant.is_some() && types::is_negated(&tokens);
        if is_negated { quote!((#tokens)) } else { tokens }
    }

    /// An index or a length, as a `usize`.
    fn as_usize(&self, value: Value) -> TokenStream {
        let info = self.info(value);
        let known = info.constant.and_then(|constant| u64::try_from(constant.as_integer()?).ok());
        match known {
            Some(known) => {
                let known = Literal::u64_unsuffixed(known);
                quote!(#known)
            }
            None if info.position => self.name(value),
            None => {
                let value = self.name(value);
                quote!(#value as usize)
            }
        }
    }

    /// Whether the variable of a value, which is not copied, owns it.
    fn is_owned(&self, value: Value) -> bool {
        self.info(value).roots.is_none() && !self.captured.contains(&value)
    }

    /// The value by reference: `&[T]`, `&T`; also of scalars.
    fn borrow(&self, value: Value) -> TokenStream {
        let (name, ty) = (self.name(value), self.ty(value));
        if self.info(value).in_parts {
            return quote!(&#name);
        }
        if !ty.is_scalars() && !self.is_owned(value) {
            return name;
        }
        if types::is_slice(ty) && !self.ragged.contains(&value) { quote!(&#name[..]) } else { quote!(&#name) }
    }

    /// The value as it is passed to a function that copies scalars and borrows others.
    fn pass(&self, value: Value) -> TokenStream {
        if self.ty(value).is_scalars() { self.name(value) } else { self.borrow(value) }
    }

    /// The type of the variable that holds a value.
    fn partial_type(&self, value: Value) -> TokenStream {
        let info = self.info(value);
        if info.position {
            return quote!(usize);
        }
        if info.in_parts {
            return quote!(_);
        }
        let is_borrowed = !info.ty.is_scalars() && !self.is_owned(value);
        if is_borrowed { self.borrowed_type(value) } else { self.owned_type(value) }
    }

    /// The type of a variable that owns a value.
    fn owned_type(&self, value: Value) -> TokenStream {
        if !self.ragged.contains(&value) {
            return types::owned(self.p, self.ty(value));
        }
        let row = self.ty(value).element().and_then(Type::element).expect("rows are vectors");
        let (rows, element) = (self.p.ragged(), types::owned(self.p, row));
        quote!(#rows<#element>)
    }

    /// The type of a variable that borrows a value, or holds a copy.
    fn borrowed_type(&self, value: Value) -> TokenStream {
        if self.info(value).position {
            return quote!(usize);
        }
        if !self.ragged.contains(&value) {
            return types::borrowed(self.p, self.ty(value));
        }
        let rows = self.owned_type(value);
        quote!(&#rows)
    }

    fn params(&self) -> impl Iterator<Item = Value> {
        self.imp.funcs[self.imp.entry].params.iter().filter_map(|param| match param {
            Param::Value(value) => Some(*value),
            _ => None,
        })
    }

    /// What the entry reads.
    pub(super) fn read_by_entry(&self) -> HashSet<Value> {
        let mut read = HashSet::new();
        self.imp.funcs[self.imp.entry].body.for_each_read(self.imp, &mut |value| _ = read.insert(value));
        read
    }

    /// Puts the elements of the views that are `read` in order.
    pub(super) fn rows(&self, read: &HashSet<Value>) -> TokenStream {
        let views = self.params().filter(|value| self.ty(*value).is_view() && read.contains(value));
        let bind = |value| {
            let (name, rows) = (variable(value), self.p.array_rows());
            quote!(let #name = &#rows::new(cx, #name)?;)
        };
        views.map(bind).collect()
    }

    /// `v1: T`, or `(v1, v2): (T, U)`.
    fn binding(&self, results: &[Value]) -> TokenStream {
        let names = one_or_tuple(results.iter().map(|&value| variable(value)).map(|v| quote!(#v)).collect());
        let types = one_or_tuple(results.iter().map(|&value| self.partial_type(value)).collect());
        quote!(#names: #types)
    }

    /// The user's token at `loc`.
    pub(super) fn span(&self, loc: Loc) -> Span {
        self.spans.get(loc.index()).copied().unwrap_or_else(Span::call_site)
    }

    /// The file of `loc`, as rustc calls it; empty where there is none.
    fn file(&self, loc: Loc) -> String {
        let file = self.span(loc).file();
        // Tokens of no file are said to be of one in angle brackets.
        if file.starts_with('<') { String::new() } else { file }
    }

    /// The line and column of `loc`, as the last arguments of what can fault.
    fn place(&self, loc: Loc) -> Numbers {
        Numbers(self.positions.get(loc))
    }

    /// A register or a part of a store by reference, to hand it over.
    fn by_reference(&self, place: Place) -> TokenStream {
        let name = match place {
            Place::Reg(reg) => register(reg),
            Place::Store(store) => part(store),
        };
        if self.behind.contains(&place) { quote!(#name) } else { quote!(&mut #name) }
    }

    /// What `print` gives in a function that captures values and holds these by reference.
    fn in_function<T>(
        &mut self,
        captured: impl IntoIterator<Item = Value>,
        behind: impl IntoIterator<Item = Place>,
        print: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.behind, behind.into_iter().collect());
        let declared = std::mem::take(&mut self.declared);
        let owners = std::mem::replace(&mut self.captured, captured.into_iter().collect());
        let printed = print(self);
        (self.behind, self.declared, self.captured) = (outer, declared, owners);
        printed
    }

    /// The same in a closure, which sees what is around it.
    fn in_closure<T>(
        &mut self,
        behind: impl IntoIterator<Item = Place>,
        print: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let (outer, declared) = (self.behind.clone(), self.declared.clone());
        self.behind.extend(behind);
        let printed = print(self);
        (self.behind, self.declared) = (outer, declared);
        printed
    }
}

/// The variable of a value.
pub(super) fn variable(value: Value) -> Ident {
    format_ident!("v{}", value.index())
}

/// The variable of a register.
fn register(reg: RegId) -> Ident {
    format_ident!("a{}", reg.index())
}

/// A part of a store, or itself where it has no parts.
fn part(store: StoreId) -> Ident {
    format_ident!("s{}", store.index())
}

/// What all parts of a store share.
fn shared(store: StoreId) -> Ident {
    format_ident!("x{}", store.index())
}

/// What has joined.
fn joined(store: StoreId) -> Ident {
    format_ident!("t{}", store.index())
}

/// `{ … }` of these, one after the other. They are moved, and a group is shared where it is put into others: what is nested
/// is not copied once for each level.
pub(super) fn braces<const N: usize>(parts: [TokenStream; N]) -> Group {
    Group::new(Delimiter::Brace, parts.into_iter().collect())
}

/// `a`, or `(a, b)`.
fn one_or_tuple(mut items: Vec<TokenStream>) -> TokenStream {
    if items.len() == 1 {
        return items.remove(0);
    }
    quote!((#(#items),*))
}

/// The registers that change behind the statement that makes them a variable. Totals of split loops do not: the driver has them.
fn changing(imp: &Imp) -> HashSet<RegId> {
    fn visit(block: &Block, put: &mut HashSet<RegId>, changing: &mut HashSet<RegId>) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Start(reg)
                | Stmt::Copy { to: reg, .. }
                | Stmt::Accumulate { reg, op: AccOp::Set, .. } => {
                    // The first makes it a variable.
                    let is_first = put.insert(*reg);
                    changing.extend((!is_first).then_some(*reg));
                }
                Stmt::Accumulate { reg, .. } | Stmt::Rescan { total: reg, .. } => _ = changing.insert(*reg),
                Stmt::Call { args, .. } => changing.extend(args.iter().filter_map(|arg| match arg {
                    Arg::Reg(reg) => Some(*reg),
                    _ => None,
                })),
                Stmt::Split(split) => {
                    visit(&split.init, put, changing);
                    visit(&split.update, put, changing);
                    continue;
                }
                _ => {}
            }
            stmt.for_each_block(|inner| visit(inner, put, changing));
        }
    }
    let (mut put, mut changing) = (HashSet::new(), HashSet::new());
    for func in imp.funcs.ids() {
        visit(&imp.funcs[func].body, &mut put, &mut changing);
    }
    changing
}

/// What lanes bind and is read outside of them.
fn carried(imp: &Imp) -> HashSet<Value> {
    fn visit(
        block: &Block,
        lanes: Option<Value>,
        bound: &mut HashMap<Value, Value>,
        carried: &mut HashSet<Value>,
    ) {
        for stmt in &block.stmts {
            let own = match stmt {
                Stmt::Lanes(own) => {
                    bound.extend(own.number.map(|number| (number.value, own.index)));
                    Some(own.index)
                }
                _ => lanes,
            };
            stmt.for_each_value(|of, value| match (of, lanes) {
                (Use::Bind, Some(lanes)) => _ = bound.insert(value, lanes),
                (Use::Read, _) if bound.get(&value).is_some_and(|&by| Some(by) != lanes) => {
                    carried.insert(value);
                }
                _ => {}
            });
            stmt.for_each_block(|inner| visit(inner, own, bound, carried));
        }
    }
    let mut carried = HashSet::new();
    for func in imp.funcs.ids() {
        visit(&imp.funcs[func].body, None, &mut HashMap::new(), &mut carried);
    }
    carried
}

/// The positions that nobody reads, once those of `Put` are left out: a vector of Rust knows where it is.
fn unread(imp: &Imp) -> HashSet<Value> {
    let (mut bound, mut read) = (HashSet::new(), HashSet::new());
    for func in imp.funcs.ids() {
        imp.funcs[func].body.for_each_stmt(&mut |stmt| match stmt {
            Stmt::Do { action: Action::Put, args, mask, .. } => read.extend(args[1..].iter().chain(mask)),
            stmt => {
                if let Stmt::Let { result, .. } = stmt
                    && imp.values[*result].position
                {
                    bound.insert(*result);
                }
                read.extend(stmt.values(Use::Read));
            }
        });
        read.extend(&imp.funcs[func].captures);
        read.extend(&imp.funcs[func].body.results);
    }
    bound.retain(|value| !read.contains(value));
    bound
}
